// @ts-check
/** How long a step takes, and the clock that adds steps up without losing a bit. */

import { MOST_WHOLE, SimError, exact, number } from "./checks.js";
import { COST } from "./facts.js";

/** @import { Cost } from "./facts.js" */

/**
 * Seconds of one step: the slower of moving its bytes and doing its arithmetic.
 *
 * `contexts` are the tokens of each chat that writes a word, `reread` the prompt tokens read for
 * the chats that join. bytes = weights + cache of the contexts; FLOP = FLOP a token × (chats +
 * reread); seconds = max(bytes ÷ bandwidth, FLOP ÷ peak) (the roofline model: Williams,
 * Waterman, Patterson, CACM 2009).
 * @param {Iterable<number>} contexts
 * @param {number} reread
 * @param {Readonly<Cost>} [cost]
 * @returns {number}
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
 * Seconds to read the weights and `context` tokens of cache once.
 * @param {number} context
 * @param {Readonly<Cost>} cost
 */
export function memory_seconds(context, cost) {
  return (cost.weights_bytes + cost.kv_bytes_per_token * context) / cost.bandwidth_bytes_per_second;
}

/**
 * Seconds of arithmetic for this many tokens, read or written.
 * @param {number} tokens
 * @param {Readonly<Cost>} cost
 */
export function compute_seconds(tokens, cost) {
  return (cost.flops_per_token * tokens) / cost.peak_flops_per_second;
}

/**
 * The record with every field a number.
 * @param {Readonly<Cost>} cost
 * @returns {Cost}
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
 * `base` is the instant the counters count from. Three counters since `base`: memory-bound steps,
 * the context tokens they read, and the tokens of compute-bound steps. The same three weighted by
 * running chats and by blocks in use run from start to end. Seconds are made from counters at
 * one place, `seconds`.
 */
export class Clock {
  /** @param {Cost} cost */
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
   * Seconds of memory-bound steps and their context tokens, and of compute-bound steps' tokens.
   *
   * (weights × steps + cache a token × context) ÷ bandwidth + FLOP a token × tokens ÷ peak.
   * @param {number} steps
   * @param {number} context
   * @param {number} tokens
   */
  seconds(steps, context, tokens) {
    const cost = this.cost;
    const read = cost.weights_bytes * steps + cost.kv_bytes_per_token * context;
    const computed = cost.flops_per_token * tokens;
    return read / cost.bandwidth_bytes_per_second + computed / cost.peak_flops_per_second;
  }

  /**
   * The present instant in seconds from time 0.
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
   * Nothing to do until `instant`: start counting from there.
   * @param {number} instant
   */
  jump(instant) {
    this.base = instant;
    this.steps = this.context = this.tokens = 0;
  }

  /**
   * Count one step: `context` tokens of cache read, `tokens` computed, chats running, blocks in use.
   * @param {number} context
   * @param {number} tokens
   * @param {number} running
   * @param {number} used
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
   * @param {number} context
   * @param {number} tokens
   */
  memory_bound(context, tokens) {
    return memory_seconds(context, this.cost) >= compute_seconds(tokens, this.cost);
  }

  /** Chats running × seconds, summed over the run. */
  running_seconds() {
    return this.seconds(this.running_steps.value(), this.running_context.value(), this.running_tokens.value());
  }

  /** Blocks in use × seconds, summed over the run. */
  used_seconds() {
    return this.seconds(this.used_steps.value(), this.used_context.value(), this.used_tokens.value());
  }
}
