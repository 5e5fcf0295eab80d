// @ts-check
/**
 * How long a step takes, and the clock that adds steps up without losing a bit.
 * @module
 */

import { MOST_WHOLE, SimError, exact, number } from "./checks.js";
import { COST } from "./facts.js";

/** @import { Cost } from "./facts.js" */

/**
 * Seconds of one step: the slower of moving its bytes and doing its arithmetic.
 *
 * bytes = weights + cache of the contexts; FLOP = FLOP a token × (chats + reread); seconds = max(bytes ÷ bandwidth,
 * FLOP ÷ peak).
 * @param {Iterable<number>} contexts context of each chat that writes a word, tokens
 * @param {number} reread prompt tokens read for the chats that join
 * @param {Readonly<Cost>} [cost] what a step costs
 * @returns {number} Seconds.
 * @source The roofline model: Williams, Waterman, Patterson, CACM 2009.
 */
export function step_seconds(contexts, reread, cost = COST) {
  let tokens = reread;
  let context = 0;
  for (const length of contexts) {
    tokens += 1;
    context += length;
  }
  return Math.max(memory_seconds(context, cost), compute_seconds(tokens, cost));
}

/**
 * Seconds to read the weights and the cache of a context once.
 * @param {number} context context of all chats together, tokens
 * @param {Readonly<Cost>} cost what a step costs
 * @returns {number} Seconds.
 */
export function memory_seconds(context, cost) {
  return (cost.weights_bytes + cost.kv_bytes_per_token * context) / cost.bandwidth_bytes_per_second;
}

/**
 * Seconds of arithmetic for this many tokens, read or written.
 * @param {number} tokens tokens that are read or written
 * @param {Readonly<Cost>} cost what a step costs
 * @returns {number} Seconds.
 */
export function compute_seconds(tokens, cost) {
  return (cost.flops_per_token * tokens) / cost.peak_flops_per_second;
}

/**
 * The record with every field a double.
 * @param {Readonly<Cost>} cost what a step costs
 * @returns {Cost} A new record, in the same units.
 * @throws {SimError} for a field that is no finite number in range, or a step that takes no time
 */
export function check_cost(cost) {
  if (typeof cost !== "object" || cost === null) throw new SimError("cost", cost, "cost");
  const checked = {
    weights_bytes: number("cost.weights_bytes", cost.weights_bytes, true),
    kv_bytes_per_token: number("cost.kv_bytes_per_token", cost.kv_bytes_per_token),
    flops_per_token: number("cost.flops_per_token", cost.flops_per_token),
    bandwidth_bytes_per_second: number("cost.bandwidth_bytes_per_second", cost.bandwidth_bytes_per_second, true),
    peak_flops_per_second: number("cost.peak_flops_per_second", cost.peak_flops_per_second, true),
  };
  const least = memory_seconds(0, checked);
  if (!(least > 0 && least < Infinity)) throw new SimError("cost.weights_bytes", cost.weights_bytes, "step_time");
  return checked;
}

/** A sum of whole numbers that stays exact past 2^53: a double, and a big integer touched only on overflow. */
class ExactSum {
  constructor() {
    this.low = 0;
    this.high = 0n;
  }

  /** @param {number} a @param {number} b */
  add_product(a, b) {
    const product = a * b;
    const sum = this.low + product;
    if (sum <= MOST_WHOLE) {
      this.low = sum;
    } else {
      this.high += BigInt(this.low) + BigInt(a) * BigInt(b);
      this.low = 0;
    }
  }

  value() {
    return this.high === 0n ? this.low : Number(this.high + BigInt(this.low));
  }
}

