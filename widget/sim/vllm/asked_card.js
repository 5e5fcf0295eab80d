// @ts-check
/**
 * The card that was asked for, its memory, and what is taken of it.
 * @module
 */

import { card } from "./cards.js";
import { CARDS, VERSIONS } from "./plan_facts.js";
import { PlanError, one_of_names } from "./refuse.js";
import { bytes_of_gib, fixed, gib } from "./rounding.js";
import { number_of, switch_or, value_or } from "./values.js";

/** @import { Card } from "./cards.js" */

const OWN_CARD = ["name", "title", "maker", "architecture", "capability", "unified", "total_gib"];
const MAKERS = ["nvidia", "amd", "intel", "google"];

/**
 * Memory of one card.
 * @typedef {object} Memory
 * @property {number} total_bytes what its driver reports, bytes
 * @property {number} in_use_bytes what is taken of it before the server's own part, bytes
 */

/**
 * The card: one of the facts by its name, or one of which only the memory is known.
 * @param {Record<string, any>} asked settings by vLLM's names
 * @returns {Card} The card.
 * @throws {PlanError} for no card, an unknown one, and a field that cannot be used
 */
export function card_of(asked) {
  const value = value_or(asked, "card", null);
  if (value === null) throw new PlanError("card", value, "needed");
  if (typeof value === "string") return card(value);
  if (typeof value !== "object" || Array.isArray(value) || value_or(value, "total_gib", null) === null) {
    throw new PlanError("card", value, "card");
  }
  return own_card(value);
}

/**
 * @param {Record<string, any>} value
 * @returns {Card}
 */
function own_card(value) {
  for (const name of Object.keys(value)) {
    if (!OWN_CARD.includes(name)) throw new PlanError("card", name, "name_of", { names: OWN_CARD.join(", ") });
  }
  number_of("card.total_gib", value.total_gib, 1, VERSIONS.bounds.gib);
  const name = text(value, "name", "own card");
  const capability = text(value, "capability", "");
  if (capability && !/^[0-9]{1,3}\.[0-9]{1,3}$/.test(capability)) throw new PlanError("card.capability", capability, "capability");
  const maker = one_of_names("card.maker", value_or(value, "maker", "nvidia"), MAKERS);
  return {
    name,
    title: text(value, "title", name),
    maker,
    architecture: text(value, "architecture", ""),
    capability,
    unified: switch_or(value, "unified", false),
    memory_gb: 0,
    memory_kind: "log",
    total_bytes: bytes_of_gib(value.total_gib),
    total_kind: "log",
    other_totals_bytes: [],
    bandwidth_bytes_per_second: 0,
    bandwidth_kind: "unverified",
    peak_flops: {},
    peak_kinds: {},
    held_bytes: CARDS.held_bytes[0],
    held_kind: "log",
    source: "",
    date: "",
  };
}

/**
 * @param {Record<string, any>} value
 * @param {string} name
 * @param {string} fallback
 */
function text(value, name, fallback) {
  const found = value_or(value, name, fallback);
  if (typeof found !== "string" || [...found].length > 100) throw new PlanError(`card.${name}`, found, "short_text");
  return found;
}

/**
 * @param {number} total
 * @returns {string}
 */
function most_in_use(total) {
  // The largest number of hundredths that is allowed, so that it may be typed back.
  let cents = Math.floor(gib(total) * 100) + 1;
  while (bytes_of_gib(cents / 100) > total) cents -= 1;
  return fixed(cents / 100, 2);
}

/**
 * Memory of the card, and what of it is taken before the server's own part.
 * @param {Record<string, any>} asked settings by vLLM's names
 * @param {Card} own the card
 * @returns {Memory} Both, in bytes.
 * @throws {PlanError} for sizes out of range
 */
export function memory_of(asked, own) {
  const most = VERSIONS.bounds.gib;
  const [total_gib, in_use_gib] = [value_or(asked, "total_gib", null), value_or(asked, "in_use_gib", null)];
  const total = total_gib === null ? own.total_bytes : bytes_of_gib(number_of("total_gib", total_gib, 1, most));
  if (in_use_gib === null) return { total_bytes: total, in_use_bytes: Math.min(own.held_bytes, total) };
  const in_use = bytes_of_gib(number_of("in_use_gib", in_use_gib, 0, most));
  if (in_use > total) throw new PlanError("in_use_gib", in_use_gib, "within_total", { total: most_in_use(total) });
  return { total_bytes: total, in_use_bytes: in_use };
}
