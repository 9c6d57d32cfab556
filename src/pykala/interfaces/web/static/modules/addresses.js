// @ts-check
// Where the page stands, as an address that can be kept and sent. A provision, one of its wordings and a
// difference are paths, as on any page of the web; what was asked or looked for stands after the hash sign,
// which never reaches a server's log.

import { isDay } from "./dates.js";

/** @typedef {{ provision: string, as_of?: string, language?: string, start?: number, end?: number, quote?: string, first?: string, second?: string }} Reading */

const LAW = "/law/";
const LONGEST = 1000;

/**
 * @param {Reading | null} reading
 * @returns {string} `/law/fi:act:1992/1535/sec_124?as_of=2016-01-01`, or `/` where nothing is read
 */
export function toPath(reading) {
  if (!reading) return "/";
  const parts = new URLSearchParams();
  if (reading.first && reading.second) {
    parts.set("first", reading.first);
    parts.set("second", reading.second);
  }
  if (reading.as_of) parts.set("as_of", reading.as_of);
  if (reading.language) parts.set("language", reading.language);
  if (reading.start !== undefined && reading.end !== undefined)
    parts.set("span", `${reading.start}-${reading.end}`);
  const query = parts.toString();
  const path = reading.provision.split("/").map(segment).join("/");
  return LAW + path + (query ? `?${query}` : "");
}

/**
 * @param {{ pathname: string, search: string }} place the page's own address
 * @returns {Reading | null}
 */
export function fromPath({ pathname, search }) {
  if (!pathname.startsWith(LAW)) return null;
  const provision = decoded(pathname.slice(LAW.length));
  if (!provision || provision.length > LONGEST) return null;
  const parts = new URLSearchParams(search);
  const [first, second] = [parts.get("first"), parts.get("second")];
  const span = /^(\d{1,7})-(\d{1,7})$/.exec(parts.get("span") ?? "");
  const day = parts.get("as_of");
  return {
    provision,
    as_of: isDay(day) ? day : "",
    language: parts.get("language") ?? "",
    ...(span ? { start: Number(span[1]), end: Number(span[2]) } : {}),
    ...(isDay(first) && isDay(second) ? { first, second } : {}),
  };
}

/**
 * The whole address of what is read, to be sent to somebody: its day is fixed.
 * @param {Reading} reading
 */
export function readingLink(reading) {
  return location.origin + toPath(reading);
}

/** @param {Reading | null} one @param {Reading | null} other */
export function sameReading(one, other) {
  return toPath(one) === toPath(other);
}

/**
 * Which view a hash names.
 * @param {string} hash
 * @returns {"ask" | "search" | "changes" | "library"}
 */
export function viewOf(hash) {
  if (hash === "#library" || hash === "#changes") return hash === "#library" ? "library" : "changes";
  return hash === "#search" || new URLSearchParams(hash.slice(1)).has("find") ? "search" : "ask";
}

/** @param {string} text a colon may stand in a path as it is, and is easier to read so */
function segment(text) {
  return encodeURIComponent(text).replaceAll("%3A", ":");
}

/** @param {string} path */
function decoded(path) {
  try {
    return decodeURIComponent(path);
  } catch {
    return ""; // a damaged address leads nowhere
  }
}
