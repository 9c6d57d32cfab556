// @ts-check
// Copying and saving: the two ways in which words leave the page.

import { note, warn } from "./announcements.js";
import { element } from "./elements.js";
import { say } from "./texts.js";

/**
 * @param {string} text
 * @param {string} [what] what was copied, in words
 */
export async function copy(text, what = say("copied")) {
  try {
    await navigator.clipboard.writeText(text);
    note(what);
  } catch {
    // Without the permission, or outside a secure context: a field that can be copied from by hand.
    copyFromField(text) ? note(what) : warn(say("copy.failed"), text);
  }
}

/**
 * @param {string} name
 * @param {string | Blob} content JSON, or a file as the server made it
 */
export function save(name, content) {
  const file = typeof content === "string" ? new Blob([content], { type: "application/json" }) : content;
  const address = URL.createObjectURL(file);
  const link = element("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 0);
}

/** @param {string} text */
function copyFromField(text) {
  const field = element("textarea", { class: "unseen", "aria-hidden": "true" });
  field.value = text;
  document.body.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  return done;
}
