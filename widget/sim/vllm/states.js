// @ts-check
/**
 * Layers that keep a state of one size instead of a cache that grows: its sizes by config.json, as vLLM keeps them.
 * @module
 */

import { field_of, has, number_field, table_field, text_field, whole_field } from "./fields.js";
import { PlanError } from "./refuse.js";
import { divided, product, total } from "./sums.js";

/** @import { Shape } from "./shape.js" */

/**
 * The sizes of one layer with a state.
 * @typedef {object} State
 * @property {string} kind "mamba1", "mamba2", "gdn", "kda" or "short_conv", without unit
 * @property {number} inner values of the layer's inner width
 * @property {number} heads heads of the state
 * @property {number} head_dim values of a head
 * @property {number} size values of the state for each inner value
 * @property {number} groups how many groups the state's keys have
 * @property {number} keys values of all keys, for linear attention
 * @property {number} conv tokens that the convolution looks at
 * @property {number} rank values of the time step's lower rank, for Mamba 1
 * @property {number[][]} kept pairs of values and of bytes a value; 0 bytes: the type of the model
 */
/**
 * The state of a model's layers, or null for a model without such layers.
 * @param {Shape} shape sizes of the model
 * @returns {State | null} The sizes, each in its own unit, or null.
 * @throws {PlanError} for a field that is missing or out of range
 * @source vLLM 0.11 to 0.33, `model_executor/layers/mamba/mamba_utils.py`, `MambaStateShapeCalculator`.
 */
export function state_of(shape) {
  const kind = shape.family.hybrid ?? "";
  const text = shape.text;
  if (kind === "mamba1") return _mamba1(shape, text);
  if (kind === "mamba2") return _mamba2(shape, text);
  if (kind === "gdn") return _gdn(text);
  if (kind === "kda") return _kda(text);
  return kind === "short_conv" ? _short_conv(shape, text) : null;
}

/**
 * @param {string} kind
 * @param {Record<string, any>} sizes
 * @returns {State}
 */
function _state(kind, sizes) {
  /** @type {State} */
  const empty = { kind, inner: 0, heads: 0, head_dim: 0, size: 0, groups: 0, keys: 0, conv: 0, rank: 0, kept: [] };
  return { ...empty, ...sizes };
}

/**
 * @param {Shape} shape
 * @param {Record<string, any>} text
 * @returns {State}
 */
function _mamba1(shape, text) {
  const expand = whole_field(text, "mamba_expand expand", 1, undefined, 2);
  let inner = product("mamba_expand", expand, shape.hidden);
  if (has(text, "intermediate_size") && (shape.family.no_mlp ?? false)) {
    inner = whole_field(text, "intermediate_size", 1);
  }
  const size = whole_field(text, "mamba_d_state state_size", 1, undefined, 16);
  const conv = whole_field(text, "mamba_d_conv conv_kernel", 1, undefined, 4);
  let rank = Math.ceil(shape.hidden / 16);
  if (field_of(text, "mamba_dt_rank") !== "auto" && field_of(text, "time_step_rank") !== "auto") {
    rank = whole_field(text, "mamba_dt_rank time_step_rank", 1, undefined, rank);
  }
  const kept = [[product("conv_kernel", inner, conv - 1), 0], [product("state_size", inner, size), _ssm_bytes(text)]];
  return _state("mamba1", { inner, size, conv, rank, kept });
}

/**
 * @param {Shape} shape
 * @param {Record<string, any>} text
 * @returns {State}
 */
