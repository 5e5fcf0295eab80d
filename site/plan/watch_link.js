// @ts-check
/** The address of the page on which a plan runs: the plan's figures for the lesson's simple model, and what it cannot hold. */

import { chat_bytes } from "../../widget/sim/vllm/capacity.js";

/** @import { Trial } from "../../widget/sim/vllm/trial.js" */

const PAGE = "watch.html";
const MOST_LONGEST = 9_999_999; // tokens: the widget reads numbers of seven digits
const CHATS = 600; // the lesson's
const BLOCK = 16; // tokens of the lesson's block
const MOST_SHARE = 100;

/** Cards that work on one token at a time. @param {any} settings */
function together(settings) {
  return settings.tp;
}

/** Bytes of one part over all cards of all stages. @param {Trial} at @param {(stage: any) => number} of */
function over_cards(at, of) {
  let bytes = 0;
  for (const stage of at.budget.stages) bytes += of(stage) * together(at.settings);
  return bytes;
}

/** What a card of a stage holds beside weights and cache: as vLLM's own sum has it, where the sum was made. @param {Trial} at @param {any} stage */
function reserve_of(at, stage) {
  const [weights, ...others] = stage.parts;
  const given = at.settings.kv_cache_memory_bytes !== null || at.settings.measured.kv_bytes !== undefined;
  const rest = at.budget.requested_bytes - stage.kv_bytes - weights.bytes;
  if (!given && rest >= 0) return rest;
  return others.reduce((/** @type {number} */ sum, /** @type {any} */ part) => sum + part.bytes, stage.others_bytes);
}

/** Bytes of cache for one token, on all cards together. @param {Trial} at */
function kv_of(at) {
  const { settings } = at;
  const longest = Math.max(1, longest_of(at));
  const bytes = over_cards(at, ({ layout }) => {
    const [only, ...others] = layout.groups;
    const plain = only !== undefined && others.length === 0 && (only.kind === "full" || only.kind === "mla") && only.block_tokens > 0;
    if (plain) return layout.block_bytes / (only.block_tokens * settings.dcp);
    return chat_bytes(settings, layout, longest) / longest;
  });
  return Math.max(1, Math.floor(bytes + 0.5));
}

/** The longest chat: where vLLM finds it itself, what it found. @param {Trial} at */
function longest_of(at) {
  /** @type {any} */
  const found = at.verdict;
  return at.settings.auto_fit && found.longest > 0 ? found.longest : at.settings.longest;
}

/** Numbers of the weights that work for one token. @param {any} model */
function active_of(model) {
  const { expert_number: number, expert_width: width, counted } = model.weights;
  if (!(number > 1 && width > 0)) return model.parameters;
  let routed = 0;
  for (const kind of counted.order) {
    for (const each of counted.templates[kind]) if (each.role === "expert") routed += each.split + each.kv + each.whole;
  }
  const idle = routed * (1 - Math.min(1, model.mlp_width / (number * width)));
  return Math.max(1, model.parameters - Math.floor(idle));
}

/** Speed of arithmetic in the plan's type of computing, operations per second. @param {any} settings */
function peak_of({ card, dtype, tp }) {
  const peaks = card.peak_flops;
  const one = peaks[dtype] ?? peaks.bfloat16 ?? peaks.float16 ?? peaks.float32 ?? Object.values(peaks)[0] ?? 0;
  return Math.floor(one * tp);
}

/** The whole percent of the memory share; where the plan sets the pool itself, the least that holds it. @param {Trial} at @param {number} held bytes of weights, reserve and pool */
function share_of(at, held) {
  const { settings, budget } = at;
  const all = budget.total_bytes * settings.tp * settings.pp;
  const set = settings.kv_cache_memory_bytes !== null || settings.measured.kv_bytes !== undefined;
  const percent = set ? Math.ceil((100 * held) / all) : Math.floor(settings.share * 100 + 1e-9);
  return Math.max(1, Math.min(MOST_SHARE, percent));
}

/** What of the plan the simple model does not hold, by key of its sentence. @param {Trial} at @param {Record<string, any>} figures */
function notes_of(at, figures) {
  const { settings, budget } = at;
  const kinds = new Set(budget.stages.flatMap(({ layout }) => layout.groups.map(({ kind }) => kind)));
  const { layout } = budget.stages[budget.stage];
  const pool = settings.kv_cache_memory_bytes !== null || settings.measured.kv_bytes !== undefined;
  /** @type {[string, boolean][]} */
  const all = [
    ["refused", at.verdict.outcome === "refuses"],
    ["hybrid", layout.hybrid || kinds.has("sliding") || kinds.has("chunked") || kinds.has("cross")],
    ["mla", kinds.has("mla")],
    ["state", layout.mamba],
    ["experts", figures.active !== undefined],
    ["quantised", settings.model.quantisation !== ""],
    ["cards", settings.tp > 1],
    ["stages", settings.pp > 1],
    ["share", figures.exact_share !== undefined],
    ["pool", pool],
    ["auto", settings.auto_fit],
    ["longest", figures.exact_longest !== undefined],
    ["block", figures.block !== undefined],
    ["seats", settings.seats > CHATS],
  ];
  return all.filter(([, holds]) => holds).map(([key]) => key);
}

/** The cards' name: how many, and which. @param {any} settings */
function card_name({ card, tp, pp }) {
  return tp * pp > 1 ? `${tp * pp} × ${card.title}` : card.title;
}

/**
 * The address of watch.html for a plan.
 *
 * Memory, weights, reserve and cache are those of all cards together; speeds are those of the cards that share a layer.
 * @param {Trial} at the plan's trial: its settings as resolved, its budget and verdict
 * @returns {string} An address relative to the plan page.
 */
export function watch_link(at) {
  const { settings, budget } = at;
  const { card, model, tp, pp } = settings;
  const longest = longest_of(at);
  const weights = over_cards(at, (stage) => stage.parts[0].bytes);
  const reserve = over_cards(at, (stage) => reserve_of(at, stage));
  const pool = over_cards(at, (stage) => Math.max(0, stage.kv_bytes));
  const active = active_of(model);
  const share = share_of(at, weights + reserve + pool);
  const tokens = budget.stages[budget.stage].layout.block_tokens;
  const set = settings.kv_cache_memory_bytes !== null || settings.measured.kv_bytes !== undefined;
  /** @type {Record<string, string | number | undefined>} */
  const figures = {
    card: card_name(settings),
    cards: tp * pp > 1 ? tp * pp : undefined,
    memory_bytes: budget.total_bytes * tp * pp,
    bandwidth: Math.floor(card.bandwidth_bytes_per_second * tp),
    peak: peak_of(settings),
    model: model.name === "" ? model.architecture || "own config" : model.name,
    parameters: model.parameters,
    active: active === model.parameters ? undefined : active,
    weights_bytes: weights,
    kv_bytes_per_token: kv_of(at),
    reserve_bytes: reserve,
    plan_share: share,
    exact_share: set || share === settings.share * 100 || Math.abs(settings.share * 100 - share) < 1e-9 ? undefined : settings.share,
    plan_longest: Math.max(1, Math.min(MOST_LONGEST, longest)),
    exact_longest: longest > MOST_LONGEST ? longest : undefined,
    block: tokens > 0 && tokens !== BLOCK ? tokens : undefined,
    plan_cap: settings.seats,
  };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(figures)) if (value !== undefined) query.set(name, String(value));
  const notes = notes_of(at, figures);
  if (notes.length > 0) query.set("notes", notes.join(","));
  return `${PAGE}?${query}`;
}
