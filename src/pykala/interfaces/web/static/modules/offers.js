// @ts-check
// What the server offers besides the law that it holds: the web, the publishers, and forms of an export.

import { rights } from "./rights.js";
import { get } from "./server.js";

/** @type {{ web: boolean, publishers: boolean, exports: string[] | null }} */
let offered = { web: false, publishers: false, exports: null };

/** Ask the server; one that does not say offers nothing. */
export async function loadOffers() {
  try {
    const [told, held] = await Promise.all([get("/ready"), rights()]);
    offered = {
      web: Boolean(told.second_opinion),
      publishers: Boolean(told.online) && held.rights.includes("fetch"),
      exports: told.exports ?? null,
    };
  } catch {
    offered = { web: false, publishers: false, exports: null };
  }
}

export function hasSecondOpinion() {
  return offered.web;
}

/**
 * Whether the server can write an answer in a form; where it did not say, it says so when it is asked to.
 * @param {string} form
 */
export function canExport(form) {
  return offered.exports?.includes(form) ?? true;
}

export function asksPublishers() {
  return offered.publishers;
}
