// @ts-check
// The works of the library: found by words of their title, opened in the document panel.

import { note, warn } from "./announcements.js";
import { button, element, replace } from "./elements.js";
import { fillSection, section } from "./sections.js";
import { get, remove } from "./server.js";
import { interfaceLanguage, say, sayOr } from "./texts.js";

const PAGE = 12;

/**
 * @param {(provision: string) => void} onopen
 * @param {{ removable: boolean, onchange: () => void }} options whether the reader's key may remove works
 */
export function workSection(onopen, { removable, onchange }) {
  const made = section("titles", "");
  const list = element("ul", { class: "rows" });
  const more = element("div", {});
  let words = "";
  let shown = 0;
  /** @type {AbortController | null} */
  let loading = null;

  const field = element("input", {
    type: "search",
    id: "find-work",
    placeholder: say("library.find"),
    "aria-label": say("library.find"),
    oninput: () => {
      words = field.value.trim();
      load(0);
    },
  });
  fillSection(made, field, list, more);

  /** @param {number} offset */
  async function load(offset) {
    loading?.abort();
    loading = new AbortController();
    const { signal } = loading;
    try {
      const wanted = { q: words, offset, limit: PAGE, language: interfaceLanguage() };
      const found = await get("/library/works", wanted, signal);
      if (signal.aborted) return;
      if (!offset) replace(list);
      shown = offset + found.works.length;
      list.append(...found.works.map(row));
      replace(
        more,
        shown < found.total
          ? element(
              "button",
              { type: "button", class: "button small", onclick: () => load(shown) },
              say("library.more", { n: found.total - shown }),
            )
          : null,
      );
      if (!found.total) replace(list, element("li", { class: "hint" }, say("library.titles.none")));
    } catch (error) {
      if (!signal.aborted)
        replace(list, element("li", { class: "refusal" }, /** @type {Error} */ (error).message));
    }
  }

  /** @param {any} one */
  function row(one) {
    return element(
      "li",
      {},
      element("span", { class: "row-day kind" }, sayOr(`kind.${one.kind}`, one.kind)),
      element(
        "span",
        { class: "row-words" },
        element(
          "button",
          { type: "button", class: "place", onclick: () => onopen(one.work) },
          one.title || one.citation,
        ),
        beside(one),
      ),
      removable
        ? button({
            label: say("works.delete", { title: one.title || one.citation }),
            icon: "delete",
            quiet: true,
            onclick: () => forget(one),
          })
        : null,
    );
  }

  /**
   * The title of an act that is known by its number, else how it is cited.
   * @param {any} one
   */
  function beside(one) {
    const title = one.titles[interfaceLanguage()] ?? "";
    const words = [title, one.citation].find((text) => text && text !== one.title);
    return one.title && words ? element("span", { class: "hint", title: words }, words) : null;
  }

  /** @param {any} one */
  async function forget(one) {
    const title = one.title || one.citation;
    if (!confirm(say("works.delete.sure", { title }))) return;
    try {
      await remove("/library/works", { work: one.work });
      note(say("works.deleted", { title }));
      onchange(); // which shows the titles anew
    } catch (error) {
      warn(/** @type {Error} */ (error).message);
    }
    field.focus();
  }

  replace(list, element("li", { class: "loading" }, say("reader.loading")));
  load(0);
  return { section: made, refresh: () => load(0) };
}
