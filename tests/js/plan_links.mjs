// The addresses of the page on which a plan runs, for plans as JSON lines.
// usage: node tests/js/plan_links.mjs FILE

import { readFileSync } from 'node:fs';
import { trial } from '../../widget/sim/vllm/trial.js';
import { watch_link } from '../../site/plan/watch_link.js';

for (const line of readFileSync(process.argv[2], 'utf8').split('\n').filter(Boolean)) {
  console.log(JSON.stringify(watch_link(trial(JSON.parse(line)))));
}
