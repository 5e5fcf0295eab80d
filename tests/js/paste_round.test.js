// What is written is read back: settings to a command to settings, in three forms.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { read_paste } from '../../site/plan/paste/read.js';
import { command } from '../../widget/sim/vllm/command.js';
import { docker_of, kubernetes_of, shell_of, startup_budget, write_command } from '../../site/plan/paste/write.js';

const PLANS = 2400;

/** Numbers between 0 and 1, the same ones every time. */
function draws(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
}

const next = draws(2026);
const whole = (low, high) => low + Math.floor(next() * (high - low + 1));
const pick = (values) => values[whole(0, values.length - 1)];
const STRANGE = ['', ' ', "'", '"', '\\', '$', '`', '#', ':', ': ', '- ', '{', '}', '[', ']', ',', '&', '|', '>', '%', '@', '!', '*', '~', 'ä', '漢', '🦙', '(', ')', ';', '\t', '=', '--', '^', "''", '\\n', '<b>'];
const text = () => Array.from({ length: whole(1, 6) }, () => (next() < 0.6 ? pick(['a', 'B', '7', 'llama', '-', '_', '.', '/']) : pick(STRANGE))).join('');
/** A stroke of a dollar before a letter is a variable, which a command does not say. */
const model = () => pick(['Qwen/Qwen3-8B', 'meta-llama/Llama-3.1-8B-Instruct', '/models/my model', './here', `m/${text()}z`.replace(/\$(?=[A-Za-z{(])/g, '')]);

/** Settings in vLLM's names, some of them given. @returns {Record<string, any>} */
function settings() {
  const all = {
    gpu_memory_utilization: () => whole(1, 100) / 100,
    max_model_len: () => pick(['auto', whole(1, 2000000)]),
    max_num_seqs: () => whole(1, 4096),
    max_num_batched_tokens: () => whole(1, 131072),
    tensor_parallel_size: () => pick([1, 2, 4, 8]),
    pipeline_parallel_size: () => pick([1, 2, 3]),
    decode_context_parallel_size: () => pick([1, 2]),
    dtype: () => pick(['auto', 'half', 'bfloat16', 'float16']),
    quantization: () => pick(['awq', 'fp8', 'compressed-tensors']),
    kv_cache_dtype: () => pick(['auto', 'fp8', 'fp8_e4m3', 'nvfp4_ds_mla']),
    block_size: () => pick([16, 32, 64, 128]),
    enforce_eager: () => next() < 0.5,
    enable_chunked_prefill: () => next() < 0.5,
    async_scheduling: () => next() < 0.5,
    enable_prefix_caching: () => next() < 0.5,
    kv_cache_memory_bytes: () => whole(1, 200000000000),
    num_gpu_blocks_override: () => whole(1, 200000),
  };
  const asked = Object.fromEntries(Object.entries(all).filter(() => next() < 0.35).map(([name, draw]) => [name, draw()]));
  if (next() < 0.1) asked.speculative_config = JSON.stringify({ method: 'ngram', note: text() });
  return { model: model(), ...asked };
}

/** The same word as the engine writes it. */
const quoted = (word) => (/^[A-Za-z0-9_./:@+-]+$/.test(word) ? word : `'${word.replace(/'/g, "'\\''")}'`);

/** A command in one line, as the engine writes it. */
function command_of({ model: name, ...asked }, around = {}) {
  const flags = Object.entries(asked).flatMap(([key, value]) => {
    const flag = key.replace(/_/g, '-');
    if (typeof value === 'boolean') return value ? [`--${flag}`] : [around.old ? `--${flag}=False` : `--no-${flag}`];
    return [`--${flag}`, quoted(String(value))];
  });
  const set = [...(around.engine ? [`VLLM_USE_V1=${around.engine === 'V1' ? 1 : 0}`] : []), ...(around.estimate_cudagraphs === undefined ? [] : [`VLLM_MEMORY_PROFILER_ESTIMATE_CUDAGRAPHS=${around.estimate_cudagraphs ? 1 : 0}`])];
  const start = around.old ? ['python', '-m', 'vllm.entrypoints.openai.api_server', '--model'] : ['vllm', 'serve'];
  return [...set, ...start, quoted(name), ...flags].join(' ');
}

const TEXTS = { serve: shell_of, docker: docker_of, kubernetes: kubernetes_of };

test('settings come back from all three forms, and the same text from them', (t) => {
  for (let i = 0; i < PLANS; i += 1) {
    const asked = settings();
    const around = { ...asked, ...pick([{}, { version: '0.4.3', old: true }, { version: '0.11.0' }, { version: '0.8.5.post1', engine: 'V0' }, { version: '0.33.0', estimate_cudagraphs: false, long_allowed: true }, { version: '0.19.1', estimate_cudagraphs: true, engine: 'V1' }]), weights_gib: pick([undefined, whole(1, 700)]) };
    for (const [form, write] of Object.entries(TEXTS)) {
      const written = write(command_of(asked, around), around);
      const reading = read_paste(written);
      const { version, engine, estimate_cudagraphs, ...own } = reading.asked;
      assert.equal(reading.kind, 'command', written);
      assert.deepEqual({ ...own }, asked, written);
      assert.deepEqual([engine, estimate_cudagraphs, reading.long_allowed], [around.engine, around.estimate_cudagraphs, around.long_allowed ?? false], written);
      assert.deepEqual(reading.unknown, [], written);
      if (form !== 'serve') {
        assert.equal(version, around.version, written);
        assert.equal(reading.cards, (asked.tensor_parallel_size ?? 1) * (asked.pipeline_parallel_size ?? 1), written);
      }
      const again = write(command_of({ model: own.model, ...Object.fromEntries(Object.keys(asked).map((key) => [key, own[key]])) }, around), around);
      assert.equal(again, written);
      assert.equal(write_command(command_of(asked, around), around, form), written);
    }
  }
  t.diagnostic(`${PLANS} settings in three forms`);
});

test('flags that are not counted come back from what the engine writes, in all three forms', () => {
  const uncounted = {
    enable_lora: true, max_loras: '4', speculative_config: '{"method": "it\'s", "n": [1, 2]}', limit_mm_per_prompt: '{"image": 2}',
    cpu_offload_gb: '10', data_parallel_size: '2', enable_expert_parallel: true,
  };
  const asked = { card: 'h100-sxm-80gb', model: 'Qwen/Qwen3-30B-A3B', version: '0.33.0', max_model_len: 8192, tensor_parallel_size: 2, ...uncounted };
  const line = command(asked);
  for (const form of Object.keys(TEXTS)) {
    const reading = read_paste(write_command(line, { version: '0.33.0' }, form));
    for (const [name, value] of Object.entries(uncounted)) assert.equal(reading.asked[name], value, `${form} ${name}`);
    assert.equal(command({ card: asked.card, ...reading.asked }), line, form);
    // Twice as many cards for two copies: of each the model takes two.
    if (form !== 'serve') assert.equal(reading.cards, 4);
  }
});

test('cards of AMD have an image and a resource of their own', () => {
  const words = 'vllm serve m/x --tensor-parallel-size 2';
  const around = { version: '0.16.0', maker: 'amd', tensor_parallel_size: 2 };
  const pod = kubernetes_of(words, around);
  assert.ok(pod.includes('amd.com/gpu: 2') && pod.includes('vllm/vllm-openai-rocm:v0.16.0'));
  assert.equal(read_paste(pod).cards, 2);
  assert.equal(read_paste(docker_of(words, around)).asked.version, '0.16.0');
});

test('a version without a release of its own takes the latest image', () => {
  for (const version of ['0.11', '0.10.2.dev378+g4d7fe40fc', '', undefined]) {
    assert.ok(docker_of('vllm serve m/x', { version }).includes('vllm/vllm-openai:latest'));
  }
});

test('a start may take as long as the slowest published load, and never less', () => {
  const { seconds, failures, period_seconds, known } = startup_budget({ weights_gib: 57 });
  assert.ok(known && seconds >= 559 + 201 && failures * period_seconds === seconds);
  assert.equal(startup_budget({}).seconds, 3600);
  assert.ok(startup_budget({ weights_gib: 700 }).seconds > startup_budget({ weights_gib: 10 }).seconds);
  assert.ok(kubernetes_of('vllm serve m/x', { weights_gib: 57 }).includes(`failureThreshold: ${failures}`));
});
