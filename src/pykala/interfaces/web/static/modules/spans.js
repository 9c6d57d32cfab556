// @ts-check
// Spans of text as the server counts them: in code points, where JavaScript counts in halves of some.

/** @typedef {{ text: string, marked: boolean }} Piece */

/**
 * `text[start:end]` by code points.
 * @param {string} text
 * @param {number} start
 * @param {number} [end]
 */
export function slice(text, start, end) {
  // Without a character beyond the basic plane, both ways of counting agree.
  if (!/[\ud800-\udfff]/.test(text)) return text.slice(start, end);
  return Array.from(text).slice(start, end).join("");
}

/** @param {string} text */
export function length(text) {
  return /[\ud800-\udfff]/.test(text) ? Array.from(text).length : text.length;
}

/**
 * A text cut where a marked span begins and ends; `offset` is where the text itself begins.
 * @param {string} text
 * @param {{ start: number, end: number } | null} mark
 * @param {number} [offset]
 * @returns {Piece[]}
 */
export function cut(text, mark, offset = 0) {
  const size = length(text);
  const from = mark ? Math.min(Math.max(mark.start - offset, 0), size) : size;
  const to = mark ? Math.min(Math.max(mark.end - offset, from), size) : size;
  return [
    { text: slice(text, 0, from), marked: false },
    { text: slice(text, from, to), marked: true },
    { text: slice(text, to, size), marked: false },
  ].filter((piece) => piece.text);
}
