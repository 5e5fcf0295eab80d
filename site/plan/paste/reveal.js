// @ts-check
/**
 * What follows from the figures although nobody printed it.
 * @module
 */

import { rounded } from "./starts.js";

/** @typedef {import("./reading.js").Told} Told */
/** @typedef {import("./reading.js").Start} Start */

const GIB = 1073741824;
/** What two decimals may hide. */
const HALF = 0.005;
/** Bytes a token that differ by no more are the same: the last block, and one that is kept back. */
const SAME = 0.02;
const KIB_OF_GIB = 1024 * 1024;

/**
 * @param {Start[]} starts
 * @returns {Told[]}
 */
export function reveals(starts) {
  const last = starts.at(-1);
  if (!last) return [];
  /** @type {Told[]} */
  const told = [];
  /** @param {string} key @param {Record<string, any>} values */
  const tell = (key, values) => told.push({ key, values });
  const { printed, asked, refusal } = last;
  const number = refusal?.number ?? 0;
  const length = Number(refusal?.max_model_len);
  const total = printed.total_gib ?? revealed_total(starts, tell);

  const parts = number === 4 && refusal?.needed_gib ? parts_of(refusal, printed.kv_gib) : null;
  if (parts !== null) tell("fixed_part", parts);
  else if (number === 4 && refusal?.needed_gib) {
    tell("kv_bytes_per_token", per_token(Number(refusal.needed_gib), length));
  } else if (printed.kv_gib > 0 && printed.tokens > 0) {
    tell("kv_bytes_per_token", per_token(printed.kv_gib, printed.tokens));
  }
  if (number === 4 && refusal?.needed_gib && printed.kv_gib !== undefined) {
    const short = rounded(Number(refusal.needed_gib) - printed.kv_gib);
    const share = asked.gpu_memory_utilization;
    tell("short", { gib: short, ...(total && share ? { share: rounded(share + short / total), possible: share + short / total < 1 } : {}) });
  }
  if (number === 4 && printed.tokens) tell("short", { tokens: length - printed.tokens });
  if (number === 1 && printed.free_gib !== undefined && printed.total_gib) {
    const free = printed.free_gib / printed.total_gib;
    tell("others_hold", { gib: rounded(printed.total_gib - printed.free_gib), largest_share: Math.floor(free * 100 + 1e-9) / 100 });
  }
  if (number === 2 && refusal?.current_free_gib !== undefined) {
    tell("others_freed", { gib: rounded(Number(refusal.current_free_gib) - Number(refusal.initial_free_gib)) });
  }
  if (number === 9) tell("seats_over", { seats: Number(refusal?.max_num_seqs), blocks: Number(refusal?.mamba_blocks) });
  if (printed.graphs_estimated_gib !== undefined && printed.graphs_gib !== undefined) {
    tell("graphs_estimate", { estimated_gib: printed.graphs_estimated_gib, actual_gib: printed.graphs_gib });
  }
  if (printed.consumed_gib !== undefined && printed.weights_gib !== undefined) {
    tell("non_torch", { gib: rounded(printed.consumed_gib - printed.weights_gib) });
  }
  if (printed.peak_torch_gib !== undefined && printed.weights_gib !== undefined) {
    tell("activation", { gib: rounded(printed.peak_torch_gib - printed.weights_gib) });
  }
  return told;
}

/** Bytes of cache for one token, and what rounding leaves open. @param {number} gib @param {number} tokens */
function per_token(gib, tokens) {
  return { bytes: (gib * GIB) / tokens, low: ((gib - HALF) * GIB) / tokens, high: ((gib + HALF) * GIB) / tokens, gib, tokens };
}

/**
 * What of a chat's memory is fixed, and what a token takes beside it: one chat of the length asked for needs so much, and
 * one of the length that fits needs the pool. Nothing where both come to the same bytes a token, but for rounding.
 * @param {Record<string, any>} refusal @param {number | undefined} pool GiB
 */
function parts_of({ needed_gib: needed, max_model_len: longest, estimated_length: fits }, pool) {
  if (pool === undefined || !(pool > 0) || !(fits > 0) || !(fits < longest)) return null;
  const apart = (pool / fits) / (needed / longest) - 1;
  const token = (needed - pool) / (longest - fits);
  const gib = pool - token * fits;
  if (!(token > 0) || !(apart > SAME + HALF / pool + HALF / needed)) return null;
  return { gib: Math.round(gib * 100) / 100, kib: Math.round(token * KIB_OF_GIB * 10) / 10 };
}

/**
 * The card's memory where no line names it: from a share and what it is, from two attempts, or from what graphs cost.
 * @param {Start[]} starts @param {(key: string, values: Record<string, any>) => void} tell
 * @returns {number | undefined}
 */
function revealed_total(starts, tell) {
  const last = starts[starts.length - 1];
  const share = last.asked.gpu_memory_utilization;
  const { requested_gib, share_without_graphs, graphs_estimated_gib, kv_gib } = last.printed;
  /** @param {string} from @param {number} gib @param {number} spread */
  const found = (from, gib, spread) => {
    if (!(gib > 0 && gib < 10000)) return undefined;
    tell("total", { gib: rounded(gib), low: rounded(gib - spread), high: rounded(gib + spread), from });
    return gib;
  };
  if (requested_gib && share) return found("requested", requested_gib / share, HALF / share);
  for (const other of starts.slice(0, -1).reverse()) {
    const apart = share - other.asked.gpu_memory_utilization;
    if (kv_gib === undefined || other.printed.kv_gib === undefined || !(Math.abs(apart) > 0.001)) continue;
    return found("two_attempts", (kv_gib - other.printed.kv_gib) / apart, (2 * HALF) / Math.abs(apart));
  }
  const graphs = share - share_without_graphs;
  if (graphs_estimated_gib && graphs > 0.001) {
    return found("graphs", graphs_estimated_gib / graphs, (HALF + graphs_estimated_gib / graphs * 0.0001) / graphs);
  }
  return undefined;
}

/**
 * What a start measured, as settings of the engine; what is printed is completed by what follows from it.
 *
 * Where weights and what lies outside PyTorch are printed as one (0.27.0 and later), the peak holds the estimate of the
 * graphs, which is taken off again. Graphs are as estimated where they were, since the cache is sized by that.
 * @param {Start} start
 * @returns {Record<string, number>}
 */
export function measured_of({ printed }) {
  const { weights_gib, activation_gib, non_torch_gib, graphs_gib, graphs_estimated_gib, kv_gib, consumed_gib, peak_torch_gib } = printed;
  const both = consumed_gib !== undefined;
  const all = {
    measured_weights_gib: weights_gib,
    measured_activation_gib: activation_gib === undefined ? peak_torch_gib - weights_gib : activation_gib - (both ? graphs_estimated_gib ?? 0 : 0),
    measured_non_torch_gib: non_torch_gib ?? consumed_gib - weights_gib,
    measured_graphs_gib: graphs_estimated_gib ?? graphs_gib,
    measured_kv_gib: kv_gib,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => Number.isFinite(value)).map(([name, value]) => [name, rounded(value)]));
}
