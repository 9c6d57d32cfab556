// @ts-check
// What the reader sees while an answer is made: the stages that ended, the one under way, and a draft as it
// is written.

import { announce } from "./announcements.js";
import { element, icon, replace } from "./elements.js";
import { say, sayOr } from "./texts.js";
import { milliseconds } from "./trace.js";

/** @typedef {import("./contract.js").Stage} Stage */

/** The stages of a question, in their order; which of them there are depends on the question. */
const STAGES = ["understand", "search", "grade", "pinpoint", "walk", "answer"];

/** @param {HTMLElement} holder */
export function progress(holder) {
  const done = element("ol", { class: "stages", "aria-label": say("progress.label") });
  const now = element("p", { class: "stage-now" });
  const bar = element("progress", { max: STAGES.length, value: 0, "aria-label": say("progress.working") });
  const draft = element("div", { class: "answer-text draft", hidden: true });
  const sheet = element("div", { class: "arriving" });
  replace(
    holder,
    element("div", { class: "working", "aria-busy": "true" }, bar, done, now),
    draft,
    sheet,
  );
  announce(say("progress.working"));
  let written = 0;
  next(-1);

  /** @param {number} reached the stage that ended last */
  function next(reached) {
    bar.value = reached + 1;
    const name = STAGES[reached + 1];
    now.textContent = name ? say(`progress.${name}`) : say("progress.working");
  }

  return {
    sheet,
    /** @param {Stage} stage */
    stage(stage) {
      const name = sayOr(`stage.${stage.stage}`, stage.stage);
      done.append(
        element(
          "li",
          {},
          icon("done"),
          element("span", {}, name),
          element("span", { class: "figure" }, milliseconds(stage.ms)),
        ),
      );
      const reached = STAGES.indexOf(stage.stage);
      if (reached >= bar.value) next(reached);
    },
    /** @param {{ text: string, draft: number }} piece */
    text(piece) {
      // A draft that failed its checks is written anew; the later one takes its place.
      if (piece.draft !== written) draft.textContent = "";
      written = piece.draft;
      draft.hidden = false;
      draft.append(piece.text);
      now.textContent = say("progress.draft");
    },
  };
}
