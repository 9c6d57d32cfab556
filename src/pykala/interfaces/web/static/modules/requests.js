// @ts-check
// A request (question, date, jurisdiction, language) as an address that can be shared. It stands after the
// hash sign: that part of an address never reaches a server's log.

import { isDay } from "./dates.js";

/** @typedef {import("./contract.js").Request} Request */

/**
 * @param {Request} request
 * @returns {string} `#q=…&as_of=…&jurisdiction=…`
 */
export function toHash(request) {
  const parts = new URLSearchParams();
  parts.set("q", request.question);
  if (request.as_of) parts.set("as_of", request.as_of);
  if (request.jurisdiction) parts.set("jurisdiction", request.jurisdiction);
  if (request.language) parts.set("language", request.language);
  return `#${parts}`;
}

/**
 * @param {{ hash: string, search: string }} place the page's own address
 * @returns {Request | null}
 */
export function fromAddress({ hash, search }) {
  for (const text of [hash.replace(/^#/, ""), search]) {
    const parts = new URLSearchParams(text);
    const question = parts.get("q")?.trim();
    if (!question) continue;
    const day = parts.get("as_of");
    return {
      question: question.slice(0, 4000),
      as_of: isDay(day) ? day : null,
      jurisdiction: parts.get("jurisdiction") || null,
      language: parts.get("language") || null,
    };
  }
  return null;
}

/** @param {Request} request */
export function shareLink(request) {
  return location.origin + location.pathname + toHash(request);
}

/**
 * Whether two requests ask the same.
 * @param {Request} one
 * @param {Request} other
 */
export function same(one, other) {
  return toHash(one) === toHash(other);
}
