// Commands as people write them: shells, Docker, compose, Kubernetes, Python; and files of a model.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { read_paste, read_slowly } from '../../site/plan/paste/read.js';
import { whole } from '../../site/plan/paste/flags.js';

const Q = 'Qwen/Qwen3-8B';
const POD = `apiVersion: v1
kind: Pod
metadata:
  name: vllm
spec:
  containers:
    - name: proxy
      image: nginx:1.27
      args: ["-g", "daemon off;"]
    - name: vllm
      image: "vllm/vllm-openai:v0.11.0"
      command: ["vllm", "serve"]
      args:
        - Qwen/Qwen3-8B
        - --max-model-len=8192
        - "--gpu-memory-utilization"
        - "0.95"   # a remark
        - --tensor-parallel-size
        - "2"
      env:
        - name: VLLM_USE_V1
          value: "1"
        - name: HF_TOKEN
          valueFrom:
            secretKeyRef: {name: hf, key: token}
      resources:
        limits:
          nvidia.com/gpu: "2"
      volumeMounts:
        - mountPath: /dev/shm
          name: shm
`;
const POD_SAYS = { asked: { model: Q, version: '0.11.0', engine: 'V1', max_model_len: 8192, gpu_memory_utilization: 0.95, tensor_parallel_size: 2 }, cards: 2 };
const COMPOSE = `services:
  web:
    image: nginx
    command: ["nginx", "-g", "daemon off;"]
  vllm:
    image: vllm/vllm-openai:v0.10.2
    environment:
      - HF_TOKEN=\${HF_TOKEN}
      - VLLM_MEMORY_PROFILER_ESTIMATE_CUDAGRAPHS=1
    ports:
      - "8000:8000"
    ipc: host
    deploy:
      resources:
        reservations:
          devices:
            - driver: nvidia
              count: 2
              capabilities: [gpu]
    command: >
      --model Qwen/Qwen3-8B
      --max-model-len 8192
      --kv-cache-dtype fp8
`;
const COMPOSE_SAYS = { asked: { model: Q, version: '0.10.2', estimate_cudagraphs: true, max_model_len: 8192, kv_cache_dtype: 'fp8' }, cards: 2 };

