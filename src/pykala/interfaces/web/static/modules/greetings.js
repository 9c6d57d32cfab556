// @ts-check
// A greeting is no question: it is greeted, not looked up in the law.

import { say } from "./texts.js";

/** @param {string} question */
export function isGreeting(question) {
  const said = question.toLowerCase().replace(/^[\s.,!?]+|[\s.,!?]+$/g, "").replace(/\s+/g, " ");
  return say("ask.greetings").split(", ").includes(said);
}
