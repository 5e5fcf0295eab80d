/** The plan page's own modules without a page: fields and settings, addresses, readings. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { config_hash, read_address, write_query } from "../../site/plan/address.js";
import { asked_of, FIELDS, form_of, named, opening_form } from "../../site/plan/form.js";
import { carried_by, in_version, measured_left, still_carried } from "../../site/plan/measured.js";
import { printed_answer } from "../../site/plan/printed.js";
import { read_paste } from "../../site/plan/paste/read.js";
import { beside, corrected, flags_answer, problem_lines, reveal_lines, settled, take, taken_again, within_estimate, without_card } from "../../site/plan/reading.js";
import { explain_scene } from "../../site/plan/explain.js";
import { levers_scene, scene } from "../../site/plan/scene.js";
import { make_state } from "../../site/plan/state.js";
import { WORDS } from "../../site/plan/words.js";
import { fix_lines } from "../../widget/sim/vllm/fix_words.js";
import { plan } from "../../widget/sim/vllm/plan.js";
import { compare } from "../../widget/sim/vllm/upgrade.js";
import { changed, trial } from "../../widget/sim/vllm/trial.js";

const NONE = { model: null, index: null };
const CONFIG = {
  architectures: ["LlamaForCausalLM"], model_type: "llama", hidden_size: 2048, num_hidden_layers: 16, num_attention_heads: 32,
  num_key_value_heads: 8, intermediate_size: 8192, vocab_size: 128256, max_position_embeddings: 8192, torch_dtype: "bfloat16",
};
const TOO_LONG = "ValueError: To serve at least one request with the models's max seq len (262144), (62.00 GiB KV cache is needed, "
  + "which is larger than the available KV cache memory (48.66 GiB). Based on the available memory, the estimated maximum model "
  + "length is 205728. Try increasing `gpu_memory_utilization` or decreasing `max_model_len` when initializing the engine.";

test("an empty field gives nothing, a number a number, everything else itself", () => {
  const form = { max_num_seqs: " 64 ", max_model_len: "4k", gpu_memory_utilization: "90%", max_num_batched_tokens: "", enforce_eager: "true" };
  assert.deepEqual(asked_of(form, NONE), { gpu_memory_utilization: "90%", max_model_len: "4k", max_num_seqs: 64, enforce_eager: true });
});

test("thousands may be set apart as the page sets them apart, and in no other way", () => {
  assert.deepEqual(asked_of({ max_model_len: "131,072" }, NONE), { max_model_len: 131072 });
  for (const text of ["1,2", "13,10,72", "1,0000", ",100", "1 000", "1.000,5"]) {
    assert.deepEqual(asked_of({ max_model_len: text }, NONE), { max_model_len: text });
  }
});

test("a card of one's own is its memory", () => {
  const form = { card: "own", total_gib: "23.58", model: "Qwen/Qwen3-8B" };
  const asked = asked_of(form, NONE);
  assert.deepEqual(asked, { card: { total_gib: 23.58 }, model: "Qwen/Qwen3-8B" });
  assert.deepEqual(form_of(asked), { form, own: NONE });
});

test("settings become fields and fields the same settings", () => {
  for (const item of WORDS.presets.items) {
    const { form, own } = form_of(item.asked);
    assert.deepEqual(asked_of(form, own), item.asked);
  }
});

test("the opening has no query, and no query is the opening", () => {
  const place = { form: opening_form(), own: NONE, compare: null };
  assert.equal(write_query(place), "");
  assert.equal(write_query(place, "?utm_source=x"), "?utm_source=x");
  assert.deepEqual(read_address("", ""), { ...place, told: [] });
});

test("an address gives back the plan that it was written of", () => {
  const form = { card: "rtx-3090", model: "Qwen/Qwen3-8B", version: "0.17.1", max_model_len: "4k", enforce_eager: "true" };
  for (const compare of [null, { version: "0.20.0" }, { form: { card: "l4", model: "Qwen/Qwen3-8B" }, own: NONE }]) {
    const place = { form, own: NONE, compare };
    const { told, ...back } = read_address(write_query(place), "");
    assert.deepEqual([told, back.compare, Object.entries(back.form).sort()], [[], compare, Object.entries(form).sort()]);
  }
});

test("a card in an address may have any of its names", () => {
  assert.equal(read_address("?card=H100-80GB&model=x", "").form.card, "h100-sxm-80gb");
  assert.equal(read_address("?card=no%20such%20card&model=x", "").form.card, "no such card");
});

test("what an address leaves out, and what it says that is no setting, is told", () => {
  assert.equal(read_address("?model=Qwen/Qwen3-8B", "").told.length, 1);
  assert.equal(read_address("?card=l4", "").told.length, 1);
  const { told } = read_address("?card=l4&model=Qwen/Qwen3-8B&max_sequences=3&utm_medium=x&q=1", "");
  assert.equal(told.length, 1);
  assert.ok(told[0].includes("max_sequences"));
});

test("a pasted config stands behind the #, without what no budget hangs on", () => {
  const own = { model: { ...CONFIG, bos_token_id: 1, attention_dropout: 0.1, transformers_version: "4.1" }, index: null };
  const hash = config_hash(own);
  assert.deepEqual(read_address("", hash).own.model, CONFIG);
  assert.equal(config_hash({ model: { ...CONFIG, layers: Array.from({ length: 4000 }, (_, i) => i) }, index: null }), "");
  assert.equal(read_address("", "#config=%7Bbroken").told.length, 1);
  assert.equal(read_address("", "#config=%5B1%5D").told.length, 1);
});

test("a state keeps its last plan while a field cannot be used, and names each bad field", () => {
  const state = make_state();
  const { plan } = state.now;
  state.set({ form: { ...state.now.form, max_num_seqs: "0", gpu_memory_utilization: "2" } });
  assert.equal(state.now.plan, plan);
  assert.deepEqual(Object.keys(state.now.errors).sort(), ["gpu_memory_utilization", "max_num_seqs"]);
  state.set({ form: { ...state.now.form, max_num_seqs: "64", gpu_memory_utilization: "0.5" } });
  assert.deepEqual(state.now.errors, {});
  assert.notEqual(state.now.plan, plan);
});

test("any text in any field is a plan or an error, never more", () => {
  const state = make_state();
  const texts = ["", " ", "0", "-1", "NaN", "1e9", "9".repeat(400), "<b>", "__proto__", "null", "true", "{}", "0.5", "4K", "auto", "\u0000"];
  for (const name of Object.keys(FIELDS)) {
    for (const text of texts) {
      state.set({ form: { ...opening_form(), [name]: text } });
      const bad = Object.keys(state.now.errors);
      assert.ok(bad.every((field) => field in FIELDS), `${name}=${text}: ${bad}`);
    }
  }
});

test("those who listen hear of each change with what was before", () => {
  const state = make_state();
  /** @type {boolean[]} */
  const heard = [];
  state.subscribe((now, before) => heard.push(now.plan === before.plan));
  state.set({ compare: { version: "0.20.0" } });
  state.set({ form: { ...opening_form(), max_num_seqs: "8" } });
  assert.deepEqual(heard, [true, false]);
});

