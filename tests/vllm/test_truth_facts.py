"""The facts of the truth page against the raw reports, which stay outside the project."""

import json
from typing import Any

import pytest

import truth_facts

FACTS = json.loads(truth_facts.TRUTH.read_text("utf-8"))
CASES = FACTS["cases"]
ASKED = {
    "card", "total_gib", "in_use_gib", "model", "version", "gpu_memory_utilization", "max_model_len", "max_num_seqs",
    "max_num_batched_tokens", "tensor_parallel_size", "pipeline_parallel_size", "decode_context_parallel_size", "dtype",
    "quantization", "kv_cache_dtype", "block_size", "enforce_eager", "engine", "enable_chunked_prefill",
    "enable_prefix_caching", "flashinfer_sampler", "measured_kv_gib",
}  # fmt: skip
LONGEST_TEXT = 120


def test_the_facts_are_what_the_raw_reports_give() -> None:
    """Rule: the committed facts are exactly what the raw reports and the readings make; each report is one case."""
    reports = truth_facts.raw_reports()
    if reports is None:
        print(f"{truth_facts.RAW} is absent: the {len(CASES)} committed cases are tested by themselves.")
        return
    print(f"{len(reports)} raw reports compared with {len(CASES)} committed cases")
    assert truth_facts.text_of(truth_facts.made(reports)) == truth_facts.TRUTH.read_text("utf-8")
    assert len(reports) + len(truth_facts.readings()["more"]) == len(CASES)
    assert len({case["id"] for case in CASES}) == len(CASES)


def test_every_reading_belongs_to_a_report() -> None:
    """Rule: a reading of a report that is not there would be lost in silence."""
    assert set(truth_facts.readings()["reports"]) <= {case["id"] for case in CASES}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_a_case_has_a_source_and_its_reasons(case: dict[str, Any]) -> None:
    """Rule: a case has its source; what is left out or assumed has a reason; what counts has card, model, version."""
    assert case["source"] and case["reported_version"]
    assert set(case["asked"]) <= ASKED
    assert set(case["assumed"]) <= set(case["asked"])
    assert set(case["assumed"].values()) <= FACTS["assumptions"].keys()
    assert set(case["left_out"].values()) <= FACTS["reasons"].keys()
    assert set(case["left_out"]) <= {"settings", "given_kv"}
    assert case["outcome"] in ("starts", "refuses", "dies", None)
    assert case["memory"] in ("discrete", "unified", "cpu", "tpu", "npu")
    assert case["reads"] in ("text", "multimodal", "embedding")
    if "settings" not in case["left_out"]:
        assert {"card", "model", "version"} <= set(case["asked"])


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_a_case_holds_figures_and_no_text(case: dict[str, Any]) -> None:
    """Rule: figures and names are facts; the words of a report belong to who wrote it."""
    assert "log_lines" not in case and "notes" not in case
    assert all(isinstance(value, int | float) for value in case["printed"].values())
    texts = [*case["asked"].values(), case["id"], case["source"], case["reported_version"]]
    assert all(len(text) <= LONGEST_TEXT for text in texts if isinstance(text, str))


def test_the_run_that_is_kept_from_fitting_says_so() -> None:
    """Rule: the one measured run is marked, and nothing may be fitted on it."""
    kept = [case["id"] for case in CASES if case.get("kept_from_fitting")]
    assert kept == ["real-rtx4090-llama31-8b"]
