// @ts-check
// The library: what is loaded, what changed, what leads out of it, uploads, caches, the last question's words.

import { cacheSection } from "./caches.js";
import { shortDate } from "./dates.js";
import { element, icon, replace } from "./elements.js";
import { fetchSection } from "./fetching.js";
import { jurisdictionName, languageName } from "./jurisdictions.js";
import { keywordSection } from "./keywords.js";
import { mayDelete, rights } from "./rights.js";
import { bytes, fillSection, section } from "./sections.js";
import { get } from "./server.js";
import { number, onLanguage, say, sayOr } from "./texts.js";
import { uploadSection } from "./uploads.js";
import { workSection } from "./works.js";

/** @typedef {import("./contract.js").Request} Request */

/**
 * @param {HTMLElement} holder
 * @param {{ lastRequest: () => Request | null, onopen: (provision: string) => void, onchanged: () => void }} options
 */
export function library(holder, { lastRequest, onopen, onchanged }) {
  let shown = false;

  async function draw() {
    shown = true;
    const held = await rights();
    const loaded = section("loaded", say("library.loading"));
    const changed = section("changed", say("reader.loading"));
    const unresolved = section("unresolved", say("reader.loading"));
    const refresh = () => {
      fillLoaded(loaded, changed, unresolved, onopen);
      titles.refresh();
      onchanged();
    };
    const titles = workSection(onopen, { removable: mayDelete(held), onchange: refresh });
    replace(
      holder,
      element(
        "div",
        { class: "library-grid" },
        element(
          "div",
          {},
          loaded,
          titles.section,
          changed,
        ),
        element(
          "div",
          {},
          uploadSection({ onchange: refresh, onopen }),
          held.publishers.length ? fetchSection(held.publishers, refresh) : null,
          keywordSection(lastRequest()),
          unresolved,
          cacheSection(),
        ),
      ),
    );
    await fillLoaded(loaded, changed, unresolved, onopen);
  }

  onLanguage(() => shown && !holder.closest("[hidden]") && draw());
  return { draw };
}

/** @param {HTMLElement} loaded @param {HTMLElement} changed @param {HTMLElement} unresolved @param {(provision: string) => void} onopen */
async function fillLoaded(loaded, changed, unresolved, onopen) {
  try {
    const [found, left] = await Promise.all([get("/library"), get("/library/unresolved", { limit: 8 })]);
    fillSection(loaded, edition(found), totals(found.totals), jurisdictionTable(found.jurisdictions));
    fillSection(changed, changeList(found.changes, onopen));
    fillSection(unresolved, ...reasons(left, onopen));
  } catch (error) {
    fillSection(
      loaded,
      element("p", { class: "refusal" }, icon("guidance"), /** @type {Error} */ (error).message),
    );
    for (const waiting of [changed, unresolved]) fillSection(waiting); // nothing comes any more
  }
}

/** @param {{ edition: string, folder: string, writable: boolean }} found */
function edition(found) {
  const words =
    found.edition === "sample" ? say("library.sample") : say("library.folder", { folder: found.folder });
  return element("p", { class: "hint" }, words, " ", found.writable ? "" : say("library.readonly"));
}

/** @param {Record<string, any>} all */
function totals(all) {
  const edges = Object.values(all.edges ?? {}).reduce((sum, n) => sum + Number(n), 0);
  const figures = [
    ["works", all.works],
    ["provisions", all.provisions],
    ["versions", all.versions],
    ["edges", edges],
  ];
  return element(
    "dl",
    { class: "figures" },
    figures
      .filter(([, n]) => n !== null && n !== undefined)
      .map(([name, n]) =>
        element("div", {}, element("dt", {}, say(`library.${name}`)), element("dd", {}, number(Number(n)))),
      ),
    all.bytes
      ? element("div", {}, element("dt", {}, say("library.size")), element("dd", {}, bytes(all.bytes)))
      : null,
  );
}

