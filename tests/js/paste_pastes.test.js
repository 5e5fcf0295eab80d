// What people paste: each refusal in its wordings, with every prefix, torn, coloured, of several ranks and starts.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { read_paste } from '../../site/plan/paste/read.js';
import { NEEDED, PASTES, V1 } from './paste_corpus.js';

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
