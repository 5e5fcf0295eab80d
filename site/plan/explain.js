// @ts-check
/** How the page explains its numbers, with today's figures, as `site/make/plan_explain.py` does. */

import { number_text } from "../../widget/sim/vllm/command.js";
import { filled, shown_value, size } from "../../widget/sim/vllm/fix_words.js";
import { graphs_captured, graphs_counted } from "../../widget/sim/vllm/graphs.js";
import { FITTED } from "../../widget/sim/vllm/plan_facts.js";
import { as_text } from "../../widget/sim/vllm/plan_words.js";
import { compiles, forward_bytes, sampler_bytes, sampler_of, value_bytes, word_bytes } from "../../widget/sim/vllm/reserve.js";
import { commas, fixed } from "../../widget/sim/vllm/rounding.js";
import { tried } from "../../widget/sim/vllm/trial.js";
import { changes_text, pool_given, tightest_stage } from "./scene.js";
import { WORDS as PAGE } from "./words.js";

/** @import { Plan, Trial } from "./scene.js" */

const WORDS = PAGE.explain;
const NUMBERS = WORDS.numbers;
const RESERVE = ["activation", "non_torch", "penalties", "graphs"];
const MIB = 1048576;
const MOST_SHARE = 0.95;
const HOLDERS = 3;

/** The text for a ticket, of a plan with its fixes. @param {Plan} plan */
export function ticket_of(plan) {
  return as_text(plan);
}

/** Each number's formula with its figures, and who holds the memory. @param {Plan} plan @param {Trial} at */
export function explain_scene(plan, at) {
  return {
    holds: holds_lines(plan),
    numbers: Object.entries(NUMBERS_OF).map(([name, number]) => entry(name, number(plan, at))),
  };
}

/** One number: its name, its value, its formula; what moves it and its source the build has written. @param {string} name @param {Figure} figure */
function entry(name, [key, terms, value]) {
  const words = NUMBERS[name];
  return { name: words.name, value, formula: filled(words[key], { value: value.split(" ")[0], ...terms }) };
}

/** Which parts hold most of the card, the largest first. @param {Plan} plan */
function holds_lines(plan) {
  const { budget } = plan;
  const stage = tightest_stage(plan);
  /** @type {[number, string][]} */
  const sizes = [
    ...stage.parts.map((/** @type {any} */ part) => [part.bytes, part.name]),
    [Math.max(0, stage.kv_bytes), "kv"],
    [Math.max(0, budget.unused_bytes), "unused"],
    [budget.in_use_bytes, "held"],
  ];
  const largest = sizes.sort((one, other) => other[0] - one[0]).slice(0, HOLDERS);
  return largest.map(([count, name]) => {
    const terms = { name: PAGE.parts[name], percent: fixed((100 * count) / budget.total_bytes, 0), gib: size(count) };
    return filled(WORDS[count > budget.total_bytes ? "holds_more" : "holds_line"], terms);
  });
}

/** @typedef {[key: string, terms: Record<string, string>, value: string]} Figure the template's key, its terms, the number */

/** A part's bytes, of the stage that decides. @param {Plan} plan @param {string} name */
function part_of(plan, name) {
  return tightest_stage(plan).parts.find((/** @type {any} */ part) => part.name === name).bytes;
}

/** Bytes in GiB with the unit. @param {number} count */
function in_gib(count) {
  return `${size(count)} GiB`;
}

