// @ts-check
/**
 * What a start needs beside weights and cache: the profile run's peak, tables for each seat, CUDA graphs.
 * @module
 */

import { bounded } from "./pages.js";
import { FITTED } from "./plan_facts.js";
import { value_since } from "./versions.js";

/**
 * One part of the budget of a card.
 * @typedef {object} Part
 * @property {string} name weights, activation, non_torch, penalties or graphs
 * @property {number} bytes what is expected, bytes
 * @property {number} low what it may be at least, bytes
 * @property {number} high what it may be at most, bytes
 * @property {"measured" | "rule" | "fitted" | "guessed"} kind whether it was measured, follows a rule of vLLM, is
 *   fitted to published starts, or is guessed
 * @property {string} source key of the sentence that says where it comes from
 */

/**
 * A part that the user has read from a log.
 * @param {string} name name of the part
 * @param {number} size what it takes, bytes
 * @returns {Part} The part, without spread, in bytes.
 */
export function measured_part(name, size) {
  return { name, bytes: size, low: size, high: size, kind: "measured", source: "measured" };
}

/**
 * Size of one value of the activations: those of float32 take four bytes, all others two.
 * @param {any} settings the resolved settings
 * @returns {number} Bytes.
 */
export function value_bytes(settings) {
  return settings.dtype === "float32" ? 4 : 2;
}

/**
 * Whether a stage of the pipeline is the last one, which alone samples.
 * @param {any} settings the resolved settings
 * @param {number} stage place of the stage, from 0
 * @returns {boolean} Whether it is.
 * @source vLLM 0.19.0, `v1/worker/gpu_model_runner.py`, `profile_run`.
 */
export function last_stage(settings, stage) {
  return stage === settings.pp - 1;
}

/**
 * Peak of the forward pass of the profile run: tokens × (values × feed-forward + values × hidden) × bytes a value.
 *
 * The feed-forward part is divided among the cards of tensor parallel, the hidden part is not.
 * @param {any} settings the resolved settings
 * @param {number} values values kept for each value of either width and token, a number without units
 * @returns {number} Bytes.
 * @throws {PlanError} for sizes that both languages cannot hold exactly
 * @source Fitted to starts of vLLM 0.6.4 at 20,000 and 29,000 tokens, vllm-project/vllm#10517.
 */
export function forward_bytes(settings, values) {
  const model = settings.model;
  const width = bounded("hidden_size", Math.ceil(model.mlp_width / settings.tp) + model.hidden_size);
  const tokens = bounded("max_num_batched_tokens", settings.batched_tokens * width);
  return bounded("max_num_batched_tokens", Math.floor(tokens * values * value_bytes(settings)));
}

/**
 * How the profile run's sampler goes through the vocabulary in this version.
 * @param {any} settings the resolved settings
 * @returns {string} “sort”, “probabilities”, “copy”, “logits”, or “none” where V0 with chunks samples nothing.
 * @throws {PlanError} for a release that is no version
 * @source `facts/vllm/fitted.json`, with the releases that were read.
 */
export function sampler_of(settings) {
  const rules = settings.rules;
  if (rules.engine === "V0") {
    return settings.chunked ? "none" : "sort";
  }
  if (settings.flashinfer_sampler && flashinfer(settings)) {
    return "probabilities";
  }
  return value_since(FITTED.sampler[rules.runner], rules.order);
}

/**
 * What the sampler takes for one word of the vocabulary and one seat.
 * @param {any} settings the resolved settings
 * @param {string} sampler how it goes through the vocabulary
 * @param {number} sort_bytes what sorting takes, bytes a word and seat
 * @returns {number} Bytes.
 */
export function word_bytes(settings, sampler, sort_bytes) {
  if (sampler === "none") {
    return 0;
  }
  if (sampler === "sort") {
    return sort_bytes;
  }
  return value_bytes(settings) + 4 * FITTED.sampler.float32_copies[sampler];
}

/**
 * Peak of the sampler of the profile run: bytes a word and seat × vocabulary × seats, and the hidden states.
 * @param {any} settings the resolved settings
 * @param {number} each what it takes for one word and seat, bytes
 * @returns {number} Bytes.
 * @throws {PlanError} for sizes that both languages cannot hold exactly
 * @source vLLM 0.19.0, `v1/worker/gpu_model_runner.py`, `_dummy_sampler_run`.
 */
export function sampler_bytes(settings, each) {
  if (each <= 0) {
    return 0;
  }
  const seats = Math.min(settings.seats, settings.batched_tokens);
  const words = bounded("max_num_seqs", settings.model.vocab_size * seats);
  const states = bounded("max_num_batched_tokens", settings.batched_tokens * settings.model.hidden_size);
  const peak = Math.floor(each * words);
  return bounded("max_num_seqs", peak + bounded("max_num_batched_tokens", states * value_bytes(settings)));
}

/**
 * Whether the card's build of vLLM is one whose rules were read: CUDA's, and ROCm's, which is the same code.
 * @param {any} settings the resolved settings
 * @returns {boolean} Whether it is.
 */
