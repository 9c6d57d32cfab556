// @ts-check
// The document panel: a provision in its document, at the exact span, on a date, in one language or two.

import { readingLink, sameReading } from "./addresses.js";
import { announce } from "./announcements.js";
import { caveatWords } from "./cautions.js";
import { citationMenu } from "./citation_styles.js";
import { copy } from "./clipboard.js";
import { comparison } from "./comparison.js";
import { longDate, shortDate, standing } from "./dates.js";
import { documentText, pairedText } from "./document_text.js";
import { button, element, icon, outward, replace } from "./elements.js";
import { followButton } from "./following.js";
import { languageName } from "./jurisdictions.js";
import { longTitle } from "./long_title.js";
import { officialLabel, sampleNotice } from "./sample.js";
import { waiting } from "./sections.js";
import { Problem, get } from "./server.js";
import { sourceName } from "./sources.js";
import { onLanguage, say, sayOr } from "./texts.js";
import { bringIntoSight, onlyVersion, timeline } from "./timeline.js";
import { unbroken } from "./unbroken.js";

/** @typedef {import("./addresses.js").Reading} Reading */
/** @typedef {import("./contract.js").Shown} Shown */
/** @typedef {import("./contract.js").Document_} Document_ */

const LONG_TITLE = 80; // characters of a work's title that its place shows

/**
 * @param {HTMLElement} holder
 * @param {object} options
 * @param {(as_of: string) => void} options.onask
 * @param {(wanted: Reading) => void} options.onread the reader goes on to another place or wording
 * @param {(wanted: Reading, found: Shown) => void} options.onshown
 */
