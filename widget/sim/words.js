// @ts-check
/**
 * Every sentence: number formats, and lines filled from the templates of `facts/words`.
 *
 * A template marks its outcomes with asterisks, so that a page can set them bold; `plain` takes the
 * marks out. Only results are read here, nothing is computed but rounding. Every function that writes
 * words takes their catalogue as its last argument, by default the English one.
 * @module
 */

import { SimError } from "./checks.js";
import { BLOCK_BYTES, CARD, CATALOGUES, SERVER, WORDS } from "./facts.js";

/** @import { Room } from "./budget.js" */
/** @import { Words } from "./facts.js" */
/** @import { Run } from "./server.js" */

/**
 * What a template's names stand for: numbers and texts.
 * @typedef {Record<string, number | string>} Terms
 */
/**
 * One sentence, or a list of them.
 * @typedef {string | readonly string[]} Sentences
 */
/**
 * A template of the words file: sentences, or plural forms under the name of the number that decides.
 * @typedef {Sentences | {by: string, other: Sentences, one?: Sentences}} Template
 */

/**
 * The words of one language, by its name in `facts/words`, such as "de".
 * @param {string} language name of the language
 * @returns {Words} The catalogue.
 * @throws {SimError} naming the languages that there are
 */
export function catalogue(language) {
  if (typeof language !== "string" || !Object.hasOwn(CATALOGUES, language)) {
    throw new SimError("lang", language, "choice", { choices: Object.keys(CATALOGUES).join(", ") });
  }
  return CATALOGUES[language];
}

/**
 * A whole number ≥ 0 with its thousands set apart: 1202 → "1,202".
 * @param {number} n a whole number, of any unit
 * @param {Words} [words] the catalogue to say it in
 * @returns {string} Digits and separators.
 */
export function commas(n, words = WORDS) {
  return grouped(digits_of(n), words);
}

/** All digits of a whole number, also of one that `String` would write with an exponent. @param {number} n */
function digits_of(n) {
  return Number.isSafeInteger(n) ? String(n) : BigInt(n).toString();
}

/** @param {string} text @param {Words} words */
function grouped(text, words) {
  let digits = text;
  const groups = [];
  while (digits.length > 3) {
    groups.unshift(digits.slice(-3));
    digits = digits.slice(0, -3);
  }
  return [digits, ...groups].join(words.numbers.thousands);
}

/**
 * The nearest whole number to x ≥ 0, halves up: floor(x + 0.5).
 * @param {number} x a number, of any unit
 * @returns {number} A whole number, in the same unit.
 */
export function whole_number(x) {
  return Math.floor(x + 0.5);
}

/**
 * A number ≥ 0 with one decimal, halves up, made from an integer: floor(10·x + 0.5) tenths.
 * @param {number} x a number, of any unit
 * @param {Words} [words] the catalogue to say it in
 * @returns {string} Digits and separators.
 */
export function tenths(x, words = WORDS) {
  const digits = digits_of(Math.floor(x * 10 + 0.5)).padStart(2, "0");
  return `${grouped(digits.slice(0, -1), words)}${words.numbers.decimal}${digits.slice(-1)}`;
}

/**
 * Bytes in GB (billions of bytes) with one decimal.
 * @param {number} nbytes a size, bytes
 * @param {Words} [words] the catalogue to say it in
 * @returns {string} Digits and separators.
 */
export function gb(nbytes, words = WORDS) {
  return tenths(nbytes / 1e9, words);
}

/**
 * A share from 0 to 1 in whole percent, halves up.
 * @param {number} x a share, from 0 to 1
 * @returns {number} Whole percent.
 */
export function percent(x) {
  return Math.floor(x * 100 + 0.5);
}

/**
 * The plural form that the language uses for a number: the first rule of the words file that holds, else "other".
 * @param {number} n a whole number, of any unit
 * @param {Words} [words] the catalogue whose rules hold
 * @returns {string} Name of the form.
 */
export function plural_form(n, words = WORDS) {
  /** @type {readonly {form: string, from: number, to: number, mod?: number}[]} */
  const rules = words.plurals;
  for (const rule of rules) {
    const rest = rule.mod === undefined ? n : n % rule.mod;
    if (rule.from <= rest && rest <= rule.to) return rule.form;
  }
  return "other";
}

/**
 * The sentences of a template, filled; outcomes still between asterisks.
 *
 * Whole numbers get separators. A name in braces that is none of the terms stays as it is.
 * @param {Template} template a template of the words file
 * @param {Terms} terms what its names stand for
 * @param {Words} [words] the catalogue to say it in
 * @returns {string[]} Sentences, with asterisks around their outcomes.
 */
