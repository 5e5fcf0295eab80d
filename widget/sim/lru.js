// @ts-check
/**
 * A store of answers that keeps the most recently used ones and drops the rest.
 * @module
 */

import { whole } from "./checks.js";

/**
 * Answers by key; when there are more than the capacity, the one that was not used for longest is dropped.
 *
 * A capacity of 0 holds nothing, so that every look-up is a miss.
 * @property {number} capacity how many answers it holds at most
 * @property {Map<string, any>} store answers by key, the least recently used one first
 * @property {number} hits how many look-ups found an answer
 * @property {number} misses how many did not
 * @property {number} evictions how many answers were dropped to make room
 */
export class LRU {
  /**
   * @param {number} capacity how many answers it holds at most, 0 or more
   * @throws {SimError} for a capacity that is no whole number ≥ 0
   */
  constructor(capacity) {
    this.capacity = whole("capacity", capacity);
    /** @type {Map<string, any>} */
    this.store = new Map();
    this.hits = 0;
    this.misses = 0;
    this.evictions = 0;
  }

  /**
   * The answer under a key, which is now the most recently used one.
   * @param {string} key a text
   * @returns {any} The answer; null when there is none.
   */
  get(key) {
    if (!this.store.has(key)) {
      this.misses += 1;
      return null;
    }
    this.hits += 1;
    const value = this.store.get(key);
    this.store.delete(key);
    this.store.set(key, value);
    return value;
  }

  /**
   * Keep an answer as the most recently used one, and drop another where there are too many.
   * @param {string} key a text
   * @param {any} value the answer
   */
  put(key, value) {
    if (this.capacity === 0) return;
    this.store.delete(key);
    this.store.set(key, value);
    if (this.store.size > this.capacity) {
      this.store.delete(/** @type {string} */ (this.store.keys().next().value));
      this.evictions += 1;
    }
  }

  /**
   * Hits ÷ look-ups.
   * @returns {number} A share, from 0 to 1; 0 before the first look-up.
   */
  get hit_rate() {
    const total = this.hits + this.misses;
    return total ? this.hits / total : 0;
  }
}
