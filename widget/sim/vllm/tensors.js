// @ts-check
/**
 * The weights of one layer, tensor by tensor, merged as vLLM merges them.
 * @module
 */

import { option } from "./families.js";
import { flag_field, whole_field } from "./fields.js";
import { product, total } from "./sums.js";

/** @import { Latent } from "./latent.js" */
/** @import { Shape } from "./shape.js" */

/** @type {Record<string, number>} */
const _NORMS = { rms: 1, layer: 2, layer_weight: 1, none: 0 };

/**
 * One tensor of weights as vLLM keeps it.
 * @typedef {object} Tensor
 * @property {string} name what it does, without unit
 * @property {string} role "linear", "expert", "router", "head", "embedding", "vision" or "plain", without unit
 * @property {number} split values that tensor parallelism divides
 * @property {number} kv values that it divides by KV heads, of which each GPU keeps at least one
 * @property {number} whole values that each GPU keeps
 */
/**
 * A tensor by its parts.
 * @param {string} name what it does
 * @param {string} role what quantisation and parallelism make of it
 * @param {number} [split] values that tensor parallelism divides
 * @param {number} [kv] values that it divides by KV heads
 * @param {number} [whole] values that each GPU keeps
 * @returns {Tensor} The tensor, its parts in values.
 */
export function tensor(name, role, split = 0, kv = 0, whole = 0) {
  return { name, role, split, kv, whole };
}

/**
 * How many values some tensors have together.
 * @param {Tensor[]} tensors the tensors
 * @returns {number} Values.
 * @throws {PlanError} for a sum above 2^53 − 1
 */
export function values_of(tensors) {
  return total("parameters", ...tensors.map((each) => total(each.name, each.split, each.kv, each.whole)));
}

/**
 * How many values one norm has: a weight, with a bias in a layer norm, or none.
 * @param {Shape} shape sizes of the model
 * @param {number} size values that it normalises
 * @returns {number} Values.
 */
export function norm_values(shape, size) {
  return size * _NORMS[(shape.family.norm ?? "rms")];
}

/**
 * The tensors of a layer that attends.
 * @param {Shape} shape sizes of the model
 * @param {string} [mixer] how it looks at other tokens: "full", "sliding", "chunked", "cross" or "shared"
 * @returns {Tensor[]} The tensors.
 * @throws {PlanError} for sizes whose product is above 2^53 − 1
 */
export function attention_tensors(shape, mixer = "full") {
  if (shape.latent) return _latent_tensors(shape, shape.latent);
  const [text, family, hidden] = [shape.text, shape.family, shape.hidden];
  const doubled = (family.gated_attention ?? false) && flag_field(text, "attn_output_gate", true) ? 2 : 1;
  const [kv_heads, head_dim, value_dim] = heads_of(shape, mixer);
  const queries = product("head_dim", shape.heads, head_dim);
  const values = product("v_head_dim", shape.heads, value_dim);
  const alike = (family.global_head_dim ?? 0) && mixer === "full" && flag_field(text, "attention_k_eq_v", false);
  let kept = product("num_key_value_heads", kv_heads, alike ? head_dim : head_dim + value_dim);
  if ((family.shared_without_keys ?? false) && mixer.startsWith("shared")) {
    kept = 0;
  }
  const out = [
    tensor("qkv", "linear", product("hidden_size", hidden, queries, doubled), product("hidden_size", hidden, kept)),
    tensor("o", "linear", product("hidden_size", hidden, values)),
  ];
  if (option(text, family, "qkv_bias")) {
    const biases = (family.no_key_bias ?? false) ? product("num_key_value_heads", kv_heads, value_dim) : kept;
    out.push(tensor("qkv_bias", "plain", queries * doubled, biases));
  }
  if (option(text, family, "o_bias")) {
    out.push(tensor("o_bias", "plain", 0, 0, hidden));
  }
  if (family.sinks ?? false) {
    out.push(tensor("sinks", "plain", shape.heads));
  }
  return [...out, ..._query_norms(shape, queries, head_dim, kept === 0)];
}

