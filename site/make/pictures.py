"""Where the marks of the pictures lie; lengths along a picture are percentages, so no script is needed."""

from dataclasses import dataclass

from poolroom.describe import Measured, describe_measured, page_words
from poolroom.words import commas, extra_sentences, first_word_sentences, plain, room_sentences, run_sentences

PARTS = ("weights", "reserve", "pool", "unused")
PLOT = 150  # height of a curve's plot, px


def percentage(part: float, whole: float) -> str:
    """Write a length as a percentage of another, fine enough for a byte of the card on any screen."""
    return f"{100 * part / whole:.7f}".rstrip("0").rstrip(".") + "%"


@dataclass(frozen=True)
class Part:
    """One part of the bar: its kind, left edge and width, and its name and amount."""

    kind: str
    x: str
    width: str
    name: str
    amount: str

    @property
    def label(self) -> str:
        """The legend's text."""
        return f"{self.name} {self.amount}"


def bar(m: Measured) -> list[Part]:
    """Lay out the four parts of the card."""
    shown, parts, left = describe_measured(m), [], 0
    for kind, size, text in zip(PARTS, shown["grow"], shown["legend"], strict=True):
        name, amount, unit = text.rsplit(" ", 2)
        card = sum(shown["grow"])
        parts.append(Part(kind, percentage(left, card), percentage(size, card), name, f"{amount} {unit}"))
        left += size
    return parts


@dataclass(frozen=True)
class Level:
    """How full the pool is, as heights from the top: on average and at the fullest moment."""

    held: int
    peak: int
    held_y: str
    held_height: str
    peak_y: str


def level(m: Measured) -> Level:
    """Lay out the two depths of the pool."""
    held, peak = describe_measured(m)["fill"], page_words(m)["peak"]
    return Level(held, peak, f"{100 - held}%", f"{held}%", f"{100 - peak}%")


def lines(m: Measured) -> list[list[str]]:
    """Give the answer's sentences, line by line, with outcomes between asterisks as in the words file."""
    groups = [
        room_sentences(m.room, m.longest, m.reserved),
        run_sentences(m.run, m.cap, m.longest),
        extra_sentences(m.run),
        first_word_sentences(m.run, m.first_word_seconds),
    ]
    shown = describe_measured(m)
    said = [shown["room"], shown["run"], shown["extra"], page_words(m)["first_word"]]
    if [plain(group) for group in groups] != said:
        raise AssertionError("the answer's sentences are not those of describe()")
    return groups


@dataclass(frozen=True)
class Lane:
    """One chat's place in the pool when the full length is set aside."""

    x: str
    width: str


def lanes(m: Measured) -> list[Lane]:
    """Cut the pool into places of the longest chat."""
    blocks, each = m.room["blocks"], m.room["per_longest"]
    return [Lane(percentage(i * each, blocks), percentage(each, blocks)) for i in range(m.room["at_longest"])]


@dataclass(frozen=True)
class Point:
    """One point of a curve."""

    x: str
    y: str


@dataclass(frozen=True)
class Tick:
    """One height of a curve that has a number."""

    y: str
    text: str


def top_and_step(highest: float) -> tuple[float, float]:
    """Choose the axis: its top, and a round step that gives two or three ticks."""
    step = next(s * 10**k for k in range(9) for s in (1, 2, 5) if highest / (s * 10**k) < 3)
    return max(highest * 1.08, step), step


def height(value: float, values: list[float]) -> str:
    """Give the place of a value from the top of the plot, px; the bottom is 0."""
    return f"{PLOT * (1 - value / top_and_step(max(values))[0]):.1f}"


def curve(values: list[float]) -> list[Point]:
    """Lay out a curve over equal steps, from 0 at the bottom."""
    last = len(values) - 1
    return [Point(percentage(i, last), height(value, values)) for i, value in enumerate(values)]


def ticks(values: list[float]) -> list[Tick]:
    """Give the numbers beside a curve, from 0 up."""
    top, step = top_and_step(max(values))
    return [Tick(height(i * step, values), commas(round(i * step))) for i in range(int(top / step) + 1)]


GLOBALS = {f.__name__: f for f in (bar, level, lines, lanes, curve, ticks)} | {"PLOT": PLOT}
