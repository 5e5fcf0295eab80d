// @ts-check
/**
 * How a checkpoint's config.json says that its weights are stored: one reader for each method.
 * @module
 */

import {
  flag_field,
  has,
  list_field,
  number_field,
  object_of,
  table_field,
  text_field,
  texts_field,
  whole_field,
} from "./fields.js";
import { QUANTISATIONS } from "./plan_facts.js";
import { by_name, lowered, none_of_it, plain_scheme } from "./quantisation.js";
import { PlanError, one_of_names } from "./refuse.js";
import { whole_of } from "./values.js";

/** @import { Quantisation, Scheme } from "./quantisation.js" */

/**
 * How a checkpoint's config.json says that its weights are stored.
 * @param {Record<string, any>} outer the whole config
 * @param {Record<string, any>} text the config of the language model
 * @returns {Quantisation} How the weights are stored.
 * @throws {PlanError} for a method that is not known, and for a field that is not understood
 */
export function quantisation_of(outer, text) {
  for (const config of [outer, text]) {
    for (const name of ["quantization_config", "compression_config"]) {
      if (has(config, name)) return _read(object_of(name, config[name]));
    }
  }
  return none_of_it();
}

/**
 * @param {Record<string, any>} config
 * @returns {Quantisation}
 */
function _read(config) {
  const method = text_field(config, "quant_method") || text_field(config, "quant_algo");
  const lower = lowered(method);
  const name = (Object.hasOwn(QUANTISATIONS.aliases, lower) ? QUANTISATIONS.aliases[lower] : lower);
  one_of_names("quant_method", name, Object.keys(_READERS));
  const found = _READERS[name](config);
  found.method = name;
  for (const key of ["modules_to_not_convert", "ignore", "ignored_layers", "exclude_modules"]) {
    found.ignore = [...found.ignore, ...texts_field(config, key)];
  }
  return found;
}

/**
 * @param {Record<string, any>} config
 * @param {boolean} zeros
 * @returns {Quantisation}
 */
function _integers(config, zeros) {
  const bits = whole_field(config, "bits w_bit weight_bits num_bits", 1, 16, 4);
  const size = whole_field(config, "group_size q_group_size", -1, undefined, 128);
  return plain_scheme("", 100 * bits, Math.max(0, size), 16 + (zeros ? bits : 0));
}

/**
 * @param {Record<string, any>} config
 * @returns {Quantisation}
 */
function _awq(config) {
  return _integers(config, flag_field(config, "zero_point", true));
}

/**
 * @param {Record<string, any>} config
 * @returns {Quantisation}
 */
function _gptq(config) {
  const found = _integers(config, !flag_field(config, "sym", true));
  found.words = flag_field(config, "lm_head", false);
  // GPTQModel: a pattern with a minus is left as it is.
  const own = table_field(config, "dynamic");
  for (const name of Object.keys(own)) {
    if (name.startsWith("-:")) {
      found.ignore = [...found.ignore, `re:${name.slice(2)}`];
    }
  }
  return found;
}

/**
 * @param {Record<string, any>} config
 * @returns {Quantisation}
 */
function _fp8(config) {
  const block = list_field(config, "weight_block_size", 3);
  let group = 1;
  for (const each of block) {
    group *= whole_of("weight_block_size", each, 1, 65536);
  }
  const found = plain_scheme("", 800, block.length > 0 ? group : 0, 32);
  found.schemes[0].block = [...block];
  return found;
}

/**
 * @param {Record<string, any>} config
 * @returns {Quantisation}
 */
function _bitsandbytes(config) {
  if (flag_field(config, "load_in_8bit", false)) return plain_scheme("", 800);
  const found = by_name("bitsandbytes");
  found.ignore = texts_field(config, "llm_int8_skip_modules");
  return found;
}

/**
 * @param {string} name
 * @returns {(config: Record<string, any>) => Quantisation}
 */
function _of_method(name) {
  return (_) => by_name(name);
}

/**
 * @param {Record<string, any>} config
 * @returns {Quantisation}
 */