export function reader(holder, { onask, onread, onshown }) {
  /** @type {Reading | null} */
  let opened = null;
  let beside = "";
  /** @type {AbortController | null} */
  let loading = null;
  /** @type {(() => void) | null} */
  let redraw = null;

  /** @param {Reading} wanted */
  function visit(wanted) {
    onread(wanted);
    return open(wanted);
  }

  /** @param {Reading} wanted */
  async function open(wanted) {
    // What is open already is not fetched again; its words are brought into sight.
    if (redraw && sameReading(wanted, opened)) return showTarget();
    opened = wanted;
    beside = "";
    await load();
  }

  async function load() {
    if (!opened) return;
    loading?.abort();
    loading = new AbortController();
    const { signal } = loading;
    const { provision: id, language } = opened;
    const as_of = opened.as_of || opened.second;
    const wanted = opened;
    redraw = null;
    replace(holder, waiting(say("reader.loading")));
    try {
      const asked = { id, as_of, language };
      const [shown, whole, other] = await Promise.all([
        get("/provision", asked, signal),
        get("/document", asked, signal),
        beside ? get("/document", { ...asked, language: beside }, signal) : null,
      ]);
      if (signal.aborted) return;
      redraw = () => {
        draw(shown, whole, other);
        if (opened?.first && opened.second) compare(shown, opened.first, opened.second);
      };
      redraw();
      onshown(wanted, shown);
      announce(say("reader.opened", { citation: shown.citation }));
    } catch (error) {
      if (!signal.aborted) replace(holder, refusal(/** @type {Error} */ (error)));
    }
  }

  /** @param {Error} error */
  function refusal(error) {
    const wanted = opened;
    const whole = wanted?.provision.replace(/\/[a-z]+_.*$/, "") ?? ""; // without its steps, such as /sec_124
    const gone = error instanceof Problem && error.code === "unknown-provision";
    const next =
      gone && wanted && whole !== wanted.provision
        ? { label: say("reader.act"), onclick: () => visit({ ...plain(wanted), provision: whole }) }
        : { label: say("again"), onclick: load };
    return element(
      "div",
      { class: "refusal" },
      icon("guidance"),
      element("div", {}, element("p", {}, gone ? say("reader.unknown") : error.message), button(next)),
    );
  }

  /** @param {Shown} shown @param {Document_} whole @param {Document_ | null} other */
  function draw(shown, whole, other) {
    if (!opened) return;
    const mark =
      opened.start !== undefined && opened.end !== undefined
        ? { start: opened.start, end: opened.end, quote: opened.quote ?? "" }
        : null;
    const compared = element("div", { class: "compared" });
    const text = other ? pairedText(whole, other, mark, go) : documentText(whole, mark, go);
    const top = element(
      "div",
      { class: "reader-top" },
      breadcrumbs(shown),
      heading(shown),
      // One version is no line: since when it holds stands above.
      shown.version_line.length > 1
        ? timeline(shown.version_line, shown.as_of, {
            onday,
            onpair: (first, second) => {
              if (opened) onread((opened = { ...plain(opened), as_of: shown.as_of, first, second }));
              compare(shown, first, second);
            },
            onask,
            picked: opened.first && opened.second ? [opened.first, opened.second] : [],
          })
        : onlyVersion(shown.version_line, shown.as_of, onask),
      languages(shown),
    );
    replace(
      holder,
      top,
      sampleNotice(shown), // between the two, where it does not scroll away
      element(
        "div",
        { class: "reader-text", tabindex: "0", role: "region", "aria-label": shown.citation },
        compared,
        notices(shown, whole),
        text,
        tail(whole, shown.as_of),
      ),
    );
    showTarget();
    const version = /** @type {HTMLElement | null} */ (holder.querySelector(".mark.shown"));
    if (version) bringIntoSight(version);
  }

  /** Bring the words that were opened into sight; the whole of a document begins at its beginning. */
  function showTarget() {
    const target = holder.querySelector("mark") ?? holder.querySelector(".target");
    target?.scrollIntoView({ block: holder.querySelector("mark") ? "center" : "start" });
  }

  /** @param {string} provision */
  function go(provision) {
    if (opened) visit({ provision, as_of: opened.as_of, language: opened.language });
  }

  /** @param {string} day */
  function onday(day) {
    // Another day's wording has other spans: what was marked on this one is not marked there.
    if (opened) visit({ provision: opened.provision, language: opened.language, as_of: day });
  }

  /** @param {Shown} shown @param {string} first @param {string} second */
  async function compare(shown, first, second) {
    const place = holder.querySelector(".compared");
    if (!place) return;
    replace(place, waiting(say("reader.loading")));
    try {
      const found = await get("/diff", { id: shown.provision, first, second, language: shown.language });
      replace(
        place,
        comparison(found, uncompare),
      );
      place.scrollIntoView({ block: "start" });
      announce(say("diff.ready", { n: found.differences.length }));
    } catch (error) {
      replace(place, element("p", { class: "refusal" }, /** @type {Error} */ (error).message));
    }
  }

  /** Back to the text alone. */
  function uncompare() {
    if (opened) onread((opened = plain(opened)));
    redraw?.();
  }

  /** @param {Shown} shown */
  function breadcrumbs(shown) {
    return element(
      "nav",
      { class: "breadcrumbs", "aria-label": say("reader.place") },
      element(
        "ol",
        {},
        shown.breadcrumbs.map((one) => {
          const whole = [one.label, one.heading].filter(Boolean).join(" ") || one.citation;
          const name = one.provision === shown.work.id ? shortTitle(whole, shown.work) : whole;
          return element(
            "li",
            {},
            element(
              "button",
              { type: "button", class: "place", title: whole, onclick: () => go(one.provision) },
              name,
            ),
          );
        }),
        shown.label ? element("li", { "aria-current": "location" }, shown.label) : null,
      ),
    );
  }

  /** @param {Shown} shown */
  function heading(shown) {
    return element(
      "header",
      { class: "reader-head" },
      element("div", { class: "reader-title" }, element("h2", {}, unbroken(shown.citation)), neighbours(shown)),
      shown.heading ? longTitle(shown.heading, shown.language) : null,
      element(
        "p",
        { class: "source-line" },
        element("span", { class: "kind" }, sayOr(`kind.${shown.work.kind}`, shown.work.kind)),
        element("span", {}, standing(shown)),
        shown.current_to
          ? element("span", {}, say("dates.known", { date: shortDate(shown.current_to) }))
          : null,
        sourceName(shown.source),
      ),
      element(
        "div",
        { class: "actions" },
        citationMenu(shown),
        linkButton(shown),
        followButton(shown.work),
        shown.url ? outward(shown.url, officialLabel(shown), { class: "button" }) : null,
      ),
    );
  }

  /**
   * A link to what is shown: this provision, in this language, on this day, and the difference if one is.
   * @param {Shown} shown
   */
  function linkButton(shown) {
    const { provision, as_of, language } = shown;
    return button({
      label: say("reader.link"),
      icon: "link",
      quiet: true,
      class: "copy-link",
      onclick: () => copy(readingLink({ ...opened, provision, as_of, language }), say("reader.linked")),
    });
  }

  /** @param {Shown} shown */
  function neighbours(shown) {
    const step = (
      /** @type {import("./contract.js").Place | null} */ place,
      /** @type {"previous" | "next"} */ name,
    ) =>
      button({
        label: say(`reader.${name}`, {
          place: place ? [place.label || place.citation, place.heading].filter(Boolean).join(" ") : "–",
        }),
        icon: name,
        quiet: true,
        class: `neighbour ${name}`,
        disabled: !place,
        onclick: () => place && go(place.provision),
      });
    return shown.previous || shown.next
      ? element(
          "nav",
          { class: "neighbours", "aria-label": say("reader.neighbours") },
          step(shown.previous, "previous"),
          step(shown.next, "next"),
        )
      : null;
  }

  /** @param {Shown} shown */
  function languages(shown) {
    if (shown.languages.length < 2) return null;
    const choose = (/** @type {string} */ code) =>
      element(
        "button",
        {
          type: "button",
          class: "choice",
          lang: code,
          "aria-pressed": String(code === shown.language),
          title: languageName(code),
          onclick: () => opened && visit({ ...opened, language: code, start: undefined, end: undefined }),
        },
        languageName(code),
      );
    const others = shown.languages.filter((code) => code !== shown.language);
    const pair = element(
      "select",
      { id: "beside", onchange: () => ((beside = pair.value), load()) },
      element("option", { value: "" }, say("reader.beside.none")),
      others.map((code) => element("option", { value: code, selected: beside === code }, languageName(code))),
    );
    return element(
      "div",
      { class: "languages", role: "group", "aria-label": say("reader.languages") },
      shown.languages.map(choose),
      element("span", { class: "beside" }, element("label", { for: "beside" }, say("reader.beside")), pair),
    );
  }

  /** @param {Shown} shown @param {Document_} whole */
  function notices(shown, whole) {
    const lines = [whole.language_note, shown.application].filter(Boolean);
    // The sample is told above the text.
    const caveats = shown.caveats.filter((one) => one.kind !== "SAMPLE");
    if (!lines.length && !caveats.length) return null;
    return element(
      "ul",
      { class: "notices" },
      lines.map((line) => element("li", {}, line)),
      caveats.map((one) => element("li", {}, caveatWords(one))),
    );
  }

  /** @param {Document_} whole @param {string} day */
  function tail(whole, day) {
    const notice = whole.truncated
      ? whole.notice || say("reader.truncated", { n: whole.shown_sections, total: whole.total_sections })
      : "";
    return element(
      "p",
      { class: whole.truncated ? "truncated" : "hint" },
      notice || say("reader.whole", { date: longDate(day) }),
    );
  }

  onLanguage(() => redraw?.());
  return { open, current: () => opened };
}

/**
 * The name of a work where there is little room: acts of the Union have titles of several lines.
 * @param {string} whole
 * @param {import("./contract.js").Work} work
 */
function shortTitle(whole, { title, citation }) {
  return whole.length > LONG_TITLE ? title || citation : whole;
}

/**
 * What is read, without the difference that was looked at in it.
 * @param {Reading} reading
 * @returns {Reading}
 */
function plain({ first, second, ...rest }) {
  return rest;
}
