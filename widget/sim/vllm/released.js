// @ts-check
/**
 * Models and cards for which a release has nothing yet, or nothing any more.
 * @module
 */

import { VERSIONS } from "./plan_facts.js";
import { tenths_of } from "./supported.js";
import { at_least, is_release, value_since } from "./versions.js";

/** @typedef {import("./cards.js").Card} Card */
/** @typedef {import("./settings.js").Settings} Settings */
/** @typedef {import("./supported.js").Unsupported} Unsupported */

/**
 * Models by the release that lists them first or last, names without unit.
 * @source `facts/vllm/vllm.json`, listed.
 */
export const LISTED = VERSIONS.listed;
/**
 * Compute capabilities for which a release has kernels, in tenths of their unit.
 * @source `facts/vllm/vllm.json`, kernels.
 */
export const KERNELS = VERSIONS.kernels;

/**
 * The release that lists a model where a version does not: the first one, or the last one.
 * @param {string} architecture the model's class, without unit
 * @param {number[]} order numbers without unit that put the version in order
 * @returns {string} Number of the release, without unit; empty where the version lists the model or nothing is known.
 * @throws {PlanError} for a release that is no version
 */
export function release_with(architecture, order) {
  const name = short(architecture);
  for (const [release, last, names] of LISTED.until) {
    if (names.split(" ").includes(name) && at_least(order, release)) return last;
  }
  for (const [release, names] of LISTED.since) {
    if (names.split(" ").includes(name) && !at_least(order, release)) return release;
  }
  return "";
}

/**
 * @param {string} architecture
 * @returns {string}
 */
function short(architecture) {
  return architecture.replace(/ForConditionalGeneration$/, "+").replace(/ForCausalLM$/, "");
}

/**
 * The release that has kernels for a card where a version has none: the first one, or the last one.
 * @param {Card} card the card
 * @param {number[]} order numbers without unit that put the version in order
 * @returns {string} Number of the release, without unit; empty where the version has them or nothing is known.
 * @throws {PlanError} for a release that is no version
 */
export function release_for(card, order) {
  const tenths = tenths_of(card);
  if (0 < tenths && tenths < value_since(KERNELS.least, order)) {
    return tenths >= KERNELS.least[0][1] ? KERNELS.last : "";
  }
  if (tenths <= value_since(KERNELS.most, order)) return "";
  return KERNELS.most.find((/** @type {any} */ each) => tenths <= each[1])[0];
}

/**
 * Whether the release has no code for the model and cannot take another's, as a refusal; or nothing.
 *
 * Where Transformers' own code may run the model, that is a danger and no refusal. What a development version has
 * is not known.
 * @param {Settings} settings as resolved
 * @returns {Unsupported | null} Its name and texts, or null.
 * @throws {PlanError} for a release that is no version
 */
export function unreleased(settings) {
  const has = has_of(settings);
  if (has === "" || may_fall_back(settings, has)) return null;
  const architecture = settings.model.architecture;
  const terms = { architecture, architectures: `['${architecture}']`, version: settings.rules.version };
  return { key: "model_unlisted", terms: { ...terms, has } };
}

/**
 * @param {Settings} settings
 * @returns {string}
 */
function has_of(settings) {
  const order = settings.rules.order;
  return is_release(order) ? release_with(settings.model.architecture, order) : "";
}

/**
 * @param {Settings} settings
 * @param {string} has
 * @returns {boolean}
 */
function may_fall_back(settings, has) {
  const order = settings.rules.order;
  const alone = LISTED.alone.split(" ").includes(short(settings.model.architecture));
  return at_least(order, has) || (at_least(order, LISTED.fallback) && !alone);
}

/**
 * Whether the release has no kernels for the card, as a refusal, or nothing.
 * @param {Settings} settings as resolved
 * @returns {Unsupported | null} Its name and texts, or null.
 * @throws {PlanError} for a release that is no version
 */
export function unbuilt(settings) {
  const { card, rules } = settings;
  const has = is_release(rules.order) ? release_for(card, rules.order) : "";
  if (has === "") return null;
  const terms = { card: card.title, capability: card.capability, version: rules.version };
  return { key: "card_kernels", terms: { ...terms, has } };
}

/**
 * What may keep a server from starting because of how its release was made.
 * @param {Settings} settings as resolved
 * @returns {string[]} Names of dangers, without unit.
 * @throws {PlanError} for a release that is no version
 */
export function release_dangers(settings) {
  const order = settings.rules.order;
  const found = has_of(settings) !== "" ? ["model_unlisted"] : [];
  const unsure = tenths_of(settings.card) > value_since(KERNELS.sure, order);
  return unsure && is_release(order) ? [...found, "card_kernels"] : found;
}
