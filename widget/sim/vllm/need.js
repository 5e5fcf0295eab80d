// @ts-check
/**
 * What one chat needs of one group of layers.
 * @module
 */

import { rounded_up } from "./pages.js";

/** @typedef {import("./layout.js").Group} Group */
/** @typedef {import("./layout.js").Layout} Layout */

/**
 * Blocks that a chat of a length takes in one group, at most.
 * @param {any} settings the resolved settings
 * @param {Layout} layout the layout of any stage
 * @param {Group} group one of its groups
 * @param {number} tokens length of the chat, tokens
 * @returns {number} Blocks.
 * @source vLLM 0.33.0, `v1/kv_cache_interface.py`, `max_memory_usage_bytes` of each kind.
 */
export function blocks_in(settings, layout, group, tokens) {
  const size = group.block_tokens;
  if (group.kind === "mamba") {
    return layout.state_blocks === 0 ? rounded_up(tokens, layout.block_tokens) : layout.state_blocks;
  }
  if (group.kind === "cross") return rounded_up(settings.model.encoder_tokens, size);
  if (group.kind === "sliding") {
    // One more: the window may begin within a block.
    return rounded_up(Math.min(group.window - 1 + settings.in_flight_tokens, tokens), size) + 1;
  }
  if (group.kind === "chunked") {
    return rounded_up(Math.min(group.window + settings.in_flight_tokens, tokens), size);
  }
  return rounded_up(rounded_up(tokens, settings.dcp), size);
}
