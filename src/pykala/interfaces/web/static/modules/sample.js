// @ts-check
// The sample library is paraphrases: that is said above every answer and document from it, and how to get the
// law itself.

import { copy } from "./clipboard.js";
import { button, element, icon, replace } from "./elements.js";
import { get } from "./server.js";
import { say } from "./texts.js";

/** @typedef {import("./contract.js").Answer} Answer */
/** @typedef {import("./contract.js").Shown} Shown */

const UPLOADS = "up"; // the reader's own documents come from no publisher

/**
 * Whether an answer, or a provision that is shown, comes from the sample.
 * @param {{ caveats: { kind: string }[] }} shown
 */
export function isSample(shown) {
  return shown.caveats.some((one) => one.kind === "SAMPLE");
}

/**
 * The label of the address of a provision: a paraphrase has no official text, the act that it tells of has.
 * @param {{ caveats: { kind: string }[] }} shown
 */
export function officialLabel(shown) {
  return isSample(shown) ? say("official.sample") : say("official");
}

/**
 * The notice above an answer or a document.
 * @param {Answer | Shown} shown
 */
export function sampleNotice(shown) {
  if (!isSample(shown)) return null;
  // Where nothing answers, it is whose law may bear on the question.
  const cited = "provision" in shown ? [shown] : shown.primary ? [shown.primary] : (shown.support ?? []);
  const places = new Set(cited.map((one) => one.provision.split(":", 1)[0]));
  places.delete(UPLOADS);
  return notice(places.size ? [...places] : ["fi"]);
}

/**
 * At the start and above what is searched, where the server has nothing but the sample.
 * @param {HTMLElement[]} holders
 */
export async function offerTheLaw(...holders) {
  let sample = false;
  try {
    sample = (await get("/ready")).sample; // `/library` would count a large library first
  } catch {
    // Whoever cannot be told learns of the sample from its answers.
  }
  for (const holder of holders) replace(holder, sample ? notice(["fi", "ca", "eu", "nyc"]) : null);
}

/** @param {string[]} places */
function notice(places) {
  const command = `pykala get ${places.join(" ")}`;
  return element(
    "div",
    { class: "sample-notice", role: "note", "data-caveat": "SAMPLE" },
    icon("guidance"),
    element(
      "p",
      {},
      element("strong", {}, say("sample.title")),
      " ",
      say("sample.get"),
      " ",
      // The button ends the command's own line, wherever that is broken.
      element(
        "span",
        { class: "command" },
        element("code", {}, command),
        button({ label: say("sample.copy"), icon: "copy", quiet: true, onclick: () => copy(command) }),
      ),
    ),
  );
}
