// @ts-check
/**
 * A cache of answers in front of a model: requests by chance, keys of three kinds, and what a wrong key serves.
 * @module
 */

import { number, whole } from "./checks.js";
import { Draws, MOST_CHOICES } from "./draws.js";
import { LRU } from "./lru.js";
import { drawn, popularity } from "./zipf.js";

/** How long an answer may get, tokens: what the lesson's request asks for by default. */
export const SHORT = 128;
/** How long another answer may get, tokens: the lesson's example of what a forgetful key serves too short. */
export const LONG = 512;
/** How many requests a row has at most. */
export const MOST_REQUESTS = 20000;
/** How many rows of requests there are, a number without unit. */
export const SAMPLES = 10000;
/** How far the seeds of two rows lie apart, without unit: a prime, so that first draws do not resemble each other. */
export const SEED_STEP = 104729;

/**
 * What one request asks for: every parameter that changes the answer.
 * @typedef {object} Ask
 * @property {string} system the text that tells the model what to do
 * @property {string} prompt the text to do it with
 * @property {number} max_new_tokens how long the answer may get, tokens
 */
/**
 * An answer that was made for something else.
 * @typedef {object} Wrong
 * @property {number} place which request got it, its place in the row from 1
 * @property {Ask} asked what the request asked for
 * @property {Ask} got what the answer had been made for
 */
/**
 * What a cache did to a row of requests.
 * @typedef {object} Served
 * @property {number} hits how many were answered from the cache
 * @property {number} misses how many the model answered
 * @property {number} evictions how many answers were dropped to make room
 * @property {number} held how many answers the cache holds at the end
 * @property {number} wrong how many hits gave an answer that was made for something else
 * @property {Wrong | null} first_wrong the first of these; null where there is none
 */

/**
 * A row of requests: two draws for each, which prompt and whether it may be long, as one in four may.
 *
 * In each 16 prompts, the third and the fourth hold a bar, and say the same once their two texts are joined by one.
 * @param {number} requests how many, at most 20,000
 * @param {number} prompts how many different prompts there are, at most 4,096
 * @param {number} exponent how uneven their popularity is: from 0 to 2 in steps of 0.2, without unit
 * @param {number} sample which row, from 1 to 10,000, without unit
 * @returns {Ask[]} Requests in order.
 * @throws {SimError} for any other value
 */
export function asks(requests, prompts, exponent, sample) {
  const sums = popularity(prompts, exponent);
  const draws = new Draws(whole("sample", sample, 1, SAMPLES) * SEED_STEP);
  whole("requests", requests, 1, MOST_REQUESTS);
  return Array.from({ length: requests }, () => next_ask(drawn(sums, draws.below(MOST_CHOICES)), draws));
}

/**
 * A key that keeps every parameter apart: the number, the length of the first text, then both texts.
 *
 * The lesson hashes its key, which makes it shorter and changes nothing here.
 * @param {Ask} ask what a request asks for
 * @returns {string} A text that two requests share only where all their parameters are the same.
 */
export function whole_key(ask) {
  return `${ask.max_new_tokens}|${forgetful_key(ask)}`;
}

/**
 * A key without the length of the answer, so that a request for 512 tokens can get an answer made for 128.
 * @param {Ask} ask what a request asks for
 * @returns {string} A text that requests of any length share.
 */
export function forgetful_key(ask) {
  return `${[...ask.system].length}|${ask.system}${ask.prompt}`;
}

/**
 * A key of all parameters, joined by a bar: two texts that hold a bar themselves can be joined into the same.
 *
 * With one text and numbers alone, as in the lesson, the last bars still tell all parts apart.
 * @param {Ask} ask what a request asks for
 * @returns {string} A text that different requests can share.
 */
export function joined_key(ask) {
  return `${ask.system}|${ask.prompt}|${ask.max_new_tokens}`;
}

/**
 * The three kinds of keys by name.
 * @type {Readonly<Record<string, (ask: Ask) => string>>}
 */
export const KEYS = { whole: whole_key, forgetful: forgetful_key, joined: joined_key };

/**
 * Serve a row of requests: from the cache what it has under their keys, else by the model, whose answer is kept.
 * @param {readonly Ask[]} row requests in order
 * @param {readonly string[]} keys a key for each of them, such as `KEYS` make
 * @param {number} capacity how many answers the cache holds at most
 * @returns {Served} Counts, and the first wrong answer.
 * @throws {SimError} for a capacity that is no whole number ≥ 0
 */
export function serve_cached(row, keys, capacity) {
  const cache = new LRU(capacity);
  let wrong = 0;
  /** @type {Wrong | null} */
  let first = null;
  row.forEach((ask, i) => {
    const got = cache.get(keys[i]);
    if (got === null) {
      cache.put(keys[i], ask);
    } else if (!same(got, ask)) {
      wrong += 1;
      first ??= { place: i + 1, asked: ask, got };
    }
  });
  const { hits, misses, evictions, store } = cache;
  return { hits, misses, evictions, held: store.size, wrong, first_wrong: first };
}

/**
 * What comes out of cache and model together: the model's rate ÷ (1 − hit rate).
 *
 * It holds while the model is the limit, hits cost nothing beside it, and both are equally long on average.
 * @param {number} model_rate what the model writes, tokens per second
 * @param {number} hits how many requests the cache answered
 * @param {number} misses how many the model answered, at least 1
 * @returns {number} Tokens per second.
 * @throws {SimError} for a rate that is no number ≥ 0, or counts out of range
 */
export function served_rate(model_rate, hits, misses) {
  const total = whole("hits", hits) + whole("misses", misses, 1);
  return number("model_rate", model_rate) * (total / misses);
}

/** @param {Ask} one @param {Ask} other */
function same(one, other) {
  return one.prompt === other.prompt && one.system === other.system && one.max_new_tokens === other.max_new_tokens;
}

/** @param {number} place @param {Draws} draws @returns {Ask} */
function next_ask(place, draws) {
  const max_new_tokens = draws.below(4) === 0 ? LONG : SHORT;
  const [rest, text] = [place % 16, `Text ${Math.floor(place / 16) + 1}`];
  if (rest === 3) return { system: "Translate", prompt: `to German|${text}`, max_new_tokens };
  if (rest === 4) return { system: "Translate|to German", prompt: text, max_new_tokens };
  return { system: "Answer", prompt: `Question ${place}`, max_new_tokens };
}
