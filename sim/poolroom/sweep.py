"""One run for each number of seats: where raising the cap stops paying."""

from collections.abc import Sequence
from typing import TypedDict

from .budget import room
from .chats import Request, backlog
from .checks import SimError, whole
from .facts import CAPS, KNEE_GAIN, OPENING
from .server import serve


class Row(TypedDict):
    """One cap and what its run came to.

    Attributes:
        cap: most chats at once
        tokens_per_second: reply tokens of all chats, tokens per second; None when nobody is served
        seconds_per_word: mean gap between the tokens of a chat, seconds; None when no reply has two
        running: chats running, on average over time; None when nobody is served
        paused: pauses to free blocks
        rebuilt_tokens: tokens of cache that were computed again after pauses
    """

    cap: int
    tokens_per_second: float | None
    seconds_per_word: float | None
    running: float | None
    paused: int
    rebuilt_tokens: int


def sweep(
    share: int = OPENING["share"],
    longest: int = OPENING["longest"],
    caps: Sequence[int] = CAPS,
    reserved: bool = False,
    requests: Sequence[Request] | None = None,
) -> list[Row]:
    """One run for each cap, on the same chats and pool.

    Args:
        share: memory share, whole percent from 1 to 100
        longest: longest chat, tokens of prompt and reply, at least 1
        caps: numbers of chats at once, at least 1 each, in rising order
        reserved: whether every chat sets aside blocks for its longest length
        requests: the chats, in the order in which they arrive; the lesson's list where none is given

    Returns:
        One row for each cap, in the same order.

    Raises:
        SimError: for a value out of range, caps that do not rise, and settings at which the server does not start
    """
    here = room(share, longest, reserved)
    waiting = backlog() if requests is None else requests
    return [_row(cap, waiting, here["blocks"], longest, reserved) for cap in check_caps(caps)]


def check_caps(caps: Sequence[int]) -> Sequence[int]:
    """The list itself if it holds at least one cap, each ≥ 1 and above the one before.

    Args:
        caps: numbers of chats at once

    Returns:
        The same list, in chats.

    Raises:
        SimError: naming the place in the list and the value
    """
    if isinstance(caps, (str, bytes)) or not isinstance(caps, Sequence) or not caps:
        raise SimError("caps", caps, "caps")
    for i, cap in enumerate(caps):
        whole(f"caps[{i}]", cap, 1)
        if i and cap <= caps[i - 1]:
            raise SimError(f"caps[{i}]", cap, "caps")
    return caps


def _row(cap: int, requests: Sequence[Request], blocks: int, longest: int, reserved: bool) -> Row:
    run = serve(requests, cap, blocks, longest, reserved)
    return {
        "cap": cap,
        "tokens_per_second": run["tokens_per_second"],
        "seconds_per_word": run["seconds_per_word"],
        "running": run["running"],
        "paused": run["paused"],
        "rebuilt_tokens": run["rebuilt_tokens"],
    }


def stops_paying(rows: Sequence[Row]) -> int:
    """The first cap whose doubling does not bring enough more tokens a second; the last cap if none does.

    Enough is `KNEE_GAIN` times as many. Caps whose double is not among the rows decide nothing.

    Args:
        rows: rows of a sweep, in any order

    Returns:
        Most chats at once.

    Raises:
        SimError: for rows without a cap or without a rate, and for no rows

    Source:
        `knee` in `facts/choices.json`.
    """
    if not rows:
        raise SimError("rows", None, "rows")
    by_cap: dict[int, float] = {}
    for row in rows:
        cap, rate = row.get("cap"), row.get("tokens_per_second")
        if cap is None or rate is None:
            raise SimError("rows", None, "rows")
        by_cap[cap] = rate
    by_cap = dict(sorted(by_cap.items()))
    for cap, rate in by_cap.items():
        if 2 * cap in by_cap and by_cap[2 * cap] < KNEE_GAIN * rate:
            return cap
    return max(by_cap)
