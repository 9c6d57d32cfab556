// @ts-check
// The works that a reader follows. The browser keeps them; the server never learns whose they are.

import { note } from "./announcements.js";
import { button } from "./elements.js";
import { remember, remembered } from "./memory.js";
import { say } from "./texts.js";

/** @typedef {{ work: string, title: string }} Followed */

const NAME = "followed";
const MOST = 50; // as many as the server takes in one request

/** @returns {Followed[]} */
export function followed() {
  const kept = remembered(NAME, /** @type {Followed[]} */ ([]));
  return Array.isArray(kept) ? kept.filter((one) => typeof one?.work === "string") : [];
}

/** @param {string} work */
export function isFollowed(work) {
  return followed().some((one) => one.work === work);
}

/** @param {Followed} one @param {boolean} wanted */
export function follow(one, wanted) {
  const others = followed().filter(({ work }) => work !== one.work);
  if (wanted && others.length >= MOST) return note(say("changes.most", { n: MOST }));
  remember(NAME, wanted ? [...others, { work: one.work, title: one.title }] : others);
  note(say(wanted ? "changes.followed" : "changes.unfollowed", { title: one.title }));
}

/**
 * A button that follows a work, or no longer does.
 * @param {{ id: string, title: string, citation: string }} work
 */
export function followButton({ id, title, citation }) {
  const draw = () => {
    const on = isFollowed(id);
    const made = button({
      label: say(on ? "changes.following" : "changes.follow"),
      icon: on ? "answered" : "bell",
      class: "follow",
      "aria-pressed": String(on),
      title: say("changes.follow.means"),
      onclick: () => {
        follow({ work: id, title: title || citation }, !on);
        const next = draw();
        made.replaceWith(next);
        next.focus();
      },
    });
    return made;
  };
  return draw();
}
