"""What is fitted, on what, and how well it predicts starts that it has not seen."""

import json
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

import fit
from poolroom.vllm.budget import budget

MOST_CONSTANTS = 6
MEDIAN, P90, HELD_OUT = 0.02, 0.10, 0.02
LEAST_STARTS = 20
FACTS: dict[str, Any] = json.loads(fit.FITTED.read_text("utf-8"))
STARTS = fit.cases()
Tell = Callable[[str], None]


@pytest.fixture(scope="module")
def rows() -> list[tuple[fit.Case, float]]:
    """Each start that counts, predicted by constants fitted without it."""
    return fit.trial(STARTS)


def test_at_most_six_constants_are_fitted() -> None:
    """Rule: six, each with unit, meaning, spread and its starts; every other figure is a rule with a source."""
    assert len(FACTS["constants"]) <= MOST_CONSTANTS
    for name, constant in FACTS["constants"].items():
        assert constant["kind"] == "fitted" and constant["unit"] and constant["meaning"], name
        assert 0 <= constant["low"] <= constant["value"] <= constant["high"], name
        assert len(constant["fitted_on"]) >= 3, name
    for name in ("sampler", "compiles", "graphs", "penalties", "context"):
        assert FACTS[name]["source"] and FACTS[name]["kind"] in ("rule", "log"), name


def test_the_file_is_what_the_fit_makes() -> None:
    """Rule: every fitted figure comes from the starts by `site/make/fit.py`, none by hand."""
    assert fit.text_of(STARTS) == fit.FITTED.read_text("utf-8")


def test_unseen_starts_are_predicted(rows: list[tuple[fit.Case, float]], tell: Tell) -> None:
    """Rule: from settings alone, weights too: 2 % in the median, 10 % at the 90th percentile, each start unseen."""
    for place in ("reports", "found", ""):
        end = fit.summary(rows, place)
        name = {"reports": "of truth.json", "found": "of starts.json", "": "in all"}[place]
        tell(f"fit: {end['count']} unseen starts {name}: median {end['median']:.2%}, 90th percentile {end['p90']:.2%}")
    assert end["count"] >= LEAST_STARTS
    for place in ("reports", ""):  # without the starts that were looked for, and with them
        end = fit.summary(rows, place)
        assert end["median"] <= MEDIAN and end["p90"] <= P90


def test_the_held_out_start_is_never_fitted_on(rows: list[tuple[fit.Case, float]]) -> None:
    """Rule: the RTX 4090 with Llama-3.1-8B under 0.19 (2,588 blocks) comes within 2 % and stands in no fit."""
    held_out = {case["id"]: error for case, error in rows if case["held_out"]}
    assert list(held_out) == fit.read(fit.STARTS)["held_out"]
    assert all(abs(error) <= HELD_OUT for error in held_out.values()), held_out
    used = {case for constant in FACTS["constants"].values() for case in constant["fitted_on"]}
    assert not used & set(held_out)
    assert not [case for case in used if "4090" in case and "llama" in case.lower()]


def test_who_does_not_count_has_a_reason(rows: list[tuple[fit.Case, float]], tell: Tell) -> None:
    """Rule: each start counts or has its reason: several cards, unified memory, images, settings that are not known."""
    reasons = Counter(fit.why_not(case) for case in STARTS)
    tell("fit: not counted: " + "; ".join(f"{reason} {count}" for reason, count in reasons.most_common() if reason))
    assert reasons[""] == len(rows) and sum(reasons.values()) == len(STARTS)


def test_what_is_predicted_badly_is_said(tell: Tell) -> None:
    """Rule: starts on several cards are tried too; their errors are shown and not counted."""
    errors = {}
    for case in STARTS:
        if fit.why_not(case) == "several cards" and fit.has_cache(case) and fit.settings_of(case) is not None:
            errors[case["id"]] = fit.error_of(case)
    ordered = sorted(abs(error) for error in errors.values())
    tell(f"fit: {len(errors)} starts on several cards, not counted: median {fit.median(ordered):.1%}")
    assert len(errors) >= 8


def test_a_start_left_out_changes_the_fit() -> None:
    """Rule: leaving a start out really leaves it out."""
    found = fit.refitted(STARTS)
    for name, pairs in found.items():
        left = fit.constants(found, without=pairs[0][0])
        assert pairs[0][0] not in left[name]["fitted_on"]
        assert pairs[0][0] in fit.constants(found)[name]["fitted_on"]


def test_constants_return_after_a_trial() -> None:
    """Rule: other constants hold only for as long as they are tried."""
    case = next(case for case in STARTS if case["held_out"])
    before = budget(fit.settings_of(case))
    found = fit.constants(fit.refitted(STARTS))
    found["sort_bytes"]["value"] += 10
    found["compile_bytes"]["value"] += 10**9
    with fit.fitted(found):
        assert budget(fit.settings_of(case)) != before
    assert budget(fit.settings_of(case)) == before
