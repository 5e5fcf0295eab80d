// A line that is typed letter by letter, or cut off anywhere, never raises: each beginning of it is read and answered.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reader } from '../../site/plan/paste/read.js';
import { problem_lines, reveal_lines, take } from '../../site/plan/reading.js';

const FORM = { card: 'h200', model: 'Qwen/Qwen3-8B', version: '0.33.0' };
const LINES = [
  "ValueError: To serve at least one request with the models's max seq len (262144), (62.00 GiB KV cache is needed, which is larger than the available KV cache memory (48.66 GiB). Based on the available memory, the estimated maximum model length is 205728. Try increasing `gpu_memory_utilization`",
  "ValueError: The model's max seq len (29000) is larger than the maximum number of tokens that can be stored in KV cache (23648). Try increasing `gpu_memory_utilization`",
  'ValueError: max_num_seqs (1024) exceeds available Mamba cache blocks (969). Each decode sequence requires one Mamba cache block, so CUDA graph capture cannot proceed.',
  'ValueError: Free memory on device (67.24/79.25 GiB) on startup is less than desired GPU memory utilization (0.9, 71.33 GiB). Decrease GPU memory utilization',
  'Available KV cache memory: -2.14 GiB\nValueError: No available memory for the cache blocks. Try increasing `gpu_memory_utilization` when initializing the engine.',
  'AssertionError: Error in memory profiling. Initial free memory 20.5 GiB, current free memory 21.7 GiB. This happens when other processes sharing the same container release GPU memory',
  "ValueError: User-specified max_model_len (200000) is greater than the derived max_model_len (max_position_embeddings=131072 or model_max_length=None in model's config.json).",
  'ValueError: max_num_batched_tokens (512) must be greater than or equal to max_num_seqs (1024).',
  'ValueError: max_num_batched_tokens (2048) is smaller than max_model_len (8192). This effectively limits the maximum sequence length',
  'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 23.58 GiB of which 1.10 GiB is free.',
  'ValueError: Total number of attention heads (28) must be divisible by tensor parallel size (8).',
  'ValueError: Bfloat16 is only supported on GPUs with compute capability of at least 8.0. Your Tesla T4 GPU has compute capability 7.5.',
  'vllm serve Qwen/Qwen3-8B --max-model-len 8192 --gpu-memory-utilization 0.95 --hf-overrides \'{"max_position_embeddings": 4096}\'',
  'INFO Memory profiling results: total_gpu_memory=23.58GiB initial_memory_usage=15.40GiB peak_torch_memory=17.98GiB non_torch_memory=0.35GiB kv_cache_size=2.89GiB gpu_memory_utilization=0.90',
];

test('every beginning of a line is answered', () => {
  let count = 0;
  for (const line of LINES) {
    for (let end = 1; end <= line.length; end += 1) {
      const all = reader();
      all.feed(line.slice(0, end));
      const reading = all.end();
      for (const text of [...problem_lines(reading), ...reveal_lines(reading)]) assert.equal(typeof text, 'string');
      if (reading.kind !== 'nothing') assert.ok(take(reading, FORM, { model: null, index: null }).form.card);
      count += 1;
    }
  }
  assert.ok(count > 1500, String(count));
});
