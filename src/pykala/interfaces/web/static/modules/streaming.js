// @ts-check
// An answer as it comes: server-sent events over POST, which the browser's EventSource cannot read.

import { Problem, post } from "./server.js";
import { say } from "./texts.js";

/** @typedef {import("./contract.js").Answer} Answer */
/** @typedef {import("./contract.js").Stage} Stage */
/** @typedef {import("./contract.js").Request} Request */

/**
 * @typedef {object} Listener
 * @property {(stage: Stage) => void} stage
 * @property {(answer: Answer) => void} evidence  the answer in the law's own words
 * @property {(piece: { text: string, draft: number }) => void} text  a piece of a model's draft
 */

/**
 * Ask, and call `listener` for each event. Aborting closes the connection, which stops the work.
 * @param {Request} request
 * @param {Listener} listener
 * @param {AbortSignal} signal
 * @returns {Promise<Answer>}
 */
export async function askStreaming(request, listener, signal) {
  const body = Object.fromEntries(Object.entries(request).filter(([, value]) => value));
  const response = await post("/ask", body, { accept: "text/event-stream", signal });
  if (!response.body) throw new Problem({ detail: say("failure.unreachable") });
  for await (const { name, data } of events(response.body)) {
    if (name === "done") return data;
    if (name === "error") throw new Problem(data);
    if (name === "stage" || name === "evidence" || name === "text") listener[name](data);
  }
  // The server ends every stream with `done` or `error`; a stream that just stops was cut off.
  throw new Problem({ detail: say("failure.cut") });
}

/**
 * The events of a stream. They may be cut anywhere by the network: an event ends at its empty line only.
 * @param {ReadableStream<Uint8Array>} body
 * @returns {AsyncGenerator<{ name: string, data: any }>}
 */
export async function* events(body) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let waiting = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      waiting += done ? "\n\n" : decoder.decode(value, { stream: true });
      // A carriage return at the very end may be half of a line's end; it waits for its other half.
      const whole = waiting.endsWith("\r") ? waiting.slice(0, -1) : waiting;
      const blocks = whole.replace(/\r\n?/g, "\n").split("\n\n");
      waiting = (blocks.pop() ?? "") + waiting.slice(whole.length);
      for (const block of blocks) {
        const event = parsed(block);
        if (event) yield event;
      }
      if (done) return;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

/** @param {string} block */
function parsed(block) {
  let name = "message";
  const data = [];
  for (const line of block.split("\n")) {
    if (line.startsWith(":")) continue; // a heartbeat
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "event") name = value;
    if (field === "data") data.push(value);
  }
  return data.length ? { name, data: JSON.parse(data.join("\n")) } : null;
}
