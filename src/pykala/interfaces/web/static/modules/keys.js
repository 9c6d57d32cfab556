// @ts-check
// A server that was given keys wants one. It is kept for this tab only and shown nowhere.

import { button, element } from "./elements.js";
import { say } from "./texts.js";

const NAME = "pykala.key";
/** @type {Promise<boolean> | null} */
let asking = null;

export const keyWanted = {
  /** The key of this tab, if one was given. */
  held() {
    try {
      return sessionStorage.getItem(NAME) ?? "";
    } catch {
      return "";
    }
  },

  /** Ask for a key, once for all requests that wait for it; false when the reader declines. */
  ask() {
    asking ??= dialog().finally(() => (asking = null));
    return asking;
  },
};

/** @returns {Promise<boolean>} */
function dialog() {
  return new Promise((resolve) => {
    const field = element("input", {
      type: "password",
      id: "key",
      autocomplete: "current-password",
      required: true,
    });
    const shown = element(
      "dialog",
      { class: "dialog", "aria-labelledby": "key-title", onclose: finish },
      element(
        "form",
        { method: "dialog", onsubmit: keep },
        element("h2", { id: "key-title" }, say("key.title")),
        element("p", {}, say("key.why")),
        element("label", { for: "key" }, say("key.label")),
        field,
        element(
          "div",
          { class: "actions" },
          button({ label: say("cancel"), onclick: () => shown.close("") }),
          element("button", { type: "submit", class: "button strong" }, say("key.use")),
        ),
      ),
    );

    function keep() {
      sessionStorage.setItem(NAME, field.value.trim());
      shown.returnValue = "given";
    }
    function finish() {
      const given = shown.returnValue === "given";
      shown.remove();
      resolve(given);
    }
    document.body.append(shown);
    shown.showModal();
  });
}