export function marked(template, terms, words = WORDS) {
  /** @type {Sentences} */
  let chosen;
  if (typeof template === "object" && "by" in template) {
    /** @type {Record<string, any>} */
    const forms = template;
    chosen = forms[plural_form(Number(terms[template.by]), words)] ?? template.other;
  } else {
    chosen = template;
  }
  const sentences = typeof chosen === "string" ? [chosen] : chosen;
  return sentences.map((sentence) => sentence.replace(/\{(\w+)\}/g, (braces, name) => text_of(braces, name, terms, words)));
}

/** @param {string} braces @param {string} name @param {Terms} terms @param {Words} words */
function text_of(braces, name, terms, words) {
  const term = Object.hasOwn(terms, name) ? terms[name] : braces;
  return typeof term === "string" ? term : commas(term, words);
}

/**
 * Sentences as one line of text, without marks.
 * @param {readonly string[]} sentences sentences, with or without marks
 * @param {Words} [words] the catalogue that says what stands between sentences
 * @returns {string} One line of text.
 */
export function plain(sentences, words = WORDS) {
  return sentences.join(words.joiner).replaceAll("*", "");
}

/**
 * A template as one line of text.
 * @param {Template} template a template of the words file
 * @param {Terms} [terms] what its names stand for, in any unit; in Python they are named arguments, and come last
 * @param {Words} [words] the catalogue to say it in
 * @returns {string} One line of text.
 */
export function say(template, terms = {}, words = WORDS) {
  return plain(marked(template, terms, words), words);
}

/**
 * The four parts of the bar with their sizes in GB.
 * @param {Room} room what `room` found
 * @param {Words} [words] the catalogue to say it in
 * @returns {string[]} Four texts, of weights, reserve, pool and unused.
 */
export function legend(room, words = WORDS) {
  /** @type {["weights" | "reserve" | "pool" | "unused", number][]} */
  const parts = [
    ["weights", room.weights],
    ["reserve", room.reserve],
    ["pool", room.pool],
    ["unused", room.unused],
  ];
  return parts.map(([part, size]) => say(words.legend[part], { gb: gb(size, words) }, words));
}

/**
 * The first line: how many chats the pool could hold, or why the server does not start; with marks.
 * @param {Room} room what `room` found
 * @param {number} longest longest chat, tokens of prompt and reply, at least 1
 * @param {boolean} reserved whether every chat sets aside blocks for its longest length
 * @param {Words} [words] the catalogue to say it in
 * @returns {string[]} Sentences, with asterisks around their outcomes.
 */
export function room_sentences(room, longest, reserved, words = WORDS) {
  const terms = {
    typical: room.typical,
    typical_tokens: Math.min(SERVER.typical_chat_tokens, longest),
    at_longest: room.at_longest,
    longest,
    needs: room.per_longest * SERVER.block_tokens,
    pool_tokens: room.pool_tokens,
  };
  if (!room.starts) return marked(words.lines.room_refused, terms, words);
  return marked(words.lines[reserved ? "room_set_aside" : "room"], terms, words);
}

/**
 * The second line: chats running, tokens a second, the wait between words; with marks.
 * @param {Run} run what `serve` came to
 * @param {number} cap most chats at once, at least 1
 * @param {number} longest longest chat, tokens of prompt and reply, at least 1
 * @param {Words} [words] the catalogue to say it in
 * @returns {string[]} Sentences, with asterisks around their outcomes.
 */
export function run_sentences(run, cap, longest, words = WORDS) {
  /** @type {Terms} */
  const terms = { cap, longest, refused: run.refused };
  if (run.running === null || run.tokens_per_second === null) {
    return marked(words.lines[run.refused > 0 ? "run_all_refused" : "run_empty"], terms, words);
  }
  terms.running = whole_number(run.running);
  terms.rate = whole_number(run.tokens_per_second);
  if (run.seconds_per_word === null) return marked(words.lines.run_no_gaps, terms, words);
  terms.wait = tenths(run.seconds_per_word * 1000, words);
  return marked(words.lines.run, terms, words);
}

/**
 * The third line: how much of the pool is held, who was turned away, who was paused; with marks.
 * @param {Run} run what `serve` came to
 * @param {Words} [words] the catalogue to say it in
 * @returns {string[]} Sentences, with asterisks around their outcomes. Empty when nobody is served.
 */
export function extra_sentences(run, words = WORDS) {
  if (run.pool_used === null) return [];
  const sentences = marked(words.lines.extra_held, { held: percent(run.pool_used) }, words);
  if (run.refused > 0) {
    const terms = { refused: run.refused, chats: run.refused + run.served };
    sentences.push(...marked(words.lines.extra_refused, terms, words));
  }
  if (run.paused > 0) {
    const terms = { paused: run.paused, rebuilt: run.rebuilt_tokens };
    sentences.push(...marked(words.lines.extra_paused, terms, words));
  }
  return sentences;
}

