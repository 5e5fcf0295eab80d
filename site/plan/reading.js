// @ts-check
/** What a pasted text becomes: settings for the fields, and what is to be said about it. */

import { filled } from "../../widget/sim/vllm/fix_words.js";
import { plan } from "../../widget/sim/vllm/plan.js";
import { CARDS, VERSIONS } from "../../widget/sim/vllm/plan_facts.js";
import { commas, fixed } from "../../widget/sim/vllm/rounding.js";
import { card } from "../../widget/sim/vllm/cards.js";
import { rules_of } from "../../widget/sim/vllm/versions.js";
import { asked_of, decimals, FIELDS, form_of, known_card, OWN_CARD, without } from "./form.js";
import { named as with_name } from "./form.js";
import { near_models, stands_for } from "./listed.js";
import { has_started, printed_answer, started_answer } from "./printed.js";
import { measured_of } from "./paste/reveal.js";
import { spoken_cards, spoken_versions } from "./prose.js";
import { or_nothing } from "./refused.js";
import { has_hidden, visible } from "./visible.js";
import { newest_by_wording } from "./wording.js";
import { WORDS } from "./words.js";

/** @import { Form, Own } from "./form.js" */

const GIB = 1073741824;
/** Reported totals of one kind of card differ by so much, GiB. */
const SAME_CARD = 0.25;
/** Those of one kind under one driver, GiB; and those of drivers of two systems, of each other. */
const EXACT = 0.02;
const WIDE = 0.02;
/** So many other cards are told at most that have the memory too. */
const MOST_OTHERS = 3;
/** Names that begin with more letters than these are of one family: A100, V100. */
const SHORT_FAMILY = 3;
/** vLLM's share for most of its life, how far a card may be from what a log accounts for, and what a log without its reserve leaves out. */
const USUAL_SHARE = 0.9;
const SLACK = 0.1;
const USUAL_RESERVE_GIB = 1.3;
/** From this compute capability on a card computes in bfloat16. */
const BFLOAT16 = 8;
const KIB = 1024;
/** Two figures of two decimals are the same, GiB; and two numbers of tokens, of each other. */
const SAME_GIB = 0.0101;
const SAME_TOKENS = 0.05;
/** Refusals whose figures are of memory; and of them those where weights and reserve leave no room. */
const OF_MEMORY = [1, 3, 4, 8, 9];
const NO_ROOM = [3, 8];
/** By this factor the tokens of a plan differ from those printed when it is of another card. */
const FAR = 1.5;
/** By this part of the card a printed pool lies outside of a plan's spread when that is of another card, version or settings. */
const FAR_POOL = 0.025;

/** Whether the page can reckon with a model by this name. @param {unknown} name */
function is_model(name) {
  return stands_for(name) !== null;
}

/** That a listed model is reckoned with in the place of what the text names. @param {unknown} model */
function model_lines(model) {
  const found = stands_for(model);
  if (found === null || found.how === "name") return [];
  return [filled(WORDS.paste[found.how === "place" ? "model_place" : "model_variant"], { model: visible(String(model)), name: found.name, method: found.method })];
}

/** Identify a start: chosen after a paste that does not name them, they complete what was read. */
const COMPLETING = ["model", "card", "total_gib", "version"];
/** What a text says of its card beside its name. */
const OF_CARD = ["total_gib", "in_use_gib"];
/**
 * What was pasted, for what is chosen afterwards.
 * @typedef {object} Read
 * @property {any} reading
 * @property {Form} form what stood there before @property {Own} own
 * @property {Record<string, any>} chosen what the reader has chosen since
 * @property {Form} taken the fields that came of it
 * @property {boolean} [left] whether the reader has gone on to another start than the text's
 */
/** @typedef {ReturnType<typeof take>} Taken */

/**
 * The fields that a reading fills. What it does not name is vLLM's default, or what the reader had chosen; card and version
 * are else those that stood there before anything was pasted, and the field of the model stays empty.
 * @param {any} given a reading @param {Form} form what stood there @param {Own} own
 * @param {Record<string, any>} [chosen] what the reader has chosen since: texts of fields, or a config in place of the model
 * @returns {{form: Form, own: Own, notes: string[], taken: string[], alone: any, itself: (asks?: string, found?: any) => any, differs: (found: any) => boolean, completes: boolean, read: Read | null, reading: any}}
 */
