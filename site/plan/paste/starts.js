// @ts-check
/**
 * The starts of a log: what each printed, by rank, and what it was refused for.
 * @module
 */

import { merge, nothing_said } from "./reading.js";

/** @typedef {import("./reading.js").Said} Said */
/** @typedef {import("./reading.js").Start} Start */
/** @typedef {Map<string, Record<string, any>>} Ranks */
/** @typedef {{line: number, said: Said, ranks: Ranks, refusal: import("./reading.js").Refusal | null, told: Set<string>, phase: number}} Open a start that is being read */

/** Of these the smallest rank decides; of all others the largest is shown where the deciding rank does not print it. */
const SMALLEST = ["kv_gib", "blocks", "tokens", "concurrency", "free_gib", "longest_fitted"];
/** The same figure is printed again with fewer decimals. */
const ROUNDING = 0.0051;
/** A model whose code could not be loaded is then called unknown. */
const [UNKNOWN_MODEL, BROKEN_MODEL] = [15, 18];
const MANY_STARTS = 64;
const MANY_RANKS = 256;
/** Workers that carry no rank in their name are told apart by their process. */
const RANK = /\(((?:EngineCore|Worker|VllmWorker|Ray|LLMRay|Engine)[A-Za-z0-9_]{0,40})(?: ((?:TP|PP|DP|rank=?)[0-9]{1,4}))?(?: pid=([0-9]{1,9}))?(?:, ip=([0-9a-f.:]{3,40}))?\)/;
const NAMED = /(?:DP|TP|PP|EP|rank=?)_?[0-9]|^EngineCore/;

/** The rank that a line's beginning names; empty if none. @param {string} before */
export function rank_of(before) {
  const found = RANK.exec(before);
  if (!found) return /\[(rank[0-9]{1,4})\]/.exec(before)?.[1] ?? "";
  const name = `${found[1]}${found[2] ? ` ${found[2]}` : ""}`;
  return NAMED.test(name) ? name : [name, found[3], found[4]].filter(Boolean).join(" ");
}

/** A log's starts, one after the other. */
export function starts() {
  /** @type {Open[]} */
  const all = [];
  let left_out = 0;

  /** @param {number} line */
  function fresh(line) {
    /** @type {Open} */
    const start = { line, said: nothing_said(), ranks: new Map(), refusal: null, told: new Set(), phase: 0 };
    if (all.length >= MANY_STARTS) {
      all.splice(1, 1);
      left_out += 1;
    }
    all.push(start);
    return start;
  }

  /** @param {number} line */
  const current = (line) => all.at(-1) ?? fresh(line);

  return {
    all,
    current,
    left_out: () => left_out,

    /**
     * The start that a banner or a command belongs to: a new one where the same was told before, or more came since;
     * engines beside each other do not wait for each other.
     * @param {number} line @param {string} what @param {number} phase of which more may have come
     */
    banner(line, what, phase) {
      let start = current(line);
      if (start.told.has(what) || start.phase > phase) start = fresh(line);
      start.told.add(what);
      return start;
    },

    /**
     * A figure of a rank. The same rank loads its weights once in a start, and nobody loads after a refusal.
     * @param {number} line @param {string} rank @param {Record<string, any>} figures @param {number} phase
     */
    figures(line, rank, figures, phase) {
      let start = current(line);
      const own = start.ranks.get(rank);
      const again = own && "weights_gib" in figures && "kv_gib" in own && phase === 2;
      const other = own && "kv_gib" in figures && "kv_gib" in own && own.kv_gib !== figures.kv_gib && phase === 3 && (rank || start.phase > 3);
      if (again || other || (start.refusal && phase < 4 && start.phase > 4 && (rank ? own && Object.keys(figures).some((key) => key in own) : phase > 1))) start = fresh(line);
      start.phase = Math.max(start.phase, phase);
      add(start.ranks, rank, figures);
      return start;
    },

    /**
     * A refusal; what is refused again in the same words is the same, and what follows from the first is left out.
     * @param {number} line @param {string} rank @param {import("./reading.js").Refusal} refusal
     * @param {Record<string, any>} figures @returns {Open | null}
     */
    refused(line, rank, refusal, figures) {
      let start = current(line);
      if (start.refusal) {
        const before = start.refusal;
        if (same(before, refusal) || (rank && before.number === refusal.number && !start.told.has(`!${rank}`))) {
          start.told.add(`!${rank}`);
          // PyTorch says what was wanted, vLLM what it was at: neither is left out.
          if (same(before, refusal)) start.refusal = { ...before, ...refusal };
          else if (Object.keys(refusal).length > Object.keys(before).length) start.refusal = refusal;
          if (before.number === 1 && Number(refusal.free_gib) < Number(before.free_gib)) start.refusal = refusal;
          add(start.ranks, rank, figures);
          return start;
        }
        if ((refusal.number === 8 && before.number !== 8) || (before.number === BROKEN_MODEL && refusal.number === UNKNOWN_MODEL)) return null;
        start = fresh(line);
      }
      start.told.add(`!${rank}`);
      start.refusal = refusal;
      start.phase = 5;
      add(start.ranks, rank, figures);
      return start;
    },
  };
}

