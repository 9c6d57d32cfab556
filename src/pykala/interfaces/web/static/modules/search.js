// @ts-check
// Search: words, a day, and facets that narrow what was found. Everything of it stands in the address.

import { toPath } from "./addresses.js";
import { announce } from "./announcements.js";
import { isDay, standing, today } from "./dates.js";
import { element, icon, replace } from "./elements.js";
import { facetList } from "./facets.js";
import { jurisdictionName } from "./jurisdictions.js";
import { waiting } from "./sections.js";
import { get } from "./server.js";
import { onLanguage, say, sayOr } from "./texts.js";
import { unbroken } from "./unbroken.js";

/** @typedef {import("./addresses.js").Reading} Reading */
/** @typedef {import("./facets.js").Facets} Facets */
/** @typedef {{ provision: string, work: string, citation: string, title: string, kind: string, text: string, header: string, language: string, valid_from: string | null, valid_to: string | null, authority: number }} FoundProvision */
/** @typedef {{ find: string, as_of: string, place: string[], kind: string[], rank: string[] }} Wanted */

const PAGE = 20;
const SHOWN = 360; // characters of a provision in the list

/**
 * @param {HTMLElement} holder
 * @param {{ onopen: (wanted: Reading) => void, onsearch: (hash: string) => void }} options
 */
export function searchView(holder, { onopen, onsearch }) {
  /** @type {Wanted} */
  let wanted = fromHash("");
  let limit = PAGE;
  /** @type {AbortController | null} */
  let loading = null;
  let drawn = "";

  const field = element("input", { type: "search", id: "find", maxlength: 1000, autocomplete: "off" });
  const day = element("input", {
    type: "date",
    id: "find-day",
    min: "1700-01-01",
    max: "2200-12-31",
    onchange: submit,
  });
  const send = element("button", { type: "submit", class: "send" });
  const label = element("label", { for: "find", class: "unseen" });
  const dayLabel = element("label", { for: "find-day", class: "hint" });
  const form = element(
    "form",
    { class: "search-form", role: "search", onsubmit: submit, onkeydown: intoResults },
    label,
    element("div", { class: "question-box" }, field, send),
    element("p", { class: "search-day" }, dayLabel, day),
  );
  // Beside the results there is room for the facets; above them, on a phone, they are folded.
  const beside = matchMedia("(min-width: 1000px)");
  const facets = element("div", { class: "facet-groups" });
  const summary = element("summary", { class: "button" });
  const fold = element("details", { class: "facets", open: beside.matches }, summary, facets);
  beside.addEventListener("change", () => (fold.open = beside.matches));
  const results = element("div", { class: "results" });
  replace(holder, form, element("div", { class: "search-grid" }, fold, results));

  function words() {
    label.textContent = say("search.label");
    dayLabel.textContent = say("search.day");
    field.placeholder = say("search.placeholder");
    replace(send, icon("search"), element("span", {}, say("nav.search")));
    send.setAttribute("aria-label", say("nav.search"));
    replace(summary, icon("next"), element("span", {}, say("search.narrow")));
  }

  /** @param {Event} event */
  function submit(event) {
    event.preventDefault();
    look({ ...wanted, find: field.value.trim(), as_of: day.value });
  }

  /**
   * Look for something new, which is a new place in the history.
   * @param {Wanted} next
   */
  function look(next) {
    wanted = next;
    limit = PAGE;
    onsearch(toHash(wanted));
    load();
  }

  /** @param {string} hash where the address says the view stands */
  function draw(hash) {
    words();
    wanted = fromHash(hash);
    field.value = wanted.find;
    day.value = wanted.as_of || today();
    if (drawn !== toHash(wanted)) load();
  }

  async function load() {
    loading?.abort();
    drawn = toHash(wanted);
    if (!wanted.find) {
      replace(facets);
      return replace(results, element("p", { class: "hint" }, say("search.empty")));
    }
    loading = new AbortController();
    const { signal } = loading;
    results.setAttribute("aria-busy", "true");
    if (!results.querySelector(".result"))
      replace(results, waiting(say("search.looking")));
    try {
      const { find: q, as_of, place: jurisdiction, kind, rank: authority } = wanted;
      const found = await get("/find", { q, as_of, jurisdiction, kind, authority, limit }, signal);
      if (signal.aborted) return;
      show(found);
    } catch (error) {
      if (signal.aborted) return;
      drawn = "";
      replace(facets);
      replace(results, element("p", { class: "refusal" }, icon("guidance"), /** @type {Error} */ (error).message));
    }
    results.removeAttribute("aria-busy");
  }

  /** @param {{ total: number, more: boolean, as_of: string, results: FoundProvision[], facets: Facets }} found */
  function show(found) {
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.id : "";
    replace(
      facets,
      facetList(found.facets, wanted, (name, values) => look({ ...wanted, [name]: values })),
    );
    // A facet that was ticked keeps the focus, though the list of them is new.
    if (focused.startsWith("facet-")) document.getElementById(focused)?.focus();
    const counted = say(found.more ? "search.first" : "search.count", { n: found.total });
    replace(
      results,
      element("p", { class: "hint search-count" }, counted),
      found.results.length
        ? element("ol", { onkeydown: alongResults }, found.results.map((one) => result(one, found.as_of)))
        : element("p", {}, say("search.none")),
      found.total > found.results.length
        ? element(
            "button",
            { type: "button", class: "button", onclick: () => ((limit += 2 * PAGE), load()) },
            say("library.more", { n: found.total - found.results.length }),
          )
        : null,
    );
    announce(counted);
  }

  /** @param {FoundProvision} one @param {string} as_of */
  function result(one, as_of) {
    const place = { provision: one.provision, as_of, language: one.language };
    return element(
      "li",
      { class: "result" },
      element(
        "a",
        {
          href: toPath(place),
          onclick: (/** @type {MouseEvent} */ event) => {
            if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
            event.preventDefault();
            onopen(place);
          },
        },
        unbroken(one.citation),
      ),
      element("blockquote", { class: "law small", lang: one.language }, marked(shortened(one.text), wanted.find)),
      element(
        "p",
        { class: "source-line" },
        element("span", {}, jurisdictionName(one.work.split(":", 1)[0])),
        element("span", { class: "kind" }, sayOr(`kind.${one.kind}`, one.kind)),
        element("span", {}, standing(/** @type {any} */ (one))),
      ),
    );
  }

  /** From the words down to what they found. @param {KeyboardEvent} event */
  function intoResults(event) {
    if (event.key !== "ArrowDown" || event.target !== field) return;
    const first = /** @type {HTMLElement | null} */ (results.querySelector(".result a"));
    if (!first) return;
    event.preventDefault();
    first.focus();
  }

  /** Along the results with the arrows; above the first is the field again. @param {KeyboardEvent} event */
  function alongResults(event) {
    const links = /** @type {HTMLElement[]} */ ([...results.querySelectorAll(".result a")]);
    const now = links.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    const steps = { ArrowDown: now + 1, ArrowUp: now - 1, Home: 0, End: links.length - 1 };
    const next = /** @type {Record<string, number>} */ (steps)[event.key];
    if (now < 0 || next === undefined) return;
    event.preventDefault();
    if (next < 0) field.focus();
    else links[Math.min(next, links.length - 1)].focus();
  }

  onLanguage(() => {
    words();
    drawn = "";
    if (!holder.closest("[hidden]")) load();
  });
  return { draw, focus: () => (field.focus(), field.select()) };
}

