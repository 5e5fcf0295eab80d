// @ts-check
/**
 * Batches by a window: who waits for company, who waits for the longest reply, and what padding costs.
 * @module
 */

import { at_once } from "./arrivals.js";
import { blocks_for } from "./blocks.js";
import { check_requests } from "./chats.js";
import { exact, number, whole } from "./checks.js";
import { COST } from "./facts.js";
import { serve } from "./server.js";
import { Clock, check_cost, compute_seconds, memory_seconds } from "./steptime.js";

/** @import { Request } from "./chats.js" */
/** @import { Cost } from "./facts.js" */
/** @import { Run } from "./server.js" */

/**
 * One batch: its members stand next to each other in the list.
 * @typedef {object} Batch
 * @property {number} first id of its first member: a place in the list, counted from 0
 * @property {number} size how many members it has, chats
 * @property {number} opened when its first member was taken from the queue, seconds from time 0
 * @property {number} started when the model began with it, seconds from time 0
 * @property {number} finished when its last token was written, seconds from time 0; nobody has an answer before
 * @property {number} busy_seconds how long the model works on it, seconds
 * @property {number} prompt longest prompt; all are padded to it, tokens
 * @property {number} reply longest reply; all wait for it, tokens
 */
/**
 * What a run of the batcher came to.
 * @typedef {object} Batched
 * @property {number} seconds when the last batch is done, seconds from time 0
 * @property {number} busy_seconds how long the model worked, seconds
 * @property {Batch[]} batches the batches, in order
 * @property {number | null} mean_batch mean number of members of a batch, chats; null where there is no batch
 * @property {number | null} tokens_per_second reply tokens that somebody asked for, tokens per second; null where
 *   there is no batch
 * @property {number[]} latencies from each request's arrival to the end of its batch, seconds
 * @property {number[]} waits from each request's arrival to the start of its batch, seconds
 * @property {number[]} first_token when the first token of each reply was written, seconds from time 0
 * @property {number[]} written when the last token of each reply was written, seconds from time 0
 * @property {number} pad_tokens padding that was read with the prompts, tokens
 * @property {number} held_tokens tokens that steps wrote for members who had their whole reply, tokens
 * @property {number | null} pad_share padding among all prompt tokens read, from 0 to 1; null where there is no batch
 * @property {number | null} held_share such tokens among all that were written, from 0 to 1; null where there is no
 *   batch
 */

/**
 * Run the lesson's dynamic batcher over a list of requests; a request's id is its place in the list.
 *
 * One batch runs at a time, and the queue is first come, first served:
 *
 * 1. A batch opens when the one before it is done and a request waits, or with the next arrival. Its deadline is
 *    `window_seconds` later.
 * 2. While it has fewer than `max_batch` members, the batcher looks at the clock. At the deadline or after it, the
 *    batch starts as it is; before, it takes the next request, or waits for one until the deadline.
 * 3. All prompts are padded to the longest and read in one step, which writes a first token for each. Then steps go
 *    on until the longest reply is whole. All members get their answers at that moment.
 *
 * Who arrives exactly at the deadline is not taken: the loop leaves at `remaining <= 0` before it looks at the queue,
 * and where both fall due in one turn, `asyncio.wait_for` of Python 3.12 and later times out as well. For the same
 * reason a window of 0 makes batches of one, however many wait. A full batch does not wait for its deadline. A batch
 * that lacks a member waits to the end of its window, also when nobody is left to come: the batcher cannot know.
 *
 * The lesson's loop awaits the thread that runs a batch. So requests queue up while it runs, but the next batch opens,
 * and its window begins, only when it is done; the comment beside the loop can be read otherwise.
 *
 * Time is kept by the clock of `serve`, which starts anew only where the model was idle.
 * @param {readonly Request[]} requests the requests, in the order in which they arrive
 * @param {number} window_seconds how long a batch is kept open, seconds
 * @param {number} max_batch most members of a batch, at least 1, chats
 * @param {Readonly<Cost>} [cost] what a step costs; the lesson's card and model where none is given
 * @returns {Batched} Times in seconds, counts of tokens, and shares from 0 to 1.
 * @throws {SimError} for any value out of range, for counts of 2^53 or more, and for a run that does not end at a
 *   finite time
 * @source `batcher` and `generate_batch` of the lesson; steps take what `steptime` says.
 */
