// @ts-check
/**
 * The floor of a decode step: how long reading the weights takes, and what binds once chats share that reading.
 * @module
 */

import { MOST_WHOLE, SimError, number, whole } from "./checks.js";
import { compute_seconds, memory_seconds } from "./steptime.js";

/** @import { Cost } from "./facts.js" */

/**
 * One decode step in which every chat writes one token.
 * @typedef {object} Pace
 * @property {number} weights_seconds reading the weights, seconds
 * @property {number} cache_seconds reading the cache of all chats, seconds
 * @property {number} compute_seconds arithmetic, seconds
 * @property {number} step_seconds the step, seconds: the longer of reading both and of arithmetic
 * @property {number} tokens_per_second tokens of all chats together, tokens per second
 * @property {string} bound what sets the pace: "memory", "cache" or "compute"
 */

/**
 * The shortest decode step: parameters × bytes a weight ÷ bandwidth.
 * @param {number} parameters numbers in the weights, parameters
 * @param {number} bytes_per_weight size of one, bytes
 * @param {number} bandwidth speed of reading, bytes per second
 * @returns {number} Seconds.
 * @throws {SimError} for a value that is no number above 0, and for a step that takes no time
 * @source Each weight is read once for each step, whatever the batch.
 */
export function floor_seconds(parameters, bytes_per_weight, bandwidth) {
  const size = number("parameters", parameters, true) * number("bytes_per_weight", bytes_per_weight, true);
  const seconds = size / number("bandwidth", bandwidth, true);
  if (!(seconds > 0 && seconds < Infinity) || 1 / seconds === Infinity) throw new SimError("bandwidth", bandwidth, "step_time");
  return seconds;
}

/**
 * Tokens per second when one reading of the weights serves a whole batch and nothing else binds: batch ÷ step.
 * @param {number} step_seconds one step, seconds
 * @param {number} batch chats in a step
 * @returns {number} Tokens per second.
 * @throws {SimError} for a step that is no number above 0, and a batch below 1
 */
export function ceiling_tokens_per_second(step_seconds, batch) {
  return whole("batch", batch, 1) / number("step_seconds", step_seconds, true);
}

/**
 * One decode step, and what binds it: the longer of reading weights and cache, and of arithmetic.
 * @param {number} batch chats in the step
 * @param {number} context tokens that each chat has in the cache
 * @param {Cost} cost what a step costs
 * @returns {Pace} Times in seconds and a rate in tokens per second.
 * @throws {SimError} for a batch below 1, a context below 0, and more tokens together than 2^53
 * @source The roofline model: Williams, Waterman, Patterson, CACM 2009; as in `steptime`.
 */
export function pace(batch, context, cost) {
  const tokens = whole("context", context) * whole("batch", batch, 1);
  if (tokens > MOST_WHOLE) throw new SimError("context", context, "exact", { most: MOST_WHOLE });
  const [read, computed] = [memory_seconds(tokens, cost), compute_seconds(batch, cost)];
  const cache = (cost.kv_bytes_per_token * tokens) / cost.bandwidth_bytes_per_second;
  const weights = memory_seconds(0, cost);
  const step = Math.max(read, computed);
  return {
    weights_seconds: weights,
    cache_seconds: cache,
    compute_seconds: computed,
    step_seconds: step,
    tokens_per_second: batch / step,
    bound: computed > read ? "compute" : cache > weights ? "cache" : "memory",
  };
}

/**
 * The smallest batch whose arithmetic takes at least as long as reading the weights, with nothing in the cache.
 * @param {Cost} cost what a step costs
 * @returns {number} Chats in a step.
 * @throws {SimError} when a token takes no arithmetic, and for a batch of 2^53 or more
 */
export function compute_batch(cost) {
  const weights = memory_seconds(0, cost);
  if (cost.flops_per_token === 0) throw new SimError("cost.flops_per_token", cost.flops_per_token, "number_above");
  const near = estimate("batch", (weights * cost.peak_flops_per_second) / cost.flops_per_token);
  return first_from(Math.max(1, near - 1), (batch) => compute_seconds(batch, cost) >= weights);
}

/**
 * The smallest number of tokens in the cache, of all chats together, that takes as long to read as the weights.
 * @param {Cost} cost what a step costs
 * @returns {number} Tokens.
 * @throws {SimError} when a token leaves nothing in the cache, and for 2^53 tokens or more
 */
export function overtaking_tokens(cost) {
  const each = cost.kv_bytes_per_token;
  if (each === 0) throw new SimError("cost.kv_bytes_per_token", each, "number_above");
  const near = estimate("tokens", cost.weights_bytes / each);
  return first_from(Math.max(0, near - 1), (tokens) => each * tokens >= cost.weights_bytes);
}

/** @param {string} setting @param {number} near */
function estimate(setting, near) {
  if (!(near < MOST_WHOLE - 4)) throw new SimError(setting, near, "exact", { most: MOST_WHOLE });
  return Math.floor(near);
}

/** @param {number} n @param {(n: number) => boolean} holds */
function first_from(n, holds) {
  // The estimate is at most a few last bits off, so that this ends after a step or two.
  while (!holds(n)) n += 1;
  return n;
}