export function take(given, form, own, chosen = {}) {
  const nothing = { notes: [], alone: null, itself: () => null, differs: () => false, completes: true, read: null, reading: given };
  if (given.kind === "config") return { ...nothing, form: without(form, "model"), own: { model: given.asked.model, index: null }, taken: ["model"] };
  if (given.kind === "index") return { ...nothing, form, own: { ...own, index: given.asked.index }, taken: [] };
  const reading = completed(given, form, own, chosen);
  const { asked } = reading;
  const fresh = form_of(asked);
  const named = asked.model !== undefined;
  const hidden = named && has_hidden(String(asked.model));
  const known = named && !hidden && (typeof asked.model === "object" || is_model(asked.model));
  const own_words = hidden ? hidden_answer(asked.model) : printed_answer(reading, known);
  const alone = own_words === null || !named || hidden ? own_words : { ...own_words, near: near_models(asked.model) };
  /** @type {string[]} */
  const notes = [];
  const taken = Object.keys(form_of(given.asked).form);
  const next = { ...fresh.form };
  if (hidden) next.model = visible(String(asked.model));
  settle_card(reading, next, form, chosen.card === undefined ? notes : []);
  if (!named) notes.push(...(alone === null ? [filled(WORDS.paste.no_model, { model: form.model ?? WORDS.opening.model })] : []));
  else {
    if (given.asked.model === undefined && chosen.model === undefined) notes.push(filled(WORDS.paste.chosen_model, { model: form.model ?? WORDS.settings.own_model }));
    notes.push(...model_lines(asked.model));
    for (const [field, gib] of Object.entries(figures_of(reading))) next[field] = decimals(gib);
  }
  if (next.version === undefined) settle_version(reading, next, form, notes);
  if (reading.cards !== null && reading.cards > 1 && next.tensor_parallel_size === undefined) {
    notes.push(filled(WORDS.paste.cards, { cards: String(reading.cards) }));
  }
  for (const [name, text] of Object.entries(chosen)) {
    if (typeof text !== "string") continue;
    if (text === "") delete next[name];
    else next[name] = text; // as it was typed
  }
  notes.push(...share_lines(reading, () => bare_plan(next, fresh.own)));
  const read = { reading: given, form, own, chosen, taken: next };
  return { form: next, own: fresh.own, notes, taken, alone, itself: by_itself(reading, () => bare_plan(next, fresh.own)), differs: (found) => speaks_against(reading, found) || guessed_apart(reading, () => bare_plan(next, fresh.own)), completes: false, read, reading };
}

/** What a start measured, completed by what follows from it, by its fields. Graphs as they came out are none: the pool was sized by their estimate. @param {any} reading */
function figures_of({ printed: { graphs_gib: _, ...printed } }) {
  const found = measured_of(/** @type {any} */ ({ printed }));
  return found.measured_activation_gib < 0 ? without(found, "measured_activation_gib") : found;
}

/** A reading with what the reader has chosen for what it does not name. @param {any} given @param {Form} form @param {Own} own @param {Record<string, any>} chosen */
function completed(given, form, own, chosen) {
  const asked = { ...given.asked };
  for (const [name, value] of Object.entries(chosen)) {
    if (value !== "") asked[name] = name === "total_gib" ? Number(value) : value;
  }
  if (asked.model === undefined && chosen.model === undefined) {
    if (own.model !== null) asked.model = own.model;
    else if (form.model !== undefined && form.model !== WORDS.opening.model) asked.model = form.model;
  }
  const card_chosen = chosen.card ?? (form.card !== WORDS.opening.card ? form.card : undefined);
  const found = { ...given, asked, spoken: spoken_cards(given), ...(is_card(card_chosen ?? "") ? { chosen: card_chosen } : {}) };
  const version_there = form.version !== undefined && form.version !== WORDS.opening.version;
  return { ...found, version_known: version_there || version_named(found) };
}

