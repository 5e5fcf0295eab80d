// @ts-check
/**
 * What the server does, step by step: continuous batching over a cache pool, with pauses (recompute).
 *
 * The same rules as server.py, which walks every step; this port walks the steps in which
 * something happens and counts the quiet ones between them many at a time (quiet.js). A running
 * chat writes one token in every step, so the step in which it ends is known when it joins, and
 * how many tokens and blocks it has follows from the step's number.
 * @module
 */

import { blocks_for } from "./blocks.js";
import { check_requests } from "./chats.js";
import { SimError, whole, yes_no } from "./checks.js";
import { Ends } from "./ends.js";
import { COST, SERVER } from "./facts.js";
import { compute_bound_steps, count_quiet, longest_run, steps_until, steps_with_blocks } from "./quiet.js";
import { Clock, check_cost } from "./steptime.js";

/** @import { Request } from "./chats.js" */
/** @import { Cost } from "./facts.js" */

/**
 * What a run came to.
 * @typedef {object} Run
 * @property {number} seconds when the last chat is done, seconds from time 0
 * @property {number} steps steps of the whole run
 * @property {number} served chats that were let in
 * @property {number} refused chats that were turned away, since they are longer than `longest`
 * @property {number} paused pauses to free blocks; one chat may pause more than once
 * @property {number} rebuilt_tokens tokens of cache that were computed again after pauses
 * @property {number | null} tokens_per_second reply tokens of all chats, tokens per second; null when nobody is
 *   served
 * @property {number | null} seconds_per_word mean over the chats of the mean gap between their tokens, seconds; null
 *   when no reply has two
 * @property {number | null} running chats running, on average over time; null when nobody is served
 * @property {number | null} pool_used share of the pool's blocks in use, on average over time, from 0 to 1; null when
 *   nobody is served
 * @property {number} lowest_free blocks free at the fullest moment
 * @property {(number | null)[]} first_token instant of each chat's first token, seconds from time 0; null for a chat
 *   that was turned away
 * @property {(number | null)[]} finished instant of each chat's last token, seconds from time 0; null for a chat that
 *   was turned away
 */

/**
 * One step as `watch` sees it, after its work and before its finished chats leave.
 *
 * A chat's id is its place in the list.
 * @typedef {object} Step
 * @property {number} number which step it is, steps counted from 1
 * @property {number} now instant at which it ends, seconds from time 0
 * @property {number[]} running ids of the running chats, oldest first
 * @property {number[]} joined ids of the chats that joined in it
 * @property {number[]} paused ids of the chats that were paused in it
 * @property {number[]} finished ids of the chats whose reply is whole
 * @property {number[]} waiting ids of the chats in the queue, from its front
 * @property {number[]} held_blocks blocks of each running chat, in the order of `running`
 * @property {number} free_blocks blocks that nobody holds
 * @property {number} context_tokens tokens of cache read for the chats that went on writing
 * @property {number} read_tokens tokens read for the chats that joined
 */

/**
 * Run the server over a list of chats; a chat's id is its place in the list.
 *
 * Chats of more than `longest` tokens are turned away. Each step:
 *
 * 1. Chats that have arrived by now enter the queue.
 * 2. Each running chat, oldest first, that needs a new block takes one. If none is free, the newest running chat is
 *    paused: its blocks are freed and it goes to the front of the queue.
 * 3. If nobody was paused, waiting chats join, oldest first, while fewer than `cap` run and the pool has the blocks
 *    for their next token; the first that does not fit holds up the rest. With `reserved` a chat takes blocks for
 *    `longest` tokens, and is never paused.
 * 4. A joining chat's whole cache is read in. Every running chat writes one token.
 * 5. Chats with their whole reply leave and free their blocks.
 *
 * The reference walks every step. The port counts steps in which nothing happens many at a time, and walks them all
 * where `watch` looks on.
 * @param {readonly Request[]} requests the chats, in the order in which they arrive
 * @param {number} cap most chats at once, at least 1
 * @param {number} pool_blocks size of the pool, blocks; at least those of one chat of `longest` tokens
 * @param {number} longest longest chat, tokens of prompt and reply, at least 1
 * @param {boolean} [reserved] whether every chat sets aside blocks for its longest length
 * @param {Readonly<Cost>} [cost] what a step costs; the lesson's card and model where none is given
 * @param {((step: Step) => void) | null} [watch] called with each step
 * @returns {Run} Times in seconds, rates, and counts of chats, steps, blocks and tokens.
 * @throws {SimError} for any value out of range, for a pool that cannot hold one chat of `longest` tokens, and for a
 *   run that does not end at a finite time
 * @source The order of work is that of vLLM V1 with its default preemption (recompute).
 */
