// @ts-check
/**
 * What CUDA graphs take, inside the share or beside it, by version.
 * @module
 */

import { bounded } from "./pages.js";
import { FITTED } from "./plan_facts.js";
import { by_cuda } from "./reserve.js";
import { value_since } from "./versions.js";

/** @typedef {import("./reserve.js").Part} Part */

/**
 * How many sizes of a batch are captured: 1, 2, 4, then every 8 below 256, then every 16.
 * @param {any} settings the resolved settings
 * @param {number} most the largest batch, tokens
 * @returns {number} Sizes, as a whole number without units.
 * @source vLLM 0.33.0, `config/vllm.py`, `_set_cudagraph_sizes`.
 */
export function graph_sizes(settings, most) {
  const rule = FITTED.graphs;
  const largest = settings.card.capability.startsWith("10.") ? rule.largest_blackwell : rule.largest;
  const top = Math.min(most, 2 * settings.seats, largest, settings.batched_tokens);
  const small = rule.small_sizes.filter((/** @type {number} */ size) => size <= top).length;
  const fine = Math.floor(Math.min(top, rule.step_to - 1) / rule.step);
  const wide = top >= rule.step_to ? Math.floor(Math.max(0, top - rule.step_to) / rule.wide_step) + 1 : 0;
  return small + fine + wide;
}

/**
 * How many graphs a start captures: one for each size, and of whole decode steps one for each size up to the seats.
 * @param {any} settings the resolved settings
 * @returns {number} Graphs, as a whole number without units; 0 in eager mode.
 * @source vLLM 0.19.1 prints both counts: “PIECEWISE=51 (largest=512), FULL=35 (largest=256)”.
 */
export function graphs_captured(settings) {
  if (settings.eager) {
    return 0;
  }
  const pieces = graph_sizes(settings, settings.batched_tokens);
  return settings.rules.engine === "V0" ? pieces : pieces + graph_sizes(settings, settings.seats);
}

/**
 * Whether an estimate of the graphs is taken from the share.
 * @param {any} settings the resolved settings
 * @returns {boolean} Whether it is, by version, switch and model runner.
 * @throws {PlanError} for a release that is no version
 * @source vLLM 0.17.1 to 0.33.0, `v1/worker/gpu_worker.py`; 0.28.0 and 0.29.0, `v1/worker/gpu/model_runner.py`.
 */
export function graphs_counted(settings) {
  const rules = settings.rules;
  if (settings.eager || rules.engine === "V0" || rules.graphs === "outside" || !settings.graphs_counted) {
    return false;
  }
  if (settings.card.maker === "amd" && !value_since(FITTED.graphs.estimated_amd, rules.order)) {
    return false;
  }
  return by_cuda(settings) && value_since(FITTED.graphs.estimated[rules.runner], rules.order);
}

/**
 * @param {any} settings
 * @param {string} side
 * @returns {number}
 */
function estimate(settings, side) {
  const each = FITTED.constants.graph_bytes[side];
  return bounded("max_num_seqs", Math.floor(graphs_captured(settings) * each));
}

/**
 * What is taken from the share for CUDA graphs: vLLM's estimate before it captures them.
 * @param {any} settings the resolved settings
 * @returns {Part} The part, bytes; 0 where graphs are not counted.
 * @throws {PlanError} for sizes that both languages cannot hold exactly
 * @source `facts/vllm/fitted.json`.
 */
export function graphs(settings) {
  if (!graphs_counted(settings)) {
    return { name: "graphs", bytes: 0, low: 0, high: 0, kind: "rule", source: "graphs_outside" };
  }
  const sizes = ["value", "low", "high"].map((side) => estimate(settings, side));
  return {
    name: "graphs",
    bytes: /** @type {number} */ (sizes[0]),
    low: Math.min(...sizes),
    high: Math.max(...sizes),
    kind: "fitted",
    source: "graphs",
  };
}

/**
 * What graphs take beside the share, after the cache is there, where they are not counted in it.
 * @param {any} settings the resolved settings
 * @returns {number} Bytes; 0 where they are counted, in eager mode, and on cards of makers that have none.
 * @throws {PlanError} for sizes that both languages cannot hold exactly
 */
export function graphs_beside(settings) {
  return graphs_counted(settings) || !by_cuda(settings) ? 0 : estimate(settings, "value");
}
