// @ts-check
// The sections of the library view, and sizes in bytes as they show them.

import { element, replace } from "./elements.js";
import { number, say } from "./texts.js";

/**
 * A section of the library with its title; `body` may be put in later.
 * @param {string} name
 * @param {string} body
 */
export function section(name, body) {
  return element(
    "section",
    { class: `library-section ${name}`, "aria-labelledby": `library-${name}` },
    element("h2", { id: `library-${name}` }, say(`library.${name}`)),
    element("div", { class: "body" }, body ? waiting(body) : null),
  );
}

/** @param {Element} of @param {...(Node | null | (Node | null)[])} children */
export function fillSection(of, ...children) {
  const body = of.querySelector(".body");
  if (body) replace(body, ...children);
}

/** @param {number} size */
export function bytes(size) {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte"];
  let value = size;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return number(value, {
    style: "unit",
    unit: units[unit],
    unitDisplay: unit ? "short" : "long",
    maximumFractionDigits: value < 10 && unit ? 1 : 0,
  });
}

/**
 * That something is under way: a bar that moves, and what is done.
 * @param {string} told
 */
export function waiting(told) {
  return element("p", { class: "loading" }, element("progress", { "aria-label": told }), told);
}
