// @ts-check
/**
 * The port's own: quiet steps, counted many at a time.
 *
 * A step is quiet when nobody joins, leaves early or is paused: every running chat writes one
 * token, and those whose blocks are full take one more. Between two events only counters move, so
 * k quiet steps are k terms of three sums. A chat needs a block every 16 steps, always in steps
 * of the same remainder; `boundaries[r]` counts the running chats that need one when
 * step number mod 16 = r. All sums are whole numbers: exact, in any order.
 * @module
 */

import { MOST_WHOLE } from "./checks.js";

/** @import { Clock } from "./steptime.js" */

/**
 * A stretch of quiet steps, as it is before its first.
 * @typedef {object} Stretch
 * @property {number} first number of its first step, steps counted from 1
 * @property {number} running chats running
 * @property {number} context context of those chats, tokens
 * @property {number} used blocks in use
 * @property {number} free blocks that nobody holds
 * @property {Float64Array} boundaries for each remainder of the step's number, chats that need a new block then
 */

const LONGEST_RUN = 4096;

/**
 * The most quiet steps to count at once, or 1 where the sums of a giant pool would pass 2^53.
 * @param {number} pool_blocks size of the pool, blocks
 * @returns {number} Steps.
 */
export function longest_run(pool_blocks) {
  return pool_blocks * LONGEST_RUN * LONGEST_RUN <= MOST_WHOLE ? LONGEST_RUN : 1;
}

/**
 * How many steps find every block they need: the stretch ends before the step that lacks one.
 * @param {Stretch} stretch a stretch of quiet steps
 * @param {number} limit most steps to look at
 * @param {boolean} reserved whether every chat sets aside blocks for its longest length
 * @returns {number} Steps, at most `limit`.
 */
export function steps_with_blocks({ first, running, free, boundaries }, limit, reserved) {
  if (reserved) return limit;
  const period = boundaries.length; // over a period every chat takes exactly one block
  const periods = Math.floor(free / running);
  if (periods * period >= limit) return limit;
  let left = free - periods * running;
  let steps = periods * period;
  while (steps < limit) {
    left -= boundaries[(first + steps) % period];
    if (left < 0) return steps;
    steps += 1;
  }
  return limit;
}

/**
 * How many of the first steps are compute-bound; the context grows, so all after them are memory-bound.
 * @param {Stretch} stretch a stretch of quiet steps
 * @param {number} steps steps of the stretch
 * @param {Clock} clock the clock, for its cost
 * @returns {number} Steps.
 */
export function compute_bound_steps({ context, running }, steps, clock) {
  if (clock.memory_bound(context, running)) return 0;
  let low = 1; // that many are known to be compute-bound
  let high = steps;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (clock.memory_bound(context + running * (middle - 1), running)) high = middle - 1;
    else low = middle;
  }
  return low;
}

/**
 * The first step whose end is at or after an instant: found by bisecting the clock, which never runs back.
 * @param {Stretch} stretch a stretch of quiet steps
 * @param {number} limit most steps to look at
 * @param {number} arrival the instant, seconds from time 0
 * @param {Clock} clock the clock as it is before the stretch
 * @param {number} compute_steps how many steps, from the first, are compute-bound
 * @returns {number} Steps, at most `limit`.
 */
