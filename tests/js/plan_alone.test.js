// @ts-check
/** What the page says of a pasted text by itself: what was wrong there once, each with a text in the known form. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { other_answer, printed_answer } from "../../site/plan/printed.js";
import { read_paste } from "../../site/plan/paste/read.js";
import { reveal_lines, take } from "../../site/plan/reading.js";
import { WORDS } from "../../site/plan/words.js";

const SAYS = WORDS.alone;

/** @param {string} text */
function answer_to(text) {
  const answer = printed_answer(read_paste(text), false);
  assert.ok(answer, text);
  assert.ok(!/[{}]|undefined|NaN/.test([answer.sentence, answer.caption, ...answer.ways.map((way) => way.text)].join(" ")), answer.sentence);
  return answer;
}

/** @param {number} needed @param {number} pool @param {number} length @param {string} [rest] */
function too_long(needed, pool, length, rest = "") {
  return `ValueError: To serve at least one request with the models's max seq len (${length}), (${needed.toFixed(2)} GiB KV cache is needed, which is larger than the available KV cache memory (${pool.toFixed(2)} GiB). ${rest}`;
}

const ESTIMATE = "Based on the available memory, the estimated maximum model length is ";
const TORCH = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 448.00 MiB. GPU 0 has a total capacity of 31.73 GiB of which 310.25 MiB is free. ";
const SAMPLER = "RuntimeError: CUDA out of memory occurred when warming up sampler with 768 dummy requests. Please try lowering `max_num_seqs` or `gpu_memory_utilization` when initializing the engine.";

test("a length of rounded figures is one that starts whatever was rounded, and is only to be tried", () => {
  const [needed, pool, length] = [7.5, 5.21, 54613];
  const answer = answer_to(too_long(needed, pool, length, "Based on the available memory,"));
  const { max_model_len: found } = answer.ways[0].changes;
  assert.ok(found % 16 === 0 && found * ((needed + 0.005) / length) <= pool - 0.005);
  assert.ok(found > 0.99 * length * (pool / needed));
  assert.equal(answer.caption, SAYS.caption_try_plain);
  assert.equal(answer.fixed, false);
  const printed = answer_to(too_long(needed, pool, length, `${ESTIMATE}37920.`));
  assert.ok(printed.command.endsWith("--max-model-len 37920") && printed.fixed);
});

test("where memory ends while weights are loaded, neither seats nor share are offered", () => {
  const signs = [
    "ERROR   File \"vllm/model_executor/model_loader/base_loader.py\", line 45, in load_model",
    "ERROR     self.mlp = Qwen2MLP(",
    "ERROR     self.start_layer, self.end_layer, self.layers = make_layers(",
    "Loading safetensors checkpoint shards:  40% Completed | 4/10 [00:02<00:03,  1.9it/s]",
    "ERROR Failed to load model - not enough GPU memory. Try lowering --gpu-memory-utilization (original error: see below)",
  ];
  for (const sign of signs) {
    const answer = answer_to(`${sign}\n${TORCH}`);
    assert.ok(answer.sentence.includes("31.43 of 31.73 GiB"), answer.sentence);
    assert.ok(answer.command.endsWith("--tensor-parallel-size 2"), answer.command);
    assert.ok(!answer.ways.some(({ changes }) => "max_num_seqs" in changes || "gpu_memory_utilization" in changes));
    assert.ok(answer.ways.some(({ flags }) => flags === "--cpu-offload-gb GIB"));
  }
  const four = answer_to(`vllm serve org/model --tensor-parallel-size 2 --quantization awq\n${signs[0]}\n${TORCH}`);
  assert.ok(four.command.includes("--tensor-parallel-size 4") && four.caption === SAYS.caption_try_named);
  assert.ok(!four.ways.some(({ changes }) => changes.quantization === "bitsandbytes"));
});

test("memory that ends after the weights are there is no matter of loading them", () => {
  for (const after of ["INFO Model loading took 14.99 GiB and 8.1 seconds", "Loading safetensors checkpoint shards: 100% Completed | 4/4", "ERROR   File \"gpu_model_runner.py\", line 9, in profile_run"]) {
    const answer = answer_to(`ERROR  line 45, in load_model\n${after}\n${TORCH}`);
    assert.ok(answer.ways.some(({ changes }) => "max_num_seqs" in changes), after);
  }
});

test("PyTorch's own error and vLLM's sentence about it are one refusal, in either order", () => {
  for (const text of [`${TORCH}\n${SAMPLER}`, `${SAMPLER}\n${TORCH}`]) {
    const { refusal, starts } = read_paste(text);
    assert.equal(starts.length, 1);
    assert.equal(refusal?.dummy_requests, 768);
    assert.equal(refusal?.tried_gib, 0.4375);
    const answer = answer_to(text);
    assert.ok(answer.sentence.includes("768") && answer.command.endsWith("--max-num-seqs 384"));
    assert.ok(!answer.ways.some(({ changes }) => "max_num_batched_tokens" in changes));
  }
});

