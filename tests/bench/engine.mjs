// Time the port and the plain loop on the same settings, by turns, and the port on long lists.
// usage: node tests/bench/engine.mjs '{"settings": [[share, longest, cap, reserved], …], "rounds": 15}'

import { COST, Request, backlog, room, serve } from '../../widget/index.js';
import { serve_plainly } from './plain.js';

const { settings, rounds } = JSON.parse(process.argv[2]);
const PROGRAMS = { plain: serve_plainly, twin: serve };
const chats = backlog();

/** Milliseconds of one run: as many runs as take about 4 ms, divided. */
function one(program, args, times) {
  const start = performance.now();
  for (let n = 0; n < times; n += 1) program(...args);
  return (performance.now() - start) / times;
}

function arguments_of([share, longest, cap, reserved]) {
  return [chats, cap, room(share, longest).blocks, longest, reserved, COST];
}

/** Times of both programs on one setting, by turns, after a warm-up of both. */
function by_turns(setting) {
  const args = arguments_of(setting);
  const times = {};
  const found = {};
  for (const [name, program] of Object.entries(PROGRAMS)) {
    times[name] = Math.max(1, Math.round(4 / Math.max(0.02, one(program, args, 3))));
    one(program, args, 2 * times[name]);
    found[name] = [];
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, program] of Object.entries(PROGRAMS)) found[name].push(one(program, args, times[name]));
  }
  return found;
}

/** The lesson's chats over and over, all at once or one every 50 ms. */
function long_list(count, gap) {
  return Array.from({ length: count }, (_, i) => Request(i * gap, chats[i % 600].prompt, chats[i % 600].reply));
}

function long_runs() {
  const found = [];
  for (const [kind, gap] of [['all waiting', 0], ['one every 50 ms', 0.05]]) {
    for (const count of [25_000, 50_000, 100_000]) {
      const args = [long_list(count, gap), 64, room(90, 8000).blocks, 8000];
      const ms = [1, 2, 3].map(() => one(serve, args, 1));
      found.push({ kind, count, ms });
    }
  }
  return found;
}

for (const setting of settings) by_turns(setting); // everything is compiled before anything counts
console.log(JSON.stringify({ settings: settings.map(by_turns), long: long_runs(), node: process.version }));
