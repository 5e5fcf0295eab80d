// @ts-check
/** What a pasted text becomes: settings for the fields, and what is to be said about it. */

import { filled } from "../../widget/sim/vllm/fix_words.js";
import { CARDS } from "../../widget/sim/vllm/plan_facts.js";
import { PlanError } from "../../widget/sim/vllm/refuse.js";
import { commas, fixed } from "../../widget/sim/vllm/rounding.js";
import { card } from "../../widget/sim/vllm/cards.js";
import { model_name } from "../../widget/sim/vllm/models.js";
import { decimals, FIELDS, form_of, known_card, OWN_CARD, without } from "./form.js";
import { has_started, printed_answer, started_answer } from "./printed.js";
import { has_hidden, visible } from "./visible.js";
import { WORDS } from "./words.js";

/** @import { Form, Own } from "./form.js" */

const GIB = 1073741824;
/** Reported totals of one kind of card differ by so much, GiB. */
const SAME_CARD = 0.25;
/** vLLM's share for most of its life, how far a card may be from what a log accounts for, and what a log without its reserve leaves out. */
const USUAL_SHARE = 0.9;
const SLACK = 0.1;
const USUAL_RESERVE_GIB = 1.3;
/** From this compute capability on a card computes in bfloat16. */
const BFLOAT16 = 8;
const KIB = 1024;
/** By this factor the tokens of a plan differ from those printed when it is of another card. */
const FAR = 1.5;
/** What was printed, and the field that takes it. */
const MEASURED = {
  weights_gib: "measured_weights_gib", activation_gib: "measured_activation_gib", non_torch_gib: "measured_non_torch_gib",
  graphs_estimated_gib: "measured_graphs_gib", kv_gib: "measured_kv_gib",
};

/** Whether the page can reckon with a model by this name. @param {unknown} name */
function is_model(name) {
  return or_nothing(() => model_name(name)) !== null;
}

/**
 * The fields that a reading fills. What it does not name is vLLM's default; card, model and version are those that stood
 * there before anything was pasted.
 * @param {any} reading @param {Form} form what stood there @param {Own} own
 * @returns {{form: Form, own: Own, notes: string[], taken: string[], alone: any, itself: (asks?: string) => any, differs: (found: any) => boolean, completes: boolean}}
 */
export function take(reading, form, own) {
  const { asked, kind } = reading;
  if (is_card(form.card ?? "") && form.card !== WORDS.opening.card) reading.chosen = form.card;
  if (kind === "config") return { form: without(form, "model"), own: { model: asked.model, index: null }, notes: [], taken: ["model"], alone: null, itself: () => null, differs: () => false, completes: true };
  if (kind === "index") return { form, own: { ...own, index: asked.index }, notes: [], taken: [], alone: null, itself: () => null, differs: () => false, completes: true };
  const fresh = form_of(asked);
  const named = asked.model !== undefined;
  const hidden = named && has_hidden(String(asked.model));
  const known = named && !hidden && is_model(asked.model);
  const alone = hidden ? hidden_answer(asked.model) : printed_answer(reading, known);
  /** @type {string[]} */
  const notes = [];
  const taken = Object.keys(fresh.form);
  const next = { ...fresh.form };
  if (hidden) next.model = visible(String(asked.model));
  settle_card(reading, next, form, notes);
  if (!named) {
    if (own.model === null) next.model = form.model;
    else fresh.own.model = own.model;
    if (alone === null) notes.push(filled(WORDS.paste.no_model, { model: form.model ?? WORDS.settings.own_model }));
  } else {
    for (const [name, field] of Object.entries(MEASURED)) if (reading.printed[name] !== undefined) next[field] = decimals(reading.printed[name]);
  }
  if (next.version === undefined) {
    next.version = form.version ?? WORDS.opening.version;
    notes.push(filled(WORDS.paste.no_version, { version: next.version }));
  }
  if (reading.cards !== null && reading.cards > 1 && next.tensor_parallel_size === undefined) {
    notes.push(filled(WORDS.paste.cards, { cards: String(reading.cards) }));
  }
  return { form: next, own: fresh.own, notes, taken, alone, itself: by_itself(reading), differs: (found) => speaks_against(reading, found), completes: false };
}

/** Whether a text says which card it is of. @param {any} reading */
function card_named({ asked, printed }) {
  return asked.card !== undefined || asked.total_gib !== undefined || printed.gpus !== undefined;
}

/** What the text says by itself, where the page cannot reckon with its model, or reckons with a card that it does not name. @param {any} reading @returns {(asks?: string) => any} */
function by_itself(reading) {
  return (asks = card_named(reading) ? WORDS.alone.ask_apart : WORDS.alone.ask_card) => (reading.refusal !== null ? printed_answer(reading, false) : has_started(reading) ? started_answer(reading, asks) : null);
}

