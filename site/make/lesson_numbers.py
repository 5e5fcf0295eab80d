"""The numbers of the pages: runs of the reference, what can be read off them, and how they are written."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from poolroom import Request, Step, blocks_for, chat_list, measure, memory_parts, room, serve, smallest_share
from poolroom.budget import Room
from poolroom.describe import Measured, first_word_seconds
from poolroom.facts import BLOCK_BYTES, CAPS, CARD, COST, LONGEST, MODEL, OPENING, SERVER, SHARES
from poolroom.server import Run
from poolroom.sweep import Row, sweep
from poolroom.words import commas, percent, tenths, whole_number

GIB = 2**30
NBSP = "\u00a0"
FRACTIONS = {"a quarter": 0.25, "a third": 1 / 3, "half": 0.5, "two thirds": 2 / 3, "three quarters": 0.75}
KEY_AND_VALUE = 2  # the cache keeps both for each token
ARRIVALS_PER_SECOND = 6  # an example of chats that come one by one
SHORTER = 10  # an example of shorter prompts: a tenth


class ClaimError(ValueError):
    """A sentence of a page does not hold for the numbers it stands beside."""


# --- how numbers are written ---


def n(x: float) -> str:
    """Write the nearest whole number: 1,202."""
    return commas(whole_number(x))


def decimals(x: float, places: int) -> str:
    """Write a number with this many decimals, halves up."""
    scaled = math.floor(x * 10**places + 0.5)
    return f"{commas(scaled // 10**places)}.{scaled % 10**places:0{places}d}"


def gb(size: float) -> str:
    """Write bytes in GB, a billion bytes: 53.9 GB."""
    return f"{tenths(size / 1e9)}{NBSP}GB"


def gb2(size: float) -> str:
    """Write bytes in GB with two decimals: 1.05 GB."""
    return f"{decimals(size / 1e9, 2)}{NBSP}GB"


def gib(size: float) -> str:
    """Write bytes in GiB, 2^30 bytes: 50.2 GiB."""
    return f"{tenths(size / GIB)}{NBSP}GiB"


def mb(size: float) -> str:
    """Write bytes in MB, a million bytes: 262 MB."""
    return f"{n(size / 1e6)}{NBSP}MB"


def ms(seconds: float) -> str:
    """Write seconds as milliseconds: 47.3 ms."""
    return f"{tenths(seconds * 1000)}{NBSP}ms"


def tens_of_ms(seconds: float) -> str:
    """Write seconds in whole tens of milliseconds: 190 ms."""
    return f"{n(seconds * 100)}0{NBSP}ms"


def seconds(x: float) -> str:
    """Write seconds: 37.5 s."""
    return f"{tenths(x)}{NBSP}s"


def pct(share: float) -> str:
    """Write a share of one in whole percent: 31%."""
    return f"{percent(share)}%"


def change(before: float, after: float, less: str = "less") -> str:
    """Say by how much a number rose or fell: 8% more, 1% less; for things that are counted, 1% fewer."""
    moved = percent(abs(after / before - 1))
    return f"{moved}% {'more' if after > before else less}" if moved else "no more"


def about(share: float) -> str:
    """Name the plain fraction that lies within 4 hundredths of a share."""
    name = min(FRACTIONS, key=lambda key: abs(FRACTIONS[key] - share))
    return claim(abs(FRACTIONS[name] - share) <= 0.04, name)


def claim(holds: bool, words: str) -> str:
    """Give words that are true only if this holds; stop the build otherwise."""
    if not holds:
        raise ClaimError(f"the numbers no longer bear out the words “{words}”")
    return words


# --- runs ---


@cache
def _measured(share: int, longest: int, cap: int, reserved: bool, chats: str) -> Measured:
    return measure(share, longest, cap, reserved, None if chats == "lesson" else chat_list(chats))


def at(chats: str = "lesson", **moved: int) -> Measured:
    """Run the opening settings with some of them moved."""
    return _measured(**{**OPENING, **moved}, chats=chats)


def same(one: Measured, other: Measured) -> bool:
    """Say whether two settings gave the same run, to the last digit."""
    pool_only = ("pool_used", "lowest_free")
    return all(one.run[key] == other.run[key] for key in one.run if key not in pool_only)


def query(chats: str = "lesson", **moved: int) -> str:
    """Write the address of settings: only what differs from the opening."""
    pairs = [f"{key}={int(value)}" for key, value in moved.items()]
    return "?" + "&".join(pairs + ([f"chats={chats}"] if chats != "lesson" else [])) + "#poolroom"


def peak_blocks(m: Measured) -> int:
    """Blocks held at the fullest moment."""
    return m.room["blocks"] - m.run["lowest_free"]


def lean_share() -> int:
    """The smallest share at which the opening's run does not change: it still holds the fullest moment."""
    needs = peak_blocks(at())
    return next(share for share in SHARES if room(share, OPENING["longest"])["blocks"] >= needs)


