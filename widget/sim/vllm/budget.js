// @ts-check
/**
 * The whole budget of the cards: what is asked for, what each part takes, what is left for the cache.
 * @module
 */

import { blocks_of, capacity } from "./capacity.js";
import { graphs } from "./graphs.js";
import { layout_of } from "./layout.js";
import { bounded } from "./pages.js";
import { FITTED } from "./plan_facts.js";
import { activation, by_cuda, measured_part, non_torch, penalties } from "./reserve.js";
import { weights_of } from "./weights.js";

/** @typedef {import("./capacity.js").Capacity} Capacity */
/** @typedef {import("./layout.js").Layout} Layout */
/** @typedef {import("./reserve.js").Part} Part */

/**
 * The budget of each card of one stage of the pipeline.
 * @typedef {object} Stage
 * @property {Part[]} parts weights, activation, non_torch, penalties and graphs, in this order, in bytes
 * @property {number} others_bytes what other programs hold, where the version takes it from the share, bytes
 * @property {number} kv_bytes left for the cache, bytes; may be negative
 * @property {number} kv_low least that may be left, bytes
 * @property {number} kv_high most that may be left, bytes
 * @property {Layout} layout how the cache of this stage is cut
 * @property {number} blocks blocks that go into it
 */

/**
 * The budget of a start.
 * @typedef {object} Budget
 * @property {number} total_bytes memory of one card as the driver reports it, bytes
 * @property {number} in_use_bytes held before the server starts, bytes
 * @property {number} free_bytes free at the start, bytes
 * @property {number} requested_bytes total × share, rounded up, bytes
 * @property {Stage[]} stages the budget of each stage of the pipeline, in bytes
 * @property {number} stage place of the stage with the fewest blocks, from 0
 * @property {number} blocks blocks of the pool
 * @property {Capacity} capacity what the pool holds, in tokens and chats
 * @property {number} kv_bytes cache of a card of that stage, bytes
 * @property {number} unused_bytes what the server leaves free, bytes
 * @property {number} lacking_bytes what it needs beyond what is free, bytes
 */

/**
 * What a server asks for: total × share, rounded up.
 * @param {number} total memory of the card as the driver reports it, bytes
 * @param {number} share the memory share, from 0 to 1
 * @returns {number} Bytes.
 * @source vLLM 0.33.0, `v1/worker/utils.py`, `request_memory`.
 */
export function requested_bytes(total, share) {
  return Math.ceil(total * share);
}

/**
 * Memory of the cache where it is given, by a log or by kv_cache_memory_bytes.
 * @param {any} settings the resolved settings
 * @returns {number | null} Bytes, or null where it follows from the share.
 * @source vLLM 0.19.0, `v1/worker/gpu_worker.py`: used as it is, the profile run counts for nothing.
 */
export function given_kv_bytes(settings) {
  return settings.measured.kv_bytes ?? settings.kv_cache_memory_bytes ?? null;
}

/**
 * What a version takes from the share for memory that was held before: all of it, or nothing.
 *
 * Where it is not given, what versions that count it found of their own context. What such a version prints as beside
 * PyTorch holds it already.
 * @param {any} settings the resolved settings
 * @returns {number} Bytes.
 * @source vLLM 0.6.4, `worker/worker.py`, and 0.8.5, `v1/worker/gpu_worker.py`; vllm-project/vllm#10517 and #16141.
 */
export function others_bytes(settings) {
  if (!settings.rules.counts_others || (settings.measured.non_torch_bytes ?? null) !== null) {
    return 0;
  }
  if (settings.given.includes("in_use_gib")) {
    return settings.in_use_bytes;
  }
  return Math.min(settings.in_use_bytes, FITTED.context.bytes);
}

/**
 * The weights of one card of each stage, as they are loaded with these settings.
 * @param {any} settings the resolved settings
 * @returns {Part[]} One part a stage, in bytes.
 * @throws {PlanError} for sizes that both languages cannot hold exactly
 */
export function loaded_weights(settings) {
  /** @type {any[]} */
  const parts = weights_of(settings.model, settings.dtype, "", settings.tp, settings.pp);
  return parts;
}

/**
 * What a card of one stage needs beside the cache; a part that was measured counts as measured.
 * @param {any} settings the resolved settings
 * @param {number} stage place of the stage of the pipeline, from 0
 * @param {Part} weights the weights of a card of this stage, in bytes
 * @returns {Part[]} Weights, activation, non_torch, penalties and graphs, in bytes.
 * @throws {PlanError} for sizes that both languages cannot hold exactly
 */
