// @ts-check
// Acts looked up at their publisher and fetched into the library, for readers whose key may.

import { announce } from "./announcements.js";
import { shortDate } from "./dates.js";
import { button, element, outward, replace } from "./elements.js";
import { fetchJobs, showFetched, showRefusal } from "./fetch_jobs.js";
import { jurisdictionName } from "./jurisdictions.js";
import { fillSection, section, waiting } from "./sections.js";
import { get, post } from "./server.js";
import { say } from "./texts.js";

/** @typedef {import("./contract.js").Act} Act */

const MOST = 10;

/**
 * @param {string[]} publishers the jurisdictions whose publisher may be searched
 * @param {() => void} onchange
 */
export function fetchSection(publishers, onchange) {
  const made = section("fetch", "");
  const found = element("div", { class: "fetched", "aria-live": "polite" });
  const jobs = fetchJobs(onchange);
  const words = element("input", { type: "search", id: "fetch-words", maxlength: 200, required: true });
  const place = element(
    "select",
    { id: "fetch-place", "aria-label": say("fetch.publisher") },
    publishers.map((code) => element("option", { value: code }, jurisdictionName(code))),
  );
  const form = element(
    "form",
    { class: "fetch-form", onsubmit: look },
    element("label", { for: "fetch-words", class: "hint" }, say("fetch.words")),
    element(
      "div",
      { class: "fetch-line" },
      place,
      words,
      element("button", { type: "submit", class: "button" }, say("fetch.look")),
    ),
  );
  fillSection(made, form, found, jobs.holder);

  /** @param {Event} event */
  async function look(event) {
    event.preventDefault();
    const asked = { jurisdiction: place.value, words: words.value.trim(), limit: MOST };
    if (!asked.words) return words.focus();
    await working(say("fetch.looking"), async () => {
      const { acts } = await get("/library/acts", asked);
      replace(
        found,
        acts.length ? list(acts) : element("p", { class: "hint" }, say("fetch.none")),
        acts.length
          ? button({
              label: say("fetch.take", { n: acts.length }),
              icon: "download",
              onclick: () => take({ ...asked, limit: acts.length }),
            })
          : null,
      );
    });
  }

  /** @param {{ jurisdiction: string, words: string, limit: number }} asked */
  async function take(asked) {
    await working(say("fetch.taking"), async () => {
      const response = await post("/library/acts", asked, { prefer: "respond-async" });
      const told = await response.json();
      if (response.status !== 202) {
        showFetched(told, found); // a server that keeps no jobs answers when all is done
        return onchange();
      }
      replace(found);
      jobs.add({ id: told.id, title: `${asked.words} · ${jurisdictionName(asked.jurisdiction)}` });
    });
  }

  /** @param {string} told @param {() => Promise<void>} work */
  async function working(told, work) {
    replace(found, waiting(told));
    announce(told);
    try {
      await work();
    } catch (error) {
      showRefusal(found, /** @type {Error} */ (error).message);
    }
  }

  return made;
}

/** @param {Act[]} acts */
function list(acts) {
  return element(
    "ul",
    { class: "rows" },
    acts.map((one) =>
      element(
        "li",
        {},
        element("span", { class: "row-day" }, one.date ? shortDate(one.date) : one.number),
        element("span", { class: "row-words" }, outward(one.url, one.title || one.number)),
      ),
    ),
  );
}
