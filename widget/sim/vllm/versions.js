// @ts-check
/**
 * Which rules a release of vLLM follows: its number is read, and every rule that depends on it is looked up.
 * @module
 */

import { VERSIONS } from "./plan_facts.js";
import { PlanError, one_of_names } from "./refuse.js";

/**
 * The number of a release, taken apart.
 * @typedef {object} Version
 * @property {string} text the number as it is written, with two points at least
 * @property {number[]} order numbers without unit that put releases in order; of two versions the one with the larger
 *   list is newer
 * @property {boolean} about whether it was given as “about”, with a ~
 */

/**
 * What depends on the version.
 * @typedef {object} Rules
 * @property {string} version the version as it was read
 * @property {number[]} order numbers without unit that put releases in order
 * @property {string} base the release whose rules these are
 * @property {"read" | "between" | "newer" | "old"} status “read” for a release that was read, “between” for one between
 *   two of those, “newer” for one that is newer than all of them, “old” for one of which little is known
 * @property {boolean} read false for a version that is newer than the facts
 * @property {"V0" | "V1"} engine V0 or V1
 * @property {"V1" | "V2"} runner model runner of most models, V1 or V2
 * @property {boolean} penalties whether that runner keeps a table of penalties for each seat
 * @property {number} share default of gpu_memory_utilization, from 0 to 1
 * @property {"outside" | "off_by_default" | "inside"} graphs whether CUDA graphs are counted: “outside”,
 *   “off_by_default” or “inside”
 * @property {boolean} null_block whether one block is kept back in the test at the start
 * @property {boolean} override_fits whether num_gpu_blocks_override counts in that test
 * @property {boolean} chunked whether prompts are cut into chunks by default
 * @property {number} chunked_above_tokens length above which V0 does so by itself, tokens; 0 is never
 * @property {number} chunked_tokens default of max_num_batched_tokens of V0 with chunks, tokens
 * @property {number} multimodal_tokens least default of max_num_batched_tokens of V0 for images, tokens
 * @property {boolean} prefix_caching whether prefixes are kept by default
 * @property {boolean} state_prefixes whether that is so for models that keep states
 * @property {boolean} async_default whether a step is planned while another runs, by default
 * @property {number} async_factor batches in flight for which a sliding window keeps room then, as a whole number
 *   without unit
 * @property {boolean} async_pipeline whether that works with pipeline parallel
 * @property {boolean} hybrid whether layers of several kinds have groups of their own in the cache
 * @property {"blocks" | "v1_tokens" | "groups" | "per_chat"} capacity how tokens and concurrency are printed
 * @property {boolean} counts_others whether what others hold on the card is taken from the share
 * @property {boolean} free_check whether free memory must hold the share at the start
 * @property {boolean} auto_fit whether the longest may be “auto”
 * @property {boolean} kv_cache_memory whether the setting kv_cache_memory_bytes exists
 * @property {boolean} mamba_seats_check whether seats above the Mamba blocks are refused
 * @property {boolean} cuts whether an answer that would pass the longest is cut, not refused
 * @property {"parts" | "free"} consumed how memory that stays is measured: “parts” or “free”
 * @property {string} tiers which cards have more seats and tokens by default
 * @property {boolean} tokens_within_seats whether default tokens a step are at most seats × longest
 * @property {boolean} seats_within_tokens whether default seats are at most tokens a step
 * @property {boolean} chunked_fixed whether V1 cuts prompts into chunks whatever was asked
 * @property {boolean} context_parallel whether decode context parallel exists
 * @property {"float16" | "preferred"} float32_to what float32 weights become: “float16” or “preferred”
 * @property {boolean} dtype_falls_back whether dtype auto avoids what the card cannot do
 * @property {number[]} block_sizes block sizes that are allowed, tokens; an empty list allows all
 * @property {"" | "mla" | "all"} block_multiple whose blocks are multiples of 16 tokens: “mla” for latent attention, “all”
 *   for any, or nothing
 * @property {string[]} kv_dtypes types of the cache that are counted
 * @property {"round" | "fixed"} rounding how GiB are printed: “round” or “fixed”
 */

