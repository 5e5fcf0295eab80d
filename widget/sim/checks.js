// @ts-check
/**
 * What is allowed: settings, requests and costs pass here, and a refusal names setting, value and range.
 * @module
 */

import { WORDS } from "./facts.js";

/**
 * The largest whole number, of any unit, that both languages hold exactly: 2^53 − 1.
 * @source JavaScript's `Number.MAX_SAFE_INTEGER`.
 */
export const MOST_WHOLE = Number.MAX_SAFE_INTEGER;

/**
 * A key of the rules in `facts/words`, section `allowed`.
 * @typedef {keyof typeof WORDS["allowed"]} Allowed
 */

/**
 * A value that cannot be used; the message names the setting, the value and what is allowed.
 * @property {string} setting name of the setting
 * @property {unknown} value the value that was given
 * @property {Allowed} allowed key of the rule in `facts/words`, section `allowed`
 */
export class SimError extends Error {
  /**
   * @param {string} setting name of the setting
   * @param {unknown} value the value that was given
   * @param {Allowed} allowed key of the rule in `facts/words`, section `allowed`
   * @param {Record<string, string | number>} [terms] numbers and names that the rule mentions
   */
  constructor(setting, value, allowed, terms = {}) {
    const rule = filled(WORDS.allowed[allowed], terms);
    super(filled(WORDS.refused_value, { setting, value: shown(value), allowed: rule }));
    this.name = "SimError";
    this.setting = setting;
    this.value = value;
    this.allowed = allowed;
  }
}

/**
 * @param {string} template
 * @param {Record<string, string | number>} terms
 */
function filled(template, terms) {
  return template.replace(/\{(\w+)\}/g, (_, name) => String(terms[name]));
}

/**
 * A value as a message shows it: numbers as they are, text in quotes, at most 40 characters of it.
 * @param {unknown} value anything
 * @returns {string} Text for a message.
 */
export function shown(value) {
  if (value === null || value === undefined) return WORDS.shown.nothing;
  if (typeof value === "number" || typeof value === "boolean" || typeof value === "bigint") return shortened(String(value));
  if (typeof value === "string") return `“${shortened(value)}”`;
  return filled(WORDS.shown.thing, { kind: Array.isArray(value) ? "list" : typeof value });
}

/** @param {string} text */
function shortened(text) {
  return text.length <= 40 ? text : `${text.slice(0, 40)}…`;
}

/**
 * The value itself if it is a whole number in a range; true, 90.5 and NaN are refused.
 * @param {string} setting name of the setting, for the refusal
 * @param {unknown} value what was given
 * @param {number} [least] the smallest that is allowed, in the setting's own unit
 * @param {number} [most] the largest that is allowed, in the setting's own unit
 * @returns {number} The value, in the setting's own unit.
 * @throws {SimError} for anything else
 */
export function whole(setting, value, least = 0, most = MOST_WHOLE) {
  if (typeof value !== "number" || !Number.isInteger(value) || value < least || value > most) {
    if (most === MOST_WHOLE && !(typeof value === "number" && value > most)) throw new SimError(setting, value, "whole_from", { least });
    throw new SimError(setting, value, "whole_between", { least, most });
  }
  return value;
}

/**
 * The value itself if it is a finite number ≥ 0.
 * @param {string} setting name of the setting, for the refusal
 * @param {unknown} value what was given
 * @param {boolean} [positive] whether 0 is refused too
 * @returns {number} The value as a double, in the setting's own unit.
 * @throws {SimError} for anything else
 */
export function number(setting, value, positive = false) {
  const fits = typeof value === "number" && value >= 0 && value < 2 * LARGEST_HALF;
  if (!fits || (positive && value === 0)) {
    throw new SimError(setting, value, positive ? "number_above" : "number_from");
  }
  return /** @type {number} */ (value);
}

// 2^1022: twice this is the bound that Python writes as 2 ** 1023.
const LARGEST_HALF = 4.49423283715579e307;

/**
 * The value itself if it is a number in a range.
 * @param {string} setting name of the setting, for the refusal
 * @param {unknown} value what was given
 * @param {number} least the smallest that is allowed, in the setting's own unit
 * @param {number} most the largest that is allowed, in the setting's own unit
 * @returns {number} The value as a double, in the setting's own unit.
 * @throws {SimError} for anything else
 */
export function number_between(setting, value, least, most) {
  if (typeof value !== "number" || !(least <= value && value <= most)) {
    throw new SimError(setting, value, "number_between", { least, most });
  }
  return value;
}

/**
 * The value itself if it is true or false.
 * @param {string} setting name of the setting, for the refusal
 * @param {unknown} value what was given
 * @returns {boolean} The value.
 * @throws {SimError} for anything else
 */
export function yes_no(setting, value) {
  if (typeof value !== "boolean") throw new SimError(setting, value, "yes_no");
  return value;
}

/**
 * The whole number itself if both languages hold it exactly (below 2^53).
 * @param {string} setting name of the setting, for the refusal
 * @param {number} value a whole number, in the setting's own unit
 * @returns {number} The number, in the setting's own unit.
 * @throws {SimError} for a number that they do not
 */
export function exact(setting, value) {
  if (value > MOST_WHOLE) throw new SimError(setting, value, "exact", { most: MOST_WHOLE });
  return value;
}
