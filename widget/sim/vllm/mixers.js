// @ts-check
/**
 * How each layer of a model looks at other tokens.
 * @module
 */

import { field_of, flag_field, has, list_field, table_field, text_field, whole_field } from "./fields.js";
import { PlanError } from "./refuse.js";
import { whole_of } from "./values.js";

/** @import { Shape } from "./shape.js" */

/** @type {Record<string, string>} */
const _LAYER_TYPES = {
  full_attention: "full",
  attention: "full",
  sliding_attention: "sliding",
  chunked_attention: "chunked",
  linear_attention: "state",
  mamba: "state",
  conv: "state",
};

/**
 * The longest length that is read: 2^30 tokens.
 * @source A choice: the longest of the facts is 10,485,760 tokens (Llama 4 Scout).
 */
export const MOST_TOKENS = 1073741824;

/**
 * How each layer looks at other tokens: "full", "sliding", "chunked", "state", "cross", "none", or two of them.
 * @param {Shape} shape sizes of the model
 * @returns {string[]} One text a layer, without unit; "full+state" and "full+cross" are layers that do both.
 * @throws {PlanError} for a list of another length, and for a type of layer that is not understood
 */
export function mixers_of(shape) {
  const [text, family, layers] = [shape.text, shape.family, shape.layers];
  const hybrid = family.hybrid ?? "";
  if (has(text, "layer_types")) return _from_types(shape, list_field(text, "layer_types"), "layer_types");
  if (has(text, "layers_block_type") && hybrid) {
    return _from_types(shape, list_field(text, "layers_block_type"), "layers_block_type");
  }
  if (hybrid === "encoder_decoder") return Array(layers).fill("full+cross");
  if (family.both_mixers ?? false) return Array(layers).fill("full+state");
  if (hybrid && (family.no_mlp ?? false)) return Array(layers).fill("state");
  if (hybrid) return _hybrid(shape, text, hybrid);
  return Array.from({ length: layers }, (_, i) => i).map((i) => _attention(shape, i));
}

/**
 * @param {Shape} shape
 * @param {any[]} types
 * @param {string} name
 * @returns {string[]}
 */
function _from_types(shape, types, name) {
  if (types.length !== shape.layers) throw new PlanError(name, types, "config_layers", { layers: shape.layers });
  const state = shape.family.hybrid ?? "";
  const found = [];
  for (const each of types) {
    const mixer = typeof each === "string" ? (Object.hasOwn(_LAYER_TYPES, each) ? _LAYER_TYPES[each] : "") : "";
    if (!mixer || (mixer === "state" && ["", "cross", "encoder_decoder"].includes(state))) {
      throw new PlanError(name, each, "config_layer_type", { names: Object.keys(_LAYER_TYPES).join(", ") });
    }
    found.push(_windowed(shape, mixer));
  }
  return found;
}

/**
 * @param {Shape} shape
 * @param {string} mixer
 * @returns {string}
 */
function _windowed(shape, mixer) {
  return ["sliding", "chunked"].includes(mixer) && window_of(shape, mixer) === 0 ? "full" : mixer;
}

/**
 * @param {Shape} shape
 * @param {Record<string, any>} text
 * @param {string} hybrid
 * @returns {string[]}
 */
function _hybrid(shape, text, hybrid) {
  const layers = shape.layers;
  if (hybrid === "gdn") {
    const every = whole_field(text, "full_attention_interval", 1, undefined, shape.family.full_every);
    return Array.from({ length: layers }, (_, i) => i).map((i) => (i + 1) % every === 0 ? "full" : "state");
  }
  if (has(text, "hybrid_override_pattern")) return _from_letters(text_field(text, "hybrid_override_pattern"), layers);
  if (has(text, "attn_layer_period")) {
    const period = whole_field(text, "attn_layer_period", 1);
    const offset = whole_field(text, "attn_layer_offset", 0, undefined, 0);
    return Array.from({ length: layers }, (_, i) => i).map((i) => i % period === offset % period ? "full" : "state");
  }
  if (hybrid === "kda") {
    const inside = table_field(text, "linear_attn_config");
    const chosen_ones = _chosen(inside, "full_attn_layers", layers, 1);
    return Array.from({ length: layers }, (_, i) => i).map((i) => chosen_ones.has((i + 1)) ? "full" : "state");
  }
  if (hybrid === "cross") {
    const crossing = _chosen(text, "cross_attention_layers", layers, 0);
    return Array.from({ length: layers }, (_, i) => i).map((i) => crossing.has(i) ? "cross" : "full");
  }
  const chosen = _chosen(text, hybrid === "short_conv" ? "full_attn_idxs" : "attn_layer_indices", layers, 0);
  return Array.from({ length: layers }, (_, i) => i).map((i) => chosen.has(i) ? "full" : "state");
}

