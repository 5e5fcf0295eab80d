"""Whether the numbers that a text quotes are still true, and whether its widgets and links mean what they say."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from html import unescape
from typing import Any

from .authored import KEYS, check_attributes, check_query, settings_of
from .chats import chat_list
from .checks import SimError
from .describe import Measured, measure
from .facts import CATALOGUES, CHOICES, WORDS
from .marks import Mark, hidden, kind_of, marks
from .options import language_of
from .quote import quote

HELP: dict[str, Any] = WORDS["cli"]
LINE_ENDS = re.compile(r"\r\n|\r|\n")
ANY_TAG = re.compile("</?[a-z][^<>]*>", re.I)
GONE = "\0"
"""Stands where a reader sees nothing."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is not true.

    Attributes:
        line: its line, lines counted from 1
        text: what to say about it
        mend: start and end of what is wrong, characters from the start of the text, and the right number; None where
            the right one is not known
    """

    line: int
    text: str
    mend: tuple[int, int, str] | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """What a text holds, and what is wrong with it.

    Attributes:
        counts: how many numbers, widgets and links it holds, by the name of the element or page
        problems: what is not true, from the top
    """

    counts: dict[str, int]
    problems: list[Problem]


def check(text: str, path: str = "text.md") -> Report:
    """Compare the numbers, options and links of a text with the reference.

    Args:
        text: Markdown, HTML, reStructuredText or a notebook, as it lies on disk
        path: name of the file, whose ending says how the text is read

    Returns:
        What the text holds, and what is wrong with it; nothing is raised for a text.
    """
    found = sorted(marks(text, kind_of(path)), key=lambda mark: mark.start)
    counts = dict.fromkeys(("pool-room-value", "pool-room", "poolroom.html"), 0)
    problems = []
    line, counted = 1, 0
    for mark in found:
        counts[mark.name] += 1
        line, counted = line + len(LINE_ENDS.findall(text, counted, mark.start)), mark.start
        problems += [Problem(line, said, mend) for said, mend in _wrong(mark)]
    return Report(counts, problems)


def mended(text: str, report: Report) -> str:
    """The text with every number set right of which the right one is known; nothing else is touched.

    Args:
        text: the text that was checked
        report: what `check` said of it

    Returns:
        The new text.
    """
    pieces, done = [], 0
    for start, end, number in (problem.mend for problem in report.problems if problem.mend):
        pieces += [text[done:start], number]
        done = end
    return "".join(pieces) + text[done:]


def _wrong(mark: Mark) -> Iterator[tuple[str, tuple[int, int, str] | None]]:
    if mark.name == "poolroom.html":
        reasons = check_query(mark.texts)
    else:
        reasons = check_attributes(mark.name, mark.texts)
    yield from ((HELP["check_refused"].format(what=mark.name, reason=reason), None) for reason in reasons)
    if mark.name == "pool-room-value" and not reasons:
        yield from _wrong_number(mark)


def _wrong_number(mark: Mark) -> Iterator[tuple[str, tuple[int, int, str] | None]]:
    if mark.inside is None:
        yield HELP["check_open"], None
        return
    try:
        words = CATALOGUES.get(language_of(mark.texts.get("lang", "")), WORDS)
        now = quote(_measured(tuple(settings_of(mark.texts).items())), mark.texts.get("show", ""), words)
    except SimError as refusal:
        yield HELP["check_refused"].format(what=mark.name, reason=refusal), None
        return
    start, inner = mark.inside
    bare = ANY_TAG.sub(lambda tag: GONE * len(tag[0]), hidden(inner, False, GONE))
    quoted = " ".join(unescape(bare.replace(GONE, "")).split())
    if quoted != now:
        spot = _spot(bare)
        mend = (start + spot[0], start + spot[1], now) if spot else None
        terms = {"show": mark.texts["show"], "where": _where(mark.texts), "quoted": quoted, "now": now}
        yield HELP["check_quoted" if quoted else "check_empty"].format(**terms), mend


def _spot(bare: str) -> tuple[int, int] | None:
    # Plain text gives way as a whole; among tags and comments, only where all that is read stands in one place.
    if GONE not in bare:
        return 0, len(bare)
    read = [found for found in re.finditer(f"[^{GONE}]+", bare) if found[0].strip()]
    if len(read) != 1:
        return None
    start = read[0].end() - len(read[0][0].lstrip())
    return start, start + len(read[0][0].strip())


def _where(texts: dict[str, str]) -> str:
    given = [f"{key} {texts[key]}".strip() for key in ("preset", *KEYS) if key in texts]
    return ", ".join(given) or str(HELP["check_opening"])


@lru_cache(maxsize=256)
def _measured(settings: tuple[tuple[str, Any], ...]) -> Measured:
    given = dict(settings)
    name = given.pop("chats")
    return measure(**given, requests=None if name == CHOICES["chats"]["opening"] else chat_list(name))
