// @ts-check
/**
 * What a pasted text says: an error, a log, a command, a config.json or an index of weights.
 * Nothing is guessed: every figure comes from a place in the text, every place is given back.
 * @module
 */

import { flag_lines, settle_loose } from "./command.js";
import { document_of, LONGEST } from "./document.js";
import { nearest, problem } from "./flags.js";
import { longer_of } from "./longer.js";
import { fit } from "./match.js";
import { patterns_of } from "./patterns.js";
import { cut, merge, nothing_said } from "./reading.js";
import { reveals } from "./reveal.js";
import { plain, scanner, unescaped_page } from "./scan.js";
import { closed, is_of, join, rank_of, starts } from "./starts.js";
import { settle_containers } from "./yaml.js";

/** @typedef {import("./reading.js").Reading} Reading */
/** @typedef {import("./reading.js").Said} Said */
/** @typedef {import("./scan.js").Place} Place */
/** @typedef {import("./patterns.js").Pattern} Pattern */

/** How much is read at a time, so that a page never stands still. */
export const STEP = 8192;
/** How much of a text's beginning is looked at as a whole. */
export const FRONT = 65536;
/** How much of a place is shown, and how many are. */
const SHOWN = 200;
const MANY = 500;
const UNKNOWN = 32;
/** So long a list of the models that are known is looked through. */
const LIST = 8192;
/** Refusals of a model that the version does not know, and of one whose code it could not load. */
const [UNKNOWN_MODEL, BROKEN_MODEL] = [15, 18];
/** The refusal where the card's memory ended. */
const MEMORY = 8;
/** What only a server says that runs. */
const RUNNING = ["request", "preempted", "busy"];
/** A text has next to none of these in its first letters. */
const LOOKED = 4000;
// eslint-disable-next-line no-control-regex
const UNREADABLE = /[\x00-\x08\x0e-\x1a\ufffd]/g;