function _modelopt(config) {
  const inside = table_field(config, "quantization");
  const algorithm = text_field(config, "quant_algo") || text_field(inside, "quant_algo", "FP8");
  const algorithms = QUANTISATIONS.modelopt;
  if (has(config, "config_groups") && !Object.hasOwn(algorithms, algorithm)) return _compressed(config);
  const found = by_name(algorithms[one_of_names("quant_algo", algorithm, Object.keys(algorithms))]);
  found.ignore = texts_field(inside, "exclude_modules");
  return found;
}

/**
 * @param {Record<string, any>} config
 * @returns {Quantisation}
 */
function _compressed(config) {
  const groups = table_field(config, "config_groups");
  const found = none_of_it();
  /** @type {Scheme[]} */
  const named = [];
  /** @type {Scheme[]} */
  const others = [];
  for (const name of Object.keys(groups)) {
    const group = object_of(name, groups[name]);
    if (has(group, "weights")) {
      const scheme = _group(table_field(group, "weights"));
      const targets = texts_field(group, "targets");
      if (targets.length === 0 || targets.includes("Linear")) {
        others.push(scheme);
      } else {
        scheme.targets = targets;
        named.push(scheme);
      }
    }
  }
  if (named.length + others.length === 0) throw new PlanError("config_groups", groups, "config_groups");
  found.schemes = [...named, ...others];
  return found;
}

/**
 * @param {Record<string, any>} weights
 * @returns {Scheme}
 */
function _group(weights) {
  const bits = whole_field(weights, "num_bits", 1, 16, 8);
  const strategy = text_field(weights, "strategy", "tensor");
  const floats = text_field(weights, "type", "int") === "float";
  const zeros = flag_field(weights, "symmetric", true) ? 0 : bits;
  let group = 0;
  /** @type {number[]} */
  const block = [];
  if (["group", "tensor_group"].includes(strategy)) {
    group = whole_field(weights, "group_size", 1, undefined, 128);
  }
  if (strategy === "block") {
    group = 1;
    for (const each of list_field(weights, "block_structure", 3)) {
      group *= whole_of("block_structure", each, 1, 65536);
      block.push(each);
    }
  }
  const scale = floats && bits === 4 ? 8 : strategy === "block" ? 32 : 16;
  return { targets: [], hundredths: 100 * bits, group, group_bits: scale + zeros, block };
}

/**
 * @param {Record<string, any>} config
 * @returns {Quantisation}
 */
function _auto_round(config) {
  const found = _integers(config, !flag_field(config, "sym", true));
  // Modules with settings of their own: those of 16 bits are left as they are.
  const own = table_field(config, "extra_config");
  for (const name of Object.keys(own)) {
    if (whole_field(object_of(name, own[name]), "bits", 1, 32, 4) >= 16) {
      found.ignore = [...found.ignore, name];
    }
  }
  return found;
}

/**
 * @param {Record<string, any>} config
 * @returns {Quantisation}
 */
function _gguf(config) {
  return by_name(text_field(config, "gguf_type", "Q8_0"));
}

/**
 * @param {Record<string, any>} config
 * @returns {Quantisation}
 */
function _hqq(config) {
  const inside = table_field(table_field(config, "quant_config"), "weight_quant_params");
  const bits = number_field(inside, "nbits", 1, 8, 4);
  return plain_scheme("", Math.floor(100 * bits), whole_field(inside, "group_size", 1, undefined, 64), 32);
}

/** @type {Record<string, (config: Record<string, any>) => Quantisation>} */
const _READERS = {
  awq: _awq,
  gptq: _gptq,
  fp8: _fp8,
  fbgemm_fp8: _of_method("fbgemm_fp8"),
  "compressed-tensors": _compressed,
  bitsandbytes: _bitsandbytes,
  mxfp4: _of_method("mxfp4"),
  modelopt: _modelopt,
  experts_int8: _of_method("experts_int8"),
  "auto-round": _auto_round,
  gguf: _gguf,
  hqq: _hqq,
};
