// @ts-check
/**
 * A server's settings as vLLM resolves them: what was asked, and the version's and the card's default for the rest.
 * @module
 */

import { asynchronous_of, graphs_counted_of, kv_cache_memory_of, longest_of, measured_of, parallel_of } from "./asked.js";
import { card_of, memory_of } from "./asked_card.js";
import { read_model } from "./config.js";
import { batch_of, block_tokens_of, chunked_of, dtype_of } from "./defaults.js";
import { model_config } from "./models.js";
import { VERSIONS } from "./plan_facts.js";
import { asked_method, by_name } from "./quantisation.js";
import { PlanError, one_of_names } from "./refuse.js";
import { counted_text, known, share_of, switch_of, switch_or, trimmed, value_or, whole_of } from "./values.js";
import { rules_of, runner_of } from "./versions.js";

/** @import { Card } from "./cards.js" */
/** @import { Model } from "./config.js" */
/** @import { Dtype } from "./defaults.js" */
/** @import { Rules } from "./versions.js" */

/**
 * What was measured on a real start, where it was given.
 * @typedef {object} Measured
 * @property {number} [weights_bytes] weights of one card, bytes
 * @property {number} [activation_bytes] peak of the forward pass or the sampler, bytes
 * @property {number} [non_torch_bytes] what lies outside PyTorch, bytes
 * @property {number} [graphs_bytes] CUDA graphs, bytes
 * @property {number} [kv_bytes] room for the cache, bytes; may be below 0
 */

/**
 * What a server starts with.
 * @typedef {object} Settings
 * @property {Card} card the card
 * @property {number} total_bytes memory of one card as its driver reports it, bytes
 * @property {number} in_use_bytes what is taken of it before the server's own part, bytes
 * @property {number} free_bytes what is free when the server looks, bytes
 * @property {Model} model the model
 * @property {Rules} rules rules of the version
 * @property {number} share memory share, from 0 to 1
 * @property {number} longest longest chat, tokens; with `auto_fit` the model's own longest
 * @property {boolean} auto_fit whether vLLM lowers the longest until it fits
 * @property {number} seats most chats at once
 * @property {number} batched_tokens most tokens of a step
 * @property {number} in_flight_tokens most tokens of the steps that run at once, for which a sliding window keeps room
 * @property {number} tp cards that share each layer, tensor parallel, as many
 * @property {number} pp stages of layers, pipeline parallel, as many
 * @property {number} dcp cards that share each chat's cache, as many
 * @property {Dtype} dtype type of computing
 * @property {string} kv_dtype type of the cache, by vLLM's name
 * @property {number} block_tokens tokens of a block; 0 where the backend decides
 * @property {boolean} eager whether there are no CUDA graphs
 * @property {boolean} chunked whether prompts are cut into chunks
 * @property {boolean} asynchronous whether a step is planned while another runs
 * @property {boolean} prefix_caching whether prefixes are kept
 * @property {number | null} kv_cache_memory_bytes room for the cache that was set, bytes, or null
 * @property {number | null} blocks_override number of blocks that was set, or null
 * @property {"api" | "llm"} server “api” for the server, “llm” for the class LLM
 * @property {boolean} graphs_counted whether CUDA graphs count inside the share
 * @property {boolean} flashinfer_sampler whether FlashInfer is installed and samples, where the version would use it
 * @property {Measured} measured what was measured, in bytes, where it was given
 * @property {string[]} given settings that were given, by vLLM's names
 * @property {string[]} not_counted settings that cost memory and are not counted, by vLLM's names
 * @property {string} stored_as how the checkpoint itself stores its weights, or nothing
 * @property {string} asked_as another way to store them that was asked for, or nothing
 */

/**
 * Every setting of a server, from what was asked.
 * @param {any} asked settings by vLLM's names; card and model are needed, null is not given
 * @param {Settings | null} [like] settings with the same version, engine, model, index and quantization, which are then not
 *   read again
 * @returns {Settings} All settings; memory in bytes, lengths in tokens.
 * @throws {PlanError} for an unknown setting, and for a value that cannot be used
 * @source `facts/vllm/vllm.json`: each version's rules and defaults, with their sources.
 */
