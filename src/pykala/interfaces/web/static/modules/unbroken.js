// @ts-check
// Numbers, citations and dates that a line must not end within: "30 000", "18 §:n", "s. 19(1)", "2026-11-19".

import { element } from "./elements.js";

const TOGETHER = new RegExp(
  [
    String.raw`(?<![\p{N}.,])\p{N}{1,3}(?:[ \u00a0]\p{N}{3})+(?!\p{N})(?:,\p{N}+)?`,
    String.raw`(?<!\p{N})\p{N}+(?: [a-z])? §(?::\p{L}+)?`,
    String.raw`§§? ?\p{N}[\p{N}.:-]*`,
    String.raw`(?<!\p{L})(?:s|ss|art|arts)\. \p{N}[\p{N}\p{L}.()]*`,
    String.raw`\p{N}{4}-\p{N}{2}-\p{N}{2}`,
  ].join("|"),
  "gu",
);

/**
 * A text whose numbers and citations stay on one line; the characters stay the same.
 * @param {string} text
 * @returns {(Node | string)[]}
 */
export function unbroken(text) {
  /** @type {(Node | string)[]} */
  const made = [];
  let last = 0;
  for (const match of text.matchAll(TOGETHER)) {
    if (match.index > last) made.push(text.slice(last, match.index));
    made.push(element("span", { class: "unbroken" }, match[0]));
    last = match.index + match[0].length;
  }
  if (last < text.length) made.push(text.slice(last));
  return made;
}
