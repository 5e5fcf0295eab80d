// @ts-check
/**
 * Why vLLM does not start: all its refusals, in the order in which vLLM meets them.
 * @module
 */

import { blocks_of, estimated_longest, room_for_chats } from "./capacity.js";
import { undivided } from "./divided.js";
import { fit_of, pool_bytes, pool_by_hand, reserved_pool, told } from "./pool.js";
import { unbuilt, unreleased } from "./released.js";
import { unsupported } from "./supported.js";

/** @typedef {import("./budget.js").Budget} Budget */
/** @typedef {import("./settings.js").Settings} Settings */
/** @typedef {import("./pool.js").Told} Told */
/** @typedef {import("./supported.js").Unsupported} Unsupported */

/**
 * The first compute capability of NVIDIA, in units of its own, that computes in bfloat16.
 * @source vLLM 0.33.0, platforms/cuda.py, check_if_supports_dtype.
 */
export const FIRST_BFLOAT16 = 8.0;
/**
 * Refusals by name, with the number, which has no unit, that each has in the list of vLLM's refusals.
 * @type {readonly [string, number][]}
 * @source vLLM 0.33.0: v1/core/kv_cache_planning.py, v1/worker/utils.py, config/model.py, config/scheduler.py,
 *   config/compilation.py, platforms/cuda.py; for heads of the cache and blocks of weights as in divided;
 *   for models and cards of other releases as in released.
 */
export const KEYS = [
  ["free_memory", 1],
  ["profiling", 2],
  ["no_blocks", 3],
  ["one_chat", 4],
  ["too_long", 5],
  ["below_seats", 6],
  ["below_longest", 7],
  ["out_of_memory", 8],
  ["mamba_seats", 9],
  ["heads", 10],
  ["kv_heads", 10],
  ["expert_block", 10],
  ["width_block", 10],
  ["bfloat16", 11],
  ["method_card", 12],
  ["method_file", 13],
  ["method_differs", 14],
  ["model_unlisted", 15],
  ["card_kernels", 16],
  ["method_unknown", 17],
];
/** Parts that are allocated at the highest moment of the profile run, before there is a pool. */
export const PROFILED = ["weights", "activation", "non_torch", "penalties"];
/** Parts that stay allocated after the profile run. */
export const STAYS = ["weights", "non_torch", "penalties"];

/**
 * The first refusal that vLLM meets, or nothing.
 * @param {Settings} settings as resolved
 * @param {Budget} budget of these settings
 * @param {number} longest longest chat that is to be served, tokens
 * @returns {Told | null} Its name and numbers, or null.
 * @throws {PlanError} for sizes that both languages cannot hold exactly
 */
export function refusal_of(settings, budget, longest) {
  return (
    by_support(unreleased(settings)) ||
    by_settings(settings) ||
    by_support(unsupported(settings)) ||
    by_free_memory(settings, budget) ||
    by_support(unbuilt(settings)) ||
    undivided(settings) ||
    by_profile(settings, budget) ||
    by_growth(settings, budget) ||
    by_pool(settings, budget, longest) ||
    by_allocation(settings, budget) ||
    by_seats(settings, budget)
  );
}

/**
 * @param {Settings} settings
 * @returns {Told | null}
 */
function by_settings(settings) {
  const { model, seats, batched_tokens: tokens, longest, tp } = settings;
  if (0 < model.longest && model.longest < longest) {
    return told("too_long", { longest, model_longest: model.longest });
  }
  if (tokens < longest && !settings.chunked) return told("below_longest", { batched_tokens: tokens, longest });
  if (tokens < seats) return told("below_seats", { batched_tokens: tokens, seats });
  if (model.heads % tp !== 0) return told("heads", { heads: model.heads, tp });
  if (settings.dtype === "bfloat16" && !bfloat16(settings)) {
    return told("bfloat16", { card: settings.card.title, capability: settings.card.capability });
  }
  return null;
}

/**
 * @param {Settings} settings
 * @returns {boolean}
 */
function bfloat16(settings) {
  const card = settings.card;
  return card.maker !== "nvidia" || card.capability === "" || Number(card.capability) >= FIRST_BFLOAT16;
}

/**
 * @param {Unsupported | null} found
 * @returns {Told | null}
 */
function by_support(found) {
  return found === null ? null : told(found.key, found.terms);
}

/**
 * @param {Settings} settings
 * @param {Budget} budget
 * @returns {Told | null}
 */
function by_free_memory(settings, budget) {
  const spare = budget.free_bytes - budget.requested_bytes;
  if (spare >= 0 || !settings.rules.free_check) return null;
  const terms = {
    free_bytes: budget.free_bytes,
    total_bytes: budget.total_bytes,
    share: settings.share,
    requested_bytes: budget.requested_bytes,
  };
  return { ...told("free_memory", terms), needed_bytes: budget.requested_bytes, spare_bytes: spare };
}

/**
 * @param {Settings} settings
 * @param {Budget} budget
 * @param {number} stage
 * @returns {number[]}
 */
function peaks(settings, budget, stage) {
  let peak = [0, 0, 0];
  for (const part of budget.stages[stage].parts) {
    if (PROFILED.includes(part.name)) peak = [peak[0] + part.bytes, peak[1] + part.low, peak[2] + part.high];
  }
  return peak;
}

/**
 * @param {Settings} settings
 * @param {Budget} budget
 * @returns {Told | null}
 */
