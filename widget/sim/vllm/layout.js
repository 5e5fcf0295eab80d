// @ts-check
/**
 * How the cache is cut: groups of layers, tokens and bytes of a block, as vLLM makes them by version.
 * @module
 */

import { ATTENTION, backend_tokens, block_tokens_of, bounded, keeps_mla, rounded_up, state_bytes, token_bytes } from "./pages.js";
import { PlanError } from "./refuse.js";
import { stages_of } from "./stages.js";
import { at_least } from "./versions.js";

/**
 * Layers that share one table of blocks: a chat takes blocks for each group.
 * @typedef {object} Group
 * @property {string} kind full, sliding, chunked, mla, cross or mamba
 * @property {number} layers layers of the group in this stage
 * @property {number} block_tokens tokens of one block; 0 where a block holds a whole state
 * @property {number} page_bytes what one block takes in the widest layer, bytes
 * @property {number} window window or chunk of the attention, tokens; 0 where there is none
 */

/**
 * The cache of one stage: what a block is.
 * @typedef {object} Layout
 * @property {Group[]} groups groups of layers, in the order of their first layers
 * @property {number} block_tokens tokens of the smallest block, as printed
 * @property {number} block_bytes what one block of the pool takes on a card of this stage, bytes
 * @property {number} tried_bytes what one block counts for where one chat is tried against the memory, bytes; 0 where
 *   the layers of each group are counted as they are
 * @property {boolean} hybrid whether several groups share the pool
 * @property {boolean} mamba whether chats keep states in the pool
 * @property {number} state_blocks blocks that a chat takes for each group of states; 0 where it keeps one at every full
 *   block
 */

/**
 * A layer as the cache sees it.
 * @typedef {object} Spec
 * @property {string} kind
 * @property {number} window
 * @property {number} token
 * @property {number} state
 * @property {string} key
 * @ignore
 */

/**
 * Models that from 0.12 to 0.28 keep a state at every full block where prefixes are kept, by the beginning of the
 * architecture's name.
 * @type {readonly string[]}
 * @source vLLM 0.24.0, `model_executor/models/interfaces.py`, `SupportsMambaPrefixCaching`.
 */
export const EVERY_STATE = ["Bamba", "FalconH1", "GraniteMoeHybrid", "Jamba", "Mamba", "NemotronH", "Zamba2"];

/**
 * How the cache of one stage is cut.
 *
 * Groups are made for the whole model; a stage keeps those of their layers that it has.
 * @param {any} settings the resolved settings
 * @param {number} stage place of the stage of the pipeline, from 0
 * @returns {Layout} The layout.
 * @throws {PlanError} for sizes that both languages cannot hold exactly, for more stages than layers, and for a stage
 *   without any cache
 * @source vLLM 0.33.0, `v1/core/kv_cache_planning.py`; 0.8.5 to 0.26.0, `v1/core/kv_cache_utils.py`.
 */
export function layout_of(settings, stage) {
  const { model } = settings;
  const specs = model.kinds.map((/** @type {any} */ kind) => specOf(settings, kind));
  const [first, after] = cachesOf(settings, stage);
  const layers = [];
  const here = [];
  for (const [i, kind] of model.order.entries()) {
    if (specs[kind].kind === "") continue;
    layers.push(specs[kind]);
    here.push(first <= i && i < after);
  }
  if (!layers.length) return layout(settings, [], 0, 0, 0);
  if (!here.includes(true)) throw new PlanError("pipeline_parallel_size", settings.pp, "stage_keeps");
  // Full attention and MLA are of one type: both keep every token.
  const types = layers.map((layer) => (layer.kind === "mla" ? "full 0" : `${layer.kind} ${layer.window}`));
  const same = types.every((name) => name === types[0]);
  return same ? together(settings, layers, here) : apart(settings, layers, here);
}

/**
 * The first cache of a stage, and the first one after it: a layer may have none, or more than one.
 * @param {any} settings
 * @param {number} stage
 * @returns {[number, number]}
 */
