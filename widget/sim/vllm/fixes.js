// @ts-check
/**
 * What to change when a server does not start: each lever alone, pairs where none does, the cheapest first.
 * @module
 */

import { BITSANDBYTES_APART, BY_REFUSAL, MORE_CARDS, ORDER, PAIRED, changes_by, kv_dtypes, quantisations } from "./choices.js";
import { SHAPES } from "./divided.js";
import { does_with, parallel_sizes } from "./levers.js";
import { GIB_BYTES } from "./rounding.js";
import { CENTS, FINE, share_free } from "./shares.js";
import { tried } from "./trial.js";
import { RISKY_SHARE } from "./verdict.js";
import { at_least } from "./versions.js";

/** @typedef {import("./levers.js").Change} Change */
/** @typedef {import("./levers.js").Question} Question */
/** @typedef {import("./trial.js").Trial} Trial */
/** @typedef {import("./verdict.js").Verdict} Verdict */

/** Numbers of seats that are tried first in a pair, chats. */
export const USUAL_SEATS = [256, 128, 64, 32, 16];
/** Refusals that another one may stand behind: the first change of a pair only gets past them. */
export const BY_CONFIG = ["too_long", "below_longest", "below_seats", ...SHAPES, "bfloat16", "method_card", "method_file", "method_differs", "method_unknown", "model_unlisted", "card_kernels", "free_memory"];
/** What a change that goes very far costs beyond its lever, a place in the order of costs without unit. */
export const DEAR = 20;
/** The same for what may die later, a place in the order of costs: two cheap changes come before. */
export const DEAREST = 60;
/** The same for a second change, a place in the order of costs. */
export const PAIR = 40;
/** The same for more cards, a place in the order of costs: above any two changes on the cards there are. */
export const CARDS = 200;
/** Settings that share out the model too and are not counted: where more cards are offered beside them, that is said. */
export const NOT_COUNTED = ["data_parallel_size", "enable_expert_parallel"];
/**
 * Down to so many tokens a shorter longest chat costs little where nobody asked for a longer one.
 * @source None of the lesson's 600 chats passes 6,215 tokens (`facts/chats.json`); 8,000 is the longest chat it opens
 *   with.
 */
export const ORDINARY = 8000;
/** A longest chat that is less than this part of what was asked for is not offered beside others, parts without unit. */
export const FAR = 8;
/** Nor is one below so many tokens that is less than half of it. */
export const SHORT = 1024;
/** Pairs are made of so many cheapest first changes at most, a count without unit. */
export const FIRSTS = 3;

/**
 * A change after which the server starts.
 * @typedef {object} Fix
 * @property {string} lever name of the setting; of a pair the one that is at its boundary
 * @property {any} value what to set it to, in the setting's own unit
 * @property {any} exact the boundary itself where the value is rounded to what people type, in the same unit
 * @property {Record<string, any>} changes every setting that changes, by vLLM's names
 * @property {string[]} costs names of the sentences about what each change costs
 * @property {number} rank place in the order of costs, a number without unit; the smaller, the cheaper
 * @property {Verdict} verdict what becomes of it
 * @property {number} tokens what the pool then holds, tokens as vLLM prints them
 * @property {number} concurrency longest chats that the pool then holds at once, chats
 */

/**
 * What can be done about a refusal.
 * @typedef {object} Fixes
 * @property {Fix[]} fixes changes after which it starts, the cheapest first
 * @property {string} share whether a share does it, none does it, or the share is no lever here: "does", "none" or
 *   "no_lever"
 * @property {number} share_needed the share that the pool would need, from 0 to 1, or above 1 where the card is too
 *   small
 * @property {number} share_free the largest share that the free memory allows, from 0 to 1
 * @property {boolean} none whether nothing that was tried starts it
 */

/**
 * The smallest changes, each lever alone; pairs where no lever alone does.
 * @param {Trial} base the trial that refuses, or that lacks room
 * @param {((at: Trial) => boolean) | null} [does] whether a trial is good enough; without it, whether it starts
 * @param {number} [longest=1] longest chat that must stay possible, tokens
 * @param {number} [seats=1] chats at once that must stay possible
 * @returns {Fixes} The changes, and what is to be said of the share.
 * @throws {PlanError} for a release that is no version
 */
