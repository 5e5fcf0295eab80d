// @ts-check
/** What the page shows of a plan: each text and each length, as `site/make/plan_scene.py` makes them of the same plan. */

import { command } from "../../widget/sim/vllm/command.js";
import { filled, fix_line, fix_lines, shown_value, size } from "../../widget/sim/vllm/fix_words.js";
import { WORDS } from "../../widget/sim/vllm/plan_facts.js";
import { about_lines, danger_lines, limit_lines, refusal_line, why_lines } from "../../widget/sim/vllm/plan_words.js";
import { PlanError } from "../../widget/sim/vllm/refuse.js";
import { commas, fixed } from "../../widget/sim/vllm/rounding.js";
import { changed } from "../../widget/sim/vllm/trial.js";
import { WORDS as PAGE } from "./words.js";

/** @typedef {any} Plan the engine's record */
/** @typedef {any} Trial the engine's record */

/** The length of a typical chat, tokens, as the lesson has it. */
const TYPICAL = 2000;
/** A crossed place is at least so wide: it begins here at the latest, as a part of the bar. */
const CROSS = 0.96;
/** Refusals in which one longest chat was tried. */
const TRIED = ["one_chat", "no_blocks"];

/** Everything that the page shows of a plan at once; what needs trials stands in `levers_scene`. @param {Plan} plan @param {Trial} at @param {readonly string[]} [carried] figures of a log that the rules have moved, by their fields */
export function scene(plan, at, carried = []) {
  return {
    answer: answer_scene(plan),
    bar: bar_scene(plan),
    table: table_scene(plan, at, carried),
    lines: plan.verdict.lines,
    lines_note: filled(PAGE.lines.note, { version: plan.about.version }),
    rooms: rooms_scene(plan),
    defaults: defaults_of(plan, at),
  };
}

/** A length as a percentage of another. @param {number} part @param {number} whole */
export function percent(part, whole) {
  return `${fixed((100 * part) / whole, 4)}%`;
}

/** The value of a setting that a plan shows. @param {Plan} plan @param {string} name */
function shown(plan, name) {
  return plan.settings.find((/** @type {any} */ each) => each.name === name).value;
}

/** @param {Plan} plan */
export function tightest_stage(plan) {
  return plan.budget.stages[plan.budget.stage];
}

// --- the answer ---

/** Badge, sentence, and what else is to be said of the verdict. @param {Plan} plan */
function answer_scene(plan) {
  const { outcome, refusal } = plan.verdict;
  const why = why_lines(plan);
  return {
    outcome,
    badge: PAGE.badge[outcome],
    sentence: refusal === null ? starts_line(plan) : refusal_line(plan, refusal),
    about: about_lines(plan).join(" "),
    notes: [...lower_lines(plan), ...(refusal === null ? why : why.slice(1)), ...danger_lines(plan), ...limit_lines(plan)],
    command: plan.command,
    caption: PAGE.answer[refusal === null ? "command" : "command_refused"],
  };
}

/** What the pool of a server that starts holds. @param {Plan} plan */
function starts_line(plan) {
  const { capacity, kv_bytes } = plan.budget;
  const typical = typical_room(plan);
  const key = capacity.tokens === 0 ? "starts_plain" : typical === null ? "starts_short" : "starts";
  return filled(PAGE.answer[key], { pool: size(kv_bytes), tokens: commas(capacity.tokens), ...chats_of(plan, typical) });
}

/** Chats that fit, in words: the longest, and typical ones. @param {Plan} plan @param {any} typical */
function chats_of(plan, typical) {
  return {
    concurrency: fixed(plan.budget.capacity.concurrency, 2),
    longest: commas(plan.rooms.at(-1).tokens),
    ...(typical === null ? {} : { chats: commas(typical.chats), typical: commas(typical.tokens) }),
  };
}

/** The room for typical chats, where a longest one is longer than those. @param {Plan} plan */
function typical_room(plan) {
  return plan.rooms.slice(0, -1).find((/** @type {any} */ room) => room.tokens === TYPICAL) ?? null;
}

/** Where vLLM itself lowers the longest chat. @param {Plan} plan @returns {string[]} */
function lower_lines(plan) {
  const { longest, refusal } = plan.verdict;
  if (refusal !== null || longest >= shown(plan, "max_model_len")) return [];
  return [filled(PAGE.answer.lower, { longest: commas(longest) })];
}

// --- the bar ---

