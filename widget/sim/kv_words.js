// @ts-check
/**
 * What the tool “kv” answers: the cache of a token and of a sequence, and what fits by each meaning of GB.
 * @module
 */

import { whole } from "./checks.js";
import { GB, GIB, kv_bytes_per_token, room_bytes, sequence_bytes, sequences_that_fit } from "./kv.js";
import { said } from "./tool.js";
import { tenths } from "./words.js";

/** @import { Answer, Row } from "./tool.js" */

/** The largest card, in GB or GiB: 2^22 − 1, so that sums of bytes stay exact. */
export const MOST_GB = 4194303;
/**
 * What GB may mean, in bytes: on the card's label, and for weights and the rest.
 * @type {Readonly<Record<string, readonly [number, number]>>}
 */
export const READINGS = { gib: [GIB, GIB], gb: [GB, GB], mixed: [GIB, GB], other: [GB, GIB] };

/**
 * The answer to the settings of the tool “kv”.
 * @param {Record<string, any>} settings n_layers, n_kv_heads, head_dim in values and dtype_bytes of the model, tokens of
 *   a sequence, and card, weights and reserve in whole GB
 * @returns {Answer} Sentences, and rows in GiB and in sequences.
 * @throws {SimError} naming the setting that cannot be used
 */
export function kv_answer(settings) {
  const { n_layers, n_kv_heads, head_dim, dtype_bytes, tokens } = settings;
  const token = kv_bytes_per_token(n_layers, n_kv_heads, head_dim, dtype_bytes);
  const [each, fits] = [sequence_bytes(token, tokens), fits_by_reading(settings)];
  const lines = {
    token: token_line(token, settings),
    sequence: sequence_line(each, tokens),
    fits: fits_line(fits, settings),
    readings: readings_line(Object.values(fits)),
  };
  return { lines, rows: [...memory_rows(each, settings), ...fit_rows(fits)], lanes: [] };
}

/**
 * How many sequences fit by each of the `READINGS` of GB.
 * @param {Record<string, any>} settings as for `kv_answer`
 * @returns {Record<string, number>} Sequences, whole numbers without unit, by name of the reading.
 * @throws {SimError} naming the setting that cannot be used
 */
export function fits_by_reading(settings) {
  const { n_layers, n_kv_heads, head_dim, dtype_bytes, tokens } = settings;
  const each = sequence_bytes(kv_bytes_per_token(n_layers, n_kv_heads, head_dim, dtype_bytes), tokens);
  const [card, weights] = [whole("card", settings.card, 1, MOST_GB), whole("weights", settings.weights, 0, MOST_GB)];
  const reserve = whole("reserve", settings.reserve, 0, MOST_GB);
  return Object.fromEntries(
    Object.entries(READINGS).map(([name, [label, rest]]) => [
      name,
      sequences_that_fit(room_bytes(card * label, weights * rest, reserve * rest), each),
    ]),
  );
}

/** @param {number} token @param {Record<string, any>} settings */
function token_line(token, settings) {
  const [layers, heads] = [settings.n_layers, settings.n_kv_heads];
  const [head, bytes] = [settings.head_dim, settings.dtype_bytes];
  return said("kv", "lines.token", { kib: tenths(token / 1024), layers, heads, head, bytes });
}

/** @param {number} each @param {number} tokens */
function sequence_line(each, tokens) {
  // From half a GiB on in GiB: one decimal would say too little of less.
  const [unit, bytes] = 2 * each >= GIB ? ["gib", GIB] : ["mib", GIB / 1024];
  return said("kv", `lines.sequence.${unit}`, { tokens, size: tenths(each / bytes), mb: tenths(each / 1e6) });
}

/** @param {Record<string, number>} fits @param {Record<string, any>} settings */
function fits_line(fits, { card, weights, reserve }) {
  const room = room_bytes(card, weights, reserve);
  const name = room === 0 ? "full" : fits.gib === 0 ? "none" : "fits";
  return said("kv", `lines.${name}`, { card, room, gib: fits.gib, gb: fits.gb });
}

/** @param {number[]} counts */
function readings_line(counts) {
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  return said("kv", `lines.readings.${least === most ? "agree" : "differ"}`, { least, most });
}

/** @param {number} each @param {Record<string, any>} settings */
function memory_rows(each, { card, weights, reserve }) {
  const sizes = { card, weights, reserve, room: room_bytes(card, weights, reserve) };
  /** @type {Record<string, string>} */
  const kinds = { card: "limit", room: "good" };
  const rows = Object.entries(sizes).map(([name, size]) => row("memory", name, size, kinds[name] ?? "plain"));
  return [...rows, row("memory", "sequence", each / GIB, "cost")];
}

/** @param {string} group @param {string} name @param {number} gib @param {string} kind @returns {Row} */
function row(group, name, gib, kind) {
  const text = said("kv", "rows.size", { n: tenths(gib) });
  return { group: said("kv", `rows.${group}`), name: said("kv", `rows.${name}`), amount: gib, text, kind };
}

/** @param {Record<string, number>} fits @returns {Row[]} */
function fit_rows(fits) {
  return Object.entries(fits).map(([name, count]) => ({
    group: said("kv", "rows.fit"),
    name: said("kv", `rows.${name}`),
    amount: count,
    text: said("kv", "rows.count", { n: count }),
    kind: name === "gib" ? "good" : "plain",
  }));
}
