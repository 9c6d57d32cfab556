// @ts-check
// Tables of the law come as lines whose columns are set with spaces: they keep their columns.

import { element } from "./elements.js";
import { unbroken } from "./unbroken.js";

/** Two or more lines that follow each other, each with a gap of two spaces or more between its words. */
const ROWS = /^[^\n]*\S {2,}\S[^\n]*(?:\n[^\n]*\S {2,}\S[^\n]*)+/gm;

/**
 * A text with its tables in a font whose letters are of one width, and no number broken; the characters stay
 * the same.
 * @param {string} text
 * @returns {(Node | string)[]}
 */
export function withTableRows(text) {
  /** @type {(Node | string)[]} */
  const made = [];
  let last = 0;
  for (const match of text.matchAll(ROWS)) {
    made.push(...unbroken(text.slice(last, match.index)), element("span", { class: "table-rows" }, match[0]));
    last = match.index + match[0].length;
  }
  made.push(...unbroken(text.slice(last)));
  return made;
}
