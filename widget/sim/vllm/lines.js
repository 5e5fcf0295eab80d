// @ts-check
/**
 * What vLLM prints at a start and when it refuses, letter by letter in its version's wording and rounding.
 * @module
 */

import { capacity } from "./capacity.js";
import { graphs_beside, graphs_counted } from "./graphs.js";
import { LINES } from "./plan_facts.js";
import { one_of_names } from "./refuse.js";
import { GIB_BYTES, commas, fixed, float_text, gib, rounded } from "./rounding.js";
import { value_since } from "./versions.js";

/** @import { Budget } from "./budget.js" */
/** @import { Settings } from "./settings.js" */
/** @import { Rules } from "./versions.js" */

/** What stands for what vLLM prints and a plan cannot know, such as seconds. */
export const UNKNOWN = "…";
/** Lines of a start that vLLM prints by itself, whatever the card; the others are those of its build for the card. */
export const CORE = ["auto_fit_cut", "auto_fit_full", "blocks", "tokens", "concurrency"];
/** Refusals in the words of the build for the card; the others are the same for every card. */
export const BUILD = ["free_memory", "profiling", "out_of_memory"];
const PLACE = /\{([a-z_]+)(?:\|([a-z0-9]+))?\}/g;
const MAYBE = /\[([^[\]]*)\]/g;

/**
 * The lines that a start prints about memory, in vLLM's order.
 * @param {Settings} settings as resolved
 * @param {Budget} budget of these settings
 * @param {number | null} [longest] longest chat that is served, tokens; null for the one in the settings
 * @returns {string[]} Lines.
 * @throws {PlanError} for sizes that both languages cannot hold exactly
 */
export function start_lines(settings, budget, longest = null) {
  const terms = start_terms(settings, budget, longest ?? settings.longest);
  const holds = cases(settings, terms);
  const lines = [];
  const { read } = platform(settings);
  for (const [name, line] of Object.entries(LINES.start)) {
    const template = template_of(line, settings.rules);
    if (template !== null && holds.includes(line.when) && (read || CORE.includes(name))) lines.push(said(template, terms));
  }
  return lines;
}

/**
 * What the lines of a start mention, of the stage with the fewest blocks.
 * @param {Settings} settings as resolved
 * @param {Budget} budget of these settings
 * @param {number} longest longest chat that is served, tokens
 * @returns {Record<string, any>} Bytes, tokens, blocks and the share, by name.
 * @throws {PlanError} for sizes that both languages cannot hold exactly
 */
export function start_terms(settings, budget, longest) {
  const stage = /** @type {any} */ (budget.stages[budget.stage]);
  /** @type {Record<string, number>} */
  const sizes = Object.fromEntries(stage.parts.map((/** @type {any} */ part) => [part.name, part.bytes]));
  const { weights = 0, activation = 0, non_torch = 0, penalties = 0 } = sizes;
  const held = capacity({ ...settings, longest }, stage.layout, budget.blocks);
  const consumed = weights + non_torch + penalties;
  const counted = graphs_counted(settings) ? sizes.graphs ?? 0 : 0;
  const graphs = settings.measured.graphs_bytes ?? (counted || graphs_beside(settings));
  const free = settings.rules.consumed === "free";
  // Up to 0.26 the penalty tables count as activation, since they are PyTorch's and not weights.
  let peak = free ? activation : activation + penalties;
  if (value_since(LINES.peak_with_graphs.since, settings.rules.order)) peak += counted;
  const all_but_kv = (free ? consumed : consumed - penalties) + peak;
  const spare = all_but_kv + graphs + LINES.cushion_mib.value * 1048576;
  return {
    total_bytes: budget.total_bytes,
    free_bytes: budget.free_bytes,
    requested_bytes: budget.requested_bytes,
    share_bytes: settings.total_bytes * settings.share,
    share: settings.share,
    share_without: settings.share - counted / settings.total_bytes,
    weights_bytes: weights,
    activation_bytes: activation,
    non_torch_bytes: non_torch,
    graphs_bytes: graphs,
    torch_peak_bytes: weights + activation,
    consumed_bytes: consumed,
    peak_bytes: peak,
    within_share_bytes: budget.requested_bytes - spare,
    within_free_bytes: budget.free_bytes - spare,
    kv_bytes: stage.kv_bytes,
    blocks: held.blocks,
    cpu_blocks: cpu_blocks(budget),
    platform: platform(settings).name,
    tokens: held.tokens,
    concurrency: held.concurrency,
    longest,
    asked_longest: settings.longest,
  };
}

/** @param {Budget} budget */
function cpu_blocks(budget) {
  let least = -1;
  for (const stage of budget.stages) {
    const size = stage.layout.block_bytes;
    const blocks = size ? Math.floor((LINES.swap_gib.value * GIB_BYTES) / size) : 0;
    least = least < 0 ? blocks : Math.min(least, blocks);
  }
  return least;
}

