// @ts-check
// A conversation: what was asked before the answer that is shown, and the box for what goes on from it.

import { button, element, icon } from "./elements.js";
import { entries } from "./history.js";
import { OUTCOME_ICONS, isQuoted, outcomeName } from "./outcomes.js";
import { say } from "./texts.js";

/** @typedef {import("./contract.js").Answer} Answer */
/** @typedef {import("./contract.js").Before} Before */
/** @typedef {import("./contract.js").Request} Request */
/** @typedef {import("./history.js").Entry} Entry */

const FURTHEST = 20; // questions of a conversation that are shown
const SHORT = 200; // characters of an earlier answer

/**
 * What a question that goes on from an answer has to know of it.
 * @param {Answer} answer
 * @returns {Before}
 */
export function before(answer) {
  return {
    question: answer.standalone ?? answer.question,
    as_of: answer.dated ? answer.as_of : null,
    jurisdiction: answer.jurisdiction,
    language: answer.language,
  };
}

/**
 * The turns before an answer, the first one first: what was asked, how it was understood, what was answered.
 * Each leads back to its answer where that is kept.
 * @param {Entry} entry
 * @param {(entry: Entry) => void} recall
 */
export function thread(entry, recall) {
  const earlier = [...asked(entry.request)].reverse();
  if (!earlier.length) return null;
  return element(
    "nav",
    { class: "thread", "aria-label": say("thread.label") },
    element("h2", { class: "eyebrow" }, say("thread.label")),
    element("ol", { class: "turns" }, earlier.map(({ question, kept }) => turn(question, kept, recall))),
  );
}

/** @param {string} question @param {Entry | null} kept @param {(entry: Entry) => void} recall */
function turn(question, kept, recall) {
  if (!kept) return element("li", { class: "turn" }, element("span", { class: "turn-question" }, question));
  const { answer } = kept;
  return element(
    "li",
    { class: "turn" },
    element(
      "button",
      { type: "button", class: "place turn-question", lang: answer.language, onclick: () => recall(kept) },
      question,
    ),
    answer.standalone
      ? element("p", { class: "understood" }, say("answer.understood", { question: answer.standalone }))
      : null,
    element(
      "p",
      { class: "turn-answer", lang: answer.language },
      icon(OUTCOME_ICONS[answer.outcome] ?? "silent"),
      element("span", {}, inShort(answer)),
    ),
  );
}

/**
 * The first words of an answer, and where they stand.
 * @param {Answer} answer
 */
function inShort(answer) {
  const words = isQuoted(answer) ? answer.text.replace(/\s*\[L\d+\]/g, "") : say(`outcome.${outcomeName(answer)}`);
  return words.length > SHORT * 1.2 ? `${words.slice(0, SHORT).replace(/\s+\S*$/, "")} …` : words;
}

/**
 * The questions that a request goes on from, the nearest first.
 * @param {Request} request
 * @returns {Generator<{ question: string, kept: Entry | null }>}
 */
function* asked(request) {
  const kept = entries();
  let earlier = request.after;
  for (let count = 0; earlier && count < FURTHEST; count += 1) {
    const wanted = earlier.question;
    const found = kept.find(({ answer }) => (answer.standalone ?? answer.question) === wanted) ?? null;
    yield { question: found?.request.question ?? wanted, kept: found };
    earlier = found?.request.after ?? null;
  }
}

/**
 * The box under an answer: what goes on from it, or a question of its own.
 * @param {Entry} entry
 * @param {{ onask: (request: Request) => void, onanew: () => void }} options
 */
export function followUp(entry, { onask, onanew }) {
  const words = element("input", {
    type: "text",
    id: "follow-up",
    maxlength: 4000,
    autocomplete: "off",
    placeholder: say("thread.placeholder"),
  });
  return element(
    "form",
    {
      class: "follow-up",
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        const question = words.value.trim();
        if (!question) return words.focus();
        const { online, second_opinion } = entry.request;
        onask({
          question,
          as_of: null,
          jurisdiction: null,
          language: null,
          ...(online ? { online } : {}),
          ...(second_opinion ? { second_opinion } : {}),
          after: before(entry.answer),
        });
      },
    },
    element("label", { for: "follow-up", class: "follow-up-label" }, say("thread.follow")),
    element(
      "div",
      { class: "question-box" },
      words,
      element("button", { type: "submit", class: "send" }, element("span", {}, say("ask.send"))),
    ),
    button({ label: say("thread.anew"), onclick: onanew }),
  );
}
