// @ts-check
/// <reference path="./tags.d.ts" preserve="true" />
/**
 * `<pool-room>`: attributes and properties in, settings out; the only file that knows about custom elements.
 * @module
 */

import { Base, define } from "./base.js";
import { join, others } from "./group.js";
import css from "./poolroom.css";
import { describe_measured, page_words, status_line } from "./sim/describe.js";
import { CONTRACT, WORDS } from "./sim/facts.js";
import { say } from "./sim/words.js";
import { addressOf, known, ownPage, readQuery, textsOf, tryHistory, writeQuery } from "./view/address.js";
import { asked, framed, wordsFor } from "./view/asked.js";
import { presetStart, readOptions, urlOf } from "./view/options.js";
import { KEYS, START, moved, replace, same, take } from "./view/settings.js";
import { sheetOf } from "./view/sheet.js";
import { measured, mountWidget } from "./view/widget.js";

export { PoolRoomValue } from "./value.js";

/** @import { SimError } from "./sim/checks.js" */
/** @import { Described, Measured, PageWords } from "./sim/describe.js" */
/** @import { Options } from "./view/options.js" */
/** @import { Key, Settings } from "./view/settings.js" */

/** The version of what events and `result` carry. */
const SCHEMA = CONTRACT.schema;
const ADDRESS_MS = 250; // after the last move: Safari's engine refuses the 101st write of a burst
const SCRIPT = typeof document === "undefined" ? null : /** @type {HTMLScriptElement | null} */ (document.currentScript);
/** The one-file page, where the script knows that it lies in a file; inside a page or a module it does not. */
const BESIDE = SCRIPT?.src ? new URL("poolroom.html", SCRIPT.src).href : null;

/** The widget as an element, `<pool-room>`; its attributes are the options of the contract. */
export class PoolRoom extends Base {
  static observedAttributes = Object.keys(CONTRACT.options);

  #root = this.attachShadow({ mode: "open" });
  /** @type {Options} */
  #options = readOptions(new Map()).options;
  #base = START; // what an address is written against
  #start = START; // what Reset goes back to
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
  #ready = false; // poolroom-ready has been sent
  /** @type {Partial<Settings>} set by a program before the first connection */
  #early = {};
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #addressTimer;
  #life = new AbortController();
  #membership = new AbortController(); // of the group
  #query = ""; // of the address, as last read or written

