"""Run the reference's own tests, and tell how they go while they run. Runs inside Pyodide."""

import json
import os
import shutil
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import poolroom

SLOW = "they take minutes anywhere, and run before a release"


class Teller:
    """A plugin of pytest that tells what happens, one JSON object each."""

    def __init__(self, tell: Callable[[str], object]) -> None:
        self.say = lambda **what: tell(json.dumps(what))
        self.left_out: Counter[str] = Counter()

    def pytest_deselected(self, items: list[Any]) -> None:
        """Count what is left out, by its reason."""
        marks = [item.get_closest_marker("outside") for item in items]
        self.left_out.update(mark.args[0] if mark else SLOW for mark in marks)

    def pytest_collection_finish(self, session: Any) -> None:
        """Say how many will run, and how many will not."""
        self.say(tests=len(session.items), left_out=self.left_out)

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Say how each test ended: with its call, or where it did not come to that."""
        if report.when == "call" or report.outcome != "passed":
            self.say(outcome=report.outcome, test=report.nodeid, why=report.longreprtext)


def run_suite(folder: str, tell: Callable[[str], object]) -> int:
    """Run tests/sim in a folder that holds the tests; beside them they find the source of the installed reference."""
    sys.dont_write_bytecode = True
    shutil.copytree(Path(poolroom.__file__).parent, Path(folder, "sim", "poolroom"))
    os.chdir(folder)
    return int(pytest.main(["-p", "no:cacheprovider", "tests/sim"], plugins=[Teller(tell)]))
