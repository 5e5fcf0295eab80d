// @ts-check
/**
 * Models that cannot be shared out over so many cards: heads of the cache, and widths that are scaled in blocks.
 * @module
 */

import { chooser_of, scheme_of } from "./modules.js";
import { LINES } from "./plan_facts.js";
import { told } from "./pool.js";
import { value_since } from "./versions.js";

/** @typedef {import("./config.js").Model} Model */
/** @typedef {import("./pool.js").Told} Told */
/** @typedef {import("./quantisation.js").Scheme} Scheme */
/** @typedef {import("./settings.js").Settings} Settings */
/** @typedef {import("./tensors.js").Tensor} Tensor */

/** Names of the refusals of a model that cannot be shared out over so many cards. */
export const SHAPES = ["heads", "kv_heads", "expert_block", "width_block"];
/** Kinds of layers whose heads are shared out; the one vector of latent attention and a state are not. */
export const ATTENTION = ["full", "sliding", "chunked", "cross"];
/** The setting that leaves experts whole, by vLLM's name. */
export const EXPERTS = "enable_expert_parallel";
const SECOND = ["w2", "down", "shared_down"];

/**
 * Why the model cannot be shared out over the cards that share each layer, or nothing.
 * @param {Settings} settings as resolved
 * @returns {Told | null} The refusal with its counts of heads, or its widths in values, or null.
 * @throws {PlanError} for a release that is no version
 * @source vLLM 0.33.0, model_executor/models/llama.py and qwen3_moe.py, LlamaAttention and Qwen3MoeAttention;
 *   model_executor/layers/quantization/fp8.py, Fp8MoEMethod.create_weights, and utils/fp8_utils.py,
 *   validate_fp8_block_shape; vllm-project/vllm#17569 and #25292.
 */
export function undivided(settings) {
  return by_kv_heads(settings) || by_blocks(settings);
}

/**
 * @param {Settings} settings
 * @returns {Told | null}
 */
function by_kv_heads(settings) {
  const tp = settings.tp;
  for (const kind of settings.model.kinds) {
    const heads = kind.kv_heads;
    if (ATTENTION.includes(kind.kind) && heads > 0 && heads % tp !== 0 && tp % heads !== 0) {
      const says = LINES.kv_heads_assert[heads < tp ? "fewer" : "more"];
      return told("kv_heads", { kv_heads: heads, tp, assertion: says });
    }
  }
  return null;
}

/**
 * @param {Settings} settings
 * @returns {Told | null}
 */
function by_blocks(settings) {
  // Layers in vLLM's order; of those that are alike the widths are looked at once.
  const { quantisation: stored, counted } = settings.model.weights;
  const schemes = stored.schemes.filter((scheme) => scheme.block.length === 2);
  if (schemes.length === 0) return null;
  const chooser = chooser_of(stored.ignore);
  /** @type {Record<string, Tensor[]>} */
  const odd = {};
  for (let layer = 0; layer < counted.order.length; layer++) {
    const template = counted.order[layer];
    const key = `kind ${template}`;
    if (!Object.hasOwn(odd, key)) {
      const tensors = counted.templates[template];
      odd[key] = tensors.filter((each) => schemes.some((scheme) => tells(settings, each, scheme) !== null));
    }
    for (const each of odd[key]) {
      const scheme = scheme_of(each, stored, chooser, layer);
      const found = scheme === null ? null : tells(settings, each, scheme);
      if (found !== null) return found;
    }
  }
  return null;
}

/**
 * @param {Settings} settings
 * @param {Tensor} each
 * @param {Scheme} scheme
 * @returns {Told | null}
 */
function tells(settings, each, scheme) {
  // Of each pair of matrices the second one tells the width between them.
  const { tp } = settings;
  const block = scheme.block;
  if (block.length !== 2) return null;
  if (["qkv", "o"].includes(each.name)) return by_attention(settings, each, block);
  const whole = width_of(settings.model, each);
  if (whole === 0 || whole % tp !== 0) return null;
  const width = whole / tp;
  const experts = each.name === "w2";
  if (width % block[0] === 0 && width % block[1] === 0) return null;
  if (experts && settings.not_counted.includes(EXPERTS)) return null;
  const side = side_of(settings, width, block, experts);
  if (side === "") return null;
  return ends_within(settings, side, [whole, width, ["expert_out", "out"].includes(side) ? block[0] : block[1]]);
}

/**
 * @param {Settings} settings
 * @param {string} side
 * @param {number[]} sizes
 * @returns {Told}
 */
function ends_within(settings, side, [whole, width, block]) {
  const says = LINES.block_width[side];
  const key = side.startsWith("expert") ? "expert_block" : "width_block";
  return told(key, { whole, width, tp: settings.tp, block, weight: says.weight, side: says.side });
}

/**
 * @param {Settings} settings
 * @param {Tensor} each
 * @param {number[]} block
 * @returns {Told | null}
 */
function by_attention(settings, each, block) {
  // Queries, keys and values come out of one matrix that is merged, and go into the next one.
  const { tp } = settings;
  const { hidden, kv_heads: heads } = settings.model.weights;
  if (tp === 1 || each.split % (hidden * tp) !== 0) return null;
  const queries = each.split / hidden;
  if (each.name === "o") {
    const width = queries / tp;
    return width % block[1] === 0 ? null : ends_within(settings, "in", [queries, width, block[1]]);
  }
  if (value_since(LINES.merged_blocks.since, settings.rules.order)) return null;
  // A head's key is as wide as its value.
  const wide = Math.floor(each.kv / (2 * heads * hidden));
  for (const [whole, width] of [[queries, queries / tp], [wide * heads, wide * Math.max(1, Math.floor(heads / tp))]]) {
    if (width % block[0] !== 0) return ends_within(settings, "out", [whole, width, block[0]]);
  }
  return null;
}

/**
 * @param {Settings} settings
 * @param {number} width
 * @param {number[]} block
 * @param {boolean} experts
 * @returns {string}
 */
function side_of(settings, width, block, experts) {
  // What goes into a block is looked at where cards share a layer; what comes out of it, of experts always.
  const split = settings.tp > 1;
  if (experts) return width % block[0] !== 0 ? "expert_out" : split ? "expert_in" : "";
  if (!split) return "";
  const merged = value_since(LINES.merged_blocks.since, settings.rules.order);
  if (width % block[0] !== 0 && !merged) return "out";
  return width % block[1] !== 0 ? "in" : "";
}

/**
 * @param {Model} model
 * @param {Tensor} each
 * @returns {number}
 */
function width_of(model, each) {
  if (!SECOND.includes(each.name)) return 0;
  const rows = model.weights.hidden * (each.name === "w2" ? model.weights.expert_number : 1);
  return rows > 0 && each.split % rows === 0 ? each.split / rows : 0;
}
