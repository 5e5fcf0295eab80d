// @ts-check
/**
 * What the bytes of the card are: weights, reserve, pool, unused; and how many chats the pool holds.
 * @module
 */

import { blocks_for } from "./blocks.js";
import { SimError, exact, whole, yes_no } from "./checks.js";
import { BLOCK_BYTES, CARD, MODEL, SERVER } from "./facts.js";

/**
 * Bytes of the card in each part, and the pool in blocks and tokens.
 * @typedef {object} Parts
 * @property {number} weights the model's weights, bytes
 * @property {number} reserve the working reserve, bytes
 * @property {number} pool the cache pool, bytes, in whole blocks
 * @property {number} unused what the server leaves alone, bytes
 * @property {number} allowed what the memory share lets the server use, bytes
 * @property {number} blocks the pool, blocks
 * @property {number} pool_tokens the pool, tokens
 */

/**
 * The parts, and how many chats the pool holds: of the typical length, and of the longest.
 * @typedef {object} Room
 * @property {number} weights the model's weights, bytes
 * @property {number} reserve the working reserve, bytes
 * @property {number} pool the cache pool, bytes, in whole blocks
 * @property {number} unused what the server leaves alone, bytes
 * @property {number} allowed what the memory share lets the server use, bytes
 * @property {number} blocks the pool, blocks
 * @property {number} pool_tokens the pool, tokens
 * @property {boolean} starts whether the pool holds one chat of the longest length; vLLM refuses to start otherwise
 * @property {number} at_longest chats of the longest length that fit at once
 * @property {number} typical chats of the typical length that fit at once
 * @property {number} per_typical blocks of one typical chat
 * @property {number} per_longest blocks of one chat of the longest length
 */

/**
 * Bytes of the card in each part for a memory share in whole percent.
 *
 * allowed = card × share ÷ 100, rounded down; the pool is what is left after weights and reserve, in whole blocks;
 * the rest of the card is unused. A share too small for weights and reserve has no pool.
 * @param {number} share memory share, whole percent from 1 to 100
 * @param {number} [card] memory of the card, bytes; the lesson's card where none is given
 * @returns {Parts} The parts, in bytes, blocks and tokens.
 * @throws {SimError} for a share outside 1 to 100, and for a card that cannot hold weights and reserve or whose bytes
 *   cannot be counted exactly
 * @source vLLM's rule: gpu_memory_utilization × total − weights − what a profiling run needs.
 */
export function memory_parts(share, card = CARD.memory_bytes) {
  whole("share", share, 1, 100);
  whole("card", card);
  const taken = MODEL.weights_bytes + SERVER.reserve_bytes;
  if (card < taken) throw new SimError("card", card, "card", { needs: taken });
  const allowed = Math.floor(exact("card", card * share) / 100);
  const blocks = Math.floor(Math.max(0, allowed - taken) / BLOCK_BYTES);
  const pool = blocks * BLOCK_BYTES;
  return {
    weights: MODEL.weights_bytes,
    reserve: SERVER.reserve_bytes,
    pool,
    unused: card - taken - pool,
    allowed,
    blocks,
    pool_tokens: blocks * SERVER.block_tokens,
  };
}

/**
 * How many chats the pool holds at a memory share (percent) and a longest chat (tokens).
 *
 * `typical` chats fit when blocks are taken as a chat grows; a server that sets aside the full length for each chat
 * fits `at_longest`.
 * @param {number} share memory share, whole percent from 1 to 100
 * @param {number} longest longest chat, tokens of prompt and reply, at least 1
 * @param {boolean} [reserved] whether every chat sets aside blocks for its longest length
 * @returns {Room} The parts, in bytes, blocks and tokens, and the room, in chats.
 * @throws {SimError} for a value out of range
 * @source vLLM starts only when one chat of `max_model_len` fits, and prints the room at that length as “Maximum
 *   concurrency”.
 */
export function room(share, longest, reserved = false) {
  whole("longest", longest, 1);
  yes_no("reserved", reserved);
  const parts = memory_parts(share);
  const per_longest = blocks_for(longest);
  const per_typical = blocks_for(Math.min(SERVER.typical_chat_tokens, longest));
  const at_longest = Math.floor(parts.blocks / per_longest);
  return {
    ...parts,
    starts: at_longest >= 1,
    at_longest,
    typical: reserved ? at_longest : Math.floor(parts.blocks / per_typical),
    per_typical,
    per_longest,
  };
}

/**
 * The smallest memory share (percent) at which one chat of the longest length fits; null if no share does.
 * @param {number} longest longest chat, tokens of prompt and reply, at least 1
 * @returns {number | null} Whole percent, or null.
 * @throws {SimError} for a longest chat below 1
 */
export function smallest_share(longest) {
  const needs =
    MODEL.weights_bytes + SERVER.reserve_bytes + blocks_for(whole("longest", longest, 1)) * BLOCK_BYTES;
  const share = Math.floor((100 * needs + CARD.memory_bytes - 1) / CARD.memory_bytes);
  return share <= 100 ? share : null;
}

/**
 * The longest chat (tokens) that fits the pool of a memory share (percent); 0 when there is no pool.
 * @param {number} share memory share, whole percent from 1 to 100
 * @returns {number} Tokens, a whole number.
 * @throws {SimError} for a share outside 1 to 100
 */
export function largest_longest(share) {
  return memory_parts(share).pool_tokens;
}
