"""What the page of names shows: twins side by side, the elements, the notebook and the command line."""

from functools import cache
from pathlib import Path
from typing import Any

from apidocs import commands, pairs, python, script, typedoc
from apidocs.model import Library
from apidocs.text import Writer
from poolroom import SimError, describe, facts, room
from poolroom.authored import OF_A_VALUE

ROOT = Path(__file__).resolve().parents[2]
SHARE = 48
ELSEWHERE = {
    "facts/lesson.json": "how.html#sources", "facts/choices.json": "how.html#sources",
    "facts/contract.json": "embed.html#prose", "max_model_len": "how.html#room",
}
"""Code of the texts that another page explains."""


@cache
def libraries() -> tuple[Library, Library]:
    """Read both languages, once."""
    return python.read(ROOT / "sim"), script.read(typedoc.project())


@cache
def api() -> dict[str, Any]:
    """Give everything that the page shows."""
    mine, its = libraries()
    chapters = pairs.chapters(mine, its)
    notebook = list(pairs.paired(mine.modules["notebook"].docs, {}))
    element = pairs.Entry(None, its.modules["element"].docs["PoolRoom"])
    value = pairs.Entry(None, its.modules["value"].docs["PoolRoomValue"])
    writer = Writer(anchors(chapters))
    return {
        "chapters": chapters, "notebook": notebook, "element": element, "value": value, "write": writer,
        "before": repeated(chapters),
        "commands": commands.commands(), "contract": facts.CONTRACT, "of_a_value": OF_A_VALUE,
        "example": example(), "refusal": refusal(),
    }


def anchors(chapters: list[pairs.Chapter]) -> dict[str, str]:
    """Say where each name is explained."""
    entries = [entry for chapter in reversed(chapters) for entry in chapter.entries]
    return ELSEWHERE | {entry.name: f"#{entry.anchor}" for entry in entries}


def repeated(chapters: list[pairs.Chapter]) -> dict[tuple[str, str], str]:
    """Say what comes before the anchor of a name that an earlier module has, too."""
    seen: set[str] = set()
    before = {}
    for chapter in chapters:
        names = {entry.name for entry in chapter.entries}
        before |= {(chapter.name, name): f"{chapter.name.replace('/', '-')}-" for name in names & seen}
        seen |= names
    return before


def example() -> dict[str, Any]:
    """Give the same question in both languages, and the answer."""
    longest, cap = facts.OPENING["longest"], facts.OPENING["cap"]
    call = f"describe({SHARE}, {longest}, {cap})"
    return {
        "python": f'from poolroom import describe\n{call}["run"]',
        "script": f'import {{ describe }} from "poolroom/sim";\n{call}.run;',
        "answer": describe(SHARE, longest, cap)["run"],
    }


def refusal() -> str:
    """Give a refusal as both languages word it."""
    try:
        room(0, facts.OPENING["longest"])
    except SimError as refused:
        return str(refused)
    return ""


GLOBALS = {"api": api}
