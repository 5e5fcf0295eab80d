// @ts-check
/** A refusal that was pasted without its model: what it says and what to change, from its own figures alone. */

import { quoted } from "../../widget/sim/vllm/command.js";
import { filled } from "../../widget/sim/vllm/fix_words.js";
import { USUAL_SEATS } from "../../widget/sim/vllm/fixes.js";
import { VERSIONS, WORDS } from "../../widget/sim/vllm/plan_facts.js";
import { KERNELS, release_with } from "../../widget/sim/vllm/released.js";
import { commas, fixed } from "../../widget/sim/vllm/rounding.js";
import { RISKY_SHARE } from "../../widget/sim/vllm/verdict.js";
import { at_least, rules_of, value_since } from "../../widget/sim/vllm/versions.js";
import { refused_ways, started_lines, started_ways, total_of } from "./own_figures.js";
import { has_hidden, visible } from "./visible.js";
import { WORDS as PAGE } from "./words.js";

const SAYS = PAGE.alone;
const CENTS = 100;
const FINE = 10000;
const MOST_SHARE = 1;
/** Two decimals of a figure hide so much, GiB. */
const HALF = 0.005;
/** Tokens of a block, and of a typical chat: a longest chat below that is of no use. */
const [BLOCK, TYPICAL] = [16, 2000];
/** The first release with prompts read in parts (vLLM 0.4.0, engine/arg_utils.py, --enable-chunked-prefill; 0.3.3 has none). */
const CHUNKED_SINCE = "0.4.0";
/** From this memory on a card has more seats by default (vLLM 0.33.0, engine/arg_utils.py, get_batch_defaults), GiB. */
const LARGE_GIB = 70;

/** @typedef {{text: string, changes: Record<string, any>, hole?: boolean, unsure?: boolean, flags?: string}} Way a sentence about a change, and what it sets; nothing where it only tells; a hole where the reader chooses the value; unsure where it may not be enough */
/**
 * An answer from the pasted text alone.
 * @typedef {object} Alone
 * @property {"refuses" | "starts" | "none"} outcome
 * @property {string} badge @property {string} sentence @property {Way[]} ways
 * @property {string} command empty where none can be given @property {string} caption
 * @property {boolean} fixed whether the command is sure to start
 * @property {boolean} [of_text] whether it is of the text although it is no verdict
 */

/** @typedef {{sentence: string, ways: Way[], none?: boolean, as_is?: boolean}} Found a refusal in words, what helps, and whether no command does, or the one that was given */

/** GiB in words. @param {number} gib */
function two(gib) {
  return fixed(gib, 2);
}

/** @param {string} key @param {Record<string, string>} terms @param {Record<string, any>} [changes] @returns {Way} */
function way(key, terms, changes = {}) {
  return { text: filled(SAYS[key], terms), changes };
}

