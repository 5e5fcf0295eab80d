// @ts-check
/**
 * Starts, refuses, or starts but may die later; what vLLM prints, and how sure it is.
 * @module
 */

import { capacity } from "./capacity.js";
import { graphs_beside } from "./graphs.js";
import { refusal_lines, start_lines } from "./lines.js";
import { pool_by_hand, served_longest, tightest } from "./pool.js";
import { KEYS, profile_sure, refusal_of } from "./refusals.js";
import { release_dangers } from "./released.js";

/** @typedef {import("./budget.js").Budget} Budget */
/** @typedef {import("./settings.js").Settings} Settings */
/** @typedef {import("./pool.js").Told} Told */

/**
 * A memory share, from 0 to 1, from which on little is left for what is not counted.
 * @source Issue 7 of this project, part 4.
 */
export const RISKY_SHARE = 0.95;

/**
 * Why vLLM does not start.
 * @typedef {object} Refusal
 * @property {number} number place in the list of vLLM's refusals, from 1 to 17
 * @property {string} key name of the refusal
 * @property {number} stage place of the pipeline stage that refuses, from 0; 0 where all do
 * @property {Record<string, any>} terms what the message mentions: bytes, tokens, chats and names
 * @property {string[]} lines what vLLM prints, in its version's words
 */

/**
 * Whether a server starts.
 * @typedef {object} Verdict
 * @property {string} outcome "starts", "refuses" or "starts_may_die"
 * @property {Refusal | null} refusal why not, or nothing
 * @property {string[]} dangers names of what may end it later
 * @property {number} over_bytes how far CUDA graphs outside the share may reach beyond the card, bytes
 * @property {number} longest longest chat that it serves, tokens; less than asked where vLLM fits it by itself
 * @property {number} needed_bytes what one longest chat takes of the pool, bytes
 * @property {number} spare_bytes what the pool has beyond one longest chat, bytes; below 0 it lacks so many
 * @property {boolean} sure whether the whole spread of the pool leads to the same answer
 * @property {string[]} lines what vLLM prints at a start or a refusal
 */

/**
 * Whether vLLM starts with these settings, and what it prints.
 * @param {Settings} settings as resolved
 * @param {Budget} budget of these settings
 * @param {boolean} [with_lines=true] whether to say what vLLM prints, which takes most of the time
 * @returns {Verdict} The outcome with its reason, its lines and how sure it is.
 * @throws {PlanError} for sizes that both languages cannot hold exactly
 */
export function verdict(settings, budget, with_lines = true) {
  const longest = served_longest(settings, budget);
  const told = refusal_of(settings, budget, longest);
  if (told !== null) return refused(settings, told, longest, with_lines);
  const tight = tightest(settings, budget, longest);
  const dangers = dangers_of(settings, budget);
  return {
    outcome: dangers.length > 0 ? "starts_may_die" : "starts",
    refusal: null,
    dangers,
    over_bytes: graphs_over(settings, budget),
    longest,
    needed_bytes: tight.needed_bytes,
    spare_bytes: tight.spare_bytes,
    sure: tight.sure && profile_sure(settings, budget),
    lines: with_lines ? start_lines(settings, budget, longest) : [],
  };
}

/**
 * @param {Settings} settings
 * @param {Told} told
 * @param {number} longest
 * @param {boolean} with_lines
 * @returns {Verdict}
 */
function refused(settings, told, longest, with_lines) {
  const lines = with_lines ? refusal_lines(settings, told.key, told.terms) : [];
  const number = KEYS.filter((row) => row[0] === told.key)[0][1];
  return {
    outcome: "refuses",
    refusal: { number, key: told.key, stage: told.stage, terms: told.terms, lines },
    dangers: [],
    over_bytes: 0,
    longest,
    needed_bytes: told.needed_bytes,
    spare_bytes: told.spare_bytes,
    sure: told.sure,
    lines,
  };
}

/**
 * The budget whose capacity is that of the longest chat that is served.
 * @param {Settings} settings as resolved
 * @param {Budget} budget of these settings
 * @param {number} longest the longest chat that is served, tokens; less than asked where vLLM fits it by itself
 * @returns {Budget} The budget.
 * @throws {PlanError} for sizes that both languages cannot hold exactly
 */
export function served_budget(settings, budget, longest) {
  if (longest === settings.longest) return budget;
  const served = { ...settings, longest };
  const layout = budget.stages[budget.stage].layout;
  return { ...budget, capacity: capacity(served, layout, budget.blocks) };
}

/**
 * What may end a server that starts: memory outside the share, or memory that nobody counted.
 * @param {Settings} settings as resolved
 * @param {Budget} budget of these settings
 * @returns {string[]} Names of dangers, the most certain first.
 * @throws {PlanError} for sizes that both languages cannot hold exactly
 */
export function dangers_of(settings, budget) {
  const found = release_dangers(settings);
  if (graphs_over(settings, budget) > 0) found.push("graphs_outside");
  if (budget.lacking_bytes > 0 && pool_by_hand(settings)) found.push("pool_beyond");
  const override = settings.blocks_override;
  if (override !== null && budget.stages.some((of) => override > of.blocks)) found.push("blocks_beyond");
  if (settings.model.multimodal) found.push("vision_encoder");
  if (settings.share >= RISKY_SHARE && settings.kv_cache_memory_bytes === null) found.push("risky_share");
  if (settings.card.unified) found.push("unified_memory");
  if (settings.rules.engine === "V0" && settings.given.includes("in_use_gib")) found.push("others_move");
  return found;
}

/**
 * How far CUDA graphs outside the share may reach beyond the card: held + share + graphs − total.
 * @param {Settings} settings as resolved
 * @param {Budget} budget who has how much of the card
 * @returns {number} Bytes; 0 where they fit, and where they are counted in the share.
 * @throws {PlanError} for sizes that both languages cannot hold exactly
 */
export function graphs_over(settings, budget) {
  let beside = graphs_beside(settings);
  if (beside > 0) beside = Math.max(0, settings.measured.graphs_bytes ?? beside);
  return beside > 0 ? Math.max(0, beside - budget.unused_bytes + budget.lacking_bytes) : 0;
}
