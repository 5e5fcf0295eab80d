// @ts-check
/**
 * The sizes of a language model by its config.json: layers, heads, widths, experts.
 * @module
 */

import { experts_of } from "./experts.js";
import { family_of, model_type_of, text_config_of } from "./families.js";
import { MOST_LAYERS, field_of, flag_field, has, table_field, text_field, whole_field } from "./fields.js";
import { latent_of } from "./latent.js";
import { one_of_names } from "./refuse.js";
import { divided, product } from "./sums.js";
import { whole_of } from "./values.js";

/** @import { Experts } from "./experts.js" */
/** @import { Latent } from "./latent.js" */

const _LAYERS = "num_hidden_layers n_layer n_layers num_layers decoder_layers";

const _HIDDEN = "hidden_size n_embd d_model n_embed";

const _HEADS = "num_attention_heads n_head n_heads num_heads decoder_attention_heads";

const _KV_HEADS = "num_key_value_heads n_head_kv num_kv_heads multi_query_group_num num_query_groups";

const _HEAD_DIM = "head_dim kv_channels attention_head_dim";

const _WIDTH = "intermediate_size ffn_dim n_inner ffn_hidden_size decoder_ffn_dim";

const _VOCAB = "vocab_size padded_vocab_size";

const _DTYPES = ["bfloat16", "float16", "float32"];

/**
 * The sizes of a language model.
 * @typedef {object} Shape
 * @property {string} model_type its model type, without unit
 * @property {Record<string, any>} family options of its family, without unit
 * @property {Record<string, any>} outer the whole config, without unit
 * @property {Record<string, any>} text the config of the language model, without unit
 * @property {number} layers layers of the decoder
 * @property {number} hidden values of a hidden state
 * @property {number} heads query heads
 * @property {number} kv_heads heads that keep keys and values
 * @property {number} head_dim values of a query or key, values a head
 * @property {number} value_dim values of a value, values a head
 * @property {number} vocab words of the vocabulary, tokens
 * @property {number} width values of a dense feed-forward layer
 * @property {Experts} experts what is known of experts, without unit
 * @property {Latent | null} latent latent attention, or null without it
 * @property {boolean} tied whether the head is the embedding
 * @property {boolean} says_tied whether the config says so itself, true or false
 * @property {string} dtype type of the weights as the config names it, without unit
 */
/**
 * Read the sizes of a language model.
 * @param {any} config a config.json as an object
 * @returns {Shape} The sizes, each in its own unit.
 * @throws {PlanError} for a field that is missing, out of range, or not understood
 */
export function shape_of(config) {
  const [outer, inner, nested] = text_config_of(config);
  const model_type = model_type_of(outer, inner);
  const family = family_of(inner, model_type);
  const text = nested && Object.hasOwn(family, "nested") ? _with_defaults(inner, family.nested) : inner;
  let layers = whole_field(text, _LAYERS, 1, MOST_LAYERS);
  if (family.hybrid === "encoder_decoder") {
    layers = whole_field(text, "decoder_layers", 1, MOST_LAYERS);
  }
  const hidden = whole_field(text, _HIDDEN, 1);
  const needs_heads = !(family.no_mlp ?? false);
  const heads = whole_field(text, _HEADS, 1, undefined, needs_heads ? null : 1);
  const head_dim = _head_dim(text, family, hidden, heads, needs_heads);
  const kv_heads = _kv_heads(text, family, heads);
  divided("num_attention_heads", heads, kv_heads);
  const width = _width(text, family, hidden);
  return {
    model_type,
    family,
    outer,
    text,
    layers,
    hidden,
    heads,
    kv_heads,
    head_dim,
    value_dim: has(text, "kv_lora_rank") ? head_dim : whole_field(text, "v_head_dim", 1, undefined, head_dim),
    vocab: whole_field(text, _VOCAB, 1, undefined, _vocab_of(outer)),
    width: Object.hasOwn(family, "dense_width") ? whole_field(
      text,
      family.dense_width ?? "intermediate_size",
      0,
      undefined,
      width,
    ) : width,
    experts: experts_of(text, family, layers, width),
    latent: latent_of(text, hidden, heads),
    tied: _tied(outer, text, family),
    says_tied: _says_tied(outer, text),
    dtype: dtype_of(outer, text),
  };
}

/**
 * @param {Record<string, any>} text
 * @param {Record<string, any>} nested
 * @returns {Record<string, any>}
 */
function _with_defaults(text, nested) {
  // What a class gives when a nested config leaves it out; a whole config names all that matters.
  const given = { ...nested, ...text };
  for (const name of Object.keys(nested)) {
    if (!has(text, name)) {
      given[name] = nested[name];
    }
  }
  return given;
}

/**
 * @param {Record<string, any>} outer
 * @returns {number | null}
 */
