// @ts-check
// The page: its parts, and how they speak to each other.

import { fromPath, sameReading, toPath, viewOf } from "./addresses.js";
import { warn } from "./announcements.js";
import { restsOn } from "./answer.js";
import { asking } from "./asking.js";
import { changesView } from "./changes.js";
import { composer } from "./composer.js";
import { byId } from "./elements.js";
import { entries, latest } from "./history.js";
import { historyView } from "./history_view.js";
import { loadJurisdictions } from "./jurisdictions.js";
import { keyboard, showShortcuts } from "./keyboard.js";
import { library } from "./library.js";
import { loadOffers } from "./offers.js";
import { panel } from "./panel.js";
import { preferences } from "./preferences.js";
import { unfoldForPrint } from "./printing.js";
import { reader } from "./reader.js";
import { reasoning } from "./reasoning.js";
import { fromAddress, toHash } from "./requests.js";
import { offerTheLaw } from "./sample.js";
import { searchView } from "./search.js";
import { sharedQuestion } from "./shared_question.js";
import { onLanguage, preferredLanguage, say, speak } from "./texts.js";

/** @typedef {import("./addresses.js").Reading} Reading */
/** @typedef {import("./contract.js").Answer} Answer */
/** @typedef {import("./contract.js").Request} Request */
/** @typedef {import("./history.js").Entry} Entry */

const WIDE = matchMedia("(min-width: 1200px)");
const VIEWS = /** @type {const} */ (["ask", "search", "changes", "library"]);

