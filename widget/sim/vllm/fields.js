// @ts-check
/**
 * The fields of a config.json, each read with its range; what does not fit is refused by its name.
 * @module
 */

import { PlanError } from "./refuse.js";
import { MOST_WIDTH, number_of, whole_of, yes_no_of } from "./values.js";

/**
 * Layers above which a model is refused: far more than any model has.
 * @source A choice: the deepest models of the facts have 126 layers.
 */
export const MOST_LAYERS = 10000;

/**
 * The value itself if it is a JSON object.
 * @param {string} setting name of the setting, for the refusal
 * @param {any} value what was given
 * @returns {Record<string, any>} The object, without unit.
 * @throws {PlanError} for anything else
 */
export function object_of(setting, value) {
  if (!(typeof value === "object" && value !== null && !Array.isArray(value))) {
    throw new PlanError(setting, value, "object");
  }
  return value;
}

/**
 * A field as it is, or null where it is not there.
 * @param {Record<string, any>} config fields by name
 * @param {string} name name of the field
 * @returns {any} Whatever stands there, without unit.
 */
export function field_of(config, name) {
  return (Object.hasOwn(config, name) ? config[name] : null);
}

/**
 * Whether a field is there and is not null.
 * @param {Record<string, any>} config fields by name
 * @param {string} name name of the field
 * @returns {boolean} True or false.
 */
export function has(config, name) {
  return field_of(config, name) !== null;
}

/**
 * The first field of several that is there, as a whole number.
 * @param {Record<string, any>} config fields by name
 * @param {string} names names with blanks between them; the first that is there counts
 * @param {number} least the smallest that is allowed, in the field's own unit
 * @param {number} [most] the largest that is allowed, in the field's own unit
 * @param {number | null} [otherwise] what counts where none is there, in the field's own unit; null: the field must
 *   be there
 * @returns {number} The number, in the field's own unit.
 * @throws {PlanError} for a field that is missing, and for one that is no such number
 */
export function whole_field(config, names, least, most = MOST_WIDTH, otherwise = null) {
  for (const name of names.split(" ")) {
    if (has(config, name)) return whole_of(name, config[name], least, most);
  }
  if (otherwise === null) throw new PlanError(names.split(" ")[0], null, "whole_of", { least, most });
  return otherwise;
}

/**
 * A field as a number in a range.
 * @param {Record<string, any>} config fields by name
 * @param {string} name name of the field
 * @param {number} least the smallest that is allowed, in the field's own unit
 * @param {number} most the largest that is allowed, in the field's own unit
 * @param {number} otherwise what counts where the field is not there, in the field's own unit
 * @returns {number} The number, in the field's own unit.
 * @throws {PlanError} for anything else
 */
export function number_field(config, name, least, most, otherwise) {
  return has(config, name) ? number_of(name, config[name], least, most) : otherwise;
}

/**
 * A field that is true or false.
 * @param {Record<string, any>} config fields by name
 * @param {string} name name of the field
 * @param {boolean} otherwise what counts where the field is not there, true or false
 * @returns {boolean} True or false.
 * @throws {PlanError} for anything else
 */
export function flag_field(config, name, otherwise) {
  return has(config, name) ? yes_no_of(name, config[name]) : otherwise;
}

/**
 * A field that is a text.
 * @param {Record<string, any>} config fields by name
 * @param {string} name name of the field
 * @param {string} [otherwise] what counts where the field is not there, a text
 * @returns {string} The text, without unit.
 * @throws {PlanError} for anything else
 */
export function text_field(config, name, otherwise = "") {
  if (!has(config, name)) return otherwise;
  if (!(typeof config[name] === "string")) throw new PlanError(name, config[name], "config_text");
  return config[name];
}

/**
 * A field that is an object; an empty one where it is not there.
 * @param {Record<string, any>} config fields by name
 * @param {string} name name of the field
 * @returns {Record<string, any>} Fields by name, without unit.
 * @throws {PlanError} for anything else
 */
export function table_field(config, name) {
  return has(config, name) ? object_of(name, config[name]) : {};
}

/**
 * A field that is a list; an empty one where it is not there.
 * @param {Record<string, any>} config fields by name
 * @param {string} name name of the field
 * @param {number} [most] how many entries a list may have
 * @returns {any[]} The entries, without unit.
 * @throws {PlanError} for anything else
 */
export function list_field(config, name, most = 100000) {
  if (!has(config, name)) return [];
  if (!Array.isArray(config[name]) || config[name].length > most) {
    throw new PlanError(name, config[name], "config_list", { most });
  }
  return [...config[name]];
}

/**
 * A field that is a list of texts; an empty one where it is not there.
 * @param {Record<string, any>} config fields by name
 * @param {string} name name of the field
 * @returns {string[]} The texts, without unit.
 * @throws {PlanError} for anything else
 */
export function texts_field(config, name) {
  const found = list_field(config, name);
  for (const each of found) {
    if (!(typeof each === "string")) throw new PlanError(name, each, "config_text");
  }
  return found;
}
