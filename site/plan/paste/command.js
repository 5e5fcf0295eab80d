// @ts-check
/**
 * The settings of a command, however the server is started.
 * @module
 */

import { known, problem, settle, unknown } from "./flags.js";
import { flow } from "./literals.js";
import { assignments, shell_words } from "./shell.js";

/** @typedef {import("./reading.js").Said} Said */

/** What docker's flags that take no value are called. */
const SOLE = /^(--(rm|detach|init|privileged|interactive|tty|no-healthcheck|read-only)|-[ditP]{1,4})$/;
const IMAGE_VERSION = /vllm[A-Za-z0-9_./-]{0,60}:v?([0-9]{1,2}\.[0-9]{1,3}\.[0-9]{1,3}(?:\.?(?:post|rc|dev)[0-9]{1,4})?)/;
const SHELLS = /(^|\/)(ba|z|da)?sh$/;
const DEEP = 4;

/**
 * Settings that a container's image and a process's variables carry.
 * @param {Said} said @param {string} name @param {string} value
 */
export function settle_variable(said, name, value) {
  if (/^(CUDA|NVIDIA|HIP|ROCR)_VISIBLE_DEVICES$/.test(name) && /^[0-9a-zA-Z-]+(,[0-9a-zA-Z-]+)*$/.test(value) && !/^(all|none|void)$/.test(value)) {
    said.cards = value.split(",").length;
  } else if (name === "VLLM_USE_V1") said.asked.engine = value === "0" ? "V0" : "V1";
  else if (name === "VLLM_MEMORY_PROFILER_ESTIMATE_CUDAGRAPHS") said.asked.estimate_cudagraphs = value === "1";
  else if (name === "VLLM_ALLOW_LONG_MAX_MODEL_LEN") said.long_allowed = value === "1";
}

/** @param {Said} said @param {string} image */
export function settle_image(said, image) {
  const found = IMAGE_VERSION.exec(image.slice(0, 300));
  if (found) said.asked.version = found[1];
}

/**
 * The server's own words: the model and the flags.
 * @param {Said} said @param {string[]} words
 */
export function settle_words(said, words) {
  words = words.map(dashed);
  let model = "";
  for (let i = 0; i < words.length; i += 1) {
    const word = words[i];
    if (!/^-{1,2}[A-Za-z]/.test(word)) {
      if (!model && word && !word.startsWith("-")) model = word;
      continue;
    }
    const equals = word.indexOf("=");
    const written = equals < 0 ? word : word.slice(0, equals);
    const { name, arity, on } = known(written);
    const next = words[i + 1];
    const free = next !== undefined && !/^--?[A-Za-z]/.test(next);
    /** @type {string | boolean | undefined} */
    let value;
    if (equals >= 0) value = word.slice(equals + 1);
    else if (arity === 0) {
      value = on;
      if (free && /^(true|false)$/i.test(next)) [value, i] = [next, i + 1];
    } else if (free) [value, i] = [next, i + 1];
    while (arity === 2 && equals < 0 && i + 1 < words.length && !/^--?[A-Za-z]/.test(words[i + 1])) i += 1;
    if (arity === undefined) unknown(said, written);
    else if (value === undefined) problem(said, "no_value", { name });
    else settle(said, name, value, written);
  }
  if (model && said.asked.model === undefined) settle(said, "model", model);
}

/** A flag whose two dashes a web page or a word processor made one long one. @param {string} word */
function dashed(word) {
  const found = /^[\u2010-\u2015\u2212][\u2010-\u2015\u2212-]?([A-Za-z][A-Za-z0-9_.-]{0,60})/.exec(word);
  return found && known(`--${found[1]}`).arity !== undefined ? `--${word.slice(word.indexOf(found[1]))}` : word;
}

/**
 * Where the server's own words begin among a command's words.
 * @param {string[]} words
 * @returns {string[] | null}
 */
function own_words(words) {
  for (let i = 0; i < words.length; i += 1) {
    if (/(^|[/\\])vllm(\.exe)?$/.test(words[i]) && words[i + 1] === "serve") return words.slice(i + 2);
    if (words[i] === "-m" && /^vllm\.entrypoints\.(openai\.)?api_server$/.test(words[i + 1] ?? "")) return words.slice(i + 2);
    if (/(^|[/\\])api_server\.py$/.test(words[i])) return words.slice(i + 1);
  }
  return null;
}

/**
 * The settings of a command.
 * @param {Said} said @param {string[]} words @param {boolean} inside whether an image of vLLM runs them
 * @param {number} [depth]
 * @returns {boolean} whether it is one that starts vLLM
 */