/**
 * How vLLM's build for a card calls itself, and what of it was read.
 * @param {Settings} settings as resolved
 * @returns {Record<string, any>} Its name, its device, the maker in PyTorch's words, and whether its own lines were
 *   read; texts without unit.
 * @source `facts/vllm/lines.json`, platforms.
 */
export function platform(settings) {
  const card = settings.card;
  return LINES.platforms[card.architecture.startsWith("gaudi") ? "gaudi" : card.maker];
}

/**
 * @param {Settings} settings
 * @param {Record<string, any>} terms
 * @returns {string[]}
 */
function cases(settings, terms) {
  const reserved = settings.kv_cache_memory_bytes !== null;
  const graphs = !settings.eager && terms.graphs_bytes > 0;
  const inside = graphs && graphs_counted(settings) && !reserved;
  const cut = settings.auto_fit && terms.longest < terms.asked_longest;
  const found = {
    always: true,
    profiled: !reserved,
    reserved,
    graphs,
    graphs_inside: inside,
    graphs_outside: graphs && !inside && !reserved,
    estimated_by_v1: graphs && !reserved && settings.rules.runner === "V1",
    auto_fit_cut: cut,
    auto_fit_full: settings.auto_fit && !cut,
  };
  return Object.entries(found).filter(([, holds]) => holds).map(([name]) => name);
}

/**
 * @param {any} line
 * @param {Rules} rules
 * @returns {string | null}
 */
function template_of(line, rules) {
  const which = rules.runner === "V2" && rules.engine === "V1" && "V2" in line ? "V2" : rules.engine;
  return value_since(line[which], rules.order);
}

/**
 * What vLLM prints when it refuses to start.
 * @param {Settings} settings as resolved
 * @param {any} key name of the refusal, as in `facts/vllm/lines.json`
 * @param {Record<string, any>} terms what the message mentions: bytes, tokens, chats and names
 * @returns {string[]} Lines; none where the version does not refuse so.
 * @throws {PlanError} for a name that is none
 */
export function refusal_lines(settings, key, terms) {
  one_of_names("key", key, Object.keys(LINES.refusals));
  const { rules } = settings;
  const own_words = terms.loading === true || terms.allocating === true || rules.runner === "V2";
  const plain = key === "out_of_memory" && own_words;
  let template = plain ? LINES.out_of_memory_plain.text : template_of(LINES.refusals[key], rules);
  if (terms.scheme === true) template = LINES.scheme.text;
  if (terms.unsaid === true || (BUILD.includes(key) && !platform(settings).read)) template = null;
  return template === null ? [] : [said(template, { ...refusal_terms(settings, terms), ...terms })];
}

/**
 * @param {Settings} settings
 * @param {Record<string, any>} terms
 */
function refusal_terms(settings, terms) {
  const stages = value_since(LINES.pool_by_stages.since, settings.rules.order) ? settings.pp : 1;
  return {
    total_bytes: settings.total_bytes,
    free_bytes: settings.free_bytes,
    share: settings.share,
    longest: settings.longest,
    model_longest: settings.model.longest,
    seats: settings.seats,
    batched_tokens: settings.batched_tokens,
    dummies: Math.min(settings.seats, settings.batched_tokens),
    heads: settings.model.heads,
    tp: settings.tp,
    card: settings.card.title,
    capability: settings.card.capability,
    device: platform(settings).device,
    maker: platform(settings).maker,
    estimated_longest: 0,
    pool_tokens: Math.floor((terms.blocks ?? 0) / stages) * (terms.block_tokens ?? 0),
  };
}

/**
 * A template with its terms: brackets where a length fits, numbers as vLLM writes them.
 * @param {string} template text with {name} or {name|form}
 * @param {Record<string, any>} terms numbers, of any unit, and names
 * @returns {string} The text.
 */
export function said(template, terms) {
  const fits = (terms.estimated_longest ?? 0) > 0;
  const text = template.replace(MAYBE, (_, inside) => (fits ? inside : ""));
  return text.replace(PLACE, (_, name, form) => shown(terms, name, form));
}

/**
 * @param {Record<string, any>} terms
 * @param {string} name
 * @param {string | undefined} form
 * @returns {string}
 */
function shown(terms, name, form) {
  const value = Object.hasOwn(terms, name) ? terms[name] : null;
  if (value === null || value === undefined) return UNKNOWN;
  if (form === undefined) return typeof value === "string" ? value : String(value < 0 ? -Math.floor(-value) : Math.floor(value));
  return /** @type {(value: number) => string} */ (FORMS[form])(value);
}

/** @type {Record<string, (value: number) => string>} */
const FORMS = {
  gib: (value) => rounded(gib(value), 2),
  gib2: (value) => fixed(gib(value), 2),
  gib4: (value) => fixed(gib(value), 4),
  commas,
  fixed2: (value) => fixed(value, 2),
  fixed4: (value) => fixed(value, 4),
  float: float_text,
};
