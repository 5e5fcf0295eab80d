"""The reference and the port, compared bit for bit: settings, words, made-up lists, steps, refusals."""

import json
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Playwright

from tests.parity.both import assert_agreement, disagreements, in_processes, made_and_answered, of_python
from tests.parity.calls import Job
from tests.parity.engines import answers_of, bundle
from tests.parity.lists import giant_jobs, list_job, watched_job
from tests.parity.refused import refused_jobs
from tests.parity.settings import all_settings, corner_moves, everything_jobs, quotes_jobs, sample
from tests.parity.tools import browser_jobs

Tell = Callable[[str], None]
Answered = tuple[list[Job], list[str]]
LISTS, WATCHED = 2_400, 300
GERMAN = {
    "stopped": "Der Server startet nicht.",
    "set aside": "freigehalten",
    "turned away": "abgewiesen",
    "paused": "pausiert",
    "nobody runs": "Kein Chat",
}
"""What a sentence of each kind says in German."""
SWAPPED = [
    (35, 8000, 512, False),
    (36, 8000, 512, False),
    (90, 8000, 64, False),
    (60, 8000, 128, True),
    (30, 64000, 256, False),
]


def batches(items: Iterable[Any], size: int) -> Iterator[list[Any]]:
    """Lists of at most `size` items."""
    rest = iter(items)
    while batch := list(islice(rest, size)):
        yield batch


def compare(jobs: list[Job], chunk: int = 24) -> list[Any]:
    """Let both languages answer, fail where they part, and give the answers."""
    return compared((jobs, list(in_processes(of_python, jobs, chunk=chunk))))


def compared(answered: Answered) -> list[Any]:
    """Let the port answer too, fail where they part, and give the answers."""
    assert_agreement(*answered)
    return [json.loads(text) for text in answered[1]]


def compare_made(make: Callable[[int], Job], seeds: Iterable[int]) -> list[tuple[Job, Any]]:
    """The same for jobs made from seeds."""
    made = list(in_processes(partial(made_and_answered, make), seeds, chunk=40))
    assert_agreement([job for job, _ in made], [text for _, text in made])
    return [(job, json.loads(text)) for job, text in made]


def is_refusal(answer: Any) -> bool:
    """Whether both said no."""
    return isinstance(answer, dict) and "$refused" in answer


@pytest.fixture(scope="session")
def settings_answered() -> Answered:
    """A sample of the 8,280 settings, with the reference's answers."""
    jobs = everything_jobs(sample())
    return jobs, list(in_processes(of_python, jobs, chunk=24))


@pytest.fixture(scope="session")
def lists_answered() -> Answered:
    """Made-up lists, and whole numbers up to 2^53 − 1, with the reference's answers."""
    made = list(in_processes(partial(made_and_answered, list_job), range(LISTS), chunk=40))
    giants = giant_jobs()
    return [job for job, _ in made] + giants, [text for _, text in made] + [of_python(job) for job in giants]


@pytest.fixture(scope="session")
def tools_answered() -> Answered:
    """A sample of what the tools of the second lesson are asked, with the reference's answers."""
    jobs = [job for _, job in browser_jobs()]
    return jobs, [of_python(job) for job in jobs]


