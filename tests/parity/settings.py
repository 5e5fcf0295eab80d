"""Settings of the lesson, a sample spread over everything that is offered, and all of them."""

import random
from itertools import product
from typing import Any

from poolroom import smallest_share
from poolroom.facts import CAPS, LONGEST, SHARES
from tests.parity.calls import Job

Setting = tuple[int, int, int, bool]


def sample() -> list[Setting]:
    """Shares for every length, cap and way of taking blocks: both ends, around the first that starts, some by chance.

    The longest runs, with one or two seats, get fewer of them.
    """
    rng = random.Random(2026)
    settings = []
    for longest, cap, reserved in product(LONGEST, CAPS, (False, True)):
        first = max(SHARES[0], smallest_share(longest) or SHARES[-1])
        shares = {SHARES[0], SHARES[-1], first, max(SHARES[0], first - 1)}
        while len(shares) < (4 if cap < 4 else 6):
            shares.add(rng.choice(SHARES))
        settings += [(share, longest, cap, reserved) for share in sorted(shares)]
    return settings


def all_settings() -> list[Setting]:
    """All 8,280, neighbours beside each other."""
    return [(share, *rest) for rest in product(LONGEST, CAPS, (False, True)) for share in SHARES]


def everything_jobs(settings: list[Setting], requests: Any = None, language: str = "en") -> list[Job]:
    """A job for each setting: its numbers and all its words, told after a move from the setting before."""
    jobs, before = [], None
    for setting in settings:
        measured = {"$measured": [*setting, requests]}
        jobs.append({"call": "everything", "args": [measured, before, {"$words": language}]})
        before = measured
    return jobs


def quotes_jobs(settings: list[Setting], language: str = "en") -> list[Job]:
    """A job for each setting: every number that can be quoted."""
    words = {"$words": language}
    return [{"call": "quotes", "args": [{"$measured": [*setting, None]}, words]} for setting in settings]


def corner_moves() -> list[Setting]:
    """A walk that moves every control in turn, also several at once, so that each kind of “nothing changes” is said."""
    return [
        (90, 8000, 64, False),
        (92, 8000, 64, False),
        (92, 16000, 64, False),
        (92, 16000, 128, False),
        (92, 16000, 128, True),
        (93, 16000, 128, True),
        (93, 32000, 256, False),
        (30, 8000, 256, False),
        (30, 8000, 512, False),
        (30, 128000, 512, False),
        (44, 128000, 512, False),
        (44, 128000, 512, True),
        (45, 128000, 512, True),
        (1, 8000, 64, False),
        (23, 2576, 7, False),
        (100, 411520, 600, False),
        (100, 411520, 601, False),
        (100, 300, 64, False),
        (99, 300, 64, False),
    ]