export function fixes_of(base, does = null, longest = 1, seats = 1) {
  const question = { base, does: does || starts, least_longest: longest, least_seats: seats };
  const names = BY_REFUSAL[key_of(base)];
  const single = names.flatMap((name) => fixes_by(question, name, {}, []));
  let found = single.filter((fix) => !absurd(base, fix));
  if (!found.some((fix) => plain_way(base, fix))) found = [...found, ...pairs(question, found.length === 0)];
  found = [...found, ...all_cards(question, found)];
  found = found.filter((fix) => fix.changes.max_model_len !== 1);
  if (found.length === 0) found = single.filter((fix) => fix.changes.max_model_len !== 1);
  const [share, needed] = share_words(base, found, names);
  if (share === "none") found = [...found, ...at_risky_share(question, found)];
  for (const fix of found) {
    if (cards_of(base, fix.changes) > cards_of(base, {})) {
      fix.rank = fix.rank + CARDS;
      if (base.settings.not_counted.some((name) => NOT_COUNTED.includes(name))) fix.costs.push("not_counted");
    }
  }
  found.sort((one, other) => one.rank - other.rank);
  return { fixes: found, share, share_needed: needed, share_free: share_free(base), none: found.length === 0 };
}

/**
 * @param {Trial} at
 * @returns {boolean}
 */
function starts(at) {
  return at.verdict.outcome !== "refuses";
}

/**
 * @param {Trial} at
 * @returns {string}
 */
function key_of(at) {
  // Weights that do not go onto the card are a refusal of their own: less of anything else does not help.
  const refusal = at.verdict.refusal;
  if (refusal === null) return "";
  if (refusal.terms.allocating) return "allocating";
  return refusal.terms.loading ? "loading" : refusal.key;
}

/**
 * @param {Trial} base
 * @param {Record<string, any>} changes
 * @returns {number}
 */
function cards_of(base, changes) {
  const settings = base.settings;
  return (changes.tensor_parallel_size ?? settings.tp) * (changes.pipeline_parallel_size ?? settings.pp);
}

/**
 * @param {Trial} base
 * @param {number} value
 * @returns {boolean}
 */
function unasked(base, value) {
  // The model's own longest was not asked for: who has ordinary chats loses nothing.
  return value >= ORDINARY && !base.settings.given.includes("max_model_len");
}

/**
 * @param {Trial} base
 * @param {Fix} fix
 * @returns {boolean}
 */
function absurd(base, fix) {
  // A longest chat that is a small part of what was asked for is no way out while there is another.
  const longest = base.settings.longest;
  if (fix.lever !== "max_model_len" || BY_CONFIG.includes(key_of(base)) || unasked(base, fix.value)) return false;
  return fix.value * FAR < longest || (fix.value < SHORT && fix.value * 2 < longest);
}

/**
 * @param {Trial} base
 * @param {Fix} fix
 * @returns {boolean}
 */
function plain_way(base, fix) {
  // More cards are a way out, and so is a riskier share; but then one wants to know what two changes do.
  const risky = fix.costs.length === 1 && fix.costs[0] === "gpu_memory_utilization_risky";
  if (risky && fix.value > base.settings.share) return false;
  return !MORE_CARDS.includes(fix.lever) || (fix.costs.length === 1 && fix.costs[0] === "tensor_parallel_size_less");
}

/**
 * @param {Question} question
 * @param {string} name
 * @param {Record<string, any>} first
 * @param {string[]} costs
 * @returns {Fix[]}
 */
function fixes_by(question, name, first, costs) {
  // The changes by one lever, each after the changes made first.
  return changes_by(question, name).map((change) => fix_of(question.base, change, first, costs));
}

/**
 * @param {Trial} base
 * @param {Change} change
 * @param {Record<string, any>} first
 * @param {string[]} costs
 * @returns {Fix}
 */
function fix_of(base, change, first, costs) {
  const own = { [change.lever]: change.value };
  const at = tried(base, own, true) || base;
  let rank = ORDER.indexOf(change.lever) + dear(base, change);
  if (at.verdict.dangers.includes("graphs_outside")) rank = rank + DEAREST;
  for (const [lever, value] of Object.entries(first)) {
    const risky = lever === "gpu_memory_utilization" && value >= RISKY_SHARE;
    rank = rank + PAIR + ORDER.indexOf(lever) + (risky ? DEAREST : 0);
  }
  return {
    lever: change.lever,
    value: change.value,
    exact: change.exact,
    changes: { ...first, ...own },
    costs: [...costs, cost(base, change.lever, change.value)],
    rank,
    verdict: at.verdict,
    tokens: at.budget.capacity.tokens,
    concurrency: at.budget.capacity.concurrency,
  };
}

