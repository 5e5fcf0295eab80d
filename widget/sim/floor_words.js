// @ts-check
/**
 * What the tool “floor” answers: the time of one step, the ceilings, and where something else takes over.
 * @module
 */

import { ceiling_tokens_per_second, compute_batch, floor_seconds, overtaking_tokens, pace } from "./floor.js";
import { figure } from "./serving_facts.js";
import { said } from "./tool.js";
import { gb, tenths, whole_number } from "./words.js";

/** @import { Cost } from "./facts.js" */
/** @import { Pace } from "./floor.js" */
/** @import { Answer, Row } from "./tool.js" */

/**
 * The answer to the settings of the tool “floor”.
 * @param {Record<string, any>} settings parameters, bytes_per_weight in bytes, bandwidth in bytes per second, batch in
 *   chats, context in tokens of each chat
 * @returns {Answer} Sentences, and rows in milliseconds.
 * @throws {SimError} naming the setting that cannot be used
 */
export function floor_answer(settings) {
  const seconds = floor_seconds(settings.parameters, settings.bytes_per_weight, settings.bandwidth);
  const [batch, cost] = [settings.batch, floor_cost(settings)];
  const step = pace(batch, settings.context, cost);
  const [together, tokens] = [ceiling_tokens_per_second(step.step_seconds, batch), overtaking_tokens(cost)];
  const lines = {
    floor: said("floor", "lines.floor", { weights: gb(whole_number(cost.weights_bytes)), ms: ms(seconds) }),
    alone: said("floor", "lines.alone", { ceiling: rate(ceiling_tokens_per_second(seconds, 1)) }),
    together: said("floor", "lines.together", { batch, rate: rate(together), each: rate(1 / step.step_seconds) }),
    bound: said("floor", `lines.bound.${step.bound}`),
    limits: said("floor", "lines.limits", { compute: compute_batch(cost), tokens: tokens ?? 0 }),
  };
  return { lines, rows: rows_of(step), lanes: [] };
}

/**
 * What a step costs with these settings: weights and bandwidth of the settings, cache and peak of the facts.
 * @param {Record<string, any>} settings parameters, bytes_per_weight in bytes, bandwidth in bytes per second
 * @returns {Cost} A record in bytes, operations and their rates per second.
 */
export function floor_cost(settings) {
  return {
    weights_bytes: settings.parameters * settings.bytes_per_weight,
    kv_bytes_per_token: figure("floor", "kv_bytes_per_token"),
    flops_per_token: 2 * settings.parameters,
    bandwidth_bytes_per_second: settings.bandwidth,
    peak_flops_per_second: figure("floor", "peak_flops_per_second"),
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
function rate(tokens_per_second) {
  return whole_number(tokens_per_second);
}
