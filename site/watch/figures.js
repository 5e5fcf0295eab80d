// @ts-check
/** The figures of a plan in an address, each checked; the lesson's own stands where one is bad or missing. */

import WORDS from "./words.json" with { type: "json" };

/** @typedef {{least: number, most: number, whole: boolean}} Range */

/** How much of a name is shown, characters. */
export const MOST_NAME = 80;
const MOST_MEMORY = 90_000_000_000_000; // bytes: times 100 percent it stays below 2^53
const MOST_LONGEST = 9_999_999; // tokens: the widget reads numbers of seven digits

/** @param {number} least @param {number} most @param {boolean} [whole] @returns {Range} */
function range(least, most, whole = true) {
  return { least, most, whole };
}

/** The figures that an address may carry, and what each may be. @type {Readonly<Record<string, Range>>} */
export const RANGES = Object.freeze({
  memory_bytes: range(1, MOST_MEMORY),
  bandwidth: range(1, 1e17),
  peak: range(1, 1e19),
  cards: range(1, 65_536),
  parameters: range(1, 1e15),
  active: range(1, 1e15),
  value_bytes: range(0.01, 16, false),
  layers: range(1, 10_000),
  kv_heads: range(1, 10_000),
  head_size: range(1, 100_000),
  weights_bytes: range(1, MOST_MEMORY),
  kv_bytes_per_token: range(1, 1e9),
  reserve_bytes: range(0, MOST_MEMORY),
  plan_share: range(1, 100),
  plan_longest: range(1, MOST_LONGEST),
  plan_cap: range(1, 100_000),
});

/**
 * @typedef {object} Own what the lesson has
 * @property {Readonly<Record<string, any>>} CARD
 * @property {Readonly<Record<string, any>>} MODEL
 * @property {Readonly<Record<string, any>>} SERVER
 * @property {Readonly<Record<string, any>>} OPENING
 */
/**
 * @typedef {object} Figures what the page runs with
 * @property {{name: string, memory_bytes: number, bandwidth_bytes_per_second: number, peak_flops_per_second: number}} card
 * @property {Record<string, any> & {name: string, parameters: number, weights_bytes: number, kv_bytes_per_token: number, flops_per_token: number}} model
 * @property {number} reserve_bytes
 * @property {number} cards how many cards the plan has
 * @property {{share: number, longest: number, cap: number}} opening the plan's own settings
 * @property {{share: number[], longest: number[], cap: number[]}} more choices beside the lesson's
 * @property {string} model_text the model's name as the address has it
 * @property {boolean} given whether the address has a plan
 * @property {string[]} notices what could not be used
 * @property {string[]} notes what of the plan the simple model does not hold
 */

/** @param {string} template @param {Record<string, unknown>} [terms] */
export function filled(template, terms = {}) {
  return template.replace(/\{(\w+)\}/g, (braces, name) => (Object.hasOwn(terms, name) ? String(terms[name]) : braces));
}

/** A text from outside, fit to be shown: no control characters, not endless. @param {string} text @param {number} most */
export function readable(text, most = 40) {
  const letters = [...text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "\u{FFFD}")];
  return letters.length > most ? `${letters.slice(0, most).join("")}…` : letters.join("");
}

/** A number with its thousands set apart. @param {number} number */
export function commas(number) {
  const [whole, ...rest] = String(number).split(".");
  return /^[0-9]+$/.test(whole) ? [whole.replace(/\B(?=([0-9]{3})+$)/g, ","), ...rest].join(".") : String(number);
}

/** Bytes or operations in billions or trillions, one decimal. @param {number} number @param {number} unit */
function tenths(number, unit) {
  const all = Math.floor((number / unit) * 10 + 0.5);
  return `${commas(Math.floor(all / 10))}.${all % 10}`;
}

/** @param {number} bytes */
export const gigabytes = (bytes) => tenths(bytes, 1e9);
/** @param {number} operations */
export const trillions = (operations) => tenths(operations, 1e12);

