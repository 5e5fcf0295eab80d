// The port against the vectors of tests/parity/vectors: every number as bits, every text letter by letter.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { answer, encode } from '../parity/calls.mjs';

const folder = new URL('../parity/vectors/', import.meta.url);

for (const file of readdirSync(folder).filter((name) => name.endsWith('.json')).sort()) {
  const { module, cases } = JSON.parse(readFileSync(new URL(file, folder), 'utf8'));
  if (module === 'quiet') continue; // the port's own: quiet.test.js
  describe(module, () => {
    for (const { name, why, in: job, out } of cases) {
      test(name, () => assert.deepEqual(encode(answer(job)), encode(out), why));
    }
  });
}