async function start() {
  await speak(preferredLanguage());
  preferences(byId("preferences"));
  unfoldForPrint();
  const side = panel({ onclose: () => (stand(location.hash, null), standAlone()) });
  const reading = reader(side.bodies.document, {
    onask: (day) => askAgain(day),
    onread: (wanted) => stand(location.hash, wanted),
    onshown: shown,
  });
  const reasons = reasoning(side.bodies.reasoning, {
    onopen: (provision) => open({ provision, as_of: asks.current()?.answer.as_of ?? "" }),
  });
  let asked = "";
  const asks = asking(byId("answer"), {
    onrunning: (running) => compose.setRunning(running),
    onanswer: (answer) => {
      reasons.show(answer);
      // Who asks the same of another day goes on reading; a new question brings its own document.
      const goesOn = side.isOpen() && fromPath(location) !== null && answer.question === asked;
      asked = answer.question;
      if (!goesOn) showBeside(answer);
      standAlone();
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
  const linked = sharedQuestion(byId("shared"), {
    onask: (request) => {
      compose.set(request);
      ask({ ...compose.request(), ...(request.after ? { after: request.after } : {}) });
    },
  });
  const past = historyView(byId("history-list"), { onrecall: recall });
  const shelf = library(byId("shelves"), {
    lastRequest: () => asks.current()?.request ?? entries()[0]?.request ?? null,
    onopen: (provision) => open({ provision, as_of: "" }),
    onchanged: () => drawComposer(),
  });
  const finds = searchView(byId("finds"), { onopen: open, onsearch: (hash) => stand(hash, fromPath(location)) });
  const changed = changesView(byId("changed"), { onopen: open });

  /**
   * Put a place into the address bar, unless it stands there.
   * @param {string} hash
   * @param {Reading | null} wanted
   * @param {"pushState" | "replaceState"} [how]
   */
  function stand(hash, wanted, how = "pushState") {
    const address = toPath(wanted) + hash;
    if (address !== location.pathname + location.search + location.hash) history[how](null, "", address);
  }

  /** Where nothing was asked, the document that an address names has the page to itself. */
  function standAlone() {
    const alone = side.isOpen() && !byId("view-ask").hidden && !byId("answer").hasChildNodes();
    document.body.classList.toggle("alone", alone);
  }

  /** @param {Reading} wanted */
  function open(wanted) {
    stand(location.hash, wanted);
    side.open("document");
    reading.open(wanted);
    standAlone();
  }

  /**
   * An address that left the day open is fixed to the one whose wording is shown.
   * @param {Reading} wanted
   * @param {import("./contract.js").Shown} found
   */
  function shown(wanted, found) {
    const place = fromPath(location);
    if (place && !place.as_of && sameReading(place, { ...wanted, as_of: "" }))
      stand(location.hash, { ...wanted, as_of: found.as_of }, "replaceState");
    if (document.body.classList.contains("alone")) document.title = `${found.citation} – Pykälä`;
  }

  /**
   * The document stands beside its answer where there is room for both, until the reader closes it.
   * @param {Answer} answer
   */
  function showBeside(answer) {
    const wanted = restsOn(answer);
    if (!wanted) return side.close();
    if (!side.isOpen() && !(WIDE.matches && side.isWanted())) return;
    reading.open(wanted);
    side.open(side.isOpen() ? side.current() : "document", { focus: false });
  }

  /** @param {Request} request */
  function ask(request) {
    shared = null;
    linked.clear();
    stand(toHash(request), request.question === asked ? fromPath(location) : null);
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
    stand(toHash(entry.request), null);
    showHistory(false);
    show(entry);
    byId("main").scrollTop = 0;
  }

  /**
   * On narrow windows the history is a menu.
   * @param {boolean} visible
   */
  function showHistory(visible) {
    byId("rail").classList.toggle("history-open", visible);
    byId("history-toggle").setAttribute("aria-expanded", String(visible));
  }

  /** @param {Entry} entry */
  function show(entry) {
    asks.stop();
    linked.clear();
    showView("ask");
    compose.set(entry.request);
    compose.setRunning(false);
    asks.show(entry);
    past.mark(entry.id);
    document.title = `${entry.request.question} – Pykälä`;
  }

  /** @param {string} name */
  function showView(name) {
    for (const view of VIEWS) byId(`view-${view}`).hidden = view !== name;
    for (const link of document.querySelectorAll("[data-view]")) {
      if (link.getAttribute("data-view") === name) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    if (name !== "ask") document.title = `${say(`nav.${name}`)} – Pykälä`;
  }

  /** Go where the address says: to a view, to a question kept before or shared, to a document. */
  function follow() {
    const wanted = fromPath(location);
    const view = viewOf(location.hash);
    if (view === "ask") followQuestion(wanted);
    else {
      if (!wanted) side.close();
      showView(view);
      if (view === "search") finds.draw(location.hash);
      else (view === "changes" ? changed : shelf).draw();
    }
    if (wanted) {
      side.open("document", { focus: false });
      reading.open(wanted);
    }
    standAlone();
  }

  /** @param {Reading | null} wanted */
  function followQuestion(wanted) {
    const request = fromAddress(location);
    if (!request) return begin(wanted);
    const kept = latest(request);
    if (kept) {
      asked = kept.answer.question; // a document of the address stays beside its question
      return show(kept);
    }
    // A link from somewhere else shows its question; asking it, which may cost, is the reader's to do.
    begin(wanted);
    compose.set(request);
    shared = request;
    linked.show(request, { focus: !wanted });
  }

  /** @param {Reading | null} [wanted] */
  function begin(wanted = null) {
    showView("ask");
    document.title = "Pykälä";
    if (!wanted) side.close();
    linked.clear();
    if (!byId("answer").hasChildNodes()) return;
    asks.clear();
    past.mark("");
    compose.clear();
  }

  /** @param {string} hash */
  function visit(hash) {
    stand(hash, null);
    follow();
  }

  /**
   * To a view, as it was left; the question with its answer.
   * @param {"ask" | "search"} name
   */
  function enter(name) {
    const current = asks.current();
    if (byId(`view-${name}`).hidden) visit(name === "ask" && current ? toHash(current.request) : `#${name}`);
  }

  function escape() {
    if (asks.isRunning()) asks.stop();
    else if (!side.dismiss()) showHistory(false);
  }

  addEventListener("popstate", follow);
  for (const link of document.querySelectorAll("[data-view]")) {
    link.addEventListener("click", (event) => {
      const { ctrlKey, metaKey, shiftKey } = /** @type {MouseEvent} */ (event);
      if (ctrlKey || metaKey || shiftKey) return; // a tab or a window of its own
      event.preventDefault();
      showHistory(false);
      const name = link.getAttribute("data-view");
      const current = asks.current();
      // From another view back to the answer that was left there; from the answer to a new question.
      visit(name === "ask" && current && byId("view-ask").hidden ? toHash(current.request) : `#${name}`);
      if (name === "search") finds.focus();
    });
  }
  byId("skip").addEventListener("click", (event) => {
    event.preventDefault(); // what was asked stays in the address
    if (byId("view-ask").hidden) byId("main").focus();
    else compose.focus();
  });
  byId("history-toggle").addEventListener("click", () =>
    showHistory(!byId("rail").classList.contains("history-open")),
  );

  keyboard(
    [
      { key: "/", does: "shortcuts.question", run: () => (enter("ask"), compose.focus()) },
      { key: "n", does: "shortcuts.new", run: () => (visit("#ask"), compose.focus()) },
      { key: "s", does: "shortcuts.search", run: () => (enter("search"), finds.focus()) },
      { key: "c", does: "shortcuts.changes", run: () => visit("#changes") },
      { key: "l", does: "shortcuts.library", run: () => visit("#library") },
      { key: "d", does: "shortcuts.document", run: () => side.open("document") },
      { key: "r", does: "shortcuts.reasoning", run: () => side.open("reasoning") },
      { key: "?", does: "shortcuts.title", run: showShortcuts },
    ],
    asks.openCitation,
    escape,
  );

  /** What can be asked about changes with what the library holds. */
  async function drawComposer() {
    try {
      await loadJurisdictions();
      await loadOffers();
      compose.draw();
    } catch (error) {
      warn(/** @type {Error} */ (error).message);
    }
  }

  await drawComposer();
  const offer = () => offerTheLaw(byId("sample"), byId("sample-found"));
  onLanguage(offer);
  offer();
  follow();
  document.documentElement.dataset.ready = "yes";
}

start();
