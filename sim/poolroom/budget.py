"""What the bytes of the card are: weights, reserve, pool, unused; and how many chats the pool holds."""

from typing import TypedDict

from .blocks import blocks_for
from .checks import SimError, exact, whole, yes_no
from .facts import BLOCK_BYTES, CARD, MODEL, SERVER


class Parts(TypedDict):
    """Bytes of the card in each part, and the pool in blocks and tokens."""

    weights: int
    reserve: int
    pool: int
    unused: int
    allowed: int
    blocks: int
    pool_tokens: int


class Room(Parts):
    """The parts, and how many chats the pool holds: of the typical length, and of the longest."""

    starts: bool
    at_longest: int
    typical: int
    per_typical: int
    per_longest: int


def memory_parts(share: int, card: int = CARD.memory_bytes) -> Parts:
    """Bytes of the card in each part for a memory share in whole percent.

    allowed = card × share ÷ 100, rounded down; the pool is what is left after weights and reserve,
    in whole blocks; the rest of the card is unused. A share too small for weights and reserve has
    no pool. The rule is vLLM's: gpu_memory_utilization × total − weights − what a profiling run
    needs. Raises SimError for a share outside 1 to 100 and for a card that cannot hold weights
    and reserve.
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

    It `starts` only when the pool holds one chat of the longest length (vLLM refuses otherwise).
    `typical` chats fit when blocks are taken as a chat grows; a server that sets aside the full
    length for each chat fits `at_longest`. Raises SimError.
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

    Raises SimError.
    """
    needs = MODEL.weights_bytes + SERVER.reserve_bytes + blocks_for(whole("longest", longest, 1)) * BLOCK_BYTES
    share = (100 * needs + CARD.memory_bytes - 1) // CARD.memory_bytes
    return share if share <= 100 else None


def largest_longest(share: int) -> int:
    """The longest chat (tokens) that fits the pool of a memory share (percent); 0 when there is no pool.

    Raises SimError.
    """
    return memory_parts(share)["pool_tokens"]
