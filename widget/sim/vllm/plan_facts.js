// @ts-check
/**
 * The only reader of the facts about vLLM, cards and models.
 * @module
 */

import cards from "../../../sim/poolroom/facts/vllm/cards.json" with { type: "json" };
import models from "../../../sim/poolroom/facts/vllm/models.json" with { type: "json" };
import versions from "../../../sim/poolroom/facts/vllm/vllm.json" with { type: "json" };
import fitted from "../../../sim/poolroom/facts/vllm/fitted.json" with { type: "json" };
import lines from "../../../sim/poolroom/facts/vllm/lines.json" with { type: "json" };
import words from "../../../sim/poolroom/facts/vllm/words.json" with { type: "json" };
import families from "../../../sim/poolroom/facts/vllm/families.json" with { type: "json" };
import quantisations from "../../../sim/poolroom/facts/vllm/quantisations.json" with { type: "json" };
import allowed from "../../../sim/poolroom/facts/vllm/allowed.json" with { type: "json" };

/**
 * Cards by name: memory, speeds and what they can compute.
 * @type {any}
 * @source `facts/vllm/cards.json`, with a source, a date and a kind for each figure.
 */
export const CARDS = cards;
/**
 * Models by name: the fields of their config.json that matter, and how many parameters they have.
 * @type {any}
 * @source `facts/vllm/models.json`, with a source, a date and a kind for each model.
 */
export const MODELS = models;
/**
 * Defaults and rules of vLLM by version.
 * @type {any}
 * @source `facts/vllm/vllm.json`, with a source for each rule.
 */
export const VERSIONS = versions;
/**
 * What is fitted to published start-ups, and what is measured there.
 * @type {any}
 * @source `facts/vllm/fitted.json`, with what each figure is fitted on and its spread.
 */
export const FITTED = fitted;
/**
 * What vLLM prints at a start, as templates by version.
 * @type {any}
 */
export const LINES = lines;
/**
 * What a plan says in English.
 * @type {any}
 */
export const WORDS = words;
/**
 * What is allowed, by the name of the rule, for refusals.
 * @type {Readonly<Record<string, string>>}
 */
export const ALLOWED = allowed;
/**
 * What a model type has beyond a Llama, and which fields speak of layers that are not read.
 * @type {any}
 * @source `facts/vllm/families.json`.
 */
export const FAMILIES = families;
/**
 * Bits a weight by the way it is stored.
 * @type {any}
 * @source `facts/vllm/quantisations.json`.
 */
export const QUANTISATIONS = quantisations;
