// @ts-check
// What changed between two days: the earlier wording on the left, the later on the right.

import { caveatWords } from "./cautions.js";
import { longDate, shortDate } from "./dates.js";
import { button, element } from "./elements.js";
import { say, sayOr } from "./texts.js";

/** @typedef {import("./contract.js").Comparison} Comparison */
/** @typedef {import("./contract.js").Difference} Difference */

/**
 * @param {Comparison} found
 * @param {() => void} close
 */
export function comparison(found, close) {
  return element(
    "section",
    { class: "comparison", "aria-labelledby": "comparison-title" },
    element(
      "div",
      { class: "comparison-head" },
      element(
        "h3",
        { id: "comparison-title" },
        say("diff.title", { first: longDate(found.first), second: longDate(found.second) }),
      ),
      button({ label: say("close"), icon: "close", quiet: true, onclick: close }),
    ),
    // That this is the sample stands above the document.
    found.caveats
      .filter((one) => one.kind !== "SAMPLE")
      .map((one) => element("p", { class: "notices" }, caveatWords(one))),
    found.differences.length
      ? found.differences.map((one) => difference(one, found))
      : element("p", {}, say("diff.none")),
    found.unchanged ? element("p", { class: "hint" }, say("diff.unchanged", { n: found.unchanged })) : null,
  );
}

/** @param {Difference} one @param {Comparison} found */
function difference(one, found) {
  const facts = [
    sayOr(`alteration.${one.alteration}`, one.alteration),
    one.act,
    one.since ? shortDate(one.since) : "",
  ].filter(Boolean);
  return element(
    "div",
    { class: "difference" },
    element(
      "p",
      { class: "difference-head" },
      one.provision === found.provision ? null : element("strong", {}, one.citation),
      element("span", {}, facts.join(" · ")),
    ),
    element(
      "div",
      { class: "columns two" },
      side(one, found.first, "removed", "del"),
      side(one, found.second, "added", "ins"),
    ),
  );
}

/** @param {Difference} one @param {string} day @param {"removed" | "added"} kept @param {"del" | "ins"} tag */
function side(one, day, kept, tag) {
  // Where one wording is not held, nobody knows what the other added to it.
  const unknown = one.alteration === "unknown";
  const words = one.words.filter(([what]) => what === "same" || what === kept);
  return element(
    "div",
    { class: `law side ${kept}` },
    element("p", { class: "side-day" }, shortDate(day)),
    element(
      "p",
      {},
      words.length
        ? words.map(([what, text]) => (what === "same" || unknown ? text : element(tag, {}, text)))
        : element("em", {}, say(unknown ? "diff.not_held" : "diff.nothing")),
    ),
  );
}
