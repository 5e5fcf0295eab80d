// @ts-check
/**
 * How weights are stored: bits a weight with its scales and zero points, and which weights are left as they are.
 * @module
 */

import { QUANTISATIONS } from "./plan_facts.js";
import { one_of_names } from "./refuse.js";

const _UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

const _LOWER = "abcdefghijklmnopqrstuvwxyz";

/**
 * A text with its Latin capitals made small, and nothing else changed.
 * @param {string} text any text
 * @returns {string} The text, without unit.
 */
export function lowered(text) {
  return [...text].map((each) => _UPPER.includes(each) ? _LOWER[_UPPER.indexOf(each)] : each).join("");
}

/**
 * How some weights are stored.
 * @typedef {object} Scheme
 * @property {string[]} targets names of modules that it is for; none: all that can be quantised, without unit
 * @property {number} hundredths hundredths of bits that a weight takes, a unit of its own
 * @property {number} group values that share a scale; 0: a row shares it, which counts as nothing
 * @property {number} group_bits how many bits scale and zero point of one group take
 * @property {number[]} block rows and columns, both in values, that share a scale; none where it is no block
 */
/**
 * How the weights of a checkpoint are stored.
 * @typedef {object} Quantisation
 * @property {string} method its name in vLLM; "" for weights that are not quantised, without unit
 * @property {Scheme[]} schemes how the weights are stored, the first that fits counts
 * @property {string[]} ignore names of modules that are left as they are, without unit
 * @property {boolean} experts_only whether only experts are stored so, true or false
 * @property {boolean} words whether embedding and head are stored so too, true or false
 * @property {number} padded values to whose multiple the widths of experts are filled up; 0: none
 */
/**
 * Weights that are not quantised.
 * @returns {Quantisation} A record without schemes.
 */
export function none_of_it() {
  return { method: "", schemes: [], ignore: [], experts_only: false, words: false, padded: 0 };
}

/**
 * All weights that can be quantised, stored in one way.
 * @param {string} method its name in vLLM
 * @param {number} hundredths hundredths of bits that a weight takes, a unit of its own
 * @param {number} [group] values that share a scale; 0: nothing that counts
 * @param {number} [group_bits] how many bits scale and zero point of one group take
 * @returns {Quantisation} How the weights are stored.
 */
export function plain_scheme(method, hundredths, group = 0, group_bits = 0) {
  /** @type {Scheme} */
  const scheme = { targets: [], hundredths, group, group_bits, block: [] };
  const found = none_of_it();
  found.method = method;
  found.schemes = [scheme];
  return found;
}

/**
 * A way to store weights that is asked for by its name, for a checkpoint that is not quantised.
 * @param {string} method a name as in `--quantization`, or a GGUF type such as "Q4_K_M"
 * @returns {Quantisation} How the weights are stored.
 * @throws {PlanError} for a name that is not known
 */
export function by_name(method) {
  if (["", "none"].includes(method)) return none_of_it();
  const gguf_types = QUANTISATIONS.gguf;
  if (Object.hasOwn(gguf_types, method)) return _gguf_of(gguf_types[method]);
  one_of_names("quantization", method, Object.keys(QUANTISATIONS.methods));
  const known = QUANTISATIONS.methods[method];
  const found = plain_scheme(known.method, known.hundredths, known.group, known.group_bits);
  found.experts_only = known.experts_only ?? false;
  found.padded = known.padded ?? 0;
  return found;
}

/**
 * @param {number} hundredths
 * @returns {Quantisation}
 */
function _gguf_of(hundredths) {
  const found = plain_scheme("gguf", hundredths);
  found.words = true;
  return found;
}

/**
 * What `--quantization` asks for beyond what the checkpoint is: nothing where both are the same.
 * @param {string | null} method as asked, or null
 * @param {string} stored how the checkpoint stores its weights, or nothing
 * @returns {string} The name as asked, without unit, or nothing.
 */
export function asked_method(method, stored) {
  if (method === null || ["", "none"].includes(method)) return "";
  const lower = lowered(method);
  const has = Object.hasOwn(QUANTISATIONS.methods, lower);
  const known = has ? QUANTISATIONS.methods[lower].method : lower;
  const alias = Object.hasOwn(QUANTISATIONS.aliases, lower) ? QUANTISATIONS.aliases[lower] : lower;
  return stored && [lower, known, alias].includes(stored) ? "" : method;
}