test("a refusal without its model is answered from its own figures", () => {
  const answer = printed_answer(read_paste(TOO_LONG));
  assert.ok(answer);
  assert.ok(answer.sentence.includes("13.34 GiB"));
  assert.ok(answer.command.endsWith("--max-model-len 205728"));
  assert.ok(answer.ways.some(({ text }) => text.includes("1.57x")));
});

test("no share is offered that is none", () => {
  const answer = printed_answer(read_paste(`vllm serve --gpu-memory-utilization 0.9\n${TOO_LONG.replace("48.66", "4.00")}\n# 79.15 GiB`));
  const shares = answer?.ways.flatMap(({ changes }) => changes.gpu_memory_utilization ?? []) ?? [];
  assert.ok(shares.every((share) => share === WORDS.alone.hole_share || (share > 0 && share <= 1)), String(shares));
});

test("a reading with its model gives the fields, with what was measured", () => {
  const text = `INFO Initializing a V1 LLM engine (v0.11.0) with config: model='Qwen/Qwen3-8B', max_seq_len=40960\n`
    + "INFO Model loading took 15.27 GiB and 3.2 seconds\nINFO Available KV cache memory: 4.12 GiB\n";
  const { form, alone, notes } = take(read_paste(text), opening_form(), NONE);
  assert.equal(alone, null);
  assert.equal(form.model, "Qwen/Qwen3-8B");
  assert.equal(form.version, "0.11.0");
  assert.equal(form.measured_weights_gib, "15.27");
  assert.equal(form.measured_kv_gib, "4.12");
  assert.equal(notes.length, 1);
});

test("what a reading reveals, and what it could not use, are sentences without gaps", () => {
  const reading = read_paste(`vllm serve Qwen/Qwen3-8B --max-num-seq 3 --gpu-memory-utilization high\n${TOO_LONG}`);
  for (const line of [...reveal_lines(reading), ...problem_lines(reading)]) {
    assert.ok(line.length > 0 && !/[{}]|undefined/.test(line), line);
  }
});

test("every beginning of a refusal has an answer without gaps, and none of it is of before", () => {
  for (let end = 1; end <= TOO_LONG.length; end += 1) {
    const reading = read_paste(TOO_LONG.slice(0, end));
    if (reading.refusal === null) continue;
    const answer = printed_answer(reading);
    assert.ok(answer, TOO_LONG.slice(0, end));
    assert.ok(!/[{}]|undefined|NaN/.test([answer.sentence, answer.command, ...answer.ways.map(({ text }) => text)].join(" ")), answer.sentence);
  }
});

test("a refusal of nothing for the pool, and memory that ended, name the flags that help", () => {
  const pool = printed_answer(read_paste("vllm serve --gpu-memory-utilization 0.8 --max-num-seqs 512\nINFO Available KV cache memory: -2.14 GiB\nValueError: No available memory for the cache blocks."));
  assert.ok(pool?.command.endsWith("--max-num-seqs 256"));
  assert.ok(pool?.ways.some(({ changes }) => changes.gpu_memory_utilization === "SHARE"));
  const bare = "INFO Available KV cache memory: -2.14 GiB\nValueError: No available memory for the cache blocks.";
  assert.ok(printed_answer(read_paste(bare))?.command.endsWith("--max-num-seqs 256"));
  assert.ok(printed_answer(read_paste(`INFO Initial free memory: 23.1 GiB; total_gpu_memory=23.5GiB\n${bare}`))?.command.endsWith("--max-num-seqs SEATS"));
  const sampler = printed_answer(read_paste("RuntimeError: CUDA out of memory occurred when warming up sampler with 256 dummy requests."));
  assert.ok(sampler?.command.endsWith("--max-num-seqs 128"));
  assert.ok(sampler?.ways.some(({ changes }) => "gpu_memory_utilization" in changes));
  const step = printed_answer(read_paste("torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 23.52 GiB of which 1.20 GiB is free."));
  assert.ok(step?.sentence.includes("2.00 GiB") && step.command.includes("--max-num-seqs SEATS"));
});