export function settle_command(said, words, inside, depth = 0) {
  const run = words.findIndex((word, i) => /(^|\/)(docker|podman|nerdctl)$/.test(word) && words[i + 1] === "run");
  if (run >= 0 && depth < DEEP) return settle_container(said, words.slice(run + 2), depth + 1);
  for (const word of words) {
    const set = /^([A-Z][A-Z0-9_]{2,60})=(.{0,300})$/.exec(word);
    if (set) settle_variable(said, set[1], set[2]);
  }
  const own = own_words(words);
  if (own) {
    settle_words(said, own);
    return true;
  }
  const script = words.findIndex((word, i) => i > 0 && /^-[a-z]{0,3}c$/.test(word) && SHELLS.test(words[i - 1]));
  if (script >= 0 && words[script + 1] && depth < DEEP) return settle_script(said, words[script + 1], depth + 1);
  if (!inside) return false;
  settle_words(said, words[0] === "serve" ? words.slice(1) : words);
  return true;
}

/**
 * A shell's script of several commands: the first that starts vLLM.
 * @param {Said} said @param {string} script @param {number} depth
 */
export function settle_script(said, script, depth = 1) {
  const variables = assignments(script);
  for (let at = 0; at < script.length;) {
    const { words, end } = shell_words(script, at, variables);
    if (words.length && settle_command(said, words, false, depth)) return true;
    at = script[end] === "#" ? (script.indexOf("\n", end) + 1 || script.length) : end + 1;
  }
  return false;
}

/** @param {Said} said @param {string[]} words what follows `docker run` @param {number} depth */
function settle_container(said, words, depth) {
  let entry = "";
  let i = 0;
  for (; i < words.length && words[i].startsWith("-"); i += 1) {
    const equals = words[i].indexOf("=");
    const name = equals < 0 ? words[i] : words[i].slice(0, equals);
    let value = equals < 0 ? "" : words[i].slice(equals + 1);
    if (equals < 0 && !SOLE.test(name) && !/^-[a-z][^-]/.test(name)) value = words[++i] ?? "";
    if (name === "--entrypoint") entry = value;
    if (name === "--gpus") said.cards = cards_of(value) ?? said.cards;
    if (name === "-e" || name === "--env") settle_variable(said, value.split("=")[0], value.slice(value.indexOf("=") + 1));
  }
  const image = words[i] ?? "";
  if (!/vllm/i.test(image) && !own_words(words.slice(i + 1))) return false;
  settle_image(said, image);
  const rest = words.slice(i + 1);
  return settle_command(said, entry ? [entry, ...rest] : rest, true, depth);
}

/** How many cards docker is asked for. @param {string} text */
function cards_of(text) {
  const bare = text.replace(/["']/g, "");
  if (/^[0-9]{1,3}$/.test(bare)) return Number(bare);
  const devices = /device=([0-9a-zA-Z,-]{1,200})/.exec(bare);
  return devices ? devices[1].split(",").length : null;
}

/** A line that begins with a flag, be it an item of a list. */
const FLAG_LINE = /^[ \t]*(?:- *)?["']?--[a-z]/;

/**
 * The lines of a text that begin with a known flag: two flags at least, for one may be quoted from anywhere.
 * @param {string} text
 * @returns {string}
 */
export function flag_lines(text) {
  const lines = text.split("\n", 2000).filter((line) => FLAG_LINE.test(line) && known(/--[A-Za-z0-9_.-]+/.exec(line)?.[0] ?? "").arity !== undefined);
  return lines.join("\n").split(/(?:^|[\s"'])--[a-z]/).length > 2 ? lines.join("\n") : "";
}

/** What a variable sets that is called as a setting is: `MAX_MODEL_LEN=32768`; "" where it is none. @param {string} line */
function by_variable(line) {
  const set = /^[ \t]*(?:export +|ENV +|- +)?["']?([A-Z][A-Z0-9_]{3,60})["']?(?:=|: +)(\S.*)$/.exec(line);
  const name = set?.[1] === "MODEL_NAME" ? "model" : set?.[1].toLowerCase() ?? "";
  return set && known(name).name === name && known(name).arity !== undefined ? `--${name}=${shell_words(set[2], 0).words.join(" ")}` : "";
}

/**
 * Flags alone, in lines or in a list, or a file of settings: taken where nothing else is in the text.
 * @param {Said} said @param {string} text
 */
export function settle_loose(said, text) {
  const words = text.split("\n", 2000).flatMap((whole) => {
    // What is commented out does not count.
    const line = whole.slice(0, 5001).replace(/^\s*#.*$|\s#\s.*$/, "");
    const variable = by_variable(line);
    if (variable) return [variable];
    const list = /\[ *["']--[a-z].*$/.exec(line);
    if (list) return flow(list[0]);
    const set = /^[ \t]*([a-z][a-z0-9_-]{1,60}): +(\S.*)$/.exec(line);
    if (set && known(set[1]).arity !== undefined) return [`--${set[1]}=${shell_words(set[2], 0).words.join(" ")}`];
    const from = line.search(/(?:--|[\u2010-\u2015]{1,2})[a-z]/);
    return from < 0 || line.length > 5000 ? [] : shell_words(line.replace(/^\s*- *(?=["'])/, ""), /^\s*- *["']/.test(line) ? 0 : from).words;
  });
  const { model } = said.asked;
  settle_words(said, words);
  // Words between the flags are no model here.
  if (!words.some((word) => /^--model(=|$)/.test(word))) {
    if (model === undefined) delete said.asked.model;
    else said.asked.model = model;
  }
}
