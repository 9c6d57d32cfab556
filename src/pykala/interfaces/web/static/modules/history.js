// @ts-check
// Questions that were asked in this browser, newest first, each with its answer record.

import { remember, remembered } from "./memory.js";
import { same } from "./requests.js";

/** @typedef {import("./contract.js").Answer} Answer */
/** @typedef {import("./contract.js").Request} Request */
/** @typedef {{ id: string, at: string, name: string, request: Request, answer: Answer }} Entry */

const NAME = "history";
const MOST = 60;

/** @type {Set<() => void>} */
const listeners = new Set();

/** @returns {Entry[]} */
export function entries() {
  const kept = remembered(NAME, /** @type {Entry[]} */ ([]));
  return Array.isArray(kept)
    ? kept.filter((one) => one?.id && one.request?.question && one.answer?.outcome)
    : [];
}

/** @param {string} id */
export function entry(id) {
  return entries().find((one) => one.id === id) ?? null;
}

/** @param {Request} request */
export function latest(request) {
  return entries().find((one) => same(one.request, request)) ?? null;
}

/**
 * Keep an answer; the same request asked again takes its old place's name along.
 * @param {Request} request
 * @param {Answer} answer
 * @returns {Entry}
 */
export function add(request, answer) {
  const before = entries();
  const old = before.find((one) => same(one.request, request));
  const made = {
    id: crypto.randomUUID?.() ?? String(Date.now() + Math.random()),
    at: new Date().toISOString(),
    name: old?.name ?? "",
    request,
    answer,
  };
  keep([made, ...before.filter((one) => one !== old)]);
  return made;
}

/** @param {string} id @param {string} name */
export function rename(id, name) {
  keep(entries().map((one) => (one.id === id ? { ...one, name: name.trim().slice(0, 200) } : one)));
}

/** @param {string} id */
export function drop(id) {
  keep(entries().filter((one) => one.id !== id));
}

export function dropAll() {
  keep([]);
}

/** @param {() => void} listener */
export function onHistory(listener) {
  listeners.add(listener);
}

/** @param {Entry[]} list */
function keep(list) {
  let kept = list.slice(0, MOST);
  // A full storage gives up its oldest answers first.
  while (!remember(NAME, kept) && kept.length > 1) kept = kept.slice(0, Math.floor(kept.length * 0.7) || 1);
  for (const listener of listeners) listener();
}
