// @ts-check
/**
 * One command to start the server: exactly the settings that differ from the version's defaults.
 * @module
 */

import { MOST_WHOLE } from "../checks.js";
import { VERSIONS } from "./plan_facts.js";
import { PlanError } from "./refuse.js";
import { fixed } from "./rounding.js";
import { resolve } from "./settings.js";
import { trimmed } from "./values.js";
import { at_least, read_version, rules_of } from "./versions.js";

/** @typedef {import("./settings.js").Settings} Settings */

/**
 * The first release read that has `vllm serve`.
 * @source vLLM 0.5.5, scripts.py; PR 5090.
 */
export const FIRST_SERVE = "0.5.5";
/**
 * The first release read whose switches are turned off by --no-…; before that, by =False.
 * @source vLLM 0.8.5, engine/arg_utils.py, BooleanOptionalAction.
 */
export const FIRST_NO = "0.8.5";
/** Characters that a shell takes as they are. */
export const PLAIN = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./:@+-";
/** Smaller numbers, of any unit, are not written as they are. */
export const LEAST_PLAIN = 0.0001;
/** What is not compared when a setting is left out: what it cannot change, and what says that it was given. */
export const LEFT_OUT = ["given", "not_counted", "card", "model", "rules", "measured"];
/**
 * What stands for a model whose config.json does not name it: one word that vLLM refuses before it loads anything.
 * @source huggingface_hub, `validate_repo_id`: a name has no < and no >.
 */
export const NAMELESS = "<your-model>";
/** A value that is JSON is written with so many levels at most, a count without unit. */
export const DEEPEST = 20;

/**
 * The command that starts vLLM with these settings; what is a default of the version is left out.
 * @param {Record<string, any>} asked settings by vLLM's names
 * @returns {string} One line for a shell.
 * @throws {PlanError} for a setting that cannot be used
 */
export function command(asked) {
  asked = trimmed(asked);
  const settings = resolve(asked);
  const kept = needed_settings(asked, settings);
  const order = read_version(settings.rules.version).order;
  const words = environment(asked, settings);
  if (at_least(order, FIRST_SERVE)) {
    words.push("vllm", "serve", quoted(model_name(asked, settings)));
  } else {
    words.push("python", "-m", "vllm.entrypoints.openai.api_server", "--model");
    words.push(quoted(model_name(asked, settings)));
  }
  for (const row of VERSIONS.settings) {
    if (row.flag && kept.includes(row.name)) words.push(...flag_words(row.flag, asked[row.name], at_least(order, FIRST_NO)));
  }
  for (const name of settings.not_counted) words.push(...uncounted(name, asked[name]));
  return words.join(" ");
}

/**
 * Which given settings are no defaults: what may be left out without changing anything is left out.
 * @param {Record<string, any>} asked settings by vLLM's names
 * @param {Settings} settings as resolved
 * @returns {string[]} Names of settings.
 */
export function needed_settings(asked, settings) {
  let kept = { ...asked };
  for (const row of VERSIONS.settings) {
    const name = row.name;
    if (!row.flag || !Object.hasOwn(kept, name)) continue;
    const without = Object.fromEntries(Object.entries(kept).filter(([key]) => key !== name));
    if ((asked[name] ?? null) === null || same(without, settings, name)) kept = without;
  }
  const rows = VERSIONS.settings.filter((/** @type {any} */ row) => row.flag && Object.hasOwn(kept, row.name));
  return rows.map((/** @type {any} */ row) => row.name);
}

/**
 * @param {Record<string, any>} asked
 * @param {Settings} settings
 * @param {string} without
 * @returns {boolean}
 */
function same(asked, settings, without) {
  // Only the setting for the weights is read with the model; without any other the model is the same.
  let other;
  try {
    other = resolve(asked, without === "quantization" ? null : settings);
  } catch (error) {
    if (error instanceof PlanError) return false;
    throw error;
  }
  if (without === "quantization" && other.model.quantisation !== settings.model.quantisation) return false;
  /** @type {any} */
  const one = settings;
  /** @type {any} */
  const two = other;
  return Object.keys(one).every((name) => LEFT_OUT.includes(name) || one[name] === two[name]);
}