/**
 * The same reading once more, with what the reader chooses for what it does not name; nothing where it says otherwise itself.
 * What the reader has moved since then stays moved.
 * @param {Read | null | undefined} read @param {Form} now the fields @param {string} name of what is chosen @param {any} value
 * @returns {{taken: Taken, moved: string[]} | null}
 */
export function taken_again(read, now, name, value) {
  if (!read || read.left || !COMPLETING.includes(name) || names_it(read.reading, name, value)) return null;
  const taken = take(read.reading, read.form, read.own, { ...read.chosen, [name]: value });
  return { taken, moved: moved_since(read, now) };
}

/** What was pasted, once the reader asks for another start than the text's. @param {Read | null} read @param {string} name of what is chosen @returns {{read?: Read}} */
export function left_by(read, name) {
  return read === null || !COMPLETING.includes(name) ? {} : { read: { ...read, left: true } };
}

/** Fields without what a text said of its own card: another one has another memory. @param {Read | null} read @param {Form} form @returns {Form} */
export function without_card(read, form) {
  return Object.fromEntries(Object.entries(form).filter(([name, text]) => !OF_CARD.includes(name) || read?.taken[name] !== text));
}

/** Settings that the reader has moved since a text was taken. @param {Read} read @param {Form} now */
function moved_since({ taken }, now) {
  const names = [...new Set([...Object.keys(taken), ...Object.keys(now)])];
  return names.filter((name) => !COMPLETING.includes(name) && !name.startsWith("measured_") && taken[name] !== now[name]);
}

/** Whether a text itself says what is to be chosen. @param {any} reading @param {string} name @param {any} value */
function names_it(reading, name, value) {
  const { asked, printed } = reading;
  if (name === "model") return asked.model !== undefined && (typeof asked.model === "object" || ![undefined, "variant"].includes(stands_for(asked.model)?.how));
  if (name === "version") return asked.version !== undefined;
  if (name === "total_gib") return asked.total_gib !== undefined;
  if ((asked.card !== undefined && is_card(known_card(asked.card))) || printed.gpus !== undefined) return true;
  return asked.total_gib !== undefined && is_card(value) && Math.abs(CARDS.cards[value].total_bytes[0] / GIB - asked.total_gib) > SAME_CARD;
}

/** Whether a text says which card it is of. @param {any} reading */
function card_named({ asked, printed, chosen, spoken }) {
  return spoken?.length === 1 || asked.card !== undefined || asked.total_gib !== undefined || printed.gpus !== undefined || chosen !== undefined;
}

/** Whether a text says which version it is of. @param {any} reading */
function version_named(reading) {
  return reading.asked.version !== undefined || spoken_versions(reading).length === 1;
}

/** What is to be chosen so that the rest is of the text's start. @param {any} reading */
function asks_of(reading) {
  const words = WORDS.alone;
  if (reading.version_known) return card_named(reading) ? words.ask_apart : words.ask_card;
  return card_named(reading) ? words.ask_version : words.ask_both;
}

/** What the text says by itself, where the page cannot reckon with its model, or reckons otherwise. @param {any} reading @param {() => any} bare the plan without measured figures, or nothing @returns {(asks?: string, found?: any) => any} */
function by_itself(reading, bare) {
  return (asks = asks_of(reading), found = undefined) => {
    if (reading.refusal === null) return has_started(reading) ? started_answer(reading, asks) : null;
    const answer = printed_answer(reading, false);
    if (found === undefined || answer === null || !OF_MEMORY.includes(reading.refusal.number)) return answer;
    const says = speaks_against(reading, found) ? calculated(reading, found) : `${pool_apart(bare())} ${asks}`;
    return { ...answer, sentence: `${answer.sentence} ${says}` };
  };
}

/** The plan of fields without what was measured, or nothing. @param {Form} form @param {Own} own */
function bare_plan(form, own) {
  const bare = Object.fromEntries(Object.entries(form).filter(([name]) => !name.startsWith("measured_")));
  return or_nothing(() => plan(asked_of(bare, own), false));
}

/** What pool is calculated where another one was printed. @param {any} found a plan */
function pool_apart({ about, budget }) {
  const { kv_bytes: bytes } = budget.stages[budget.stage];
  return filled(WORDS.alone.by_gib, { card: about.card_title, version: about.version, pool: fixed(bytes / GIB, 2) });
}

