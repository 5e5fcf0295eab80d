// The engine's own command in three forms, read back: the same plan and the same command.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { read_paste } from '../../site/plan/paste/read.js';
import { docker_of, kubernetes_of, shell_of } from '../../site/plan/paste/write.js';
import { SimError } from '../../widget/sim/checks.js';
import { command } from '../../widget/sim/vllm/command.js';
import { CARDS, MODELS, VERSIONS } from '../../widget/sim/vllm/plan_facts.js';
import { resolve } from '../../widget/sim/vllm/settings.js';

const PLANS = 2000;

function draws(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
}

const next = draws(33);
const whole = (low, high) => low + Math.floor(next() * (high - low + 1));
const pick = (values) => values[whole(0, values.length - 1)];
const ALL = {
  gpu_memory_utilization: () => whole(30, 99) / 100,
  max_model_len: () => pick(['auto', whole(256, 40000)]),
  max_num_seqs: () => whole(1, 1024),
  max_num_batched_tokens: () => whole(1024, 65536),
  tensor_parallel_size: () => pick([1, 2, 4, 8]),
  pipeline_parallel_size: () => pick([1, 2]),
  dtype: () => pick(['auto', 'half', 'bfloat16', 'float16']),
  kv_cache_dtype: () => pick(['auto', 'fp8']),
  block_size: () => pick([16, 32]),
  enforce_eager: () => next() < 0.7,
  enable_chunked_prefill: () => next() < 0.5,
  async_scheduling: () => next() < 0.5,
  enable_prefix_caching: () => next() < 0.5,
  kv_cache_memory_bytes: () => whole(1, 60) * 1073741824,
  num_gpu_blocks_override: () => whole(100, 20000),
  estimate_cudagraphs: () => next() < 0.5,
};

/** Settings that the engine takes. */
function plan() {
  for (;;) {
    const given = Object.entries(ALL).filter(() => next() < 0.25).map(([name, draw]) => [name, draw()]);
    const asked = { card: pick(Object.keys(CARDS.cards)), model: pick(Object.keys(MODELS.models)), version: pick(VERSIONS.releases), ...Object.fromEntries(given) };
    try {
      return { asked, written: command(asked), settings: resolve(asked) };
    } catch (error) {
      if (!(error instanceof SimError)) throw error;
    }
  }
}

/** A plan without what only says how it was given. */
const told = ({ given: _given, not_counted: _not_counted, ...settings }) => settings;

test('the engine’s command is read back as the same plan, in a form by turns', (t) => {
  const forms = { serve: shell_of, docker: docker_of, kubernetes: kubernetes_of };
  for (let i = 0; i < PLANS; i += 1) {
    const { asked, written, settings } = plan();
    const form = Object.keys(forms)[i % 3];
    const text = forms[form](written, asked);
    const reading = read_paste(text);
    const again = { ...reading.asked, card: asked.card };
    if (form === 'serve' || !/:v/.test(text)) again.version = asked.version;
    assert.deepEqual([reading.kind, reading.unknown, reading.problems], ['command', [], []], text);
    assert.deepEqual(told(resolve(again)), told(settings), text);
    assert.equal(command(again), written, text);
  }
  t.diagnostic(`${PLANS} plans of the engine`);
});
