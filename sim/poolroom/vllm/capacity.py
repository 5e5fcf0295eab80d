"""What a pool of blocks holds, and what is printed of it, by version."""

import math
from collections.abc import Sequence
from typing import TypedDict

from .layout import Layout
from .need import blocks_in
from .pages import bounded
from .settings import Settings


class Capacity(TypedDict):
    """What a pool of blocks holds.

    Attributes:
        blocks: blocks of the pool, as printed
        usable_blocks: blocks that chats can take
        per_chat: blocks of one chat of the longest length
        tokens: printed size of the cache, tokens
        concurrency: printed chats of the longest length, before it is rounded, many
    """

    blocks: int
    usable_blocks: int
    per_chat: int
    tokens: int
    concurrency: float


def blocks_of(layout: Layout, kv_bytes: int) -> int:
    """Blocks that go into memory; one where the model keeps nothing, as vLLM says then.

    Args:
        layout: the layout of the stage
        kv_bytes: memory for the cache, bytes; may be negative

    Returns:
        Blocks.

    Source:
        vLLM 0.33.0, `v1/core/kv_cache_planning.py`, `get_kv_cache_configs`.
    """
    if layout["block_bytes"] == 0:
        return 1
    return max(0, kv_bytes // layout["block_bytes"])


def usable_blocks(settings: Settings, blocks: int) -> int:
    """Blocks that chats can take: V1 keeps one for itself.

    Args:
        settings: the resolved settings
        blocks: blocks of the pool

    Returns:
        Blocks.

    Source:
        vLLM 0.33.0, `v1/core/block_pool.py`, the null block.
    """
    return max(0, blocks - _own(settings))


def _own(settings: Settings) -> int:
    return 0 if settings["rules"]["engine"] == "V0" else 1


def blocks_per_chat(settings: Settings, layout: Layout, tokens: int) -> int:
    """Blocks that a chat of a length takes in all groups together, at most.

    Args:
        settings: the resolved settings
        layout: the layout of any stage
        tokens: length of the chat, tokens

    Returns:
        Blocks.
    """
    return sum(blocks_in(settings, layout, group, tokens) for group in layout["groups"])


def chat_bytes(settings: Settings, layout: Layout, tokens: int) -> int:
    """What one chat of a length needs: the “GiB KV cache is needed” of a refusal.

    From 0.14.0 that is whole blocks of the pool, until 0.16 with the layers of all stages, though the memory is that of
    one, and until 0.18 of the first group alone; before, each layer counts as it is, without what pads a group.

    Args:
        settings: the resolved settings
        layout: the layout of the stage
        tokens: length of the chat, tokens

    Returns:
        Bytes.

    Raises:
        PlanError: for sizes that both languages cannot hold exactly

    Source:
        vLLM 0.33.0, `v1/core/kv_cache_planning.py`; 0.11.0, 0.15.1 and 0.18.0, `v1/core/kv_cache_utils.py`; the
        layers of all stages: vllm-project/vllm#34076.
    """
    if layout["tried_bytes"] > 0:
        tried = layout["groups"][: layout["tried_groups"]]
        blocks = sum(blocks_in(settings, layout, group, tokens) for group in tried)
        return bounded("max_model_len", blocks * layout["tried_bytes"])
    total = 0
    for group in layout["groups"]:
        pages = blocks_in(settings, layout, group, tokens) * group["layers"]
        total = bounded("max_model_len", total + bounded("max_model_len", pages * group["page_bytes"]))
    return total


def room_for_chats(settings: Settings, layout: Layout, kv_bytes: int) -> int:
    """Memory against which one chat is tried: all of it, from 0.29.0 without one block.

    Args:
        settings: the resolved settings
        layout: the layout of the stage
        kv_bytes: memory for the cache, bytes

    Returns:
        Bytes; may be negative.

    Source:
        vLLM 0.29.0, `v1/core/kv_cache_utils.py`; vllm-project/vllm#47272.
    """
    return kv_bytes - (layout["block_bytes"] if settings["rules"]["null_block"] else 0)


def fits(settings: Settings, layout: Layout, kv_bytes: int, tokens: int) -> bool:
    """Whether one chat of a length fits, as vLLM tries it at the start.

    Args:
        settings: the resolved settings
        layout: the layout of the stage
        kv_bytes: memory for the cache, bytes
        tokens: length of the chat, tokens

    Returns:
        Whether it fits.

    Raises:
        PlanError: for sizes that both languages cannot hold exactly
    """
    return chat_bytes(settings, layout, tokens) <= room_for_chats(settings, layout, kv_bytes)


def estimated_longest(settings: Settings, layout: Layout, kv_bytes: int) -> int:
    """The longest chat that fits, up to the longest length, found by halving as vLLM does.

    Args:
        settings: the resolved settings
        layout: the layout of the stage
        kv_bytes: memory for the cache, bytes

    Returns:
        Tokens; 0 when not even one token fits.

    Raises:
        PlanError: for sizes that both languages cannot hold exactly

    Source:
        vLLM 0.33.0, `v1/core/kv_cache_planning.py`, `_estimate_max_model_len_from_groups`.
    """
    if not fits(settings, layout, kv_bytes, 1):
        return 0
    least, most = 1, settings["longest"]
    found = 1
    while least <= most:
        middle = (least + most) // 2
        if fits(settings, layout, kv_bytes, middle):
            found = middle
            least = middle + 1
        else:
            most = middle - 1
    return found


def capacity(settings: Settings, layout: Layout, blocks: int) -> Capacity:
    """What is printed of a pool at the start: tokens, and chats of the longest length.

    Args:
        settings: the resolved settings
        layout: the layout of any stage
        blocks: blocks of the pool, those of the smallest rank

    Returns:
        The capacity.

    Raises:
        PlanError: for sizes that both languages cannot hold exactly

    Source:
        vLLM 0.33.0, `v1/core/kv_cache_utils.py`, `get_max_concurrency_for_kv_cache_config`; by version as in 0.6.6,
        0.8.5, 0.11.0 and 0.20.1.
    """
    longest = settings["longest"]
    per_chat = blocks_per_chat(settings, layout, longest)
    tokens, concurrency = 0, 0.0
    rule = settings["rules"]["capacity"]
    if rule in ("blocks", "v1_tokens"):
        tokens = bounded("block_size", blocks * layout["block_tokens"])
        concurrency = tokens / longest
    elif per_chat > 0:
        concurrency = blocks / per_chat
        tokens = _printed(settings, layout, blocks, concurrency)
    return {
        "blocks": blocks,
        "usable_blocks": usable_blocks(settings, blocks),
        "per_chat": per_chat,
        "tokens": tokens,
        "concurrency": concurrency,
    }


def _printed(settings: Settings, layout: Layout, blocks: int, concurrency: float) -> int:
    if settings["rules"]["capacity"] == "groups":
        each = blocks // len(layout["groups"])
        return bounded("block_size", each * layout["block_tokens"] * settings["dcp"])
    return bounded("max_model_len", math.floor(concurrency * settings["longest"]))


def chats_of(settings: Settings, layout: Layout, blocks: int, tokens: int) -> int:
    """How many chats of one length fit at once, each with the most that it may take.

    Args:
        settings: the resolved settings
        layout: the layout of any stage
        blocks: blocks of the pool
        tokens: length of each chat, tokens

    Returns:
        Chats; 0 where a chat takes no blocks.
    """
    each = blocks_per_chat(settings, layout, tokens)
    return usable_blocks(settings, blocks) // each if each > 0 else 0


def required_blocks_for(settings: Settings, layout: Layout, chats: Sequence[Sequence[int]]) -> int:
    """Blocks of the pool that holds several chats at once.

    Args:
        settings: the resolved settings
        layout: the layout of any stage
        chats: pairs: how many chats, and tokens of each

    Returns:
        Blocks, with the one that vLLM keeps.

    Raises:
        PlanError: for sizes that both languages cannot hold exactly
    """
    total = _own(settings)
    for count, tokens in chats:
        each = blocks_per_chat(settings, layout, tokens)
        total = bounded("require_chats", total + bounded("require_chats", count * each))
    return total
