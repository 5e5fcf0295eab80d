// @ts-check
/** What the figures of a pasted start say by themselves, whatever the model is: graphs, share, step, typical chats, another start. */

import { card } from "../../widget/sim/vllm/cards.js";
import { filled } from "../../widget/sim/vllm/fix_words.js";
import { CARDS } from "../../widget/sim/vllm/plan_facts.js";
import { commas, fixed } from "../../widget/sim/vllm/rounding.js";
import { RISKY_SHARE } from "../../widget/sim/vllm/verdict.js";
import { rules_of } from "../../widget/sim/vllm/versions.js";
import { WORDS } from "./words.js";

/** @typedef {import("./printed.js").Way} Way */

const SAYS = WORDS.alone;
const [GIB, KIB] = [1073741824, 1024];
/** Two decimals of a figure hide so much, GiB. */
const HALF = 0.005;
/** Reported totals of one kind of card differ by so much, GiB. */
const SAME_CARD = 0.25;
/** What the graphs of ordinary models take at most, GiB: a pool that lacks more is not theirs to help (facts of published logs: 0.1 to 0.65). */
const MOST_GRAPHS = 1;
/** Tokens of a step on most cards (vLLM 0.33.0, engine/arg_utils.py, get_batch_defaults), of a block, and of a typical chat. */
const [USUAL_STEP, BLOCK, TYPICAL] = [2048, 16, 2000];
const NO_ESTIMATE = "VLLM_MEMORY_PROFILER_ESTIMATE_CUDAGRAPHS=0";

/** @param {number} gib */
function two(gib) {
  return fixed(gib, 2);
}

/** A function's answer, or nothing where it refuses. @template T @param {() => T} ask @returns {T | undefined} */
function or_none(ask) {
  try {
    return ask();
  } catch {
    return undefined;
  }
}

/** The card's memory, GiB: as printed, of the card that is named, of the one whose memory follows from the figures, of the one that the reader chose. @param {any} reading @returns {number | undefined} */
export function total_of({ printed, asked, reveals, chosen, spoken }) {
  if (printed.total_gib > 0) return printed.total_gib;
  const told = [asked.card, ...(printed.gpus ?? []).map((/** @type {any} */ gpu) => gpu.name), ...(spoken?.length === 1 ? [spoken[0].name] : [])];
  const named = told.find((name) => or_none(() => card(name)) !== undefined);
  if (named !== undefined) return card(named).total_bytes / GIB;
  const revealed = reveals.find((/** @type {any} */ told) => told.key === "total")?.values.gib;
  if (revealed === undefined) return chosen === undefined ? undefined : card(chosen).total_bytes / GIB;
  const [near] = Object.values(CARDS.cards).map((/** @type {any} */ each) => each.total_bytes[0] / GIB)
    .filter((gib) => Math.abs(gib - revealed) <= SAME_CARD).sort((one, other) => Math.abs(one - revealed) - Math.abs(other - revealed));
  return near ?? revealed;
}

/** Whether the version counts CUDA graphs inside the share; where the text names none, it may. @param {any} asked */
function counts_graphs({ version, enforce_eager: eager, estimate_cudagraphs: estimate }) {
  if (eager === true || estimate === false) return false;
  return version === undefined || or_none(() => rules_of(version).graphs) !== "outside";
}

/** What the graphs were estimated to take, GiB. @param {any} reading */
function estimate_of(reading) {
  const { printed } = reading;
  if (printed.graphs_estimated_gib !== undefined) return printed.graphs_estimated_gib;
  const total = total_of(reading);
  return total === undefined ? undefined : (printed.share - printed.share_without_graphs) * total;
}

/** The room that the estimate of the graphs takes from the pool. @param {any} reading @param {number} needed GiB that the pool must have, or nothing @returns {Way[]} */
function graph_ways(reading, needed) {
  const { printed, asked } = reading;
  const { kv_gib: pool, graphs_gib: taken } = printed;
  if (!counts_graphs(asked)) return [];
  const eager = { changes: { enforce_eager: true }, flags: "--enforce-eager" };
  const estimate = estimate_of(reading);
  if (!(estimate > HALF) || pool === undefined) {
    const part = printed.share - printed.share_without_graphs;
    const off = part > 0 ? filled(SAYS.graphs_part, { part: fixed(part, 4) }) : SAYS.graphs_maybe;
    return needed - pool > MOST_GRAPHS || estimate !== undefined ? [] : [{ text: off, changes: {}, flags: NO_ESTIMATE }, { text: SAYS.eager_maybe, ...eager }];
  }
  if (pool + estimate < needed) return [];
  const then = with_tokens(pool + estimate, reading);
  const measured = taken === undefined ? "" : ` ${filled(SAYS.graphs_took, { taken: two(taken) })}`;
  return [
    { text: `${filled(SAYS.graphs_off, { estimate: two(estimate), then })}${measured}`, changes: {}, flags: NO_ESTIMATE },
    { text: filled(SAYS.graphs_none, { then }), ...eager },
  ];
}

/** A pool in words, with the tokens that it then holds where the text says how many it holds now. @param {number} gib @param {any} reading */
function with_tokens(gib, { printed }) {
  const { kv_gib: pool, tokens } = printed;
  if (!(pool > 0) || !(tokens > 0)) return filled(SAYS.then, { pool: two(gib) });
  return filled(SAYS.then_tokens, { pool: two(gib), tokens: commas(Math.floor((tokens / pool) * gib)) });
}

