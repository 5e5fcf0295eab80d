// @ts-check
/** Settings in the query of an address: only what differs from the start is written; foreign keys are kept. */

import { CHOICES, WORDS } from "../sim/facts.js";
import { say } from "../sim/words.js";
import { KEYS, format, read } from "./settings.js";

/** @import { Key, Settings } from "./settings.js" */

/**
 * Settings from a query such as "?share=48&cap=128", and notices for what could not be used.
 * @param {string} query
 * @param {Settings} start
 * @returns {{settings: Settings, notices: string[]}}
 */
export function readQuery(query, start) {
  const parameters = new URLSearchParams(query);
  /** @type {[Key, string][]} */
  const texts = [];
  for (const key of KEYS) {
    const [first] = parameters.getAll(key);
    if (first !== undefined) texts.push([key, first]);
  }
  const { settings, notices } = read(texts, start);
  return { settings, notices: [...notices, ...repeated(parameters, settings), ...mistaken(parameters)] };
}

/**
 * @param {URLSearchParams} parameters
 * @param {Settings} settings
 */
function repeated(parameters, settings) {
  const twice = KEYS.filter((key) => parameters.getAll(key).length > 1);
  return twice.map((key) => say(WORDS.notices.repeated, { key, used: format(settings[key]) }));
}

/** Names that somebody means for one of ours; any other foreign key is not our business. @param {URLSearchParams} parameters */
function mistaken(parameters) {
  const known = new Set(/** @type {string[]} */ ([...KEYS]));
  const wrong = [...new Set(parameters.keys())].filter(
    (key) => !known.has(key) && (known.has(key.toLowerCase()) || CHOICES.mistaken.includes(key.toLowerCase())),
  );
  return wrong.map((key) => say(WORDS.notices.unknown, { key }));
}

/**
 * A query for settings, with the foreign keys of the present query first; empty when nothing differs from the start.
 * @param {Settings} settings
 * @param {Settings} start
 * @param {string} [present]
 * @returns {string}
 */
export function writeQuery(settings, start, present = "") {
  const parameters = new URLSearchParams(present);
  for (const key of KEYS) {
    parameters.delete(key);
    if (settings[key] !== start[key]) parameters.set(key, format(settings[key]));
  }
  const query = parameters.toString();
  return query === "" ? "" : `?${query}`;
}
