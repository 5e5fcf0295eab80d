// @ts-check
/**
 * What Python and vLLM print between brackets: `name=value, …` and `'name': value, …`.
 * @module
 */

/**
 * One pair; the name of a value without name is empty.
 * @typedef {object} Pair
 * @property {string} name
 * @property {string | number | boolean | null} value text, number, truth, or nothing
 * @property {boolean} literal false where the value is neither quoted nor a literal
 */

const CLOSED = { ")": "(", "]": "[", "}": "{" };

/** @param {string} text @returns {Pick<Pair, "value" | "literal">} */
export function literal(text) {
  const first = text[0];
  if (first === "'" || first === '"') {
    const ticks = text.startsWith(first.repeat(3)) && text.length >= 6 ? 3 : 1;
    return { value: text.slice(ticks, text.endsWith(first) ? -ticks : undefined).replace(/\\(['"\\])/g, "$1"), literal: true };
  }
  if (text === "True" || text === "true") return { value: true, literal: true };
  if (text === "False" || text === "false") return { value: false, literal: true };
  if (text === "None" || text === "null" || text === "") return { value: null, literal: true };
  if (/^-?[0-9][0-9_]{0,20}(?:\.[0-9]{0,20})?$/.test(text)) return { value: Number(text.replace(/_/g, "")), literal: true };
  return { value: text, literal: "[{".includes(first) };
}

/**
 * The pairs from a place on, up to the bracket that closes there.
 * @param {string} text @param {number} at where the first name begins @param {number} end where to stop at the latest
 * @param {boolean} [one_line] whether a line's end ends them
 * @returns {{pairs: Pair[], end: number, closed: boolean}}
 */
export function pairs(text, at, end, one_line = false) {
  /** @type {Pair[]} */
  const found = [];
  let [name, part, quote, open] = ["", "", "", ""];
  const flush = () => {
    const piece = part.trim();
    if (name || piece) found.push({ name, ...literal(piece) });
    [name, part] = ["", ""];
  };
  for (; at < end && at < text.length; at += 1) {
    const c = text[at];
    if (quote) {
      if (c === "\\") part += text[at++];
      else if (c === quote) quote = "";
    } else if (one_line && c === "\n") break;
    else if (c === "'" || c === '"') quote = c;
    else if (c === "#") {
      while (at + 1 < end && at + 1 < text.length && text[at + 1] !== "\n") at += 1;
      continue;
    } else if ("([{".includes(c)) open += c;
    else if (")]}".includes(c)) {
      if (!open) {
        flush();
        return { pairs: found, end: at + 1, closed: true };
      }
      if (open.at(-1) === CLOSED[/** @type {keyof typeof CLOSED} */ (c)]) open = open.slice(0, -1);
    } else if (!open && c === ",") {
      flush();
      continue;
    } else if (!open && !name && (c === "=" || c === ":")) {
      [name, part] = [part.trim().replace(/^['"]|['"]$/g, ""), ""];
      continue;
    }
    part += text[at] ?? "";
  }
  flush();
  return { pairs: found, end: at, closed: false };
}
