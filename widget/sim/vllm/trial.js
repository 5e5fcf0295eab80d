// @ts-check
/**
 * One try: settings resolved, budgeted and judged; and the same with something changed.
 * @module
 */

import { budget, loaded_weights } from "./budget.js";
import { PlanError } from "./refuse.js";
import { GIB_BYTES } from "./rounding.js";
import { resolve } from "./settings.js";
import { served_budget, verdict } from "./verdict.js";

/** @typedef {import("./budget.js").Budget} Budget */
/** @typedef {import("./reserve.js").Part} Part */
/** @typedef {import("./settings.js").Settings} Settings */
/** @typedef {import("./verdict.js").Verdict} Verdict */

/** Parts that a start-up prints and that may be given as measured. */
export const MEASURED = ["weights", "activation", "non_torch", "graphs"];
/** Settings from which rules and model are read. */
export const READ = ["version", "engine", "model", "index", "quantization"];
/** Settings on which the weights of a card depend beside the model. */
export const SHARED_OUT = ["dtype", "tp", "pp"];

/**
 * One set of settings and what becomes of it.
 * @typedef {object} Trial
 * @property {Record<string, any>} asked settings by vLLM's names, as given
 * @property {Settings} settings as resolved
 * @property {Part[]} weights weights of a card of each stage as they are calculated, in bytes
 * @property {Budget} budget who has how much of the card
 * @property {Verdict} verdict whether it starts
 * @property {string[]} carried parts whose measured figure was moved from other settings by the rules; "kv" for the
 *   pool
 */

/**
 * Resolve, budget and judge.
 * @param {Record<string, any>} asked settings by vLLM's names
 * @param {Trial | null} [like] a trial with the same version and model, which are then not read again
 * @param {boolean} [with_lines=true] whether to say what vLLM prints
 * @param {string[] | null} [carried] parts whose measured figure belongs to other settings and was moved; null for none
 * @returns {Trial} The settings as resolved, their budget and the verdict.
 * @throws {PlanError} for a setting that cannot be used
 */
export function trial(asked, like = null, with_lines = true, carried = null) {
  const settings = resolve(asked, like === null ? null : like.settings);
  const weights = weights_like(settings, like);
  let whole = budget(settings, weights);
  const found = verdict(settings, whole, with_lines);
  const moved = carried === null ? [] : carried;
  whole = marked(served_budget(settings, whole, found.longest), moved);
  return { asked, settings, weights, budget: whole, verdict: found, carried: moved };
}

/**
 * @param {Budget} whole
 * @param {string[]} carried
 * @returns {Budget}
 */
function marked(whole, carried) {
  // What the rules moved was not measured with these settings.
  for (const stage of whole.stages) {
    for (const part of stage.parts) {
      if (carried.includes(part.name)) Object.assign(part, { kind: "fitted", source: "carried" });
    }
  }
  return whole;
}

/**
 * Parts whose figure is carried over when something is changed: all that were measured.
 * @param {Trial} base where the change begins
 * @returns {string[]} Names of parts, without unit; "kv" for the pool.
 */
export function carried_from(base) {
  return [...MEASURED, "kv"].filter((name) => (base.asked[`measured_${name}_gib`] ?? null) !== null);
}

/**
 * @param {Settings} settings
 * @param {Trial | null} like
 * @returns {Part[]}
 */
function weights_like(settings, like) {
  // They hang on the model, on its type, and on how it is shared out, and on nothing else.
  /** @type {any} */
  const now = settings;
  /** @type {any} */
  const before = like === null ? null : like.settings;
  if (like !== null && SHARED_OUT.every((name) => now[name] === before[name])) return like.weights;
  return loaded_weights(settings);
}

/**
 * The same with something changed, or nothing where the change is not allowed.
 * @param {Trial} base where the change begins
 * @param {Record<string, any>} changes settings by vLLM's names
 * @param {boolean} [with_lines=false] whether to say what vLLM prints
 * @returns {Trial | null} The changed trial, or null.
 */
export function tried(base, changes, with_lines = false) {
  try {
    return trial(changed(base, changes), like_for(base, changes), with_lines, carried_from(base));
  } catch (error) {
    if (error instanceof PlanError) return null;
    throw error;
  }
}

/**
 * The trial whose version and model a changed one has too, or nothing.
 * @param {Trial} base where the change begins
 * @param {Record<string, any>} changes settings by vLLM's names
 * @returns {Trial | null} The base, or null.
 */
export function like_for(base, changes) {
  return Object.keys(changes).some((name) => READ.includes(name)) ? null : base;
}

/**
 * Settings with something changed; what was measured is carried over to where it was not measured.
 *
 * A measured part changes by the factor by which its calculated twin changes, a measured pool by as many bytes. The
 * moved figures are the rules' and not measured: they are for trying a change, and stand in no fix.
 * @param {Trial} base where the change begins
 * @param {Record<string, any>} changes settings by vLLM's names
 * @returns {Record<string, any>} Settings by vLLM's names.
 * @throws {PlanError} for a change that cannot be used
 */
export function changed(base, changes) {
  /** @type {Record<string, any>} */
  const asked = { ...base.asked, ...changes };
  const names = carried_from(base);
  if (names.length === 0) return asked;
  const like = like_for(base, changes);
  const before = pools(base.asked, base);
  const after = pools(asked, like);
  for (const name of names) {
    const key = `measured_${name}_gib`;
    if (name === "kv") asked[key] = asked[key] + (after.kv - before.kv) / GIB_BYTES;
    else if (name === "non_torch" && holds_others(base, asked, key)) {
      asked[key] = asked[key] + asked.in_use_gib - base.asked.in_use_gib;
    } else if (before[name] > 0) asked[key] = asked[key] * (after[name] / before[name]);
  }
  return asked;
}

/**
 * @param {Trial} base
 * @param {Record<string, any>} asked
 * @param {string} key
 * @returns {boolean}
 */
function holds_others(base, asked, key) {
  // What lies outside PyTorch was printed with all that others hold, where the version counts them.
  const before = base.asked.in_use_gib ?? null;
  const counts = base.settings.rules.counts_others;
  const after = asked.in_use_gib ?? null;
  return counts && before !== null && after !== null && after !== before && asked[key] >= before;
}

/**
 * @param {Record<string, any>} asked
 * @param {Trial | null} like
 * @returns {Record<string, number>}
 */
function pools(asked, like) {
  // What is calculated where nothing is measured, of the stage with the smallest pool.
  /** @type {Record<string, any>} */
  const plain = {};
  for (const [name, value] of Object.entries(asked)) if (!name.startsWith("measured_")) plain[name] = value;
  const settings = resolve(plain, like === null ? null : like.settings);
  const whole = budget(settings, weights_like(settings, like));
  const stage = whole.stages[whole.stage];
  /** @type {Record<string, number>} */
  const found = {};
  for (const name of MEASURED) found[name] = 0;
  for (const part of stage.parts) if (MEASURED.includes(part.name)) found[part.name] = part.bytes;
  found.kv = stage.kv_bytes;
  return found;
}