/**
 * The first line as plain text: how many chats the pool could hold, or why the server does not start.
 * @param {Room} room what `room` found
 * @param {number} longest longest chat, tokens of prompt and reply, at least 1
 * @param {boolean} reserved whether every chat sets aside blocks for its longest length
 * @param {Words} [words] the catalogue to say it in
 * @returns {string} One line of text.
 */
export function room_line(room, longest, reserved, words = WORDS) {
  return plain(room_sentences(room, longest, reserved, words), words);
}

/**
 * The second line as plain text: chats running, tokens a second, the wait between words.
 * @param {Run} run what `serve` came to
 * @param {number} cap most chats at once, at least 1
 * @param {number} [longest] longest chat, tokens; named only when every chat was turned away
 * @param {Words} [words] the catalogue to say it in
 * @returns {string} One line of text.
 */
export function run_line(run, cap, longest = 0, words = WORDS) {
  return plain(run_sentences(run, cap, longest, words), words);
}

/**
 * The third line as plain text: how much of the pool is held, who was turned away, who was paused.
 * @param {Run} run what `serve` came to
 * @param {Words} [words] the catalogue to say it in
 * @returns {string} One line of text. Empty when nobody is served.
 */
export function extra_line(run, words = WORDS) {
  return plain(extra_sentences(run, words), words);
}

/**
 * The middle chat's wait for its first word, and when all are done; with marks.
 * @param {Run} run what `serve` came to
 * @param {number | null} first_word_seconds the middle chat's wait, seconds
 * @param {Words} [words] the catalogue to say it in
 * @returns {string[]} Sentences, with asterisks around their outcomes. Empty when nobody is served.
 */
export function first_word_sentences(run, first_word_seconds, words = WORDS) {
  if (first_word_seconds === null) return [];
  const terms = {
    served: run.served,
    wait: tenths(first_word_seconds, words),
    end: commas(whole_number(run.seconds), words),
  };
  return marked(words.lines.first_word, terms, words);
}

/**
 * How much of the pool was held at the fullest moment, in whole percent.
 * @param {Run} run what `serve` came to
 * @param {number} pool_blocks size of the pool, blocks
 * @returns {number} Whole percent; 0 where there is no pool.
 */
export function peak_percent(run, pool_blocks) {
  return pool_blocks > 0 ? percent((pool_blocks - run.lowest_free) / pool_blocks) : 0;
}

/**
 * How many tokens the pool lacks for one chat of the longest length; with marks.
 * @param {Room} room what `room` found
 * @param {Words} [words] the catalogue to say it in
 * @returns {string[]} Sentences, with asterisks around their outcomes.
 */
export function short_sentences(room, words = WORDS) {
  const needs = room.per_longest * SERVER.block_tokens;
  return marked(words.lines.short, { short: needs - room.pool_tokens }, words);
}

/**
 * What every answer is: a best case.
 * @param {number} chats chats on the list
 * @param {boolean} lesson whether it is the lesson's list, which simulators were asked about
 * @param {Words} [words] the catalogue to say it in
 * @returns {string} One line of text. Empty for a list without chats.
 */
export function caveat_line(chats, lesson, words = WORDS) {
  return chats > 0 ? say(words.caveat[lesson ? "lesson" : "any"], { chats }, words) : "";
}

/**
 * The memory share in words: percent, and GB of the card.
 * @param {Room} room what `room` found
 * @param {number} share memory share, whole percent from 1 to 100
 * @param {Words} [words] the catalogue to say it in
 * @returns {string} Text for the slider.
 */
export function share_value(room, share, words = WORDS) {
  return say(words.controls.share.value, { share, allowed: gb(room.allowed, words), card: gb_short(words) }, words);
}

/**
 * The card's memory in whole GB, as its label says.
 * @param {Words} [words] the catalogue to say it in
 * @returns {string} Digits and separators.
 */
export function gb_short(words = WORDS) {
  return commas(Math.floor(CARD.memory_bytes / 1_000_000_000), words);
}

/**
 * The longest chat in words: tokens, and GB of cache with two decimals.
 * @param {Room} room what `room` found
 * @param {number} longest longest chat, tokens of prompt and reply, at least 1
 * @param {Words} [words] the catalogue to say it in
 * @returns {string} Text for the slider.
 */
export function longest_value(room, longest, words = WORDS) {
  const hundredths = Math.floor((room.per_longest * BLOCK_BYTES + 5_000_000) / 10_000_000);
  const decimals = `${Math.floor(hundredths / 10) % 10}${hundredths % 10}`;
  const size = `${commas(Math.floor(hundredths / 100), words)}${words.numbers.decimal}${decimals}`;
  return say(words.controls.longest.value, { longest, gb: size }, words);
}

/**
 * The seats in words.
 * @param {number} cap most chats at once, at least 1
 * @param {Words} [words] the catalogue to say it in
 * @returns {string} Text for the slider.
 */
export function cap_value(cap, words = WORDS) {
  return say(words.controls.cap.value, { cap }, words);
}