/** Whether a pool that was printed is far from the calculated one, while card or version are guesses. @param {any} reading @param {() => any} bare the plan without measured figures, or nothing */
function guessed_apart(reading, bare) {
  const { refusal } = reading;
  const pool = pool_of(reading);
  if (pool === undefined || (card_named(reading) && reading.version_known) || (refusal !== null && !OF_MEMORY.includes(refusal.number))) return false;
  const found = bare();
  return found !== null && is_far(pool, found.budget);
}

/** With which share a card that is known would have the pool of a start, where the default one gives far more: a question. @param {any} reading @param {() => any} bare the plan without measured figures, or nothing @returns {string[]} */
function share_lines(reading, bare) {
  const { asked, printed } = reading;
  if (asked.model === undefined || asked.gpu_memory_utilization !== undefined || !(printed.kv_gib > 0) || !card_named(reading) || !has_started(reading)) return [];
  const found = bare();
  if (found === null || !is_far(printed.kv_gib, found.budget)) return [];
  const { stages, stage, requested_bytes: requested, total_bytes: total } = found.budget;
  const share = (requested + printed.kv_gib * GIB - stages[stage].kv_bytes) / total;
  if (!(share > 0 && share * total < requested)) return [];
  const terms = { pool: fixed(printed.kv_gib, 2), calculated: fixed(stages[stage].kv_bytes / GIB, 2), card: found.about.card_title, share: fixed(share, 2) };
  return [filled(WORDS.paste.share_asked, terms)];
}

/** The pool that a text prints, GiB. @param {any} reading @returns {number | undefined} */
function pool_of({ printed, refusal }) {
  return printed.kv_gib ?? refusal?.kv_gib;
}

/** Whether a pool is far outside of what is calculated. @param {number} gib @param {any} budget @param {number} [others] what the other parts explain, GiB */
function is_far(gib, { stages, stage, total_bytes: total }, others = 0) {
  const { kv_low: low, kv_high: high } = stages[stage];
  const bytes = (gib - others) * GIB;
  return Math.max(low - bytes, bytes - high) > total * FAR_POOL;
}

/** What calculation comes to where a text was refused otherwise, and why that may be. @param {any} reading @param {any} found a plan */
function calculated(reading, { verdict, budget, about }) {
  const { refusal, asked } = reading;
  const words = WORDS.alone;
  const why = !card_named(reading) ? words.why_card : version_named(reading) ? words.why_unknown : words.why_version;
  const stage = budget.stages[budget.stage];
  const terms = {
    card: about.card_title, why, pool: fixed(stage.kv_bytes / GIB, 2), tokens: commas(budget.capacity.tokens),
    needed: fixed(verdict.needed_bytes / GIB, 2), short: words.short[verdict.refusal?.number] ?? words.short_other,
  };
  if (verdict.refusal === null) return filled(words.by_starts, terms);
  if (!same_reason(verdict, refusal)) return filled(words.by_other, terms);
  if (refusal.mamba_blocks !== undefined) return filled(words.by_slots, { ...terms, blocks: commas(verdict.refusal.terms.blocks) });
  if (refusal.needed_gib === undefined) return filled(words.by_pool, terms);
  if (asked.pipeline_parallel_size > 1) return filled(words.by_needed_stages, terms);
  return filled(words.by_needed, { ...terms, why: version_named(reading) ? words.why_unknown : words.why_version });
}

/** Whether a plan is refused for a text's reason; whether nothing is left for the pool or not even the rest goes on the card is one. @param {any} verdict @param {any} refusal */
function same_reason({ refusal: found }, { number }) {
  return found !== null && (found.number === number || (NO_ROOM.includes(found.number) && NO_ROOM.includes(number)));
}

/** Whether a plan is not of what the text says: it starts where that was refused, or the reverse, for another reason or by other figures, or holds another number of tokens. @param {any} reading @param {any} found */
function speaks_against(reading, { verdict, budget }) {
  const { refusal, printed } = reading;
  if (refusal !== null) return !same_reason(verdict, refusal) || other_figures(refusal, verdict, budget);
  if (verdict.refusal !== null) return true;
  const { tokens } = printed;
  if (!(tokens > 0) || card_named(reading)) return false;
  return budget.capacity.tokens > tokens * FAR || budget.capacity.tokens * FAR < tokens;
}

