// @ts-check
/**
 * The only reader of the shared facts: every figure, choice and sentence of both languages.
 * @module
 */

import CHATS from "../../sim/poolroom/facts/chats.json" with { type: "json" };
import CHOICES from "../../sim/poolroom/facts/choices.json" with { type: "json" };
import CONTRACT from "../../sim/poolroom/facts/contract.json" with { type: "json" };
import LESSON from "../../sim/poolroom/facts/lesson.json" with { type: "json" };
import PRESETS from "../../sim/poolroom/facts/presets.json" with { type: "json" };
import GERMAN from "../../sim/poolroom/facts/words/de.json" with { type: "json" };
import ENGLISH from "../../sim/poolroom/facts/words/en.json" with { type: "json" };

/**
 * The lesson's chats: prompt and reply lengths in tokens, in order.
 * @source Drawn once by `draw_chats`; a test draws them again.
 */
export { CHATS };
/** What each control offers and opens with, with its unit, source and date. */
export { CHOICES };
/** What an author may write: options, events, and numbers to quote. */
export { CONTRACT };
/** Card, model, server and chats of the lesson: each figure with its value, unit, source and date. */
export { LESSON };
/** Settings with a name, by name. */
export { PRESETS };

/**
 * A catalogue: every sentence and number format of one language.
 * @typedef {typeof ENGLISH} Words
 */

/**
 * What a step costs: the linear terms that `steptime` works with.
 * @typedef {object} Cost
 * @property {number} weights_bytes read once in every memory-bound step, bytes
 * @property {number} kv_bytes_per_token read for each token of context, bytes
 * @property {number} flops_per_token arithmetic for each token read or written, operations
 * @property {number} bandwidth_bytes_per_second speed of reading, bytes per second
 * @property {number} peak_flops_per_second speed of arithmetic, operations per second
 */

/**
 * A catalogue with every key of another one: what lacks in `words` is taken from `whole`.
 *
 * Sections are looked through; a template, with all its plural forms, is taken or left as one.
 * @param {Readonly<Record<string, any>>} words a catalogue that may have gaps
 * @param {Readonly<Record<string, any>>} whole a catalogue without gaps
 * @returns {any} A catalogue without gaps.
 */
export function completed(words, whole) {
  const own = Object.entries(words).map(([key, part]) => [key, are_sections(part, whole[key]) ? completed(part, whole[key]) : part]);
  const lacking = Object.entries(whole).filter(([key]) => !Object.hasOwn(words, key));
  return Object.freeze(Object.fromEntries([...own, ...lacking]));
}

/** @param {...unknown} parts */
function are_sections(...parts) {
  return parts.every((part) => typeof part === "object" && part !== null && !Array.isArray(part) && !("by" in part));
}

// "pure" lets a bundler leave out what nobody asks for, such as a language.
/**
 * The English catalogue, which speaks where no other is given.
 * @type {Words}
 */
export const WORDS = /* @__PURE__ */ completed(ENGLISH, ENGLISH);
/**
 * The catalogues, by language; what one lacks is said in English.
 * @type {Readonly<Record<string, Words>>}
 */
export const CATALOGUES = /* @__PURE__ */ Object.freeze({ de: /* @__PURE__ */ completed(GERMAN, ENGLISH), en: WORDS });

const { card, model, server } = LESSON;

/**
 * The lesson's card.
 * @source `facts/lesson.json`, with a source and a date for each figure.
 */
export const CARD = Object.freeze({
  name: card.name.value,
  memory_bytes: card.memory_bytes.value,
  memory_bytes_gib: card.memory_bytes_gib.value,
  bandwidth_bytes_per_second: card.bandwidth_bytes_per_second.value,
  peak_flops_per_second: card.peak_flops_per_second.value,
});

/**
 * The lesson's model.
 *
 * weights_bytes = parameters × bytes a value; kv_bytes_per_token = 2 (key and value) × layers × KV heads × head size
 * × bytes a value; flops_per_token = 2 × parameters (one multiplication and one addition).
 * @source `facts/lesson.json`, with a source and a date for each figure.
 */
export const MODEL = Object.freeze({
  name: model.name.value,
  parameters: model.parameters.value,
  layers: model.layers.value,
  kv_heads: model.kv_heads.value,
  head_size: model.head_size.value,
  value_bytes: model.value_bytes.value,
  weights_bytes: model.parameters.value * model.value_bytes.value,
  kv_bytes_per_token:
    2 * model.layers.value * model.kv_heads.value * model.head_size.value * model.value_bytes.value,
  flops_per_token: 2 * model.parameters.value,
});

/**
 * The lesson's server.
 * @source `facts/lesson.json`, with a source and a date for each figure.
 */
export const SERVER = Object.freeze({
  block_tokens: server.block_tokens.value,
  reserve_bytes: server.reserve_bytes.value,
  typical_chat_tokens: server.typical_chat_tokens.value,
});

/**
 * What a step costs on the lesson's card with the lesson's model.
 * @type {Readonly<Cost>}
 * @source `facts/lesson.json`, with a source and a date for each figure.
 */
export const COST = Object.freeze({
  weights_bytes: MODEL.weights_bytes,
  kv_bytes_per_token: MODEL.kv_bytes_per_token,
  flops_per_token: MODEL.flops_per_token,
  bandwidth_bytes_per_second: CARD.bandwidth_bytes_per_second,
  peak_flops_per_second: CARD.peak_flops_per_second,
});

/** Size of a block: tokens of a block × bytes of cache a token, in bytes. */
export const BLOCK_BYTES = SERVER.block_tokens * MODEL.kv_bytes_per_token;
/**
 * The memory shares that the page offers, in percent.
 * @source `facts/choices.json`.
 */
export const SHARES = CHOICES.share.values;
/**
 * The longest chats that the page offers, in tokens.
 * @source `facts/choices.json`.
 */
export const LONGEST = CHOICES.longest.values;
/**
 * The numbers of seats that the page offers, in chats.
 * @source `facts/choices.json`.
 */
export const CAPS = CHOICES.cap.values;
/**
 * What the page opens with: `share` in percent, `longest` in tokens, `cap` in chats, and whether lengths are
 * `reserved`.
 * @source `facts/choices.json`.
 */
export const OPENING = Object.freeze({
  share: CHOICES.share.opening,
  longest: CHOICES.longest.opening,
  cap: CHOICES.cap.opening,
  reserved: CHOICES.reserved.opening,
});
/**
 * How many times the tokens per second a doubled cap must bring to be worth it.
 * @source `knee` in `facts/choices.json`.
 */
export const KNEE_GAIN = CHOICES.knee.gain;
