// @ts-check
/** The settings that the widget offers: which values are choices, and what a text from outside means. */

import { SimError, shown } from "../sim/checks.js";
import { CHOICES, OPENING, WORDS } from "../sim/facts.js";
import { commas, say } from "../sim/words.js";

/** @import { Words } from "../sim/facts.js" */

/**
 * One setting of every control; `chats` names the list of chats.
 * @typedef {Readonly<{share: number, longest: number, cap: number, reserved: boolean, chats: string}>} Settings
 */

/** @typedef {keyof Settings} Key */


/** The controls' names in the address and as attributes, in the order in which they are written. */
export const KEYS = /** @type {const} */ (["share", "longest", "cap", "reserved", "chats"]);

/** Whether a name is a control's. @param {string} name */
export function isKey(name) {
  return KEYS.some((key) => key === name);
}

/** Where everything starts when an author says nothing. @type {Settings} */
export const START = Object.freeze({ ...OPENING, chats: CHOICES.chats.opening });

/**
 * What is offered for one key.
 * @param {Key} key
 * @returns {readonly (number | string | boolean)[]}
 */
export function choicesOf(key) {
  return CHOICES[key].values;
}

/**
 * The value that a text stands for, or undefined when it is no choice.
 * @param {Key} key
 * @param {string} text
 * @returns {number | string | boolean | undefined}
 */
export function parse(key, text) {
  if (key === "reserved") return flag(key, text);
  const value = key === "chats" || !/^\d{1,7}$/.test(text) ? text : Number(text);
  return choicesOf(key).includes(value) ? value : undefined;
}

const FLAGS = new Map([["1", true], ["true", true], ["0", false], ["false", false]]);

/**
 * Yes or no from a text; an empty value and the name itself are how HTML writes an attribute that is simply there.
 * @param {string} name
 * @param {string} text
 * @returns {boolean | undefined}
 */
export function flag(name, text) {
  return text === "" || text === name ? true : FLAGS.get(text);
}

/**
 * The text of a value in the address or an attribute.
 * @param {number | string | boolean} value
 * @returns {string}
 */
export function format(value) {
  return typeof value === "boolean" ? (value ? "1" : "0") : String(value);
}

/**
 * What a reader is told about a value that is no choice.
 * @param {Key} key
 * @param {string} text
 * @param {number | string | boolean} used
 * @param {Words} [words]
 * @returns {string}
 */
export function refusal(key, text, used, words = WORDS) {
  const terms = { key, value: quoted(text), used: name(used, words) };
  if (key !== "share") return say(words.notices.choice, terms, words);
  const [least, most] = ends(CHOICES.share.values);
  return say(words.notices.share, { ...terms, least, most }, words);
}

/** A text from outside, fit to be shown: no control characters, not endless. @param {string} text */
export function quoted(text) {
  const readable = text.replace(/\p{Cc}/gu, "\u{FFFD}");
  return readable.length > 40 ? `${readable.slice(0, 40)}…` : readable;
}

/** @param {readonly number[]} values */
function ends(values) {
  return [values[0], values[values.length - 1]];
}

/** @param {number | string | boolean} value @param {Words} words */
function name(value, words) {
  return typeof value === "number" ? commas(value, words) : format(value);
}

/**
 * Settings from texts, key by key: a text that is no choice gives `start`'s value and a notice.
 * @param {Iterable<readonly [Key, string]>} texts
 * @param {Settings} start
 * @param {Words} [words]
 * @returns {{settings: Settings, notices: string[]}}
 */
export function read(texts, start, words = WORDS) {
  /** @type {Record<string, number | string | boolean>} */
  const settings = { ...start };
  const notices = [];
  for (const [key, text] of texts) {
    const value = parse(key, text);
    if (value === undefined) notices.push(refusal(key, text, start[key], words));
    else settings[key] = value;
  }
  return { settings: Object.freeze(/** @type {any} */ (settings)), notices };
}

/**
 * Settings with some values replaced by a program.
 * @param {Settings} settings
 * @param {Partial<Settings>} changes
 * @returns {Settings}
 * @throws {SimError} naming the key, the value and the choices
 */
export function replace(settings, changes) {
  if (Object.prototype.toString.call(changes) !== "[object Object]") {
    throw new SimError("settings", changes, "record", { choices: KEYS.join(", ") });
  }
  const copy = Object.fromEntries(Object.entries(changes)); // a getter is asked once
  for (const [key, value] of Object.entries(copy)) {
    if (!isKey(key)) throw new SimError("settings", key, "choice", { choices: KEYS.join(", ") });
    const choices = choicesOf(/** @type {Key} */ (key));
    if (!choices.includes(value)) throw new SimError(key, value, "choice", { choices: choices.map(shown).join(", ") });
  }
  return Object.freeze({ ...settings, ...copy });
}

/**
 * One settings record with some keys taken from another.
 * @param {Settings} settings
 * @param {Settings} other
 * @param {Iterable<Key>} keys
 * @returns {Settings}
 */
export function take(settings, other, keys) {
  /** @type {Record<string, number | string | boolean>} */
  const copy = { ...settings };
  for (const key of keys) copy[key] = other[key];
  return Object.freeze(/** @type {any} */ (copy));
}

/**
 * The keys in which two settings differ.
 * @param {Settings} one
 * @param {Settings} other
 * @returns {Key[]}
 */
export function moved(one, other) {
  return KEYS.filter((key) => one[key] !== other[key]);
}

/**
 * Whether two settings are the same.
 * @param {Settings} one
 * @param {Settings} other
 */
export function same(one, other) {
  return moved(one, other).length === 0;
}
