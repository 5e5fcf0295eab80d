// @ts-check
/**
 * Which levers there are, what each may be set to, and which of them can help against which refusal.
 * @module
 */

import { SHAPES } from "./divided.js";
import {
  fewer_change,
  freed_change,
  longer_change,
  longest_change,
  more_change,
  parallel_sizes,
  switch_change,
} from "./levers.js";
import { share_change } from "./shares.js";
import { has_fp8, works_on } from "./supported.js";
import { at_least } from "./versions.js";

/** @typedef {import("./levers.js").Change} Change */
/** @typedef {import("./levers.js").Question} Question */
/** @typedef {import("./trial.js").Trial} Trial */

/**
 * Levers in the order of what they cost the users: the first ones cost nothing that anybody sees.
 *
 * 1. Nobody on this server notices: another 16-bit type, prompts read in parts, memory that was idle or held by others.
 * 2. Somebody waits, and only when many or long prompts come at once: fewer tokens a step, fewer seats.
 * 3. A shorter longest chat: nobody notices until a chat is longer, and then it is turned away.
 * 4. Everybody may wait a little, or has to trust a little more: prefixes, steps ahead, another sampler, no estimate.
 * 5. Everybody notices something: rounded notes, slower words, rounded weights. Weights last: all answers come from
 *   them.
 * 6. More cards: somebody buys them.
 *
 * A change that goes far (`DEAR`), a second one (`PAIR`), what may die later (`DEAREST`) and more cards (`CARDS`) add to
 * their place, in this order.
 * @source A choice, held against the ten situations in which people arrive (`tests/vllm/test_situations.py`).
 */
export const ORDER = ["dtype", "enable_chunked_prefill", "gpu_memory_utilization", "kv_cache_memory_bytes", "num_gpu_blocks_override", "in_use_gib", "max_num_batched_tokens", "max_num_seqs", "max_model_len", "enable_prefix_caching", "async_scheduling", "flashinfer_sampler", "estimate_cudagraphs", "kv_cache_dtype", "enforce_eager", "quantization", "tensor_parallel_size", "pipeline_parallel_size"];
/**
 * Which levers can help against which refusal; without a refusal, where more room is asked for, all of them.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
export const BY_REFUSAL = {
  "": ORDER,
  free_memory: ["gpu_memory_utilization", "in_use_gib"],
  profiling: [],
  no_blocks: ORDER.slice(2),
  one_chat: ORDER.slice(2),
  too_long: ["max_model_len"],
  below_seats: ["max_num_batched_tokens", "max_num_seqs"],
  below_longest: ["enable_chunked_prefill", "max_num_batched_tokens", "max_model_len"],
  out_of_memory: ["in_use_gib", ...ORDER.slice(6, 9), "flashinfer_sampler", ...ORDER.slice(14)],
  allocating: ["kv_cache_memory_bytes", "num_gpu_blocks_override", "in_use_gib"],
  loading: ["in_use_gib", ...ORDER.slice(15)],
  mamba_seats: ["gpu_memory_utilization", ...ORDER.slice(3, 8), ...ORDER.slice(9)],
  heads: ["tensor_parallel_size"],
  kv_heads: ["tensor_parallel_size"],
  expert_block: ["tensor_parallel_size"],
  width_block: ["tensor_parallel_size"],
  bfloat16: ["dtype"],
  method_card: ["quantization"],
  method_file: ["quantization"],
  method_differs: ["quantization"],
  method_unknown: ["quantization"],
  model_unlisted: [],
  card_kernels: [],
};
/** Levers that are tried as the second of a pair. */
export const PAIRED = ["gpu_memory_utilization", "max_num_batched_tokens", "max_num_seqs", "max_model_len", "kv_cache_dtype", "quantization", "tensor_parallel_size"];
/** Levers that take more cards. */
export const MORE_CARDS = ["tensor_parallel_size", "pipeline_parallel_size"];
/**
 * The first compute capability of NVIDIA, in units of its own, for which vLLM turns weights or cache into FP8.
 * @source vLLM, docs/features/quantization: FP8 weights run on Ampere by Marlin kernels; FP8 KV cache needs a backend
 *   for it.
 */
export const FIRST_FP8 = 8.0;
/**
 * The first release, of those read, for which both are surely there: FP8 and bitsandbytes while weights are loaded.
 * @source vLLM 0.6.6, docs/source/quantization.
 */
export const FIRST_LOADING = "0.6.6";
/**
 * The first release without bitsandbytes: a plugin, vllm-bnb-plugin, brings it back.
 * @source vllm-project/vllm#43529 and #52802.
 */
