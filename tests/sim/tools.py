"""Small helpers for the reference's tests."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from poolroom import Cost, Request, Step, serve

ROOT = Path(__file__).resolve().parents[2]
ONE_SECOND = Cost(1.0, 0.0, 0.0, 1.0, 1.0)
"""Every step takes exactly one second, so that a run can be worked by hand."""
BROWSER = sys.platform == "emscripten"
"""Whether this is the Python of a browser, which is slow and has no processes."""
needs_processes = pytest.mark.outside("they start a process of their own")
needs_short_names = pytest.mark.outside("they need a file system that refuses long names")
needs_deep_stack = pytest.mark.outside("they nest deeper than a browser’s stack")


def chats(*rows: tuple[float, int, int]) -> list[Request]:
    """Requests from (arrival, prompt, reply)."""
    return [Request(*row) for row in rows]


def watched(requests: list[Request], *settings: Any, **more: Any) -> tuple[Any, list[Step]]:
    """A run and its steps."""
    steps: list[Step] = []
    run = serve(requests, *settings, **more, watch=steps.append)
    return run, steps


def lesson_sample() -> list[dict[str, Any]]:
    """The sample settings that lie beside the repository, or none where they do not."""
    for folder in ROOT.parents:
        path = folder / "shared" / "facts" / "lesson-sample.json"
        if path.is_file():
            return list(json.loads(path.read_text(encoding="utf-8"))["cases"])
    return []
