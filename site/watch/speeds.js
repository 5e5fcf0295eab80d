// @ts-check
/** How fast cards are: the plan's link names its card, so that the plan page need not know. */

import CARDS from "../../sim/poolroom/facts/vllm/cards.json" with { type: "json" };

/** Types of computing in the order in which another stands in for one that is not known. */
const INSTEAD = ["bfloat16", "float16", "float32"];

/**
 * Speeds of a card in a type of computing, or null for a card that is not known.
 * @param {string} gpu name of the card
 * @param {string} dtype
 * @returns {{bandwidth: number, peak: number} | null} Bytes and operations per second.
 */
export function speeds_of(gpu, dtype) {
  /** @type {Record<string, any>} */
  const cards = CARDS.cards;
  if (!Object.hasOwn(cards, gpu)) return null;
  const { bandwidth, peak_flops: peaks } = cards[gpu];
  const type = [dtype, ...INSTEAD].find((each) => Object.hasOwn(peaks, each)) ?? Object.keys(peaks)[0];
  return { bandwidth: bandwidth[0], peak: peaks[type][0] };
}
