"""The vectors as files: read, checked, written. Cases by hand stay as they are; those by sim are made anew."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).with_name("vectors")
COMMAND = "python -m tests.parity.make_vectors"
Case = dict[str, Any]


def files() -> list[Path]:
    """Every vector file, in order."""
    return sorted(FOLDER.glob("*.json"))


def read(path: Path) -> dict[str, Any]:
    """One file."""
    return dict(json.loads(path.read_text(encoding="utf-8")))


def cases() -> Iterator[tuple[str, Case]]:
    """Every case with the name of its module; the port's own module has no Python side."""
    for path in files():
        content = read(path)
        if content["module"] != "quiet":
            yield from ((content["module"], case) for case in content["cases"])


def text_of(module: str, version: int, made: list[Case]) -> str:
    """A file's text: one case a line, so that a change shows as one line."""
    head = f'{{"module": {json.dumps(module)},\n "version": {version},\n "made": {json.dumps(COMMAND)},\n "cases": [\n'
    lines = ",\n".join("  " + json.dumps(case, ensure_ascii=False, allow_nan=False) for case in made)
    return f"{head}{lines}\n ]}}\n"