test("a log with a pool and no refusal started; its model is asked for", () => {
  const text = "INFO Available KV cache memory: 50.57 GiB\nINFO GPU KV cache size: 5,791,869 tokens\nINFO Maximum concurrency for 600,000 tokens per request: 9.65x\n";
  const { alone } = take(read_paste(text), { ...opening_form(), card: "l4" }, NONE);
  assert.equal(alone.outcome, "starts");
  for (const words of ["50.57", "5,791,869", "9.65x", WORDS.alone.ask_model]) assert.ok(alone.sentence.includes(words), words);
  assert.equal(alone.command, "vllm serve '<your-model>' --max-model-len 600000");
});

test("a card is guessed by the memory that is nearest", () => {
  for (const [total, card] of [["23.52", "rtx-4090"], ["23.58", "rtx-3090"]]) {
    const text = `ValueError: Free memory on device (20.1/${total} GiB) on startup is less than desired GPU memory utilization (0.9, 21.1 GiB).`;
    assert.equal(take(read_paste(text), opening_form(), NONE).form.card, card);
  }
});

test("flags that nobody knows are corrected in the text, longer names that begin so are not touched", () => {
  const text = "vllm serve Qwen/Qwen3-8B --max-modellen 4096 --max-modellen-x 3";
  const reading = read_paste(text);
  assert.ok(flags_answer(reading)?.sentence.includes("--max-modellen"));
  assert.ok(corrected(text, { unknown: [{ flag: "--max-modellen", nearest: "--max-model-len" }] }).endsWith("--max-model-len 4096 --max-modellen-x 3"));
});

test("a loose name is written in full, another owner's stays; a config may have a name", () => {
  assert.equal(asked_of({ model: "llama 3.1 8b" }, NONE).model, "meta-llama/Llama-3.1-8B-Instruct");
  assert.equal(asked_of({ model: "someone/Qwen3-8B-mine" }, NONE).model, "someone/Qwen3-8B-mine");
  const own = { model: CONFIG, index: null };
  assert.equal(named("vllm serve '<your-model>'", { model: "my/own it's" }, own), "vllm serve 'my/own it'\\''s'");
  assert.equal(named("vllm serve '<your-model>'", {}, own), "vllm serve '<your-model>'");
});

test("what is not counted comes in three sorts, and an adapter's rank alone in none", () => {
  const lines = (/** @type {string} */ flags) => problem_lines(read_paste(`vllm serve Qwen/Qwen3-8B ${flags}`));
  const said = (/** @type {string} */ key, /** @type {string} */ name) => WORDS.problems[key].replace("{name}", name);
  assert.deepEqual(lines("--max-lora-rank 64 --cpu-offload-gb 10 --swap-space 8 --speculative-model x/y"), [
    said("not_counted_saves", "cpu_offload_gb"), said("not_counted_host", "swap_space"), said("not_counted", "speculative_model"),
  ]);
  assert.deepEqual(lines("--max-lora-rank 64 --enable-lora"), [said("not_counted", "max_lora_rank"), said("not_counted", "enable_lora")]);
});

test("vLLM's build for processors is told apart from a card", () => {
  const text = "ValueError: Available memory on node 0 (1.0/7.75 GiB) on startup is less than desired CPU memory utilization (0.92, 7.13 GiB).";
  for (const told of [text, "Explicitly set (1.0/7.75) GiB for KV cache on node 0."]) {
    assert.ok(problem_lines(read_paste(told)).includes(WORDS.problems.node));
  }
  assert.ok(!problem_lines(read_paste(text.replace("Available memory on node 0", "Free memory on device"))).includes(WORDS.problems.node));
});

test("a command that frees nothing is said to start after the other process was stopped", () => {
  const caption = (/** @type {Record<string, any>} */ asked) => levers_scene(plan(asked), trial(asked)).first?.caption;
  const full = { card: "rtx-4090", model: "Qwen/Qwen3-8B", in_use_gib: 20.91 };
  assert.match(caption(full), /^Stop the other process first \(20\.31 GiB; nvidia-smi lists it\)\. Then this starts, with longest chat [0-9,]+$/);
  assert.equal(caption({ ...full, max_model_len: 4096 }), "Stop the other process first (20.31 GiB; nvidia-smi lists it). Then this starts");
  assert.match(caption({ card: "mi300x", model: "Qwen/Qwen3-8B", in_use_gib: 180, max_model_len: 4096 }), /^Stop the other process first \(179\.40 GiB\)\. Then this starts$/);
  assert.match(caption({ card: "rtx-4090", model: "Qwen/Qwen3-8B" }), /^The command that starts, with /);
});