def served_alone(longest: int) -> Run:
    """Run only the chats that a shorter longest chat lets in, at the opening settings."""
    chats = [r for r in chat_list("lesson") if r.prompt + r.reply <= longest]
    return serve(chats, OPENING["cap"], at().room["blocks"], OPENING["longest"])


def sent_away(longest: int) -> list[Request]:
    """The chats that are too long."""
    return [r for r in chat_list("lesson") if r.prompt + r.reply > longest]


def by_seats() -> list[Row]:
    """The rows of sweep(), from runs that the pages need anyway."""
    runs = [{"cap": cap, **at(cap=cap).run} for cap in CAPS]
    return [{key: run[key] for key in Row.__annotations__} for run in runs]


@dataclass(frozen=True)
class Arriving:
    """The lesson's chats arriving one by one: the run, and the middle chat's wait for its first word."""

    per_second: int
    run: Run
    first_word: float


@cache
def arriving() -> Arriving:
    """Run the opening with chats that arrive evenly instead of all at once."""
    chats = [Request(i / ARRIVALS_PER_SECOND, r.prompt, r.reply) for i, r in enumerate(chat_list("lesson"))]
    run = serve(chats, OPENING["cap"], at().room["blocks"], OPENING["longest"])
    return Arriving(ARRIVALS_PER_SECOND, run, first_word_seconds(chats, run))


