// @ts-check
/**
 * What a pasted text says: an error, a log, a command, a config.json or an index of weights.
 * Nothing is guessed: every figure comes from a place in the text, every place is given back.
 * @module
 */

import { settle_command } from "./command.js";
import { document_of, LONGEST } from "./document.js";
import { nearest, problem, settle, settle_printed, unknown } from "./flags.js";
import { pairs } from "./literals.js";
import { fit, gib_of } from "./match.js";
import { patterns_of } from "./patterns.js";
import { cut, nothing_said } from "./reading.js";
import { reveals } from "./reveal.js";
import { plain, scanner } from "./scan.js";
import { assignments, shell_words } from "./shell.js";
import { closed, rank_of, starts } from "./starts.js";
import { settle_containers } from "./yaml.js";

/** @typedef {import("./reading.js").Reading} Reading */
/** @typedef {import("./reading.js").Said} Said */
/** @typedef {import("./scan.js").Place} Place */
/** @typedef {import("./patterns.js").Pattern} Pattern */

/** How much is read at a time, so that a page never stands still. */
export const SLICE = 65536;
/** How much of one place is read, and how much of it is shown. */
const PIECE = 8192;
const SHOWN = 200;
const MANY = 500;
const UNKNOWN = 32;
const MANY_CARDS = 64;

const USED = /(?<![0-9.,])(-?[0-9]{1,9}(?:\.[0-9]{1,9})?) ?(GiB|MiB|GB) (?:for )?(weight|consumed|peak activation|non-torch|CUDAGraph|NPU graph)/g;
const USES = { weight: "weights_gib", consumed: "consumed_gib", "peak activation": "activation_gib", "non-torch": "non_torch_gib", CUDAGraph: "graphs_gib", "NPU graph": "graphs_gib" };