test("what no field has and is not counted stays: in form, link and command", () => {
  const text = "vllm serve Qwen/Qwen3-30B-A3B --data-parallel-size 2 --enable-expert-parallel --cpu-offload-gb 1.5 --speculative-config '{\"method\": \"ngram\", \"num_speculative_tokens\": 3}' --max-num-seqs 64";
  const { form, own } = take(read_paste(text), opening_form(), NONE);
  const asked = asked_of(form, own);
  assert.equal(asked.data_parallel_size, 2);
  assert.equal(asked.enable_expert_parallel, true);
  assert.equal(asked.cpu_offload_gb, 1.5);
  const read = read_address(write_query({ form, own, compare: null }), "");
  assert.deepEqual(read.told, []);
  assert.deepEqual(asked_of(read.form, read.own), asked);
  assert.deepEqual(asked_of(form_of(asked).form, own), asked);
  const state = make_state();
  state.set({ form, own });
  assert.deepEqual(state.now.errors, {});
  for (const words of ["--data-parallel-size 2", "--enable-expert-parallel", "--cpu-offload-gb 1.5", "--speculative-config", "ngram", "--max-num-seqs 64"]) {
    assert.ok(state.now.plan.command.includes(words), `${words}: ${state.now.plan.command}`);
  }
});

test("a refusal without its model keeps what is not counted in its command", () => {
  const answer = printed_answer(read_paste(`vllm serve some/thing --enable-expert-parallel --cpu-offload-gb 4\n${TOO_LONG}`), false);
  assert.equal(answer?.command, "vllm serve some/thing --max-model-len 205728 --cpu-offload-gb 4 --enable-expert-parallel");
});

const SMALL = "ValueError: To serve at least one request with the models's max seq len (40960), (5.62 GiB KV cache is needed, which is "
  + "larger than the available KV cache memory (3.91 GiB). Based on the available memory, the estimated maximum model length is 28464.";
const STORED = "ValueError: The model's max seq len (32768) is larger than the maximum number of tokens that can be stored in KV cache (21968).";

/**
 * The page's answer to a text: what stands in place of the plan's, or nothing.
 * @param {string} text @param {import("../../site/plan/form.js").Form} [before] what stood there
 */
function pasted(text, before = opening_form()) {
  const state = make_state();
  state.set({ form: before });
  return shown(state, take(read_paste(text), before, NONE));
}

/** @param {ReturnType<typeof make_state>} state @param {import("../../site/plan/reading.js").Taken} taken */
function shown(state, taken) {
  state.set({ form: taken.form, own: taken.own, alone: taken.alone, read: taken.read });
  state.set({ alone: settled(taken, state.now) });
  return { state, taken, alone: state.now.alone };
}

/** The reader chooses what the text does not name. @param {ReturnType<typeof pasted>} found @param {string} name @param {any} value */
function chosen({ state }, name, value) {
  const again = taken_again(state.now.read, state.now.form, name, value);
  assert.ok(again);
  return { ...shown(state, again.taken), moved: again.moved };
}

test("a pasted refusal is the verdict where the plan of its own settings would start, with what calculation says", () => {
  const { state, alone } = pasted(`GPU 0: NVIDIA GeForce RTX 4090\nvLLM Version: 0.7.3\n${STORED}\nvllm serve Qwen/Qwen2.5-7B-Instruct\n`);
  assert.equal(state.now.plan.verdict.outcome, "starts");
  assert.equal(alone.outcome, "refuses");
  assert.ok(alone.command.startsWith("vllm serve Qwen/Qwen2.5-7B-Instruct --max-model-len 2"), alone.command);
  assert.ok(alone.sentence.includes("By calculation it would start on NVIDIA GeForce RTX 4090"), alone.sentence);
  const unnamed = pasted(`vllm serve mistralai/Mistral-7B-v0.1\n${STORED}`).alone;
  assert.ok(unnamed.sentence.includes("A100") && unnamed.sentence.includes(WORDS.alone.why_card), unnamed.sentence);
});

test("a refusal's own figures win over calculated ones, and where they differ it is said", () => {
  const stages = SMALL.replace("40960", "262144").replace("5.62", "24.0").replace("3.91", "3.18").replace("28464", "34736");
  const two = pasted(`vllm serve Qwen/Qwen3-Coder-30B-A3B-Instruct-FP8 --pipeline-parallel-size 2\n${stages}`).alone;
  assert.ok(two.command.includes("--max-model-len 34736"), two.command);
  assert.ok(two.sentence.includes("24.00 GiB") && two.sentence.includes("12.00 GiB on one pipeline stage"), two.sentence);
  const { state, alone } = pasted(`GPU 0: NVIDIA L4\nINFO vLLM API server version 0.11.0\nvllm serve Qwen/Qwen3-8B\n${SMALL.replace("28464", "28000")}`);
  assert.equal(alone, null); // the same need
  const found = within_estimate(plan(state.now.asked), state.now).fixes.fixes.flatMap((/** @type {any} */ { changes }) => changes.max_model_len ?? []);
  assert.equal(found[0], 28000);
  const old = pasted("INFO Initializing a V0 LLM engine (v0.7.3) with config: model='Qwen/Qwen2.5-14B-Instruct', dtype=torch.bfloat16, max_seq_len=32768\n"
    + "INFO the current vLLM instance can use total_gpu_memory (39.39GiB) x gpu_memory_utilization (0.90) = 35.45GiB\nINFO model weights take 27.59GiB; "
    + "non_torch_memory takes 0.09GiB; PyTorch activation peak memory takes 4.36GiB; the rest of the memory reserved for KV Cache is 3.41GiB.\n"
    + STORED.replace("21968", "18608")).state.now;
  const first = within_estimate(plan(old.asked), old).fixes.fixes[0].changes;
  assert.deepEqual([old.alone, first], [null, { max_model_len: 18608 }]);
});

