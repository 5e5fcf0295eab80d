// Commands as people write them, and what each must say at least.

const Q = 'Qwen/Qwen3-8B';
export const POD = `apiVersion: v1
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
export const COMMANDS = [
  ['bare', `vllm serve ${Q}`, { asked: { model: Q } }],
  ['after a prompt', `root@gpu:/app# vllm serve ${Q} --max-model-len 8192`, { asked: { model: Q, max_model_len: 8192 } }],
  ['after a dollar', `$ vllm serve ${Q} --max-num-seqs 64`, { asked: { model: Q, max_num_seqs: 64 } }],
  ['with equals', `vllm serve ${Q} --max-model-len=8192 --gpu-memory-utilization=.95`, { asked: { max_model_len: 8192, gpu_memory_utilization: 0.95 } }],
  ['with underscores', `vllm serve ${Q} --max_model_len 8192 --gpu_memory_utilization 0.95`, { asked: { max_model_len: 8192, gpu_memory_utilization: 0.95 } }],
  ['4k', `vllm serve ${Q} --max-model-len 4k`, { asked: { max_model_len: 4000 } }],
  ['4K', `vllm serve ${Q} --max-model-len 4K`, { asked: { max_model_len: 4096 } }],
  ['short names, one of them without a value', `vllm serve ${Q} -dp 2 -ep -tp 4`, { asked: { data_parallel_size: '2', enable_expert_parallel: true, tensor_parallel_size: 4 } }],
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
  ['with variables on lines before', `export VLLM_USE_V1=0\nCUDA_VISIBLE_DEVICES=0,1,2,3 \\\npython3 -m vllm.entrypoints.openai.api_server \\\n  --model ${Q} -tp 4`, { asked: { engine: 'V0', model: Q, tensor_parallel_size: 4 }, cards: 4 }],
  ['a second command has its own variables', `VLLM_USE_V1=0 vllm serve a/b\nvllm serve ${Q}`, { asked: { engine: undefined, model: Q } }],
  ['flags alone', '--max-model-len 8192 --gpu-memory-utilization 0.9\n--enforce-eager', { asked: { max_model_len: 8192, gpu_memory_utilization: 0.9, enforce_eager: true, model: undefined } }],
  ['flags alone in a list', `extraArgs:\n  - "--disable-log-requests"\n  - "--gpu-memory-utilization=0.8"\n  - --model=${Q}`, { asked: { gpu_memory_utilization: 0.8, model: Q }, unknown: {} }],
  ['flags in a sentence', 'I pass --max-model-len 8192 and it fails', { asked: { max_model_len: 8192, model: undefined } }],
  ['a file of settings', `model: ${Q}\nmax-model-len: 8192\ngpu-memory-utilization: "0.9"\ntensor_parallel_size: 2\n`, { asked: { model: Q, max_model_len: 8192, gpu_memory_utilization: 0.9, tensor_parallel_size: 2 } }],
  ['between quotes', `start_command: sh -c "vllm serve ${Q} --tensor-parallel-size 1 --gpu-memory-utilization 0.8"\n  readiness_endpoint: "/health"`, { asked: { model: Q, gpu_memory_utilization: 0.8 }, unknown: {} }],
  ['with flags of newer releases', `vllm serve ${Q} --mamba-backend flashinfer --enable-mamba-cache-stochastic-rounding --device-memory-utilization 0.7 --default-chat-template-kwargs '{"enable_thinking":true}' -asc 2`, { asked: { gpu_memory_utilization: 0.7 }, unknown: {} }],
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
  ['of compose, with a part commented out', `    command: >\n      --model ${Q}\n      --max-model-len 16384\n    #  --tensor-parallel-size 4\n`, { asked: { model: Q, max_model_len: 16384, tensor_parallel_size: undefined } }],
  ['of KServe, with a part commented out', `spec:\n  predictor:\n    model:\n      args:\n        - --served-model-name={{.Name}}      # matches --block-size 32\n        - --model=${Q}\n        - --max-model-len=16384              # caps\n        # - --tensor-parallel-size=4         # split\n`, { asked: { model: Q, max_model_len: 16384, tensor_parallel_size: undefined, block_size: undefined }, unknown: {} }],
  ['flags alone, with a part commented out', `--max-model-len 4096 # not --max-num-seqs 8\n# --tensor-parallel-size 4\n--gpu-memory-utilization 0.8`, { asked: { max_model_len: 4096, gpu_memory_utilization: 0.8, max_num_seqs: undefined, tensor_parallel_size: undefined } }],
  ['arguments alone', `args: ["--model", "${Q}", "--max-model-len", "8192"]`, { asked: { model: Q, max_model_len: 8192 }, unknown: {} }],
  ["of Helm's values", `servingEngineSpec:\n  modelSpec:\n  - name: "qwen"\n    repository: "vllm/vllm-openai"\n    tag: "v0.10.2"\n    modelURL: "${Q}"\n    replicaCount: 1\n    requestGPU: 2\n    vllmConfig:\n      enableChunkedPrefill: false\n      maxModelLen: 16384\n      dtype: "bfloat16"\n      tensorParallelSize: 2\n      extraArgs: ["--gpu-memory-utilization", "0.8"]\n`, { asked: { model: Q, version: '0.10.2', max_model_len: 16384, dtype: 'bfloat16', tensor_parallel_size: 2, gpu_memory_utilization: 0.8, enable_chunked_prefill: false }, cards: 2, unknown: {} }],
  ['a list of more arguments alone', 'extraArgs: ["--gpu-memory-utilization", "0.8"]', { asked: { gpu_memory_utilization: 0.8 }, unknown: {} }],
  ['of compose, with defaults', `services:\n  vllm:\n    image: vllm/vllm-openai:${'${TAG:-v0.11.0}'}\n    command: ["--model", "${'${MODEL:-Qwen/Qwen3-8B}'}", "--max-model-len", "${'${MAX_LEN:-16384}'}"]\n`, { asked: { model: Q, version: '0.11.0', max_model_len: 16384 }, problems: {} }],
  ['of a pod, with its variables', `containers:\n- image: vllm/vllm-openai:v0.11.0\n  env:\n    - name: MODEL\n      value: ${Q}\n    - name: LEN\n      value: "8192"\n  args: ["--model", "$(MODEL)", "--max-model-len=$(LEN)"]\n`, { asked: { model: Q, max_model_len: 8192 } }],
  ['of a pod, whose script sets its variables', `containers:\n- image: vllm/vllm-openai:v0.11.0\n  command: ["bash", "-c", "MODEL=${Q}; vllm serve $MODEL --max-model-len 8192"]\n`, { asked: { model: Q, max_model_len: 8192 } }],
  ['of Python with what is set before', `import vllm\nmodel_id = "${Q}"  # the model's name\nlength = 8192\nllm = LLM(model=model_id, max_model_len=length, dtype=torch.float16, gpu_memory_utilization=float(os.getenv("SHARE", "0.8")))`, { asked: { model: Q, max_model_len: 8192, dtype: 'float16', gpu_memory_utilization: 0.8 } }],
  ['of Python with what is set to something else', `name = "a/b"\nname = name + "c"\nother = "a/b" + x\nllm = LLM(model=name, max_model_len=4096)`, { asked: { max_model_len: 4096, model: undefined }, problems: { variable: { name: 'model', value: 'name' } } }],
  ['of Python with quotes of a word processor', `llm = LLM(model=”${Q}”, max_model_len=4096, kv_cache_dtype=“fp8”, compilation_config={\n  "a": 1\n})`, { asked: { model: Q, max_model_len: 4096, kv_cache_dtype: 'fp8', compilation_config: '{ "a": 1 }' } }],
  ['with quotes of a word processor', `vllm serve “${Q}” --dtype=“bfloat16” --max-model-len 4096`, { asked: { model: Q, dtype: 'bfloat16', max_model_len: 4096 } }],
  ['between quotes of a word processor', `我运行“vllm serve ${Q} --max-model-len 4096”后报错“x”`, { asked: { model: Q, max_model_len: 4096 } }],
  ['with the dashes of a web page', `vllm serve ${Q} —max-model-len 16384 ––gpu-memory-utilization 0.85 –tp 2 — it fails`, { asked: { model: Q, max_model_len: 16384, gpu_memory_utilization: 0.85, tensor_parallel_size: 2 }, unknown: {} }],
  ['variables that are called as settings are', `MODEL_NAME=${Q}\nMAX_MODEL_LEN=32768\nGPU_MEMORY_UTILIZATION="0.95"\nDTYPE=bfloat16\nHF_TOKEN=x`, { asked: { model: Q, max_model_len: 32768, gpu_memory_utilization: 0.95, dtype: 'bfloat16' }, unknown: {} }],
  ['a file of settings below its command', `# vllm serve --config config.yaml\nmodel: ${Q}\nport: 6379\nmax-model-len: 32768\ngpu-memory-utilization: 0.85\n`, { asked: { model: Q, max_model_len: 32768, gpu_memory_utilization: 0.85 } }],
  ["of a page's source", `vllm serve &quot;Qwen&#x2F;Qwen3-8B&quot; --max-model-len 8192`, { asked: { model: Q, max_model_len: 8192 } }],
];
