// @ts-check
/** How tokens become blocks. */

import { SERVER } from "./facts.js";

/**
 * Blocks of the cache that hold this many tokens: tokens ÷ block size, rounded up.
 *
 * `tokens` is a whole number ≥ 0; a block holds 16 tokens (Kwon and others, SOSP 2023).
 * @param {number} tokens
 * @returns {number}
 */
export function blocks_for(tokens) {
  // Not (tokens + 15) ÷ 16: that sum may pass 2^53. Not %: on doubles it is a slow call.
  const full = Math.floor(tokens / SERVER.block_tokens);
  return full * SERVER.block_tokens < tokens ? full + 1 : full;
}
