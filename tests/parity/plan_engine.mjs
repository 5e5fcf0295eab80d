// The same as engine.mjs, with the modules of the plan, whichever there are.
// usage: node tests/parity/plan_engine.mjs JOBS

import { readFileSync, readdirSync } from 'node:fs';
import { answerLine, MODULES } from './calls.mjs';

const folder = new URL('../../widget/sim/vllm/', import.meta.url);
for (const file of readdirSync(folder).filter((name) => name.endsWith('.js'))) {
  MODULES[`vllm.${file.slice(0, -3)}`] = await import(new URL(file, folder).href);
}
const lines = readFileSync(process.argv[2], 'utf8').split('\n').filter(Boolean);
process.stdout.write(lines.map((line) => `${answerLine(line)}\n`).join(''));
