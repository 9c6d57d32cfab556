// @ts-check
// Fetches under way. The server goes on with them, whoever looks; the browser remembers which to ask for, so that
// a reload or another view loses none.

import { announce, note, warn } from "./announcements.js";
import { button, element, icon, replace } from "./elements.js";
import { remember, remembered } from "./memory.js";
import { waiting } from "./sections.js";
import { get, Problem } from "./server.js";
import { say } from "./texts.js";

/** @typedef {import("./contract.js").JobLine} JobLine */
/** @typedef {import("./contract.js").Fetched} Fetched */
/** @typedef {{ id: string, title: string }} Kept */

const KEPT = "fetches";
const ANSWERS_WITHIN = 2; // seconds that the server waits for the end before it tells how far it is
const ASKS_AGAIN = 5000; // milliseconds, where it could not be asked
const QUIET = 120_000; // milliseconds without a word, after which its machine may be gone

/** @param {() => void} onchange called when a fetch has ended */
export function fetchJobs(onchange) {
  const holder = element("ul", { class: "fetch-jobs" });

  /** @param {Kept} kept */
  function show(kept) {
    const told = element("div", {}, waiting(say("fetch.taking")));
    holder.append(element("li", {}, element("p", { class: "fetch-title" }, kept.title), told));
    follow(kept.id, told, onchange);
  }

  kept().forEach(show);
  return {
    holder,
    /** @param {Kept} begun */
    add(begun) {
      remember(KEPT, [...kept(), begun]);
      announce(say("fetch.taking"));
      show(begun);
    },
  };
}

/** @returns {Kept[]} */
function kept() {
  const found = remembered(KEPT, /** @type {Kept[]} */ ([]));
  return Array.isArray(found) ? found.filter((one) => one?.id) : [];
}

/** @param {string} id */
function leave(id) {
  remember(KEPT, kept().filter((one) => one.id !== id));
}

/**
 * Ask how far a fetch is until it has ended, or nobody sees it any more.
 * @param {string} id @param {HTMLElement} told @param {() => void} onchange
 */
async function follow(id, told, onchange) {
  let last = "";
  let since = performance.now();
  do {
    const job = await asked(id, told);
    if (!job) continue;
    if (job.ended) return ended(job, told, onchange);
    const word = `${job.told} ${job.done}`;
    if (word !== last) [last, since] = [word, performance.now()];
    showProgress(job, told, performance.now() - since > QUIET);
  } while (told.isConnected && kept().some((one) => one.id === id));
}

/**
 * @param {string} id @param {HTMLElement} told
 * @returns {Promise<JobLine | null>} null where it could not be asked now
 */
async function asked(id, told) {
  try {
    return await get("/job", { id, wait: ANSWERS_WITHIN });
  } catch (error) {
    const problem = /** @type {Problem} */ (error);
    showRefusal(told, problem.message);
    if (problem.status >= 400 && problem.status < 500 && problem.status !== 429) {
      leave(id);
      warn(problem.message); // stays, whatever is drawn anew
    } else await new Promise((resolve) => setTimeout(resolve, ASKS_AGAIN));
    return null;
  }
}

/** @param {JobLine} job @param {HTMLElement} told @param {boolean} quiet */
function showProgress(job, told, quiet) {
  const words = job.total ? say("fetch.progress", { done: job.done, total: job.total }) : say("fetch.taking");
  const shown = `${words} ${quiet}`;
  if (told.dataset.shown === shown) return; // a button that has the focus stays
  told.dataset.shown = shown;
  const line = waiting(words);
  const bar = line.querySelector("progress");
  if (bar && job.total) [bar.max, bar.value] = [job.total, job.done];
  replace(
    told,
    line,
    element("p", { class: "hint" }, say(quiet ? "fetch.quiet" : "fetch.goes_on")),
    quiet ? button({ label: say("fetch.forget"), class: "small", onclick: () => forgotten(job.id, told) }) : null,
  );
}

/** @param {string} id @param {HTMLElement} told */
function forgotten(id, told) {
  leave(id);
  told.closest("li")?.remove();
}

/** @param {JobLine} job @param {HTMLElement} told @param {() => void} onchange */
function ended(job, told, onchange) {
  leave(job.id);
  if (job.ended === "failed") {
    const why = job.reason || say("fetch.failed");
    showRefusal(told, why);
    return warn(why);
  }
  if (job.fetched) showFetched(job.fetched, told);
  onchange();
}

/**
 * What came of a fetch, and what did not come, with the reason.
 * @param {Fetched} done @param {HTMLElement} told
 */
export function showFetched(done, told) {
  const words = say("fetch.done", { n: done.fetched.length });
  replace(
    told,
    element("p", {}, words),
    done.refused.map((one) => element("p", { class: "hint" }, `${one.path}: ${one.reason}`)),
  );
  note(words);
}

/** @param {HTMLElement} told @param {string} why */
export function showRefusal(told, why) {
  delete told.dataset.shown;
  replace(told, element("p", { class: "refusal" }, icon("unavailable"), why));
}