/**
 * Time kept as whole counters, so that adding steps one by one or many at once gives the same bits.
 *
 * Seconds are made from counters at one place, `seconds`. The first three counters run from `base`; the weighted ones
 * from start to end.
 * @property {Cost} cost what a step costs
 * @property {number} base instant that the first three count from, seconds from time 0
 * @property {number} steps memory-bound steps since `base`
 * @property {number} context context since `base`, tokens that memory-bound steps read
 * @property {number} tokens tokens since `base` that compute-bound steps read or write
 * @property {ExactSum} running_steps memory-bound steps, each times the chats running
 * @property {ExactSum} running_context context tokens, each step's times the chats running
 * @property {ExactSum} running_tokens compute-bound tokens, each step's times the chats running
 * @property {ExactSum} used_steps memory-bound steps, each times the blocks in use
 * @property {ExactSum} used_context context tokens, each step's times the blocks in use
 * @property {ExactSum} used_tokens compute-bound tokens, each step's times the blocks in use
 */
export class Clock {
  /**
   * @param {Cost} cost what a step costs
   */
  constructor(cost) {
    this.cost = cost;
    this.base = 0;
    this.steps = this.context = this.tokens = 0; // since base
    this.running_steps = new ExactSum(); // each × chats running
    this.running_context = new ExactSum();
    this.running_tokens = new ExactSum();
    this.used_steps = new ExactSum(); // each × blocks in use
    this.used_context = new ExactSum();
    this.used_tokens = new ExactSum();
  }

  /**
   * Seconds that these counts stand for.
   *
   * (weights × steps + cache a token × context) ÷ bandwidth + FLOP a token × tokens ÷ peak.
   * @param {number} steps memory-bound steps
   * @param {number} context context tokens that they read
   * @param {number} tokens tokens of compute-bound steps
   * @returns {number} Seconds.
   */
  seconds(steps, context, tokens) {
    const cost = this.cost;
    const read = cost.weights_bytes * steps + cost.kv_bytes_per_token * context;
    const computed = cost.flops_per_token * tokens;
    return read / cost.bandwidth_bytes_per_second + computed / cost.peak_flops_per_second;
  }

  /**
   * The present instant.
   * @returns {number} Seconds from time 0.
   * @throws {SimError} when time passes the largest double, or a counter 2^53
   */
  now() {
    exact("requests", this.context);
    exact("requests", this.tokens);
    const now = this.base + this.seconds(this.steps, this.context, this.tokens);
    if (now === Infinity) throw new SimError("cost", this.cost, "finite_time");
    return now;
  }

  /**
   * Nothing to do until an instant: start counting from there.
   * @param {number} instant where to go, seconds from time 0
   */
  jump(instant) {
    this.base = instant;
    this.steps = this.context = this.tokens = 0;
  }

  /**
   * Count one step.
   * @param {number} context tokens of cache that it reads
   * @param {number} tokens tokens that it computes
   * @param {number} running chats running
   * @param {number} used blocks in use
   */
  count(context, tokens, running, used) {
    if (this.memory_bound(context, tokens)) {
      this.steps += 1;
      this.context += context;
      this.running_steps.add_product(running, 1);
      this.running_context.add_product(running, context);
      this.used_steps.add_product(used, 1);
      this.used_context.add_product(used, context);
    } else {
      this.tokens += tokens;
      this.running_tokens.add_product(running, tokens);
      this.used_tokens.add_product(used, tokens);
    }
  }

  /**
   * Whether a step waits for its bytes rather than for its arithmetic.
   * @param {number} context tokens of cache that it reads
   * @param {number} tokens tokens that it computes
   * @returns {boolean} Yes or no.
   */
  memory_bound(context, tokens) {
    return memory_seconds(context, this.cost) >= compute_seconds(tokens, this.cost);
  }

  /**
   * Chats running × seconds, summed over the run.
   * @returns {number} Chats × seconds.
   */
  running_seconds() {
    return this.seconds(this.running_steps.value(), this.running_context.value(), this.running_tokens.value());
  }

  /**
   * Blocks in use × seconds, summed over the run.
   * @returns {number} Blocks × seconds.
   */
  used_seconds() {
    return this.seconds(this.used_steps.value(), this.used_context.value(), this.used_tokens.value());
  }
}
