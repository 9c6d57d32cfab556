// @ts-check
// How far the law answers, in words: nobody should have to know what a colour means.

import { isUpload } from "./dates.js";
import { element, icon } from "./elements.js";
import { isSample } from "./sample.js";
import { number, say } from "./texts.js";

/** @typedef {import("./contract.js").Answer} Answer */

export const OUTCOME_ICONS = /** @type {Record<string, string>} */ ({
  ANSWERED: "answered",
  LIKELY: "answered",
  GUIDANCE: "guidance",
  SILENT: "silent",
  OUTSIDE_CORPUS: "elsewhere",
  UNAVAILABLE: "unavailable",
});

/**
 * The outcome by the name of its words and its colour: what an upload says is no answer of the law.
 * @param {Answer} answer
 */
export function outcomeName(answer) {
  return isUpload(answer.primary?.provision) ? "uploaded" : answer.outcome.toLowerCase();
}

/** @param {Answer} answer */
export function banner(answer) {
  const name = outcomeName(answer);
  return element(
    "div",
    { class: `banner ${name}`, "data-outcome": answer.outcome },
    icon(name === "uploaded" ? "guidance" : (OUTCOME_ICONS[answer.outcome] ?? "silent")),
    element(
      "div",
      {},
      element("strong", {}, say(`outcome.${name}`)),
      element(
        "span",
        {},
        say(`outcome.${name}.${meaning(answer)}`, {
          writer: answer.writer,
        }),
      ),
    ),
    // Beside "outside this library" a grade would read as how sure that is.
    answer.confidence > 0 && (isQuoted(answer) || answer.outcome === "GUIDANCE")
      ? grade(answer.confidence)
      : null,
  );
}

/**
 * Whether a provision is quoted as the answer: surely, or most likely.
 * @param {Answer} answer
 */
export function isQuoted(answer) {
  return answer.outcome === "ANSWERED" || answer.outcome === "LIKELY";
}

/** @param {Answer} answer */
function meaning(answer) {
  if (isUpload(answer.primary?.provision)) return answer.writer ? "drafted" : "means";
  if (answer.outcome === "ANSWERED") return wordsOf(answer);
  if (answer.outcome !== "LIKELY" || answer.writer) return "means";
  return wordsOf(answer);
}

/**
 * Whose words an answer is in: not all that answers is law.
 * @param {Answer} answer
 */
function wordsOf(answer) {
  if (answer.writer) return "drafted";
  if (isSample(answer)) return "sample";
  const primary = answer.primary?.provision;
  const guided = answer.caveats.some((one) => one.kind === "GUIDANCE" && one.provision === primary);
  return guided ? "guided" : "means";
}

/**
 * A grade with its name before it: a figure alone says nothing.
 * @param {number} value
 */
export function grade(value) {
  return element(
    "span",
    { class: "grade", title: say("grade.means") },
    element("span", { class: "grade-label" }, say("grade.label")),
    " ",
    gradeWords(value),
  );
}

/**
 * A grade out of ten, cut and not rounded: 8.99 is below the line at 9, and must not read as if it were on it.
 * @param {number} grade
 */
export function gradeWords(grade) {
  return say("grade", {
    grade: number(Math.floor(grade * 10) / 10, { minimumFractionDigits: 1, maximumFractionDigits: 1 }),
  });
}
