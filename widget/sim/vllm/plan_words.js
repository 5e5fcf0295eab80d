// @ts-check
/**
 * A plan in sentences: plain words beside vLLM's names, every number with its unit.
 * @module
 */

import { NAMELESS, number_text } from "./command.js";
import { EXPERTS } from "./divided.js";
import { filled, fix_lines, reach_lines, shown_value, size, upgrade_rows } from "./fix_words.js";
import { plan as planned } from "./plan.js";
import { VERSIONS, WORDS } from "./plan_facts.js";
import { PROFILED, STAYS } from "./refusals.js";
import { release_with } from "./released.js";
import { commas, fixed } from "./rounding.js";
import { FINE } from "./shares.js";
import { read_version } from "./versions.js";

/** @typedef {import("./plan.js").Plan} Plan */
/** @typedef {import("./verdict.js").Refusal} Refusal */
/** @typedef {import("./upgrade.js").Upgrade} Upgrade */

/** Names of the refusals against which more memory of the card helps. */
export const OF_MEMORY = ["no_blocks", "one_chat", "out_of_memory", "mamba_seats"];
/** Settings that are named and not counted, without unit: which save memory of the card, which take the computer's. */
export const UNCOUNTED = VERSIONS.uncounted;

/**
 * One part of a plan in words.
 * @typedef {object} Said
 * @property {string} name "head", "why", "vllm", "fixes", "demand", "reach", "dangers", "command", "parts" or "limits"
 * @property {string} title what stands above it, or nothing
 * @property {string[]} lines sentences, or rows
 */

/**
 * A plan in parts, each with its sentences; parts that have nothing to say are left out.
 * @param {Plan} plan the plan
 * @returns {Said[]} The parts, in the order in which they are read.
 * @throws {PlanError} for a number that is not finite
 */
export function say(plan) {
  const verdict = plan.verdict;
  const parts = [
    { name: "head", title: "", lines: [WORDS.outcome[verdict.outcome], ...about_lines(plan)] },
    { name: "why", title: "", lines: why_lines(plan) },
    { name: "dangers", title: "", lines: danger_lines(plan) },
    command_part(plan),
    { name: "vllm", title: WORDS.vllm_says, lines: verdict.lines },
    { name: "fixes", title: "", lines: plan.fixes === null ? [] : fix_lines(plan.fixes) },
    { name: "reach", title: "", lines: said_of_reach(plan) },
    { name: "parts", title: WORDS.parts, lines: part_lines(plan) },
    { name: "limits", title: "", lines: limit_lines(plan) },
  ];
  return parts.filter((part) => part.lines.length > 0);
}

/**
 * A plan as text for a terminal.
 * @param {Plan} plan the plan
 * @returns {string} Lines, with a line break after each.
 * @throws {PlanError} for a number that is not finite
 */
export function as_text(plan) {
  const blocks = [];
  for (const part of say(plan)) {
    const indent = part.title ? "  " : "";
    const lines = bulleted(plan, part).flatMap((whole) => whole.split("\n")).map((line) => `${indent}${line}`);
    blocks.push((part.title ? [part.title, ...lines] : lines).join("\n"));
  }
  return blocks.join("\n\n") + "\n";
}

/**
 * @param {Plan} plan
 * @param {Said} part
 * @returns {string[]}
 */
function bulleted(plan, part) {
  // What is one of several stands with a bullet: changes, lengths of chats, settings, parts.
  const { fixes, reach } = plan;
  const whole = part.lines.length;
  let [first, after] = [whole, whole];
  let again = whole;
  if (part.name === "parts") {
    first = 0;
  } else if (part.name === "fixes" && fixes !== null) {
    first = whole - fixes.fixes.length;
  } else if (part.name === "reach" && reach !== null) {
    // After the worst case the lengths; two sentences on, the settings.
    [first, after] = [1, reach.rooms.length];
    again = after + 2;
  }
  const ways = reach === null ? 0 : reach.ways.length;
  return part.lines.map((line, place) => {
    const listed = (first <= place && place < after) || (again <= place && place < again + ways);
    return listed ? `- ${line}` : line;
  });
}

/**
 * A plan as data: the record itself, with its sentences.
 * @param {Plan} plan the plan
 * @returns {Record<string, any>} The fields of Plan, and the parts in words under the name "said".
 * @throws {PlanError} for a number that is not finite
 */
export function as_json(plan) {
  return { ...plan, said: say(plan) };
}

/**
 * A plan as data from its settings, in one call.
 * @param {any} asked settings by vLLM's names, and require_chats such as "8x32000"
 * @param {boolean} [with_fixes=true] whether to look for changes and for how far each lever goes, which takes most of
 *   the time
 * @returns {Record<string, any>} The fields of Plan, and the parts in words under the name "said".
 * @throws {PlanError} for a setting that cannot be used
 */
export function answer(asked, with_fixes = true) {
  return as_json(planned(asked, with_fixes));
}

/**
 * Version, card and model in words, and what is not known of them.
 * @param {Plan} plan the plan
 * @returns {string[]} Sentences.
 * @throws {PlanError} for a number that is not finite
 */
