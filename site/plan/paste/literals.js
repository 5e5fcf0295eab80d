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

/** Quotes of a word processor, which opens and closes with whichever comes. */
export const CURLED = "“”„‟";
/** What Python takes where its surroundings do not say it: `os.environ.get("A", "b")`, `os.getenv("A", "b")`. */
const DEFAULT = /^os\.(?:environ\.get|getenv)\( *["'][A-Za-z0-9_]{1,60}["'] *, *("[^"\n]{0,300}"|'[^'\n]{0,300}'|[0-9.]{1,20}) *\)$/;

/** @param {string} text @returns {Pick<Pair, "value" | "literal">} */
export function literal(text) {
  const first = text[0];
  const usual = DEFAULT.exec(text);
  if (usual) return literal(usual[1]);
  const whole = /^(?:int|float|str)\(([^()]{1,100}(?:\([^()]{1,200}\))?)\)$/.exec(text);
  if (whole && DEFAULT.test(whole[1])) return number_in(literal(whole[1]));
  // A constant is no variable.
  if (/^torch\.b?(?:float|half)[0-9]{0,2}$/.test(text)) return { value: text, literal: true };
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

/** A number that was written as a text. @param {Pick<Pair, "value" | "literal">} read @returns {Pick<Pair, "value" | "literal">} */
function number_in(read) {
  return typeof read.value === "string" && /^[0-9.]{1,20}$/.test(read.value) ? literal(read.value) : read;
}

/**
 * What a program sets before it is used: `name = "value"`, a line each; the last one counts.
 * @param {string} text
 * @returns {Map<string, Pick<Pair, "value" | "literal">>}
 */
export function constants(text) {
  const found = new Map();
  for (const [, name, value] of text.matchAll(/^[ \t]*([A-Za-z_][A-Za-z0-9_]{0,60})(?: *: *[a-z]{1,20})? *=(?!=) *(?:("[^"\n]{0,300}"|'[^'\n]{0,300}'|[“”„‟][^“”„‟\n]{0,300}[“”„‟]|[^\s#"'[{“”„‟][^\n#]{0,300})[ \t\r]*(?:#[^\n]*)?$)?/gm)) {
    const read = literal((value ?? "...").replace(/[“”„‟]/g, '"').trim());
    if (read.literal) found.set(name, read);
    else found.delete(name);
  }
  return found;
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
      else if (quote === CURLED && CURLED.includes(c)) {
        [part, quote] = [`${part}"`, ""];
        continue;
      }
    } else if (one_line && c === "\n") break;
    else if (c === "'" || c === '"') quote = c;
    else if (CURLED.includes(c)) {
      [part, quote] = [`${part}"`, CURLED];
      continue;
    } else if (c === "#") {
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

/** One scalar: quotes and remarks are taken away. @param {string} text */
export function scalar(text) {
  const bare = text.trim();
  if (bare[0] === '"') {
    const end = /^"((?:[^"\\]|\\.)*)"/.exec(bare);
    return end ? unescaped(end[1]) : bare.slice(1);
  }
  if (bare[0] === "'") {
    const end = /^'((?:[^']|'')*)'/.exec(bare);
    return end ? end[1].replace(/''/g, "'") : bare.slice(1);
  }
  return bare.replace(/^[&!][A-Za-z0-9_]+ +/, "").replace(/(^| )#.*$/, "").trim();
}

/** @param {string} text */
function unescaped(text) {
  return text.replace(/\\(?:u([0-9a-fA-F]{4})|(.))/g, (_, code, letter) =>
    code ? String.fromCharCode(parseInt(code, 16)) : { n: "\n", t: "\t", r: "\r", 0: "\0" }[/** @type {"n"} */ (letter)] ?? letter);
}

/** A list in one line: `["a", 'b', c]`. @param {string} text @returns {string[]} */
export function flow(text) {
  const pieces = text.matchAll(/"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s,[\]"'][^,\]]*/g);
  return [...pieces].map(([piece]) => scalar(piece));
}
