// @ts-check
/**
 * What a model has beside its language model: eye, ear, encoder; counted where the shape is known, else guessed.
 * @module
 */

import { UNSURE, block_values, eye_of } from "./eyes.js";
import { has, table_field, text_field, whole_field } from "./fields.js";
import { product, total } from "./sums.js";
import { norm_values, tensor, values_of } from "./tensors.js";

/** @import { Shape } from "./shape.js" */
/** @import { Tensor } from "./tensors.js" */

const GUESSED = 600000000;

const GUESSED_MOST = 6000000000;

/**
 * The weights of vision, audio and encoder.
 * @param {Shape} shape sizes of the model
 * @returns {[Tensor[], string[], number, number]} The tensors, the keys of what is guessed about them, and the least
 *   and the most values that they have.
 * @throws {PlanError} for a field out of range
 */
export function senses_of(shape) {
  const [outer, text] = [shape.outer, shape.text];
  if (shape.family.hybrid === "encoder_decoder") return _exact(_encoder(shape));
  /** @type {Tensor[]} */
  const tensors = [];
  /** @type {string[]} */
  const guesses = [];
  let least = 0;
  let most = 0;
  for (const name of ["vision_config", "audio_config", "vision_tower_config", "speech_config"]) {
    for (const holder of [outer, table_field(outer, "thinker_config")]) {
      if (!has(holder, name) || (holder !== outer && has(outer, name))) continue;
      const [found, known] = _sense(shape, name, table_field(holder, name));
      const many = values_of(found);
      tensors.push(...found);
      const spread = known === 1 ? Math.floor(many / 20) : 0;
      if (known === 0) {
        guesses.push(name);
        [least, most] = [least + Math.floor(many / 2), total(name, most, Math.max(2 * many, GUESSED_MOST))];
      } else {
        guesses.push(...known === 1 ? [name] : []);
        [least, most] = [least + many - spread, total(name, most, many, spread)];
      }
    }
  }
  const extra = _extras(shape, text);
  const size = values_of(extra);
  return [[...tensors, ...extra], guesses, least + size, total("parameters", most, size)];
}

/**
 * @param {Tensor[]} tensors
 * @returns {[Tensor[], string[], number, number]}
 */
function _exact(tensors) {
  const size = values_of(tensors);
  return [tensors, [], size, size];
}

/**
 * @param {Shape} shape
 * @param {string} name
 * @param {Record<string, any>} config
 * @returns {[Tensor[], number]}
 */
function _sense(shape, name, config) {
  const kind = text_field(config, "model_type") || shape.model_type;
  const eye = name === "vision_config" ? eye_of(shape, config, kind) : null;
  if (eye !== null) return [[tensor("vision", "vision", eye)], UNSURE.includes(kind) ? 1 : 2];
  const layers = "num_hidden_layers depth num_layers layers encoder_layers num_blocks";
  const hidden = "hidden_size embed_dim d_model width";
  if (!(_any(config, layers) && _any(config, hidden))) return [[tensor(name, "vision", GUESSED)], 0];
  const [wide, deep] = [whole_field(config, hidden, 1), whole_field(config, layers, 1, 1000)];
  const inner = whole_field(config, "intermediate_size encoder_ffn_dim", 1, undefined, product(name, 4, wide));
  const block = total(name, product(name, 4, wide, wide), product(name, 2, wide, inner));
  const join = product(name, shape.hidden, wide + shape.hidden);
  return [[tensor(name, "vision", total(name, product(name, deep, block), join))], 0];
}

/**
 * @param {Record<string, any>} config
 * @param {string} names
 * @returns {boolean}
 */
function _any(config, names) {
  return names.split(" ").filter((name) => has(config, name)).length > 0;
}

/**
 * @param {Shape} shape
 * @returns {Tensor[]}
 */
function _encoder(shape) {
  const [text, wide] = [shape.text, shape.hidden];
  const deep = whole_field(text, "encoder_layers", 1, 1000);
  const inner = whole_field(text, "encoder_ffn_dim", 1);
  const mels = whole_field(text, "num_mel_bins", 1, 4096, 80);
  const heard = total("num_mel_bins", product("num_mel_bins", 3, mels, wide), wide, product("d_model", 3, wide, wide), wide);
  const places = product("max_source_positions", whole_field(text, "max_source_positions", 1, undefined, 1500), wide);
  const words = product("max_target_positions", whole_field(text, "max_target_positions", 1, undefined, 448), wide);
  const block = block_values(wide, inner, 2, 4 * wide + inner, 2 * norm_values(shape, wide));
  const size = total("encoder_layers", heard, places, product("encoder_layers", deep, block), norm_values(shape, wide));
  return [tensor("encoder", "vision", size), tensor("positions", "plain", undefined, undefined, words)];
}

/**
 * @param {Shape} shape
 * @param {Record<string, any>} text
 * @returns {Tensor[]}
 */
function _extras(shape, text) {
  if (shape.family.extras !== "gemma3n") return [];
  const [layers, hidden] = [shape.layers, shape.hidden];
  const per_layer = whole_field(text, "hidden_size_per_layer_input", 1, undefined, 256);
  const words = whole_field(text, "vocab_size_per_layer_input", 1, undefined, 262144);
  const rank = whole_field(text, "laurel_rank", 1, undefined, 64);
  const ways = whole_field(text, "altup_num_inputs", 1, 64, 4);
  const table = product("vocab_size_per_layer_input", words, layers, per_layer);
  const into = total("hidden_size_per_layer_input", product("hidden_size_per_layer_input", hidden, layers, per_layer), per_layer);
  const gates = total("hidden_size_per_layer_input", product("hidden_size", 2, hidden, per_layer), hidden);
  const laurel = total("laurel_rank", product("laurel_rank", 2, hidden, rank), hidden);
  const altup = total("altup_num_inputs", product("altup_num_inputs", ways, ways, ways + 1), product("hidden_size", ways + 2, hidden));
  const each = product("num_hidden_layers", layers, total("num_hidden_layers", gates, laurel, altup));
  const mixing = product("altup_num_inputs", 2 * (ways - 1), hidden, hidden);
  return [tensor("per_layer_words", "embedding", table), tensor("extras", "plain", undefined, undefined, total("extras", into, each, mixing))];
}
