// @ts-check
// Where the nodes of a small graph stand: the first at the top, a trunk below it, the others beside the
// trunk in the order of the trace. Words fit, lines never cross a box, and ten nodes stay readable.

/** @typedef {import("./contract.js").ReasoningNode} ReasoningNode */
/** @typedef {import("./contract.js").ReasoningEdge} ReasoningEdge */
/** @typedef {{ x: number, y: number, width: number, height: number, node: ReasoningNode, edge: ReasoningEdge | null, parent: string | null, lines: string[], note: string[] }} Box */
/** @typedef {{ width: number, height: number, boxes: Box[], links: { path: string, order: number, dashed: boolean }[] }} Layout */
/** @typedef {(text: string, width: number, style: "title" | "note") => string[]} Wrap */

const GAP = 26; // between rows
const GUTTER = 36; // the trunk's own width
const PADDING = 10;
const LINE = 16;
const NOTE_LINE = 15;

/**
 * @param {ReasoningNode[]} nodes in the order of the trace
 * @param {ReasoningEdge[]} edges
 * @param {number} width
 * @param {{ wrap: Wrap, title: (node: ReasoningNode) => string, note: (node: ReasoningNode, edge: ReasoningEdge | null, parent: string | null) => string[] }} words
 * @returns {Layout}
 */
export function layout(nodes, edges, width, words) {
  const [seed, ...others] = nodes;
  if (!seed) return { width, height: 0, boxes: [], links: [] };
  const columns = width >= 400 && others.length > 1 ? 2 : 1;
  const boxWidth = columns === 2 ? (width - GUTTER) / 2 : width - GUTTER;
  const first = box(seed, null, null, columns === 2 ? Math.min(width, 360) : width, words);
  first.x = columns === 2 ? (width - first.width) / 2 : 0;
  const boxes = [first];
  const trunk = columns === 2 ? width / 2 : GUTTER / 2;
  const floor = [first.height + GAP, first.height + GAP];
  others.forEach((node) => {
    const edge = reaching(node, boxes, edges);
    const made = box(node, edge, edge ? otherEnd(edge, node, boxes) : seed.provision, boxWidth, words);
    // The shorter column takes the next one: the order still runs from the top down.
    const column = columns === 2 && floor[1] < floor[0] ? 1 : 0;
    made.x = columns === 2 ? (column === 0 ? 0 : width - boxWidth) : GUTTER;
    made.y = floor[column] + noteHeight(made);
    floor[column] = made.y + made.height + GAP;
    if (columns === 1) floor[1] = floor[0];
    boxes.push(made);
  });
  const height = Math.max(...boxes.map((one) => one.y + one.height)) + 2;
  return {
    width,
    height,
    boxes,
    links: boxes.slice(1).map((one, index) => link(one, boxes, trunk, index + 1, width)),
  };
}

/** @param {Box} made */
export function noteHeight(made) {
  return made.note.length ? made.note.length * NOTE_LINE + 7 : 0;
}

/** @param {ReasoningNode} node @param {ReasoningEdge | null} edge @param {string | null} parent @param {number} width @param {Parameters<typeof layout>[3]} words @returns {Box} */
function box(node, edge, parent, width, words) {
  const inner = width - 2 * PADDING;
  const title = clipped(words.wrap(words.title(node), inner, "title"), 3);
  const heading = node.heading ? clipped(words.wrap(node.heading, inner, "note"), 2) : [];
  const note = words
    .note(node, edge, parent)
    .flatMap((one) => clipped(words.wrap(one, width - 14, "note"), 2));
  const height = 2 * PADDING + title.length * LINE + (heading.length ? heading.length * NOTE_LINE + 3 : 0);
  return { x: 0, y: 0, width, height, node, edge, parent, lines: [...title, "", ...heading], note };
}

/**
 * The first lines; the last of them says that there are more.
 * @param {string[]} lines
 * @param {number} most
 */
function clipped(lines, most) {
  return lines.length <= most
    ? lines
    : [...lines.slice(0, most - 1), `${lines[most - 1].replace(/\s*\S{0,2}$/, "")} …`];
}

/**
 * The edge by which a node came in: one that ties it to a node that is there already, best of all the seed.
 * An edge may end at a section where the node is its subsection, or the other way round.
 * @param {ReasoningNode} node
 * @param {Box[]} boxes
 * @param {ReasoningEdge[]} edges
 */
function reaching(node, boxes, edges) {
  const touching = edges.filter(
    (edge) => touches(edge.from, node.provision) || touches(edge.to, node.provision),
  );
  for (const there of boxes) {
    const found = touching.find((edge) => {
      const far = touches(edge.from, node.provision) ? edge.to : edge.from;
      return touches(far, there.node.provision);
    });
    if (found) return found;
  }
  return null;
}

/** @param {ReasoningEdge} edge @param {ReasoningNode} node @param {Box[]} boxes */
function otherEnd(edge, node, boxes) {
  const far = touches(edge.from, node.provision) ? edge.to : edge.from;
  return boxes.find((one) => touches(far, one.node.provision))?.node.provision ?? null;
}

/** @param {string} one @param {string} other */
export function touches(one, other) {
  return one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`);
}

/** @param {Box} made @param {Box[]} boxes @param {number} trunk @param {number} order @param {number} width */
function link(made, boxes, trunk, order, width) {
  const seed = boxes[0];
  const parent = boxes.find((one) => one.node.provision === made.parent) ?? seed;
  const middle = made.y + made.height / 2;
  const left = made.x > trunk - 1;
  const edgeX = left ? made.x : made.x + made.width;
  const dashed = made.edge === null;
  if (parent === seed) {
    const bend = left ? 7 : -7;
    return {
      path: `M${trunk} ${seed.y + seed.height} V${middle - 7} Q${trunk} ${middle} ${trunk + bend} ${middle} H${edgeX}`,
      order,
      dashed,
    };
  }
  // From a node that is not the seed, the line leaves on the trunk's side and runs along it, a little apart.
  const from = parent.y + parent.height / 2;
  const parentLeft = parent.x > trunk - 1;
  const startX = parentLeft ? parent.x : parent.x + parent.width;
  const lane = Math.max(4, Math.min(width - 4, trunk + (left ? 9 : -9)));
  return { path: `M${startX} ${from + 8} H${lane} V${middle} H${edgeX}`, order, dashed };
}