test("what another process holds is said, and is no more the reader's own", () => {
  const [other, own] = ["Process 41 has 7.25 GiB memory in use. ", "Including non-PyTorch memory, this process has 24.10 GiB memory in use. "];
  for (const text of [TORCH + other + own, TORCH + own + other]) {
    const reading = read_paste(text);
    assert.equal(reading.asked.in_use_gib, 7.25);
    const answer = answer_to(text);
    assert.ok(answer.sentence.includes("7.25 GiB") && answer.ways[0].text.includes("7.25 GiB"));
    assert.equal(answer.command, "vllm serve '<your-model>'");
  }
  for (const text of [TORCH + other, TORCH + own]) {
    assert.equal(read_paste(text).asked.in_use_gib, undefined, "a container calls its own process by another number");
    assert.ok(!answer_to(text).sentence.includes("7.25"));
  }
});

test("cards are offered by powers of two, with all of them as stages, and only to be tried", () => {
  for (const [heads, cards, fits, each] of [[28, 8, 4, 4], [40, 6, 4, 2], [12, 8, 4, 4], [64, 3, 2, 1], [25, 4, 1, 1]]) {
    const answer = answer_to(`ValueError: Total number of attention heads (${heads}) must be divisible by tensor parallel size (${cards}).`);
    assert.deepEqual(answer.ways.map(({ changes }) => changes), [{ tensor_parallel_size: fits }, { tensor_parallel_size: each, pipeline_parallel_size: cards / each }]);
    assert.equal(answer.caption, SAYS.caption_try_plain);
  }
});

test("a share that is as good as all is no way to more pool, and stays as it was given", () => {
  const none = "ValueError: No available memory for the cache blocks. Try increasing `gpu_memory_utilization` when initializing the engine.";
  for (const share of ["0.95", "0.98"]) {
    const answer = answer_to(`vllm serve org/model --gpu-memory-utilization ${share}\nINFO Available KV cache memory: -1.15 GiB\n${none}`);
    assert.ok(answer.command.includes(`--gpu-memory-utilization ${share}`));
    assert.ok(!answer.ways.some(({ changes }) => "gpu_memory_utilization" in changes));
    assert.ok(answer.ways.some(({ changes }) => changes.tensor_parallel_size === 2));
  }
  const named = answer_to(`GPU 0: NVIDIA GeForce RTX 3090\nvllm serve org/model --gpu-memory-utilization 0.9\nINFO Available KV cache memory: -0.35 GiB\n${none}`);
  assert.ok(named.ways.some(({ text }) => text.includes("share above 0.92")), "the card's memory is known by its name");
  const spoken = take(read_paste(`vllm serve org/model\nINFO Available KV cache memory: -0.35 GiB\n${none}\nIt is an RTX 3090.`), {}, { model: null, index: null }).alone;
  assert.ok(spoken.command.endsWith("--max-num-seqs SEATS"), "a card of 24 GB has 256 seats by default: to ask for them changes nothing");
  const lower = answer_to(`vllm serve org/model --gpu-memory-utilization 0.6\n${none}`);
  assert.ok(lower.command.includes("--gpu-memory-utilization SHARE"));
  const one_chat = answer_to(`vllm serve org/model --gpu-memory-utilization 0.97\n${too_long(3, 2, 8192, `${ESTIMATE}5456.`)}`);
  assert.ok(!one_chat.ways.some(({ changes }) => "gpu_memory_utilization" in changes));
});

test("a shorter longest chat gives more pool in the old engine alone", () => {
  const none = "ValueError: No available memory for the cache blocks.";
  const lengths = (/** @type {string} */ text) => answer_to(text).ways.filter(({ changes }) => "max_model_len" in changes).length;
  assert.equal(lengths(`INFO vLLM API server version 0.11.0\n${none}`), 0);
  assert.equal(lengths(`INFO vLLM API server version 0.5.4\n${none}`), 1);
  assert.equal(lengths(`INFO Available KV cache memory: -0.75 GiB\n${none}`), 0);
  assert.equal(lengths(`INFO the rest of the memory reserved for KV Cache is -0.75GiB.\n${none}`), 1);
  const old = answer_to(`INFO vLLM API server version 0.5.4\n${none}`);
  assert.ok("max_model_len" in old.ways[0].changes);
});

test("where part of a chat's memory is fixed, no bytes a token are claimed and no half by fp8", () => {
  const text = too_long(4.4, 3.2, 200000, `${ESTIMATE}128000.`);
  const answer = answer_to(text);
  assert.ok(answer.sentence.includes("fixed: about 1.07 GiB, and about 17.5 KiB a token"), answer.sentence);
  assert.ok(!answer.ways.some(({ changes }) => "kv_cache_dtype" in changes));
  const told = reveal_lines(read_paste(text)).join(" ");
  assert.ok(told.includes("1.07") && !told.includes("A token of this model takes"));
  const plain = answer_to(too_long(4.4, 3.2, 200000, `${ESTIMATE}145440.`));
  assert.ok(plain.ways.some(({ changes }) => changes.kv_cache_dtype === "fp8") && !plain.sentence.includes("fixed"));
  assert.ok(answer_to(too_long(1.5, 0.4, 131072, `${ESTIMATE}640.`)).ways[0].text.includes("no useful length"));
});

