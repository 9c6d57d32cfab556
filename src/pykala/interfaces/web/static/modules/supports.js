// @ts-check
// Provisions beside the first, or those that may be related: grouped by why they are there.

import { standing } from "./dates.js";
import { element, icon, outward } from "./elements.js";
import { jurisdictionName } from "./jurisdictions.js";
import { grade, isQuoted } from "./outcomes.js";
import { officialLabel } from "./sample.js";
import { sourceName } from "./sources.js";
import { say, sayOr } from "./texts.js";

/** @typedef {import("./contract.js").Answer} Answer */
/** @typedef {import("./contract.js").Support} Support */
/** @typedef {import("./cautions.js").OpenPlace} OpenPlace */

const LONG = 420; // characters of a provision beside the first; the rest is a click away

/** @param {Answer} answer @param {OpenPlace} open */
export function supportGroups(answer, open) {
  if (!answer.support.length) return null;
  /** @type {Map<string, Support[]>} */
  const groups = new Map();
  for (const one of answer.support) groups.set(one.relation, [...(groups.get(one.relation) ?? []), one]);
  const unsure = !isQuoted(answer);
  const official = officialLabel(answer);
  // Where nothing answers and several places may be meant, each provision says whose law it is.
  const apart = answer.outcome !== "ANSWERED" && new Set(answer.support.map(placeOf)).size > 1;
  const title = unsure ? (answer.outcome === "GUIDANCE" ? "support.possible" : "near.title") : "support.title";
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
          group.map((one, index) => element("li", {}, support(one, open, unsure && index === 0, apart, official))),
        ),
      ),
    ),
  );
}

/** @param {Support} one the code of the place whose law it is */
function placeOf(one) {
  return one.provision.split(":", 1)[0];
}

/** @param {Support} one @param {OpenPlace} open @param {boolean} unfolded @param {boolean} apart @param {string} official */
function support(one, open, unfolded, apart, official) {
  const details = element(
    "details",
    { class: "support", open: unfolded },
    element(
      "summary",
      {},
      icon("next"),
      element(
        "span",
        {},
        apart ? element("span", { class: "support-place" }, jurisdictionName(placeOf(one))) : null,
        element("span", { class: "support-citation" }, one.citation),
        one.heading && one.heading !== one.citation
          ? element("span", { class: "support-heading", lang: one.language }, one.heading)
          : null,
      ),
      one.score > 0
        ? grade(one.score)
        : null,
    ),
    element("blockquote", { class: "law small", lang: one.language }, shortened(one.text)),
  );
  // The dates and the link stand there whether it is unfolded or not.
  const source = element(
    "p",
    { class: "source-line" },
    element("span", {}, standing(one)),
    sourceName(one.source),
    one.url ? outward(one.url, official) : null,
    element(
      "button",
      { type: "button", class: "place", onclick: () => open(one.provision, one.language) },
      say("support.open"),
    ),
  );
  return [details, source];
}

/** @param {string} text */
function shortened(text) {
  return text.length > LONG * 1.3 ? `${text.slice(0, LONG).replace(/\s+\S*$/, "")} …` : text;
}
