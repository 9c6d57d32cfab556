// @ts-check
// The question and what it is asked of: a jurisdiction, a language, a date.

import { note } from "./announcements.js";
import { chips } from "./chips.js";
import { isDay, today } from "./dates.js";
import { button, element, icon, replace } from "./elements.js";
import { exampleList } from "./examples.js";
import { isGreeting } from "./greetings.js";
import { homeChoice, homePlace } from "./home.js";
import { jurisdictionName, jurisdictions, languageName, languagesOf } from "./jurisdictions.js";
import { asksPublishers, hasSecondOpinion } from "./offers.js";
import { onLanguage, say, sayOr } from "./texts.js";

/** @typedef {import("./contract.js").Request} Request */

/**
 * @param {HTMLElement} holder
 * @param {{ onask: (request: Request) => void, onstop: () => void }} options
 */
export function composer(holder, { onask, onstop }) {
  const chosen = { jurisdiction: "", language: "", dated: false, day: today(), web: false, publishers: false };
  let running = false;
  let examples = true;
  let answered = ""; // the question whose answer is shown

  const question = element("textarea", {
    id: "question",
    rows: 2,
    maxlength: 4000,
    autocomplete: "off",
    spellcheck: "true",
    onkeydown: keyed,
    oninput: changed,
  });
  const controls = element("div", { class: "controls" });
  const suggestions = element("div", { class: "examples" });
  const send = element("button", { type: "submit", class: "send" });
  const label = element("label", { for: "question", class: "question-label" });
  const form = element(
    "form",
    { class: "composer", role: "search", onsubmit: submitted },
    label,
    element("div", { class: "question-box" }, question, send),
    controls,
  );
  replace(holder, form, suggestions);
  // The panel beside it makes the question narrower, and so higher.
  let width = 0;
  new ResizeObserver(() => {
    if (question.clientWidth === width) return;
    width = question.clientWidth;
    grow();
  }).observe(question);
  const view = holder.closest(".view");

  /** @param {Event} event */
  function submitted(event) {
    event.preventDefault();
    if (running) return onstop();
    const asked = request();
    if (!asked.question) return question.focus();
    if (isGreeting(asked.question)) return note(say("ask.hello"));
    onask(asked);
  }

  /** @param {KeyboardEvent} event */
  function keyed(event) {
    // Enter asks, Shift+Enter begins a new line; an input method's own Enter is left to it.
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    if (!running) form.requestSubmit();
  }

  function changed() {
    grow();
    document.body.classList.toggle("edited", question.value.trim() !== answered);
  }

  function grow() {
    question.style.height = "auto";
    question.style.height = `${Math.min(question.scrollHeight, 240)}px`;
  }

  /** @returns {Request} */
  function request() {
    return {
      question: question.value.trim(),
      as_of: chosen.dated && isDay(chosen.day) ? chosen.day : null,
      jurisdiction: chosen.jurisdiction || null,
      language: chosen.language || null,
      ...(!chosen.jurisdiction && homePlace() ? { home: homePlace() } : {}),
      ...(chosen.publishers && asksPublishers() ? { online: true } : {}),
      ...(chosen.web && hasSecondOpinion() ? { second_opinion: true } : {}),
    };
  }

  function draw() {
    label.textContent = say("ask.label");
    question.placeholder = placeholder();
    replace(
      controls,
      jurisdictionChips(),
      languageChips(),
      dateControl(),
      asksPublishers() && publisherChips(),
      hasSecondOpinion() && secondOpinionChips(),
    );
    drawSend();
    drawExamples();
  }

  /** With a citation of the place that is asked about, or of the first that is held. */
  function placeholder() {
    const place = chosen.jurisdiction || homePlace() || jurisdictions()[0]?.code;
    const citation = sayOr(`ask.cited.${place}`, "");
    return citation ? say("ask.placeholder", { citation }) : say("ask.placeholder.plain");
  }

  function drawSend() {
    const words = say(running ? "ask.stop" : "ask.send");
    replace(send, icon(running ? "stop" : "send"), element("span", {}, words));
    send.classList.toggle("running", running);
  }

  function drawExamples() {
    suggestions.hidden = !examples;
    view?.classList.toggle("beginning", examples);
    if (examples) exampleList(suggestions, chosen.jurisdiction, chosen.language, take);
  }

  function jurisdictionChips() {
    const codes = new Set(jurisdictions().map((one) => one.code));
    // A link may ask about one of which nothing is held; what is asked for is always to be seen.
    if (chosen.jurisdiction) codes.add(chosen.jurisdiction);
    const choices = [...codes].map((code) => ({ value: code, label: jurisdictionName(code) }));
    const home = homeChoice();
    home.hidden = Boolean(chosen.jurisdiction);
    const row = chips({
      name: "jurisdiction",
      legend: say("ask.jurisdiction"),
      choices: [{ value: "", label: say("jurisdiction.all") }, ...choices],
      value: chosen.jurisdiction,
      onchange: (value) => {
        chosen.jurisdiction = value;
        home.hidden = Boolean(value);
        if (!languagesOf(value || null).includes(chosen.language)) chosen.language = "";
        controls.children[1].replaceWith(languageChips());
        question.placeholder = placeholder();
        drawExamples();
      },
    });
    row.querySelector(".chip-row")?.append(home);
    return row;
  }

  function languageChips() {
    const choices = languagesOf(chosen.jurisdiction || null).map((code) => ({
      value: code,
      label: code.toUpperCase(),
      hint: languageName(code),
    }));
    return chips({
      name: "language",
      legend: say("ask.language"),
      choices: [{ value: "", label: say("ask.language.auto"), hint: say("ask.language.hint") }, ...choices],
      value: chosen.language,
      onchange: (value) => {
        chosen.language = value;
        drawExamples();
      },
    });
  }

  function dateControl() {
    const field = element("input", {
      type: "date",
      id: "as-of",
      value: chosen.day,
      "aria-label": say("ask.date.field"),
      min: "1700-01-01",
      max: "2200-12-31",
      hidden: !chosen.dated,
      onchange: () => (chosen.day = field.value),
    });
    const row = chips({
      name: "dated",
      legend: say("ask.date"),
      choices: [
        { value: "today", label: say("ask.date.today"), hint: say("ask.date.hint") },
        { value: "dated", label: say("ask.date.on") },
      ],
      value: chosen.dated ? "dated" : "today",
      onchange: (value) => {
        chosen.dated = value === "dated";
        field.hidden = !chosen.dated;
        if (chosen.dated) field.focus();
      },
    });
    row.querySelector(".chip-row")?.append(field);
    return row;
  }

  /** Off until the reader says otherwise, each time: it sends words of the question away, and takes its time. */
  function publisherChips() {
    return chips({
      name: "publishers",
      legend: say("ask.online"),
      choices: [
        { value: "no", label: say("ask.online.no") },
        { value: "yes", label: say("ask.online.yes"), hint: say("ask.online.hint") },
      ],
      value: chosen.publishers ? "yes" : "no",
      onchange: (value) => (chosen.publishers = value === "yes"),
    });
  }

  /** Off until the reader says otherwise, each time: it sends the question away, and may cost. */
  function secondOpinionChips() {
    return chips({
      name: "second-opinion",
      legend: say("ask.second_opinion"),
      choices: [
        { value: "no", label: say("ask.second_opinion.no") },
        { value: "yes", label: say("ask.second_opinion.yes"), hint: say("ask.second_opinion.hint") },
      ],
      value: chosen.web ? "yes" : "no",
      onchange: (value) => (chosen.web = value === "yes"),
    });
  }

  /** @param {Request} wanted */
  function take(wanted) {
    set(wanted);
    onask(request());
  }

  /** @param {Request} wanted */
  function set(wanted) {
    question.value = wanted.question;
    chosen.jurisdiction = wanted.jurisdiction ?? "";
    chosen.language = wanted.language ?? "";
    chosen.dated = Boolean(wanted.as_of);
    chosen.day = wanted.as_of ?? today();
    draw();
    grow();
  }

  onLanguage(draw);
  draw();
  return {
    request,
    set,
    draw,
    focus: () => question.focus(),
    /** @param {boolean} now */
    setRunning(now) {
      running = now;
      examples = false;
      answered = question.value.trim();
      changed();
      drawSend();
      drawExamples();
    },
    /** Begin anew: an empty question, and the examples back. */
    clear() {
      examples = true;
      set({ question: "", as_of: null, jurisdiction: chosen.jurisdiction, language: null });
      question.focus();
    },
  };
}
