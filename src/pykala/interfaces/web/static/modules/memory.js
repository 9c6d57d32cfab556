// @ts-check
// What the browser remembers. Storage may be forbidden or full: the page then works, and forgets.

const PREFIX = "pykala.";

/**
 * @template T
 * @param {string} name
 * @param {T} otherwise
 * @returns {T}
 */
export function remembered(name, otherwise) {
  try {
    const kept = localStorage.getItem(PREFIX + name);
    if (kept === null) return otherwise;
    return typeof otherwise === "string" ? /** @type {T} */ (kept) : JSON.parse(kept);
  } catch {
    return otherwise;
  }
}

/**
 * @param {string} name
 * @param {unknown} value
 * @returns {boolean} whether it was kept
 */
export function remember(name, value) {
  try {
    localStorage.setItem(PREFIX + name, typeof value === "string" ? value : JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

/** @param {string} name */
export function forget(name) {
  try {
    localStorage.removeItem(PREFIX + name);
  } catch {
    // Nothing was kept either.
  }
}
