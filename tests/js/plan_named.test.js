/** What a paste names in other words than vLLM's own: paths and variants of models, cards and versions in prose, wordings. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { asked_of, named, opening_form } from "../../site/plan/form.js";
import { near_models, stands_for } from "../../site/plan/listed.js";
import { read_paste } from "../../site/plan/paste/read.js";
import { settled, take } from "../../site/plan/reading.js";
import { make_state } from "../../site/plan/state.js";

const NONE = { model: null, index: null };
const STORED = "ValueError: The model's max seq len (32768) is larger than the maximum number of tokens that can be stored in KV cache (7344). Try increasing";

/** What a text becomes. @param {string} text */
const taken = (text) => take(read_paste(text), opening_form(), NONE);

/** The answer in the page's state. @param {string} text */
function shown(text) {
  const state = make_state();
  const found = take(read_paste(text), state.now.form, state.now.own);
  state.set({ form: found.form, own: found.own, alone: found.alone, read: found.read });
  return { found, now: state.now, alone: settled(found, state.now), command: named(state.now.plan.command, found.form, found.own) };
}

const PATHS = {
  "/root/models/Qwen/Qwen3-8B": "Qwen/Qwen3-8B",
  "/root/.cache/huggingface/hub/models--Qwen--Qwen3-8B/snapshots/9c925d64d72725edaf899c6cb9c377fd0709d9c5": "Qwen/Qwen3-8B",
  "/models--Qwen--Qwen1.5-7B-Chat": "Qwen/Qwen1.5-7B-Chat",
  "./Qwen/Qwen3-Coder-30B-A3B-Instruct-FP8": "Qwen/Qwen3-Coder-30B-A3B-Instruct-FP8",
  "data/Qwen1.5-14B-Chat/": "Qwen/Qwen1.5-14B-Chat",
  "D:\\models\\Qwen2.5-7B-Instruct": "Qwen/Qwen2.5-7B-Instruct",
  "/mnt/modelscope/hub/Qwen/Qwen2___5-7B-Instruct": "Qwen/Qwen2.5-7B-Instruct",
};

test("a path that ends with a listed model's name is that model, and stays in the command", () => {
  for (const [path, name] of Object.entries(PATHS)) {
    assert.deepEqual([stands_for(path)?.name, stands_for(path)?.how], [name, "place"], path);
  }
  const { found, now, alone, command } = shown("vllm serve /root/models/Qwen/Qwen3-8B --max-model-len 16384");
  assert.equal(alone, null);
  assert.equal(now.plan.about.model, "Qwen/Qwen3-8B");
  assert.ok(command.startsWith("vllm serve /root/models/Qwen/Qwen3-8B "), command);
  assert.ok(found.notes.some((note) => note.includes("taken for Qwen/Qwen3-8B")), found.notes.join());
});

test("a path that ends with nothing listed is none", () => {
  for (const path of ["/model", "/", ".", "", "/models/Qwen3-8B-Q4_K_M.gguf", "/models/llama", "a/b/c", "Qwen/Qwen3-8B/extra-lora"]) assert.equal(stands_for(path), null, path);
});

test("a quantised variant is its base with such weights, said to be a guess", () => {
  for (const [text, name, method] of [
    ["Qwen/Qwen3-32B-AWQ", "Qwen/Qwen3-32B", "awq"], ["Qwen/Qwen3.6-27B-FP8", "Qwen/Qwen3.5-27B", "fp8"], ["zai-org/GLM-4.5-Air-FP8", "zai-org/GLM-4.5-Air", "fp8"],
    ["Qwen3.5-122B-A10B-GPTQ-Int4", "Qwen/Qwen3.5-122B-A10B", "gptq"], ["/models/Qwen3-30B-A3B-Instruct-2507-FP8", "Qwen/Qwen3-30B-A3B-Instruct-2507", "fp8"],
    ["unsloth/Qwen3-14B-unsloth-bnb-4bit", "Qwen/Qwen3-14B", "bitsandbytes"], ["nvidia/Qwen3-14B-NVFP4", "Qwen/Qwen3-14B", "nvfp4"],
    ["RedHatAI/Qwen3-14B-FP8-dynamic", "Qwen/Qwen3-14B", "compressed-tensors"], ["Qwen/Qwen2.5-14B-Instruct-GPTQ-Int8", "Qwen/Qwen2.5-14B-Instruct", "gptq"],
  ]) {
    const { found, now, alone, command } = shown(`vllm serve ${text} --max-model-len 8192 --tensor-parallel-size 4`);
    assert.deepEqual([stands_for(text)?.name, stands_for(text)?.method], [name, method], text);
    assert.deepEqual([alone, now.errors], [null, {}], text);
    assert.ok(command.startsWith(`vllm serve ${text} `) && !command.includes("--quantization"), command);
    assert.ok(found.notes.some((note) => note.includes("a guess") && note.includes(name)), found.notes.join());
    assert.ok(now.plan.about.model.includes(`taken for ${name}`), now.plan.about.model);
    const bare = asked_of({ ...found.form, model: name }, NONE);
    const state = make_state();
    state.set({ form: { ...found.form, model: bare.model } });
    const weights = (/** @type {any} */ plan) => plan.budget.stages[0].parts.find((/** @type {any} */ part) => part.name === "weights").bytes;
    assert.ok(weights(now.plan) < 0.7 * weights(state.now.plan), text);
  }
});