/** Why it was refused and what helps, by the refusal's number. @type {Record<number, (reading: any) => Found>} */
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
  3: no_pool,
  4: too_small,
  5({ refusal }) {
    const terms = { model_longest: commas(refusal.model_longest), longest: commas(refusal.max_model_len) };
    return { sentence: filled(WORDS.refusal.too_long, terms), ways: [longest_way(refusal.model_longest)] };
  },
  6({ refusal }) {
    const terms = { batched_tokens: commas(refusal.max_num_batched_tokens), seats: commas(refusal.max_num_seqs) };
    return { sentence: filled(WORDS.refusal.below_seats, terms), ways: [seats_way(refusal.max_num_batched_tokens), tokens_way(refusal.max_num_seqs)] };
  },
  7({ refusal, asked }) {
    const terms = { batched_tokens: commas(refusal.max_num_batched_tokens), longest: commas(refusal.max_model_len) };
    const chunked = has_chunks(asked) ? [way("fix_chunked", {}, { enable_chunked_prefill: true })] : [];
    const more = way("fix_tokens_more", { value: commas(refusal.max_model_len) }, { max_num_batched_tokens: refusal.max_model_len });
    return { sentence: filled(WORDS.refusal.below_longest, terms), ways: [...chunked, more, longest_way(refusal.max_num_batched_tokens)] };
  },
  8: out_of_memory,
  9({ refusal }) {
    const terms = { blocks: commas(refusal.mamba_blocks), seats: commas(refusal.max_num_seqs) };
    return { sentence: filled(WORDS.refusal.mamba_seats, terms), ways: [seats_way(refusal.mamba_blocks)] };
  },
  10({ refusal, asked }) {
    const { heads, tensor_parallel_size: cards, width, block, experts } = refusal;
    if (refusal.kv_heads) return kv_heads(asked.tensor_parallel_size);
    if (width !== undefined) return blocks(width, block, asked.tensor_parallel_size, experts !== undefined);
    // KV heads and words of the vocabulary are mostly shared out by powers of two too.
    const fits = power_of_two(cards, [heads]);
    const each = power_of_two(cards, [heads, cards]);
    const all = asked.pipeline_parallel_size > 1 ? []
      : [way("try_stages", { cards: commas(cards), each: commas(each), stages: commas(cards / each) }, { tensor_parallel_size: each, pipeline_parallel_size: cards / each })];
    return {
      sentence: filled(WORDS.refusal.heads, { heads: commas(heads), tp: commas(cards) }),
      ways: [way("fix_cards", { value: String(fits) }, { tensor_parallel_size: fits }), ...all],
    };
  },
  11({ refusal, asked }) {
    const tenths = Math.round(refusal.capability * 10);
    const terms = { card: String(refusal.card), capability: capability(tenths) };
    const order = order_of(asked);
    const [[, first], [, now]] = KERNELS.least;
    const least = order === undefined ? first : value_since(KERNELS.least, order);
    const older = tenths >= first && tenths < now ? [way("try_last", { version: KERNELS.last, card: terms.card })] : [];
    if (tenths < least) return { sentence: filled(SAYS.no_wheel, { ...terms, least: capability(least) }), ways: older.length > 0 ? older : [way("try_card_only", {})], none: true };
    return { sentence: filled(WORDS.refusal.bfloat16, terms), ways: [way("fix_half", {}, { dtype: "half" }), ...(order === undefined ? older : [])] };
  },
  12({ refusal, asked }) {
    const { method, least, current } = refusal;
    const terms = { method: String(method), card: named_card(asked) };
    const says = least === undefined || current === undefined ? filled(SAYS.method_card_torn, terms)
      : filled(WORDS.refusal.method_card, { ...terms, have: capability(current), needed: capability(least) });
    return { sentence: says, ways: [checkpoint_way("try_checkpoint"), way("try_card", {})] };
  },
  13({ asked }) {
    const { quantization: method } = asked;
    const leave = way("fix_stored", {}, { quantization: undefined });
    return { sentence: filled(WORDS.refusal.method_file, { method }), ways: [leave, checkpoint_way("try_stored", { method })] };
  },
  14({ refusal, asked }) {
    const terms = { stored: String(refusal.stored), method: asked.quantization };
    return { sentence: filled(WORDS.refusal.method_differs, terms), ways: [way("fix_stored", {}, { quantization: undefined })] };
  },
  15: unknown_model,
  16({ printed, refusal, asked }) {
    const sm = refusal.sm ?? printed.sm;
    const have = sm === undefined ? printed.capability : capability(sm);
    const terms = { card: named_card(asked, SAYS.this_card), have: String(have) };
    return { sentence: filled(SAYS[have === undefined ? "no_kernel" : "no_kernel_for"], terms), ways: [way("try_build", {}), way("try_fresh", {})] };
  },
  17({ refusal, asked }) {
    return { sentence: filled(SAYS.method_unknown, { method: String(refusal.method ?? asked.quantization) }), ways: [way("try_newer_method", {}), checkpoint_way("try_other_method")] };
  },
  18({ refusal }) {
    return { sentence: filled(SAYS.not_loaded, { architecture: String(refusal.architecture) }), ways: [way("try_cause", {}), way("try_fresh", {})] };
  },
};

/** The largest power of two that is no more than the cards and divides every one of some numbers. @param {number} cards @param {readonly number[]} numbers */
function power_of_two(cards, numbers) {
  let fits = 1;
  while (fits * 2 <= cards && numbers.every((number) => number % (fits * 2) === 0)) fits *= 2;
  return fits;
}

/** What puts a version in order; nothing where the text names none, or none that is known. @param {any} asked @returns {number[] | undefined} */
function order_of(asked) {
  return rules_in(asked)?.order;
}

