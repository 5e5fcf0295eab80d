// @ts-check
/**
 * Numbers as vLLM prints them: Python's `round` and `%.2f` by hand, exact in both languages.
 * @module
 */

import { PlanError } from "./refuse.js";

/** Bytes of 1 GiB: 2^30. */
export const GIB_BYTES = 1073741824;
const SCALES = [1, 10, 100, 1000, 10000, 100000, 1000000];
const EXACT = 9007199254740992n; // 2^53: whole numbers below it are doubles

/**
 * What Python prints for round(number, places): half to even on the number as it is stored, no zeros behind.
 * @param {any} number a finite number, of any unit
 * @param {any} places digits behind the point, from 0 to 6, as a whole number without unit
 * @returns {string} The number as text, such as 51.4, 51.0 or -0.0.
 * @throws {PlanError} for a number that is not finite, and for places out of range
 * @source Python's `float.__round__` and `float.__repr__`; vLLM's `format_gib` prints so since 0.14.0.
 */
export function rounded(number, places) {
  const [value, scale] = checked(number, places);
  const count = nearest(Math.abs(value), scale);
  // From 2^53 on, doubles lie further apart than one place, and the nearest is the number itself.
  const near = count < EXACT ? Number(count) / scale : Math.abs(value);
  return sign(value) + shortest(near);
}

/**
 * What Python prints for "%.2f" % number, with any number of places: half to even on the number as it is stored.
 * @param {any} number a finite number, of any unit
 * @param {any} places digits behind the point, from 0 to 6, as a whole number without unit
 * @returns {string} The number as text, such as 51.40 or -0.00.
 * @throws {PlanError} for a number that is not finite, and for places out of range
 * @source Python's `%` formatting; vLLM prints GiB so up to 0.13.0.
 */
export function fixed(number, places) {
  const [value, scale] = checked(number, places);
  const count = nearest(Math.abs(value), scale);
  const whole = String(count / BigInt(scale));
  const rest = String(count % BigInt(scale));
  if (places === 0) return sign(value) + whole;
  return `${sign(value)}${whole}.${"0".repeat(places - rest.length)}${rest}`;
}

/**
 * What Python prints for a float: the fewest digits that read back as the same number.
 * @param {any} number a finite number, of any unit
 * @returns {string} The number as text, such as 0.92, 1.0 or 1e-05.
 * @throws {PlanError} for a number that is not finite
 * @source Python's `float.__repr__`.
 */
export function float_text(number) {
  const [value] = checked(number, 0);
  return sign(value) + shortest(Math.abs(value));
}

/**
 * @param {any} number
 * @param {any} places
 * @returns {[number, number]}
 */
function checked(number, places) {
  if (typeof number !== "number" || !Number.isFinite(number)) throw new PlanError("number", number, "finite");
  if (typeof places !== "number" || !Number.isInteger(places) || places < 0 || places >= SCALES.length) {
    throw new PlanError("places", places, "whole_of", { least: 0, most: SCALES.length - 1 });
  }
  return [number, /** @type {number} */ (SCALES[places])];
}

/** @param {number} value */
function sign(value) {
  // -0.0 is below nothing, but is written with its sign.
  return value < 0 || Object.is(value, -0) ? "-" : "";
}

/**
 * A number ≥ 0 as Python writes it; both languages find the same digits.
 * @param {number} value
 */
function shortest(value) {
  const [, mantissa = "", power = "0"] = /^([0-9.]+)(?:e([+-][0-9]+))?$/.exec(String(value)) ?? [];
  const [whole = "", behind = ""] = mantissa.split(".");
  const all = (whole + behind).replace(/^0+/, "");
  const digits = all.replace(/0+$/, "");
  if (digits === "") return "0.0";
  // Where the point stands, counted from the first digit that is not 0.
  const point = Number(power) + all.length - behind.length;
  if (point < -3 || point > 16) {
    const exponent = Math.abs(point - 1);
    const more = digits.length > 1 ? `.${digits.slice(1)}` : "";
    return `${digits[0]}${more}e${point < 1 ? "-" : "+"}${exponent < 10 ? "0" : ""}${exponent}`;
  }
  if (point <= 0) return `0.${"0".repeat(-point)}${digits}`;
  if (point >= digits.length) return `${digits}${"0".repeat(point - digits.length)}.0`;
  return `${digits.slice(0, point)}.${digits.slice(point)}`;
}

const view = new DataView(new ArrayBuffer(8));

/**
 * How many steps of 1 ÷ scale are nearest to a number ≥ 0, the even one of two.
 * @param {number} value
 * @param {number} scale
 */
function nearest(value, scale) {
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const power = Number(bits >> 52n);
  const fraction = bits & 0xfffffffffffffn;
  const mantissa = power ? fraction | 0x10000000000000n : fraction;
  const shift = (power || 1) - 1075;
  const above = (shift > 0 ? mantissa << BigInt(shift) : mantissa) * BigInt(scale);
  const below = shift < 0 ? 1n << BigInt(-shift) : 1n;
  const count = above / below;
  const twice = 2n * (above % below);
  return twice > below || (twice === below && count % 2n === 1n) ? count + 1n : count;
}

/**
 * Bytes in GiB.
 * @param {any} count bytes, may be below 0
 * @returns {number} GiB, that is bytes ÷ 2^30.
 * @throws {PlanError} for a number that is not finite
 */
export function gib(count) {
  return checked(count, 0)[0] / GIB_BYTES;
}

/**
 * Bytes in GiB with two places, as a version of vLLM prints them.
 * @param {any} count bytes, may be below 0
 * @param {string} rounding “round” for round(x, 2), “fixed” for %.2f
 * @returns {string} GiB as text, without unit.
 * @throws {PlanError} for a number that is not finite
 */
export function gib_text(count, rounding) {
  return rounding === "round" ? rounded(gib(count), 2) : fixed(gib(count), 2);
}

/**
 * Bytes of a size in GiB, rounded down.
 * @param {any} size size, GiB
 * @returns {number} Bytes.
 * @throws {PlanError} for a number that is not finite
 */
export function bytes_of_gib(size) {
  return Math.floor(checked(size, 0)[0] * GIB_BYTES);
}

/**
 * A whole number with its thousands set apart: 1202 → “1,202”.
 * @param {number} count a whole number, of any unit
 * @returns {string} Digits and commas.
 */
export function commas(count) {
  let digits = String(Math.abs(count));
  /** @type {string[]} */
  let groups = [];
  while (digits.length > 3) {
    groups = [digits.slice(-3), ...groups];
    digits = digits.slice(0, -3);
  }
  return (count < 0 ? "-" : "") + [digits, ...groups].join(",");
}