/** The card's memory: parts from the left, what others hold at the right end. @param {Plan} plan */
export function bar_scene(plan) {
  const { budget } = plan;
  const stage = tightest_stage(plan);
  const inside = stage.others_bytes;
  const held = Math.max(0, budget.in_use_bytes - inside);
  let start = inside;
  const pieces = [{ name: "others", kind: "held", from: 0, bytes: inside }];
  for (const { name, kind, bytes } of stage.parts) {
    pieces.push({ name, kind, from: start, bytes });
    start += bytes;
  }
  const pool = Math.max(0, stage.kv_bytes);
  const end = start + pool;
  const total = budget.total_bytes;
  const scale = Math.max(total, end);
  pieces.push({ name: "kv", kind: "rest", from: start, bytes: pool });
  pieces.push({ name: "unused", kind: "rest", from: end, bytes: Math.max(0, total - held - end) });
  pieces.push({ name: "held", kind: "held", from: total - held, bytes: held });
  /** @type {Record<string, number>} */
  const amounts = { kv: stage.kv_bytes, unused: Math.max(0, budget.unused_bytes), held: budget.in_use_bytes };
  return {
    pieces: pieces.map((piece) => ({
      name: piece.name,
      kind: piece.kind,
      x: percent(piece.from, scale),
      width: percent(piece.bytes, scale),
      text: size(amounts[piece.name] ?? piece.bytes),
      there: piece.name === "kv" || ((amounts[piece.name] ?? piece.bytes) > 0 && piece.name !== "others"),
    })),
    band: band_of(stage, start, scale),
    cross: cross_of(start, pool, plan.verdict.needed_bytes, scale),
    share: percent(budget.requested_bytes, scale),
    share_text: filled(PAGE.bar.share_at, {
      share: shown_value(shown(plan, "gpu_memory_utilization")), requested: size(budget.requested_bytes),
    }),
    need: need_of(plan, start, scale),
    caption: PAGE.bar[budget.stages.length > 1 ? "caption_stage" : "caption"],
    end: size(scale),
  };
}

/** Where the pool may begin, or nothing where that is known. @param {any} stage @param {number} start @param {number} scale */
function band_of(stage, start, scale) {
  if (stage.kv_low === stage.kv_high) return null;
  const left = Math.max(0, start - (stage.kv_high - stage.kv_bytes));
  const right = Math.min(scale, start + (stage.kv_bytes - stage.kv_low));
  return { x: percent(left, scale), width: percent(right - left, scale) };
}

/** What is crossed out where it does not start: the pool, or the place where it would have to be. @param {number} start @param {number} pool @param {number} needed @param {number} scale */
function cross_of(start, pool, needed, scale) {
  const left = Math.min(start, Math.floor(scale * CROSS));
  return { x: percent(pool > 0 ? start : left, scale), width: percent(pool > 0 ? pool : Math.max(scale - Math.floor(scale * CROSS), Math.min(needed, scale - left)), scale) };
}

/** One longest chat beside the pool, and what it lacks. @param {Plan} plan @param {number} start @param {number} scale */
function need_of(plan, start, scale) {
  const { needed_bytes, spare_bytes, outcome, longest, refusal } = plan.verdict;
  if (needed_bytes <= 0 || (refusal !== null && !TRIED.includes(refusal.key))) return null;
  const short = outcome === "refuses" ? Math.max(0, -spare_bytes) : 0;
  const terms = { longest: commas(longest), needed: size(needed_bytes), short: size(short) };
  const room = Math.max(0, scale - start);
  return {
    x: percent(Math.min(start, scale), scale),
    width: percent(Math.min(needed_bytes, room), scale),
    fits: percent(Math.min(Math.max(0, needed_bytes - short), room), scale),
    short: short > 0,
    text: filled(PAGE.bar[short > 0 ? "need_short" : "need"], terms),
  };
}

/** Each part's row: amount, spread, how it is known and from where. @param {Plan} plan @param {Trial} at @param {readonly string[]} carried */
function table_scene(plan, at, carried) {
  const { budget } = plan;
  const stage = tightest_stage(plan);
  /** @type {(name: string, kind: string, source: string) => [string, string]} */
  const known = (name, kind, source) =>
    (kind === "measured" && carried.includes(`measured_${name}_gib`) ? [PAGE.kinds.fitted, PAGE.sources.carried] : [PAGE.kinds[kind], PAGE.sources[source]]);
  const rows = stage.parts.map((/** @type {any} */ part) => row_of(part.name, part.bytes, part.low, part.high, ...known(part.name, part.kind, part.source)));
  rows.push(row_of("kv", stage.kv_bytes, stage.kv_low, stage.kv_high, ...known("kv", ...pool_known(at))));
  const unused = budget.unused_bytes;
  rows.push(row_of("unused", unused, unused, unused, PAGE.kinds.rest, PAGE.sources.unused));
  const own = at.settings.given.includes("in_use_gib");
  const held = budget.in_use_bytes;
  const kind = own ? PAGE.kinds.given : WORDS.about[at.settings.card.held_kind];
  rows.push(row_of("held", held, held, held, kind, PAGE.sources[own ? "held_given" : "held_default"]));
  return rows;
}

/** How the pool's size is known, and from where. @param {Trial} at @returns {[kind: string, source: string]} */
function pool_known(at) {
  if ((at.settings.measured.kv_bytes ?? null) !== null) return ["measured", "measured"];
  return pool_given(at) ? ["given", "kv_given"] : ["rest", "kv"];
}

/** Whether the pool's size was given. @param {Trial} at */
export function pool_given({ settings }) {
  return (settings.measured.kv_bytes ?? null) !== null || settings.kv_cache_memory_bytes !== null;
}

