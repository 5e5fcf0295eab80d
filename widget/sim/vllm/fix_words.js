// @ts-check
/**
 * What to change and how far each setting goes, in sentences.
 * @module
 */

import { number_text } from "./command.js";
import { WORDS } from "./plan_facts.js";
import { commas, fixed, gib } from "./rounding.js";
import { FINE } from "./shares.js";

/** @typedef {import("./fixes.js").Fix} Fix */
/** @typedef {import("./fixes.js").Fixes} Fixes */
/** @typedef {import("./reach.js").Reach} Reach */
/** @typedef {import("./upgrade.js").Upgrade} Upgrade */
/** @typedef {import("./reach.js").Way} Way */

/**
 * What a template's names stand for: numbers and texts.
 * @typedef {Readonly<Record<string, any>>} Terms
 */
/** One longest chat and no more, as vLLM prints it, in chats. */
export const ONE = "1.00";

/** A name in braces with the word for many that it counts, a pattern without unit. */
export const COUNTED =
  /\{([a-z_]+)\}(\*? (?:attention )?(?:token|chat|block|card|seat|start|slot|head|minute|graph)s(?![a-z]))?/g;

/**
 * A template with its names in braces filled in; what nothing fills stays, and behind 1 stands a word for one.
 * @param {string} template the sentence
 * @param {Record<string, any>} terms numbers and texts by name
 * @returns {string} The sentence.
 */
export function filled(template, terms) {
  return template.replace(COUNTED, (_, name, many = "") => {
    const value = Object.hasOwn(terms, name) ? String(terms[name]) : `{${name}}`;
    return value + (value === "1" ? many.slice(0, -1) : many);
  });
}

/**
 * Bytes in GiB with two places, without the unit.
 * @param {number} count how much, bytes
 * @returns {string} Digits.
 * @throws {PlanError} for a number that is not finite
 */
export function size(count) {
  return fixed(gib(count), 2);
}

/**
 * A value of a setting as a sentence shows it: large whole numbers with commas, switches as on and off.
 * @param {any} value text, a switch or a number of any unit
 * @returns {string} The text.
 * @throws {PlanError} for a number that is not finite
 */
export function shown_value(value) {
  if (value === true || value === false) return value ? "on" : "off";
  if (typeof value === "string") return value || "as stored";
  if (value === Math.floor(value)) return commas(value);
  let text = fixed(value, 4);
  while (text.endsWith("0")) text = text.slice(0, -1);
  return text;
}

/**
 * What to change, the cheapest first, and what is to be said of the share.
 * @param {Fixes} fixes the changes
 * @returns {string[]} Sentences.
 * @throws {PlanError} for a number that is not finite
 */
export function fix_lines(fixes) {
  const lines = [];
  if (fixes.share === "none") {
    const terms = { needed: number_text(fixes.share_needed), free: number_text(fixes.share_free) };
    const within = fixes.share_needed > fixes.share_free ? "none" : "tight";
    lines.push(filled(WORDS.share[fixes.share_needed <= 1 ? within : "above_one"], terms));
  }
  if (fixes.none) return [...lines, WORDS.none];
  const pairs = fixes.fixes.every((fix) => Object.keys(fix.changes).length > 1);
  lines.push(WORDS[pairs ? "pairs" : "fixes"]);
  for (const fix of fixes.fixes) lines.push(fix_line(fix));
  return lines;
}

/**
 * One change in a sentence: what to set, what it costs, what the pool then holds.
 * @param {Fix} fix the change
 * @returns {string} Sentences.
 * @throws {PlanError} for a number that is not finite
 */
