// @ts-check
// An answer taken away: as Word, PDF or Markdown, which the server makes of its record, or as the record itself.

import { note, warn } from "./announcements.js";
import { save } from "./clipboard.js";
import { element, icon } from "./elements.js";
import { menu } from "./menus.js";
import { canExport } from "./offers.js";
import { post } from "./server.js";
import { say } from "./texts.js";

/** @typedef {"docx" | "pdf" | "md" | "json"} Form */
/** @typedef {import("./history.js").Entry} Entry */

const FORMS = /** @type {const} */ (["docx", "pdf", "md", "json"]);
/** Parts of a record that no document shows; a long one might be too large to send. */
const UNSHOWN = new Set(["trace", "reasoning", "near", "evidence", "path", "unresolved", "second_opinion"]);

/** @param {(form: Form) => void} onchoose */
export function exportMenu(onchoose) {
  return menu(
    [icon("download"), element("span", {}, say("answer.export"))],
    FORMS.map((form) => {
      // The record is kept here; the server writes the rest, and may lack what Word and PDF need.
      const disabled = form !== "json" && !canExport(form);
      const means = disabled ? say("export.missing") : say(`export.${form}.means`);
      return {
        content: [
          element("span", { class: "menu-text" }, say(`export.${form}`)),
          element("span", { class: "menu-name" }, means),
        ],
        run: () => onchoose(form),
        disabled,
      };
    }),
  );
}

/** @param {Entry} entry @param {Form} form */
export async function exportAnswer(entry, form) {
  const name = `${fileName(entry.request.question)}-${entry.answer.as_of}.${form}`;
  if (form === "json") return save(name, `${JSON.stringify(entry.answer, null, 2)}\n`);
  try {
    const record = Object.fromEntries(Object.entries(entry.answer).filter(([key]) => !UNSHOWN.has(key)));
    const response = await post(`/export?form=${form}`, record, { accept: "*/*" });
    save(name, await response.blob());
    note(say("export.done", { file: name }));
  } catch (error) {
    warn(/** @type {Error} */ (error).message);
  }
}

/** @param {string} question */
function fileName(question) {
  const words = question.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-");
  return words.replace(/^-|-$/g, "").slice(0, 60) || "answer";
}