// ~0.6.4, v0.11.0, 0.6.6.post1, 0.15.2rc1.dev93, 0.24.0+cu128: Python's own form of versions, without epochs.
const FORM =
  /^(~?)v?([0-9]{1,6})\.([0-9]{1,6})(?:\.([0-9]{1,6}))?(?:\.([0-9]{1,6}))?(?:\.?(a|b|rc)([0-9]{1,6}))?(?:\.?post([0-9]{1,6}))?(?:\.?dev([0-9]{1,9}))?(?:\+[0-9A-Za-z.]{1,60})?$/;
const STAGES = ["", "a", "b", "rc"];
const FINAL = 4;

/**
 * The number of a release from its text: 0.33, v0.11.0, 0.6.6.post1, 0.8.5.dev274, 0.24.0+cu128, ~0.6.4.
 *
 * A development version comes before its release, as Python orders versions; a release candidate counts as its
 * release, since it has its rules.
 * @param {any} text the version as somebody wrote it
 * @returns {Version} Its parts; numbers without unit.
 * @throws {PlanError} for anything else
 * @source Python's version scheme, PEP 440.
 */
export function read_version(text) {
  const match = typeof text === "string" ? FORM.exec(text) : null;
  if (!match) throw new PlanError("version", text, "version");
  const [, about, ...numbers] = match;
  const release = numbers.slice(0, 4).map((number) => Number(number ?? 0));
  const [stage, stage_number, post, dev] = numbers.slice(4);
  const candidate = stage && dev !== undefined ? [STAGES.indexOf(stage), Number(stage_number)] : [FINAL, 0];
  const before = stage === undefined && post === undefined && dev !== undefined;
  const order = [...release, ...(before ? [0, 0] : candidate)];
  order.push(Number(post ?? 0), dev === undefined ? 1 : 0, Number(dev ?? 0));
  return { text: written(numbers, release), order, about: about === "~" };
}

/**
 * @param {(string | undefined)[]} numbers
 * @param {number[]} release
 */
function written(numbers, release) {
  let text = (numbers[3] === undefined ? release.slice(0, 3) : release).join(".");
  const [stage, stage_number, post, dev] = numbers.slice(4);
  if (stage) text += `${stage}${Number(stage_number ?? 0)}`;
  if (post !== undefined) text += `.post${Number(post)}`;
  return dev === undefined ? text : `${text}.dev${Number(dev)}`;
}

/**
 * Whether a version is some release or newer.
 * @param {number[]} order numbers without unit that put the version in order
 * @param {string} version number of the release
 * @returns {boolean} Whether it is.
 * @throws {PlanError} for a release that is no version
 */
export function at_least(order, version) {
  return !before(order, order_of(version));
}

/**
 * Whether a version is a release and no development version, of which nobody knows what it has.
 * @param {number[]} order numbers without unit that put the version in order
 * @returns {boolean} Whether it is.
 */
export function is_release(order) {
  return order[7] === 1;
}

/**
 * @param {number[]} one
 * @param {number[]} other
 */
function before(one, other) {
  for (let i = 0; i < one.length; i++) {
    const [a, b] = /** @type {[number, number]} */ ([one[i], other[i]]);
    if (a !== b) return a < b;
  }
  return false;
}

/**
 * The value that holds at a version, from a list of [release, value], the oldest first.
 * @param {any[]} since releases and the value that each brought
 * @param {number[]} order numbers without unit that put the version in order
 * @returns {any} The value of the newest release in the list that is not newer than the version; the first one's before it.
 * @throws {PlanError} for a release that is no version
 */
