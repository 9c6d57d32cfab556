// @ts-check
// Single keys for what is done all day. They can be switched off: speech input may utter letters by mistake.

import { button, element } from "./elements.js";
import { remember, remembered } from "./memory.js";
import { say } from "./texts.js";

/** @typedef {{ key: string, does: string, run: () => void }} Shortcut */

/** @type {Shortcut[]} */
let shortcuts = [];

/**
 * @param {Shortcut[]} list
 * @param {(key: number) => void} oncitation what a figure does: 1 opens the first citation
 * @param {() => void} onescape
 */
export function keyboard(list, oncitation, onescape) {
  shortcuts = list;
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") return onescape();
    if (writing(event.target) || document.querySelector("dialog[open]") || !switchedOn()) return;
    if (/^[1-9]$/.test(event.key)) return oncitation(Number(event.key));
    const found = shortcuts.find((one) => one.key === event.key);
    if (!found) return;
    event.preventDefault();
    found.run();
  });
}

export function showShortcuts() {
  const on = element("input", {
    type: "checkbox",
    id: "shortcuts-on",
    checked: switchedOn(),
    onchange: () => remember("shortcuts", on.checked ? "on" : "off"),
  });
  const rows = [
    ...shortcuts.map((one) => [one.key, say(one.does)]),
    ["1 – 9", say("shortcuts.citation")],
    ["Esc", say("shortcuts.escape")],
    ["Enter", say("shortcuts.enter")],
    ["Shift + Enter", say("shortcuts.line")],
  ];
  const shown = element(
    "dialog",
    { class: "dialog", "aria-labelledby": "shortcuts-title", onclose: () => shown.remove() },
    element("h2", { id: "shortcuts-title" }, say("shortcuts.title")),
    element(
      "dl",
      { class: "shortcuts" },
      rows.map(([key, does]) =>
        element("div", {}, element("dt", {}, element("kbd", {}, key)), element("dd", {}, does)),
      ),
    ),
    element("p", {}, element("label", { for: "shortcuts-on", class: "check" }, on, say("shortcuts.on"))),
    element(
      "div",
      { class: "actions" },
      button({ label: say("close"), class: "strong", onclick: () => shown.close() }),
    ),
  );
  document.body.append(shown);
  shown.showModal();
}

function switchedOn() {
  return remembered("shortcuts", "on") === "on";
}

/** @param {EventTarget | null} target */
function writing(target) {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
