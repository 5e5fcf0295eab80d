// @ts-check
/**
 * Every sentence: number formats, and lines filled from the templates of facts/words.
 *
 * A template marks its outcomes with asterisks, so that a page can set them bold; `plain` takes the
 * marks out. Only results are read here, nothing is computed but rounding.
 */

import { BLOCK_BYTES, CARD, SERVER, WORDS } from "./facts.js";

/** @import { Room } from "./budget.js" */
/** @import { Run } from "./server.js" */

/** @typedef {Record<string, number | string>} Terms */
/** @typedef {string | readonly string[]} Sentences */
/** @typedef {Sentences | {by: string, other: Sentences, one?: Sentences}} Template */

/**
 * A whole number ≥ 0 with its thousands set apart: 1202 → "1,202".
 * @param {number} n
 * @returns {string}
 */
export function commas(n) {
  return grouped(digits_of(n));
}

/** All digits of a whole number, also of one that `String` would write with an exponent. @param {number} n */
function digits_of(n) {
  return Number.isSafeInteger(n) ? String(n) : BigInt(n).toString();
}

/** @param {string} text */
function grouped(text) {
  let digits = text;
  const groups = [];
  while (digits.length > 3) {
    groups.unshift(digits.slice(-3));
    digits = digits.slice(0, -3);
  }
  return [digits, ...groups].join(WORDS.numbers.thousands);
}

/**
 * The nearest whole number to x ≥ 0, halves up: floor(x + 0.5).
 * @param {number} x
 * @returns {number}
 */
export function whole_number(x) {
  return Math.floor(x + 0.5);
}

/**
 * x ≥ 0 with one decimal, halves up, made from an integer: floor(10·x + 0.5) tenths.
 * @param {number} x
 * @returns {string}
 */
export function tenths(x) {
  const digits = digits_of(Math.floor(x * 10 + 0.5)).padStart(2, "0");
  return `${grouped(digits.slice(0, -1))}${WORDS.numbers.decimal}${digits.slice(-1)}`;
}

/**
 * Bytes in GB (billions of bytes) with one decimal.
 * @param {number} nbytes
 * @returns {string}
 */
export function gb(nbytes) {
  return tenths(nbytes / 1e9);
}

/**
 * A share from 0 to 1 in whole percent, halves up.
 * @param {number} x
 * @returns {number}
 */
export function percent(x) {
  return Math.floor(x * 100 + 0.5);
}

/**
 * The plural form that the language uses for n: the first rule of the words file that holds, else "other".
 * @param {number} n
 * @returns {string}
 */
export function plural_form(n) {
  /** @type {readonly {form: string, from: number, to: number, mod?: number}[]} */
  const rules = WORDS.plurals;
  for (const rule of rules) {
    const rest = rule.mod === undefined ? n : n % rule.mod;
    if (rule.from <= rest && rest <= rule.to) return rule.form;
  }
  return "other";
}

/**
 * The sentences of a template, filled; outcomes still between asterisks. Whole numbers get separators.
 * @param {Template} template
 * @param {Terms} terms
 * @returns {string[]}
 */
export function marked(template, terms) {
  /** @type {Sentences} */
  let chosen;
  if (typeof template === "object" && "by" in template) {
    /** @type {Record<string, any>} */
    const forms = template;
    chosen = forms[plural_form(Number(terms[template.by]))] ?? template.other;
  } else {
    chosen = template;
  }
  const sentences = typeof chosen === "string" ? [chosen] : chosen;
  return sentences.map((sentence) => sentence.replace(/\{(\w+)\}/g, (_, name) => text_of(terms[name])));
}

/** @param {number | string} term */
function text_of(term) {
  return typeof term === "string" ? term : commas(term);
}

/**
 * Sentences as one line of text, without marks.
 * @param {readonly string[]} sentences
 * @returns {string}
 */
export function plain(sentences) {
  return sentences.join(WORDS.joiner).replaceAll("*", "");
}

/**
 * A template as one line of text.
 * @param {Template} template
 * @param {Terms} [terms]
 * @returns {string}
 */
export function say(template, terms = {}) {
  return plain(marked(template, terms));
}

/**
 * The four parts of the bar with their sizes in GB.
 * @param {Room} room
 * @returns {string[]}
 */
export function legend(room) {
  /** @type {["weights" | "reserve" | "pool" | "unused", number][]} */
  const parts = [
    ["weights", room.weights],
    ["reserve", room.reserve],
    ["pool", room.pool],
    ["unused", room.unused],
  ];
  return parts.map(([part, size]) => say(WORDS.legend[part], { gb: gb(size) }));
}

/**
 * The first line: how many chats the pool could hold, or why the server does not start; with marks.
 * @param {Room} room
 * @param {number} longest
 * @param {boolean} reserved
 * @returns {string[]}
 */
export function room_sentences(room, longest, reserved) {
  const terms = {
    typical: room.typical,
    typical_tokens: Math.min(SERVER.typical_chat_tokens, longest),
    at_longest: room.at_longest,
    longest,
    needs: room.per_longest * SERVER.block_tokens,
    pool_tokens: room.pool_tokens,
  };
  if (!room.starts) return marked(WORDS.lines.room_refused, terms);
  return marked(WORDS.lines[reserved ? "room_set_aside" : "room"], terms);
}

