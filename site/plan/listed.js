// @ts-check
/** The listed model that a name stands for: as it is written, as the end of a path, or as a variant that is stored in fewer bits. */

import { model_config, model_name, model_names } from "../../widget/sim/vllm/models.js";
import { near_names, squashed } from "../../widget/sim/vllm/names.js";
import { filled } from "../../widget/sim/vllm/fix_words.js";
import { PlanError } from "../../widget/sim/vllm/refuse.js";
import { visible } from "./visible.js";

/**
 * @typedef {object} Listed
 * @property {string} name of the listed model
 * @property {"name" | "place" | "variant"} how it was found
 * @property {string} method how a variant's weights are stored, as far as its name says; else empty
 * @property {Record<string, any> | null} config what a variant is reckoned with
 */

const LONGEST = 1000;
const MOST_NEAR = 6;
/** Folders below a model's own. */
const INNER = /^(snapshots|main|master|[0-9a-f]{7,64})$/;
/** How a variant's name ends, a listed model whose weights are stored so, and what else its own says of them. @type {[RegExp, string, Record<string, any>?][]} */
const STORED = [
  [/[-_.]awq(?:[-_](?:int4|4bit|w4a16|g128))?$/i, "Qwen/Qwen3-8B-AWQ"],
  [/[-_.]gptq[-_](?:int8|8bit)$/i, "Qwen/Qwen2.5-7B-Instruct-GPTQ-Int4", { bits: 8 }],
  [/[-_.](?:gptq(?:[-_](?:int4|4bit))?|int4)$/i, "Qwen/Qwen2.5-7B-Instruct-GPTQ-Int4"],
  [/[-_.]fp8[-_]dynamic$/i, "RedHatAI/Llama-3.3-70B-Instruct-FP8-dynamic"],
  [/[-_.]fp8$/i, "RedHatAI/Meta-Llama-3-8B-Instruct-FP8"],
  [/[-_.](?:unsloth[-_])?bnb[-_]4bit$/i, "unsloth/Meta-Llama-3.1-8B-Instruct-bnb-4bit"],
  [/[-_.](?:quantized\.)?w8a8$/i, "RedHatAI/Meta-Llama-3.1-70B-Instruct-quantized.w8a8"],
  [/[-_.]nvfp4$/i, ""],
];
/** Qwen stores its own in blocks. */
const IN_BLOCKS = ["Qwen/", "Qwen/Qwen3-8B-FP8"];

/** The listed name, or nothing. @param {string} text */
function listed(text) {
  try {
    return model_name(text);
  } catch (error) {
    if (!(error instanceof PlanError)) throw error;
    return null;
  }
}

/** The last parts of a path or of an address, those of the cache of Hugging Face and ModelScope as they are named there. @param {string} text */
function parts_of(text) {
  const parts = text.trim().slice(0, LONGEST).replace(/\\/g, "/").replace(/___/g, ".").split("/").filter((part) => part !== "" && part !== ".");
  while (parts.length > 1 && INNER.test(/** @type {string} */ (parts.at(-1)))) parts.pop();
  const kept = /^models--([^/]+?)--([^/]+)$/.exec(parts.at(-1) ?? "");
  return kept ? [kept[1], kept[2]] : parts;
}

/** A listed model by the last parts of a path. @param {readonly string[]} parts */
function by_parts(parts) {
  return listed(parts.slice(-2).join("/")) ?? listed(parts.at(-1) ?? "");
}

/** @param {readonly string[]} parts @returns {Listed | null} */
function variant(parts) {
  const tail = parts.at(-1) ?? "";
  const [ends, donor, others] = STORED.find(([each]) => each.test(tail)) ?? [];
  if (ends === undefined || donor === undefined) return null;
  const name = by_parts([...parts.slice(0, -1), tail.replace(ends, "")]);
  if (name === null) return null;
  const config = model_config(name);
  if (config.quantization_config !== undefined) return null;
  const own = donor.endsWith("-FP8") && parts.at(-2) === "Qwen" ? IN_BLOCKS[1] : donor;
  const stored = own === "" ? { quant_method: "modelopt", quant_algo: "NVFP4" } : { ...model_config(own).quantization_config, ...others };
  return { name, how: "variant", method: own === "" ? "nvfp4" : stored.quant_method, config: { ...config, quantization_config: stored } };
}

/** The listed model that a text stands for; nothing where none is sure. @param {unknown} text @returns {Listed | null} */
export function stands_for(text) {
  if (typeof text !== "string") return null;
  const whole = listed(text);
  if (whole !== null) return { name: whole, how: "name", method: "", config: null };
  const parts = parts_of(text);
  const name = parts.length > 0 ? by_parts(parts) : null;
  return name === null ? variant(parts) : { name, how: "place", method: "", config: null };
}

/** What a variant is called that is reckoned with a listed model; nothing for every other text. @param {unknown} text @param {string} words */
export function taken_as(text, words) {
  const found = stands_for(text);
  return found === null || found.config === null ? null : filled(words, { model: visible(String(text).trim()), name: found.name, method: found.method });
}

/** The listed models whose names come near, the nearest first. @param {string} text */
export function near_models(text) {
  const tail = parts_of(text).slice(-2);
  const all = near_names(tail.join("/"), model_names(), model_names().length);
  const own = squashed(tail.at(-1) ?? "");
  const same = (/** @type {string} */ name) => {
    const other = squashed(name.split("/").at(-1) ?? "");
    let i = 0;
    while (i < own.length && own[i] === other[i]) i += 1;
    return i;
  };
  return all.sort((one, other) => same(other) - same(one)).slice(0, MOST_NEAR);
}
