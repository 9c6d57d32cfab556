// @ts-check
// Provisions beside the first: grouped by why they are there. And, when the law is silent, the nearest ones.

import { interval } from "./dates.js";
import { element, icon } from "./elements.js";
import { gradeWords } from "./outcomes.js";
import { say, sayOr } from "./texts.js";

/** @typedef {import("./contract.js").Answer} Answer */
/** @typedef {import("./contract.js").Support} Support */
/** @typedef {import("./contract.js").Near} Near */
/** @typedef {import("./cautions.js").OpenPlace} OpenPlace */

const LONG = 420; // characters of a provision beside the first; the rest is a click away

/** @param {Answer} answer @param {OpenPlace} open */
export function supportGroups(answer, open) {
  if (!answer.support.length) return null;
  /** @type {Map<string, Support[]>} */
  const groups = new Map();
  for (const one of answer.support) groups.set(one.relation, [...(groups.get(one.relation) ?? []), one]);
  const unsure = answer.outcome !== "ANSWERED";
  const title = unsure ? "support.possible" : "support.title";
  return element(
    "section",
    { class: "supports", "aria-labelledby": "supports-title" },
    element("h3", { id: "supports-title", class: "eyebrow" }, say(title)),
    [...groups].map(([relation, group]) =>
      element(
        "div",
        { class: "support-group" },
        groups.size === 1 && unsure
          ? null
          : element("h4", {}, sayOr(`relation.${relation}`, relation)),
        element(
          "ul",
          {},
          // Where nothing is cited as the answer, the first that may bear on it can be read at once.
          group.map((one, index) => element("li", {}, support(one, open, unsure && index === 0))),
        ),
      ),
    ),
  );
}

/** @param {Support} one @param {OpenPlace} open @param {boolean} unfolded */
function support(one, open, unfolded) {
  return element(
    "details",
    { class: "support", open: unfolded },
    element(
      "summary",
      {},
      icon("next"),
      element(
        "span",
        {},
        element("span", { class: "support-citation" }, one.citation),
        one.heading && one.heading !== one.citation
          ? element("span", { class: "support-heading", lang: one.language }, one.heading)
          : null,
      ),
      one.score > 0
        ? element("span", { class: "grade", title: say("grade.means.one") }, gradeWords(one.score))
        : null,
    ),
    element("blockquote", { class: "law small", lang: one.language }, shortened(one.text)),
    element(
      "p",
      { class: "source-line" },
      element(
        "button",
        { type: "button", class: "place", onclick: () => open(one.provision, one.language) },
        say("support.open"),
      ),
      element("span", {}, interval(one.valid_from, one.valid_to)),
      element("span", {}, one.source),
    ),
  );
}

/** @param {Near[]} near @param {OpenPlace} open */
export function nearMisses(near, open) {
  return element(
    "section",
    { class: "near", "aria-labelledby": "near-title" },
    element("h3", { id: "near-title", class: "eyebrow" }, say("near.title")),
    element("p", { class: "hint" }, say("near.means")),
    element(
      "ul",
      {},
      near.map((one) => element("li", {}, miss(one, open))),
    ),
  );
}

/** @param {Near} one @param {OpenPlace} open */
function miss(one, open) {
  return [
    element(
      "button",
      { type: "button", class: "place", onclick: () => open(one.provision, "") },
      one.citation || one.provision,
    ),
    one.heading && one.heading !== one.citation
      ? element("span", { class: "support-heading" }, one.heading)
      : null,
    one.snippet ? element("p", { class: "law small" }, shortened(one.snippet)) : null,
  ];
}

/** @param {string} text */
function shortened(text) {
  return text.length > LONG * 1.3 ? `${text.slice(0, LONG).replace(/\s+\S*$/, "")} …` : text;
}