/** The rules of the version that a text names, or nothing. @param {any} asked @returns {any} */
function rules_in({ version, engine }) {
  try {
    return version === undefined ? undefined : rules_of(version, engine);
  } catch {
    return undefined;
  }
}

/** Whether the version can read a prompt in parts; where the text names none, it may. @param {any} asked */
function has_chunks(asked) {
  const order = order_of(asked);
  return order === undefined || at_least(order, CHUNKED_SINCE);
}

/** The card by the name that the text gives it. @param {any} asked @param {string} [otherwise] */
function named_card({ card }, otherwise = SAYS.the_card) {
  return typeof card === "string" ? visible(card) : otherwise;
}

/** A compute capability as it is written: 75 is 7.5, and 120 is 12.0. @param {number} number */
function capability(number) {
  return `${Math.floor(number / 10)}.${number % 10}`;
}

/** Another checkpoint in place of the model. @param {string} key @param {Record<string, string>} [terms] @returns {Way} */
function checkpoint_way(key, terms) {
  return try_way(key, "model", SAYS.hole_model, terms);
}

/** The version does not know the model; it knew it once, or another package has it. @param {any} reading */
function unknown_model({ refusal, asked }) {
  const { architecture, until, plugin, model_type: type } = refusal;
  if (type !== undefined) return { sentence: filled(SAYS.type_unknown, { type: String(type) }), ways: [way("try_transformers", {}), way("try_newer", {})] };
  const known = architecture === undefined ? SAYS.the_model : filled(SAYS.model_of, { architecture: String(architecture) });
  const terms = { model: known, version: String(asked.version), until: String(until) };
  if (until !== undefined) return { sentence: filled(SAYS.known_until, terms), ways: [way("try_older", terms)] };
  const listed = architecture === undefined || plugin ? undefined : listed_way(architecture, asked);
  return { sentence: filled(SAYS[asked.version === undefined ? "model_unknown" : "model_unknown_in"], terms), ways: [listed ?? way(plugin ? "try_plugin" : "try_newer", {}), checkpoint_way("try_model")] };
}

/** The release that lists a model: the first one, or the last one before the text's own. @param {string} architecture @param {any} asked @returns {Way | undefined} */
function listed_way(architecture, asked) {
  const order = order_of(asked) ?? rules_of(VERSIONS.oldest).order;
  const release = release_with(architecture, order);
  if (release === "") return undefined;
  return at_least(order, release) ? way("try_older", { until: release }) : way("try_since", { release });
}

/** Heads of the cache that the cards can neither share nor copy; their number is not in the text. @param {any} cards */
function kv_heads(cards) {
  if (!(cards > 1)) return { sentence: SAYS.kv_heads, ways: [try_way("try_cards", "tensor_parallel_size", SAYS.hole_cards)] };
  let fewer = 1;
  while (fewer * 2 < cards) fewer *= 2;
  return {
    sentence: filled(SAYS.kv_heads_of, { cards: commas(cards) }),
    ways: [way("try_cards_fewer", { value: commas(fewer) }, { tensor_parallel_size: fewer })],
  };
}

/** Blocks that do not divide what a card would hold. @param {number} width @param {number} block @param {any} cards @param {boolean} experts */
function blocks(width, block, cards, experts) {
  const among = experts ? [way("try_experts", {}, { enable_expert_parallel: true })] : [];
  if (!(cards > 1)) {
    return { sentence: filled(SAYS.blocks, { width: commas(width), block: commas(block) }), ways: [try_way("try_cards", "tensor_parallel_size", SAYS.hole_cards), ...among] };
  }
  const whole = width * cards;
  let fewer = cards - 1; // what divides the cards divides the heads too
  while (fewer > 1 && (cards % fewer !== 0 || (whole / fewer) % block !== 0)) fewer -= 1;
  const terms = { whole: commas(whole), width: commas(width), block: commas(block) };
  return {
    sentence: filled(WORDS.refusal[experts ? "expert_block" : "width_block"], terms),
    ways: [way("fix_cards_blocks", { value: commas(fewer) }, { tensor_parallel_size: fewer }), ...among],
  };
}

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

