// @ts-check
/**
 * Names of cards and models: spelling that does not matter, and the names that come near.
 * @module
 */

/** How many near names a refusal shows, names. */
export const MOST_NEAR = 6;

/**
 * The words of a name in lower case: runs of letters, figures and points.
 * @param {string} text a name as somebody writes it
 * @returns {string[]} Words, text.
 */
export function name_words(text) {
  return (text.match(/[A-Za-z0-9.]+/g) ?? []).map((word) => word.toLowerCase());
}

/**
 * A name without what does not matter: its words in lower case, written together.
 * @param {string} text a name as somebody writes it
 * @param {readonly string[]} [ignored] words that say nothing, such as the maker's name, in lower case
 * @returns {string} Text; empty where no word is left.
 */
export function squashed(text, ignored = []) {
  return name_words(text)
    .filter((word) => !ignored.includes(word))
    .join("");
}

/**
 * The names that share words with what was asked, those that share most first.
 * @param {string} asked a name that is not among them
 * @param {readonly string[]} names the names that there are
 * @param {number} most how many are wanted at most, names
 * @returns {string[]} Names, text; none where no word is shared and no name holds another.
 */
export function near_names(asked, names, most) {
  const words = new Set(name_words(asked));
  const whole = squashed(asked);
  const scores = names.map((name) => ({ score: score(words, whole, name), name }));
  const found = scores.filter((pair) => pair.score > 0).sort((one, other) => other.score - one.score);
  return found.slice(0, most).map((pair) => pair.name);
}

/**
 * @param {Set<string>} words
 * @param {string} whole
 * @param {string} name
 * @returns {number}
 */
function score(words, whole, name) {
  const own = squashed(name);
  const shared = [...new Set(name_words(name))].filter((word) => words.has(word)).length;
  const holds = whole.length >= 3 && (own.includes(whole) || whole.includes(own));
  return 2 * shared + (holds ? 1 : 0);
}
