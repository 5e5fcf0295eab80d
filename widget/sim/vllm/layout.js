// @ts-check
/**
 * How the cache is cut: groups of layers, tokens and bytes of a block, as vLLM makes them by version.
 * @module
 */

import { caches_of, kept_of } from "./kept.js";
import { backend_tokens, block_tokens_of, bounded, keeps_mla, rounded_up } from "./pages.js";
import { PlanError } from "./refuse.js";
import { at_least } from "./versions.js";

/** @typedef {import("./kept.js").Kept} Kept */

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
 * @property {number} tried_groups how many groups count there, as many as there are or the first one alone
 * @property {boolean} hybrid whether several groups share the pool
 * @property {boolean} mamba whether chats keep states in the pool
 * @property {number} state_blocks blocks that a chat takes for each group of states; 0 where it keeps one at every full
 *   block
 */

/**
 * Models that from 0.12 to 0.27 keep a state at every full block where prefixes are kept, by the beginning of the
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
  const specs = model.kinds.map((/** @type {any} */ kind) => kept_of(settings, kind));
  const [first, after] = caches_of(settings, stage);
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
  if (types.every((name) => name === types[0]) || onlyInFull(settings, layers)) return together(settings, layers, here);
  return apart(settings, layers, here);
}

/**
 * @param {any} settings
 * @param {Kept[]} layers
 */
function onlyInFull(settings, layers) {
  // MLA is never padded: where its page does not go into that of sliding layers, those are kept in full.
  const kinds = layers.map((layer) => layer.kind);
  if (kinds.some((kind) => !["full", "sliding", "mla"].includes(kind)) || !kinds.includes("mla")) return false;
  const tokens = block_tokens_of(settings);
  const pages = layers.map((layer) => bounded("block_size", tokens * layer.token));
  const widest = Math.max(...pages);
  return pages.some((page, i) => kinds[i] === "mla" && widest % page !== 0);
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
  // From 0.14 a chat is tried in whole blocks, until 0.16 with the layers of all stages against the memory of one,
  // and until 0.18 of the first group alone.
  const order = settings.rules.order;
  let tried = 0;
  if (groups.length < 2 || at_least(order, "0.14.0")) {
    tried = at_least(order, "0.14.0") && !at_least(order, "0.17.0") ? whole : block;
  }
  const firstAlone = at_least(order, "0.14.0") && !at_least(order, "0.19.0");
  const mamba = groups.some((group) => group.kind === "mamba");
  const states = stateBlocks(settings);
  let shown = tokens;
  // A state that is kept for a whole chat stands for the longest length.
  if (mamba && states === 1) shown = tokens > 0 ? Math.min(tokens, settings.longest) : settings.longest;
  return {
    groups,
    block_tokens: shown > 0 || !mamba ? shown : block_tokens_of(settings),
    block_bytes: bounded("layers", block),
    tried_bytes: bounded("layers", tried),
    tried_groups: firstAlone ? Math.min(groups.length, 1) : groups.length,
    hybrid: groups.length > 1,
    mamba,
    state_blocks: states,
  };
}

/** @param {any} settings */
function stateBlocks(settings) {
  // Where prefixes are kept, the state at the last full block is kept beside the running one.
  const order = settings.rules.order;
  const name = settings.model.architecture;
  // Beside states, prefixes were kept only where that was asked for, until 0.25.
  const keeps = settings.given.includes("enable_prefix_caching") || at_least(order, "0.26.0");
  if (!settings.prefix_caching || !keeps || !at_least(order, "0.12.0")) return 1;
  if (!at_least(order, "0.28.0") && EVERY_STATE.some((each) => name.startsWith(each))) return 0;
  return at_least(order, "0.15.0") ? 2 : 1;
}

/**
 * @param {any} settings
 * @param {Kept[]} layers
 * @param {boolean[]} here
 */
function together(settings, layers, here) {
  // One group: each layer has its own page, and a block is a page of each.
  const one = /** @type {Kept} */ (layers[0]);
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
  const same = layers.every((layer) => layer.window === one.window);
  const [kind, reach] = same ? [one.kind, one.window] : ["full", 0];
  const group = { kind, layers: count, block_tokens: tokens, page_bytes: widest, window: reach };
  return layout(settings, [group], tokens, block, whole);
}

/**
 * @param {any} settings
 * @param {Kept[]} layers
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
    const spec = /** @type {Kept} */ (layers[/** @type {number} */ (places[0])]);
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

/** @param {Kept[]} layers */
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
 * @param {Kept} spec
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
 * @param {Kept[]} layers
 */
function pageOf(settings, layers) {
  // Bytes of the common page, and tokens of a block before pages are made equal.
  let tokens = block_tokens_of(settings);
  const state = Math.max(...layers.map((layer) => layer.state));
  const attention = layers.filter((layer) => layer.kind !== "mamba");
  if (state > 0) {
    // The block is raised until the page of one attention layer holds a state.
    const keeps = attention.find((layer) => layer.kind === "full" || layer.kind === "mla");
    const first = keeps ?? /** @type {Kept} */ (attention[0]);
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