/** Whether a plan is refused for the text's reason, but by figures of its own. @param {any} refusal @param {any} verdict @param {any} budget */
function other_figures({ needed_gib: needed, tokens, mamba_blocks: blocks }, { refusal, needed_bytes: bytes }, { capacity }) {
  if (needed !== undefined && Math.abs(needed - bytes / GIB) > SAME_GIB) return true;
  if (tokens !== undefined && Math.abs(tokens - capacity.tokens) > tokens * SAME_TOKENS) return true;
  return blocks !== undefined && refusal.terms.blocks !== undefined && blocks !== refusal.terms.blocks;
}

/**
 * The answer that stands in the place of a plan's; nothing where the plan is the answer.
 * @param {Taken} taken @param {{form: Form, own: Own, errors: Record<string, string>, plan: any}} now the state with what was taken
 */
export function settled(taken, { form, own, errors, plan: found }) {
  if (taken.alone !== null) return taken.alone;
  if (form.model === undefined && own.model === null) return asking(found.command, form, own);
  const [error] = Object.entries(errors);
  // What the text itself says counts more than a plan with a card that it does not name.
  if (error === undefined) return taken.differs(found) ? taken.itself(undefined, found) : null;
  const [field, why] = error;
  const { model } = taken.form;
  const says = field !== "model" || model === undefined ? why
    : is_model(model) ? filled(WORDS.alone.not_reckoned, { model, why }) : filled(WORDS.alone.unlisted, { model });
  const alone = taken.itself(filled(WORDS.alone.ask_not_reckoned, { why })) ?? no_answer(WORDS.alone.badge_asks, says);
  return field !== "model" || model === undefined || is_model(model) ? alone : { ...alone, near: near_models(model) };
}

/** No verdict, since nobody has named the model: it is asked for. @param {string} command @param {Form} form @param {Own} own */
export function asking(command, form, own) {
  return { ...no_answer(WORDS.alone.badge_asks, WORDS.alone.ask_model), command: with_name(command, form, own), caption: WORDS.alone.caption_plain, asks: true, of_text: true };
}

/** A plan whose longest chat is no longer than vLLM itself has estimated, or has found room for; a longer one than was asked for is of another step. @param {any} found @param {{form: Form, read: Read | null}} now */
export function within_estimate(found, { form, read }) {
  const { estimated_length: estimated, tokens } = read?.reading.refusal ?? {};
  const most = estimated ?? tokens;
  if (!read || read.left || !(most > 0) || found.fixes === null || moved_since(read, form).length > 0) return found;
  const lowered = (/** @type {any} */ fix) => {
    const { max_model_len: longest, ...others } = fix.changes;
    return longest > most && longest <= found.verdict.longest && Object.keys(others).length === 0 ? { ...fix, changes: { max_model_len: most }, value: most, exact: most, tokens: 0 } : fix;
  };
  return { ...found, fixes: { ...found.fixes, fixes: found.fixes.fixes.map(lowered) } };
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

/** The card: by its name, by what the text speaks of, by its memory, or the one that stands there. @param {any} reading @param {Form} next @param {Form} form @param {string[]} notes */
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
  const spoken = spoken_card(reading, total);
  if (spoken !== null) {
    next.card = spoken.name;
    notes.push(filled(WORDS.paste.prose_card, { card: title_of(spoken.name) }));
    if (spoken.count > 1 && next.tensor_parallel_size === undefined) notes.push(filled(WORDS.paste.prose_count, { count: String(spoken.count) }));
    return;
  }
  const present = is_card(form.card ?? "") ? [form.card] : [];
  const near = nearest_card(total, present.filter((name) => name !== WORDS.opening.card), exact, reading.maker);
  const guessed = next.total_gib === undefined ? card_by_sizes(reading, present) : null;
  const several = (reading.spoken ?? []).map((/** @type {any} */ { name }) => title_of(name));
  if (guessed !== null) {
    next.card = guessed.name;
    notes.push(filled(WORDS.paste[reading.asked.gpu_memory_utilization === undefined ? "near_card_if" : "near_card"], { total: fixed(guessed.gib, 1), card: title_of(guessed.name) }));
  } else if (near !== undefined) {
    next.card = near.name;
    const others = near.others.slice(0, MOST_OTHERS).map(title_of).join(", ");
    notes.push(filled(WORDS.paste[others === "" ? "no_card" : "no_card_or"], { card: title_of(near.name), others }));
  } else if (next.total_gib === undefined) {
    // A card of one's own is nothing without its memory.
    next.card = present[0] ?? WORDS.opening.card;
    const title = is_card(next.card) ? title_of(next.card) : WORDS.settings.own_card;
    notes.push(filled(WORDS.paste[several.length > 1 ? "prose_cards" : "no_card"], { card: title, cards: several.join(", ") }));
  } else {
    next.card = OWN_CARD;
    notes.push(filled(WORDS.paste.own_card, { total: fixed(total, 2) }));
  }
}

