// @ts-check
/**
 * The whole plan in one record: settings, budget, verdict, what to change or how far it goes, and the command.
 * @module
 */

import { command } from "./command.js";
import { demand_fixes, demand_of, read_chats } from "./demand.js";
import { fixes_of } from "./fixes.js";
import { VERSIONS } from "./plan_facts.js";
import { reach_of, rooms_of } from "./reach.js";
import { PlanError } from "./refuse.js";
import { by_cuda } from "./reserve.js";
import { trial } from "./trial.js";
import { trimmed } from "./values.js";

/** @typedef {import("./budget.js").Budget} Budget */
/** @typedef {import("./demand.js").Demand} Demand */
/** @typedef {import("./fixes.js").Fixes} Fixes */
/** @typedef {import("./reach.js").Reach} Reach */
/** @typedef {import("./reach.js").Room} Room */
/** @typedef {import("./trial.js").Trial} Trial */
/** @typedef {import("./verdict.js").Verdict} Verdict */

/** Settings that a plan shows, by vLLM's name and by the name in the resolved settings. */
export const SHOWN = [["gpu_memory_utilization", "share"], ["max_model_len", "longest"], ["max_num_seqs", "seats"], ["max_num_batched_tokens", "batched_tokens"], ["tensor_parallel_size", "tp"], ["pipeline_parallel_size", "pp"], ["decode_context_parallel_size", "dcp"], ["dtype", "dtype"], ["kv_cache_dtype", "kv_dtype"], ["enforce_eager", "eager"], ["enable_chunked_prefill", "chunked"], ["async_scheduling", "asynchronous"], ["enable_prefix_caching", "prefix_caching"], ["estimate_cudagraphs", "graphs_counted"], ["kv_cache_memory_bytes", "kv_cache_memory_bytes"], ["num_gpu_blocks_override", "blocks_override"]];
/** Settings whose default is the model's. */
export const BY_MODEL = ["max_model_len", "dtype"];
/** Settings that are the plan's own, not vLLM's. */
export const OWN = ["require_chats"];

/**
 * A setting as it was resolved.
 * @typedef {object} Shown
 * @property {string} name vLLM's name
 * @property {any} value what it is, in its own unit
 * @property {string} origin "given", "model" or "default" of the version
 */

/**
 * What the plan is about.
 * @typedef {object} About
 * @property {string} version version of vLLM
 * @property {string} engine "V0" or "V1"
 * @property {string} runner model runner, "V1" or "V2"
 * @property {string} rules "read" where the release was read, "between" two that were, "newer" than all, "old"
 * @property {string} rules_of release whose rules are used
 * @property {string} card name of the card
 * @property {string} card_title the card, to be read
 * @property {string} total_kind where the card's memory is from: "log", "documentation" or "unverified"; "given" where
 *   it was
 * @property {string} model name of the model
 * @property {string} architecture the model's class
 * @property {number} parameters parameters of the model
 * @property {string} parameters_kind where their number is from: "index", "counted" or "published"
 * @property {string} quantisation how the weights are stored, or nothing
 */

/**
 * Whether it will start, and everything that leads there.
 * @typedef {object} Plan
 * @property {About} about version, card and model
 * @property {Shown[]} settings as resolved, each with its origin
 * @property {Budget} budget who has how much of a card, with kinds and spreads
 * @property {Verdict} verdict whether it starts, what vLLM prints, dangers, how sure it is
 * @property {Room[]} rooms how many chats of typical lengths fit at once; none where it does not start
 * @property {Fixes | null} fixes what to change, or nothing where nothing is asked for
 * @property {Reach | null} reach how far each lever goes, or nothing where it does not start
 * @property {Demand | null} demand chats that were required, or nothing
 * @property {string[]} guesses what was guessed about the model
 * @property {string[]} not_counted what was asked for and is not counted
 * @property {string} command the command with these settings
 * @property {string} fixed_command the command with the cheapest change that a command can make, or nothing where there is none
 */

