// @ts-check
/**
 * Three ways to say how long requests took: nearest rank, interpolation, and the mean.
 * @module
 */

import { SimError, number, whole } from "./checks.js";

/** Thousandths of a percent: the steps in which a percentile is counted, steps for each percent. */
export const PARTS = 1000;

/**
 * The place of a percentile among sorted values by nearest rank: p·n ÷ 100, rounded up.
 *
 * Thousandths of a percent are whole numbers, so that the place is exact. As `math.ceil(p / 100 * n)` it is one too
 * high where the product lands above a whole number: the 7th percentile of 100 values is the 7th, but 7 / 100 * 100 is
 * 7.000000000000001. At 50, 90, 95 and 99 both agree.
 * @param {number} n how many values there are, at most 10^9
 * @param {number} p percent above 0, to 100, with at most three decimals
 * @returns {number} A place, from 1 to n.
 * @throws {SimError} for any other n or p
 */
export function rank(n, p) {
  return Math.floor((parts_of(p) * whole("n", n, 1, 1e9) + 100 * PARTS - 1) / (100 * PARTS));
}

/**
 * The smallest number of values of which a percentile by nearest rank is no longer simply the largest.
 * @param {number} p percent above 0, to 100, with at most three decimals
 * @returns {number | null} How many values; null for 100, which is always the largest.
 * @throws {SimError} for any other p
 */
export function enough(p) {
  const left = 100 * PARTS - parts_of(p);
  return left ? Math.floor((100 * PARTS + left - 1) / left) : null;
}

/**
 * The value that at least p percent of the values do not exceed: the smallest one, so always one that was measured.
 * @param {readonly number[]} values times of requests, in any unit
 * @param {number} p percent above 0, to 100, with at most three decimals
 * @returns {number} One of the values, in their unit.
 * @throws {SimError} for an empty list, a value that is no finite number ≥ 0, and any other p
 * @source Hyndman and Fan, The American Statistician 50(4), 1996: definition 1, the inverse of the distribution.
 */
export function nearest_rank(values, p) {
  const times = sorted(values);
  return times[rank(times.length, p) - 1];
}

/**
 * The point that lies p percent of the way from the smallest value to the largest, along the sorted values.
 *
 * Between two values it is a time that no request took. NumPy's `percentile` does so unless told otherwise, and
 * Excel's PERCENTILE.INC.
 * @param {readonly number[]} values times of requests, in any unit
 * @param {number} p percent above 0, to 100, with at most three decimals
 * @returns {number} A time, in the unit of the values.
 * @throws {SimError} for an empty list, a value that is no finite number ≥ 0, and any other p
 * @source Hyndman and Fan, The American Statistician 50(4), 1996: definition 7.
 */
export function interpolated(values, p) {
  const times = sorted(values);
  const way = parts_of(p) * (times.length - 1);
  const [before, rest] = [Math.floor(way / (100 * PARTS)), way % (100 * PARTS)];
  if (rest === 0) return times[before];
  return times[before] + (times[before + 1] - times[before]) * (rest / (100 * PARTS));
}

/**
 * The sum of the values, added in the order given, ÷ how many there are.
 * @param {readonly number[]} values times of requests, in any unit
 * @returns {number} A time, in the unit of the values.
 * @throws {SimError} for an empty list, and for a value or a sum that is no finite number ≥ 0
 */
export function mean(values) {
  let total = 0;
  for (const value of times_of(values)) total += value;
  return number("values", total) / values.length;
}

/** @param {unknown} values */
function times_of(values) {
  if (!Array.isArray(values) || values.length === 0) throw new SimError("values", values, "numbers");
  return values.map((value) => number("values", value));
}

/** @param {unknown} values */
function sorted(values) {
  return times_of(values).sort((a, b) => a - b);
}

/** @param {number} p */
function parts_of(p) {
  const parts = Math.floor(Math.min(number("p", p, true), 101) * PARTS + 0.5);
  if (parts > 100 * PARTS || parts / PARTS !== p) throw new SimError("p", p, "percentile");
  return parts;
}
