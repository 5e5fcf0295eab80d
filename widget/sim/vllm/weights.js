// @ts-check
/**
 * The bytes of the weights on one GPU: what vLLM prints as "Model loading took".
 * @module
 */

import { MOST_WHOLE } from "../checks.js";
import { stored_bytes } from "./allocated.js";
import { loading, tensor_bytes } from "./loaded.js";
import { left_there } from "./modules.js";
import { QUANTISATIONS } from "./plan_facts.js";
import { by_name, lowered } from "./quantisation.js";
import { one_of_names } from "./refuse.js";
import { left_out } from "./safetensors.js";
import { stages_of } from "./stages.js";
import { product, total } from "./sums.js";
import { whole_of } from "./values.js";

/** @import { Model } from "./config.js" */
/** @import { Loaded } from "./loaded.js" */
/** @import { Quantisation } from "./quantisation.js" */
/** @import { Tensor } from "./tensors.js" */

/** @type {Record<string, number>} */
const _DTYPES = { auto: 0, bfloat16: 2, float16: 2, half: 2, float32: 4, float: 4 };

/**
 * A part of the memory of one GPU.
 * @typedef {object} Part
 * @property {string} name what it is, without unit
 * @property {number} bytes its size, bytes
 * @property {number} low the least that it may be, bytes
 * @property {number} high the most that it may be, bytes
 * @property {string} kind "measured", "rule", "fitted" or "guessed", without unit
 * @property {string} source key of the sentence that says where it comes from, without unit
 */
/**
 * The bytes of the weights that one GPU of each pipeline stage holds.
 * @param {Model} model the model
 * @param {string} [dtype] type in which they are loaded; "auto" for the config's own, 16 bits for float32
 * @param {string} [quantization] how they are quantised while they are loaded; "" for as the checkpoint has them
 * @param {number} [tp] how many GPUs share each layer
 * @param {number} [pp] how many pipeline stages there are
 * @param {boolean} [last_takes_rest] whether the last stage takes the remainder of the layers, true or false
 * @returns {Part[]} One part a stage, in bytes.
 * @throws {PlanError} for a name that is not known, and for more stages than layers
 */
export function weights_of(model, dtype = "auto", quantization = "", tp = 1, pp = 1, last_takes_rest = false) {
  const stored = _stored(model, quantization);
  const plain = _DTYPES[one_of_names("dtype", dtype, Object.keys(_DTYPES))] || 2;
  const ranks = whole_of("tensor_parallel_size", tp, 1, 65536);
  const stages = stages_of(model.weights.caches.length, pp, last_takes_rest);
  const sizes = _sizes(model, loading(model, stored, plain, ranks, true), stages);
  const own = !quantization || model.quantisation !== "";
  const extra = own ? _index_extra(model, stored, plain) : 0;
  const share = Math.floor(extra / ranks / stages.length);
  return sizes.map((size) => _part(model, stored, Math.max(0, total("weights", size, share))));
}

/**
 * @param {Model} model
 * @param {string} quantization
 * @returns {Quantisation}
 */
function _stored(model, quantization) {
  const own = model.weights.quantisation;
  if (own.method || !quantization) return own;
  if (quantization === "gguf") {
    const said = lowered(model.name);
    const named = Object.keys(QUANTISATIONS.gguf).filter((each) => said.includes(lowered(each)));
    return by_name(named.length > 0 ? named[0] : "Q8_0");
  }
  return by_name(quantization);
}

/**
 * @param {Model} model
 * @param {Loaded} loaded
 * @param {number[]} stages
 * @returns {number[]}
 */
function _sizes(model, loaded, stages) {
  const [weights, counted] = [model.weights, model.weights.counted];
  const tables = loaded.allocated ? weights.rope * loaded.plain : 0;
  /** @type {Record<string, number>} */
  const known = {};
  const sizes = [];
  let layer = 0;
  for (let stage = 0; stage < stages.length; stage += 1) {
    let size = total("rope", tables);
    for (let i = layer; i < layer + stages[stage]; i += 1) {
      size = total("weights", size, _layer_bytes(model, loaded, i, known));
    }
    layer += stages[stage];
    const [first, last] = [stage === 0, stage === stages.length - 1];
    if (first || (last && weights.tied)) {
      size = total("weights", size, _bytes(counted.first, model, loaded, -1));
    }
    if (first) {
      size = total("weights", size, _bytes(counted.beside, model, loaded, -1));
    }
    sizes.push(last ? total("weights", size, _bytes(counted.last, model, loaded, -1)) : size);
  }
  return sizes;
}

/**
 * @param {Model} model
 * @param {Loaded} loaded
 * @param {number} layer
 * @param {Record<string, number>} known
 * @returns {number}
 */
function _layer_bytes(model, loaded, layer, known) {
  const template = model.weights.counted.order[layer];
  const special = left_there(loaded.chooser, layer).length > 0;
  const key = `${template}/${special ? layer : "any"}`;
  if (!Object.hasOwn(known, key)) {
    known[key] = _bytes(model.weights.counted.templates[template], model, loaded, layer);
  }
  return known[key];
}

/**
 * @param {Tensor[]} tensors
 * @param {Model} model
 * @param {Loaded} loaded
 * @param {number} layer
 * @returns {number}
 */
function _bytes(tensors, model, loaded, layer) {
  return total("weights", ...tensors.map((each) => tensor_bytes(each, model, loaded, layer)));
}

/**
 * @param {Model} model
 * @param {Quantisation} stored
 * @param {number} plain
 * @returns {number}
 */
function _index_extra(model, stored, plain) {
  const weights = model.weights;
  if (!weights.index_bytes) return 0;
  const own = model.dtype === "float32" ? 4 : 2;
  const sizes = _sizes(model, loading(model, stored, own, 1, false), [weights.caches.length]);
  const words = product("parameters", weights.counted.unloaded_words, own);
  let layers = weights.counted.unloaded - weights.counted.unloaded_words;
  if (stored.schemes.length > 0) {
    layers = stored_bytes(layers, stored.schemes[0]);
  } else {
    layers = product("parameters", layers, own);
  }
  const unloaded = total("parameters", words, layers);
  const told = weights.index_bytes - left_out(weights.index_bytes, sizes[0], unloaded);
  const extra = told - sizes[0];
  return stored.method ? extra : Math.floor(extra / own * plain);
}

/**
 * @param {Model} model
 * @param {Quantisation} stored
 * @param {number} size
 * @returns {Part}
 */
function _part(model, stored, size) {
  const [weights, spread] = [model.weights, QUANTISATIONS.spread[stored.method ? "quantised" : "plain"]];
  const count = Math.max(1, weights.counted.parameters);
  const told = weights.index_bytes > 0;
  const low = told ? size : size * (weights.least / count);
  const high = told ? size : size * (weights.most / count);
  const guessed = model.guesses.length > 0 && !told;
  return {
    name: "weights",
    bytes: size,
    low: Math.max(0, Math.min(size, Math.floor(low - size * (spread / 100)))),
    high: Math.min(MOST_WHOLE, Math.max(size, Math.floor(high + size * (spread / 100)))),
    kind: guessed ? "guessed" : "rule",
    source: guessed ? "weights_guessed" : told ? "weights_index" : "weights_counted",
  };
}
