// The plain loop that the bench measures against does the same work: the same bits as the port and the vectors.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { backlog, room, serve } from '../../widget/index.js';
import { serve_plainly } from '../bench/plain.js';
import { decode, encode } from '../parity/calls.mjs';

const { cases } = JSON.parse(readFileSync(new URL('../parity/vectors/server.json', import.meta.url), 'utf8'));
const runs = cases.filter(({ in: { call, args } }) => call === 'server.serve' && !('$watch' in Object(args.at(-1))));

test('the plain loop gives every run of the vectors', () => {
  assert.ok(runs.length > 50);
  for (const { name, in: job, out } of runs) assert.deepEqual(encode(serve_plainly(...decode(job.args))), encode(out), name);
});

test('the plain loop gives the port’s bits on the lesson’s settings', () => {
  const chats = backlog();
  for (const [share, longest, cap, reserved] of [
    [90, 8000, 64, false], [30, 4000, 512, false], [30, 8000, 1, false], [98, 4000, 512, false],
    [60, 8000, 256, true], [44, 128000, 8, true], [35, 16000, 32, false],
  ]) {
    const { blocks } = room(share, longest);
    const args = [chats, cap, blocks, longest, reserved];
    assert.deepEqual(encode(serve_plainly(...args)), encode(serve(...args)), String(args.slice(1)));
  }
});
