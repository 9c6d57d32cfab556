// @ts-check
// The reasoning panel: the few nodes that mattered, drawn in the order in which they came in, or as a list.

import { drawing, element, replace } from "./elements.js";
import { layout, noteHeight, touches } from "./graph_layout.js";
import { remember, remembered } from "./memory.js";
import { onLanguage, say, sayOr } from "./texts.js";

/** @typedef {import("./contract.js").Answer} Answer */
/** @typedef {import("./contract.js").ReasoningNode} ReasoningNode */
/** @typedef {import("./contract.js").ReasoningEdge} ReasoningEdge */
/** @typedef {import("./graph_layout.js").Box} Box */

const STEP = 260; // milliseconds between one node and the next
const WORDS = 90; // characters of an edge's words that the drawing shows; the list shows all

/**
 * @param {HTMLElement} holder
 * @param {{ onopen: (provision: string) => void }} options
 */
export function reasoning(holder, { onopen }) {
  /** @type {Answer | null} */
  let answer = null;
  let asList = remembered("reasoning", /** @type {string} */ ("graph")) === "list";
  let drawnWidth = 0;

  /** @param {boolean} moving */
  function draw(moving) {
    const { nodes = [], edges = [] } = answer?.reasoning ?? {};
    if (!answer || !nodes.length)
      return replace(
        holder,
        element("p", { class: "hint" }, say(answer ? "reasoning.none" : "reasoning.empty")),
      );
    const ordered = [...nodes].sort((one, other) => one.order - other.order);
    const place = element("div", { class: "drawing" });
    replace(
      holder,
      element("h2", { class: "unseen" }, say("panel.reasoning")),
      element(
        "div",
        { class: "reasoning-head" },
        element("p", { class: "hint" }, say("reasoning.means", { n: ordered.length })),
        switcher(),
      ),
      asList ? list(ordered, edges) : place,
    );
    if (!asList) {
      drawnWidth = place.clientWidth;
      place.append(picture(ordered, edges, Math.max(drawnWidth, 280), moving && !still()));
    }
  }

  function switcher() {
    const choose = (/** @type {boolean} */ wanted, /** @type {string} */ key) =>
      element(
        "button",
        {
          type: "button",
          class: "choice",
          "aria-pressed": String(asList === wanted),
          onclick: () => ((asList = wanted), remember("reasoning", wanted ? "list" : "graph"), draw(false)),
        },
        say(key),
      );
    return element(
      "div",
      { class: "switch", role: "group", "aria-label": say("reasoning.switch") },
      choose(false, "reasoning.graph"),
      choose(true, "reasoning.list"),
    );
  }

  /** @param {ReasoningNode[]} nodes @param {ReasoningEdge[]} edges */
  function list(nodes, edges) {
    return element(
      "ol",
      { class: "reasoning-list" },
      nodes.map((node) =>
        element(
          "li",
          {},
          element("span", { class: "role" }, roleName(node)),
          element(
            "button",
            { type: "button", class: "place", onclick: () => onopen(node.provision) },
            node.citation,
          ),
          node.heading ? element("span", { class: "support-heading" }, node.heading) : null,
          edges
            .filter(
              (edge) =>
                touches(edge.from, node.provision) && nodes.some((one) => touches(edge.to, one.provision)),
            )
            .map((edge) =>
              element(
                "p",
                { class: "edge-words" },
                `${edgeName(edge.kind)} ${nodes.find((one) => touches(edge.to, one.provision))?.citation ?? edge.to}`,
                // The languages of a translation are named, not quoted: they are nobody's words.
                edge.text ? element(edge.kind === "translation_of" ? "span" : "q", {}, edge.text) : null,
              ),
            ),
        ),
      ),
    );
  }

  /** @param {ReasoningNode[]} nodes @param {ReasoningEdge[]} edges @param {number} width @param {boolean} moving */
  function picture(nodes, edges, width, moving) {
    const made = layout(nodes, edges, width, {
      wrap,
      title: (node) => node.citation,
      note: (node, edge, parent) =>
        edgeNote(
          node,
          edge,
          nodes.slice(1).find((one) => one.provision === parent),
        ),
    });
    const svg = drawing("svg", {
      class: moving ? "graph moving" : "graph",
      viewBox: `-1 -1 ${made.width + 2} ${made.height + 2}`,
      width: made.width + 2,
      height: made.height + 2,
      role: "group",
      "aria-label": say("reasoning.label", { n: nodes.length }),
    });
    for (const one of made.links)
      svg.append(
        later(
          drawing("path", { class: one.dashed ? "edge dashed" : "edge", d: one.path, pathLength: 1 }),
          one.order,
        ),
      );
    made.boxes.forEach((one, index) => svg.append(later(nodeGroup(one, index), index)));
    return svg;
  }

  /** @param {SVGElement} part @param {number} order */
  function later(part, order) {
    part.style.animationDelay = `${order * STEP}ms`;
    return part;
  }

  /** @param {Box} one @param {number} index */
  function nodeGroup(one, index) {
    const { node } = one;
    const said = [
      `${index + 1}.`,
      roleName(node),
      node.citation,
      node.heading,
      one.edge?.text ? `“${one.edge.text}”` : "",
    ]
      .filter(Boolean)
      .join(" ");
    const group = drawing(
      "g",
      {
        class: `node ${index === 0 ? "seed" : ""} of-${node.kind}`,
        role: "button",
        tabindex: "0",
        "aria-label": said,
        "data-provision": node.provision,
        transform: `translate(${one.x} ${one.y})`,
      },
      drawing("title", {}, said),
      one.note.map((line, row) =>
        drawing(
          "text",
          { class: row === 0 ? "edge-kind" : "edge-text", x: 2, y: row * 15 + 10 - noteHeight(one) },
          line,
        ),
      ),
      drawing("rect", { class: "box", width: one.width, height: one.height, rx: 5 }),
    );
    const gap = one.lines.indexOf("");
    one.lines.forEach((line, row) => {
      if (!line) return;
      const heading = row > gap;
      const y = heading ? 10 + gap * 16 + 3 + (row - gap) * 15 - 3 : 10 + (row + 1) * 16 - 4;
      group.append(drawing("text", { class: heading ? "node-heading" : "node-title", x: 10, y }, line));
    });
    group.addEventListener("click", () => onopen(node.provision));
    group.addEventListener("keydown", (event) => {
      const { key } = /** @type {KeyboardEvent} */ (event);
      if (key !== "Enter" && key !== " ") return;
      event.preventDefault();
      onopen(node.provision);
    });
    return group;
  }

  const watcher = new ResizeObserver(() => {
    const width = holder.querySelector(".drawing")?.clientWidth ?? 0;
    // What was drawn while the panel was shut had no width: it is drawn, and builds up, when it opens.
    if (width && Math.abs(width - drawnWidth) > 8) draw(drawnWidth === 0);
  });
  watcher.observe(holder);
  onLanguage(() => draw(false));

  return {
    /** @param {Answer | null} given */
    show(given) {
      answer = given;
      draw(true);
    },
    /** Play it again when the panel is opened. */
    replay: () => draw(true),
  };
}