def shorter_prompts() -> list[Row]:
    """Sweep the seats from the opening's up, for prompts a tenth as long."""
    chats = [Request(0.0, max(1, r.prompt // SHORTER), r.reply) for r in chat_list("lesson")]
    return sweep(caps=[cap for cap in CAPS if cap >= OPENING["cap"]], requests=chats)


def dip() -> tuple[Measured, Measured]:
    """The first pair of neighbouring shares below the lean one where more memory gave fewer tokens."""
    for share in range(lean_share() - 1, SHARES[0], -1):
        less, more = at(share=share - 1), at(share=share)
        if whole_number(more.run["tokens_per_second"]) < whole_number(less.run["tokens_per_second"]):
            return less, more
    raise ClaimError("no share gives fewer tokens than the one below it")


# --- what a run looks like from inside ---


@dataclass
class Watched:
    """What one run looked like, step by step; seconds and tokens."""

    reading_steps: int = 0
    reading_seconds: float = 0.0
    writing_steps: int = 0
    writing_seconds: float = 0.0
    first: Step | None = None
    second: Step | None = None
    note_seconds: float = 0.0
    pool_tokens: int = 0
    gaps: Sequence[float] = ()
    gaps_reading: float = 0.0
    gaps_reading_seconds: float = 0.0

    @property
    def seconds(self) -> float:
        """Seconds of the whole run."""
        return self.reading_seconds + self.writing_seconds

    @property
    def reading(self) -> float:
        """The share of the time that goes into steps in which a prompt is read."""
        return self.reading_seconds / self.seconds

    @property
    def notes(self) -> float:
        """The share of the pool that holds notes, averaged over time."""
        return self.note_seconds / (self.seconds * self.pool_tokens)

    def gap(self, share: float) -> float:
        """The wait that this share of all words stays within, in seconds, by nearest rank."""
        return self.gaps[math.ceil(share * len(self.gaps)) - 1]


def watched(m: Measured) -> Watched:
    """Run a setting of the lesson's chats again and look at every step."""
    return _watched(m.room["blocks"], m.longest, m.cap, m.reserved)


@cache
def _watched(blocks: int, longest: int, cap: int, reserved: bool) -> Watched:
    seen, gaps = Watched(pool_tokens=blocks * SERVER.block_tokens), []
    serve(chat_list("lesson"), cap, blocks, longest, reserved, watch=_watcher(seen, gaps))
    seen.gaps = sorted(gap for gap, _ in gaps)
    with_reading = [gap for gap, reading in gaps if reading]
    seen.gaps_reading = len(with_reading) / len(gaps)
    seen.gaps_reading_seconds = math.fsum(with_reading) / math.fsum(seen.gaps)
    return seen


def _watcher(seen: Watched, gaps: list[tuple[float, bool]]) -> Callable[[Step], None]:
    last: dict[int, float] = {}

    def watch(step: Step) -> None:
        took = step.now - seen.seconds
        if step.joined:
            seen.reading_steps += 1
            seen.reading_seconds += took
        else:
            seen.writing_steps += 1
            seen.writing_seconds += took
        seen.note_seconds += took * (step.context_tokens + step.read_tokens)
        seen.first, seen.second = (seen.first or step, seen.second or (step if seen.first else None))
        gaps.extend((step.now - last[i], bool(step.joined)) for i in step.running if i in last)
        last.update(dict.fromkeys(step.running, step.now))

    return watch


# --- all of it, by name ---


def settings() -> dict[str, int]:
    """The settings that the pages talk about, each taken from the choices, none typed."""
    far = LONGEST[-1]
    return {
        "lean": lean_share(),
        "least": SHARES[0],
        "far": far,
        "middling": LONGEST[LONGEST.index(OPENING["longest"]) + 2],
        "short": LONGEST[0],
        "starts": smallest_share(far),
        "twice": 2 * OPENING["cap"],
        "four_times": 4 * OPENING["cap"],
        "most": CAPS[-1],
    }


def lengths() -> dict[str, float]:
    """Totals of the lesson's chats, in tokens, and what reading them takes in seconds."""
    chats = chat_list("lesson")
    to_read, to_write = sum(r.prompt for r in chats), sum(r.reply for r in chats)
    return {
        "count": len(chats),
        "read": to_read,
        "write": to_write,
        "mean": (to_read + to_write) / len(chats),
        "longest": max(r.prompt + r.reply for r in chats),
        "reading_seconds": COST.flops_per_token * to_read / COST.peak_flops_per_second,
    }


def reading_seconds(tokens: float) -> float:
    """Seconds of arithmetic that reading this many tokens takes."""
    return COST.flops_per_token * tokens / COST.peak_flops_per_second


def gib_room() -> Room:
    """The opening's parts on a card of 80 GiB, the other reading of its label."""
    return memory_parts(OPENING["share"], CARD.memory_bytes_gib)


FILTERS = {f.__name__: f for f in (n, tenths, gb, gb2, gib, mb, ms, tens_of_ms, seconds, pct, about)}
GLOBALS = {
    f.__name__: f
    for f in (
        at, same, query, claim, change, watched, by_seats, served_alone, sent_away, arriving, shorter_prompts,
        dip, peak_blocks, reading_seconds, gib_room, blocks_for,
    )
} | {
    "to": settings(), "chats": lengths(), "SHORTER": SHORTER, "KEY_AND_VALUE": KEY_AND_VALUE, "GIB": GIB,
    "BLOCK_BYTES": BLOCK_BYTES, "CARD": CARD, "MODEL": MODEL, "SERVER": SERVER,
}
