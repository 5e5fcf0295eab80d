// @ts-check
/**
 * The longest text that a model was made for, as vLLM derives it from its config.json.
 * @module
 */

import { field_of, has, number_field, object_of, text_field, whole_field } from "./fields.js";
import { MOST_TOKENS } from "./mixers.js";
import { whole_of } from "./values.js";

/** @import { Shape } from "./shape.js" */

/**
 * Fields that name a longest length; the smallest counts, and model_max_length before them.
 * @source vLLM 0.11 to 0.33, `config/model.py`, `_get_and_verify_max_len`.
 */
export const NAMES = "max_position_embeddings n_positions max_seq_len seq_length max_target_positions max_sequence_length max_seq_length seq_len";

const _UNSCALED = ["", "default", "mrope", "su", "longrope", "llama3"];

/**
 * The longest length by the config, with the stretch of its positions.
 * @param {Shape} shape sizes of the model
 * @returns {number} Tokens, or 0 where the config does not say.
 * @throws {PlanError} for a length or a factor that is no such number
 * @source vLLM 0.11 to 0.33, `config/model.py`, `_get_and_verify_max_len`.
 */
export function longest_of(shape) {
  const text = shape.text;
  const found = _named(text) || _named(shape.outer);
  if (shape.family.scaled_longest ?? false) return found;
  return _stretched(found, _scaling(text));
}

/**
 * @param {Record<string, any>} config
 * @returns {number}
 */
function _named(config) {
  // Command R names 8,192 places and a model_max_length of 131,072, which counts.
  if (has(config, "model_max_length")) return whole_of("model_max_length", config.model_max_length, 1, MOST_TOKENS);
  let found = 0;
  for (const name of NAMES.split(" ")) {
    if (has(config, name)) {
      const value = whole_of(name, config[name], 1, MOST_TOKENS);
      found = found === 0 ? value : Math.min(found, value);
    }
  }
  return found;
}

/**
 * The places of a model before any stretch; vLLM's default where the config does not say.
 * @param {Shape} shape sizes of the model
 * @returns {number} Tokens.
 * @throws {PlanError} for a length that is no such number
 */
export function shape_places(shape) {
  return whole_field(shape.text, "max_position_embeddings", 1, MOST_TOKENS, 8192);
}

/**
 * The rows of the table of positions that vLLM keeps: one for each place that a rotary embedding can turn.
 * @param {Shape} shape sizes of the model
 * @returns {number} Rows, one a token.
 * @throws {PlanError} for a length or a factor that is no such number
 * @source vLLM 0.11 to 0.33, `model_executor/layers/rotary_embedding`.
 */
export function rope_rows(shape) {
  const text = shape.text;
  const places = shape_places(shape);
  const found = _scaling(text);
  const kind = text_field(found, "rope_type") || text_field(found, "type");
  const before = _original(found, places);
  if (["longrope", "su"].includes(kind)) return places + _original(text, before);
  if (has(found, "mrope_section")) return 4 * places;
  if (_UNSCALED.includes(kind)) return places;
  const stretched = (kind === "yarn" ? before : places) * number_field(found, "factor", 0.001, 1048576, 1.0);
  return stretched < MOST_TOKENS ? Math.floor(stretched) : MOST_TOKENS;
}

/**
 * @param {Record<string, any>} config
 * @param {number} otherwise
 * @returns {number}
 */
function _original(config, otherwise) {
  const name = "original_max_position_embeddings";
  return has(config, name) ? whole_of(name, config[name], 1, MOST_TOKENS) : otherwise;
}

/**
 * @param {Record<string, any>} text
 * @returns {Record<string, any>}
 */
function _scaling(text) {
  for (const name of ["rope_scaling", "rope_parameters"]) {
    if (has(text, name)) {
      const found = object_of(name, text[name]);
      const inside = field_of(found, "full_attention");
      return inside !== null ? object_of(name, inside) : found;
    }
  }
  return {};
}

/**
 * @param {number} found
 * @param {Record<string, any>} scaling
 * @returns {number}
 */
function _stretched(found, scaling) {
  const kind = text_field(scaling, "rope_type") || text_field(scaling, "type");
  if (_UNSCALED.includes(kind) || found === 0) return found;
  const factor = number_field(scaling, "factor", 0.001, 1048576, 1.0);
  let before = found;
  if (kind === "yarn" && has(scaling, "original_max_position_embeddings")) {
    before = whole_of("original_max_position_embeddings", scaling.original_max_position_embeddings, 1, MOST_TOKENS);
  }
  const stretched = before * factor;
  return stretched < MOST_TOKENS ? Math.floor(stretched) : MOST_TOKENS;
}