/** @param {string} name */
function title_of(name) {
  return card(name).title;
}

/** The one card that a text speaks of, in the size that its memory says; nothing where it speaks of several. @param {any} reading @param {number} total GiB, or no number @returns {import("./prose.js").Spoken | null} */
function spoken_card({ spoken }, total) {
  if (spoken?.length !== 1) return null;
  const [only] = spoken;
  if (!(total > 0) || apart_of(only.name, total) <= total * WIDE) return only;
  const family = only.name.split("-")[0];
  const other = Object.keys(CARDS.cards).find((name) => name.split("-")[0] === family && family.length > SHORT_FAMILY && apart_of(name, total) <= SAME_CARD);
  return other === undefined ? null : { ...only, name: other };
}

/** How far a printed memory is from those that are reported of a card, GiB. @param {string} name @param {number} total GiB */
function apart_of(name, total) {
  const { total_bytes: own, also = [] } = CARDS.cards[name];
  return Math.min(...[own, ...also].map(([bytes]) => Math.abs(bytes / GIB - total)));
}

/**
 * The card whose memory is as printed: one that the reader chose, or of all that have it the one that is met most often.
 * @param {number} total GiB @param {readonly string[]} chosen @param {boolean} exact whether it was printed, and not only follows
 * @param {string} maker whose it is, as far as the text says
 * @returns {{name: string, others: string[]} | undefined}
 */
function nearest_card(total, chosen, exact, maker) {
  const owner = (/** @type {string} */ name) => CARDS.cards[name].maker;
  const usable = Object.keys(CARDS.cards).filter((name) => (maker ? owner(name) === maker : owner(name) !== "google"));
  const within = (/** @type {readonly string[]} */ names, /** @type {number} */ far) => names.filter((name) => apart_of(name, total) <= far);
  const [own] = within(chosen, SAME_CARD);
  if (own !== undefined) return { name: own, others: [] };
  const exactly = exact ? within(usable, EXACT) : [];
  // A driver of another system reports some more or less.
  const about = within(usable, SAME_CARD).concat(within(usable, total * WIDE).filter((name) => owner(name) === "nvidia"));
  const found = exactly.length > 0 ? exactly : [...new Set(about)];
  const [name, ...others] = by_frequency(found, total);
  return name === undefined ? undefined : { name, others };
}

/** Cards, those first that are met most often, and then the nearest. @param {readonly string[]} names @param {number} total GiB */
function by_frequency(names, total) {
  const { order } = WORDS.common_cards;
  const rank = (/** @type {string} */ name) => (order.includes(name) ? order.indexOf(name) : order.length);
  return [...names].sort((one, other) => rank(one) - rank(other) || apart_of(one, total) - apart_of(other, total));
}

