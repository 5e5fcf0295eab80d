// @ts-check
/** Everything the widget shows for one setting of its controls, in words. */

import { largest_longest, room, smallest_share } from "./budget.js";
import { backlog, check_requests } from "./chats.js";
import { whole } from "./checks.js";
import { LONGEST, SERVER, SHARES, WORDS } from "./facts.js";
import { serve } from "./server.js";
import {
  caveat_line,
  extra_sentences,
  first_word_sentences,
  legend,
  peak_percent,
  percent,
  plain,
  room_sentences,
  run_sentences,
  say,
  short_sentences,
  tenths,
  whole_number,
} from "./words.js";

/** @import { Room } from "./budget.js" */
/** @import { Request } from "./chats.js" */
/** @import { Words } from "./facts.js" */
/** @import { Run } from "./server.js" */

/**
 * Bytes of the four parts, fill of the pool in percent, three lines, four legend texts.
 * @typedef {{grow: number[], fill: number, room: string, run: string, extra: string, legend: string[]}} Described
 */

/**
 * What the page says beside the three lines.
 * @typedef {{first_word: string, peak: number, short: string, same: string, caveat: string}} PageWords
 */

/**
 * The smallest change of one setting that lets the server start: percent, tokens; null if there is none.
 * @typedef {{share: number | null, longest: number | null}} Fixes
 */

/**
 * One setting and its numbers; `run` is null when the server does not start.
 * @typedef {object} Measured
 * @property {number} share
 * @property {number} longest
 * @property {number} cap
 * @property {boolean} reserved
 * @property {Room} room
 * @property {Run | null} run
 * @property {number | null} first_word_seconds
 * @property {number} chats
 * @property {boolean} lesson
 */

/** @type {readonly Request[] | null} */
let lesson_backlog = null; // the default list is made once

/**
 * Run one setting (percent, tokens, chats) on a list of chats, by default the lesson's 600.
 * @param {number} share
 * @param {number} longest
 * @param {number} cap
 * @param {boolean} [reserved]
 * @param {readonly Request[] | null} [requests]
 * @returns {Measured}
 * @throws {SimError} for a value out of range
 */
export function measure(share, longest, cap, reserved = false, requests = null) {
  const here = room(share, longest, reserved);
  lesson_backlog ??= backlog();
  const waiting = requests === null ? lesson_backlog : requests;
  // A bad cap or list is refused even where the server does not start.
  whole("cap", cap, 1);
  if (!here.starts) check_requests(waiting);
  const run = here.starts ? serve(waiting, cap, here.blocks, longest, reserved) : null;
  return {
    share,
    longest,
    cap,
    reserved,
    room: here,
    run,
    first_word_seconds: run === null ? null : first_word_seconds(waiting, run),
    chats: waiting.length,
    lesson: requests === null,
  };
}

/**
 * The middle chat's wait from its arrival to its first token, by nearest rank; null when nobody is served.
 * @param {readonly Request[]} requests
 * @param {Run} run
 * @returns {number | null}
 */
export function first_word_seconds(requests, run) {
  const waits = new Float64Array(run.served);
  let count = 0;
  for (let i = 0; i < requests.length; i += 1) {
    const first = run.first_token[i];
    if (first === null) continue;
    waits[count] = first - requests[i].arrival;
    count += 1;
  }
  waits.sort();
  return count > 0 ? waits[Math.floor((count + 1) / 2) - 1] : null;
}

/**
 * Everything the widget shows for one setting: bar, fill, three lines and legend.
 * @param {number} share
 * @param {number} longest
 * @param {number} cap
 * @param {boolean} [reserved]
 * @param {readonly Request[] | null} [requests]
 * @param {Words} [words]
 * @returns {Described}
 * @throws {SimError} for a value out of range
 */
export function describe(share, longest, cap, reserved = false, requests = null, words = WORDS) {
  return describe_measured(measure(share, longest, cap, reserved, requests), words);
}

/**
 * The words of `describe` for numbers that are already there.
 * @param {Measured} measured
 * @param {Words} [words]
 * @returns {Described}
 */
export function describe_measured(measured, words = WORDS) {
  const { room: here, run } = measured;
  return {
    grow: [here.weights, here.reserve, here.pool, here.unused],
    fill: run !== null && run.pool_used !== null ? percent(run.pool_used) : 0,
    room: plain(room_sentences(here, measured.longest, measured.reserved, words), words),
    run: run === null ? "" : plain(run_sentences(run, measured.cap, measured.longest, words), words),
    extra: run === null ? say(words.lines.extra_not_started, {}, words) : plain(extra_sentences(run, words), words),
    legend: legend(here, words),
  };
}

/**
 * What the page says beside the three lines.
 *
 * The wait for the first word, the pool's fullest moment (percent), how short the pool is, what
 * limits when a move from `before` left the run as it was, and the caveat.
 * @param {Measured} measured
 * @param {Measured | null} [before]
 * @param {Words} [words]
 * @returns {PageWords}
 */
export function page_words(measured, before = null, words = WORDS) {
  const { room: here, run } = measured;
  return {
    first_word: run === null ? "" : plain(first_word_sentences(run, measured.first_word_seconds, words), words),
    peak: run === null ? 0 : peak_percent(run, here.blocks),
    short: here.starts ? "" : plain(short_sentences(here, words), words),
    same: before === null ? "" : same_line(before, measured, words),
    caveat: caveat_line(measured.chats, measured.lesson, words),
  };
}

/**
 * Whether two settings gave the same run: every number but the pool's own two.
 * @param {Measured} one
 * @param {Measured} other
 * @returns {boolean}
 */
