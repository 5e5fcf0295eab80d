// What people paste: each refusal in its wordings, with every prefix, torn, coloured, of several ranks and starts.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { read_paste } from '../../site/plan/paste/read.js';
import { measured_of } from '../../site/plan/paste/reveal.js';
import { LOG, NEEDED, PASTES, V0LOG, V1 } from './paste_corpus.js';

/** Check that a reading says at least what is expected. */
function assert_says(reading, expected, name) {
  const { starts, ranks, reveals, unknown, problems, ...parts } = expected;
  for (const [part, want] of Object.entries(parts)) {
    if (want === null || typeof want !== 'object') assert.deepEqual(reading[part], want, `${name}: ${part}`);
    else {
      for (const [key, value] of Object.entries(want)) assert.deepEqual(reading[part]?.[key], value, `${name}: ${part}.${key} of ${JSON.stringify(reading[part])}`);
    }
  }
  if (starts) assert.equal(reading.starts.length, starts, `${name}: starts`);
  if (ranks) assert.equal(reading.starts.at(-1).ranks.length, ranks, `${name}: ranks`);
  for (const [key, want] of Object.entries(reveals ?? {})) {
    const told = reading.reveals.find((each) => each.key === key)?.values;
    for (const [value, figure] of Object.entries(want)) assert.deepEqual(told?.[value], figure, `${name}: ${key}.${value} of ${JSON.stringify(reading.reveals)}`);
  }
  for (const [flag, nearest] of Object.entries(unknown ?? {})) assert.deepEqual(reading.unknown.find((each) => each.flag === flag), { flag, nearest }, name);
  for (const key of problems ?? []) assert.ok(reading.problems.some((each) => each.key === key), `${name}: ${key}`);
}

for (const [name, text, expected] of PASTES) {
  test(`pasted: ${name}`, () => assert_says(read_paste(text), expected, name));
}

test('every refusal is among the pastes in two wordings', () => {
  assert.ok(PASTES.length >= 60, String(PASTES.length));
  for (let number = 1; number <= 11; number += 1) {
    assert.ok(PASTES.filter(([, , { refusal }]) => refusal?.number === number).length >= 2, String(number));
  }
});

test('findings name their line and the piece that says it', () => {
  const { findings } = read_paste(`a\nb\r\n${V1}ValueError: ${NEEDED}`);
  assert.equal(findings.length, 1);
  assert.equal(findings[0].line, 3);
  assert.ok(findings[0].text.startsWith('max seq len (262144)') && findings[0].text.length <= 200);
});

test('bytes for a token follow from what is needed', () => {
  const [{ key, values }] = read_paste(NEEDED).reveals;
  assert.equal(key, 'kv_bytes_per_token');
  assert.equal(values.bytes, 248 * 1024);
  assert.ok(values.low < values.bytes && values.bytes < values.high);
});

test('what a start measured closes to what it asked for', () => {
  const newest = PASTES.find(([name]) => name === 'log of 0.33')[1];
  for (const [text, rest] of [[LOG, 0], [V0LOG, 0], [newest, 0]]) {
    const [start] = read_paste(text).starts;
    const { measured_weights_gib: weights, measured_activation_gib: activation, measured_non_torch_gib: other, measured_graphs_gib: graphs, measured_kv_gib: kv } = measured_of(start);
    const asked = start.printed.requested_gib ?? start.printed.total_gib * start.printed.share;
    const counted = start.printed.consumed_gib === undefined ? 0 : graphs;
    assert.ok(Math.abs(asked - weights - activation - other - counted - kv - rest) < 0.02, JSON.stringify([asked, measured_of(start)]));
  }
  assert.deepEqual(measured_of(read_paste(NEEDED).starts[0]), { measured_kv_gib: 48.66 });
});

/** What a template's numbers are called here; what is not here is not a figure. */
const NAMES = {
  weights_bytes: ['weights_gib'], total_bytes: ['total_gib'], torch_peak_bytes: ['peak_torch_gib'], peak_bytes: ['activation_gib'],
  activation_bytes: ['activation_gib'], non_torch_bytes: ['non_torch_gib'], consumed_bytes: ['consumed_gib'], kv_bytes: ['kv_gib'],
  graphs_bytes: ['graphs_gib', 'graphs_estimated_gib'], free_bytes: ['free_gib'], share: ['share'], share_without: ['share_without_graphs'],
  share_bytes: ['requested_gib'], requested_bytes: ['requested_gib'], blocks: ['blocks', 'mamba_blocks'], tokens: ['tokens'], pool_tokens: ['tokens'],
  longest: ['at_length', 'max_model_len', 'longest_fitted'], asked_longest: ['longest_before'], concurrency: ['concurrency'], needed_bytes: ['needed_gib'],
  available_bytes: ['kv_gib'], estimated_longest: ['estimated_length'], model_longest: ['model_longest'], batched_tokens: ['max_num_batched_tokens'],
  seats: ['max_num_seqs'], heads: ['heads'], tp: ['tensor_parallel_size'], initial_bytes: ['initial_free_gib'], current_bytes: ['current_free_gib'],
  dummies: ['dummy_requests'], card: ['card'], capability: ['capability'],
};