function cachesOf(settings, stage) {
  /** @type {number[]} */
  const caches = settings.model.weights.caches;
  const stages = stages_of(caches.length, settings.pp, !at_least(settings.rules.order, "0.7.0"));
  let [layer, first, after] = [0, 0, 0];
  for (let place = 0; place <= stage; place += 1) {
    first = after;
    const end = layer + /** @type {number} */ (stages[place]);
    for (; layer < end; layer += 1) after += /** @type {number} */ (caches[layer]);
  }
  return [first, after];
}

/**
 * @param {any} settings
 * @param {any} kind
 * @returns {Spec}
 */
function specOf(settings, kind) {
  let [name, window] = seen(settings, kind);
  const state = name === "mamba" ? state_bytes(settings, kind) : 0;
  const token = token_bytes(settings, kind);
  if (token + state === 0) name = "";
  const key = `${name} ${window} ${token} ${state} ${kind.kv_heads} ${kind.head_dim} ${kind.head_dim_v}`;
  return { kind: name, window, token, state, key };
}

/**
 * The kind and the window that the cache of this version sees; no kind: nothing is kept in the pool.
 * @param {any} settings
 * @param {any} kind
 * @returns {[string, number]}
 */
function seen(settings, kind) {
  const name = kind.kind;
  const old = settings.rules.engine === "V0";
  const plain = old || !settings.rules.hybrid;
  if (!(ATTENTION.includes(name) || name === "mamba") || (name === "mamba" && plain)) return ["", 0];
  if (name !== "sliding" && name !== "chunked") return [name === "cross" && plain ? "full" : name, 0];
  if (kind.window <= 0 || old || (plain && mixed(settings.model))) return ["full", 0];
  return [name, kind.window];
}

/** @param {any} model */
function mixed(model) {
  const kinds = model.order.map((/** @type {number} */ i) => model.kinds[i]);
  const attending = kinds.filter((/** @type {any} */ kind) => ATTENTION.includes(kind.kind));
  const names = attending.map((/** @type {any} */ kind) => `${kind.kind} ${kind.window}`);
  return names.some((/** @type {string} */ name) => name !== names[0]);
}

/**
 * @param {any} settings
 * @param {Group[]} groups
 * @param {number} tokens
 * @param {number} block
 * @param {number} whole
 * @returns {Layout}
 */
function layout(settings, groups, tokens, block, whole) {
  // From 0.14 a chat is tried in whole blocks, until 0.16 with the layers of all stages against the memory of one.
  const order = settings.rules.order;
  let tried = 0;
  if (groups.length < 2 || at_least(order, "0.14.0")) {
    tried = at_least(order, "0.14.0") && !at_least(order, "0.17.0") ? whole : block;
  }
  return {
    groups,
    block_tokens: tokens,
    block_bytes: bounded("layers", block),
    tried_bytes: bounded("layers", tried),
    hybrid: groups.length > 1,
    mamba: groups.some((group) => group.kind === "mamba"),
    state_blocks: stateBlocks(settings),
  };
}

/** @param {any} settings */
function stateBlocks(settings) {
  // Where prefixes are kept, the state at the last full block is kept beside the running one.
  const order = settings.rules.order;
  const name = settings.model.architecture;
  if (!settings.prefix_caching || !at_least(order, "0.12.0")) return 1;
  if (!at_least(order, "0.29.0") && EVERY_STATE.some((each) => name.startsWith(each))) return 0;
  return at_least(order, "0.15.0") ? 2 : 1;
}

/**
 * @param {any} settings
 * @param {Spec[]} layers
 * @param {boolean[]} here
 */
function together(settings, layers, here) {
  // One group: each layer has its own page, and a block is a page of each.
  const one = /** @type {Spec} */ (layers[0]);
  const mamba = one.kind === "mamba";
  const tokens = mamba ? 0 : block_tokens_of(settings);
  let [block, whole, widest, count] = [0, 0, 0, 0];
  for (const [i, layer] of layers.entries()) {
    const page = bounded("block_size", layer.state + tokens * layer.token);
    whole += page;
    widest = Math.max(widest, page);
    if (!here[i]) continue;
    block += page;
    count += 1;
  }
  const group = { kind: one.kind, layers: count, block_tokens: tokens, page_bytes: widest, window: one.window };
  return layout(settings, [group], mamba ? settings.longest : tokens, block, whole);
}

