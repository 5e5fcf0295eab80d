// @ts-check
/** A refusal that was pasted without its model: what it says and what to change, from its own figures alone. */

import { quoted } from "../../widget/sim/vllm/command.js";
import { filled } from "../../widget/sim/vllm/fix_words.js";
import { VERSIONS, WORDS } from "../../widget/sim/vllm/plan_facts.js";
import { PlanError } from "../../widget/sim/vllm/refuse.js";
import { commas, fixed } from "../../widget/sim/vllm/rounding.js";
import { WORDS as PAGE } from "./words.js";

const SAYS = PAGE.alone;
const CENTS = 100;
const FINE = 10000;
const MOST_SHARE = 1;

/** @typedef {{text: string, changes: Record<string, any>}} Way a sentence about a change, and what it sets; nothing where it only tells */

/** GiB in words. @param {number} gib */
function two(gib) {
  return fixed(gib, 2);
}

/** @param {string} key @param {Record<string, string>} terms @param {Record<string, any>} [changes] @returns {Way} */
function way(key, terms, changes = {}) {
  return { text: filled(SAYS[key], terms), changes };
}

/** Why it was refused and what helps, by the refusal's number. @type {Record<number, (reading: any) => {sentence: string, ways: Way[]}>} */
const BY_NUMBER = {
  1({ printed }) {
    const share = Math.floor((printed.free_gib / printed.total_gib) * CENTS + 1e-9) / CENTS;
    const terms = {
      requested: two(printed.requested_gib), total: two(printed.total_gib), free: two(printed.free_gib),
      held: two(printed.total_gib - printed.free_gib), share_free: String(share),
    };
    const ways = share > 0 ? [way("fix_share_known", { value: String(share) }, { gpu_memory_utilization: share })] : [];
    return { sentence: filled(WORDS.refusal.free_memory, terms), ways };
  },
  2({ refusal }) {
    const freed = two(refusal.current_free_gib - refusal.initial_free_gib);
    return { sentence: filled(WORDS.refusal.profiling, { freed }), ways: [] };
  },
  3({ printed }) {
    const pool = printed.kv_gib;
    return { sentence: pool === undefined ? SAYS.pool_none : filled(SAYS.pool_below, { pool: two(pool) }), ways: [] };
  },
  4: too_small,
  5({ refusal }) {
    const terms = { model_longest: commas(refusal.model_longest), longest: commas(refusal.max_model_len) };
    return { sentence: filled(WORDS.refusal.too_long, terms), ways: [longest_way(refusal.model_longest)] };
  },
  6({ refusal }) {
    const terms = { batched_tokens: commas(refusal.max_num_batched_tokens), seats: commas(refusal.max_num_seqs) };
    return { sentence: filled(WORDS.refusal.below_seats, terms), ways: [seats_way(refusal.max_num_batched_tokens), tokens_way(refusal.max_num_seqs)] };
  },
  7({ refusal }) {
    const terms = { batched_tokens: commas(refusal.max_num_batched_tokens), longest: commas(refusal.max_model_len) };
    return { sentence: filled(WORDS.refusal.below_longest, terms), ways: [tokens_way(refusal.max_model_len), longest_way(refusal.max_num_batched_tokens)] };
  },
  8() {
    return { sentence: SAYS.memory, ways: [] };
  },
  9({ refusal }) {
    const terms = { blocks: commas(refusal.mamba_blocks), seats: commas(refusal.max_num_seqs) };
    return { sentence: filled(WORDS.refusal.mamba_seats, terms), ways: [seats_way(refusal.mamba_blocks)] };
  },
  10({ refusal }) {
    const { heads, tensor_parallel_size: cards } = refusal;
    let fits = Math.max(1, Math.min(cards, heads));
    while (heads % fits !== 0) fits -= 1;
    return {
      sentence: filled(WORDS.refusal.heads, { heads: commas(heads), tp: commas(cards) }),
      ways: [way("fix_cards", { value: String(fits) }, { tensor_parallel_size: fits })],
    };
  },
  11({ refusal }) {
    const terms = { card: String(refusal.card), capability: String(refusal.capability) };
    return { sentence: filled(WORDS.refusal.bfloat16, terms), ways: [way("fix_half", {}, { dtype: "half" })] };
  },
};