test("a printed pool far from the calculated one asks for card and version before a command that starts", () => {
  const text = "vllm serve openai/gpt-oss-120b\nINFO Model loading took 65.9651 GiB and 12.8 seconds\nINFO Available KV cache memory: -2.14 GiB\n"
    + "ValueError: No available memory for the cache blocks. Try increasing `gpu_memory_utilization` when initializing the engine.";
  const found = pasted(text);
  assert.ok(found.alone.sentence.includes("-2.14 GiB") && found.alone.sentence.includes("6.28 GiB"), found.alone.sentence);
  assert.ok(found.alone.sentence.endsWith(WORDS.alone.ask_both), found.alone.sentence);
  assert.deepEqual([found.alone.caption, found.alone.command], [WORDS.alone.caption_try_named, "vllm serve openai/gpt-oss-120b --max-num-seqs 256"]);
  const rows = beside(read_paste(text), plan({ card: WORDS.opening.card, model: "openai/gpt-oss-120b" }, false));
  assert.deepEqual(rows.at(-1)?.slice(1), ["-2.14", "6.28", "\u22128.42", WORDS.paste.why_far]);
  assert.ok(chosen(found, "card", "h100-sxm-80gb").alone.sentence.endsWith(WORDS.alone.ask_version));
  const both = chosen(found, "version", "0.10.1");
  assert.equal(both.alone, null);
  assert.equal(both.state.now.plan.verdict.refusal?.key, "no_blocks");
  // What stood there before counts as chosen, and a pool that is near needs nobody's choice.
  assert.equal(pasted(text, { ...opening_form(), card: "h100-sxm-80gb", version: "0.10.1" }).alone, null);
  assert.equal(pasted(text.replace("-2.14", "-0.85"), { ...opening_form(), card: "h100-sxm-80gb" }).alone, null);
});

test("a card guessed from figures says what it takes for granted, and a share that was not printed is asked for", () => {
  const text = "INFO Model loading took 14.2487 GiB and 4.3 seconds\nINFO Available KV cache memory: 5.01 GiB\nINFO GPU KV cache size: 93,872 tokens\n"
    + "INFO Maximum concurrency for 16,384 tokens per request: 5.73x\n";
  const found = pasted(text);
  assert.ok(found.taken.notes.some((note) => note.includes("if the share was the default")), found.taken.notes.join());
  const known = pasted(`INFO non-default args: {'gpu_memory_utilization': 0.9}\n${text}`).taken.notes.join();
  assert.ok(known.includes("By its figures") && !known.includes("if the share"), known);
  const asks = (/** @type {any} */ { taken }) => taken.notes.filter((/** @type {string} */ note) => note.includes("(gpu_memory_utilization)?"));
  assert.deepEqual(asks(found), []);
  const both = chosen({ ...found, state: chosen(found, "model", "Qwen/Qwen2-7B-Instruct").state }, "card", "a100-sxm-80gb");
  assert.equal(asks(both).length, 1);
  assert.match(asks(both)[0], /pool of 5\.01 GiB.*A100.*about 0\.2[5-8] /);
  assert.deepEqual(asks(chosen({ ...found, state: chosen(found, "model", "Qwen/Qwen2-7B-Instruct").state }, "card", "rtx-3090")), []);
});

test("weights that no card holds make neither a percentage of hundreds nor a way out, and no sentence denies itself", () => {
  const coder = {
    card: "a100-sxm-80gb", model: "Qwen/Qwen3-Coder-480B-A35B-Instruct-FP8", version: "0.10.1", max_model_len: 262144, measured_kv_gib: 48.66,
    data_parallel_size: 8, enable_expert_parallel: true,
  };
  const found = plan(coder);
  const { holds } = explain_scene(found, trial(coder));
  assert.ok(holds[0].includes("GiB, more than the card has") && holds.every((line) => !/[0-9]{3} percent/.test(line)), holds.join());
  const sizes = found.fixes.fixes.flatMap((/** @type {any} */ { changes }) => [changes.tensor_parallel_size, changes.pipeline_parallel_size]).filter(Boolean);
  assert.ok(sizes.length > 0 && sizes.every((/** @type {number} */ each) => 449.15 / each <= 80), String(sizes));
  const { share, share_needed: needed, share_free: free, ...others } = plan({ ...coder, card: "h20-141gb" }).fixes;
  assert.ok(share === "none" && needed < free);
  assert.equal(fix_lines({ ...others, share, share_needed: needed, share_free: free })[0], "No share does it.");
  assert.ok(fix_lines({ ...others, share, share_needed: 0.999, share_free: free })[0].includes(`and ${free} is the most`));
});

