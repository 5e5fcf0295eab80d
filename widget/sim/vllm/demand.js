// @ts-check
/**
 * Chats that must fit at once: read, decided, and the smallest changes for them.
 * @module
 */

import { required_blocks_for } from "./capacity.js";
import { fixes_of } from "./fixes.js";
import { PlanError } from "./refuse.js";

const KIND = /^([1-9][0-9]{0,6})x([1-9][0-9]{0,8})$/;

/** @typedef {import("./fixes.js").Fixes} Fixes */
/** @typedef {import("./trial.js").Trial} Trial */

/** So many kinds of chats may be asked for, a count without unit. */
export const MOST_KINDS = 100;

/**
 * What is asked for, and whether it is met.
 * @typedef {object} Demand
 * @property {number[][]} chats pairs: how many chats, and tokens of each
 * @property {number} count chats altogether
 * @property {number} longest longest of them, tokens
 * @property {number} needed_blocks blocks of the pool that they need, with the one that vLLM keeps
 * @property {number} blocks blocks of the pool
 * @property {boolean} met whether the server starts and has room for all of them at once
 * @property {string} lacks what is missing, in the order in which it is looked at: "start", "longest", "seats", "room"
 *   or nothing
 */

/**
 * Chats from their text: 8x32000, or several with commas.
 * @param {any} value text as somebody wrote it, such as "8x32000,4x8000"
 * @returns {number[][]} Pairs of how many chats and how many tokens each.
 * @throws {PlanError} for anything else
 */
export function read_chats(value) {
  const parts = typeof value === "string" ? value.split(",") : [];
  const matches = parts.slice(0, MOST_KINDS + 1).map((part) => KIND.exec(part));
  if (parts.length < 1 || parts.length > MOST_KINDS || matches.includes(null)) {
    throw new PlanError("require_chats", value, "require_chats");
  }
  return matches.map((match) => {
    const found = /** @type {RegExpExecArray} */ (match);
    return [Number(found[1]), Number(found[2])];
  });
}

/**
 * Whether a server has room for some chats at once.
 * @param {Trial} at settings, budget and verdict of the server
 * @param {number[][]} chats pairs: how many chats, and tokens of each
 * @returns {Demand} What they need and whether there is so much.
 * @throws {PlanError} for chats that need more blocks than both languages can count
 */
export function demand_of(at, chats) {
  const { settings, budget } = at;
  let count = 0;
  let longest = 0;
  let needed = 0;
  for (const [number, tokens] of chats) {
    count = count + number;
    longest = Math.max(longest, tokens);
  }
  for (const of of budget.stages) needed = Math.max(needed, required_blocks_for(settings, of.layout, chats));
  let lacks = "";
  if (at.verdict.outcome === "refuses") lacks = "start";
  else if (longest > at.verdict.longest) lacks = "longest";
  else if (count > settings.seats) lacks = "seats";
  else if (needed > budget.blocks) lacks = "room";
  return { chats, count, longest, needed_blocks: needed, blocks: budget.blocks, met: lacks === "", lacks };
}

/**
 * The smallest changes that make room for some chats at once.
 * @param {Trial} at settings, budget and verdict of the server
 * @param {number[][]} chats pairs: how many chats, and tokens of each
 * @returns {Fixes} The changes, the cheapest first.
 * @throws {PlanError} for chats that need more blocks than both languages can count
 */
export function demand_fixes(at, chats) {
  const asked = demand_of(at, chats);
  return fixes_of(at, (other) => met(other, chats), asked.longest, asked.count);
}

/**
 * @param {Trial} at
 * @param {number[][]} chats
 * @returns {boolean}
 */
function met(at, chats) {
  try {
    return demand_of(at, chats).met;
  } catch (error) {
    if (error instanceof PlanError) return false;
    throw error;
  }
}