/**
 * @param {any} settings
 * @param {Spec[]} layers
 * @param {boolean[]} here
 */
function apart(settings, layers, here) {
  // Several groups of equally many layers draw pages of one size from one pool.
  const [page, tokens] = /** @type {[number, number]} */ (pageOf(settings, layers));
  const lists = listsOf(layers);
  const width = widthOf(settings, lists.map((places) => places.length));
  const groups = [];
  for (const places of lists) {
    const pieces = rounded_up(places.length, width);
    const spec = /** @type {Spec} */ (layers[/** @type {number} */ (places[0])]);
    for (let piece = 0; piece < pieces; piece += 1) {
      const mine = places.filter((place, i) => i % pieces === piece && here[place]);
      groups.push(groupOf(spec, mine.length, page, tokens));
    }
  }
  let [widest, smallest] = [0, 0];
  for (const group of groups) {
    widest = Math.max(widest, group.layers);
    if (group.block_tokens > 0 && (smallest === 0 || group.block_tokens < smallest)) smallest = group.block_tokens;
  }
  return layout(settings, groups, smallest, page * widest, page * width);
}

/** @param {Spec[]} layers */
function listsOf(layers) {
  // The places of the layers of each kind, in the order in which the kinds come.
  /** @type {Map<string, number[]>} */
  const lists = new Map();
  for (const [place, layer] of layers.entries()) {
    const list = lists.get(layer.key);
    if (list) list.push(place);
    else lists.set(layer.key, [place]);
  }
  return [...lists.values()];
}

/**
 * @param {any} settings
 * @param {number[]} counts
 */
function widthOf(settings, counts) {
  // The smallest kind gives the width, or the largest one where that pads little: 1.25 and later 1.5 times as many.
  const order = settings.rules.order;
  const few = Math.min(...counts);
  const many = Math.max(...counts);
  if (at_least(order, "0.18.0")) return 2 * many < 3 * few ? many : few;
  return at_least(order, "0.12.0") && 4 * many < 5 * few ? many : few;
}

/**
 * @param {Spec} spec
 * @param {number} layers
 * @param {number} page
 * @param {number} tokens
 * @returns {Group}
 */
function groupOf(spec, layers, page, tokens) {
  // A page that goes into the common one holds so many times the tokens; any other is padded.
  let block = 0;
  if (spec.kind !== "mamba") {
    const own = tokens * spec.token;
    block = page % own === 0 ? tokens * (page / own) : tokens;
  }
  return { kind: spec.kind, layers, block_tokens: block, page_bytes: page, window: spec.window };
}

/**
 * @param {any} settings
 * @param {Spec[]} layers
 */
function pageOf(settings, layers) {
  // Bytes of the common page, and tokens of a block before pages are made equal.
  let tokens = block_tokens_of(settings);
  const state = Math.max(...layers.map((layer) => layer.state));
  const attention = layers.filter((layer) => layer.kind !== "mamba");
  if (state > 0) {
    // The block is raised until the page of one attention layer holds a state.
    const keeps = attention.find((layer) => layer.kind === "full" || layer.kind === "mla");
    const first = keeps ?? /** @type {Spec} */ (attention[0]);
    const step = stepOf(settings, tokens);
    tokens = Math.max(tokens, step * rounded_up(state, step * first.token));
  }
  const page = Math.max(...attention.map((layer) => bounded("block_size", tokens * layer.token)));
  return [Math.max(page, state), tokens];
}

/**
 * @param {any} settings
 * @param {number} tokens
 */
function stepOf(settings, tokens) {
  // What a block is raised by: blocks of the backend, from 0.18 those that were asked for, for MLA at least 128.
  const order = settings.rules.order;
  const mla = keeps_mla(settings.model);
  if (!at_least(order, "0.18.0")) return mla ? Math.max(backend_tokens(settings), 64) : backend_tokens(settings);
  return mla && at_least(order, "0.29.0") ? Math.max(tokens, 128) : tokens;
}
