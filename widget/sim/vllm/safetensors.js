// @ts-check
/**
 * What `model.safetensors.index.json` says of a checkpoint.
 * @module
 */

import { MOST_WHOLE } from "../checks.js";
import { has, object_of, table_field, whole_field } from "./fields.js";

/** @import { Counted } from "./parameters.js" */

/** @type {Record<string, number>} */
const _DTYPE_BYTES = { bfloat16: 2, float16: 2, float32: 4 };

/**
 * What an index says.
 * @typedef {object} Index
 * @property {number} bytes all tensors of the checkpoint, bytes; 0: not said
 * @property {number} parameters all values of the checkpoint; 0: not said
 * @property {boolean} has_names whether it names the tensors, true or false
 * @property {boolean} has_head whether the head is among them, true or false
 */
/**
 * Read an index.
 * @param {any} index a `model.safetensors.index.json` as an object, or null
 * @returns {Index} What it says.
 * @throws {PlanError} for what is no such index
 */
export function index_of(index) {
  if (index === null) return { bytes: 0, parameters: 0, has_names: false, has_head: false };
  const whole = object_of("index", index);
  const metadata = table_field(whole, "metadata");
  const names = Object.keys(table_field(whole, "weight_map"));
  let head = false;
  for (const name of names) {
    if (name.endsWith("lm_head.weight") || name.endsWith("embed_out.weight") || name === "output.weight") {
      head = true;
    }
  }
  return {
    bytes: whole_field(metadata, "total_size", 1, MOST_WHOLE, 0),
    parameters: whole_field(metadata, "total_parameters", 1, MOST_WHOLE, 0),
    has_names: has(whole, "weight_map") && names.length > 0,
    has_head: head,
  };
}

/**
 * How many values a server loads: by the index where it says, else as counted.
 * @param {Index} index what the index says
 * @param {Counted} parts the weights as counted
 * @param {string} method how they are stored; "" for not quantised
 * @param {string} dtype type of the weights
 * @returns {[number, string, boolean]} Values; "index" or "counted"; and whether the two differ by more than 1 %,
 *   true or false.
 */
export function parameters_of(index, parts, method, dtype) {
  let told = index.parameters;
  if (!told && index.bytes && !method) {
    told = Math.floor(index.bytes / _DTYPE_BYTES[dtype]);
  }
  if (!told) return [parts.parameters, "counted", false];
  const loaded = told - left_out(told, parts.parameters, parts.unloaded);
  return [loaded, "index", Math.abs(loaded - parts.parameters) / loaded > 0.01];
}

/**
 * How much of what an index tells is not loaded: all that a server leaves out, or nothing if that comes nearer.
 * @param {number} told size by the index, values or bytes
 * @param {number} loaded counted size of what is loaded, in the same unit
 * @param {number} unloaded counted size of what is not, in the same unit
 * @returns {number} Size, in the same unit.
 */
export function left_out(told, loaded, unloaded) {
  return Math.abs(told - loaded - unloaded) < Math.abs(told - loaded) && unloaded < told ? unloaded : 0;
}
