// @ts-check
/** Settings in the query as `tool.key=value`, only what differs from the opening; other pages' keys are kept. */

import { TOOLS, opening } from "../../widget/sim/serving_facts.js";

/** @typedef {Record<string, any>} Settings of one tool, by key */

const WAIT_MS = 300;
const OURS = /^[\w-]+\.[\w-]+$/;

/** The text of a value in an address. @param {unknown} value */
export function textOf(value) {
  return typeof value === "boolean" ? String(Number(value)) : String(value);
}

/** A text from outside, fit to be shown: no control characters, not endless. @param {string} text */
function quoted(text) {
  const readable = text.replace(/\p{Cc}/gu, "\u{FFFD}");
  return readable.length > 40 ? `${readable.slice(0, 40)}…` : readable;
}

/**
 * All tools' settings from a query, and what to tell the reader: by tool, or by "" where no tool is meant.
 * @param {string} query
 * @returns {{settings: Record<string, Settings>, told: Record<string, string[]>}}
 */
export function readQuery(query) {
  const parameters = new URLSearchParams(query);
  const settings = Object.fromEntries(Object.keys(TOOLS).map((tool) => [tool, opening(tool)]));
  /** @type {Record<string, string[]>} */
  const told = {};
  for (const name of new Set(parameters.keys())) {
    if (!OURS.test(name)) continue;
    const [tool, key] = name.split(".");
    const notice = readOne(tool, key, parameters.getAll(name), settings);
    if (notice !== null) (told[Object.hasOwn(TOOLS, tool) ? tool : ""] ??= []).push(notice);
  }
  return { settings, told };
}

/**
 * Take one setting of an address, or say why not.
 * @param {string} tool @param {string} key @param {string[]} texts @param {Record<string, Settings>} settings
 */
function readOne(tool, key, texts, settings) {
  const given = `${quoted(`${tool}.${key}`)}=${quoted(texts[0])}`;
  if (!Object.hasOwn(TOOLS, tool)) {
    return `${given}: there is no tool “${quoted(tool)}”, only ${Object.keys(TOOLS).join(", ")}. Ignored.`;
  }
  const { controls } = TOOLS[tool];
  if (!Object.hasOwn(controls, key)) {
    return `${given}: there is no setting “${quoted(key)}”, only ${Object.keys(controls).join(", ")}. Ignored.`;
  }
  const { values, opening: used } = controls[key];
  const allowed = `Allowed: ${values.map(textOf).join(", ")}. Using ${textOf(used)}.`;
  if (texts.length > 1) return `${tool}.${key} is given more than once: ${quoted(texts.join(" and "))}. ${allowed}`;
  const value = values.find((choice) => textOf(choice) === texts[0]);
  if (value === undefined) return `${given} is not a choice. ${allowed}`;
  settings[tool][key] = value;
  return null;
}

/**
 * What differs from the opening, as pairs.
 * @param {Record<string, Settings>} settings
 * @returns {[string, string][]}
 */
function pairs(settings) {
  return Object.entries(settings).flatMap(([tool, own]) =>
    Object.entries(TOOLS[tool].controls)
      .filter(([key, control]) => own[key] !== control.opening)
      .map(([key]) => /** @type {[string, string]} */ ([`${tool}.${key}`, textOf(own[key])])),
  );
}

/**
 * The present query with all of our settings renewed; empty when nothing is in it.
 * @param {Record<string, Settings>} settings
 * @param {string} present
 */
export function writeQuery(settings, present) {
  const known = Object.keys(settings).flatMap((tool) => Object.keys(TOOLS[tool].controls).map((key) => `${tool}.${key}`));
  const foreign = [...new URLSearchParams(present)].filter(([name]) => !known.includes(name));
  const query = new URLSearchParams([...foreign, ...pairs(settings)]).toString();
  return query === "" ? "" : `?${query}`;
}

/**
 * The page's address: written at most every 300 ms, since browsers refuse more.
 * @param {() => Record<string, Settings>} settings
 */
export function mountAddress(settings) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  /** @param {"pushState" | "replaceState"} method @param {string} hash */
  const write = (method, hash) => {
    clearTimeout(timer);
    timer = undefined;
    try {
      history[method](null, "", `${location.pathname}${writeQuery(settings(), location.search)}${hash}`);
    } catch {
      // A frame without an address of its own, or too many writes: the settings stay right, only the address lags.
    }
  };
  return {
    /** Write soon. */
    later() {
      timer ??= setTimeout(() => write("replaceState", location.hash), WAIT_MS);
    },
    /** Write what waits to be written. */
    now() {
      if (timer !== undefined) write("replaceState", location.hash);
    },
    /** A new entry in the reader's history. @param {string} hash */
    push(hash) {
      write("pushState", hash);
    },
    /** A link to all settings of this page, at one of its tools; without what others put into the address. @param {string} tool */
    link(tool) {
      return `${location.href.split(/[?#]/)[0]}${writeQuery(settings(), "")}#${tool}`;
    },
  };
}