export function same_run(one, other) {
  if (one.run === null || other.run === null || one.chats !== other.chats || one.lesson !== other.lesson) return false;
  /** @type {Record<string, any>} */
  const a = one.run;
  /** @type {Record<string, any>} */
  const b = other.run;
  return Object.keys(a).every((key) => {
    if (key === "pool_used" || key === "lowest_free") return true;
    return Array.isArray(a[key]) ? same_items(a[key], b[key]) : a[key] === b[key];
  });
}

/**
 * @param {readonly (number | null)[]} one
 * @param {readonly (number | null)[]} other
 */
function same_items(one, other) {
  return one.length === other.length && one.every((item, i) => item === other[i]);
}

/**
 * What limits, when a move left the run as it was; empty when it did not, or nothing was moved.
 * @param {Measured} before
 * @param {Measured} after
 * @param {Words} [words]
 * @returns {string}
 */
export function same_line(before, after, words = WORDS) {
  const moved = moved_names(before, after);
  if (moved.length === 0 || !same_run(before, after)) return "";
  return words.same[moved.length === 1 ? limit_of(before, after, moved[0]) : "run"];
}

/**
 * @param {Measured} before
 * @param {Measured} after
 */
function moved_names(before, after) {
  const names = /** @type {const} */ (["share", "longest", "cap", "reserved"]);
  return names.filter((name) => before[name] !== after[name]);
}

/**
 * The run did not answer to the one setting that moved, so that setting is not the limit.
 * @param {Measured} before
 * @param {Measured} after
 * @param {string} moved
 * @returns {"length" | "all_in" | "pool" | "seats"}
 */
function limit_of(before, after, moved) {
  const served = after.run === null ? 0 : after.run.served;
  const seats = Math.min(before.cap, after.cap);
  if (moved === "longest" && !after.reserved) return "length";
  if (served <= seats && !whole_chats_bind(before, after)) return "all_in";
  if (moved === "cap" || whole_chats_bind(before, after)) return "pool";
  return "seats";
}

/**
 * With the full length set aside, the pool counts in whole chats: a little more room may add none.
 * @param {Measured} before
 * @param {Measured} after
 */
function whole_chats_bind(before, after) {
  const fits = [before, after].filter((m) => m.reserved).map((m) => m.room.at_longest);
  return fits.length > 0 && Math.min(...fits) < Math.min(before.cap, after.cap);
}

/**
 * The offered share and the offered longest chat nearest to a setting that does not start, that would start.
 * @param {Measured} measured
 * @returns {Fixes}
 */
export function fixes(measured) {
  const least = smallest_share(measured.longest);
  const shares = SHARES.filter((share) => least !== null && share >= least);
  const lengths = LONGEST.filter((longest) => longest <= largest_longest(measured.share));
  return { share: shares[0] ?? null, longest: lengths[lengths.length - 1] ?? null };
}

/**
 * What a screen reader hears after a move: what was moved, and the result in one breath.
 * @param {Measured} measured
 * @param {Measured | null} [before]
 * @param {Words} [words]
 * @returns {string}
 */
export function status_line(measured, before = null, words = WORDS) {
  const moved = before === null ? [] : moved_sentences(measured, before, words);
  const same = before === null ? "" : same_line(before, measured, words);
  return plain([...moved, ...(same === "" ? result_sentences(measured, words) : [words.same.run])], words);
}

/**
 * @param {Measured} measured
 * @param {Measured} before
 * @param {Words} words
 */
function moved_sentences(measured, before, words) {
  const sentences = [];
  for (const name of /** @type {const} */ (["share", "longest", "cap"])) {
    const value = measured[name];
    if (before[name] === value) continue;
    sentences.push(say(words.status[name], { name: words.controls[name].name, value }, words));
  }
  if (before.reserved !== measured.reserved) {
    sentences.push(words.status[measured.reserved ? "reserved_on" : "reserved_off"]);
  }
  return sentences;
}

/** @param {Measured} measured @param {Words} words */
function result_sentences(measured, words) {
  const { room: here, run, cap, longest } = measured;
  if (run === null) {
    const short = here.per_longest * SERVER.block_tokens - here.pool_tokens;
    return [say(words.status.refused, { short, longest }, words)];
  }
  if (run.running === null || run.tokens_per_second === null || run.seconds_per_word === null) {
    return run_sentences(run, cap, longest, words);
  }
  const terms = {
    running: whole_number(run.running),
    rate: whole_number(run.tokens_per_second),
    wait: tenths(run.seconds_per_word * 1000, words),
  };
  const sentences = [say(words.status.run, terms, words)];
  if (run.paused > 0) sentences.push(say(words.status.paused, { paused: run.paused }, words));
  if (run.refused > 0) sentences.push(say(words.status.turned_away, { refused: run.refused }, words));
  return sentences;
}

/**
 * The whole answer as lines of plain text, for a message or a terminal.
 * @param {Measured} measured
 * @param {Words} [words]
 * @returns {string}
 */
export function as_text(measured, words = WORDS) {
  const shown = describe_measured(measured, words);
  const beside = page_words(measured, null, words);
  const { share, longest, cap } = measured;
  const settings = [say(words.text.settings, { share, longest, cap }, words)];
  if (measured.reserved) settings.push(words.text.set_aside);
  const lines = [
    plain(settings, words),
    shown.legend.join(words.text.legend_joiner),
    shown.room,
    shown.run,
    shown.extra,
    beside.first_word,
    beside.short,
    beside.caveat,
  ];
  return lines.filter((line) => line !== "").join("\n");
}