/**
 * The second line: chats running, tokens a second, the wait between words; with marks.
 * @param {Run} run
 * @param {number} cap
 * @param {number} longest
 * @returns {string[]}
 */
export function run_sentences(run, cap, longest) {
  /** @type {Terms} */
  const terms = { cap, longest, refused: run.refused };
  if (run.running === null || run.tokens_per_second === null) {
    return marked(WORDS.lines[run.refused > 0 ? "run_all_refused" : "run_empty"], terms);
  }
  terms.running = whole_number(run.running);
  terms.rate = whole_number(run.tokens_per_second);
  if (run.seconds_per_word === null) return marked(WORDS.lines.run_no_gaps, terms);
  terms.wait = tenths(run.seconds_per_word * 1000);
  return marked(WORDS.lines.run, terms);
}

/**
 * The third line: how much of the pool is held, who was turned away, who was paused; with marks.
 * @param {Run} run
 * @returns {string[]}
 */
export function extra_sentences(run) {
  if (run.pool_used === null) return [];
  const sentences = marked(WORDS.lines.extra_held, { held: percent(run.pool_used) });
  if (run.refused > 0) {
    const terms = { refused: run.refused, chats: run.refused + run.served };
    sentences.push(...marked(WORDS.lines.extra_refused, terms));
  }
  if (run.paused > 0) {
    const terms = { paused: run.paused, rebuilt: run.rebuilt_tokens };
    sentences.push(...marked(WORDS.lines.extra_paused, terms));
  }
  return sentences;
}

/**
 * The first line as plain text.
 * @param {Room} room
 * @param {number} longest
 * @param {boolean} reserved
 * @returns {string}
 */
export function room_line(room, longest, reserved) {
  return plain(room_sentences(room, longest, reserved));
}

/**
 * The second line as plain text; `longest` is named only when every chat was turned away.
 * @param {Run} run
 * @param {number} cap
 * @param {number} [longest]
 * @returns {string}
 */
export function run_line(run, cap, longest = 0) {
  return plain(run_sentences(run, cap, longest));
}

/**
 * The third line as plain text.
 * @param {Run} run
 * @returns {string}
 */
export function extra_line(run) {
  return plain(extra_sentences(run));
}

/**
 * The middle chat's wait for its first word, and when all are done; with marks. Empty when nobody is served.
 * @param {Run} run
 * @param {number | null} first_word_seconds
 * @returns {string[]}
 */
export function first_word_sentences(run, first_word_seconds) {
  if (first_word_seconds === null) return [];
  return marked(WORDS.lines.first_word, {
    served: run.served,
    wait: tenths(first_word_seconds),
    end: commas(whole_number(run.seconds)),
  });
}

/**
 * How much of the pool was held at the fullest moment, in whole percent.
 * @param {Run} run
 * @param {number} pool_blocks
 * @returns {number}
 */
export function peak_percent(run, pool_blocks) {
  return pool_blocks > 0 ? percent((pool_blocks - run.lowest_free) / pool_blocks) : 0;
}

/**
 * How many tokens the pool lacks for one chat of the longest length; with marks.
 * @param {Room} room
 * @returns {string[]}
 */
export function short_sentences(room) {
  const needs = room.per_longest * SERVER.block_tokens;
  return marked(WORDS.lines.short, { short: needs - room.pool_tokens });
}

/**
 * What every answer is: a best case. `lesson` where the list is the one that simulators were asked about.
 * @param {number} chats
 * @param {boolean} lesson
 * @returns {string}
 */
export function caveat_line(chats, lesson) {
  return chats > 0 ? say(WORDS.caveat[lesson ? "lesson" : "any"], { chats }) : "";
}

/**
 * The memory share in words: percent, and GB of the card.
 * @param {Room} room
 * @param {number} share
 * @returns {string}
 */
export function share_value(room, share) {
  return say(WORDS.controls.share.value, { share, allowed: gb(room.allowed), card: gb_short() });
}

/**
 * The card's memory in whole GB, as its label says.
 * @returns {string}
 */
export function gb_short() {
  return commas(Math.floor(CARD.memory_bytes / 1_000_000_000));
}

/**
 * The longest chat in words: tokens, and GB of cache with two decimals.
 * @param {Room} room
 * @param {number} longest
 * @returns {string}
 */
export function longest_value(room, longest) {
  const hundredths = Math.floor((room.per_longest * BLOCK_BYTES + 5_000_000) / 10_000_000);
  const decimals = `${Math.floor(hundredths / 10) % 10}${hundredths % 10}`;
  const size = `${commas(Math.floor(hundredths / 100))}${WORDS.numbers.decimal}${decimals}`;
  return say(WORDS.controls.longest.value, { longest, gb: size });
}

/**
 * The seats in words.
 * @param {number} cap
 * @returns {string}
 */
export function cap_value(cap) {
  return say(WORDS.controls.cap.value, { cap });
}
