// @ts-check
/**
 * What every tool of the second lesson shares: the shape of an answer, and how its sentences are filled.
 * @module
 */

import { SimError } from "./checks.js";
import { WORDS } from "./facts.js";
import { TOOLS } from "./serving_facts.js";
import { marked } from "./words.js";

/** @import { Terms } from "./words.js" */

/**
 * One bar of a tool's picture, and one line of its table.
 * @typedef {object} Row
 * @property {string} group what the bar is compared with: bars of one group have one scale
 * @property {string} name what it stands for
 * @property {number} amount how long it is, ≥ 0, in the unit that its text names
 * @property {string} text the amount in words
 * @property {string} kind how it is drawn: "plain", "good", "cost" or "limit"
 */
/**
 * One stretch of a lane.
 * @typedef {object} Span
 * @property {number} start where it begins, seconds from time 0
 * @property {number} end where it ends, seconds from time 0
 * @property {string} kind what happens in it, such as "waits", "writes" or "idles"
 */
/**
 * One line of a picture over time.
 * @typedef {object} Lane
 * @property {string} group which picture it belongs to
 * @property {string} name whose line it is
 * @property {Span[]} spans its stretches, in order
 */
/**
 * What a tool says to its settings.
 * @typedef {object} Answer
 * @property {Record<string, string>} lines sentences by name, in the order in which they are read; outcomes between
 *   asterisks
 * @property {Row[]} rows bars of its picture
 * @property {Lane[]} lanes lines of its picture over time; empty where it has none
 */

/**
 * A sentence of a tool, filled; outcomes still between asterisks.
 * @param {string} tool name of the tool
 * @param {string} name where its template stands in the tool's words, such as "lines.floor"
 * @param {Terms} [terms] what the template's names stand for, in any unit; in Python they are named arguments
 * @returns {string} One or more sentences in one text.
 */
export function said(tool, name, terms = {}) {
  let template = TOOLS[tool].words;
  for (const part of name.split(".")) template = template[part];
  return marked(template, terms).join(WORDS.joiner);
}

/**
 * The value itself if it is one of a few names.
 * @param {string} setting name of the setting, for the refusal
 * @param {unknown} value what was given
 * @param {readonly string[]} choices the names
 * @returns {string} The value.
 * @throws {SimError} for anything else
 */
export function one_of(setting, value, choices) {
  if (typeof value !== "string" || !choices.includes(value)) {
    throw new SimError(setting, value, "choice", { choices: choices.join(", ") });
  }
  return value;
}
