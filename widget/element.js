// @ts-check
/** `<pool-room>`: attributes and properties in, settings out; the only file that knows about custom elements. */

import css from "./poolroom.css";
import { describe_measured, page_words, status_line } from "./sim/describe.js";
import { WORDS } from "./sim/facts.js";
import { say } from "./sim/words.js";
import { readQuery, writeQuery } from "./view/address.js";
import { KEYS, START, read, replace, same } from "./view/settings.js";
import { measured, mountWidget } from "./view/widget.js";

/** @import { Measured } from "./sim/describe.js" */
/** @import { Key, Settings } from "./view/settings.js" */

/** The version of what events and `result` carry. */
const SCHEMA = 1;
const ADDRESS_MS = 250; // after the last move: Safari's engine refuses the 101st write of a burst
const SCRIPT = typeof document === "undefined" ? null : /** @type {HTMLScriptElement | null} */ (document.currentScript);
const BASE = SCRIPT?.src ?? "";

/** A constructed sheet belongs to one document. @type {WeakMap<Document, CSSStyleSheet>} */
const sheets = new WeakMap();

/** The widget as an element. */
export class PoolRoom extends HTMLElement {
  static observedAttributes = [...KEYS];

  #root = this.attachShadow({ mode: "open" });
  #start = START;
  #settings = START;
  /** @type {ReturnType<typeof mountWidget> | null} */
  #widget = null;
  /** @type {Measured | null} what the settings come to; null until somebody asks */
  #answer = null;
  /** @type {Measured | null} the answer that a reader's present move started from */
  #before = null;
  #seen = true;
  #painted = false;
  #fresh = true; // never connected so far
  /** @type {Partial<Settings>} set by a program before the first connection */
  #early = {};
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #addressTimer;
  #life = new AbortController();
  #query = ""; // of the address, as last read or written

