// @ts-check
// What the reader's key is good for here; what it is not good for is not offered.

import { get } from "./server.js";

/** @typedef {{ rights: string[], writable: boolean, publishers: string[] }} Rights */

/** @type {Promise<Rights> | null} */
let asked = null;

/** @returns {Promise<Rights>} */
export function rights() {
  asked ??= get("/rights").catch(() => {
    asked = null; // asked again the next time
    return { rights: [], writable: false, publishers: [] };
  });
  return asked;
}

/** @param {Rights} held whether caches may be emptied */
export function mayAdminister(held) {
  return held.rights.includes("administer");
}

/** @param {Rights} held whether works of the library may be removed */
export function mayDelete(held) {
  return held.writable && held.rights.includes("delete");
}