test("a pool that fell has the reason of the part that took most of it, and its preset says that it is not the report's", () => {
  const item = WORDS.presets.items.find(({ compare: version }) => version !== undefined);
  const parts = compare(item.asked, item.asked.version, item.compare).parts;
  const of = (/** @type {string} */ name) => parts.find((part) => part.name === name);
  assert.ok((of("kv")?.more ?? 0) < 0 && (of("requested")?.more ?? 0) > 0);
  assert.deepEqual([of("kv")?.rule, of("requested")?.rule], ["graphs", "share"]);
  const back = compare(item.asked, item.compare, item.asked.version).parts;
  assert.equal(back.find(({ name }) => name === "kv")?.rule, "graphs");
  const more = compare({ ...item.asked, enforce_eager: true }, item.asked.version, item.compare).parts;
  assert.equal(more.find(({ name }) => name === "kv")?.rule, "share");
  assert.ok(item.note.includes("769,888 to 245,840"));
});

test("a refusal above its own log is not forgotten", () => {
  const log = "INFO 02-11 07:40:45 model_runner.py:1115] Loading model weights took 13.9476 GB\nINFO 02-11 07:40:47 worker.py:267] the current vLLM "
    + "instance can use total_gpu_memory (23.55GiB) x gpu_memory_utilization (0.98) = 23.08GiB\nINFO 02-11 07:40:47 worker.py:267] model weights take "
    + "13.95GiB; non_torch_memory takes 0.25GiB; PyTorch activation peak memory takes 0.19GiB; the rest of the memory reserved for KV Cache is 8.69GiB.\n";
  const reading = read_paste(`vllm serve --tensor_parallel_size 2 someone/a-model\n${STORED}\nAs I can find in the log:\n${log}`);
  assert.equal(reading.starts.length, 1);
  assert.deepEqual([reading.refusal?.tokens, reading.asked.tensor_parallel_size, reading.printed.weights_gib, reading.printed.kv_gib], [21968, 2, 13.9476, 8.69]);
  // Another try, which ran, is another start, and is never said to follow no refusal.
  const ran = read_paste(`${STORED}\n${log}INFO GPU KV cache size: 36,000 tokens\nINFO Maximum concurrency for 8,192 tokens per request: 4.39x\n`);
  assert.equal(ran.refusal, null);
  const other = read_paste(`${SMALL}\n${log}`);
  const answer = printed_answer(other);
  assert.equal(other.starts.length, 2);
  assert.ok(answer && !answer.sentence.includes(WORDS.alone.no_refusal) && answer.outcome === "none", answer?.sentence);
});

test("a model that is chosen after a paste takes the same reading again", () => {
  const found = pasted(SMALL);
  assert.equal(found.state.now.form.model, undefined);
  assert.equal(found.alone.command, "vllm serve '<your-model>' --max-model-len 28464");
  const { state, alone } = chosen(found, "model", "Qwen/Qwen3-8B");
  assert.deepEqual([state.now.form.measured_kv_gib, state.now.form.max_model_len], ["3.91", "40960"]);
  assert.ok(alone.sentence.includes("55.60 GiB") && alone.sentence.endsWith(WORDS.alone.ask_both), alone.sentence);
  const own = chosen({ ...found, state: chosen(found, "card", "l4").state }, "version", "0.11.0");
  assert.deepEqual([own.alone, own.state.now.plan.verdict.refusal?.key], [null, "one_chat"]);
  // The opening's own model can be chosen too; by it the text's need is another.
  const llama = chosen(found, "model", WORDS.opening.model);
  assert.equal(llama.state.now.form.model, WORDS.opening.model);
  assert.deepEqual([llama.alone.outcome, llama.alone.command], ["refuses", `vllm serve ${WORDS.opening.model} --max-model-len 28464`]);
  // Half a name is no verdict on another model.
  assert.equal(chosen(found, "model", "Qw").alone.outcome, "refuses");
  assert.equal(chosen(found, "model", "").state.now.form.model, undefined);
});

test("card and version are chosen after a paste as well, and what was moved meanwhile is known", () => {
  const found = pasted(`vllm serve Qwen/Qwen3-8B\n${SMALL}`);
  const card = chosen(found, "card", "l4");
  assert.deepEqual([card.state.now.form.card, card.state.now.form.measured_kv_gib, card.moved], ["l4", "3.91", []]);
  const version = chosen(found, "version", "0.11.0");
  assert.deepEqual([version.state.now.form.card, version.state.now.form.version], ["l4", "0.11.0"]);
  found.state.set({ form: { ...found.state.now.form, max_model_len: "20000" } });
  assert.deepEqual(chosen(found, "version", "0.12.0").moved, ["max_model_len"]);
  // What the text names itself is not taken over: another choice is another start.
  assert.equal(taken_again(found.state.now.read, found.state.now.form, "model", "Qwen/Qwen3-4B"), null);
  assert.equal(taken_again({ .../** @type {any} */ (found.state.now.read), left: true }, found.state.now.form, "card", "a10"), null);
});

test("another card than the text's has its own memory", () => {
  const found = pasted("vllm serve Qwen/Qwen3-8B\nValueError: Free memory on device (20.1/23.58 GiB) on startup is less than desired GPU memory utilization (0.9, 21.1 GiB).");
  const { read, form } = found.state.now;
  assert.deepEqual([form.total_gib, form.in_use_gib], ["23.58", "3.48"]);
  assert.equal(taken_again(read, form, "card", "h100-sxm-80gb"), null);
  assert.deepEqual(chosen(found, "card", "rtx-4090").state.now.form.total_gib, "23.58");
  const { total_gib: total, in_use_gib: held, card } = without_card(read, form);
  assert.deepEqual([total, held, card], [undefined, undefined, "rtx-3090"]);
});