function by_profile(settings, budget) {
  // A pool that was measured was measured after the profile run: that one passed.
  const free = budget.free_bytes;
  if ((settings.measured.kv_bytes ?? null) !== null) return null;
  for (const [stage, of] of budget.stages.entries()) {
    const peak = peaks(settings, budget, stage);
    if (peak[0] > free) {
      const weights = of.parts.filter((part) => part.name === "weights")[0].bytes;
      const terms = {
        seats: settings.seats,
        free_bytes: free,
        peak_bytes: peak[0],
        weights_bytes: weights,
        loading: weights > free,
      };
      return {
        ...told("out_of_memory", terms),
        stage,
        needed_bytes: peak[0],
        spare_bytes: free - peak[0],
        sure: peak[1] > free,
      };
    }
  }
  return null;
}

/**
 * @param {Settings} settings
 * @param {Budget} budget
 * @returns {Told | null}
 */
function by_growth(settings, budget) {
  // Only a measured part can be below 0: then another process let go of more than the server took.
  for (const [stage, of] of budget.stages.entries()) {
    let stays = 0;
    for (const part of of.parts) stays = stays + (STAYS.includes(part.name) ? part.bytes : 0);
    if (stays < 0) {
      const terms = { initial_bytes: budget.free_bytes, current_bytes: budget.free_bytes - stays };
      return { ...told("profiling", { ...terms, freed_bytes: 0 - stays }), stage };
    }
  }
  return null;
}

/**
 * Whether even the highest peak of the spread goes into the free memory.
 * @param {Settings} settings as resolved
 * @param {Budget} budget of these settings
 * @returns {boolean} True where it does.
 */
export function profile_sure(settings, budget) {
  if ((settings.measured.kv_bytes ?? null) !== null) return true;
  return budget.stages.every((_, stage) => peaks(settings, budget, stage)[2] <= budget.free_bytes);
}

/**
 * @param {Settings} settings
 * @param {Budget} budget
 * @param {number} longest
 * @returns {Told | null}
 */
function by_pool(settings, budget, longest) {
  for (const [stage, of] of budget.stages.entries()) {
    const layout = of.layout;
    const pool = pool_bytes(settings, budget, stage);
    if (layout.groups.length === 0) continue;
    const fit = fit_of(settings, budget, stage, longest);
    const none = no_blocks(settings, budget, stage);
    if (!none && fit.spare_bytes >= 0) continue;
    const terms = {
      longest,
      needed_bytes: fit.needed_bytes,
      available_bytes: room_for_chats(settings, layout, pool),
      kv_bytes: pool,
      blocks: blocks_of(layout, pool),
      block_tokens: layout.block_tokens,
      estimated_longest: none ? 0 : estimated_longest(settings, layout, pool),
      others_bytes: others_of(settings),
    };
    return { ...fit, key: none ? "no_blocks" : "one_chat", terms };
  }
  return null;
}

/**
 * @param {Settings} settings
 * @returns {number}
 */
function others_of(settings) {
  // What others hold of the share where the version counts them, beside the rest or in what a log calls non-torch.
  const held = settings.in_use_bytes;
  const printed = settings.measured.non_torch_bytes ?? null;
  if (!settings.given.includes("in_use_gib") || !settings.rules.counts_others) return 0;
  return printed === null || printed >= held ? held : 0;
}

/**
 * @param {Settings} settings
 * @param {Budget} budget
 * @returns {Told | null}
 */
function by_allocation(settings, budget) {
  // A pool that was set by hand is allocated beside what stays, whether or not there is so much.
  if (!pool_by_hand(settings)) return null;
  const free = budget.free_bytes;
  for (const [stage, of] of budget.stages.entries()) {
    const pool = reserved_pool(settings, budget, stage);
    let [needed, low] = [pool, pool];
    for (const part of of.parts) {
      if (STAYS.includes(part.name)) [needed, low] = [needed + part.bytes, low + part.low];
    }
    if (needed > free) {
      const terms = { free_bytes: free, peak_bytes: needed, kv_bytes: pool, allocating: true };
      return {
        ...told("out_of_memory", terms),
        stage,
        needed_bytes: needed,
        spare_bytes: free - needed,
        sure: low > free,
      };
    }
  }
  return null;
}

/**
 * @param {Settings} settings
 * @param {Budget} budget
 * @param {number} stage
 * @returns {boolean}
 */
function no_blocks(settings, budget, stage) {
  const layout = budget.stages[stage].layout;
  const pool = pool_bytes(settings, budget, stage);
  if (settings.rules.engine === "V0") return blocks_of(layout, pool) <= 0;
  return room_for_chats(settings, layout, pool) <= 0;
}

/**
 * @param {Settings} settings
 * @param {Budget} budget
 * @returns {Told | null}
 */
function by_seats(settings, budget) {
  const mamba = budget.stages.some((of) => of.layout.mamba);
  if (!settings.rules.mamba_seats_check || !mamba || settings.eager) return null;
  if (settings.seats <= budget.blocks) return null;
  const of = budget.stages[budget.stage];
  const each = of.layout.block_bytes;
  const high = blocks_of(of.layout, of.kv_high);
  return {
    ...told("mamba_seats", { seats: settings.seats, blocks: budget.blocks }),
    stage: budget.stage,
    needed_bytes: settings.seats * each,
    spare_bytes: of.kv_bytes - settings.seats * each,
    sure: settings.seats > high,
  };
}
