// @ts-check
// What the server offers besides the law that it holds: the web, and the publishers.

import { rights } from "./rights.js";
import { get } from "./server.js";

let offered = { web: false, publishers: false };

/** Ask the server; one that does not say offers nothing. */
export async function loadOffers() {
  try {
    const [told, held] = await Promise.all([get("/ready"), rights()]);
    offered = {
      web: Boolean(told.second_opinion),
      publishers: Boolean(told.online) && held.rights.includes("fetch"),
    };
  } catch {
    offered = { web: false, publishers: false };
  }
}

export function hasSecondOpinion() {
  return offered.web;
}

export function asksPublishers() {
  return offered.publishers;
}
