"""The plan's modules, compared bit for bit with their twins: inputs by chance, and refusals."""

import importlib
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.parity.both import assert_agreement, in_processes, of_python

ENGINE = "tests/parity/plan_engine.mjs"
FOLDER = Path(__file__).parent / "inputs_vllm"
NAMES = sorted(path.stem for path in FOLDER.glob("*.py") if path.stem != "__init__")
SEEDS = 400
Tell = Callable[[str], None]


def inputs(name: str) -> Any:
    """The module that makes inputs for a module of the plan."""
    return importlib.import_module(f"tests.parity.inputs_vllm.{name}")


def is_refusal(answer: str) -> bool:
    """Whether both said no."""
    return answer.startswith('{"$refused"')


@pytest.mark.parametrize("name", NAMES)
def test_inputs_by_chance(name: str, tell: Tell) -> None:
    """Rule: the same bits and letters for inputs by chance all over each module's domain."""
    module = inputs(name)
    jobs = module.jobs(range(getattr(module, "SEEDS", SEEDS)))
    answers = list(in_processes(of_python, jobs, chunk=64))
    assert_agreement(jobs, answers, engine=ENGINE)
    counts = Counter(is_refusal(answer) for answer in answers)
    tell(f"plan: {name}: {counts[False]:,} answers and {counts[True]:,} refusals by chance, 0 differing bits")
    assert (counts[False] >= len(jobs) // 3 and len(set(answers)) >= min(len(jobs) // 10, 50)) or name == "refuse"


@pytest.mark.parametrize("name", NAMES)
def test_refusals(name: str, tell: Tell) -> None:
    """Rule: both refuse the same values, name the same setting and give the same rule."""
    jobs = inputs(name).refused()
    answers = [of_python(job) for job in jobs]
    assert_agreement(jobs, answers, engine=ENGINE)
    assert [job for job, answer in zip(jobs, answers, strict=True) if not is_refusal(answer)] == []
    tell(f"plan: {name}: {len(jobs)} bad values refused alike")
