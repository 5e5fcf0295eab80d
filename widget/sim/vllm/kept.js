// @ts-check
/**
 * Which layers keep something, and what of it the cache of a version sees.
 * @module
 */

import { ATTENTION, heads_here, state_bytes, token_bytes } from "./pages.js";
import { stages_of } from "./stages.js";
import { at_least } from "./versions.js";

/**
 * A layer as the cache sees it.
 * @typedef {object} Kept
 * @property {string} kind full, sliding, chunked, mla, cross or mamba; "" where nothing is kept in the pool
 * @property {number} window window or chunk of the attention, tokens; 0 where there is none
 * @property {number} token what one token takes, bytes
 * @property {number} state what one state takes, bytes
 * @property {string} key text that is the same for layers that may be in one group
 */

/**
 * The first cache of a stage of the pipeline, and the first one after it: a layer may have none, or more than one.
 * @param {any} settings the resolved settings
 * @param {number} stage place of the stage, from 0
 * @returns {[number, number]} The place of each of the two caches, from 0.
 * @throws {PlanError} for more stages than layers
 */
export function caches_of(settings, stage) {
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
 * What a kind of layer keeps in the pool.
 *
 * Before there was a hybrid manager, and in V0, layers of several kinds are all kept in full, and states outside.
 * @param {any} settings the resolved settings
 * @param {any} kind the kind of layer
 * @returns {Kept} What it keeps.
 * @throws {PlanError} for sizes that both languages cannot hold exactly
 * @source vLLM 0.33.0, `v1/core/kv_cache_planning.py`; 0.8.5, `v1/core/kv_cache_utils.py`; 0.6.6,
 *   `worker/cache_engine.py`.
 */
export function kept_of(settings, kind) {
  const [noted, reach] = seen(settings, kind);
  const state = noted === "mamba" ? state_bytes(settings, kind) : 0;
  const token = token_bytes(settings, kind);
  const name = token + state === 0 ? "" : noted;
  const heads = heads_here(settings, kind.kv_heads);
  const key = `${name} ${reach} ${token} ${state} ${heads} ${kind.head_dim} ${kind.head_dim_v}`;
  return { kind: name, window: reach, token, state, key };
}

/**
 * The kind and the window that the cache of this version sees.
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
