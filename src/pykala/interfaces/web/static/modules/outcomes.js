// @ts-check
// How far the law answers, in words: nobody should have to know what a colour means.

import { element, icon } from "./elements.js";
import { number, say } from "./texts.js";

/** @typedef {import("./contract.js").Answer} Answer */

export const OUTCOME_ICONS = /** @type {Record<string, string>} */ ({
  ANSWERED: "answered",
  GUIDANCE: "guidance",
  SILENT: "silent",
  OUTSIDE_CORPUS: "elsewhere",
  UNAVAILABLE: "unavailable",
});

/** @param {Answer} answer */
export function banner(answer) {
  const name = answer.outcome.toLowerCase();
  return element(
    "div",
    { class: `banner ${name}`, "data-outcome": answer.outcome },
    icon(OUTCOME_ICONS[answer.outcome] ?? "silent"),
    element(
      "div",
      {},
      element("strong", {}, say(`outcome.${name}`)),
      element(
        "span",
        {},
        say(`outcome.${name}.${answer.outcome === "ANSWERED" ? wordsOf(answer) : "means"}`, {
          writer: answer.writer,
        }),
      ),
    ),
    // Beside "outside this library" a grade would read as how sure that is.
    answer.confidence > 0 && (answer.outcome === "ANSWERED" || answer.outcome === "GUIDANCE")
      ? element("span", { class: "grade", title: say("grade.means") }, gradeWords(answer.confidence))
      : null,
  );
}

/**
 * Whose words an answer is in: not all that answers is law.
 * @param {Answer} answer
 */
function wordsOf(answer) {
  if (answer.writer) return "drafted";
  if (answer.primary?.provision.startsWith("up:")) return "uploaded";
  const primary = answer.primary?.provision;
  const guided = answer.caveats.some((one) => one.kind === "GUIDANCE" && one.provision === primary);
  return guided ? "guided" : "means";
}

/**
 * A grade out of ten, cut and not rounded: 7.99 is below the line at 8, and must not read as if it were on it.
 * @param {number} grade
 */
export function gradeWords(grade) {
  return say("grade", {
    grade: number(Math.floor(grade * 10) / 10, { minimumFractionDigits: 1, maximumFractionDigits: 1 }),
  });
}
