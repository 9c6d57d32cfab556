// @ts-check
// Where a text comes from, as readers know it: the publisher. The form it was read from is for those who ask.

import { element } from "./elements.js";

/** @param {string} source such as "Finlex, semantic-finlex" */
export function sourceName(source) {
  const comma = source.lastIndexOf(", ");
  return element("span", { title: source }, comma > 0 ? source.slice(0, comma) : source);
}
