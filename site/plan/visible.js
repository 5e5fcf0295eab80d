// @ts-check
/** Letters that cannot be seen, or that turn the text around them: shown as escapes. */

const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}]/u;

/** @param {string} text */
export function has_hidden(text) {
  return HIDDEN.test(text);
}

/** A text whose every letter can be seen. @param {string} text */
export function visible(text) {
  return text.replace(new RegExp(HIDDEN.source, "gu"), (letter) => `\\u{${/** @type {number} */ (letter.codePointAt(0)).toString(16)}}`);
}
