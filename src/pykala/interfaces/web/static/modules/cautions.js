// @ts-check
// What a reader must know before relying on an answer: conflicts, caveats, references that lead nowhere.

import { element, icon } from "./elements.js";
import { say, sayOr } from "./texts.js";

/** @typedef {import("./contract.js").Answer} Answer */
/** @typedef {import("./contract.js").Caveat} Caveat */
/** @typedef {import("./contract.js").Conflict} Conflict */
/** @typedef {(provision: string, language: string) => void} OpenPlace */

/** Caveats that say less than "do not rely on this": they are shown more quietly. */
const MILD = new Set(["TRANSLATION", "OTHER_LANGUAGE", "APPLICATION", "GUIDANCE", "PLACE", "UNCALIBRATED"]);

/** @param {Answer} answer @param {OpenPlace} open */
export function conflictList(answer, open) {
  if (!answer.conflicts.length) return null;
  return element(
    "section",
    { class: "conflicts", "aria-labelledby": "conflicts-title" },
    element(
      "h3",
      { id: "conflicts-title" },
      icon("conflict"),
      say("conflicts.title", { n: answer.conflicts.length }),
    ),
    answer.conflicts.map((one) => conflict(one, answer, open)),
  );
}

/** @param {Conflict} one @param {Answer} answer @param {OpenPlace} open */
function conflict(one, answer, open) {
  return element(
    "div",
    { class: "conflict" },
    element("p", { class: "conflict-message" }, one.message),
    element(
      "dl",
      {},
      side(say("conflicts.prevails"), one.winner, one.winner_citation, one.winner_rank, answer, open),
      side(say("conflicts.yields"), one.loser, one.loser_citation, one.loser_rank, answer, open),
      element(
        "div",
        {},
        element("dt", {}, say("conflicts.why")),
        element("dd", {}, sayOr(`conflicts.reason.${one.reason}`, one.reason)),
      ),
    ),
  );
}

/**
 * @param {string} term
 * @param {string} provision
 * @param {string} citation
 * @param {import("./contract.js").Rank | null} rank
 * @param {Answer} answer
 * @param {OpenPlace} open
 */
function side(term, provision, citation, rank, answer, open) {
  const language =
    [answer.primary, ...answer.support].find((one) => one?.provision === provision)?.language ?? "";
  return element(
    "div",
    {},
    element("dt", {}, term),
    element(
      "dd",
      {},
      element(
        "button",
        { type: "button", class: "place", onclick: () => open(provision, language) },
        citation || provision,
      ),
      rank
        ? element(
            "span",
            { class: "rank" },
            say(rank.reason ? "conflicts.rank" : "conflicts.rank.only", {
              rank: String(rank.authority),
              reason: rank.reason,
            }),
          )
        : null,
    ),
  );
}

/** @param {Answer} answer @param {OpenPlace} open */
export function caveatList(answer, open) {
  // A conflict and the sample are told whole above; their caveats would say the same again.
  const told = new Set(answer.conflicts.map((one) => one.message));
  const left = answer.caveats.filter((one) => !told.has(one.message) && one.kind !== "SAMPLE");
  if (!left.length) return null;
  const places = new Map(
    [answer.primary, ...answer.support].filter((one) => one !== null).map((one) => [one.provision, one]),
  );
  return element(
    "section",
    { class: "caveats", "aria-labelledby": "caveats-title" },
    element("h3", { id: "caveats-title", class: "eyebrow" }, say("caveats.title")),
    element(
      "ul",
      {},
      left.map((one) => {
        const place =
          one.provision && one.provision !== answer.primary?.provision
            ? places.get(one.provision)
            : undefined;
        return element(
          "li",
          { class: MILD.has(one.kind) ? "mild" : "grave", "data-caveat": one.kind },
          caveatWords(one),
          place
            ? element(
                "button",
                { type: "button", class: "place", onclick: () => open(place.provision, place.language) },
                place.citation,
              )
            : null,
        );
      }),
    ),
  );
}

/** @param {Caveat} caveat */
export function caveatWords(caveat) {
  return [
    element("strong", {}, sayOr(`caveat.${caveat.kind}`, caveat.kind)),
    element("span", {}, caveat.message),
  ];
}

/** @param {Answer} answer */
export function unresolvedList(answer) {
  if (!answer.unresolved.length) return null;
  return element(
    "section",
    { class: "unresolved", "aria-labelledby": "unresolved-title" },
    element("h3", { id: "unresolved-title", class: "eyebrow" }, say("unresolved.title")),
    element(
      "ul",
      {},
      answer.unresolved.map((one) =>
        element(
          "li",
          {},
          element("q", {}, one.text || one.target),
          element("span", {}, sayOr(`unresolved.${one.reason}`, one.reason)),
        ),
      ),
    ),
  );
}
