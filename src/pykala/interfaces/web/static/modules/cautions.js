// @ts-check
// What a reader must know before relying on an answer: conflicts, caveats, references that lead nowhere.

import { element, icon } from "./elements.js";
import { say, sayOr } from "./texts.js";
import { unbroken } from "./unbroken.js";

/** @typedef {import("./contract.js").Answer} Answer */
/** @typedef {import("./contract.js").Caveat} Caveat */
/** @typedef {import("./contract.js").Conflict} Conflict */
/** @typedef {(provision: string, language: string) => void} OpenPlace */

/** Caveats that say less than "do not rely on this": they are shown more quietly. */
const MILD = new Set(["TRANSLATION", "OTHER_LANGUAGE", "APPLICATION", "GUIDANCE", "PLACE", "UNCALIBRATED"]);

/** The most caveats of one kind about texts beside the answer that are shown at once. */
const SHOWN_OF_A_KIND = 2;

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
  const rows = left.map((one) => {
    const place =
      one.provision && one.provision !== answer.primary?.provision ? places.get(one.provision) : undefined;
    return { kind: one.kind, beside: place !== undefined, row: caveatRow(one, place, open) };
  });
  return element(
    "section",
    { class: "caveats", "aria-labelledby": "caveats-title" },
    element("h3", { id: "caveats-title", class: "eyebrow" }, say("caveats.title")),
    element("ul", {}, folded(rows)),
  );
}

/** @param {Caveat} one @param {import("./contract.js").Cited | undefined} place @param {OpenPlace} open */
function caveatRow(one, place, open) {
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
}

/**
 * The rows, where more than a few of one kind are about texts beside the answer: those are folded.
 * What is said of the answer itself is never folded.
 * @param {{ kind: string, beside: boolean, row: HTMLElement }[]} rows
 */
function folded(rows) {
  /** @type {HTMLElement[]} */
  const shown = [];
  for (const { kind, beside, row } of rows) {
    const alike = rows.filter((one) => one.beside && one.kind === kind);
    const after = alike.slice(SHOWN_OF_A_KIND);
    if (!beside || after.length < 2 || !after.some((one) => one.row === row)) shown.push(row);
    else if (after[0].row === row)
      shown.push(
        element(
          "li",
          { class: "more-caveats" },
          element(
            "details",
            { class: "folded" },
            element(
              "summary",
              {},
              say("caveats.more", { n: after.length, kind: sayOr(`caveat.${kind}`, kind) }),
            ),
            element("ul", {}, after.map((one) => one.row)),
          ),
        ),
      );
  }
  return shown;
}

/** @param {Caveat} caveat */
export function caveatWords(caveat) {
  return [
    element("strong", {}, sayOr(`caveat.${caveat.kind}`, caveat.kind)),
    element("span", {}, unbroken(caveat.message)),
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
