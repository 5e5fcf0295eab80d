"""The port says the same bits in every engine: Node, Chromium, Firefox, WebKitGTK."""

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Playwright

from tests.parity.both import disagreements, in_processes, made_and_answered, of_python
from tests.parity.calls import Job
from tests.parity.engines import answers, bundle
from tests.parity.lists import giant_jobs, list_job
from tests.parity.settings import corner_moves, everything_jobs, sample

ENGINES = ["node", "chromium", "firefox", "webkit"]
LEAST = 300
SEEDS = range(30_000_000, 30_000_360)
Answered = tuple[list[Job], list[str]]


@pytest.fixture(scope="module")
def settings() -> Answered:
    """Every second setting of the sample and a walk through the corners, with the reference's answers."""
    jobs = everything_jobs(sample()[::2]) + everything_jobs(corner_moves())
    return jobs, list(in_processes(of_python, jobs, chunk=12))


@pytest.fixture(scope="module")
def lists() -> Answered:
    """Made-up lists that no other test has seen, and whole numbers up to 2^53 − 1."""
    made = list(in_processes(partial(made_and_answered, list_job), SEEDS, chunk=40))
    giants = giant_jobs()
    return [job for job, _ in made] + giants, [text for _, text in made] + [of_python(job) for job in giants]


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a page that holds the port."""
    folder = tmp_path_factory.mktemp("port")
    bundle(folder)
    return folder


@pytest.mark.parametrize("where", ENGINES)
def test_an_engine_gives_the_references_bits(
    where: str, settings: Answered, lists: Answered, page: Path, playwright: Playwright, tell: Callable[[str], None]
) -> None:
    """Rule: every number and every sentence of settings and of made-up lists, as bits, in each engine."""
    jobs, pythons = (one + other for one, other in zip(settings, lists, strict=True))
    wrong = disagreements(jobs, pythons, answers(where, jobs, playwright, page))
    assert not wrong, f"{len(wrong)} of {len(jobs)} jobs disagree in {where}\n\n" + "\n\n".join(wrong[:4])
    runs = sum("$refused" not in json.loads(text) for text in lists[1])
    assert len(settings[0]) >= LEAST and runs >= LEAST
    tell(f"engine parity in {where}: {len(settings[0])} settings, {runs} lists, 0 differing bits")


def test_one_wrong_bit_is_seen(settings: Answered) -> None:
    """Rule: the comparison notices a single bit."""
    jobs, pythons = settings
    wrong = [text.replace("#40", "#41", 1) for text in pythons[:1]]
    assert disagreements(jobs[:1], pythons[:1], wrong)
