// @ts-check
/**
 * The KV cache of a token and of a sequence, and how many sequences fit beside weights and reserve.
 * @module
 */

import { exact, whole } from "./checks.js";

/** Bytes of 1 GiB: 2^30. */
export const GIB = 1073741824;
/** Bytes of 1 GB: 10^9. */
export const GB = 1000000000;

/**
 * What one token leaves in the cache: 2 (a key and a value) × layers × KV heads × head size × bytes a value.
 * @param {number} n_layers layers of the model
 * @param {number} n_kv_heads heads that keep keys and values in each layer; fewer than the query heads in grouped-query
 *   attention
 * @param {number} head_dim values of one head
 * @param {number} [dtype_bytes] size of one value, bytes
 * @returns {number} Bytes.
 * @throws {SimError} for a value that is no whole number from 1, and for a product above 2^53 − 1
 */
export function kv_bytes_per_token(n_layers, n_kv_heads, head_dim, dtype_bytes = 2) {
  let size = exact("n_layers", 2 * whole("n_layers", n_layers, 1));
  size = exact("n_kv_heads", size * whole("n_kv_heads", n_kv_heads, 1));
  size = exact("head_dim", size * whole("head_dim", head_dim, 1));
  return exact("dtype_bytes", size * whole("dtype_bytes", dtype_bytes, 1));
}

/**
 * What a sequence keeps in the cache: bytes a token × tokens.
 * @param {number} per_token cache of one token, bytes
 * @param {number} tokens length of the sequence, prompt and reply, tokens
 * @returns {number} Bytes.
 * @throws {SimError} for a value that is no whole number from 1, and for a product above 2^53 − 1
 */
export function sequence_bytes(per_token, tokens) {
  return exact("tokens", whole("per_token", per_token, 1) * whole("tokens", tokens, 1));
}

/**
 * What weights and reserve leave of a card: card − weights − reserve, or 0 where they need more than that.
 * @param {number} card memory of the card, bytes
 * @param {number} weights size of the weights, bytes
 * @param {number} reserve kept for everything else, such as activations, bytes
 * @returns {number} Bytes.
 * @throws {SimError} for a value that is no whole number from 0, and for weights and reserve above 2^53 − 1
 */
export function room_bytes(card, weights, reserve) {
  const taken = exact("reserve", whole("weights", weights) + whole("reserve", reserve));
  return Math.max(0, whole("card", card) - taken);
}

/**
 * How many sequences of one size fit at once: floor(room ÷ size).
 * @param {number} room memory for the cache, bytes
 * @param {number} each cache of one sequence, bytes
 * @returns {number} Sequences, as a whole number without unit.
 * @throws {SimError} for a room below 0 and a size below 1
 */
export function sequences_that_fit(room, each) {
  return Math.floor(whole("room", room) / whole("each", each, 1));
}
