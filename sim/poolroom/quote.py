"""One number of an answer, as the page writes it: what `<pool-room-value>` puts into a sentence.

`facts/contract.json` says what each name means and in which unit.
"""

from collections.abc import Callable

from .budget import largest_longest, smallest_share
from .checks import SimError
from .describe import Measured
from .facts import SERVER, WORDS, Words
from .words import commas, gb, peak_percent, percent, tenths, whole_number

Value = Callable[[Measured], float | None]
"""How a number is found in an answer; None where the answer has no such number."""


def _room(key: str) -> Value:
    return lambda m: m.room[key]  # type: ignore[literal-required]


def _started(key: str) -> Value:
    return lambda m: m.room[key] if m.room["starts"] else None  # type: ignore[literal-required]


def _run(key: str) -> Value:
    return lambda m: m.run[key] if m.run else None  # type: ignore[literal-required]


def _wait_ms(m: Measured) -> float | None:
    seconds = m.run["seconds_per_word"] if m.run else None
    return None if seconds is None else seconds * 1000.0


def _all_done(m: Measured) -> float | None:
    return m.run["seconds"] if m.run and m.run["served"] else None


def _peak(m: Measured) -> int | None:
    return peak_percent(m.run, m.room["blocks"]) if m.run else None


def _short(m: Measured) -> int | None:
    needs = m.room["per_longest"] * SERVER.block_tokens
    return None if m.room["starts"] else needs - m.room["pool_tokens"]


QUOTES: dict[str, tuple[str, Value]] = {
    "tokens_per_second": ("whole", _run("tokens_per_second")),
    "ms_between_words": ("tenths", _wait_ms),
    "first_word_seconds": ("tenths", lambda m: m.first_word_seconds),
    "all_done_seconds": ("whole", _all_done),
    "running": ("whole", _run("running")),
    "room_typical": ("whole", _started("typical")),
    "room_at_longest": ("whole", _started("at_longest")),
    "weights_gb": ("gb", _room("weights")),
    "reserve_gb": ("gb", _room("reserve")),
    "pool_gb": ("gb", _room("pool")),
    "unused_gb": ("gb", _room("unused")),
    "allowed_gb": ("gb", _room("allowed")),
    "held_percent": ("percent", _run("pool_used")),
    "peak_percent": ("whole", _peak),
    "chats": ("whole", lambda m: m.chats),
    "served": ("whole", _run("served")),
    "turned_away": ("whole", _run("refused")),
    "paused": ("whole", _run("paused")),
    "rebuilt_tokens": ("whole", _run("rebuilt_tokens")),
    "steps": ("whole", _run("steps")),
    "blocks": ("whole", _room("blocks")),
    "pool_tokens": ("whole", _room("pool_tokens")),
    "tokens_short": ("whole", _short),
    "smallest_share": ("whole", lambda m: smallest_share(m.longest)),
    "largest_longest": ("whole", lambda m: largest_longest(m.share)),
}
"""How each number is written, and how it is found; units are under `quotes` in `facts/contract.json`."""


def quote(measured: Measured, show: str, words: Words = WORDS) -> str:
    """One number of an answer as the page writes it: "1,202" for `tokens_per_second`.

    Args:
        measured: a setting and its numbers
        show: name of the number, one of `QUOTES`
        words: the catalogue to say it in

    Returns:
        Digits and separators, in the unit that `facts/contract.json` names.

    Raises:
        SimError: for a name that is none, or that has no value at these settings
    """
    if show not in QUOTES:
        raise SimError("show", show, "choice", choices=", ".join(QUOTES))
    form, value = QUOTES[show]
    found = value(measured)
    if found is None:
        has = [name for name, (_, of) in QUOTES.items() if of(measured) is not None]
        raise SimError("show", show, "quote", choices=", ".join(has))
    return _written(form, found, words)


def _written(form: str, value: float, words: Words) -> str:
    if form == "tenths":
        return tenths(value, words)
    if form == "gb":
        return gb(int(value), words)
    return commas(percent(value) if form == "percent" else whole_number(value), words)
