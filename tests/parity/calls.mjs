// The twin of calls.py: the same jobs, answered by the port.

import * as poolroom from '../../widget/index.js';
import * as arrivals from '../../widget/sim/arrivals.js';
import * as batching from '../../widget/sim/batching.js';
import * as blocks from '../../widget/sim/blocks.js';
import * as budget from '../../widget/sim/budget.js';
import * as chats from '../../widget/sim/chats.js';
import * as describe from '../../widget/sim/describe.js';
import * as draws from '../../widget/sim/draws.js';
import * as facts from '../../widget/sim/facts.js';
import * as floor from '../../widget/sim/floor.js';
import * as kv from '../../widget/sim/kv.js';
import * as lru from '../../widget/sim/lru.js';
import * as response_cache from '../../widget/sim/response_cache.js';
import * as zipf from '../../widget/sim/zipf.js';
import * as latencies from '../../widget/sim/latencies.js';
import * as percentiles from '../../widget/sim/percentiles.js';
import * as quantise from '../../widget/sim/quantise.js';
import * as quantise_words from '../../widget/sim/quantise_words.js';
import * as quote from '../../widget/sim/quote.js';
import * as server from '../../widget/sim/server.js';
import * as steptime from '../../widget/sim/steptime.js';
import * as sweep from '../../widget/sim/sweep.js';
import * as tools from '../../widget/sim/tools.js';
import * as window_words from '../../widget/sim/window_words.js';
import * as words from '../../widget/sim/words.js';

/** The port's modules by name; the plan's own are put beside them where plans are compared. */
export const MODULES = {
  ...{ blocks, budget, chats, describe, facts, quote, server, steptime, sweep, words },
  ...{ tools, draws },
  ...{ percentiles, latencies },
  ...{ lru, zipf, response_cache },
  ...{ floor },
  ...{ arrivals, batching, window_words },
  ...{ kv },
  ...{ quantise, quantise_words },
};
const FLOATS = { nan: NaN, inf: Infinity, '-inf': -Infinity, '-0': -0 };
const COST = ['weights_bytes', 'kv_bytes_per_token', 'flops_per_token', 'bandwidth_bytes_per_second', 'peak_flops_per_second'];

const measured_before = new Map();

/** An argument as the port takes it. */
export function decode(value) {
  if (Array.isArray(value)) return value.map(decode);
  if (value === null || typeof value !== 'object') return value;
  for (const [kind, make] of Object.entries(KINDS)) if (kind in value) return make(value[kind]);
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, decode(part)]));
}

function measured(args) {
  const text = JSON.stringify(args);
  if (!measured_before.has(text)) {
    if (measured_before.size > 3) measured_before.delete(measured_before.keys().next().value);
    measured_before.set(text, poolroom.measure(...decode(args)));
  }
  return measured_before.get(text);
}

const KINDS = {
  $requests: (rows) => rows.map((row) => poolroom.Request(...decode(row))),
  $list: (name) => poolroom.chat_list(name),
  $cost: (numbers) => Object.fromEntries(decode(numbers).map((number, i) => [COST[i], number])),
  $float: (name) => FLOATS[name],
  $measured: measured,
  $words: words.catalogue,
  $ask: ([system, prompt, max_new_tokens]) => ({ system, prompt, max_new_tokens }),
};

const view = new DataView(new ArrayBuffer(8));

/** A number as the 16 hex digits of its bits. */
function bits(number) {
  view.setFloat64(0, number);
  return `#${view.getBigUint64(0).toString(16).padStart(16, '0')}`;
}

/** An answer with every number as bits; what Python could not say is named. */
export function encode(value) {
  if (typeof value === 'number') return bits(value);
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.map(encode);
  if (typeof value !== 'object') return `not in Python: ${typeof value}`;
  if (ArrayBuffer.isView(value) || value instanceof Map || value instanceof Set) return `not in Python: ${value.constructor.name}`;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, encode(part)]));
}

/** What the port says to a job; a refusal is an answer too. */
export function answer({ call: name, args }) {
  return answer_of(() => call(name, args));
}

function answer_of(ask) {
  try {
    return ask();
  } catch (refusal) {
    if (!(refusal instanceof poolroom.SimError)) throw refusal;
    return { $refused: { setting: refusal.setting, allowed: refusal.allowed } };
  }
}

/** The answer to a job given as JSON, as JSON; a crash is shown, not thrown. */
export function answerLine(line) {
  try {
    return JSON.stringify(encode(answer(JSON.parse(line))));
  } catch (crash) {
    return JSON.stringify({ crash: String(crash?.stack ?? crash) });
  }
}

function call(name, args) {
  if (name in COMPOSITES) return COMPOSITES[name](...decode(args));
  if (args.some((value) => value !== null && typeof value === 'object' && '$watch' in value)) {
    const steps = [];
    const before = decode(args.slice(0, -1));
    return { run: poolroom.serve(...before, (step) => steps.push(step)), steps };
  }
  const end = name.lastIndexOf('.');
  return MODULES[name.slice(0, end)][name.slice(end + 1)](...decode(args));
}

function everything(measured, before, said_in = facts.WORDS) {
  const { room, run } = measured;
  return {
    measured,
    describe: describe.describe_measured(measured, said_in),
    page: describe.page_words(measured, before, said_in),
    status: describe.status_line(measured, before, said_in),
    text: describe.as_text(measured, said_in),
    fixes: describe.fixes(measured),
    same: before ? describe.same_line(before, measured, said_in) : '',
    room: words.room_sentences(room, measured.longest, measured.reserved, said_in),
    run: run ? words.run_sentences(run, measured.cap, measured.longest, said_in) : null,
    extra: run ? words.extra_sentences(run, said_in) : null,
    first: run ? words.first_word_sentences(run, measured.first_word_seconds, said_in) : null,
    short: words.short_sentences(room, said_in),
    legend: words.legend(room, said_in),
    values: [
      words.share_value(room, measured.share, said_in),
      words.longest_value(room, measured.longest, said_in),
      words.cap_value(measured.cap, said_in),
    ],
  };
}

function digest(...args) {
  const marks = [];
  const watch = (step) => {
    if (step.number % 100 === 0) {
      marks.push([step.number, step.now, step.running.length, step.free_blocks, step.context_tokens]);
    }
  };
  const { first_token, finished, ...totals } = poolroom.serve(...args, watch);
  return { ...totals, first_token_of_the_last: first_token.at(-1), finished_of_the_first: finished[0], every_100: marks };
}

function line(name, settings, ...more) {
  return words[name](poolroom.serve(...settings), ...more);
}

/** Every number that can be quoted; a name without a value is a refusal of its own. */
function quotes(measured, said_in = facts.WORDS) {
  const names = [...Object.keys(quote.QUOTES), 'nonsense'];
  return names.map((name) => [name, answer_of(() => quote.quote(measured, name, said_in))]);
}

const COMPOSITES = { everything, digest, line, quotes };
