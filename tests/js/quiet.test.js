// The port's own: k quiet steps counted at once are k steps counted one by one.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readFileSync } from 'node:fs';
import { compute_bound_steps, count_quiet, longest_run, steps_until, steps_with_blocks } from '../../widget/sim/quiet.js';
import { Clock } from '../../widget/sim/steptime.js';
import { COST } from '../../widget/sim/facts.js';

const { cases } = JSON.parse(readFileSync(new URL('../parity/vectors/quiet.json', import.meta.url), 'utf8'));
const GROWING = { weights_bytes: 1, kv_bytes_per_token: 0.5, flops_per_token: 0.75, bandwidth_bytes_per_second: 3, peak_flops_per_second: 1 };
const COMPUTE = { ...COST, peak_flops_per_second: 1e9 };
const ONE_SECOND = { weights_bytes: 1, kv_bytes_per_token: 0, flops_per_token: 0, bandwidth_bytes_per_second: 1, peak_flops_per_second: 1 };

/** A plain generator of whole numbers, so that every run of this test is the same. */
function numbers(seed) {
  let state = seed;
  return (below) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor(state / 65536) % below;
  };
}

function stretch_of(seed) {
  const next = numbers(seed);
  const boundaries = new Float64Array(16);
  const running = 1 + next(40);
  for (let chat = 0; chat < running; chat += 1) boundaries[next(16)] += 1;
  return { first: 1 + next(500), running, context: running * (1 + next(300)), used: running + next(900), free: next(400), boundaries };
}

/** Walk the stretch step by step; stops before the step that lacks a block. */
function walk({ first, running, context, used, free, boundaries }, limit, cost, reserved) {
  const clock = new Clock(cost);
  const ends = [];
  const kinds = [];
  let taken = 0;
  for (let step = 0; step < limit; step += 1) {
    const need = reserved ? 0 : boundaries[(first + step) % 16];
    if (need > free - taken) break;
    taken += need;
    kinds.push(clock.memory_bound(context + running * step, running));
    clock.count(context + running * step, running, running, used + taken);
    ends.push(clock.now());
  }
  return { clock, ends, kinds, taken };
}

function counters(clock) {
  const weighted = ['running_steps', 'running_context', 'running_tokens', 'used_steps', 'used_context', 'used_tokens'];
  return [clock.base, clock.steps, clock.context, clock.tokens, ...weighted.map((name) => clock[name].value())];
}

describe('quiet steps at once are quiet steps one by one', () => {
  for (const [name, cost] of Object.entries({ COST, GROWING, COMPUTE, ONE_SECOND })) {
    for (const reserved of [false, true]) {
      test(`${name}, ${reserved ? 'set aside' : 'as they grow'}`, () => {
        for (let seed = 1; seed <= 150; seed += 1) {
          const stretch = stretch_of(seed);
          const limit = 1 + (seed * 37) % 700;
          const { clock, ends, kinds, taken } = walk(stretch, limit, cost, reserved);
          assert.equal(steps_with_blocks(stretch, limit, reserved), ends.length, `blocks, seed ${seed}`);
          if (ends.length === 0) continue;
          const fresh = new Clock(cost);
          const computing = compute_bound_steps(stretch, ends.length, fresh);
          assert.equal(computing, kinds.filter((memory) => !memory).length, `kinds, seed ${seed}`);
          for (const at of [0, ends.length >> 1, ends.length - 1]) {
            assert.equal(steps_until(stretch, ends.length, ends[at], fresh, computing), at + 1, `arrival at an end, seed ${seed}`);
          }
          assert.equal(steps_until(stretch, ends.length, Infinity, fresh, computing), ends.length);
          assert.equal(count_quiet(stretch, ends.length, fresh, computing, reserved), taken, `taken, seed ${seed}`);
          assert.deepEqual(counters(fresh), counters(clock), `counters, seed ${seed}`);
        }
      });
    }
  }
});

describe('vectors by hand', () => {
  for (const { name, why, in: given, out } of cases) {
    test(name, () => {
      const boundaries = Float64Array.from(given.boundaries);
      assert.equal(steps_with_blocks({ ...given, boundaries }, given.limit, given.reserved), out.steps, why);
      const clock = new Clock(ONE_SECOND);
      const stretch = { ...given, boundaries };
      assert.equal(count_quiet(stretch, out.steps, clock, 0, given.reserved), out.taken, why);
      assert.equal(clock.used_steps.value(), out.used_steps, why);
    });
  }
});

test('a giant pool counts step by step, so that no sum passes 2^53', () => {
  assert.equal(longest_run(25720), 4096);
  assert.equal(longest_run(2 ** 29 - 1), 4096);
  assert.equal(longest_run(2 ** 29), 1);
  assert.equal(longest_run(2 ** 49), 1);
});

test('a step that takes as long either way counts as memory-bound', () => {
  const clock = new Clock({ weights_bytes: 4, kv_bytes_per_token: 1, flops_per_token: 1, bandwidth_bytes_per_second: 1, peak_flops_per_second: 1 });
  clock.count(2, 6, 6, 3);
  assert.deepEqual([clock.steps, clock.context, clock.tokens], [1, 2, 0]);
  clock.count(2, 7, 7, 3);
  assert.deepEqual([clock.steps, clock.context, clock.tokens], [1, 2, 7]);
});

test('weighted sums stay exact beyond 2^53', () => {
  const clock = new Clock(COST);
  let exact = 0n;
  for (let n = 0; n < 100; n += 1) {
    const used = 2 ** 40 + n;
    const context = 2 ** 20 + 3 * n;
    clock.count(context, 1, 1, used);
    exact += BigInt(used) * BigInt(context);
  }
  assert.equal(clock.used_context.value(), Number(exact));
});
