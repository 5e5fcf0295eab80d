// @ts-check
/** What is allowed: settings, requests and costs pass here, and a refusal names setting, value and range. */

import { WORDS } from "./facts.js";

/** The largest whole number that both languages hold exactly (2^53 − 1). */
export const MOST_WHOLE = Number.MAX_SAFE_INTEGER;

/** @typedef {keyof typeof WORDS["allowed"]} Allowed */

/** A value that cannot be used: `setting` names it, `allowed` is the key of the rule in the words file. */
export class SimError extends Error {
  /**
   * @param {string} setting
   * @param {unknown} value
   * @param {Allowed} allowed
   * @param {Record<string, string | number>} [terms]
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
 * @param {unknown} value
 * @returns {string}
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
 * The value itself if it is a whole number from `least` to `most`; true, 90.5 and NaN are refused.
 * @param {string} setting
 * @param {unknown} value
 * @param {number} [least]
 * @param {number} [most]
 * @returns {number}
 * @throws {SimError}
 */
export function whole(setting, value, least = 0, most = MOST_WHOLE) {
  if (typeof value !== "number" || !Number.isInteger(value) || value < least || value > most) {
    if (most === MOST_WHOLE && !(typeof value === "number" && value > most)) throw new SimError(setting, value, "whole_from", { least });
    throw new SimError(setting, value, "whole_between", { least, most });
  }
  return value;
}

/**
 * The value if it is a finite number ≥ 0 (above 0 where `positive`).
 * @param {string} setting
 * @param {unknown} value
 * @param {boolean} [positive]
 * @returns {number}
 * @throws {SimError}
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
 * The value itself if it is true or false.
 * @param {string} setting
 * @param {unknown} value
 * @returns {boolean}
 * @throws {SimError}
 */
export function yes_no(setting, value) {
  if (typeof value !== "boolean") throw new SimError(setting, value, "yes_no");
  return value;
}

/**
 * The whole number itself if both languages hold it exactly (below 2^53).
 * @param {string} setting
 * @param {number} value
 * @returns {number}
 * @throws {SimError}
 */
export function exact(setting, value) {
  if (value > MOST_WHOLE) throw new SimError(setting, value, "exact", { most: MOST_WHOLE });
  return value;
}
