// Answer a file of jobs, one JSON object a line, with one line each; every number as the 16 hex digits of its bits.
// usage: node tests/parity/engine.mjs JOBS

import { readFileSync } from 'node:fs';
import { answer, encode } from './calls.mjs';

const lines = readFileSync(process.argv[2], 'utf8').split('\n').filter(Boolean);
const out = [];
for (const line of lines) {
  try {
    out.push(JSON.stringify(encode(answer(JSON.parse(line)))));
  } catch (crash) {
    out.push(JSON.stringify({ crash: String(crash?.stack ?? crash) }));
  }
}
process.stdout.write(out.map((text) => `${text}\n`).join(''));
