"""The ten situations in which somebody arrives, answered with the numbers of the reports.

Inputs are what each report states; where it prints a figure, that figure goes in as measured.
"""

from typing import Any

import pytest

from poolroom.vllm.demand import demand_of
from poolroom.vllm.fix_words import fix_lines, reach_lines
from poolroom.vllm.plan import Plan, plan
from poolroom.vllm.plan_words import as_text
from poolroom.vllm.rounding import GIB_BYTES as GIB
from poolroom.vllm.trial import changed, trial
from poolroom.vllm.upgrade import compare

LLAMA = "meta-llama/Llama-3.1-8B-Instruct"


def fix(found: Plan, *levers: str) -> dict[str, Any]:
    """The first change that touches just these settings."""
    assert found["fixes"] is not None
    return next(dict(fix) for fix in found["fixes"]["fixes"] if set(fix["changes"]) == set(levers))


def gib(found: Plan) -> float:
    """The pool, GiB."""
    return found["budget"]["kv_bytes"] / GIB


def order_of(found: Plan) -> list[list[str]]:
    """What each change touches, the cheapest first."""
    return [] if found["fixes"] is None else [list(fix["changes"]) for fix in found["fixes"]["fixes"]]


def test_1_no_share_does_it() -> None:
    """Rule: recipes#12: 248 KiB a token; 205,728 as is, 235,296 at 0.95; no share does it; fp8 starts with 1.57x."""
    asked = {
        "card": "h20-141gb", "total_gib": 139.85, "model": "Qwen/Qwen3-Coder-480B-A35B-Instruct-FP8",
        "version": "0.10.1.dev101", "max_model_len": 262_144, "measured_kv_gib": 48.66,
    }  # fmt: skip
    found = plan(asked)
    text = as_text(found)
    assert "(62.00 GiB KV cache is needed, which is larger than the available KV cache memory (48.66 GiB)" in text
    assert "the estimated maximum model length is 205728" in text
    assert "A token takes 248.0 KiB." in text
    assert fix(found, "max_model_len")["value"] == 205_728
    assert fix(found, "gpu_memory_utilization", "max_model_len")["changes"] == {
        "gpu_memory_utilization": 0.95, "max_model_len": 235_296,
    }  # fmt: skip
    assert found["fixes"] is not None and found["fixes"]["share"] == "none"
    assert 0.995 <= found["fixes"]["share_needed"] < 0.996 and "No share does it" in text
    # As is, then a type that touches answers, then the risky share; eight more cards nobody asked about.
    assert order_of(found) == [
        ["max_model_len"], ["kv_cache_dtype"], ["gpu_memory_utilization", "max_model_len"], ["tensor_parallel_size"],
        ["pipeline_parallel_size"],
    ]  # fmt: skip
    half = fix(found, "kv_cache_dtype")
    assert half["value"] == "fp8" and half["verdict"]["needed_bytes"] == 31 * GIB
    assert round(half["concurrency"], 2) == 1.57


def test_2_the_seats_not_the_share() -> None:
    """Rule: vllm#23278: −2.26 by formula; 256 seats give +3.3 GiB at 0.90; with 65,536 tokens, or 0.95, it starts."""
    asked = {"card": "h100-80gb", "model": "openai/gpt-oss-120b", "version": "0.10.1"}
    weighed = plan({**asked, "measured_weights_gib": 65.9651})
    assert weighed["verdict"]["refusal"] is not None and weighed["verdict"]["refusal"]["key"] == "no_blocks"
    assert gib(weighed) == pytest.approx(-2.26, abs=0.05) and weighed["verdict"]["lines"][0].startswith("No available")
    activation = next(part for part in weighed["budget"]["stages"][0]["parts"] if part["name"] == "activation")
    assert activation["bytes"] / GIB == pytest.approx(7.4, abs=0.05)
    found = plan({**asked, "measured_kv_gib": -2.14})
    fewer = trial({**asked, "measured_weights_gib": 65.9651, "max_num_seqs": 256})
    assert fewer["budget"]["kv_bytes"] / GIB == pytest.approx(3.3, abs=0.1)
    assert fewer["verdict"]["needed_bytes"] / GIB == pytest.approx(4.5, abs=0.3)  # 4.79 where windows keep room too
    assert fix(found, "max_num_seqs", "max_model_len")["changes"]["max_num_seqs"] == 256
    assert fix(found, "max_num_seqs", "max_model_len")["value"] >= 65_536
    assert fix(found, "max_num_seqs", "gpu_memory_utilization")["value"] <= 0.95
    more = trial(changed(fewer, {"gpu_memory_utilization": 0.95}))
    assert more["budget"]["kv_bytes"] / GIB == pytest.approx(7.2, abs=0.1)
    assert found["fixes"] is not None and found["fixes"]["fixes"][0]["changes"]["max_num_seqs"] == 256
    assert fix(found, "gpu_memory_utilization")["costs"] == ["gpu_memory_utilization_risky"]
    assert [set(each) for each in order_of(found)[:2]] == [
        {"max_num_seqs", "gpu_memory_utilization"}, {"max_num_seqs", "max_model_len"},
    ]  # fmt: skip
    assert order_of(found)[-2:] == [["tensor_parallel_size"], ["pipeline_parallel_size"]]


