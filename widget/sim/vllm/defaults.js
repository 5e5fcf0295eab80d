// @ts-check
/**
 * vLLM's defaults that depend on card, model and each other: seats, tokens a step, types, chunks.
 * @module
 */

import { VERSIONS } from "./plan_facts.js";
import { PlanError, one_of_names } from "./refuse.js";
import { GIB_BYTES } from "./rounding.js";
import { at_least } from "./versions.js";

/** @import { Rules } from "./versions.js" */
/**
 * Types in which a model computes.
 * @typedef {"bfloat16" | "float16" | "float32"} Dtype
 */

/**
 * Names of dtypes that vLLM takes.
 * @source vLLM 0.33.0, ModelConfig.dtype.
 */
export const DTYPES = ["auto", "half", "float16", "bfloat16", "float", "float32"];

/**
 * Tokens of which a block is a multiple, for every attention of NVIDIA's and AMD's cards but for one.
 * @source vLLM 0.33.0, v1/attention/backends: `get_supported_kernel_block_sizes`; AMD's AITER for latent attention takes
 *   any.
 */
export const BLOCK_MULTIPLE = 16;

/**
 * The most of one step.
 * @typedef {object} Batch
 * @property {number} seats chats at once
 * @property {number} tokens tokens a step
 */

/**
 * Seats and tokens a step, where they are given and where they are not.
 * @param {Rules} rules of the version
 * @param {any} card the card
 * @param {any} model the model
 * @param {number} longest length of the longest chat, tokens
 * @param {boolean} chunked whether prompts are cut into chunks
 * @param {"api" | "llm"} server “api” for the server, “llm” for the class LLM
 * @param {number | null} seats chats at once that were given, or null
 * @param {number | null} tokens tokens a step that were given, or null
 * @returns {Batch} Chats at once and tokens a step.
 * @source vLLM 0.33.0, engine/arg_utils.py, `get_batch_defaults`; each version's in `facts/vllm/vllm.json`.
 */
export function batch_of(rules, card, model, longest, chunked, server, seats, tokens) {
  const own = rules.engine === "V0" ? v0(rules, model, longest, chunked) : tier_of(rules, card, server);
  let found_tokens = tokens ?? own.tokens;
  let found_seats = seats ?? own.seats;
  if (tokens === null && rules.engine === "V1") {
    if (!chunked) found_tokens = Math.max(found_tokens, longest);
    if (rules.tokens_within_seats) found_tokens = Math.min(found_seats * longest, found_tokens);
  }
  if (seats === null && rules.seats_within_tokens) found_seats = Math.min(found_seats, found_tokens);
  return { seats: found_seats, tokens: found_tokens };
}

/**
 * @param {Rules} rules
 * @param {any} model
 * @param {number} longest
 * @param {boolean} chunked
 * @returns {Batch}
 */
function v0(rules, model, longest, chunked) {
  const facts = VERSIONS.batch.v0;
  const tokens = chunked ? rules.chunked_tokens : Math.max(longest, facts.tokens);
  return { seats: facts.seats, tokens: model.multimodal ? Math.max(tokens, rules.multimodal_tokens) : tokens };
}

/**
 * @param {Rules} rules
 * @param {any} card
 * @param {"api" | "llm"} server
 * @returns {Batch}
 */
function tier_of(rules, card, server) {
  const facts = VERSIONS.batch;
  const name = lower(card.name);
  if (card.maker === "google") return tpu(name, server);
  let tier = card.total_bytes >= facts.large_gib * GIB_BYTES ? "large" : "other";
  if (rules.tiers === "names" || rules.tiers === "names_1024") {
    tier = name.includes("h100") || name.includes("h200") ? "large" : "other";
  } else if (rules.tiers !== "memory" && name.includes("a100")) {
    tier = "other";
  }
  if (rules.tiers === "gb10" && card.capability === "12.1") tier = "other";
  const newest = rules.tiers === "blackwell" || rules.tiers === "gb10";
  if (newest && card.total_bytes >= facts.blackwell_gib * GIB_BYTES) tier = "blackwell";
  const row = facts[tier];
  return { seats: rules.tiers === "names_1024" ? facts.large.seats : row.seats, tokens: row[server] };
}

/**
 * ASCII letters made small, as names of cards have no others that matter.
 * @param {string} text
 */
