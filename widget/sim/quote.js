// @ts-check
/**
 * One number of an answer, as the page writes it: what `<pool-room-value>` puts into a sentence.
 *
 * facts/contract.json says what each name means and in which unit.
 * @module
 */

import { largest_longest, smallest_share } from "./budget.js";
import { SimError } from "./checks.js";
import { SERVER, WORDS } from "./facts.js";
import { commas, gb, peak_percent, percent, tenths, whole_number } from "./words.js";

/** @import { Measured } from "./describe.js" */
/** @import { Words } from "./facts.js" */

/**
 * How a number is written: whole, with one decimal, in GB, or in percent.
 * @typedef {"whole" | "tenths" | "gb" | "percent"} Form
 */
/**
 * How a number is found in an answer; null where the answer has no such number.
 * @typedef {(measured: Measured) => number | null} Value
 */

/** @param {"weights" | "reserve" | "pool" | "unused" | "allowed" | "blocks" | "pool_tokens"} key @returns {Value} */
const in_room = (key) => ({ room }) => room[key];

/** @param {"typical" | "at_longest"} key @returns {Value} */
const in_started = (key) => ({ room }) => (room.starts ? room[key] : null);

/**
 * @param {"tokens_per_second" | "running" | "pool_used" | "served" | "refused" | "paused" | "rebuilt_tokens" | "steps"} key
 * @returns {Value}
 */
const in_run = (key) => ({ run }) => (run === null ? null : run[key]);

/** @type {Value} */
function wait_ms({ run }) {
  return run === null || run.seconds_per_word === null ? null : run.seconds_per_word * 1000;
}

/** @type {Value} */
function all_done({ run }) {
  return run !== null && run.served > 0 ? run.seconds : null;
}

/** @type {Value} */
function peak({ run, room }) {
  return run === null ? null : peak_percent(run, room.blocks);
}

/** @type {Value} */
function short({ room }) {
  return room.starts ? null : room.per_longest * SERVER.block_tokens - room.pool_tokens;
}

/**
 * How each number is written, and how it is found; units are under `quotes` in `facts/contract.json`.
 * @type {Readonly<Record<string, readonly [Form, Value]>>}
 */
export const QUOTES = Object.freeze({
  tokens_per_second: ["whole", in_run("tokens_per_second")],
  ms_between_words: ["tenths", wait_ms],
  first_word_seconds: ["tenths", (m) => m.first_word_seconds],
  all_done_seconds: ["whole", all_done],
  running: ["whole", in_run("running")],
  room_typical: ["whole", in_started("typical")],
  room_at_longest: ["whole", in_started("at_longest")],
  weights_gb: ["gb", in_room("weights")],
  reserve_gb: ["gb", in_room("reserve")],
  pool_gb: ["gb", in_room("pool")],
  unused_gb: ["gb", in_room("unused")],
  allowed_gb: ["gb", in_room("allowed")],
  held_percent: ["percent", in_run("pool_used")],
  peak_percent: ["whole", peak],
  chats: ["whole", (m) => m.chats],
  served: ["whole", in_run("served")],
  turned_away: ["whole", in_run("refused")],
  paused: ["whole", in_run("paused")],
  rebuilt_tokens: ["whole", in_run("rebuilt_tokens")],
  steps: ["whole", in_run("steps")],
  blocks: ["whole", in_room("blocks")],
  pool_tokens: ["whole", in_room("pool_tokens")],
  tokens_short: ["whole", short],
  smallest_share: ["whole", (m) => smallest_share(m.longest)],
  largest_longest: ["whole", (m) => largest_longest(m.share)],
});

/**
 * One number of an answer as the page writes it: "1,202" for `tokens_per_second`.
 * @param {Measured} measured a setting and its numbers
 * @param {string} show name of the number, one of `QUOTES`
 * @param {Words} [words] the catalogue to say it in
 * @returns {string} Digits and separators, in the unit that `facts/contract.json` names.
 * @throws {SimError} for a name that is none, or that has no value at these settings
 */
export function quote(measured, show, words = WORDS) {
  if (!Object.hasOwn(QUOTES, show)) throw new SimError("show", show, "choice", { choices: Object.keys(QUOTES).join(", ") });
  const [form, value] = QUOTES[show];
  const found = value(measured);
  if (found === null) {
    const has = Object.keys(QUOTES).filter((name) => QUOTES[name][1](measured) !== null);
    throw new SimError("show", show, "quote", { choices: has.join(", ") });
  }
  return written(form, found, words);
}

/** @param {Form} form @param {number} value @param {Words} words */
function written(form, value, words) {
  if (form === "tenths") return tenths(value, words);
  if (form === "gb") return gb(value, words);
  return commas(form === "percent" ? percent(value) : whole_number(value), words);
}