/** @param {Wanted} wanted */
function toHash(wanted) {
  if (!wanted.find) return "#search";
  const parts = new URLSearchParams({ find: wanted.find });
  if (wanted.as_of && wanted.as_of !== today()) parts.set("as_of", wanted.as_of);
  for (const name of /** @type {const} */ (["place", "kind", "rank"]))
    for (const value of wanted[name]) parts.append(name, value);
  return `#${parts}`;
}

/** @param {string} hash @returns {Wanted} */
function fromHash(hash) {
  const parts = new URLSearchParams(hash.replace(/^#/, ""));
  const day = parts.get("as_of");
  return {
    find: (parts.get("find") ?? "").trim().slice(0, 1000),
    as_of: isDay(day) ? day : "",
    place: parts.getAll("place"),
    kind: parts.getAll("kind"),
    rank: parts.getAll("rank"),
  };
}

/** @param {string} text */
function shortened(text) {
  return text.length > SHOWN * 1.2 ? `${text.slice(0, SHOWN).replace(/\s+\S*$/, "")} …` : text;
}

/**
 * A text with the words that were looked for marked; an ending may differ ("tax", "taxes").
 * @param {string} text
 * @param {string} find
 */
function marked(text, find) {
  const words = find.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];
  const stems = words.map((word) => word.slice(0, Math.max(4, word.length - 2)));
  return text.split(/([\p{L}\p{N}]+)/u).map((piece) =>
    stems.some((stem) => piece.toLowerCase().startsWith(stem)) ? element("mark", {}, piece) : piece,
  );
}
