// @ts-check
// What the web says, where the reader asked for it: in a frame of its own, below the answer and no part of it.

import { element, icon, outward } from "./elements.js";
import { money } from "./money.js";
import { locale, say } from "./texts.js";

/** @typedef {import("./contract.js").Answer} Answer */
/** @typedef {import("./contract.js").SecondOpinion} SecondOpinion */

/** @param {Answer} answer */
export function secondOpinion(answer) {
  const told = answer.second_opinion;
  if (!told) return null;
  return element(
    "aside",
    { class: "second-opinion", "aria-labelledby": "second-opinion-title" },
    element("h3", { id: "second-opinion-title", class: "eyebrow" }, say("second_opinion.title")),
    element("p", { class: "second-opinion-notice" }, icon("guidance"), say("second_opinion.notice")),
    told.problem
      ? element("p", { class: "hint" }, say("second_opinion.none", { problem: told.problem }))
      : said(told),
  );
}

/** @param {SecondOpinion} told */
function said(told) {
  return [
    element("p", { class: "second-opinion-text" }, told.text),
    told.links.length
      ? element(
          "ol",
          {},
          told.links.map((link) =>
            element("li", {}, outward(link.url, link.title), element("span", { class: "hint" }, link.url)),
          ),
        )
      : null,
    element(
      "p",
      { class: "hint" },
      say("second_opinion.told", { provider: told.provider, when: moment(told.retrieved_at) }),
      ` · ${money(told.cost)}`,
    ),
  ];
}

/** @param {string} when */
function moment(when) {
  return new Intl.DateTimeFormat(locale(), { dateStyle: "medium", timeStyle: "short" }).format(new Date(when));
}
