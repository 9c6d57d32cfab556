// @ts-check
// What the answer cost and how long each stage took; nought is shown as nought.

import { element, icon } from "./elements.js";
import { money } from "./money.js";
import { number, say, sayOr } from "./texts.js";

/** @typedef {import("./contract.js").Answer} Answer */
/** @typedef {import("./contract.js").Stage} Stage */

/** @param {Answer} answer */
export function traceTable(answer) {
  const { cost } = answer;
  return element(
    "details",
    { class: "trace" },
    element(
      "summary",
      {},
      icon("next"),
      element("span", { class: "meter", "data-cost": String(cost.amount) }, money(cost)),
      element("span", {}, say("cost.tokens", { n: cost.tokens_in + cost.tokens_out })),
      element("span", {}, milliseconds(answer.ms ?? total(answer))),
      element("span", {}, answer.writer ? say("cost.writer", { writer: answer.writer }) : say("cost.nobody")),
    ),
    element(
      "table",
      {},
      element(
        "caption",
        {},
        say("trace.title", { strategy: sayOr(`strategy.${answer.strategy}`, answer.strategy) }),
      ),
      element(
        "thead",
        {},
        element(
          "tr",
          {},
          ["trace.stage", "trace.time", "trace.facts"].map((key) =>
            element("th", { scope: "col" }, say(key)),
          ),
        ),
      ),
      element("tbody", {}, answer.trace.map(row)),
    ),
    answer.fetched?.length
      ? element("p", {}, say("trace.fetched", { works: answer.fetched.join(", ") }))
      : null,
  );
}

/** @param {Stage} stage */
function row({ stage, ms, ...facts }) {
  const words = Object.entries(facts)
    .filter(([, value]) => value !== null && value !== "" && !(Array.isArray(value) && !value.length))
    .map(([name, value]) => `${name.replaceAll("_", " ")} ${told(value)}`);
  return element(
    "tr",
    {},
    element("th", { scope: "row" }, sayOr(`stage.${stage}`, stage)),
    element("td", { class: "figure" }, milliseconds(ms)),
    element("td", {}, words.join(" · ")),
  );
}

/** @param {unknown} value */
function told(value) {
  if (typeof value === "number") return number(value, { maximumFractionDigits: 2 });
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** @param {Answer} answer */
function total(answer) {
  return answer.trace.reduce((sum, stage) => sum + stage.ms, 0);
}

/** @param {number} ms */
export function milliseconds(ms) {
  return ms < 1000
    ? `${number(ms, { maximumFractionDigits: ms < 10 ? 1 : 0 })} ms`
    : `${number(ms / 1000, { maximumFractionDigits: 1 })} s`;
}
