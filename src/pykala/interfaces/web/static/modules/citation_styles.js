// @ts-check
// A citation in the forms that people paste: into a letter, a footnote, a note to a client, a program.

import { copy } from "./clipboard.js";
import { longDate } from "./dates.js";
import { element, icon } from "./elements.js";
import { languageName } from "./jurisdictions.js";
import { menu } from "./menus.js";
import { isSample } from "./sample.js";
import { say } from "./texts.js";

/** @typedef {import("./contract.js").Shown} Shown */

/**
 * @param {Shown} shown
 * @returns {{ name: string, text: string }[]}
 */
export function styles(shown) {
  const dated = shown.valid_from ? ` (${say("cite.version", { date: longDate(shown.valid_from) })})` : "";
  const each = Object.entries(shown.citations ?? {}).map(([language, text]) => ({
    name: languageName(language),
    text,
  }));
  return [
    ...(each.length ? each : [{ name: say("cite.short"), text: shown.citation }]),
    { name: say("cite.footnote"), text: `${shown.citation}${dated}${shown.url ? `, ${shown.url}` : ""}` },
    quotation(shown, dated),
    {
      name: say("cite.markdown"),
      text: shown.url ? `[${escaped(shown.citation)}](${inLink(shown.url)})` : escaped(shown.citation),
    },
    { name: say("cite.identifier"), text: shown.provision },
  ];
}

/**
 * The words with their citation. Those of the sample are in no quotation marks: the law does not say them.
 * @param {Shown} shown
 * @param {string} dated
 */
function quotation(shown, dated) {
  if (!isSample(shown))
    return { name: say("cite.quote"), text: `“${shown.text}” — ${shown.citation}${dated}` };
  const name = say("cite.paraphrase");
  return { name, text: `${name}: ${shown.text} — ${shown.citation}${dated}` };
}

/** @param {Shown} shown */
export function citationMenu(shown) {
  return menu(
    [icon("copy"), element("span", {}, say("cite.title"))],
    styles(shown).map((style) => ({
      content: [
        element("span", { class: "menu-name" }, style.name),
        element("span", { class: "menu-text" }, style.text),
      ],
      run: () => copy(style.text),
    })),
  );
}

/** @param {string} text */
function escaped(text) {
  return text.replace(/([\\[\]*_`<>~|]|&(?=[#A-Za-z])|:(?=\/\/))/g, "\\$1");
}

/**
 * An address within the brackets of a link: what would end it there is written out.
 * @param {string} url
 */
function inLink(url) {
  return url.replace(/[\s()<>"\\]/g, (one) => `%${one.charCodeAt(0).toString(16).padStart(2, "0")}`);
}