test("a text without a model has its command, and no verdict on the model that stands in", () => {
  const { alone } = pasted("vllm serve --max-model-len 8192");
  assert.deepEqual([alone.outcome, alone.sentence, alone.command], ["none", WORDS.alone.ask_model, "vllm serve '<your-model>' --max-model-len 8192"]);
});

test("a config.json after a paste is its model, and what was measured holds for it", () => {
  const found = pasted(SMALL);
  const { state } = chosen(found, "model", CONFIG);
  assert.deepEqual([state.now.own.model, state.now.form.measured_kv_gib, state.now.errors], [CONFIG, "3.91", {}]);
});

test("a model that the reader had chosen before stands in the command of a bare error", () => {
  const { alone, taken, state } = pasted(SMALL, { ...opening_form(), model: "Qwen/Qwen3-4B" });
  assert.equal(state.now.form.model, "Qwen/Qwen3-4B");
  assert.ok(alone === null || alone.command.startsWith("vllm serve Qwen/Qwen3-4B "));
  assert.ok(taken.notes.some((note) => note.includes("Qwen/Qwen3-4B")));
  const unlisted = pasted(SMALL, { ...opening_form(), model: "mine/a-model" }).alone;
  assert.equal(unlisted.command, "vllm serve mine/a-model --max-model-len 28464");
});

const STARTED = "GPU 0: NVIDIA GeForce RTX 4090\nvLLM API server version 0.19.0\nvllm serve Qwen/Qwen3-8B --max-model-len 8192 --max-num-seqs 256\n"
  + "INFO Model loading took 15.27 GiB memory and 3.2 seconds\nINFO Available KV cache memory: 5.19 GiB\nINFO GPU KV cache size: 37,776 tokens\n";

/** What of a log is left once a setting moves, and what is said. @param {Record<string, any>} state @param {string} name @param {string} text */
function left_of({ form, own, asked }, name, text) {
  const { form: next, told } = measured_left(form, name, asked, { ...form, [name]: text }, own);
  assert.equal(next[name], text);
  return [Object.keys(next).filter((key) => key.startsWith("measured_")), told];
}

test("a log's pool is let go by whatever moves it by the rules, and by nothing else", () => {
  const { now } = pasted(STARTED).state;
  assert.deepEqual([now.form.measured_kv_gib, now.form.measured_weights_gib], ["5.19", "15.27"]);
  for (const [name, text] of [["gpu_memory_utilization", "0.8"], ["max_num_seqs", "1024"], ["max_num_batched_tokens", "32768"], ["kv_cache_memory_bytes", "4G"], ["enforce_eager", "true"]]) {
    assert.deepEqual(left_of(now, name, text), [["measured_weights_gib"], [WORDS.settings.pool_dropped]], name);
  }
  for (const [name, text] of [["max_model_len", "4096"], ["max_model_len", "20000"], ["kv_cache_dtype", "fp8"], ["require_chats", "2x4000"], ["in_use_gib", "2"], ["max_num_seqs", "0"], ["measured_weights_gib", "15.3"]]) {
    assert.deepEqual(left_of(now, name, text), [["measured_weights_gib", "measured_kv_gib"], []], name);
  }
  assert.deepEqual(left_of(now, "card", "l4"), [[], [WORDS.settings.log_dropped]]);
  // A field that could not be used meanwhile: what counts is the last plan.
  const broken = { ...now, form: { ...now.form, max_num_seqs: "0" } };
  assert.deepEqual(left_of(broken, "max_num_seqs", "1024"), [["measured_weights_gib"], [WORDS.settings.pool_dropped]]);
});

test("a log's peak goes with what moves the peak, what lies outside PyTorch with what others hold, where it is counted", () => {
  const asked = { card: "rtx-3090", model: "meta-llama/Llama-3.1-8B-Instruct", version: "0.6.4", max_model_len: 29000,
    measured_weights_gib: 14.99, measured_activation_gib: 2.99, measured_non_torch_gib: 0.1, measured_kv_gib: 2.89 };
  const now = { ...form_of(asked), asked };
  const all = ["measured_weights_gib", "measured_activation_gib", "measured_non_torch_gib", "measured_kv_gib"];
  // Another length is another step there.
  assert.deepEqual(left_of(now, "max_model_len", "35000"), [["measured_weights_gib", "measured_non_torch_gib"], [WORDS.settings.log_dropped]]);
  assert.deepEqual(left_of(now, "in_use_gib", "3"), [["measured_weights_gib", "measured_activation_gib"], [WORDS.settings.log_dropped]]);
  assert.deepEqual(left_of(now, "enable_prefix_caching", "true"), [all, []]);
});

const RIDDLE = "vllm serve meta-llama/Llama-3.1-8B-Instruct --max-model-len 29000\nINFO Loading model weights took 14.9888 GB\nINFO Memory profiling results: total_gpu_memory=23.58GiB initial_memory_usage=15.34GiB "
  + "peak_torch_memory=17.98GiB memory_usage_post_profile=15.35GiB non_torch_memory=0.35GiB kv_cache_size=2.89GiB gpu_memory_utilization=0.90\n"
  + "ValueError: The model's max seq len (29000) is larger than the maximum number of tokens that can be stored in KV cache (23648).";

