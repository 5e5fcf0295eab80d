// @ts-check
/**
 * One setting after the other, as it was asked or by default: parallel, lengths, switches, what was measured.
 * @module
 */

import { MOST_WHOLE } from "../checks.js";
import { VERSIONS } from "./plan_facts.js";
import { PlanError } from "./refuse.js";
import { bytes_of_gib } from "./rounding.js";
import { counted_text, number_of, switch_of, value_or, whole_of } from "./values.js";

/** @import { Rules } from "./versions.js" */

/** Parts that a start-up prints, which may be given as measured. */
export const MEASURED = ["weights", "activation", "non_torch", "graphs", "kv"];

/**
 * How a model is shared out.
 * @typedef {object} Parallel
 * @property {number} tp cards that share each layer, tensor parallel, as many
 * @property {number} pp stages of layers, pipeline parallel, as many
 * @property {number} dcp cards that share each chat's cache, as many
 */

/**
 * The longest chat.
 * @typedef {object} Longest
 * @property {number} tokens its length, tokens
 * @property {boolean} auto_fit whether vLLM lowers it until it fits
 */

/**
 * How the model is shared out.
 * @param {Record<string, any>} asked settings by vLLM's names
 * @param {Rules} rules of the version
 * @returns {Parallel} Cards and stages, as many.
 * @throws {PlanError} for numbers out of range, and for a decode context parallel that does not divide tensor parallel
 */
export function parallel_of(asked, rules) {
  const most = VERSIONS.bounds.cards;
  const tp = whole_of("tensor_parallel_size", value_or(asked, "tensor_parallel_size", 1), 1, most);
  const pp = whole_of("pipeline_parallel_size", value_or(asked, "pipeline_parallel_size", 1), 1, most);
  const name = "decode_context_parallel_size";
  const dcp = whole_of(name, value_or(asked, name, 1), 1, most);
  if (dcp > 1 && !rules.context_parallel) {
    throw new PlanError(name, dcp, "setting_from", { has: rules.version, version: first("context_parallel") });
  }
  if (tp % dcp) throw new PlanError(name, dcp, "divisor_of", { whole: tp });
  return { tp, pp, dcp };
}

/**
 * The longest chat: as asked, or the model's own.
 * @param {Record<string, any>} asked settings by vLLM's names
 * @param {Rules} rules of the version
 * @param {number} own the model's own longest, tokens; 0 where it is not known
 * @returns {Longest} Its length in tokens, and whether vLLM may lower it.
 * @throws {PlanError} for a length that cannot be used, and for “auto” in a version that does not have it
 */
export function longest_of(asked, rules, own) {
  const value = value_or(asked, "max_model_len", null);
  const fits = value === -1 || ["-1", "auto", "Auto", "AUTO"].includes(value);
  if (value !== null && !fits) {
    return { tokens: counted_text("max_model_len", value, VERSIONS.bounds.tokens, "tokens_text"), auto_fit: false };
  }
  if (fits && !rules.auto_fit) throw new PlanError("max_model_len", value, "auto_from", { version: first("auto_fit") });
  if (own < 1) throw new PlanError("max_model_len", value, "length_known");
  return { tokens: own, auto_fit: fits };
}

/**
 * Whether a step is planned while another runs.
 * @param {Record<string, any>} asked settings by vLLM's names
 * @param {Rules} rules of the version
 * @param {number} pp stages of the pipeline, as many
 * @returns {boolean} Whether it is.
 * @throws {PlanError} where it was asked and the version cannot
 */
export function asynchronous_of(asked, rules, pp) {
  const does = pp === 1 || (rules.async_pipeline && rules.runner === "V2");
  const value = switch_of(asked, "async_scheduling");
  if (value && !does) throw new PlanError("async_scheduling", value, "async_pipeline");
  return (value ?? rules.async_default) && does;
}

/**
 * Room for the cache that was set.
 * @param {Record<string, any>} asked settings by vLLM's names
 * @param {Rules} rules of the version
 * @returns {number | null} Bytes, or null.
 * @throws {PlanError} for a size that cannot be used, and in a version without this setting
 */
export function kv_cache_memory_of(asked, rules) {
  const name = "kv_cache_memory_bytes";
  const value = value_or(asked, name, null);
  if (value === null) return null;
  if (!rules.kv_cache_memory) {
    throw new PlanError(name, value, "setting_from", { has: rules.version, version: first("kv_cache_memory") });
  }
  return counted_text(name, value, MOST_WHOLE, "bytes_text");
}

/**
 * Whether CUDA graphs count inside the share.
 * @param {Record<string, any>} asked settings by vLLM's names
 * @param {Rules} rules of the version
 * @param {boolean} eager whether there are none
 * @returns {boolean} Whether they do.
 * @throws {PlanError} where it was asked and the version cannot
 */
export function graphs_counted_of(asked, rules, eager) {
  const value = switch_of(asked, "estimate_cudagraphs");
  if (value && rules.graphs === "outside") {
    throw new PlanError("estimate_cudagraphs", value, "estimate_from", { has: rules.version, version: first("graphs") });
  }
  return (value ?? rules.graphs === "inside") && !eager;
}

/**
 * What was measured on a start, by the name of the part with `_bytes` behind it.
 *
 * A figure of a log holds for exactly the settings of that start: a pool that was measured is taken as it is, whatever
 * card, share or model stands beside it. To see what a change makes of it, use tried, which moves it by the rules.
 * @param {Record<string, any>} asked settings by vLLM's names
 * @returns {Record<string, number>} Sizes that were given, in bytes.
 * @throws {PlanError} for sizes out of range
 */
export function measured_of(asked) {
  const most = VERSIONS.bounds.gib;
  /** @type {Record<string, number>} */
  const found = {};
  for (const part of MEASURED) {
    const name = `measured_${part}_gib`;
    const value = value_or(asked, name, null);
    if (value === null) continue;
    const least = part === "weights" || part === "activation" ? 0 : -most;
    found[`${part}_bytes`] = bytes_of_gib(number_of(name, value, least, most));
  }
  return found;
}

/**
 * The release that brought something.
 * @param {string} rule
 * @returns {string}
 */
function first(rule) {
  return VERSIONS.rules[rule].V1[1][0];
}