/** What reads a text piece by piece. */
export function reader() {
  const log = starts();
  const whole = nothing_said();
  /** @type {import("./reading.js").Finding[]} */
  const findings = [];
  /** @type {{name: string, used_mib: number, total_mib: number}[]} */
  const cards = [];
  let [head, length, dropped, lost, at_card] = ["", 0, 0, 0, -1];

  /** @param {Place} place @param {number} end @param {Record<string, any>} says */
  function find({ text, at, line }, end, says) {
    const last = findings.at(-1);
    if (findings.length >= MANY) dropped += 1;
    else if (!last || last.line !== line || JSON.stringify(last.says) !== JSON.stringify(says)) {
      findings.push({ line, text: cut(text.slice(at, end), SHOWN).trimEnd(), says });
    }
  }

  /** @param {Place} place @param {Pattern} pattern @param {(number | string)[]} values @param {number} end */
  function figure(place, pattern, values, end) {
    const [figures, asked] = [record(), record()];
    pattern.keys.slice(0, values.length).forEach((key, i) => {
      if (key.startsWith("=")) asked[key.slice(1)] = values[i];
      else if (key) figures[key] = values[i];
    });
    if ("version" in asked) {
      if (!/^v?[0-9]{1,2}\.[0-9]/.test(asked.version)) return;
      asked.version = asked.version.replace(/^v/, "").replace(/[.+-]+$/, "");
    }
    const rank = rank_of(place.before);
    let start;
    if (Object.keys(figures).length) start = log.figures(place.line, rank, figures, pattern.number);
    else start = pattern.steps[0].startsWith("vLLM API") ? log.banner(place.line, "version", 0) : log.current(place.line);
    if (start.said.asked.max_model_len === "auto") delete asked.max_model_len;
    Object.assign(start.said.asked, asked);
    find(place, end, { ...figures, ...asked });
  }

  /** @param {Place} place @param {Pattern} pattern @param {(number | string)[]} values @param {number} end */
  function refusal(place, pattern, values, end) {
    /** @type {import("./reading.js").Refusal} */
    const numbers = { number: pattern.number };
    const [figures, asked] = [record(), record()];
    pattern.keys.slice(0, values.length).forEach((key, i) => {
      const name = key.replace(/^[=+]/, "");
      if (!name) return;
      numbers[name] = values[i];
      if (key[0] === "=") asked[name] = values[i];
      if (key[0] === "+") figures[name] = values[i];
    });
    const start = log.refused(place.line, rank_of(place.before), numbers, figures);
    if (start) Object.assign(start.said.asked, asked, start.said.asked.max_model_len === "auto" ? { max_model_len: "auto" } : {});
    find(place, end, { refusal: pattern.number, ...numbers });
  }

  /**
   * Places where something longer begins; each gives where it ends, or 0 where it is nothing.
   * @type {Record<string, (place: Place) => number>}
   */
  const longer = {
    config({ text, at, line, before }) {
      const found = /^Initializing an? (?:(V[01]) )?LLM engine (?:\(v([0-9][0-9A-Za-z.+]{0,60})\) )?with config: /.exec(text.slice(at, at + 160));
      if (!found) return 0;
      const rank = rank_of(before);
      const { said } = log.banner(line, `engine ${rank}`, /[0-9]/.test(rank) ? 4 : 1);
      said.asked.engine = found[1] ?? "V0";
      if (found[2]) said.asked.version = found[2];
      const all = pairs(text, at + found[0].length, at + PIECE, true);
      settle_printed(said, all.pairs);
      return at + found[0].length;
    },
    args({ text, at, line }) {
      const start = /^(?:non-default args: *\{?|Namespace\()/.exec(text.slice(at, at + 40));
      if (!start) return 0;
      const all = pairs(text, at + start[0].length, at + PIECE, true);
      if (!all.pairs.length) return 0;
      const { said } = log.banner(line, "args", 0);
      if (start[0][0] === "N") settle_printed(said, all.pairs);
      else for (const { name, value } of all.pairs) settle(said, name, value);
      return all.end;
    },
    usage(place) {
      const text = place.text.slice(place.at, place.at + 600).replace(/\r?\n/g, "");
      /** @type {Record<string, any>} */
      const figures = {};
      for (const [, digits, unit, what] of text.matchAll(USED)) figures[USES[/** @type {keyof USES} */ (what)]] ??= gib_of(digits, unit);
      if (!Object.keys(figures).length) return 0;
      log.figures(place.line, rank_of(place.before), figures, 4);
      find(place, place.at + SHOWN, figures);
      return place.at + 12;
    },
    call({ text, at, line }) {
      if (/[A-Za-z0-9_]/.test(text[at - 1] ?? "") && !/Async$/.test(text.slice(at - 5, at))) return 0;
      const all = pairs(text, text.indexOf("(", at) + 1, at + PIECE);
      const named = all.pairs.filter(({ name }) => /^[a-z_]+$/.test(name));
      if (!named.length && !(all.closed && typeof all.pairs[0]?.value === "string" && all.pairs[0].literal)) return 0;
      const { said } = log.banner(line, "command", 0);
      said.asked.use_llm_class = text[at] === "L";
      for (const { name, value, literal } of all.pairs) {
        if (!literal) problem(said, "variable", { name, value: String(value).slice(0, SHOWN) });
        else if (name || typeof value === "string") settle(said, name || "model", value, name && `--${name}`);
      }
      return all.end;
    },
    shell({ text, at, line, before }) {
      if (!/^(vllm(\.exe)?\s+serve[\s\\^`]|(docker|podman|nerdctl)\s+run[\s\\^`]|api_server\.py\s|vllm\.entrypoints\.(openai\.)?api_server([\s\\^`]|$))/.test(text.slice(at, at + 60))) return 0;
      // A command between quotes ends with them.
      const mark = before.split('"').length % 2 ? /[`']$/.exec(before)?.[0] : '"';
      const closing = mark ? text.indexOf(mark, at) : -1;
      const variables = assignments(text.slice(Math.max(0, at - 2000), at));
      const { words, end } = shell_words(text, at, variables, closing < 0 ? at + PIECE : Math.min(closing, at + PIECE));
      const said = nothing_said();
      if (words[0]?.startsWith("vllm.entry")) words.unshift("-m");
      if (!settle_command(said, words, false)) return 0;
      const prose = !words.some((word) => word.startsWith("--")) && !/\//.test(String(said.asked.model ?? "")) && /[A-Za-z]/.test(before.replace(/.*[$#>%] /, ""));
      if (prose) return 0;
      const start = log.banner(line, "command", 0);
      const set = Object.entries(assignments(before));
      settle_command(said, set.map(([name, value]) => `${name}=${value}`), false);
      merge(start.said, said);
      return end;
    },
    smi({ text, at }) {
      const found = /^MiB \/ +([0-9]{1,9}) ?MiB/.exec(text.slice(at, at + 40));
      const used = /(?<![0-9])([0-9]{1,9}) ?$/.exec(text.slice(Math.max(0, at - 24), at));
      if (!used || !found || cards.length > MANY_CARDS) return 0;
      const own = { used_mib: Number(used[1]), total_mib: Number(found[1]) };
      const last = cards[at_card];
      if (last) Object.assign(last, own);
      else cards.push({ name: "", ...own });
      return at + found[0].length;
    },
    card({ text, at, before }) {
      const place = /(?:^|[ \t])GPU ([0-9]{1,2}): $|\| +([0-9]{1,2}) +$/.exec(before);
      const found = /^[A-Z][A-Za-z]+ [A-Za-z0-9 ./-]{1,60}/.exec(text.slice(at, at + 80));
      if (!found || !place) return 0;
      at_card = Number(place[1] ?? place[2]);
      const name = found[0].split(/ {2,}| O(?:n|ff)\b/)[0].trim();
      if (at_card <= cards.length) cards[at_card] = { ...(cards[at_card] ?? { used_mib: 0, total_mib: 0 }), name };
      return at + name.length;
    },
    lost({ at }) {
      lost += 1;
      return at + 1;
    },
    flags({ text, at, line }) {
      const words = shell_words(text, at + 24, {}, at + 1000).words.filter((word) => word.startsWith("--"));
      for (const word of words) unknown(log.current(line).said, word.split("=")[0]);
      return at + 24;
    },
  };

  /** @param {Place} place */
  function read(place) {
    const rows = patterns_of(place.head);
    let best = null;
    for (const pattern of rows) {
      if (pattern.kind !== "figure" && pattern.kind !== "refusal") {
        const end = longer[pattern.kind](place);
        if (!end) continue;
        if (!"usage lost smi card".includes(pattern.kind)) find(place, end, { [pattern.kind]: true });
        return end;
      }
      const found = fit(pattern, place.text, place.at);
      if (found && (!best || found.values.length > best.found.values.length)) best = { pattern, found };
    }
    if (!best || best.found.end === place.at) return place.at + 1;
    const { pattern, found } = best;
    (pattern.kind === "refusal" ? refusal : figure)(place, pattern, found.values, found.end);
    return found.end;
  }

  const scan = scanner(read);
  return {
    /** @param {string} text at most a slice at a time, where nothing may stand still */
    feed(text) {
      if (head.length < LONGEST) head += text.slice(0, LONGEST - head.length);
      length += text.length;
      scan.feed(text);
    },

    /** @returns {Reading} */
    end() {
      scan.end();
      return reading();
    },
  };

  /** @returns {Reading} */
  function reading() {
    const text = plain(head);
    if (length <= SLICE && text.includes("\n") && !log.all.some(({ refusal: refused }) => refused)) unwrap(text);
    const document = document_of(text, head.length === length);
    if (document?.kind === "config" || document?.kind === "index" || document?.kind === "broken") {
      if (document.problem) whole.problems.push(document.problem);
      const asked = document.kind === "config" ? { model: document.value } : document.kind === "index" ? { index: document.value } : {};
      return { ...empty(), kind: document.kind === "broken" ? "nothing" : document.kind, asked };
    }
    const has_log = log.all.some(({ ranks, refusal: refused }) => ranks.size || refused);
    const yaml = document?.kind === "other" ? JSON.stringify(document.value, null, 2).slice(0, SLICE) : text.slice(0, SLICE);
    const line = settle_containers(whole, yaml);
    if (line) {
      find({ head: "", text: `${text.split("\n", line).at(-1)}`, at: 0, offset: 0, line: document ? 1 : line, before: "" }, SHOWN, { container: true });
      for (const start of log.all) if (start.told.has("command")) start.said = nothing_said();
    } else if (document && !has_log) whole.problems.push({ key: "json_other", values: {} });
    return joined(has_log);
  }

  /** A terminal may have torn a refusal anywhere: look for refusals once more without line ends. @param {string} text */
  function unwrap(text) {
    const ends = [...text.matchAll(/\r?\n/g)].map(({ index, 0: end }, i) => index - i * end.length);
    const again = scanner((place) => {
      const refused = patterns_of(place.head).some(({ kind }) => kind === "refusal");
      return refused ? read({ ...place, line: 1 + ends.filter((end) => end <= place.offset).length, before: "" }) : place.at + 1;
    });
    again.feed(text.replace(/\r?\n/g, ""));
    again.end();
  }

  /** @param {boolean} has_log @returns {Reading} */
  function joined(has_log) {
    const all = together();
    const last = all.at(-1);
    const own = nothing_said();
    for (const said of [whole, ...(last ? [last.said] : [])]) merge(own, said);
    const closed_all = all.map((start) => {
      const done = closed(start);
      return { ...done, asked: { ...whole.asked, ...done.asked } };
    });
    const mine = closed_all.at(-1);
    const printed = { ...mine?.printed, ...(cards.length ? { gpus: cards } : {}) };
    if (cards.length && own.cards === null) own.cards = cards.length;
    if (lost && !mine?.refusal) problem(own, "cause_missing", {});
    if (dropped) problem(own, "left_out", { findings: dropped });
    if (log.left_out()) problem(own, "left_out", { starts: log.left_out() });
    if (log.all.filter(({ told }) => told.has("command")).length > 1 && !has_log) problem(own, "several_commands", {});
    const asked = { ...(cards[0]?.name ? { card: cards[0].name } : {}), ...(mine?.asked ?? whole.asked) };
    const bare = findings.every(({ says }) => "refusal" in says);
    const kind = has_log || cards.length ? mine?.refusal && bare ? "error" : "log" : Object.keys(asked).length ? "command" : "nothing";
    return { kind, asked, printed, refusal: mine?.refusal ?? null, starts: closed_all, findings, reveals: reveals(closed_all),
      unknown: own.unknown.slice(0, UNKNOWN).map(({ flag }) => ({ flag, nearest: nearest(flag) })), problems: own.problems, cards: own.cards, long_allowed: own.long_allowed };
  }

  /** A command alone is part of the start after it, or of the one before where none follows. */
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
    return all;
  }

  /** @returns {Reading} */
  function empty() {
    const { asked, unknown: none, problems, cards: count, long_allowed } = whole;
    return { kind: "nothing", asked, printed: {}, refusal: null, starts: [], findings: [], reveals: [], unknown: none, problems, cards: count, long_allowed };
  }
}

/** @returns {Record<string, any>} */
const record = () => ({});

/** @param {Said} into @param {Said} from */
function merge(into, from) {
  Object.assign(into.asked, from.asked);
  into.unknown.push(...from.unknown);
  into.problems.push(...from.problems);
  into.cards = from.cards ?? into.cards;
  into.long_allowed ||= from.long_allowed;
  return into;
}

/**
 * What a text says, at once.
 * @param {string} text
 * @returns {Reading}
 */
export function read_paste(text) {
  const all = reader();
  for (let at = 0; at < text.length; at += SLICE) all.feed(text.slice(at, at + SLICE));
  return all.end();
}

/**
 * What a text says, slice by slice: between the slices others have their turn.
 * @param {string} text @param {(share: number) => Promise<void>} pause gives others a turn; is told how much is done, 0 to 1
 * @returns {Promise<Reading>}
 */
export async function read_slowly(text, pause) {
  const all = reader();
  for (let at = 0; at < text.length; at += SLICE) {
    all.feed(text.slice(at, at + SLICE));
    await pause(Math.min(1, (at + SLICE) / text.length));
  }
  return all.end();
}
