// @ts-check
// A button that unfolds a short list of choices; Escape and a click elsewhere fold it again.

import { element } from "./elements.js";

/** @typedef {import("./elements.js").Child} Child */

/**
 * @param {Child[]} label
 * @param {{ content: Child[], run: () => void, disabled?: boolean }[]} choices
 */
export function menu(label, choices) {
  const made = element(
    "details",
    { class: "menu", onkeydown: closeOnEscape, onfocusout: closeOnLeaving },
    element("summary", { class: "button" }, label),
    element(
      "ul",
      { class: "menu-list" },
      choices.map(({ content, run, disabled }) =>
        element("li", {}, element("button", { type: "button", disabled, onclick: () => take(run) }, content)),
      ),
    ),
  );

  /** @param {() => void} run */
  function take(run) {
    close();
    run();
  }

  function close() {
    made.open = false;
    made.querySelector("summary")?.focus();
  }

  /** @param {KeyboardEvent} event */
  function closeOnEscape(event) {
    if (event.key !== "Escape" || !made.open) return;
    event.stopPropagation();
    close();
  }

  /** @param {FocusEvent} event */
  function closeOnLeaving(event) {
    if (event.relatedTarget instanceof Node && !made.contains(event.relatedTarget)) made.open = false;
  }
  return made;
}
