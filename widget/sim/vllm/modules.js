// @ts-check
/**
 * Which weights are stored how: names of modules in a quantisation config, matched with the tensors of a layer.
 * @module
 */

/** @import { Quantisation, Scheme } from "./quantisation.js" */
/** @import { Tensor } from "./tensors.js" */

/**
 * By tensor, the names under which a config may leave it out.
 * @type {Record<string, string>}
 * @source Names of modules in transformers 4.57.
 */
export const ALIASES = {
  qkv: "self_attn attn attention self_attention q_proj k_proj v_proj qkv_proj query_key_value c_attn Wqkv",
  o: "self_attn attn attention self_attention o_proj out_proj dense c_proj",
  qkv_a: "self_attn q_a_proj kv_a_proj_with_mqa kv_a_proj",
  q_b: "self_attn q_b_proj",
  q: "self_attn q_proj",
  kv_a: "self_attn kv_a_proj_with_mqa",
  kv_b: "self_attn kv_b_proj",
  index: "self_attn indexer wq_b wk weights_proj",
  in_proj: "mixer mamba linear_attn in_proj in_proj_qkvz in_proj_qkv in_proj_z conv",
  ba: "linear_attn in_proj_ba in_proj_a in_proj_b",
  x_proj: "mixer mamba x_proj",
  out_proj: "mixer mamba linear_attn out_proj conv",
  gate_up: "mlp feed_forward gate_proj up_proj gate_up_proj fc1 c_fc dense_h_to_4h",
  down: "mlp feed_forward down_proj fc2 c_proj dense_4h_to_h",
  shared_gate_up: "mlp shared_expert shared_experts shared_mlp",
  shared_down: "mlp shared_expert shared_experts shared_mlp",
  w13: "mlp experts block_sparse_moe FusedMoE",
  w2: "mlp experts block_sparse_moe FusedMoE",
  head: "lm_head output",
};

const _QUANTISED = ["linear", "expert"];

/**
 * The names under which a config may mean a tensor.
 * @param {string} name name of the tensor
 * @returns {string[]} Names, without unit.
 */
export function aliases_of(name) {
  return Object.hasOwn(ALIASES, name) ? ALIASES[name].split(" ") : [];
}

/**
 * Names of modules that are left as they are.
 * @typedef {object} Chooser
 * @property {string[]} everywhere names that are left in every layer, without unit
 * @property {Record<string, string[]>} layers by layer, the names that are left in that layer, without unit
 */
/**
 * Sort names and patterns of modules by layer.
 * @param {string[]} patterns names such as "model.layers.3.mlp.down_proj", or patterns that begin with "re:"
 * @returns {Chooser} The last part of each name, by layer.
 */
export function chooser_of(patterns) {
  /** @type {Chooser} */
  const found = { everywhere: [], layers: {} };
  for (const pattern of patterns) {
    const words = _words(pattern);
    if (words.length === 0 || ["mtp", "visual", "vision_tower"].includes(words[0])) continue;
    const layer = _layer(words);
    if (layer < 0) {
      found.everywhere.push(words[words.length - 1]);
    } else {
      found.layers[layer_key(layer)] = [...left_there(found, layer), words[words.length - 1]];
    }
  }
  return found;
}

/**
 * The name of a layer in a chooser.
 * @param {number} layer place of the layer among all, from 0
 * @returns {string} A name, without unit.
 */
export function layer_key(layer) {
  return `layer ${layer}`;
}

/**
 * The names of modules that are left as they are in a layer.
 * @param {Chooser} chooser names of modules
 * @param {number} layer place of the layer among all, from 0
 * @returns {string[]} Names, without unit.
 */
export function left_in(chooser, layer) {
  return [...chooser.everywhere, ...left_there(chooser, layer)];
}

/**
 * The names of modules that are left as they are in one layer alone.
 * @param {Chooser} chooser names of modules
 * @param {number} layer place of the layer among all, from 0
 * @returns {string[]} Names, without unit.
 */
export function left_there(chooser, layer) {
  return (Object.hasOwn(chooser.layers, layer_key(layer)) ? chooser.layers[layer_key(layer)] : []);
}

/**
 * @param {string} pattern
 * @returns {string[]}
 */
function _words(pattern) {
  const text = pattern.startsWith("re:") ? pattern.slice(3) : pattern;
  const words = [];
  let word = "";
  for (const each of `${text}.`) {
    if ("./".includes(each)) {
      words.push(word);
      word = "";
    } else if (!"^$*+?()[]\\".includes(each)) {
      word += each;
    }
  }
  return words.filter((each) => each);
}

/**
 * @param {string[]} words
 * @returns {number}
 */
function _layer(words) {
  for (let i = 0; i < words.length - 1; i += 1) {
    if (["layers", "h", "blocks", "layer"].includes(words[i]) && _digits(words[i + 1])) return _number(words[i + 1]);
  }
  return -1;
}

/**
 * @param {string} word
 * @returns {number}
 */
function _number(word) {
  let number = 0;
  for (const each of word) {
    number = 10 * number + "0123456789".indexOf(each);
  }
  return number;
}

/**
 * @param {string} word
 * @returns {boolean}
 */
function _digits(word) {
  for (const each of word) {
    if (!"0123456789".includes(each)) return false;
  }
  return word.length < 8;
}

/**
 * How a tensor is stored, or null for as it is.
 * @param {Tensor} each the tensor
 * @param {Quantisation} stored how the checkpoint stores weights
 * @param {Chooser} chooser names of modules that are left as they are
 * @param {number} layer place of its layer among all, from 0; -1: outside the layers
 * @returns {Scheme | null} The way it is stored, or null.
 */
export function scheme_of(each, stored, chooser, layer) {
  const role = each.role;
  const words = stored.words && ["embedding", "head"].includes(role);
  if (!words && role === "head") return _head_scheme(stored);
  if (!words && (!_QUANTISED.includes(role) || (stored.experts_only && role !== "expert"))) return null;
  const names = aliases_of(each.name);
  const left = left_in(chooser, layer);
  if (left.filter((name) => names.includes(name) || _digits(name)).length > 0) return null;
  for (const scheme of stored.schemes) {
    if (scheme.targets.length === 0 || _targeted(scheme.targets, names, layer)) return scheme;
  }
  return null;
}

/**
 * @param {Quantisation} stored
 * @returns {Scheme | null}
 */
function _head_scheme(stored) {
  // A head is left as it is unless the config names it.
  for (const scheme of stored.schemes) {
    if (scheme.targets.length > 0 && _targeted(scheme.targets, aliases_of("head"), -1)) return scheme;
  }
  return null;
}

/**
 * @param {string[]} targets
 * @param {string[]} names
 * @param {number} layer
 * @returns {boolean}
 */
function _targeted(targets, names, layer) {
  const chooser = chooser_of(targets);
  return left_in(chooser, layer).filter((name) => names.includes(name)).length > 0;
}
