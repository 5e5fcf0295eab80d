// @ts-check
/**
 * Parameters counted part by part from the architecture.
 * @module
 */

import { first_tensors, last_tensors } from "./end_tensors.js";
import { flag_field, list_field, whole_field } from "./fields.js";
import { mlp_tensors } from "./mlps.js";
import { PlanError } from "./refuse.js";
import { state_tensors } from "./state_tensors.js";
import { product, total } from "./sums.js";
import { attention_tensors, index_tensors, norm_values, tensor, values_of } from "./tensors.js";

/** @import { Shape } from "./shape.js" */
/** @import { State } from "./states.js" */
/** @import { Tensor } from "./tensors.js" */

/**
 * All weights of a model: kinds of layers with their tensors, and what stands before and after them.
 * @typedef {object} Counted
 * @property {Tensor[][]} templates the tensors of each kind of layer
 * @property {number[]} order for each layer, the index of its kind among the templates, without unit
 * @property {Tensor[]} first tensors before the layers
 * @property {Tensor[]} last tensors after the layers
 * @property {Tensor[]} beside tensors of other senses: vision, audio, an encoder
 * @property {number} unloaded values of a checkpoint that a server does not load
 * @property {number} unloaded_words those of them that are an embedding or a head, values
 * @property {number} parameters all values that a server loads
 */
/**
 * Count the weights of a model.
 * @param {Shape} shape sizes of the model
 * @param {State | null} state sizes of a layer with a state, or null
 * @param {string[]} mixers how each layer looks at other tokens
 * @param {string[]} mlps the feed-forward part of each layer
 * @param {Tensor[]} beside tensors of other senses
 * @returns {Counted} The tensors, and how many values they have.
 * @throws {PlanError} for a sum above 2^53 − 1
 */
export function counted(shape, state, mixers, mlps, beside) {
  mixers = _without_keys(shape, mixers);
  const indexed = _indexed(shape);
  /** @type {Record<string, number>} */
  const seen = {};
  /** @type {Tensor[][]} */
  const templates = [];
  const order = [];
  for (let i = 0; i < mixers.length; i += 1) {
    const key = `${_weights_like(shape, mixers[i])}/${mlps[i]}/${indexed[i] ? "index" : ""}`;
    if (!Object.hasOwn(seen, key)) {
      seen[key] = templates.length;
      const index = indexed[i] ? index_tensors(shape) : [];
      templates.push([...layer_tensors(shape, state, mixers[i], mlps[i]), ...index]);
    }
    order.push(seen[key]);
  }
  const [first, last] = [first_tensors(shape), last_tensors(shape)];
  const sizes = templates.map((each) => values_of(each));
  const many = Array(templates.length).fill(0);
  for (const each of order) {
    many[each] += 1;
  }
  const layers = Array.from({ length: sizes.length }, (_, i) => i).map(
    (i) => product("num_hidden_layers", sizes[i], many[i])
  );
  const size = total("parameters", ...layers, values_of(first), values_of(last), values_of(beside));
  return {
    templates,
    order,
    first,
    last,
    beside,
    unloaded: _unloaded(shape, templates, order),
    unloaded_words: _unloaded_words(shape),
    parameters: size,
  };
}

/**
 * @param {Shape} shape
 * @param {string[]} mixers
 * @returns {string[]}
 */
function _without_keys(shape, mixers) {
  // Gemma 4: layers that look at the cache of another layer have no weights for keys and values.
  if (!(shape.family.shared_without_keys ?? false)) return mixers;
  const shared = whole_field(shape.text, "num_kv_shared_layers", 0, shape.layers - 1, 0);
  const own = mixers.length - shared;
  return Array.from({ length: mixers.length }, (_, i) => i).map((i) => i < own ? mixers[i] : `shared_${mixers[i]}`);
}

/**
 * @param {Shape} shape
 * @returns {boolean[]}
 */
function _indexed(shape) {
  // Sparse attention: a layer has an index of its own, or takes the one of a layer before it.
  const own = Boolean(shape.family.sparse_index ?? false);
  const types = own ? list_field(shape.text, "indexer_types") : [];
  if (types.length > 0 && types.length !== shape.layers) {
    throw new PlanError("indexer_types", types, "config_layers", { layers: shape.layers });
  }
  return Array.from({ length: shape.layers }, (_, i) => i).map(
    (i) => own && (types.length === 0 || types[i] === "full")
  );
}

