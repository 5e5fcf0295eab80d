"""The two pictures of the truth page: the plan against the print, and how far off; places are percentages."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from lesson_numbers import decimals
from pictures import percentage
from poolroom.words import commas
from truth_numbers import GROUPS, LARGE, Report, reports, signed

SIDE = 320
"""The height of a plot, px."""
EDGE = 0.30
"""The error at the upper and lower edge of the second picture; what is further off stands on the edge."""
STEPS = (0.5, 1, 2, 4, 8, 16, 32, 64, 128, 256)
"""Where an axis of GiB may begin and end."""
LABELLED = (1, 4, 16, 64)
ERRORS = (0.2, 0.1, 0.0, -0.1, -0.2)


@dataclass(frozen=True)
class Mark:
    """One report in a picture: its place, its kind, and its text."""

    x: str
    y: str
    group: str
    large: bool
    text: str


@dataclass(frozen=True)
class Tick:
    """One number on an axis."""

    at: str
    text: str
    from_top: str = "0%"


@dataclass(frozen=True)
class Picture:
    """What both pictures are made of."""

    marks: list[Mark]
    off: list[Mark]
    ticks: list[Tick]
    errors: list[Tick]
    band: tuple[str, str]


def drawn() -> list[Report]:
    """The reports that have a place in a picture."""
    return [one for one in reports() if one.error is not None and one.kv_gib is not None and one.kv_gib > 0]


def scatter() -> Picture:
    """Lay out both pictures, the larger errors on top."""
    shown = sorted(drawn(), key=lambda one: abs(one.error or 0.0))
    sizes = [size for one in shown for size in (one.kv_gib, one.plan["kv_gib"]) if size and size > 0]
    ends = _ends(sizes)
    steps = [step for step in LABELLED if ends[0] <= step <= ends[1]]
    return Picture(
        marks=[_mark(one, ends, _place(max(one.plan["kv_gib"], ends[0]), ends)) for one in shown],
        off=[_mark(one, ends, _height(one.error or 0.0)) for one in shown],
        ticks=[_tick(step, _place(step, ends)) for step in steps],
        errors=[Tick(percentage(1.0 - _height(part), 1.0), signed(part).replace(".0", "")) for part in ERRORS],
        band=(percentage(1.0 - _height(LARGE), 1.0), percentage(_height(LARGE) - _height(-LARGE), 1.0)),
    )


def _tick(step: int, place: float) -> Tick:
    return Tick(percentage(place, 1.0), commas(step), percentage(1.0 - place, 1.0))


def _ends(sizes: Sequence[float]) -> tuple[float, float]:
    return max(step for step in STEPS if step <= min(sizes)), min(step for step in STEPS if step >= max(sizes))


def _place(size: float, ends: tuple[float, float]) -> float:
    return math.log(size / ends[0]) / math.log(ends[1] / ends[0])


def _height(error: float) -> float:
    return (max(-EDGE, min(EDGE, error)) + EDGE) / (2 * EDGE)


def _mark(one: Report, ends: tuple[float, float], y: float) -> Mark:
    size = one.kv_gib or ends[0]
    text = f"{one.model}, {one.card}: {decimals(size, 2)} GiB printed, {one.planned('kv_gib')} planned, {one.off}"
    return Mark(percentage(_place(size, ends), 1.0), percentage(1.0 - y, 1.0), one.group, one.large, text)


def present() -> list[tuple[str, str]]:
    """The kinds of reports that the pictures show, for their key."""
    there = {one.group for one in drawn()}
    return [(key, title) for key, title in GROUPS.items() if key in there]


GLOBALS: dict[str, Any] = {"truth_scatter": scatter, "truth_present": present, "TRUTH_SIDE": SIDE}
