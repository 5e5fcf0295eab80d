// Answer a file of jobs, one JSON object a line, with one line each; every number as the 16 hex digits of its bits.
// usage: node tests/parity/engine.mjs JOBS

import { readFileSync } from 'node:fs';
import { answerLine } from './calls.mjs';

const lines = readFileSync(process.argv[2], 'utf8').split('\n').filter(Boolean);
process.stdout.write(lines.map((line) => `${answerLine(line)}\n`).join(''));