/** @param {number} value */
function longest_way(value) {
  return way("fix_longest", { value: commas(value) }, { max_model_len: value });
}

/** @param {number} value */
function seats_way(value) {
  return way("fix_seats", { value: commas(value) }, { max_num_seqs: value });
}

/** @param {number} value */
function tokens_way(value) {
  return way("fix_tokens", { value: commas(value) }, { max_num_batched_tokens: value });
}

/** One longest chat does not fit. @param {any} reading */
function too_small({ refusal, printed, asked, reveals }) {
  const longest = refusal.max_model_len;
  if (refusal.needed_gib === undefined) {
    const terms = { longest: commas(longest), tokens: commas(refusal.tokens), short: commas(longest - refusal.tokens) };
    return { sentence: filled(SAYS.tokens, terms), ways: [longest_way(refusal.tokens)] };
  }
  const { needed_gib: needed } = refusal;
  const pool = printed.kv_gib;
  const terms = {
    longest: commas(longest), needed: two(needed), pool: two(pool), short: two(needed - pool), token: fixed((needed / longest) * 1024 * 1024, 1),
  };
  const estimated = refusal.estimated_length || Math.floor((longest * pool) / needed);
  const total = printed.total_gib ?? reveals.find((/** @type {any} */ told) => told.key === "total")?.values.gib;
  const ways = [
    ...(estimated > 0 ? [longest_way(estimated)] : []),
    ...(total && asked.gpu_memory_utilization ? share_ways(asked.gpu_memory_utilization + (needed - pool) / total) : []),
    ...(pool >= needed / 2 && !String(asked.kv_cache_dtype ?? "").startsWith("fp8")
      ? [way("fix_fp8", { needed: two(needed / 2), concurrency: two(pool / (needed / 2)) }, { kv_cache_dtype: "fp8" })] : []),
  ];
  return { sentence: filled(WORDS.refusal.one_chat, terms), ways };
}

/** @param {number} share that the pool would need */
function share_ways(share) {
  if (share > MOST_SHARE) return [way("no_share", { value: fixed(share, 3) })];
  const value = Math.ceil(share * FINE) / FINE;
  return [way("fix_share", { value: String(value) }, { gpu_memory_utilization: value })];
}

/** What a refusal says; nothing where its line ends before its figures do. @param {any} reading */
function said_by(reading) {
  try {
    return BY_NUMBER[reading.refusal.number]?.(reading) ?? null;
  } catch (error) {
    if (!(error instanceof PlanError)) throw error;
    return null;
  }
}

/**
 * The answer to a refusal whose model is not known; nothing where none is pasted, or where its model is.
 * @param {any} reading
 * @returns {{sentence: string, ways: Way[], command: string, fixed: boolean} | null}
 */
export function printed_answer(reading) {
  if (reading.refusal === null || reading.asked.model !== undefined) return null;
  const found = said_by(reading);
  if (found === null) return null;
  const first = found.ways.find(({ changes }) => Object.keys(changes).length > 0);
  const words = { ...reading.asked, ...first?.changes };
  const flags = VERSIONS.settings.filter((/** @type {any} */ row) => row.flag && words[row.name] !== undefined)
    .flatMap((/** @type {any} */ row) => flag_of(row.flag, words[row.name]));
  return { ...found, command: ["vllm", "serve", SAYS.model, ...flags].join(" "), fixed: first !== undefined };
}

/** @param {string} flag @param {any} value */
function flag_of(flag, value) {
  if (value === true) return [flag];
  return value === false ? [`--no-${flag.slice(2)}`] : [flag, quoted(String(value))];
}
