"""How tokens become blocks."""

from .facts import SERVER


def blocks_for(tokens: int) -> int:
    """Blocks of the cache that hold this many tokens: tokens ÷ block size, rounded up.

    `tokens` is a whole number ≥ 0; a block holds 16 tokens (Kwon and others, SOSP 2023).
    """
    return (tokens + SERVER.block_tokens - 1) // SERVER.block_tokens
