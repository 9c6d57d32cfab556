// @ts-check
// Caches: how much each holds, and a button that empties it.

import { note, warn } from "./announcements.js";
import { button, element } from "./elements.js";
import { mayAdminister, rights } from "./rights.js";
import { bytes, fillSection, section } from "./sections.js";
import { get, remove } from "./server.js";
import { number, say, sayOr } from "./texts.js";

/** @typedef {{ name: string, entries: number, bytes: number, hits: number | null, misses: number | null }} Cache */

export function cacheSection() {
  const made = section("caches", say("library.loading"));

  async function load() {
    try {
      const [found, held] = await Promise.all([get("/caches"), rights()]);
      const size = found.caches.reduce(
        (/** @type {number} */ sum, /** @type {Cache} */ one) => sum + (one.bytes ?? 0),
        0,
      );
      fillSection(
        made,
        found.fault ? element("p", { class: "hint" }, found.fault) : null,
        found.caches.length ? table(found.caches, mayAdminister(held)) : element("p", { class: "hint" }, say("caches.none")),
        found.caches.length && mayAdminister(held)
          ? button({
              label: say("caches.clear.all", { size: bytes(size) }),
              class: "small",
              onclick: () => clear(""),
            })
          : null,
      );
    } catch (error) {
      fillSection(made, element("p", { class: "refusal" }, /** @type {Error} */ (error).message));
    }
  }

  /** @param {string} name */
  async function clear(name) {
    try {
      await remove("/caches", { name });
      note(say("caches.cleared"));
    } catch (error) {
      warn(/** @type {Error} */ (error).message);
    }
    await load();
  }

  /**
   * @param {Cache[]} caches
   * @param {boolean} emptied whether they may be emptied with this key
   */
  function table(caches, emptied) {
    const head = ["caches.name", "caches.entries", "caches.size", "caches.hits"];
    return element(
      "div",
      { class: "scroll", tabindex: "0", role: "group", "aria-label": say("library.caches") },
      element(
        "table",
        {},
        element(
          "thead",
          {},
          element(
            "tr",
            {},
            head.map((key, index) =>
              element("th", { scope: "col", class: index ? "figure" : null }, say(key)),
            ),
            element("td", {}),
          ),
        ),
        element(
          "tbody",
          {},
          caches.map((one) =>
            element(
              "tr",
              {},
              element("th", { scope: "row" }, sayOr(`cache.${one.name}`, one.name)),
              element("td", { class: "figure" }, number(one.entries)),
              element("td", { class: "figure" }, bytes(one.bytes ?? 0)),
              element(
                "td",
                { class: "figure" },
                one.hits === null || one.hits === undefined ? "–" : number(one.hits),
              ),
              element(
                "td",
                { class: "figure" },
                emptied
                  ? button({
                      label: say("caches.clear", { name: sayOr(`cache.${one.name}`, one.name) }),
                      icon: "delete",
                      quiet: true,
                      onclick: () => clear(one.name),
                    })
                  : null,
              ),
            ),
          ),
        ),
      ),
    );
  }

  load();
  return made;
}