test("a longer chat than was asked for keeps its own length: above it the step is another, and so is the pool", () => {
  const { now } = pasted(RIDDLE).state;
  const whole = plan(now.asked);
  const lengths = (/** @type {any} */ found) => found.fixes.fixes.flatMap((/** @type {any} */ { changes }) => changes.max_model_len ?? []);
  assert.deepEqual([whole.verdict.longest, lengths(within_estimate(whole, now))], [29000, [23648, 32769]]);
});

test("a figure of a log is measured, and moved by the rules once a change has been taken over; a pool by hand is given", () => {
  const { now } = pasted(STARTED).state;
  const pool = (/** @type {any} */ { plan: found, at }, /** @type {readonly string[]} */ carried = []) => {
    const rows = scene(found, at, carried).table;
    return ["weights", "kv"].map((name) => { const { kind, source } = rows.find((/** @type {any} */ row) => row.name === name); return [kind, source]; });
  };
  const { kinds, sources } = WORDS;
  assert.deepEqual(pool(now), [[kinds.measured, sources.measured], [kinds.measured, sources.measured]]);
  const { form } = form_of(changed(now.at, { gpu_memory_utilization: 0.95 }));
  const carried = carried_by({}, now.form, form);
  assert.deepEqual(Object.keys(carried), ["measured_kv_gib"]);
  const state = make_state();
  state.set({ form, carried });
  assert.deepEqual(pool(state.now, still_carried(carried, form)), [[kinds.measured, sources.measured], [kinds.fitted, sources.carried]]);
  assert.deepEqual(still_carried(carried, { ...form, measured_kv_gib: "5" }), []);
  state.set({ form: { ...opening_form(), kv_cache_memory_bytes: "4G" } });
  assert.deepEqual(pool(state.now)[1], [kinds.given, sources.kv_given]);
});

test("what follows from a log's figures is what the plan reckons with, and its parts add up to what was asked for", () => {
  const { now } = pasted("vLLM API server version 0.28.0\nGPU 0: NVIDIA A100-SXM4-80GB\nvllm serve Qwen/Qwen3-32B\nINFO Model loading took 51.1 GiB memory and 41.914650 seconds\n"
    + "INFO CUDA graph pool memory: 0.71 GiB (actual), 1.55 GiB (estimated), difference: 0.84 GiB (119.3%).\n"
    + "INFO Free memory on device (79.99/80.0 GiB) on startup. Desired GPU memory utilization is (0.92, 73.6 GiB). Actual usage is 51.66 GiB for consumed memory (weights + non-torch), "
    + "2.4 GiB for peak activation, and 0.71 GiB for CUDAGraph memory. Current kv cache memory in use is 19.54 GiB.").state;
  const { weights, activation, non_torch: other, graphs, kv } = Object.fromEntries(["weights", "activation", "non_torch", "graphs", "kv"].map((part) => [part, Number(now.form[`measured_${part}_gib`])]));
  assert.deepEqual([weights, activation, other, graphs], [51.1, 0.85, 0.56, 1.55]);
  assert.ok(Math.abs(weights + activation + other + graphs + kv - 73.6) < 0.02, String(kv));
  const old = pasted(RIDDLE).state.now;
  assert.equal(old.form.measured_activation_gib, "2.9912");
  const rows = beside(read_paste(RIDDLE), plan(asked_of({ ...opening_form(), card: "rtx-3090", version: "0.6.4" }, NONE), false));
  assert.ok(rows.some(([name, printed]) => name === WORDS.parts.activation && printed === "2.99"), String(rows));
  // Graphs as they came out do not size the pool, and a peak below the weights is none.
  const odd = pasted("vllm serve Qwen/Qwen3-8B\nINFO Loading model weights took 15.2683 GB\nINFO Memory profiling results: total_gpu_memory=23.58GiB initial_memory_usage=15.34GiB "
    + "peak_torch_memory=14.98GiB memory_usage_post_profile=15.35GiB non_torch_memory=0.35GiB kv_cache_size=2.89GiB gpu_memory_utilization=0.90\nINFO Graph capturing finished in 10 secs, took 0.32 GiB").state.now;
  assert.deepEqual([odd.form.measured_activation_gib, odd.form.measured_graphs_gib, odd.errors], [undefined, undefined, {}]);
});

test("another version beside a log's start has no pool of that log, but what the rules make of it", () => {
  const { now } = pasted(STARTED).state;
  const asked = { ...now.asked, require_chats: "2x4000" };
  const moved = in_version(asked, now.at, "0.20.0");
  const { parts } = compare(now.asked, "0.19.0", "0.20.0");
  const pool = parts.find(({ name }) => name === "kv");
  assert.ok(pool && pool.more !== 0);
  assert.deepEqual([moved.version, moved.require_chats, plan(moved, false).budget.kv_bytes], ["0.20.0", "2x4000", pool.after]);
  const plain = { card: "l4", model: "Qwen/Qwen3-8B", version: "0.19.0" };
  assert.deepEqual(in_version(plain, trial(plain), "0.20.0"), { ...plain, version: "0.20.0" });
});