/** Whether a plan is not of what the text says: it starts where that was refused, or the reverse, or holds another number of tokens. @param {any} reading @param {any} found */
function speaks_against(reading, { verdict, budget }) {
  const { refusal, printed } = reading;
  const refuses = verdict.outcome === "refuses";
  if (refusal !== null || refuses) return refuses !== (refusal !== null);
  const { tokens } = printed;
  if (!(tokens > 0) || card_named(reading)) return false;
  return budget.capacity.tokens > tokens * FAR || budget.capacity.tokens * FAR < tokens;
}

/** An answer that is none: why, in one sentence, and no command. @param {string} badge @param {string} sentence */
export function no_answer(badge, sentence) {
  return { outcome: "none", badge, sentence, ways: [], command: "", fixed: false, caption: WORDS.alone.caption_none };
}

/** @param {unknown} model a name that cannot be seen whole */
function hidden_answer(model) {
  return no_answer(WORDS.alone.badge_asks, filled(WORDS.alone.hidden, { model: visible(String(model)) }));
}

/** What vLLM says of flags that it does not have; nothing where it started with them, or refused for another reason. @param {any} reading */
export function flags_answer(reading) {
  if (reading.unknown.length === 0 || reading.refusal !== null || has_started(reading)) return null;
  const flags = reading.unknown.map((/** @type {any} */ { flag, nearest }) => visible(nearest ? filled(WORDS.alone.flag_near, { flag, nearest }) : flag)).join(", ");
  return { ...no_answer(WORDS.alone.badge_flags, filled(WORDS.alone.flags, { flags })), outcome: "refuses" };
}

/** A text with each unknown flag in the spelling of the nearest that is known. @param {string} text @param {any} reading */
export function corrected(text, { unknown }) {
  let better = text;
  for (const { flag, nearest } of unknown) {
    if (!nearest) continue;
    better = better.split(flag).map((piece, i) => (i > 0 && /^[A-Za-z0-9_-]/.test(piece) ? flag + piece : i > 0 ? nearest + piece : piece)).join("");
  }
  return better;
}

/** The card: by its name, by its memory, or the one that stands there. @param {any} reading @param {Form} next @param {Form} form @param {string[]} notes */
function settle_card(reading, next, form, notes) {
  const named = [next.card, ...(reading.printed.gpus ?? []).map((/** @type {any} */ gpu) => gpu.name)].filter(Boolean).map(known_card).find(is_card);
  if (named !== undefined) {
    next.card = named;
    return;
  }
  const revealed = reading.reveals.find((/** @type {any} */ { key }) => key === "total");
  const exact = next.total_gib !== undefined;
  if (next.total_gib === undefined && revealed !== undefined) next.total_gib = String(revealed.values.gib);
  const total = Number(next.total_gib);
  const present = is_card(form.card ?? "") ? [form.card] : [];
  const near = nearest_card(total, present.filter((name) => name !== WORDS.opening.card), exact);
  const guessed = next.total_gib === undefined ? card_by_sizes(reading, present) : null;
  if (guessed !== null) {
    next.card = guessed.name;
    notes.push(filled(WORDS.paste.near_card, { total: fixed(guessed.gib, 1), card: card(guessed.name).title }));
  } else if (next.total_gib === undefined || near !== undefined) {
    // A card of one's own is nothing without its memory.
    next.card = near ?? present[0] ?? WORDS.opening.card;
    notes.push(filled(WORDS.paste.no_card, { card: is_card(next.card) ? card(next.card).title : WORDS.settings.own_card }));
  } else {
    next.card = OWN_CARD;
    notes.push(filled(WORDS.paste.own_card, { total: fixed(total, 2) }));
  }
}

/** The card whose memory is as printed: one that the reader chose, or the nearest of all; of a memory that is only known about, the first. @param {number} total GiB @param {readonly string[]} chosen @param {boolean} exact @returns {string | undefined} */
function nearest_card(total, chosen, exact) {
  const apart = (/** @type {string} */ name) => Math.abs(CARDS.cards[name].total_bytes[0] / GIB - total);
  const same = [...chosen, ...Object.keys(CARDS.cards)].filter((name) => apart(name) <= SAME_CARD);
  return chosen.find((name) => same.includes(name)) ?? (exact ? same.sort((one, other) => apart(one) - apart(other)) : same)[0];
}

/**
 * A card that may hold what was printed, where no line names card or memory: the one that stands there, or the nearest.
 * @param {any} reading @param {readonly string[]} present
 * @returns {{name: string, gib: number} | null}
 */