/** A change whose number is not in the text: the flag stands in the command, its value is for the reader to choose. @param {string} key @param {string} setting @param {string} hole @param {Record<string, string>} [terms] @returns {Way} */
function try_way(key, setting, hole, terms = {}) {
  return { text: filled(SAYS[key], terms), changes: { [setting]: hole }, hole: true };
}

/** Weights and reserve take the whole share. @param {any} reading */
function no_pool(reading) {
  const { printed, asked } = reading;
  const { kv_gib: pool } = printed;
  const total = total_of(reading);
  const share = asked.gpu_memory_utilization;
  const sentence = pool === undefined ? SAYS.pool_none : filled(SAYS.pool_below, { pool: two(pool) });
  const least = total && share && pool <= 0 ? Math.ceil((share - pool / total) * CENTS) / CENTS : undefined;
  const beyond = least !== undefined && least >= MOST_SHARE;
  const full = share >= RISKY_SHARE || beyond;
  const share_says = beyond ? [way("no_share", { value: fixed(least, 2) })]
    : full ? [way("share_full", { value: String(share) })]
      : least === undefined ? [try_way("try_share", "gpu_memory_utilization", SAYS.hole_share)]
        : [try_way("try_share_above", "gpu_memory_utilization", SAYS.hole_share, { value: fixed(least, 2) })];
  const engine = engine_of(reading);
  // Only the old engine reads a whole longest chat in one step, so that its length takes reserve.
  const length = engine === "V1" ? [] : [try_way(engine === "V0" ? "try_longest_step" : "try_longest_old", "max_model_len", SAYS.hole_longest)];
  const [usual] = USUAL_SEATS;
  const many = asked.max_num_seqs === undefined && !(total !== undefined && total < LARGE_GIB);
  const seats = many ? way("try_seats_usual", { value: commas(usual) }, { max_num_seqs: usual }) : seats_try(asked.max_num_seqs);
  // What a share that is known leaves comes first; where it is as good as all, only less reserve helps, or less weight on the card.
  const little = engine === "V0" ? [...length, seats] : [seats, ...length];
  const first = share === undefined || full || asked.max_num_seqs !== undefined ? [...little, ...share_says] : [...share_says, ...little];
  return { sentence, ways: [...first, way("try_others", {}), ...(full ? [checkpoint_text(), cards_way(asked)] : [])] };
}

/** Lines that one engine alone prints, by how they begin (vLLM 0.9.2 and later; 0.6.6.post1 worker/worker.py). */
const LINES_OF = { "Available KV cache memory": "V1", "memory reserved for KV Cache": "V0" };

/** The engine of which a text is: as it says, by its version, or by a line of it; nothing where none tells. @param {any} reading @returns {string | undefined} */
function engine_of({ asked, printed, findings }) {
  const known = asked.engine ?? rules_in(asked)?.engine ?? (printed.blocks !== undefined ? "V0" : undefined);
  return known ?? Object.entries(LINES_OF).find(([line]) => findings.some((/** @type {any} */ { text }) => text.startsWith(line)))?.[1];
}

/** The same model in fewer bits, only told: its name is not known. @returns {Way} */
function checkpoint_text() {
  return way("try_bits", {});
}

/** Twice as many cards. @param {any} asked @returns {Way} */
function cards_way({ tensor_parallel_size: now = 1 }) {
  return way("try_cards_more", { value: commas(now * 2) }, { tensor_parallel_size: now * 2 });
}

/** Fewer seats: half of those that are known, to begin with. @param {any} seats @returns {Way} */
function seats_try(seats) {
  if (!(seats > 1)) return try_way("try_seats", "max_num_seqs", SAYS.hole_seats);
  const half = Math.floor(seats / 2);
  return way("try_seats_half", { value: commas(half), seats: commas(seats) }, { max_num_seqs: half });
}

