// @ts-check
/**
 * What the tool “percentiles” answers: a request that happened, a point between two, and a mean that hides the tail.
 * @module
 */

import { whole } from "./checks.js";
import { latencies } from "./latencies.js";
import { enough, interpolated, mean, nearest_rank, rank } from "./percentiles.js";
import { said } from "./tool.js";
import { percent, tenths, whole_number } from "./words.js";

/** @import { Answer, Row } from "./tool.js" */

/** The percentiles that always stand in the picture, percent: those that the lesson prints. */
export const ALWAYS = [50, 95, 99];

/**
 * The answer to the settings of the tool “percentiles”.
 * @param {Record<string, any>} settings requests, slow in whole percent, times without unit, percentile in whole
 *   percent, sample without unit
 * @returns {Answer} Sentences, and rows in milliseconds.
 * @throws {SimError} naming the setting that cannot be used
 */
export function percentiles_answer(settings) {
  const p = whole("percentile", settings.percentile, 1, 100);
  const times = latencies(settings.requests, settings.slow, settings.times, settings.sample);
  const [found, between, middle, n] = [nearest_rank(times, p), interpolated(times, p), mean(times), times.length];
  const lines = {
    rank: said("percentiles", "lines.rank", { p, n, place: rank(n, p), ms: shown(found) }),
    between: said("percentiles", `lines.${times.includes(between) ? "happened" : "nobody"}`, { ms: shown(between) }),
    mean: said("percentiles", "lines.mean", { ms: shown(middle), share: below(times, middle), times: as_long(times) }),
    enough: enough_line(times, p),
  };
  return { lines, rows: rows_of(times, p), lanes: [] };
}

/** @param {number[]} times @param {number} middle */
function below(times, middle) {
  return percent(times.filter((time) => time < middle).length / times.length);
}

/** @param {number[]} times */
function as_long(times) {
  return tenths(Math.max(...times) / mean(times));
}

/** @param {number[]} times @param {number} p */
function enough_line(times, p) {
  const [n, least, found] = [times.length, enough(p), nearest_rank(times, p)];
  if (least === null) return said("percentiles", "lines.always");
  if (n < least) return said("percentiles", "lines.slowest", { p, n, least });
  const above = times.filter((time) => time > found).length;
  return said("percentiles", "lines.above", { p, n, least, above });
}

/** @param {number[]} times @param {number} p @returns {Row[]} */
function rows_of(times, p) {
  const ranks = [...new Set([...ALWAYS, p])].sort((a, b) => a - b);
  return [
    row("mean", "cost", mean(times), p),
    ...ranks.map((q) => row("rank", q === p ? "good" : "plain", nearest_rank(times, q), q)),
    row("between", "limit", interpolated(times, p), p),
    row("slowest", "plain", Math.max(...times), p),
  ];
}

/** @param {string} name @param {string} kind @param {number} ms @param {number} p @returns {Row} */
function row(name, kind, ms, p) {
  return {
    group: said("percentiles", "rows.group"),
    name: said("percentiles", `rows.${name}`, { p }),
    amount: ms,
    text: said("percentiles", "rows.text", { ms: shown(ms) }),
    kind,
  };
}

/** @param {number} ms */
function shown(ms) {
  return ms === whole_number(ms) ? ms : tenths(ms);
}