/** One reading of an address: texts in, figures and notices out. */
class Reading {
  /** @param {string} query */
  constructor(query) {
    this.parameters = new URLSearchParams(query);
    /** @type {string[]} */
    this.notices = [];
    /** @type {string[]} */
    this.missing = [];
  }

  /** The first text of a name, or null. @param {string} name */
  text(name) {
    const texts = this.parameters.getAll(name);
    if (texts.length > 1) this.notices.push(filled(WORDS.twice, { name, used: readable(texts[0]) }));
    return texts.length > 0 ? texts[0] : null;
  }

  /** Whether any of these is given. @param {string[]} names */
  has(...names) {
    return names.some((name) => this.parameters.has(name));
  }

  /** A figure, or the lesson's own. @param {string} name @param {number} own @param {boolean} [needed] */
  figure(name, own, needed = true) {
    const text = this.text(name);
    if (text === null) {
      if (needed) this.missing.push(filled(WORDS.from_parts, { name, parts: commas(own) }));
      return own;
    }
    const { least, most, whole } = RANGES[name];
    const value = /^[0-9]{1,20}(\.[0-9]{1,9})?$/.test(text) ? Number(text) : NaN;
    if (value >= least && value <= most && (!whole || Number.isInteger(value))) return value;
    const allowed = filled(whole ? WORDS.whole : WORDS.number, { least: commas(least), most: commas(most) });
    this.notices.push(filled(WORDS.bad, { name, value: readable(text), allowed, used: commas(own) }));
    return own;
  }

  /** A name, at most so many characters of it, or the lesson's own. @param {string} name @param {string} own */
  name(name, own) {
    const text = this.text(name);
    if (text === null || text.trim() === "") {
      this.missing.push(filled(WORDS.from_parts, { name, parts: own }));
      return own;
    }
    if ([...text].length > MOST_NAME) this.notices.push(filled(WORDS.long, { name, most: MOST_NAME }));
    return readable(text.trim(), MOST_NAME);
  }

  /** What is wrong, in the order in which it was found; what is missing in one sentence. @param {boolean} given */
  told(given) {
    if (!given) return [WORDS.unplanned, ...this.notices];
    if (this.missing.length === 0) return this.notices;
    const [names, used] = [this.missing.map((each) => each.split(" (")[0]), this.missing];
    return [...this.notices, filled(WORDS.missing, { names: names.join(", "), used: used.join(", ") })];
  }
}

/** Names of which one in an address makes it a plan's. */
export const PLANNED = ["card", ...Object.keys(RANGES)];

/**
 * The figures of an address.
 * @param {string} query such as "?card=H100&memory_bytes=84943110144"
 * @param {Own} own the lesson's
 * @returns {Figures}
 */
export function read_figures(query, own) {
  const reading = new Reading(query);
  const given = reading.has(...PLANNED);
  const card = {
    name: reading.name("card", own.CARD.name),
    memory_bytes: reading.figure("memory_bytes", own.CARD.memory_bytes),
    bandwidth_bytes_per_second: reading.figure("bandwidth", own.CARD.bandwidth_bytes_per_second),
    peak_flops_per_second: reading.figure("peak", own.CARD.peak_flops_per_second),
  };
  const model = model_of(reading, own.MODEL);
  const reserve_bytes = reading.figure("reserve_bytes", own.SERVER.reserve_bytes);
  const opening = {
    share: reading.figure("plan_share", own.OPENING.share, false),
    longest: reading.figure("plan_longest", own.OPENING.longest, false),
    cap: reading.figure("plan_cap", own.OPENING.cap, false),
  };
  const found = {
    card,
    model,
    reserve_bytes,
    cards: reading.figure("cards", 1, false),
    opening,
    more: more_of(reading, opening),
    model_text: reading.parameters.get("model") ?? model.name,
    given,
    notices: reading.told(given),
  };
  const { notes, unknown } = notes_of(reading, found, own);
  return fitting({ ...found, notices: [...found.notices, ...unknown], notes }, own);
}

/**
 * Weights and notes are given as they are, or follow from the parts that the lesson makes them of.
 * @param {Reading} reading
 * @param {Own["MODEL"]} own
 * @returns {Figures["model"]}
 */
