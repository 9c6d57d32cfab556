// @ts-check
// What became of a draft's claims when they were held against the law. A failed check is shown, not hidden.

import { element, icon } from "./elements.js";
import { number, say, sayOr } from "./texts.js";

/** @typedef {import("./contract.js").Answer} Answer */
/** @typedef {import("./contract.js").CheckedClaim} CheckedClaim */

/** @param {Answer} answer */
export function checkList(answer) {
  const found = answer.verification;
  if (!found) return null;
  const failed = found.claims.filter((one) => one.verdict !== "supported");
  return element(
    "section",
    { class: `checks ${found.level}`, "aria-labelledby": "checks-title" },
    element("h3", { id: "checks-title", class: "eyebrow" }, say("checks.title")),
    element(
      "p",
      { class: "check-scores" },
      icon(failed.length ? "guidance" : "answered"),
      element("strong", {}, sayOr(`checks.level.${found.level}`, found.level)),
      ...["confidence", "coverage", "grounding"].map((name) =>
        element(
          "span",
          {},
          `${say(`checks.${name}`)} ${number(Math.round(100 * found[/** @type {"coverage"} */ (name)]))}`,
        ),
      ),
    ),
    failed.length
      ? element("ul", {}, failed.map(claim))
      : element("p", { class: "hint" }, say("checks.all", { n: found.claims.length })),
  );
}

/** @param {CheckedClaim} one */
function claim(one) {
  return element(
    "li",
    {},
    element("q", {}, one.text),
    element("span", { class: "verdict" }, sayOr(`verdict.${one.verdict}`, one.verdict)),
    one.findings.map((finding) => element("span", { class: "hint" }, finding.message)),
  );
}
