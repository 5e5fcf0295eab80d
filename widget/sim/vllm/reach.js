// @ts-check
/**
 * How far each lever goes before a server that starts refuses, and how many chats it has room for.
 * @module
 */

import { chat_bytes, chats_of, estimated_longest, required_blocks_for } from "./capacity.js";
import { CHUNKED_FROM } from "./levers.js";
import { bounded } from "./pages.js";
import { pool_by_hand, pool_bytes } from "./pool.js";
import { PlanError } from "./refuse.js";
import { first_that_does, last_that_does } from "./search.js";
import { FINE, share_free } from "./shares.js";
import { tried } from "./trial.js";

/** @typedef {import("./trial.js").Trial} Trial */

/** Lengths of chats for which the room is said, tokens. */
export const TYPICAL = [500, 1000, 2000, 4000, 8000, 16000, 32000, 64000, 128000];
/** No lever is followed further than this: tokens and chats, 2^20. */
export const MOST = 1048576;

/**
 * How far one lever goes with everything else as it is.
 * @typedef {object} Way
 * @property {string} lever name of the setting
 * @property {number} now what it is set to, in the setting's own unit
 * @property {number} least the smallest value that still starts, in the same unit
 * @property {number} most the largest value that still starts, in the same unit
 * @property {string} stops name of the refusal above the largest; nothing where the search ended
 */

/**
 * How many chats of one length fit at once.
 * @typedef {object} Room
 * @property {number} tokens length of each chat, tokens
 * @property {number} chats how many fit, chats
 */

/**
 * What a server that starts could do.
 * @typedef {object} Reach
 * @property {Way[]} ways how far each lever goes
 * @property {Room[]} rooms chats by their length, the longest last
 * @property {number} one_chat_bytes the smallest kv_cache_memory_bytes with which one longest chat runs, bytes of each
 *   card
 * @property {number | null} seats_bytes the same for a longest chat in every seat, bytes of each card; nothing where it
 *   cannot be counted
 * @property {number} share_free the largest share that the free memory allows now, from 0 to 1
 */

/**
 * How far each lever goes, and the room for typical chats beside that for the longest.
 * @param {Trial} at settings, budget and verdict of a server that starts
 * @returns {Reach} Levers, rooms, and what a pool of just the right size takes.
 * @throws {PlanError} for sizes that both languages cannot hold exactly
 */
export function reach_of(at) {
  return {
    ways: [...share_ways(at), longest_way(at), seats_way(at), tokens_way(at)],
    rooms: rooms_of(at),
    one_chat_bytes: pool_for(at, 1),
    seats_bytes: all_seats(at),
    share_free: share_free(at),
  };
}

/**
 * How many chats of typical lengths, and of the longest, fit at once.
 * @param {Trial} at settings, budget and verdict of the server
 * @returns {Room[]} Lengths in tokens with their chats, the longest last.
 */
export function rooms_of(at) {
  const longest = at.verdict.longest;
  const stage = at.budget.stages[at.budget.stage];
  const lengths = [...TYPICAL.filter((tokens) => tokens < longest), longest];
  return lengths.map((tokens) => {
    const chats = chats_of(at.settings, stage.layout, at.budget.blocks, tokens);
    return { tokens, chats };
  });
}

/**
 * The pool that holds some longest chats at once, no byte more: what kv_cache_memory_bytes may be set to.
 * @param {Trial} at settings, budget and verdict of the server
 * @param {number} chats how many chats, each as long as the longest
 * @returns {number} Bytes of each card.
 * @throws {PlanError} for sizes that both languages cannot hold exactly
 */
export function pool_for(at, chats) {
  let most = 0;
  for (const of of at.budget.stages) {
    const blocks = required_blocks_for(at.settings, of.layout, [[chats, at.verdict.longest]]);
    const tried_bytes = chat_bytes(at.settings, of.layout, at.verdict.longest);
    const kept = at.settings.rules.null_block ? of.layout.block_bytes : 0;
    most = Math.max(most, bounded("max_num_seqs", blocks * of.layout.block_bytes), tried_bytes + kept);
  }
  return most;
}

