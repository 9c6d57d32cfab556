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
  for (const [name, value] of Object.entries(request.after ?? {})) {
    if (value) parts.set(`after_${name}`, value);
  }
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
    const after = before(parts);
    return { ...asked(question, parts, ""), ...(after ? { after } : {}) };
  }
  return null;
}

/**
 * What the question of an address goes on from.
 * @param {URLSearchParams} parts
 */
function before(parts) {
  const question = parts.get("after_question")?.trim();
  return question ? asked(question, parts, "after_") : null;
}

/**
 * A question with what an address fixes for it.
 * @param {string} question
 * @param {URLSearchParams} parts
 * @param {string} prefix
 */
function asked(question, parts, prefix) {
  const day = parts.get(`${prefix}as_of`);
  return {
    question: question.slice(0, 4000),
    as_of: isDay(day) ? day : null,
    jurisdiction: parts.get(`${prefix}jurisdiction`) || null,
    language: parts.get(`${prefix}language`) || null,
  };
}

/**
 * A link to a question as it was answered: of the same day, whenever it is opened.
 * @param {Request} request
 * @param {{ as_of: string }} answer
 */
export function shareLink(request, answer) {
  return `${location.origin}/${toHash({ ...request, as_of: request.as_of ?? answer.as_of })}`;
}

/**
 * Whether two requests ask the same.
 * @param {Request} one
 * @param {Request} other
 */
export function same(one, other) {
  return toHash(one) === toHash(other);
}