/** The numbers that are explained, in the order in which one follows from the other. @type {Record<string, (plan: Plan, at: Trial) => Figure>} */
const NUMBERS_OF = {
  requested(plan, { settings }) {
    const terms = { total: size(settings.total_bytes), share: shown_value(settings.share) };
    return ["formula", terms, in_gib(plan.budget.requested_bytes)];
  },
  weights(plan, { settings }) {
    const cards = settings.tp * settings.pp;
    const terms = {
      parameters: commas(settings.model.parameters),
      stored: settings.model.quantisation || settings.dtype,
      cards: cards === 1 ? WORDS.cards_one : filled(WORDS.cards, { count: String(cards) }),
    };
    return ["formula", terms, in_gib(part_of(plan, "weights"))];
  },
  activation(plan, { settings }) {
    const { sort_bytes, compile_bytes, forward_values } = FITTED.constants;
    const each = word_bytes(settings, sampler_of(settings), sort_bytes.value);
    const compiling = compiles(settings) ? compile_bytes.value : 0;
    const terms = {
      tokens: commas(settings.batched_tokens),
      width: commas(Math.ceil(settings.model.mlp_width / settings.tp) + settings.model.hidden_size),
      values: shown_value(forward_values.value),
      value_bytes: String(value_bytes(settings)),
      forward: size(forward_bytes(settings, forward_values.value) + compiling),
      compile: compiling ? filled(NUMBERS.activation.compile, { compile: size(compiling) }) : "",
      words: commas(settings.model.vocab_size),
      seats: commas(Math.min(settings.seats, settings.batched_tokens)),
      each: shown_value(each),
      sampler: size(sampler_bytes(settings, each)),
    };
    return ["formula", terms, in_gib(part_of(plan, "activation"))];
  },
  non_torch(plan, { settings }) {
    const { non_torch_share, communication_bytes } = FITTED.constants;
    const several = settings.tp * settings.pp > 1;
    const terms = {
      total: size(settings.total_bytes),
      share: number_text(non_torch_share.value),
      several: several ? filled(NUMBERS.non_torch.several, { communication: size(communication_bytes.value) }) : "",
    };
    return ["formula", terms, in_gib(part_of(plan, "non_torch"))];
  },
  penalties(plan, { settings }) {
    const count = part_of(plan, "penalties");
    const terms = { words: commas(settings.model.vocab_size), count_bytes: String(FITTED.penalties.count_bytes), seats: commas(settings.seats) };
    return [count > 0 ? "formula" : "none", terms, in_gib(count)];
  },
  graphs(plan, { settings }) {
    const terms = { count: String(graphs_captured(settings)), each: fixed(FITTED.constants.graph_bytes.value / MIB, 2) };
    return [graphs_counted(settings) ? "formula" : "none", terms, in_gib(part_of(plan, "graphs"))];
  },
  kv(plan, at) {
    const stage = tightest_stage(plan);
    const others = stage.others_bytes > 0 ? [stage.others_bytes] : [];
    const sizes = [...others, part_of(plan, "weights"), ...RESERVE.map((name) => part_of(plan, name))];
    const terms = { requested: size(plan.budget.requested_bytes), parts: sizes.map(size).join(" − ") };
    return [pool_given(at) ? "given" : "formula", terms, in_gib(stage.kv_bytes)];
  },
  tokens(plan) {
    const stage = tightest_stage(plan);
    const value = commas(plan.budget.capacity.tokens);
    const terms = {
      pool: commas(Math.max(0, stage.kv_bytes)), block_bytes: commas(stage.layout.block_bytes), blocks: commas(plan.budget.blocks), value,
    };
    return ["formula", terms, value];
  },
  longest(plan) {
    const { longest, needed_bytes, refusal } = plan.verdict;
    const { per_chat } = plan.budget.capacity;
    // Where something else was too little, what was needed is no chat's.
    const asked_for = refusal === null || ["one_chat", "no_blocks"].includes(refusal.key);
    const needed = asked_for ? needed_bytes : per_chat * tightest_stage(plan).layout.block_bytes;
    return ["formula", { longest: commas(longest), per_chat: commas(per_chat) }, in_gib(needed)];
  },
  concurrency(plan, { settings }) {
    const { capacity } = plan.budget;
    const by_tokens = ["blocks", "v1_tokens"].includes(settings.rules.capacity);
    const value = fixed(capacity.concurrency, 2);
    const terms = {
      blocks: commas(capacity.blocks), per_chat: commas(capacity.per_chat), value, tokens: commas(capacity.tokens),
      longest: commas(plan.verdict.longest),
    };
    return [by_tokens ? "formula_tokens" : "formula", terms, `${value}x`];
  },
};

// --- what would give the most back ---

/** What is tried to give memory back, each by itself: its value there, or nothing. @type {Record<string, (settings: any) => any>} */
const STEPS = {
  max_num_seqs: (settings) => Math.floor(settings.seats / 2) || null,
  max_num_batched_tokens: (settings) => Math.floor(settings.batched_tokens / 2) || null,
  max_model_len: (settings) => Math.floor(settings.longest / 2) || null,
  gpu_memory_utilization: (settings) => (settings.share < MOST_SHARE ? MOST_SHARE : null),
  kv_cache_dtype(settings) {
    const small = settings.kv_dtype.startsWith("fp8") || settings.kv_dtype.startsWith("nvfp4");
    return small || !settings.rules.kv_dtypes.includes("fp8") ? null : "fp8";
  },
  enforce_eager: (settings) => (settings.eager ? null : true),
  estimate_cudagraphs: (settings) => (graphs_counted(settings) ? false : null),
  tensor_parallel_size: (settings) => settings.tp * 2,
};

/** Which single change gives the pool most, the best first. @param {Trial} at @returns {string[]} */
export function back_lines(at) {
  /** @type {[number, string][]} */
  const found = Object.entries(STEPS).flatMap(([name, step]) => back(at, name, step(at.settings)));
  const lines = found.sort((one, other) => other[0] - one[0]).map(([, text]) => text);
  return lines.length > 0 ? lines : [WORDS.back_none];
}

/** What one change gives, and how it is said. @param {Trial} at @param {string} name @param {any} value @returns {[number, string][]} */
function back(at, name, value) {
  if (value === null) return [];
  const other = tried(at, { [name]: value });
  if (other === null || other.verdict.outcome === "refuses") return [];
  const gained = other.budget.kv_bytes - at.budget.kv_bytes;
  const tokens = other.budget.capacity.tokens - at.budget.capacity.tokens;
  const refused = at.verdict.outcome === "refuses";
  if (!refused && tokens <= 0) return [];
  const count = refused ? other.budget.capacity.tokens : tokens;
  const key = refused ? "back_starts" : gained > 0 ? "back_line" : "back_tokens";
  return [[count, filled(WORDS[key], { changes: changes_text({ [name]: value }), gib: size(gained), tokens: commas(count) })]];
}