/** Memory ended: vLLM names share and seats itself where it was the sampler. @param {any} reading */
function out_of_memory({ refusal, printed, asked }) {
  const sampler = refusal.dummy_requests !== undefined;
  const { tried_gib: tried, free_gib: free } = refusal;
  const others = refusal.own_gib === undefined ? 0 : refusal.others_gib ?? 0;
  if (refusal.loading !== undefined) return too_heavy(free, others, printed, asked);
  const says = sampler ? filled(SAYS.memory_sampler, { seats: commas(refusal.dummy_requests) })
    : tried !== undefined && free !== undefined ? filled(SAYS.memory_tried, { tried: two(tried), free: two(free) }) : SAYS.memory;
  const seats = seats_try(refusal.dummy_requests ?? asked.max_num_seqs);
  const share = asked.gpu_memory_utilization === undefined ? try_way("try_share_less", "gpu_memory_utilization", SAYS.hole_share)
    : way("try_share_below", { value: String(asked.gpu_memory_utilization) }, { gpu_memory_utilization: less(asked.gpu_memory_utilization) });
  const tokens = asked.max_num_batched_tokens > 1 ? tokens_way(Math.floor(asked.max_num_batched_tokens / 2)) : try_way("try_tokens", "max_num_batched_tokens", SAYS.hole_tokens);
  const held = printed.total_gib === undefined ? [] : [way("try_total", { total: two(printed.total_gib) })];
  return with_others(others, { sentence: says, ways: [seats, share, ...(sampler ? [] : [tokens]), ...(others > 0 ? [] : [way("try_others", {})]), ...held] });
}

/** What another process holds is said, and comes first. @param {number} others GiB @param {Found} found @returns {Found} */
function with_others(others, { sentence, ways }) {
  if (!(others > 0)) return { sentence, ways };
  const terms = { others: two(others) };
  return { sentence: `${sentence} ${filled(SAYS.others, terms)}`, ways: [way("try_others_end", terms), ...ways], as_is: true };
}

/** Memory ended before all weights were there: no seat and no share changes that. @param {number | undefined} free GiB @param {number} others GiB @param {any} printed @param {any} asked */
function too_heavy(free, others, { total_gib: total }, asked) {
  const full = total === undefined || free === undefined ? SAYS.weights : filled(SAYS.weights_full, { used: two(total - free), total: two(total) });
  const four = asked.quantization === undefined ? [way("try_four_bits", {}, { quantization: "bitsandbytes" })] : [];
  const host = try_way("try_host", "cpu_offload_gb", SAYS.hole_gib);
  return with_others(others, { sentence: full, ways: [cards_way(asked), checkpoint_text(), ...four, host, ...(others > 0 ? [] : [way("try_others", {})])] });
}

/** A share of five hundredths less. @param {number} share */
function less(share) {
  return Math.max(1, Math.floor(share * CENTS - 5 + 1e-9)) / CENTS;
}

/** One longest chat does not fit. @param {any} reading */
function too_small({ refusal, printed, asked, reveals }) {
  const longest = refusal.max_model_len;
  const shorter = () => try_way("try_longest", "max_model_len", SAYS.hole_longest);
  if (refusal.needed_gib !== undefined && printed.kv_gib === undefined) {
    return { sentence: filled(SAYS.needed, { longest: commas(longest), needed: two(refusal.needed_gib) }), ways: [shorter(), try_way("try_share", "gpu_memory_utilization", SAYS.hole_share)] };
  }
  if (refusal.needed_gib === undefined && refusal.tokens === undefined) {
    return { sentence: filled(SAYS.needed_unknown, { longest: commas(longest) }), ways: [shorter()] };
  }
  if (refusal.needed_gib === undefined) {
    const terms = { longest: commas(longest), tokens: commas(refusal.tokens), short: commas(longest - refusal.tokens) };
    return { sentence: filled(SAYS.tokens, terms), ways: [longest_way(refusal.tokens)] };
  }
  const { needed_gib: needed } = refusal;
  const pool = printed.kv_gib;
  const fixed_part = reveals.find((/** @type {any} */ told) => told.key === "fixed_part")?.values;
  const terms = {
    longest: commas(longest), needed: two(needed), pool: two(pool), short: two(needed - pool), token: fixed((needed / longest) * 1024 * 1024, 1),
    ...(fixed_part === undefined ? {} : { fixed: two(fixed_part.gib), token: fixed(fixed_part.kib, 1) }),
  };
  const total = printed.total_gib ?? reveals.find((/** @type {any} */ told) => told.key === "total")?.values.gib;
  const ways = [
    ...length_ways(refusal, pool, asked),
    ...(total && asked.gpu_memory_utilization ? share_ways(asked.gpu_memory_utilization + (needed - pool) / total) : []),
    ...(fixed_part === undefined && pool >= needed / 2 && !String(asked.kv_cache_dtype ?? "").startsWith("fp8")
      ? [way("fix_fp8", { needed: two(needed / 2), concurrency: two(pool / (needed / 2)) }, { kv_cache_dtype: "fp8" })] : []),
  ];
  return { sentence: filled(fixed_part === undefined ? WORDS.refusal.one_chat : SAYS.one_chat_parts, terms), ways };
}

