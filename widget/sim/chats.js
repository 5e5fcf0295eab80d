// @ts-check
/** Who is waiting: requests, and the 600 chats that the lesson made up (drawn in Python, read from facts). */

import { SimError, exact, number, whole } from "./checks.js";
import { CHATS } from "./facts.js";

/**
 * One chat: when it arrives (seconds from time 0), tokens of its prompt, tokens of its reply.
 * @typedef {Readonly<{arrival: number, prompt: number, reply: number}>} Request
 */

/**
 * One chat: when it arrives (seconds from time 0), tokens of its prompt, tokens of its reply.
 * @param {number} arrival
 * @param {number} prompt
 * @param {number} reply
 * @returns {Request}
 */
export function Request(arrival, prompt, reply) {
  return { arrival, prompt, reply };
}

/**
 * Prompt and reply tokens of a list of chats, in order.
 * @typedef {{prompts: number[], replies: number[]}} Lengths
 */

/**
 * Every chat waits at time 0: a full queue, so the server is never short of work.
 * @param {Lengths} [chats]
 * @returns {Request[]}
 */
export function backlog(chats = CHATS) {
  if (chats.prompts.length !== chats.replies.length) throw new SimError("chats", chats, "lengths");
  return chats.prompts.map((prompt, i) => Request(0, prompt, chats.replies[i]));
}

/**
 * The same chats with prompt and reply exchanged: short questions, long answers.
 * @param {Lengths} [chats]
 * @returns {Lengths}
 */
export function swapped(chats = CHATS) {
  return { prompts: chats.replies, replies: chats.prompts };
}

/**
 * The requests of a list of chats by its name in facts: "lesson" or "swapped".
 * @param {string} name
 * @returns {Request[]}
 * @throws {SimError}
 */
export function chat_list(name) {
  if (name === "lesson") return backlog();
  if (name === "swapped") return backlog(swapped());
  throw new SimError("chats", name, "chats");
}

/**
 * The list itself if every chat can be served as it stands; nothing is sorted or mended.
 *
 * prompt and reply are whole and ≥ 1; arrivals finite, ≥ 0 and not decreasing.
 * @template {readonly Request[]} T
 * @param {T} requests
 * @returns {T}
 * @throws {SimError} naming the chat's place in the list, the field and the value
 */
export function check_requests(requests) {
  if (!Array.isArray(requests)) throw new SimError("requests", requests, "requests");
  let before = 0;
  let total = 0;
  for (let i = 0; i < requests.length; i += 1) {
    const request = requests[i];
    if (!fits(request, before)) name_fault(request, i, before);
    total += request.prompt + request.reply;
    before = request.arrival;
    exact("requests", total);
  }
  return requests;
}

/**
 * @param {Request} request
 * @param {number} before
 */
function fits(request, before) {
  return (
    is_record(request) &&
    Number.isSafeInteger(request.prompt) && request.prompt >= 1 &&
    Number.isSafeInteger(request.reply) && request.reply >= 1 &&
    typeof request.arrival === "number" && request.arrival >= before && request.arrival < 1e307
  );
}

/** @param {unknown} value */
function is_record(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * @param {Request} request
 * @param {number} i
 * @param {number} before
 */
function name_fault(request, i, before) {
  if (!is_record(request)) throw new SimError(`requests[${i}]`, request, "request");
  whole(`requests[${i}].prompt`, request.prompt, 1);
  whole(`requests[${i}].reply`, request.reply, 1);
  const arrival = number(`requests[${i}].arrival`, request.arrival);
  if (arrival < before) throw new SimError(`requests[${i}].arrival`, arrival, "not_earlier", { before });
}
