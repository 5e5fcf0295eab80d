"""The numbers of the page for teachers: answers of the sheet, lengths of the plans, and checks of both."""

from collections.abc import Sequence
from typing import Any

from markupsafe import Markup

from lesson_numbers import at, claim, n, query, seconds
from poolroom.budget import room
from poolroom.describe import Measured
from poolroom.facts import CAPS, LONGEST, OPENING, SHARES
from poolroom.words import tenths

HALF = 50  # a share that sounds like half the card
PLACES = 8  # an example: so many chats, each with its length set aside
PLANS = {"short": (2, 3, 3, 2), "long": (5, 4, 5, 4, 4, 4, 4)}  # minutes of each step
LENGTHS = {"short": 10, "long": 30}

SHOWN = {
    "tokens_per_second": lambda m: n(m.run["tokens_per_second"]),
    "ms_between_words": lambda m: tenths(1000 * m.run["seconds_per_word"]),
    "first_word_seconds": lambda m: seconds(m.first_word_seconds).split("\u00a0")[0],
    "running": lambda m: n(m.run["running"]),
    "paused": lambda m: n(m.run["paused"]),
    "turned_away": lambda m: n(m.run["refused"]),
    "share": lambda m: n(m.share),
}
"""How the sheet's answers are written; the names are those of the contract's quotes."""


def answer(show: str, **moved: int) -> Markup:
    """Give one number of a setting, marked with what it is, so that a test can ask the reference again."""
    for_test = query(**moved).split("#")[0]
    return Markup('<b class="answer" data-show="{}" data-query="{}">{}</b>').format(
        show, for_test, SHOWN[show](at(**moved))
    )


def calm(m: Measured) -> bool:
    """Say whether no neighbouring share gives more tokens with less memory: a question may then ask for its number."""
    shares = [share for share in range(m.share - 1, m.share + 2) if share in SHARES]
    rates = [at(share=share, longest=m.longest, cap=m.cap, reserved=m.reserved).run for share in shares]
    speeds = [run["tokens_per_second"] for run in rates if run]
    return speeds == sorted(speeds)


def without_pause() -> int:
    """The smallest share at which nobody is paused, at the opening's seats."""
    return next(share for share in SHARES if at(share=share).run["paused"] == 0)


def places_share(longest: int) -> int:
    """The smallest share that holds the example's places of this length."""
    return next(share for share in SHARES if room(share, longest)["at_longest"] >= PLACES)


def spans(plan: str) -> Sequence[str]:
    """Name the minutes of each step of a plan: 0–2, 2–5, …"""
    ends = [sum(PLANS[plan][: i + 1]) for i in range(len(PLANS[plan]))]
    claim(ends[-1] == LENGTHS[plan], f"{LENGTHS[plan]} minutes")
    return [f"{start}–{end}" for start, end in zip([0, *ends], ends, strict=False)]


def teach() -> dict[str, Any]:
    """The settings that the page for teachers talks about beside the lesson's own."""
    middling = LONGEST[LONGEST.index(OPENING["longest"]) + 2]
    return {"half": HALF, "places": PLACES, "no_pause": without_pause(), "places_share": places_share(middling),
            "most_share": SHARES[-1], "one": CAPS[0], "lengths": LENGTHS}


GLOBALS = {f.__name__: f for f in (answer, calm, spans, teach)}
