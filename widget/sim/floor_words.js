// @ts-check
/**
 * What the tool “floor” answers: the time of one step, the ceilings, and where something else takes over.
 * @module
 */

import { MOST_WHOLE, number_between } from "./checks.js";
import { ceiling_tokens_per_second, compute_batch, floor_seconds, overtaking_tokens, pace } from "./floor.js";
import { figure } from "./serving_facts.js";
import { said } from "./tool.js";
import { gb, tenths, whole_number } from "./words.js";

/** @import { Cost } from "./facts.js" */
/** @import { Pace } from "./floor.js" */
/** @import { Answer, Row } from "./tool.js" */

/** The most parameters: 2^50, which are 2^53 bytes at 8 bytes each, so that every count below stays exact. */
export const MOST_PARAMETERS = 1125899906842624;

/**
 * The answer to the settings of the tool “floor”.
 * @param {Record<string, any>} settings parameters from 1 to 2^50, bytes_per_weight from 1/8 to 8 bytes, bandwidth from
 *   1 to 2^53 − 1 bytes per second, batch in chats, context in tokens of each chat
 * @returns {Answer} Sentences, and rows in milliseconds.
 * @throws {SimError} naming the setting that cannot be used
 */
export function floor_answer(settings) {
  const [batch, cost] = [settings.batch, floor_cost(settings)];
  const step = pace(batch, settings.context, cost);
  const seconds = floor_seconds(settings.parameters, settings.bytes_per_weight, settings.bandwidth);
  const lines = {
    floor: said("floor", "lines.floor", { weights: gb(whole_number(cost.weights_bytes)), ms: ms(seconds) }),
    alone: said("floor", "lines.alone", { ceiling: rate_of(ceiling_tokens_per_second(seconds, 1)) }),
    together: said("floor", "lines.together", { batch, ceiling: rate_of(ceiling_tokens_per_second(seconds, batch)) }),
    bound: said("floor", `lines.bound.${step.bound}`),
    ...pace_lines(batch, step, cost),
  };
  return { lines, rows: rows_of(step), lanes: [] };
}

/**
 * What a step costs with these settings: weights and bandwidth of the settings, cache and peak of the facts.
 * @param {Record<string, any>} settings parameters from 1 to 2^50, bytes_per_weight from 1/8 to 8 bytes, bandwidth from
 *   1 to 2^53 − 1 bytes per second
 * @returns {Cost} A record in bytes, operations and their rates per second.
 * @throws {SimError} naming the setting that is out of range
 */
export function floor_cost(settings) {
  const parameters = number_between("parameters", settings.parameters, 1, MOST_PARAMETERS);
  return {
    weights_bytes: parameters * number_between("bytes_per_weight", settings.bytes_per_weight, 0.125, 8),
    kv_bytes_per_token: figure("floor", "kv_bytes_per_token"),
    flops_per_token: 2 * parameters,
    bandwidth_bytes_per_second: number_between("bandwidth", settings.bandwidth, 1, MOST_WHOLE),
    peak_flops_per_second: figure("floor", "peak_flops_per_second"),
  };
}

/** @param {number} batch @param {Pace} step @param {Cost} cost */
function pace_lines(batch, step, cost) {
  const [rate, each] = [rate_of(step.tokens_per_second), rate_of(1 / step.step_seconds)];
  const [peak, kib] = [whole_number(cost.peak_flops_per_second / 1e12), whole_number(cost.kv_bytes_per_token / 1024)];
  return {
    step: said("floor", "lines.step", { batch, ms: ms(step.step_seconds), rate, each }),
    arithmetic: said("floor", "lines.arithmetic", { chats: compute_batch(cost), peak }),
    cache: said("floor", "lines.cache", { tokens: overtaking_tokens(cost), kib }),
  };
}

/** @param {Pace} step @returns {Row[]} */
function rows_of(step) {
  const parts = { weights: step.weights_seconds, cache: step.cache_seconds, compute: step.compute_seconds };
  return Object.entries(parts).map(([name, seconds]) => ({
    group: said("floor", "rows.group"),
    name: said("floor", `rows.${name}`),
    amount: 1000 * seconds,
    text: said("floor", "rows.text", { ms: ms(seconds) }),
    kind: name === "compute" ? "limit" : name === "cache" ? "cost" : "plain",
  }));
}

/** @param {number} seconds */
function ms(seconds) {
  return tenths(1000 * seconds);
}

/** @param {number} tokens_per_second */
function rate_of(tokens_per_second) {
  return whole_number(tokens_per_second);
}