function _vocab_of(outer) {
  return has(outer, "vocab_size") ? whole_field(outer, _VOCAB, 1) : null;
}

/**
 * @param {Record<string, any>} text
 * @param {Record<string, any>} family
 * @param {number} hidden
 * @param {number} heads
 * @param {boolean} needed
 * @returns {number}
 */
function _head_dim(text, family, hidden, heads, needed) {
  if (!needed) return 1;
  if (Object.hasOwn(family, "head_dim") && !has(text, "head_dim")) return family.head_dim;
  for (const name of _HEAD_DIM.split(" ")) {
    if (has(text, name)) return whole_field(text, name, 1);
  }
  if (has(text, "kv_lora_rank")) return 1;
  return divided("hidden_size", hidden, heads);
}

/**
 * @param {Record<string, any>} text
 * @param {Record<string, any>} family
 * @param {number} heads
 * @returns {number}
 */
function _kv_heads(text, family, heads) {
  const multi_query = flag_field(text, "multi_query", family.one_kv_head ?? false);
  if (multi_query && !flag_field(text, "new_decoder_architecture", false)) return 1;
  if (has(text, "multi_query_attention") && !flag_field(text, "multi_query_attention", true)) return heads;
  const inside = has(text, "attn_config") ? table_field(text, "attn_config") : {};
  return whole_field(text, _KV_HEADS, 1, undefined, whole_field(inside, "kv_n_heads", 1, undefined, heads));
}

/**
 * @param {Record<string, any>} text
 * @param {Record<string, any>} family
 * @param {number} hidden
 * @returns {number}
 */
function _width(text, family, hidden) {
  if (family.no_mlp ?? false) return 0;
  const inside = has(text, "ffn_config") ? table_field(text, "ffn_config") : {};
  for (const name of _WIDTH.split(" ")) {
    if (Array.isArray(field_of(text, name))) return _same_width(text, name);
  }
  let usual = whole_field(inside, "ffn_hidden_size", 1, undefined, 0);
  if (!usual) {
    usual = product("hidden_size", hidden, whole_field(text, "expansion_ratio mlp_ratio", 1, undefined, 4));
  }
  let needed = Object.hasOwn(family, "width_times") || has(inside, "ffn_hidden_size") ? usual : null;
  if (needed === null && has(text, family.expert_width ?? "x")) {
    needed = 0;
  }
  const width = whole_field(text, _WIDTH, 0, undefined, needed);
  if (family.lfm_width ?? false) return _lfm_width(text, width);
  return (family.width_halved ?? false) ? divided("intermediate_size", width, 2) : width;
}

/**
 * @param {Record<string, any>} text
 * @param {string} name
 * @returns {number}
 */
function _same_width(text, name) {
  const widths = text[name];
  const first = whole_of(name, widths.length > 0 ? widths[0] : null, 1);
  for (const each of widths) {
    whole_of(name, each, first, first);
  }
  return first;
}

/**
 * @param {Record<string, any>} text
 * @param {number} width
 * @returns {number}
 */
function _lfm_width(text, width) {
  width = whole_field(text, "block_ff_dim", 1, undefined, width);
  if (!flag_field(text, "block_auto_adjust_ff_dim", true)) return width;
  const multiple = whole_field(text, "block_multiple_of", 1, undefined, 256);
  return product("block_multiple_of", Math.ceil(Math.floor((2 * width) / 3) / multiple), multiple);
}

/**
 * @param {Record<string, any>} outer
 * @param {Record<string, any>} text
 * @returns {boolean}
 */
function _says_tied(outer, text) {
  return has(text, "tie_word_embeddings") || has(text, "tie_embedding") || has(outer, "tie_word_embeddings");
}

/**
 * @param {Record<string, any>} outer
 * @param {Record<string, any>} text
 * @param {Record<string, any>} family
 * @returns {boolean}
 */
function _tied(outer, text, family) {
  const usual = Boolean(family.tied ?? false);
  for (const name of ["tie_word_embeddings", "tie_embedding"]) {
    if (has(text, name)) return flag_field(text, name, usual);
  }
  return flag_field(outer, "tie_word_embeddings", usual);
}

/**
 * The type of the weights as a config names it; "float32" where it does not, as vLLM takes it.
 * @param {Record<string, any>} outer the whole config
 * @param {Record<string, any>} text the config of the language model
 * @returns {string} "bfloat16", "float16" or "float32", without unit.
 * @throws {PlanError} for another type
 */
export function dtype_of(outer, text) {
  for (const config of [outer, text]) {
    for (const name of ["dtype", "torch_dtype"]) {
      let found = text_field(config, name);
      if (found.startsWith("torch.")) {
        found = found.slice(6);
      }
      if (found && found !== "auto") return one_of_names(name, found, _DTYPES);
    }
  }
  return "float32";
}
