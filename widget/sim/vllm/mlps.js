// @ts-check
/**
 * The feed-forward weights of one layer: dense, or experts.
 * @module
 */

import { option } from "./families.js";
import { field_of, flag_field } from "./fields.js";
import { product } from "./sums.js";
import { tensor } from "./tensors.js";

/** @import { Shape } from "./shape.js" */
/** @import { Tensor } from "./tensors.js" */

/** @type {Record<string, string>} */
const _LETTERS = { "-": "dense", "E": "experts" };

/**
 * The feed-forward part of each layer: "dense", "experts" or "none".
 * @param {Shape} shape sizes of the model
 * @param {string[]} mixers how each layer looks at other tokens
 * @returns {string[]} One text a layer, without unit.
 */
export function mlps_of(shape, mixers) {
  const pattern = field_of(shape.text, "hybrid_override_pattern");
  if (shape.family.no_mlp ?? false) return mixers.map((_) => "none");
  if (typeof pattern === "string" && pattern.length === mixers.length) {
    return [...pattern].map((each) => (Object.hasOwn(_LETTERS, each) ? _LETTERS[each] : "none"));
  }
  return shape.experts.layers.map((each) => each ? "experts" : "dense");
}

/**
 * The tensors of a layer's feed-forward part.
 * @param {Shape} shape sizes of the model
 * @param {string} mlp "dense", "experts" or "none"
 * @param {boolean} [shared] whether the layer looks at the cache of another, true or false
 * @returns {Tensor[]} The tensors.
 * @throws {PlanError} for sizes whose product is above 2^53 − 1
 */
export function mlp_tensors(shape, mlp, shared = false) {
  if (mlp === "experts") return _expert_tensors(shape);
  const doubled = shared && flag_field(shape.text, "use_double_wide_mlp", false);
  return mlp === "dense" ? _dense(shape, doubled ? 2 * shape.width : shape.width, "") : [];
}

/**
 * @param {Shape} shape
 * @param {number} width
 * @param {string} name
 * @returns {Tensor[]}
 */
function _dense(shape, width, name) {
  // Jamba's dense layers are experts that are alone.
  const role = (shape.family.dense_is_expert ?? false) ? "expert" : "linear";
  const [hidden, ins] = [shape.hidden, (shape.family.plain_mlp ?? false) ? 1 : 2];
  const out = [
    tensor(name + "gate_up", role, product("intermediate_size", hidden, width, ins)),
    tensor(name + "down", role, product("intermediate_size", width, hidden)),
  ];
  if (option(shape.text, shape.family, "mlp_bias")) {
    out.push(tensor("mlp_bias", "plain", width * ins, 0, hidden));
  }
  const extra = shape.family.activation_values ?? 0;
  return extra ? [...out, tensor("activation", "plain", 0, 0, extra)] : out;
}

/**
 * @param {Shape} shape
 * @returns {Tensor[]}
 */
function _expert_tensors(shape) {
  const [family, hidden, experts] = [shape.family, shape.hidden, shape.experts];
  const [number, width] = [experts.number, experts.width];
  const ins = (family.plain_mlp ?? false) ? 1 : 2;
  const out = [
    tensor("router", "router", 0, 0, product("num_experts", hidden, number)),
    tensor("w13", "expert", product("num_experts", number, width, ins, hidden)),
    tensor("w2", "expert", product("num_experts", number, hidden, width)),
  ];
  if ((family.router_bias ?? false) || (family.routed_bias ?? false)) {
    out.push(tensor("router_bias", "plain", 0, 0, number));
  }
  if (family.router_scale ?? false) {
    out.push(tensor("router_scale", "plain", 0, 0, hidden + number));
  }
  if (family.expert_bias ?? false) {
    out.push(tensor(
      "expert_bias",
      "plain",
      product("num_experts", number, width, ins),
      0,
      product("num_experts", number, hidden),
    ));
  }
  if (experts.shared) {
    out.push(..._dense(shape, experts.shared, "shared_"));
    if (family.shared_gate ?? false) {
      out.push(tensor("shared_gate", "router", 0, 0, hidden));
    }
  }
  if (family.dense_too ?? false) {
    out.push(..._dense(shape, shape.width, ""));
  }
  return out;
}
