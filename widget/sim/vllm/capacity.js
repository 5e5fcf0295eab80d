// @ts-check
/**
 * What a pool of blocks holds, and what is printed of it, by version.
 * @module
 */

import { blocks_in } from "./need.js";
import { bounded } from "./pages.js";

/** @typedef {import("./layout.js").Layout} Layout */

/**
 * What a pool of blocks holds.
 * @typedef {object} Capacity
 * @property {number} blocks blocks of the pool, as printed
 * @property {number} usable_blocks blocks that chats can take
 * @property {number} per_chat blocks of one chat of the longest length
 * @property {number} tokens printed size of the cache, tokens
 * @property {number} concurrency printed chats of the longest length, before it is rounded, many
 */

/**
 * Blocks that go into memory; one where the model keeps nothing, as vLLM says then.
 * @param {Layout} layout the layout of the stage
 * @param {number} kv_bytes memory for the cache, bytes; may be negative
 * @returns {number} Blocks.
 * @source vLLM 0.33.0, `v1/core/kv_cache_planning.py`, `get_kv_cache_configs`.
 */
export function blocks_of(layout, kv_bytes) {
  if (layout.block_bytes === 0) return 1;
  if (kv_bytes <= 0) return 0;
  return (kv_bytes - (kv_bytes % layout.block_bytes)) / layout.block_bytes;
}

/**
 * Blocks that chats can take: V1 keeps one for itself.
 * @param {any} settings the resolved settings
 * @param {number} blocks blocks of the pool
 * @returns {number} Blocks.
 * @source vLLM 0.33.0, `v1/core/block_pool.py`, the null block.
 */
export function usable_blocks(settings, blocks) {
  return Math.max(0, blocks - own(settings));
}

/** @param {any} settings */
function own(settings) {
  return settings.rules.engine === "V0" ? 0 : 1;
}

/**
 * Blocks that a chat of a length takes in all groups together, at most.
 * @param {any} settings the resolved settings
 * @param {Layout} layout the layout of any stage
 * @param {number} tokens length of the chat, tokens
 * @returns {number} Blocks.
 */
export function blocks_per_chat(settings, layout, tokens) {
  let blocks = 0;
  for (const group of layout.groups) blocks += blocks_in(settings, layout, group, tokens);
  return blocks;
}

/**
 * What one chat of a length needs: the “GiB KV cache is needed” of a refusal.
 *
 * From 0.14.0 that is whole blocks of the pool, until 0.16 with the layers of all stages, though the memory is that of
 * one, and until 0.18 of the first group alone; before, each layer counts as it is, without what pads a group.
 * @param {any} settings the resolved settings
 * @param {Layout} layout the layout of the stage
 * @param {number} tokens length of the chat, tokens
 * @returns {number} Bytes.
 * @throws {PlanError} for sizes that both languages cannot hold exactly
 * @source vLLM 0.33.0, `v1/core/kv_cache_planning.py`; 0.11.0, 0.15.1 and 0.18.0, `v1/core/kv_cache_utils.py`; the
 *   layers of all stages: vllm-project/vllm#34076.
 */
export function chat_bytes(settings, layout, tokens) {
  if (layout.tried_bytes > 0) {
    let blocks = 0;
    for (const group of layout.groups.slice(0, layout.tried_groups)) blocks += blocks_in(settings, layout, group, tokens);
    return bounded("max_model_len", blocks * layout.tried_bytes);
  }
  let total = 0;
  for (const group of layout.groups) {
    const pages = blocks_in(settings, layout, group, tokens) * group.layers;
    total = bounded("max_model_len", total + bounded("max_model_len", pages * group.page_bytes));
  }
  return total;
}

/**
 * Memory against which one chat is tried: all of it, from 0.29.0 without one block.
 * @param {any} settings the resolved settings
 * @param {Layout} layout the layout of the stage
 * @param {number} kv_bytes memory for the cache, bytes
 * @returns {number} Bytes; may be negative.
 * @source vLLM 0.29.0, `v1/core/kv_cache_utils.py`; vllm-project/vllm#47272.
 */
export function room_for_chats(settings, layout, kv_bytes) {
  return kv_bytes - (settings.rules.null_block ? layout.block_bytes : 0);
}

