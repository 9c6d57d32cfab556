// @ts-check
// One question at a time: asks, shows what arrives, keeps what was answered.

import { announce } from "./announcements.js";
import { answerSheet, opened } from "./answer.js";
import { citations } from "./claims.js";
import { copy } from "./clipboard.js";
import { button, element, icon, replace } from "./elements.js";
import { exportAnswer } from "./exports.js";
import { add } from "./history.js";
import { outcomeName } from "./outcomes.js";
import { progress } from "./progress.js";
import { shareLink } from "./requests.js";
import { secondOpinion } from "./second_opinion.js";
import { askStreaming } from "./streaming.js";
import { onLanguage, say } from "./texts.js";
import { followUp, thread } from "./thread.js";

/** @typedef {import("./contract.js").Answer} Answer */
/** @typedef {import("./contract.js").Request} Request */
/** @typedef {import("./history.js").Entry} Entry */

/**
 * @param {HTMLElement} holder
 * @param {object} parts
 * @param {(running: boolean) => void} parts.onrunning
 * @param {(answer: Answer) => void} parts.onanswer
 * @param {(entry: Entry) => void} parts.onkept
 * @param {(opened: import("./addresses.js").Reading) => void} parts.open
 * @param {() => void} parts.reason
 * @param {(request: Request) => void} parts.onfollow
 * @param {(entry: Entry) => void} parts.onrecall
 * @param {() => void} parts.onanew
 */
export function asking(
  holder,
  { onrunning, onanswer, onkept, open, reason, onfollow, onrecall, onanew },
) {
  /** @type {AbortController | null} */
  let running = null;
  /** @type {Entry | null} */
  let current = null;

  /** @param {Request} request */
  async function ask(request) {
    running?.abort();
    const mine = new AbortController();
    running = mine;
    current = null;
    onrunning(true);
    const shown = progress(holder);
    try {
      const listener = {
        stage: shown.stage,
        text: shown.text,
        evidence: (/** @type {Answer} */ answer) => replace(shown.sheet, sheet(request, answer)),
      };
      const answer = await askStreaming(request, listener, mine.signal);
      current = add(request, answer);
      show(current);
      announce(say("answer.ready", { outcome: say(`outcome.${outcomeName(answer)}`) }));
      onkept(current);
    } catch (error) {
      if (running === mine) failed(request, /** @type {Error} */ (error), mine.signal.aborted);
    } finally {
      if (running === mine) {
        running = null;
        onrunning(false);
      }
    }
  }

  /** @param {Entry} entry */
  function show(entry) {
    current = entry;
    replace(
      holder,
      thread(entry, onrecall),
      sheet(entry.request, entry.answer),
      secondOpinion(entry.answer),
      followUp(entry, { onask: onfollow, onanew }),
    );
    const scrolling = holder.querySelector(".primary .long");
    const mark = scrolling?.querySelector("mark");
    if (scrolling && mark)
      scrolling.scrollTop = mark.offsetTop - /** @type {HTMLElement} */ (scrolling).offsetTop - 60;
    // On a phone the answer begins below the question and its controls.
    if (matchMedia("(max-width: 600px)").matches) holder.scrollIntoView({ block: "start" });
    onanswer(entry.answer);
  }

  /** @param {Request} request @param {Answer} answer */
  function sheet(request, answer) {
    return answerSheet(answer, {
      open,
      reason,
      share: () => copy(shareLink(request, answer), say("answer.shared")),
      save: (form) => current && exportAnswer(current, form),
    });
  }

  /** @param {Request} request @param {Error} error @param {boolean} stopped */
  function failed(request, error, stopped) {
    const words = stopped ? say("ask.stopped") : error.message;
    replace(
      holder,
      element(
        "div",
        { class: stopped ? "refusal calm" : "refusal", role: "alert" },
        icon(stopped ? "stop" : "unavailable"),
        element(
          "div",
          {},
          element("p", {}, words),
          stopped ? null : element("p", { class: "hint" }, say("failure.nolaw")),
          button({ label: say("again"), onclick: () => ask(request) }),
        ),
      ),
    );
  }

  onLanguage(() => current && show(current));
  return {
    ask,
    show,
    stop: () => running?.abort(),
    isRunning: () => running !== null,
    current: () => current,
    clear() {
      running?.abort();
      current = null;
      replace(holder);
    },
    /** @param {number} number open the n-th citation */
    openCitation(number) {
      const found = current && [...citations(current.answer).values()][number - 1];
      if (current && found) open(opened(found, current.answer));
    },
  };
}
