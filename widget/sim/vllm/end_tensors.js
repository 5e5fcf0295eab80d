// @ts-check
/**
 * The weights before and after the layers.
 * @module
 */

import { option } from "./families.js";
import { texts_field, whole_field } from "./fields.js";
import { product, total } from "./sums.js";
import { norm_values, tensor } from "./tensors.js";

/** @import { Shape } from "./shape.js" */
/** @import { Tensor } from "./tensors.js" */

/**
 * The tensors before the layers: words, and places where they are learned.
 * @param {Shape} shape sizes of the model
 * @returns {Tensor[]} The tensors.
 * @throws {PlanError} for sizes whose product is above 2^53 − 1
 */
export function first_tensors(shape) {
  const [text, family, hidden] = [shape.text, shape.family, shape.hidden];
  const rows = total("vocab_size", shape.vocab, family.extra_words ?? 0);
  const projected = family.projected_words ?? false;
  const wide = projected ? whole_field(text, "word_embed_proj_dim", 1, undefined, hidden) : hidden;
  const out = [tensor("embedding", "embedding", product("vocab_size", rows, wide))];
  if (wide !== hidden) {
    out.push(tensor("project", "plain", 0, 0, product("word_embed_proj_dim", 2, wide, hidden)));
  }
  if (family.positions ?? false) {
    const names = "n_positions max_position_embeddings n_ctx";
    const places = whole_field(text, names, 1) + (family.position_offset ?? 0);
    out.push(tensor("positions", "plain", 0, 0, product("max_position_embeddings", places, hidden)));
  }
  if (family.word_norm ?? false) {
    out.push(tensor("word_norm", "plain", 0, 0, norm_values(shape, hidden)));
  }
  return out;
}

/**
 * The tensors after the layers: a norm, and a head where that is not the embedding.
 * @param {Shape} shape sizes of the model
 * @returns {Tensor[]} The tensors.
 * @throws {PlanError} for sizes whose product is above 2^53 − 1
 */
export function last_tensors(shape) {
  const [text, family, hidden] = [shape.text, shape.family, shape.hidden];
  const out = [tensor("norm", "plain", 0, 0, norm_values(shape, hidden))];
  if (!shape.tied && _has_head(shape)) {
    out.push(tensor("head", "head", product("vocab_size", shape.vocab, hidden)));
  }
  if (option(text, family, "head_bias")) {
    out.push(tensor("head_bias", "plain", shape.vocab));
  }
  return out;
}

/**
 * @param {Shape} shape
 * @returns {boolean}
 */
function _has_head(shape) {
  // Embedding models name a class without a head; ChatGLM's class has one all the same.
  const names = texts_field(shape.outer, "architectures");
  const name = names.length > 0 ? names[0] : "";
  return !name.endsWith("Model") || name.endsWith("LMHeadModel") || name === "ChatGLMModel";
}