/**
 * @param {Trial} at
 * @returns {number | null}
 */
function all_seats(at) {
  let pool;
  try {
    pool = pool_for(at, at.settings.seats);
  } catch (error) {
    if (error instanceof PlanError) return null;
    throw error;
  }
  return pool <= at.budget.total_bytes * FINE ? pool : null;
}

/**
 * @param {Trial} at
 * @param {Record<string, any>} changes
 * @returns {boolean}
 */
function starts_with(at, changes) {
  const other = tried(at, changes);
  return other !== null && other.verdict.outcome !== "refuses";
}

/**
 * @param {Trial} at
 * @param {Record<string, any>} changes
 * @returns {string}
 */
function stops_at(at, changes) {
  const other = tried(at, changes);
  if (other === null || other.verdict.refusal === null) return "";
  return other.verdict.refusal.key;
}

/**
 * @param {Trial} at
 * @returns {Way[]}
 */
function share_ways(at) {
  // Of a pool that was set by hand the share says nothing.
  return pool_by_hand(at.settings) ? [] : [share_way(at)];
}

/**
 * @param {Trial} at
 * @returns {Way}
 */
function share_way(at) {
  const share = at.settings.share;
  const now = Math.floor(share * FINE);
  /** @param {number} n */
  const does = (n) => starts_with(at, { gpu_memory_utilization: n / FINE });
  const down = now - Math.floor((Math.max(0, at.verdict.spare_bytes) / at.budget.total_bytes) * FINE);
  const least = first_that_does(does, 1, now, down);
  const most = last_that_does(does, now + 1, FINE, Math.floor(share_free(at) * FINE));
  const top = most === null ? now : most;
  return {
    lever: "gpu_memory_utilization",
    now: share,
    least: least === null ? share : least / FINE,
    most: most === null ? share : most / FINE,
    stops: top === FINE ? "" : stops_at(at, { gpu_memory_utilization: (top + 1) / FINE }),
  };
}

/**
 * @param {Trial} at
 * @param {string} lever
 * @param {number} now
 * @param {number} least
 * @param {number} most
 * @param {number} guess
 * @returns {Way}
 */
function upward(at, lever, now, least, most, guess) {
  const found = last_that_does((n) => starts_with(at, { [lever]: n }), now + 1, most, Math.max(now + 1, guess));
  const top = found === null ? now : found;
  const stops = top >= MOST ? "" : stops_at(at, { [lever]: top + 1 });
  return { lever, now, least, most: top, stops };
}

/**
 * @param {Trial} at
 * @returns {Way}
 */
function longest_way(at) {
  const settings = at.settings;
  const now = at.verdict.longest;
  let most = settings.model.longest || MOST;
  if (!settings.chunked && now <= CHUNKED_FROM) most = Math.min(most, CHUNKED_FROM);
  let guess = most;
  for (const [stage, of] of at.budget.stages.entries()) {
    const longer = { ...settings, longest: most };
    guess = Math.min(guess, estimated_longest(longer, of.layout, pool_bytes(settings, at.budget, stage)));
  }
  return upward(at, "max_model_len", now, 1, most, guess);
}

/**
 * @param {Trial} at
 * @returns {Way}
 */
function seats_way(at) {
  const most = Math.max(at.settings.seats, at.settings.batched_tokens);
  return upward(at, "max_num_seqs", at.settings.seats, 1, most, most);
}

/**
 * @param {Trial} at
 * @returns {Way}
 */
function tokens_way(at) {
  const settings = at.settings;
  const now = settings.batched_tokens;
  const least = Math.max(settings.seats, settings.chunked ? 1 : settings.longest);
  return upward(at, "max_num_batched_tokens", now, Math.min(now, least), MOST, now * 2);
}