/**
 * @param {Record<string, any>} asked
 * @param {Settings} settings
 * @returns {string}
 */
function model_name(asked, settings) {
  return typeof asked.model === "string" ? asked.model : settings.model.name || NAMELESS;
}

/**
 * @param {Record<string, any>} asked
 * @param {Settings} settings
 * @returns {string[]}
 */
function environment(asked, settings) {
  // What is set by the environment, not by a flag.
  const words = [];
  const rules = settings.rules;
  if ((asked.engine ?? null) !== null && rules.engine !== rules_of(rules.version).engine) {
    words.push(rules.engine === "V1" ? "VLLM_USE_V1=1" : "VLLM_USE_V1=0");
  }
  const estimate = asked.estimate_cudagraphs ?? null;
  if (estimate !== null && rules.graphs !== "outside" && estimate !== (rules.graphs === "inside")) {
    words.push(`VLLM_MEMORY_PROFILER_ESTIMATE_CUDAGRAPHS=${estimate ? 1 : 0}`);
  }
  if (asked.flashinfer_sampler) words.push("VLLM_USE_FLASHINFER_SAMPLER=1");
  return words;
}

/**
 * @param {string} flag
 * @param {any} value
 * @param {boolean} has_no
 * @returns {string[]}
 */
function flag_words(flag, value, has_no) {
  if (value === true) return [flag];
  if (value === false) return has_no ? [`--no-${flag.slice(2)}`] : [`${flag}=False`];
  return [flag, quoted(number_text(value))];
}

/**
 * @param {string} name
 * @param {any} value
 * @returns {string[]}
 */
function uncounted(name, value) {
  // What is not counted is the user's own, and stays as it is; only switches stand without a value.
  const flag = `--${name.split("_").join("-")}`;
  if (value === true) return name.startsWith("enable_") ? [flag] : [];
  return [flag, quoted(typeof value === "string" ? value : json(name, value, 0))];
}

/**
 * @param {string} name
 * @param {any} value
 * @param {number} deep
 * @returns {string}
 */
function json(name, value, deep) {
  if (typeof value === "string") return `"${[...value].map(escaped).join("")}"`;
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "number" && Math.abs(value) <= MOST_WHOLE) return number_text(value);
  if (typeof value !== "object" || deep === DEEPEST) throw new PlanError(name, value, "flag_value");
  if (Array.isArray(value)) return `[${value.map((each) => json(name, each, deep + 1)).join()}]`;
  return `{${Object.entries(value).map(([key, each]) => `${json(name, key, 0)}:${json(name, each, deep + 1)}`).join()}}`;
}

/**
 * @param {string} letter
 * @returns {string}
 */
function escaped(letter) {
  if (letter === '"' || letter === "\\") return `\\${letter}`;
  const code = letter.charCodeAt(0);
  return letter >= " " ? letter : `\\u00${Math.floor(code / 16)}${"0123456789abcdef"[code % 16]}`;
}

/**
 * A value as a command line takes it: whole numbers without a point, others with as many places as they have.
 * @param {any} value text or a number of any unit
 * @returns {string} The text.
 * @throws {PlanError} for a number that is not finite
 */
export function number_text(value) {
  if (typeof value === "string") return value;
  if (value === Math.floor(value)) return String(value);
  // Smaller ones are written with an exponent, and not in the same way everywhere.
  return value >= LEAST_PLAIN ? String(value) : fixed(value, 6);
}

/**
 * Text as a shell takes it: in quotes where it has to be.
 * @param {string} text one word of a command
 * @returns {string} The word.
 */
export function quoted(text) {
  if (text && [...text].every((letter) => PLAIN.includes(letter))) return text;
  return "'" + text.split("'").join("'\\''") + "'";
}
