// @ts-check
/**
 * What a model has beside its language model: eye, ear, encoder; counted where the shape is known, else guessed.
 * @module
 */

import { UNSURE, block_values, eye_of } from "./eyes.js";
import { has, table_field, text_field, whole_field } from "./fields.js";
import { product, total } from "./sums.js";
import { tensor, values_of } from "./tensors.js";

/** @import { Shape } from "./shape.js" */
/** @import { Tensor } from "./tensors.js" */

const _EARS = ["qwen2_audio_encoder"];

const _GUESSED = 600000000;

const _GUESSED_MOST = 6000000000;

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
        const far = many === _GUESSED ? _GUESSED_MOST : 2 * many;
        [least, most] = [least + Math.floor(many / 2), total(name, most, far)];
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
  if (name === "audio_config" && _EARS.includes(kind)) {
    const heard = encoder_values(config, whole_field(config, "d_model", 1), 2);
    const joined = product("d_model", shape.hidden, whole_field(config, "d_model", 1) + 1);
    return [[tensor("audio", "vision", total("audio_config", heard, joined))], 2];
  }
  const layers = "num_hidden_layers depth num_layers layers encoder_layers num_blocks";
  const hidden = "hidden_size embed_dim d_model width";
  if (!(_any(config, layers) && _any(config, hidden))) return [[tensor(name, "vision", _GUESSED)], 0];
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
 * How many values Whisper's encoder has: two convolutions, places, blocks; keys have no bias.
 * @param {Record<string, any>} config the config that names its layers
 * @param {number} wide values of its hidden state
 * @param {number} per_norm values of a norm for each value that it normalises
 * @returns {number} Values.
 * @throws {PlanError} for a field that is missing or out of range
 */
export function encoder_values(config, wide, per_norm) {
  const deep = whole_field(config, "encoder_layers", 1, 1000);
  const inner = whole_field(config, "encoder_ffn_dim", 1);
  const mels = whole_field(config, "num_mel_bins", 1, 4096, 80);
  const heard = total("num_mel_bins", product("d_model", 3, mels + wide, wide), 2 * wide);
  const places = product("max_source_positions", whole_field(config, "max_source_positions", 1, undefined, 1500), wide);
  const block = block_values(wide, inner, 2, 4 * wide + inner, 2 * per_norm * wide);
  return total("encoder_layers", heard, places, product("encoder_layers", deep, block), per_norm * wide);
}

/**
 * @param {Shape} shape
 * @returns {Tensor[]}
 */
function _encoder(shape) {
  const [text, wide] = [shape.text, shape.hidden];
  const words = product("max_target_positions", whole_field(text, "max_target_positions", 1, undefined, 448), wide);
  const encoder = encoder_values(text, wide, 2);
  return [tensor("encoder", "vision", encoder), tensor("positions", "plain", 0, 0, words)];
}

/**
 * @param {Shape} shape
 * @param {Record<string, any>} text
 * @returns {Tensor[]}
 */
function _extras(shape, text) {
  // Gemma 3n and the small Gemma 4: words once more for each layer.
  const [kind, layers, hidden] = [(shape.family.extras ?? ""), shape.layers, shape.hidden];
  const per_layer = whole_field(text, "hidden_size_per_layer_input", 0, undefined, 256);
  if (!kind || !per_layer) return [];
  const words = whole_field(text, "vocab_size_per_layer_input", 1, undefined, 262144);
  const name = "hidden_size_per_layer_input";
  const into = total(name, product(name, hidden, layers, per_layer), per_layer);
  const gates = product(name, layers, total(name, product(name, 2, hidden, per_layer), hidden));
  const mixing = kind === "gemma3n" ? _mixing(shape, text) : 0;
  return [
    tensor("per_layer_words", "embedding", product(name, words, layers, per_layer)),
    tensor("extras", "plain", 0, 0, total(name, into, gates, mixing)),
  ];
}

/**
 * @param {Shape} shape
 * @param {Record<string, any>} text
 * @returns {number}
 */
function _mixing(shape, text) {
  // Gemma 3n: a way around each layer of a lower rank (LAuReL), and several hidden states at once (AltUp).
  const hidden = shape.hidden;
  const rank = whole_field(text, "laurel_rank", 1, undefined, 64);
  const ways = whole_field(text, "altup_num_inputs", 1, 64, 4);
  const laurel = total("laurel_rank", product("laurel_rank", 2, hidden, rank), hidden);
  const altup = total("altup_num_inputs", ways * ways * (ways + 1), product("altup_num_inputs", ways + 2, hidden));
  const each = product("num_hidden_layers", shape.layers, total("altup_num_inputs", laurel, altup));
  return total("altup_num_inputs", each, product("altup_num_inputs", 2 * (ways - 1), hidden, hidden));
}
