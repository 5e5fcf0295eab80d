// @ts-check
/**
 * The lesson's facts with a plan's figures laid over them: in the bundle of this page it stands where
 * widget/sim/facts.js stands elsewhere. It reads the page's address once, before anything else runs.
 */

import * as LESSONS from "../../widget/sim/facts.js";
import { filled, gigabytes, read_figures } from "./figures.js";
import OWN from "./words.json" with { type: "json" };

export * from "../../widget/sim/facts.js";

/** What the address says, and what could not be used of it. */
export const FIGURES = read_figures(location.search, LESSONS);

const { card, model, cards, opening, more } = FIGURES;

/** The plan's cards as one. */
export const CARD = Object.freeze({ ...LESSONS.CARD, ...card });
/** The plan's model. */
export const MODEL = Object.freeze({ ...LESSONS.MODEL, ...model });
/** The lesson's server with the plan's reserve. */
export const SERVER = Object.freeze({ ...LESSONS.SERVER, reserve_bytes: FIGURES.reserve_bytes });
/** What a step costs on these cards. */
export const COST = Object.freeze({
  weights_bytes: MODEL.weights_bytes,
  kv_bytes_per_token: MODEL.kv_bytes_per_token,
  flops_per_token: MODEL.flops_per_token,
  bandwidth_bytes_per_second: CARD.bandwidth_bytes_per_second,
  peak_flops_per_second: CARD.peak_flops_per_second,
});
/** Size of a block, bytes. */
export const BLOCK_BYTES = SERVER.block_tokens * MODEL.kv_bytes_per_token;

/** The lesson's choices and the plan's own, each once, in rising order. @param {readonly number[]} own @param {readonly number[]} beside */
function extended(own, beside) {
  return [...new Set([...own, ...beside])].sort((one, other) => one - other);
}

/** Shares without a gap: the slider runs over their own numbers. @param {readonly number[]} shares */
function unbroken(shares) {
  const [least, most] = [shares[0], shares[shares.length - 1]];
  return Array.from({ length: most - least + 1 }, (_, i) => least + i);
}

const { share, longest, cap } = LESSONS.CHOICES;
/** What each control offers: the lesson's choices, and the plan's own. */
export const CHOICES = {
  ...LESSONS.CHOICES,
  share: { ...share, values: unbroken(extended(share.values, more.share)), opening: opening.share },
  longest: { ...longest, values: extended(longest.values, more.longest), opening: opening.longest },
  cap: { ...cap, values: extended(cap.values, more.cap), opening: opening.cap },
};
/** The memory shares that the page offers, in percent. */
export const SHARES = CHOICES.share.values;
/** The longest chats that the page offers, in tokens. */
export const LONGEST = CHOICES.longest.values;
/** The numbers of seats that the page offers, in chats. */
export const CAPS = CHOICES.cap.values;
/** What the page opens with: the plan's own settings. */
export const OPENING = Object.freeze({ ...LESSONS.OPENING, ...opening });
/** The contract, with the plan's model as the one whose numbers this page computes. */
export const CONTRACT = { ...LESSONS.CONTRACT, models: Object.fromEntries([[FIGURES.model_text, {}]]) };

/** Sentences that name the lesson's card, model or reserve, said of the plan's. */
function spoken() {
  const words = LESSONS.WORDS;
  const said = OWN.words;
  /** @param {readonly (keyof typeof LESSONS.COST)[]} keys */
  const same = (...keys) => keys.every((key) => COST[key] === LESSONS.COST[key]);
  const whole = same("weights_bytes", "kv_bytes_per_token", "flops_per_token", "bandwidth_bytes_per_second", "peak_flops_per_second");
  const measured = whole && CARD.name === LESSONS.CARD.name && CARD.memory_bytes === LESSONS.CARD.memory_bytes;
  const weights = filled(said.weights, { gb: gigabytes(MODEL.weights_bytes) });
  const kept = same("weights_bytes", "flops_per_token");
  const reserved = SERVER.reserve_bytes === LESSONS.SERVER.reserve_bytes;
  return {
    ...words,
    caveat: measured ? words.caveat : { ...words.caveat, lesson: said.caveat },
    parts: {
      ...words.parts,
      weights: kept ? words.parts.weights : { ...words.parts.weights, help: weights },
      reserve: reserved ? words.parts.reserve : { ...words.parts.reserve, help: said.reserve },
    },
    view: cards > 1 ? { ...words.view, context: said.context, bar: said.bar } : words.view,
  };
}

/** The English catalogue; this page speaks no other language. @type {LESSONS.Words} */
export const WORDS = Object.freeze(spoken());
/** The catalogues, by language. */
export const CATALOGUES = Object.freeze({ en: WORDS });