/** A larger share: what the pool then has, as far as the card is known. @param {any} reading @param {number} needed GiB @returns {Way[]} */
function share_ways(reading, needed) {
  const { printed, asked } = reading;
  const { gpu_memory_utilization: share } = asked;
  const { kv_gib: pool } = printed;
  if (share >= RISKY_SHARE) return [];
  const total = total_of(reading);
  if (total === undefined || share === undefined) {
    return [{ text: filled(SAYS[needed > pool ? "share_by" : "share_step"], { short: two(needed - pool) }), changes: { gpu_memory_utilization: SAYS.hole_share }, hole: true }];
  }
  const gib = pool + (RISKY_SHARE - share) * total;
  if (gib < needed || gib <= 0) return [];
  return [{ text: filled(SAYS.share_at, { value: String(RISKY_SHARE), then: with_tokens(gib, reading) }), changes: { gpu_memory_utilization: RISKY_SHARE } }];
}

/** Fewer tokens read per step: what a step's peak gives back at best. @param {any} reading @returns {Way[]} */
function step_ways(reading) {
  const { printed, asked } = reading;
  const { activation_gib: peak, kv_gib: pool, tokens } = printed;
  const { max_num_batched_tokens: now, max_num_seqs: seats = 1 } = asked;
  const least = Math.max(USUAL_STEP, seats);
  if (now <= least) return [];
  if (!(peak > 0) || !(pool > 0)) {
    const terms = { now: commas(now ?? 0) };
    return now > least && (pool > 0 || tokens > 0) ? [{ text: filled(SAYS.step_fewer, terms), changes: { max_num_batched_tokens: SAYS.hole_tokens }, hole: true }] : [];
  }
  if (now === undefined) return [{ text: filled(SAYS.step, { peak: two(peak) }), changes: { max_num_batched_tokens: SAYS.hole_tokens }, hole: true }];
  const gain = peak - (peak * least) / now;
  const terms = { value: commas(least), now: commas(now), peak: two(peak), least: two(peak - gain), then: with_tokens(pool + gain, reading) };
  return [{ text: filled(SAYS.step_to, terms), changes: { max_num_batched_tokens: least } }];
}

/** A pool that holds one longest chat alone: where a token's bytes follow exactly from the figures. @param {any} reading @returns {Way[]} */
function one_chat_ways({ printed, asked }) {
  const { kv_gib: pool, tokens, concurrency, at_length: longest } = printed;
  if (!(concurrency >= 2) || !(pool > 0) || !(tokens > 0) || tokens % BLOCK !== 0 || !(longest > 0)) return [];
  if (asked.version !== undefined && or_none(() => rules_of(asked.version).kv_cache_memory) !== true) return [];
  const token = Math.floor(((pool + HALF) * GIB) / tokens / KIB) * KIB;
  if (token < ((pool - HALF) * GIB) / tokens || token <= 0) return [];
  const bytes = (Math.ceil(longest / BLOCK) + 1) * BLOCK * token;
  return [{ text: filled(SAYS.one_chat, { longest: commas(longest), bytes: String(bytes) }), changes: {}, flags: `--kv-cache-memory-bytes ${bytes}` }];
}

/** What helps a refused start by its own figures, beside what its refusal names. @param {any} reading @returns {Way[]} */
export function refused_ways(reading) {
  const { refusal, printed } = reading;
  const needed = refusal.number === 3 ? HALF : refusal.needed_gib;
  if (![3, 4].includes(refusal.number) || needed === undefined || printed.kv_gib === undefined) return [];
  const share = share_ways(reading, needed);
  return [...graph_ways(reading, needed), ...(refusal.number === 3 ? share.filter(({ hole }) => !hole) : share), ...step_ways(reading)];
}

/** What gives more pool to a start that nobody refused, or gives back what it does not need. @param {any} reading @param {boolean} started @returns {Way[]} */
export function started_ways(reading, started) {
  const { printed, starts } = reading;
  const before = starts.at(-2)?.printed.tokens;
  const fewer = before > printed.tokens;
  const graphs = printed.graphs_estimated_gib !== undefined || printed.share_without_graphs !== undefined || fewer || !started;
  return [
    ...(graphs ? graph_ways(reading, 0) : []), ...(started || printed.kv_gib === undefined ? [] : share_ways(reading, 0)),
    ...step_ways(reading), ...one_chat_ways(reading),
  ];
}

/** What a start that nobody refused means: how many typical chats, and how it stands beside the start before it. @param {any} reading @returns {string[]} */
export function started_lines({ printed, asked, starts }) {
  const { concurrency, at_length: longest, tokens = Math.floor(concurrency * longest) } = printed;
  const lines = [];
  if (concurrency > 0 && longest > 0) {
    const terms = { concurrency: two(concurrency), longest: commas(longest), chats: commas(Math.floor(tokens / TYPICAL)), typical: commas(TYPICAL) };
    lines.push(longest > TYPICAL ? `${filled(SAYS.typical, terms)} ${WORDS.rooms.wait}` : filled(SAYS.started_chats, terms));
  }
  const other = starts.at(-2);
  const before = other?.printed.tokens;
  if (before > 0 && printed.tokens > 0 && before !== printed.tokens) {
    const [more, less] = [Math.max(before, printed.tokens), Math.min(before, printed.tokens)];
    lines.push(filled(SAYS[before > printed.tokens ? "before_more" : "before_fewer"], { before: commas(before), tokens: commas(printed.tokens), times: fixed(more / less, 1) }));
    const apart = Object.keys(asked).filter((name) => other.asked[name] !== undefined && other.asked[name] !== asked[name])
      .map((name) => filled(SAYS.apart, { name, before: String(other.asked[name]), now: String(asked[name]) }));
    if (apart.length > 0) lines.push(filled(SAYS.differs, { apart: apart.join(", ") }));
  }
  return lines;
}
