// @ts-check
/**
 * The weights of the eye of a model that sees, by its family; sizes left out are those of its class in transformers.
 * @module
 */

import { field_of, flag_field, has, list_field, text_field, whole_field } from "./fields.js";
import { product, total } from "./sums.js";

/** @import { Shape } from "./shape.js" */

const _MERGED = [
  "qwen2_vl",
  "qwen2_5_vl",
  "qwen3_vl",
  "qwen3_vl_moe",
  "qwen3_5",
  "qwen3_5_moe",
  "qwen2_5_vl_vision",
  "glm4v",
  "glm4v_moe",
];

const _MERGED_EYES = ["qwen3_5_vision", "qwen3_5_moe_vision", "qwen3_vl_vision", "qwen3_vl_moe_vision"];

const _TOWERS = ["siglip_vision_model", "clip_vision_model", "siglip2_vision_model", "siglip", "clip"];

/**
 * Model types of eyes whose blocks are known, and whose ends are not.
 */
export const UNSURE = ["siglip2_vision_model", "siglip", "clip"];

/**
 * How many values an eye has, with what joins it to the language model, or null for an eye that is not known.
 * @param {Shape} shape sizes of the language model
 * @param {Record<string, any>} config the eye's own config
 * @param {string} kind its model type
 * @returns {number | null} Values, or null.
 * @throws {PlanError} for a field out of range
 */
export function eye_of(shape, config, kind) {
  const own = shape.model_type;
  if (_MERGED.includes(kind) || _MERGED_EYES.includes(kind) || _MERGED.includes(own)) return _merged(shape, config);
  if (kind === "pixtral") return _pixtral(shape, config);
  if (kind === "llama4_vision_model" || own === "llama4_text") return _llama4(shape, config);
  if (["mllama_vision_model", "mllama_text_model"].includes(kind)) return _mllama(shape, config);
  if (["gemma4_vision", "gemma4_text"].includes(kind)) return _gemma4(shape, config);
  return _TOWERS.includes(kind) ? _tower(shape, config) : null;
}

/**
 * How many values one block of an eye or an encoder has.
 * @param {number} wide values of its hidden state
 * @param {number} inner values of its feed-forward layer
 * @param {number} mats matrices of its feed-forward layer, without unit
 * @param {number} biases values of its biases
 * @param {number} norms values of its norms
 * @returns {number} Values.
 * @throws {PlanError} for a product above 2^53 − 1
 */
export function block_values(wide, inner, mats, biases, norms) {
  const square = total(
    "vision_config",
    product("hidden_size", 4, wide, wide),
    product("intermediate_size", mats, wide, inner),
  );
  return total("vision_config", square, biases, norms);
}

/**
 * @param {Shape} shape
 * @param {Record<string, any>} config
 * @returns {number}
 */
function _merged(shape, config) {
  // Qwen's eye: patches of two frames, blocks, and a merger of 2 × 2 patches.
  const own = shape.model_type;
  const old = has(config, "embed_dim") || ["qwen2_vl", "qwen2_vl_text"].includes(own);
  const gated = ["qwen2_5_vl", "qwen2_5_vl_text"].includes(own);
  const usual = old || gated ? 1280 : 1152;
  const wide = whole_field(config, old ? "embed_dim" : "hidden_size", 1, undefined, usual);
  const deep = whole_field(config, "depth", 1, 1000, old || gated ? 32 : 27);
  const inner = whole_field(config, "intermediate_size", 1, undefined, old ? 4 * wide : gated ? 3420 : 4304);
  const out = whole_field(config, old ? "hidden_size" : "out_hidden_size", 1, undefined, shape.hidden);
  const patch = whole_field(config, "patch_size spatial_patch_size", 1, 1024, old || gated ? 14 : 16);
  const frames = whole_field(config, "temporal_patch_size", 1, 64, 2);
  const merge = whole_field(config, "spatial_merge_size", 1, 64, 2);
  const newer = !old && !gated;
  const seen = total("patch_size", product("patch_size", 3, frames, patch, patch, wide), newer ? wide : 0);
  const rows = whole_field(config, "num_position_embeddings", 0, undefined, 2304);
  const places = product("num_position_embeddings", rows, wide);
  const biases = 4 * wide + (gated ? 2 * inner + wide : inner + wide);
  const block = block_values(wide, inner, gated ? 3 : 2, biases, gated ? 2 * wide : 4 * wide);
  const four = product("spatial_merge_size", merge, merge, wide);
  const mixed = total(
    "spatial_merge_size",
    product("spatial_merge_size", four, four),
    four,
    product("out_hidden_size", four, out),
    out,
  );
  const merger = total("spatial_merge_size", mixed, gated ? wide : 2 * wide);
  const many = list_field(config, "deepstack_visual_indexes").length;
  const deeper = product("deepstack_visual_indexes", many, total("spatial_merge_size", mixed, 2 * four));
  return total("vision_config", seen, newer ? places : 0, product("depth", deep, block), merger, deeper);
}

/**
 * @param {Shape} shape
 * @param {Record<string, any>} config
 * @returns {number}
 */
function _pixtral(shape, config) {
  const wide = whole_field(config, "hidden_size", 1, undefined, 1024);
  const deep = whole_field(config, "num_hidden_layers", 1, 1000, 24);
  const inner = whole_field(config, "intermediate_size", 1, undefined, 4096);
  const patch = whole_field(config, "patch_size", 1, 1024, 16);
  const seen = total("patch_size", product("patch_size", 3, patch, patch, wide), wide);
  const blocks = product("num_hidden_layers", deep, block_values(wide, inner, 3, 0, 2 * wide));
  const [hidden, outer] = [shape.hidden, shape.outer];
  const bias = flag_field(outer, "multimodal_projector_bias", shape.model_type !== "mistral") ? 2 * hidden : 0;
  const join = total("hidden_size", product("hidden_size", hidden, wide + hidden), bias);
  const merge = whole_field(outer, "spatial_merge_size", 1, 64, field_of(outer, "model_type") === "mistral3" ? 2 : 1);
  const merger = merge > 1 ? product("spatial_merge_size", merge, merge, wide, wide) + wide : 0;
  return total("vision_config", seen, blocks, join, merger);
}