test("what is stored in fewer bits already is no base, and a listed variant is itself", () => {
  assert.equal(stands_for("openai/gpt-oss-20b-FP8"), null);
  assert.deepEqual([stands_for("Qwen/Qwen3-8B-AWQ")?.how, stands_for("Qwen3-32B-FP8")?.how], ["name", "name"]);
});

test("of a model that is not listed the nearest names are there to choose", () => {
  const { alone } = shown("vllm serve Qwen/Qwen3-4B-Instruct-2507");
  assert.equal(alone.near[0], "Qwen/Qwen3-4B");
  assert.ok(alone.near.includes("Qwen/Qwen3-30B-A3B-Instruct-2507"));
  assert.equal(near_models("/srv/DeepSeek-R1-Distill-Qwen-1.5B")[0].startsWith("deepseek-ai/DeepSeek-R1-Distill-Qwen-"), true);
  assert.deepEqual(shown("vllm serve /model").alone.near, []);
  assert.ok(shown(`vllm serve Qwen/Qwen3-4B-Instruct-2507\n${STORED}`).alone.near.length > 0);
});

const CARDS = [
  ["OOM on my RTX 5090 with it", "rtx-5090"], ["two RTX 4090 here", "rtx-4090"], ["2x RTX 3090 (24GB)", "rtx-3090"], ["H100, vLLM `0.25.1`", "h100-sxm-80gb"],
  ["NVIDIA H100 80GB", "h100-sxm-80gb"], ["显卡是RTX3090", "rtx-3090"], ["0: NVIDIA GeForce RTX 5070 Ti 16303MiB", "rtx-5070-ti"], ["NVIDIA GeForce RTX 4060 Ti", "rtx-4060-ti-16gb"],
  ["on an L4 GPU", "l4"], ["4xH100", "h100-sxm-80gb"], ["A100 40GB", "a100-sxm-40gb"], ["Config file not found at E=128,N=768,device_name=NVIDIA_H100_80GB_HBM3.json", "h100-sxm-80gb"],
];

test("a card in other words than vLLM's is the card, and said to be the text's", () => {
  for (const [text, name] of CARDS) {
    const { form, notes } = taken(`${text}\nvllm serve Qwen/Qwen3-8B`);
    assert.equal(form.card, name, text);
    assert.ok(notes.some((note) => note.startsWith("The text speaks of ")), notes.join());
  }
});

test("another card of that family, another thing of that name, or several cards are none", () => {
  for (const text of ["RTX 4070 Ti", "RTX 3080 12GB", "RTX 3090 Ti", "line L4 of it", "Qwen-A100-tuned", "/data/H100/x", "sha 9fT4a", "H100 or A100", "rtx"]) {
    const { form, notes } = taken(`${text}\nvllm serve Qwen/Qwen3-8B`);
    assert.equal(form.card, "a100-sxm-80gb", text);
    assert.ok(notes.some((note) => note.includes("choose yours")), `${text}: ${notes.join()}`);
  }
});

test("a card's name alone is no paste", () => {
  assert.equal(read_paste("How fast is an RTX 4090 with vLLM 0.10.2?").kind, "nothing");
});

test("a card in prose has the memory that was printed", () => {
  const oom = (/** @type {string} */ total) => `torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.00 GiB. GPU 0 has a total capacity of ${total} GiB of which 512.00 MiB is free.`;
  assert.equal(taken(`on a V100\nvllm serve Qwen/Qwen3-8B\n${oom("15.77")}`).form.card, "v100-16gb");
  assert.equal(taken(`unlike on a H100\nvllm serve Qwen/Qwen3-8B\n${oom("23.65")}`).form.card, "rtx-4090");
});

test("several cards are told with their number", () => {
  assert.ok(taken("2x RTX 3090\nvllm serve Qwen/Qwen3-8B").notes.some((note) => note.includes("2 of them")));
});