export const BITSANDBYTES_APART = "0.28.0";
/** Pipeline parallel is tried up to so many cards, a count without unit. */
export const MOST_STAGES = 8;

/**
 * The changes that one lever offers.
 * @param {Question} question what is asked
 * @param {string} lever name of the setting
 * @returns {Change[]} Changes at their boundaries; none where the lever does not help.
 */
export function changes_by(question, lever) {
  /** @type {Change[]} */
  const found = [];
  for (const change of LEVERS[lever](question)) if (change !== null) found.push(change);
  return found;
}

/**
 * @param {Question} question
 * @param {string} lever
 * @param {any[]} values
 * @returns {(Change | null)[]}
 */
function switched(question, lever, values) {
  return [switch_change(question, lever, values)];
}

/**
 * @param {Question} question
 * @returns {(Change | null)[]}
 */
function dtype(question) {
  return switched(question, "dtype", ["half"]);
}

/**
 * @param {Question} question
 * @returns {(Change | null)[]}
 */
function chunked(question) {
  return switched(question, "enable_chunked_prefill", question.base.settings.chunked ? [] : [true]);
}

/**
 * @param {Question} question
 * @returns {(Change | null)[]}
 */
function share(question) {
  return [share_change(question)];
}

/**
 * @param {Trial} base
 * @returns {boolean}
 */
function allocating(base) {
  // A pool that was set by hand is larger than what is free.
  return base.verdict.refusal !== null && base.verdict.refusal.terms.allocating === true;
}

/**
 * @param {Question} question
 * @returns {(Change | null)[]}
 */
function pool_bytes(question) {
  const base = question.base;
  const now = base.settings.kv_cache_memory_bytes;
  if (now === null) return [];
  const room = now - base.budget.lacking_bytes;
  if (allocating(base)) return switched(question, "kv_cache_memory_bytes", [Math.max(1, room)]);
  const guess = now + Math.max(0, -base.verdict.spare_bytes);
  return [more_change(question, "kv_cache_memory_bytes", now + 1, base.budget.total_bytes, guess)];
}

/**
 * @param {Question} question
 * @returns {(Change | null)[]}
 */
function blocks(question) {
  // Only as many as there is memory for.
  const base = question.base;
  const now = base.settings.blocks_override;
  if (now === null) return [];
  let most = base.budget.stages[0].blocks;
  for (const of of base.budget.stages) most = Math.min(most, of.blocks);
  const enough = 0 < most && most < now ? [most] : [];
  if (allocating(base)) return switched(question, "num_gpu_blocks_override", enough);
  return [more_change(question, "num_gpu_blocks_override", now + 1, most, now + 1)];
}

/**
 * @param {Question} question
 * @returns {(Change | null)[]}
 */
function freed(question) {
  return [freed_change(question)];
}

/**
 * @param {Question} question
 * @returns {(Change | null)[]}
 */
function tokens(question) {
  const settings = question.base.settings;
  const refusal = question.base.verdict.refusal;
  if (refusal !== null && (refusal.key === "below_seats" || refusal.key === "below_longest")) {
    const least = Math.max(settings.seats, settings.chunked ? 1 : settings.longest);
    return [more_change(question, "max_num_batched_tokens", settings.batched_tokens + 1, least, least)];
  }
  return [fewer_change(question, "max_num_batched_tokens")];
}

/**
 * @param {Question} question
 * @returns {(Change | null)[]}
 */
function seats(question) {
  const least = question.least_seats;
  if (question.base.settings.seats < least) return [more_change(question, "max_num_seqs", least, least, least)];
  return [fewer_change(question, "max_num_seqs")];
}

/**
 * @param {Question} question
 * @returns {(Change | null)[]}
 */
function longest(question) {
  const least = question.least_longest;
  if (question.base.settings.longest < least) return [more_change(question, "max_model_len", least, least, least)];
  return [longest_change(question), longer_change(question)];
}

/**
 * @param {Question} question
 * @returns {(Change | null)[]}
 */
function prefix(question) {
  // Without kept prefixes a state takes one page less.
  const mamba = question.base.budget.stages[0].layout.mamba;
  return switched(question, "enable_prefix_caching", mamba && question.base.settings.prefix_caching ? [false] : []);
}

/**
 * @param {Question} question
 * @returns {(Change | null)[]}
 */
function asynchronous(question) {
  // Where steps overlap, a window keeps room for two of them.
  const settings = question.base.settings;
  let helps = settings.asynchronous && settings.rules.async_factor > 1;
  helps = helps && question.base.budget.stages[0].layout.hybrid;
  return switched(question, "async_scheduling", helps ? [false] : []);
}

