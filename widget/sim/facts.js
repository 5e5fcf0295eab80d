// @ts-check
/** The only reader of the shared facts: every figure, choice and sentence that both languages share. */

import CHATS from "../../sim/poolroom/facts/chats.json" with { type: "json" };
import CHOICES from "../../sim/poolroom/facts/choices.json" with { type: "json" };
import CONTRACT from "../../sim/poolroom/facts/contract.json" with { type: "json" };
import LESSON from "../../sim/poolroom/facts/lesson.json" with { type: "json" };
import PRESETS from "../../sim/poolroom/facts/presets.json" with { type: "json" };
import GERMAN from "../../sim/poolroom/facts/words/de.json" with { type: "json" };
import ENGLISH from "../../sim/poolroom/facts/words/en.json" with { type: "json" };

export { CHATS, CHOICES, CONTRACT, LESSON, PRESETS };

/** A catalogue: every sentence and number format of one language. @typedef {typeof ENGLISH} Words */

/**
 * What a step costs: the linear terms that `steptime` works with, in bytes, FLOP and seconds.
 * @typedef {object} Cost
 * @property {number} weights_bytes
 * @property {number} kv_bytes_per_token
 * @property {number} flops_per_token
 * @property {number} bandwidth_bytes_per_second
 * @property {number} peak_flops_per_second
 */

/**
 * A catalogue with every key of another one: what lacks in `words` is taken from `whole`.
 *
 * Sections are looked through; a template, with all its plural forms, is taken or left as one.
 * @param {Readonly<Record<string, any>>} words
 * @param {Readonly<Record<string, any>>} whole
 * @returns {any}
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
/** English. @type {Words} */
export const WORDS = /* @__PURE__ */ completed(ENGLISH, ENGLISH);
/** By language. @type {Readonly<Record<string, Words>>} */
export const CATALOGUES = /* @__PURE__ */ Object.freeze({ de: /* @__PURE__ */ completed(GERMAN, ENGLISH), en: WORDS });

const { card, model, server } = LESSON;

/** The card's memory (bytes, in both readings of its label) and its best speeds. */
export const CARD = Object.freeze({
  name: card.name.value,
  memory_bytes: card.memory_bytes.value,
  memory_bytes_gib: card.memory_bytes_gib.value,
  bandwidth_bytes_per_second: card.bandwidth_bytes_per_second.value,
  peak_flops_per_second: card.peak_flops_per_second.value,
});

/**
 * The model's shape, and what follows from it: bytes of the weights (parameters × bytes a value),
 * bytes of KV cache a token (2 × layers × KV heads × head size × bytes a value), FLOP a token
 * (one multiplication and one addition a parameter).
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

/** The server's own figures: block size, working reserve, and the chat that `room` counts in. */
export const SERVER = Object.freeze({
  block_tokens: server.block_tokens.value,
  reserve_bytes: server.reserve_bytes.value,
  typical_chat_tokens: server.typical_chat_tokens.value,
});

/** The lesson's card and model as a cost record. @type {Readonly<Cost>} */
export const COST = Object.freeze({
  weights_bytes: MODEL.weights_bytes,
  kv_bytes_per_token: MODEL.kv_bytes_per_token,
  flops_per_token: MODEL.flops_per_token,
  bandwidth_bytes_per_second: CARD.bandwidth_bytes_per_second,
  peak_flops_per_second: CARD.peak_flops_per_second,
});

export const BLOCK_BYTES = SERVER.block_tokens * MODEL.kv_bytes_per_token;
export const SHARES = CHOICES.share.values;
export const LONGEST = CHOICES.longest.values;
export const CAPS = CHOICES.cap.values;
export const OPENING = Object.freeze({
  share: CHOICES.share.opening,
  longest: CHOICES.longest.opening,
  cap: CHOICES.cap.opening,
  reserved: CHOICES.reserved.opening,
});
export const KNEE_GAIN = CHOICES.knee.gain;
