"""The whole budget: it adds up, moves the right way, and says what people were told by their cards."""

from collections.abc import Iterator
from typing import Any

import pytest

from poolroom.vllm.budget import budget, given_kv_bytes, others_bytes, requested_bytes
from poolroom.vllm.capacity import fits
from poolroom.vllm.settings import resolve
from tests.vllm.chances import resolved

GIB = 2**30
LLAMA = "meta-llama/Llama-3.1-8B-Instruct"
PARTS = ["weights", "activation", "non_torch", "penalties", "graphs"]


def asked(**given: Any) -> Any:
    """Settings with defaults for the rest."""
    return resolve({"card": "RTX-3090", "model": LLAMA, **given})


def by_chance(count: int) -> Iterator[Any]:
    """Settings by chance whose budget can be made."""
    for seed in range(count):
        settings = resolved(seed)
        if settings is not None:
            yield settings


def fits_longest(settings: Any) -> bool:
    """Whether one longest chat fits."""
    made = budget(settings)
    return fits(settings, made["stages"][made["stage"]]["layout"], made["kv_bytes"], settings["longest"])


def test_everything_adds_up_to_what_is_requested() -> None:
    """Rule: parts, what others hold and the cache are exactly total × share rounded up, on every stage."""
    seen = 0
    for settings in by_chance(900):
        made = budget(settings)
        assert made["requested_bytes"] == requested_bytes(settings["total_bytes"], settings["share"])
        assert made["requested_bytes"] - 1 < settings["total_bytes"] * settings["share"] <= made["requested_bytes"]
        for stage in made["stages"]:
            assert [part["name"] for part in stage["parts"]] == PARTS
            if given_kv_bytes(settings) is None:
                taken = sum(part["bytes"] for part in stage["parts"]) + stage["others_bytes"] + stage["kv_bytes"]
                assert taken == made["requested_bytes"]
                assert stage["kv_low"] <= stage["kv_bytes"] <= stage["kv_high"]
            else:
                assert stage["kv_low"] == stage["kv_bytes"] == stage["kv_high"] == given_kv_bytes(settings)
        assert made["kv_bytes"] == made["stages"][made["stage"]]["kv_bytes"]
        assert all(made["stages"][made["stage"]]["blocks"] <= stage["blocks"] for stage in made["stages"])
        seen += 1
    assert seen > 500


@pytest.mark.parametrize(
    ("name", "values", "grows"),
    [
        ("share", [0.3, 0.5, 0.9, 0.95], True),
        ("total_bytes", [16 * GIB, 24 * GIB, 80 * GIB], True),
        ("batched_tokens", [64, 512, 2_048, 8_192, 65_536], False),
        ("seats", [1, 16, 256, 1_024, 4_096], False),
    ],
)
def test_the_cache_moves_one_way(name: str, values: list[Any], grows: bool) -> None:
    """Rule: more share or memory never shrinks it; more tokens a step or more seats never grow it."""
    for settings in by_chance(300):
        made = [budget({**settings, name: value}) for value in values]
        rows = [[each["blocks"] for each in made]]
        rows += [[each["stages"][stage]["kv_bytes"] for each in made] for stage in range(settings["pp"])]
        for sizes in rows:
            ordered = sizes if grows else list(reversed(sizes))
            assert ordered == sorted(ordered), settings["given"]


def test_what_was_measured_replaces_what_is_predicted() -> None:
    """Rule: a measured part has no spread; with all parts measured the cache is the difference, exactly."""
    settings = asked(
        version="0.6.4", max_model_len=29_000, total_gib=23.58, measured_weights_gib=14.9888,
        measured_activation_gib=2.99, measured_non_torch_gib=0.35,
    )  # fmt: skip
    made = budget(settings)
    parts = made["stages"][0]["parts"]
    assert [part["kind"] for part in parts] == ["measured", "measured", "measured", "rule", "rule"]
    assert all(part["low"] == part["bytes"] == part["high"] for part in parts)
    assert made["kv_bytes"] / GIB == pytest.approx(23.58 * 0.9 - 14.9888 - 2.99 - 0.35, abs=1e-8)
    assert others_bytes(settings) == 0


def test_a_given_cache_is_used_as_it_is() -> None:
    """Rule: kv_cache_memory_bytes, or a measured cache, is the cache; the share sizes nothing (#33263: 65 blocks)."""
    settings = resolve(
        {"card": "RTX-3090", "model": "Qwen/Qwen3-1.7B", "max_model_len": 1_024, "max_num_seqs": 1, "version": "0.33.0",
         "kv_cache_memory_bytes": 119_275_520}
    )  # fmt: skip
    made = budget(settings)
    assert (made["kv_bytes"], made["blocks"]) == (119_275_520, 65)
    taken = sum(part["bytes"] for part in made["stages"][0]["parts"]) + 119_275_520
    assert made["unused_bytes"] == settings["free_bytes"] - taken
    assert budget(asked(measured_kv_gib=-0.53, version="0.10.1"))["blocks"] == 0


