// @ts-check
/**
 * The memory share as a lever: the nearest one that does, as people type it and as vLLM prints it.
 * @module
 */

import { does_with } from "./levers.js";
import { first_that_does, last_that_does } from "./search.js";
import { tried } from "./trial.js";

/** @typedef {import("./levers.js").Change} Change */
/** @typedef {import("./levers.js").Question} Question */
/** @typedef {import("./trial.js").Trial} Trial */

/** Steps of the share as people type it: hundredths, so many units to the whole. */
export const CENTS = 100;
/** Steps of the share as vLLM prints it: four decimals, so many units to the whole. */
export const FINE = 10000;
/**
 * No larger share is offered, ten-thousandths, so many units to the whole: what every server holds outside is more.
 * @source 0.5 to 1.5 GiB of context and handles stand outside the share (vLLM 0.33.0, v1/worker/gpu_worker.py, and its
 *   logs).
 */
export const MOST_SHARE = 9900;

/**
 * The largest share, in ten-thousandths, that the free memory allows.
 * @param {Trial} base settings, budget and verdict
 * @returns {number} A share, from 0 to 1.
 */
export function share_free(base) {
  const budget = base.budget;
  if (!base.settings.rules.free_check) return 1.0;
  return Math.min(FINE, Math.floor((budget.free_bytes / budget.total_bytes) * FINE)) / FINE;
}

/**
 * The nearest share that does, in hundredths, and the boundary in ten-thousandths.
 *
 * Below the free memory the pool only grows with the share, so the search goes up; from above it, it goes down.
 * @param {Question} question what is asked
 * @returns {Change | null} The change, or null where no share does.
 */
export function share_change(question) {
  const refusal = question.base.verdict.refusal;
  const now = Math.floor(question.base.settings.share * FINE);
  let fine;
  let coarse;
  if (refusal !== null && refusal.key === "free_memory") {
    fine = largest_share(question, now);
    coarse = fine === null ? null : Math.floor(fine / CENTS);
  } else {
    fine = smallest_share(question, now);
    coarse = fine === null ? null : Math.ceil(fine / CENTS);
  }
  if (fine === null || coarse === null) return null;
  const exact = fine / FINE;
  if (coarse > 0 && does_with(question, { gpu_memory_utilization: coarse / CENTS })) {
    return { lever: "gpu_memory_utilization", value: coarse / CENTS, exact };
  }
  return { lever: "gpu_memory_utilization", value: exact, exact };
}

/**
 * @param {Question} question
 * @param {number} now
 * @returns {number | null}
 */
function largest_share(question, now) {
  const base = question.base;
  const guess = Math.floor((base.budget.free_bytes / base.settings.total_bytes) * FINE);
  const fine = last_that_does((n) => past(base, n / FINE, "free_memory"), 1, now, guess);
  return fine !== null && does_with(question, { gpu_memory_utilization: fine / FINE }) ? fine : null;
}

/**
 * @param {Trial} base
 * @param {number} share
 * @param {string} key
 * @returns {boolean}
 */
function past(base, share, key) {
  const at = tried(base, { gpu_memory_utilization: share });
  return at !== null && (at.verdict.refusal === null || at.verdict.refusal.key !== key);
}

/**
 * @param {Question} question
 * @param {number} now
 * @returns {number | null}
 */
function smallest_share(question, now) {
  // What asks for more than is free counts as enough here, so that enough never ends; it is looked at afterwards.
  const base = question.base;
  /** @param {number} n */
  const enough = (n) => {
    const at = tried(base, { gpu_memory_utilization: n / FINE });
    return at !== null && (question.does(at) || !past_free(at));
  };
  if (now >= MOST_SHARE || !enough(MOST_SHARE)) return null;
  const short = Math.max(0, 0 - base.verdict.spare_bytes);
  const guess = now + Math.floor((short / base.settings.total_bytes) * FINE);
  const fine = first_that_does(enough, now + 1, MOST_SHARE, guess);
  return fine !== null && does_with(question, { gpu_memory_utilization: fine / FINE }) ? fine : null;
}

/**
 * @param {Trial} at
 * @returns {boolean}
 */
function past_free(at) {
  const refusal = at.verdict.refusal;
  return refusal === null || refusal.key !== "free_memory";
}
