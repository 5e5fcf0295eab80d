// @ts-check
/**
 * One longest chat against the pool of each pipeline stage.
 * @module
 */

import { chat_bytes, estimated_longest, room_for_chats } from "./capacity.js";
import { bounded } from "./pages.js";

/** @typedef {import("./budget.js").Budget} Budget */
/** @typedef {import("./settings.js").Settings} Settings */

/**
 * A refusal before it is put into words.
 * @typedef {object} Told
 * @property {string} key name of the refusal
 * @property {number} stage place of the pipeline stage that refuses, from 0
 * @property {Record<string, any>} terms what the message mentions: bytes, tokens, chats and names
 * @property {number} needed_bytes what was needed, bytes
 * @property {number} spare_bytes what there was beyond it, bytes; below 0 it lacks so many
 * @property {boolean} sure whether the whole spread leads to the same answer
 */

/**
 * A refusal that is sure and has no bytes of its own.
 * @param {string} key name of the refusal
 * @param {Record<string, any>} terms what the message mentions
 * @returns {Told} The refusal, of the first stage.
 */
export function told(key, terms) {
  return { key, stage: 0, terms, needed_bytes: 0, spare_bytes: 0, sure: true };
}

/**
 * The pool of a stage against which the longest chat is tried.
 * @param {Settings} settings as resolved
 * @param {Budget} budget of these settings
 * @param {number} stage place of the stage, from 0
 * @returns {number} Bytes; may be negative.
 * @throws {PlanError} for sizes that both languages cannot hold exactly
 */
export function pool_bytes(settings, budget, stage) {
  const override = settings.blocks_override;
  if (override !== null && settings.rules.override_fits) {
    return bounded("num_gpu_blocks_override", override * budget.stages[stage].layout.block_bytes);
  }
  return budget.stages[stage].kv_bytes;
}

/**
 * The pool of a stage as it is allocated: a number of blocks that was set counts, whatever it was tried against.
 * @param {Settings} settings as resolved
 * @param {Budget} budget of these settings
 * @param {number} stage place of the stage, from 0
 * @returns {number} Bytes; may be negative.
 * @throws {PlanError} for sizes that both languages cannot hold exactly
 */
export function reserved_pool(settings, budget, stage) {
  const override = settings.blocks_override;
  if (override === null) return budget.stages[stage].kv_bytes;
  return bounded("num_gpu_blocks_override", override * budget.stages[stage].layout.block_bytes);
}

/**
 * Whether the size of the pool was set by hand: then nobody compares it with what is free.
 * @param {Settings} settings as resolved
 * @returns {boolean} True where it was set, by bytes or by blocks, and not measured.
 * @source vLLM 0.33.0, v1/worker/gpu_worker.py, determine_available_memory; v1/core/kv_cache_utils.py.
 */
export function pool_by_hand(settings) {
  if (settings.blocks_override !== null) return true;
  return settings.kv_cache_memory_bytes !== null && (settings.measured.kv_bytes ?? null) === null;
}

/**
 * The longest chat that is served: as asked, or what vLLM fits it to by itself.
 * @param {Settings} settings as resolved
 * @param {Budget} budget of these settings
 * @returns {number} Tokens.
 * @throws {PlanError} for sizes that both languages cannot hold exactly
 */
export function served_longest(settings, budget) {
  let longest = settings.longest;
  if (!settings.auto_fit) return longest;
  for (const [stage, of] of budget.stages.entries()) {
    const fitting = estimated_longest(settings, of.layout, pool_bytes(settings, budget, stage));
    longest = Math.min(longest, Math.max(1, fitting));
  }
  return longest;
}

/**
 * One longest chat against the pool of a stage, before anything is said of it.
 * @param {Settings} settings as resolved
 * @param {Budget} budget of these settings
 * @param {number} stage place of the stage, from 0
 * @param {number} longest longest chat that is to be served, tokens
 * @returns {Told} What the chat needs and what is left, bytes.
 * @throws {PlanError} for sizes that both languages cannot hold exactly
 */
export function fit_of(settings, budget, stage, longest) {
  const of = budget.stages[stage];
  const pool = pool_bytes(settings, budget, stage);
  const needed = chat_bytes(settings, of.layout, longest);
  const spare = room_for_chats(settings, of.layout, pool) - needed;
  const low = spare + of.kv_low - of.kv_bytes;
  const high = spare + of.kv_high - of.kv_bytes;
  const fixed = settings.blocks_override !== null && settings.rules.override_fits;
  const sure = fixed || low >= 0 === high >= 0;
  return { key: "one_chat", stage, terms: {}, needed_bytes: needed, spare_bytes: spare, sure };
}

/**
 * The stage in which one longest chat leaves the least, and whether every stage is sure.
 * @param {Settings} settings as resolved
 * @param {Budget} budget of these settings
 * @param {number} longest longest chat that is to be served, tokens
 * @returns {Told} What the chat needs and what is left, bytes.
 * @throws {PlanError} for sizes that both languages cannot hold exactly
 */
export function tightest(settings, budget, longest) {
  let tight = fit_of(settings, budget, 0, longest);
  for (let stage = 1; stage < budget.stages.length; stage++) {
    const fit = fit_of(settings, budget, stage, longest);
    const sure = fit.sure && tight.sure;
    tight = fit.spare_bytes < tight.spare_bytes ? { ...fit, sure } : { ...tight, sure };
  }
  return tight;
}
