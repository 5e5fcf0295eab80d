// @ts-check
/**
 * The tools of the second lesson by name: settings in, sentences and a picture out.
 * @module
 */

import { cache_answer } from "./cache_words.js";
import { floor_answer } from "./floor_words.js";
import { kv_answer } from "./kv_words.js";
import { percentiles_answer } from "./percentiles_words.js";
import { quantise_answer } from "./quantise_words.js";
import { TOOLS, opening } from "./serving_facts.js";
import { one_of } from "./tool.js";
import { window_answer } from "./window_words.js";
import { plain, say, tenths, whole_number } from "./words.js";

/** @import { Answer } from "./tool.js" */

/**
 * Who answers for each tool, in the order of the lesson.
 * @type {Readonly<Record<string, (settings: Record<string, any>) => Answer>>}
 */
export const ANSWERS = {
  percentiles: percentiles_answer,
  floor: floor_answer,
  kv: kv_answer,
  "window": window_answer,
  cache: cache_answer,
  quantise: quantise_answer,
};

/**
 * What a tool says to its settings; what is not given stands as the page opens.
 *
 * Any value in the tool's domain is answered, also one that the page does not offer.
 * @param {string} tool name of the tool
 * @param {Record<string, any>} settings values by name, in the units of the facts
 * @returns {Answer} Sentences with their outcomes between asterisks, and a picture.
 * @throws {SimError} naming the tool or setting, the value, and what is allowed
 */
export function answer(tool, settings) {
  const name = one_of("tool", tool, Object.keys(ANSWERS));
  for (const key of Object.keys(settings)) one_of(`${name} setting`, key, Object.keys(TOOLS[name].controls));
  return ANSWERS[name]({ ...opening(name), ...settings });
}

/**
 * The sentences of an answer as plain text, in the order in which they are read.
 * @param {string} tool name of the tool
 * @param {Record<string, any>} settings values by name, in the units of the facts
 * @returns {string[]} One text for each line.
 * @throws {SimError} naming the tool or setting, the value, and what is allowed
 */
export function answer_lines(tool, settings) {
  return Object.values(answer(tool, settings).lines).map((line) => plain([line]));
}

/**
 * How a control shows one of its choices: its name, or its number with the unit.
 * @param {string} tool name of the tool
 * @param {string} key name of the setting
 * @param {any} value one of its choices, in the unit of the facts
 * @returns {string} A short text.
 */
export function choice_text(tool, key, value) {
  const [control, texts] = [TOOLS[tool].controls[key], TOOLS[tool].words.controls[key]];
  if (typeof value !== "number") return String(texts.names[String(value)]);
  const shown = value / (control.per ?? 1);
  const near = whole_number(shown);
  return say(texts.value, { n: near === shown ? near : tenths(shown) });
}
