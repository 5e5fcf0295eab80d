// @ts-check
/** The fields' texts, and the settings that they stand for: nothing is changed on the way, what cannot be read is handed on. */

import { card } from "../../widget/sim/vllm/cards.js";
import { quoted } from "../../widget/sim/vllm/command.js";
import { model_name } from "../../widget/sim/vllm/models.js";
import { VERSIONS } from "../../widget/sim/vllm/plan_facts.js";
import { PlanError } from "../../widget/sim/vllm/refuse.js";
import { stands_for } from "./listed.js";
import { visible } from "./visible.js";
import { WORDS } from "./words.js";

/** @typedef {Record<string, string>} Form texts by setting, only those that are not empty */
/** @typedef {{model: any, index: any}} Own what was pasted in place of a name */

/** @type {Record<string, {name: string, kind: string, group: string}>} */
export const FIELDS = Object.fromEntries(WORDS.fields.map((/** @type {any} */ field) => [field.name, field]));
/** Settings that no field has and that cost memory which is not counted: they stay in form, link and command as they came. @type {readonly string[]} */
export const UNCOUNTED = VERSIONS.uncounted.names;
/** The choice of a card of which only the memory is known. */
export const OWN_CARD = "own";
/** As a command line takes it, without exponents; a pool that was measured and moved on has all its decimals. */
const NUMBER = /^[+-]?([0-9]{1,20}(\.[0-9]{0,20})?|\.[0-9]{1,20})$/;
const MOST_DECIMALS = 20;
const THOUSANDS = /^[0-9]{1,3}(,[0-9]{3}){1,4}$/;

/** The settings that the page opens with. @returns {Form} */
export function opening_form() {
  return { ...WORDS.opening };
}

/** What a text stands for; nothing where it is empty. @param {string} name @param {string} text */
function value_of(name, text) {
  const trimmed = text.trim();
  const { kind } = FIELDS[name];
  if (trimmed === "") return undefined;
  if (kind === "switch") return trimmed === "true" ? true : trimmed === "false" ? false : trimmed;
  if (kind !== "number") return trimmed;
  if (NUMBER.test(trimmed)) return Number(trimmed);
  return THOUSANDS.test(trimmed) ? Number(trimmed.replaceAll(",", "")) : trimmed;
}

/** What the text of a setting without a field stands for. @param {string} text */
function value_as_it_came(text) {
  if (text === "true") return true;
  if (NUMBER.test(text)) return Number(text);
  try {
    return /^[[{]/.test(text) ? JSON.parse(text) : text;
  } catch {
    return text;
  }
}

/** Fields without one of them. @template T @param {Record<string, T>} form @param {string} name @returns {Record<string, T>} */
export function without(form, name) {
  return Object.fromEntries(Object.entries(form).filter(([key]) => key !== name));
}

/** The text of a value, as a field and an address show it. @param {any} value */
export function text_of(value) {
  if (typeof value === "number") return decimals(value);
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** A number without exponent. @param {number} value */
export function decimals(value) {
  const text = String(value);
  return /e-/.test(text) ? value.toFixed(MOST_DECIMALS).replace(/\.?0+$/, "") : text;
}

/** What a model's text is reckoned with: its listed name, or the config of a variant; else what was written. @param {string} text */
function reckoned(text) {
  const found = stands_for(text);
  return found === null ? text : found.config ?? found.name;
}

/** Whether a name is one that the page has a config of. @param {string} text */
export function is_listed(text) {
  try {
    return model_name(text) !== "";
  } catch (error) {
    if (!(error instanceof PlanError)) throw error;
    return false;
  }
}

/** A command with the name of a model whose config.json was pasted; without that of one that only stands in. @param {string} command @param {Form} form @param {Own} own */
export function named(command, form, own) {
  const name = (form.model ?? "").trim();
  if (own.model === null && name === "") return command.replace(` ${WORDS.opening.model}`, () => ` ${quoted(WORDS.alone.model)}`);
  const found = own.model === null ? stands_for(name) : null;
  if (own.model === null && (found === null || found.how === "name")) return command;
  const stands = found === null || found.config !== null ? WORDS.alone.model : found.name;
  return name === "" ? command : command.replace(quoted(stands), () => quoted(visible(name)));
}

/**
 * Settings by vLLM's names.
 * @param {Form} form @param {Own} own
 * @returns {Record<string, any>}
 */
export function asked_of(form, own) {
  /** @type {Record<string, any>} */
  const asked = {};
  for (const name of Object.keys(FIELDS)) {
    const value = form[name] === undefined ? undefined : value_of(name, form[name]);
    if (value !== undefined) asked[name] = value;
  }
  for (const name of UNCOUNTED) if (form[name] !== undefined) asked[name] = value_as_it_came(form[name]);
  if (typeof asked.model === "string") asked.model = reckoned(asked.model);
  if (own.model !== null) asked.model = own.model;
  if (own.index !== null) asked.index = own.index;
  if (asked.card === OWN_CARD) {
    asked.card = { total_gib: asked.total_gib };
    delete asked.total_gib;
  }
  return asked;
}

/**
 * The fields' texts of settings; what no field has is left out.
 * @param {Record<string, any>} asked
 * @returns {{form: Form, own: Own}}
 */
export function form_of(asked) {
  /** @type {Form} */
  const form = {};
  const own = { model: null, index: asked.index ?? null };
  for (const [name, value] of Object.entries(asked)) {
    if ((!Object.hasOwn(FIELDS, name) && !UNCOUNTED.includes(name)) || value === undefined || value === null) continue;
    if (name === "model" && typeof value === "object") own.model = value;
    else if (name === "card" && typeof value === "object") Object.assign(form, { card: OWN_CARD, total_gib: text_of(value.total_gib) });
    else form[name] = name === "card" ? known_card(value) : text_of(value);
  }
  return { form, own };
}

/** The name of a card as the list has it, or the text itself. @param {any} text */
export function known_card(text) {
  try {
    return text === OWN_CARD ? text : card(text).name;
  } catch (error) {
    if (!(error instanceof PlanError)) throw error;
    return text_of(text);
  }
}