/**
 * @param {Question} question
 * @returns {(Change | null)[]}
 */
function sampler(question) {
  // The sampler that sorts the whole vocabulary for every seat is not the only one.
  return switched(question, "flashinfer_sampler", question.base.settings.flashinfer_sampler ? [] : [true]);
}

/**
 * @param {Question} question
 * @returns {(Change | null)[]}
 */
function estimate(question) {
  const counted = question.base.settings.graphs_counted && !question.base.settings.eager;
  return switched(question, "estimate_cudagraphs", counted ? [false] : []);
}

/**
 * @param {Question} question
 * @returns {(Change | null)[]}
 */
function kv_dtype(question) {
  return switched(question, "kv_cache_dtype", kv_dtypes(question.base));
}

/**
 * @param {Question} question
 * @returns {(Change | null)[]}
 */
function eager(question) {
  return switched(question, "enforce_eager", question.base.settings.eager ? [] : [true]);
}

/**
 * @param {Question} question
 * @returns {(Change | null)[]}
 */
function quantised(question) {
  return switched(question, "quantization", quantisations(question.base));
}

/**
 * @param {Question} question
 * @returns {(Change | null)[]}
 */
function parallel(question) {
  const base = question.base;
  const sizes = parallel_sizes(base);
  const larger = sizes.filter((n) => n > base.settings.tp);
  const refusal = base.verdict.refusal;
  if (refusal === null || !SHAPES.includes(refusal.key)) return switched(question, "tensor_parallel_size", larger);
  const smaller = sizes.filter((n) => n < base.settings.tp);
  return [
    ...switched(question, "tensor_parallel_size", smaller),
    ...switched(question, "tensor_parallel_size", larger),
  ];
}

/**
 * @param {Question} question
 * @returns {(Change | null)[]}
 */
function stages(question) {
  const sizes = [];
  for (let n = question.base.settings.pp + 1; n <= MOST_STAGES; n++) sizes.push(n);
  return switched(question, "pipeline_parallel_size", sizes);
}

/**
 * How each lever is moved: a question in, changes out.
 * @type {Readonly<Record<string, (question: Question) => (Change | null)[]>>}
 */
export const LEVERS = {
  dtype,
  enable_chunked_prefill: chunked,
  gpu_memory_utilization: share,
  kv_cache_memory_bytes: pool_bytes,
  num_gpu_blocks_override: blocks,
  in_use_gib: freed,
  max_num_batched_tokens: tokens,
  max_num_seqs: seats,
  max_model_len: longest,
  enable_prefix_caching: prefix,
  async_scheduling: asynchronous,
  flashinfer_sampler: sampler,
  estimate_cudagraphs: estimate,
  kv_cache_dtype: kv_dtype,
  enforce_eager: eager,
  quantization: quantised,
  tensor_parallel_size: parallel,
  pipeline_parallel_size: stages,
};

/**
 * @param {Trial} base
 * @returns {boolean}
 */
function can_fp8(base) {
  const card = base.settings.card;
  if (card.maker === "nvidia") return card.capability !== "" && Number(card.capability) >= FIRST_FP8;
  return card.maker === "amd" && has_fp8(card);
}

/**
 * Smaller types of the cache that card and version know.
 * @param {Trial} base where the change begins
 * @returns {string[]} Names as vLLM has them.
 */
export function kv_dtypes(base) {
  const settings = base.settings;
  const knows = settings.rules.kv_dtypes.includes("fp8");
  const small = settings.kv_dtype.startsWith("fp8") || settings.kv_dtype.startsWith("nvfp4");
  return knows && can_fp8(base) && !small ? ["fp8"] : [];
}

/**
 * What vLLM can turn plain weights into while it loads them.
 * @param {Trial} base where the change begins
 * @returns {string[]} Names as vLLM has them.
 * @throws {PlanError} for a release that is no version
 */
export function quantisations(base) {
  const settings = base.settings;
  const card = settings.card;
  const order = settings.rules.order;
  const plain = settings.asked_as !== "" ? [""] : [];
  const refusal = base.verdict.refusal;
  const wrong = refusal !== null && refusal.key.startsWith("method_");
  if (plain.length > 0 && !wrong) return [];
  if (settings.stored_as !== "" || !at_least(order, FIRST_LOADING)) return plain;
  if (!["nvidia", "amd"].includes(card.maker)) return plain;
  const names = card.maker === "nvidia" ? ["fp8", "bitsandbytes"] : ["fp8"];
  return [...plain, ...names.filter((name) => works_on(card, order, name) && name !== settings.asked_as)];
}
