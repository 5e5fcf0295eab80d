// @ts-check
/** The plan in the address: only what was given, by vLLM's names; a pasted config.json stands behind the #. */

import { filled } from "../../widget/sim/vllm/fix_words.js";
import { FIELDS, known_card, opening_form, UNCOUNTED } from "./form.js";
import { visible } from "./visible.js";
import { WORDS } from "./words.js";

/** @import { Form, Own } from "./form.js" */
/** @import { Compare } from "./state.js" */

const WAIT_MS = 300;
const CONFIG = "config=";
const MOST_CONFIG = 6000;
const SHOWN = 40;
/** Fields of a config.json that no budget hangs on. */
const NOISE = /^(_name_or_path|transformers_version|id2label|label2id|auto_map|.*_token_id|initializer_range|.*dropout.*|use_cache|output_.*|return_dict|chunk_size_feed_forward|problem_type|task_specific_params)$/;

/** Parameters that others put into addresses. */
const FOREIGN = /^(utm_.*|.*clid|_.*|.{0,2}|ref|source|theme|embed)$/;

/** What stands in an address: the fields, and what has none. */
const NAMES = [...Object.keys(FIELDS), ...UNCOUNTED];

/** @typedef {{form: Form, own: Own, compare: Compare | null}} Place */

/** A text from outside, fit to be shown. @param {string} text */
export function quoted(text) {
  const readable = visible(text);
  return readable.length > SHOWN ? `${readable.slice(0, SHOWN)}…` : readable;
}

/** The fields of a config.json that matter. @param {any} config @returns {any} */
function lean(config) {
  if (typeof config !== "object" || config === null || Array.isArray(config)) return config;
  return Object.fromEntries(Object.entries(config).filter(([key]) => !NOISE.test(key)).map(([key, part]) => [key, lean(part)]));
}

/** A config's place behind the #; empty where there is none, or where it is too long. @param {Own} own */
export function config_hash({ model }) {
  if (model === null) return "";
  const text = encodeURIComponent(JSON.stringify(lean(model)));
  return text.length > MOST_CONFIG ? "" : `#${CONFIG}${text}`;
}

/** @param {Form} form */
function pairs_of(form) {
  return NAMES.filter((name) => (form[name] ?? "").trim() !== "").map((name) => [name, form[name].trim()]);
}

/** @param {Form} form */
function is_opening(form) {
  return JSON.stringify(pairs_of(form)) === JSON.stringify(pairs_of(opening_form()));
}

/** The query of a plan; empty where it is the opening's. @param {Place} place @param {string} [present] */
export function write_query({ form, own, compare }, present = "") {
  const ours = [...NAMES, "compare", "beside"];
  const foreign = [...new URLSearchParams(present)].filter(([name]) => !ours.includes(name));
  const given = is_opening(form) && own.model === null ? [] : pairs_of(form);
  const beside = compare?.version ? [["compare", compare.version]]
    : compare?.form ? [["beside", new URLSearchParams(pairs_of(compare.form)).toString()]] : [];
  const query = new URLSearchParams([...foreign, ...given, ...beside]).toString();
  return query === "" ? "" : `?${query}`;
}

/**
 * A plan from an address, and what to tell the reader.
 * @param {string} search @param {string} hash
 * @returns {Place & {told: string[]}}
 */
export function read_address(search, hash) {
  const parameters = new URLSearchParams(search);
  /** @type {string[]} */
  const told = [];
  const { form, any } = read_form(parameters, told);
  const own = { model: read_config(hash, told), index: null };
  const version = parameters.get("compare");
  const beside = parameters.get("beside");
  const compare = version ? { version } : beside ? { form: read_form(new URLSearchParams(beside), told).form, own: { model: null, index: null } } : null;
  if (!any && own.model === null) return { form: opening_form(), own, compare, told };
  const opening = opening_form();
  for (const name of /** @type {const} */ (["card", "model"])) {
    if (form[name] !== undefined || (name === "model" && own.model !== null)) continue;
    form[name] = opening[name];
    told.push(filled(WORDS.settings[`no_${name}`], { [name]: opening[name] }));
  }
  return { form, own, compare, told };
}

/** A step's name, which no step of an earlier visit has. @param {number} step */
function name_of(step) {
  return `${performance.timeOrigin} ${step}`;
}

/** @param {URLSearchParams} parameters @param {string[]} told @returns {{form: Form, any: boolean}} */
function read_form(parameters, told) {
  /** @type {Form} */
  const form = {};
  let any = false;
  for (const [name, text] of parameters) {
    if (NAMES.includes(name)) {
      any = true;
      if (text.trim() !== "") form[name] = name === "card" ? known_card(text) : text;
    } else if (!FOREIGN.test(name) && !["compare", "beside"].includes(name)) {
      told.push(filled(WORDS.settings.unread, { key: quoted(name) }));
    }
  }
  return { form, any };
}

/** @param {string} hash @param {string[]} told */
function read_config(hash, told) {
  if (!hash.startsWith(`#${CONFIG}`)) return null;
  try {
    const config = JSON.parse(decodeURIComponent(hash.slice(CONFIG.length + 1)));
    if (typeof config === "object" && config !== null && !Array.isArray(config)) return config;
  } catch {
    // Said below: a link may be cut short on its way.
  }
  told.push(WORDS.settings.unread_config);
  return null;
}

/**
 * The page's address: written at most every 300 ms, since browsers refuse more; and the steps of the reader's history,
 * each with what stood on the page. That is kept while the page is open, and nowhere else.
 * @param {() => Place} place
 * @param {() => any} picture of all that the reader has made of the page
 */
export function mount_address(place, picture) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  /** @type {Map<string, any>} */
  const kept = new Map();
  let [step, steps] = [name_of(0), 0];
  /** @param {"pushState" | "replaceState"} method */
  const write = (method) => {
    clearTimeout(timer);
    timer = undefined;
    const now = place();
    if (method === "pushState") step = name_of(++steps);
    kept.set(step, picture());
    const hash = config_hash(now.own) || (location.hash.startsWith(`#${CONFIG}`) ? "" : location.hash);
    try {
      history[method](step, "", `${location.pathname}${write_query(now, location.search)}${hash}`);
    } catch {
      // A frame without an address of its own, or too many writes: the plan stays right, only the address lags.
    }
  };
  return {
    /** Write soon. */
    later() {
      timer ??= setTimeout(() => write("replaceState"), WAIT_MS);
    },
    /** Write what waits to be written. */
    now() {
      if (timer !== undefined) write("replaceState");
    },
    /** Before a step: what stands on the page is kept for whoever goes back. */
    leave() {
      write("replaceState");
    },
    /** After it: a new entry in the reader's history. */
    push() {
      write("pushState");
    },
    /** What stood on the page at the step that the reader has gone to; nothing where the page was opened since. @param {any} state of the history's entry */
    gone_to(state) {
      clearTimeout(timer);
      timer = undefined;
      kept.set(step, picture());
      const same = state === null && write_query(place(), location.search) === location.search; // a link within the page
      step = state ?? name_of(++steps);
      return same ? picture() : kept.get(step);
    },
    /** A link to this plan, without what others put into the address. */
    link() {
      return `${location.href.split(/[?#]/)[0]}${write_query(place())}${config_hash(place().own)}`;
    },
  };
}
