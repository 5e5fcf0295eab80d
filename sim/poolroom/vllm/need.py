"""What one chat needs of one group of layers."""

from .layout import Group, Layout
from .pages import rounded_up
from .settings import Settings


def blocks_in(settings: Settings, layout: Layout, group: Group, tokens: int) -> int:
    """Blocks that a chat of a length takes in one group, at most.

    Args:
        settings: the resolved settings
        layout: the layout of any stage
        group: one of its groups
        tokens: length of the chat, tokens

    Returns:
        Blocks.

    Source:
        vLLM 0.33.0, `v1/kv_cache_interface.py`, `max_memory_usage_bytes` of each kind.
    """
    size = group["block_tokens"]
    if group["kind"] == "mamba":
        every = layout["state_blocks"] == 0
        return rounded_up(tokens, layout["block_tokens"]) if every else layout["state_blocks"]
    if group["kind"] == "cross":
        return rounded_up(settings["model"]["encoder_tokens"], size)
    if group["kind"] == "sliding":
        # One more: the window may begin within a block.
        return rounded_up(min(group["window"] - 1 + settings["in_flight_tokens"], tokens), size) + 1
    if group["kind"] == "chunked":
        return rounded_up(min(group["window"] + settings["in_flight_tokens"], tokens), size)
    return rounded_up(rounded_up(tokens, settings["dcp"]), size)
