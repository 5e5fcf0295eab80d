// What the package gives: the names, frozen facts, and a list that is left as it was.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as poolroom from '../../widget/index.js';

test('the public names are the reference’s, but what only Python has', () => {
  const names = `CATALOGUES COST Clock Request SimError as_text backlog blocks_for catalogue chat_list describe describe_measured
    extra_line fixes largest_longest measure memory_parts page_words room room_line run_line same_line serve
    smallest_share status_line step_seconds stops_paying swapped sweep`.split(/\s+/);
  assert.deepEqual(names.filter((name) => !(name in poolroom)), []);
  for (const name of names) assert.ok(['function', 'object'].includes(typeof poolroom[name]), name);
});

test('serve changes nothing it was given, and takes frozen requests', () => {
  const requests = [[0, 15, 20], [0, 16, 16], [0, 30, 4]].map((row) => Object.freeze(poolroom.Request(...row)));
  const before = JSON.stringify(requests);
  const one = poolroom.serve(Object.freeze(requests), 8, 4, 48);
  assert.deepEqual(one, poolroom.serve(requests, 8, 4, 48));
  assert.equal(JSON.stringify(requests), before);
});

test('the cost record is frozen', () => {
  assert.throws(() => { poolroom.COST.weights_bytes = 1; }, TypeError);
});

test('a refusal is an error that names setting, value and rule', () => {
  assert.throws(() => poolroom.room(0, 8000), (refusal) => {
    assert.ok(refusal instanceof poolroom.SimError && refusal instanceof Error);
    assert.deepEqual([refusal.setting, refusal.value, refusal.allowed], ['share', 0, 'whole_between']);
    assert.equal(refusal.message, 'share is 0, but must be a whole number from 1 to 100.');
    return true;
  });
});

test('watch sees plain arrays of its own', () => {
  const steps = [];
  poolroom.serve([poolroom.Request(0, 15, 3), poolroom.Request(0, 15, 3)], 8, 9, 48, false, poolroom.COST, (step) => {
    steps.push(structuredClone(step));
    for (const list of Object.values(step)) if (Array.isArray(list)) list.length = 0;
  });
  assert.equal(steps.length, 3);
  assert.deepEqual(steps[2].running, [0, 1]);
});

test('absent settings are the reference’s defaults', () => {
  assert.deepEqual(poolroom.describe(90, 8000, 64), poolroom.describe(90, 8000, 64, false, null));
  assert.deepEqual(poolroom.sweep().map((row) => row.cap), [1, 2, 4, 8, 16, 32, 64, 128, 256, 512]);
});

test('a catalogue is frozen, and a name of nobody’s is refused', () => {
  const german = poolroom.catalogue('de');
  assert.equal(german.language, 'de');
  assert.throws(() => { german.lines.run = 'x'; }, TypeError);
  for (const name of ['fr', 'constructor', '__proto__', null]) {
    assert.throws(() => poolroom.catalogue(name), (refusal) => refusal instanceof poolroom.SimError && refusal.setting === 'lang');
  }
});
