"""How far each lever goes before a server that starts refuses, and how many chats it has room for."""

import math
from typing import Any, TypedDict

from .capacity import chat_bytes, chats_of, estimated_longest, required_blocks_for
from .levers import CHUNKED_FROM
from .pages import bounded
from .pool import pool_by_hand, pool_bytes
from .refuse import PlanError
from .search import first_that_does, last_that_does
from .settings import Settings
from .shares import FINE, share_free
from .trial import Trial, tried

TYPICAL = (500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 128_000)
"""Lengths of chats for which the room is said, tokens."""
MOST = 1_048_576
"""No lever is followed further than this: tokens and chats, 2^20."""


class Way(TypedDict):
    """How far one lever goes with everything else as it is.

    Attributes:
        lever: name of the setting
        now: what it is set to, in the setting's own unit
        least: the smallest value that still starts, in the same unit
        most: the largest value that still starts, in the same unit
        stops: name of the refusal above the largest; nothing where the search ended
    """

    lever: str
    now: float
    least: float
    most: float
    stops: str


class Room(TypedDict):
    """How many chats of one length fit at once.

    Attributes:
        tokens: length of each chat, tokens
        chats: how many fit, chats
    """

    tokens: int
    chats: int


class Reach(TypedDict):
    """What a server that starts could do.

    Attributes:
        ways: how far each lever goes
        rooms: chats by their length, the longest last
        one_chat_bytes: the smallest kv_cache_memory_bytes with which one longest chat runs, bytes of each card
        seats_bytes: the same for a longest chat in every seat, bytes of each card; nothing where it cannot be counted
        share_free: the largest share that the free memory allows now, from 0 to 1
    """

    ways: list[Way]
    rooms: list[Room]
    one_chat_bytes: int
    seats_bytes: int | None
    share_free: float


def reach_of(at: Trial) -> Reach:
    """How far each lever goes, and the room for typical chats beside that for the longest.

    Args:
        at: settings, budget and verdict of a server that starts

    Returns:
        Levers, rooms, and what a pool of just the right size takes.

    Raises:
        PlanError: for sizes that both languages cannot hold exactly
    """
    return {
        "ways": [*_share_ways(at), _longest_way(at), _seats_way(at), _tokens_way(at)],
        "rooms": rooms_of(at),
        "one_chat_bytes": pool_for(at, 1),
        "seats_bytes": _all_seats(at),
        "share_free": share_free(at),
    }


def rooms_of(at: Trial) -> list[Room]:
    """How many chats of typical lengths, and of the longest, fit at once.

    Args:
        at: settings, budget and verdict of the server

    Returns:
        Lengths in tokens with their chats, the longest last.
    """
    longest = at["verdict"]["longest"]
    stage = at["budget"]["stages"][at["budget"]["stage"]]
    lengths = [tokens for tokens in TYPICAL if tokens < longest]
    return [
        {"tokens": tokens, "chats": chats_of(at["settings"], stage["layout"], at["budget"]["blocks"], tokens)}
        for tokens in [*lengths, longest]
    ]


def pool_for(at: Trial, chats: int) -> int:
    """The pool that holds some longest chats at once, no byte more: what kv_cache_memory_bytes may be set to.

    Args:
        at: settings, budget and verdict of the server
        chats: how many chats, each as long as the longest

    Returns:
        Bytes of each card.

    Raises:
        PlanError: for sizes that both languages cannot hold exactly
    """
    most = 0
    for of in at["budget"]["stages"]:
        blocks = required_blocks_for(at["settings"], of["layout"], [[chats, at["verdict"]["longest"]]])
        tried_bytes = chat_bytes(at["settings"], of["layout"], at["verdict"]["longest"])
        kept = of["layout"]["block_bytes"] if at["settings"]["rules"]["null_block"] else 0
        most = max(most, bounded("max_num_seqs", blocks * of["layout"]["block_bytes"]), tried_bytes + kept)
    return most


def _all_seats(at: Trial) -> int | None:
    try:
        pool = pool_for(at, at["settings"]["seats"])
    except PlanError:
        return None
    return pool if pool <= at["budget"]["total_bytes"] * FINE else None


def _starts_with(at: Trial, changes: dict[str, Any]) -> bool:
    other = tried(at, changes)
    return other is not None and other["verdict"]["outcome"] != "refuses"


def _stops(at: Trial, changes: dict[str, Any]) -> str:
    other = tried(at, changes)
    if other is None or other["verdict"]["refusal"] is None:
        return ""
    return other["verdict"]["refusal"]["key"]


def _share_ways(at: Trial) -> list[Way]:
    # Of a pool that was set by hand the share says nothing.
    return [] if pool_by_hand(at["settings"]) else [_share_way(at)]


def _share_way(at: Trial) -> Way:
    settings, budget = at["settings"], at["budget"]
    now = math.floor(settings["share"] * FINE)
    total = budget["total_bytes"]

    def does(n: int) -> bool:
        return _starts_with(at, {"gpu_memory_utilization": n / FINE})

    down = now - math.floor(max(0, at["verdict"]["spare_bytes"]) / total * FINE)
    least = first_that_does(does, 1, now, down)
    most = last_that_does(does, now + 1, FINE, math.floor(share_free(at) * FINE))
    top = now if most is None else most
    stops = "" if top == FINE else _stops(at, {"gpu_memory_utilization": (top + 1) / FINE})
    return {
        "lever": "gpu_memory_utilization", "now": settings["share"],
        "least": settings["share"] if least is None else least / FINE,
        "most": settings["share"] if most is None else most / FINE, "stops": stops,
    }  # fmt: skip


def _upward(at: Trial, lever: str, now: int, least: int, most: int, guess: int) -> Way:
    found = last_that_does(lambda n: _starts_with(at, {lever: n}), now + 1, most, max(now + 1, guess))
    top = now if found is None else found
    stops = "" if top >= MOST else _stops(at, {lever: top + 1})
    return {"lever": lever, "now": now, "least": least, "most": top, "stops": stops}


def _longest_way(at: Trial) -> Way:
    settings = at["settings"]
    now = at["verdict"]["longest"]
    most = settings["model"]["longest"] or MOST
    if not settings["chunked"] and now <= CHUNKED_FROM:
        most = min(most, CHUNKED_FROM)
    guess = most
    for stage, of in enumerate(at["budget"]["stages"]):
        longer: Settings = {**settings, "longest": most}
        guess = min(guess, estimated_longest(longer, of["layout"], pool_bytes(settings, at["budget"], stage)))
    return _upward(at, "max_model_len", now, 1, most, guess)


def _seats_way(at: Trial) -> Way:
    settings = at["settings"]
    most = max(settings["seats"], settings["batched_tokens"])
    return _upward(at, "max_num_seqs", settings["seats"], 1, most, most)


def _tokens_way(at: Trial) -> Way:
    settings: Any = at["settings"]
    now = settings["batched_tokens"]
    least = max(settings["seats"], 1 if settings["chunked"] else settings["longest"])
    return _upward(at, "max_num_batched_tokens", now, min(now, least), MOST, now * 2)
