"""What every test may use. Kept light: the reference's tests run with pytest and hypothesis alone."""

import sys
from collections.abc import Callable
from typing import Any

import pytest

LONGEST = (
    "browser/test_proof", "parity/test_engine", "parity/test_page", "pyodide/test_node", "packages/test_release",
    "tests/test_pythons", "parity/test_bite", "packages/test_python", "webkit/test_parity", "browser/test_embed_page",
    "vllm/test_fixes", "parity/test_vllm", "browser/test_plan_page", "browser/test_plan_parity",
    "browser/test_serve_parity", "browser/test_serve_page", "browser/test_plan_situations", "webkit/test_plan_page",
)  # fmt: skip
"""Files that take minutes: they come first, so that both processes of a run end together."""
COUNTS = pytest.StashKey[list[str]]()
EXCEPTIONS = pytest.StashKey[list[str]]()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what an engine's driver cannot express, and what the Python of a browser cannot do."""
    excepted = [item for item in items if is_excepted(item)]
    reasons = {item.name.split("[")[0]: item.get_closest_marker("only").args[1] for item in excepted}
    config.stash[EXCEPTIONS] = [f"{name}: {why}" for name, why in reasons.items()]
    items.sort(key=lambda item: not item.nodeid.split(".py::")[0].endswith(LONGEST))
    left_out = [*excepted, *[item for item in items if is_outside(item)]]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]


def engine_of(item: pytest.Item) -> str:
    """The engine that a test runs in, or nothing."""
    return str(item.callspec.params.get("browser_name", "")) if hasattr(item, "callspec") else ""


def is_excepted(item: pytest.Item) -> bool:
    """Whether a test is marked for another engine than its own."""
    mark = item.get_closest_marker("only")
    return mark is not None and mark.args[0] != engine_of(item)


def is_outside(item: pytest.Item) -> bool:
    """Whether a test needs what the Python of a browser, compiled to WebAssembly, does not have."""
    return sys.platform == "emscripten" and item.get_closest_marker("outside") is not None


@pytest.fixture
def exceptions(request: pytest.FixtureRequest) -> list[str]:
    """The tests left out of an engine, each with its reason."""
    return request.config.stash[EXCEPTIONS]


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