/**
 * @param {Trial} base
 * @param {Change} change
 * @returns {number}
 */
function dear(base, change) {
  // A change that goes very far costs more than its lever usually does. Who has a large share already looks for
  // anything but a larger one, and a smaller one takes a risk away.
  const { lever, value } = change;
  const settings = base.settings;
  if (lever === "gpu_memory_utilization" && value >= RISKY_SHARE) {
    return value < settings.share ? 0 : DEAREST + (settings.share >= RISKY_SHARE ? DEAR : 0);
  }
  const far =
    (lever === "max_model_len" && value * 4 < settings.longest && !unasked(base, value)) ||
    (lever === "max_num_seqs" && value * 16 < settings.seats) ||
    (lever === "max_num_batched_tokens" && value * 16 < settings.batched_tokens);
  return far ? DEAR : 0;
}

/**
 * @param {Trial} base
 * @param {string} lever
 * @param {any} value
 * @returns {string}
 */
function cost(base, lever, value) {
  const settings = base.settings;
  /** @type {Record<string, number>} */
  const now = {
    gpu_memory_utilization: settings.share,
    max_model_len: settings.longest,
    max_num_seqs: settings.seats,
    max_num_batched_tokens: settings.batched_tokens,
    tensor_parallel_size: settings.tp,
  };
  if (lever === "gpu_memory_utilization" && value >= RISKY_SHARE) return "gpu_memory_utilization_risky";
  if (value === "bitsandbytes" && at_least(settings.rules.order, BITSANDBYTES_APART)) return "bitsandbytes_apart";
  if (!Object.hasOwn(now, lever)) return lever;
  return value > now[lever] ? `${lever}_more` : `${lever}_less`;
}

/**
 * @param {Question} question
 * @param {boolean} more_cards
 * @returns {Fix[]}
 */
function pairs(question, more_cards) {
  // What no lever does alone, two may: a first one as far as it is usual, then the boundary of a second.
  /** @type {Fix[]} */
  const found = [];
  const plain = PAIRED.filter((name) => more_cards || !MORE_CARDS.includes(name));
  // Where a layer goes onto fewer cards, the others take layers of their own.
  const seconds = SHAPES.includes(key_of(question.base)) ? [...plain, "pipeline_parallel_size"] : plain;
  let done = 0;
  for (const first of first_changes(question)) {
    const names = Object.keys(first);
    if (!more_cards && names.some((name) => MORE_CARDS.includes(name))) continue;
    const at = tried(question.base, first);
    if (at === null || BY_CONFIG.includes(key_of(at))) continue;
    const after = { ...question, base: at };
    const costs = Object.entries(first).map(([lever, value]) => cost(question.base, lever, value));
    const others = seconds.filter((name) => !names.includes(name) && !has_pair(found, first, name));
    const fixes = others.flatMap((name) => fixes_by(after, name, first, costs));
    found.push(...fixes);
    done = done + (fixes.length > 0 ? 1 : 0);
    if (done === FIRSTS) break;
  }
  return found;
}

/**
 * @param {Question} question
 * @param {Fix[]} found
 * @returns {Fix[]}
 */
function all_cards(question, found) {
  // A layer that does not go onto all cards may go onto some of them, and the others take layers of their own.
  const base = question.base;
  const { tp, pp } = base.settings;
  for (const size of SHAPES.includes(key_of(base)) ? parallel_sizes(base) : []) {
    const first = { pipeline_parallel_size: Math.floor((pp * tp) / size) };
    const changes = { ...first, tensor_parallel_size: size };
    const at = tried(base, first);
    if (size > tp || tp % size !== 0 || at === null || !does_with(question, changes)) continue;
    const told = found.some(
      (fix) =>
        Object.keys(fix.changes).length === 2 &&
        fix.changes.tensor_parallel_size === size &&
        fix.changes.pipeline_parallel_size === changes.pipeline_parallel_size,
    );
    if (told) return [];
    const fix = fix_of(at, { lever: "tensor_parallel_size", value: size, exact: size }, first, []);
    return [{ ...fix, costs: ["all_cards"] }];
  }
  return [];
}