export function batch_window(requests, window_seconds, max_batch, cost = COST) {
  check_requests(requests);
  const seconds = number("window_seconds", window_seconds);
  whole("max_batch", max_batch, 1);
  const clock = new Clock(check_cost(cost));
  /** @type {Batch[]} */
  const batches = [];
  /** @type {number[]} */
  const first_token = [];
  /** @type {number[]} */
  const written = [];
  while (written.length < requests.length) {
    const batch = collect(requests, written.length, clock.now(), seconds, max_batch);
    if (batch.started > clock.now()) clock.jump(batch.started);
    const members = requests.slice(batch.first, batch.first + batch.size);
    const [first, ...own] = run(batch, [1, ...members.map(({ reply }) => reply)], clock);
    for (const instant of own) {
      first_token.push(first);
      written.push(instant);
    }
    batches.push(batch);
  }
  return result(requests, batches, first_token, written);
}

/**
 * The same requests through `serve`: who is done leaves at once, and the next one takes the seat.
 *
 * The pool holds every chat at its full length, so that nobody is paused.
 * @param {readonly Request[]} requests the requests, in the order in which they arrive
 * @param {number} max_batch most chats at once, at least 1
 * @param {Readonly<Cost>} [cost] what a step costs; the lesson's card and model where none is given
 * @returns {Run} Times in seconds, rates, and counts of chats, steps, blocks and tokens.
 * @throws {SimError} for any value out of range, and for a run that does not end at a finite time
 */
export function continuous(requests, max_batch, cost = COST) {
  check_requests(requests);
  whole("max_batch", max_batch, 1);
  let longest = 1;
  for (const { prompt, reply } of requests) longest = Math.max(longest, prompt + reply);
  const pool = exact("requests", Math.max(1, Math.min(max_batch, requests.length)) * blocks_for(longest));
  return serve(requests, max_batch, pool, longest, false, cost);
}

/**
 * The most that the batcher can write for requests of these lengths: their tokens ÷ its work when all wait.
 * @param {readonly Request[]} requests the requests; when they arrive does not matter
 * @param {number} window_seconds how long a batch is kept open, seconds
 * @param {number} max_batch most members of a batch, at least 1, chats
 * @param {Readonly<Cost>} [cost] what a step costs; the lesson's card and model where none is given
 * @returns {number | null} Reply tokens that somebody asked for, tokens per second; null where there are no requests.
 * @throws {SimError} as `batch_window` does
 */
export function most_batched(requests, window_seconds, max_batch, cost = COST) {
  const { busy_seconds } = batch_window(at_once(check_requests(requests)), window_seconds, max_batch, cost);
  return requests.length > 0 ? reply_tokens(requests) / busy_seconds : null;
}

/**
 * How many still wait for their first token at the moment when the last request arrives, itself included.
 * @param {readonly Request[]} requests the requests, in the order in which they arrive
 * @param {readonly (number | null)[]} first_token instant of the first token of each, seconds from time 0
 * @returns {number} A number of chats.
 */
export function without_token(requests, first_token) {
  return first_token.filter((instant) => instant !== null && instant > requests[requests.length - 1].arrival).length;
}

/** @param {readonly Request[]} requests */
function reply_tokens(requests) {
  let tokens = 0;
  for (const { reply } of requests) tokens += reply;
  return tokens;
}

/**
 * @param {readonly Request[]} requests
 * @param {number} first
 * @param {number} free
 * @param {number} seconds
 * @param {number} max_batch
 * @returns {Batch}
 */
