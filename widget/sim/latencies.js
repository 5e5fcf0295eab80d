// @ts-check
/**
 * A made-up sample of latencies: most requests take about as long as each other, and a few are slow.
 * @module
 */

import { whole } from "./checks.js";
import { Draws } from "./draws.js";
import { figure } from "./serving_facts.js";

/** The largest sample, requests. */
export const MOST_REQUESTS = 10000;
/** How many samples there are to draw, a number without unit. */
export const SAMPLES = 10000;
/** How far the seeds of two samples lie apart, without unit: a prime, so that first draws do not resemble each other. */
export const SEED_STEP = 104729;

/**
 * The latencies of a sample: two draws for each request, its time and whether it is slow.
 * @param {number} requests how many requests, at most 10,000
 * @param {number} slow how likely a request is slow, whole percent from 0 to 100
 * @param {number} times how many times as long a slow request takes, from 1 to 1,000
 * @param {number} sample which sample, from 1 to 10,000, without unit
 * @returns {number[]} Whole milliseconds, in the order in which the requests came.
 * @throws {SimError} for any other value
 */
export function latencies(requests, slow, times, sample) {
  whole("requests", requests, 1, MOST_REQUESTS);
  whole("slow", slow, 0, 100);
  whole("times", times, 1, 1000);
  const draws = new Draws(whole("sample", sample, 1, SAMPLES) * SEED_STEP);
  const [shortest, longest] = [figure("percentiles", "shortest_ms"), figure("percentiles", "longest_ms")];
  return Array.from({ length: requests }, () => {
    const ordinary = shortest + draws.below(longest - shortest + 1);
    return draws.below(100) < slow ? ordinary * times : ordinary;
  });
}
