// @ts-check
/**
 * When requests come and how long they are: made up once from tables, the same in both languages.
 * @module
 */

import { Request } from "./chats.js";
import { SimError, number } from "./checks.js";

/** @import { Draws } from "./draws.js" */

/**
 * Every choice in turn until there are enough, then shuffled: each comes as often as the next, to within one.
 * @param {readonly any[]} choices what to take from, at least one
 * @param {number} count how many to take, a whole number of values
 * @param {Draws} draws the row of draws that shuffles them
 * @returns {any[]} The values in their new order.
 * @throws {SimError} for more than 2^20 values
 * @source The shuffle of R. Durstenfeld, CACM 7(7), 1964, algorithm 235.
 */
export function drawn(choices, count, draws) {
  const values = Array.from({ length: count }, (_, i) => choices[i % choices.length]);
  for (let last = count - 1; last > 0; last -= 1) {
    const other = draws.below(last + 1);
    [values[last], values[other]] = [values[other], values[last]];
  }
  return values;
}

/**
 * Requests one after the other: each arrives its gap ÷ rate after the one before.
 *
 * The gaps are added up first and divided then, so that another rate stretches time and changes nothing else.
 * @param {number} rate requests per second, above 0, a number of this unit
 * @param {readonly number[]} gaps time before each request, as a number of mean gaps, without unit
 * @param {readonly number[]} prompts length of each prompt, tokens
 * @param {readonly number[]} replies length of each reply, tokens
 * @returns {Request[]} One request for each gap.
 * @throws {SimError} for a rate that is no number above 0, or so small that nobody arrives at a finite time
 */
export function arriving(rate, gaps, prompts, replies) {
  const per_second = number("rate", rate, true);
  let passed = 0;
  return gaps.map((gap, i) => {
    passed += gap;
    if (passed / per_second === Infinity) throw new SimError("rate", rate, "finite_time");
    return Request(passed / per_second, prompts[i], replies[i]);
  });
}

/**
 * The same requests, all waiting at time 0.
 * @param {readonly Request[]} requests the requests
 * @returns {Request[]} New requests of the same lengths, at 0 seconds.
 */
export function at_once(requests) {
  return requests.map(({ prompt, reply }) => Request(0, prompt, reply));
}
