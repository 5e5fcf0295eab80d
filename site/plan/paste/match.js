// @ts-check
/**
 * A pattern against a text: forwards only, so that no text takes longer than its length allows.
 * @module
 */

/** @typedef {import("./patterns.js").Pattern} Pattern */

const FAR = 200;
const NEAR = 60;
const TOKENS = {
  "#": /-?[0-9]{1,15}(?:,[0-9]{3}){0,4}(?:\.[0-9]{1,20})?(?![0-9])/y,
  "%": /(-?[0-9]{1,15}(?:,[0-9]{3}){0,4}(?:\.[0-9]{1,20})?)(?![0-9])(?: {0,2}(TiB|TB|GiB|GB|G|MiB|MB|M|KiB|KB|bytes|B)(?![A-Za-z]))?/y,
  "@": /v?[A-Za-z0-9](?:[A-Za-z0-9_.+-]{0,60}[A-Za-z0-9_])?/y,
  "&": /[^\s'",;|]{1,200}/y,
};
/** What a unit is in GiB: vLLM writes GB and means GiB. */
const UNITS = { T: 1024, G: 1, M: 1 / 1024, K: 1 / 1048576, B: 1 / 1073741824, b: 1 / 1073741824 };
/** A bare number of this size can only be bytes. */
const BYTES_FROM = 1e6;

/** A number as it is printed, with commas. @param {string} text */
export function number_of(text) {
  return Number(text.replace(/,/g, ""));
}

/** An amount of memory in GiB. @param {string} digits @param {string | undefined} unit */
export function gib_of(digits, unit) {
  const value = number_of(digits);
  const key = /** @type {keyof typeof UNITS} */ (unit ? unit[0] : Math.abs(value) >= BYTES_FROM ? "B" : "G");
  return value * UNITS[key];
}

/**
 * Where a literal ends that begins here, or -1; line ends inside it are stepped over, a space may be any white space.
 * @param {string} text @param {number} at @param {string} literal
 */
function literal_end(text, at, literal) {
  for (let i = 0; i < literal.length; i += 1) {
    if (literal[i] === " ") {
      const before = at;
      while (at - before < NEAR && (text[at] === " " || text[at] === "\n" || text[at] === "\r" || text[at] === "\t")) at += 1;
      if (at === before && at < text.length && i > 0) return -1;
      continue;
    }
    while (i > 0 && (text[at] === "\n" || text[at] === "\r")) at += 1;
    if (text[at] !== literal[i]) return -1;
    at += 1;
  }
  return at;
}

/**
 * Read one token. @param {string} text @param {number} at @param {"#" | "%" | "@" | "&"} step
 * @returns {{value: number | string, end: number} | null}
 */
function token(text, at, step) {
  const shape = TOKENS[step];
  // A number does not begin in the middle of one; looking behind is not known to every engine.
  if (step !== "@" && step !== "&" && /[0-9.]/.test(text[at - 1] ?? "")) return null;
  shape.lastIndex = at;
  const found = shape.exec(text);
  if (!found) return null;
  const value = step === "@" || step === "&" ? found[0] : step === "#" ? number_of(found[0]) : gib_of(found[1], found[2]);
  return { value, end: at + found[0].length };
}

/**
 * The values of a pattern that begins at a place.
 * @param {Pattern} pattern @param {string} text @param {number} at
 * @returns {{values: (number | string)[], end: number, whole: boolean} | null} null where it does not fit
 */
export function fit(pattern, text, at) {
  /** @type {(number | string)[]} */
  const values = [];
  let enough = false;
  let gap = "";
  let start = at;
  for (const step of pattern.steps) {
    if (step === "?") enough = true;
    else if (step === "*" || step === "$") [gap, start] = [step, at];
    else {
      const found = take(text, at, step, gap ? (gap === "*" ? FAR : NEAR) : 0);
      if (!found) return enough ? { values, end: at, whole: false } : null;
      if (gap === "$") values.push(text.slice(start, found.start).trim());
      if (found.value !== undefined) values.push(found.value);
      [at, gap] = [found.end, ""];
    }
  }
  return { values, end: at, whole: true };
}

/**
 * The first place at which a step fits, not further than allowed.
 * @param {string} text @param {number} at @param {string} step @param {number} far
 * @returns {{start: number, end: number, value?: number | string} | null}
 */
function take(text, at, step, far) {
  for (let start = at; start <= at + far && start <= text.length; start += 1) {
    if (step === "#" || step === "%" || step === "@" || step === "&") {
      const found = token(text, start, step);
      if (found) return { ...found, start };
    } else {
      const end = literal_end(text, start, step);
      if (end >= 0) return { start, end };
    }
  }
  return null;
}
