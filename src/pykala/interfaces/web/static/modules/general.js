// @ts-check
// A model's general words where nothing is certain: in a frame of their own; their text begins with its notice.

import { element, icon } from "./elements.js";
import { say } from "./texts.js";

/** @typedef {import("./contract.js").Answer} Answer */

/** @param {Answer} answer */
export function generalGuidance(answer) {
  const told = answer.general;
  if (!told) return null;
  const { notice } = told;
  return element(
    "aside",
    { class: "second-opinion general-guidance", "aria-label": say("general.title"), lang: answer.language },
    element("h3", { class: "eyebrow" }, say("general.title")),
    element("p", { class: "second-opinion-notice" }, icon("guidance"), notice),
    element("p", { class: "second-opinion-text" }, told.text.slice(notice.length).trim()),
  );
}