function model_of(reading, own) {
  const by_parts = reading.has("value_bytes", "layers", "kv_heads", "head_size");
  const name = reading.name("model", own.name);
  const parameters = reading.figure("parameters", own.parameters);
  const whole = { weights: reading.has("weights_bytes"), kv: reading.has("kv_bytes_per_token") };
  /** @param {string} key @param {boolean} needed */
  const part = (key, needed) => reading.figure(key, own[key], by_parts && needed);
  const value_bytes = part("value_bytes", !whole.weights || !whole.kv);
  const [layers, kv_heads, head_size] = ["layers", "kv_heads", "head_size"].map((key) => part(key, !whole.kv));
  const weights = Math.floor(parameters * value_bytes);
  const kv = Math.max(1, Math.floor(2 * layers * kv_heads * head_size * value_bytes));
  return {
    ...own,
    name,
    parameters,
    layers,
    kv_heads,
    head_size,
    value_bytes,
    weights_bytes: reading.figure("weights_bytes", weights, !by_parts),
    kv_bytes_per_token: reading.figure("kv_bytes_per_token", kv, !by_parts),
    flops_per_token: 2 * reading.figure("active", parameters, false),
  };
}

/**
 * Choices beside the lesson's: the plan's own, and where the address sets the sliders.
 * @param {Reading} reading
 * @param {Figures["opening"]} opening
 */
function more_of(reading, opening) {
  /** @param {"share" | "longest" | "cap"} key */
  const of = (key) => {
    const text = reading.parameters.get(key) ?? "";
    const { least, most } = RANGES[`plan_${key}`];
    const value = /^[0-9]{1,7}$/.test(text) ? Number(text) : NaN;
    return value >= least && value <= most ? [opening[key], value] : [opening[key]];
  };
  return { share: of("share"), longest: of("longest"), cap: of("cap") };
}

/**
 * @param {Reading} reading
 * @param {Omit<Figures, "notes">} found
 * @param {Own} own
 */
function notes_of(reading, found, own) {
  const keys = (reading.text("notes") ?? "").split(",").filter((key) => key !== "");
  const known = Object.keys(WORDS.notes).filter((key) => keys.includes(key));
  const strange = [...new Set(keys)].filter((key) => !known.includes(key));
  const terms = {
    active: commas(found.model.flops_per_token / 2),
    parameters: commas(found.model.parameters),
    share: readable(reading.parameters.get("exact_share") ?? ""),
    longest: readable(reading.parameters.get("exact_longest") ?? ""),
    block: readable(reading.parameters.get("block") ?? ""),
    seats: commas(found.opening.cap),
  };
  /** @type {Record<string, string>} */
  const used = {
    share: String(found.opening.share),
    longest: commas(found.opening.longest),
    block: String(own.SERVER.block_tokens),
  };
  /** @type {Record<string, string>} */
  const templates = WORDS.notes;
  return {
    notes: known.map((key) => filled(templates[key], { ...terms, used: used[key] })),
    unknown: strange.map((key) => filled(WORDS.unknown, { value: readable(key) })),
  };
}

/**
 * Weights and reserve that no share of the card holds would leave the widget without an answer.
 * @param {Figures} found
 * @param {Own} own
 * @returns {Figures}
 */
function fitting(found, own) {
  const needs = found.model.weights_bytes + found.reserve_bytes;
  if (needs <= found.card.memory_bytes) return found;
  const notice = filled(WORDS.full, { needs: gigabytes(needs), has: gigabytes(found.card.memory_bytes) });
  const { name, memory_bytes, bandwidth_bytes_per_second, peak_flops_per_second } = own.CARD;
  return {
    ...found,
    card: { name, memory_bytes, bandwidth_bytes_per_second, peak_flops_per_second },
    model: /** @type {Figures["model"]} */ ({ ...own.MODEL }),
    reserve_bytes: own.SERVER.reserve_bytes,
    cards: 1,
    notices: [...found.notices, notice],
  };
}
