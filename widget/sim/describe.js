// @ts-check
/**
 * Everything the widget shows for one setting of its controls, in words.
 * @module
 */

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
 * What the widget shows: the bar, three lines and the legend.
 * @typedef {object} Described
 * @property {number[]} grow weights, reserve, pool and unused, bytes: the widths of the bar
 * @property {number} fill how much of the pool is held on average, whole percent
 * @property {string} room the first line
 * @property {string} run the second line; empty when the server does not start
 * @property {string} extra the third line
 * @property {string[]} legend a text for each part of the bar
 */

/**
 * What the page says beside the three lines; a text that does not apply is empty.
 * @typedef {object} PageWords
 * @property {string} first_word the middle chat's wait for its first word, and when all are done
 * @property {number} peak how much of the pool is held at the fullest moment, whole percent
 * @property {string} short how many tokens the pool lacks, where the server does not start
 * @property {string} same what limits, when a move left the run as it was
 * @property {string} caveat that the answer is a best case
 */

/**
 * The smallest change of one setting that lets the server start; null where there is none.
 * @typedef {object} Fixes
 * @property {number | null} share memory share, whole percent
 * @property {number | null} longest longest chat, tokens
 */

/**
 * One setting and its numbers.
 * @typedef {object} Measured
 * @property {number} share memory share, whole percent
 * @property {number} longest longest chat, tokens
 * @property {number} cap most chats at once
 * @property {boolean} reserved whether every chat sets aside blocks for its longest length
 * @property {Room} room what `room` found
 * @property {Run | null} run what `serve` came to; null when the server does not start
 * @property {number | null} first_word_seconds the middle chat's wait from its arrival to its first token, seconds;
 *   null when nobody is served
 * @property {number} chats chats on the list
 * @property {boolean} lesson whether it is the lesson's list
 */

/** @type {readonly Request[] | null} */
let lesson_backlog = null; // the default list is made once

/**
 * Run one setting on a list of chats, and give its numbers.
 * @param {number} share memory share, whole percent from 1 to 100
 * @param {number} longest longest chat, tokens of prompt and reply, at least 1
 * @param {number} cap most chats at once, at least 1
 * @param {boolean} [reserved] whether every chat sets aside blocks for its longest length
 * @param {readonly Request[] | null} [requests] the chats, in the order in which they arrive; the lesson's list where
 *   none is given
 * @returns {Measured} The settings, the room and the run.
 * @throws {SimError} for a value out of range, even where the server does not start
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
 * @param {readonly Request[]} requests the chats, in the order in which they arrive
 * @param {Run} run what `serve` came to
 * @returns {number | null} Seconds, or null.
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
 * @param {number} share memory share, whole percent from 1 to 100
 * @param {number} longest longest chat, tokens of prompt and reply, at least 1
 * @param {number} cap most chats at once, at least 1
 * @param {boolean} [reserved] whether every chat sets aside blocks for its longest length
 * @param {readonly Request[] | null} [requests] the chats, in the order in which they arrive; the lesson's list where
 *   none is given
 * @param {Words} [words] the catalogue to say it in
 * @returns {Described} Bytes, percent, and sentences without marks.
 * @throws {SimError} for a value out of range
 */
export function describe(share, longest, cap, reserved = false, requests = null, words = WORDS) {
  return describe_measured(measure(share, longest, cap, reserved, requests), words);
}

/**
 * The words of `describe` for numbers that are already there.
 * @param {Measured} measured a setting and its numbers
 * @param {Words} [words] the catalogue to say it in
 * @returns {Described} Bytes, percent, and sentences without marks.
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
 * @param {Measured} measured a setting and its numbers
 * @param {Measured | null} [before] the setting before the reader's move, if there was one
 * @param {Words} [words] the catalogue to say it in
 * @returns {PageWords} Sentences without marks, and the peak in percent.
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
 * @param {Measured} one a setting and its numbers
 * @param {Measured} other another one
 * @returns {boolean} Yes or no.
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
 * What limits, when a move left the run as it was.
 * @param {Measured} before the setting before the move
 * @param {Measured} after the setting after it
 * @param {Words} [words] the catalogue to say it in
 * @returns {string} One line of text. Empty when the run changed, or nothing was moved.
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
 * @param {Measured} measured a setting and its numbers
 * @returns {Fixes} Percent and tokens.
 * @throws {SimError} for a share or a longest chat out of range
 */
export function fixes(measured) {
  const least = smallest_share(measured.longest);
  const shares = SHARES.filter((share) => least !== null && share >= least);
  const lengths = LONGEST.filter((longest) => longest <= largest_longest(measured.share));
  return { share: shares[0] ?? null, longest: lengths[lengths.length - 1] ?? null };
}

/**
 * What a screen reader hears after a move: what was moved, and the result in one breath.
 * @param {Measured} measured a setting and its numbers
 * @param {Measured | null} [before] the setting before the move, if there was one
 * @param {Words} [words] the catalogue to say it in
 * @returns {string} One line of text.
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
 * @param {Measured} measured a setting and its numbers
 * @param {Words} [words] the catalogue to say it in
 * @returns {string} Lines of text, without marks.
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
