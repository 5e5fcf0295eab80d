// @ts-check
/**
 * A Hugging Face config.json, read as vLLM reads it: what the memory of a server depends on.
 * @module
 */

import { kinds_of } from "./architecture.js";
import { mlp_width } from "./experts.js";
import { has, number_field, table_field, texts_field, whole_field } from "./fields.js";
import { longest_of, rope_rows, shape_places } from "./lengths.js";
import { mixers_of } from "./mixers.js";
import { mlps_of } from "./mlps.js";
import { counted } from "./parameters.js";
import { quantisation_of } from "./quantisation_config.js";
import { PlanError } from "./refuse.js";
import { index_of, parameters_of } from "./safetensors.js";
import { senses_of } from "./senses.js";
import { shape_of } from "./shape.js";
import { state_of } from "./states.js";
import { product, total } from "./sums.js";
import { values_of } from "./tensors.js";

/** @import { Kind } from "./architecture.js" */
/** @import { Counted } from "./parameters.js" */
/** @import { Quantisation } from "./quantisation.js" */
/** @import { Shape } from "./shape.js" */

/**
 * What the weights of a model are made of.
 * @typedef {object} Weights
 * @property {Counted} counted tensors by kinds of layers
 * @property {Quantisation} quantisation how the checkpoint stores them
 * @property {number} least the fewest values that they may have
 * @property {number} most the most values that they may have
 * @property {number} index_bytes all tensors by the index, bytes; 0: not known
 * @property {number[]} caches how many caches each layer has, without unit
 * @property {number} kv_heads heads that keep keys and values
 * @property {number} hidden values of a hidden state
 * @property {number} rope values of the tables of positions
 * @property {boolean} tied whether the head is the embedding
 * @property {number} expert_number how many routed experts a layer has
 * @property {number} expert_width values of one expert's feed-forward layer
 */
/**
 * What a plan needs of a model.
 * @typedef {object} Model
 * @property {string} name its name, without unit
 * @property {string} architecture its class, without unit
 * @property {string} model_type its model type, without unit
 * @property {string} dtype type of its weights as the config names it, without unit
 * @property {number} hidden_size values of a hidden state
 * @property {number} vocab_size words of the vocabulary, tokens
 * @property {number} heads query heads
 * @property {number} mlp_width feed-forward values that a token passes in one layer
 * @property {number} longest longest length by the config, tokens; 0: not said
 * @property {Kind[]} kinds kinds of layers that keep something
 * @property {number[]} order for each cache in order of layers, its index among the kinds, without unit
 * @property {number} encoder_tokens tokens of an encoder that each chat keeps
 * @property {boolean} multimodal whether it sees or hears, true or false
 * @property {string} quantisation how its weights are stored; "" for not quantised, without unit
 * @property {number} parameters how many values a server loads
 * @property {string} parameters_kind "index" or "counted", without unit
 * @property {Weights} weights what the weights are made of
 * @property {string[]} guesses keys of what is guessed, without unit
 * @property {string[]} not_counted keys of what is not counted, without unit
 */
/**
 * Read a model from its config.json, and check the count of its parameters against its index.
 * @param {any} config a config.json as an object
 * @param {any} [index] its `model.safetensors.index.json` as an object, or null
 * @param {string} [name] a name for it
 * @returns {Model} The model.
 * @throws {PlanError} for what is not understood, by its name
 */
export function read_model(config, index = null, name = "") {
  const [shape, told] = [shape_of(config), index_of(index)];
  if (told.has_names && !shape.says_tied) {
    shape.tied = !told.has_head;
  }
  const mixers = mixers_of(shape);
  const [kinds, order, caches] = kinds_of(shape, state_of(shape), mixers);
  if (order.length === 0) throw new PlanError("num_hidden_layers", shape.layers, "config_state");
  const [beside, guesses, least, most] = senses_of(shape);
  const parts = counted(shape, state_of(shape), mixers, mlps_of(shape, mixers), beside);
  const quantisation = quantisation_of(shape.outer, shape.text);
  const [parameters, kind, differs] = parameters_of(told, parts, quantisation.method, shape.dtype);
  const text_only = parts.parameters - values_of(beside);
  const tenth = Object.hasOwn(shape.family, "guess") ? Math.floor(text_only / 10) : 0;
  return {
    name,
    architecture: _architecture(shape),
    model_type: shape.model_type,
    dtype: shape.dtype,
    hidden_size: shape.hidden,
    vocab_size: shape.vocab,
    heads: shape.heads,
    mlp_width: mlp_width(shape.experts, shape.width),
    longest: longest_of(shape),
    kinds,
    order,
    encoder_tokens: _encoder_tokens(shape),
    multimodal: _has_senses(shape),
    quantisation: quantisation.method,
    parameters,
    parameters_kind: kind,
    weights: {
      counted: parts,
      quantisation,
      least: text_only - tenth + least,
      most: total("parameters", text_only, tenth, most),
      index_bytes: told.bytes,
      caches,
      kv_heads: shape.kv_heads,
      hidden: shape.hidden,
      rope: _rope(shape),
      tied: shape.tied,
      expert_number: shape.experts.number,
      expert_width: shape.experts.width,
    },
    guesses: _guesses(shape, guesses, differs),
    not_counted: (shape.family.sparse_index ?? false) ? ["sparse_index"] : [],
  };
}

/**
 * @param {Shape} shape
 * @param {string[]} senses
 * @param {boolean} differs
 * @returns {string[]}
 */
function _guesses(shape, senses, differs) {
  const own = Object.hasOwn(shape.family, "guess") ? [shape.family.guess] : [];
  const index = differs ? ["index_differs"] : [];
  return [...own, ...senses, ...index];
}

/**
 * @param {Shape} shape
 * @returns {string}
 */
function _architecture(shape) {
  const names = texts_field(shape.outer, "architectures");
  return names.length > 0 ? names[0] : "";
}

/**
 * @param {Shape} shape
 * @returns {boolean}
 */
function _has_senses(shape) {
  if (shape.family.hybrid === "encoder_decoder") return true;
  const names = ["vision_config", "audio_config", "vision_tower_config", "speech_config", "thinker_config"];
  return names.filter((name) => has(shape.outer, name)).length > 0;
}

/**
 * @param {Shape} shape
 * @returns {number}
 */
function _encoder_tokens(shape) {
  const hybrid = shape.family.hybrid;
  if (hybrid === "encoder_decoder") return whole_field(shape.text, "max_source_positions", 1, undefined, 1500);
  if (hybrid !== "cross") return 0;
  const eye = table_field(shape.outer, "vision_config");
  const [side, patch] = [whole_field(eye, "image_size", 1, 65536, 560), whole_field(eye, "patch_size", 1, 65536, 14)];
  const tiles = whole_field(eye, "max_num_tiles", 1, 65536, 4);
  const across = Math.floor(side / patch);
  return product("image_size", tiles, product("image_size", across, across) + 1);
}

/**
 * @param {Shape} shape
 * @returns {number}
 */
function _rope(shape) {
  const [family, text, latent] = [shape.family, shape.text, shape.latent];
  if (family.no_rope ?? false) return 0;
  const part = number_field(text, "partial_rotary_factor", 0, 1, number_field(text, "rotary_pct", 0, 1, 1.0));
  const size = latent ? latent.rope : Math.floor(shape.head_dim * part);
  const windowed = family.windows === "pattern" && (family.scaled_longest ?? false);
  const rows = rope_rows(shape) + (windowed ? shape_places(shape) : 0);
  return product("max_position_embeddings", rows, size);
}