function _mamba2(shape, text) {
  const heads = whole_field(text, "mamba_n_heads mamba_num_heads num_heads", 1);
  const own = has(text, "mamba_d_head") && field_of(text, "mamba_d_head") !== "auto";
  const known = own ? null : Math.floor(_inner(shape, text) / heads);
  let head_dim = known ? known : whole_field(text, "mamba_d_head", 1);
  head_dim = whole_field(text, "mamba_head_dim", 1, undefined, head_dim);
  if (shape.family.no_mlp ?? false) {
    head_dim = whole_field(text, "head_dim", 1, undefined, head_dim);
  }
  const inner = product("mamba_n_heads", heads, head_dim);
  const size = whole_field(text, "mamba_d_state ssm_state_size state_size", 1, undefined, 128);
  const groups = whole_field(text, "mamba_n_groups n_groups", 1, undefined, 1);
  const conv = whole_field(text, "mamba_d_conv conv_kernel", 1, undefined, 4);
  const wide = total("mamba_d_ssm", inner, product("mamba_n_groups", 2, groups, size));
  const kept = [
    [product("mamba_d_conv", wide, conv - 1), 0],
    [product("mamba_d_state", inner, size), _ssm_bytes(text)],
  ];
  return _state("mamba2", { inner, heads, head_dim, size, groups, conv, kept });
}

/**
 * @param {Shape} shape
 * @param {Record<string, any>} text
 * @returns {number}
 */
function _inner(shape, text) {
  if (has(text, "mamba_d_ssm")) return whole_field(text, "mamba_d_ssm", 1);
  return Math.floor(number_field(text, "mamba_expand", 1, 64, 2.0) * shape.hidden);
}

/**
 * @param {Record<string, any>} text
 * @returns {State}
 */
function _gdn(text) {
  const key_dim = whole_field(text, "linear_key_head_dim", 1);
  const head_dim = whole_field(text, "linear_value_head_dim", 1);
  const heads = whole_field(text, "linear_num_value_heads", 1);
  const groups = whole_field(text, "linear_num_key_heads", 1);
  divided("linear_num_value_heads", heads, groups);
  const conv = whole_field(text, "linear_conv_kernel_dim", 1);
  const [inner, keys] = [
    product("linear_value_head_dim", heads, head_dim),
    product("linear_key_head_dim", groups, key_dim),
  ];
  const wide = total("linear_key_head_dim", inner, keys, keys);
  const kept = [
    [product("linear_conv_kernel_dim", wide, conv - 1), 0],
    [product("linear_key_head_dim", inner, key_dim), _ssm_bytes(text)],
  ];
  const sizes = { inner, heads, head_dim, size: key_dim, groups, keys };
  return _state("gdn", { ...sizes, conv, kept });
}

/**
 * @param {Record<string, any>} text
 * @returns {State}
 */
function _kda(text) {
  const inside = table_field(text, "linear_attn_config");
  const [heads, head_dim] = [whole_field(inside, "num_heads", 1), whole_field(inside, "head_dim", 1)];
  const conv = whole_field(inside, "short_conv_kernel_size", 1);
  const inner = product("head_dim", heads, head_dim);
  const row = product("short_conv_kernel_size", inner, conv - 1);
  const kept = [[row, 0], [row, 0], [row, 0], [product("head_dim", inner, head_dim), 4]];
  return _state("kda", { inner, heads, head_dim, size: head_dim, keys: inner, conv, kept });
}

/**
 * @param {Shape} shape
 * @param {Record<string, any>} text
 * @returns {State}
 */
function _short_conv(shape, text) {
  const conv = whole_field(text, "conv_L_cache", 1);
  const inner = shape.hidden;
  return _state("short_conv", { inner, conv, kept: [[product("conv_L_cache", inner, conv - 1), 0]] });
}

/**
 * @param {Record<string, any>} text
 * @returns {number}
 */
function _ssm_bytes(text) {
  // Nemotron-H and Qwen3.5 name the type of their state; vLLM takes it where it is not set by hand.
  for (const name of ["mamba_ssm_cache_dtype", "mamba_ssm_dtype"]) {
    const found = text_field(text, name);
    if (found === "float32") return 4;
    if (!["", "auto", "bfloat16", "float16"].includes(found)) throw new PlanError(name, found, "config_state_type");
  }
  return 0;
}
