// @ts-check
/**
 * A model's config.json or the index of its weights, known by what is in it.
 * @module
 */

/** What is read whole; an index can be longer, and only its totals matter. */
export const LONGEST = 500_000;
/** So many values of a broken file are looked at between two turns of others. */
const MANY = 2000;
/** No file of a model is as deep. */
const DEEP = 500;

/** @typedef {{kind: "config" | "index" | "other" | "broken", value?: any, problem?: import("./reading.js").Told}} Document */

/**
 * @param {string} text the beginning of what was pasted @param {boolean} whole whether nothing was left out
 * @returns {Generator<undefined, Document | null>} in steps; null where it is no JSON at all
 */
export function* document_of(text, whole) {
  const bare = text.trim();
  if (bare[0] !== "{" || bare.length < 3) return null;
  if (!whole) return index_head(bare) ?? too_long(bare);
  // Looked through in steps first: nothing that is torn, or deeper than any file of a model, is parsed at once.
  const stop = yield* stop_of(bare, 0);
  if (stop >= 0) {
    if (!/^\{\s*"[A-Za-z_]/.test(bare) || !/"(architectures|model_type|weight_map|hidden_size)"\s*:/.test(bare)) return null;
    return { kind: "broken", problem: { key: "json_broken", values: place(text, text.indexOf("{") + stop) } };
  }
  yield;
  const value = JSON.parse(bare);
  if (value.metadata && value.weight_map && typeof value.weight_map === "object") return { kind: "index", value };
  return { kind: value.architectures || value.model_type ? "config" : "other", value };
}

/** What begins as a model's file does, and is longer than one. @param {string} text @returns {Document | null} */
function too_long(text) {
  return /^\{[^]{0,10000}?"(architectures|model_type|hidden_size)"\s*:/.test(text) ? { kind: "broken", problem: { key: "json_long", values: {} } } : null;
}

/** The totals of an index that is too long to be read whole. @param {string} text @returns {Document | null} */
function index_head(text) {
  const found = /"metadata"\s*:\s*\{[^{}]{0,2000}\}/.exec(text.slice(0, 10000));
  if (!found || !/"weight_map"\s*:\s*\{/.test(text.slice(0, 20000))) return null;
  try {
    const value = { ...JSON.parse(`{${found[0]}}`), weight_map: {} };
    return { kind: "index", value, problem: { key: "index_cut", values: {} } };
  } catch {
    return null;
  }
}

/**
 * Line and column at which JSON stops being JSON; engines say it in different words, so it is looked for here.
 * @param {string} text @param {number} stop
 */
function place(text, stop) {
  const at = Math.min(text.length, stop);
  const before = text.slice(0, at);
  const line = before.split("\n").length;
  return { line, column: at - before.lastIndexOf("\n"), near: text.slice(at, at + 20), ended: at >= text.trimEnd().length };
}

// eslint-disable-next-line no-control-regex
const SCALAR = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null/y;

/** Where a text leaves the grammar of JSON; -1 where it never does. @param {string} text @param {number} at @returns {Generator<undefined, number>} */
function* stop_of(text, at) {
  /** @type {string[]} */
  const open = [];
  let want = "value";
  for (let looked = 1; ; looked += 1) {
    if (looked % MANY === 0) yield;
    while (" \t\r\n".includes(text[at] ?? "x")) at += 1;
    const c = text[at];
    const inside = open.at(-1);
    if (c === undefined && !inside && want === "more") return -1;
    if (c === undefined || open.length > DEEP) return at;
    if ((c === "{" || c === "[") && (want === "value" || want === "first")) {
      open.push(c);
      [want, at] = [c === "{" ? "name_or_end" : "first", at + 1];
    } else if ((c === "}" && inside === "{" && (want === "name_or_end" || want === "more")) || (c === "]" && inside === "[" && (want === "first" || want === "more"))) {
      open.pop();
      [want, at] = ["more", at + 1];
    } else if (c === "," && want === "more" && inside) {
      [want, at] = [inside === "{" ? "name" : "value", at + 1];
    } else if (c === ":" && want === "colon") [want, at] = ["value", at + 1];
    else {
      SCALAR.lastIndex = at;
      const found = SCALAR.exec(text);
      const named = want.startsWith("name");
      if (!found || (named && c !== '"') || !(named || want === "value" || want === "first")) return at;
      [want, at] = [named ? "colon" : "more", at + found[0].length];
    }
  }
}
