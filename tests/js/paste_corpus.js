// What people paste, and what each must say at least.

export const V1 = '(EngineCore_DP0 pid=1094) ERROR 11-30 12:00:00 [core.py:708] ';
export const NEEDED = "To serve at least one request with the models's max seq len (262144), (62.00 GiB KV cache is needed, which is larger than the available KV cache memory (48.66 GiB). Based on the available memory, the estimated maximum model length is 205728. Try increasing `gpu_memory_utilization` or decreasing `max_model_len` when initializing the engine.";
const NEEDED_SAYS = { refusal: { number: 4, max_model_len: 262144, needed_gib: 62, kv_gib: 48.66, estimated_length: 205728 }, asked: { max_model_len: 262144 }, printed: { kv_gib: 48.66 }, kind: 'error' };
const FREE = 'Free memory on device (67.24/79.25 GiB) on startup is less than desired GPU memory utilization (0.9, 71.33 GiB). Decrease GPU memory utilization or reduce GPU memory used by other processes.';
const FREE_SAYS = { refusal: { number: 1, free_gib: 67.24, total_gib: 79.25, share: 0.9, requested_gib: 71.33 }, asked: { gpu_memory_utilization: 0.9, total_gib: 79.25, in_use_gib: 12.01 }, reveals: { others_hold: { gib: 12.01, largest_share: 0.84 } } };
const NONE = 'No available memory for the cache blocks. Try increasing `gpu_memory_utilization` when initializing the engine.';
const OLD = "The model's max seq len (4096) is larger than the maximum number of tokens that can be stored in KV cache (3664). Try increasing `gpu_memory_utilization` or decreasing `max_model_len` when initializing the engine.";
const OLD_SAYS = { refusal: { number: 4, max_model_len: 4096, tokens: 3664 }, asked: { max_model_len: 4096 }, printed: { tokens: 3664 }, reveals: { short: { tokens: 432 } } };
const MAMBA = 'max_num_seqs (1024) exceeds available Mamba cache blocks (969). Each decode sequence requires one Mamba cache block, so CUDA graph capture cannot proceed. Please lower max_num_seqs to at most 969 or increase gpu_memory_utilization.';
const MAMBA_SAYS = { refusal: { number: 9, max_num_seqs: 1024, mamba_blocks: 969 }, asked: { max_num_seqs: 1024 }, reveals: { seats_over: { seats: 1024, blocks: 969 } } };
const LONG = "User-specified max_model_len (1048576) is greater than the derived max_model_len (max_position_embeddings=262144 or model_max_length=None in model's config.json). To allow overriding this maximum, set the env var VLLM_ALLOW_LONG_MAX_MODEL_LEN=1";
const LONG_SAYS = { refusal: { number: 5, max_model_len: 1048576, model_longest: 262144 }, asked: { max_model_len: 1048576 } };
const BF16 = 'Bfloat16 is only supported on GPUs with compute capability of at least 8.0. Your Tesla T4 GPU has compute capability 7.5. You can use float16 instead by explicitly setting the `dtype` flag in CLI, for example: --dtype=half.';

