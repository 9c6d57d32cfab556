// @ts-check
// The words of the last question, and how many provisions and documents hold each.

import { element } from "./elements.js";
import { fillSection, section } from "./sections.js";
import { get } from "./server.js";
import { number, say } from "./texts.js";

/** @typedef {import("./contract.js").Request} Request */
/** @typedef {{ word: string, weight: number, provisions: number, documents: number, more?: boolean }} Keyword */

/** @param {Request | null} request */
export function keywordSection(request) {
  const made = section("keywords", "");
  if (!request) fillSection(made, element("p", { class: "hint" }, say("keywords.none")));
  else load(made, request);
  return made;
}

/** @param {HTMLElement} made @param {Request} request */
async function load(made, request) {
  const { question: q, as_of, jurisdiction, language } = request;
  try {
    const found = await get("/keywords", { q, as_of, jurisdiction, language });
    fillSection(
      made,
      element("p", { class: "hint" }, element("q", {}, q)),
      found.keywords.length ? table(found.keywords) : element("p", { class: "hint" }, say("keywords.empty")),
    );
  } catch (error) {
    fillSection(made, element("p", { class: "refusal" }, /** @type {Error} */ (error).message));
  }
}

/** @param {Keyword[]} keywords */
function table(keywords) {
  const most = Math.max(1, ...keywords.map((one) => one.provisions));
  return element(
    "table",
    {},
    element(
      "thead",
      {},
      element(
        "tr",
        {},
        ["keywords.word", "library.provisions", "library.documents"].map((key, index) =>
          element("th", { scope: "col", class: index ? "figure" : null }, say(key)),
        ),
      ),
    ),
    element(
      "tbody",
      {},
      keywords.map((one) =>
        element(
          "tr",
          {},
          element(
            "th",
            { scope: "row" },
            one.word,
            element("meter", {
              class: "bar",
              min: 0,
              max: most,
              value: one.provisions,
              "aria-hidden": "true",
            }),
          ),
          element("td", { class: "figure" }, atLeast(one.provisions, one)),
          element("td", { class: "figure" }, atLeast(one.documents, one)),
        ),
      ),
    ),
  );
}

/**
 * A common word is not counted to its end: "500+".
 * @param {number} counted
 * @param {Keyword} of
 */
function atLeast(counted, of) {
  return `${number(counted)}${of.more ? "+" : ""}`;
}