/**
 * Whether one chat of a length fits, as vLLM tries it at the start.
 * @param {any} settings the resolved settings
 * @param {Layout} layout the layout of the stage
 * @param {number} kv_bytes memory for the cache, bytes
 * @param {number} tokens length of the chat, tokens
 * @returns {boolean} Whether it fits.
 * @throws {PlanError} for sizes that both languages cannot hold exactly
 */
export function fits(settings, layout, kv_bytes, tokens) {
  return chat_bytes(settings, layout, tokens) <= room_for_chats(settings, layout, kv_bytes);
}

/**
 * The longest chat that fits, up to the longest length, found by halving as vLLM does.
 * @param {any} settings the resolved settings
 * @param {Layout} layout the layout of the stage
 * @param {number} kv_bytes memory for the cache, bytes
 * @returns {number} Tokens; 0 when not even one token fits.
 * @throws {PlanError} for sizes that both languages cannot hold exactly
 * @source vLLM 0.33.0, `v1/core/kv_cache_planning.py`, `_estimate_max_model_len_from_groups`.
 */
export function estimated_longest(settings, layout, kv_bytes) {
  if (!fits(settings, layout, kv_bytes, 1)) return 0;
  let [least, most, found] = [1, settings.longest, 1];
  while (least <= most) {
    const middle = Math.floor((least + most) / 2);
    if (fits(settings, layout, kv_bytes, middle)) {
      found = middle;
      least = middle + 1;
    } else {
      most = middle - 1;
    }
  }
  return found;
}

/**
 * What is printed of a pool at the start: tokens, and chats of the longest length.
 * @param {any} settings the resolved settings
 * @param {Layout} layout the layout of any stage
 * @param {number} blocks blocks of the pool, those of the smallest rank
 * @returns {Capacity} The capacity.
 * @throws {PlanError} for sizes that both languages cannot hold exactly
 * @source vLLM 0.33.0, `v1/core/kv_cache_utils.py`, `get_max_concurrency_for_kv_cache_config`; by version as in 0.6.6,
 *   0.8.5, 0.11.0 and 0.20.1.
 */
export function capacity(settings, layout, blocks) {
  const { longest } = settings;
  const per_chat = blocks_per_chat(settings, layout, longest);
  let [tokens, concurrency] = [0, 0];
  if (["blocks", "v1_tokens"].includes(settings.rules.capacity)) {
    tokens = bounded("block_size", blocks * layout.block_tokens);
    concurrency = tokens / longest;
  } else if (per_chat > 0) {
    concurrency = blocks / per_chat;
    tokens = printed(settings, layout, blocks, concurrency);
  }
  return { blocks, usable_blocks: usable_blocks(settings, blocks), per_chat, tokens, concurrency };
}

/**
 * @param {any} settings
 * @param {Layout} layout
 * @param {number} blocks
 * @param {number} concurrency
 */
function printed(settings, layout, blocks, concurrency) {
  if (settings.rules.capacity === "groups") {
    const each = Math.floor(blocks / layout.groups.length);
    return bounded("block_size", each * layout.block_tokens * settings.dcp);
  }
  return bounded("max_model_len", Math.floor(concurrency * settings.longest));
}

/**
 * How many chats of one length fit at once, each with the most that it may take.
 * @param {any} settings the resolved settings
 * @param {Layout} layout the layout of any stage
 * @param {number} blocks blocks of the pool
 * @param {number} tokens length of each chat, tokens
 * @returns {number} Chats; 0 where a chat takes no blocks.
 */
export function chats_of(settings, layout, blocks, tokens) {
  const each = blocks_per_chat(settings, layout, tokens);
  return each > 0 ? Math.floor(usable_blocks(settings, blocks) / each) : 0;
}

/**
 * Blocks of the pool that holds several chats at once.
 * @param {any} settings the resolved settings
 * @param {Layout} layout the layout of any stage
 * @param {readonly (readonly number[])[]} chats pairs: how many chats, and tokens of each
 * @returns {number} Blocks, with the one that vLLM keeps.
 * @throws {PlanError} for sizes that both languages cannot hold exactly
 */
export function required_blocks_for(settings, layout, chats) {
  let total = own(settings);
  for (const [count, tokens] of /** @type {[number, number][]} */ (chats)) {
    const each = blocks_per_chat(settings, layout, tokens);
    total = bounded("require_chats", total + bounded("require_chats", count * each));
  }
  return total;
}
