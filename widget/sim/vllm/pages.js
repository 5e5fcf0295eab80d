// @ts-check
/**
 * What one layer keeps: bytes of a token by kind of layer, bytes of a state, tokens of a block.
 * @module
 */

import { MOST_WHOLE } from "../checks.js";
import { PlanError } from "./refuse.js";
import { at_least } from "./versions.js";

/**
 * Tokens of a block where the attention backend takes any number: 16.
 * @source vLLM 0.33.0, `config/cache.py`, `DEFAULT_BLOCK_SIZE`; the same in every release that was read.
 */
export const BLOCK_TOKENS = 16;
/**
 * Tokens of a block for models that read only some of the tokens of MLA, by the beginning of the architecture's name.
 * @type {Readonly<Record<string, number>>}
 * @source vLLM 0.33.0, `v1/attention/backends/mla`; 0.11.0, `platforms/cuda.py`.
 */
export const SPARSE_TOKENS = { DeepseekV32: 64, GlmMoeDsa: 64, DeepseekV4: 256 };
/**
 * Bytes that one token of one MLA layer takes in DeepSeek's packed forms, by the type of the cache.
 * @type {Readonly<Record<string, number>>}
 * @source vLLM 0.33.0, `v1/kv_cache_interface.py`.
 */
export const MLA_BYTES = { fp8_ds_mla: 656, nvfp4_ds_mla: 352 };
/**
 * Values of one head of DeepSeek's attention as it was kept before MLA was: 192 of them, and 64 of padding.
 * @source vLLM 0.6.6, `model_executor/models/deepseek_v2.py`.
 */
export const MLA_HEAD_VALUES = 256;
/**
 * Kinds of layers that keep something for every token.
 * @type {readonly string[]}
 */
export const ATTENTION = ["full", "sliding", "chunked", "mla", "cross"];

/**
 * The value itself if both languages hold it exactly.
 * @param {string} setting name of the setting that makes it so large, for the refusal
 * @param {number} value whole number of any unit
 * @returns {number} The value, in its own unit.
 * @throws {PlanError} for a value above 2^53 − 1
 */
export function bounded(setting, value) {
  if (value > MOST_WHOLE) throw new PlanError(setting, value, "exact");
  return value;
}

/**
 * How many pieces of one size hold an amount.
 * @param {number} amount whole number of any unit, from 0
 * @param {number} size one piece, in the same unit, from 1
 * @returns {number} Pieces, as many.
 */
export function rounded_up(amount, size) {
  const rest = amount % size;
  return (amount - rest) / size + (rest > 0 ? 1 : 0);
}

/**
 * Tokens of a block: as asked, else what the attention backend needs.
 * @param {any} settings the resolved settings
 * @returns {number} Tokens.
 * @throws {PlanError} for a release that is no version
 */
export function block_tokens_of(settings) {
  return settings.block_tokens > 0 ? settings.block_tokens : backend_tokens(settings);
}

/**
 * Tokens of a block that the attention backend needs: 16 for most, more for MLA on some cards.
 * @param {any} settings the resolved settings
 * @returns {number} Tokens.
 * @throws {PlanError} for a release that is no version
 * @source vLLM 0.33.0, `platforms/interface.py`, `update_block_size_for_backend`, and `platforms/cuda.py`,
 *   `_get_backend_priorities`; until 0.17.1 `platforms/cuda.py`, `check_and_update_config`; 0.9.2 and
 *   0.11.0, `v1/attention/backends/pallas.py`.
 */
export function backend_tokens(settings) {
  const { card, model } = settings;
  if (card.maker === "intel") return 64;
  if (card.maker === "google") return tpuTokens(settings);
  for (const [beginning, tokens] of Object.entries(SPARSE_TOKENS)) {
    if (model.architecture.startsWith(beginning)) return tokens;
  }
  if (card.maker === "nvidia" && settings.rules.engine === "V1" && keeps_mla(model)) {
    return mlaTokens(settings, card.capability);
  }
  return BLOCK_TOKENS;
}

/** @param {any} settings */
function tpuTokens(settings) {
  // A sixteenth of the longest length, from 16 to 256; since 0.10 always 16 for long ones.
  const { rules, longest } = settings;
  if (!at_least(rules.order, "0.9.0") || (longest > 8192 && at_least(rules.order, "0.10.0"))) return BLOCK_TOKENS;
  let tokens = BLOCK_TOKENS;
  while (tokens < 256 && tokens * 16 < longest) tokens *= 2;
  return tokens;
}

/**
 * Whether a model has layers with latent attention.
 * @param {any} model the model
 * @returns {boolean} Whether it has.
 */
