// @ts-check
/**
 * Products and sums of a model’s sizes, kept below 2^53, where both languages are exact.
 * @module
 */

import { MOST_WHOLE } from "../checks.js";
import { PlanError } from "./refuse.js";

/**
 * Whole numbers multiplied; refused where the product is not below 2^53.
 * @param {string} setting name of the field, for the refusal
 * @param {...number} factors whole numbers from 0, without unit
 * @returns {number} The product, without unit.
 * @throws {PlanError} for a product that both languages do not hold exactly
 */
export function product(setting, ...factors) {
  let size = 1;
  for (const factor of factors) {
    size *= factor;
    if (size > MOST_WHOLE) throw new PlanError(setting, factor, "config_exact", { most: MOST_WHOLE });
  }
  return size;
}

/**
 * Whole numbers added; refused where the sum is not below 2^53.
 * @param {string} setting name of the field, for the refusal
 * @param {...number} terms whole numbers, without unit
 * @returns {number} The sum, without unit.
 * @throws {PlanError} for a sum that both languages do not hold exactly
 */
export function total(setting, ...terms) {
  let size = 0;
  for (const term of terms) {
    size += term;
    if (size > MOST_WHOLE) throw new PlanError(setting, term, "config_exact", { most: MOST_WHOLE });
  }
  return size;
}

/**
 * A whole number divided by another that divides it.
 * @param {string} setting name of the field, for the refusal
 * @param {number} value a whole number, in the field's own unit
 * @param {number} by a whole number from 1, without unit
 * @returns {number} The quotient, in the field's own unit.
 * @throws {PlanError} for a remainder
 */
export function divided(setting, value, by) {
  if (value % by) throw new PlanError(setting, value, "config_multiple", { by });
  return Math.floor(value / by);
}
