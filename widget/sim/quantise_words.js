// @ts-check
/**
 * What the tool “quantise” answers: a footprint, what it is made of, and the time of a step that reads it.
 * @module
 */

import { MOST_WHOLE, number_between } from "./checks.js";
import { WORDS } from "./facts.js";
import { GIB } from "./kv.js";
import { FORMATS, footprint, left_parameters, quantised_parameters } from "./quantise.js";
import { TOOLS, figure } from "./serving_facts.js";
import { one_of, said } from "./tool.js";
import { commas, whole_number } from "./words.js";

/** @import { Footprint, Shape } from "./quantise.js" */
/** @import { Answer, Row } from "./tool.js" */

/**
 * Width of a stored weight in each format, in bits; 8 of them are one of the bytes.
 * @type {Readonly<Record<string, number>>}
 */
export const BITS = { fp16: 16, int8: 8, fp8: 8, nf4: 4, nf4_double: 4 };

/**
 * The answer to the settings of the tool “quantise”.
 * @param {Record<string, any>} settings model and format by name, bandwidth from 1 to 2^53 − 1 bytes per second
 * @returns {Answer} Sentences, and rows in GB.
 * @throws {SimError} naming the setting that cannot be used
 */
export function quantise_answer(settings) {
  const model = one_of("model", settings.model, TOOLS.quantise.controls.model.values);
  const [name, bandwidth] = [settings.format, number_between("bandwidth", settings.bandwidth, 1, MOST_WHOLE)];
  /** @type {Shape} */
  const shape = figure("quantise", model);
  const sizes = Object.fromEntries(FORMATS.map((each) => [each, footprint(shape, each)]));
  const here = sizes[one_of("format", name, FORMATS)];
  /** @type {Record<string, string>} */
  const lines = {
    ...size_lines(model, name, shape, here),
    smaller: smaller_line(name, here.total_bytes, sizes.fp16.total_bytes),
    left: said("quantise", `lines.left.${shape.tied ? "tied" : "untied"}`, { gb: gb(here.left_bytes) }),
    ...constants_lines(name, here, quantised_parameters(shape)),
    step: step_line(name, here.total_bytes, sizes.fp16.total_bytes, bandwidth),
  };
  if (!shape.tied) lines.table = said("quantise", "lines.table");
  if (name !== "fp16") lines.quality = said("quantise", "lines.quality");
  return { lines, rows: [...format_rows(name, sizes), ...part_rows(here)], lanes: [] };
}

/**
 * A number ≥ 0 with as many decimals as the scale has zeros, halves up, made from an integer.
 * @param {number} x a number, of any unit
 * @param {number} scale 100 or 1,000, how many parts a unit has
 * @returns {string} Digits and separators.
 */
export function decimals(x, scale) {
  const parts = whole_number(x * scale);
  return `${commas(Math.floor(parts / scale))}${WORDS.numbers.decimal}${String((parts % scale) + scale).slice(1)}`;
}

/** @param {string} model @param {string} name @param {Shape} shape @param {Footprint} here */
function size_lines(model, name, shape, here) {
  const parameters = quantised_parameters(shape) + left_parameters(shape);
  const terms = {
    model: said("quantise", `controls.model.names.${model}`),
    format: said("quantise", `controls.format.names.${name}`),
    gb: gb(here.total_bytes),
    gib: decimals(here.total_bytes / GIB, 100),
    billions: gb(parameters),
    bytes: decimals(here.total_bytes / parameters, 100),
  };
  return { footprint: said("quantise", "lines.footprint", terms) };
}

/** @param {string} name @param {number} total @param {number} fp16 */
function smaller_line(name, total, fp16) {
  if (name === "fp16") return said("quantise", "lines.smaller.fp16");
  const [times, bits] = [decimals(fp16 / total, 100), BITS[name]];
  return said("quantise", "lines.smaller.other", { gb16: gb(fp16), times, bits, ideal: BITS.fp16 / bits });
}

/** @param {string} name @param {Footprint} here @param {number} weights @returns {Record<string, string>} */
function constants_lines(name, { constants_bytes: count }, weights) {
  if (name === "fp16") return {};
  const terms = { mb: decimals(count / 1e6, 100), bits: decimals((8 * count) / weights, 1000), count };
  return { constants: said("quantise", `lines.constants.${name}`, terms) };
}

/** @param {string} name @param {number} total @param {number} fp16 @param {number} bandwidth */
function step_line(name, total, fp16, bandwidth) {
  const [ms, ms16] = [total, fp16].map((size) => decimals(1000 * (size / bandwidth), 100));
  const rate = whole_number(bandwidth / 1e9);
  return said("quantise", `lines.step.${name === "fp16" ? "fp16" : "other"}`, { rate, ms, ms16 });
}

/** @param {string} name @param {Record<string, Footprint>} sizes */
function format_rows(name, sizes) {
  return FORMATS.map((each) =>
    row("formats", `controls.format.names.${each}`, sizes[each].total_bytes, each === name ? "good" : "plain"),
  );
}

/** @param {Footprint} here */
function part_rows({ quantised_bytes, constants_bytes, left_bytes }) {
  return [
    row("parts", "rows.quantised", quantised_bytes, "plain"),
    row("parts", "rows.constants", constants_bytes, "cost"),
    row("parts", "rows.left", left_bytes, "plain"),
  ];
}

/** @param {string} group @param {string} name @param {number} size @param {string} kind @returns {Row} */
function row(group, name, size, kind) {
  const text = said("quantise", "rows.size", { n: gb(size) });
  return { group: said("quantise", `rows.${group}`), name: said("quantise", name), amount: size / 1e9, text, kind };
}

/** @param {number} n */
function gb(n) {
  return decimals(n / 1e9, 100);
}