export function steps_until(stretch, limit, arrival, clock, compute_steps) {
  if (end_of(stretch, limit, clock, compute_steps) < arrival) return limit;
  let low = 1;
  let high = limit;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (end_of(stretch, middle, clock, compute_steps) >= arrival) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * The instant at which `steps` quiet steps end.
 * @param {Stretch} stretch
 * @param {number} steps
 * @param {Clock} clock
 * @param {number} compute_steps
 */
function end_of({ context, running }, steps, clock, compute_steps) {
  const computing = Math.min(steps, compute_steps);
  const reading = steps - computing;
  const read = context_of(context + running * computing, running, reading);
  return (
    clock.base +
    clock.seconds(clock.steps + reading, clock.context + read, clock.tokens + running * computing)
  );
}

/**
 * Context tokens read in `steps` steps that start with `context` and grow by `running` each.
 * @param {number} context
 * @param {number} running
 * @param {number} steps
 */
function context_of(context, running, steps) {
  return steps * context + (running * steps * (steps - 1)) / 2;
}

/**
 * Count quiet steps on the clock.
 * @param {Stretch} stretch a stretch of quiet steps
 * @param {number} steps steps to count
 * @param {Clock} clock the clock, which moves
 * @param {number} compute_steps how many steps, from the first, are compute-bound
 * @param {boolean} reserved whether every chat sets aside blocks for its longest length
 * @returns {number} Blocks that the chats took.
 */
export function count_quiet(stretch, steps, clock, compute_steps, reserved) {
  const { context, running } = stretch;
  const taken = reserved ? 0 : sum_used(stretch, 0, compute_steps, stretch.used);
  if (reserved) sum_constant(stretch.used, compute_steps);
  if (compute_steps > 0) {
    clock.tokens += running * compute_steps;
    clock.running_tokens.add_product(running, running * compute_steps);
    clock.used_tokens.add_product(running, USED.sum);
    if (steps === compute_steps) return taken;
  }
  const reading = steps - compute_steps;
  const start = context + running * compute_steps;
  const more = reserved ? 0 : sum_used(stretch, compute_steps, reading, stretch.used + taken);
  if (reserved) sum_constant(stretch.used, reading);
  const read = context_of(start, running, reading);
  clock.steps += reading;
  clock.context += read;
  clock.running_steps.add_product(running, reading);
  clock.running_context.add_product(running, read);
  clock.used_steps.add_product(USED.sum, 1);
  clock.used_context.add_product(start, USED.sum);
  clock.used_context.add_product(running, USED.weighted);
  return taken + more;
}

/** Blocks in use summed over the steps of a part, and the same weighted by the step's place 0, 1, 2 … in it. */
const USED = { sum: 0, weighted: 0 };

/** @param {number} used @param {number} steps */
function sum_constant(used, steps) {
  USED.sum = used * steps;
  USED.weighted = (used * steps * (steps - 1)) / 2;
}

/**
 * Sum the blocks in use over `steps` steps from place `from` of the stretch, with `used` in use before; returns the blocks taken.
 * @param {Stretch} stretch
 * @param {number} from
 * @param {number} steps
 * @param {number} used
 */
function sum_used({ first, running, boundaries }, from, steps, used) {
  const period = boundaries.length;
  const periods = steps > 2 * period ? Math.floor(steps / period) : 0;
  let taken = periods * running;
  USED.sum = USED.weighted = 0;
  if (periods > 0) sum_periods(first + from, running, boundaries, periods, used);
  let at = (first + from + periods * period) % period;
  for (let place = periods * period; place < steps; place += 1) {
    taken += boundaries[at];
    at = at + 1 === period ? 0 : at + 1;
    USED.sum += used + taken;
    USED.weighted += place * (used + taken);
  }
  return taken;
}

/**
 * The two sums over whole periods, in closed form: in period p and place i of it, used + p × running + taken by place i.
 * @param {number} first
 * @param {number} running
 * @param {Float64Array} boundaries
 * @param {number} periods
 * @param {number} used
 */
function sum_periods(first, running, boundaries, periods, used) {
  const period = boundaries.length;
  let taken = 0;
  let sum_taken = 0;
  let sum_placed = 0;
  for (let i = 0; i < period; i += 1) {
    taken += boundaries[(first + i) % period];
    sum_taken += taken;
    sum_placed += i * taken;
  }
  const places = (period * (period - 1)) / 2;
  const p1 = (periods * (periods - 1)) / 2; // Σ p
  const p2 = ((periods - 1) * periods * (2 * periods - 1)) / 6; // Σ p × p
  USED.sum = period * (periods * used + p1 * running) + periods * sum_taken;
  USED.weighted =
    period * period * (used * p1 + running * p2) +
    period * sum_taken * p1 +
    places * (periods * used + running * p1) +
    periods * sum_placed;
}
