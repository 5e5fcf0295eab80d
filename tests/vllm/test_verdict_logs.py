"""Start or refuse against published start-ups: the 2×2 table, from settings alone and with the printed pool."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from poolroom.vllm.refuse import PlanError
from poolroom.vllm.trial import trial

ROOT = Path(__file__).resolve().parents[2]
FACTS = ROOT / "site" / "truth" / "truth.json"
"""What is known of each published report: settings, what it printed, what is left out and why."""
STAND_IN = {"card": "h100-80gb", "version": "0.19.1"}
"""For reports that print their pool but not their card: what follows from the pool does not depend on it."""
ODD = {
    "f44847761102-llama8b-bnb-t4-lora": "bfloat16 on a T4: its dtype is not stated, and 0.7.2 refuses “auto”",
}  # fmt: skip
"""Reports whose start contradicts the settings that they state."""


def cases() -> list[dict[str, Any]]:
    """The reports that say whether they started; one that died later had started."""
    found = json.loads(FACTS.read_text("utf-8"))["cases"]
    return [case for case in found if case["outcome"] is not None]


def outcome(asked: dict[str, Any]) -> str:
    """What a plan says to these settings."""
    try:
        verdict = trial(asked)["verdict"]
    except PlanError:
        return "no plan"
    return "refuses" if verdict["outcome"] == "refuses" else "starts"


def table(name: str, asked: dict[str, dict[str, Any]], capsys: pytest.CaptureFixture[str]) -> None:
    """Print the 2×2 table and hold it to 95 percent."""
    real = {case["id"]: "refuses" if case["outcome"] == "refuses" else "starts" for case in cases()}
    said = {case: outcome(settings) for case, settings in asked.items()}
    counts = Counter((real[case], answer) for case, answer in said.items() if answer != "no plan")
    wrong = [case for case, answer in said.items() if answer not in (real[case], "no plan")]
    right = counts["starts", "starts"] + counts["refuses", "refuses"]
    total = sum(counts.values())
    with capsys.disabled():
        print(f"\n{name}: {right} of {total} reports right")
        print(f"  started: {counts['starts', 'starts']} said to start, {counts['starts', 'refuses']} said to refuse")
        print(f"  refused: {counts['refuses', 'starts']} said to start, {counts['refuses', 'refuses']} said to refuse")
        for case in wrong:
            print(f"  wrong: {case}: {ODD.get(case, 'no reason known')}")
    assert total >= 35 and counts["refuses", "refuses"] >= 8
    assert right >= 0.95 * total and set(wrong) <= set(ODD)


def test_from_settings_alone(capsys: pytest.CaptureFixture[str]) -> None:
    """Rule: start or refuse is right in at least 95 percent of the reports whose inputs are known."""
    known = {case["id"]: case["asked"] for case in cases() if "settings" not in case["left_out"]}
    table("from settings alone", known, capsys)


def test_with_the_printed_pool(capsys: pytest.CaptureFixture[str]) -> None:
    """Rule: where a report prints its pool, start or refuse follows from it."""
    known = {}
    for case in cases():
        printed = case["printed"].get("kv_gib")
        if printed is not None and "model" in case["asked"]:
            known[case["id"]] = {**STAND_IN, **case["asked"], "measured_kv_gib": printed}
    table("with the printed pool", known, capsys)
