// @ts-check
/**
 * Popularity by Zipf's law: the k-th most popular prompt is asked 1 ÷ k^a times as often as the first.
 * @module
 */

import { SimError, number, whole } from "./checks.js";
import { MOST_CHOICES } from "./draws.js";

/** The most prompts to choose from, so many that a draw still tells the last ones apart. */
export const MOST_PROMPTS = 4096;
/** Exponents are counted in fifths: so many to 1, a number without unit. */
export const FIFTHS = 5;

/**
 * The fifth root of each whole number from 1, by Newton's method with + − × ÷ alone.
 *
 * Each root starts from the one before, and six steps reach the last bits of a double.
 * @param {number} most the last number, at most 4,096, without unit
 * @returns {number[]} Roots in order, a number without unit each.
 * @throws {SimError} for any other last number
 */
export function fifth_roots(most) {
  let root = 1;
  return Array.from({ length: whole("prompts", most, 1, MOST_PROMPTS) }, (_, i) => {
    for (let step = 0; step < 6; step += 1) root = (4 * root + (i + 1) / (root * root * root * root)) / 5;
    return root;
  });
}

/**
 * How often the first k prompts are asked, for each k: the sum of 1 ÷ k^exponent, relative to the first prompt.
 *
 * An exponent of 0 asks for all alike; the larger it is, the more a few prompts dominate.
 * @param {number} prompts how many different prompts there are, at most 4,096
 * @param {number} exponent from 0 to 2 in steps of 0.2, a number without unit
 * @returns {number[]} Rising sums, a number without unit each.
 * @throws {SimError} for any other value
 * @source Breslau, Cao, Fan, Phillips, Shenker, INFOCOM 1999: requests to web caches follow such a law, with an
 *   exponent that differs from trace to trace.
 */
export function popularity(prompts, exponent) {
  const fifths = fifths_of(exponent);
  let total = 0;
  return fifth_roots(prompts).map((root) => {
    let weight = 1;
    for (let i = 0; i < fifths; i += 1) weight /= root;
    total += weight;
    return total;
  });
}

/**
 * The prompt that a draw stands for: the first whose sum lies above it, in steps of 1 ÷ 2^20 of the whole.
 * @param {readonly number[]} sums what `popularity` gives, numbers without unit
 * @param {number} draw a whole number from 0 to 2^20 − 1, without unit
 * @returns {number} The place of the prompt, 1 for the most popular one.
 * @throws {SimError} for any other draw
 */
export function drawn(sums, draw) {
  const wanted = ((whole("draw", draw, 0, MOST_CHOICES - 1) + 0.5) / MOST_CHOICES) * sums[sums.length - 1];
  let [low, high] = [0, sums.length - 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (sums[middle] > wanted) high = middle;
    else low = middle + 1;
  }
  return low + 1;
}

/** @param {number} exponent */
function fifths_of(exponent) {
  const fifths = Math.floor(Math.min(number("exponent", exponent), 3) * FIFTHS + 0.5);
  if (fifths > 2 * FIFTHS || fifths / FIFTHS !== exponent) throw new SimError("exponent", exponent, "fifths");
  return fifths;
}