/** @param {ReasoningNode} node @param {ReasoningEdge | null} edge @param {ReasoningNode | undefined} parent what it hangs on, where that is not the first node */
function edgeNote(node, edge, parent) {
  if (node.order === 0 || node.role === "primary") return [];
  if (!edge) return [roleName(node)];
  // Read from the node: "an exception to it" where the edge leads to what was there before.
  const words =
    edge.text.length > WORDS ? `${edge.text.slice(0, WORDS).replace(/\s+\S*$/, "")} …` : edge.text;
  const kind = touches(edge.from, node.provision)
    ? edgeName(edge.kind)
    : sayOr(`edge.reverse.${edge.kind}`, edgeName(edge.kind));
  return [parent ? `${kind} – ${parent.citation}` : kind, words ? `“${words}”` : ""].filter(Boolean);
}

/** @param {ReasoningNode} node */
function roleName(node) {
  return sayOr(`role.${node.role}`, sayOr(`edge.${node.role}`, node.role));
}

/** @param {string} kind */
function edgeName(kind) {
  return sayOr(`edge.${kind}`, kind.replaceAll("_", " "));
}

function still() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** @type {CanvasRenderingContext2D | null} */
let pen = null;

/**
 * Words in lines of a width, measured as the browser will set them.
 * @param {string} text
 * @param {number} width
 * @param {"title" | "note"} style
 */
function wrap(text, width, style) {
  pen ??= document.createElement("canvas").getContext("2d");
  const face = getComputedStyle(document.body).fontFamily;
  if (pen) pen.font = style === "title" ? `600 13px ${face}` : `12px ${face}`;
  const measure = (/** @type {string} */ line) => pen?.measureText(line).width ?? line.length * 7;
  /** @type {string[]} */
  const lines = [];
  for (const word of text.split(/\s+/)) {
    const longer = lines.length ? `${lines[lines.length - 1]} ${word}` : word;
    if (lines.length && measure(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.map((line) => fitted(line, width, measure));
}

/** @param {string} line @param {number} width @param {(line: string) => number} measure */
function fitted(line, width, measure) {
  let shown = line;
  while (shown.length > 4 && measure(shown) > width) shown = `${shown.slice(0, -2)}…`;
  return shown;
}
