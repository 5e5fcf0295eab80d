// @ts-check
/**
 * What is longer than a line's figures: an engine's settings, commands, calls, and what the card's own tool lists.
 * @module
 */

import { settle_command } from "./command.js";
import { problem, settle, settle_printed, unknown } from "./flags.js";
import { constants, pairs } from "./literals.js";
import { gib_of } from "./match.js";
import { merge, nothing_said } from "./reading.js";
import { assignments, shell_words } from "./shell.js";
import { rank_of } from "./starts.js";

/** @typedef {import("./scan.js").Place} Place */

/** How much of one place is read. */
const PIECE = 8192;
/** How much of it may be told. */
const SHOWN = 200;
const MANY_CARDS = 64;
/** So many commands are read as they come, and the last one. */
const MANY_COMMANDS = 200;
const BEFORE = 2000;
/** So much of a place may name a card or a version, and so many places are kept. */
const NAMED = 72;
const NAMED_BEFORE = 24;
const MANY_NAMED = 200;
/** So much is read of places that lie within one piece and are nothing, or within each other; of what begins after that, little. */
const MOST = 4 * PIECE;
/** So many calls are looked at for what the program sets before them. */
const MANY_CALLS = 20;

const USED = /(?:^|[^0-9.,])(-?[0-9]{1,9}(?:\.[0-9]{1,9})?) ?(GiB|MiB|GB) (?:for )?(weight|consumed|peak activation|non-torch|CUDAGraph|NPU graph)/g;
const USES = { weight: "weights_gib", consumed: "consumed_gib", "peak activation": "activation_gib", "non-torch": "non_torch_gib", CUDAGraph: "graphs_gib", "NPU graph": "graphs_gib" };

/**
 * The readers of longer places.
 * @param {ReturnType<typeof import("./starts.js").starts>} log
 * @param {(place: Place, end: number, says: Record<string, any>) => void} find
 */
