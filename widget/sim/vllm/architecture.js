// @ts-check
/**
 * What each layer of a model keeps of a chat.
 * @module
 */

import { whole_field } from "./fields.js";
import { window_of } from "./mixers.js";
import { heads_of } from "./tensors.js";

/** @import { Shape } from "./shape.js" */
/** @import { State } from "./states.js" */

/**
 * One kind of layer as the KV cache sees it, on one GPU that holds the whole layer.
 * @typedef {object} Kind
 * @property {string} kind "full", "sliding", "chunked", "mla", "mamba", "cross" or "shared", without unit
 * @property {number} kv_heads heads that keep keys and values
 * @property {number} head_dim values of a key, values a head
 * @property {number} head_dim_v values of a value, values a head; 0: keys and values are one vector
 * @property {number} window tokens that a layer looks back; 0: all of them
 * @property {number[][]} state for "mamba", pairs of values and of bytes a value; 0 bytes: the type of the model
 */
/**
 * The kinds of layers that keep something, and the kind of each layer in order.
 *
 * A layer that keeps two things, as in Whisper's decoder, stands there twice; a layer that keeps nothing, not at all.
 * @param {Shape} shape sizes of the model
 * @param {State | null} state sizes of a layer with a state, or null
 * @param {string[]} mixers how each layer looks at other tokens
 * @returns {[Kind[], number[], number[]]} The kinds, for each cache its index among them, and how many caches each
 *   layer has, without unit.
 * @throws {PlanError} for shared layers that are no whole number below the layers
 */
export function kinds_of(shape, state, mixers) {
  const shared = whole_field(shape.text, "num_kv_shared_layers", 0, shape.layers - 1, 0);
  /** @type {string[]} */
  const names = [];
  /** @type {number[]} */
  const many = [];
  for (let i = 0; i < mixers.length; i += 1) {
    let own = mixers[i] === "none" ? [] : mixers[i].split("+");
    if (shared && i >= mixers.length - shared) {
      own = ["shared"];
    }
    names.push(...own);
    many.push(own.length);
  }
  /** @type {Record<string, number>} */
  const seen = {};
  /** @type {Kind[]} */
  const kinds = [];
  for (const name of names) {
    if (!Object.hasOwn(seen, name)) {
      seen[name] = kinds.length;
      kinds.push(_kind(shape, state, name));
    }
  }
  return [kinds, names.map((name) => seen[name]), many];
}

/**
 * @param {Shape} shape
 * @param {State | null} state
 * @param {string} name
 * @returns {Kind}
 */
function _kind(shape, state, name) {
  const latent = shape.latent;
  if (name === "state") {
    const kept = state ? state.kept : [];
    return { kind: "mamba", kv_heads: 0, head_dim: 0, head_dim_v: 0, window: 0, state: kept };
  }
  if (latent && name === "full") {
    const size = latent.rank + latent.rope;
    return { kind: "mla", kv_heads: 1, head_dim: size, head_dim_v: 0, window: 0, state: [] };
  }
  const reach = ["sliding", "chunked"].includes(name) ? window_of(shape, name) : 0;
  const sizes = name !== "shared" ? heads_of(shape, name) : [0, 0, 0];
  return { kind: name, kv_heads: sizes[0], head_dim: sizes[1], head_dim_v: sizes[2], window: reach, state: [] };
}
