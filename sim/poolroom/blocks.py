"""How tokens become blocks."""

from .facts import SERVER


def blocks_for(tokens: int) -> int:
    """Blocks of the cache that hold this many tokens: tokens ÷ block size, rounded up.

    Args:
        tokens: tokens of one chat, a whole number ≥ 0

    Returns:
        Blocks, a whole number.

    Source:
        Paged KV cache: Kwon and others, SOSP 2023. The size of a block is `block_tokens` in `facts/lesson.json`.
    """
    return (tokens + SERVER.block_tokens - 1) // SERVER.block_tokens
