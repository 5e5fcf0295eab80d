"""What the bytes of the card are: weights, reserve, pool, unused; and how many chats the pool holds."""

from typing import TypedDict

from .blocks import blocks_for
from .checks import SimError, exact, whole, yes_no
from .facts import BLOCK_BYTES, CARD, MODEL, SERVER


class Parts(TypedDict):
    """Bytes of the card in each part, and the pool in blocks and tokens.

    Attributes:
        weights: the model's weights, bytes
        reserve: the working reserve, bytes
        pool: the cache pool, bytes, in whole blocks
        unused: what the server leaves alone, bytes
        allowed: what the memory share lets the server use, bytes
        blocks: the pool, blocks
        pool_tokens: the pool, tokens
    """

    weights: int
    reserve: int
    pool: int
    unused: int
    allowed: int
    blocks: int
    pool_tokens: int


class Room(Parts):
    """The parts, and how many chats the pool holds: of the typical length, and of the longest.

    Attributes:
        starts: whether the pool holds one chat of the longest length; vLLM refuses to start otherwise
        at_longest: chats of the longest length that fit at once
        typical: chats of the typical length that fit at once
        per_typical: blocks of one typical chat
        per_longest: blocks of one chat of the longest length
    """

    starts: bool
    at_longest: int
    typical: int
    per_typical: int
    per_longest: int


def memory_parts(share: int, card: int = CARD.memory_bytes) -> Parts:
    """Bytes of the card in each part for a memory share in whole percent.

    allowed = card × share ÷ 100, rounded down; the pool is what is left after weights and reserve, in whole blocks;
    the rest of the card is unused. A share too small for weights and reserve has no pool.

    Args:
        share: memory share, whole percent from 1 to 100
        card: memory of the card, bytes; the lesson's card where none is given

    Returns:
        The parts, in bytes, blocks and tokens.

    Raises:
        SimError: for a share outside 1 to 100, and for a card that cannot hold weights and reserve or whose bytes
            cannot be counted exactly

    Source:
        vLLM's rule: gpu_memory_utilization × total − weights − what a profiling run needs.
    """
    whole("share", share, 1, 100)
    whole("card", card)
    taken = MODEL.weights_bytes + SERVER.reserve_bytes
    if card < taken:
        raise SimError("card", card, "card", needs=taken)
    allowed = exact("card", card * share) // 100
    blocks = max(0, allowed - taken) // BLOCK_BYTES
    pool = blocks * BLOCK_BYTES
    return {
        "weights": MODEL.weights_bytes,
        "reserve": SERVER.reserve_bytes,
        "pool": pool,
        "unused": card - taken - pool,
        "allowed": allowed,
        "blocks": blocks,
        "pool_tokens": blocks * SERVER.block_tokens,
    }


def room(share: int, longest: int, reserved: bool = False) -> Room:
    """How many chats the pool holds at a memory share (percent) and a longest chat (tokens).

    `typical` chats fit when blocks are taken as a chat grows; a server that sets aside the full length for each chat
    fits `at_longest`.

    Args:
        share: memory share, whole percent from 1 to 100
        longest: longest chat, tokens of prompt and reply, at least 1
        reserved: whether every chat sets aside blocks for its longest length

    Returns:
        The parts, in bytes, blocks and tokens, and the room, in chats.

    Raises:
        SimError: for a value out of range

    Source:
        vLLM starts only when one chat of `max_model_len` fits, and prints the room at that length as “Maximum
        concurrency”.
    """
    whole("longest", longest, 1)
    yes_no("reserved", reserved)
    parts = memory_parts(share)
    per_longest = blocks_for(longest)
    per_typical = blocks_for(min(SERVER.typical_chat_tokens, longest))
    at_longest = parts["blocks"] // per_longest
    return {
        **parts,
        "starts": at_longest >= 1,
        "at_longest": at_longest,
        "typical": at_longest if reserved else parts["blocks"] // per_typical,
        "per_typical": per_typical,
        "per_longest": per_longest,
    }


def smallest_share(longest: int) -> int | None:
    """The smallest memory share (percent) at which one chat of the longest length fits; None if no share does.

    Args:
        longest: longest chat, tokens of prompt and reply, at least 1

    Returns:
        Whole percent, or None.

    Raises:
        SimError: for a longest chat below 1
    """
    needs = MODEL.weights_bytes + SERVER.reserve_bytes + blocks_for(whole("longest", longest, 1)) * BLOCK_BYTES
    share = (100 * needs + CARD.memory_bytes - 1) // CARD.memory_bytes
    return share if share <= 100 else None


def largest_longest(share: int) -> int:
    """The longest chat (tokens) that fits the pool of a memory share (percent); 0 when there is no pool.

    Args:
        share: memory share, whole percent from 1 to 100

    Returns:
        Tokens, a whole number.

    Raises:
        SimError: for a share outside 1 to 100
    """
    return memory_parts(share)["pool_tokens"]
