// @ts-check
// Dates as people read them, and intervals of the law. A date is "YYYY-MM-DD" and has no time of day.

import { locale, say } from "./texts.js";

/** Today, by the reader's own clock. */
export function today() {
  const now = new Date();
  const padded = (/** @type {number} */ value) => String(value).padStart(2, "0");
  return `${now.getFullYear()}-${padded(now.getMonth() + 1)}-${padded(now.getDate())}`;
}

/**
 * "1 January 2016", in the language of the interface.
 * @param {string | null | undefined} day
 */
export function longDate(day) {
  return formatted(day, { day: "numeric", month: "long", year: "numeric" });
}

/**
 * "1 Jan 2016".
 * @param {string | null | undefined} day
 */
export function shortDate(day) {
  return formatted(day, { day: "numeric", month: "short", year: "numeric" });
}

/**
 * Since when, until when: the law's interval is half open, its last day is the one before its end.
 * @param {string | null | undefined} from
 * @param {string | null | undefined} to
 */
export function interval(from, to) {
  const ended = to ? dayBefore(to) : null;
  if (from && ended) return say("dates.between", { from: shortDate(from), to: shortDate(ended) });
  if (from) return say("dates.since", { from: shortDate(from) });
  if (ended) return say("dates.until", { to: shortDate(ended) });
  return say("dates.unknown");
}

/**
 * Whether a provision is of a reader's own document: that is never law, and never in force.
 * @param {string | null | undefined} provision
 */
export function isUpload(provision) {
  return Boolean(provision?.startsWith("up:"));
}

/**
 * The dates of a provision of law; of an upload, which has none, that it is not law.
 * @param {import("./contract.js").Cited} one
 */
export function standing(one) {
  return isUpload(one.provision) ? say("dates.uploaded") : datesOf(one);
}

/**
 * When a provision was adopted, came into force and applies, where these are different days.
 * @param {import("./contract.js").Cited} one
 */
export function datesOf(one) {
  if (!one.in_force || !one.valid_from) return interval(one.valid_from, one.valid_to);
  const told = one.adopted ? [say("dates.adopted", { date: shortDate(one.adopted) })] : [];
  const from = shortDate(one.valid_from);
  const to = one.valid_to ? shortDate(dayBefore(one.valid_to)) : "";
  told.push(say("dates.entered", { date: shortDate(one.in_force) }));
  told.push(to ? say("dates.applied", { from, to }) : say("dates.applies", { from }));
  return told.join(", ");
}

/** @param {string} day */
export function dayBefore(day) {
  const moved = new Date(`${day}T00:00:00Z`);
  moved.setUTCDate(moved.getUTCDate() - 1);
  return moved.toISOString().slice(0, 10);
}

/** @param {string | null | undefined} text */
export function isDay(text) {
  return Boolean(text && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)));
}

/** @param {string | null | undefined} day @param {Intl.DateTimeFormatOptions} options */
function formatted(day, options) {
  if (!isDay(day)) return day ?? "";
  return new Intl.DateTimeFormat(locale(), { ...options, timeZone: "UTC" }).format(
    new Date(`${day}T00:00:00Z`),
  );
}
