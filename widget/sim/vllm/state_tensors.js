// @ts-check
/**
 * The weights of one layer with a state, tensor by tensor.
 * @module
 */

import { flag_field } from "./fields.js";
import { product, total } from "./sums.js";
import { tensor } from "./tensors.js";

/** @import { Shape } from "./shape.js" */
/** @import { State } from "./states.js" */
/** @import { Tensor } from "./tensors.js" */

/**
 * The tensors of a layer with a state.
 * @param {Shape} shape sizes of the model
 * @param {State} state sizes of the layer
 * @returns {Tensor[]} The tensors.
 * @throws {PlanError} for sizes whose product is above 2^53 − 1
 */
export function state_tensors(shape, state) {
  const kind = state.kind;
  const out = tensor("out_proj", "linear", product("hidden_size", state.inner, shape.hidden));
  if (kind === "short_conv") {
    const ins = product("hidden_size", 3, shape.hidden, shape.hidden);
    return [tensor("in_proj", "linear", ins), _conv(state, state.inner, 0), out];
  }
  if (kind === "mamba1") return _mamba1(shape, state, out);
  if (kind === "mamba2") return _mamba2(shape, state, out);
  return kind === "kda" ? _kda(shape, state, out) : _gdn(shape, state, out);
}

/**
 * @param {Shape} shape
 * @param {State} state
 * @param {Tensor} out
 * @returns {Tensor[]}
 */
function _mamba1(shape, state, out) {
  const [inner, size, rank] = [state.inner, state.size, state.rank];
  const time = product("mamba_dt_rank", inner, rank + 2 * size);
  const steps = total("mamba_dt_rank", product("mamba_dt_rank", inner, rank), inner);
  const own = total("mamba_d_state", product("mamba_d_state", inner, size), inner);
  const normed = !(shape.family.no_mlp ?? false);
  return [
    tensor("in_proj", "linear", product("mamba_expand", 2, inner, shape.hidden)),
    tensor("x_proj", "linear", time),
    tensor("dt_proj", "plain", steps),
    _conv(state, inner, inner),
    tensor("state", "plain", own),
    tensor("state_norms", "plain", 0, 0, normed ? rank + 2 * size : 0),
    out,
  ];
}

/**
 * @param {Shape} shape
 * @param {State} state
 * @param {Tensor} out
 * @returns {Tensor[]}
 */
function _mamba2(shape, state, out) {
  const [inner, heads] = [state.inner, state.heads];
  const pairs = product("mamba_d_state", 2, state.groups, state.size);
  const ins = product("hidden_size", shape.hidden, total("mamba_d_state", inner, inner, pairs, heads));
  const own = 3 * heads + (flag_field(shape.text, "mamba_rms_norm", true) ? inner : 0);
  const wide = total("mamba_d_state", inner, pairs);
  return [tensor("in_proj", "linear", ins), _conv(state, wide, wide), tensor("state", "plain", own), out];
}

/**
 * @param {Shape} shape
 * @param {State} state
 * @param {Tensor} out
 * @returns {Tensor[]}
 */
function _gdn(shape, state, out) {
  const [inner, keys, heads, hidden] = [state.inner, state.keys, state.heads, shape.hidden];
  const ins = product("hidden_size", hidden, total("linear_key_head_dim", inner, inner, keys, keys));
  return [
    tensor("in_proj", "linear", ins),
    tensor("ba", "linear", product("linear_num_value_heads", hidden, 2, heads)),
    _conv(state, total("linear_key_head_dim", inner, keys, keys), 0),
    tensor("state", "plain", 2 * heads),
    tensor("state_norm", "plain", 0, 0, state.head_dim),
    out,
  ];
}

/**
 * @param {State} state
 * @param {number} wide
 * @param {number} bias
 * @returns {Tensor}
 */
function _conv(state, wide, bias) {
  return tensor("conv", "plain", total("conv_kernel", product("conv_kernel", wide, state.conv), bias));
}

/**
 * @param {Shape} shape
 * @param {State} state
 * @param {Tensor} out
 * @returns {Tensor[]}
 */
function _kda(shape, state, out) {
  const [hidden, inner, size] = [shape.hidden, state.inner, state.head_dim];
  const low = product("head_dim", 2, hidden, size);
  const up = product("head_dim", 2, inner, size);
  return [
    tensor("in_proj", "linear", product("num_heads", 3, hidden, inner)),
    tensor("gates", "linear", total("num_heads", up, product("num_heads", hidden, state.heads)), 0, low),
    _conv(state, 3 * inner, 0),
    tensor("state", "plain", inner + state.heads),
    tensor("state_norm", "plain", 0, 0, size),
    out,
  ];
}
