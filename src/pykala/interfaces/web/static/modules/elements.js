// @ts-check
// Elements are built here and nowhere else. Strings become text nodes, never markup: the law and uploads
// are hostile input, and no function of the page takes HTML.

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {Node | string | number | null | undefined | false} Child */
/** @typedef {Record<string, unknown>} Attributes */

/**
 * An HTML element. `on…` attributes are listeners, `class` and `data-…` are attributes, `true` sets an
 * empty attribute, and `false`, `null` and `undefined` leave it away.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  describe(made, attributes);
  fill(made, children.flat());
  return made;
}

/**
 * An SVG element.
 * @param {string} tag
 * @param {Attributes} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {SVGElement}
 */
export function drawing(tag, attributes = {}, ...children) {
  const made = /** @type {SVGElement} */ (document.createElementNS(SVG, tag));
  describe(made, attributes);
  fill(made, children.flat());
  return made;
}

/**
 * An icon of the page's own drawings; it says nothing to a screen reader, the words beside it do.
 * @param {string} name
 */
export function icon(name) {
  return drawing(
    "svg",
    { class: "icon", "aria-hidden": "true" },
    drawing("use", { href: `#icon-${name}` }),
  );
}

/**
 * A button with an icon; `label` is shown unless `quiet`, and then still read out.
 * @param {{ label: string, icon?: string, quiet?: boolean, class?: string, onclick?: (event: Event) => void } & Attributes} options
 * @returns {HTMLButtonElement}
 */
export function button({ label, icon: name, quiet = false, class: style = "", ...rest }) {
  const named = quiet ? { "aria-label": label, title: label } : {};
  return element(
    "button",
    { type: "button", class: `button ${quiet ? "quiet" : ""} ${style}`.trim(), ...named, ...rest },
    name ? icon(name) : null,
    quiet ? null : element("span", {}, label),
  );
}

/**
 * A link that leaves the page. Anything but http and https is shown as text: an address is data, too.
 * @param {string} url
 * @param {string} label
 * @param {Attributes} [attributes]
 */
export function outward(url, label, attributes = {}) {
  if (!/^https?:\/\//i.test(url)) return element("span", attributes, label);
  return element(
    "a",
    { href: url, target: "_blank", rel: "noopener noreferrer", ...attributes },
    label,
    icon("outside"),
  );
}

/**
 * Put new content in place of the old.
 * @param {Element} holder
 * @param {...(Child | Child[])} children
 */
export function replace(holder, ...children) {
  holder.replaceChildren();
  fill(holder, children.flat());
}

/** @param {string} id @returns {HTMLElement} */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no element ${id}`);
  return found;
}

/** @param {Element} made @param {Attributes} attributes */
function describe(made, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith("on") && typeof value === "function") {
      made.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    } else {
      made.setAttribute(name, value === true ? "" : String(value));
    }
  }
}

/** @param {Element} holder @param {Child[]} children */
function fill(holder, children) {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    holder.append(child instanceof Node ? child : String(child));
  }
}
