// @ts-check
/** What the configurator offers: every name of the contract that a host's page may use, and what each text is when nobody says anything. */

import { CONTRACT } from "../../widget/sim/facts.js";
import { NAMES, QUERY_NAMES, presetStart, readOptions } from "../../widget/view/options.js";
import { KEYS, format } from "../../widget/view/settings.js";

/** @import { Name } from "../../widget/view/options.js" */
/** @typedef {"element" | "frame"} Door */
/** Texts by name, in the order of the contract. @typedef {Map<Name, string>} Texts */

/**
 * The names that an author may use at a door; those for a page of its own are left out.
 * @param {Door} door
 */
export function namesAt(door) {
  const names = NAMES.filter((name) => !("trait" in CONTRACT.options[name]));
  return door === "element" ? names : names.filter((name) => QUERY_NAMES.includes(name));
}

/** Whether a name is written alone, as HTML writes what is simply there. @param {Name} name */
export function isFlag(name) {
  return CONTRACT.options[name].kind === "flag" || name === "reserved";
}

/**
 * The text that a name has when it is left out.
 * @param {Name} name
 * @param {string | null} preset
 */
export function defaultText(name, preset) {
  const key = KEYS.find((known) => known === name);
  return key === undefined ? "" : format(presetStart(preset)[key]);
}

/**
 * Split texts into those that differ from what is the case anyway and can be used, and what to say about the others.
 * @param {Texts} texts
 * @returns {{used: Texts, problems: string[]}}
 */
export function checked(texts) {
  const presetText = texts.get("preset") ?? "";
  const preset = readOptions(new Map([["preset", presetText]])).options.preset;
  const used = /** @type {Texts} */ (new Map());
  const problems = [];
  for (const [name, text] of texts) {
    const { notices } = readOptions(new Map([["preset", preset ?? ""], [name, text]]));
    problems.push(...notices);
    if (notices.length === 0 && text !== defaultText(name, preset)) used.set(name, text);
  }
  return { used, problems };
}
