"""What every tool of the second lesson shares: the shape of an answer, and how its sentences are filled."""

from collections.abc import Sequence
from typing import Any, TypedDict

from .checks import SimError
from .facts import WORDS
from .serving_facts import TOOLS
from .words import marked


class Row(TypedDict):
    """One bar of a tool's picture, and one line of its table.

    Attributes:
        group: what the bar is compared with: bars of one group have one scale
        name: what it stands for
        amount: how long it is, ≥ 0, in the unit that its text names
        text: the amount in words
        kind: how it is drawn: "plain", "good", "cost" or "limit"
    """

    group: str
    name: str
    amount: float
    text: str
    kind: str


class Span(TypedDict):
    """One stretch of a lane.

    Attributes:
        start: where it begins, seconds from time 0
        end: where it ends, seconds from time 0
        kind: what happens in it, such as "waits", "writes" or "idles"
    """

    start: float
    end: float
    kind: str


class Lane(TypedDict):
    """One line of a picture over time.

    Attributes:
        group: which picture it belongs to
        name: whose line it is
        spans: its stretches, in order
    """

    group: str
    name: str
    spans: list[Span]


class Answer(TypedDict):
    """What a tool says to its settings.

    Attributes:
        lines: sentences by name, in the order in which they are read; outcomes between asterisks
        rows: bars of its picture
        lanes: lines of its picture over time; empty where it has none
    """

    lines: dict[str, str]
    rows: list[Row]
    lanes: list[Lane]


def said(tool: str, name: str, **terms: int | str) -> str:
    """A sentence of a tool, filled; outcomes still between asterisks.

    Args:
        tool: name of the tool
        name: where its template stands in the tool's words, such as "lines.floor"
        terms: what the template's names stand for, in any unit; in Python they are named arguments

    Returns:
        One or more sentences in one text.
    """
    template: Any = TOOLS[tool]["words"]
    for part in name.split("."):
        template = template[part]
    return str(WORDS["joiner"]).join(marked(template, terms))


def one_of(setting: str, value: Any, choices: Sequence[str]) -> str:
    """The value itself if it is one of a few names.

    Args:
        setting: name of the setting, for the refusal
        value: what was given
        choices: the names

    Returns:
        The value.

    Raises:
        SimError: for anything else
    """
    if not isinstance(value, str) or value not in choices:
        raise SimError(setting, value, "choice", choices=", ".join(choices))
    return value