export function by_cuda(settings) {
  return ["nvidia", "amd"].includes(settings.card.maker);
}

/**
 * Whether a first start compiles kernels and tries them out, which takes memory of its own.
 * @param {any} settings the resolved settings
 * @returns {boolean} Whether it does.
 * @throws {PlanError} for a release that is no version
 * @source vLLM 0.16.0 to 0.28.0, `config/compilation.py`.
 */
export function compiles(settings) {
  const rules = settings.rules;
  if (settings.eager || rules.engine === "V0" || !by_cuda(settings)) {
    return false;
  }
  return value_since(FITTED.compiles.since, rules.order);
}

/**
 * Peak of the profile run: the larger of forward pass and sampler.
 * @param {any} settings the resolved settings
 * @param {number} stage place of the stage of the pipeline, from 0
 * @returns {Part} The part, bytes; low is a start whose kernels were compiled before.
 * @throws {PlanError} for sizes that both languages cannot hold exactly
 * @source `facts/vllm/fitted.json`; shape: vllm-project/vllm#9003 and #48322.
 */
export function activation(settings, stage) {
  const size = peak(settings, stage, "value");
  let low = Math.min(size, peak(settings, stage, "low"));
  if (flashinfer(settings)) {
    low = Math.min(low, least(settings, stage));
  }
  const high = Math.max(size, peak(settings, stage, "high"));
  return { name: "activation", bytes: size, low, high, kind: "fitted", source: "activation" };
}

/**
 * @param {any} settings
 * @param {number} stage
 * @param {string} side
 */
function peak(settings, stage, side) {
  const constants = FITTED.constants;
  let forward = forward_bytes(settings, constants.forward_values[side]);
  if (compiles(settings)) {
    forward = bounded("max_num_batched_tokens", forward + constants.compile_bytes[side]);
  }
  if (!last_stage(settings, stage)) {
    return forward;
  }
  const each = word_bytes(settings, sampler_of(settings), constants.sort_bytes[side]);
  return Math.max(forward, sampler_bytes(settings, each));
}

/** @param {any} settings */
function flashinfer(settings) {
  const rules = settings.rules;
  return rules.engine === "V1" && value_since(FITTED.sampler.flashinfer, rules.order);
}

/**
 * Where FlashInfer is installed its sampler sorts nothing.
 * @param {any} settings
 * @param {number} stage
 */
function least(settings, stage) {
  const forward = forward_bytes(settings, FITTED.constants.forward_values.low);
  if (!last_stage(settings, stage)) {
    return forward;
  }
  return Math.max(forward, sampler_bytes(settings, word_bytes(settings, "probabilities", 0)));
}

/**
 * What drivers, libraries and communication between cards hold beside PyTorch.
 * @param {any} settings the resolved settings
 * @returns {Part} The part, bytes.
 * @source `facts/vllm/fitted.json`.
 */
export function non_torch(settings) {
  const sizes = ["value", "low", "high"].map((side) => beside(settings, side));
  return {
    name: "non_torch",
    bytes: /** @type {number} */ (sizes[0]),
    low: Math.min(...sizes),
    high: Math.max(...sizes),
    kind: "fitted",
    source: "non_torch",
  };
}

/**
 * @param {any} settings
 * @param {string} side
 */
function beside(settings, side) {
  const constants = FITTED.constants;
  const own = Math.floor(settings.total_bytes * constants.non_torch_share[side]);
  const several = settings.tp * settings.pp > 1;
  return own + (several ? Math.floor(constants.communication_bytes[side]) : 0);
}

/**
 * Tables that model runner V2 keeps for each seat: a count and a bit for each word of the vocabulary.
 * @param {any} settings the resolved settings
 * @param {number} stage place of the stage of the pipeline, from 0
 * @returns {Part} The part, bytes; exact.
 * @throws {PlanError} for sizes that both languages cannot hold exactly
 * @source vLLM 0.28.0, `v1/worker/gpu/sample/penalties.py`.
 */
export function penalties(settings, stage) {
  let size = 0;
  if (settings.rules.penalties && last_stage(settings, stage)) {
    const rule = FITTED.penalties;
    const words = settings.model.vocab_size;
    const mask = Math.ceil(words / rule.mask_words) * rule.mask_bytes;
    size = bounded("max_num_seqs", bounded("vocab_size", words * rule.count_bytes + mask) * settings.seats);
  }
  return { name: "penalties", bytes: size, low: size, high: size, kind: "rule", source: "penalties" };
}

/**
 * What an encoder of images or sound takes in the profile run: named, not counted.
 * @param {any} settings the resolved settings
 * @returns {Part} The part, always 0 bytes; its source says whether there is such an encoder.
 * @source vLLM 0.19.0, `v1/worker/gpu_model_runner.py`, `profile_run`: published starts of one model differ by its
 *   limits of images, from 0.4 to 36 GiB (vllm-project/vllm#12126).
 */
export function multimodal(settings) {
  const source = settings.model.multimodal ? "multimodal_not_counted" : "multimodal_none";
  return { name: "multimodal", bytes: 0, low: 0, high: 0, kind: "guessed", source };
}