/** The version: what the text speaks of, what the reader chose, or the newest that prints such lines. @param {any} reading @param {Form} next @param {Form} form @param {string[]} notes */
function settle_version(reading, next, form, notes) {
  const versions = spoken_versions(reading).filter((version) => or_nothing(() => rules_of(version, next.engine ?? null)) !== null);
  const worded = newest_by_wording(reading);
  const present = form.version ?? WORDS.opening.version;
  const chosen = present !== WORDS.opening.version && or_nothing(() => rules_of(present, next.engine ?? null)) !== null;
  const told = (/** @type {string} */ key) => notes.push(filled(WORDS.paste[key], { version: String(next.version), versions: versions.join(", ") }));
  if (versions.length === 1) {
    [next.version] = versions;
    told("prose_version");
    return;
  }
  if (worded === null || chosen) next.version = present;
  else {
    next.version = worded.version;
    if (next.engine === undefined && worded.engine !== rules_of(worded.version).engine) next.engine = worded.engine;
  }
  told(versions.length > 1 ? "prose_versions" : worded === null || chosen ? "no_version" : "wording_version");
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
  const [nearest] = modern.filter(holds).sort((one, other) => apart(one) - apart(other));
  const fits = nearest === undefined ? [] : by_frequency(modern.filter((each) => holds(each) && Math.abs(size(each) - size(nearest)) <= gib * WIDE), gib);
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
export function problem_lines({ asked, unknown, problems, starts }) {
  const words = WORDS.paste;
  /** @type {Record<string, string>} */
  const needs = VERSIONS.uncounted.only_with;
  const told = problems.filter((/** @type {any} */ { key, values }) => !key.startsWith("not_counted") || !needs[values.name] || needs[values.name] in asked);
  return [
    ...(starts.length > 1 ? [filled(words.starts, { count: String(starts.length) })] : []),
    ...unknown.map((/** @type {any} */ { flag, nearest }) => filled(words[nearest ? "unknown_near" : "unknown"], { flag: visible(flag), nearest })),
    ...told.map((/** @type {any} */ { key, values }) => visible(filled(WORDS.problems[key] ?? key, values))),
  ];
}

/** What was printed, beside what is calculated without it. @param {any} reading @param {any} found a plan without measured figures */
export function beside(reading, found) {
  const { budget } = found;
  const stage = budget.stages[budget.stage];
  const words = WORDS.paste;
  const figures = figures_of(reading);
  /** @type {[string, any][]} */
  const rows = [["weights", null], ["activation", null], ["non_torch", null], ["graphs", null], ["kv", stage.kv_bytes]];
  let others = 0; // GiB by which the parts before the pool differ
  const why_pool = () => {
    const pool = pool_of(reading);
    if (pool !== undefined) return is_far(pool, budget, others) ? words.why_far : words.why_kv;
    const { tokens } = budget.capacity;
    return tokens > reading.printed.tokens * FAR || tokens * FAR < reading.printed.tokens ? words.why_far : words.why_kv;
  };
  const found_rows = rows.flatMap(([part, bytes]) => {
    const printed = figures[`measured_${part}_gib`];
    if (printed === undefined) return [];
    const own = stage.parts.find((/** @type {any} */ each) => each.name === part) ?? { low: stage.kv_low, high: stage.kv_high };
    const calculated = (bytes ?? own.bytes) / GIB;
    const inside = printed >= own.low / GIB - 0.01 && printed <= own.high / GIB + 0.01;
    const why = Math.abs(printed - calculated) < 0.01 ? words.why_rounding : part === "kv" ? why_pool() : inside ? words.why_spread : words.why_other;
    if (part !== "kv") others -= printed - calculated;
    return [[WORDS.parts[part], fixed(printed, 2), fixed(calculated, 2), signed(fixed(printed - calculated, 2)), why]];
  });
  const { tokens } = reading.printed;
  const counted = budget.capacity.tokens;
  if (tokens === undefined) return found_rows;
  return [...found_rows, [WORDS.compare.tokens, commas(tokens), commas(counted), signed(commas(Math.abs(tokens - counted)), tokens < counted), tokens === counted ? words.why_rounding : why_pool()]];
}

/** @param {string} text @param {boolean} [below] */
function signed(text, below = text.startsWith("-")) {
  return `${below ? "−" : "+"}${text.replace("-", "")}`;
}

/** Names of settings that were filled, in vLLM's words. @param {readonly string[]} taken */
export function taken_names(taken) {
  return taken.filter((name) => Object.hasOwn(FIELDS, name)).join(", ");
}
