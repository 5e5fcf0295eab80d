// @ts-check
/**
 * What the tool “cache” answers: how often it knows the answer, what that is worth, and when it is the wrong one.
 * @module
 */

import { whole } from "./checks.js";
import { ceiling_tokens_per_second, floor_seconds } from "./floor.js";
import { KEYS, LONG, asks, hits_by_capacity, serve_cached, served_rate } from "./response_cache.js";
import { TOOLS, figure, opening } from "./serving_facts.js";
import { one_of, said } from "./tool.js";
import { percent, tenths, whole_number } from "./words.js";

/** @import { Ask, Served } from "./response_cache.js" */
/** @import { Answer, Row } from "./tool.js" */
/** @import { Terms } from "./words.js" */

/**
 * The answer to the settings of the tool “cache”.
 * @param {Record<string, any>} settings capacity in answers, prompts, exponent without unit, key by name
 * @returns {Answer} Sentences, and rows in percent and in requests.
 * @throws {SimError} naming the setting that cannot be used
 */
export function cache_answer(settings) {
  const [capacity, kind] = [whole("capacity", settings.capacity), one_of("key", settings.key, Object.keys(KEYS))];
  const row = asks(figure("cache", "requests"), settings.prompts, settings.exponent, figure("cache", "sample"));
  const keys = row.map(KEYS[kind]);
  const [here, hits] = [serve_cached(row, keys, capacity), hits_by_capacity(keys)];
  const most = hits[hits.length - 1];
  const lines = {
    hits: say("lines.hits", { n: row.length, hits: here.hits, share: share(here.hits, row) }),
    rate: say("lines.rate", { model: whole_number(model_rate()), rate: rate(here) }),
    best: say("lines.best", { first: row.length - most, share: share(most, row) }),
    held: say("lines.held", { held: here.held, evictions: here.evictions, kb: kb(here.held) }),
    wrong: wrong_line(here, kind),
  };
  return { lines, rows: [...curve(row, hits, capacity), ...counts(here)], lanes: [] };
}

/**
 * What the model writes without a cache: the ceiling of the tool “floor” as it opens.
 * @returns {number} Tokens per second.
 * @throws {SimError} for facts with which a step takes no time
 */
export function model_rate() {
  const at = opening("floor");
  const step = floor_seconds(at.parameters, at.bytes_per_weight, at.bandwidth);
  return ceiling_tokens_per_second(step, at.batch);
}

/** @param {string} name @param {Terms} [terms] */
function say(name, terms) {
  return said("cache", name, terms);
}

/** @param {number} hits @param {Ask[]} row */
function share(hits, row) {
  return percent(hits / row.length);
}

/** @param {Served} served */
function rate({ hits, misses }) {
  return whole_number(served_rate(model_rate(), hits, misses));
}

/** @param {number} answers */
function kb(answers) {
  return tenths((answers * LONG * figure("cache", "bytes_per_token")) / 1000);
}

/** @param {Served} served @param {string} kind */
function wrong_line({ wrong, first_wrong }, kind) {
  if (first_wrong === null) return say(kind === "whole" ? "lines.right" : "lines.luck");
  const [asked, got] = [named(first_wrong.asked), named(first_wrong.got)];
  return say("lines.wrong", { wrong, place: first_wrong.place, asked, got });
}

/** @param {Ask} ask */
function named({ system, prompt, max_new_tokens }) {
  return say("lines.ask", { system, prompt, tokens: max_new_tokens });
}

/** @param {Ask[]} row @param {number[]} hits @param {number} chosen @returns {Row[]} */
function curve(row, hits, chosen) {
  const capacities = [...new Set([...TOOLS.cache.controls.capacity.values, chosen])].sort((a, b) => a - b);
  return capacities.map((capacity) => {
    const here = hits[Math.min(capacity, hits.length - 1)];
    const [name, text] = [say("controls.capacity.value", { n: capacity }), say("rows.percent", { share: share(here, row) })];
    return row_of("curve", name, (100 * here) / row.length, text, capacity === chosen ? "good" : "plain");
  });
}

/** @param {Served} served @returns {Row[]} */
function counts({ hits, misses, wrong }) {
  return [count("model", misses, "plain"), count("right", hits - wrong, "good"), count("wrong", wrong, "cost")];
}

/** @param {string} name @param {number} n @param {string} kind */
function count(name, n, kind) {
  return row_of("group", say(`rows.${name}`), n, say("rows.count", { n }), kind);
}

/** @param {string} group @param {string} name @param {number} amount @param {string} text @param {string} kind @returns {Row} */
function row_of(group, name, amount, text, kind) {
  return { group: say(`rows.${group}`), name, amount, text, kind };
}
