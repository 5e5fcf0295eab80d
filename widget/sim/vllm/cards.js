// @ts-check
/**
 * Cards by name: the memory a driver reports, speeds, and how sure each figure is.
 * @module
 */

import { MOST_NEAR, near_names, squashed } from "./names.js";
import { CARDS } from "./plan_facts.js";
import { PlanError } from "./refuse.js";

/**
 * How sure a figure is: printed by a program on that card, stated in a document, or neither.
 * @typedef {"log" | "documentation" | "unverified"} Certainty
 */

/**
 * A card, as one device of it stands before a server.
 * @typedef {object} Card
 * @property {string} name its name here
 * @property {string} title its name in full
 * @property {string} maker "nvidia", "amd", "intel" or "google"
 * @property {string} architecture family of the chip
 * @property {string} capability CUDA compute capability such as "9.0"; empty for other makers
 * @property {boolean} unified whether it shares its memory with the processor
 * @property {number} memory_gb memory on the label, GB
 * @property {Certainty} memory_kind how sure that is: "log", "documentation" or "unverified"
 * @property {number} total_bytes memory that the driver reports, bytes
 * @property {Certainty} total_kind how sure that is: "log", "documentation" or "unverified"
 * @property {number[]} other_totals_bytes what other drivers or settings report, bytes
 * @property {number} bandwidth_bytes_per_second speed of its memory, bytes per second
 * @property {Certainty} bandwidth_kind how sure that is: "log", "documentation" or "unverified"
 * @property {Record<string, number>} peak_flops most it can compute by dtype, without sparsity, operations per second
 * @property {Record<string, Certainty>} peak_kinds how sure each of those is, by dtype
 * @property {number} held_bytes memory that is taken on an idle card before a server has any, bytes
 * @property {Certainty} held_kind how sure that is: "log", "documentation" or "unverified"
 * @property {string} source where the reported memory was read
 * @property {string} date when that was written or read
 */

/**
 * The names of all cards.
 * @returns {string[]} Names, text, in the order of the facts.
 */
export function card_names() {
  return Object.keys(CARDS.cards);
}

/**
 * A card by its name or another name for it, however it is spelt; an unknown one is refused with names near it.
 * @param {unknown} name such as "h100-sxm-80gb", "H100" or "NVIDIA H100 80GB HBM3"
 * @returns {Card} The card, with the kind of each figure.
 * @throws {PlanError} for what is no text, and for a card that is not listed
 * @source `facts/vllm/cards.json`.
 */
export function card(name) {
  if (typeof name !== "string") throw new PlanError("card", name, "card_name", { names: card_names().join(", ") });
  const found = INDEX.get(squashed(name, CARDS.ignored));
  if (found === undefined) {
    const near = near_names(name, card_names(), MOST_NEAR);
    const names = (near.length ? near : card_names()).join(", ");
    throw new PlanError("card", name, near.length ? "card_near" : "card_name", { names });
  }
  return record(found, CARDS.cards[found]);
}

/** @returns {Map<string, string>} */
function index() {
  const names = new Map();
  for (const name of card_names()) {
    const facts = CARDS.cards[name];
    for (const each of [name, facts.title, ...(facts.aliases ?? [])]) {
      const key = squashed(each, CARDS.ignored);
      if (!names.has(key)) names.set(key, name);
    }
  }
  return names;
}

/**
 * @param {[number, string]} figure
 * @returns {Certainty}
 */
function kind(figure) {
  return CARDS.sources[figure[1]].kind;
}

/**
 * @param {string} name
 * @param {any} facts
 * @returns {Card}
 */
function record(name, facts) {
  const total = facts.total_bytes;
  const held = facts.held_bytes ?? CARDS.held_bytes;
  const source = CARDS.sources[total[1]];
  const peaks = /** @type {[string, [number, string]][]} */ (Object.entries(facts.peak_flops));
  return {
    name,
    title: facts.title,
    maker: facts.maker,
    architecture: facts.architecture,
    capability: facts.capability,
    unified: facts.unified ?? false,
    memory_gb: facts.memory_gb[0],
    memory_kind: kind(facts.memory_gb),
    total_bytes: total[0],
    total_kind: source.kind,
    other_totals_bytes: (facts.also ?? []).map((/** @type {[number, string]} */ figure) => figure[0]),
    bandwidth_bytes_per_second: facts.bandwidth[0],
    bandwidth_kind: kind(facts.bandwidth),
    peak_flops: Object.fromEntries(peaks.map(([dtype, figure]) => [dtype, figure[0]])),
    peak_kinds: Object.fromEntries(peaks.map(([dtype, figure]) => [dtype, kind(figure)])),
    held_bytes: held[0],
    held_kind: kind(held),
    source: source.source,
    date: source.date,
  };
}

const INDEX = index();
