// @ts-check
/**
 * A command line as words: quotes, continued lines of three shells, and variables that the same text sets.
 * @module
 */

import { CURLED } from "./literals.js";

/** Words of one command; more say nothing more. */
const MANY = 600;

/**
 * @param {string} text @param {number} at where the command begins
 * @param {Record<string, string>} [variables]
 * @param {number} [stop] where to stop at the latest
 * @returns {{words: string[], end: number}}
 */
export function shell_words(text, at, variables = {}, stop = text.length) {
  /** @type {string[]} */
  const words = [];
  let [word, quote, open, continued] = ["", "", false, false];
  const flush = () => {
    if (open && words.length < MANY) words.push(word);
    [word, open] = ["", false];
  };
  stop = Math.min(stop, text.length);
  for (; at < stop; at += 1) {
    const c = text[at];
    const next = text[at + 1];
    if (quote) {
      if (c === quote || (quote === CURLED && CURLED.includes(c))) quote = "";
      else if (c === "\\" && quote === '"' && next !== undefined && '"\\$`'.includes(next)) word += text[++at];
      else if (c === "\\" && quote === '"' && next === "\n") at += 1;
      else if (c === "$" && quote === '"') [word, at] = variable(text, at, word, variables);
      else word += c;
    } else if ((c === "\\" || c === "^" || c === "`") && line_ends(text, at + 1) || (c === "#" && !open && continued)) {
      // What a remark behind or between continued lines says is skipped, as its writer meant it.
      flush();
      continued = true;
      at = text.indexOf("\n", at);
      if (at < 0) at = stop;
      continue;
    } else if (c === "\\" && next !== undefined && next !== "\n") {
      open = true;
      // A folder of Windows keeps its stroke.
      word += /[A-Za-z0-9]/.test(next) ? c : text[++at];
    } else if (c === "'" || c === '"') [quote, open] = [c, true];
    else if (CURLED.includes(c)) {
      // One that nothing closes on its line was opened before the command.
      if ((open && !word.endsWith("=")) || !/^[^\n“”„‟]{0,300}[“”„‟]/.test(text.slice(at + 1, at + 302))) break;
      [quote, open] = [CURLED, true];
    }
    else if (c === " " || c === "\t" || c === "\r") {
      flush();
      continue;
    }
    else if (c === "#" && !open) break;
    else if ("\n;|&><`".includes(c) || (c === ")" && !word.includes("("))) break;
    else if (c === "$") [word, at, open] = [...variable(text, at, word, variables), true];
    else [word, open] = [word + c, true];
    continued = false;
  }
  flush();
  return { words, end: at };
}

/** Whether nothing but a remark follows on the line. @param {string} text @param {number} at */
function line_ends(text, at) {
  while (text[at] === " " || text[at] === "\t" || text[at] === "\r") at += 1;
  return text[at] === "\n" || (text[at] === "#" && text.indexOf("\n", at) >= 0 && text[at - 1] === " ");
}

/**
 * What a variable stands for: what the text set, or its own default, or itself.
 * @param {string} text @param {number} at @param {string} word @param {Record<string, string>} variables
 * @returns {[string, number]}
 */
function variable(text, at, word, variables) {
  const found = /^\$(?:([A-Za-z_][A-Za-z0-9_]{0,60})|\{([A-Za-z_][A-Za-z0-9_]{0,60})(?::?[-=]([^{}\n]{0,200}))?\})/.exec(text.slice(at, at + 300));
  if (!found) return [`${word}$`, at];
  const name = found[1] ?? found[2];
  const value = Object.hasOwn(variables, name) ? variables[name] : found[3] ?? found[0];
  return [word + value, at + found[0].length - 1];
}

/** A text with its variables filled in, as a shell, Compose, and Kubernetes with `$(A)` do it. @param {string} text @param {Record<string, string>} variables */
export function filled(text, variables) {
  if (!text.includes("$")) return text;
  let whole = "";
  const bare = text.replace(/\$\(([A-Z][A-Z0-9_]{0,60})\)/g, (all, name) => (Object.hasOwn(variables, name) ? `\${${name}}` : all)).replace(/\$\$(?=[A-Z{])/g, "$");
  for (let at = 0; at < bare.length; at += 1) {
    if (bare[at] === "$") [whole, at] = variable(bare, at, whole, variables);
    else whole += bare[at];
  }
  return whole;
}

/**
 * What a text sets before its command: `NAME=value`, `export NAME=value`, `set NAME=value`.
 * @param {string} text
 * @returns {Record<string, string>}
 */
export function assignments(text) {
  /** @type {Record<string, string>} */
  const found = {};
  for (const [, name, value] of text.matchAll(/(?:^|[^A-Za-z0-9_$.-])([A-Za-z_][A-Za-z0-9_]{0,60})=("[^"\n]{0,300}"|'[^'\n]{0,300}'|[^\s'"=;|&]{1,300})/g)) {
    found[name] = value.replace(/^["']|["']$/g, "");
  }
  return found;
}