/** The longest chat that fits: as printed, or where that is cut off what two rounded figures leave sure. @param {any} refusal @param {number} pool GiB @param {any} asked @returns {Way[]} */
function length_ways(refusal, pool, asked) {
  const { needed_gib: needed, max_model_len: longest, estimated_length: printed } = refusal;
  if (printed > 0) {
    const useless = printed < TYPICAL && longest > TYPICAL;
    return [way(useless ? "fix_longest_useless" : "fix_longest", { value: commas(printed), longest: commas(longest) }, { max_model_len: printed })];
  }
  const kept = rules_in(asked)?.null_block === false ? 0 : 1;
  const blocks = Math.floor(((longest * (pool - HALF)) / (needed + HALF)) / BLOCK) - kept;
  if (!(blocks > 0)) return [];
  const value = blocks * BLOCK;
  return [{ ...way("try_longest_at", { value: commas(value) }, { max_model_len: value }), unsure: true }];
}

/** @param {number} share that the pool would need */
function share_ways(share) {
  if (share > MOST_SHARE) return [way("no_share", { value: fixed(share, 3) })];
  const value = Math.ceil(share * FINE) / FINE;
  return [way("fix_share", { value: String(value) }, { gpu_memory_utilization: value })];
}

/** What a refusal says; where its line ends before its figures do, what is known. @param {any} reading @returns {Found} */
function said_by(reading) {
  try {
    const found = BY_NUMBER[reading.refusal.number](reading);
    if (!/NaN|undefined|Infinity/.test([found.sentence, ...found.ways.map(({ text }) => text)].join(" "))) return found;
  } catch {
    // Its figures are missing, or are no figures: said below.
  }
  return { sentence: filled(SAYS.torn, { what: SAYS.short[reading.refusal.number] ?? SAYS.short_other }), ways: [] };
}

/**
 * The answer to a refusal, or to a start that went well, whose model is not known; nothing where neither is pasted.
 * @param {any} reading @param {boolean} known whether the page can reckon with the text's model
 * @returns {Alone | null}
 */
export function printed_answer(reading, known = reading.asked.model !== undefined) {
  if (known) return null;
  if (reading.refusal === null) return started_answer(reading);
  const found = said_by(reading);
  const first = found.as_is ? undefined : found.ways.find(({ changes }) => Object.keys(changes).length > 0);
  const sure = first !== undefined && first.hole === undefined && first.unsure === undefined && !TRIED.includes(reading.refusal.number);
  const ways = with_flags([...found.ways, ...refused_ways(reading)]);
  const command = found.none ? "" : command_of(reading, first?.changes ?? {});
  return { sentence: found.sentence, ways, outcome: "refuses", badge: PAGE.badge.refuses, command, fixed: sure, caption: caption_of(reading, command, first, sure) };
}

/** What a command is called: it starts, or it is to be tried, and what is not known stands in capitals. @param {any} reading @param {string} command @param {Way | undefined} first @param {boolean} sure */
function caption_of(reading, command, first, sure) {
  const named = reading.asked.model !== undefined;
  if (command === "") return SAYS.caption_none;
  if (first === undefined) return plain_caption(reading);
  if (sure) return SAYS[named ? "caption_named" : "caption"];
  return SAYS[first.hole ? "caption_try" : named ? "caption_try_named" : "caption_try_plain"];
}

/** What is said of a text that is no matter of a start's memory; nothing where nothing is. @param {any} reading @returns {Alone | null} */
export function other_answer({ problems }) {
  const told = problems.find((/** @type {any} */ { key }) => Object.hasOwn(SAYS.badge_others, key));
  if (told === undefined) return null;
  const terms = Object.fromEntries(Object.entries(told.values).map(([name, value]) => [name, Number.isInteger(value) ? commas(value) : String(value)]));
  const sentence = visible(filled(PAGE.problems[told.key], terms));
  return { outcome: "none", badge: SAYS.badge_others[told.key], sentence, ways: [], command: "", fixed: false, caption: SAYS.caption_none };
}