/**
 * @param {Shape} shape
 * @param {string} mixer
 * @returns {string}
 */
function _weights_like(shape, mixer) {
  return ["sliding", "chunked"].includes(mixer) && !Object.hasOwn(shape.family, "global_head_dim") ? "full" : mixer;
}

/**
 * The tensors of one layer.
 * @param {Shape} shape sizes of the model
 * @param {State | null} state sizes of a layer with a state, or null
 * @param {string} mixer how it looks at other tokens
 * @param {string} mlp its feed-forward part
 * @returns {Tensor[]} The tensors.
 * @throws {PlanError} for sizes whose product is above 2^53 − 1
 */
export function layer_tensors(shape, state, mixer, mlp) {
  /** @type {Tensor[]} */
  const out = [];
  for (const part of mixer.split("+")) {
    if (part === "state" && state) {
      out.push(...state_tensors(shape, state));
    } else if (["full", "sliding", "chunked", "shared_full", "shared_sliding"].includes(part)) {
      out.push(...attention_tensors(shape, part));
    } else if (part === "cross") {
      out.push(..._cross_tensors(shape));
    }
  }
  out.push(...mlp_tensors(shape, mlp, mixer.startsWith("shared")));
  if (shape.family.layer_scale ?? false) {
    out.push(tensor("layer_scale", "plain", 0, 0, 1));
  }
  if (mixer === "full+cross") return [...out, tensor("norms", "plain", 0, 0, 3 * norm_values(shape, shape.hidden))];
  return [
    ...out,
    tensor("norms", "plain", 0, 0, product("norms", _norms(shape, mlp), norm_values(shape, shape.hidden))),
  ];
}

/**
 * @param {Shape} shape
 * @param {string} mlp
 * @returns {number}
 */
function _norms(shape, mlp) {
  const [text, family] = [shape.text, shape.family];
  if (mlp === "experts" && Object.hasOwn(family, "norms_with_experts")) return family.norms_with_experts;
  if (family.falcon ?? false) {
    if (flag_field(text, "new_decoder_architecture", false)) {
      return whole_field(text, "num_ln_in_parallel_attn", 1, 2, 2);
    }
    return flag_field(text, "parallel_attn", true) ? 1 : 2;
  }
  if (Object.hasOwn(family, "norms_if_parallel") && flag_field(text, family.norms_if_parallel, false)) return 1;
  return family.norms ?? 2;
}

/**
 * @param {Shape} shape
 * @returns {Tensor[]}
 */
function _cross_tensors(shape) {
  const own = attention_tensors(shape);
  if (shape.family.hybrid === "cross") {
    // Mllama: a norm of queries and of keys, and two gates that open slowly in training.
    own.push(tensor("cross_norms", "plain", 0, 0, 2 * shape.head_dim + 2));
  }
  return own;
}

/**
 * @param {Shape} shape
 * @returns {number}
 */
function _speculating(shape) {
  const names = "num_nextn_predict_layers mtp_num_hidden_layers";
  return whole_field(shape.text, names, 0, 1000, shape.family.mtp ?? 0);
}

/**
 * @param {Shape} shape
 * @returns {number}
 */
function _unloaded_words(shape) {
  // The layers for speculation of some models bring embedding and head once more.
  const words = product("vocab_size", 2, shape.vocab, shape.hidden);
  const own = Boolean(shape.family.mtp_words ?? false);
  return own ? product("num_nextn_predict_layers", _speculating(shape), words) : 0;
}

/**
 * @param {Shape} shape
 * @param {Tensor[][]} templates
 * @param {number[]} order
 * @returns {number}
 */
function _unloaded(shape, templates, order) {
  // Layers for speculation: like the last one, with a matrix that joins two hidden states, and three norms.
  const [hidden, name] = [shape.hidden, "num_nextn_predict_layers"];
  const each = total(name, values_of(templates[order[order.length - 1]]), product(name, 2, hidden, hidden), 3 * hidden);
  return total(name, product(name, _speculating(shape), each), _unloaded_words(shape));
}
