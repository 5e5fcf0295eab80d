// @ts-check
/** What an author may say, whichever door it comes by: attributes, a query, a notebook's model. The table is facts/contract.json. */

import { CATALOGUES, CHOICES, CONTRACT, PRESETS, WORDS } from "../sim/facts.js";
import { say } from "../sim/words.js";
import { KEYS, START, flag, quoted, read } from "./settings.js";

/** @import { Words } from "../sim/facts.js" */
/** @import { Key, Settings } from "./settings.js" */
/** @typedef {keyof typeof CONTRACT.options} Name */

/**
 * @typedef {object} Options everything an author said, checked
 * @property {Settings} start where the reader starts
 * @property {ReadonlySet<string>} lock
 * @property {ReadonlySet<string>} hide
 * @property {boolean} compact
 * @property {boolean} address
 * @property {string | null} caption
 * @property {string | null} theme
 * @property {string | null} lang
 * @property {string | null} link
 * @property {string | null} about
 * @property {string | null} group
 * @property {string | null} preset
 */

/** Every name of the contract. */
export const NAMES = /** @type {Name[]} */ (Object.keys(CONTRACT.options));

/** The names that a query may carry. */
export const QUERY_NAMES = NAMES.filter((name) => !("query" in CONTRACT.options[name]));

/** The languages that there are words for. */
export const LANGUAGES = Object.keys(CATALOGUES);

/** The model whose numbers this version computes. */
export const MODEL_NAME = Object.keys(CONTRACT.models)[0];

/** Texts that an author gave, by name. @typedef {ReadonlyMap<string, string>} Texts */

/**
 * Options from texts; whatever cannot be used is left at its default and gives a notice.
 * @param {Texts} texts
 * @param {Words} [words]
 * @returns {{options: Options, notices: string[]}}
 */
export function readOptions(texts, words = WORDS) {
  /** @type {string[]} */
  const notices = [];
  /** @param {Name} name @param {(name: Name, text: string) => {value: any, notices: string[]}} reader */
  const get = (name, reader) => {
    const text = texts.get(name);
    if (text === undefined) return null;
    const { value, notices: told } = reader(name, text);
    notices.push(...told);
    return value;
  };
  const readers = readersOf(words);
  const preset = get("preset", readers.name);
  const { settings, notices: told } = read(settingTexts(texts), presetStart(preset), words);
  notices.push(...told);
  get("model", readers.model);
  return {
    options: {
      start: settings,
      preset,
      lock: new Set(get("lock", readers.list)),
      hide: new Set(get("hide", readers.list)),
      compact: get("compact", readers.flag) === true,
      address: get("address", readers.flag) === true,
      caption: get("caption", readers.text),
      theme: get("theme", readers.name),
      lang: get("lang", readers.lang),
      link: get("link", readers.address),
      about: get("about", readers.address),
      group: get("group", readers.text),
    },
    notices,
  };
}

/** The language that a tag names; a region is no other language here: de-AT reads de. @param {string} text */
export function languageOf(text) {
  return text.toLowerCase().split("-")[0];
}

/** Where a preset starts. @param {string | null} preset @returns {Settings} */
export function presetStart(preset) {
  return Object.freeze({ ...START, ...(preset === null ? {} : /** @type {any} */ (PRESETS)[preset]) });
}

/** @param {Texts} texts @returns {[Key, string][]} */
function settingTexts(texts) {
  return KEYS.filter((key) => texts.has(key)).map((key) => [key, texts.get(key) ?? ""]);
}

/** What an option offers, where it offers a list. @param {Name} name @param {readonly string[]} languages @returns {readonly string[]} */
function offered(name, languages) {
  const option = /** @type {{values?: string[], from?: string}} */ (CONTRACT.options[name]);
  if (option.from === "presets") return Object.keys(PRESETS);
  if (option.from === "models") return Object.keys(CONTRACT.models);
  return option.from === "languages" ? languages : (option.values ?? []);
}

/** @param {any} value @param {...string} notices */
function result(value, ...notices) {
  return { value, notices };
}

/** One reader for each kind of option. @param {Words} words */
function readersOf(words) {
  const joiner = words.text.legend_joiner;
  /** @param {Name} name @param {string} text @param {readonly string[]} choices */
  const refused = (name, text, choices) =>
    result(null, say(words.notices.option, { key: name, value: quoted(text), choices: choices.join(joiner) }, words));
  /** @param {Name} name @param {string} text */
  const oneOf = (name, text) => {
    const choices = offered(name, LANGUAGES);
    return text === "" ? result(null) : choices.includes(text) ? result(text) : refused(name, text, choices);
  };
  return {
    name: oneOf,
    /** @param {Name} name @param {string} text */
    lang(name, text) {
      const language = languageOf(text);
      return LANGUAGES.includes(language) ? result(language) : oneOf(name, text);
    },
    /** @param {Name} name @param {string} text */
    model(name, text) {
      if (text === "" || offered(name, LANGUAGES).includes(text)) return result(text);
      return result(null, say(words.notices.model, { value: quoted(text), used: MODEL_NAME }, words));
    },
    /** @param {Name} name @param {string} text */
    list(name, text) {
      const items = text.split(/[\s,]+/).filter((item) => item !== "");
      const choices = offered(name, LANGUAGES);
      const wrong = items.filter((item) => !choices.includes(item));
      /** @param {string} item */
      const tell = (item) => say(words.notices.item, { key: name, value: quoted(item), choices: choices.join(joiner) }, words);
      const told = wrong.map(tell);
      return result(items.filter((item) => choices.includes(item)), ...told);
    },
    /** @param {Name} name @param {string} text */
    flag(name, text) {
      const value = flag(name, text);
      return value === undefined ? refused(name, text, ["1", "0"]) : result(value);
    },
    /** @param {Name} name @param {string} text */
    text(name, text) {
      const { most } = /** @type {{most: number}} */ (CONTRACT.options[name]);
      const clean = text.replace(/\p{Cc}/gu, " ").trim();
      if (clean.length > most) return result(null, say(words.notices.long, { key: name, most }, words));
      return result(clean === "" ? null : clean);
    },
    /** @param {Name} name @param {string} text */
    address(name, text) {
      if (text === "") return result(null);
      const url = urlOf(text);
      const web = url !== null && ["http:", "https:", "file:"].includes(url.protocol);
      return web ? result(text) : result(null, say(words.notices.target, { key: name, value: quoted(text) }, words));
    },
  };
}

/** An address in this page's terms, or null. @param {string | null} text @returns {URL | null} */
export function urlOf(text) {
  try {
    return text === null ? null : new URL(text, document.baseURI);
  } catch {
    return null;
  }
}

/**
 * What to say about names that somebody means for one of ours; any other foreign name is not our business.
 * @param {Iterable<string>} names
 * @param {Words} words
 * @returns {string[]}
 */
export function mistaken(names, words) {
  const known = new Set(/** @type {string[]} */ (NAMES));
  const notices = [];
  for (const name of new Set(names)) {
    const small = name.toLowerCase();
    const ours = KEYS.find((key) => "vllm" in CHOICES[key] && CHOICES[key].vllm === small.replaceAll("-", "_"));
    if (ours !== undefined) notices.push(say(words.notices.called, { key: name, name: ours }, words));
    else if (!known.has(name) && (known.has(small) || CHOICES.mistaken.includes(small))) {
      notices.push(say(words.notices.unknown, { key: name }, words));
    }
  }
  return notices;
}
