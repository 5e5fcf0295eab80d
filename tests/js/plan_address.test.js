// Address -> plan -> address: what a plan is given stands in its address, and an address gives the plan back.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import PAGE from '../../sim/poolroom/facts/vllm/page.json' with { type: 'json' };
import CARDS from '../../sim/poolroom/facts/vllm/cards.json' with { type: 'json' };
import MODELS from '../../sim/poolroom/facts/vllm/models.json' with { type: 'json' };
import VERSIONS from '../../sim/poolroom/facts/vllm/vllm.json' with { type: 'json' };
import { plan } from '../../widget/sim/vllm/plan.js';
import { PlanError } from '../../widget/sim/vllm/refuse.js';
import { trial } from '../../widget/sim/vllm/trial.js';
import { config_hash, read_address, write_query } from '../../site/plan/address.js';
import { asked_of, form_of, opening_form } from '../../site/plan/form.js';

const COUNT = 2400;
const NONE = { model: null, index: null };

/** A row of numbers from 0 to 1 that is the same on every machine. */
function chances(seed) {
  let at = seed;
  return () => {
    at = (at * 48271) % 2147483647;
    return at / 2147483647;
  };
}

const next = chances(20261201);
const pick = (list) => list[Math.floor(next() * list.length)];
const number = (least, most) => String(least + Math.floor(next() * (most - least)));
const TEXTS = {
  gpu_memory_utilization: () => `0.${number(1, 99)}`,
  max_model_len: () => pick([number(16, 131072), '4k', '8K', 'auto', '-1', '32,768']),
  max_num_seqs: () => number(1, 2048),
  max_num_batched_tokens: () => number(1, 40000),
  in_use_gib: () => `${number(0, 50)}.${number(0, 99)}`,
  require_chats: () => `${number(1, 9)}x${number(100, 9000)},${number(1, 9)}x${number(100, 9000)}`,
  total_gib: () => `${number(8, 200)}.${number(0, 99)}`,
  block_size: () => pick(['16', '32']),
  tensor_parallel_size: () => number(1, 9),
  pipeline_parallel_size: () => number(1, 5),
  decode_context_parallel_size: () => number(1, 3),
  kv_cache_memory_bytes: () => pick([number(1000000, 9000000000), '16G', '2.5Gi']),
  num_gpu_blocks_override: () => number(1, 90000),
};
const LISTS = {
  switch: ['true', 'false'], dtypes: ['bfloat16', 'float16', 'float32'], engines: ['V0', 'V1'],
  kv_dtypes: ['auto', 'fp8', 'fp8_e5m2'], quantisations: ['fp8', 'awq', 'bitsandbytes'],
};

function text_for({ name, kind }) {
  if (Object.hasOwn(TEXTS, name)) return TEXTS[name]();
  if (Object.hasOwn(LISTS, kind)) return pick(LISTS[kind]);
  return `${number(0, 60)}.${number(0, 9999)}`;
}

function form_by_chance() {
  const form = {
    card: pick([...Object.keys(CARDS.cards), 'own']),
    model: pick([...Object.keys(MODELS.models), 'someone/a model, & more=#?', 'ünïcode/模型']),
    version: pick(VERSIONS.releases),
  };
  for (const field of PAGE.fields) if (!Object.hasOwn(form, field.name) && next() < 0.2) form[field.name] = text_for(field);
  return form.card === 'own' ? { ...form, total_gib: TEXTS.total_gib() } : form;
}

const compared = () => pick([null, null, { version: pick(VERSIONS.releases) }, { form: form_by_chance(), own: NONE }]);
const sorted = (form) => Object.fromEntries(Object.entries(form).sort());
const CONFIG = MODELS.models['Qwen/Qwen3-8B'].config ?? { model_type: 'qwen3', hidden_size: 4096 };

test(`${COUNT} plans by chance come back from their addresses, letter by letter`, () => {
  let usable = 0;
  for (let i = 0; i < COUNT; i += 1) {
    const own = i % 7 === 0 ? { model: { ...CONFIG, num_hidden_layers: 1 + (i % 90) }, index: null } : NONE;
    const { model, ...others } = form_by_chance();
    const form = own.model === null ? { model, ...others } : others;
    const compare = compared();
    const [query, hash] = [write_query({ form, own, compare }), config_hash(own)];
    const back = read_address(query, hash);
    assert.deepEqual(back.told, [], query);
    assert.deepEqual(sorted(back.form), sorted(form), query);
    assert.deepEqual(back.own.model === null ? null : config_hash(back.own), own.model === null ? null : hash);
    assert.deepEqual(compare?.form ? sorted(back.compare.form) : back.compare, compare?.form ? sorted(compare.form) : compare, query);
    assert.equal(write_query(back), query);
    usable += Number(same_plan(asked_of(form, own), asked_of(back.form, back.own)));
  }
  assert.ok(usable > COUNT / 4, String(usable));
});

/** The plan of an address is the plan that it was made of; and its settings, as fields, have the same address. */
function same_plan(asked, again) {
  if (typeof asked.model === 'object') delete asked.model; // its noise is left out of the link
  if (typeof again.model === 'object') delete again.model;
  assert.deepEqual(again, asked);
  const { form, own } = form_of(asked);
  assert.deepEqual(asked_of(form, own), asked);
  try {
    trial(Object.fromEntries(Object.entries(asked).filter(([name]) => name !== 'require_chats')));
    return true;
  } catch (error) {
    assert.ok(error instanceof PlanError);
    return false;
  }
}

test('an own config gives the same plan from its link', () => {
  const own = { model: CONFIG, index: null };
  const form = { card: 'rtx-4090', version: '0.33.0' };
  const back = read_address(write_query({ form, own, compare: null }), config_hash(own));
  assert.deepEqual(plan(asked_of(back.form, back.own)), plan(asked_of(form, own)));
});

test('the opening has no query, and no query is the opening', () => {
  assert.equal(write_query({ form: opening_form(), own: NONE, compare: null }), '');
  assert.deepEqual(read_address('', ''), { form: opening_form(), own: NONE, compare: null, told: [] });
});

test('a value that a program wrote is read again', () => {
  for (const value of [0.7773999997228385, 1e-7, 123456789012.125, 5.7, -2.14]) {
    const { form, own } = form_of({ measured_kv_gib: value });
    assert.equal(asked_of(form, own).measured_kv_gib, value);
  }
});
