"""What every test may use. Kept light: the reference's tests run with pytest and hypothesis alone."""

from collections.abc import Callable
from typing import Any

import pytest

COUNTS = pytest.StashKey[list[str]]()


@pytest.fixture
def tell(request: pytest.FixtureRequest) -> Callable[[str], None]:
    """Give a function that keeps a line, such as how many cases ran, for the end of the report."""
    return request.config.stash.setdefault(COUNTS, []).append


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Send a worker's lines to the process that reports."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["counts"] = session.config.stash.get(COUNTS, [])


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Take the lines of a worker that has ended."""
    lines = getattr(node, "workeroutput", {}).get("counts", [])
    node.config.stash.setdefault(COUNTS, []).extend(lines)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print what the tests counted."""
    lines = config.stash.get(COUNTS, [])
    if lines:
        terminalreporter.section("counts")
    for line in lines:
        terminalreporter.write_line(line)
