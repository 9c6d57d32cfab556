// @ts-check
// A title that may be very long: two lines of it, and the whole on demand.

import { element } from "./elements.js";
import { say } from "./texts.js";

/**
 * @param {string} text
 * @param {string} language
 */
export function longTitle(text, language) {
  const words = element("p", { id: "full-title", class: "law-heading folded", lang: language }, text);
  const toggle = element(
    "button",
    { type: "button", class: "place title-toggle", "aria-controls": "full-title", hidden: true, onclick: fold },
  );

  function fold() {
    words.classList.toggle("folded");
    label();
  }

  function label() {
    const folded = words.classList.contains("folded");
    toggle.textContent = say(folded ? "reader.title.whole" : "reader.title.less");
    toggle.setAttribute("aria-expanded", String(!folded));
  }

  label();
  // Whether it is cut depends on the width of the panel; one that was unfolded can be folded again.
  new ResizeObserver(() => {
    const folded = words.classList.contains("folded");
    toggle.hidden = folded && words.scrollHeight <= words.clientHeight + 1;
  }).observe(words);
  return element("div", { class: "long-title" }, words, toggle);
}