/**
 * The heads of a kind of layer; Gemma 4 has other ones where it looks back without end.
 * @param {Shape} shape sizes of the model
 * @param {string} mixer how the layer looks at other tokens
 * @returns {[number, number, number]} KV heads, values of a key and values of a value.
 * @throws {PlanError} for a field out of range
 */
export function heads_of(shape, mixer) {
  const wide = shape.family.global_head_dim ?? 0;
  if (!wide || !["full", "shared_full"].includes(mixer)) return [shape.kv_heads, shape.head_dim, shape.value_dim];
  const head_dim = whole_field(shape.text, "global_head_dim", 1, undefined, wide);
  const alike = flag_field(shape.text, "attention_k_eq_v", false);
  const kv_heads = whole_field(shape.text, "num_global_key_value_heads", 1, undefined, shape.kv_heads);
  return [alike ? kv_heads : shape.kv_heads, head_dim, head_dim];
}

/**
 * @param {Shape} shape
 * @param {number} queries
 * @param {number} head_dim
 * @param {boolean} only_queries
 * @returns {Tensor[]}
 */
function _query_norms(shape, queries, head_dim, only_queries) {
  const style = shape.family.qk_norm ?? "";
  const words = style.split(":");
  const kind = words[0];
  if (!kind || (words.length > 1 && !flag_field(shape.text, words[1], false))) return [];
  const keys = product("num_key_value_heads", shape.kv_heads, shape.head_dim);
  if (["head", "flag"].includes(kind)) {
    return [tensor("qk_norm", "plain", 0, 0, only_queries ? head_dim : 2 * head_dim)];
  }
  return [tensor("qk_norm", "plain", queries, keys)];
}

/**
 * @param {Shape} shape
 * @param {Latent} latent
 * @returns {Tensor[]}
 */
function _latent_tensors(shape, latent) {
  const [hidden, heads] = [shape.hidden, shape.heads];
  const query = product("num_attention_heads", heads, latent.nope + latent.rope);
  const pairs = product("num_attention_heads", heads, latent.nope + latent.value);
  const down = product("kv_lora_rank", hidden, latent.rank + latent.rope);
  /** @type {Tensor[]} */
  const out = [];
  if (latent.query_rank) {
    const first = product("q_lora_rank", hidden, latent.query_rank);
    out.push(tensor("qkv_a", "linear", 0, 0, total("kv_lora_rank", first, down)));
    out.push(tensor("q_b", "linear", product("q_lora_rank", latent.query_rank, query)));
    out.push(tensor("latent_norms", "plain", 0, 0, latent.query_rank + latent.rank));
  } else {
    out.push(tensor("q", "linear", product("num_attention_heads", hidden, query)));
    out.push(tensor("kv_a", "linear", 0, 0, down));
    out.push(tensor("latent_norms", "plain", 0, 0, latent.rank));
  }
  out.push(tensor("kv_b", "linear", product("kv_lora_rank", latent.rank, pairs)));
  out.push(tensor("o", "linear", product("v_head_dim", heads, latent.value, hidden)));
  return out;
}

/**
 * The tensors that choose which tokens a sparse attention looks at.
 * @param {Shape} shape sizes of the model
 * @returns {Tensor[]} The tensors.
 * @throws {PlanError} for a field that is missing or out of range
 */
export function index_tensors(shape) {
  const asks = whole_field(shape.text, "q_lora_rank", 1);
  const heads = whole_field(shape.text, "index_n_heads", 1);
  const size = whole_field(shape.text, "index_head_dim", 1);
  const ask = product("index_n_heads", asks, heads, size);
  const rest = product("index_head_dim", shape.hidden, size + heads);
  return [
    tensor("index", "linear", 0, 0, total("index_n_heads", ask, rest)),
    tensor("index_norm", "plain", 0, 0, 2 * size),
  ];
}
