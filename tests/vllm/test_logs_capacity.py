"""The cache's arithmetic against published start-ups: given the printed memory, all other figures to the last digit."""

from collections import Counter
from collections.abc import Callable

import pytest

from poolroom.vllm.capacity import blocks_of, capacity, estimated_longest, fits
from poolroom.vllm.layout import layout_of
from poolroom.vllm.settings import resolve
from tests.vllm.log_cases import FACTS, GIB, MISSES, Case, asked_of, figures_of, rounding, rows, table

Tell = Callable[[str], None]
LEAST_CASES = 60
"""How many reports of the folder are complete; fewer would mean that a model or a version is no longer read."""


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    """Every complete case; none where the folder of reports is absent."""
    return table()


def test_every_complete_case(cases: list[Case], tell: Tell) -> None:
    """Rule: given the memory that a report prints, blocks, tokens, chats, needed GiB and estimated length are exact."""
    if not cases:
        tell(f"logs: {FACTS} is absent; the figures in test_layout and test_capacity are tested")
        return
    missed = {case["id"] for case in cases if case["exact"] != case["checks"]}
    figures = Counter(name for case in cases for name in case["checks"])
    told = ", ".join(f"{count} {name}" for name, count in sorted(figures.items()))
    tell(f"logs: {len(cases) - len(missed)} of {len(cases)} complete cases exact ({told}); {len(MISSES)} exceptions")
    assert missed == set(MISSES)
    assert len(cases) >= LEAST_CASES
    assert 20 * len(MISSES) <= len(cases)


def test_what_is_inferred_is_said(cases: list[Case], tell: Tell) -> None:
    """Rule: a case that needs more than its report says has a note, and most need none."""
    inferred = [case["id"] for case in cases if case["note"] and case["id"] not in MISSES]
    tell(f"logs: {len(inferred)} of {len(cases)} cases with something inferred")
    assert 5 * len(inferred) <= len(cases) or not cases


def test_a_report_left_out_lacks_something(cases: list[Case]) -> None:
    """Rule: a report with printed tokens or chats that is not a case lacks its model, its memory or its settings."""
    found = {case["id"] for case in cases}
    left = [row for row in rows() if row["id"] not in found and figures_of(row)]
    complete = [row["id"] for row in left if asked_of(row)["model"] and row["kv_cache_gib"] and row["kv_cache_gib"] > 0]
    assert complete == []


@pytest.mark.parametrize(
    ("model", "asked", "blocks", "tokens", "concurrency"),
    [
        # Four A100, 45.32 GiB a card.
        (
            "openai/gpt-oss-120b",
            {
                "version": "0.10.1.1",
                "tensor_parallel_size": 4,
                "max_model_len": 16_384,
                "max_num_batched_tokens": 2_048,
            },
            330_018,
            2_640_144,
            "284.25",
        ),
        # vllm-project/vllm#19964: all layers slide, so each chat takes one block more.
        (
            "intfloat/e5-mistral-7b-instruct",
            {"version": "0.9.1.dev287", "max_model_len": 1_024},
            34_236,
            547_776,
            "526.71",
        ),
        # llm-d-benchmark: blocks of 128, 28.20 GiB; 1444 ÷ 125.
        (
            "mistralai/Mistral-Small-3.2-24B-Instruct-2506",
            {"version": "0.11.0", "max_model_len": 16_000, "block_size": 128},
            1_444,
            184_832,
            "11.55",
        ),
    ],
)
def test_figures_of_reports(model: str, asked: dict[str, object], blocks: int, tokens: int, concurrency: str) -> None:
    """Rule: what these reports print of their blocks, tested without the folder too."""
    settings = resolve({"card": "A100-80GB", "model": model, **asked})
    held = capacity(settings, layout_of(settings, 0), blocks)
    assert (held["tokens"], f"{held['concurrency']:.2f}") == (tokens, concurrency)


def test_the_states_of_two_radeons() -> None:
    """Rule: vllm.md §3, refusal 9: 256 seats above 161 blocks, with all that vllm-project/vllm#49064 prints.

    Two RX 7900 XT, 0.23.1, a hybrid of 48 and 16 layers, 3.86 GiB for the cache: refused at 132,000 with 123,872
    estimated, 123,399 tokens at 122,633. Prefixes are not kept, which for hybrids is that release's default.
    """
    asked = {"card": "RX-7900-XT", "model": "Qwen/Qwen3.5-27B", "version": "0.23.1", "tensor_parallel_size": 2}
    least, most = rounding(3.86)
    settings = resolve({**asked, "max_model_len": 122_633})
    layout = layout_of(settings, 0)
    assert {blocks_of(layout, least), blocks_of(layout, most)} == {161}
    assert capacity(settings, layout, 161)["tokens"] == 123_399
    longer = resolve({**asked, "max_model_len": 132_000})
    assert not fits(longer, layout, most, 132_000)
    assert estimated_longest(longer, layout, most) == 123_872


def test_the_states_of_one_h100(tell: Tell) -> None:
    """Rule: vllm.md §3, refusal 9: 1,024 seats above 969 blocks: 46.4 GiB, which the card has beside weights in 8 bits.

    vllm-project/vllm#49064 again, on a card whose memory for the cache is not printed. Of the other four refusals (856,
    512, 161 of another model, 95) neither model nor memory is known, so nothing can be reproduced.
    """
    settings = resolve({"card": "H100-80GB", "model": "Qwen/Qwen3.5-27B", "version": "0.28.0"})
    layout = layout_of(settings, 0)
    held = 969 * layout["block_bytes"]
    assert blocks_of(layout, held) == 969 < settings["seats"]
    tell(
        f"logs: 969 state blocks are {held / GIB:.2f} GiB; {held / GIB + 27:.1f} with a gigabyte for each of 27 billion"
    )
    assert held < 0.9 * settings["total_bytes"] - 24 * GIB
