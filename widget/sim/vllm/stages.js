// @ts-check
/**
 * Layers divided over pipeline stages, as vLLM divides them.
 * @module
 */

import { PlanError } from "./refuse.js";
import { whole_of } from "./values.js";

/** @import { Model } from "./config.js" */

/**
 * How many layers each pipeline stage has.
 *
 * Since 0.7 a remainder goes to the stages before the last, from the back; before, the last stage took it.
 * @param {number} layers layers of the model
 * @param {number} pp how many pipeline stages there are
 * @param {boolean} [last_takes_rest] whether the last stage takes the remainder, true or false
 * @returns {number[]} Layers of each stage.
 * @throws {PlanError} for more stages than layers
 * @source vLLM `distributed/utils.py`, `get_pp_indices`: 0.6.6 and 0.8.5 to 0.33.
 */
export function stages_of(layers, pp, last_takes_rest = false) {
  const stages = whole_of("pipeline_parallel_size", pp, 1);
  if (stages > layers) throw new PlanError("pipeline_parallel_size", pp, "config_stages", { layers });
  const [each, rest] = [Math.floor(layers / stages), layers % stages];
  if (last_takes_rest) {
    return Array.from({ length: stages }, (_, i) => i).map((i) => i === stages - 1 ? each + rest : each);
  }
  return Array.from({ length: stages }, (_, i) => i).map(
    (i) => stages - 1 - rest <= i && i < stages - 1 ? each + 1 : each
  );
}

/**
 * The caches of each pipeline stage: for each its index among the model's kinds.
 * @param {Model} model the model
 * @param {number} pp how many pipeline stages there are
 * @param {boolean} [last_takes_rest] whether the last stage takes the remainder, true or false
 * @returns {number[][]} One list a stage, without unit.
 * @throws {PlanError} for more stages than layers
 */
export function stage_orders(model, pp, last_takes_rest = false) {
  const [caches, order] = [model.weights.caches, model.order];
  const found = [];
  let layer = 0;
  let cache = 0;
  for (const many of stages_of(caches.length, pp, last_takes_rest)) {
    const start = cache;
    for (let i = layer; i < layer + many; i += 1) {
      cache += caches[i];
    }
    layer += many;
    found.push(order.slice(start, cache));
  }
  return found;
}
