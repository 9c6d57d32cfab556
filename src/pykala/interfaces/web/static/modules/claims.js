// @ts-check
// The answer's sentences, each with the keys of what it rests on.

import { element } from "./elements.js";
import { isQuoted } from "./outcomes.js";
import { withTableRows } from "./table_rows.js";
import { say } from "./texts.js";

/** @typedef {import("./contract.js").Answer} Answer */
/** @typedef {import("./contract.js").Citation} Citation */
/** @typedef {(citation: Citation) => void} Open */

const KEYS = /\[(L\d+(?:\s*[,;]\s*L\d+)*)\]/g;

/**
 * @param {Answer} answer
 * @param {Open} open
 */
export function claimText(answer, open) {
  const cited = citations(answer);
  const paragraphs = answer.text.split(/\n{2,}/).filter((one) => one.trim());
  return element(
    "div",
    // The law speaks the answer's language; that nothing was found is told in English.
    isQuoted(answer)
      ? { class: "answer-text", lang: answer.language }
      : { class: "answer-text notice", lang: "en" },
    paragraphs.map((paragraph) => element("p", {}, pieces(paragraph, cited, open))),
  );
}

/**
 * All citations of an answer, by key.
 * @param {Answer} answer
 * @returns {Map<string, Citation>}
 */
export function citations(answer) {
  /** @type {Map<string, Citation>} */
  const found = new Map();
  for (const claim of answer.claims)
    for (const one of claim.citations) if (!found.has(one.key)) found.set(one.key, one);
  return found;
}

/** @param {string} text @param {Map<string, Citation>} cited @param {Open} open */
function pieces(text, cited, open) {
  /** @type {(Node | string)[]} */
  const made = [];
  let last = 0;
  for (const match of text.matchAll(KEYS)) {
    made.push(...withTableRows(text.slice(last, match.index).replace(/\s+$/, "\u00a0")));
    for (const key of match[1].split(/\s*[,;]\s*/)) made.push(keyButton(key, cited.get(key), open));
    last = match.index + match[0].length;
  }
  made.push(...withTableRows(text.slice(last)));
  return made;
}

/** @param {string} key @param {Citation | undefined} citation @param {Open} open */
export function keyButton(key, citation, open) {
  // A key that no citation carries is shown as it was written, and can be opened by nobody.
  if (!citation) return element("span", { class: "key unknown", title: say("key.unknown") }, key);
  return element(
    "button",
    {
      type: "button",
      class: "key",
      "data-key": key,
      title: citation.citation,
      "aria-label": say("key.open", { key, citation: citation.citation }),
      onclick: () => open(citation),
    },
    key,
  );
}
