// @ts-check
/**
 * What version, card and checkpoint support of the ways to store weights, and what vLLM says where they do not.
 * @module
 */

import { QUANTISATIONS, VERSIONS } from "./plan_facts.js";
import { at_least, is_release, value_since } from "./versions.js";

/** @typedef {import("./cards.js").Card} Card */
/** @typedef {import("./quantisation.js").Quantisation} Quantisation */
/** @typedef {import("./settings.js").Settings} Settings */

/**
 * The least compute capability by method, in tenths of its unit.
 * @source `facts/vllm/quantisations.json`, least.
 */
export const LEAST = QUANTISATIONS.least;
/**
 * What vLLM can turn plain weights into while it loads them, names without unit.
 * @source `facts/vllm/quantisations.json`, online.
 */
export const ONLINE = QUANTISATIONS.online;

/**
 * What is not supported, as a refusal has it.
 * @typedef {object} Unsupported
 * @property {string} key name of the refusal
 * @property {Record<string, any>} terms what the message mentions, texts
 */

/**
 * A way to store weights by the name under which its least card is known.
 * @param {Quantisation} found how the weights are stored
 * @returns {string} The name, without unit; of modelopt it depends on how many bits a weight takes.
 */
export function method_name(found) {
  const small = found.schemes.some((scheme) => scheme.hundredths < 800);
  return small && ["modelopt", "nvfp4"].includes(found.method) ? "modelopt_fp4" : found.method;
}

/**
 * The compute capability of a card in whole numbers.
 * @param {Card} card the card
 * @returns {number} Ten times the capability, without unit; 0 where the maker has none or it is not known.
 */
export function tenths_of(card) {
  return card.maker !== "nvidia" || card.capability === "" ? 0 : Number(card.capability.replace(".", ""));
}

/**
 * The least compute capability that a method needs where the card has less.
 * @param {Card} card the card
 * @param {number[]} order numbers without unit that put the version in order
 * @param {string} method its name
 * @returns {number} Ten times the capability, without unit; 0 where the card has enough or nothing is known.
 * @throws {PlanError} for a release that is no version
 */
export function least_capability(card, order, method) {
  const tenths = tenths_of(card);
  if (tenths === 0 || !Object.hasOwn(LEAST.methods, method)) return 0;
  const least = value_since(LEAST.methods[method], order);
  return tenths < least ? least : 0;
}

/**
 * Whether a card of AMD computes in FP8; cards of other makers are held against their capability.
 * @param {Card} card the card
 * @returns {boolean} True where it does, and for other makers.
 */
export function has_fp8(card) {
  return card.maker !== "amd" || LEAST.amd_fp8.includes(card.architecture);
}

/**
 * Whether a card can compute with weights of a method.
 * @param {Card} card the card
 * @param {number[]} order numbers without unit that put the version in order
 * @param {string} method its name
 * @returns {boolean} True where it can, and where nothing is known.
 * @throws {PlanError} for a release that is no version
 */
export function works_on(card, order, method) {
  return least_capability(card, order, method) === 0 && (!method.includes("fp8") || has_fp8(card));
}

/**
 * The first of what vLLM refuses about the way in which weights are stored, or nothing.
 * @param {Settings} settings as resolved
 * @returns {Unsupported | null} Its name and texts, or null.
 * @throws {PlanError} for a release that is no version
 */
export function unsupported(settings) {
  const { stored_as: stored, asked_as: asked } = settings;
  if (asked && stored) return { key: "method_differs", terms: { stored, method: asked } };
  if (asked && !ONLINE.methods.includes(asked) && !Object.hasOwn(QUANTISATIONS.gguf, asked)) {
    return { key: "method_file", terms: { method: asked, unsaid: !ONLINE.by_file.includes(asked) } };
  }
  const card = settings.card;
  const order = settings.rules.order;
  const method = method_name(settings.model.weights.quantisation);
  const since = QUANTISATIONS.since.methods[method] ?? VERSIONS.oldest;
  if (is_release(order) && !at_least(order, since)) {
    const found = { method: settings.model.quantisation, version: settings.rules.version, has: since };
    return { key: "method_unknown", terms: found };
  }
  if (works_on(card, order, method)) return null;
  const least = least_capability(card, order, method);
  const terms = {
    method: settings.model.quantisation,
    card: card.title,
    scheme: LEAST.schemes.includes(method),
    unsaid: least === 0,
    have: least ? `compute capability ${card.capability}` : card.architecture,
    needed: least ? `${Math.floor(least / 10)}.${least % 10}` : LEAST.amd_fp8.join(", "),
    least: String(least),
    current: card.capability.replace(".", ""),
  };
  return { key: "method_card", terms };
}
