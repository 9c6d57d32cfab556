// @ts-check
// The list of questions asked before: recall, rename, export, delete.

import { shortDate } from "./dates.js";
import { exportAnswer } from "./exports.js";
import { button, element, icon, replace } from "./elements.js";
import { drop, dropAll, entries, onHistory, rename } from "./history.js";
import { jurisdictionName } from "./jurisdictions.js";
import { OUTCOME_ICONS } from "./outcomes.js";
import { onLanguage, say } from "./texts.js";

/** @typedef {import("./history.js").Entry} Entry */

/**
 * @param {HTMLElement} holder
 * @param {{ onrecall: (entry: Entry) => void }} options
 */
export function historyView(holder, { onrecall }) {
  let current = "";
  let renaming = "";

  function draw() {
    const kept = entries();
    replace(
      holder,
      kept.length
        ? element("ul", { class: "history-list" }, kept.map(row))
        : element("p", { class: "hint" }, say("history.empty")),
      kept.length
        ? button({
            label: say("history.clear"),
            class: "small",
            onclick: () => confirm(say("history.clear.sure")) && dropAll(),
          })
        : null,
    );
    const field = holder.querySelector("input");
    field?.focus();
    field?.select();
  }

  /** @param {Entry} one */
  function row(one) {
    return element(
      "li",
      { class: one.id === current ? "history-row current" : "history-row" },
      one.id === renaming ? renameForm(one) : recall(one),
      element(
        "div",
        { class: "row-actions" },
        button({
          label: say("history.rename", { name: title(one) }),
          icon: "rename",
          quiet: true,
          onclick: () => ((renaming = one.id), draw()),
        }),
        button({
          label: say("history.export", { name: title(one) }),
          icon: "download",
          quiet: true,
          onclick: () => exportAnswer(one, "json"),
        }),
        button({
          label: say("history.delete", { name: title(one) }),
          icon: "delete",
          quiet: true,
          onclick: () => remove(one),
        }),
      ),
    );
  }

  /** @param {Entry} one */
  function recall(one) {
    const facts = [
      shortDate(one.answer.as_of),
      one.request.jurisdiction ? jurisdictionName(one.request.jurisdiction) : "",
    ].filter(Boolean);
    return element(
      "button",
      {
        type: "button",
        class: "recall",
        "aria-current": one.id === current ? "true" : null,
        title: one.request.question,
        onclick: () => onrecall(one),
      },
      icon(OUTCOME_ICONS[one.answer.outcome] ?? "silent"),
      element(
        "span",
        {},
        element("span", { class: "recall-title" }, title(one)),
        element("span", { class: "recall-facts" }, facts.join(" · ")),
      ),
    );
  }

  /** @param {Entry} one */
  function renameForm(one) {
    const field = element("input", {
      type: "text",
      value: title(one),
      maxlength: 200,
      "aria-label": say("history.name"),
      onkeydown: keyed,
      onblur: done,
    });
    let over = false;

    /** @param {KeyboardEvent} event */
    function keyed(event) {
      if (event.key === "Enter") done();
      if (event.key === "Escape") {
        event.stopPropagation();
        over = true;
        renaming = "";
        draw();
      }
    }
    function done() {
      if (over) return;
      over = true;
      renaming = "";
      rename(one.id, field.value === one.request.question ? "" : field.value);
    }
    return field;
  }

  /** @param {Entry} one */
  function remove(one) {
    const next = holder.querySelectorAll(".recall");
    const index = entries().findIndex((entry) => entry.id === one.id);
    drop(one.id);
    // The row is gone; the focus goes to the one that took its place.
    const rows = holder.querySelectorAll(".recall");
    /** @type {HTMLElement | undefined} */ (rows[Math.min(index, next.length - 2)])?.focus();
  }

  onHistory(draw);
  onLanguage(draw);
  draw();
  return {
    /** @param {string} id */
    mark(id) {
      current = id;
      draw();
    },
  };
}

/** @param {Entry} one */
export function title(one) {
  return one.name || one.request.question;
}
