// @ts-check
// A question that came by a link, said in words, with a button that asks it: a link asks nothing by itself.

import { longDate } from "./dates.js";
import { button, element, replace } from "./elements.js";
import { jurisdictionName, languageName } from "./jurisdictions.js";
import { onLanguage, say } from "./texts.js";

/** @typedef {import("./contract.js").Request} Request */

/**
 * @param {HTMLElement} holder
 * @param {{ onask: (request: Request) => void }} options
 */
export function sharedQuestion(holder, { onask }) {
  /** @type {Request | null} */
  let waiting = null;

  function draw() {
    replace(holder, waiting && card(waiting, onask));
  }

  onLanguage(draw);
  return {
    /** @param {Request} request @param {{ focus: boolean }} options */
    show(request, { focus }) {
      waiting = request;
      draw();
      if (focus) holder.querySelector("button")?.focus();
    },
    clear() {
      waiting = null;
      draw();
    },
  };
}

/** @param {Request} request @param {(request: Request) => void} onask */
function card(request, onask) {
  return element(
    "section",
    { class: "shared-question", "aria-labelledby": "shared-title" },
    element("h2", { id: "shared-title", class: "eyebrow" }, say("shared.title")),
    element("p", { id: "shared-words", class: "shared-words" }, request.question),
    element(
      "ul",
      { id: "shared-facts", class: "shared-facts" },
      facts(request).map((one) => element("li", {}, one)),
    ),
    element(
      "div",
      { class: "shared-actions" },
      button({
        label: say("shared.ask"),
        icon: "send",
        class: "strong",
        "aria-describedby": "shared-words shared-facts",
        onclick: () => onask(request),
      }),
      element("p", { class: "hint" }, say("shared.hint")),
    ),
  );
}

/**
 * What the link fixes, and what it leaves open.
 * @param {Request} request
 */
function facts({ as_of, jurisdiction, language, after }) {
  return [
    as_of ? say("shared.day", { date: longDate(as_of) }) : say("shared.today"),
    jurisdiction ? say("shared.place", { place: jurisdictionName(jurisdiction) }) : say("shared.everywhere"),
    ...(language ? [say("shared.language", { language: languageName(language) })] : []),
    ...(after ? [say("shared.after", { question: after.question })] : []),
  ];
}
