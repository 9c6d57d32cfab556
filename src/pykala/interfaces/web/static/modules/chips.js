// @ts-check
// A row of chips: one of several, by mouse, touch or arrow keys. Underneath they are radio buttons.

import { element } from "./elements.js";

/** @typedef {{ value: string, label: string, hint?: string }} Choice */

/**
 * @param {{ name: string, legend: string, choices: Choice[], value: string, onchange: (value: string) => void }} options
 */
export function chips({ name, legend, choices, value, onchange }) {
  return element(
    "fieldset",
    { class: "chips" },
    element("legend", {}, legend),
    element(
      "div",
      { class: "chip-row" },
      choices.map((choice) => chip(name, choice, choice.value === value, onchange)),
    ),
  );
}

/** @param {string} name @param {Choice} choice @param {boolean} checked @param {(value: string) => void} onchange */
function chip(name, choice, checked, onchange) {
  const radio = element("input", {
    type: "radio",
    name,
    value: choice.value,
    checked,
    title: choice.hint,
    onchange: () => onchange(choice.value),
  });
  return element("label", { class: "chip", title: choice.hint }, radio, element("span", {}, choice.label));
}
