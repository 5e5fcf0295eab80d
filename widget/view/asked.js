// @ts-check
/** What a page asks of its element: options by attribute, and by query where the address is the element's. */

import { catalogue } from "../sim/words.js";
import { oddities, readQuery, textsOf } from "./address.js";
import { mistaken, readOptions } from "./options.js";
import { isKey, take } from "./settings.js";

/** @import { Words } from "../sim/facts.js" */
/** @import { Options } from "./options.js" */
/** @import { Key, Settings } from "./settings.js" */

/**
 * @typedef {object} Asked
 * @property {Options} options the author's
 * @property {Settings} base what an address is written against: the start of a reader who follows a link
 * @property {Settings} settings where the reader is: the author's start, or what an address of ours says
 * @property {Words} words
 * @property {string[]} notices what could not be used
 */

/** Whether this page stands in another one's frame. */
export function framed() {
  return window.parent !== window;
}

/** The words of a language, English where none is named. @param {string | null} lang */
export function wordsFor(lang) {
  return catalogue(lang ?? "en");
}

/**
 * Read an element's options. Settings in a query are the reader's, who followed a link; in a frame they are the author's.
 * @param {Element} element
 * @returns {Asked}
 */
export function asked(element) {
  const texts = new Map([...element.attributes].map(({ name, value }) => /** @type {const} */ ([name, value])));
  const query = texts.has("address") ? [...textsOf(location.search)] : [];
  for (const [name, text] of query) if (!isKey(name)) texts.set(name, text);
  const { start: base, lang } = readOptions(texts).options;
  const words = wordsFor(lang);
  if (framed()) for (const [name, text] of query) texts.set(name, text);
  const { options, notices } = readOptions(texts, words);
  const told = [...notices, ...mistaken(element.getAttributeNames(), words)];
  const author = { options, base, settings: options.start, words, notices: told };
  return options.address ? withAddress(author) : author;
}

/** @param {Asked} author @returns {Asked} */
function withAddress(author) {
  const { options, words, notices } = author;
  if (framed()) return { ...author, notices: [...notices, ...oddities(location.search, options.start, words)] };
  const own = readQuery(location.search, options.start, words);
  const start = take(options.start, own.settings, /** @type {Set<Key>} */ (options.lock)); // nobody can move it from there
  return { ...author, options: { ...options, start }, settings: own.settings, notices: [...notices, ...own.notices] };
}