/** A log of 0.11 on one card. */
export const LOG = `(APIServer pid=1) INFO 11-30 12:00:00 [api_server.py:1839] vLLM API server version 0.11.0
(APIServer pid=1) INFO 11-30 12:00:00 [utils.py:233] non-default args: {'model_tag': 'Qwen/Qwen3-8B', 'model': 'Qwen/Qwen3-8B', 'max_model_len': 16384, 'gpu_memory_utilization': 0.95, 'max_num_seqs': 64}
(APIServer pid=1) INFO 11-30 12:00:05 [model.py:1510] Using max model len 16384
(APIServer pid=1) INFO 11-30 12:00:05 [scheduler.py:205] Chunked prefill is enabled with max_num_batched_tokens=2048.
(EngineCore_DP0 pid=77) INFO 11-30 12:00:09 [core.py:77] Initializing a V1 LLM engine (v0.11.0) with config: model='Qwen/Qwen3-8B', speculative_config=None, tokenizer='Qwen/Qwen3-8B', dtype=torch.bfloat16, max_seq_len=16384, download_dir=None, tensor_parallel_size=1, pipeline_parallel_size=1, quantization=None, enforce_eager=False, kv_cache_dtype=auto, device_config=cuda, seed=0, served_model_name=Qwen/Qwen3-8B, enable_prefix_caching=True, chunked_prefill_enabled=True, pooler_config=None, compilation_config={"level":3,"debug_dump_path":""}
(EngineCore_DP0 pid=77) INFO 11-30 12:00:30 [gpu_model_runner.py:2653] Model loading took 15.2683 GiB and 4.1 seconds
(EngineCore_DP0 pid=77) INFO 11-30 12:00:50 [gpu_worker.py:298] Available KV cache memory: 5.02 GiB
(EngineCore_DP0 pid=77) INFO 11-30 12:00:50 [kv_cache_utils.py:1087] GPU KV cache size: 36,544 tokens
(EngineCore_DP0 pid=77) INFO 11-30 12:00:50 [kv_cache_utils.py:1091] Maximum concurrency for 16,384 tokens per request: 2.23x
(EngineCore_DP0 pid=77) INFO 11-30 12:01:00 [gpu_model_runner.py:3480] Graph capturing finished in 7 secs, took 0.68 GiB
(EngineCore_DP0 pid=77) INFO 11-30 12:01:00 [gpu_worker.py:391] Free memory on device (23.08/23.53 GiB) on startup. Desired GPU memory utilization is (0.95, 22.35 GiB). Actual usage is 15.27 GiB for weight, 2.04 GiB for peak activation, 0.02 GiB for non-torch memory, and 0.68 GiB for CUDAGraph memory. Replace gpu_memory_utilization config with \`--kv-cache-memory=4600000000\` (4.28 GiB) to fit into requested memory. Current kv cache memory in use is 5.02 GiB.
INFO:     Application startup complete.
`;
const LOG_SAYS = {
  kind: 'log', refusal: null,
  asked: { version: '0.11.0', engine: 'V1', model: 'Qwen/Qwen3-8B', max_model_len: 16384, gpu_memory_utilization: 0.95, max_num_seqs: 64, max_num_batched_tokens: 2048, tensor_parallel_size: 1, dtype: 'bfloat16', enforce_eager: false, enable_prefix_caching: true, enable_chunked_prefill: true, total_gib: 23.53, in_use_gib: 0.45 },
  printed: { weights_gib: 15.2683, kv_gib: 5.02, tokens: 36544, concurrency: 2.23, at_length: 16384, graphs_gib: 0.68, activation_gib: 2.04, non_torch_gib: 0.02, free_gib: 23.08, total_gib: 23.53, requested_gib: 22.35 },
};
export const V0LOG = `INFO 11-21 03:00:00 api_server.py:592] vLLM API server version 0.6.4.post1
INFO 11-21 03:00:00 api_server.py:593] args: Namespace(subparser='serve', model_tag='meta-llama/Llama-3.1-8B-Instruct', config='', host=None, port=8000, api_key=None, lora_modules=None, model='meta-llama/Llama-3.1-8B-Instruct', dtype='auto', kv_cache_dtype='auto', max_model_len=29000, tensor_parallel_size=1, pipeline_parallel_size=1, block_size=16, enable_prefix_caching=False, swap_space=4, cpu_offload_gb=0, gpu_memory_utilization=0.9, num_gpu_blocks_override=None, max_num_batched_tokens=None, max_num_seqs=256, quantization=None, enforce_eager=False, max_seq_len_to_capture=8192, enable_lora=False, max_loras=1, max_lora_rank=16, speculative_model=None, enable_chunked_prefill=None, dispatch_function=<function serve at 0x7f>)
INFO 11-21 03:00:05 llm_engine.py:249] Initializing an LLM engine (v0.6.4.post1) with config: model='meta-llama/Llama-3.1-8B-Instruct', speculative_config=None, tokenizer='meta-llama/Llama-3.1-8B-Instruct', skip_tokenizer_init=False, dtype=torch.bfloat16, max_seq_len=29000, download_dir=None, load_format=LoadFormat.AUTO, tensor_parallel_size=1, pipeline_parallel_size=1, quantization=None, enforce_eager=False, kv_cache_dtype=auto, decoding_config=DecodingConfig(guided_decoding_backend='outlines'), seed=0, chunked_prefill_enabled=False multi_step_stream_outputs=True, enable_prefix_caching=False)
INFO 11-21 03:00:20 model_runner.py:1072] Starting to load model meta-llama/Llama-3.1-8B-Instruct...
INFO 11-21 03:00:40 model_runner.py:1077] Loading model weights took 14.9888 GB
INFO 11-21 03:00:50 worker.py:232] Memory profiling results: total_gpu_memory=23.58GiB initial_memory_usage=15.34GiB peak_torch_memory=17.98GiB memory_usage_post_profile=15.35GiB non_torch_memory=0.35GiB kv_cache_size=2.89GiB gpu_memory_utilization=0.90
INFO 11-21 03:00:51 gpu_executor.py:113] # GPU blocks: 1478, # CPU blocks: 2048
INFO 11-21 03:00:51 gpu_executor.py:117] Maximum concurrency for 29000 tokens per request: 0.82x
Traceback (most recent call last):
  File "/usr/local/bin/vllm", line 8, in <module>
ValueError: The model's max seq len (29000) is larger than the maximum number of tokens that can be stored in KV cache (23648). Try increasing \`gpu_memory_utilization\` or decreasing \`max_model_len\` when initializing the engine.
`;
const V0LOG_SAYS = {
  kind: 'log', refusal: { number: 4, max_model_len: 29000, tokens: 23648 },
  asked: { version: '0.6.4.post1', engine: 'V0', model: 'meta-llama/Llama-3.1-8B-Instruct', max_model_len: 29000, gpu_memory_utilization: 0.9, max_num_seqs: 256, block_size: 16, dtype: 'bfloat16', total_gib: 23.58 },
  printed: { weights_gib: 14.9888, kv_gib: 2.89, blocks: 1478, non_torch_gib: 0.35, peak_torch_gib: 17.98, tokens: 23648 },
  reveals: { activation: { gib: 2.9912 } },
};
const RANKS = [0, 1, 2, 3].map((i) => `(Worker_TP${i} pid=${300 + i}) INFO 09-03 16:28:08 [gpu_model_runner.py:2018] Model loading took ${30.5 + i / 100} GiB and 20.0 seconds
(Worker_TP${i} pid=${300 + i}) INFO 09-03 16:29:08 [gpu_worker.py:276] Available KV cache memory: ${(34.5 - (i === 2 ? 1 : 0)).toFixed(2)} GiB`).join('\n');

