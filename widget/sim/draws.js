// @ts-check
/**
 * Whole numbers that look like chance and are the same in both languages.
 * @module
 */

import { whole } from "./checks.js";

/** The generator's states run from 1 to this less 1, a number without unit. */
export const MODULUS = 2147483647;
/** What each state is multiplied by, a number without unit. */
export const MULTIPLIER = 48271;
/** The most numbers to choose from; above it, a rounded quotient could reach the next whole number. */
export const MOST_CHOICES = 1048576;

/**
 * A row of draws: each state is the one before × 48,271, modulo 2^31 − 1.
 *
 * Every product stays below 2^53, so that both languages compute it exactly.
 * @property {number} state where the row stands, without unit
 * @source S. K. Park, K. W. Miller, P. K. Stockmeyer, CACM 36(7), 1993: the multiplier that they advise (MINSTD).
 */
export class Draws {
  /**
   * @param {number} seed where the row starts, a whole number from 1 to 2^31 − 2, without unit
   * @throws {SimError} for any other seed
   */
  constructor(seed) {
    this.state = whole("seed", seed, 1, MODULUS - 1);
  }

  /**
   * The next draw: a whole number from 0 to n − 1, each as likely as the next to within 1 in 2,000.
   * @param {number} n how many numbers there are to choose from, at most 2^20
   * @returns {number} A whole number without unit.
   * @throws {SimError} for any other n
   */
  below(n) {
    whole("n", n, 1, MOST_CHOICES);
    this.state = (this.state * MULTIPLIER) % MODULUS;
    return Math.floor((this.state * n) / MODULUS);
  }
}
