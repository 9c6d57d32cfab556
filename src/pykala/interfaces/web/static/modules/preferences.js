// @ts-check
// The reader's own settings: the interface's language, light or dark, and the list of keys.

import { button, element, replace } from "./elements.js";
import { showShortcuts } from "./keyboard.js";
import { forget, remember, remembered } from "./memory.js";
import { LANGUAGES, interfaceLanguage, onLanguage, say, speak } from "./texts.js";

const THEMES = /** @type {const} */ (["system", "light", "dark"]);

/** @param {HTMLElement} holder */
export function preferences(holder) {
  function draw() {
    const theme = chosenTheme();
    const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
    const choice = element(
      "select",
      {
        id: "interface-language",
        "aria-label": say("preferences.language"),
        onchange: () => speak(choice.value),
      },
      Object.entries(LANGUAGES).map(([code, name]) =>
        element("option", { value: code, lang: code, selected: code === interfaceLanguage() }, name),
      ),
    );
    const again = button({
      label: say(`theme.${theme}`),
      icon: theme,
      quiet: true,
      id: "theme",
      onclick: () => (setTheme(next), draw(), document.getElementById("theme")?.focus()),
    });
    replace(
      holder,
      choice,
      again,
      button({
        label: say("shortcuts.title"),
        icon: "keyboard",
        quiet: true,
        class: "shortcuts-button",
        onclick: showShortcuts,
      }),
    );
  }
  onLanguage(draw);
  draw();
}

/** @returns {"system" | "light" | "dark"} */
function chosenTheme() {
  const kept = remembered("theme", /** @type {string} */ ("system"));
  return kept === "light" || kept === "dark" ? kept : "system";
}

/** @param {"system" | "light" | "dark"} theme */
function setTheme(theme) {
  if (theme === "system") {
    forget("theme");
    delete document.documentElement.dataset.theme;
  } else {
    remember("theme", theme);
    document.documentElement.dataset.theme = theme;
  }
}