export function value_since(since, order) {
  let found = since[0][1];
  for (const [version, value] of since) if (!before(order, order_of(version))) found = value;
  return found;
}

/** @type {Map<string, number[]>} */
const ORDERS = new Map();

/** @param {string} version */
function order_of(version) {
  // Every plan asks for the same few dozen releases.
  let order = ORDERS.get(version);
  if (!order) {
    order = read_version(version).order;
    ORDERS.set(version, order);
  }
  return order;
}

/**
 * The rules of a version; of one that was not read those of the nearest older release.
 * @param {any} version the version as somebody wrote it
 * @param {any} [engine] V0 or V1 to have the other engine where a version has both; null for its default
 * @returns {Rules} Every rule that depends on the version; the length that V0 cuts at in tokens.
 * @throws {PlanError} for a version that is none or older than the facts, and for an engine that it does not have
 * @source `facts/vllm/vllm.json`, with a source for each rule.
 */
export function rules_of(version, engine = null) {
  const number = read_version(version);
  const order = number.order;
  if (!at_least(order, VERSIONS.oldest)) throw new PlanError("version", version, "version_from", { oldest: VERSIONS.oldest });
  const which = engine_of(order, number.text, engine);
  const [base, status] = base_of(order);
  const runner = runner_of(order, "", true, false, false);
  const rules = Object.entries(VERSIONS.rules).map(([name, rule]) => [name, value_since(/** @type {any} */ (rule)[which], order)]);
  return {
    ...{ version: number.text, order, base, status, read: status !== "newer", engine: which },
    ...{ runner: which === "V1" ? runner : "V1", penalties: which === "V1" && runner === "V2" },
    .../** @type {any} */ (Object.fromEntries(rules)),
  };
}

/**
 * @param {number[]} order
 * @param {string} text
 * @param {any} engine
 */
function engine_of(order, text, engine) {
  const facts = VERSIONS.engines;
  const possible = [];
  if (!at_least(order, facts.v0_gone)) possible.push("V0");
  if (at_least(order, facts.v1_possible)) possible.push("V1");
  if (engine === null || engine === undefined) return at_least(order, facts.v1_default) ? "V1" : "V0";
  one_of_names("engine", engine, ["V0", "V1"]);
  if (!possible.includes(engine)) throw new PlanError("engine", engine, "engine_of", { version: text, names: possible.join(", ") });
  return engine;
}

/**
 * @param {number[]} order
 * @returns {[string, string]}
 */
function base_of(order) {
  const base = value_since(VERSIONS.releases.map((/** @type {string} */ release) => [release, release]), order);
  // A post release has the rules of its release; a development version is not the release.
  const same = order_of(base).slice(0, 6).join() === order.slice(0, 6).join() && order[7] === 1;
  const newest = order_of(VERSIONS.newest);
  if (!before(order, newest) && order.slice(0, 2).join() !== newest.slice(0, 2).join()) return [base, "newer"];
  if (!at_least(order, VERSIONS.well_known)) return [base, "old"];
  return [base, same ? "read" : "between"];
}

/**
 * The model runner that a version takes for a model, V1 or V2.
 * @param {number[]} order numbers without unit that put the version in order
 * @param {string} architecture name of the model's class in its config.json
 * @param {boolean} mixture whether it is a mixture of experts
 * @param {boolean} quantised whether its weights are quantised
 * @param {boolean} hybrid whether it has layers that keep a state
 * @returns {"V1" | "V2"} V1 or V2.
 * @throws {PlanError} for a release that is no version
 * @source `facts/vllm/vllm.json`, section `runner`.
 */
export function runner_of(order, architecture, mixture, quantised, hybrid) {
  const rule = value_since(VERSIONS.runner.since, order);
  if (rule.all) return "V2";
  if (quantised && !rule.quantised) return "V1";
  if (rule.names.includes(architecture)) return "V2";
  return rule.dense && !mixture && !hybrid ? "V2" : "V1";
}