/** @param {any[]} all */
function jurisdictionTable(all) {
  const held = all.filter((one) => one.works);
  const list = held.length ? held : all;
  // A library may not count all of these by jurisdiction; a column of dashes would say nothing.
  const counted = ["works", "provisions", "versions"].filter((name) =>
    list.some((one) => typeof one[name] === "number"),
  );
  return element(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": say("library.by_jurisdiction") },
    element(
      "table",
      {},
      element("caption", { class: "unseen" }, say("library.by_jurisdiction")),
      element(
        "thead",
        {},
        element(
          "tr",
          {},
          ["jurisdiction", ...counted].map((name) =>
            element(
              "th",
              { scope: "col", class: counted.includes(name) ? "figure" : null },
              say(`library.${name}`),
            ),
          ),
        ),
      ),
      element(
        "tbody",
        {},
        list.map((one) =>
          element(
            "tr",
            {},
            element(
              "th",
              { scope: "row" },
              jurisdictionName(one.code),
              besides(one).map((words) => element("span", { class: "kinds" }, words)),
            ),
            counted.map((name) => element("td", { class: "figure" }, count(one[name]))),
          ),
        ),
      ),
    ),
  );
}

/**
 * What is told of a jurisdiction below its name. As columns of their own these were wider than a phone, and in most
 * windows than the half of the view that the table has.
 * @param {any} one
 */
function besides(one) {
  const years = one.years && [...new Set([one.years.first, one.years.last].map((day) => String(day).slice(0, 4)))];
  const known = one.current_to && [...new Set([one.current_to.oldest, one.current_to.newest])].map(shortDate);
  const languages = (one.languages ?? []).map((/** @type {string} */ code) => languageName(code));
  return [
    kinds(one.kinds),
    [years?.join("–"), known && say("dates.known", { date: known.join("–") })].filter(Boolean).join(" · "),
    languages.join(", "),
  ].filter(Boolean);
}

/** @param {number | null | undefined} value */
function count(value) {
  return value === null || value === undefined ? "–" : number(value);
}

/** @param {Record<string, number>} found */
function kinds(found) {
  return Object.entries(found ?? {})
    .map(([kind, n]) => `${sayOr(`kinds.${kind}`, kind)} ${number(n)}`)
    .join(", ");
}

/** @param {any[]} changes @param {(provision: string) => void} onopen */
function changeList(changes, onopen) {
  if (!changes?.length) return element("p", { class: "hint" }, say("library.changed.none"));
  return element(
    "ul",
    { class: "rows" },
    changes.map((one) =>
      element(
        "li",
        {},
        element("span", { class: "row-day" }, shortDate(one.day)),
        element(
          "span",
          { class: "row-words" },
          element(
            "button",
            { type: "button", class: "place", onclick: () => onopen(one.work) },
            one.citation,
          ),
          element(
            "span",
            { class: "hint" },
            [say("library.changed.n", { n: one.changes }), ...(one.by ?? [])].filter(Boolean).join(" · "),
          ),
        ),
      ),
    ),
  );
}

/** @param {{ reasons: Record<string, number>, examples: any[] }} found @param {(provision: string) => void} onopen */
function reasons({ reasons: counted, examples }, onopen) {
  const list = Object.entries(counted ?? {}).sort(([, one], [, other]) => other - one);
  if (!list.length) return [element("p", { class: "hint" }, say("library.unresolved.none"))];
  return [
    element(
      "dl",
      { class: "tally" },
      list.map(([reason, n]) =>
        element(
          "div",
          {},
          element("dt", {}, sayOr(`unresolved.${reason}`, reason)),
          element("dd", {}, number(n)),
        ),
      ),
    ),
    examples?.length
      ? element(
          "details",
          { class: "more" },
          element("summary", {}, say("library.unresolved.examples")),
          element(
            "ul",
            { class: "rows" },
            examples.map((one) =>
              element(
                "li",
                {},
                element("q", {}, one.text || one.target),
                element(
                  "button",
                  { type: "button", class: "place", onclick: () => onopen(one.provision) },
                  one.citation ?? one.provision,
                ),
              ),
            ),
          ),
        )
      : null,
  ];
}