export function serve(requests, cap, pool_blocks, longest, reserved = false, cost = COST, watch = null) {
  check_requests(requests);
  whole("cap", cap, 1);
  whole("longest", longest, 1);
  whole("pool_blocks", pool_blocks);
  yes_no("reserved", reserved);
  if (pool_blocks < blocks_for(longest)) {
    throw new SimError("pool_blocks", pool_blocks, "pool", { needs: blocks_for(longest), longest });
  }
  const server = new Server(requests, cap, pool_blocks, longest, reserved, check_cost(cost));
  while (server.busy()) {
    server.step(watch);
    if (!watch) server.skip();
  }
  return server.result();
}

/** The state of a run: who waits, who runs, who holds what. */
class Server {
  /**
   * @param {readonly Request[]} requests
   * @param {number} cap
   * @param {number} pool_blocks
   * @param {number} longest
   * @param {boolean} reserved
   * @param {Cost} cost
   */
  constructor(requests, cap, pool_blocks, longest, reserved, cost) {
    const n = requests.length;
    this.requests = requests;
    this.cap = cap;
    this.pool_blocks = pool_blocks;
    this.reserved = reserved;
    this.longest_blocks = blocks_for(longest);
    this.longest_run = longest_run(pool_blocks);
    this.arrival = new Float64Array(n + 1); // of the chats let in, in order; a sentinel ends them
    this.served = new Int32Array(n); // ids of the chats let in
    this.whole_size = new Float64Array(n); // prompt + reply
    this.size = new Float64Array(n); // tokens of a chat that waits: prompt + written
    this.first = new Float64Array(n).fill(NaN);
    this.last = new Float64Array(n).fill(NaN);
    this.served_count = 0;
    for (let i = 0; i < n; i += 1) this.let_in(i, longest);
    this.arrival[this.served_count] = Infinity;
    this.arrived = 0; // chats let in that have arrived
    this.fetched = 0; // of those, how many have left the queue for the first time
    /** @type {number[]} */
    this.stopped = []; // paused chats: the last is the front of the queue
    this.before = new Int32Array(n); // the running chats as a chain, oldest first: who joined before
    this.after = new Int32Array(n); // … and after each; NOBODY at the ends
    this.oldest = this.newest = NOBODY;
    this.ends = new Ends(n); // the step in which each writes its last token
    this.running_count = 0;
    this.context = 0; // tokens of the running chats
    this.boundaries = new Float64Array(SERVER.block_tokens);
    this.stretch = { first: 0, running: 0, context: 0, used: 0, free: 0, boundaries: this.boundaries };
    this.free = this.lowest_free = pool_blocks;
    this.steps = this.paused = this.rebuilt = this.done = 0;
    this.clock = new Clock(cost);
  }

  /** @param {number} i @param {number} longest */
  let_in(i, longest) {
    const { arrival, prompt, reply } = this.requests[i];
    this.size[i] = prompt;
    this.whole_size[i] = prompt + reply;
    if (prompt + reply > longest) return;
    this.arrival[this.served_count] = arrival;
    this.served[this.served_count] = i;
    this.served_count += 1;
  }

  busy() {
    return this.done < this.served_count;
  }

  /** @param {((step: Step) => void) | null} watch */
  step(watch) {
    this.arrive();
    if (this.running_count === 0 && !this.anyone_waits()) {
      this.clock.jump(this.arrival[this.arrived]); // nothing to do until the next chat
      this.arrive();
    }
    this.steps += 1;
    const paused = this.take_blocks();
    const writing = this.running_count;
    const context = this.context;
    if (paused.length === 0) this.admit();
    const read = this.context - context;
    const joined = this.running_count - writing;
    this.clock.count(context, writing + read, this.running_count, this.pool_blocks - this.free);
    if (this.free < this.lowest_free) this.lowest_free = this.free;
    this.context += this.running_count;
    if (joined === 0 && this.ends.next() > this.steps && !watch) return; // nobody asks for the time
    const now = this.clock.now();
    this.mark_first(joined, now);
    if (watch) watch(this.seen(now, joined, paused, context, read));
    this.finish(now);
  }

