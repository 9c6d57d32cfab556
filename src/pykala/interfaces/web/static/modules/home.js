// @ts-check
// The reader's home place: whose law counts where a question gives no sign of any. The browser remembers it.

import { element } from "./elements.js";
import { jurisdictionName, jurisdictions } from "./jurisdictions.js";
import { forget, remember, remembered } from "./memory.js";
import { say } from "./texts.js";

const NAME = "home";
const UPLOADS = "up"; // the reader's own documents are no place

/** Places that may be somebody's home. */
function places() {
  return jurisdictions().filter((one) => one.code !== UPLOADS);
}

/** @returns {string} the code of the place, or nothing; one that the server knows no more is none */
export function homePlace() {
  const kept = remembered(NAME, "");
  return places().some((one) => one.code === kept) ? kept : "";
}

/** A small list of places to choose one's home from. */
export function homeChoice() {
  const home = homePlace();
  const choice = element(
    "select",
    {
      id: "home-place",
      "aria-label": say("preferences.home"),
      title: say("preferences.home"),
      onchange: () => (choice.value ? remember(NAME, choice.value) : forget(NAME)),
    },
    element("option", { value: "", selected: !home }, say("preferences.home.none")),
    places().map(({ code }) =>
      element(
        "option",
        { value: code, selected: code === home },
        say("preferences.home.some", { place: jurisdictionName(code) }),
      ),
    ),
  );
  return choice;
}
