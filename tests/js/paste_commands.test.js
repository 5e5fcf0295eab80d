// Commands as people write them: shells, Docker, compose, Kubernetes, Python; and files of a model.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { STEP, read_paste, reading_of } from '../../site/plan/paste/read.js';
import { whole } from '../../site/plan/paste/flags.js';
import { COMMANDS, POD } from './paste_commands.js';

for (const [name, text, { asked = {}, unknown, problems = {}, ...parts }] of COMMANDS) {
  test(`command: ${name}`, () => {
    const reading = read_paste(text);
    assert.equal(reading.kind, 'command', name);
    for (const [key, value] of Object.entries(asked)) assert.deepEqual(reading.asked[key], value, `${key} of ${JSON.stringify(reading.asked)}`);
    for (const [key, value] of Object.entries(parts)) assert.deepEqual(reading[key], value, key);
    for (const [key, values] of Object.entries(problems)) assert.ok(reading.problems.some((each) => each.key === key && JSON.stringify(each.values) === JSON.stringify(values)), `${key} of ${JSON.stringify(reading.problems)}`);
    if (!unknown) return;
    const flags = Object.fromEntries(reading.unknown.map(({ flag, nearest }) => [flag, nearest]));
    assert.deepEqual(Object.keys(flags).sort(), Object.keys(unknown).sort());
    for (const [flag, nearest] of Object.entries(unknown)) if (nearest !== undefined) assert.equal(flags[flag], nearest);
  });
}

test('there are sixty commands', () => assert.ok(COMMANDS.length >= 60, String(COMMANDS.length)));

test('whole numbers as vLLM reads them', () => {
  const cases = { '1k': 1000, '1K': 1024, '2m': 2e6, '2M': 2 ** 21, '1G': 2 ** 30, '25.6k': 25600, '-1': -1, 8192: 8192, '1_024': 1024, '1.5': null, '1.5K': null, '': null, k: null, '1kk': null, '9e9': null, '99999999999999999': null };
  for (const [text, value] of Object.entries(cases)) assert.equal(whole(text), value, text);
});

const CONFIG = { architectures: ['Qwen3ForCausalLM'], model_type: 'qwen3', hidden_size: 4096, num_hidden_layers: 36 };

test('a config.json is known by what is in it', () => {
  const reading = read_paste(JSON.stringify(CONFIG, null, 2));
  assert.equal(reading.kind, 'config');
  assert.deepEqual(reading.asked.model, CONFIG);
  assert.deepEqual(reading.problems, []);
});

test('an index of weights is known by what is in it', () => {
  const index = { metadata: { total_size: 16381470720 }, weight_map: { 'lm_head.weight': 'model-00005-of-00005.safetensors' } };
  const reading = read_paste(`\ufeff${JSON.stringify(index)}\r\n`);
  assert.equal(reading.kind, 'index');
  assert.deepEqual(reading.asked.index, index);
});

test('of an index that is very long the totals are read', () => {
  const weight_map = Object.fromEntries(Array.from({ length: 60000 }, (_, i) => [`model.layers.${i}.mlp.experts.${i}.gate_proj.weight`, 'model-00001-of-00099.safetensors']));
  const text = JSON.stringify({ metadata: { total_size: 688586727753 }, weight_map });
  assert.ok(text.length > 4e6);
  const reading = read_paste(text);
  assert.equal(reading.kind, 'index');
  assert.deepEqual(reading.asked.index, { metadata: { total_size: 688586727753 }, weight_map: {} });
  assert.equal(reading.problems[0].key, 'index_cut');
});

test('broken JSON is told with line and column', () => {
  const text = JSON.stringify(CONFIG, null, 2);
  /** @type {[string, number, number, boolean][]} */
  const cases = [
    [text.replace('"qwen3",', '"qwen3"'), 6, 3, false],
    [text.replace('4096', '40x96'), 6, 20, false],
    [text.slice(0, -2), 7, 26, true],
    [text.replace('36\n', '36,\n'), 8, 1, false],
    [text.replaceAll('"', "'").replace("'architectures'", '"architectures"').replace("'model_type'", '"model_type"'), 3, 5, false],
    [`${text}}`, 8, 2, false],
  ];
  for (const [broken, line, column, ended] of cases) {
    const reading = read_paste(broken);
    assert.equal(reading.kind, 'nothing', broken);
    const [{ key, values }] = reading.problems;
    assert.deepEqual([key, values.line, values.column, values.ended], ['json_broken', line, column, ended], broken);
  }
});

test('what is JSON is what the engine of scripts takes for it', () => {
  const values = ['{}', '[1, -0.5e+3, "a\\u00e4\\n", true, null]', '{"a": [], "b": {"c": [[]]}}', '""', '[', ']', ',', ':', '1', '01', '{"a" 1}', ' ', 'NaN'];
  for (const one of values) {
    for (const two of values) {
      const text = `{"architectures": ["X"], "a": ${one}${two}}`;
      let right = true;
      try {
        JSON.parse(text);
      } catch {
        right = false;
      }
      assert.equal(read_paste(text).kind === 'config', right, text);
    }
  }
});

test('a config.json that is longer than any is not read, and that is said', () => {
  const text = JSON.stringify({ architectures: ['LlamaForCausalLM'], id2label: Object.fromEntries(Array.from({ length: 40000 }, (_, i) => [i, `LABEL_${i}`])) });
  assert.deepEqual([read_paste(text).kind, read_paste(text).problems], ['nothing', [{ key: 'json_long', values: {} }]]);
});

test('JSON of something else is said to be that', () => {
  assert.deepEqual(read_paste('{"name": "x", "version": 1}').problems, [{ key: 'json_other', values: {} }]);
});

test('in steps the same is read', () => {
  for (const text of [`${'x'.repeat(200000)}\n${POD}`, POD, '{"architectures": [1', '']) {
    const steps = reading_of(text);
    let step = steps.next();
    let count = 0;
    for (; !step.done; step = steps.next()) count += 1;
    assert.deepEqual(step.value, read_paste(text));
    assert.ok(count >= text.length / STEP + 3, `${count}`);
  }
});

test('of very many commands the first and the last are read', () => {
  const text = `${'vllm serve Qwen/Qwen3-8B --max-num-seqs 8\n'.repeat(120_000)}vllm serve Qwen/Qwen3-8B --max-num-seqs 9\n`;
  assert.equal(read_paste(text).asked.max_num_seqs, 9);
});
