// @ts-check
// The server, as the rest of the page sees it: addresses, keys, problems, progress.

import { keyWanted } from "./keys.js";
import { say } from "./texts.js";

const BASE = "/api/v1";

/** @typedef {Record<string, string | number | boolean | string[] | null | undefined>} Parameters_ */

/** A refusal in the server's own words: what happened, why, and what to do next. */
export class Problem extends Error {
  /** @param {{ title?: string, detail?: string, status?: number, code?: string }} told */
  constructor(told) {
    super(told.detail || told.title || say("failure.unknown"));
    this.code = told.code ?? "";
    this.status = told.status ?? 0;
  }
}

/**
 * @param {string} path
 * @param {Parameters_} [parameters]
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
export async function get(path, parameters = {}, signal) {
  return json(await send("GET", path, parameters, { signal }));
}

/**
 * @param {string} path
 * @param {Parameters_} [parameters]
 */
export async function remove(path, parameters = {}) {
  await send("DELETE", path, parameters);
}

/**
 * Post JSON and give the response itself, whose body may be a stream.
 * @param {string} path
 * @param {unknown} body
 * @param {{ accept?: string, prefer?: string, signal?: AbortSignal }} [options]
 */
export function post(path, body, { accept = "application/json", prefer = "", signal } = {}) {
  const headers = { "Content-Type": "application/json", Accept: accept, ...(prefer && { Prefer: prefer }) };
  return send("POST", path, {}, { body: JSON.stringify(body), headers, signal });
}

/**
 * Send a file; only the older interface of the browser tells how far it is.
 * @param {string} path
 * @param {File} file
 * @param {(share: number) => void} progress
 * @returns {Promise<any>}
 */
export function upload(path, file, progress) {
  return new Promise((resolve, reject) => {
    const form = new FormData();
    form.append("file", file);
    const request = new XMLHttpRequest();
    request.open("POST", address(path, {}));
    for (const [name, value] of Object.entries(authority())) request.setRequestHeader(name, value);
    request.responseType = "json";
    request.upload.onprogress = (event) => event.lengthComputable && progress(event.loaded / event.total);
    request.onerror = () => reject(new Problem({ detail: say("failure.unreachable") }));
    request.onload = () =>
      request.status < 300
        ? resolve(request.response)
        : reject(new Problem(request.response ?? { status: request.status }));
    request.send(form);
  });
}

/**
 * @param {string} method
 * @param {string} path
 * @param {Parameters_} parameters
 * @param {RequestInit} [options]
 * @returns {Promise<Response>}
 */
async function send(method, path, parameters, options = {}) {
  let response;
  try {
    const headers = {
      Accept: "application/json",
      .../** @type {Record<string, string>} */ (options.headers),
      ...authority(),
    };
    response = await fetch(address(path, parameters), { ...options, method, headers });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new Problem({ detail: say("failure.unreachable") });
  }
  if (response.status === 401 && (await keyWanted.ask())) return send(method, path, parameters, options);
  if (!response.ok) throw new Problem(await problem(response));
  return response;
}

/** @param {Response} response */
async function json(response) {
  return response.status === 204 ? null : response.json();
}

/** @param {Response} response */
async function problem(response) {
  try {
    return { status: response.status, ...(await response.json()) };
  } catch {
    return { status: response.status, detail: say("failure.status", { status: String(response.status) }) };
  }
}

/** @param {string} path @param {Parameters_} parameters */
function address(path, parameters) {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (Array.isArray(value)) value.forEach((one) => search.append(name, one));
    else if (value !== null && value !== undefined && value !== "") search.set(name, String(value));
  }
  const query = search.toString();
  return BASE + path + (query ? `?${query}` : "");
}

/** @returns {Record<string, string>} */
function authority() {
  const key = keyWanted.held();
  return key ? { Authorization: `Bearer ${key}` } : {};
}
