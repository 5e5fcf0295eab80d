"""What a start needs beside weights and cache: by version, against printed figures and by hand."""

from typing import Any

import pytest

from poolroom.vllm.graphs import graph_sizes, graphs, graphs_beside, graphs_captured, graphs_counted
from poolroom.vllm.refuse import PlanError
from poolroom.vllm.reserve import (
    activation,
    compiles,
    forward_bytes,
    multimodal,
    non_torch,
    penalties,
    sampler_bytes,
    sampler_of,
)  # fmt: skip
from poolroom.vllm.settings import resolve
from tests.vllm.chances import resolved

GIB = 2**30
LLAMA, QWEN3, QWEN25 = "meta-llama/Llama-3.1-8B-Instruct", "Qwen/Qwen3-8B", "Qwen/Qwen2.5-7B-Instruct"


def asked(model: str = LLAMA, card: str = "H100-80GB", **given: Any) -> Any:
    """Settings with defaults for the rest."""
    return resolve({"card": card, "model": model, **given})


@pytest.mark.parametrize(
    ("given", "printed"),
    [
        ({"version": "0.11.0"}, 4.76),
        ({"version": "0.11.0", "model": "Qwen/Qwen3-0.6B"}, 5.56),
        ({"version": "0.11.0", "model": "Qwen/Qwen3-32B"}, 5.64),
        ({"version": "0.11.0", "model": "meta-llama/Llama-3.3-70B-Instruct", "tensor_parallel_size": 2}, 4.84),
        ({"version": "0.11.0", "model": "Qwen/Qwen3-32B", "tensor_parallel_size": 2}, 5.64),
        ({"version": "0.8.1", "engine": "V0", "model": QWEN25, "card": "A10G", "max_model_len": 6_600}, 1.43),
        ({"version": "0.6.6", "model": "meta-llama/Meta-Llama-3-8B-Instruct"}, 1.26),
        ({"version": "0.7.0", "card": "A10", "max_model_len": 131_072}, 0.22),
        ({"version": "0.6.4", "card": "RTX-3090", "max_model_len": 20_000}, 2.07),
        ({"version": "0.6.4", "card": "RTX-3090", "max_model_len": 29_000}, 2.99),
        ({"version": "0.6.4", "card": "RTX-3090", "max_model_len": 35_000}, 0.06),
        ({"version": "0.11.0", "card": "RTX-4090", "model": "Qwen/Qwen3-8B-FP8", "max_model_len": 1_024}, 1.40),
    ],
)  # fmt: skip
def test_the_peak_is_the_printed_one(given: dict[str, Any], printed: float) -> None:
    """Rule: the larger of forward pass and sampler is what 0.6.4 to 0.11.0 print, to 0.04 GiB, with TP too."""
    assert activation(asked(**given), 0)["bytes"] / GIB == pytest.approx(printed, abs=0.04)


