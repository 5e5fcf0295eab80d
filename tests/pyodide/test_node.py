"""The reference's tests pass in the Python of a browser, from the very files that the site serves."""

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.built import needs_proof, shared_site
from tests.node import ROOT, run_node

pytestmark = needs_proof
MOST_LEFT_OUT = 40
WAIT_S = 600


def told(site: Path) -> list[dict[str, Any]]:
    """What happens, in order."""
    done = run_node("tests/pyodide/suite.mjs", site / "pyodide", ROOT / "site" / "proof" / "suite.py", timeout=WAIT_S)
    assert done.returncode == 0, done.stderr[-2_000:]
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_the_reference_in_pyodide(tmp_path_factory: pytest.TempPathFactory, tell: Callable[[str], None]) -> None:
    """Rule: every test passes, but those that need what WebAssembly lacks; they are few, and each says why."""
    events = told(shared_site(tmp_path_factory))
    printed = "".join(event["printed"] for event in events if "printed" in event)
    outcomes = Counter(event["outcome"] for event in events if "outcome" in event)
    last = events[-1]
    assert last["code"] == 0, printed[-6_000:]
    (found,) = [event for event in events if "tests" in event]
    assert outcomes == {"passed": found["tests"]} and found["tests"] > 1_500
    assert sum(found["left_out"].values()) <= MOST_LEFT_OUT and all(found["left_out"])
    left_out = "; ".join(f"{count}: {why}" for why, count in found["left_out"].items())
    tell(f"pyodide in node: Python {last['python']}, {outcomes['passed']:,} tests pass; left out: {left_out}")