/**
 * @param {Shape} shape
 * @param {Record<string, any>} config
 * @returns {number}
 */
function _tower(shape, config) {
  const wide = whole_field(config, "hidden_size", 1, undefined, 768);
  const deep = whole_field(config, "num_hidden_layers", 1, 1000, 12);
  const inner = whole_field(config, "intermediate_size", 1, undefined, 3072);
  const patch = whole_field(config, "patch_size", 1, 1024, 16);
  const side = Math.floor(whole_field(config, "image_size", 1, 65536, 224) / patch);
  const places = product("image_size", side, side, wide);
  // SigLIP: a bias of its patches and a norm at the end; CLIP: a word for the class, its place, and two norms.
  const clip = text_field(config, "model_type").startsWith("clip");
  const seen = total("patch_size", product("patch_size", 3, patch, patch, wide), places, clip ? 6 * wide : 3 * wide);
  const blocks = product("num_hidden_layers", deep, block_values(wide, inner, 2, 5 * wide + inner, 4 * wide));
  const hidden = shape.hidden;
  const plain = total("hidden_size", product("hidden_size", wide, hidden), wide);
  const mixed = total("hidden_size", product("hidden_size", hidden, wide + hidden), 2 * hidden);
  const join = shape.model_type.startsWith("gemma3") ? plain : mixed;
  return total("vision_config", seen, blocks, join);
}

/**
 * @param {Shape} shape
 * @param {Record<string, any>} config
 * @returns {number}
 */
function _llama4(shape, config) {
  const wide = whole_field(config, "hidden_size", 1, undefined, 1408);
  const deep = whole_field(config, "num_hidden_layers", 1, 1000, 34);
  const inner = whole_field(config, "intermediate_size", 1, undefined, 5632);
  const patch = whole_field(config, "patch_size", 1, 1024, 14);
  const side = Math.floor(whole_field(config, "image_size", 1, 65536, 336) / patch);
  const middle = whole_field(config, "projector_input_dim", 1, undefined, 4096);
  const out = whole_field(config, "vision_output_dim projector_output_dim", 1, undefined, 4096);
  const places = product("image_size", product("image_size", side, side) + 1, wide);
  const seen = total("patch_size", product("patch_size", 3, patch, patch, wide), places, wide, 4 * wide);
  const blocks = product("num_hidden_layers", deep, block_values(wide, inner, 2, 5 * wide + inner, 4 * wide));
  const mixed = total(
    "projector_input_dim",
    product("projector_input_dim", inner, middle),
    product("projector_input_dim", middle, out),
  );
  const join = product("hidden_size", out, shape.hidden);
  return total("vision_config", seen, blocks, mixed, join);
}

/**
 * @param {Shape} shape
 * @param {Record<string, any>} config
 * @returns {number}
 */
function _mllama(shape, config) {
  const wide = whole_field(config, "hidden_size", 1, undefined, 1280);
  const local = whole_field(config, "num_hidden_layers", 1, 1000, 32);
  const world = whole_field(config, "num_global_layers", 0, 1000, 8);
  const inner = whole_field(config, "intermediate_size", 1, undefined, 5120);
  const patch = whole_field(config, "patch_size", 1, 1024, 14);
  const side = Math.floor(whole_field(config, "image_size", 1, 65536, 448) / patch);
  const tiles = whole_field(config, "max_num_tiles", 1, 1024, 4);
  const out = whole_field(config, "vision_output_dim", 1, undefined, 7680);
  const ratios = list_field(config, "supported_aspect_ratios").length || 8;
  const places = product("image_size", product("image_size", side, side) + 1, wide);
  const tiled = product("max_num_tiles", ratios + 1, tiles, total("max_num_tiles", places, 2 * wide));
  const seen = total("patch_size", product("patch_size", 3, patch, patch, wide), places, tiled, 5 * wide, 3);
  const blocks = product("num_hidden_layers", local + world, block_values(wide, inner, 2, inner + wide, 4 * wide));
  const join = product("vision_output_dim", out + 1, shape.hidden);
  return total("vision_config", seen, blocks, 2 * world, join);
}

/**
 * @param {Shape} shape
 * @param {Record<string, any>} config
 * @returns {number}
 */
function _gemma4(shape, config) {
  const wide = whole_field(config, "hidden_size", 1, undefined, 768);
  const deep = whole_field(config, "num_hidden_layers", 1, 1000, 16);
  const inner = whole_field(config, "intermediate_size", 1, undefined, 3072);
  const patch = whole_field(config, "patch_size", 1, 1024, 16);
  const head_dim = whole_field(config, "head_dim", 1, undefined, 64);
  const places = product(
    "position_embedding_size",
    2,
    whole_field(config, "position_embedding_size", 1, undefined, 10240),
    wide,
  );
  const seen = total("patch_size", product("patch_size", 3, patch, patch, wide), places);
  const blocks = product("num_hidden_layers", deep, block_values(wide, inner, 3, 2 * head_dim, 4 * wide));
  const join = product("hidden_size", wide, shape.hidden);
  return total("vision_config", seen, blocks, 2 * wide, join);
}