/** What reads a text piece by piece. */
export function reader() {
  const log = starts();
  const whole = nothing_said();
  /** What is said that is neither a refusal nor a figure of a start, by the key of its sentence. @type {Map<string, Record<string, any>>} */
  const others = new Map();
  /** @type {import("./reading.js").Finding[]} */
  const findings = [];
  let [head, length, dropped] = ["", 0, 0];

  /** @param {Place} place @param {number} end @param {Record<string, any>} says */
  function find({ text, at, line }, end, says) {
    const last = findings.at(-1);
    if (findings.length >= MANY) dropped += 1;
    else if (!last || last.line !== line || JSON.stringify(last.says) !== JSON.stringify(says)) {
      findings.push({ line, text: cut(text.slice(at, end), SHOWN).trimEnd(), says });
    }
  }

  /**
   * What a pattern's values are: figures of a rank, settings, and a refusal's own numbers.
   * @param {Place} place @param {Pattern} pattern @param {(number | string)[]} values @param {number} end
   */
  function take(place, { kind, first, number, keys, steps }, values, end) {
    if (kind === "other") {
      others.set(first, Object.fromEntries(values.map((value, i) => [keys[i], value])));
      return;
    }
    /** @type {[Record<string, any>, Record<string, any>, import("./reading.js").Refusal]} */
    const [figures, asked, numbers] = [{}, {}, { number }];
    values.forEach((value, i) => {
      const [, mark, name] = /** @type {RegExpExecArray} */ (/^([=+]?)(.*)$/.exec(keys[i] ?? ""));
      if (mark === "=") asked[name] = value;
      if (mark === "+" || (kind === "figure" && !mark && name)) figures[name] = value;
      if (name) numbers[name] = value;
    });
    for (const key of keys) if (key[0] === "!") numbers[key.slice(1)] = "said";
    const named = number === UNKNOWN_MODEL && values.length === 0 ? /([A-Za-z][A-Za-z0-9_]{2,80}) $/.exec(place.before) : null;
    if (named) numbers.architecture = named[1];
    // Where it stands among those that are known, its code could not be loaded: older versions say both alike.
    if (number === UNKNOWN_MODEL && place.text.slice(end, end + LIST).split("]", 1)[0].includes(`'${numbers.architecture}'`)) numbers.number = BROKEN_MODEL;
    if (asked.version) {
      if (!/^v?[0-9]{1,2}\.[0-9]/.test(asked.version)) return;
      asked.version = asked.version.replace(/^v|[.+-]+$/g, "");
    }
    if (kind === "refusal") maker = maker_of(place.text.slice(place.at, end), place.before) || maker;
    const rank = rank_of(place.before);
    const start = kind === "refusal" ? log.refused(place.line, rank, numbers, figures)
      : Object.keys(figures).length ? log.figures(place.line, rank, figures, number)
        : steps[0].startsWith("vLLM API") || steps[0][0] === "█" ? log.banner(place.line, steps[0], 0) : log.current(place.line);
    // A length that the engine finds by itself stays found by itself.
    if (start?.said.asked.max_model_len === "auto") delete asked.max_model_len;
    if (start) Object.assign(start.said.asked, asked);
    find(place, end, kind === "refusal" ? { refusal: numbers.number, ...numbers } : { ...figures, ...asked });
  }

  const longer = longer_of(log, find);
  let maker = "";

  /** @param {Place} place */
  function read(place) {
    const rows = patterns_of(place.head);
    let best = null;
    for (const pattern of rows) {
      if (!["figure", "refusal", "other"].includes(pattern.kind)) {
        const end = longer.readers[pattern.kind](place);
        if (!end) continue;
        if (!"usage lost smi card version device spoken loading loaded".includes(pattern.kind)) find(place, end, { [pattern.kind]: true });
        return end;
      }
      const found = fit(pattern, place.text, place.at);
      if (found && (!best || found.values.length > best.found.values.length)) best = { pattern, found };
    }
    if (!best || best.found.end === place.at) return place.at + 1;
    const { pattern, found } = best;
    take(place, pattern, found.values, found.end);
    return found.end;
  }

  const scan = scanner(read);
  return {
    /** @param {string} text at most a step at a time, where nothing may stand still */
    feed(text) {
      if (head.length < LONGEST) head += text.slice(0, LONGEST - head.length);
      length += text.length;
      scan.feed(text);
    },

    /** What all of it says, in steps: between two of them others may have their turn. @returns {Generator<undefined, Reading>} */
    *ending() {
      scan.end();
      yield;
      longer.end();
      yield;
      return yield* reading();
    },

    /** @returns {Reading} */
    end() {
      return drained(this.ending());
    },
  };

  /** @returns {Generator<undefined, Reading>} */
  function* reading() {
    const as_it_is = plain(head);
    yield;
    const text = unescaped_page(as_it_is);
    yield;
    if (length <= FRONT && text.includes("\n") && !log.all.some(({ refusal: refused }) => refused)) yield* unwrap(text);
    const document = yield* document_of(as_it_is, head.length === length);
    if (document?.kind === "config" || document?.kind === "index" || document?.kind === "broken") {
      if (document.problem) whole.problems.push(document.problem);
      const asked = document.kind === "config" ? { model: document.value } : document.kind === "index" ? { index: document.value } : {};
      return { ...empty(), kind: document.kind === "broken" ? "nothing" : document.kind, asked };
    }
    yield;
    const has_log = log.all.some(({ ranks, refusal: refused }) => ranks.size || refused);
    const yaml = document?.kind === "other" && text.length <= 4 * FRONT ? JSON.stringify(document.value, null, 2).slice(0, FRONT) : text.slice(0, FRONT);
    yield;
    const line = yield* settle_containers(whole, yaml);
    if (line) {
      find({ head: "", text: `${text.split("\n", line).at(-1)}`, at: 0, offset: 0, line: document ? 1 : line, before: "" }, SHOWN, { container: true });
      for (const start of log.all) if (start.told.has("command")) start.said = nothing_said();
    } else if (document && !has_log) whole.problems.push({ key: "json_other", values: {} });
    else if (!log.all.length || (!has_log && /vllm\s+serve[^\n]{0,300}--config[\s=]/.test(text.slice(0, FRONT)))) loose(text.slice(0, FRONT));
    else if (has_log && !log.all.some(({ told }) => told.has("command") || told.has("args"))) loose(flag_lines(text.slice(0, FRONT)));
    yield;
    return yield* joined(has_log);
  }

  /** Flags without a command say something where one of them is known. @param {string} text */
  function loose(text) {
    const said = nothing_said();
    settle_loose(said, text);
    if (Object.keys(said.asked).some((name) => name !== "model")) merge(whole, said);
  }

  /** A terminal may have torn a refusal anywhere: look for refusals once more without line ends. @param {string} text @returns {Generator<undefined, void>} */
  function* unwrap(text) {
    const ends = [...text.matchAll(/\r?\n/g)].map(({ index, 0: end }, i) => index - i * end.length);
    const again = scanner((place) => {
      const refused = patterns_of(place.head).some(({ kind }) => kind === "refusal");
      return refused ? read({ ...place, line: 1 + ends.filter((end) => end <= place.offset).length, before: "" }) : place.at + 1;
    });
    for (const part of steps_of(text.replace(/\r?\n/g, ""))) {
      again.feed(part);
      yield;
    }
    again.end();
    yield;
  }

  /** @param {boolean} has_log @returns {Generator<undefined, Reading>} */
  function* joined(has_log) {
    const { cards, lost, loading } = longer.seen;
    const all = together();
    const last = all.at(-1);
    const own = nothing_said();
    for (const said of [whole, ...(last ? [last.said] : [])]) merge(own, said);
    const closed_all = [];
    for (const start of all) {
      const done = closed(start);
      closed_all.push({ ...done, asked: { ...whole.asked, ...done.asked } });
      yield;
    }
    const mine = closed_all.at(-1);
    if (mine?.refusal?.number === MEMORY && loading && mine.printed.weights_gib === undefined) mine.refusal = { ...mine.refusal, loading: "said" };
    const printed = { ...mine?.printed, ...(cards.length ? { gpus: cards } : {}) };
    if (cards.length && own.cards === null) own.cards = cards.length;
    if (mine?.refusal?.node || "host_gib" in printed) problem(own, "node", {});
    if (dropped) problem(own, "left_out", { findings: dropped });
    if (log.left_out()) problem(own, "left_out", { starts: log.left_out() });
    if (log.all.filter(({ told }) => told.has("command")).length > 1 && !has_log) problem(own, "several_commands", {});
    const asked = { ...(cards[0]?.name ? { card: cards[0].name } : {}), ...(mine?.asked ?? whole.asked) };
    const bare = findings.every(({ says }) => "refusal" in says);
    if (!findings.length && (head.slice(0, LOOKED).match(UNREADABLE)?.length ?? 0) > LOOKED / 50) problem(own, "binary", {});
    const kind = has_log || cards.length ? mine?.refusal && bare ? "error" : "log" : Object.keys(asked).length ? "command" : "nothing";
    if (!mine?.refusal) {
      // What only a running server says, and what is wrong with a request, is no news beside anything else.
      for (const [key, values] of others) if (kind === "nothing" || !RUNNING.includes(key)) problem(own, key, values);
      if (lost && !others.has("nccl") && !others.has("gated")) problem(own, "cause_missing", {});
    }
    const unknown = [];
    for (const { flag } of own.unknown.slice(0, UNKNOWN)) {
      unknown.push({ flag, nearest: nearest(flag) });
      yield;
    }
    return { kind, asked, printed, refusal: mine?.refusal ?? null, starts: closed_all, findings, reveals: reveals(closed_all), unknown, problems: own.problems, cards: own.cards, long_allowed: own.long_allowed, prose: longer.seen.prose, maker: cards.length ? "nvidia" : maker };
  }

  /** A command alone is part of the start after it, or of the one before where none follows; a log of the refusal above it. */
  function together() {
    const all = [...log.all];
    for (let i = 0; i < all.length && all.length > 1; i += 1) {
      const { ranks, refusal: refused, said } = all[i];
      if (ranks.size || refused) continue;
      const other = all[i + 1] ?? all[i - 1];
      if (!other.ranks.size && !other.refusal) {
        if (all[i].told.has("args") || other.told.has("args") || other.told.has("engine ")) other.said = merge(merge(nothing_said(), said), other.said);
      } else other.said = merge(merge(nothing_said(), said), other.said);
      all.splice(i, 1);
      i -= 1;
    }
    for (let i = all.length - 1; i > 0; i -= 1) {
      if (is_of(all[i - 1], all[i])) join(all[i - 1], all.splice(i, 1)[0]);
    }
    return all;
  }

  /** @returns {Reading} */
  function empty() {
    const { asked, unknown: none, problems, cards: count, long_allowed } = whole;
    return { kind: "nothing", asked, printed: {}, refusal: null, starts: [], findings: [], reveals: [], unknown: none, problems, cards: count, long_allowed, prose: [], maker: "" };
  }
}

/** Whose card an error is of; PyTorch calls AMD's cards cuda too, but for the end of their memory. @param {string} text @param {string} before */
function maker_of(text, before) {
  if (/^Available memory on node/.test(text)) return "cpu";
  const found = /(CUDA|HIP|XPU)(?: error)?:? ?$/.exec(before)?.[1];
  return found === "CUDA" ? "nvidia" : found === "HIP" ? "amd" : found === "XPU" || /device xpu/.test(text) ? "intel" : "";
}

/** A text in pieces of a step. @param {string} text */
function* steps_of(text) {
  for (let at = 0; at < text.length; at += STEP) yield text.slice(at, at + STEP);
}

/** What comes in steps, at once. @template T @param {Generator<undefined, T>} steps @returns {T} */
function drained(steps) {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/**
 * What a text says, in steps: between two of them others may have their turn.
 * @param {string} text
 * @returns {Generator<undefined, Reading>}
 */
export function* reading_of(text) {
  const all = reader();
  for (const part of steps_of(text)) {
    all.feed(part);
    yield;
  }
  return yield* all.ending();
}

/**
 * What a text says, at once.
 * @param {string} text
 * @returns {Reading}
 */
export function read_paste(text) {
  return drained(reading_of(text));
}
