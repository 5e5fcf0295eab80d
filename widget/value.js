// @ts-check
/**
 * `<pool-room-value share="48" show="tokens_per_second">1,202</pool-room-value>`: a number inside a sentence.
 *
 * The number is plain text of the page: it is copied, printed and read like the words around it, and written
 * as the element's own `lang` writes numbers. What cannot be used leaves the author's text as it is and says why in `title`.
 * @module
 */

import { Base, define } from "./base.js";
import { SimError, shown } from "./sim/checks.js";
import { CATALOGUES, PRESETS, WORDS } from "./sim/facts.js";
import { quote } from "./sim/quote.js";
import { setAttribute, setText } from "./view/el.js";
import { languageOf, presetStart } from "./view/options.js";
import { KEYS, choicesOf, read } from "./view/settings.js";
import { measured } from "./view/widget.js";

/** @import { Measured } from "./sim/describe.js" */
/** @import { Key, Settings } from "./view/settings.js" */

const MOST_KEPT = 50;

/** Many numbers of a page have the same settings. @type {Map<string, Measured>} */
const answers = new Map();

/** One number of an answer, `<pool-room-value>`, kept true by the simulation; `show` names it. */
export class PoolRoomValue extends Base {
  static observedAttributes = [...KEYS, "preset", "show", "lang"];

  /** @type {string | null} the author's text, once it has been replaced */
  #authors = null;
  /** @type {string | null} the author's title while ours says what cannot be used */
  #title = null;
  #life = new AbortController();

  connectedCallback() {
    this.#life = new AbortController();
    const { ownerDocument: page } = this;
    // The parser connects an element before it reads what is inside.
    if (page.readyState !== "loading" || this.hasChildNodes()) this.#show();
    else page.addEventListener("DOMContentLoaded", () => this.#show(), { once: true, signal: this.#life.signal });
  }

  disconnectedCallback() {
    this.#life.abort();
  }

  attributeChangedCallback() {
    if (this.#authors !== null) this.#show();
  }

  #show() {
    this.#authors ??= this.textContent ?? "";
    try {
      const text = quote(answer(settingsOf(this)), this.getAttribute("show") ?? "", wordsOf(this));
      this.#put(text);
      this.#mark(null);
    } catch (problem) {
      this.#put(this.#authors);
      this.#mark(problem);
    }
  }

  /** A framework that wrote one text node finds that node again. @param {string} text */
  #put(text) {
    const only = this.childNodes.length === 1 ? this.firstChild : null;
    setText(only?.nodeType === Node.TEXT_NODE ? only : this, text);
  }

  /** @param {unknown} problem null when all is well again */
  #mark(problem) {
    const marked = this.hasAttribute("data-problem");
    if (problem === null && !marked) return;
    if (!marked) this.#title = this.getAttribute("title");
    setAttribute(this, "data-problem", problem === null ? null : problem instanceof SimError ? problem.setting : "");
    setAttribute(this, "title", problem === null ? this.#title : problem instanceof Error ? problem.message : String(problem));
  }
}

/**
 * The settings that the attributes name: a preset's where one is given, with those beside it on top.
 * @param {Element} host
 * @returns {Settings}
 * @throws {SimError} naming attribute, value and choices
 */
function settingsOf(host) {
  let settings = startOf(host.getAttribute("preset"));
  for (const key of KEYS) {
    const text = host.getAttribute(key);
    if (text === null) continue;
    const given = read([[key, text]], settings);
    if (given.notices.length > 0) throw refused(key, text);
    settings = given.settings;
  }
  return settings;
}

/** @param {string | null} preset @returns {Settings} */
function startOf(preset) {
  const named = preset === "" ? null : preset; // as `<pool-room>` reads it
  if (named === null || Object.hasOwn(PRESETS, named)) return presetStart(named);
  throw new SimError("preset", named, "choice", { choices: list(Object.keys(PRESETS)) });
}

/** @param {Key} key @param {string} text */
function refused(key, text) {
  const choices = choicesOf(key);
  if (key !== "share") return new SimError(key, text, "choice", { choices: list(choices) });
  return new SimError(key, text, "whole_between", { least: Number(choices[0]), most: Number(choices[choices.length - 1]) });
}

/** A language without a catalogue is left to the page, and its numbers are English ones. @param {Element} host */
function wordsOf(host) {
  const language = languageOf(host.getAttribute("lang") ?? "");
  return Object.hasOwn(CATALOGUES, language) ? CATALOGUES[/** @type {keyof typeof CATALOGUES} */ (language)] : WORDS;
}

/** @param {readonly unknown[]} choices */
function list(choices) {
  return choices.map(shown).join(", ");
}

/** @param {Settings} settings */
function answer(settings) {
  const name = JSON.stringify(KEYS.map((key) => settings[key]));
  const known = answers.get(name);
  if (known !== undefined) return known;
  const found = measured(settings);
  if (answers.size >= MOST_KEPT) answers.clear();
  answers.set(name, found);
  return found;
}

define("pool-room-value", PoolRoomValue);