/** What shows that the check of the cache was passed. @param {any} reading */
export function has_started({ refusal, printed, asked }) {
  if (refusal !== null) return false;
  const { concurrency, tokens, kv_gib: pool, graphs_gib: graphs } = printed;
  if (concurrency !== undefined) return concurrency >= 1;
  return tokens > 0 ? !(asked.max_model_len > tokens) : pool > 0 && graphs !== undefined;
}

/** What a command is called that nothing was changed in. @param {any} reading */
function plain_caption({ asked }) {
  return asked.model === undefined ? SAYS.caption_plain : PAGE.answer.command;
}

/** A log with a pool and no refusal, in its own figures. @param {any} reading @param {string} [asks] what the page asks for @returns {Alone | null} */
export function started_answer(reading, asks = reading.asked.model === undefined ? SAYS.ask_model : SAYS.ask_config) {
  const { kv_gib: pool, tokens, concurrency } = reading.printed;
  if (reading.refusal !== null || !(pool > 0 || tokens > 0 || concurrency >= 1)) return null;
  const figures = [
    ...(pool > 0 ? [filled(SAYS.started_pool, { pool: two(pool) })] : []),
    ...(tokens > 0 ? [filled(SAYS.started_tokens, { tokens: commas(tokens) })] : []),
  ];
  const started = has_started(reading);
  const refused = reading.starts.some((/** @type {any} */ start) => start.refusal !== null);
  const said = [SAYS[started ? "started" : refused ? "no_refusal_last" : "no_refusal"], ...figures, ...(started ? [] : [SAYS.unsaid]), ...started_lines(reading)];
  const sentence = [...said, asks].join(" ");
  const ways = with_flags(started_ways(reading, started));
  const told = started ? { outcome: /** @type {"starts"} */ ("starts"), badge: SAYS.badge_started } : { outcome: /** @type {"none"} */ ("none"), badge: SAYS.badge_unsaid, of_text: true };
  const command = command_of(reading, {});
  return { ...told, sentence, ways, command, fixed: false, caption: command === "" ? SAYS.caption_none : plain_caption(reading) };
}

/** Each change with its words on a command line. @param {Way[]} ways */
function with_flags(ways) {
  return ways.map((each) => ({ ...each, flags: each.flags ?? flags_of(each.changes).map((words) => words.join(" ")).join(" ") }));
}

/** Refusals after which a change may not be enough. */
const TRIED = [3, 7, 8, 10, 13];

/** The command of a text with changes; none where a letter of it cannot be seen. @param {any} reading @param {Record<string, any>} changes */
function command_of({ asked }, changes) {
  const words = { ...asked, ...changes };
  const model = typeof words.model === "string" ? words.model : SAYS.model;
  const own = settings_of(words);
  if (has_hidden([model, ...own.map(([, value]) => text_of(value))].join(" "))) return "";
  return ["vllm", "serve", quoted(visible(model)), ...own.flatMap(([flag, value]) => flag_of(flag, value))].join(" ");
}

/** Settings that have a flag, with it. @param {Record<string, any>} words @returns {[string, any][]} */
function settings_of(words) {
  const rows = [...VERSIONS.settings, ...VERSIONS.uncounted.names.map((/** @type {string} */ name) => ({ name, flag: `--${name.replaceAll("_", "-")}` }))];
  return rows.filter((row) => row.flag && words[row.name] !== undefined).map((row) => [row.flag, words[row.name]]);
}

/** A value on one line. @param {any} value */
function text_of(value) {
  return (typeof value === "object" ? JSON.stringify(value) : String(value)).replace(/\s+/g, " ");
}

/** Settings as a command has them. @param {Record<string, any>} words @returns {string[][]} */
function flags_of(words) {
  return settings_of(words).map(([flag, value]) => flag_of(flag, value));
}

/** @param {string} flag @param {any} value @returns {string[]} */
function flag_of(flag, value) {
  if (value === true) return [flag];
  return value === false ? [`--no-${flag.slice(2)}`] : [flag, quoted(visible(text_of(value)))];
}
