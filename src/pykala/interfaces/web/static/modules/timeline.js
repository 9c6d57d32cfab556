// @ts-check
// A provision's versions on a line. One click reads the wording of a day; two marks give the difference.

import { dayBefore, shortDate, today } from "./dates.js";
import { button, element } from "./elements.js";
import { say, sayOr } from "./texts.js";

/** @typedef {import("./contract.js").VersionMark} VersionMark */

/**
 * @param {VersionMark[]} marks
 * @param {string} day the day that is shown
 * @param {{ onday: (day: string) => void, onpair: (first: string, second: string) => void, onask: (day: string) => void, picked?: string[] }} options
 */
export function timeline(marks, day, { onday, onpair, onask, picked: days = [] }) {
  const shown = marks.findLastIndex((mark) => !isPending(mark) && (mark.valid_from ?? "") <= day);
  /** @type {Set<number>} */
  const picked = new Set();
  for (const one of days) {
    // A day may lie within a version: it is the last that began by then.
    const index = marks.findLastIndex((mark) => !isPending(mark) && (mark.valid_from ?? "") <= one);
    if (index >= 0) picked.add(index);
  }

  /** @param {number} index @param {HTMLInputElement} box */
  function pick(index, box) {
    if (box.checked) picked.add(index);
    else picked.delete(index);
    // The third pick takes the place of the first.
    if (picked.size > 2) {
      const [oldest] = picked;
      picked.delete(oldest);
      const stale = list.querySelectorAll("input")[oldest];
      stale.checked = false;
    }
    if (picked.size === 2) pair();
  }

  function pair() {
    const [first, second] = [...picked].sort((one, other) => one - other).map((index) => dayOf(marks[index]));
    onpair(first, second);
  }

  const list = element(
    "ol",
    { class: "marks" },
    marks.map((mark, index) => {
      const pending = isPending(mark);
      const date =
        shortDate(mark.valid_from) || say(pending ? "dates.not_yet" : "dates.beginning");
      const box = element("input", {
        type: "checkbox",
        disabled: pending,
        checked: picked.has(index),
        "aria-label": say("timeline.pick", { date }),
        onchange: () => pick(index, box),
      });
      return element(
        "li",
        { class: index === shown ? "mark shown" : "mark", "data-day": dayOf(mark) },
        box,
        element(
          "button",
          {
            type: "button",
            class: "mark-day",
            disabled: pending,
            "aria-current": index === shown ? "date" : null,
            onclick: () => onday(dayOf(mark)),
          },
          element("span", { class: "mark-date" }, date),
          element(
            "span",
            { class: "mark-event", title: mark.act },
            [sayOr(`event.${mark.event}`, mark.event ?? ""), actNumber(mark.act)].filter(Boolean).join(" · "),
          ),
        ),
      );
    }),
  );
  return element(
    "section",
    { class: "timeline", "aria-labelledby": "timeline-title" },
    element(
      "div",
      { class: "timeline-head" },
      element("h3", { id: "timeline-title", class: "eyebrow" }, say("timeline.title", { n: marks.length })),
      element("span", { class: "hint" }, say("timeline.hint")),
      askThen(day, onask),
    ),
    list,
  );
}

/**
 * A provision with one version: words instead of a line with one point on it.
 * @param {VersionMark[]} marks
 * @param {string} day
 * @param {(day: string) => void} onask
 */
export function onlyVersion(marks, day, onask) {
  const [mark] = marks;
  // Nobody knows since when an upload stands; there is nothing to say.
  if (!mark?.valid_from) return null;
  const event = [sayOr(`event.${mark.event}`, mark.event ?? ""), actNumber(mark.act)].filter(Boolean).join(" · ");
  return element(
    "section",
    { class: "timeline only", "aria-label": say("timeline.title", { n: 1 }) },
    element(
      "div",
      { class: "timeline-head" },
      element("p", { class: "only-version" }, say("timeline.only", { date: shortDate(mark.valid_from) })),
      event ? element("span", { class: "hint", title: mark.act }, event) : null,
      askThen(day, onask),
    ),
  );
}

/**
 * Scroll the line until a version stands on it whole. The line begins with a whole version then, too: half of one
 * would look like a fault. The panel stays where it is, which `scrollIntoView` would move as well.
 * @param {HTMLElement} version
 */
export function bringIntoSight(version) {
  const line = /** @type {HTMLElement} */ (version.parentElement);
  if (line.scrollWidth <= line.clientWidth) return; // all versions are in sight
  const { paddingInlineStart, paddingInlineEnd } = getComputedStyle(line);
  const begins = line.getBoundingClientRect().left + Number.parseFloat(paddingInlineStart) - line.scrollLeft;
  const room = line.clientWidth - Number.parseFloat(paddingInlineStart) - Number.parseFloat(paddingInlineEnd);
  const place = (/** @type {Element} */ one) => one.getBoundingClientRect().left - begins;
  const least = place(version) + version.getBoundingClientRect().width - room - 1; // less what rounding adds
  if (least <= 0) return;
  const first = [...line.children].find((one) => place(one) >= least) ?? version;
  const lacking = place(first) - (line.scrollWidth - line.clientWidth);
  const last = /** @type {HTMLElement} */ (line.lastElementChild);
  if (lacking > 0) last.style.marginInlineEnd = `${Math.ceil(lacking)}px`;
  line.scrollLeft = place(first);
}

/** @param {string} day @param {(day: string) => void} onask */
function askThen(day, onask) {
  if (day === today()) return null;
  return button({ label: say("timeline.ask", { date: shortDate(day) }), class: "small", onclick: () => onask(day) });
}

/**
 * A day on which the version holds: its first, or where that is not known the one before its end.
 * @param {VersionMark} mark
 */
function dayOf(mark) {
  return mark.valid_from ?? (mark.valid_to ? dayBefore(mark.valid_to) : today());
}

/**
 * An amendment whose first day nobody knows: there is no day on which its wording could be read.
 * @param {VersionMark} mark
 */
function isPending(mark) {
  return mark.event === "pending" && !mark.valid_from;
}

/**
 * What an act is told apart by where there is no room for its name: "Laki tuloverolain muuttamisesta
 * (785/2012)" is 785/2012.
 * @param {string | null} act
 */
function actNumber(act) {
  return act?.match(/\((\d[^()]*)\)$/)?.[1] ?? act;
}
