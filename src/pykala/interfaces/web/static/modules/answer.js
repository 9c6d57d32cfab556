// @ts-check
// The answer sheet: outcome, the answer's sentences, the provision it rests on, and all a reader must know.

import { caveatList, conflictList, unresolvedList } from "./cautions.js";
import { checkList } from "./checks.js";
import { citations, claimText } from "./claims.js";
import { isUpload, longDate, standing } from "./dates.js";
import { button, element, outward } from "./elements.js";
import { exportMenu } from "./exports.js";
import { generalGuidance } from "./general.js";
import { jurisdictionName, languageName } from "./jurisdictions.js";
import { banner, outcomeName } from "./outcomes.js";
import { officialLabel, sampleNotice } from "./sample.js";
import { sourceName } from "./sources.js";
import { cut } from "./spans.js";
import { supportGroups } from "./supports.js";
import { withTableRows } from "./table_rows.js";
import { say } from "./texts.js";
import { traceTable } from "./trace.js";
import { unbroken } from "./unbroken.js";

/** @typedef {import("./contract.js").Answer} Answer */
/** @typedef {import("./contract.js").Citation} Citation */
/** @typedef {import("./contract.js").Cited} Cited */
/** @typedef {import("./addresses.js").Reading} Reading */

const LONG = 1400; // characters of a provision from which its own text scrolls

/**
 * @typedef {object} AnswerActions
 * @property {(opened: Reading) => void} open
 * @property {() => void} reason
 * @property {() => void} share
 * @property {(form: import("./exports.js").Form) => void} save
 */

/**
 * @param {Answer} answer
 * @param {AnswerActions} actions
 */
export function answerSheet(answer, actions) {
  return element(
    "article",
    { class: "sheet", "aria-labelledby": "asked" },
    heading(answer, actions),
    sampleNotice(answer),
    answer.parts?.length ? parts(answer, answer.parts, actions) : body(answer, actions),
    traceTable(answer),
  );
}

/**
 * What the law says: of the whole question, or of one of the things that it asks.
 * @param {Answer} answer
 * @param {AnswerActions} actions
 * @param {string} [place] tells the parts of one sheet apart
 */
function body(answer, actions, place = "") {
  const open = (/** @type {Citation} */ citation) => actions.open(opened(citation, answer));
  const openPlace = (/** @type {string} */ provision, /** @type {string} */ language) =>
    actions.open({ provision, as_of: answer.as_of, language });
  // That general words are no law is told with them.
  const own = answer.caveats.filter((one) => one.message !== answer.general?.notice);
  const caveats = caveatList({ ...answer, caveats: own }, openPlace);
  const beside = supportGroups(answer, openPlace);
  return [
    banner(answer),
    isToldByBanner(answer) ? null : claimText(answer, open),
    conflictList(answer, openPlace),
    answer.primary ? primaryCard(answer, answer.primary, actions, place) : null,
    checkList(answer),
    generalGuidance(answer),
    // Where nothing is quoted, doubts about what is only related come after it.
    ...(answer.primary ? [caveats, beside] : [beside, caveats]),
    unresolvedList(answer),
  ];
}

/**
 * Several things asked, each under its heading; a caveat that several have is said once, below them.
 * @param {Answer} answer
 * @param {Answer[]} asked
 * @param {AnswerActions} actions
 */
function parts(answer, asked, actions) {
  const said = asked.map((part) => new Set(part.caveats.map((one) => one.message)));
  const isShared = (/** @type {import("./contract.js").Caveat} */ one) =>
    one.kind !== "SAMPLE" && said.filter((messages) => messages.has(one.message)).length > 1;
  const openPlace = (/** @type {string} */ provision, /** @type {string} */ language) =>
    actions.open({ provision, as_of: answer.as_of, language });
  const once = new Map(asked.flatMap((part) => part.caveats.filter(isShared)).map((one) => [one.message, one]));
  return [
    ...asked.map((part, number) =>
      partSection({ ...part, caveats: part.caveats.filter((one) => !isShared(one)) }, number, actions),
    ),
    caveatList({ ...answer, caveats: [...once.values()] }, openPlace),
  ];
}

/**
 * One of several things asked, under its heading.
 * @param {Answer} part
 * @param {number} number
 * @param {AnswerActions} actions
 */
function partSection(part, number, actions) {
  const name = `part-${number + 1}`;
  return element(
    "section",
    { class: "part", "aria-labelledby": name },
    element("h3", { id: name, class: "part-title", lang: part.language }, `${number + 1}. ${part.question}`),
    understood(part),
    body(part, actions, `-${number + 1}`),
  );
}

