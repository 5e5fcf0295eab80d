// @ts-check
/**
 * What somebody asked, checked value by value: numbers, yes and no, lengths as vLLM's command line reads them.
 * @module
 */

import { VERSIONS } from "./plan_facts.js";
import { PlanError } from "./refuse.js";

/**
 * The largest hidden size, width, head count or vocabulary that is read: 2^24 values.
 * @source A choice: the largest vocabulary of the facts has 262,400 words.
 */
export const MOST_WIDTH = 16777216;

/**
 * Settings whose texts have no blanks before and behind, as they come along when a name is copied.
 * @param {Record<string, any>} asked settings by vLLM's names
 * @returns {Record<string, any>} Settings by vLLM's names.
 */
export function trimmed(asked) {
  const parts = Object.entries(asked).map(([name, value]) => [name, typeof value === "string" ? value.trim() : value]);
  return Object.fromEntries(parts);
}

/**
 * A whole number in a range; 5.0 is 5, as JSON has one kind of number.
 * @param {string} setting name of the setting or field, for the refusal
 * @param {any} value what was given
 * @param {number} least the smallest that is allowed, in its own unit
 * @param {number} [most] the largest that is allowed, in its own unit
 * @returns {number} The value, in its own unit.
 * @throws {PlanError} for anything else
 */
export function whole_of(setting, value, least, most = MOST_WIDTH) {
  if (!is_number(value) || !(least <= value && value <= most) || Math.floor(value) !== value) {
    throw new PlanError(setting, value, "whole_of", { least, most });
  }
  // JavaScript has a zero below zero.
  return value + 0;
}

/**
 * A number in a range.
 * @param {string} setting name of the setting or field, for the refusal
 * @param {any} value what was given
 * @param {number} least the smallest that is allowed, in its own unit
 * @param {number} most the largest that is allowed, in its own unit
 * @returns {number} The value, in its own unit.
 * @throws {PlanError} for anything else
 */
export function number_of(setting, value, least, most) {
  if (!is_number(value) || !(least <= value && value <= most)) throw new PlanError(setting, value, "number_of", { least, most });
  return value;
}

/**
 * A memory share: above 0, at most 1.
 * @param {string} setting name of the setting, for the refusal
 * @param {any} value what was given
 * @returns {number} The share, from 0 to 1.
 * @throws {PlanError} for anything else
 */
export function share_of(setting, value) {
  if (!is_number(value) || !(value > 0 && value <= 1)) throw new PlanError(setting, value, "share_of");
  return value;
}

/**
 * The value itself if it is true or false.
 * @param {string} setting name of the setting or field, for the refusal
 * @param {any} value what was given
 * @returns {boolean} The value.
 * @throws {PlanError} for anything else
 */
export function yes_no_of(setting, value) {
  if (typeof value !== "boolean") throw new PlanError(setting, value, "true_false");
  return value;
}

/**
 * Whether a value is a number; true and false are none.
 * @param {any} value what was given
 * @returns {boolean} Whether it is.
 */
export function is_number(value) {
  return typeof value === "number";
}

const TEXT = /^([0-9]{1,15})(\.[0-9]{1,6})?([kKmMgG]?)$/;
/** @type {Readonly<Record<string, number>>} */
const UNITS = { "": 1, k: 1000, K: 1024, m: 1000000, M: 1048576, g: 1000000000, G: 1073741824 };

/**
 * A whole number from 1, or its text as vLLM's command line reads it: 4k is 4,000, 4K is 4,096, 25.6k is 25,600.
 * @param {string} setting name of the setting, for the refusal
 * @param {any} value what was given
 * @param {number} most the largest that is allowed, in the setting's own unit
 * @param {string} rule key of the rule in `facts/vllm/allowed.json`
 * @returns {number} The number, in the setting's own unit.
 * @throws {PlanError} for anything else
 * @source vLLM 0.33.0, `human_readable_int`.
 */
export function counted_text(setting, value, most, rule) {
  let found = value;
  const match = typeof value === "string" ? TEXT.exec(value) : null;
  if (match) {
    const [, whole = "", point = "", unit = ""] = match;
    // A point is allowed with k, m and g only.
    if (point === "" || ["k", "m", "g"].includes(unit)) {
      found = Math.floor(Number(whole + point) * /** @type {number} */ (UNITS[unit]));
    }
  }
  if (!is_number(found) || !(found >= 1 && found <= most) || Math.floor(found) !== found) {
    throw new PlanError(setting, value, rule, { most });
  }
  return found;
}

/**
 * A setting as it was asked, or a default.
 * @param {Record<string, any>} asked settings by vLLM's names
 * @param {string} name name of the setting
 * @param {any} fallback what stands for it, in the setting's own unit
 * @returns {any} The value, in the setting's own unit.
 */
export function value_or(asked, name, fallback) {
  const value = Object.hasOwn(asked, name) ? asked[name] : null;
  return value === null || value === undefined ? fallback : value;
}

/**
 * A switch as it was asked, or null.
 * @param {Record<string, any>} asked settings by vLLM's names
 * @param {string} name name of the setting
 * @returns {boolean | null} True or false, or null.
 * @throws {PlanError} for what is neither
 */
export function switch_of(asked, name) {
  const value = value_or(asked, name, null);
  return value === null ? null : yes_no_of(name, value);
}

/**
 * A switch as it was asked, or a default.
 * @param {Record<string, any>} asked settings by vLLM's names
 * @param {string} name name of the setting
 * @param {boolean} fallback what stands for it
 * @returns {boolean} True or false.
 * @throws {PlanError} for what is neither
 */
export function switch_or(asked, name, fallback) {
  return switch_of(asked, name) ?? fallback;
}

/**
 * Which settings were given, and which of them cost memory that is not counted.
 * @param {Record<string, any>} asked settings by vLLM's names
 * @returns {[string[], string[]]} Names of settings that are counted, in the order of the facts, and names of those that are not.
 * @throws {PlanError} for a name that is neither; the nearest name is named
 */
export function known(asked) {
  /** @type {string[]} */
  const names = VERSIONS.settings.map((/** @type {any} */ setting) => setting.name);
  /** @type {string[]} */
  const others = VERSIONS.uncounted.names;
  for (const name of Object.keys(asked)) {
    if (!names.includes(name) && !others.includes(name)) {
      throw new PlanError(name, asked[name], "known_setting_near", { near: nearest(name, [...names, ...others]) });
    }
  }
  const given = names.filter((name) => value_or(asked, name, null) !== null);
  return [given, others.filter((name) => value_or(asked, name, false) !== false)];
}

/**
 * The name that the fewest changed letters make of another; the first of several.
 * @param {string} name a name that is not among them
 * @param {string[]} names some names
 * @returns {string} One of the names.
 */
export function nearest(name, names) {
  const letters = [...name].slice(0, 60);
  let best = /** @type {string} */ (names[0]);
  let least = letters.length + 99;
  for (const each of names) {
    const changes = steps(letters, [...each]);
    if (changes < least) [best, least] = [each, changes];
  }
  return best;
}

/**
 * Letters to put in, take out or change, row by row.
 * @param {string[]} one
 * @param {string[]} other
 */
function steps(one, other) {
  let row = [0, ...other.map((_, j) => j + 1)];
  one.forEach((letter, i) => {
    const before = row;
    row = [i + 1];
    other.forEach((wanted, j) => {
      const [corner, above, left] = /** @type {[number, number, number]} */ ([before[j], before[j + 1], row[j]]);
      row.push(Math.min(corner + (letter === wanted ? 0 : 1), above + 1, left + 1));
    });
  });
  return /** @type {number} */ (row[row.length - 1]);
}