/** @param {string} name @param {number} count @param {number} low @param {number} high @param {string} kind @param {string} source */
function row_of(name, count, low, high, kind, source) {
  const spread = low === high ? "" : filled("{low}–{high}", { low: size(low), high: size(high) });
  return { name, label: PAGE.parts[name], text: size(count), spread, kind, source };
}

// --- chats ---

/** How many chats fit: all as long as the longest beside typical ones. @param {Plan} plan */
function rooms_scene(plan) {
  const { rooms } = plan;
  const words = PAGE.rooms;
  if (rooms.length === 0) return { lead: words.none, rows: [], notes: demand_notes(plan) };
  const typical = typical_room(plan);
  const seats = shown(plan, "max_num_seqs");
  const most = Math.max(...rooms.map((/** @type {any} */ room) => room.chats));
  return {
    lead: filled(words[typical === null ? "worst_only" : "worst"], chats_of(plan, typical)),
    rows: rooms.map((/** @type {any} */ room) => ({ tokens: commas(room.tokens), chats: commas(room.chats) })),
    notes: [
      words.wait,
      ...(most > seats ? [filled(words.seats, { seats: commas(seats) })] : []),
      ...demand_notes(plan),
    ],
  };
}

/** Whether the chats that were asked for fit. @param {Plan} plan @returns {string[]} */
function demand_notes(plan) {
  return plan.demand === null ? [] : why_lines(plan).slice(-1);
}

// --- what to change, and how far things go ---

/** The fixes with what each sets, or how far each lever goes; and the command that starts. @param {Plan} plan @param {Trial} at */
export function levers_scene(plan, at) {
  const words = PAGE.levers;
  const { fixes, reach } = plan;
  const found = fixes === null ? [] : fixes.fixes;
  const lines = found.map(fix_line);
  const demand = plan.verdict.refusal === null && fixes !== null;
  return {
    title: words[fixes === null ? "title_reach" : demand ? "title_demand" : "title_fixes"],
    notes: fixes === null ? [] : fix_lines(fixes).filter((/** @type {string} */ line) => !lines.includes(line)),
    fixes: found.map((/** @type {any} */ fix) => ({ text: fix_line(fix), changes: fix.changes, name: changes_text(fix.changes) })),
    ways: reach === null ? [] : reach.ways.map(way_row),
    one_chat: reach === null || reach.one_chat_bytes <= 0 ? "" : filled(PAGE.rooms.one_chat, { bytes: String(reach.one_chat_bytes) }),
    first: found.length === 0 ? null : first_of(at, found[0].changes),
  };
}

/** What changes, in words. @param {Record<string, any>} changes */
export function changes_text(changes) {
  return Object.entries(changes).map(([name, value]) => change_text(name, value)).join(WORDS.fix.and);
}

/** One change: a switch by vLLM's name, everything else in plain words. @param {string} name @param {any} value */
export function change_text(name, value) {
  const key = typeof value === "boolean" ? "change_switch" : "change";
  return filled(PAGE.explain[key], { lever: WORDS.lever[name], setting: name, value: shown_value(value) });
}

/** The command after the smallest change. @param {Trial} at @param {Record<string, any>} changes */
function first_of(at, changes) {
  try {
    return { command: command(changed(at, changes)), caption: caption_of(at, changes) };
  } catch (error) {
    if (!(error instanceof PlanError)) throw error;
    return null;
  }
}

/** What stands over the command that starts: nobody frees memory by a command. @param {Trial} at @param {Record<string, any>} changes */
function caption_of({ settings }, { in_use_gib, ...others }) {
  const words = PAGE.answer;
  const with_others = { changes: changes_text(others) };
  if (in_use_gib === undefined) return filled(words.command_fixed, with_others);
  const { maker, held_bytes } = settings.card;
  return filled(words.command_freed, {
    others: size(settings.in_use_bytes - held_bytes),
    lists: maker === "nvidia" ? words.freed_lists : "",
    also: Object.keys(others).length ? filled(words.freed_also, with_others) : "",
  });
}

/** How far a lever goes, cell by cell. @param {any} way */
function way_row({ lever, now, least, most, stops }) {
  return {
    lever: WORDS.lever[lever], setting: lever, now: shown_value(now), least: shown_value(least), most: shown_value(most),
    stops: stops ? WORDS.stops[stops] : "",
  };
}

// --- what the fields show where nothing is typed ---

/** For each setting that a plan shows, the value in force as an empty field shows it. @param {Plan} plan @param {Trial} at */
function defaults_of(plan, { settings }) {
  /** @type {Record<string, string>} */
  const found = {};
  for (const { name, value, origin } of plan.settings) if (origin !== "given") found[name] = shown_value(value);
  if (!settings.given.includes("in_use_gib")) found.in_use_gib = size(settings.in_use_bytes);
  if (!settings.given.includes("total_gib")) found.total_gib = size(settings.total_bytes);
  found.quantization = settings.model.quantisation || PAGE.settings.none;
  if (!settings.given.includes("engine")) found.engine = settings.rules.engine;
  return found;
}