export function parts_of(settings, stage, weights) {
  const predicted = [
    weights,
    activation(settings, stage),
    non_torch(settings),
    penalties(settings, stage),
    graphs(settings),
  ];
  return predicted.map((part) => measured(settings, part));
}

/**
 * @param {any} settings
 * @param {Part} part
 * @returns {Part}
 */
function measured(settings, part) {
  const size = settings.measured[`${part.name}_bytes`] ?? null;
  if (size !== null) return measured_part(part.name, size);
  // What was read and fitted is CUDA's: of other builds it is a guess.
  return part.name === "weights" || by_cuda(settings) ? part : { ...part, kind: "guessed" };
}

/**
 * The budget of each card of one stage.
 * @param {any} settings the resolved settings
 * @param {number} stage place of the stage of the pipeline, from 0
 * @param {Part} weights the weights of a card of this stage, in bytes
 * @returns {Stage} The budget, in bytes.
 * @throws {PlanError} for sizes that both languages cannot hold exactly
 */
export function stage_budget(settings, stage, weights) {
  const parts = parts_of(settings, stage, weights);
  const others = others_bytes(settings);
  const room = requested_bytes(settings.total_bytes, settings.share) - others;
  const given = given_kv_bytes(settings);
  /** @param {"bytes" | "low" | "high"} side */
  const left = (side) => {
    let taken = 0;
    for (const part of parts) {
      taken += part[side];
    }
    const kv = room - bounded("total_gib", taken);
    return given ?? kv;
  };
  const kv = left("bytes");
  const low = left("high");
  const high = left("low");
  const layout = layout_of(settings, stage);
  return { parts, others_bytes: others, kv_bytes: kv, kv_low: low, kv_high: high, layout, blocks: blocks_of(layout, kv) };
}

/**
 * The whole budget: every stage, and the one with the fewest blocks, which decides.
 * @param {any} settings the resolved settings
 * @param {Part[] | null} [weights] the weights of a card of each stage, in bytes, where they are known
 * @returns {Budget} The budget, in bytes.
 * @throws {PlanError} for sizes that both languages cannot hold exactly
 * @source vLLM 0.33.0, `v1/worker/gpu_worker.py`, `determine_available_memory`, and `v1/core/kv_cache_planning.py`.
 */
export function budget(settings, weights = null) {
  const loaded = weights ?? loaded_weights(settings);
  /** @type {Stage[]} */
  const stages = [];
  for (let stage = 0; stage < settings.pp; stage += 1) {
    stages.push(stage_budget(settings, stage, /** @type {Part} */ (loaded[stage])));
  }
  let least = 0;
  stages.forEach((one, place) => {
    if (less(one, /** @type {Stage} */ (stages[least]))) {
      least = place;
    }
  });
  const here = /** @type {Stage} */ (stages[least]);
  const blocks = settings.blocks_override ?? here.blocks;
  const requested = requested_bytes(settings.total_bytes, settings.share);
  const room = left_of(settings, here, requested);
  return {
    total_bytes: settings.total_bytes,
    in_use_bytes: settings.in_use_bytes,
    free_bytes: settings.free_bytes,
    requested_bytes: requested,
    stages,
    stage: least,
    blocks,
    capacity: capacity(settings, here.layout, blocks),
    kv_bytes: here.kv_bytes,
    unused_bytes: Math.max(0, room),
    lacking_bytes: Math.max(0, 0 - room),
  };
}

/**
 * Fewer blocks; where both have none, or equally many, less memory.
 * @param {Stage} one
 * @param {Stage} other
 */
function less(one, other) {
  return one.blocks === other.blocks ? one.kv_bytes < other.kv_bytes : one.blocks < other.blocks;
}

/**
 * What others hold lies inside the share in some versions; a given cache makes the share count for nothing.
 * @param {any} settings
 * @param {Stage} stage
 * @param {number} requested
 */
function left_of(settings, stage, requested) {
  let taken = requested - stage.others_bytes;
  if (given_kv_bytes(settings) !== null) {
    taken = stage.kv_bytes;
    for (const part of stage.parts) {
      taken += part.bytes;
    }
  }
  if (settings.blocks_override !== null) {
    const set_bytes = settings.blocks_override * stage.layout.block_bytes;
    taken = taken - stage.kv_bytes + bounded("num_gpu_blocks_override", set_bytes);
  }
  return settings.total_bytes - settings.in_use_bytes - taken;
}
