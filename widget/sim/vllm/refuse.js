// @ts-check
/**
 * What a plan refuses: a refusal names setting, value and what is allowed, in words of its own.
 * @module
 */

import { SimError, shown } from "../checks.js";
import { WORDS } from "../facts.js";
import { ALLOWED } from "./plan_facts.js";

/**
 * A value of a plan that cannot be used; the message names the setting, the value and what is allowed.
 * @property {string} setting name of the setting
 * @property {unknown} value the value that was given
 * @property {string} allowed key of the rule in `facts/vllm/allowed.json`
 */
export class PlanError extends SimError {
  /**
   * @param {string} setting name of the setting
   * @param {unknown} value the value that was given
   * @param {string} allowed key of the rule in `facts/vllm/allowed.json`
   * @param {Record<string, string | number>} [terms] numbers and names that the rule mentions
   */
  constructor(setting, value, allowed, terms = {}) {
    super(setting, value, "yes_no");
    const rule = filled(/** @type {string} */ (ALLOWED[allowed]), terms);
    Object.assign(this, { allowed, message: filled(WORDS.refused_value, { setting, value: shown(value), allowed: rule }) });
  }
}

/**
 * @param {string} template
 * @param {Record<string, string | number>} terms
 */
function filled(template, terms) {
  return template.replace(/\{([a-z_]+)\}/g, (_, name) => String(terms[name]));
}

/**
 * The value itself if it is one of some names.
 * @param {string} setting name of the setting, for the refusal
 * @param {unknown} value what was given
 * @param {readonly string[]} names what is allowed, in the order in which a refusal shows them
 * @returns {string} The value, one of the names.
 * @throws {PlanError} for anything else
 */
export function one_of_names(setting, value, names) {
  if (typeof value !== "string" || !names.includes(value)) {
    throw new PlanError(setting, value, "name_of", { names: names.join(", ") });
  }
  return value;
}
