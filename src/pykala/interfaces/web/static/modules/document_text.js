// @ts-check
// A document's text: every provision's own words in order, and the target's exactly as citations count it.

import { element } from "./elements.js";
import { cut, slice } from "./spans.js";
import { withTableRows } from "./table_rows.js";

/** @typedef {import("./contract.js").Document_} Document_ */
/** @typedef {import("./contract.js").Section} Section */
/** @typedef {{ start: number, end: number, quote: string }} Mark */

/**
 * @param {Document_} whole
 * @param {Mark | null} mark a span of the target's text
 * @param {(provision: string) => void} go
 */
export function documentText(whole, mark, go) {
  const set = setter(whole, mark, go);
  return element("div", { class: "document law", lang: whole.language }, whole.sections.map(set));
}

/**
 * Two languages side by side, each provision beside its other wording; what only one of them has stands alone.
 * @param {Document_} whole
 * @param {Document_} other
 * @param {Mark | null} mark a span of the first one's target
 * @param {(provision: string) => void} go
 */
export function pairedText(whole, other, mark, go) {
  const left = setter(whole, mark, go);
  const right = setter(other, null, go);
  const waiting = new Map(other.sections.map((section) => [section.provision, section]));
  const row = (/** @type {Section | undefined} */ one, /** @type {Section | undefined} */ two) =>
    element(
      "div",
      { class: "columns two" },
      element("div", { class: "law", lang: whole.language }, one ? left(one) : null),
      element("div", { class: "law", lang: other.language }, two ? right(two) : null),
    );
  const rows = whole.sections.map((section) => {
    const pair = waiting.get(section.provision);
    waiting.delete(section.provision);
    return row(section, pair);
  });
  return element(
    "div",
    { class: "document paired" },
    rows,
    [...waiting.values()].map((section) => row(undefined, section)),
  );
}

/**
 * How a document's provisions are set, with the span that is marked in them.
 * @param {Document_} whole
 * @param {Mark | null} mark
 * @param {(provision: string) => void} go
 * @returns {(section: Section) => HTMLElement}
 */
function setter(whole, mark, go) {
  const spans = new Map(whole.target.spans.map((span) => [span.provision, span]));
  return (section) => {
    const span = spans.get(section.provision);
    const inside = Boolean(span) || section.provision === whole.target.provision;
    const words =
      span && whole.target.text !== null
        ? targetWords(whole.target.text, span, mark)
        : ownWords(section, inside ? mark : null);
    // Where the whole document was asked for, marking all of it would mark nothing.
    return line(section, inside && whole.target.provision !== whole.work.id, words, go);
  };
}

/** @typedef {{ words: (Node | string)[], numberMarked: boolean }} Words what to set, and whether the number belongs to the quote */

/** @param {Section} section @param {boolean} inside @param {Words} set @param {(provision: string) => void} go */
function line(section, inside, { words, numberMarked }, go) {
  const described = {
    class: `line depth-${Math.min(section.depth, 6)} is-${section.kind}${inside ? " target" : ""}`,
    "data-provision": section.provision,
  };
  const label = section.label
    ? element(
        "button",
        { type: "button", class: "line-label", onclick: () => go(section.provision) },
        section.label,
      )
    : null;
  // A number without a heading runs into its text: "1) the person becomes resident …".
  if (label && !section.heading && words.length) {
    const number = numberMarked ? element("mark", {}, label, " ") : [label, " "];
    return element("div", described, element("p", { class: "line-text run-in" }, number, words));
  }
  return element(
    "div",
    described,
    label || section.heading
      ? element(
          "p",
          { class: "line-head" },
          label,
          section.heading ? element("span", { class: "line-heading" }, section.heading) : null,
        )
      : null,
    words.length ? element("p", { class: "line-text" }, words) : null,
  );
}

/**
 * A provision's own words; the span is marked in them only where they are the quote, word for word.
 * @param {Section} section
 * @param {Mark | null} mark
 * @returns {Words}
 */
function ownWords(section, mark) {
  const quoted = mark && slice(section.text, mark.start, mark.end) === mark.quote ? mark : null;
  return { words: pieces(section.text, quoted, 0), numberMarked: false };
}

/**
 * The words of one provision within the target. The span counts in the target's composed text, so what is
 * marked is `text[start:end]` of it by construction: the quote, and nothing but the quote.
 * @param {string} text
 * @param {{ start: number, end: number, prefix: number }} span
 * @param {Mark | null} mark
 * @returns {Words}
 */
function targetWords(text, span, mark) {
  const from = span.start + span.prefix;
  const numberMarked = span.prefix > 0 && mark !== null && mark.start <= span.start && mark.end > from;
  return { words: pieces(slice(text, from, span.end), mark, from), numberMarked };
}

/** @param {string} text @param {Mark | null} mark @param {number} offset */
function pieces(text, mark, offset) {
  return cut(text, mark, offset).flatMap((piece) =>
    piece.marked ? element("mark", {}, withTableRows(piece.text)) : withTableRows(piece.text),
  );
}
