// @ts-check
// Your own documents: added by drag and drop or by choosing, refused with a reason, removed again.

import { announce, note, warn } from "./announcements.js";
import { button, element, icon, replace } from "./elements.js";
import { bytes, fillSection, section } from "./sections.js";
import { get, remove, upload } from "./server.js";
import { say } from "./texts.js";

/** @param {{ onchange: () => void, onopen: (provision: string) => void }} options */
export function uploadSection({ onchange, onopen }) {
  const made = section("uploads", "");
  const field = element("input", {
    type: "file",
    id: "files",
    class: "unseen",
    multiple: true,
    onchange: chosen,
  });
  const zone = element(
    "label",
    { class: "drop", for: "files", ondragover: over, ondragleave: leave, ondrop: dropped },
    icon("upload"),
    element(
      "span",
      {},
      element("strong", {}, say("uploads.drop")),
      element("span", { class: "hint", id: "upload-limits" }),
    ),
  );
  const running = element("ul", { class: "sending", "aria-live": "polite" });
  const list = element("ul", { class: "rows uploads-list" });
  fillSection(made, element("p", { class: "hint" }, say("uploads.means")), field, zone, running, list);

  function chosen() {
    send([...(field.files ?? [])]);
    field.value = "";
  }

  /** @param {DragEvent} event */
  function over(event) {
    event.preventDefault();
    zone.classList.add("over");
  }
  function leave() {
    zone.classList.remove("over");
  }
  /** @param {DragEvent} event */
  function dropped(event) {
    event.preventDefault();
    leave();
    send([...(event.dataTransfer?.files ?? [])]);
  }

  /** @param {File[]} files */
  async function send(files) {
    // One after another: the library is written by one at a time anyway.
    for (const file of files) await sendOne(file);
    await load();
    onchange();
  }

  /** @param {File} file */
  async function sendOne(file) {
    const bar = element("progress", {
      max: 1,
      value: 0,
      "aria-label": say("uploads.progress", { file: file.name }),
    });
    const words = element("span", { class: "hint" }, say("uploads.sending"));
    const row = element(
      "li",
      { class: "sending-row" },
      element("span", { class: "file" }, file.name),
      bar,
      words,
    );
    running.append(row);
    try {
      const made = await upload("/uploads", file, (share) => {
        bar.value = share;
        if (share === 1) words.textContent = say("uploads.reading");
      });
      row.remove();
      const added = say(made.unchanged ? "uploads.unchanged" : "uploads.added", {
        file: made.title || file.name,
        n: made.provisions,
      });
      note(added);
      announce(added);
      for (const warning of made.warnings ?? [])
        warn(file.name, typeof warning === "string" ? warning : warning.message);
    } catch (error) {
      bar.remove();
      row.classList.add("refused");
      words.textContent = say("uploads.refused", { why: /** @type {Error} */ (error).message });
      row.append(button({ label: say("close"), icon: "close", quiet: true, onclick: () => row.remove() }));
    }
  }

  async function load() {
    try {
      const found = await get("/uploads");
      const limits = made.querySelector("#upload-limits");
      if (limits)
        limits.textContent = say("uploads.limits", {
          formats: found.formats.join(" "),
          size: bytes(found.limit_bytes),
        });
      field.accept = found.formats.join(",");
      field.disabled = !found.writable;
      zone.classList.toggle("closed", !found.writable);
      replace(
        list,
        found.uploads.length ? found.uploads.map(row) : element("li", { class: "hint" }, say("uploads.none")),
      );
    } catch (error) {
      replace(list, element("li", { class: "refusal" }, /** @type {Error} */ (error).message));
    }
  }

  /** @param {{ work: string, title: string, file: string, provisions: number, bytes: number }} one */
  function row(one) {
    // A title that only repeats the name of the file says nothing more.
    const name = one.title && !one.title.includes(one.file) ? one.title : one.file;
    return element(
      "li",
      {},
      element(
        "span",
        { class: "row-words" },
        element("button", { type: "button", class: "place", onclick: () => onopen(one.work) }, name),
        element(
          "span",
          { class: "hint" },
          [
            one.file !== name ? one.file : "",
            say("uploads.provisions", { n: one.provisions }),
            one.bytes ? bytes(one.bytes) : "",
          ]
            .filter(Boolean)
            .join(" · "),
        ),
      ),
      button({
        label: say("uploads.delete", { file: name }),
        icon: "delete",
        quiet: true,
        onclick: () => forget(one.work, name),
      }),
    );
  }

  /** @param {string} work @param {string} name */
  async function forget(work, name) {
    if (!confirm(say("uploads.delete.sure", { file: name }))) return;
    try {
      await remove("/uploads", { work });
      note(say("uploads.deleted", { file: name }));
    } catch (error) {
      warn(/** @type {Error} */ (error).message);
    }
    await load();
    onchange();
  }

  load();
  return made;
}