/** A template with numbers in it, none of them twice. */
function filled(template) {
  /** @type {Record<string, number | string>} */
  const values = {};
  /** @type {Record<string, string>} */
  const seen = {};
  let next = 11;
  const text = template.replace(/…/g, '1.5').replace(/\{([a-z_]+)(?:\|([a-z0-9]+))?\}/g, (whole, name, form = '') => {
    if (seen[whole]) return seen[whole];
    next += 2;
    const places = { gib: 2, gib2: 2, gib4: 4, fixed2: 2, fixed4: 4, float: 2 }[form] ?? 0;
    const written = name === 'card' ? 'Tesla T4' : name === 'platform' ? 'GPU' : name === 'device' ? 'cuda:0' : name === 'maker' ? 'CUDA' : name.startsWith('share') && !name.includes('bytes') ? `0.${next}${places === 4 ? '25' : ''}` : places ? `${next}.${'2578'.slice(0, places)}` : form === 'commas' ? `${next},264` : String(next * 1000);
    const number = Number(written.replace(',', ''));
    seen[whole] = written;
    values[name] = Number.isNaN(number) ? written : form === '' && name === 'kv_bytes' ? number / 2 ** 30 : number;
    return written;
  });
  return { text: text.replace(/[[\]]/g, (bracket) => (template.includes('[core') ? bracket : '')), values };
}

/** Refusals that the reader does not know yet: the page says that it understood nothing of them. */
const UNREAD = [
  'kv_heads', 'expert_block', 'width_block', 'method_card', 'method_file', 'method_differs', 'model_unlisted', 'card_kernels', 'method_unknown',
];

test('every line that the engine is known to print is read back, in every wording', (t) => {
  const facts = JSON.parse(readFileSync(new URL('../../sim/poolroom/facts/vllm/lines.json', import.meta.url), 'utf8'));
  let read = 0;
  const skipped = new Set();
  const refusals = Object.entries(facts.refusals).filter(([key]) => !UNREAD.includes(key)).map(([, rows]) => rows);
  for (const rows of [...Object.values(facts.start), ...refusals]) {
    for (const [, template] of ['V0', 'V1', 'V2'].flatMap((engine) => rows[engine] ?? [])) {
      if (!template) continue;
      const { text, values } = filled(template);
      const reading = read_paste(`(EngineCore pid=7) ERROR 11-30 12:00:00 [core.py:1] ValueError: ${text}`);
      const found = { ...reading.printed, ...reading.asked, ...reading.refusal };
      if (rows.number) assert.equal(reading.refusal?.number, rows.number, template);
      for (const [name, value] of Object.entries(values)) {
        if (!NAMES[name]) {
          skipped.add(name);
          continue;
        }
        assert.ok(NAMES[name].some((key) => found[key] === value), `${name} = ${value} of ${text}\n${JSON.stringify(found)}`);
        read += 1;
      }
    }
  }
  t.diagnostic(`${read} numbers of templates; no figures: ${[...skipped].join(', ')}`);
  assert.ok(read > 100);
});

const LOGS = new URL('../../../shared/facts/start-logs.jsonl', import.meta.url);
/** Figures of a published start-up by their names here. */
const FIGURES = { weights_gib: 'weights_gib', kv_cache_gib: 'kv_gib', activation_gib: 'activation_gib', non_torch_gib: 'non_torch_gib', cuda_graph_gib: 'graphs_gib', gpu_blocks: 'blocks', kv_tokens: 'tokens', max_concurrency: 'concurrency', gpu_mem_gib_reported: 'total_gib' };
/** What these reports say in their writers' own words instead of vLLM's. */
const OWN_WORDS = {
  'f60302613727-gb10x3-u83': ['kv_cache_gib'],
  'f13068150713-r1-qwen3-8b-2080tix4': ['max_concurrency'],
  'mia204-glm5.3-gb10x2-auto': ['kv_tokens'],
  'aeon9-qwen3.6-27b-gb10': ['weights_gib', 'kv_cache_gib', 'cuda_graph_gib', 'kv_tokens'],
};

test('published start-ups: every printed figure is found', (t) => {
  if (!existsSync(LOGS)) {
    t.diagnostic('the published start-ups are not here');
    return;
  }
  let found = 0;
  const records = readFileSync(LOGS, 'utf8').trim().split('\n').map((line) => JSON.parse(line)).filter(({ log_lines }) => log_lines?.length);
  for (const record of records) {
    const text = record.log_lines.join('\n');
    const reading = read_paste(text);
    const bare = text.replace(/,/g, '');
    for (const [theirs, ours] of Object.entries(FIGURES)) {
      if (record[theirs] === null || OWN_WORDS[record.id]?.includes(theirs)) continue;
      const told = reading.reveals.find(({ key }) => key === ours.replace('_gib', ''))?.values.gib;
      const values = [reading.printed[ours], told].filter((value) => value !== undefined);
      if (!values.length && !bare.includes(String(record[theirs]))) continue;
      assert.ok(values.some((value) => Math.abs(value - record[theirs]) <= 0.006), `${record.id}: ${theirs} is ${record[theirs]}, read ${values}`);
      found += 1;
    }
    if (text.includes('Error') && record.error_kind && !record.id.startsWith('mia204')) assert.ok(reading.refusal, record.id);
    assert.ok(reading.starts.length <= 1, record.id);
  }
  t.diagnostic(`${found} figures in ${records.length} published start-ups`);
  assert.ok(found >= 400);
});
