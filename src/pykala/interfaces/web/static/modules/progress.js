// @ts-check
// What the reader sees while an answer is made: the stages as they end, and a draft as it is written.

import { announce } from "./announcements.js";
import { element, replace } from "./elements.js";
import { say, sayOr } from "./texts.js";
import { milliseconds } from "./trace.js";

/** @typedef {import("./contract.js").Stage} Stage */

/** @param {HTMLElement} holder */
export function progress(holder) {
  const stages = element("ol", { class: "stages", "aria-label": say("progress.label") });
  const draft = element("div", { class: "answer-text draft", hidden: true });
  const sheet = element("div", { class: "arriving" });
  replace(
    holder,
    element(
      "div",
      { class: "working", "aria-busy": "true" },
      element("p", { class: "pulse" }, say("progress.working")),
      stages,
    ),
    draft,
    sheet,
  );
  announce(say("progress.working"));
  let written = 0;

  return {
    sheet,
    /** @param {Stage} stage */
    stage(stage) {
      const name = sayOr(`stage.${stage.stage}`, stage.stage);
      stages.append(
        element(
          "li",
          {},
          element("span", {}, name),
          element("span", { class: "figure" }, milliseconds(stage.ms)),
        ),
      );
    },
    /** @param {{ text: string, draft: number }} piece */
    text(piece) {
      // A draft that failed its checks is written anew; the later one takes its place.
      if (piece.draft !== written) draft.textContent = "";
      written = piece.draft;
      draft.hidden = false;
      draft.append(piece.text);
    },
  };
}
