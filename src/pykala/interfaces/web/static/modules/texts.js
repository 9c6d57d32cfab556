// @ts-check
// The words of the interface, in the reader's language. The law's own words are never translated here.

import { remembered, remember } from "./memory.js";

export const LANGUAGES = /** @type {const} */ ({ en: "English", fi: "Suomi", sv: "Svenska", fr: "Français" });

/** @type {Record<string, string>} */
let texts = {};
let language = "en";
/** @type {Set<() => void>} */
const listeners = new Set();

/** The language of the interface. */
export function interfaceLanguage() {
  return language;
}

/** The language to start with: the one chosen before, else the browser's, else English. */
export function preferredLanguage() {
  const wished = [remembered("language", ""), ...navigator.languages.map((one) => one.slice(0, 2))];
  return wished.find((one) => one in LANGUAGES) ?? "en";
}

/**
 * Load a language and tell everyone who shows words.
 * @param {string} code
 */
export async function speak(code) {
  const response = await fetch(`/static/texts/${code}.json`);
  if (!response.ok) throw new Error(`the words of the interface (${code}) could not be loaded`);
  texts = await response.json();
  language = code;
  document.documentElement.lang = code;
  remember("language", code);
  label(document);
  for (const listener of listeners) listener();
}

/** @param {() => void} listener called whenever the language changes */
export function onLanguage(listener) {
  listeners.add(listener);
}

/**
 * A text with its values put in: `say("library.more", { n: 3 })`. A number picks the plural: the text
 * `"{n} act|{n} acts"` has one form for one and one for the rest (none of the four languages needs more).
 * @param {string} key
 * @param {Record<string, string | number>} [values]
 */
export function say(key, values = {}) {
  const text = texts[key] ?? key;
  const forms = text.split("|");
  const form = forms.length > 1 && isOne(values.n) ? forms[0] : forms[forms.length - 1];
  return form.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? shown(values[name]) : whole));
}

/**
 * A text if there is one, else what the server said.
 * @param {string} key
 * @param {string} otherwise
 */
export function sayOr(key, otherwise) {
  return texts[key] ?? otherwise;
}

/** @param {number} value @param {Intl.NumberFormatOptions} [options] */
export function number(value, options = {}) {
  return new Intl.NumberFormat(locale(), options).format(value);
}

/** The locale that dates and numbers follow; English is written the British way, day before month. */
export function locale() {
  return { en: "en-GB", fi: "fi-FI", sv: "sv-FI", fr: "fr-FR" }[language] ?? "en-GB";
}

/** @param {ParentNode} root */
function label(root) {
  for (const one of root.querySelectorAll("[data-text]"))
    one.textContent = say(one.getAttribute("data-text") ?? "");
  for (const one of root.querySelectorAll("[data-label]"))
    one.setAttribute("aria-label", say(one.getAttribute("data-label") ?? ""));
}

/** @param {string | number | undefined} value */
function isOne(value) {
  // French counts nought with one: "0 résultat".
  return Number(value) === 1 || (language === "fr" && Number(value) === 0);
}

/** @param {string | number} value */
function shown(value) {
  return typeof value === "number" ? number(value) : value;
}
