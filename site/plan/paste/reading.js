// @ts-check
/**
 * What a pasted text says: the types that the reader's parts share.
 * @module
 */

/**
 * @typedef {object} Unknown
 * @property {string} flag as written
 * @property {string} nearest the known flag that is nearest; empty if none is near
 */
/** @typedef {{key: Key, values: Record<string, any>}} Told a sentence's key, and what it mentions */
/** @typedef {{line: number, text: string, says: Record<string, any>}} Finding line from 1, the piece that says it */
/** @typedef {{number: number, [name: string]: number | string}} Refusal number of the facts' §3, and its numbers */

/**
 * Keys of what is told, for the sentences of the page.
 *
 * Problems: `json_broken` (line, column, near, ended), `json_long`, `json_other`, `index_cut`, `not_counted`,
 * `not_counted_saves`, `not_counted_host` (name), `node`, `variable` (name,
 * value), `bad_value` (name, value), `no_value` (name), `several_commands`, `cause_missing`, `binary`, `left_out`
 * (findings or starts); and what is no matter of a start's memory: `nccl`, `gated`, `request` (longest, requested),
 * `preempted`, `busy` (running, waiting, used).
 *
 * Reveals: `kv_bytes_per_token` (bytes, low, high, gib, tokens), `fixed_part` (gib, kib), `short` (gib, share and whether it is possible; or
 * tokens), `total` (gib, low, high, from: requested, two_attempts or graphs), `others_hold` (gib, largest_share),
 * `others_freed` (gib), `seats_over` (seats, blocks), `graphs_estimate` (estimated_gib, actual_gib), `non_torch` (gib),
 * `activation` (gib).
 * @typedef {string} Key
 */

/**
 * What settings and words say, whoever says them.
 * @typedef {object} Said
 * @property {Record<string, any>} asked settings in vLLM's own names
 * @property {Unknown[]} unknown
 * @property {Told[]} problems
 * @property {number | null} cards how many cards a command or a pod has
 * @property {boolean} long_allowed whether VLLM_ALLOW_LONG_MAX_MODEL_LEN is set
 */

/**
 * One start of the server.
 * @typedef {object} Start
 * @property {number} line where it begins, from 1
 * @property {Record<string, any>} asked
 * @property {Record<string, any>} printed figures, in GiB where the name says so
 * @property {{rank: string, [figure: string]: any}[]} ranks what each rank printed, if more than one did
 * @property {Refusal | null} refusal
 */

/**
 * All that a text says.
 * @typedef {object} Reading
 * @property {"error" | "log" | "command" | "config" | "index" | "nothing"} kind
 * @property {Record<string, any>} asked
 * @property {Record<string, any>} printed
 * @property {Refusal | null} refusal
 * @property {Start[]} starts the last is the reading's own
 * @property {Finding[]} findings
 * @property {Told[]} reveals
 * @property {Unknown[]} unknown
 * @property {Told[]} problems
 * @property {number | null} cards
 * @property {boolean} long_allowed
 * @property {Prose[]} prose places that may name a card or a version of vLLM in other words than its own
 * @property {string} maker whose card it is by the words of an error: "nvidia", "amd", "intel", "cpu"; else empty
 */

/** @typedef {{kind: string, text: string, before: string}} Prose what a place says, and what stands before it on its line */

/** @returns {Said} */
export function nothing_said() {
  return { asked: {}, unknown: [], problems: [], cards: null, long_allowed: false };
}

/** A text that fits into a table; a letter of two halves stays whole. @param {string} text @param {number} longest */
export function cut(text, longest) {
  if (text.length <= longest) return text;
  const last = text.charCodeAt(longest - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? longest - 1 : longest);
}

/** Add what is said elsewhere. @param {Said} into @param {Said} from */
export function merge(into, from) {
  Object.assign(into.asked, from.asked);
  into.unknown.push(...from.unknown);
  into.problems.push(...from.problems);
  into.cards = from.cards ?? into.cards;
  into.long_allowed ||= from.long_allowed;
  return into;
}