test("a version in other words than vLLM's is the version", () => {
  for (const [text, version] of [
    ["vLLM 0.10.2 here", "0.10.2"], ["with vLLM v0.11.0", "0.11.0"], ["vllm version 0.10.2", "0.10.2"], ["torch 2.1.2\nvllm             0.2.7\nxformers 1", "0.2.7"], ["vLLM v0.11", "0.11"],
    ["Name: vllm\nVersion: 0.10.2\nSummary:", "0.10.2"], ["pip install ./vllm-0.15.2rc1-cp38-abi3.whl", "0.15.2rc1"], ["site-packages/vllm-0.11.0.dist-info", "0.11.0"], ["vllm-openai:v0.9.1", "0.9.1"],
  ]) {
    const { form, notes } = taken(`${text}\nvllm serve Qwen/Qwen3-8B`);
    assert.equal(form.version, version, text);
    assert.ok(notes.some((note) => note.includes(`speaks of vLLM ${version}`)) || read_paste(text).asked.version === version, text);
  }
});

test("a share, another package, what is asked for, or several versions are none", () => {
  for (const text of ["vllm 0.9 of the card", "vllm-ascend 0.9.1", "vllm>=0.8.5", "upgrade to vLLM 0.9.1", "vLLM 0.9.1 or newer", "0.10.1 vLLM", "vLLM 0.10.1 works, vLLM 0.11.0 does not"]) {
    assert.equal(taken(`${text}\nvllm serve Qwen/Qwen3-8B`).form.version, "0.33.0", text);
  }
});

test("of a wording that is older the newest release that prints it", () => {
  for (const [text, version, engine] of [
    [STORED, "0.10.2", "V0"], ["INFO gpu_executor.py:122] # GPU blocks: 1234, # CPU blocks: 512", "0.6.6", undefined], ["Loading model weights took 14.9888 GB\n# CUDA blocks: 7, # CPU blocks: 4", "0.7.3", undefined],
    ["Actual usage is 8.28 GiB for weight, 1.02 GiB for peak activation, 0.58 GiB for non-torch memory, and 0.68 GiB for CUDAGraph memory.", "0.26.0", undefined],
  ]) {
    const { form, notes } = taken(`vllm serve Qwen/Qwen3-8B\n${text}`);
    assert.deepEqual([form.version, form.engine], [version, engine], text);
    assert.ok(notes.some((note) => note.includes(`${version} is the newest`)), notes.join());
    const state = make_state();
    state.set({ form });
    assert.deepEqual(state.now.errors, {});
  }
  assert.equal(taken("CUDA out of memory. Tried to allocate 1.96 GiB. GPU 0 has a total capacity of 14.74 GiB of which 1.31 GiB is free").form.version, "0.33.0");
  assert.equal(taken(`vllm serve Qwen/Qwen3-8B\nvLLM v0.8.5\n${STORED}`).form.version, "0.8.5");
});

test("of the cards that have a memory the one that is met most often, of the maker that the text says", () => {
  const oom = (/** @type {string} */ total, maker = "CUDA") => `vllm serve Qwen/Qwen3-8B\n${maker} out of memory. Tried to allocate 1.00 GiB. GPU 0 has a total capacity of ${total} GiB of which 512.00 MiB is free.`;
  for (const [text, card, or] of [
    [oom("31.84"), "rtx-5090", "V100"], [oom("139.80"), "h200", "H20"], [oom("14.74"), "t4", ""], [oom("23.94"), "rtx-3090", "4090"], [oom("23.68"), "rtx-3090", "A5000"], [oom("22.06"), "a10g", "L4"],
    [oom("23.98", "HIP"), "rx-7900-xtx", ""], [oom("31.23", "XPU"), "own", ""],
    ["vllm serve Qwen/Qwen3-8B\nAvailable memory on node 0 (10.0/31.2 GiB) on startup is less than desired CPU memory utilization (0.9, 28.1 GiB).", "own", ""],
  ]) {
    const { form, notes } = taken(text);
    assert.equal(form.card, card, text);
    assert.ok(or === "" || notes.some((note) => note.includes(" or ") && note.includes(or)), notes.join());
  }
});

test("the cards that are met most often stand in the order of the published starts", () => {
  const json = (/** @type {string} */ name) => JSON.parse(readFileSync(new URL(`../../${name}`, import.meta.url), "utf8"));
  const truth = JSON.stringify(json("site/truth/truth.json"));
  const many = json("sim/poolroom/facts/vllm/page.json").common_cards.order.map((/** @type {string} */ name) => truth.split(`"card":"${name}"`).length - 1);
  assert.deepEqual(many, [...many].sort((one, other) => other - one));
  assert.ok(many.at(-1) > 0);
});
