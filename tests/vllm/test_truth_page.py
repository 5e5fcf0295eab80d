"""The figures of the truth page: worked out anew, held against those that are kept, and against what is aimed at."""

from collections.abc import Callable

import pytest

import truth_numbers as truth
from poolroom.vllm.plan_facts import FITTED
from truth_numbers import Report

Tell = Callable[[str], None]
MOST_CONSTANTS = 6
MEDIAN, NINETIETH, KEPT, RIGHT, EXACT = 0.02, 0.10, 0.02, 0.95, 0.95


def test_no_figure_has_moved_without_the_kept_ones() -> None:
    """Rule: where a figure moves, the kept figures are renewed in the same commit; every one that moved is named."""
    lines = truth.moved(truth.kept(), truth.figures())
    assert lines == [], "run python site/make/truth_numbers.py:\n" + "\n".join(lines[:20])
    assert truth.KEPT.read_text("utf-8") == truth.text_of(truth.figures())


def test_a_moved_figure_is_named() -> None:
    """Rule: the comparison sees a figure that differs, one that is new, and one that is gone."""
    before = {"settings": {"one": {"tokens": 1, "blocks": 2}, "gone": {"tokens": 3}}}
    after = {"settings": {"one": {"tokens": 1, "blocks": 4}, "new": {"tokens": 5}}}
    assert truth.moved(before, before) == []
    assert truth.moved(before, after) == [
        "/settings/one/blocks: kept 2, now 4",
        "/settings/gone: kept {'tokens': 3}, now None",
        "/settings/new/tokens: kept None, now 5",
    ]


def test_from_settings_alone(tell: Tell) -> None:
    """Rule: text models on one card, each without its own report: half are within 2 %, nine in ten within 10 %."""
    fresh = truth.overall(fresh=True)
    assert fresh.median is not None and fresh.ninetieth is not None
    tell(
        f"truth: pool from settings alone, {fresh.count} starts of text models on one card, each left out of its fit: "
        f"median {fresh.median:.2%}, 90th percentile {fresh.ninetieth:.2%}"
    )
    assert fresh.count >= 20
    assert fresh.median <= MEDIAN and fresh.ninetieth <= NINETIETH


def test_the_run_that_nothing_was_fitted_on(tell: Tell) -> None:
    """Rule: it comes within 2 %, and no constant names it; there are at most six constants."""
    one = truth.kept_run()
    tell(f"truth: {one.id}, 41,408 tokens printed, {one.plan['tokens']:,} planned: {one.off}")
    assert one.case["printed"]["tokens"] == 41_408 and one.case["printed"]["blocks"] == 2_588
    assert one.error is not None and abs(one.error) <= KEPT
    assert len(FITTED["constants"]) <= MOST_CONSTANTS
    assert all(one.id not in constant["fitted_on"] for constant in FITTED["constants"].values())


def test_start_or_refuse(tell: Tell) -> None:
    """Rule: right in at least 95 % of the reports that say how it ended."""
    counts = truth.outcomes()
    right = counts["starts"]["starts"] + counts["refuses"]["refuses"]
    total = right + counts["starts"]["refuses"] + counts["refuses"]["starts"]
    tell(f"truth: start or refuse right in {right} of {total} reports ({counts['refuses']['refuses']} refusals)")
    assert right >= RIGHT * total


def test_once_the_memory_is_known(tell: Tell) -> None:
    """Rule: tokens, blocks, concurrency and refusals follow exactly; at most 5 % do not, each with its reason."""
    (_, known), (_, others) = truth.followed()
    wrong = truth.inexact()
    tell(f"truth: exact in {len(known) + len(others) - len(wrong)} of {len(known) + len(others)} reports, "
         f"{len(known)} of them from the printed GiB")  # fmt: skip
    assert len(wrong) <= (1 - EXACT) * (len(known) + len(others))
    hybrids = {"vb-gptoss-120b-a100-tp4-u80": "284.25", "v19964-e5-mistral-bnb": "526.71"}
    shown = {one.id: one.planned("concurrency") for one in known}
    assert {name: shown[name] for name in hybrids} == hybrids


def test_every_miss_has_its_reason() -> None:
    """Rule: the page owes a reason for each miss, and gives none for a report that is no miss."""
    assert {one.id for one, _ in truth.misses()} == set(truth.reasons_of_misses())


def test_every_report_is_on_the_page() -> None:
    """Rule: a report is predicted from its settings, or there is a reason why not; none is lost."""
    planned = {one.id for one in truth.reports()}
    left = {one.id for _, some in truth.left_out("settings") for one in some}
    assert planned.isdisjoint(left)
    assert planned | left == {case["id"] for case in truth.facts()["cases"]}


def test_the_count_of_the_fit_is_that_of_the_page() -> None:
    """Rule: the fit's own trial and the page count the same reports, and come to the same."""
    fresh = truth.overall(fresh=True)
    trial = FITTED["trial"]
    assert (fresh.count, round(fresh.median or 0, 4), round(fresh.ninetieth or 0, 4)) == (
        trial["count"], trial["median"], trial["p90"],
    )  # fmt: skip


@pytest.mark.parametrize(
    ("source", "short", "address"),
    [
        ("vllm-project/vllm#10517", "vllm#10517", "https://github.com/vllm-project/vllm/issues/10517"),
        ("club-3090#104", "club-3090#104", ""),
        ("public repository file, text index id 703, fifth attempt", "public file 703", ""),
        ("vLLM-benchmarking (log/ folder)", "vLLM-benchmarking", ""),
        ("casys-kaist/LLMServingSim, bench/meta.json, commit 0acc21b", "LLMServingSim", ""),
    ],
)
def test_sources_are_short_and_lead_to_their_thread(source: str, short: str, address: str) -> None:
    """Rule: a thread on GitHub is linked; the name is short, whatever stands in the facts."""
    one = Report({"source": source}, {})
    assert (one.source, one.address) == (short, address)
