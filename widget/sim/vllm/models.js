// @ts-check
/**
 * Models by name: the fields of their config.json that matter, and how sure they are.
 * @module
 */

import { MOST_NEAR, near_names, squashed } from "./names.js";
import { MODELS } from "./plan_facts.js";
import { PlanError } from "./refuse.js";

/** @import { Certainty } from "./cards.js" */

/**
 * What is known of a model by its name.
 * @typedef {object} ModelFacts
 * @property {string} name its name on Hugging Face
 * @property {Record<string, any>} config the fields of its config.json that matter, named and nested as there
 * @property {Certainty} kind how sure those are: "log", "documentation" or "unverified"
 * @property {string} source where they were read
 * @property {string} date when that was written or read
 * @property {string[]} remembered fields of the config that the source does not state, and no parameter count proves
 * @property {number} parameters numbers in its weights as published, with those for speculation where they are stored,
 *   parameters
 * @property {Certainty} parameters_kind how sure that is: "log", "documentation" or "unverified"
 * @property {string} parameters_source where it was read
 */

/**
 * The names of all models.
 * @returns {string[]} Names on Hugging Face, text, in the order of the facts.
 */
export function model_names() {
  return Object.keys(MODELS.models);
}

/**
 * The listed name of a model, by its name with or without its owner, or by that of a model of the same shape.
 * @param {unknown} name such as "meta-llama/Llama-3.1-8B-Instruct" or "llama-3.1-8b"
 * @returns {string} Its name on Hugging Face, text.
 * @throws {PlanError} for what is no text, and for a model that is not listed
 */
export function model_name(name) {
  const found = typeof name === "string" ? INDEX.get(squashed(name)) : undefined;
  if (found === undefined) {
    const near = typeof name === "string" ? near_names(name, model_names(), MOST_NEAR) : [];
    if (near.length) throw new PlanError("model", name, "model_near", { names: near.join(", ") });
    throw new PlanError("model", name, "model_name", { count: model_names().length });
  }
  return found;
}

/**
 * What is known of a model, by its name with or without its owner, or by that of a model of the same shape.
 * @param {unknown} name such as "meta-llama/Llama-3.1-8B-Instruct" or "llama-3.1-8b"
 * @returns {ModelFacts} The model's facts; the config is a copy of its own.
 * @throws {PlanError} for what is no text, and for a model that is not listed
 * @source `facts/vllm/models.json`.
 */
export function model_facts(name) {
  const found = model_name(name);
  const facts = MODELS.models[found];
  const source = MODELS.sources[facts.source];
  const counted = MODELS.sources[facts.parameters[1]];
  return {
    name: found,
    config: model_config(found),
    kind: source.kind,
    source: source.source,
    date: source.date,
    remembered: [...(facts.remembered ?? [])],
    parameters: facts.parameters[0],
    parameters_kind: counted.kind,
    parameters_source: counted.source,
  };
}

/**
 * The config.json of a model by its name, as a user's file would give it.
 * @param {unknown} name such as "meta-llama/Llama-3.1-8B-Instruct" or "llama-3.1-8b"
 * @returns {Record<string, any>} The fields that matter, a copy of its own.
 * @throws {PlanError} for what is no text, and for a model that is not listed
 */
export function model_config(name) {
  return copied(MODELS.models[model_name(name)].config);
}

/**
 * @param {any} value
 * @returns {any}
 */
function copied(value) {
  if (Array.isArray(value)) return value.map(copied);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, copied(part)]));
}

/** @returns {Map<string, string>} */
function index() {
  const names = new Map();
  const spelt = model_names().flatMap((name) =>
    [name, ...(MODELS.models[name].aliases ?? [])].map((each) => ({ each, name })),
  );
  for (const { each, name } of spelt) if (!names.has(squashed(each))) names.set(squashed(each), name);
  for (const { each, name } of spelt) {
    const tail = squashed(/** @type {string} */ (each.split("/").at(-1)));
    if (!names.has(tail)) names.set(tail, name);
  }
  return names;
}

const INDEX = index();
