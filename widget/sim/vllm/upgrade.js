// @ts-check
/**
 * Two versions, one plan: what changes, part by part, with the rule that changed.
 * @module
 */

import { command } from "./command.js";
import { fixes_of } from "./fixes.js";
import { PlanError } from "./refuse.js";
import { carried_from, changed, trial } from "./trial.js";
import { trimmed } from "./values.js";

/** @typedef {import("./fixes.js").Fixes} Fixes */
/** @typedef {import("./trial.js").Trial} Trial */

/**
 * Parts of the budget, each with the rules that may have changed it, the likeliest first.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
export const PARTS = { requested: ["share"], weights: ["engine"], activation: ["tiers", "runner", "chunked", "tokens_within_seats", "seats_within_tokens", "engine"], non_torch: ["consumed", "counts_others", "engine"], penalties: ["penalties"], graphs: ["graphs"], kv: ["share", "graphs", "penalties", "tiers", "counts_others", "consumed", "engine"] };
/** Settings whose defaults depend on the version, by their names in the resolved settings. */
export const CHOSEN = ["share", "seats", "batched_tokens", "chunked", "asynchronous", "prefix_caching", "dtype", "graphs_counted"];
/**
 * Settings, each with the rules that may have changed its default.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
export const BY_RULES = { share: ["share"], seats: ["tiers", "seats_within_tokens", "engine"], batched_tokens: ["tiers", "tokens_within_seats", "chunked", "engine"], chunked: ["chunked", "engine"], asynchronous: ["async_default", "engine"], prefix_caching: ["prefix_caching", "engine"], dtype: ["dtype_falls_back", "float32_to"], graphs_counted: ["graphs"] };

/**
 * One part of the budget in both versions.
 * @typedef {object} PartChange
 * @property {string} name name of the part; "requested" is the share of the card, "kv" the pool
 * @property {number} before in the first version, bytes
 * @property {number} after in the second version, bytes
 * @property {number} more after − before, bytes
 * @property {string} rule name of the rule that changed it, or nothing
 */

/**
 * One setting whose default differs.
 * @typedef {object} SettingChange
 * @property {string} name name in the resolved settings
 * @property {any} before its value in the first version, in its own unit
 * @property {any} after its value in the second version, in its own unit
 * @property {string} rule name of the rule that changed it, or nothing
 */

/**
 * What becomes of a plan in another version.
 * @typedef {object} Upgrade
 * @property {string[]} versions both versions
 * @property {string[]} outcomes both outcomes
 * @property {PartChange[]} parts the parts of the budget
 * @property {SettingChange[]} settings settings whose values differ
 * @property {string[]} rules names of all rules that differ
 * @property {number[]} tokens what the pool holds in both, tokens as printed
 * @property {number[]} concurrency longest chats at once in both, chats as printed
 * @property {number[]} blocks the pool in both, blocks
 * @property {Fixes | null} fixes what to change in the second version where it refuses, or nothing
 * @property {string[]} commands both commands
 */

/**
 * The same settings under two versions of vLLM.
 *
 * What was measured belongs to the first version and is carried over to the second.
 * @param {any} asked settings by vLLM's names; its version is not read
 * @param {any} before the version that runs now
 * @param {any} after the version to change to
 * @returns {Upgrade} What changes, part by part.
 * @throws {PlanError} for a setting that cannot be used in one of them
 */
export function compare(asked, before, after) {
  if (typeof asked !== "object" || asked === null || Array.isArray(asked)) {
    throw new PlanError("settings", asked, "object");
  }
  const one = trial(trimmed({ ...asked, version: before }));
  const other = trial(changed(one, trimmed({ version: after })), null, true, carried_from(one));
  const rules = rules_that_differ(one, other);
  const refuses = other.verdict.outcome === "refuses";
  const both = [one.budget, other.budget];
  return {
    versions: [one.settings.rules.version, other.settings.rules.version],
    outcomes: [one.verdict.outcome, other.verdict.outcome],
    parts: parts_of(one, other, rules),
    settings: settings_of(one, other, rules),
    rules,
    tokens: both.map((each) => each.capacity.tokens),
    concurrency: both.map((each) => each.capacity.concurrency),
    blocks: both.map((each) => each.blocks),
    fixes: refuses ? fixes_of(other) : null,
    commands: [command_of(one), command_of(other)],
  };
}

/**
 * @param {Trial} at
 * @returns {string}
 */
function command_of(at) {
  try {
    return command(at.asked);
  } catch (error) {
    if (error instanceof PlanError) return "";
    throw error;
  }
}

/**
 * @param {Trial} one
 * @param {Trial} other
 * @returns {string[]}
 */
function rules_that_differ(one, other) {
  /** @type {any} */
  const before = one.settings.rules;
  /** @type {any} */
  const after = other.settings.rules;
  const names = ["version", "order", "base", "status", "read"];
  return Object.keys(before).filter((name) => !names.includes(name) && !same(before[name], after[name]));
}

/**
 * @param {any} one
 * @param {any} other
 * @returns {boolean}
 */
function same(one, other) {
  if (!Array.isArray(one) || !Array.isArray(other)) return one === other;
  return one.length === other.length && one.every((each, i) => each === other[i]);
}

/**
 * @param {string[]} rules
 * @param {readonly string[]} names
 * @returns {string}
 */
function first(rules, names) {
  for (const name of names) if (rules.includes(name)) return name;
  return "";
}

/**
 * @param {Trial} one
 * @param {Trial} other
 * @param {string[]} rules
 * @returns {PartChange[]}
 */
function parts_of(one, other, rules) {
  const before = bytes_of(one);
  const after = bytes_of(other);
  const found = Object.entries(PARTS).map(([name, names]) => {
    const now = before[name] ?? 0;
    const then = after[name] ?? 0;
    return { name, before: now, after: then, more: then - now, rule: now !== then ? first(rules, names) : "" };
  });
  const pool = found[found.length - 1];
  pool.rule = pool_rule(pool.more, found) || pool.rule;
  return found;
}

/**
 * @param {number} more
 * @param {PartChange[]} parts
 * @returns {string}
 */
function pool_rule(more, parts) {
  // The rule of the part that moved the pool most in the direction in which it went.
  let most = 0;
  let rule = "";
  for (const part of parts) {
    const gain = part.name === "requested" ? part.more : 0 - part.more;
    const pushed = more > 0 ? gain : 0 - gain;
    if (part.name !== "kv" && part.rule && pushed > most) {
      most = pushed;
      rule = part.rule;
    }
  }
  return rule;
}

/**
 * @param {Trial} at
 * @returns {Record<string, number>}
 */
function bytes_of(at) {
  const stage = at.budget.stages[at.budget.stage];
  /** @type {Record<string, number>} */
  const parts = {};
  for (const part of stage.parts) parts[part.name] = part.bytes;
  return { ...parts, requested: at.budget.requested_bytes, kv: stage.kv_bytes };
}

/**
 * @param {Trial} one
 * @param {Trial} other
 * @param {string[]} rules
 * @returns {SettingChange[]}
 */
function settings_of(one, other, rules) {
  /** @type {any} */
  const before = one.settings;
  /** @type {any} */
  const after = other.settings;
  const names = CHOSEN.filter((name) => before[name] !== after[name]);
  return names.map((name) => ({
    name,
    before: before[name],
    after: after[name],
    rule: first(rules, BY_RULES[name]),
  }));
}
