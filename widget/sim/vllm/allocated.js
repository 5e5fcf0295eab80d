// @ts-check
/**
 * The bytes that a tensor takes on a GPU, quantised or not.
 * @module
 */

import { MOST_WHOLE } from "../checks.js";
import { product, total } from "./sums.js";

/** @import { Scheme } from "./quantisation.js" */

/**
 * Bytes of 1 MiB: 2^20.
 */
export const MIB = 1048576;

/**
 * The bytes of quantised weights, with scales and zero points.
 * @param {number} values how many weights
 * @param {Scheme} scheme how they are stored
 * @returns {number} Bytes.
 * @throws {PlanError} for a product above 2^53 − 1
 */
export function stored_bytes(values, scheme) {
  const size = Math.ceil(product("bits", values, scheme.hundredths) / 800);
  if (!scheme.group) return size;
  const groups = Math.ceil(values / scheme.group);
  return total("bits", size, Math.ceil(product("group_size", groups, scheme.group_bits) / 8));
}

/**
 * The bytes that PyTorch counts as allocated for one tensor.
 *
 * It hands out multiples of 512 bytes; from 10 MiB it takes multiples of 2 MiB, and a rest of at most 1 MiB stays
 * with the tensor.
 * @param {number} size the tensor, bytes
 * @returns {number} Bytes.
 * @source PyTorch 2.x, `c10/cuda/CUDACachingAllocator.cpp`: `round_size`, `get_allocation_size`, `should_split`.
 */
export function allocated_bytes(size) {
  const rounded = Math.ceil(size / 512) * 512;
  if (rounded < 10 * MIB) return rounded;
  const segment = Math.ceil(rounded / (2 * MIB)) * 2 * MIB;
  return segment - rounded <= MIB && segment <= MOST_WHOLE ? segment : rounded;
}
