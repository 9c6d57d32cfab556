// @ts-check
// What is said aloud: progress politely, failures at once. Both are live regions of the page.

import { button, byId, element, icon } from "./elements.js";
import { say } from "./texts.js";

const STAYS = 9000;

/**
 * Tell a screen reader, politely.
 * @param {string} message
 */
export function announce(message) {
  const region = byId("status");
  // The same words twice are no change to a live region; an unseen space makes them one.
  region.textContent = region.textContent === message ? `${message}\u00a0` : message;
}

/**
 * Show a short note for a while ("Copied"), and say it.
 * @param {string} message
 */
export function note(message) {
  post(message, "note");
}

/**
 * Show what went wrong until it is dismissed.
 * @param {string} message
 * @param {string} [nextStep]
 */
export function warn(message, nextStep = "") {
  post(message, "failure", nextStep);
}

/** @param {string} message @param {string} style @param {string} [nextStep] */
function post(message, style, nextStep = "") {
  const shown = element(
    "div",
    { class: `alert ${style}`, role: style === "failure" ? "alert" : "status" },
    style === "failure" ? icon("guidance") : icon("answered"),
    element(
      "div",
      {},
      element("p", {}, message),
      nextStep ? element("p", { class: "next-step" }, nextStep) : null,
    ),
    button({ label: say("close"), icon: "close", quiet: true, onclick: () => shown.remove() }),
  );
  const holder = byId("alerts");
  while (holder.children.length > 2) holder.firstElementChild?.remove();
  holder.append(shown);
  if (style === "note") setTimeout(() => shown.remove(), STAYS / 3);
}
