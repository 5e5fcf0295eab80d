// server.py step by step, in JavaScript: what the port is measured against. Not part of the widget.

import { blocks_for } from '../../widget/sim/blocks.js';
import { COST, SERVER } from '../../widget/sim/facts.js';
import { Clock } from '../../widget/sim/steptime.js';

/** Run the server over a list of chats, every step walked; arguments and result as in server.js, nothing checked. */
export function serve_plainly(requests, cap, pool_blocks, longest, reserved = false, cost = COST) {
  const server = new Plain(requests, cap, pool_blocks, longest, reserved, cost);
  while (server.busy()) server.step();
  return server.result();
}

class Plain {
  constructor(requests, cap, pool_blocks, longest, reserved, cost) {
    Object.assign(this, { requests, cap, pool_blocks, reserved });
    this.longest_blocks = blocks_for(longest);
    this.size = requests.map((request) => request.prompt);
    this.whole_size = requests.map((request) => request.prompt + request.reply);
    this.served = this.whole_size.map((_, i) => i).filter((i) => this.whole_size[i] <= longest);
    this.coming = 0; // place in `served` of the next to arrive
    this.waiting = []; // last is the front
    this.running = [];
    this.held = requests.map(() => 0);
    this.first = requests.map(() => null);
    this.last = requests.map(() => null);
    this.free = this.lowest_free = pool_blocks;
    this.steps = this.paused = this.rebuilt = 0;
    this.clock = new Clock(cost);
  }

  busy() {
    return this.coming < this.served.length || this.waiting.length > 0 || this.running.length > 0;
  }

  step() {
    this.arrive();
    if (this.running.length === 0 && this.waiting.length === 0) {
      this.clock.jump(this.requests[this.served[this.coming]].arrival);
      this.arrive();
    }
    const paused = this.take_blocks();
    const joined = paused ? [] : this.admit();
    const writing = this.running.length - joined.length;
    const context = this.tokens_of(this.running, writing);
    const read = this.tokens_of(joined, joined.length);
    this.clock.count(context, writing + read, this.running.length, this.pool_blocks - this.free);
    this.lowest_free = Math.min(this.lowest_free, this.free);
    this.steps += 1;
    this.write(joined, this.clock.now());
  }

  tokens_of(chats, count) {
    let tokens = 0;
    for (let k = 0; k < count; k += 1) tokens += this.size[chats[k]];
    return tokens;
  }

  arrive() {
    const now = this.clock.now();
    const { served, requests } = this;
    while (this.coming < served.length && requests[served[this.coming]].arrival <= now) {
      this.waiting.unshift(served[this.coming]);
      this.coming += 1;
    }
  }

  take_blocks() {
    if (this.reserved) return false;
    let paused = false;
    let k = 0;
    while (k < this.running.length) {
      const i = this.running[k];
      if (this.size[i] % SERVER.block_tokens === 0) {
        if (this.free === 0) {
          this.pause_newest();
          paused = true;
          continue;
        }
        this.hold(i, 1);
      }
      k += 1;
    }
    return paused;
  }

  pause_newest() {
    const newest = this.running.pop();
    this.release(newest);
    this.waiting.push(newest);
    this.paused += 1;
  }

  admit() {
    const joined = [];
    while (this.waiting.length > 0 && this.running.length < this.cap) {
      const i = this.waiting.at(-1);
      const need = this.reserved ? this.longest_blocks : blocks_for(this.size[i] + 1);
      if (need > this.free) break;
      this.hold(this.waiting.pop(), need);
      this.running.push(i);
      joined.push(i);
      if (this.first[i] !== null) this.rebuilt += this.size[i];
    }
    return joined;
  }

  hold(i, blocks) {
    this.free -= blocks;
    this.held[i] += blocks;
  }

  release(i) {
    this.free += this.held[i];
    this.held[i] = 0;
  }

  write(joined, now) {
    for (const i of joined) this.first[i] ??= now;
    let stay = 0;
    for (const i of this.running) {
      this.size[i] += 1;
      if (this.size[i] === this.whole_size[i]) {
        this.last[i] = now;
        this.release(i);
      } else {
        this.running[stay] = i;
        stay += 1;
      }
    }
    this.running.length = stay;
  }

  result() {
    const anyone = this.served.length > 0;
    const now = anyone ? this.clock.now() : 0;
    const words = this.served.reduce((sum, i) => sum + this.requests[i].reply, 0);
    return {
      seconds: now,
      steps: this.steps,
      served: this.served.length,
      refused: this.requests.length - this.served.length,
      paused: this.paused,
      rebuilt_tokens: this.rebuilt,
      tokens_per_second: anyone ? words / now : null,
      seconds_per_word: this.seconds_per_word(),
      running: anyone ? this.clock.running_seconds() / now : null,
      pool_used: anyone ? this.clock.used_seconds() / (now * this.pool_blocks) : null,
      lowest_free: this.lowest_free,
      first_token: this.first,
      finished: this.last,
    };
  }

  seconds_per_word() {
    let total = 0;
    let chats = 0;
    for (const i of this.served) {
      if (this.requests[i].reply < 2) continue;
      total += (this.last[i] - this.first[i]) / (this.requests[i].reply - 1);
      chats += 1;
    }
    return chats > 0 ? total / chats : null;
  }
}
