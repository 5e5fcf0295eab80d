// @ts-check
/**
 * One tensor on one GPU: its part, how it is stored, and what the kernels and the allocator add.
 * @module
 */

import { allocated_bytes, stored_bytes } from "./allocated.js";
import { chooser_of, scheme_of } from "./modules.js";
import { product, total } from "./sums.js";

/** @import { Model } from "./config.js" */
/** @import { Chooser } from "./modules.js" */
/** @import { Quantisation } from "./quantisation.js" */
/** @import { Tensor } from "./tensors.js" */

/**
 * How weights are loaded.
 * @typedef {object} Loaded
 * @property {number} tp how many GPUs share each layer
 * @property {number} plain bytes of a value that is not quantised
 * @property {Quantisation} stored how the others are stored
 * @property {Chooser} chooser which modules are left as they are, without unit
 * @property {number} kv_heads heads that keep keys and values
 * @property {boolean} allocated whether what a GPU keeps beside the checkpoint's own bytes is counted, true or false
 */
/**
 * How the weights of a model are loaded.
 * @param {Model} model the model
 * @param {Quantisation} stored how its weights are stored
 * @param {number} plain bytes of a value that is not quantised
 * @param {number} tp how many GPUs share each layer
 * @param {boolean} allocated whether what a GPU keeps beside the checkpoint's own bytes is counted, true or false
 * @returns {Loaded} How they are loaded.
 */
export function loading(model, stored, plain, tp, allocated) {
  return { tp, plain, stored, chooser: chooser_of(stored.ignore), kv_heads: model.weights.kv_heads, allocated };
}

/**
 * The bytes that one GPU holds of a tensor.
 * @param {Tensor} each the tensor
 * @param {Model} model its model
 * @param {Loaded} loaded how weights are loaded
 * @param {number} layer place of its layer among all, from 0; -1: outside the layers
 * @returns {number} Bytes.
 * @throws {PlanError} for a product above 2^53 − 1
 */
export function tensor_bytes(each, model, loaded, layer) {
  const [tp, heads] = [loaded.tp, loaded.kv_heads];
  const kept = Math.max(1, Math.floor(heads / tp));
  let split = each.split;
  if (["embedding", "head"].includes(each.role) && loaded.allocated) {
    split = _padded_words(model, split);
  }
  const kv = product("num_key_value_heads", Math.floor(each.kv / heads), kept);
  let values = total(each.name, Math.ceil(split / tp), kv, each.whole);
  const scheme = scheme_of(each, loaded.stored, loaded.chooser, layer);
  const twice = each.name === "kv_b" && loaded.allocated ? product("kv_lora_rank", values, loaded.plain) : 0;
  if (scheme === null) {
    const size = product(each.name, values, loaded.plain);
    return twice + (loaded.allocated && each.role !== "vision" ? allocated_bytes(size) : size);
  }
  if (["w13", "w2"].includes(each.name) && loaded.stored.padded && loaded.allocated) {
    values = _padded_experts(each, model, loaded);
  }
  return total(each.name, twice, stored_bytes(values, scheme));
}

/**
 * @param {Model} model
 * @param {number} values
 * @returns {number}
 */
function _padded_words(model, values) {
  // vLLM fills the vocabulary up to a multiple of 64 rows.
  const hidden = model.weights.hidden;
  return values % hidden ? values : product("vocab_size", Math.ceil(Math.floor(values / hidden) / 64) * 64, hidden);
}

/**
 * @param {Tensor} each
 * @param {Model} model
 * @param {Loaded} loaded
 * @returns {number}
 */
function _padded_experts(each, model, loaded) {
  // The kernels for MXFP4 fill the hidden size up to a multiple of 256 and each GPU's part of the width to one of 64.
  const [weights, to] = [model.weights, loaded.stored.padded];
  const hidden = Math.ceil(weights.hidden / to) * to;
  const each_width = Math.ceil(weights.expert_width / loaded.tp);
  const width = Math.ceil(each_width / 64) * 64;
  return product("num_experts", weights.expert_number, width, hidden, each.name === "w2" ? 1 : 2);
}
