// @ts-check
// Jurisdictions and languages by name. A pack that the page has no word for is called as it calls itself.

import { get } from "./server.js";
import { interfaceLanguage, locale, sayOr } from "./texts.js";

/** @typedef {import("./contract.js").Jurisdiction} Jurisdiction */

/** @type {Jurisdiction[]} */
let known = [];

/** @returns {Promise<Jurisdiction[]>} */
export async function loadJurisdictions() {
  known = (await get("/jurisdictions")).jurisdictions;
  return known;
}

/** Jurisdictions of which the library holds something, in the order in which the server lists them. */
export function jurisdictions() {
  const held = known.filter((one) => one.held);
  return held.length ? held : known; // of an empty library, all that it could hold
}

/** @param {string | null | undefined} code */
export function jurisdictionName(code) {
  if (!code) return sayOr("jurisdiction.all", "");
  const found = known.find((one) => one.code === code);
  const own = found?.names?.[interfaceLanguage()]?.[0] ?? found?.names?.en?.[0];
  return sayOr(`jurisdiction.${code}`, own ?? code);
}

/** @param {string} code */
export function languageName(code) {
  const name = new Intl.DisplayNames([locale()], { type: "language", fallback: "code" }).of(code) ?? code;
  return name.charAt(0).toLocaleUpperCase(locale()) + name.slice(1);
}

/**
 * The languages of a jurisdiction, or of all that the library holds something of.
 * @param {string | null} code
 */
export function languagesOf(code) {
  const chosen = code ? known.filter((one) => one.code === code) : jurisdictions();
  return [...new Set(chosen.flatMap((one) => one.languages ?? []))];
}