export function about_lines(plan) {
  const about = plan.about;
  const words = WORDS.about;
  const terms = {
    version: about.version,
    rules_of: about.rules_of,
    card: about.card_title,
    model: about.model || NAMELESS,
    total: size(plan.budget.total_bytes),
    total_kind: words[about.total_kind],
  };
  const lines = [filled(words.line, terms)];
  if (words[about.rules]) lines.push(filled(words[about.rules], terms));
  return lines;
}

/**
 * Why it does not start, how sure that is, and what was required of it.
 * @param {Plan} plan the plan
 * @returns {string[]} Sentences.
 * @throws {PlanError} for a number that is not finite
 */
export function why_lines(plan) {
  const { verdict, demand } = plan;
  const { refusal } = verdict;
  const lines = refusal === null ? [] : [refusal_line(plan, refusal), ...saves_lines(plan, refusal)];
  if (!verdict.sure) lines.push(...close_lines(plan));
  if (demand !== null) {
    const terms = {
      count: commas(demand.count),
      longest: commas(demand.longest),
      needed: commas(demand.needed_blocks),
      blocks: commas(demand.blocks),
    };
    const key = demand.met ? "met" : demand.lacks;
    const one = demand.count === 1 ? `${key}_one` : key;
    lines.push(filled(WORDS.demand[one] ?? WORDS.demand[key], terms));
  }
  return lines;
}

/**
 * @param {Plan} plan
 * @param {Refusal} refusal
 * @returns {string[]}
 */
function saves_lines(plan, refusal) {
  // Experts are spread over more cards only where there are copies of the rest.
  const told = plan.not_counted;
  const names = told.filter(
    (name) => UNCOUNTED.saves.includes(name) && (name !== EXPERTS || told.includes("data_parallel_size")),
  );
  if (names.length === 0 || !OF_MEMORY.includes(refusal.key)) return [];
  return [filled(WORDS.saves, { names: names.join(", ") })];
}

/**
 * @param {Plan} plan
 * @returns {string[]}
 */
function close_lines(plan) {
  // What is close is said of what is close: the pool against the longest chat, or the peak against what is free.
  const { verdict, budget } = plan;
  const stage = budget.stages[budget.stage];
  const refusal = verdict.refusal;
  const key = refusal === null ? "starts" : "refuses";
  if (refusal !== null && refusal.key === "out_of_memory") {
    const names = refusal.terms.allocating ? STAYS : PROFILED;
    let spare = verdict.spare_bytes;
    for (const part of budget.stages[refusal.stage].parts) {
      if (names.includes(part.name)) spare = spare + (part.bytes - part.low);
    }
    return [filled(WORDS.sure.peak_refuses, { spare: size(Math.max(0, spare)) })];
  }
  const lack = stage.kv_bytes - stage.kv_low - verdict.spare_bytes;
  if (refusal !== null || lack > 0) {
    const spare = stage.kv_high - stage.kv_bytes + verdict.spare_bytes;
    return [filled(WORDS.sure[key], { lack: size(Math.max(0, lack)), spare: size(Math.max(0, spare)) })];
  }
  let most = 0;
  for (const of of budget.stages) {
    let peak = 0;
    for (const part of of.parts) if (PROFILED.includes(part.name)) peak = peak + part.high;
    most = Math.max(most, peak);
  }
  return [filled(WORDS.sure.peak_starts, { lack: size(Math.max(0, most - budget.free_bytes)) })];
}

/**
 * Why vLLM refuses, in plain words.
 * @param {Plan} plan the plan
 * @param {Refusal} refusal its refusal
 * @returns {string} Sentences.
 * @throws {PlanError} for a number that is not finite
 */
export function refusal_line(plan, refusal) {
  const { verdict, budget } = plan;
  const terms = refusal.terms;
  /** @type {Record<string, string>} */
  const words = {};
  for (const [name, value] of Object.entries(terms)) {
    if (name.endsWith("_bytes")) words[name.slice(0, -6)] = size(value);
    else if (typeof value !== "boolean") words[name] = shown_value(value);
  }
  words.pool = size(terms.kv_bytes ?? 0);
  words.short = size(Math.max(0, 0 - verdict.spare_bytes));
  words.held = size(budget.in_use_bytes);
  words.share_free = number_text(Math.floor((budget.free_bytes / budget.total_bytes) * FINE) / FINE);
  words.token = fixed(verdict.needed_bytes / Math.max(1, verdict.longest) / 1024, 1);
  const cases = ["loading", "allocating"].filter((name) => terms[name]);
  let key = cases.length > 0 ? cases[0] : refusal.key;
  if (key === "no_blocks" && terms.others_bytes > 0 && terms.kv_bytes + terms.others_bytes > 0) {
    // Without the others there would be a pool.
    key = "no_blocks_others";
    words.requested = size(budget.requested_bytes);
  }
  return filled(WORDS.refusal[key], words);
}

/**
 * @param {Plan} plan
 * @returns {Said}
 */