export function keeps_mla(model) {
  return model.kinds.some((/** @type {any} */ kind) => kind.kind === "mla");
}

/**
 * @param {any} settings
 * @param {string} capability
 */
function mlaTokens(settings, capability) {
  const order = settings.rules.order;
  if (capability.startsWith("9.")) {
    // FlashMLA takes 64; since 0.18 FlashAttention comes first, which takes 16 but no smaller type than the model's.
    const plain = value_bytes(settings) > 1 && !Object.hasOwn(MLA_BYTES, settings.kv_dtype);
    return !at_least(order, "0.9.0") || (at_least(order, "0.18.0") && plain) ? BLOCK_TOKENS : 64;
  }
  if (!capability.startsWith("10.")) return BLOCK_TOKENS;
  if (at_least(order, "0.18.0")) return 32; // FlashInfer
  if (!at_least(order, "0.14.0") || settings.dcp > 1) return 128; // CUTLASS
  return 64; // FlashInfer, which could not spread a chat over ranks
}

/**
 * Bytes of one value of the cache: as its type says, or the model's; the packed types have no such size.
 * @param {any} settings the resolved settings
 * @returns {number} Bytes.
 */
export function value_bytes(settings) {
  const kept = settings.kv_dtype;
  if (kept.startsWith("fp8") || kept.startsWith("int8")) return 1;
  if (["bfloat16", "float16", "half"].includes(kept)) return 2;
  return ownBytes(settings);
}

/** @param {any} settings */
function ownBytes(settings) {
  return ["float32", "float"].includes(settings.dtype) ? 4 : 2;
}

/**
 * KV heads of one card: shared out by tensor parallel, but never fewer than one, which is then a copy.
 * @param {any} settings the resolved settings
 * @param {number} heads KV heads of the layer
 * @returns {number} Heads.
 * @source vLLM 0.33.0, `config/model.py`, `get_num_kv_heads`.
 */
export function heads_here(settings, heads) {
  return Math.max(1, Math.floor(heads / settings.tp));
}

/**
 * What one token of one layer takes on one card; nothing for a state and for a layer that shares another's cache.
 * @param {any} settings the resolved settings
 * @param {any} kind the kind of layer
 * @returns {number} Bytes.
 * @throws {PlanError} for heads of a size that both languages cannot hold exactly
 * @source vLLM 0.33.0, `v1/kv_cache_interface.py`, `AttentionSpec` and `MLAAttentionSpec`.
 */
export function token_bytes(settings, kind) {
  if (!ATTENTION.includes(kind.kind)) return 0;
  if (kind.kind === "mla") return bounded("head_dim", mlaBytes(settings, kind));
  const heads = heads_here(settings, kind.kv_heads);
  if (settings.kv_dtype === "nvfp4") {
    return bounded("head_dim", heads * (nvfp4(kind.head_dim) + nvfp4(kind.head_dim_v)));
  }
  // A type with a scale for each token and head keeps two more numbers of four bytes, for the key and the value.
  const scales = settings.kv_dtype.endsWith("per_token_head") ? 8 : 0;
  const values = kind.head_dim + kind.head_dim_v;
  return bounded("head_dim", heads * (values * value_bytes(settings) + scales));
}

/**
 * @param {any} settings
 * @param {any} kind
 */
function mlaBytes(settings, kind) {
  if (Object.hasOwn(MLA_BYTES, settings.kv_dtype)) return /** @type {number} */ (MLA_BYTES[settings.kv_dtype]);
  if (settings.rules.engine === "V0" && !at_least(settings.rules.order, "0.7.1")) {
    return heads_here(settings, settings.model.heads) * 2 * MLA_HEAD_VALUES * value_bytes(settings);
  }
  if (settings.kv_dtype === "nvfp4") return nvfp4(kind.head_dim);
  return kind.head_dim * value_bytes(settings);
}

/** @param {number} values */
function nvfp4(values) {
  // Two values a byte, and a scale of one byte for every 16 values.
  return Math.floor(values / 2) + Math.floor(values / 16);
}

/**
 * The state that one Mamba or linear-attention layer keeps for one chat, shared out by tensor parallel.
 * @param {any} settings the resolved settings
 * @param {any} kind the kind of layer
 * @returns {number} Bytes.
 * @throws {PlanError} for a state of a size that both languages cannot hold exactly
 * @source vLLM 0.33.0, `v1/kv_cache_interface.py`, `MambaSpec`.
 */
export function state_bytes(settings, kind) {
  let total = 0;
  const own = ownBytes(settings);
  for (const [values, size] of kind.state) {
    const here = rounded_up(values, settings.tp);
    total = bounded("state", total + bounded("state", here * (size > 0 ? size : own)));
  }
  return total;
}
