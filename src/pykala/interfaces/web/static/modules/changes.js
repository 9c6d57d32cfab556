// @ts-check
// What changed in the works that the reader follows, day by day; each change leads to its difference.

import { toPath } from "./addresses.js";
import { copy } from "./clipboard.js";
import { dayBefore, shortDate, today } from "./dates.js";
import { button, element, icon, replace } from "./elements.js";
import { follow, followed } from "./following.js";
import { waiting } from "./sections.js";
import { get } from "./server.js";
import { interfaceLanguage, onLanguage, say, sayOr } from "./texts.js";

/** @typedef {import("./addresses.js").Reading} Reading */
/** @typedef {{ provision: string, citation: string, event: string, day: string | null, act: string | null }} Change */
/** @typedef {{ work: string, citation: string, changes: Change[] }} Changed */

const PERIODS = /** @type {const} */ (["1", "5", "30"]); // years back
const MOST_DAYS = 40;
const NAMED = 3; // provisions of one day that are named; more are counted

/**
 * @param {HTMLElement} holder
 * @param {{ onopen: (wanted: Reading) => void }} options
 */
export function changesView(holder, { onopen }) {
  let years = "1";
  let drawn = 0;

  async function draw() {
    const mine = ++drawn;
    const works = followed();
    const body = element("div", { class: "changed-works" }, waiting(say("changes.loading")));
    if (!works.length) {
      replace(holder, empty(), body);
      const recent = await lately(); // counting a large library takes some seconds
      return mine === drawn ? replace(body, recent) : undefined;
    }
    replace(holder, toolbar(works), body);
    try {
      const since = back(Number(years));
      const found = await get("/changes", { since, limit: 1000, work: works.map((one) => one.work) });
      if (mine !== drawn) return;
      const changes = new Map(found.works.map((/** @type {Changed} */ one) => [one.work, one]));
      replace(
        body,
        works.map((one) => section(one, changes.get(one.work)?.changes ?? [])),
      );
    } catch (error) {
      if (mine === drawn)
        replace(body, element("p", { class: "refusal" }, icon("guidance"), /** @type {Error} */ (error).message));
    }
  }

  function empty() {
    return element("p", { class: "changes-empty" }, say("changes.empty"));
  }

  /** @param {{ work: string }[]} works */
  function toolbar(works) {
    const period = element(
      "select",
      { id: "period", onchange: () => ((years = period.value), draw()) },
      PERIODS.map((one) =>
        element("option", { value: one, selected: one === years }, say("changes.years", { n: Number(one) })),
      ),
    );
    const query = new URLSearchParams(works.map(({ work }) => ["work", work]));
    query.set("language", interfaceLanguage());
    const feed = `${location.origin}/api/v1/changes.atom?${query}`;
    return element(
      "div",
      { class: "changes-bar" },
      element("label", { for: "period" }, say("changes.period")),
      period,
      element(
        "span",
        { class: "actions" },
        element("a", { class: "button", href: feed }, icon("feed"), element("span", {}, say("changes.feed"))),
        button({
          label: say("changes.feed.copy"),
          icon: "copy",
          quiet: true,
          onclick: () => copy(feed, say("changes.feed.copied")),
        }),
      ),
    );
  }

  /** @param {import("./following.js").Followed} one @param {Change[]} changes */
  function section(one, changes) {
    const id = `followed-${one.work}`;
    const days = byDay(changes);
    return element(
      "section",
      { class: "changed-work", "aria-labelledby": id },
      element(
        "header",
        {},
        element("h2", { id }, link({ provision: one.work, as_of: today() }, one.title || one.work)),
        button({
          label: say("changes.unfollow", { title: one.title || one.work }),
          icon: "close",
          quiet: true,
          onclick: () => (follow(one, false), draw()),
        }),
      ),
      days.length
        ? element("ol", { class: "rows" }, days.slice(0, MOST_DAYS).map((day) => row(one, day)))
        : element("p", { class: "hint" }, say("changes.none")),
    );
  }

  /** @param {{ work: string }} one @param {{ day: string, changes: Change[] }} changed */
  function row({ work }, { day, changes }) {
    const places = new Map(changes.map((change) => [change.provision, change.citation]));
    const events = changes.map((change) => sayOr(`event.${change.event}`, change.event));
    const facts = [...new Set([...events, ...changes.map((change) => change.act)])].filter(Boolean);
    // One provision is compared by itself, several within their act.
    const provision = places.size === 1 ? changes[0].provision : work;
    const named = [...places.values()].join(", ");
    const wanted = { provision, as_of: day, first: dayBefore(day), second: day };
    return element(
      "li",
      {},
      element("time", { class: "row-day", datetime: day }, shortDate(day)),
      element(
        "span",
        { class: "row-words" },
        link(wanted, places.size <= NAMED ? named : say("changes.provisions", { n: places.size })),
        element("span", { class: "hint" }, facts.join(" · ")),
      ),
    );
  }

  /** What changed lately in the whole library: something to begin to follow. */
  async function lately() {
    try {
      const { changes } = await get("/library");
      if (!changes.length) return null;
      return element(
        "section",
        { class: "changed-work", "aria-labelledby": "changed-lately" },
        element("h2", { id: "changed-lately" }, say("library.changed")),
        element(
          "ul",
          { class: "rows" },
          changes.map((/** @type {any} */ one) =>
            element(
              "li",
              {},
              element("time", { class: "row-day", datetime: one.day }, shortDate(one.day)),
              element("span", { class: "row-words" }, link({ provision: one.work, as_of: one.day }, one.citation)),
              button({
                label: say("changes.follow.named", { title: one.citation }),
                icon: "bell",
                quiet: true,
                onclick: () => (follow({ work: one.work, title: one.citation }, true), draw()),
              }),
            ),
          ),
        ),
      );
    } catch {
      return null; // Whoever may not read the library follows works from their documents.
    }
  }

  /** @param {Reading} wanted @param {string} words */
  function link(wanted, words) {
    return element(
      "a",
      {
        class: "place",
        href: toPath(wanted),
        onclick: (/** @type {MouseEvent} */ event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
          event.preventDefault();
          onopen(wanted);
        },
      },
      words,
    );
  }

  onLanguage(() => !holder.closest("[hidden]") && draw());
  return { draw };
}

/**
 * The changes of each day, the newest first; those whose day nobody knows are left out.
 * @param {Change[]} changes
 */
function byDay(changes) {
  /** @type {Map<string, Change[]>} */
  const days = new Map();
  for (const one of changes) if (one.day) days.set(one.day, [...(days.get(one.day) ?? []), one]);
  return [...days]
    .map(([day, list]) => ({ day, changes: list }))
    .sort((one, other) => other.day.localeCompare(one.day));
}

/** @param {number} years */
function back(years) {
  const day = new Date();
  day.setFullYear(day.getFullYear() - years);
  return day.toISOString().slice(0, 10);
}