function command_part(plan) {
  // The one command is the one that starts.
  const fixes = plan.fixes === null ? [] : plan.fixes.fixes;
  const freed = fixes.length > 0 && Object.keys(fixes[0].changes).join() === "in_use_gib";
  if (freed && !plan.fixed_command) return { name: "command", title: WORDS.freed_command, lines: [plan.command] };
  if (plan.fixed_command) {
    const able = fixes.find(({ changes }) => Object.keys(changes).join() !== "in_use_gib");
    const also = able !== undefined && Object.hasOwn(able.changes, "in_use_gib");
    const title = WORDS[also ? "freed_command" : freed ? "freed_fixed_command" : "fixed_command"];
    return { name: "command", title, lines: [plan.fixed_command] };
  }
  return { name: "command", title: WORDS.command, lines: [plan.command] };
}

/**
 * @param {Plan} plan
 * @returns {string[]}
 */
function said_of_reach(plan) {
  if (plan.reach === null) return [];
  return reach_lines(plan.reach, plan.budget.capacity.concurrency);
}

/**
 * What may end a server that starts.
 * @param {Plan} plan the plan
 * @returns {string[]} Sentences.
 * @throws {PlanError} for a number that is not finite
 */
export function danger_lines(plan) {
  const share = plan.settings.filter((shown) => shown.name === "gpu_memory_utilization")[0].value;
  const lacking = size(plan.budget.lacking_bytes);
  const { version, architecture } = plan.about;
  const has = release_with(architecture, read_version(version).order);
  const terms = { graphs: size(plan.verdict.over_bytes), share: number_text(share), lacking, version, architecture, has };
  return plan.verdict.dangers.map((name) => filled(WORDS.danger[name], terms));
}

/**
 * Who has how much of a card, in rows.
 * @param {Plan} plan the plan
 * @returns {string[]} Rows.
 * @throws {PlanError} for a number that is not finite
 */
export function part_lines(plan) {
  const budget = plan.budget;
  const stage = budget.stages[budget.stage];
  const lines = [row("in_use", budget.in_use_bytes), row("requested", budget.requested_bytes)];
  for (const part of stage.parts) {
    const kind = WORDS.kind[part.kind];
    const source = WORDS.source[part.source] ?? part.source;
    const told = { name: WORDS.part[part.name], bytes: size(part.bytes), kind: `${kind}: ${source}` };
    const spread = part.low !== part.bytes || part.high !== part.bytes;
    lines.push(filled(WORDS[spread ? "row" : "row_kind"], { ...told, low: size(part.low), high: size(part.high) }));
  }
  const terms = { name: WORDS.part.kv, bytes: size(stage.kv_bytes) };
  if (stage.kv_low !== stage.kv_high) {
    const spread = { low: size(stage.kv_low), high: size(stage.kv_high), kind: WORDS.kind.rest };
    lines.push(filled(WORDS.row, { ...terms, ...spread }));
  } else {
    lines.push(filled(WORDS.row_plain, terms));
  }
  lines.push(row("unused", budget.unused_bytes));
  return lines;
}

/**
 * @param {string} name
 * @param {number} count
 * @returns {string}
 */
function row(name, count) {
  return filled(WORDS.row_plain, { name: WORDS.part[name], bytes: size(count) });
}

/**
 * What was guessed, and what is not counted.
 * @param {Plan} plan the plan
 * @returns {string[]} Sentences.
 */
export function limit_lines(plan) {
  const lines = [];
  const { saves, host } = UNCOUNTED;
  for (const [name, told] of [
    ["guesses", plan.guesses],
    ["not_counted", plan.not_counted.filter((each) => !saves.includes(each) && !host.includes(each))],
    ["not_counted_saves", plan.not_counted.filter((each) => saves.includes(each))],
    ["not_counted_host", plan.not_counted.filter((each) => host.includes(each))],
  ]) {
    const names = /** @type {string[]} */ (told).map((each) => WORDS.told[each] ?? each);
    if (names.length > 0) lines.push(filled(WORDS[/** @type {string} */ (name)], { names: names.join(", ") }));
  }
  return lines;
}

/**
 * What becomes of a plan in another version, as text for a terminal.
 * @param {Upgrade} upgrade the comparison
 * @returns {string} Lines, with a line break after each.
 * @throws {PlanError} for a number that is not finite
 */
export function upgrade_text(upgrade) {
  const words = WORDS.upgrade;
  const [before, after] = upgrade.versions;
  const outcomes = upgrade.outcomes.map((name) => WORDS.outcome[name]);
  const lines = [filled(words.head, { before, after })];
  lines.push(filled(words.outcome, { before: outcomes[0], after: outcomes[1] }));
  lines.push(...upgrade_rows(upgrade));
  if (lines.length === 2) lines.push(words.same);
  if (upgrade.fixes !== null) lines.push("", ...fix_lines(upgrade.fixes));
  return [...lines, "", WORDS.command, `  ${upgrade.commands[1]}`].join("\n") + "\n";
}