/**
 * @param {Record<string, any>} config
 * @param {string} name
 * @param {number} layers
 * @param {number} first
 * @returns {Set<number>}
 */
function _chosen(config, name, layers, first) {
  if (!has(config, name)) throw new PlanError(name, null, "config_list", { most: layers });
  return new Set(list_field(config, name).map((each) => whole_of(name, each, first, layers - 1 + first)));
}

/**
 * @param {string} pattern
 * @param {number} layers
 * @returns {string[]}
 */
function _from_letters(pattern, layers) {
  /** @type {Record<string, string>} */
  const letters = { "M": "state", "*": "full", "-": "none", "E": "none" };
  const found = [];
  for (const each of pattern) {
    if (!Object.hasOwn(letters, each)) {
      throw new PlanError("hybrid_override_pattern", pattern, "config_layer_type", { names: "M, *, -, E" });
    }
    found.push(letters[each]);
  }
  if (found.length !== layers) throw new PlanError("hybrid_override_pattern", pattern, "config_layers", { layers });
  return found;
}

/**
 * The tokens that a layer of a kind looks back.
 * @param {Shape} shape sizes of the model
 * @param {string} mixer "sliding" or "chunked"
 * @returns {number} Tokens, or 0 for all of them.
 * @throws {PlanError} for a window that is no whole number
 */
export function window_of(shape, mixer) {
  const [text, family] = [shape.text, shape.family];
  const name = mixer === "chunked" ? "attention_chunk_size" : "sliding_window";
  if (Object.hasOwn(text, name)) return has(text, name) ? whole_field(text, name, 0, MOST_TOKENS) : 0;
  return mixer === "chunked" ? 8192 : (family.window_size ?? 0);
}

/**
 * @param {Shape} shape
 * @param {number} i
 * @returns {string}
 */
function _attention(shape, i) {
  const [text, rule] = [shape.text, (shape.family.windows ?? "all")];
  if (rule === "chunked") return _chunked(shape, i);
  const reach = window_of(shape, "sliding");
  if (!reach || !flag_field(text, "use_sliding_window", rule !== "flag")) return "full";
  if (rule === "flag") return i >= whole_field(text, "max_window_layers", 0, undefined, 28) ? "sliding" : "full";
  if (rule === "pattern") return _in_pattern(text, shape.family, i) ? "sliding" : "full";
  return "sliding";
}

/**
 * @param {Record<string, any>} text
 * @param {Record<string, any>} family
 * @param {number} i
 * @returns {boolean}
 */
function _in_pattern(text, family, i) {
  const name = has(text, "sliding_window_pattern") ? "sliding_window_pattern" : "_sliding_window_pattern";
  if (typeof field_of(text, name) === "string") {
    const pattern = text[name];
    for (const each of pattern) {
      if (!"LG".includes(each)) throw new PlanError(name, pattern, "config_layer_type", { names: "L, G" });
    }
    if (!pattern) throw new PlanError(name, pattern, "config_layer_type", { names: "L, G" });
    return pattern[i % pattern.length] === "L";
  }
  return (i + 1) % whole_field(text, name, 1, undefined, family.pattern) !== 0;
}

/**
 * @param {Shape} shape
 * @param {number} i
 * @returns {string}
 */
function _chunked(shape, i) {
  const text = shape.text;
  if (!window_of(shape, "chunked")) return "full";
  const ropes = has(text, "no_rope_layers") ? text.no_rope_layers : [];
  if (!Array.isArray(ropes)) throw new PlanError("no_rope_layers", ropes, "config_layers", { layers: shape.layers });
  if (ropes.length > 0) {
    if (ropes.length !== shape.layers) {
      throw new PlanError("no_rope_layers", ropes, "config_layers", { layers: shape.layers });
    }
    return whole_of("no_rope_layers", ropes[i], 0, 1) ? "chunked" : "full";
  }
  return (i + 1) % whole_field(text, "no_rope_layer_interval", 1, undefined, 4) ? "chunked" : "full";
}