def test_a_number_of_blocks_replaces_the_blocks() -> None:
    """Rule: num_gpu_blocks_override is the pool; the bytes stay what they are."""
    free = budget(asked(version="0.19.1"))
    made = budget(asked(version="0.19.1", num_gpu_blocks_override=512))
    assert (made["blocks"], made["capacity"]["blocks"], made["kv_bytes"]) == (512, 512, free["kv_bytes"])


@pytest.mark.parametrize(
    ("version", "engine", "counts"),
    [("0.6.3", None, False), ("0.6.4", None, True), ("0.6.6", None, False), ("0.8.5", "V1", True),
     ("0.9.2", None, False)],
)  # fmt: skip
def test_whose_memory_counts(version: str, engine: str | None, counts: bool) -> None:
    """Rule: what others hold is taken from the share by V0 in 0.6.4 and by V1 up to 0.8.5, and not after."""
    given = {"version": version, "max_model_len": 8_192, "measured_activation_gib": 1.0}
    if engine is not None:
        given["engine"] = engine
    alone = budget(asked(**given, in_use_gib=0))
    beside = budget(asked(**given, in_use_gib=3.0))
    assert alone["kv_bytes"] - beside["kv_bytes"] == (3 * GIB if counts else 0)
    left = [each["unused_bytes"] - each["lacking_bytes"] for each in (alone, beside)]
    assert left[1] == left[0] - (0 if counts else 3 * GIB)
    assert min(beside["unused_bytes"], beside["lacking_bytes"]) == 0


def test_the_smallest_stage_decides() -> None:
    """Rule: each stage of a pipeline has its own layers; the pool is that of the fewest blocks; the last samples."""
    made = budget(asked(version="0.11.0", pipeline_parallel_size=2, max_model_len=8_192))
    first, last = made["stages"]
    assert first["parts"][1]["bytes"] < last["parts"][1]["bytes"]
    assert made["blocks"] == min(first["blocks"], last["blocks"])


def test_the_riddle_of_29000() -> None:
    """Rule: #10517: 20,000 and 35,000 start, 29,000 does not: it is left 2.89 GiB = 23,648 tokens, to 2 %."""
    for longest, starts in ((20_000, True), (29_000, False), (35_000, True)):
        settings = asked(version="0.6.4", max_model_len=longest, gpu_memory_utilization=0.9)
        assert fits_longest(settings) is starts, longest
    made = budget(asked(version="0.6.4", max_model_len=29_000, total_gib=23.58))
    assert made["kv_bytes"] / GIB == pytest.approx(2.89, rel=0.02)
    assert made["capacity"]["tokens"] == pytest.approx(23_648, rel=0.02)
    exact = asked(
        version="0.6.4", max_model_len=29_000, total_gib=23.58, measured_weights_gib=14.9888,
        measured_activation_gib=2.99, measured_non_torch_gib=0.35,
    )  # fmt: skip
    assert budget(exact)["capacity"]["tokens"] == pytest.approx(23_648, abs=160)


def test_three_points_of_share_are_three_points_of_the_card() -> None:
    """Rule: club-3090#323: 0.07 GiB at 0.92 becomes 0.78 at 0.95, since 0.03 × 23.58 = 0.71: exact arithmetic."""
    given = {"model": "Qwen/Qwen3.5-27B", "version": "0.22.1", "total_gib": 23.58, "measured_weights_gib": 20.0}
    at = {share: budget(asked(**given, gpu_memory_utilization=share))["kv_bytes"] / GIB for share in (0.92, 0.95)}
    assert at[0.95] - at[0.92] == pytest.approx(0.03 * 23.58, abs=1e-8)
    assert 0.07 + at[0.95] - at[0.92] == pytest.approx(0.78, abs=0.005)


def test_tokens_a_step_cost_cache() -> None:
    """Rule: vllm#48322, an RTX 4090 with Qwen3-8B: from 2,048 to 8,192 tokens the pool falls, and back it grows.

    With kernels compiled before, the high end of the budget, both printed figures come out to 1 %.
    """
    pools = {}
    for tokens in (2_048, 8_192):
        made = budget(
            resolve(
                {"card": "RTX-4090", "total_gib": 23.64, "model": "Qwen/Qwen3-8B", "version": "0.24.0",
                 "gpu_memory_utilization": 0.9, "max_num_batched_tokens": tokens}
            )
        )  # fmt: skip
        stage = made["stages"][0]
        part = {each["name"]: each for each in stage["parts"]}
        warm = stage["kv_bytes"] + part["activation"]["bytes"] - part["activation"]["low"]
        pools[tokens] = (made["capacity"]["tokens"], warm // stage["layout"]["block_bytes"] * 16)
    assert pools[2_048][0] > pools[8_192][0]
    assert pools[2_048][1] == pytest.approx(40_464, rel=0.01)
    assert pools[8_192][1] == pytest.approx(36_720, rel=0.01)
    assert pools[2_048][1] - pools[8_192][1] == pytest.approx(3_744, rel=0.02)
