// @ts-check
/**
 * Experts: how many, how wide, in which layers.
 * @module
 */

import { field_of, has, list_field, table_field, whole_field } from "./fields.js";
import { PlanError } from "./refuse.js";
import { product, total } from "./sums.js";
import { whole_of } from "./values.js";

const _EXPERTS = "num_experts n_routed_experts num_local_experts moe_num_experts num_experts_per_layer";

const _PER_TOKEN = "num_experts_per_tok num_experts_per_token moe_top_k moe_k moe_topk top_k_experts num_selected_experts";

/**
 * How many experts a layer may have before a model is refused: 2^14, many more than any.
 * @source A choice: the models of the facts have at most 512.
 */
export const MOST_EXPERTS = 16384;

/**
 * Experts of a model.
 * @typedef {object} Experts
 * @property {number} number how many routed experts a layer has; 0: none
 * @property {number} width values of one expert's feed-forward layer
 * @property {number} shared values of the feed-forward layer that every token passes beside its experts
 * @property {number} per_token experts that a token passes
 * @property {boolean[]} layers for each layer, whether it has experts, true or false
 */
/**
 * Read what a config says about experts.
 * @param {Record<string, any>} text the config of the language model
 * @param {Record<string, any>} family options of its family
 * @param {number} layers layers of the decoder
 * @param {number} width values of a dense feed-forward layer
 * @returns {Experts} The experts, each field in its own unit.
 * @throws {PlanError} for a field out of range or not understood, and for experts in a family without them
 */
export function experts_of(text, family, layers, width) {
  const inside = table_field(text, "ffn_config");
  const number = whole_field(text, _EXPERTS, 0, MOST_EXPERTS, whole_field(inside, _EXPERTS, 0, MOST_EXPERTS, 0));
  if (number <= 1 && !(number === 1 && (family.shared_experts ?? 0))) {
    return { number: 0, width: 0, shared: 0, per_token: 0, layers: Array(layers).fill(false) };
  }
  if (!(family.moe ?? false)) throw new PlanError(_named(text), number, "config_no_experts");
  const per_token = whole_field(text, _PER_TOKEN, 1, number, whole_field(inside, _PER_TOKEN, 1, number, 1));
  const each = whole_field(text, family.expert_width ?? "moe_intermediate_size", 1, undefined, width);
  return { number, width: each, shared: _shared(text, family, each), per_token, layers: _layers(text, layers) };
}

/**
 * @param {Record<string, any>} text
 * @returns {string}
 */
function _named(text) {
  for (const name of _EXPERTS.split(" ")) {
    if (has(text, name)) return name;
  }
  return "ffn_config";
}

/**
 * @param {Record<string, any>} text
 * @param {Record<string, any>} family
 * @param {number} each
 * @returns {number}
 */
function _shared(text, family, each) {
  const wide = family.shared_width ?? "";
  if (wide && has(text, wide)) {
    const one = whole_field(text, wide, 0);
    return one * whole_field(text, "n_shared_experts", 0, 1, 1);
  }
  const names = "n_shared_experts num_shared_experts moe_num_shared_experts";
  const many = whole_field(text, names, 0, MOST_EXPERTS, family.shared_experts ?? 0);
  return product("n_shared_experts", many, each);
}

/**
 * @param {Record<string, any>} text
 * @param {number} layers
 * @returns {boolean[]}
 */
function _layers(text, layers) {
  if (Array.isArray(field_of(text, "moe_layer_freq"))) return _from_list(text, layers);
  if (has(text, "moe_layers") && Array.isArray(text.moe_layers)) {
    const chosen = new Set(list_field(text, "moe_layers").map((each) => whole_of("moe_layers", each, 0, layers - 1)));
    return Array.from({ length: layers }, (_, i) => i).map((i) => chosen.has(i));
  }
  const first = whole_field(text, "first_k_dense_replace num_dense_layers moe_layer_start_index", 0, undefined, 0);
  let last = whole_field(text, "moe_layer_end_index", -1, undefined, layers);
  last = last === -1 ? layers : last;
  const every = whole_field(
    text,
    "moe_layer_freq decoder_sparse_step moe_layer_interval interleave_moe_layer_step",
    1,
    undefined,
    1,
  );
  const period = whole_field(text, "expert_layer_period", 1, undefined, 1);
  const offset = whole_field(text, "expert_layer_offset", 0, undefined, 0);
  const dense = new Set(list_field(text, "mlp_only_layers").map((each) => whole_of("mlp_only_layers", each, 0)));
  const from_zero = has(text, "moe_layer_freq") && !has(text, "moe_layer_start_index");
  return Array.from({ length: layers }, (_, i) => i).map(
    (i) => first <= i && i <= last && !dense.has(i) && (
      from_zero ? i % every === 0 : (i + 1) % every === 0
    ) && i % period === offset % period
  );
}

/**
 * @param {Record<string, any>} text
 * @param {number} layers
 * @returns {boolean[]}
 */
function _from_list(text, layers) {
  const found = list_field(text, "moe_layer_freq");
  if (found.length !== layers) throw new PlanError("moe_layer_freq", found, "config_layers", { layers });
  return found.map((each) => whole_of("moe_layer_freq", each, 0, 1) === 1);
}

/**
 * How many feed-forward values a token passes in one layer: the dense width, or its experts and the shared one.
 * @param {Experts} experts the experts
 * @param {number} width values of a dense feed-forward layer
 * @returns {number} Values.
 * @throws {PlanError} for a product above 2^53 − 1
 */
export function mlp_width(experts, width) {
  if (!experts.number) return width;
  const passed = total(
    "num_experts_per_tok",
    product("num_experts_per_tok", experts.per_token, experts.width),
    experts.shared,
  );
  return experts.layers.includes(false) ? Math.max(width, passed) : passed;
}