  arrive() {
    if (this.arrived === this.served_count) return;
    const now = this.clock.now();
    while (this.arrival[this.arrived] <= now) this.arrived += 1;
  }

  anyone_waits() {
    return this.stopped.length > 0 || this.fetched < this.arrived;
  }

  /** Tokens of a running chat at the start of the present step. @param {number} i */
  size_now(i) {
    return this.whole_size[i] - (this.ends.end[i] - this.steps + 1);
  }

  /** Remainder of the steps in which a running chat needs a new block. @param {number} i */
  boundary(i) {
    const period = this.boundaries.length;
    const step = this.ends.end[i] + 1 - this.whole_size[i]; // in which it would have had no token yet
    return step - Math.floor(step / period) * period; // also for negative steps; % on doubles is a slow call
  }

  take_blocks() {
    if (this.reserved || this.running_count === 0) return NO_CHATS;
    const need = this.boundaries[this.steps % this.boundaries.length];
    if (need > this.free) return this.take_blocks_with_pauses();
    this.free -= need;
    return NO_CHATS;
  }

  take_blocks_with_pauses() {
    const paused = [];
    const remainder = this.steps % this.boundaries.length;
    let i = this.oldest;
    while (i !== NOBODY) {
      if (this.boundary(i) === remainder) {
        while (this.free === 0) {
          paused.push(this.newest);
          this.pause(this.newest); // may be this very chat: then the walk ends
          if (paused[paused.length - 1] === i) return paused;
        }
        this.free -= 1;
      }
      i = this.after[i];
    }
    return paused;
  }

  /** @param {number} i the newest */
  pause(i) {
    const size = this.size_now(i);
    this.size[i] = size;
    this.context -= size;
    this.boundaries[this.boundary(i)] -= 1;
    this.free += blocks_for(size); // it has not come to take its next block
    this.unchain(i);
    this.stopped.push(i);
    this.paused += 1;
  }

  /** The chat at the front of the queue; somebody must wait. */
  front() {
    const { stopped } = this;
    return stopped.length > 0 ? stopped[stopped.length - 1] : this.served[this.fetched];
  }

  /** Blocks that a chat takes when it joins. @param {number} i */
  need(i) {
    return this.reserved ? this.longest_blocks : blocks_for(this.size[i] + 1);
  }

  next_fits() {
    return this.running_count < this.cap && this.anyone_waits() && this.need(this.front()) <= this.free;
  }

  admit() {
    while (this.next_fits()) {
      const i = this.front();
      if (this.stopped.length > 0) {
        this.stopped.pop();
        this.rebuilt += this.size[i]; // all of it is read again
      } else {
        this.fetched += 1;
      }
      this.free -= this.need(i);
      this.join(i);
    }
  }

  /** @param {number} i */
  join(i) {
    this.chain(i, this.steps + (this.whole_size[i] - this.size[i]) - 1);
    this.boundaries[this.boundary(i)] += 1;
    this.context += this.size[i];
  }

  /** @param {number} i @param {number} end */
  chain(i, end) {
    this.ends.add(i, end);
    this.before[i] = this.newest;
    this.after[i] = NOBODY;
    if (this.newest === NOBODY) this.oldest = i;
    else this.after[this.newest] = i;
    this.newest = i;
    this.running_count += 1;
  }

  /** @param {number} i */
  unchain(i) {
    const before = this.before[i];
    const after = this.after[i];
    if (before === NOBODY) this.oldest = after;
    else this.after[before] = after;
    if (after === NOBODY) this.newest = before;
    else this.before[after] = before;
    this.ends.remove(i);
    this.running_count -= 1;
  }

  /** @param {number} joined how many have joined in this step @param {number} now */
  mark_first(joined, now) {
    let i = this.newest;
    for (let k = 0; k < joined; k += 1) {
      if (this.first[i] !== this.first[i]) this.first[i] = now; // NaN: no token yet
      i = this.before[i];
    }
  }

  /** Those whose last token was written in this step leave. @param {number} now */
  finish(now) {
    while (this.ends.next() === this.steps) this.leave(this.ends.first(), now);
  }