  connectedCallback() {
    this.#root.adoptedStyleSheets = [sheetOf(this.ownerDocument)];
    this.#life = new AbortController();
    this.#widget = mountWidget(this.#root, {
      choose: (changes) => this.#choose(replace(this.#settings, changes)),
      reset: () => this.#reset(),
      link: () => this.link,
      about: this.getAttribute("about"),
    });
    const notices = this.#fresh ? this.#begin() : [];
    this.#watch();
    if (this.#paint(null)) this.#widget.tell(notices);
  }

  disconnectedCallback() {
    this.#before = null;
    this.#life.abort();
    clearTimeout(this.#addressTimer);
    this.#widget?.unmount();
    this.#widget = null;
  }

  /**
   * The host changed an attribute: the author's start, and this setting, follow it.
   * @param {string} name
   */
  attributeChangedCallback(name) {
    if (this.#fresh) return; // #begin reads them all
    const key = /** @type {Key} */ (name);
    const text = this.getAttribute(name);
    const { settings, notices } = read(text === null ? [] : [[key, text]], START);
    this.#start = Object.freeze({ ...this.#start, [key]: settings[key] });
    this.#show(Object.freeze({ ...this.#settings, [key]: settings[key] }), notices);
  }

  /** The settings in force. @returns {Settings} */
  get settings() {
    return this.#settings;
  }

  /**
   * Replace some settings from a program; no event follows.
   * @param {Partial<Settings>} changes
   */
  set settings(changes) {
    const settings = replace(this.#settings, changes);
    if (this.#fresh) this.#early = { ...this.#early, ...changes };
    this.#show(settings);
  }

  /** What the settings come to: everything `describe` says, what the page says beside it, and the numbers. */
  get result() {
    const answer = this.#measured();
    const { room, run, first_word_seconds } = answer;
    return { schema: SCHEMA, ...describe_measured(answer), page: page_words(answer), numbers: { room, run, first_word_seconds } };
  }

  /** An address that shows these settings: this page's, the `link` attribute's, or the one-file page beside the script. */
  get link() {
    if (this.#ownsAddress()) return location.href.split(/[?#]/)[0] + writeQuery(this.#settings, this.#start);
    const beside = BASE === "" ? location.href.split(/[?#]/)[0] : new URL("poolroom.html", BASE).href;
    const page = urlOf(this.getAttribute("link")) ?? urlOf(beside);
    if (page === null) return beside; // a frame without an address
    page.search = writeQuery(this.#settings, START, page.search);
    return page.href;
  }

  /**
   * Go to the settings of a query as the reader's own move.
   * @param {string} query such as "?share=48"
   */
  follow(query) {
    const { settings, notices } = readQuery(query, this.#start);
    if (this.#ownsAddress() && !same(settings, this.#settings)) {
      this.#write("replaceState", this.#settings); // a move that is not written yet
      this.#write("pushState", settings);
    }
    this.#choose(settings);
    this.#widget?.tell(notices);
  }

  /**
   * Focus goes to the first slider.
   * @param {FocusOptions} [options]
   */
  focus(options) {
    /** @type {HTMLElement | null} */ (this.#root.querySelector(".slider"))?.focus(options);
  }

  /** The first settings: the author's, then the address's where it is ours to read. @returns {string[]} */
  #begin() {
    const author = this.#attributes();
    this.#fresh = false;
    this.#start = author.settings;
    this.#settings = this.#start;
    const notices = [...author.notices, ...this.#beginEarly()];
    this.#answer = null;
    if (!this.#ownsAddress()) return notices;
    const own = readQuery(location.search, this.#settings);
    this.#settings = own.settings;
    return [...notices, ...own.notices];
  }

  /** Settings that a program gave before the element was defined or connected. @returns {string[]} what could not be used */
  #beginEarly() {
    const undefined_yet = Object.getOwnPropertyDescriptor(this, "settings")?.value;
    Reflect.deleteProperty(this, "settings");
    try {
      this.#settings = replace(replace(this.#start, this.#early), undefined_yet ?? {});
      return [];
    } catch (problem) {
      return [problem instanceof Error ? problem.message : String(problem)];
    }
  }

  #attributes() {
    /** @type {[Key, string][]} */
    const texts = [];
    for (const key of KEYS) {
      const text = this.getAttribute(key);
      if (text !== null) texts.push([key, text]);
    }
    return read(texts, START);
  }

  #ownsAddress() {
    return this.hasAttribute("address");
  }

  /** Paint when in view and before print; follow the Back button where the address is ours. */
  #watch() {
    const { signal } = this.#life;
    this.#seen = true;
    if (typeof IntersectionObserver === "function") {
      const observer = new IntersectionObserver((entries) => {
        this.#seen = entries[entries.length - 1].isIntersecting;
        if (this.#seen && !this.#painted) this.#paint(null);
      });
      observer.observe(this);
      signal.addEventListener("abort", () => observer.disconnect());
    }
    window.addEventListener("beforeprint", () => this.#painted || this.#paint(null), { signal });
    if (!this.#ownsAddress()) return;
    this.#query = location.search;
    window.addEventListener("popstate", () => this.#back(), { signal });
  }

  /** The address has become another one of the history's; an anchor inside the page leaves the query as it is. */
  #back() {
    if (location.search === this.#query) return;
    this.#query = location.search;
    clearTimeout(this.#addressTimer);
    const { settings, notices } = readQuery(location.search, this.#start);
    this.#choose(settings, false);
    this.#widget?.tell(notices);
  }

  /** @param {"pushState" | "replaceState"} method @param {Settings} settings */
  #write(method, settings) {
    tryHistory(method, addressOf(settings, this.#start));
    this.#query = location.search;
  }

  #measured() {
    this.#answer ??= measured(this.#settings);
    return this.#answer;
  }

  /** @param {Settings} settings set by the host @param {readonly string[]} [notices] */
  #show(settings, notices = []) {
    this.#settings = settings;
    this.#answer = this.#before = null;
    this.#painted = false;
    if (!this.#seen || this.#paint(null)) this.#widget?.tell(notices);
  }

  /** @param {Measured | null} before @returns {boolean} whether the answer is shown; if not, a notice says why */
  #paint(before) {
    if (this.#widget === null) return false;
    try {
      this.#widget.paint(this.#settings, this.#measured(), before);
      this.#painted = true;
    } catch (problem) {
      this.#widget.tell([say(WORDS.notices.failed, { reason: String(problem) })]);
    }
    return this.#painted;
  }

  /**
   * A reader's move.
   * @param {Settings} settings
   * @param {boolean} [write] whether the address follows
   */
  #choose(settings, write = true) {
    if (same(settings, this.#settings)) return;
    this.#before ??= this.#measured();
    this.#settings = settings;
    this.#answer = null;
    this.#painted = false;
    if (this.#paint(this.#before)) this.#widget?.tell([]);
    this.#widget?.speaker.later(() => this.#sentence());
    if (write) this.#writeLater();
    this.dispatchEvent(
      new CustomEvent("poolroom-change", {
        bubbles: true,
        composed: true,
        detail: { schema: SCHEMA, settings, result: this.result },
      }),
    );
  }

  /** What is said once the reader's move has ended; the next move starts from here. */
  #sentence() {
    const answer = this.#measured();
    const sentence = status_line(answer, this.#before);
    this.#before = null;
    return sentence;
  }

  #reset() {
    const { status } = WORDS;
    this.#choose(this.#start);
    this.#before = null;
    this.#widget?.tell([]);
    this.#widget?.speaker.now(same(this.#start, START) ? status.back : status.back_author);
  }

  #writeLater() {
    if (!this.#ownsAddress()) return;
    clearTimeout(this.#addressTimer);
    this.#addressTimer = setTimeout(() => this.#write("replaceState", this.#settings), ADDRESS_MS);
  }
}

/** @param {string | null} text @returns {URL | null} */
function urlOf(text) {
  try {
    return text === null ? null : new URL(text, document.baseURI);
  } catch {
    return null;
  }
}

/** @param {Settings} settings @param {Settings} start */
function addressOf(settings, start) {
  return `${location.pathname}${writeQuery(settings, start, location.search)}${location.hash}`;
}

/** @param {"pushState" | "replaceState"} method @param {string} address */
function tryHistory(method, address) {
  try {
    history[method](history.state, "", address);
  } catch {
    // A frame without an address of its own, or too many writes: the settings stay right, only the address lags.
  }
}

/** @param {Document} page */
function sheetOf(page) {
  const known = sheets.get(page);
  if (known !== undefined) return known;
  const view = /** @type {typeof globalThis} */ (page.defaultView ?? globalThis);
  const made = new view.CSSStyleSheet();
  made.replaceSync(css);
  sheets.set(page, made);
  return made;
}

if (!customElements.get("pool-room")) customElements.define("pool-room", PoolRoom);