/**
 * @param {Fix[]} found
 * @param {Record<string, any>} first
 * @param {string} second
 * @returns {boolean}
 */
function has_pair(found, first, second) {
  // The same lever after the same one is at a boundary already, with a first change that costs less; but other weights
  // are another choice.
  const names = Object.keys(first);
  return found.some(
    ({ lever, changes }) =>
      lever === second &&
      names.every((name) => Object.hasOwn(changes, name)) &&
      changes.quantization === first.quantization,
  );
}

/**
 * @param {Question} question
 * @param {Fix[]} found
 * @returns {Fix[]}
 */
function at_risky_share(question, found) {
  // Where no share does it, the longest chat at the largest share that is usual is worth knowing.
  const base = question.base;
  const first = { gpu_memory_utilization: RISKY_SHARE };
  const told = found.some((fix) => Object.hasOwn(fix.changes, "max_model_len") && Object.keys(fix.changes).length > 1);
  if (told || !(base.settings.share < RISKY_SHARE && RISKY_SHARE <= share_free(base))) return [];
  const at = tried(base, first);
  if (at === null || key_of(at) !== "one_chat") return [];
  return fixes_by({ ...question, base: at }, "max_model_len", first, ["gpu_memory_utilization_risky"]);
}

/**
 * @param {Question} question
 * @returns {Record<string, any>[]}
 */
function first_changes(question) {
  const base = question.base;
  const key = key_of(base);
  const settings = base.settings;
  if (BY_CONFIG.includes(key)) {
    const past = { ...question, does: (/** @type {Trial} */ at) => key_of(at) !== key };
    const changes = BY_REFUSAL[key].flatMap((name) => changes_by(past, name));
    return changes.map((change) => ({ [change.lever]: change.value }));
  }
  const smaller = quantisations(base).map((value) => ({ quantization: value }));
  const larger = parallel_sizes(base).filter((n) => n > settings.tp);
  const more = larger.map((n) => ({ tensor_parallel_size: n }));
  const idle = settings.card.held_bytes;
  const freed = settings.in_use_bytes > idle ? [{ in_use_gib: idle / GIB_BYTES }] : [];
  if (key === "loading") return [...freed, ...smaller, ...more];
  const share = Math.min(RISKY_SHARE, Math.floor(share_free(base) * CENTS) / CENTS);
  const tokens = Math.max(question.least_longest, Math.floor(settings.longest / 4));
  const seats = USUAL_SEATS.filter((n) => question.least_seats <= n && n < settings.seats);
  /** @type {Record<string, any>[]} */
  const usual = [
    share > settings.share ? { gpu_memory_utilization: share } : {},
    ...seats.slice(0, 2).map((n) => ({ max_num_seqs: n })),
    tokens < settings.longest ? { max_model_len: tokens } : {},
    ...kv_dtypes(base).map((value) => ({ kv_cache_dtype: value })),
    settings.eager ? {} : { enforce_eager: true },
    ...smaller,
    ...more.slice(0, 2),
  ];
  return usual.filter((first) => Object.keys(first).length > 0);
}

/**
 * @param {Trial} base
 * @param {Fix[]} found
 * @param {readonly string[]} names
 * @returns {[string, number]}
 */
function share_words(base, found, names) {
  // Whether a share does it; and if the pool is too small, the share that it would need.
  const short = 0 - base.verdict.spare_bytes;
  const key = key_of(base);
  const about_pool = key === "one_chat" || key === "no_blocks" || key === "mamba_seats";
  if (!names.includes("gpu_memory_utilization") || !about_pool) {
    return [found.some((fix) => fix.lever === "gpu_memory_utilization") ? "does" : "no_lever", 0.0];
  }
  const needed = -Math.floor((-(base.budget.requested_bytes + short) / base.budget.total_bytes) * FINE) / FINE;
  const alone = found.some((fix) => Object.keys(fix.changes).join() === "gpu_memory_utilization");
  if (base.settings.blocks_override !== null) return ["no_lever", 0.0];
  return [alone ? "does" : "none", needed];
}
