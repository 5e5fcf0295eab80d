// @ts-check
/**
 * What a model's weights need in each number format: matrices, their constants, and what stays in 16 bit.
 * @module
 */

import { whole, yes_no } from "./checks.js";
import { figure } from "./serving_facts.js";
import { one_of } from "./tool.js";

/** Names of the formats, from 16 bits down; "nf4_double" is NF4 whose constants are quantised too. */
export const FORMATS = ["fp16", "int8", "fp8", "nf4", "nf4_double"];
/** The largest vocabulary or width, in tokens or values: 2^20, so that every count below stays exact. */
export const MOST_WIDTH = 1048576;
/** The most layers. */
export const MOST_LAYERS = 512;

/**
 * The sizes of a model, as its config.json has them.
 * @typedef {object} Shape
 * @property {number} vocabulary rows of the embedding table, tokens
 * @property {number} hidden width of what passes from layer to layer, values
 * @property {number} intermediate width inside the feed-forward part, values
 * @property {number} layers number of layers
 * @property {number} heads query heads
 * @property {number} kv_heads heads that keep keys and values
 * @property {number} head_size values of one head
 * @property {boolean} biases whether query, key and value have biases
 * @property {boolean} tied whether the head is the embedding table
 */
/**
 * What a model's weights need in one format.
 * @typedef {object} Footprint
 * @property {number} quantised_bytes the matrices in the layers, bytes
 * @property {number} constants_bytes what it takes to turn them back into numbers, bytes
 * @property {number} left_bytes embedding table, head, norms and biases, which stay in 16 bit, bytes
 * @property {number} total_bytes all three, bytes
 */

/**
 * Rows and columns of the seven matrices in a layer: query, key, value, output, gate, up, down.
 * @param {Shape} shape sizes of the model
 * @returns {[number, number][]} Seven pairs in values, rows being what comes out and columns what goes in.
 * @throws {SimError} for a width that is no whole number from 1 to 2^20
 */
export function matrices(shape) {
  const hidden = whole("hidden", shape.hidden, 1, MOST_WIDTH);
  const intermediate = whole("intermediate", shape.intermediate, 1, MOST_WIDTH);
  const size = whole("head_size", shape.head_size, 1, MOST_WIDTH);
  const query = whole("heads", whole("heads", shape.heads, 1, MOST_WIDTH) * size, 1, MOST_WIDTH);
  const kv = whole("kv_heads", whole("kv_heads", shape.kv_heads, 1, MOST_WIDTH) * size, 1, MOST_WIDTH);
  return [
    ...[query, kv, kv].map((rows) => /** @type {[number, number]} */ ([rows, hidden])),
    [hidden, query],
    [intermediate, hidden],
    [intermediate, hidden],
    [hidden, intermediate],
  ];
}

/**
 * Parameters that a format changes: layers × the seven matrices.
 * @param {Shape} shape sizes of the model
 * @returns {number} Parameters.
 * @throws {SimError} for a size that is out of range
 */
export function quantised_parameters(shape) {
  let count = 0;
  for (const [rows, columns] of matrices(shape)) count += rows * columns;
  return whole("layers", shape.layers, 1, MOST_LAYERS) * count;
}

/**
 * Parameters that stay in 16 bit: embedding table, head unless it is tied, two norms a layer, a last one, biases.
 * @param {Shape} shape sizes of the model
 * @returns {number} Parameters.
 * @throws {SimError} for a size that is out of range
 */
export function left_parameters(shape) {
  const rows = matrices(shape).map(([count]) => count);
  const biases = yes_no("biases", shape.biases) ? rows[0] + rows[1] + rows[2] : 0;
  const [hidden, layers] = [shape.hidden, whole("layers", shape.layers, 1, MOST_LAYERS)];
  const table = whole("vocabulary", shape.vocabulary, 1, MOST_WIDTH) * hidden;
  const tables = yes_no("tied", shape.tied) ? table : 2 * table;
  return tables + layers * (2 * hidden + biases) + hidden;
}

/**
 * What the weights need: the matrices in the format, their constants, and the rest in 16 bit.
 *
 * - fp16: 2 bytes a weight
 * - int8: 1 byte, and a scale for each row
 * - fp8: 1 byte, and a scale for each matrix
 * - nf4: half a byte, and a constant for each block of 64 weights
 * - nf4_double: the same with 8-bit constants, and one more for each 256 of those
 * @param {Shape} shape sizes of the model
 * @param {string} number_format one of `FORMATS`
 * @returns {Footprint} Whole bytes by kind.
 * @throws {SimError} for a size that is out of range, and an unknown format
 * @source Dettmers et al., LLM.int8(), 2022, and QLoRA, 2023, section 3; vLLM's online quantization, fp8_per_tensor.
 */
export function footprint(shape, number_format) {
  one_of("format", number_format, FORMATS);
  const layers = whole("layers", shape.layers, 1, MOST_LAYERS);
  let [quantised_bytes, constants_bytes] = [0, 0];
  for (const [rows, columns] of matrices(shape)) {
    quantised_bytes += layers * stored_bytes(rows * columns, number_format);
    constants_bytes += layers * constants_of(rows, columns, number_format);
  }
  const left_bytes = 2 * left_parameters(shape);
  return { quantised_bytes, constants_bytes, left_bytes, total_bytes: quantised_bytes + constants_bytes + left_bytes };
}

/** @param {number} weights @param {string} number_format */
function stored_bytes(weights, number_format) {
  if (number_format === "fp16") return 2 * weights;
  return number_format === "int8" || number_format === "fp8" ? weights : blocks_of(weights, 2);
}

/** @param {number} rows @param {number} columns @param {string} number_format */
function constants_of(rows, columns, number_format) {
  const size = figure("quantise", "constant_bytes");
  const nf4 = blocks_of(rows * columns, figure("quantise", "block"));
  if (number_format === "nf4_double") return nf4 + size * blocks_of(nf4, figure("quantise", "second_block"));
  /** @type {Record<string, number>} */
  const counts = { fp16: 0, int8: rows, fp8: 1, nf4 };
  return size * counts[number_format];
}

/** @param {number} n @param {number} size */
function blocks_of(n, size) {
  return Math.floor((n + size - 1) / size);
}
