"""The plan's modules, compared bit for bit with their twins: inputs by chance, and refusals."""

import importlib
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Playwright

from tests.parity.both import assert_agreement, disagreements, in_processes, of_python
from tests.parity.calls import Job
from tests.parity.engines import answers_of, bundle_plans

ENGINE = "tests/parity/plan_engine.mjs"
FOLDER = Path(__file__).parent / "inputs_vllm"
NAMES = sorted(path.stem for path in FOLDER.glob("*.py") if path.stem != "__init__")
SEEDS = 400
BROWSERS = {"chromium": 5_200, "firefox": 1_500, "webkit": 1_500}
"""Plans that each browser answers; Chromium all that Node answers."""
Tell = Callable[[str], None]


def inputs(name: str) -> Any:
    """The module that makes inputs for a module of the plan."""
    return importlib.import_module(f"tests.parity.inputs_vllm.{name}")


def is_refusal(answer: str) -> bool:
    """Whether both said no."""
    return answer.startswith('{"$refused"')


@cache
def answered(name: str) -> tuple[list[Job], list[str]]:
    """A module's inputs by chance, and the reference's answers, reckoned once."""
    module = inputs(name)
    jobs = module.jobs(range(getattr(module, "SEEDS", SEEDS)))
    return jobs, list(in_processes(of_python, jobs, chunk=64))


@pytest.mark.parametrize("engine", BROWSERS)
def test_every_browser_plans_the_same(engine: str, playwright: Playwright, tmp_path: Path, tell: Tell) -> None:
    """Rule: each browser's engine gives the reference's bits and letters for whole plans."""
    bundle_plans(tmp_path)
    jobs, pythons = (column[: BROWSERS[engine]] for column in answered("plan"))
    wrong = disagreements(jobs, pythons, answers_of(engine, jobs, playwright, tmp_path))
    assert not wrong, f"{len(wrong)} of {len(jobs)} jobs disagree in {engine}\n\n" + "\n\n".join(wrong[:4])
    tell(f"plan: {len(jobs):,} plans in {engine}, 0 differing bits")


@pytest.mark.parametrize("name", NAMES)
def test_inputs_by_chance(name: str, tell: Tell) -> None:
    """Rule: the same bits and letters for inputs by chance all over each module's domain."""
    jobs, answers = answered(name)
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