/** @type {[string, string, Record<string, any>][]} */
const COMMANDS = [
  ['bare', `vllm serve ${Q}`, { asked: { model: Q } }],
  ['after a prompt', `root@gpu:/app# vllm serve ${Q} --max-model-len 8192`, { asked: { model: Q, max_model_len: 8192 } }],
  ['after a dollar', `$ vllm serve ${Q} --max-num-seqs 64`, { asked: { model: Q, max_num_seqs: 64 } }],
  ['with equals', `vllm serve ${Q} --max-model-len=8192 --gpu-memory-utilization=.95`, { asked: { max_model_len: 8192, gpu_memory_utilization: 0.95 } }],
  ['with underscores', `vllm serve ${Q} --max_model_len 8192 --gpu_memory_utilization 0.95`, { asked: { max_model_len: 8192, gpu_memory_utilization: 0.95 } }],
  ['4k', `vllm serve ${Q} --max-model-len 4k`, { asked: { max_model_len: 4000 } }],
  ['4K', `vllm serve ${Q} --max-model-len 4K`, { asked: { max_model_len: 4096 } }],
  ['1m', `vllm serve ${Q} --max-model-len 1m`, { asked: { max_model_len: 1000000 } }],
  ['25.6k', `vllm serve ${Q} --max-model-len 25.6k`, { asked: { max_model_len: 25600 } }],
  ['1.5K is none', `vllm serve ${Q} --max-model-len 1.5K`, { problems: { bad_value: { name: 'max_model_len', value: '1.5K' } } }],
  ['auto', `vllm serve ${Q} --max-model-len auto`, { asked: { max_model_len: 'auto' } }],
  ['-1', `vllm serve ${Q} --max-model-len -1 --max-num-seqs 8`, { asked: { max_model_len: 'auto', max_num_seqs: 8 } }],
  ['short flags', `vllm serve ${Q} -tp 4 -pp 2 -dcp 2 -q awq`, { asked: { tensor_parallel_size: 4, pipeline_parallel_size: 2, decode_context_parallel_size: 2, quantization: 'awq' } }],
  ['short flags with equals', `vllm serve ${Q} -tp=4`, { asked: { tensor_parallel_size: 4 } }],
  ['truths', `vllm serve ${Q} --enforce-eager --enable-chunked-prefill --enable-prefix-caching --async-scheduling`, { asked: { enforce_eager: true, enable_chunked_prefill: true, enable_prefix_caching: true, async_scheduling: true } }],
  ['untruths', `vllm serve ${Q} --no-enforce-eager --no-enable-chunked-prefill --no-enable-prefix-caching --no-async-scheduling`, { asked: { enforce_eager: false, enable_chunked_prefill: false, enable_prefix_caching: false, async_scheduling: false } }],
  ['a truth with its word', `vllm serve ${Q} --enable-chunked-prefill False --max-model-len 8192`, { asked: { enable_chunked_prefill: false, max_model_len: 8192 } }],
  ['the model after its flags', `vllm serve --max-model-len 8192 --enforce-eager ${Q}`, { asked: { model: Q, enforce_eager: true } }],
  ['the model as a flag', `vllm serve --model ${Q}`, { asked: { model: Q } }],
  ['the cache in bytes', `vllm serve ${Q} --kv-cache-memory-bytes 119275520`, { asked: { kv_cache_memory_bytes: 119275520 } }],
  ['the cache in M', `vllm serve ${Q} --kv-cache-memory-bytes 36864M`, { asked: { kv_cache_memory_bytes: 36864 * 2 ** 20 } }],
  ['the cache by its old name', `vllm serve ${Q} --kv-cache-memory=4600000000`, { asked: { kv_cache_memory_bytes: 4600000000 } }],
  ['other counted flags', `vllm serve ${Q} --dtype half --block-size 32 --num-gpu-blocks-override 512 --max-num-batched-tokens 2048`, { asked: { dtype: 'half', block_size: 32, num_gpu_blocks_override: 512, max_num_batched_tokens: 2048 } }],
  ['shortened as Python allows', `vllm serve ${Q} --tensor-parallel 2 --gpu-memory 0.8`, { asked: { tensor_parallel_size: 2, gpu_memory_utilization: 0.8 }, unknown: {} }],
  ['quoted', `vllm serve "${Q}" --max-model-len '8192'`, { asked: { model: Q, max_model_len: 8192 } }],
  ['a path with blanks', `vllm serve '/data/my models/llama' --max-model-len 8192`, { asked: { model: '/data/my models/llama' } }],
  ['continued', `vllm serve ${Q} \\\n  --max-model-len 8192 \\\n  --enforce-eager\nls`, { asked: { max_model_len: 8192, enforce_eager: true } }],
  ['continued with Windows line ends', `vllm serve ${Q} \\\r\n  --max-model-len 8192 \\\r\n  --enforce-eager\r\n`, { asked: { max_model_len: 8192, enforce_eager: true } }],
  ['continued in cmd', `vllm serve ${Q} ^\r\n  --max-model-len 8192 ^\r\n  --enforce-eager`, { asked: { max_model_len: 8192, enforce_eager: true } }],
  ['continued in PowerShell', `vllm serve ${Q} \`\n  --max-model-len 8192 \`\n  --enforce-eager`, { asked: { max_model_len: 8192, enforce_eager: true } }],
  ['with remarks between', `vllm serve ${Q} \\\n  --max-model-len 8192 \\ # long\n  # --dtype half \\\n  --enforce-eager`, { asked: { max_model_len: 8192, enforce_eager: true } }],
  ['in Markdown', `I run \`vllm serve ${Q} --max-model-len 8192\` and it fails.`, { asked: { model: Q, max_model_len: 8192 } }],
  ['up to a pipe', `vllm serve ${Q} --max-model-len 8192 2>&1 | tee log --enforce-eager`, { asked: { max_model_len: 8192, enforce_eager: undefined } }],
  ['with variables before', `CUDA_VISIBLE_DEVICES=0,1 VLLM_USE_V1=0 VLLM_ALLOW_LONG_MAX_MODEL_LEN=1 vllm serve ${Q} -tp 2`, { asked: { engine: 'V0', tensor_parallel_size: 2 }, cards: 2, long_allowed: true }],
  ['with the estimate on', `VLLM_MEMORY_PROFILER_ESTIMATE_CUDAGRAPHS=1 vllm serve ${Q}`, { asked: { estimate_cudagraphs: true } }],
  ['with its own variables', `MODEL=${Q}\nLEN=8192\nvllm serve $MODEL --max-model-len \${LEN} --max-num-seqs \${SEATS:-64}`, { asked: { model: Q, max_model_len: 8192, max_num_seqs: 64 } }],
  ['with foreign variables', `vllm serve ${Q} --max-model-len $LEN`, { asked: { max_model_len: undefined }, problems: { variable: { name: 'max_model_len', value: '$LEN' } } }],
  ['by python -m', `python -m vllm.entrypoints.openai.api_server --model ${Q} --max-model-len 8192`, { asked: { model: Q, max_model_len: 8192 } }],
  ['by python3 -m, continued', `python3 -u -m vllm.entrypoints.openai.api_server \\\n --model=${Q} \\\n --tensor-parallel-size=2`, { asked: { model: Q, tensor_parallel_size: 2 } }],
  ['by its file', `python vllm/entrypoints/openai/api_server.py --model ${Q} --max-model-len 8192`, { asked: { model: Q, max_model_len: 8192 } }],
  ['by uv', `uv run --with vllm==0.11.2 vllm serve ${Q}`, { asked: { model: Q, version: '0.11.2' } }],
  ['as a process', `root  77  0.1 /usr/bin/python3 /usr/local/bin/vllm serve ${Q} --max-model-len 8192`, { asked: { model: Q, max_model_len: 8192 } }],
  ['of systemd', `[Service]\nEnvironment=CUDA_VISIBLE_DEVICES=0\nExecStart=/opt/venv/bin/vllm serve ${Q} --max-model-len 8192`, { asked: { model: Q, max_model_len: 8192 } }],
  ['of Docker', `docker run --runtime nvidia --gpus all -v ~/.cache/huggingface:/root/.cache/huggingface --env "HF_TOKEN=x" -p 8000:8000 --ipc=host vllm/vllm-openai:v0.11.0 --model ${Q} --max-model-len 8192`, { asked: { model: Q, version: '0.11.0', max_model_len: 8192 }, cards: null }],
  ['of Docker, continued', `sudo docker run -d --rm --gpus '"device=0,1"' \\\n  --shm-size 16g \\\n  -e VLLM_USE_V1=0 \\\n  vllm/vllm-openai:v0.8.5.post1 \\\n  --model ${Q} \\\n  --tensor-parallel-size 2`, { asked: { model: Q, version: '0.8.5.post1', engine: 'V0', tensor_parallel_size: 2 }, cards: 2 }],
  ['of Docker with two cards', `docker run --gpus 2 vllm/vllm-openai:latest ${Q} -tp 2`, { asked: { model: Q, version: undefined, tensor_parallel_size: 2 }, cards: 2 }],
  ['of Docker with an entrypoint', `docker run --gpus all --entrypoint vllm vllm/vllm-openai:v0.12.0 serve ${Q} --enforce-eager`, { asked: { model: Q, version: '0.12.0', enforce_eager: true } }],
  ['of Docker with a shell', `docker run --entrypoint bash vllm/vllm-openai:v0.12.0 -c "export A=1; vllm serve ${Q} --max-model-len 8192"`, { asked: { model: Q, max_model_len: 8192 } }],
  ['of podman', `podman run --device nvidia.com/gpu=all docker.io/vllm/vllm-openai:v0.12.0 --model ${Q}`, { asked: { model: Q, version: '0.12.0' } }],
  ['of Docker for AMD', `docker run -it --device /dev/kfd --device /dev/dri --group-add video vllm/vllm-openai-rocm:v0.16.0 --model ${Q}`, { asked: { model: Q, version: '0.16.0' } }],
  ['of compose', COMPOSE, COMPOSE_SAYS],
  ['of compose, as a list', COMPOSE.replace(/ {4}command: >[\s\S]*$/, `    command: ["--model", "${Q}", "--max-model-len", "8192", "--kv-cache-dtype=fp8"]\n`), COMPOSE_SAYS],
  ['of compose, line by line', COMPOSE.replace(/ {4}command: >[\s\S]*$/, `    command:\n      - --model\n      - ${Q}\n      - --max-model-len\n      - "8192"\n      - --kv-cache-dtype\n      - fp8\n`), COMPOSE_SAYS],
  ['of compose, in one line', COMPOSE.replace(/ {4}command: >[\s\S]*$/, `    command: --model ${Q} --max-model-len 8192 --kv-cache-dtype fp8\n`), COMPOSE_SAYS],
  ['of compose, with a map of variables', COMPOSE.replace(/ {6}- HF_TOKEN[\s\S]*?=1\n/, '      VLLM_MEMORY_PROFILER_ESTIMATE_CUDAGRAPHS: "1"\n'), COMPOSE_SAYS],
  ['of compose, cards by name', COMPOSE.replace('count: 2', "device_ids: ['0', '3']"), COMPOSE_SAYS],
  ['of a pod', POD, POD_SAYS],
  ['of a pod with Windows line ends', POD.replace(/\n/g, '\r\n'), POD_SAYS],
  ['of a pod, lists not indented', POD.replace(/^ {8}- /gm, '      - '), POD_SAYS],
  ['of a pod, in lines of brackets', POD.replace(/args:\n[\s\S]*?(?= {6}env)/, `args: [\n        "${Q}", "--max-model-len=8192",\n        '--gpu-memory-utilization', "0.95", "--tensor-parallel-size", "2"\n      ]\n`), POD_SAYS],
  ['of a pod with a script', POD.replace('["vllm", "serve"]', '["/bin/sh", "-c"]').replace(/args:\n[\s\S]*?(?= {6}env)/, `args:\n        - |\n          set -e\n          exec vllm serve ${Q} \\\n            --max-model-len 8192 --gpu-memory-utilization 0.95 \\\n            --tensor-parallel-size 2\n`), POD_SAYS],
  ['of a pod in JSON', JSON.stringify({ kind: 'Pod', spec: { containers: [{ name: 'vllm', image: 'vllm/vllm-openai:v0.11.0', args: [Q, '--max-model-len=8192', '--gpu-memory-utilization=0.95', '-tp=2'], env: [{ name: 'VLLM_USE_V1', value: '1' }], resources: { limits: { 'nvidia.com/gpu': 2 } } }] } }), POD_SAYS],
  ['of a pod cut off', POD.slice(0, POD.indexOf('      env')), { asked: { model: Q, max_model_len: 8192, tensor_parallel_size: 2 } }],
  ['of a Dockerfile', `FROM vllm/vllm-openai:v0.11.0\nENV VLLM_USE_V1=1\nENTRYPOINT ["vllm", "serve"]\nCMD ["${Q}", "--max-model-len", "8192"]\n`, { asked: { model: Q, version: '0.11.0', engine: 'V1', max_model_len: 8192 } }],
  ['of Python', `from vllm import LLM\nllm = LLM(model="${Q}", max_model_len=8_192, enforce_eager=True, tensor_parallel_size=2)`, { asked: { model: Q, max_model_len: 8192, enforce_eager: true, tensor_parallel_size: 2, use_llm_class: true } }],
  ['of Python, over lines', `llm = LLM(\n    "${Q}",  # the model\n    dtype=torch.float16,\n    gpu_memory_utilization=0.85,\n    limit_mm_per_prompt={"image": 1},\n)`, { asked: { model: Q, gpu_memory_utilization: 0.85, use_llm_class: true }, problems: { not_counted: { name: 'limit_mm_per_prompt' } } }],
  ['of Python with expressions', 'llm = LLM(model=args.model, max_model_len=4096)', { asked: { max_model_len: 4096 }, problems: { variable: { name: 'model', value: 'args.model' } } }],
  ['of Python, asynchronous', `engine_args = AsyncEngineArgs(model='${Q}', max_num_seqs=32)`, { asked: { model: Q, max_num_seqs: 32, use_llm_class: false } }],
  ['JSON overrides', `vllm serve ${Q} --hf-overrides '{"rope_scaling":{"rope_type":"yarn","factor":4.0}}' --compilation-config '{"level": 3}' --max-model-len 8192`, { asked: { max_model_len: 8192 }, problems: { not_counted: { name: 'compilation_config' } }, unknown: {} }],
  ['dotted overrides', `vllm serve ${Q} --compilation-config.level 3 -cc.mode=3 -O3 --speculative-config.method ngram --max-model-len 8192`, { asked: { max_model_len: 8192 }, problems: { not_counted: { name: 'speculative_config' } }, unknown: {} }],
  ['named, not counted', `vllm serve ${Q} --enable-lora --max-loras 4 --limit-mm-per-prompt '{"image":2}' --cpu-offload-gb 10`, { problems: { not_counted: { name: 'enable_lora' } }, unknown: {} }],
  ['quiet flags', `vllm serve ${Q} --host 0.0.0.0 --port 8000 --api-key k --served-model-name a b --trust-remote-code --tool-call-parser hermes --enable-auto-tool-choice --max-model-len 8192`, { asked: { max_model_len: 8192, model: Q }, unknown: {} }],
  ['unknown flags', `vllm serve ${Q} --max-model-length 8192 --gpu-mem-util 0.9 --zzzzzzzzzzzzzzz`, { unknown: { '--max-model-length': '--max-model-len', '--gpu-mem-util': undefined, '--zzzzzzzzzzzzzzz': '' } }],
  ['a bad value', `vllm serve ${Q} --max-num-seqs many`, { problems: { bad_value: { name: 'max_num_seqs', value: 'many' } } }],
  ['a flag without value', `vllm serve ${Q} --max-num-seqs --enforce-eager`, { asked: { enforce_eager: true }, problems: { no_value: { name: 'max_num_seqs' } } }],
  ['two commands, the last', `vllm serve a/b --max-model-len 4096\nvllm serve ${Q} --max-model-len 8192`, { asked: { model: Q, max_model_len: 8192 }, problems: { several_commands: {} } }],
];

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
  const cases = { '1k': 1000, '1K': 1024, '2m': 2e6, '2M': 2 ** 21, '1G': 2 ** 30, '25.6k': 25600, '-1': -1, 8192: 8192, '1_024': 1024, '1.5': null, '1.5K': null, '': null, k: null, '1kk': null, '9e9': null, 99999999999999999: null };
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

test('JSON of something else is said to be that', () => {
  assert.deepEqual(read_paste('{"name": "x", "version": 1}').problems, [{ key: 'json_other', values: {} }]);
});

test('the slow way gives the same and tells how far it is', async () => {
  const text = `${'x'.repeat(200000)}\n${POD}`;
  /** @type {number[]} */
  const told = [];
  const reading = await read_slowly(text, async (share) => void told.push(share));
  assert.deepEqual(reading, read_paste(text));
  assert.deepEqual(told, [...told].sort((a, b) => a - b));
  assert.equal(told.at(-1), 1);
});
