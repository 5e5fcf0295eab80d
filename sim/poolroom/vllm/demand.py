"""Chats that must fit at once: read, decided, and the smallest changes for them."""

import re
from typing import Any, TypedDict

from .capacity import required_blocks_for
from .fixes import Fixes, fixes_of
from .refuse import PlanError
from .trial import Trial

MOST_KINDS = 100
"""So many kinds of chats may be asked for, a count without unit."""
_KIND = re.compile(r"([1-9][0-9]{0,6})x([1-9][0-9]{0,8})")


class Demand(TypedDict):
    """What is asked for, and whether it is met.

    Attributes:
        chats: pairs: how many chats, and tokens of each
        count: chats altogether
        longest: longest of them, tokens
        needed_blocks: blocks of the pool that they need, with the one that vLLM keeps
        blocks: blocks of the pool
        met: whether the server starts and has room for all of them at once
        lacks: what is missing, in the order in which it is looked at: "start", "longest", "seats", "room" or nothing
    """

    chats: list[list[int]]
    count: int
    longest: int
    needed_blocks: int
    blocks: int
    met: bool
    lacks: str


def read_chats(value: Any) -> list[list[int]]:
    """Chats from their text: 8x32000, or several with commas.

    Args:
        value: text as somebody wrote it, such as "8x32000,4x8000"

    Returns:
        Pairs of how many chats and how many tokens each.

    Raises:
        PlanError: for anything else
    """
    parts = value.split(",") if isinstance(value, str) else []
    matches = [_KIND.fullmatch(part) for part in parts[: MOST_KINDS + 1]]
    if not 0 < len(parts) <= MOST_KINDS or None in matches:
        raise PlanError("require_chats", value, "require_chats")
    return [[int(match[1]), int(match[2])] for match in matches if match is not None]


def demand_of(at: Trial, chats: list[list[int]]) -> Demand:
    """Whether a server has room for some chats at once.

    Args:
        at: settings, budget and verdict of the server
        chats: pairs: how many chats, and tokens of each

    Returns:
        What they need and whether there is so much.

    Raises:
        PlanError: for chats that need more blocks than both languages can count
    """
    settings, budget = at["settings"], at["budget"]
    count, longest, needed = 0, 0, 0
    for number, tokens in chats:
        count = count + number
        longest = max(longest, tokens)
    for of in budget["stages"]:
        needed = max(needed, required_blocks_for(settings, of["layout"], chats))
    lacks = ""
    if at["verdict"]["outcome"] == "refuses":
        lacks = "start"
    elif longest > at["verdict"]["longest"]:
        lacks = "longest"
    elif count > settings["seats"]:
        lacks = "seats"
    elif needed > budget["blocks"]:
        lacks = "room"
    return {
        "chats": chats, "count": count, "longest": longest, "needed_blocks": needed, "blocks": budget["blocks"],
        "met": lacks == "", "lacks": lacks,
    }  # fmt: skip


def demand_fixes(at: Trial, chats: list[list[int]]) -> Fixes:
    """The smallest changes that make room for some chats at once.

    Args:
        at: settings, budget and verdict of the server
        chats: pairs: how many chats, and tokens of each

    Returns:
        The changes, the cheapest first.

    Raises:
        PlanError: for chats that need more blocks than both languages can count
    """
    asked = demand_of(at, chats)
    return fixes_of(at, lambda other: _met(other, chats), asked["longest"], asked["count"])


def _met(at: Trial, chats: list[list[int]]) -> bool:
    try:
        return demand_of(at, chats)["met"]
    except PlanError:
        return False