function lower(text) {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/**
 * @param {string} name
 * @param {"api" | "llm"} server
 * @returns {Batch}
 */
function tpu(name, server) {
  const facts = VERSIONS.batch;
  const chip = Object.keys(facts.tpu).find((each) => name.includes(lower(each)));
  return { seats: facts.other.seats, tokens: (chip ? facts.tpu[chip] : facts.other)[server] };
}

/**
 * Whether prompts are cut into chunks.
 * @param {Rules} rules of the version
 * @param {any} model the model
 * @param {any} card the card
 * @param {number} longest length of the longest chat, tokens
 * @param {boolean | null} asked what was asked, or null
 * @returns {boolean} Whether they are.
 * @throws {PlanError} for a release that is no version
 * @source vLLM 0.6.6 and 0.8.5, engine/arg_utils.py: V0 does so by itself above 32,768 tokens for plain text models.
 */
export function chunked_of(rules, model, card, longest, asked) {
  if (rules.chunked_fixed) return true;
  if (asked !== null) return asked;
  if (rules.engine === "V1" || rules.chunked_above_tokens === 0 || longest <= rules.chunked_above_tokens) return rules.chunked;
  /** @type {string[]} */
  const kinds = model.kinds.map((/** @type {any} */ kind) => kind.kind);
  // Multi-head latent attention was left out from 0.8.1 on.
  const latent = kinds.includes("mla") && at_least(rules.order, "0.8.1");
  const plain = !latent && !kinds.includes("sliding") && !kinds.includes("mamba") && !model.multimodal;
  return card.maker === "nvidia" && plain;
}

/**
 * The type in which the model computes.
 * @param {Rules} rules of the version
 * @param {any} card the card
 * @param {any} model the model
 * @param {any} asked name of a dtype, or null
 * @returns {Dtype} bfloat16, float16 or float32.
 * @throws {PlanError} for a name that vLLM does not take
 * @source vLLM 0.8.5 and 0.33.0, `_get_and_verify_dtype`; the card's first type is bfloat16 from compute capability 8.0.
 */
export function dtype_of(rules, card, model, asked) {
  const name = asked === null ? "auto" : one_of_names("dtype", asked, DTYPES);
  if (name === "half" || name === "float16") return "float16";
  if (name === "bfloat16") return "bfloat16";
  if (name === "float" || name === "float32") return "float32";
  /** @type {Dtype} */
  let own = model.dtype;
  if (own === "float32") own = rules.float32_to === "preferred" ? preferred(rules, card, model) : "float16";
  if (own === "bfloat16" && !does_bfloat16(card) && rules.dtype_falls_back) return preferred(rules, card, model);
  return own;
}

/**
 * @param {Rules} rules
 * @param {any} card
 * @param {any} model
 * @returns {Dtype}
 */
function preferred(rules, card, model) {
  if (does_bfloat16(card)) return "bfloat16";
  const never = rules.float32_to === "preferred" && VERSIONS.no_float16.names.includes(model.model_type);
  return never ? "float32" : "float16";
}

/**
 * Whether a card computes in bfloat16: NVIDIA's from compute capability 8.0, the others all.
 * @param {any} card the card
 * @returns {boolean} Whether it does.
 * @source vLLM 0.33.0, platforms/cuda.py.
 */
export function does_bfloat16(card) {
  return card.capability === "" || Number(card.capability.split(".")[0]) >= 8;
}

/**
 * Tokens of a block that were asked for, 0 where the backend decides.
 * @param {Rules} rules of the version
 * @param {any} card the card
 * @param {any} model the model
 * @param {any} asked tokens of a block, or null
 * @returns {number} Tokens.
 * @throws {PlanError} for a size that the version, or every attention on the card, does not have
 * @source `facts/vllm/vllm.json`, block_sizes and block_multiple.
 */
export function block_tokens_of(rules, card, model, asked) {
  if (asked === null) return 0;
  const sizes = rules.block_sizes;
  const most = VERSIONS.bounds.seats;
  const by = block_multiple(rules, card, model);
  const right = typeof asked === "number" && asked >= 1 && asked <= most;
  if (!right || (sizes.length ? !sizes.includes(asked) : asked % by !== 0)) {
    const names = sizes.length ? sizes.join(", ") : `${by}, ${2 * by}, ${3 * by} … ${most}`;
    throw new PlanError("block_size", asked, "block_of", { version: rules.version, names });
  }
  return asked;
}

/**
 * @param {Rules} rules
 * @param {any} card
 * @param {any} model
 * @returns {number}
 */
function block_multiple(rules, card, model) {
  // Only attention has blocks of its own, and on AMD's cards one of the latent ones takes any.
  const kinds = model.kinds.map((/** @type {any} */ { kind }) => kind).filter((/** @type {string} */ kind) => kind !== "mamba");
  const latent = kinds.includes("mla");
  const attends = kinds.length && (card.maker === "nvidia" || (card.maker === "amd" && !latent));
  const known = rules.block_multiple === "all" || (rules.block_multiple === "mla" && latent);
  return attends && known ? BLOCK_MULTIPLE : 1;
}
