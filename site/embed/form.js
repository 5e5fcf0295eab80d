// @ts-check
/** The configurator's form: what its fields say, by the names of the contract. */

import { defaultText } from "./offer.js";

/** @import { Name } from "../../widget/view/options.js" */
/** @import { Texts } from "./offer.js" */
/** @typedef {HTMLInputElement | HTMLSelectElement} Field */

/** The fields of a name; boxes that make one list have brackets behind it. @param {HTMLFormElement} form @param {string} name */
export function fieldsOf(form, name) {
  return /** @type {Field[]} */ ([...form.elements]).filter((node) => node.name === name || node.name === `${name}[]`);
}

/**
 * The texts of the fields that are there, one for each name.
 * @param {HTMLFormElement} form
 * @param {readonly Name[]} names
 * @returns {Texts}
 */
export function textsOf(form, names) {
  const texts = /** @type {Texts} */ (new Map());
  for (const name of names) {
    const fields = fieldsOf(form, name);
    if (fields.length > 0) texts.set(name, textOf(fields));
  }
  return texts;
}

/** @param {Field[]} fields */
function textOf(fields) {
  if (!isBox(fields[0])) return fields[0].value.trim();
  const ticked = fields.filter((box) => isBox(box) && box.checked).map((box) => box.value);
  return ticked.length === 0 ? fields[0].dataset.off ?? "" : ticked.join(" ");
}

/**
 * Put a setting's text into its field.
 * @param {HTMLFormElement} form
 * @param {string} name
 * @param {string} text
 */
export function put(form, name, text) {
  const [field] = fieldsOf(form, name);
  if (field === undefined) return;
  if (isBox(field)) field.checked = text === field.value;
  else field.value = text;
}

/**
 * Put a preset's settings into their fields.
 * @param {HTMLFormElement} form
 * @param {string} preset
 * @param {readonly Name[]} keys
 */
export function putPreset(form, preset, keys) {
  for (const key of keys) put(form, key, defaultText(key, preset === "" ? null : preset));
}

/** @param {Field} field @returns {field is HTMLInputElement} */
function isBox(field) {
  return field.type === "checkbox";
}
