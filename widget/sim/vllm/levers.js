// @ts-check
/**
 * Each lever alone: the smallest change that makes a server start, exact at its boundary.
 * @module
 */

import { undivided } from "./divided.js";
import { GIB_BYTES } from "./rounding.js";
import { first_that_does, last_that_does } from "./search.js";
import { tried } from "./trial.js";

/** @typedef {import("./trial.js").Trial} Trial */

/**
 * Above this length, tokens, V0 turns chunked prefill on by itself.
 * @source vLLM 0.6.6.post1, engine/arg_utils.py; issue 10517.
 */
export const CHUNKED_FROM = 32768;
/** Tensor and pipeline parallel are tried up to so many cards, a count without unit. */
export const MOST_CARDS = 16;
const CARDS = ["tensor_parallel_size", "pipeline_parallel_size"];

/**
 * What a lever is asked for.
 * @typedef {object} Question
 * @property {Trial} base where the change begins
 * @property {(at: Trial) => boolean} does whether a trial is good enough
 * @property {number} least_longest longest chat that must stay possible, tokens
 * @property {number} least_seats chats at once that must stay possible
 */

/**
 * One change of one lever, at its boundary.
 * @typedef {object} Change
 * @property {string} lever name of the setting
 * @property {any} value what to set it to, in the setting's own unit
 * @property {any} exact the boundary itself where the value is rounded to what people type, in the same unit
 */

/**
 * Whether a change is good enough.
 * @param {Question} question what is asked
 * @param {Record<string, any>} changes settings by vLLM's names
 * @returns {boolean} True where the changed trial does.
 */
export function does_with(question, changes) {
  const at = tried(question.base, changes);
  return at !== null && question.does(at) && (!CARDS.some((name) => Object.hasOwn(changes, name)) || goes_on(at));
}

/**
 * @param {Trial} at
 * @returns {boolean}
 */
function goes_on(at) {
  // A pool that was measured says nothing of other numbers of cards: the weights must go onto each.
  return at.budget.stages.every((stage) => stage.parts[0].bytes <= at.budget.total_bytes);
}

/**
 * The longest chat that does, below the one asked; in V0 below or above the length where chunking starts.
 * @param {Question} question what is asked
 * @returns {Change | null} The change, tokens, or null where no length does.
 */
export function longest_change(question) {
  const base = question.base;
  const now = base.settings.longest;
  const guess = longest_guess(base);
  /** @param {number} tokens */
  const does = (tokens) => does_with(question, { max_model_len: tokens });
  const least = Math.max(1, question.least_longest);
  if (least >= now || !does(least)) return null;
  let found;
  if (base.settings.rules.chunked || now <= CHUNKED_FROM) {
    found = last_that_does(does, least, now - 1, guess);
  } else {
    found = last_that_does(does, Math.max(least, CHUNKED_FROM + 1), now - 1, guess);
    if (found === null) found = last_that_does(does, least, CHUNKED_FROM, guess);
  }
  return found === null ? null : { lever: "max_model_len", value: found, exact: found };
}

/**
 * @param {Trial} base
 * @returns {number}
 */
function longest_guess(base) {
  const refusal = base.verdict.refusal;
  if (refusal === null) return base.verdict.longest;
  if (refusal.key === "too_long") return base.settings.model.longest;
  if (refusal.key === "below_longest") return base.settings.batched_tokens;
  return refusal.terms.estimated_longest || Math.floor(base.settings.longest / 2);
}

/**
 * In V0 without chunking: the first length that does above the one asked, where chunking starts by itself.
 * @param {Question} question what is asked
 * @returns {Change | null} The change, tokens, or null where no longer length does.
 */
export function longer_change(question) {
  const settings = question.base.settings;
  const most = settings.model.longest;
  if (settings.rules.chunked || settings.chunked || settings.longest > CHUNKED_FROM) return null;
  const value = CHUNKED_FROM + 1;
  if (most < value || !does_with(question, { max_model_len: value })) return null;
  return { lever: "max_model_len", value, exact: value };
}

/**
 * The largest number of seats, or of tokens read per step, that does, below the one asked.
 * @param {Question} question what is asked
 * @param {string} lever "max_num_seqs" or "max_num_batched_tokens"
 * @returns {Change | null} The change, chats or tokens, or null where no number does.
 */
export function fewer_change(question, lever) {
  const settings = question.base.settings;
  let now = settings.seats;
  let least = Math.max(1, question.least_seats);
  if (lever !== "max_num_seqs") {
    now = settings.batched_tokens;
    least = settings.seats;
    if (!settings.chunked) least = Math.max(least, settings.longest);
  }
  if (least >= now || !does_with(question, { [lever]: least })) return null;
  const found = last_that_does((n) => does_with(question, { [lever]: n }), least, now - 1, Math.floor(now / 2));
  return found === null ? null : { lever, value: found, exact: found };
}

/**
 * The smallest number above the one asked that does: tokens read per step, seats, bytes of the pool, blocks.
 * @param {Question} question what is asked
 * @param {string} lever name of the setting
 * @param {number} least where to begin, in the setting's own unit
 * @param {number} most where to end, in the setting's own unit
 * @param {number} guess about where it may begin to do, in the setting's own unit
 * @returns {Change | null} The change, or null where no number does.
 */
export function more_change(question, lever, least, most, guess) {
  const found = first_that_does((n) => does_with(question, { [lever]: n }), least, most, guess);
  return found === null ? null : { lever, value: found, exact: found };
}

/**
 * How much may be in use before the server, at most: whatever else holds memory gives back the rest.
 *
 * What an idle card holds already at the start, the server's own CUDA context above all, nobody can give back.
 * @param {Question} question what is asked
 * @returns {Change | null} The change, GiB in use, or null where freeing does not help.
 */
export function freed_change(question) {
  const now = question.base.budget.in_use_bytes;
  const idle = question.base.settings.card.held_bytes;
  if (now <= idle || !does_with(question, { in_use_gib: idle / GIB_BYTES })) return null;
  const guess = now + question.base.verdict.spare_bytes;
  const found = last_that_does((n) => does_with(question, { in_use_gib: n / GIB_BYTES }), idle, now - 1, guess);
  return found === null ? null : { lever: "in_use_gib", value: found / GIB_BYTES, exact: found / GIB_BYTES };
}

/**
 * The first of some values that does: switches, dtypes, sizes that are no scale.
 * @param {Question} question what is asked
 * @param {string} lever name of the setting
 * @param {any[]} values in the order in which they are tried
 * @returns {Change | null} The change, or null where none does.
 */
export function switch_change(question, lever, values) {
  for (const value of values) {
    if (does_with(question, { [lever]: value })) return { lever, value, exact: value };
  }
  return null;
}

/**
 * Sizes of tensor parallel that heads and widths allow, without the one asked, the nearest larger ones first.
 * @param {Trial} base where the change begins
 * @returns {number[]} Counts of cards without unit.
 * @throws {PlanError} for a release that is no version
 */
export function parallel_sizes(base) {
  const heads = base.settings.model.heads;
  const now = base.settings.tp;
  const larger = [];
  const smaller = [];
  for (let n = 1; n <= MOST_CARDS; n++) {
    if ((heads !== 0 && heads % n !== 0) || n === now) continue;
    if (undivided({ ...base.settings, tp: n }) !== null) continue;
    if (n > now) larger.push(n);
    if (n < now) smaller.unshift(n);
  }
  return [...larger, ...smaller];
}
