// @ts-check
/**
 * Containers in YAML, JSON or a Dockerfile: just what starts a server, line by line, so that a torn file is read too.
 * @module
 */

import { settle_command, settle_image, settle_script, settle_variable } from "./command.js";
import { known } from "./flags.js";
import { flow, scalar } from "./literals.js";
import { filled, shell_words } from "./shell.js";

/** @typedef {import("./reading.js").Said} Said */
/** @typedef {{line: number, image: string, command: string[], args: string[], variables: [string, string][], cards: number | null}} Container */

const KEY = /^( *)((?:- +)*)("?)([A-Za-z_][A-Za-z0-9_./-]{0,80})\3 *:(?: +(.*))?$/;
const ITEM = /^( *)- ?(.*)$/;
const DOCKERFILE = /^(FROM|ENTRYPOINT|CMD|ENV) +(.*)$/;
const MANY = 5000;
/** How long an image's name or a gathered argument is, and so many of these are gathered. */
const [LONG, WORDS] = [300, 100];
/** How Helm's values call an engine's settings: by vLLM's names, humped. */
const HELM = /^(vllmConfig|engineArgs)$/;
/** So many lines are read between two turns of others. */
const SOME = 100;

/**
 * The value of a key that may go on in the lines below it, as words; a text of several lines is one word.
 * @param {string[]} lines @param {number} i the key's line @param {number} indent @param {string} rest what stands behind the key
 * @returns {{items: string[], listed: boolean}}
 */
function value_of(lines, i, indent, rest) {
  const text = rest.trim();
  if (text.startsWith("[")) {
    let whole = text;
    for (let j = i; !/\],? *(#.*)?$/.test(lines[j].slice(-200)) && j + 1 < lines.length && j < i + 100; j += 1) whole += ` ${lines[j + 1].trim()}`;
    return { items: flow(whole.replace(/\],? *(#.*)?$/, "]")), listed: true };
  }
  if (/^[|>][+-]?[0-9]?[+-]? *(#.*)?$/.test(text)) return { items: [block(lines, i, indent, text[0])], listed: false };
  if (text && text[0] !== "#") {
    let whole = text;
    for (let j = i + 1; j < lines.length && j < i + 100 && depth(lines[j]) > indent; j += 1) whole += ` ${lines[j].trim()}`;
    return { items: [scalar(whole)], listed: false };
  }
  /** @type {string[]} */
  const items = [];
  for (let j = i + 1; j < lines.length && j < i + MANY; j += 1) {
    if (!lines[j].trim() || lines[j].trim()[0] === "#") continue;
    const item = ITEM.exec(lines[j]);
    if (!item || item[1].length < indent) break;
    items.push(value_of(lines, j, item[1].length, item[2]).items[0] ?? "");
    while (j + 1 < lines.length && depth(lines[j + 1]) > item[1].length) j += 1;
  }
  return { items, listed: true };
}

/** How far a line is indented; an empty one goes on with what is before it. @param {string} line */
function depth(line) {
  return line.trim() ? line.length - line.trimStart().length : Infinity;
}

/** @param {string[]} lines @param {number} i @param {number} indent @param {string} style */
function block(lines, i, indent, style) {
  const taken = [];
  for (let j = i + 1; j < lines.length && j < i + MANY && depth(lines[j]) > indent; j += 1) taken.push(lines[j]);
  const least = taken.reduce((least, line) => Math.min(least, depth(line)), Infinity);
  const bare = taken.map((line) => line.slice(least === Infinity ? 0 : least));
  return style === "|" ? bare.join("\n") : bare.map((line) => line.trim()).join(" ");
}

/**
 * All containers of a text, by where their keys stand.
 * @param {string} text
 * @returns {Generator<undefined, Container[]>} in steps
 */
export function* containers(text) {
  const lines = text.split(/\r?\n/, MANY).map((line) => line.replace(/\t/g, "  "));
  /** @type {Open} */
  const open = [{ indent: -1, box: empty(1), key: "" }];
  const all = [open[0].box];
  for (let i = 0; i < lines.length; i += 1) {
    if (i % SOME === 0) yield;
    const line = lines[i].slice(0, 20000);
    const file = DOCKERFILE.exec(line);
    const found = file ? null : KEY.exec(line);
    if (file) docker_line(all[0], file[1], file[2]);
    if (!found) {
      const set = /^ *- +["']?([A-Z][A-Z0-9_]{2,60})=(.*)$/.exec(line);
      if (set && open.at(-1)?.key === "environment") for (const { box } of open) box.variables.push([set[1], scalar(set[2].replace(/["']$/, ""))]);
      continue;
    }
    const [, spaces, dashes, , key, rest = ""] = found;
    const indent = spaces.length + dashes.length;
    close(open, dashes ? spaces.length : indent, Boolean(dashes));
    if (dashes) all.push(opened(open, spaces.length, "-", i + 1));
    take(open, lines, i, indent, key, rest);
    if (/^[[{]?$/.test(rest.trim())) all.push(opened(open, indent, key, i + 1));
  }
  return all.filter((box) => box.image || box.command.length || box.args.length);
}

/** @typedef {{indent: number, box: Container, key: string}[]} Open the keys and items that a line stands in */

/** Leave what a line does not stand in. @param {Open} open @param {number} indent @param {boolean} item */
function close(open, indent, item) {
  for (let last = open.length - 1; last > 0; last -= 1) {
    if (open[last].indent < indent || (item && open[last].indent === indent && open[last].key !== "-")) return;
    open.pop();
  }
}

/** @param {Open} open @param {number} indent @param {string} key @param {number} line */
function opened(open, indent, key, line) {
  const box = empty(line);
  open.push({ indent, box, key });
  return box;
}

/** @param {number} line @returns {Container} */
function empty(line) {
  return { line, image: "", command: [], args: [], variables: [], cards: null };
}

/**
 * @param {Open} open @param {string[]} lines @param {number} i
 * @param {number} indent @param {string} key @param {string} rest
 */
function take(open, lines, i, indent, key, rest) {
  const { box, key: parent } = open[open.length - 1];
  if (key === "image") box.image = scalar(rest);
  else if (key === "command" || key === "entrypoint") {
    const value = value_of(lines, i, indent, rest);
    const words = value.listed ? value.items : shell_words(value.items[0].replace(/\n/g, " "), 0).words;
    if (key === "command" && box.command.length) box.args = words;
    else if (key === "entrypoint" && box.command.length) [box.command, box.args] = [words, box.command];
    else box.command = words;
  } else if (key === "args") box.args = value_of(lines, i, indent, rest).items;
  else if (owner_of(open).args.length >= WORDS) return;
  else if (key === "extraArgs") owner_of(open).args.push(...value_of(lines, i, indent, rest).items.slice(0, WORDS).map((item) => item.slice(0, LONG)));
  else if (HELM.test(parent) && rest.trim() && known(flag_of(key)).arity !== undefined) owner_of(open).args.push(`${flag_of(key)}=${scalar(rest)}`);
  else if (key === "modelURL") box.args.push(`--model=${scalar(rest)}`);
  else if (key === "repository") box.image = (scalar(rest) + box.image).slice(0, LONG);
  else if (key === "tag") box.image = `${box.image}:${scalar(rest)}`.slice(0, LONG);
  else if (key === "requestGPU" && Number(scalar(rest)) > 0) box.cards = Number(scalar(rest));
  else if (key === "value" && rest.trim()) {
    const name = /^ *(?:- +)?"?name"?: *(.*)$/.exec(lines[i - 1] ?? "");
    if (name) for (const each of open) each.box.variables.push([scalar(name[1]), scalar(rest)]);
  } else if (parent === "environment" && rest.trim()) for (const each of open) each.box.variables.push([key, scalar(rest)]);
  else if (/^(nvidia|amd)\.com\/gpu$/.test(key) || (key === "count" && open.some((each) => each.key === "devices"))) {
    const count = Number(scalar(rest));
    if (count > 0 && count < 1000) for (const each of open) each.box.cards = count;
  } else if (key === "device_ids") for (const each of open) each.box.cards = value_of(lines, i, indent, rest).items.length || null;
}

/** Whose settings these are: the item of a list that they stand in, or what is around them. @param {Open} open */
function owner_of(open) {
  return (open.filter(({ key }) => !HELM.test(key)).at(-1) ?? open[0]).box;
}

/** `maxModelLen` as vLLM's flag. @param {string} key */
function flag_of(key) {
  return `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** @param {Container} box @param {string} key @param {string} rest */
function docker_line(box, key, rest) {
  const words = rest.trim().startsWith("[") ? flow(rest.trim()) : shell_words(rest, 0).words;
  if (key === "FROM") box.image = words[0] ?? "";
  else if (key === "ENTRYPOINT") box.command = words;
  else if (key === "CMD") box.args = words;
  else for (const word of words) box.variables.push([word.split("=")[0], word.slice(word.indexOf("=") + 1)]);
}

/**
 * The settings of the container that starts vLLM, the last one if several do.
 * @param {Said} said @param {string} text
 * @returns {Generator<undefined, number>} in steps: its line; 0 if there is none
 */
export function* settle_containers(said, text) {
  let line = 0;
  for (const box of yield* containers(text)) {
    yield;
    const trial = { ...said, asked: { ...said.asked }, unknown: [...said.unknown], problems: [...said.problems] };
    const variables = Object.fromEntries(box.variables);
    const image = filled(box.image, variables);
    const words = [...box.command, ...box.args].map((word) => filled(word.trim(), variables));
    // Arguments alone are a server's where they are its flags, and one of them is counted.
    const bare = !box.image && /^(--[a-z]|serve$)/.test(words[0] ?? "");
    const inside = bare || /vllm/i.test(image);
    if (!words.length && !inside) continue;
    for (const [name, value] of box.variables) settle_variable(trial, name, value);
    if (inside) settle_image(trial, image);
    if (!settle_command(trial, words, inside) && !words.some((word) => settle_script(trial, word))) continue;
    if (bare && !Object.keys(trial.asked).some((name) => name !== "model" && !(name in said.asked))) continue;
    if (box.cards !== null) trial.cards = box.cards;
    Object.assign(said, trial);
    line = box.line;
  }
  return line;
}