test("a card for which nothing is compiled gets no command, and a capability has its decimal", () => {
  const text = (/** @type {string} */ has) => `Bfloat16 is only supported on GPUs with compute capability of at least 8.0. Your Tesla X GPU has compute capability ${has}. You can use float16 instead`;
  const old = answer_to(text("6.1"));
  assert.ok(old.sentence.includes("6.1") && old.sentence.includes("7.0") && old.command === "" && old.caption === SAYS.caption_none);
  const volta = answer_to(text("7.0"));
  assert.ok(volta.sentence.includes("capability is 7.0") && volta.command.endsWith("--dtype half") && volta.ways.length === 2);
  const after = answer_to(`INFO vLLM API server version 0.20.0\n${text("7.0")}`);
  assert.ok(after.command === "" && after.ways[0].text.includes("0.19.1") && after.sentence.includes("7.5"));
});

test("prompts read in parts come first where a step does not hold the longest one, in versions that can", () => {
  const text = "ValueError: max_num_batched_tokens (4096) is smaller than max_model_len (16384). This effectively limits the maximum sequence length";
  const answer = answer_to(text);
  assert.deepEqual(answer.ways[0].changes, { enable_chunked_prefill: true });
  assert.ok(answer.command.endsWith("--enable-chunked-prefill") && answer.command.includes("--max-num-batched-tokens 4096") && !answer.fixed);
  assert.ok(!answer_to(`INFO vLLM API server version 0.3.3\n${text}`).ways.some(({ changes }) => "enable_chunked_prefill" in changes));
});

test("a value of several lines hides no command, and a caption without a command says so", () => {
  const call = "llm = LLM(\n    model=\"org/model\",\n    max_model_len=30000,\n    compilation_config={\n        \"mode\": 3\n    },\n)\n";
  const answer = answer_to(call + too_long(4, 3, 30000, `${ESTIMATE}22480.`));
  assert.equal(answer.command, "vllm serve org/model --max-model-len 22480 --compilation-config '{ \"mode\": 3 }'");
  const hidden = answer_to(`vllm serve org/mo\u200bdel\n${too_long(4, 3, 30000, `${ESTIMATE}22480.`)}`);
  assert.equal(hidden.command, "");
  assert.equal(hidden.caption, SAYS.caption_none);
});

test("a text that is no matter of a start's memory is called so, with what helps", () => {
  const lost = "RuntimeError: Engine core initialization failed. See root cause above. Failed core proc(s): {}";
  const rows = [
    [`torch.distributed.DistBackendError: NCCL error in: NCCLUtils.hpp:77, unhandled system error\n${lost}`, "nccl", "--shm-size"],
    [lost, "cause_missing", "further up"],
    ["OSError: You are trying to access a gated repo.\nMake sure to have access to it", "gated", "HF_TOKEN"],
    ["'message': \"This model's maximum context length is 4096 tokens. However, you requested 5000 tokens (4000 in the messages", "request", "5,000"],
    ["WARNING Sequence group cmpl-1 is preempted by PreemptionMode.RECOMPUTE mode because there is not enough KV cache space.", "preempted", "max_num_seqs"],
    ["INFO Engine 000: Avg prompt throughput: 1.0 tokens/s, Running: 17 reqs, Waiting: 5 reqs, GPU KV cache usage: 98.4%, Prefix", "busy", "98.4"],
  ];
  for (const [text, key, words] of rows) {
    const reading = read_paste(text);
    assert.deepEqual(reading.problems.map((told) => told.key), [key]);
    const answer = other_answer(reading);
    assert.equal(answer?.badge, SAYS.badge_others[key]);
    assert.ok(answer?.sentence.includes(words) && !/[{}]|undefined/.test(answer.sentence), answer?.sentence);
  }
  assert.equal(other_answer(read_paste("hello")), null);
  const log = read_paste(`INFO GPU KV cache size: 5,791 tokens\n${rows[4][0]}\n${rows[5][0]}`);
  assert.deepEqual(log.problems, [], "beside a start that is no news");
});

test("a model that is not known names the release that lists it, where that is known", () => {
  const text = "ValueError: Model architectures ['Qwen3ForCausalLM'] are not supported for now. Supported architectures: ['AquilaModel', 'Qwen2ForCausalLM']";
  assert.ok(answer_to(text).ways[0].text.includes("vLLM 0.8.4 or newer"), answer_to(text).ways[0].text);
  assert.ok(answer_to(text.replace("Qwen3For", "Unheard")).ways[0].text.includes("if it knows the model"));
});
