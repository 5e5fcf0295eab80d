"""Jobs for the tools of the second lesson: their inputs by chance, every choice that the page offers, bad values."""

import importlib
import random
from collections.abc import Iterable
from itertools import islice
from typing import Any

from poolroom.serving_facts import TOOLS, opening
from poolroom.tools import ANSWERS
from tests.parity.calls import Job
from tests.parity.refused import NAN

NAMES = list(ANSWERS)
EACH, COMBINATIONS, IN_BROWSERS = max(1_000, 6_000 // len(NAMES)), 60, 1_200
Named = list[tuple[str, Job]]
"""Jobs, each with the name of its tool."""


def inputs(tool: str) -> Any:
    """The module of inputs of a tool."""
    return importlib.import_module(f"tests.parity.inputs.{tool}")


def asked(tool: str, settings: dict[str, Any], call: str = "tools.answer") -> Job:
    """A job that asks a tool."""
    return {"call": call, "args": [tool, settings]}


def made_jobs() -> Named:
    """Inputs by chance, as many of each tool."""
    return [(tool, job) for tool in NAMES for job in islice(inputs(tool).jobs(range(EACH)), EACH)]


def choice_jobs() -> Named:
    """Each choice of each control by itself, how it is shown, what it says in order, and choices put together."""
    return [(tool, job) for tool in NAMES for job in [*_of_each_choice(tool), *_of_combinations(tool)]]


def refused_jobs() -> Named:
    """What each tool must refuse, and what none knows."""
    jobs = [(tool, job) for tool in NAMES for job in inputs(tool).refused()]
    for name in ("", "Floor", "toString", "__proto__", None, 1, True, [], {}, NAN):
        jobs.append(("no tool", {"call": "tools.answer", "args": [name, {}]}))
        jobs.append(("no tool", {"call": "tools.answer_lines", "args": [name, {}]}))
    for tool in NAMES:
        jobs += [(tool, asked(tool, {key: 1})) for key in ("", "nonsense", "toString", "constructor", "__proto__")]
    return jobs


def browser_jobs() -> Named:
    """A sample of all of them, in turn."""
    made, choices, refused = made_jobs(), choice_jobs(), refused_jobs()
    sample = made[:: max(1, len(made) // IN_BROWSERS)]
    return sample + choices[::5] + refused[::5]


def _of_each_choice(tool: str) -> Iterable[Job]:
    yield asked(tool, {})
    for key, control in TOOLS[tool]["controls"].items():
        for value in control["values"]:
            yield asked(tool, {key: value})
            yield asked(tool, {key: value}, "tools.answer_lines")
            yield {"call": "tools.choice_text", "args": [tool, key, value]}


def _of_combinations(tool: str) -> Iterable[Job]:
    rng = random.Random(f"choices of {tool}")
    for i in range(COMBINATIONS):
        settings = {key: rng.choice(TOOLS[tool]["controls"][key]["values"]) for key in opening(tool)}
        yield asked(tool, settings, "tools.answer" if i % 2 else "tools.answer_lines")
