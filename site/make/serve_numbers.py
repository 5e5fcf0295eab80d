"""What the page on serving shows: the tools' controls, opening answers and pictures, and numbers for its prose."""

import re
from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from lesson_numbers import claim
from pictures import percentage
from poolroom.serving_facts import TOOLS, opening
from poolroom.tool import Answer, Lane, Row
from poolroom.tools import ANSWERS, answer, choice_text
from poolroom.words import tenths


@dataclass(frozen=True)
class Choice:
    """One choice of a control: as it stands in an address, and in words."""

    value: str
    text: str
    chosen: bool


@dataclass(frozen=True)
class Control:
    """One control of a tool, as the page opens with it."""

    key: str
    name: str
    help: str
    kind: str
    choices: list[Choice]

    @property
    def place(self) -> int:
        """Where the opening choice stands among the others, from 0."""
        return [choice.chosen for choice in self.choices].index(True)

    @property
    def checked(self) -> bool:
        """Say whether a box opens with its tick."""
        return self.choices[self.place].value == "1"

    @property
    def text(self) -> str:
        """The opening choice in words."""
        return self.choices[self.place].text


def address_text(value: Any) -> str:
    """Write a value as it stands in an address; a flag is 1 or 0."""
    return str(int(value)) if isinstance(value, bool) else str(value)


def controls(tool: str) -> list[Control]:
    """Give the controls of a tool: numbers get a slider and a list, names a list, flags a box."""
    return [_control(tool, key, facts) for key, facts in TOOLS[tool]["controls"].items()]


def _control(tool: str, key: str, facts: dict[str, Any]) -> Control:
    values, words = facts["values"], TOOLS[tool]["words"]["controls"][key]
    kind = "flag" if isinstance(values[0], bool) else "names" if isinstance(values[0], str) else "numbers"
    opens = facts["opening"]
    choices = [Choice(address_text(value), choice_text(tool, key, value), value == opens) for value in values]
    return Control(key, words["name"], words["help"], kind, choices)


@dataclass(frozen=True)
class Bar:
    """One bar: a row of an answer, and its width beside the longest of its group."""

    row: Row
    width: str
    x: str = "0%"


def bars(said: Answer) -> dict[str, list[Bar]]:
    """Lay out an answer's rows, group by group; the longest of a group is as wide as the picture."""
    groups: dict[str, list[Row]] = {}
    for row in said["rows"]:
        groups.setdefault(row["group"], []).append(row)
    return {name: [Bar(row, percentage(row["amount"], longest(rows))) for row in rows] for name, rows in groups.items()}


def longest(rows: list[Row]) -> float:
    """Give the largest amount of a group; 1 where all are 0."""
    return max(row["amount"] for row in rows) or 1.0


@dataclass(frozen=True)
class Stretch:
    """One stretch of a lane: its kind, left edge and width."""

    kind: str
    x: str
    width: str


@dataclass(frozen=True)
class Track:
    """One lane: its name, its stretches, and the same in words."""

    name: str
    stretches: list[Stretch]
    text: str


@dataclass(frozen=True)
class Kind:
    """What happens in a stretch, and how the picture's key calls it."""

    name: str
    text: str


@dataclass(frozen=True)
class Tracks:
    """A picture over time: its lanes, the kinds of stretches in it, and both ends of its axis."""

    tracks: list[Track]
    kinds: list[Kind]
    start: str
    end: str


def tracks(tool: str, said: Answer) -> dict[str, Tracks]:
    """Lay out an answer's lanes, group by group, all from time 0 to the last end of any."""
    names = tool_words(tool)["lanes"]["kinds"] if said["lanes"] else {}
    end = max((span["end"] for lane in said["lanes"] for span in lane["spans"]), default=0.0) or 1.0
    groups: dict[str, list[Lane]] = {}
    for lane in said["lanes"]:
        groups.setdefault(lane["group"], []).append(lane)
    return {name: _tracks(lanes, end, names) for name, lanes in groups.items()}


def _tracks(lanes: list[Lane], end: float, names: dict[str, str]) -> Tracks:
    there = dict.fromkeys(span["kind"] for lane in lanes for span in lane["spans"])
    kinds = [Kind(kind, names[kind]) for kind in there]
    return Tracks([_track(lane, end, names) for lane in lanes], kinds, "0", f"{tenths(end)} s")


def _track(lane: Lane, end: float, names: dict[str, str]) -> Track:
    stretches, texts = [], []
    for span in lane["spans"]:
        width = percentage(span["end"] - span["start"], end)
        stretches.append(Stretch(span["kind"], percentage(span["start"], end), width))
        texts.append(f"{names[span['kind']]} {_ms(span['start'])} to {_ms(span['end'])}")
    return Track(lane["name"], stretches, ", ".join(texts))


def _ms(seconds: float) -> str:
    return f"{tenths(1000 * seconds)} ms"


def tool_words(tool: str) -> dict[str, Any]:
    """Give all words of a tool."""
    return dict(TOOLS[tool]["words"])


def answer_of(tool: str, **moved: Any) -> Answer:
    """Give what a tool says when some of its settings are moved; each must be one that the page offers."""
    for key, value in moved.items():
        claim(value in TOOLS[tool]["controls"][key]["values"], f"{tool}.{key}={value}")
    return answer(tool, moved)


def outcome(tool: str, line: str, place: int = 0, **moved: Any) -> str:
    """Give one of the outcomes of a line, which stand between asterisks in it."""
    return re.findall(r"\*(.+?)\*", answer_of(tool, **moved)["lines"][line])[place]


def row_text(tool: str, place: int, **moved: Any) -> str:
    """Give the text of one bar by its place, from 0."""
    return answer_of(tool, **moved)["rows"][place]["text"]


def choice(tool: str, key: str, value: Any) -> str:
    """Give a choice as its control shows it."""
    claim(value in TOOLS[tool]["controls"][key]["values"], f"{tool}.{key}={value}")
    return choice_text(tool, key, value)


def tool_query(tool: str, **moved: Any) -> str:
    """Write the address of a tool's settings: only what differs from the opening."""
    answer_of(tool, **moved)
    pairs = [f"{tool}.{key}={address_text(value)}" for key, value in moved.items() if value != opening(tool)[key]]
    return ("?" + "&".join(pairs) if pairs else "") + f"#{tool}"


TEXTURES = {"good": "url(#grid-used)", "cost": "url(#hatch)", "collects": "url(#air)", "held": "url(#hatch)"}
"""Patterns of the page by kind of a bar or a stretch, as in `site/serve/picture.js`."""
GLOBALS: dict[str, Any] = {
    f.__name__: f for f in (answer_of, bars, choice, controls, outcome, row_text, tool_query, tool_words, tracks)
} | {
    "TEXTURES": defaultdict(str, TEXTURES),
    "TOOL_NAMES": list(ANSWERS),
    "WHOLE": Stretch("", "0%", "100%"),
}