function collect(requests, first, free, seconds, max_batch) {
  const opened = Math.max(free, requests[first].arrival);
  const deadline = opened + seconds;
  let now = opened; // what the loop's clock would show
  let end = first + 1;
  while (end - first < max_batch && now < deadline) {
    if (end === requests.length || requests[end].arrival >= deadline) {
      now = deadline;
    } else {
      now = Math.max(now, requests[end].arrival);
      end += 1;
    }
  }
  let [prompt, reply] = [0, 0];
  for (let i = first; i < end; i += 1) {
    prompt = Math.max(prompt, requests[i].prompt);
    reply = Math.max(reply, requests[i].reply);
  }
  return { first, size: end - first, opened, started: now, finished: now, busy_seconds: 0, prompt, reply };
}

/**
 * The instants at which replies of these lengths are whole; the clock ends where the batch does.
 * @param {Batch} batch
 * @param {number[]} replies
 * @param {Clock} clock
 */
function run(batch, replies, clock) {
  const { size, prompt, reply: longest } = batch;
  const before = [clock.steps, clock.context, clock.tokens];
  const memory_bound = memory_seconds(0, clock.cost) >= compute_seconds(size * prompt, clock.cost);
  const steps = clock.steps + (memory_bound ? 1 : 0);
  const context = clock.context;
  const tokens = clock.tokens + (memory_bound ? 0 : size * prompt);
  const computing = computing_steps(size, prompt, longest - 1, clock.cost);
  const instants = [...replies, longest].map((reply) => {
    const computed = Math.min(reply - 1, computing);
    const read = reply - 1 - computed;
    clock.steps = steps + read;
    clock.context = context + size * (read * (prompt + computed) + (read * (read + 1)) / 2);
    clock.tokens = tokens + size * computed;
    return clock.now();
  });
  batch.finished = instants[replies.length];
  batch.busy_seconds = clock.seconds(clock.steps - before[0], clock.context - before[1], clock.tokens - before[2]);
  return instants.slice(0, replies.length);
}

/**
 * How many steps after the first are compute-bound: contexts grow, so these come first, and are found by halving.
 * @param {number} size
 * @param {number} prompt
 * @param {number} steps
 * @param {Cost} cost
 */
function computing_steps(size, prompt, steps, cost) {
  let low = 0;
  let high = steps;
  while (low < high) {
    const middle = low + Math.ceil((high - low) / 2);
    if (memory_seconds(size * (prompt + middle), cost) >= compute_seconds(size, cost)) high = middle - 1;
    else low = middle;
  }
  return low;
}

/**
 * @param {readonly Request[]} requests
 * @param {Batch[]} batches
 * @param {number[]} first_token
 * @param {number[]} written
 * @returns {Batched}
 */
function result(requests, batches, first_token, written) {
  let [prompts, read, wrote] = [0, 0, 0];
  const replies = reply_tokens(requests);
  let [busy, seconds] = [0, 0];
  /** @type {number[]} */
  const latencies = [];
  /** @type {number[]} */
  const waits = [];
  for (const batch of batches) {
    seconds = batch.finished;
    busy += batch.busy_seconds;
    read = exact("requests", read + batch.size * batch.prompt);
    wrote = exact("requests", wrote + batch.size * batch.reply);
    for (const { arrival, prompt } of requests.slice(batch.first, batch.first + batch.size)) {
      prompts += prompt;
      latencies.push(seconds - arrival);
      waits.push(batch.started - arrival);
    }
  }
  const any = batches.length > 0;
  return {
    seconds,
    busy_seconds: busy,
    batches,
    mean_batch: any ? requests.length / batches.length : null,
    tokens_per_second: any ? replies / seconds : null,
    latencies,
    waits,
    first_token,
    written,
    pad_tokens: read - prompts,
    held_tokens: wrote - replies,
    pad_share: any ? (read - prompts) / read : null,
    held_share: any ? (wrote - replies) / wrote : null,
  };
}