export function resolve(asked, like = null) {
  if (typeof asked !== "object" || asked === null || Array.isArray(asked)) throw new PlanError("settings", asked, "object");
  asked = trimmed(asked);
  const [given, not_counted] = known(asked);
  const version = value_or(asked, "version", VERSIONS.default);
  const of_version = like === null ? rules_of(version, value_or(asked, "engine", null)) : like.rules;
  const card = card_of(asked);
  const plain = like === null ? model_of(asked) : like.model;
  const model = like === null ? as_asked(asked, plain) : like.model;
  const stored = like === null ? plain.quantisation : like.stored_as;
  const rules = with_runner(of_version, model);
  const parallel = parallel_of(asked, rules);
  const memory = memory_of(asked, card);
  const own = { ...card, total_bytes: memory.total_bytes };
  const longest = longest_of(asked, rules, model.longest);
  /** @type {"api" | "llm"} */
  const server = switch_or(asked, "use_llm_class", false) ? "llm" : "api";
  const chunked = chunked_of(rules, model, own, longest.tokens, switch_of(asked, "enable_chunked_prefill"));
  const batch = batch_of(rules, own, model, longest.tokens, chunked, server, seats_of(asked), tokens_of(asked));
  const eager = switch_or(asked, "enforce_eager", false);
  const asynchronous = asynchronous_of(asked, rules, parallel.pp);
  return {
    card: own,
    total_bytes: memory.total_bytes,
    in_use_bytes: memory.in_use_bytes,
    free_bytes: memory.total_bytes - memory.in_use_bytes,
    model,
    rules,
    share: share_of("gpu_memory_utilization", value_or(asked, "gpu_memory_utilization", rules.share)),
    longest: longest.tokens,
    auto_fit: longest.auto_fit,
    seats: batch.seats,
    batched_tokens: batch.tokens,
    in_flight_tokens: batch.tokens * batches_in_flight(rules, parallel.pp, asynchronous),
    tp: parallel.tp,
    pp: parallel.pp,
    dcp: parallel.dcp,
    dtype: dtype_of(rules, own, model, value_or(asked, "dtype", null)),
    kv_dtype: one_of_names("kv_cache_dtype", value_or(asked, "kv_cache_dtype", "auto"), rules.kv_dtypes),
    block_tokens: block_tokens_of(rules, own, model, value_or(asked, "block_size", null)),
    eager,
    chunked,
    asynchronous,
    prefix_caching: switch_or(asked, "enable_prefix_caching", keeps_prefixes(rules, model)),
    kv_cache_memory_bytes: kv_cache_memory_of(asked, rules),
    blocks_override: blocks_of(asked),
    server,
    graphs_counted: graphs_counted_of(asked, rules, eager),
    flashinfer_sampler: switch_or(asked, "flashinfer_sampler", false),
    measured: measured_of(asked),
    given,
    not_counted,
    stored_as: stored,
    asked_as: like === null ? asked_method(value_or(asked, "quantization", null), stored) : like.asked_as,
  };
}

/**
 * @param {Record<string, any>} asked
 * @returns {Model}
 */
function model_of(asked) {
  const value = value_or(asked, "model", null);
  if (value === null) throw new PlanError("model", value, "needed");
  const named = typeof value === "string";
  return named ? read_model(model_config(value), null, value) : read_model(value, value_or(asked, "index", null));
}

/**
 * @param {Record<string, any>} asked
 * @param {Model} model
 * @returns {Model}
 */
function as_asked(asked, model) {
  const method = value_or(asked, "quantization", null);
  if (method !== null && typeof method !== "string") throw new PlanError("quantization", method, "short_text");
  if (method === null || model.quantisation !== "") return model;
  const found = by_name(method);
  return { ...model, quantisation: found.method, weights: { ...model.weights, quantisation: found, index_bytes: 0 } };
}

/**
 * @param {Rules} rules
 * @param {Model} model
 * @returns {Rules}
 */
