// @ts-check
/**
 * What the tool “cache” answers: how often it knows the answer, what that is worth, and when it is the wrong one.
 * @module
 */

import { whole } from "./checks.js";
import { ceiling_tokens_per_second, floor_seconds } from "./floor.js";
import { KEYS, LONG, asks, serve_cached, served_rate } from "./response_cache.js";
import { TOOLS, figure, opening } from "./serving_facts.js";
import { one_of, said } from "./tool.js";
import { percent, tenths, whole_number } from "./words.js";

/** @import { Ask, Served } from "./response_cache.js" */
/** @import { Answer, Row } from "./tool.js" */

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
  const [here, best] = [serve_cached(row, keys, capacity), serve_cached(row, keys, row.length)];
  const lines = {
    hits: said("cache", "lines.hits", { n: row.length, hits: here.hits, share: share(here) }),
    rate: said("cache", "lines.rate", { model: whole_number(model_rate()), rate: rate(here) }),
    best: said("cache", "lines.best", { first: best.misses, share: share(best) }),
    held: said("cache", "lines.held", { held: here.held, evictions: here.evictions, kb: kb(here.held) }),
    wrong: wrong_line(here, kind),
  };
  return { lines, rows: [...curve(row, keys, capacity), ...counts(here)], lanes: [] };
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

/** @param {Served} served */
function share({ hits, misses }) {
  return percent(hits / (hits + misses));
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
  if (first_wrong === null) return said("cache", `lines.right.${kind}`);
  const [asked, got] = [named(first_wrong.asked), named(first_wrong.got)];
  return said("cache", "lines.wrong", { wrong, place: first_wrong.place, asked, got });
}

/** @param {Ask} ask */
function named({ system, prompt, max_new_tokens }) {
  return said("cache", "lines.ask", { system, prompt, tokens: max_new_tokens });
}

/** @param {Ask[]} row @param {string[]} keys @param {number} chosen @returns {Row[]} */
function curve(row, keys, chosen) {
  const capacities = [...new Set([...TOOLS.cache.controls.capacity.values, chosen])].sort((a, b) => a - b);
  return capacities.map((capacity) => {
    const served = serve_cached(row, keys, capacity);
    return {
      group: said("cache", "rows.curve"),
      name: said("cache", "rows.capacity", { n: capacity }),
      amount: (100 * served.hits) / row.length,
      text: said("cache", "rows.percent", { share: share(served) }),
      kind: capacity === chosen ? "good" : "plain",
    };
  });
}

/** @param {Served} served @returns {Row[]} */
function counts({ hits, misses, wrong }) {
  const amounts = { model: misses, right: hits - wrong, wrong };
  const kinds = { model: "plain", right: "good", wrong: "cost" };
  return Object.entries(amounts).map(([name, count]) => ({
    group: said("cache", "rows.group"),
    name: said("cache", `rows.${name}`),
    amount: count,
    text: said("cache", "rows.count", { n: count }),
    kind: kinds[/** @type {"model" | "right" | "wrong"} */ (name)],
  }));
}