const prefixed = (prefix, text) => text.split('\n').map((line) => prefix + line).join('\n');
const json_log = (text) => text.split('\n').map((line) => JSON.stringify({ log: `${line}\n`, stream: 'stderr', time: '2026-11-30T12:00:00.1Z' })).join('\n');
const wrapped = (text, width) => text.replace(new RegExp(`(.{${width}})`, 'g'), '$1\n');

/** @type {[string, string, Record<string, any>][]} name, what is pasted, what it must say at least */
export const PASTES = [
  // 1: less is free than asked.
  ['1 bare', FREE, FREE_SAYS],
  ['1 of the engine', `${V1}ValueError: ${FREE}`, FREE_SAYS],
  ['1 with a device', FREE.replace('device (', 'device cuda:0 ('), FREE_SAYS],
  ['1 of a Ray worker', `(RayWorkerWrapper pid=7106, ip=192.168.10.10) ValueError: ${FREE}`, FREE_SAYS],
  ['1 cut before the share', FREE.slice(0, FREE.indexOf('(0.9')), { refusal: { number: 1, free_gib: 67.24, total_gib: 79.25 }, asked: { total_gib: 79.25 } }],
  ['1 small', 'ValueError: Free memory on device (3.22/4.0 GiB) on startup is less than desired GPU memory utilization (0.9, 3.6 GiB).', { refusal: { number: 1, free_gib: 3.22, total_gib: 4 }, reveals: { others_hold: { gib: 0.78, largest_share: 0.8 } } }],
  ['1 of two ranks, the smaller one', [0, 1].map((i) => `(Worker_TP${i} pid=${i}) ERROR [w.py:1] ValueError: ${FREE.replace('67.24', String(67.24 - i))}`).join('\n'), { refusal: { number: 1, free_gib: 66.24 }, starts: 1 }],
  ['1 of a processor', 'ValueError: Available memory on node 0 (20.5/31.2 GiB) on startup is less than desired CPU memory utilization (0.92, 28.7 GiB). Decrease --gpu-memory-utilization or reduce CPU memory used by other processes.', { refusal: { number: 1, free_gib: 20.5, requested_gib: 28.7 } }],
  // 2: memory came free while it was measured.
  ['2 of V1', 'AssertionError: Error in memory profiling. Initial free memory 21.7 GiB, current free memory 83.7 GiB. This happens when other processes sharing the same container release GPU memory while vLLM is profiling during initialization.', { refusal: { number: 2, initial_free_gib: 21.7, current_free_gib: 83.7 }, reveals: { others_freed: { gib: 62 } } }],
  ['2 of V0, in bytes', 'AssertionError: Error in memory profiling. Initial free memory 8589934592, current free memory 9663676416. This happens when the GPU memory was not properly cleaned up before initializing the vLLM instance.', { refusal: { number: 2, initial_free_gib: 8, current_free_gib: 9 } }],
  ['2 without figures', 'AssertionError: Error in memory profiling. This happens when the GPU memory was not properly cleaned up before initializing the vLLM instance.', { refusal: { number: 2 } }],
  // 3: nothing left for the cache.
  ['3 bare', NONE, { refusal: { number: 3 }, kind: 'error' }],
  ['3 of the engine', `${V1}ValueError: ${NONE}`, { refusal: { number: 3 } }],
  ['3 with its figure', `INFO 05-01 [gpu_worker.py:1] Available KV cache memory: -2.14 GiB\nERROR ${NONE}`, { refusal: { number: 3 }, printed: { kv_gib: -2.14 }, kind: 'log' }],
  ['3 without its line', 'Model loading took 65.9651 GiB and 12.799889 seconds\nAvailable KV cache memory: -2.14 GiB\nEngineCore failed to start.', { refusal: { number: 3 }, printed: { weights_gib: 65.9651, kv_gib: -2.14 } }],
  // 4: one longest chat does not fit.
  ['4 bare', NEEDED, NEEDED_SAYS],
  ['4 of the engine', `${V1}ValueError: ${NEEDED}`, NEEDED_SAYS],
  ['4 in GB', NEEDED.replace(/GiB/g, 'GB'), NEEDED_SAYS],
  ['4 of 0.8.5, which loses its number', `ValueError: ${NEEDED.slice(0, NEEDED.indexOf(' the estimated'))} Try increasing`, { refusal: { number: 4, needed_gib: 62, kv_gib: 48.66 } }],
  ['4 with the slip mended', NEEDED.replace("models's", "model's"), NEEDED_SAYS],
  ['4 cut after what is needed', "ValueError: To serve at least one request with the model's max seq len (1048576), 23.32 GiB KV cache is needed, which is larger than the available", { refusal: { number: 4, max_model_len: 1048576, needed_gib: 23.32 } }],
  ['4 cut at the front', NEEDED.slice(40), NEEDED_SAYS],
  ['4 wrapped by a terminal', wrapped(`${V1}ValueError: ${NEEDED}`, 80), NEEDED_SAYS],
  ['4 wrapped by an editor', NEEDED.replace(/(.{1,60}) /g, '$1\n    '), NEEDED_SAYS],
  ['4 of V0', `ValueError: ${OLD}`, OLD_SAYS],
  ['4 of V0 in a log line', `ERROR 01-11 15:51:18 engine.py:366] ${OLD}`, OLD_SAYS],
  ['4 of V0 cut', OLD.slice(0, OLD.indexOf(' Try')), OLD_SAYS],
  ['4 of two attempts', [`--gpu-memory-utilization 0.90`, NEEDED, '', `--gpu-memory-utilization 0.95`, NEEDED.replace('48.66', '55.65').replace('205728', '235296')].join('\n'), { starts: 2, refusal: { number: 4, kv_gib: 55.65, estimated_length: 235296 } }],
  // 5: longer than the model.
  ['5 bare', LONG, LONG_SAYS],
  ['5 of the validator', `  Value error, ${LONG.replace('262144', '262144.0')} [type=value_error, input_value=ArgsKwargs((), {'model': ...}), input_type=ArgsKwargs]`, LONG_SAYS],
  ['5 of 0.4', "ValueError: User-specified max_model_len (25000) is greater than the derived max_model_len (None=4096 in model's config.json). This may lead to incorrect model outputs or CUDA errors.", { refusal: { number: 5, max_model_len: 25000, model_longest: 4096 } }],
  // 6 and 7: the token budget.
  ['6 bare', 'ValueError: max_num_batched_tokens (128) must be greater than or equal to max_num_seqs (256).', { refusal: { number: 6 }, asked: { max_num_batched_tokens: 128, max_num_seqs: 256 } }],
  ['6 of the validator', '  Value error, max_num_batched_tokens (128) must be greater than or equal to max_num_seqs (256). [type=value_error]', { refusal: { number: 6 } }],
  ['7 bare', 'ValueError: max_num_batched_tokens (512) is smaller than max_model_len (4096). This effectively limits the maximum sequence length to max_num_batched_tokens and makes vLLM reject longer sequences.', { refusal: { number: 7 }, asked: { max_num_batched_tokens: 512, max_model_len: 4096 } }],
  ['7 of the validator', 'pydantic_core._pydantic_core.ValidationError: 1 validation error for SchedulerConfig\n  Value error, max_num_batched_tokens (512) is smaller than max_model_len (4096). [type=value_error]', { refusal: { number: 7 } }],
  // 8: out of memory.
  ['8 of the sampler', 'RuntimeError: CUDA out of memory occurred when warming up sampler with 1024 dummy requests. Please try lowering `max_num_seqs` or `gpu_memory_utilization` when initializing the engine.', { refusal: { number: 8, dummy_requests: 1024 } }],
  ['8 of torch', 'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 3.44 GiB. GPU 0 has a total capacity of 79.14 GiB of which 3.14 GiB is free. Process 1 has 7.29 GiB memory in use.', { refusal: { number: 8, tried_gib: 3.44, free_gib: 3.14 }, printed: { total_gib: 79.14 } }],
  ['8 of torch, in MiB, with its slip', 'torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 512.00 MiB. GPU 0 has a total capacty of 23.69 GiB of which 256.00 MiB is free.', { refusal: { number: 8, tried_gib: 0.5, free_gib: 0.25 }, printed: { total_gib: 23.69 } }],
  ['8 of an old torch', 'torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.96 GiB (GPU 0; 23.69 GiB total capacity; 21.37 GiB already allocated; 1.50 GiB free; 21.4 GiB reserved in total by PyTorch)', { refusal: { number: 8, tried_gib: 1.96, free_gib: 1.5 }, printed: { total_gib: 23.69 } }],
  ['8 of AMD', 'torch.OutOfMemoryError: HIP out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 191.98 GiB of which 1.00 GiB is free.', { refusal: { number: 8, tried_gib: 2 } }],
  // 9: seats and state blocks.
  ['9 bare', MAMBA, MAMBA_SAYS],
  ['9 of the engine', `${V1}ValueError: ${MAMBA}`, MAMBA_SAYS],
  ['9 cut', 'ValueError: max_num_seqs (1024) exceeds available Mamba cache blocks (969', MAMBA_SAYS],
  // 10 and 11: what the cards cannot do.
  ['10 bare', 'ValueError: Total number of attention heads (32) must be divisible by tensor parallel size (3).', { refusal: { number: 10, heads: 32 }, asked: { tensor_parallel_size: 3 } }],
  ['10 of the validator', '  Value error, Total number of attention heads (28) must be divisible by tensor parallel size (8). [type=value_error', { refusal: { number: 10, heads: 28 } }],
  ['11 bare', `ValueError: ${BF16}`, { refusal: { number: 11, card: 'Tesla T4', capability: 7.5 }, asked: { card: 'Tesla T4' } }],
  ['11 of the engine', `ERROR 01-20 01:25:05 engine.py:366] ${BF16.replace('Tesla T4', 'Tesla V100-PCIE-32GB').replace('7.5', '7.0')}`, { refusal: { number: 11, card: 'Tesla V100-PCIE-32GB', capability: 7 } }],
  ['10 of the cache, a rank of the workers', `(Worker_TP1 pid=321) ERROR 09-03 08:00:00 [multiproc_executor.py:671]   File "/usr/local/lib/python3.12/dist-packages/vllm/model_executor/models/llama.py", line 148, in __init__
(Worker_TP1 pid=321) ERROR 09-03 08:00:00 [multiproc_executor.py:671]     assert self.total_num_kv_heads % tp_size == 0
(Worker_TP1 pid=321) ERROR 09-03 08:00:00 [multiproc_executor.py:671]            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
(Worker_TP1 pid=321) ERROR 09-03 08:00:00 [multiproc_executor.py:671] AssertionError`, { refusal: { number: 10, kv_heads: 'said' } }],
  ['10 of the cache, copied', '    assert tp_size % self.total_num_kv_heads == 0\nAssertionError', { refusal: { number: 10, kv_heads: 'said' } }],
  ['10 of the blocks of experts', 'ValueError: The output_size of gate\'s and up\'s weight = 192 is not divisible by weight quantization block_n = 128.', { refusal: { number: 10, width: 192, block: 128, experts: 'said' } }],
  ['10 of the blocks of experts, inwards', `${V1}ValueError: The input_size of down's weight = 320 is not divisible by weight quantization block_k = 128.`, { refusal: { number: 10, width: 320, block: 128, experts: 'said' } }],
  ['10 of the blocks of a matrix', 'ValueError: Weight output_partition_size = 576 is not divisible by weight quantization block_n = 128.', { refusal: { number: 10, width: 576, block: 128 } }],
  ['10 of the blocks of a matrix, with its command', '$ vllm serve Qwen/Qwen3-8B-FP8 -tp 8\nValueError: Weight input_size_per_partition = 1536 is not divisible by weight quantization block_k = 128.', { refusal: { number: 10, width: 1536, block: 128 }, asked: { tensor_parallel_size: 8 } }],
  // 12 to 14: how weights are stored.
  ['12 bare', 'ValueError: The quantization method awq is not supported for the current GPU. Minimum capability: 75. Current capability: 70.', { refusal: { number: 12, method: 'awq', least: 75, current: 70 } }],
  ['12 of the validator', '  Value error, The quantization method modelopt_fp4 is not supported for the current GPU. Minimum capability: 100. Current capability: 86. [type=value_error, input_value=…', { refusal: { number: 12, method: 'modelopt_fp4', least: 100, current: 86 } }],
  ['12 cut', 'ValueError: The quantization method fp8 is not supported for the current GPU.', { refusal: { number: 12, method: 'fp8' } }],
  ['13 bare', 'ValueError: Cannot find the config file for awq', { refusal: { number: 13 }, asked: { quantization: 'awq' } }],
  ['13 with its command', '$ vllm serve meta-llama/Llama-3.1-8B-Instruct --quantization gptq\n(EngineCore_0 pid=9) ValueError: Cannot find the config file for gptq.', { refusal: { number: 13 }, asked: { quantization: 'gptq', model: 'meta-llama/Llama-3.1-8B-Instruct' } }],
  ['14 bare', 'ValueError: Quantization method specified in the model config (compressed-tensors) does not match the quantization method specified in the `quantization` argument (awq).', { refusal: { number: 14, stored: 'compressed-tensors' }, asked: { quantization: 'awq' } }],
  ['14 of the validator', '  Value error, Quantization method specified in the model config (fp8) does not match the quantization method specified in the `quantization` argument (gptq_marlin). [type=value_error', { refusal: { number: 14, stored: 'fp8' }, asked: { quantization: 'gptq_marlin' } }],
  // 15 to 18: models that are not known, cards that nothing was compiled for, code that could not be loaded.
  ['15 of a model that is not known', "ValueError: Model architectures ['Qwen3ForCausalLM'] are not supported for now. Supported architectures: ['AquilaModel', 'AquilaForCausalLM', 'Qwen2ForCausalLM']", { refusal: { number: 15, architecture: 'Qwen3ForCausalLM' } }],
  ['15 of the validator', "  Value error, Model architectures ['Step3p5ForCausalLM'] are not supported for now. Supported architectures: dict_keys(['ApertusForCausalLM', 'AquilaModel']) [type=value_error", { refusal: { number: 15, architecture: 'Step3p5ForCausalLM' } }],
  ['15 of a model that was known', 'ValueError: Model architecture MotifForCausalLM was supported in vLLM until v0.10.2, and is not supported anymore. Please use an older version of vLLM if you want to use this model architecture.', { refusal: { number: 15, architecture: 'MotifForCausalLM', until: '0.10.2' } }],
  ['15 of a model that has moved', 'ValueError: Model architecture BartModel is not supported in-tree anymore. Please install the plugin at https://github.com/vllm-project/bart-plugin if you want to use this model architecture.', { refusal: { number: 15, architecture: 'BartModel', plugin: 'said' } }],
  ['15 of the Transformers backend', 'ValueError: HyenaForCausalLM has no vLLM implementation and the Transformers implementation is not compatible with vLLM. Try setting VLLM_USE_V1=0.', { refusal: { number: 15, architecture: 'HyenaForCausalLM' } }],
  ['15 of that backend, later', "ValueError: The Transformers implementation of 'HyenaForCausalLM' is not compatible with vLLM.", { refusal: { number: 15, architecture: 'HyenaForCausalLM' } }],
  ['15 of Transformers itself', 'ValueError: The checkpoint you are trying to load has model type `qwen3_next` but Transformers does not recognize this architecture. This could be because of an issue with the checkpoint, or because your version of Transformers is out of date.', { refusal: { number: 15, model_type: 'qwen3_next' } }],
  ['16 bare', 'RuntimeError: CUDA error: no kernel image is available for execution on the device\nCUDA kernel errors might be asynchronously reported at some other API call, so the stacktrace below might be incorrect.', { refusal: { number: 16 } }],
  ['16 with what PyTorch warned of', `/usr/local/lib/python3.12/dist-packages/torch/cuda/__init__.py:235: UserWarning: 
NVIDIA GeForce RTX 5090 with CUDA capability sm_120 is not compatible with the current PyTorch installation.
The current PyTorch install supports CUDA capabilities sm_50 sm_60 sm_70 sm_75 sm_80 sm_86 sm_90.
(EngineCore_0 pid=77) torch.AcceleratorError: CUDA error: no kernel image is available for execution on the device`, { refusal: { number: 16 }, printed: { sm: 120 }, asked: { card: 'GeForce RTX 5090' } }],
  ['16 of the assembler', "ptxas fatal   : Value 'sm_121a' is not defined for option 'gpu-name'", { refusal: { number: 16, sm: 121 } }],
  ['17 of an old version', "ValueError: Unknown quantization method: modelopt_fp4. Must be one of ['aqlm', 'awq', 'deepspeedfp'].", { refusal: { number: 17, method: 'modelopt_fp4' } }],
  ['17 of what loads', 'ValueError: Invalid quantization method: mxfp4', { refusal: { number: 17, method: 'mxfp4' } }],
  ['18 of a model that could not be looked at', "ValueError: Model architectures ['Gemma3ForConditionalGeneration'] failed to be inspected. Please check the logs for more details.", { refusal: { number: 18, architecture: 'Gemma3ForConditionalGeneration' } }],
  ['18, called unknown beside its own name', "ValueError: Model architectures ['LlamaForCausalLM'] are not supported for now. Supported architectures: ['JambaForCausalLM', 'LlamaForCausalLM', 'MambaForCausalLM']", { refusal: { number: 18, architecture: 'LlamaForCausalLM' } }],
  ['18, called unknown afterwards', "ERROR 10-26 11:35:32 registry.py:267] Error in inspecting model architecture 'LlamaForCausalLM'\nERROR 10-26 11:35:32 registry.py:267] Traceback (most recent call last):\nImportError: libcudart.so.12\nValueError: Model architectures ['LlamaForCausalLM'] are not supported for now. Supported", { refusal: { number: 18, architecture: 'LlamaForCausalLM' }, starts: 1 }],
  // Whole logs, and what stands before their lines.
  ['log of V1', LOG, LOG_SAYS],
  ['log with Windows line ends', LOG.replace(/\n/g, '\r\n'), LOG_SAYS],
  ['log of compose', prefixed('vllm-1  | ', LOG), LOG_SAYS],
  ['log of Kubernetes', prefixed('2026-11-30T12:00:00.123456789Z stdout F ', LOG), LOG_SAYS],
  ['log of a pod', prefixed('[pod/vllm-7d9-abcde/vllm] ', LOG), LOG_SAYS],
  ['log of journald', prefixed('Nov 30 12:00:00 gpu01 vllm[1234]: ', LOG), LOG_SAYS],
  ['log in JSON', json_log(LOG), LOG_SAYS],
  ['log in colours', LOG.replace(/\((APIServer|EngineCore_DP0) pid=(\d+)\)/g, '\x1b[1;36m($1 pid=$2)\x1b[0;0m').replace(/INFO/g, '\x1b[32mINFO\x1b[0m'), LOG_SAYS],
  ['log in colours that lost their escapes', LOG.replace(/\((EngineCore_DP0) pid=(\d+)\)/g, '[1;36m($1 pid=$2)[0;0m'), LOG_SAYS],
  ['log in colours inside words', LOG.replace(/GiB/g, '\x1b[1mGiB\x1b[0m'), LOG_SAYS],
  ['log with zero bytes', [...LOG].join('\0'), LOG_SAYS],
  ['log with a mark of byte order', `\ufeff${LOG}`, LOG_SAYS],
  ['log of V0', V0LOG, V0LOG_SAYS],
  ['log cut at the front', LOG.slice(430), { kind: 'log', printed: LOG_SAYS.printed }],
  ['log cut at the end', LOG.slice(0, LOG.indexOf('Replace gpu')), { kind: 'log', printed: LOG_SAYS.printed }],
  ['log after its command', `$ CUDA_VISIBLE_DEVICES=0 vllm serve Qwen/Qwen3-8B --max-model-len 16K --gpu-memory-utilization 0.95\n${LOG}`, { ...LOG_SAYS, starts: 1, cards: 1 }],
  ['log of 0.33', `(EngineCore pid=9) INFO 11-01 [core.py:1] Initializing a V1 LLM engine (v0.33.0) with config: model='m/x', max_seq_len=131072, tensor_parallel_size=1
Model loading took 15.0 GiB memory and 4.0 seconds
Available KV cache memory: 56.21 GiB
CUDA graph memory profiling is enabled (default since v0.21.0). The current --gpu-memory-utilization=0.9200 is equivalent to --gpu-memory-utilization=0.9129 without CUDA graph memory profiling.
GPU KV cache size: 460,496 tokens, Maximum concurrency for 131,072 tokens per request: 3.51x
CUDA graph pool memory: 0.23 GiB (actual), 0.56 GiB (estimated), difference: 0.33 GiB (143.5%).
Free memory on device (78.84/79.25 GiB) on startup. Desired GPU memory utilization is (0.92, 72.91 GiB). Actual usage is 15.26 GiB for consumed memory (weights + non-torch), 1.44 GiB for peak activation, and 0.23 GiB for CUDAGraph memory.`, { asked: { version: '0.33.0', max_model_len: 131072, gpu_memory_utilization: 0.92, total_gib: 79.25, in_use_gib: 0.41 }, printed: { tokens: 460496, concurrency: 3.51, graphs_gib: 0.23, graphs_estimated_gib: 0.56, consumed_gib: 15.26, share_without_graphs: 0.9129 }, reveals: { graphs_estimate: { estimated_gib: 0.56, actual_gib: 0.23 }, non_torch: { gib: 0.26 } } }],
  ['four ranks, the smallest cache decides', RANKS, { printed: { kv_gib: 33.5, weights_gib: 30.52 }, starts: 1, ranks: 4 }],
  ['four ranks without names', RANKS.replace(/\(Worker.*?\) /g, '').split('\n').sort().join('\n'), { printed: { kv_gib: 33.5 }, starts: 1 }],
  ['processes of Ray', RANKS.replace(/\(Worker_TP(\d) pid=(\d+)\)/g, '(RayWorkerWrapper pid=$2, ip=10.0.0.$1)'), { printed: { kv_gib: 33.5 }, starts: 1, ranks: 4 }],
  ['two starts', LOG + LOG.replaceAll('5.02', '6.10').replace('36,544', '44,432').replace("'gpu_memory_utilization': 0.95", "'gpu_memory_utilization': 0.98"), { starts: 2, asked: { gpu_memory_utilization: 0.98 }, printed: { kv_gib: 6.1, tokens: 44432 } }],
  ['a start refused, then a good one', `${V0LOG}\n${LOG}`, { starts: 2, refusal: null, printed: { kv_gib: 5.02 } }],
  ['two attempts tell the card', `vllm serve Qwen/Qwen3-Coder-480B --gpu-memory-utilization 0.90\n${NEEDED}\nvllm serve Qwen/Qwen3-Coder-480B --gpu-memory-utilization 0.95\n${NEEDED.replace('48.66', '55.65')}`, { starts: 2, asked: { gpu_memory_utilization: 0.95 }, reveals: { total: { gib: 139.8, from: 'two_attempts' } } }],
  ['a share and its memory tell the card', 'Initial free memory: 23.08 GiB; Requested memory: 0.80 (util), 18.82 GiB', { printed: { free_gib: 23.08, share: 0.8, requested_gib: 18.82 }, reveals: { total: { gib: 23.525, from: 'requested' } } }],
  ['the same error three times', `${V1}${NEEDED}\n${V1}Traceback\nValueError: ${NEEDED}\n${NEEDED}`, { starts: 1, refusal: { number: 4 } }],
  ['auto', "non-default args: {'model': 'm/x', 'max_model_len': -1}\nInitializing a V1 LLM engine (v0.20.0) with config: model='m/x', max_seq_len=131072\nAuto-fit max_model_len: reduced from 131072 to 16368 to fit in available KV cache memory", { asked: { max_model_len: 'auto', version: '0.20.0' }, printed: { longest_fitted: 16368 } }],
  ['a cache given in bytes', 'Current kv cache memory in use is 47878721024 bytes.', { printed: { kv_gib: 47878721024 / 2 ** 30 } }],
  ['what nvidia-smi shows', '|   0  NVIDIA A100-SXM4-80GB          On  | 00000000:07:00.0 Off |                    0 |\n| N/A   34C    P0              61W / 400W |  12345MiB / 81920MiB |      0%      Default |', { kind: 'log', cards: 1, printed: { gpus: [{ name: 'NVIDIA A100-SXM4-80GB', used_mib: 12345, total_mib: 81920 }] } }],
  ['what nvidia-smi -L lists', 'GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-1)\nGPU 1: NVIDIA H100 80GB HBM3 (UUID: GPU-2)', { cards: 2, asked: { card: 'NVIDIA H100 80GB HBM3' } }],
  ['the cause was cut away', 'RuntimeError: Engine core initialization failed. See root cause above. Failed core proc(s): {}', { kind: 'nothing', problems: ['cause_missing'] }],
  ['a flag that vLLM did not know', 'vllm: error: unrecognized arguments: --max-model-length 4096', { unknown: { '--max-model-length': '--max-model-len' } }],
  ['what collect_env lists beside a log', `GPU models and configuration:\nGPU 0: NVIDIA A10G\nGPU 1: NVIDIA A10G\nNvidia driver version: 550\n\n${LOG}`, { ...LOG_SAYS, asked: { ...LOG_SAYS.asked, card: 'NVIDIA A10G' }, cards: 2 }],
  ['an issue with its command and its log', `### Your environment\n<details>\n\n\`\`\`text\nvLLM Version                 : 0.11.0\n\`\`\`\n\n</details>\n\n### Bug\n\nI start it with\n\n\`\`\`bash\ndocker run --gpus all -p 8000:8000 vllm/vllm-openai:v0.11.0 --model Qwen/Qwen3-8B --max-model-len 16384\n\`\`\`\n\nand get\n\n\`\`\`\n${V1}ValueError: ${NONE}\n\`\`\`\n`, { kind: 'log', starts: 1, refusal: { number: 3 }, asked: { version: '0.11.0', model: 'Qwen/Qwen3-8B', max_model_len: 16384 } }],
  ['two engines beside each other', [0, 1].map((i) => `(EngineCore_DP${i} pid=${i}) INFO 1 [core.py:1] Initializing a V1 LLM engine (v0.12.0) with config: model='m/x', max_seq_len=4096, tensor_parallel_size=1\n(EngineCore_DP${i} pid=${i}) INFO 1 [g.py:1] Model loading took 10.${i} GiB\n(EngineCore_DP${i} pid=${i}) INFO 1 [g.py:1] Available KV cache memory: 2${i}.5 GiB`).join('\n'), { starts: 1, ranks: 2, printed: { kv_gib: 20.5, weights_gib: 10 } }],
  ['a container that starts again and again', `${LOG}${LOG}${LOG}`, { ...LOG_SAYS, starts: 3 }],
  ['the same after refusals', `${V0LOG}${V0LOG}`, { ...V0LOG_SAYS, starts: 2 }],
  ['a file that is no text', '\u0000\u0001\ufffd\u0003PNG'.repeat(500), { kind: 'nothing', problems: ['binary'] }],
  ['nothing', 'hello', { kind: 'nothing' }],
  ['nothing at all', '', { kind: 'nothing' }],
  ['prose', 'I tried vllm serve and it did not work, what shall I do?', { kind: 'nothing' }],
  ['a banner', `(APIServer pid=1) INFO 05-07 05:29:50 [utils.py:299] \n(APIServer pid=1) INFO 05-07 05:29:50 [utils.py:299]        █     █     █▄   ▄█\n(APIServer pid=1) INFO 05-07 05:29:50 [utils.py:299]  ▄▄ ▄█ █     █     █ ▀▄▀ █  version 0.19.1\n(APIServer pid=1) INFO 05-07 05:29:50 [utils.py:299]   █▄█▀ █     █     █     █  model   google/gemma-3-27b-it\n(APIServer pid=1) INFO 05-07 05:29:50 [utils.py:299]    ▀▀  ▀▀▀▀▀ ▀▀▀▀▀ ▀     ▀\n(EngineCore pid=43) INFO 05-07 05:30:52 [gpu_worker.py:460] Available KV cache memory: 10.55 GiB`, { kind: 'log', starts: 1, asked: { version: '0.19.1', model: 'google/gemma-3-27b-it' }, printed: { kv_gib: 10.55 } }],
  ['a banner of a folder, in colours', `\x1b[0;36m(APIServer pid=7)\x1b[0;0m INFO 03-17 11:29:48 [utils.py:302]  ▄▄ ▄█ █     █     █ ▀▄▀ █\x1b[0;0m  version \x1b[1m0.17.1rc1.dev5+gabc\x1b[0m\r\n\x1b[0;36m(APIServer pid=7)\x1b[0;0m INFO 03-17 11:29:48 [utils.py:302]   █▄█▀ █     █     █     █\x1b[0;0m  model   \x1b[1m/models/Qwen/Qwen3-8B\x1b[0m\r\nAvailable KV cache memory: 10.55 GiB`, { asked: { version: '0.17.1rc1.dev5+gabc', model: '/models/Qwen/Qwen3-8B' } }],
  ['two starts with banners', `█  version 0.17.1\n█  model   a/b\nAvailable KV cache memory: 1.5 GiB\n█  version 0.19.1\n█  model   Qwen/Qwen3-8B\nAvailable KV cache memory: 2.5 GiB`, { starts: 2, asked: { version: '0.19.1', model: 'Qwen/Qwen3-8B' }, printed: { kv_gib: 2.5 } }],
  ['a bar of progress', 'Loading safetensors: 100%|██████████| 2/2 model loaded', { kind: 'nothing' }],
  ['flags beside an error', `--tensor-parallel-size 4 \\\n--kv-cache-dtype fp8 \\\n--gpu-memory-utilization 0.97 \\\n--enable-auto-tool-choice --tool-call-parser x \\\n\nwith these --max-num-seqs I get\n\nValueError: ${NONE}`, { refusal: { number: 3 }, asked: { tensor_parallel_size: 4, kv_cache_dtype: 'fp8', gpu_memory_utilization: 0.97, max_num_seqs: undefined }, unknown: {} }],
  ['one flag beside an error', `--tensor-parallel-size 4\nwas the advice\nValueError: ${NONE}`, { refusal: { number: 3 }, asked: { tensor_parallel_size: undefined } }],
  ["an error of a page's source", 'ValueError: Free memory on device (67.24&#x2F;79.25 GiB) on startup is less than desired GPU memory utilization (0.9, 71.33 GiB).', { refusal: { number: 1 }, printed: { free_gib: 67.24, total_gib: 79.25 } }],
  ["a page's source within JSON", '{"architectures": ["X"], "model_type": "x", "note": "&quot;a&quot;"}', { kind: 'config' }],
];