function with_runner(rules, model) {
  if (rules.engine === "V0") return rules;
  const mixture = model.weights.expert_number > 0;
  const hybrid = model.kinds.some((/** @type {any} */ kind) => kind.kind === "mamba");
  const runner = runner_of(rules.order, model.architecture, mixture, model.quantisation !== "", hybrid);
  return { ...rules, runner, penalties: runner === "V2" };
}

/**
 * @param {Rules} rules
 * @param {Model} model
 */
function keeps_prefixes(rules, model) {
  if (model.kinds.some((/** @type {any} */ kind) => kind.kind === "mamba")) return rules.state_prefixes;
  return rules.prefix_caching && model.encoder_tokens === 0;
}

/** @param {Record<string, any>} asked */
function seats_of(asked) {
  const value = value_or(asked, "max_num_seqs", null);
  return value === null ? null : whole_of("max_num_seqs", value, 1, VERSIONS.bounds.seats);
}

/** @param {Record<string, any>} asked */
function tokens_of(asked) {
  const name = "max_num_batched_tokens";
  const value = value_or(asked, name, null);
  return value === null ? null : counted_text(name, value, VERSIONS.bounds.tokens, "tokens_text");
}

/** @param {Record<string, any>} asked */
function blocks_of(asked) {
  const value = value_or(asked, "num_gpu_blocks_override", null);
  return value === null ? null : whole_of("num_gpu_blocks_override", value, 1, VERSIONS.bounds.blocks);
}

/**
 * How many steps may run at once, for which a sliding window keeps room.
 * @param {Rules} rules of the version
 * @param {number} pp stages of the pipeline, as many
 * @param {boolean} asynchronous whether a step is planned while another runs
 * @returns {number} Steps.
 * @source vLLM 0.26.0 and 0.33.0, config/vllm.py, `max_concurrent_batches`; before, one.
 */
export function batches_in_flight(rules, pp, asynchronous) {
  if (rules.async_factor === 1) return 1;
  if (!asynchronous) return pp;
  return rules.runner === "V2" || pp === 1 ? pp + 1 : pp;
}

/**
 * What vLLM would take for a setting if it were not given, all others as they are.
 * @param {any} name name of the setting, as vLLM names it
 * @param {Settings} settings as resolved
 * @returns {any} The default in the setting's own unit; null where there is none.
 * @throws {PlanError} for a name that is no setting
 */
export function default_of(name, settings) {
  one_of_names("setting", name, VERSIONS.settings.map((/** @type {any} */ setting) => setting.name));
  const { rules, given } = settings;
  if (name === "max_num_seqs" || name === "max_num_batched_tokens") {
    const seats = given.includes("max_num_seqs") && name !== "max_num_seqs" ? settings.seats : null;
    const own = given.includes("max_num_batched_tokens") && name !== "max_num_batched_tokens";
    const tokens = own ? settings.batched_tokens : null;
    const { card, model, longest, chunked, server } = settings;
    const batch = batch_of(rules, card, model, longest, chunked, server, seats, tokens);
    return name === "max_num_seqs" ? batch.seats : batch.tokens;
  }
  return defaults(settings)[name] ?? null;
}

/**
 * @param {Settings} settings
 * @returns {Record<string, any>}
 */
function defaults({ rules, card, model, longest, pp }) {
  return {
    version: VERSIONS.default,
    engine: rules_of(rules.version).engine,
    gpu_memory_utilization: rules.share,
    max_model_len: model.longest,
    ...{ tensor_parallel_size: 1, pipeline_parallel_size: 1, decode_context_parallel_size: 1 },
    dtype: dtype_of(rules, card, model, null),
    ...{ kv_cache_dtype: "auto", block_size: 0, enforce_eager: false },
    enable_chunked_prefill: chunked_of(rules, model, card, longest, null),
    async_scheduling: asynchronous_of({}, rules, pp),
    enable_prefix_caching: keeps_prefixes(rules, model),
    estimate_cudagraphs: rules.graphs === "inside",
    flashinfer_sampler: false,
    use_llm_class: false,
  };
}
