"""The node that the tests run: the one that site/make found, or the one that an outer test names."""

import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
VARIABLE = "POOLROOM_NODE"


@cache
def node() -> str:
    """Give the path of node."""
    if os.environ.get(VARIABLE):
        return os.environ[VARIABLE]
    sys.path.append(str(ROOT / "site" / "make"))
    from environment import node_command

    return str(node_command())


def run_node(*words: str | Path, folder: Path = ROOT, **more: Any) -> subprocess.CompletedProcess[str]:
    """Run node in a folder and give what it printed."""
    command = [node(), *map(str, words)]
    return subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", **more)


def test_files(folder: Path = ROOT) -> list[Path]:
    """The files that node --test runs; named one by one, since newer nodes take no folder."""
    return sorted((folder / "tests" / "js").glob("*.test.js"))


test_files.__test__ = False  # type: ignore[attr-defined]