def test_3_one_slot_for_each_running_chat() -> None:
    """Rule: vllm#49064: 1,024 seats, 969 slots: --max-num-seqs 969."""
    asked = {"card": "h200", "model": "Qwen/Qwen3.5-27B", "version": "0.20.0", "max_num_seqs": 1_024}
    found = plan({**asked, "num_gpu_blocks_override": 969})
    assert "max_num_seqs (1024) exceeds available Mamba cache blocks (969)" in as_text(found)
    assert order_of(found) == [["num_gpu_blocks_override"], ["max_num_seqs"], ["enforce_eager"]]
    assert fix(found, "max_num_seqs")["value"] == 969 and "enforce_eager" in fix(found, "enforce_eager")["changes"]
    assert plan({**asked, "max_num_seqs": 512, "num_gpu_blocks_override": 969})["verdict"]["refusal"] is None


def test_4_something_else_holds_memory() -> None:
    """Rule: kvcached#110: 12.0 GiB are held; the largest share that passes is 0.84."""
    asked = {"card": "h100-80gb", "total_gib": 79.25, "in_use_gib": 79.25 - 67.24, "model": "Qwen/Qwen3-8B"}
    found = plan({**asked, "version": "0.11.0", "gpu_memory_utilization": 0.9})
    text = as_text(found)
    said = "(67.24/79.25 GiB) on startup is less than desired GPU memory utilization (0.9, 71.33 GiB)"
    assert said in text
    assert "Something holds 12.01 GiB." in text
    assert (fix(found, "gpu_memory_utilization")["value"], fix(found, "gpu_memory_utilization")["exact"]) == (
        0.84,
        0.8484,
    )
    assert order_of(found) == [["gpu_memory_utilization"], ["in_use_gib"]]
    assert fix(found, "in_use_gib")["value"] == pytest.approx(79.25 - 71.325, abs=1e-6)
    two = plan({**asked, "version": "0.11.0", "gpu_memory_utilization": 0.84})
    assert two["reach"] is not None and two["reach"]["share_free"] == 0.8484
    assert any("started after the first" in line for line in reach_lines(two["reach"], 1.0))


def test_5_graphs_count_inside_since_0_20() -> None:
    """Rule: club-3090#323: 0.07 GiB at 0.92; 0.95 gives 0.78; or eager, or the switch of the estimate."""
    asked = {
        "card": "rtx-3090", "total_gib": 23.58, "model": "Qwen/Qwen3.5-27B", "quantization": "bitsandbytes",
        "version": "0.22.1", "gpu_memory_utilization": 0.92, "measured_kv_gib": 0.07, "max_num_seqs": 1,
        "max_model_len": 8_192,
    }  # fmt: skip
    base = trial(asked)
    more = trial(changed(base, {"gpu_memory_utilization": 0.95}))
    assert more["budget"]["kv_bytes"] / GIB == pytest.approx(0.07 + 0.03 * 23.58, abs=1e-6)
    assert round(more["budget"]["kv_bytes"] / GIB, 2) == 0.78
    graphs = next(part["bytes"] for part in base["budget"]["stages"][0]["parts"] if part["name"] == "graphs")
    assert graphs > 0
    for lever in ({"estimate_cudagraphs": False}, {"enforce_eager": True}):
        freed = trial(changed(base, lever))["budget"]["kv_bytes"] - base["budget"]["kv_bytes"]
        assert freed >= graphs - 1
    found = plan(asked)
    assert found["command"].startswith("vllm serve")
    # What a user feels every second comes before what may die, and both before another card.
    assert order_of(found)[:2] == [["enforce_eager"], ["gpu_memory_utilization"]]
    assert order_of(found)[2:] == [["tensor_parallel_size"], ["pipeline_parallel_size"]]
    switched = plan({**asked, "estimate_cudagraphs": False})["command"]
    assert switched.startswith("VLLM_MEMORY_PROFILER_ESTIMATE_CUDAGRAPHS=0 vllm serve")


def test_6_fewer_tokens_after_the_upgrade() -> None:
    """Rule: vllm#45178: the estimate of the graphs is named, with its bytes; without it they come back."""
    asked = {"card": "rtx-4090", "model": "Qwen/Qwen3-8B", "max_model_len": 8_192, "gpu_memory_utilization": 0.9}
    found = compare(asked, "0.19.1", "0.20.0")
    graphs = next(part for part in found["parts"] if part["name"] == "graphs")
    assert graphs["before"] == 0 and graphs["after"] > 0 and graphs["rule"] == "graphs"
    assert found["tokens"][1] < found["tokens"][0]
    back = plan({**asked, "version": "0.20.0", "estimate_cudagraphs": False})
    assert back["budget"]["capacity"]["tokens"] == found["tokens"][0]


