// @ts-check
/** One run for each number of seats: where raising the cap stops paying. */

import { room } from "./budget.js";
import { backlog } from "./chats.js";
import { SimError, whole } from "./checks.js";
import { CAPS, KNEE_GAIN, OPENING } from "./facts.js";
import { serve } from "./server.js";

/** @import { Request } from "./chats.js" */

/**
 * One cap and what its run came to; rates are null when nobody is served.
 * @typedef {object} Row
 * @property {number} cap
 * @property {number | null} tokens_per_second
 * @property {number | null} seconds_per_word
 * @property {number | null} running
 * @property {number} paused
 * @property {number} rebuilt_tokens
 */

/**
 * One run per cap on the same chats and pool.
 * @param {number} [share]
 * @param {number} [longest]
 * @param {readonly number[]} [caps]
 * @param {boolean} [reserved]
 * @param {readonly Request[] | null} [requests]
 * @returns {Row[]}
 * @throws {SimError} for a value out of range, caps that do not rise, and settings at which the server does not start
 */
export function sweep(share = OPENING.share, longest = OPENING.longest, caps = CAPS, reserved = false, requests = null) {
  const here = room(share, longest, reserved);
  const waiting = requests === null ? backlog() : requests;
  return check_caps(caps).map((cap) => row_of(cap, waiting, here.blocks, longest, reserved));
}

/**
 * The list itself if it holds at least one cap, each ≥ 1 and above the one before.
 * @param {readonly number[]} caps
 * @returns {readonly number[]}
 * @throws {SimError}
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
 * The first cap whose doubling brings under 1.10 times the tokens a second; the last cap if none does.
 * @param {readonly Row[]} rows
 * @returns {number}
 * @throws {SimError} for rows without a cap or without a rate
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