export function fix_line(fix) {
  const words = WORDS.fix;
  const parts = [];
  for (const [name, value] of Object.entries(fix.changes)) {
    // What may be held at most is rounded down, so that it may be typed back.
    const shown = shown_value(name === "in_use_gib" ? Math.floor(value * FINE) / FINE : value);
    const terms = { lever: WORDS.lever[name], setting: name, value: shown };
    parts.push(filled(words.named[name] ?? words.one, terms));
  }
  const costs = fix.costs.map((name) => WORDS.cost[name]).join(" ");
  const lines = [filled(words.line, { changes: parts.join(words.and), cost: costs })];
  if (fix.exact !== fix.value) lines.push(filled(words.exact, { exact: number_text(fix.exact) }));
  if (fix.tokens > 0) {
    const then = { tokens: commas(fix.tokens), concurrency: fixed(fix.concurrency, 2) };
    lines.push(filled(words[then.concurrency === ONE ? "then_one" : "then"], then));
  }
  return lines.join(" ");
}

/**
 * How many chats there is room for, and how far each setting goes.
 * @param {Reach} reach levers and rooms
 * @param {number} concurrency printed chats of the longest length, many
 * @returns {string[]} Sentences.
 * @throws {PlanError} for a number that is not finite
 */
export function reach_lines(reach, concurrency) {
  const words = WORDS.reach;
  const longest = reach.rooms[reach.rooms.length - 1].tokens;
  const worst = { concurrency: fixed(concurrency, 2), longest: commas(longest) };
  const lines = [filled(words[worst.concurrency === ONE ? "worst_one" : "worst"], worst)];
  for (const room of reach.rooms.slice(0, -1)) {
    const key = room.chats === 1 ? "typical_one" : "typical";
    lines.push(filled(words[key], { tokens: commas(room.tokens), chats: commas(room.chats) }));
  }
  lines.push(words.wait);
  lines.push(words.head);
  for (const way of reach.ways) lines.push(way_line(way));
  if (reach.one_chat_bytes > 0) {
    const count = reach.one_chat_bytes;
    lines.push(filled(words.one_chat, { bytes: commas(count), flag: String(count) }));
  }
  if (reach.seats_bytes !== null) lines.push(filled(words.seats, { bytes: commas(reach.seats_bytes) }));
  lines.push(words.two);
  return lines;
}

/**
 * How far one setting goes, in a sentence.
 * @param {Way} way the lever with its ends
 * @returns {string} A sentence.
 * @throws {PlanError} for a number that is not finite
 */
export function way_line(way) {
  const stops = way.stops ? filled(WORDS.reach.stops, { why: WORDS.stops[way.stops] }) : "";
  const terms = {
    setting: way.lever,
    lever: WORDS.lever[way.lever],
    now: shown_value(way.now),
    least: shown_value(way.least),
    most: shown_value(way.most),
    stops,
  };
  return filled(WORDS.reach.line, terms);
}

/**
 * What differs between two versions, row by row, each with the rule that changed.
 * @param {Upgrade} upgrade the comparison
 * @returns {string[]} Rows.
 * @throws {PlanError} for a number that is not finite
 */
export function upgrade_rows(upgrade) {
  const words = WORDS.upgrade;
  const lines = [];
  for (const part of upgrade.parts) {
    if (part.more !== 0) {
      const sizes = { before: size(part.before), after: size(part.after) };
      const more = `${part.more > 0 ? "+" : ""}${size(part.more)}`;
      const terms = { ...sizes, name: WORDS.part[part.name], more, rule: rule(part.rule) };
      lines.push(filled(words.part, terms));
    }
  }
  for (const setting of upgrade.settings) {
    const values = { before: shown_value(setting.before), after: shown_value(setting.after) };
    const name = WORDS.chosen[setting.name];
    lines.push(filled(words.setting, { ...values, name, rule: rule(setting.rule) }));
  }
  if (upgrade.tokens[0] !== upgrade.tokens[1]) {
    const counts = { before: commas(upgrade.tokens[0]), after: commas(upgrade.tokens[1]) };
    lines.push(filled(words.tokens, counts));
  }
  return lines;
}

/**
 * @param {string} name
 * @returns {string}
 */
function rule(name) {
  return name ? filled(WORDS.upgrade.rule, { rule: WORDS.rule[name] }) : "";
}