  /** @param {number} i @param {number} now */
  leave(i, now) {
    this.last[i] = now;
    this.done += 1;
    this.context -= this.whole_size[i];
    this.boundaries[this.boundary(i)] -= 1;
    this.free += this.reserved ? this.longest_blocks : blocks_for(this.whole_size[i]);
    this.unchain(i);
  }

  /** Count the quiet steps that come now: until a chat ends, a block is missing, or one arrives that may join. */
  skip() {
    if (this.running_count === 0) return;
    this.arrive();
    if (this.next_fits()) return;
    const { stretch } = this;
    stretch.first = this.steps + 1;
    stretch.running = this.running_count;
    stretch.context = this.context;
    stretch.used = this.pool_blocks - this.free;
    stretch.free = this.free;
    const most = Math.min(this.longest_run, this.ends.next() - this.steps);
    let steps = steps_with_blocks(stretch, most, this.reserved);
    if (steps === 0) return;
    const computing = compute_bound_steps(stretch, steps, this.clock);
    if (this.running_count < this.cap && !this.anyone_waits()) {
      steps = steps_until(stretch, steps, this.arrival[this.arrived], this.clock, computing);
    }
    this.free -= count_quiet(stretch, steps, this.clock, Math.min(steps, computing), this.reserved);
    if (this.free < this.lowest_free) this.lowest_free = this.free;
    this.steps += steps;
    this.context += this.running_count * steps;
    if (this.ends.next() === this.steps) this.finish(this.clock.now());
  }

  /** The running chats, oldest first. */
  running() {
    const chats = [];
    for (let i = this.oldest; i !== NOBODY; i = this.after[i]) chats.push(i);
    return chats;
  }

  /**
   * @param {number} now
   * @param {number} joined
   * @param {number[]} paused
   * @param {number} context
   * @param {number} read
   * @returns {Step}
   */
  seen(now, joined, paused, context, read) {
    const running = this.running();
    const arrived = Array.from(this.served.subarray(this.fetched, this.arrived));
    return {
      number: this.steps,
      now,
      running,
      joined: running.slice(running.length - joined),
      paused: [...paused],
      finished: running.filter((i) => this.ends.end[i] === this.steps),
      waiting: [...this.stopped].reverse().concat(arrived),
      held_blocks: running.map((i) => (this.reserved ? this.longest_blocks : blocks_for(this.size_now(i) + 1))),
      free_blocks: this.free,
      context_tokens: context,
      read_tokens: read,
    };
  }

  /** @returns {Run} */
  result() {
    const anyone = this.served_count > 0;
    const now = anyone ? this.clock.now() : 0;
    let words = 0;
    for (let k = 0; k < this.served_count; k += 1) words += this.requests[this.served[k]].reply;
    const running = this.clock.running_seconds();
    const used = this.clock.used_seconds();
    const per_word = this.seconds_per_word();
    // 1e5: room to print milliseconds in tenths
    if (!(running + used + now * this.pool_blocks + (per_word ?? 0) * 1e5 < Infinity)) {
      throw new SimError("cost", this.clock.cost, "finite_time");
    }
    return {
      seconds: now,
      steps: this.steps,
      served: this.served_count,
      refused: this.requests.length - this.served_count,
      paused: this.paused,
      rebuilt_tokens: this.rebuilt,
      tokens_per_second: anyone ? words / now : null,
      seconds_per_word: per_word,
      running: anyone ? running / now : null,
      pool_used: anyone ? used / (now * this.pool_blocks) : null,
      lowest_free: this.lowest_free,
      first_token: instants(this.first),
      finished: instants(this.last),
    };
  }

  seconds_per_word() {
    // The mean over chats of the mean gap between their tokens; a reply of one token has no gap.
    let total = 0;
    let chats = 0;
    for (let k = 0; k < this.served_count; k += 1) {
      const i = this.served[k];
      const { reply } = this.requests[i];
      if (reply > 1) {
        total += (this.last[i] - this.first[i]) / (reply - 1);
        chats += 1;
      }
    }
    return chats > 0 ? total / chats : null;
  }
}

const NOBODY = -1; // an end of the chain

/** @type {number[]} */
const NO_CHATS = [];

/**
 * One instant a chat, null where there was none.
 * @param {Float64Array} times
 */
function instants(times) {
  /** @type {(number | null)[]} */
  const result = new Array(times.length);
  for (let i = 0; i < times.length; i += 1) result[i] = times[i] === times[i] ? times[i] : null;
  return result;
}