export function longer_of(log, find) {
  /** @type {{cards: {name: string, used_mib: number, total_mib: number}[], lost: number, loading: boolean, prose: import("./reading.js").Prose[]}} loading: whether weights were still being loaded by the last sign of it */
  const seen = { cards: [], lost: 0, loading: false, prose: [] };
  const kept = new Set();
  let at_card = -1;
  let commands = 0;
  let calls = 0;
  let ended = false;
  /** Where the piece began whose places are counted, and how much of them was read in vain. */
  let [piece, vain] = [0, 0];
  /** @type {Place | null} */
  let last = null;

  /** Whether so much was read in vain around here that it would take too long to go on so. @param {number} offset */
  function tired(offset) {
    if (offset < piece || offset >= piece + PIECE) [piece, vain] = [offset, 0];
    return vain >= MOST;
  }

  /**
   * Places where something longer begins; each gives where it ends, or 0 where it is nothing.
   * @type {Record<string, (place: Place) => number>}
   */
  const readers = {
    config({ text, at, line, before, offset }) {
      const found = /^Initializing an? (?:(V[01]) )?LLM engine (?:\(v([0-9][0-9A-Za-z.+]{0,60})\) )?with config: /.exec(text.slice(at, at + 160));
      if (!found) return 0;
      const rank = rank_of(before);
      const { said } = log.banner(line, `engine ${rank}`, /[0-9]/.test(rank) ? 4 : 1);
      said.asked.engine = found[1] ?? "V0";
      if (found[2]) said.asked.version = found[2];
      const all = pairs(text, at + found[0].length, at + (tired(offset) ? SHOWN : PIECE), true);
      vain += all.end - at;
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
    call({ text, at, line, offset }) {
      if (/[A-Za-z0-9_]/.test(text[at - 1] ?? "") && !/Async$/.test(text.slice(at - 5, at))) return 0;
      const open = text.indexOf("(", at) + 1;
      if (tired(offset) && !/^[^()]{0,60}["'=\u201c-\u201f]/.test(text.slice(open, open + NAMED))) return 0;
      const all = pairs(text, open, at + (tired(offset) ? NAMED : PIECE));
      const named = all.pairs.filter(({ name }) => /^[a-z_]+$/.test(name));
      if (!named.length && !(all.closed && typeof all.pairs[0]?.value === "string" && all.pairs[0].literal)) {
        vain += all.end - at;
        return 0;
      }
      const { said } = log.banner(line, "command", 0);
      said.asked.use_llm_class = text[at] === "L";
      const set = all.pairs.some(({ literal }) => !literal) && calls++ < MANY_CALLS ? constants(text.slice(Math.max(0, at - PIECE), at)) : null;
      for (const { name, value: written, literal: spelled } of all.pairs) {
        const { value, literal } = spelled ? { value: written, literal: spelled } : set?.get(String(written)) ?? { value: written, literal: false };
        if (!literal) problem(said, "variable", { name, value: String(value).slice(0, SHOWN) });
        else if (name || typeof value === "string") settle(said, name || "model", value, name && `--${name}`);
      }
      return all.end;
    },
    shell(place) {
      const { text, at, line, before, offset } = place;
      if (!/^(vllm(\.exe)?\s+serve[\s\\^`]|(docker|podman|nerdctl)\s+run[\s\\^`]|api_server\.py\s|vllm\.entrypoints\.(openai\.)?api_server([\s\\^`]|$))/.test(text.slice(at, at + 60))) return 0;
      commands += 1;
      if ((commands > MANY_COMMANDS || tired(offset)) && !ended) {
        // More of them say nothing more: only the last still counts, and is read at the end.
        const from = Math.max(0, at - BEFORE);
        last = { ...place, text: text.slice(from, at + PIECE), at: at - from };
        return at + 12;
      }
      // A command between quotes ends with them.
      const mark = before.split('"').length % 2 ? /[`']$/.exec(before)?.[0] : '"';
      const closing = mark ? text.indexOf(mark, at) : -1;
      const variables = assignments(text.slice(Math.max(0, at - BEFORE), at));
      const { words, end } = shell_words(text, at, variables, closing < 0 ? at + PIECE : Math.min(closing, at + PIECE));
      const said = nothing_said();
      if (words[0]?.startsWith("vllm.entry")) words.unshift("-m");
      vain += end - at + SHOWN;
      if (!settle_command(said, words, false)) return 0;
      const prose = !words.some((word) => /^(--|[\u2010-\u2015])[A-Za-z\u2010-\u2015]/.test(word)) && !/\//.test(String(said.asked.model ?? "")) && /[A-Za-z]/.test(before.replace(/.*[$#>%] /, ""));
      if (prose) return 0;
      const start = log.banner(line, "command", 0);
      const set = Object.entries(assignments(set_before(text.slice(Math.max(0, at - BEFORE), at))));
      settle_command(start.said, set.map(([name, value]) => `${name}=${value}`), false);
      merge(start.said, said);
      vain -= end - at + SHOWN;
      last = null;
      return end;
    },
    smi({ text, at }) {
      const found = /^MiB \/ +([0-9]{1,9}) ?MiB/.exec(text.slice(at, at + 40));
      const used = /(?:^|[^0-9])([0-9]{1,9}) ?$/.exec(text.slice(Math.max(0, at - 24), at));
      if (!used || !found || seen.cards.length > MANY_CARDS) return 0;
      const own = { used_mib: Number(used[1]), total_mib: Number(found[1]) };
      const last = seen.cards[at_card];
      if (last) Object.assign(last, own);
      else seen.cards.push({ name: "", ...own });
      return at + found[0].length;
    },
    card({ text, at, before }) {
      const place = /(?:^|[ \t])GPU ([0-9]{1,2}): $|\| +([0-9]{1,2}) +$/.exec(before);
      const found = /^[A-Z][A-Za-z]+ [A-Za-z0-9 ./-]{1,60}/.exec(text.slice(at, at + 80));
      if (!found || !place) return 0;
      at_card = Number(place[1] ?? place[2]);
      const name = found[0].split(/ {2,}| O(?:n|ff)\b/)[0].trim();
      if (at_card <= seen.cards.length) seen.cards[at_card] = { ...(seen.cards[at_card] ?? { used_mib: 0, total_mib: 0 }), name };
      return at + name.length;
    },
    version: (place) => (/^(?:vllm)(?:-openai)?[\s:=@|-]{1,40}(?:version|[`"'(*]{0,2}v?0\.[0-9])/i.test(place.text.slice(place.at, place.at + NAMED)) ? keep("version", place) : 0),
    device: (place) => keep("device", place),
    spoken: (place) => keep("card", place),
    lost({ at }) {
      seen.lost += 1;
      return at + 1;
    },
    loading({ text, at }) {
      const shards = /^checkpoint shards: {1,8}([0-9]{1,3})%/.exec(text.slice(at, at + 40));
      seen.loading = shards === null || shards[1] !== "100";
      return at + 1;
    },
    loaded({ at }) {
      seen.loading = false;
      return at + 1;
    },
    flags({ text, at, line, offset }) {
      const { words, end } = shell_words(text, at + 24, {}, at + (tired(offset) ? NAMED : 1000));
      vain += end - at;
      for (const word of words) if (word.startsWith("--")) unknown(log.current(line).said, word.split("=")[0]);
      return at + 24;
    },
  };

  /** Keep what may name a card or a version; the page, which knows their names, reads it. @param {string} kind @param {Place} place */
  function keep(kind, { text, at, before }) {
    const says = text.slice(at, at + NAMED);
    if (seen.prose.length < MANY_NAMED && !kept.has(says)) {
      kept.add(says);
      seen.prose.push({ kind, text: says, before: before.slice(-NAMED_BEFORE) });
    }
    return 0;
  }

  /** Read the last of very many commands. */
  function end() {
    ended = true;
    const place = last;
    if (place !== null && readers.shell(place)) find(place, place.at + SHOWN, { shell: true });
  }

  return { readers, seen, end };
}

/** What is set for a command: what its own line sets, continued lines included, and what is exported before. @param {string} text */
function set_before(text) {
  const exported = [...text.matchAll(/^[ \t]*(?:export|set|ENV|\$env:)[^\n]*/gm)].map(([line]) => line);
  const ends = [...text.matchAll(/[^\\^`\s][ \t\r]*\n/g)].at(-1);
  return [...exported, text.slice(ends ? ends.index + ends[0].length : 0)].join("\n");
}
