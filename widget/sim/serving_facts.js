// @ts-check
/**
 * The only reader of the facts of the second lesson: for each tool its controls, figures and sentences.
 * @module
 */

import percentiles from "../../sim/poolroom/facts/serving/percentiles.json" with { type: "json" };
import floor from "../../sim/poolroom/facts/serving/floor.json" with { type: "json" };
import kv from "../../sim/poolroom/facts/serving/kv.json" with { type: "json" };
import batcher from "../../sim/poolroom/facts/serving/window.json" with { type: "json" };
import cache from "../../sim/poolroom/facts/serving/cache.json" with { type: "json" };
import quantise from "../../sim/poolroom/facts/serving/quantise.json" with { type: "json" };

/**
 * What one control of a tool offers.
 * @typedef {object} Control
 * @property {readonly any[]} values its choices, in the unit of the facts
 * @property {any} opening the choice that it opens with, in the same unit
 * @property {number} [per] what a number is divided by before it is shown, in the same unit
 */
/**
 * One tool: its controls, its figures and its words.
 * @typedef {object} Tool
 * @property {Readonly<Record<string, Control>>} controls its controls by name
 * @property {Readonly<Record<string, {value: any}>>} figures its figures by name, each in the unit of the facts
 * @property {any} words its sentences
 */

/**
 * Controls, figures and words of each tool, by its name, in the order of the lesson.
 * @type {Readonly<Record<string, Tool>>}
 * @source `facts/serving`, with a source and a date for each figure and each list of choices.
 */
export const TOOLS = { percentiles, floor, kv, "window": batcher, cache, quantise };

/**
 * The value of one figure of a tool.
 * @param {string} tool name of the tool
 * @param {string} name name of the figure
 * @returns {any} The value, in the unit that the facts name.
 */
export function figure(tool, name) {
  return TOOLS[tool].figures[name].value;
}

/**
 * What a tool's controls open with.
 * @param {string} tool name of the tool
 * @returns {Record<string, any>} Values by name, in the unit that the facts name.
 */
export function opening(tool) {
  return Object.fromEntries(Object.entries(TOOLS[tool].controls).map(([key, control]) => [key, control.opening]));
}
