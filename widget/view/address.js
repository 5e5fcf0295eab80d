// @ts-check
/** Settings in the query of an address: only what differs from the start is written; foreign keys are kept. */

import { WORDS } from "../sim/facts.js";
import { say } from "../sim/words.js";
import { NAMES, QUERY_NAMES, mistaken } from "./options.js";
import { KEYS, format, read } from "./settings.js";

/** @import { Words } from "../sim/facts.js" */
/** @import { Key, Settings } from "./settings.js" */

/**
 * The texts of a query such as "?share=48&lock=share", the first where a name is given twice; names that only
 * an attribute may carry are left out.
 * @param {string} query
 * @returns {Map<string, string>}
 */
export function textsOf(query) {
  const texts = new Map();
  for (const [name, text] of new URLSearchParams(query)) if (!texts.has(name)) texts.set(name, text);
  for (const name of ATTRIBUTE_ONLY) texts.delete(name);
  return texts;
}

/** Names of the contract that only an attribute may carry. */
const ATTRIBUTE_ONLY = NAMES.filter((name) => !QUERY_NAMES.includes(name));

/**
 * Settings from a query such as "?share=48&cap=128", and notices for what could not be used.
 * @param {string} query
 * @param {Settings} start
 * @param {Words} [words]
 * @returns {{settings: Settings, notices: string[]}}
 */
export function readQuery(query, start, words = WORDS) {
  const texts = textsOf(query);
  /** @type {[Key, string][]} */
  const given = KEYS.filter((key) => texts.has(key)).map((key) => [key, texts.get(key) ?? ""]);
  const { settings, notices } = read(given, start, words);
  return { settings, notices: [...notices, ...oddities(query, settings, words)] };
}

/**
 * What to say about the names of a query: a setting given twice, or a name that somebody means for one of ours.
 * @param {string} query
 * @param {Settings} settings as they are used
 * @param {Words} words
 * @returns {string[]}
 */
export function oddities(query, settings, words) {
  const parameters = new URLSearchParams(query);
  const twice = KEYS.filter((key) => parameters.getAll(key).length > 1);
  const repeated = twice.map((key) => say(words.notices.repeated, { key, used: format(settings[key]) }, words));
  return [...repeated, ...mistaken(parameters.keys(), words)];
}

/**
 * A query for settings, with the other keys of the present query first; empty when nothing differs from the start.
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

/** What of a query the contract knows: a copied link keeps an author's choices, and nobody's trackers. @param {string} query */
export function known(query) {
  const texts = textsOf(query);
  return new URLSearchParams(QUERY_NAMES.filter((name) => texts.has(name)).map((name) => [name, texts.get(name) ?? ""])).toString();
}

/** This page without query and fragment; "" where it has no address of its own, as in a frame written by its host. */
export function ownPage() {
  return /^(https?|file):$/.test(location.protocol) ? location.href.split(/[?#]/)[0] : "";
}

/**
 * This page's address for settings; a fragment put there by a host stays.
 * @param {Settings} settings
 * @param {Settings} start
 */
export function addressOf(settings, start) {
  return `${location.pathname}${writeQuery(settings, start, location.search)}${location.hash}`;
}

/**
 * Write the address, where the page has one.
 * @param {"pushState" | "replaceState"} method
 * @param {string} address
 */
export function tryHistory(method, address) {
  try {
    history[method](history.state, "", address);
  } catch {
    // A frame without an address of its own, or too many writes: the settings stay right, only the address lags.
  }
}
