// @ts-check
// The page: its parts, and how they speak to each other.

import { note, warn } from "./announcements.js";
import { asking } from "./asking.js";
import { composer } from "./composer.js";
import { byId } from "./elements.js";
import { entries, latest } from "./history.js";
import { historyView } from "./history_view.js";
import { loadJurisdictions } from "./jurisdictions.js";
import { keyboard, showShortcuts } from "./keyboard.js";
import { library } from "./library.js";
import { panel } from "./panel.js";
import { preferences } from "./preferences.js";
import { reader } from "./reader.js";
import { reasoning } from "./reasoning.js";
import { fromAddress, toHash } from "./requests.js";
import { offerTheLaw } from "./sample.js";
import { loadSecondOpinion } from "./second_opinion.js";
import { onLanguage, preferredLanguage, say, speak } from "./texts.js";

/** @typedef {import("./contract.js").Request} Request */
/** @typedef {import("./history.js").Entry} Entry */

const WIDE = matchMedia("(min-width: 1200px)");

async function start() {
  await speak(preferredLanguage());
  preferences(byId("preferences"));
  const side = panel();
  const reading = reader(side.bodies.document, { onask: (day) => askAgain(day) });
  const reasons = reasoning(side.bodies.reasoning, {
    onopen: (provision) => open({ provision, as_of: asks.current()?.answer.as_of ?? "" }),
  });
  let asked = "";
  const asks = asking(byId("answer"), {
    onrunning: (running) => compose.setRunning(running),
    onanswer: (answer) => {
      reasons.show(answer);
      // Who asks the same of another day goes on reading; a new question brings its own reasoning.
      const reading = side.isOpen() && side.current() === "document" && answer.question === asked;
      asked = answer.question;
      if (reading) return;
      if (!answer.primary) side.close();
      else if (side.isOpen() || (WIDE.matches && side.isWanted())) side.open("reasoning", { focus: false });
    },
    onkept: (entry) => past.mark(entry.id),
    open,
    reason: () => {
      side.open("reasoning");
      reasons.replay();
    },
    onfollow: (request) => {
      compose.set(request);
      ask(request);
    },
    onrecall: recall,
    onanew: () => (visit("#ask"), compose.focus()),
  });
  /** @type {Request | null} what a link asks, until the reader does */
  let shared = null;
  const compose = composer(byId("composer"), {
    onask: (request) => ask(shared?.question === request.question ? { ...request, after: shared.after } : request),
    onstop: () => asks.stop(),
  });
  const past = historyView(byId("history-list"), { onrecall: recall });
  const shelf = library(byId("shelves"), {
    lastRequest: () => asks.current()?.request ?? entries()[0]?.request ?? null,
    onopen: (provision) => open({ provision, as_of: "" }),
    onchanged: () => drawComposer(),
  });

  /** @param {import("./answer.js").Opened} wanted */
  function open(wanted) {
    side.open("document");
    reading.open(wanted);
  }

  /** @param {Request} request */
  function ask(request) {
    shared = null;
    history.pushState(null, "", toHash(request));
    showView("ask");
    document.title = `${request.question} – Pykälä`;
    return asks.ask(request);
  }

  /** @param {string} day */
  function askAgain(day) {
    const current = asks.current()?.request;
    const request = compose.request();
    // The same question of another day goes on from the same one before it.
    if (current?.after && current.question === request.question) request.after = current.after;
    compose.set({ ...request, as_of: day });
    if (!request.question) {
      visit("#ask");
      return compose.focus();
    }
    ask({ ...request, as_of: day });
  }

  /** @param {Entry} entry */
  function recall(entry) {
    history.pushState(null, "", toHash(entry.request));
    showHistory(false);
    show(entry);
    byId("main").scrollTop = 0;
  }

  /**
   * On narrow windows the history is a menu.
   * @param {boolean} shown
   */
  function showHistory(shown) {
    byId("rail").classList.toggle("history-open", shown);
    byId("history-toggle").setAttribute("aria-expanded", String(shown));
  }

  /** @param {Entry} entry */
  function show(entry) {
    asks.stop();
    showView("ask");
    compose.set(entry.request);
    compose.setRunning(false);
    asks.show(entry);
    past.mark(entry.id);
    document.title = `${entry.request.question} – Pykälä`;
  }

  /** @param {string} name */
  function showView(name) {
    for (const view of ["ask", "library"]) byId(`view-${view}`).hidden = view !== name;
    for (const link of document.querySelectorAll("[data-view]")) {
      if (link.getAttribute("data-view") === name) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    if (name === "library") document.title = `${say("nav.library")} – Pykälä`;
  }

  /** Go where the address says: to the library, to a question kept before, to one that was shared. */
  function follow() {
    if (location.hash === "#library") {
      if (byId("view-library").hidden) side.close();
      showView("library");
      return shelf.draw();
    }
    const request = fromAddress(location);
    if (!request) return begin();
    const kept = latest(request);
    if (kept) return show(kept);
    // A link from somewhere else fills in the question; asking it, which may cost, is the reader's to do.
    begin();
    compose.set(request);
    shared = request;
    note(say("ask.filled"));
  }

  function begin() {
    showView("ask");
    document.title = "Pykälä";
    if (!byId("answer").hasChildNodes()) return;
    asks.clear();
    past.mark("");
    side.close();
    compose.clear();
  }

  /** @param {string} hash */
  function visit(hash) {
    if (location.hash !== hash) location.hash = hash;
    else follow();
  }

  function escape() {
    if (asks.isRunning()) asks.stop();
    else if (!side.dismiss()) showHistory(false);
  }

  addEventListener("popstate", follow);
  for (const link of document.querySelectorAll("[data-view]")) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      const name = link.getAttribute("data-view");
      const current = asks.current();
      // From the library back to the answer that was left there; from the answer to a new question.
      visit(name === "ask" && current && byId("view-ask").hidden ? toHash(current.request) : `#${name}`);
    });
  }
  byId("history-toggle").addEventListener("click", () =>
    showHistory(!byId("rail").classList.contains("history-open")),
  );

  keyboard(
    [
      { key: "/", does: "shortcuts.question", run: () => (showView("ask"), compose.focus()) },
      { key: "n", does: "shortcuts.new", run: () => (visit("#ask"), compose.focus()) },
      { key: "d", does: "shortcuts.document", run: () => side.open("document") },
      { key: "r", does: "shortcuts.reasoning", run: () => side.open("reasoning") },
      { key: "l", does: "shortcuts.library", run: () => visit("#library") },
      { key: "?", does: "shortcuts.title", run: showShortcuts },
    ],
    asks.openCitation,
    escape,
  );

  /** What can be asked about changes with what the library holds. */
  async function drawComposer() {
    try {
      await loadJurisdictions();
      await loadSecondOpinion();
      compose.draw();
    } catch (error) {
      warn(/** @type {Error} */ (error).message);
    }
  }

  await drawComposer();
  const offer = () => offerTheLaw(byId("sample"));
  onLanguage(offer);
  offer();
  follow();
  document.documentElement.dataset.ready = "yes";
}

start();