function card_by_sizes({ printed, asked }, present) {
  const { weights_gib: weights, kv_gib: pool } = printed;
  if (!(weights > 0) || !(pool > 0)) return null;
  const held = weights + pool + (printed.activation_gib ?? USUAL_RESERVE_GIB) + Math.max(0, printed.non_torch_gib ?? 0);
  const gib = held / (asked.gpu_memory_utilization ?? USUAL_SHARE);
  const size = (/** @type {string} */ name) => CARDS.cards[name].total_bytes[0] / GIB;
  const apart = (/** @type {string} */ name) => Math.abs(size(name) - gib);
  const holds = (/** @type {string} */ name) => apart(name) <= gib * SLACK;
  const modern = Object.keys(CARDS.cards).filter((name) => CARDS.cards[name].maker === "nvidia" && Number(CARDS.cards[name].capability) >= BFLOAT16);
  const fits = modern.filter(holds).sort((one, other) => apart(one) - apart(other));
  const name = present.find(holds) ?? fits[0];
  return name === undefined ? null : { name, gib };
}

/** @param {string} name */
function is_card(name) {
  return Object.hasOwn(CARDS.cards, name);
}

/** What a text reveals although nobody printed it, in sentences. @param {any} reading @returns {string[]} */
export function reveal_lines({ reveals }) {
  const words = WORDS.reveals;
  return reveals.flatMap((/** @type {any} */ { key, values }) => {
    const terms = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, shown(value)]));
    if (key === "kv_bytes_per_token") return [filled(words[key], { kib: fixed(values.bytes / KIB, 1) })];
    if (key !== "short") return words[key] === undefined ? [] : [filled(words[key], terms)];
    const share = values.share === undefined ? [] : [filled(words[values.possible ? "short_share" : "short_none"], { share: fixed(values.share, 3) })];
    return [values.tokens === undefined ? filled(words.short, terms) : filled(words.short_tokens, terms), ...share];
  });
}

/** @param {any} value */
function shown(value) {
  if (typeof value !== "number") return String(value);
  return Number.isInteger(value) ? commas(value) : String(value);
}

/** What could not be used of a text. @param {any} reading @returns {string[]} */
export function problem_lines({ unknown, problems, starts }) {
  const words = WORDS.paste;
  return [
    ...(starts.length > 1 ? [filled(words.starts, { count: String(starts.length) })] : []),
    ...unknown.map((/** @type {any} */ { flag, nearest }) => filled(words[nearest ? "unknown_near" : "unknown"], { flag: visible(flag), nearest })),
    ...problems.map((/** @type {any} */ { key, values }) => visible(filled(WORDS.problems[key] ?? key, values))),
  ];
}

/** What was printed, beside what is calculated without it. @param {any} reading @param {any} found a plan without measured figures */
export function beside(reading, found) {
  const { budget } = found;
  const stage = budget.stages[budget.stage];
  const words = WORDS.paste;
  /** @type {[string, string, any][]} */
  const rows = [["weights_gib", "weights", null], ["activation_gib", "activation", null], ["non_torch_gib", "non_torch", null], ["graphs_estimated_gib", "graphs", null], ["kv_gib", "kv", stage.kv_bytes]];
  const found_rows = rows.flatMap(([name, part, bytes]) => {
    const printed = reading.printed[name];
    if (printed === undefined) return [];
    const own = stage.parts.find((/** @type {any} */ each) => each.name === part) ?? { low: stage.kv_low, high: stage.kv_high };
    const calculated = (bytes ?? own.bytes) / GIB;
    const inside = printed >= own.low / GIB - 0.01 && printed <= own.high / GIB + 0.01;
    const why = Math.abs(printed - calculated) < 0.01 ? words.why_rounding : part === "kv" ? words.why_kv : inside ? words.why_spread : words.why_other;
    return [[WORDS.parts[part], fixed(printed, 2), fixed(calculated, 2), signed(fixed(printed - calculated, 2)), why]];
  });
  const { tokens } = reading.printed;
  const counted = budget.capacity.tokens;
  if (tokens === undefined) return found_rows;
  return [...found_rows, [WORDS.compare.tokens, commas(tokens), commas(counted), signed(commas(Math.abs(tokens - counted)), tokens < counted), tokens === counted ? words.why_rounding : words.why_kv]];
}

/** @param {string} text @param {boolean} [below] */
function signed(text, below = text.startsWith("-")) {
  return `${below ? "−" : "+"}${text.replace("-", "")}`;
}

/** A function's answer, or nothing where it refuses. @template T @param {() => T} ask @returns {T | null} */
export function or_nothing(ask) {
  try {
    return ask();
  } catch (error) {
    if (!(error instanceof PlanError)) throw error;
    return null;
  }
}

/** Names of settings that were filled, in vLLM's words. @param {readonly string[]} taken */
export function taken_names(taken) {
  return taken.filter((name) => Object.hasOwn(FIELDS, name)).join(", ");
}