  connectedCallback() {
    this.#root.adoptedStyleSheets = [sheetOf(this.ownerDocument, css)];
    this.#life = new AbortController();
    const fresh = this.#fresh;
    const notices = fresh ? this.#begin() : asked(this).notices; // what is wrong stays wrong elsewhere in the page
    this.#mount();
    this.#watch();
    if (this.#paint(null)) this.#widget?.tell(notices);
    this.#afterwards(() => this.#announce(fresh ? notices : []));
  }

  disconnectedCallback() {
    this.#before = null;
    this.#life.abort();
    this.#membership.abort();
    clearTimeout(this.#addressTimer);
    this.#widget?.unmount();
    this.#widget = null;
  }

  /**
   * The host changed an attribute: what it names follows; a setting also moves the author's start.
   * @param {string} name
   */
  attributeChangedCallback(name) {
    if (this.#fresh) return; // #begin reads them all
    const words = this.#words;
    const { options, notices } = asked(this);
    const keys = name === "preset" ? KEYS : KEYS.filter((key) => key === name);
    this.#options = options;
    this.#start = take(this.#start, options.start, keys);
    if (this.#widget !== null && this.#words !== words) this.#remount();
    else this.#widget?.present(options);
    if (name === "group") this.#join();
    this.#show(take(this.#settings, options.start, keys), notices);
    if (notices.length > 0) this.#afterwards(() => this.#complain(notices));
  }

  /**
   * The settings in force: `share` in percent, `longest` in tokens, `cap` in chats, `reserved`, and the name of `chats`.
   * @returns {Settings} A frozen record.
   */
  get settings() {
    return this.#settings;
  }

  /**
   * Replace some settings from a program; no event follows.
   * @param {Partial<Settings>} changes new values, in the units of `settings`; what is not named stays
   * @throws {SimError} for a name or value that is no choice
   */
  set settings(changes) {
    const settings = replace(this.#settings, changes);
    const named = KEYS.filter((key) => key in changes);
    if (this.#fresh) this.#early = Object.fromEntries([...Object.entries(this.#early), ...named.map((key) => [key, settings[key]])]);
    this.#show(settings);
  }

  /**
   * What the settings come to: everything `describe` says, what the page says beside it, and the numbers.
   * @returns {Described & {schema: number, page: PageWords, numbers: Pick<Measured, "room" | "run" | "first_word_seconds">}}
   *   A new record, in the units of its parts; `schema` is the version of its form.
   */
  get result() {
    const answer = this.#measured();
    const { room, run, first_word_seconds } = answer;
    const words = this.#words;
    return { schema: SCHEMA, ...describe_measured(answer, words), page: page_words(answer, null, words), numbers: { room, run, first_word_seconds } };
  }

  /**
   * An address that shows these settings: the `link` option's, this page's own, or the one-file page beside the script.
   * @returns {string} The address; empty where none is known.
   */
  get link() {
    const { link, address } = this.#options;
    if (link === null && address) return ownPage() && ownPage() + writeQuery(this.#settings, this.#base, known(location.search));
    const page = urlOf(link) ?? urlOf(BESIDE);
    if (page === null) return "";
    const { preset } = readOptions(textsOf(page.search)).options; // the start of whoever follows the link
    page.search = writeQuery(this.#settings, presetStart(preset), page.search);
    if (link === null && this.#words !== WORDS) page.searchParams.set("lang", this.#words.language);
    return page.href;
  }

  /**
   * Set the `link` option: frameworks write an attribute as the property of its name, and nothing to take it away.
   * @param {string} address the address
   */
  set link(address) {
    if (typeof address === "string") this.setAttribute("link", address);
    else this.removeAttribute("link");
  }

  /**
   * Go to the settings of a query, a preset's too, as the reader's own move; what else a query may ask is not followed.
   * @param {string} query a query, such as "?share=48"; what cannot be used in it is named in a notice
   */
  follow(query) {
    const { options, notices: refused } = readOptions(new Map([...textsOf(query)].filter(([name]) => name === "preset")), this.#words);
    const start = options.preset === null ? this.#start : options.start;
    const { settings, notices } = readQuery(query, start, this.#words);
    const { free, locked } = this.#unlocked(settings);
    if (this.#writes() && !same(free, this.#settings)) {
      this.#write("replaceState", this.#settings); // a move that is not written yet
      this.#write("pushState", free);
    }
    this.#before = null; // a link is a move of its own, however soon after another
    this.#choose(free);
    this.#widget?.tell([...refused, ...notices, ...locked]);
  }

  /**
   * Give the focus to the first slider.
   * @param {FocusOptions} [options] as the browser's own `focus` takes them
   */
  focus(options) {
    const first = /** @type {HTMLElement | undefined} */ ([...this.#root.querySelectorAll(".slider:enabled")].find((node) => node.checkVisibility()));
    first?.focus(options);
  }

  get #words() {
    return wordsFor(this.#options.lang);
  }

  /** The first settings: the author's, then the address's where it is ours to read. @returns {string[]} */
  #begin() {
    const { options, base, settings, notices } = asked(this);
    this.#fresh = false;
    this.#options = options;
    this.#base = base;
    this.#start = options.start;
    this.#settings = settings;
    this.#answer = null;
    return [...notices, ...this.#beginEarly()];
  }

  /** Settings that a program gave before the element was defined or connected. @returns {string[]} what could not be used */
  #beginEarly() {
    const undefined_yet = Object.getOwnPropertyDescriptor(this, "settings")?.value;
    Reflect.deleteProperty(this, "settings");
    try {
      this.#settings = replace(replace(this.#settings, this.#early), undefined_yet ?? {});
      return [];
    } catch (problem) {
      return [problem instanceof Error ? problem.message : String(problem)];
    }
  }

  #mount() {
    const options = this.#options;
    this.#widget = mountWidget(this.#root, {
      words: this.#words,
      choose: (changes) => this.#choose(replace(this.#settings, changes)),
      reset: () => this.#reset(),
      link: () => this.link,
    });
    this.#widget.present(options);
    this.#join();
  }

  #join() {
    const { group } = this.#options;
    this.#membership.abort();
    this.#membership = new AbortController();
    if (group !== null && this.#widget !== null) join(group, this, this.#membership.signal);
  }

  /** The same widget in other words: the focus, and a sentence that is still to come, stay. */
  #remount() {
    const parts = () => [...this.#root.querySelectorAll("input, select, button, a, textarea")];
    const focused = parts().findIndex((part) => part === this.#root.activeElement);
    const before = this.#before;
    this.disconnectedCallback();
    this.#life = new AbortController();
    this.#mount();
    this.#watch();
    /** @type {HTMLElement | undefined} */ (parts()[focused])?.focus({ preventScroll: true });
    this.#before = before;
    if (before !== null) this.#widget?.speaker.later(() => this.#sentence());
    this.#afterwards(() => this.#announce([])); // in case it was still to come
  }

  /** Whether the address follows the reader. */
  #writes() {
    return this.#options.address && !framed();
  }

  /** Run something after whoever put the element here has had time to listen. @param {() => void} task */
  #afterwards(task) {
    const timer = setTimeout(task);
    this.#life.signal.addEventListener("abort", () => clearTimeout(timer));
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
    if (!this.#writes()) return;
    this.#query = location.search;
    window.addEventListener("popstate", () => this.#back(), { signal });
  }

  /** The address has become another one of the history's; an anchor inside the page leaves the query as it is. */
  #back() {
    if (location.search === this.#query) return;
    this.#query = location.search;
    clearTimeout(this.#addressTimer);
    const { settings, notices } = readQuery(location.search, this.#base, this.#words);
    this.#choose(settings, { write: false });
    this.#widget?.tell(notices);
  }

  /** @param {"pushState" | "replaceState"} method @param {Settings} settings */
  #write(method, settings) {
    tryHistory(method, addressOf(settings, this.#base));
    this.#query = location.search;
  }

  #measured() {
    this.#answer ??= measured(this.#settings);
    return this.#answer;
  }

  /** @param {Settings} settings set by the host @param {readonly string[]} [notices] */
  #show(settings, notices = []) {
    if (!same(settings, this.#settings)) this.#before = null;
    this.#settings = settings;
    this.#answer = null;
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
      const notice = say(this.#words.notices.failed, { reason: String(problem) }, this.#words);
      this.#widget.tell([notice]);
      this.#afterwards(() => this.#complain([notice]));
    }
    return this.#painted;
  }

  /** Settings without moves of locked controls, and what to say about those. @param {Settings} settings */
  #unlocked(settings) {
    const locked = /** @type {Key[]} */ (moved(settings, this.#settings).filter((key) => this.#options.lock.has(key)));
    const words = this.#words;
    return {
      free: take(settings, this.#settings, locked),
      locked: locked.map((key) => say(words.notices.locked, { name: words.controls[key].name }, words)),
    };
  }

  /**
   * A reader's move.
   * @param {Settings} settings
   * @param {{write?: boolean, alone?: boolean}} [how] whether the address follows; `alone`: a companion of the group moved first
   */
  #choose(settings, { write = true, alone = false } = {}) {
    const keys = moved(settings, this.#settings);
    if (keys.length === 0) return;
    this.#before ??= this.#measured();
    this.#settings = settings;
    this.#answer = null;
    this.#painted = false;
    if (this.#paint(this.#before)) this.#widget?.tell([]);
    if (alone) this.#before = null; // the widget that the reader moves speaks for all
    else this.#widget?.speaker.later(() => this.#sentence());
    if (write) this.#writeLater();
    // Companions first: a host that answers the event finds the whole group where it belongs.
    for (const other of alone ? [] : others(this.#options.group, this)) {
      other.#choose(other.#unlocked(take(other.#settings, settings, keys)).free, { alone: true });
    }
    this.#send("poolroom-change");
  }

  /** What is said once the reader's move has ended; the next move starts from here. */
  #sentence() {
    const answer = this.#measured();
    const sentence = status_line(answer, this.#before, this.#words);
    this.#before = null;
    return sentence;
  }

  #reset() {
    const { status } = this.#words;
    this.#home();
    this.#widget?.speaker.now(same(this.#start, START) ? status.back : status.back_author);
    for (const other of others(this.#options.group, this)) other.#home();
  }

  /** Back to the author's start. */
  #home() {
    this.#choose(this.#start, { alone: true });
    this.#before = null;
    this.#widget?.tell([]);
    this.#send("poolroom-reset");
  }

  #writeLater() {
    if (!this.#writes()) return;
    clearTimeout(this.#addressTimer);
    this.#addressTimer = setTimeout(() => this.#write("replaceState", this.#settings), ADDRESS_MS);
  }

  /** Tell the host, once, that the first answer is shown; and what could not be used. @param {readonly string[]} notices */
  #announce(notices) {
    if (notices.length > 0) this.#complain(notices);
    if (this.#ready || !this.#painted) return;
    this.#ready = true;
    this.#send("poolroom-ready");
  }

  /** @param {readonly string[]} problems */
  #complain(problems) {
    this.#emit("poolroom-error", { problems });
  }

  /** @param {string} type */
  #send(type) {
    this.#emit(type, { result: this.result });
  }

  /** @param {string} type @param {object} more */
  #emit(type, more) {
    const detail = { schema: SCHEMA, settings: this.#settings, ...more };
    this.dispatchEvent(new CustomEvent(type, { bubbles: true, composed: true, detail }));
  }
}

define("pool-room", PoolRoom);
