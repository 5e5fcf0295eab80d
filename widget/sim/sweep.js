// @ts-check
/**
 * One run for each number of seats: where raising the cap stops paying.
 * @module
 */

import { room } from "./budget.js";
import { backlog } from "./chats.js";
import { SimError, whole } from "./checks.js";
import { CAPS, KNEE_GAIN, OPENING } from "./facts.js";
import { serve } from "./server.js";

/** @import { Request } from "./chats.js" */

/**
 * One cap and what its run came to.
 * @typedef {object} Row
 * @property {number} cap most chats at once
 * @property {number | null} tokens_per_second reply tokens of all chats, tokens per second; null when nobody is
 *   served
 * @property {number | null} seconds_per_word mean gap between the tokens of a chat, seconds; null when no reply has
 *   two
 * @property {number | null} running chats running, on average over time; null when nobody is served
 * @property {number} paused pauses to free blocks
 * @property {number} rebuilt_tokens tokens of cache that were computed again after pauses
 */

/**
 * One run for each cap, on the same chats and pool.
 * @param {number} [share] memory share, whole percent from 1 to 100
 * @param {number} [longest] longest chat, tokens of prompt and reply, at least 1
 * @param {readonly number[]} [caps] numbers of chats at once, at least 1 each, in rising order
 * @param {boolean} [reserved] whether every chat sets aside blocks for its longest length
 * @param {readonly Request[] | null} [requests] the chats, in the order in which they arrive; the lesson's list where
 *   none is given
 * @returns {Row[]} One row for each cap, in the same order.
 * @throws {SimError} for a value out of range, caps that do not rise, and settings at which the server does not start
 */
export function sweep(share = OPENING.share, longest = OPENING.longest, caps = CAPS, reserved = false, requests = null) {
  const here = room(share, longest, reserved);
  const waiting = requests === null ? backlog() : requests;
  return check_caps(caps).map((cap) => row_of(cap, waiting, here.blocks, longest, reserved));
}

/**
 * The list itself if it holds at least one cap, each ≥ 1 and above the one before.
 * @param {readonly number[]} caps numbers of chats at once
 * @returns {readonly number[]} The same list, in chats.
 * @throws {SimError} naming the place in the list and the value
 */
export function check_caps(caps) {
  if (!Array.isArray(caps) || caps.length === 0) throw new SimError("caps", caps, "caps");
  caps.forEach((cap, i) => {
    whole(`caps[${i}]`, cap, 1);
    if (i > 0 && cap <= caps[i - 1]) throw new SimError(`caps[${i}]`, cap, "caps");
  });
  return caps;
}

/**
 * @param {number} cap
 * @param {readonly Request[]} requests
 * @param {number} blocks
 * @param {number} longest
 * @param {boolean} reserved
 * @returns {Row}
 */
function row_of(cap, requests, blocks, longest, reserved) {
  const run = serve(requests, cap, blocks, longest, reserved);
  return {
    cap,
    tokens_per_second: run.tokens_per_second,
    seconds_per_word: run.seconds_per_word,
    running: run.running,
    paused: run.paused,
    rebuilt_tokens: run.rebuilt_tokens,
  };
}

/**
 * The first cap whose doubling does not bring enough more tokens a second; the last cap if none does.
 *
 * Enough is `KNEE_GAIN` times as many. Caps whose double is not among the rows decide nothing.
 * @param {readonly Row[]} rows rows of a sweep, in any order
 * @returns {number} Most chats at once.
 * @throws {SimError} for rows without a cap or without a rate, and for no rows
 * @source `knee` in `facts/choices.json`.
 */
export function stops_paying(rows) {
  if (rows.length === 0) throw new SimError("rows", null, "rows");
  /** @type {Map<number, number>} */
  const by_cap = new Map();
  for (const row of [...rows].sort((a, b) => a.cap - b.cap)) {
    if (typeof row.cap !== "number" || typeof row.tokens_per_second !== "number") throw new SimError("rows", null, "rows");
    by_cap.set(row.cap, row.tokens_per_second);
  }
  for (const [cap, rate] of by_cap) {
    const doubled = by_cap.get(2 * cap);
    if (doubled !== undefined && doubled < KNEE_GAIN * rate) return cap;
  }
  return Math.max(...by_cap.keys());
}
