// @ts-check
/**
 * A long text in pieces: the places that say something, each with what stands before it on its line.
 * Nothing else is kept, so 50 MB cost as little memory as one page.
 * @module
 */

import { HEADS } from "./patterns.js";

/**
 * A place that may say something.
 * @typedef {object} Place
 * @property {string} head how a pattern begins there
 * @property {string} text the text around it
 * @property {number} at where it begins in that text
 * @property {number} offset where it begins in all of the text
 * @property {number} line its line, from 1
 * @property {string} before what stands before it on its line
 */

/** What is held back until more comes, so that a place is read whole; a command may be as long. */
const AHEAD = 8192;
const BEHIND = 400;

/** Marks of byte order, and the zeroes of UTF-16. */
const BYTES = /[\0\ufeff]+/g;
/** Colours of a terminal, also where the escape was lost or written out. */
// eslint-disable-next-line no-control-regex
const COLOURS = /(?:\x1b|\^\[|#033|\\u001b|\\x1b|\\033|\\e)\[[0-9;?]{0,16}[A-Za-z]|\[[0-9;]{1,12}m/g;

const escaped = HEADS.map((head) => head.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
const FINDER = new RegExp(escaped.join("|").replace(/ +/g, "\\s+"), "g");

/** The text without what only a terminal reads. @param {string} text */
export function plain(text) {
  return text.replace(BYTES, "").replace(COLOURS, "");
}

/** How a web page's source writes letters; `&` itself stays, or what is read twice would become something else. */
const ENTITIES = /&(?:#x([0-9a-fA-F]{1,4})|#([0-9]{1,5})|(lt|gt|quot|apos|nbsp));/g;
const NAMED = { lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };

/** The text without what only a browser reads. @param {string} text */
export function unescaped_page(text) {
  return text.replace(ENTITIES, (all, hex, digits, name) => {
    const code = name ? 0 : parseInt(hex ?? digits, hex ? 16 : 10);
    return name ? NAMED[/** @type {keyof typeof NAMED} */ (name)] : code >= 32 && code < 0xd800 && code !== 38 ? String.fromCharCode(code) : all;
  });
}

/**
 * A scanner that is fed piece by piece.
 * @param {(place: Place) => number} read what reads a place; gives where in its text to go on
 */
export function scanner(read) {
  let held = "";
  let done = 0;
  let line = 1;
  let gone = 0;

  /** @param {boolean} last */
  function run(last) {
    const limit = last ? held.length : held.length - AHEAD;
    let counted = done;
    let at = done;
    // Looked for once: where a line is long, each of its places would look through all of it again.
    let next = held.indexOf("\n", counted);
    for (;;) {
      FINDER.lastIndex = at;
      const found = FINDER.exec(held);
      if (!found || found.index >= limit) break;
      const before = held.slice(Math.max(0, found.index - BEHIND), found.index);
      for (; next >= 0 && next < found.index; next = held.indexOf("\n", counted)) {
        [counted, line] = [next + 1, line + 1];
      }
      const place = { head: found[0].replace(/\s+/g, " "), text: held, at: found.index, offset: gone + found.index, line, before: before.slice(Math.max(before.lastIndexOf("\n"), before.lastIndexOf("\r")) + 1) };
      at = Math.max(read(place), found.index + 1);
    }
    const end = Math.max(limit, at, done);
    for (; next >= 0 && next < end; next = held.indexOf("\n", counted)) {
      [counted, line] = [next + 1, line + 1];
    }
    const cut = Math.max(0, end - BEHIND);
    held = held.slice(cut);
    done = end - cut;
    gone += cut;
  }

  return {
    /** @param {string} text */
    feed(text) {
      held = unescaped_page(plain(held + text));
      if (held.length > 2 * AHEAD) run(false);
    },
    end() {
      run(true);
    },
  };
}