def test_7_a_smaller_step_a_larger_pool() -> None:
    """Rule: Spark PR#3: a peak of 1.39, not 5.30 GiB, gives 3.91 GiB of pool; PR#48322: 8,192 cost 3,744 tokens."""
    spark = {"card": "gb10", "total_gib": 121.63, "model": "Qwen/Qwen3-8B", "gpu_memory_utilization": 0.8}
    large = trial({**spark, "max_num_seqs": 1, "max_num_batched_tokens": 8_224, "measured_activation_gib": 5.30})
    small = trial({**spark, "max_num_seqs": 1, "max_num_batched_tokens": 2_048, "measured_activation_gib": 1.39})
    assert (small["budget"]["kv_bytes"] - large["budget"]["kv_bytes"]) / GIB == pytest.approx(3.91, abs=0.01)
    asked = {"card": "rtx-4090", "model": "Qwen/Qwen3-8B", "version": "0.19.1", "max_model_len": 16_384}
    tokens = [
        trial({**asked, "max_num_batched_tokens": step})["budget"]["capacity"]["tokens"] for step in (2_048, 8_192)
    ]
    assert -4_200 <= tokens[1] - tokens[0] <= -2_296  # the report: −3,744; the forward pass alone −4,096


def test_8_a_number_not_a_lecture() -> None:
    """Rule: vllm#33263: one seat and 1,024 tokens need 65 blocks: --kv-cache-memory-bytes 119275520."""
    asked = {
        "card": "rtx-4090",
        "model": "Qwen/Qwen3-1.7B",
        "version": "0.33.0",
        "max_num_seqs": 1,
        "max_model_len": 1_024,
    }
    found = plan(asked)
    assert found["reach"] is not None and found["reach"]["one_chat_bytes"] == 119_275_520 == 65 * 1_835_008
    assert "--kv-cache-memory-bytes 119275520" in as_text(found)
    assert gib(found) == pytest.approx(18.78, rel=0.1)  # the report's version and share are not stated
    assert plan({**asked, "kv_cache_memory_bytes": 119_275_520})["verdict"]["refusal"] is None
    assert plan({**asked, "kv_cache_memory_bytes": 119_275_519})["verdict"]["refusal"] is not None


def test_9_worst_case_beside_typical() -> None:
    """Rule: 4.61x at 8,192 is 37,765 tokens; of 2,000 tokens 18 fit; more may be sent, they wait."""
    asked = {"card": "rtx-4090", "model": LLAMA, "version": "0.9.2", "max_model_len": 8_192, "max_num_seqs": 256}
    found = plan({**asked, "measured_kv_gib": 37_776 * 131_072 / GIB})
    text = as_text(found)
    assert "Maximum concurrency for 8,192 tokens per request: 4.61x" in text
    assert {"tokens": 2_000, "chats": 18} in found["rooms"] and "Of 2,000 tokens each, 18 fit." in text
    assert "More may be sent; they wait. Nothing is set aside for a chat." in text
    at = trial({**asked, "measured_kv_gib": 37_776 * 131_072 / GIB})
    assert demand_of(at, [[18, 2_000]])["met"] and demand_of(at, [[19, 2_000]])["lacks"] == "room"


def test_10_29000_fails_and_35000_works() -> None:
    """Rule: vllm#10517: from settings alone 20,000 and 35,000 start and 29,000 is refused, as the pool is predicted."""
    asked = {"card": "rtx-3090", "model": LLAMA, "version": "0.6.4"}
    pools = {length: plan({**asked, "max_model_len": length}) for length in (20_000, 29_000, 35_000)}
    assert [found["verdict"]["outcome"] for found in pools.values()] == ["starts", "refuses", "starts"]
    assert gib(pools[20_000]) == pytest.approx(3.81, abs=0.03) and gib(pools[29_000]) == pytest.approx(2.89, abs=0.03)
    assert pools[35_000]["budget"]["kv_bytes"] > pools[20_000]["budget"]["kv_bytes"]
    stage = pools[29_000]["budget"]["stages"][0]
    assert stage["kv_low"] <= 23_648 * 131_072 <= stage["kv_high"] and pools[29_000]["verdict"]["sure"]
    riddle = plan({**asked, "max_model_len": 29_000, "measured_kv_gib": 23_648 * 131_072 / GIB})
    assert "(23648)" in riddle["verdict"]["lines"][0] and riddle["fixes"] is not None
    lengths = [each["value"] for each in riddle["fixes"]["fixes"] if list(each["changes"]) == ["max_model_len"]]
    assert lengths[0] < 29_000 and lengths[1] == 32_769
    assert any("reads prompts in parts, and the pool grows" in line for line in fix_lines(riddle["fixes"]))