/** @param {Answer} answer */
function understood(answer) {
  if (!answer.standalone) return null;
  return element("p", { class: "understood" }, say("answer.understood", { question: answer.standalone }));
}

/**
 * Whether the answer's words are the banner's, and a list of what stands below in full.
 * @param {Answer} answer
 */
function isToldByBanner(answer) {
  return answer.outcome === "GUIDANCE" || answer.outcome === "SILENT";
}

/**
 * The day to read a provision on: the answer's, or the first of its words where these are later ones.
 * @param {Answer} answer
 * @param {Cited | null | undefined} shown
 */
function dayOf(answer, shown) {
  const start = shown?.valid_from;
  return start && start > answer.as_of ? start : answer.as_of;
}

/**
 * Where a citation leads: the provision, the date and the exact span.
 * @param {Citation} citation
 * @param {Answer} answer
 * @returns {Reading}
 */
export function opened(citation, answer) {
  const shown = [answer.primary, ...answer.support].find((one) => one?.provision === citation.provision);
  return {
    provision: citation.provision,
    as_of: dayOf(answer, shown),
    language: shown?.language ?? answer.language,
    start: citation.start,
    end: citation.end,
    quote: citation.quote,
  };
}

/**
 * Where the provision stands that an answer rests on, at the words that it quotes.
 * @param {Answer} answer
 * @returns {Reading | null}
 */
export function restsOn(answer) {
  const first = answer.parts?.find((part) => part.primary) ?? answer;
  const { primary } = first;
  if (!primary) return null;
  const quoted = [...citations(first).values()].find((one) => one.provision === primary.provision);
  if (quoted) return opened(quoted, first);
  return { provision: primary.provision, as_of: dayOf(first, primary), language: primary.language };
}

/**
 * Of which day the law is that an answer tells: beyond the day to which it is known, nothing is in force, nor
 * are words that began after the day.
 * @param {Answer} answer
 */
function lawOf(answer) {
  const date = longDate(answer.as_of);
  if (outcomeName(answer) === "uploaded") return say("answer.as_of.uploaded", { date });
  const start = dayOf(answer, answer.primary);
  if (start > answer.as_of) return say("answer.as_of_later", { date, start: longDate(start) });
  if (!answer.current_to) return say("answer.as_of", { date });
  const known = longDate(answer.current_to);
  return answer.as_of > answer.current_to
    ? say("answer.known_to", { known })
    : say("answer.as_of_known", { date, known });
}

/** @param {Answer} answer @param {AnswerActions} actions */
function heading(answer, actions) {
  const facts = [lawOf(answer)];
  if (answer.jurisdiction) facts.push(jurisdictionName(answer.jurisdiction));
  facts.push(languageName(answer.language));
  return element(
    "header",
    { class: "sheet-head" },
    element("h2", { id: "asked", lang: answer.language, tabindex: "-1" }, answer.question),
    understood(answer),
    element(
      "div",
      { class: "sheet-facts" },
      element("p", {}, facts.join(" · ")),
      element(
        "div",
        { class: "actions" },
        button({ label: say("answer.reasoning"), icon: "graph", onclick: actions.reason }),
        button({ label: say("answer.share"), icon: "link", onclick: actions.share }),
        exportMenu(actions.save),
        button({ label: say("answer.print"), icon: "print", onclick: () => window.print() }),
      ),
    ),
  );
}

/** @param {Answer} answer @param {Cited} primary @param {AnswerActions} actions @param {string} place */
function primaryCard(answer, primary, actions, place) {
  const quoted = [...citations(answer).values()].find((one) => one.provision === primary.provision) ?? null;
  const open = () => actions.open(restsOn(answer) ?? { provision: primary.provision });
  return element(
    "section",
    { class: "primary", "aria-labelledby": `primary-title${place}` },
    element("h3", { id: `primary-title${place}`, class: "eyebrow" }, say(isUpload(primary.provision) ? "answer.primary.uploaded" : "answer.primary")),
    element(
      "p",
      { class: "citation" },
      element("button", { type: "button", class: "place", onclick: open }, unbroken(primary.citation)),
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
          cut(primary.text, quoted).flatMap((piece) =>
            piece.marked ? element("mark", {}, withTableRows(piece.text)) : withTableRows(piece.text),
          ),
        ),
    element(
      "p",
      { class: "source-line" },
      element("span", {}, standing(primary)),
      sourceName(primary.source),
      primary.url ? outward(primary.url, officialLabel(answer)) : null,
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