/** Whether one refusal is the other, perhaps cut off. @param {Record<string, any>} a @param {Record<string, any>} b */
function same(a, b) {
  return Object.keys(a).every((key) => !(key in b) || a[key] === b[key]);
}

/** @param {Ranks} ranks @param {string} rank @param {Record<string, any>} figures */
function add(ranks, rank, figures) {
  if (!ranks.has(rank) && ranks.size >= MANY_RANKS) return;
  const own = ranks.get(rank) ?? {};
  for (const [key, value] of Object.entries(figures)) {
    const least = SMALLEST.includes(key);
    if (!(key in own) || typeof value !== "number" || (least ? value < own[key] : value > own[key] + ROUNDING)) own[key] = value;
  }
  ranks.set(rank, own);
}

/**
 * Whether lines after a refusal are of the very start that was refused, as where somebody tells the error first and shows
 * the log after it: they say neither that it ran nor that anything else began, or they have the refusal's own pool.
 * @param {Open} start @param {Open} next
 */
export function is_of(start, next) {
  const { refusal } = start;
  if (!refusal || next.refusal) return false;
  const { printed, refusal: none } = closed(next);
  const { tokens, concurrency, graphs_gib: graphs, kv_gib: pool } = printed;
  if (none && none.number !== refusal.number) return false;
  if (concurrency >= 1 || graphs !== undefined || (tokens > 0 && concurrency === undefined && tokens !== refusal.tokens)) return false;
  const [before, after] = [refusal.max_model_len, next.said.asked.max_model_len].map(Number);
  if (before > 0 && after > 0 && before !== after) return false;
  const own = closed(start).printed.kv_gib;
  if (own !== undefined && pool !== undefined) return Math.abs(own - pool) <= ROUNDING;
  return next.told.size === 0;
}

/** Take what came later into a start. @param {Open} start @param {Open} next */
export function join(start, next) {
  merge(start.said, next.said);
  for (const [rank, figures] of next.ranks) add(start.ranks, rank, figures);
}

/**
 * What one start printed: the figures of the rank with the smallest cache, completed by the others.
 * @param {Open} start
 * @returns {Start}
 */
export function closed({ line, said, ranks, refusal }) {
  /** @type {Ranks} */
  const joined = new Map();
  for (const figures of ranks.values()) add(joined, "", figures);
  const printed = joined.get("") ?? {};
  const measured = [...ranks].filter(([, figures]) => "kv_gib" in figures);
  const deciding = measured.sort(([, a], [, b]) => a.kv_gib - b.kv_gib)[0];
  for (const [key, value] of Object.entries(deciding?.[1] ?? {})) if (!SMALLEST.includes(key)) printed[key] = value;
  const asked = { ...said.asked };
  if (asked.gpu_memory_utilization === undefined && printed.share !== undefined) asked.gpu_memory_utilization = printed.share;
  if (asked.max_model_len === undefined && printed.at_length !== undefined) asked.max_model_len = printed.at_length;
  if (printed.total_gib !== undefined) {
    asked.total_gib = printed.total_gib;
    if (printed.free_gib !== undefined && printed.free_gib <= printed.total_gib) asked.in_use_gib = rounded(printed.total_gib - printed.free_gib);
  }
  // Beside what this process itself holds it is another's.
  if (refusal?.own_gib !== undefined && refusal.others_gib !== undefined) asked.in_use_gib = refusal.others_gib;
  const several = ranks.size > 1 ? [...ranks].map(([rank, figures]) => ({ rank, ...figures })) : [];
  // Nothing is left for the cache: what is said of it may be cut off, the refusal is certain.
  const none = printed.kv_gib <= 0 ? { number: 3 } : null;
  return { line, asked, printed, ranks: several, refusal: refusal ?? none };
}

/** Two figures of two decimals have a difference of two. @param {number} value */
export function rounded(value) {
  return Math.round(value * 1e4) / 1e4;
}
