// @ts-check
// Questions to begin with, from the packs themselves.

import { shortDate, today } from "./dates.js";
import { element, replace } from "./elements.js";
import { jurisdictionName, jurisdictions } from "./jurisdictions.js";
import { get } from "./server.js";
import { interfaceLanguage, say } from "./texts.js";

/** @typedef {import("./contract.js").Request} Request */
/** @typedef {{ question: string, jurisdiction: string, language: string, as_of: string | null }} Example */

const SHOWN = 6;
/** @type {AbortController | null} */
let loading = null;

/**
 * @param {HTMLElement} holder
 * @param {string} jurisdiction
 * @param {string} language
 * @param {(request: Request) => void} take
 */
export async function exampleList(holder, jurisdiction, language, take) {
  loading?.abort();
  loading = new AbortController();
  const { signal } = loading;
  try {
    let found = await examples(jurisdiction, language || interfaceLanguage(), signal);
    // New York speaks no Finnish: where a jurisdiction has no example in the language, any will do.
    if (!found.length && !language) found = await examples(jurisdiction, "", signal);
    if (signal.aborted) return;
    replace(holder, found.length ? list(varied(found), take) : []);
  } catch {
    if (!signal.aborted) replace(holder); // Examples are a courtesy; the page does without.
  }
}

/** @param {string} jurisdiction @param {string} language @param {AbortSignal} signal @returns {Promise<Example[]>} */
async function examples(jurisdiction, language, signal) {
  /** @type {Example[]} */
  const all = (await get("/examples", { jurisdiction, language }, signal)).examples;
  const held = new Set(jurisdictions().map((one) => one.code));
  return all.filter((one) => held.has(one.jurisdiction));
}

/**
 * A few, of every jurisdiction in turn.
 * @param {Example[]} found
 */
function varied(found) {
  /** @type {Map<string, Example[]>} */
  const byJurisdiction = new Map();
  for (const one of found)
    byJurisdiction.set(one.jurisdiction, [...(byJurisdiction.get(one.jurisdiction) ?? []), one]);
  const taken = [];
  for (let turn = 0; taken.length < SHOWN && turn < found.length; turn += 1) {
    for (const group of byJurisdiction.values()) if (group[turn]) taken.push(group[turn]);
  }
  return taken.slice(0, SHOWN);
}

/** @param {Example[]} found @param {(request: Request) => void} take */
function list(found, take) {
  return [
    element("h2", {}, say("examples.title")),
    element(
      "ul",
      {},
      found.map((one) => element("li", {}, example(one, take))),
    ),
  ];
}

/** @param {Example} one @param {(request: Request) => void} take */
function example(one, take) {
  // An example of this year is asked of today's law; one of an earlier year is about that year.
  const day = one.as_of && one.as_of < `${today().slice(0, 4)}-01-01` ? one.as_of : null;
  const facts = [jurisdictionName(one.jurisdiction), day ? shortDate(day) : ""].filter(Boolean).join(" · ");
  return element(
    "button",
    {
      type: "button",
      class: "example",
      lang: one.language,
      onclick: () =>
        take({ question: one.question, as_of: day, jurisdiction: one.jurisdiction, language: null }),
    },
    element("span", { class: "example-question" }, one.question),
    element("span", { class: "example-facts", lang: interfaceLanguage() }, facts),
  );
}
