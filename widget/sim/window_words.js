// @ts-check
/**
 * What the tool “window” answers: how long requests wait in batches, and how long when served continuously.
 * @module
 */

import { arriving, drawn } from "./arrivals.js";
import { batch_window, continuous, most_batched, without_token } from "./batching.js";
import { number_between, whole } from "./checks.js";
import { Draws } from "./draws.js";
import { nearest_rank } from "./percentiles.js";
import { figure } from "./serving_facts.js";
import { one_of, said } from "./tool.js";
import { percent, tenths, whole_number } from "./words.js";

/** @import { Batched } from "./batching.js" */
/** @import { Request } from "./chats.js" */
/** @import { Answer, Lane, Row, Span } from "./tool.js" */

/** The percentiles that are told, in percent. */
export const PERCENTILES = [50, 95, 99];

/**
 * The answer to the settings of the tool “window”.
 * @param {Record<string, any>} settings rate in requests per second, 0.001 to 1,000; window_ms in milliseconds, 0 to
 *   60,000; max_batch in chats; lengths, "equal" or "mixed"
 * @returns {Answer} Sentences, rows in seconds and in tokens per second, and lanes in seconds.
 * @throws {SimError} naming the setting that cannot be used
 */
export function window_answer(settings) {
  const requests = window_requests(settings.rate, settings.lengths);
  const seconds = number_between("window_ms", settings.window_ms, 0, 60_000) / 1000;
  const most = whole("max_batch", settings.max_batch, 1);
  const [run, other] = [batch_window(requests, seconds, most), continuous(requests, most)];
  const ends = other.finished.map(Number);
  const others = ends.map((end, i) => end - requests[i].arrival);
  const rates = { batches: Number(run.tokens_per_second), continuous: Number(other.tokens_per_second) };
  const told = { batches: told_of(run.latencies), continuous: told_of(others) };
  const lines = {
    batches: said("window", "lines.batches", told_terms(told.batches)),
    continuous: said("window", "lines.continuous", told_terms(told.continuous)),
    pace: said("window", "lines.pace", {
      mean: tenths(Number(run.mean_batch)),
      rate: whole_number(rates.batches),
      other: whole_number(rates.continuous),
    }),
    waste: said("window", "lines.waste", { pad: percent(Number(run.pad_share)), held: percent(Number(run.held_share)) }),
    zero: zero(requests, seconds, most),
    load: load(requests, settings.rate, seconds, most),
    waiting: said("window", "lines.waiting", {
      count: requests.length,
      batches: without_token(requests, run.first_token),
      continuous: without_token(requests, other.first_token),
    }),
  };
  const lanes = [...lanes_of(requests, run), ...other_lanes(requests, other.first_token.map(Number), ends)];
  return { lines, rows: rows_of(told, rates), lanes };
}

/**
 * The tool's made-up requests: the same gaps and lengths in the same order, at any rate.
 * @param {number} rate requests per second on average, from 0.001 to 1,000 of this unit
 * @param {string} lengths whether replies are "equal" or "mixed"
 * @returns {Request[]} Requests in the order in which they arrive.
 * @throws {SimError} naming the setting that cannot be used
 */
export function window_requests(rate, lengths) {
  number_between("rate", rate, 0.001, 1000);
  const replies = figure("window", "replies");
  const choices = replies[one_of("lengths", lengths, Object.keys(replies))];
  const [count, draws] = [figure("window", "requests"), new Draws(figure("window", "seed"))];
  const gaps = drawn(figure("window", "gaps"), count, draws);
  const prompts = drawn(figure("window", "prompts"), count, draws);
  return arriving(rate, gaps, prompts, drawn(choices, count, draws));
}

/** @param {number[]} latencies @returns {Record<number, number>} */
function told_of(latencies) {
  return Object.fromEntries(PERCENTILES.map((p) => [p, nearest_rank(latencies, p)]));
}

/** @param {Record<number, number>} told */
function told_terms(told) {
  return Object.fromEntries(PERCENTILES.map((p) => [`p${p}`, tenths(told[p])]));
}

/** @param {Request[]} requests @param {number} seconds @param {number} most */
function zero(requests, seconds, most) {
  if (seconds === 0) return said("window", "lines.zero.now");
  const alone = batch_window(requests, 0, most).latencies;
  return said("window", "lines.zero.else", { p50: tenths(nearest_rank(alone, 50)) });
}

/** @param {Request[]} requests @param {number} rate @param {number} seconds @param {number} most */
function load(requests, rate, seconds, most) {
  let tokens = 0;
  for (const { reply } of requests) tokens += reply;
  const asked = rate * (tokens / requests.length);
  const most_tokens = Number(most_batched(requests, seconds, most));
  const key = asked <= most_tokens ? "keeps" : "grows";
  return said("window", `lines.load.${key}`, { asked: whole_number(asked), most: whole_number(most_tokens) });
}

/** @type {["batches" | "continuous", string][]} */
const KINDS = [
  ["batches", "cost"],
  ["continuous", "good"],
];

/**
 * @param {Record<"batches" | "continuous", Record<number, number>>} told
 * @param {Record<"batches" | "continuous", number>} rates
 * @returns {Row[]}
 */
function rows_of(told, rates) {
  const rows = PERCENTILES.flatMap((p) =>
    KINDS.map(([scheme, kind]) => ({
      group: said("window", "rows.latency"),
      name: said("window", `rows.${scheme}`, { p }),
      amount: told[scheme][p],
      text: said("window", "rows.seconds", { n: tenths(told[scheme][p]) }),
      kind,
    })),
  );
  const paces = KINDS.map(([scheme, kind]) => ({
    group: said("window", "rows.pace"),
    name: said("window", `lanes.${scheme}`),
    amount: rates[scheme],
    text: said("window", "rows.rate", { n: whole_number(rates[scheme]) }),
    kind,
  }));
  return [...rows, ...paces];
}

/** @param {Request[]} requests @param {Batched} run */
function lanes_of(requests, { batches, written }) {
  const lanes = [];
  for (const { first, size, opened, started, finished } of batches) {
    for (let i = first; i < Math.min(first + size, figure("window", "lanes")); i += 1) {
      const ends = { queues: opened, collects: started, writes: written[i], held: finished };
      lanes.push(lane("batches", i, requests[i].arrival, ends));
    }
  }
  return lanes;
}

/** @param {Request[]} requests @param {number[]} first_token @param {number[]} ends */
function other_lanes(requests, first_token, ends) {
  // What one waits for here is the first token: the step that reads the prompt writes it.
  return requests
    .slice(0, figure("window", "lanes"))
    .map(({ arrival }, i) => lane("continuous", i, arrival, { queues: first_token[i], writes: ends[i] }));
}

/**
 * Who comes while a batch is open does not queue, and who has the longest reply is not held: no stretch for these.
 * @param {string} scheme
 * @param {number} i
 * @param {number} arrival
 * @param {Record<string, number>} ends
 * @returns {Lane}
 */
function lane(scheme, i, arrival, ends) {
  /** @type {Span[]} */
  const spans = [];
  let start = arrival;
  for (const [kind, end] of Object.entries(ends)) {
    if (end > start) {
      spans.push({ start, end, kind });
      start = end;
    }
  }
  return { group: said("window", `lanes.${scheme}`), name: said("window", "lanes.name", { n: i + 1 }), spans };
}