/**
 * Whether vLLM starts with these settings, why, what to change, and the command.
 * @param {any} asked settings by vLLM's names, and require_chats such as "8x32000"; a measured_kv_gib in GiB is taken
 *   as it is, and holds for exactly the settings of the log that it is from
 * @param {boolean} [with_fixes=true] whether to look for changes and for how far each lever goes, which takes most of
 *   the time
 * @returns {Plan} The plan.
 * @throws {PlanError} for a setting that cannot be used
 */
export function plan(asked, with_fixes = true) {
  if (typeof asked !== "object" || asked === null || Array.isArray(asked)) {
    throw new PlanError("settings", asked, "object");
  }
  asked = trimmed(asked);
  const chats = (asked.require_chats ?? null) === null ? null : read_chats(asked.require_chats);
  const at = trial(Object.fromEntries(Object.entries(asked).filter(([name]) => !OWN.includes(name))));
  const starts = at.verdict.outcome !== "refuses";
  const demand = chats === null ? null : demand_of(at, chats);
  const fixes = with_fixes ? fixes_for(at, starts, chats, demand) : null;
  return {
    about: about_of(at),
    settings: shown_of(at),
    budget: at.budget,
    verdict: at.verdict,
    rooms: starts ? rooms_of(at) : [],
    fixes,
    reach: starts && with_fixes ? reach_of(at) : null,
    demand,
    guesses: at.settings.model.guesses,
    not_counted: [...at.settings.model.not_counted, ...uncounted(at), ...other_build(at.settings)],
    command: command(at.asked),
    fixed_command: fixed_command(at, fixes),
  };
}

/**
 * @param {Trial} at
 * @returns {string[]}
 */
function uncounted(at) {
  // An adapter's rank says nothing where there are no adapters, and no size is no flag.
  const names = at.settings.not_counted;
  const needs = VERSIONS.uncounted.only_with;
  return names.filter((name) => at.asked[name] !== 0 && names.includes(needs[name] ?? name));
}

/**
 * @param {any} settings
 * @returns {string[]}
 */
function other_build(settings) {
  return by_cuda(settings) ? [] : ["other_build"];
}

/**
 * @param {Trial} at
 * @param {boolean} starts
 * @param {number[][] | null} chats
 * @param {Demand | null} demand
 * @returns {Fixes | null}
 */
function fixes_for(at, starts, chats, demand) {
  if (chats !== null && demand !== null && !demand.met) return demand_fixes(at, chats);
  return starts ? null : fixes_of(at);
}

/**
 * @param {Trial} at
 * @param {Fixes | null} fixes
 * @returns {string}
 */
function fixed_command(at, fixes) {
  if (fixes === null || fixes.none) return "";
  try {
    const able = fixes.fixes.filter((fix) => Object.keys(fix.changes).join() !== "in_use_gib");
    return able.length === 0 ? "" : command({ ...at.asked, ...able[0].changes });
  } catch (error) {
    if (error instanceof PlanError) return "";
    throw error;
  }
}

/**
 * @param {Trial} at
 * @returns {About}
 */
function about_of(at) {
  const settings = at.settings;
  const { rules, card, model } = settings;
  return {
    version: rules.version,
    engine: rules.engine,
    runner: rules.runner,
    rules: rules.status,
    rules_of: rules.base,
    card: card.name,
    card_title: card.title,
    total_kind: settings.given.includes("total_gib") ? "given" : card.total_kind,
    model: model.name,
    architecture: model.architecture,
    parameters: model.parameters,
    parameters_kind: model.parameters_kind,
    quantisation: model.quantisation,
  };
}

/**
 * @param {Trial} at
 * @returns {Shown[]}
 */
function shown_of(at) {
  /** @type {any} */
  const settings = at.settings;
  const found = [];
  for (const [name, own] of SHOWN) {
    if (settings[own] === null) continue;
    const model = BY_MODEL.includes(name) ? "model" : "default";
    found.push({ name, value: settings[own], origin: settings.given.includes(name) ? "given" : model });
  }
  return found;
}
