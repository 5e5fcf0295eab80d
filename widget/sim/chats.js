// @ts-check
/**
 * Who is waiting: requests, and the chats that the lesson made up.
 * @module
 */

import { SimError, exact, number, whole } from "./checks.js";
import { CHATS } from "./facts.js";

/**
 * One chat: when it arrives, and how long its prompt and its reply are.
 * @typedef {object} Request
 * @property {number} arrival instant of arrival, seconds from time 0
 * @property {number} prompt length of the prompt, tokens, at least 1
 * @property {number} reply length of the reply, tokens, at least 1
 */

/**
 * One chat: when it arrives, and how long its prompt and its reply are.
 * @param {number} arrival instant of arrival, seconds from time 0
 * @param {number} prompt length of the prompt, tokens, at least 1
 * @param {number} reply length of the reply, tokens, at least 1
 * @returns {Request} The request, unchecked: `serve` looks at it.
 */
export function Request(arrival, prompt, reply) {
  return { arrival, prompt, reply };
}

/**
 * Prompt and reply tokens of a list of chats, in order.
 * @typedef {object} Lengths
 * @property {number[]} prompts length of each prompt, tokens
 * @property {number[]} replies length of each reply, tokens
 */

/**
 * Every chat waits at time 0: a full queue, so the server is never short of work.
 * @param {Lengths} [chats] prompt and reply lengths, tokens; the lesson's where none are given
 * @returns {Request[]} One request for each chat, all at 0 seconds.
 * @throws {SimError} for lists of different lengths
 */
export function backlog(chats = CHATS) {
  if (chats.prompts.length !== chats.replies.length) throw new SimError("chats", chats, "lengths");
  return chats.prompts.map((prompt, i) => Request(0, prompt, chats.replies[i]));
}

/**
 * The same chats with prompt and reply exchanged: short questions, long answers.
 * @param {Lengths} [chats] prompt and reply lengths, tokens; the lesson's where none are given
 * @returns {Lengths} Reply lengths as prompts and prompt lengths as replies, tokens.
 */
export function swapped(chats = CHATS) {
  return { prompts: chats.replies, replies: chats.prompts };
}

/**
 * The requests of a list of chats by its name in the facts: "lesson" or "swapped".
 * @param {string} name name of the list
 * @returns {Request[]} One request for each chat, all at 0 seconds.
 * @throws {SimError} for any other name
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
 * @param {T} requests chats to look at
 * @returns {T} The same list.
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
