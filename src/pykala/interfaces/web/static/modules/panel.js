// @ts-check
// The panel beside the answer: the document and the reasoning, as two tabs. On a phone it covers the page.

import { button, byId, element, icon, replace } from "./elements.js";
import { onLanguage, say } from "./texts.js";

const TABS = /** @type {const} */ ([
  ["document", "document"],
  ["reasoning", "graph"],
]);

/** @typedef {"document" | "reasoning"} TabName */

/** @param {{ onclose: () => void }} options */
export function panel({ onclose }) {
  const holder = byId("panel");
  const bodies = {
    document: element("div", {
      id: "tab-document",
      class: "panel-body",
      role: "tabpanel",
      "aria-labelledby": "choose-document",
      tabindex: "0",
    }),
    reasoning: element("div", {
      id: "tab-reasoning",
      class: "panel-body",
      role: "tabpanel",
      "aria-labelledby": "choose-reasoning",
      tabindex: "0",
    }),
  };
  // A panel that covers the page is the page: what lies under it cannot be reached until it is closed.
  const covering = matchMedia("(max-width: 900px)");
  const cover = () => ["rail", "main"].forEach((id) => (byId(id).inert = covering.matches && !holder.hidden));
  covering.addEventListener("change", cover);
  /** @type {HTMLElement | null} */
  let openedFrom = null;
  let wanted = true; // until the reader closes it: then it comes only when called
  /** @type {TabName} */
  let current = "document";
  const bar = element("div", { class: "panel-bar" });
  replace(holder, bar, bodies.document, bodies.reasoning);

  function draw() {
    const tabs = element(
      "div",
      { class: "tabs", role: "tablist", "aria-label": say("panel.label"), onkeydown: arrows },
      TABS.map(([name, picture]) =>
        element(
          "button",
          {
            type: "button",
            class: "tab",
            role: "tab",
            id: `choose-${name}`,
            "aria-controls": `tab-${name}`,
            "aria-selected": String(name === current),
            tabindex: name === current ? "0" : "-1",
            onclick: () => choose(name),
          },
          icon(picture),
          element("span", {}, say(`panel.${name}`)),
        ),
      ),
    );
    replace(
      bar,
      tabs,
      button({
        label: say("panel.close"),
        icon: "close",
        quiet: true,
        class: "panel-close",
        onclick: dismiss,
      }),
    );
    for (const [name] of TABS) bodies[name].hidden = name !== current;
  }

  /** @param {KeyboardEvent} event */
  function arrows(event) {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    choose(current === "document" ? "reasoning" : "document");
    byId(`choose-${current}`).focus();
  }

  /** @param {TabName} name */
  function choose(name) {
    current = name;
    draw();
  }

  /**
   * Open on a tab. The focus goes there when the reader asked for it, and comes back on closing.
   * @param {TabName} name
   * @param {{ focus?: boolean }} [options]
   */
  function open(name, { focus = true } = {}) {
    if (focus && document.activeElement instanceof HTMLElement && !holder.contains(document.activeElement))
      openedFrom = document.activeElement;
    current = name;
    wanted = true;
    holder.hidden = false;
    document.body.classList.add("with-panel");
    draw();
    cover();
    if (focus) bodies[name].focus({ preventScroll: true });
  }

  function close() {
    if (holder.hidden) return false;
    holder.hidden = true;
    document.body.classList.remove("with-panel");
    cover();
    if (openedFrom?.isConnected) openedFrom.focus();
    openedFrom = null;
    onclose();
    return true;
  }

  /** Close it as the reader wishes. */
  function dismiss() {
    wanted = holder.hidden && wanted;
    return close();
  }

  onLanguage(draw);
  draw();
  return {
    open,
    close,
    choose,
    bodies,
    dismiss,
    isWanted: () => wanted,
    isOpen: () => !holder.hidden,
    current: () => current,
  };
}
