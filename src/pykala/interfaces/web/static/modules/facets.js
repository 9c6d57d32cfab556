// @ts-check
// Facets: what was found by place, kind and rank, each a box to tick.

import { element } from "./elements.js";
import { jurisdictionName } from "./jurisdictions.js";
import { number, say, sayOr } from "./texts.js";

/** @typedef {{ value: string, count: number, reason: string }} FacetValue */
/** @typedef {{ jurisdiction: FacetValue[], kind: FacetValue[], authority: FacetValue[] }} Facets */
/** @typedef {"place" | "kind" | "rank"} FacetName */

/**
 * @param {Facets} facets
 * @param {Record<FacetName, string[]>} chosen
 * @param {(name: FacetName, values: string[]) => void} onchange
 */
export function facetList(facets, chosen, onchange) {
  return [
    facet("place", facets.jurisdiction, (one) => jurisdictionName(one.value)),
    facet("kind", facets.kind, (one) => sayOr(`kind.${one.value}`, one.value)),
    facet("rank", facets.authority, (one) => one.reason || rank(one), rank),
  ];

  /** @param {FacetValue} one */
  function rank(one) {
    return say("conflicts.rank.only", { rank: one.value });
  }

  /**
   * @param {FacetName} name
   * @param {FacetValue[]} values
   * @param {(one: FacetValue) => string} words
   * @param {(one: FacetValue) => string} [why]
   */
  function facet(name, values, words, why) {
    const ticked = new Set(chosen[name]);
    // What was ticked stays to be seen, though nothing has it any more.
    const gone = chosen[name].filter((value) => !values.some((one) => one.value === value));
    const all = [...values, ...gone.map((value) => ({ value, count: 0, reason: "" }))];
    if (!all.length) return null;
    return element(
      "fieldset",
      { class: "facet" },
      element("legend", {}, say(`search.${name}`)),
      all.map((one) => {
        const id = `facet-${name}-${one.value}`;
        const box = element("input", {
          type: "checkbox",
          id,
          checked: ticked.has(one.value),
          onchange: () => {
            if (box.checked) ticked.add(one.value);
            else ticked.delete(one.value);
            onchange(name, [...ticked]);
          },
        });
        return element(
          "label",
          { for: id, title: one.reason },
          box,
          element(
            "span",
            { class: "facet-name" },
            words(one),
            one.reason && why ? element("span", { class: "facet-why" }, why(one)) : null,
          ),
          element("span", { class: "figure" }, number(one.count)),
        );
      }),
    );
  }
}