@pytest.fixture(scope="session")
def port(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a page that holds the port."""
    folder = tmp_path_factory.mktemp("port")
    bundle(folder)
    return folder


@pytest.mark.parametrize("engine", ["chromium", "firefox", "webkit"])
def test_every_browser_gives_the_same_bits(
    engine: str,
    settings_answered: Answered,
    lists_answered: Answered,
    tools_answered: Answered,
    port: Path,
    playwright: Playwright,
    tell: Tell,
) -> None:
    """Rule: what Node is held to below, each browser's engine is held to as well: numbers as bits, and sentences."""
    answered = (settings_answered, lists_answered, tools_answered)
    jobs, pythons = (list(chain(*column)) for column in zip(*answered, strict=True))
    wrong = disagreements(jobs, pythons, answers_of(engine, jobs, playwright, port))
    assert not wrong, f"{len(wrong)} of {len(jobs)} jobs disagree in {engine}\n\n" + "\n\n".join(wrong[:4])
    settings, runs = len(settings_answered[0]), sum("$refused" not in text for text in lists_answered[1])
    asked = len(tools_answered[0])
    assert settings >= 300 and runs >= 300 and asked >= 1_000
    tell(f"engine parity in {engine}: {settings} settings, {runs} made-up lists, {asked} of tools, 0 differing bits")


def test_one_wrong_bit_is_seen(settings_answered: Answered) -> None:
    """Rule: the comparison notices a single bit."""
    jobs, pythons = settings_answered
    text = pythons[0].replace('"#40', '"#41', 1)
    assert text != pythons[0]
    assert disagreements(jobs[:1], pythons[:1], [text])


def test_settings_and_all_their_words(settings_answered: Answered, tell: Tell) -> None:
    """Rule: every number serve returns, as bits, and every sentence, on a sample of the 8,280 settings."""
    settings, answers = sample(), compared(settings_answered)
    started = sum(answer["measured"]["run"] is not None for answer in answers)
    paused = sum("paused" in answer["describe"]["extra"] for answer in answers)
    assert len(set(settings)) >= 600 and started >= 500 and paused >= 40
    tell(f"engine: {len(settings)} settings, {started} start, {paused} pause, 0 differing bits")


def test_moves_and_the_words_for_them(tell: Tell) -> None:
    """Rule: every control moved in turn, settings outside the choices too: what changed, what limits."""
    jobs = everything_jobs(corner_moves())
    said = {answer["same"] for answer in compare(jobs)}
    assert len(said - {""}) >= 3
    tell(f"moves: {len(jobs)}, {len(said - {''})} kinds of “nothing changes”, 0 differences")


def test_every_number_that_can_be_quoted(tell: Tell) -> None:
    """Rule: all names of the contract and one that is none, on settings all over the choices and outside of them."""
    settings = [*sample()[::2], *corner_moves()]
    answers = compare(quotes_jobs(settings))
    compare(quotes_jobs(settings[::8], "de"))
    refused = sum(is_refusal(said) for answer in answers for _, said in answer)
    names = len(answers[0]) - 1
    assert len(set(settings)) >= 300 and names >= 20 and refused > len(settings)
    tell(f"quotes: {len(settings)} settings × {names} names, {refused} without a value, 0 differences")


def test_the_swapped_list(tell: Tell) -> None:
    """Rule: the second list of chats, where memory matters."""
    compare(everything_jobs(SWAPPED, {"$list": "swapped"}), chunk=1)
    tell(f"swapped list: {len(SWAPPED)} settings, 0 differing bits")


def test_settings_in_another_language(tell: Tell) -> None:
    """Rule: every sentence in German too, letter by letter: stopped, set aside, turned away, paused, moved."""
    jobs = everything_jobs(sample()[::2], language="de") + everything_jobs(corner_moves(), language="de")
    jobs += everything_jobs(SWAPPED, {"$list": "swapped"}, "de")
    for rows in ([], [[0, 8000, 1]], [[0, 8000, 1]] * 3, [[0, 5, 1]], [[0, 5, 1], [3.5, 5, 9]], [[0, 5, 2]] * 70):
        jobs += everything_jobs(corner_moves()[:5], {"$requests": rows}, "de")
    texts = [answer["text"] for answer in compare(jobs)]
    said = {name: sum(word in text for text in texts) for name, word in GERMAN.items()}
    tell(f"German: {len(jobs)} settings, {said}, 0 differing letters")
    assert len(jobs) >= 350 and min(said.values()) >= 5
    assert not [text for text in texts if "tokens" in text or "Memory" in text]


def test_words_that_lack_are_filled_in_alike() -> None:
    """Rule: a catalogue with holes is mended with the same templates."""
    whole = {"a": {"b": "B", "c": {"by": "n", "other": "C"}}, "d": ["D"], "e": "E"}
    forms = {"by": "n", "one": "x", "other": "y"}
    holes = [{}, {"a": {}}, {"a": {"c": "c"}, "f": 1}, {"a": "flat"}, {"a": {"c": forms}}]
    answers = compare([{"call": "facts.completed", "args": [words, whole]} for words in holes], chunk=5)
    assert answers[0] == whole and answers[2]["a"] == {"b": "B", "c": "c"}


def test_short_and_empty_lists() -> None:
    """Rule: nobody served, one chat, replies of one token: lines of their own."""
    for rows in ([], [[0, 8000, 1]], [[0, 8000, 1]] * 3, [[0, 5, 1]], [[0, 5, 1], [3.5, 5, 9]], [[0, 5, 2]] * 70):
        compare(everything_jobs(corner_moves()[:9], {"$requests": rows}), chunk=9)


def test_made_up_lists(lists_answered: Answered, tell: Tell) -> None:
    """Rule: the bits of every number serve returns, on made-up lists, a third with arrivals at instants, and giants."""
    assert_agreement(*lists_answered)
    made = [(job, json.loads(text)) for job, text in zip(*lists_answered, strict=True)][:LISTS]
    runs = [answer for _, answer in made if "$refused" not in answer]
    paused = sum(run["paused"] != "#0000000000000000" for run in runs)
    reserved = sum(job["args"][4] for job, _ in made)
    assert len(runs) >= 2_000 and paused >= 200 and reserved >= 200
    tell(f"engine: {len(runs)} made-up lists, {LISTS // 3} with arrivals at instants, {paused} pause, 0 differing bits")


def test_every_step_of_made_up_lists(tell: Tell) -> None:
    """Rule: `watch` sees the same steps in both, field by field."""
    made = compare_made(watched_job, range(10_000_000, 10_000_000 + WATCHED))
    steps = sum(len(answer["steps"]) for _, answer in made)
    tell(f"steps: {len(made)} lists, {steps} steps, 0 differing fields")


def test_watching_does_not_change_the_ports_run() -> None:
    """Rule: the port skips nothing while watched, and yet comes to the same bits."""
    made = compare_made(watched_job, range(20_000_000, 20_000_040))
    plain = compare([{**job, "args": job["args"][:-1]} for job, _ in made])
    assert plain == [answer["run"] for _, answer in made]


def test_refusals(tell: Tell) -> None:
    """Rule: both refuse the same values, name the same setting and give the same rule."""
    jobs = refused_jobs()
    answers = compare(jobs, chunk=60)
    accepted = [json.dumps(job) for job, answer in zip(jobs, answers, strict=True) if not is_refusal(answer)]
    tell(f"refusals: {len(jobs)} bad values, refused alike")
    assert accepted == []


@pytest.mark.full
def test_all_settings_and_all_their_words(tell: Tell) -> None:
    """Rule: the same on all 8,280 settings."""
    settings = all_settings()
    for batch in batches(settings, 414):
        compare(everything_jobs(batch))
    tell(f"engine: all {len(settings)} settings, 0 differing bits")


@pytest.mark.full
def test_fifty_thousand_made_up_lists(tell: Tell) -> None:
    """Rule: the same on 50,000 lists that CI never saw."""
    seeds = range(1_000_000, 1_050_000)
    for batch in batches(seeds, 2_000):
        compare_made(list_job, batch)
    tell(f"engine: {len(seeds)} made-up lists, 0 differing bits")
