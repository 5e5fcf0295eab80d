// @ts-check
/**
 * Which family a config.json belongs to, and what is refused because its layers are not understood.
 * @module
 */

import { flag_field, has, object_of, text_field } from "./fields.js";
import { FAMILIES } from "./plan_facts.js";
import { PlanError } from "./refuse.js";

/**
 * Fields under which models of several senses keep the config of their language model.
 * @source transformers 4.57, `PretrainedConfig.get_text_config`; vLLM's `get_hf_text_config`.
 */
export const NESTED = ["text_config", "llm_config", "language_config", "thinker_config"];

/**
 * The config of the language model inside a config.json.
 * @param {any} config a config.json as an object
 * @returns {[Record<string, any>, Record<string, any>, boolean]} The whole config, the language model's own, and
 *   whether that is nested; without unit.
 * @throws {PlanError} for what is no object
 */
export function text_config_of(config) {
  const outer = object_of("config", config);
  let text = outer;
  for (let _ = 0; _ < 2; _ += 1) {
    for (const name of NESTED) {
      if (has(text, name)) {
        text = object_of(name, text[name]);
        break;
      }
    }
  }
  return [outer, text, text !== outer];
}

/**
 * The model type of a config: the language model's own, or that of the whole.
 * @param {Record<string, any>} outer the whole config
 * @param {Record<string, any>} text the config of the language model
 * @returns {string} A model type, without unit.
 * @throws {PlanError} for a config without one
 */
export function model_type_of(outer, text) {
  const found = text_field(text, "model_type") || text_field(outer, "model_type");
  if (!found) throw new PlanError("model_type", null, "config_text");
  return found;
}

/**
 * What is known of a model type; an unknown one is read as a Llama, and marked, unless something smells of state.
 * @param {Record<string, any>} text the config of the language model
 * @param {string} model_type its model type
 * @returns {Record<string, any>} Options of the family, without unit; `guess` is there for what is not known.
 * @throws {PlanError} for encoders, which keep no cache, and for layers with a state that is not understood
 */
export function family_of(text, model_type) {
  /** @type {Record<string, any>} */
  const known = FAMILIES.families;
  const named = (Object.hasOwn(FAMILIES.also, model_type) ? FAMILIES.also[model_type] : model_type);
  if (FAMILIES.unread.encoders.includes(model_type)) throw new PlanError("model_type", model_type, "config_encoder");
  if (FAMILIES.unread.types.includes(model_type)) throw new PlanError("model_type", model_type, "config_state");
  /** @type {Record<string, any>} */
  let family = (Object.hasOwn(known, named) ? known[named] : { guess: "model_type", moe: true });
  if (Object.hasOwn(family, "like")) {
    family = { ...known[family.like], ...family };
  }
  if (!Object.hasOwn(family, "hybrid")) {
    refuse_state(text);
  }
  return family;
}

/**
 * Refuse a field that speaks of layers with a state, or of mixed layers, where a model is read as a plain one.
 * @param {Record<string, any>} text the config of the language model
 * @throws {PlanError} for such a field, by its name
 */
export function refuse_state(text) {
  for (const name of Object.keys(text)) {
    const value = text[name];
    if (_says_nothing(value)) continue;
    for (const smell of FAMILIES.unread.state) {
      if (name.startsWith(smell) || name.includes(("_" + smell))) throw new PlanError(name, value, "config_state");
    }
  }
}

/**
 * @param {any} value
 * @returns {boolean}
 */
function _says_nothing(value) {
  if ((typeof value === "object" && value !== null)) return Object.keys(value).length === 0;
  return value === null || value === false || value === 0 || value === "";
}

/**
 * An option of a family: true, or the name of the field that says whether.
 * @param {Record<string, any>} text the config of the language model
 * @param {Record<string, any>} family options of its family
 * @param {string} name name of the option
 * @returns {boolean} True or false.
 * @throws {PlanError} for a field that is neither true nor false
 */
export function option(text, family, name) {
  const from_family = (Object.hasOwn(family, name) ? family[name] : false);
  if (typeof from_family === "boolean") return from_family;
  return flag_field(text, from_family, false);
}
