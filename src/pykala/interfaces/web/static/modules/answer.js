// @ts-check
// The answer sheet: outcome, the answer's sentences, the provision it rests on, and all a reader must know.

import { caveatList, conflictList, unresolvedList } from "./cautions.js";
import { checkList } from "./checks.js";
import { citations, claimText } from "./claims.js";
import { interval, longDate } from "./dates.js";
import { button, element, outward } from "./elements.js";
import { jurisdictionName, languageName } from "./jurisdictions.js";
import { banner } from "./outcomes.js";
import { cut } from "./spans.js";
import { nearMisses, supportGroups } from "./supports.js";
import { say } from "./texts.js";
import { traceTable } from "./trace.js";

/** @typedef {import("./contract.js").Answer} Answer */
/** @typedef {import("./contract.js").Citation} Citation */
/** @typedef {import("./contract.js").Cited} Cited */
/** @typedef {{ provision: string, as_of: string, language?: string, start?: number, end?: number, quote?: string }} Opened */

const LONG = 1400; // characters of a provision from which its own text scrolls

/**
 * @typedef {object} AnswerActions
 * @property {(opened: Opened) => void} open
 * @property {() => void} reason
 * @property {() => void} share
 * @property {() => void} save
 */

/**
 * @param {Answer} answer
 * @param {AnswerActions} actions
 */
export function answerSheet(answer, actions) {
  const open = (/** @type {Citation} */ citation) => actions.open(opened(citation, answer));
  const openPlace = (/** @type {string} */ provision, /** @type {string} */ language) =>
    actions.open({ provision, as_of: answer.as_of, language });
  return element(
    "article",
    { class: "sheet", "aria-labelledby": "asked" },
    heading(answer, actions),
    banner(answer),
    isToldByBanner(answer) ? null : claimText(answer, open),
    conflictList(answer, openPlace),
    answer.primary ? primaryCard(answer, answer.primary, actions) : null,
    checkList(answer),
    caveatList(answer, openPlace),
    answer.outcome === "ANSWERED" || answer.outcome === "GUIDANCE" || !answer.near?.length
      ? supportGroups(answer, openPlace)
      : nearMisses(answer.near, openPlace),
    unresolvedList(answer),
    traceTable(answer),
  );
}

/**
 * Whether the answer's words are the banner's, and a list of what stands below in full.
 * @param {Answer} answer
 */
function isToldByBanner(answer) {
  return answer.outcome === "GUIDANCE" || answer.outcome === "SILENT";
}

/**
 * Where a citation leads: the provision, the date and the exact span.
 * @param {Citation} citation
 * @param {Answer} answer
 * @returns {Opened}
 */
export function opened(citation, answer) {
  const shown = [answer.primary, ...answer.support].find((one) => one?.provision === citation.provision);
  return {
    provision: citation.provision,
    as_of: answer.as_of,
    language: shown?.language ?? answer.language,
    start: citation.start,
    end: citation.end,
    quote: citation.quote,
  };
}

/** @param {Answer} answer @param {AnswerActions} actions */
function heading(answer, actions) {
  const facts = [say("answer.as_of", { date: longDate(answer.as_of) })];
  if (answer.jurisdiction) facts.push(jurisdictionName(answer.jurisdiction));
  facts.push(languageName(answer.language));
  return element(
    "header",
    { class: "sheet-head" },
    element("h2", { id: "asked", lang: answer.language, tabindex: "-1" }, answer.question),
    element(
      "div",
      { class: "sheet-facts" },
      element("p", {}, facts.join(" · ")),
      element(
        "div",
        { class: "actions" },
        button({ label: say("answer.reasoning"), icon: "graph", onclick: actions.reason }),
        button({ label: say("answer.share"), icon: "link", onclick: actions.share }),
        button({ label: say("answer.save"), icon: "download", onclick: actions.save }),
      ),
    ),
  );
}

/** @param {Answer} answer @param {Cited} primary @param {AnswerActions} actions */
function primaryCard(answer, primary, actions) {
  const quoted = [...citations(answer).values()].find((one) => one.provision === primary.provision) ?? null;
  const open = () =>
    actions.open(
      quoted
        ? opened(quoted, answer)
        : { provision: primary.provision, as_of: answer.as_of, language: primary.language },
    );
  return element(
    "section",
    { class: "primary", "aria-labelledby": "primary-title" },
    element("h3", { id: "primary-title", class: "eyebrow" }, say("answer.primary")),
    element(
      "p",
      { class: "citation" },
      element("button", { type: "button", class: "place", onclick: open }, primary.citation),
    ),
    primary.heading ? element("p", { class: "law-heading", lang: primary.language }, primary.heading) : null,
    saysNoMore(answer, primary, quoted)
      ? null
      : element(
          "blockquote",
          {
            class: "law",
            lang: primary.language,
            ...(primary.text.length > LONG
              ? { class: "law long", tabindex: "0", role: "region", "aria-label": primary.citation }
              : {}),
          },
          cut(primary.text, quoted).map((piece) =>
            piece.marked ? element("mark", {}, piece.text) : piece.text,
          ),
        ),
    element(
      "p",
      { class: "source-line" },
      element("span", {}, interval(primary.valid_from, primary.valid_to)),
      element("span", {}, primary.source),
      primary.url ? outward(primary.url, say("official")) : null,
    ),
  );
}

/**
 * Whether the answer above is the provision's whole text already, word for word.
 * @param {Answer} answer
 * @param {Cited} primary
 * @param {Citation | null} quoted
 */
function saysNoMore(answer, primary, quoted) {
  return (
    quoted !== null &&
    quoted.quote === primary.text &&
    answer.text.replace(/\s*\[L\d+\]/g, "") === primary.text
  );
}
