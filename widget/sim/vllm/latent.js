// @ts-check
/**
 * Multi-head latent attention by its config.
 * @module
 */

import { has, whole_field } from "./fields.js";
import { divided } from "./sums.js";

/**
 * Multi-head latent attention: keys and values are kept as one vector of a lower rank.
 * @typedef {object} Latent
 * @property {number} rank kept values of the latent vector, values a token
 * @property {number} rope kept values that carry the position, values a token
 * @property {number} nope values of a key without position, values a head
 * @property {number} value values of a value, values a head
 * @property {number} query_rank rank of the queries, values; 0: they are not compressed
 */
/**
 * The sizes of latent attention, or null for a model without it.
 * @param {Record<string, any>} text the config of the language model
 * @param {number} hidden values of a hidden state
 * @param {number} heads query heads
 * @returns {Latent | null} The sizes, or null.
 * @throws {PlanError} for a field that is missing or out of range
 */
export function latent_of(text, hidden, heads) {
  if (!has(text, "kv_lora_rank")) return null;
  return {
    rank: whole_field(text, "kv_lora_rank", 1),
    rope: whole_field(text, "qk_rope_head_dim", 1),
    nope: whole_field(text, "qk_nope_head_dim", 1),
    value: whole_field(
      text,
      "v_head_dim",
      1,
      undefined,
      !has(text, "v_head_dim") ? divided("hidden_size", hidden, heads) : null,
    ),
    query_rank: whole_field(text, "q_lora_rank", 0, undefined, 0),
  };
}
