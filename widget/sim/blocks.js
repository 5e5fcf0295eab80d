// @ts-check
/**
 * How tokens become blocks.
 * @module
 */

import { SERVER } from "./facts.js";

/**
 * Blocks of the cache that hold this many tokens: tokens ÷ block size, rounded up.
 * @param {number} tokens tokens of one chat, a whole number ≥ 0
 * @returns {number} Blocks, a whole number.
 * @source Paged KV cache: Kwon and others, SOSP 2023. The size of a block is `block_tokens` in `facts/lesson.json`.
 */
export function blocks_for(tokens) {
  // Not (tokens + 15) ÷ 16: that sum may pass 2^53. Not %: on doubles it is a slow call.
  const full = Math.floor(tokens / SERVER.block_tokens);
  return full * SERVER.block_tokens < tokens ? full + 1 : full;
}