def test_a_forward_pass_by_hand() -> None:
    """Rule: 2,048 tokens × 3 × (14,336 + 4,096) values × 2 bytes; tensor parallel divides the feed-forward part."""
    settings = asked(max_num_batched_tokens=2_048)
    assert forward_bytes(settings, 3.0) == 2_048 * 3 * (14_336 + 4_096) * 2
    assert forward_bytes({**settings, "tp": 4}, 3.0) == 2_048 * 3 * (14_336 // 4 + 4_096) * 2


def test_a_sampler_by_hand() -> None:
    """Rule: bytes a word and seat × words × seats, and the hidden states of the step; never more seats than tokens."""
    settings = asked(max_num_batched_tokens=2_048, max_num_seqs=256)
    assert sampler_bytes(settings, 14.0) == 14 * 128_256 * 256 + 2_048 * 4_096 * 2
    assert sampler_bytes({**settings, "seats": 4_096}, 14.0) == 14 * 128_256 * 2_048 + 2_048 * 4_096 * 2


@pytest.mark.parametrize(
    ("version", "model", "sampler"),
    [
        ("0.6.4", QWEN25, "sort"), ("0.11.0", LLAMA, "sort"), ("0.16.0", LLAMA, "sort"),
        ("0.17.1", LLAMA, "probabilities"), ("0.19.1", QWEN3, "probabilities"), ("0.23.0", LLAMA, "probabilities"),
        ("0.24.0", QWEN3, "copy"), ("0.28.0", LLAMA, "logits"), ("0.33.0", LLAMA, "logits"),
    ],
)  # fmt: skip
def test_the_sampler_follows_version_and_runner(version: str, model: str, sampler: str) -> None:
    """Rule: it sorts up to 0.16, keeps probabilities from 0.17, in runner V2 a copy and then the logits alone."""
    assert sampler_of(asked(model, version=version)) == sampler


def test_v0_with_chunks_samples_nothing() -> None:
    """Rule: above 32,768 tokens V0 cuts prompts, and its profile run then holds the forward pass alone."""
    settings = asked(card="RTX-3090", version="0.6.4", max_model_len=35_000)
    assert sampler_of(settings) == "none"
    assert activation(settings, 0)["bytes"] == forward_bytes(settings, 3.01)


def test_tables_of_penalties_by_hand() -> None:
    """Rule: 4 bytes and one bit for each word and seat, in model runner V2 and on the last stage only."""
    settings = asked(version="0.33.0", max_num_seqs=1_024)
    assert penalties(settings, 0)["bytes"] == 1_024 * (128_256 * 4 + 4_008 * 4)
    assert penalties({**settings, "pp": 2}, 0)["bytes"] == 0
    assert penalties({**settings, "pp": 2}, 1)["bytes"] > 0
    assert penalties(asked(version="0.19.1"), 0)["bytes"] == 0


@pytest.mark.parametrize(
    ("seats", "pieces", "whole"), [(256, 51, 35), (128, 35, 19), (1_024, 51, 51), (4, 4, 3), (40, 13, 8), (1, 2, 1)]
)
def test_sizes_of_graphs(seats: int, pieces: int, whole: int) -> None:
    """Rule: as 0.19 prints: PIECEWISE=51 (largest=512), FULL=35 (largest=256) at 256 seats."""
    settings = asked(version="0.19.1", max_num_seqs=seats, max_num_batched_tokens=2_048)
    assert (graph_sizes(settings, 2_048), graph_sizes(settings, seats)) == (pieces, whole)
    assert graphs_captured(settings) == pieces + whole
    assert graphs_captured({**settings, "eager": True}) == 0


@pytest.mark.parametrize(
    ("given", "counted"),
    [
        ({"version": "0.17.1"}, False), ({"version": "0.19.1"}, False), ({"version": "0.20.0"}, True),
        ({"version": "0.19.1", "estimate_cudagraphs": True}, True),
        ({"version": "0.20.0", "estimate_cudagraphs": False}, False),
        ({"version": "0.20.0", "enforce_eager": True}, False),
        ({"version": "0.28.0"}, False), ({"version": "0.29.0"}, True), ({"version": "0.6.4"}, False),
        ({"version": "0.23.0", "card": "MI300X"}, False), ({"version": "0.33.0", "card": "MI300X"}, True),
    ],
)  # fmt: skip
def test_where_graphs_count(given: dict[str, Any], counted: bool) -> None:
    """Rule: by version and switch; runner V2 estimates nothing up to 0.28. What does not count comes on top."""
    settings = asked(**given)
    assert graphs_counted(settings) is counted
    assert (graphs(settings)["bytes"] > 0) is counted
    assert (graphs_beside(settings) > 0) is (not counted and not settings["eager"])


def test_an_encoder_is_named_and_not_counted() -> None:
    """Rule: images and sound take what no setting tells; the part says that there is such an encoder, and 0 bytes."""
    assert multimodal(asked("google/gemma-3-27b-it"))["source"] == "multimodal_not_counted"
    assert multimodal(asked(LLAMA)) == {
        "name": "multimodal", "bytes": 0, "low": 0, "high": 0, "kind": "guessed", "source": "multimodal_none",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("given", "does"),
    [
        ({"version": "0.11.0"}, False), ({"version": "0.15.1"}, True), ({"version": "0.33.0"}, True),
        ({"version": "0.33.0", "enforce_eager": True}, False), ({"version": "0.8.5", "engine": "V0"}, False),
    ],
)  # fmt: skip
def test_where_a_first_start_compiles(given: dict[str, Any], does: bool) -> None:
    """Rule: from 0.15.1 a first start tries kernels out, unless it is eager; a start from the cache is the low end."""
    settings = asked(max_num_batched_tokens=2_048, max_num_seqs=1, **given)
    assert compiles(settings) is does
    part = activation(settings, 0)
    assert (part["bytes"] - part["low"] > 900_000_000) is does


def test_every_spread_holds_what_is_expected() -> None:
    """Rule: low ≤ bytes ≤ high, and none is negative, for settings by chance."""
    seen = 0
    for seed in range(600):
        settings = resolved(seed)
        if settings is None:
            continue
        for part in (activation(settings, 0), non_torch(settings), penalties(settings, 0), graphs(settings)):
            assert 0 <= part["low"] <= part["bytes"] <= part["high"], (seed, part)
            seen += 1
    assert seen > 1_000


def test_sizes_beyond_exact_numbers_are_refused() -> None:
    """Rule: what both languages cannot hold exactly is refused, naming the setting."""
    settings = asked()
    with pytest.raises(PlanError, match="max_num_seqs"):
        sampler_bytes({**settings, "seats": 2**40, "batched_tokens": 2**40}, 14.0)
