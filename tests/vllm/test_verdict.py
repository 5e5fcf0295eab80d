"""Each of the refusals at its boundary and in its wording; what may die later; how sure it is."""

from typing import Any

import pytest

from poolroom.vllm.refusals import KEYS
from poolroom.vllm.rounding import GIB_BYTES as GIB
from poolroom.vllm.trial import Trial, trial

LLAMA = "meta-llama/Llama-3.1-8B-Instruct"
HYBRID = "Qwen/Qwen3.5-27B"
H100 = {"card": "h100-sxm-80gb", "model": LLAMA, "version": "0.33.0"}
BLOCK = 2_097_152
"""Bytes of 16 tokens of Llama-3.1-8B in bfloat16: vllm.md 2.1."""


def key(at: Trial) -> str:
    """The refusal's name, or nothing."""
    refusal = at["verdict"]["refusal"]
    return refusal["key"] if refusal else ""


def with_blocks(blocks: int, **asked: Any) -> Trial:
    """A server whose pool was measured to be so many blocks of Llama-3.1-8B."""
    return trial({**H100, "measured_kv_gib": blocks * BLOCK / GIB, **asked})


def test_the_refusals_have_their_numbers() -> None:
    """Rule: the refusals are those of vllm.md 3 and six more; a model that cannot be shared out has four."""
    assert sorted(number for _, number in KEYS) == [*range(1, 10), *[10] * 4, *range(11, 18)]


def test_free_memory_below_the_share() -> None:
    """Rule: refusal 1: free memory one byte below total × share is refused, in vLLM's words; before 0.9.2 never."""
    at = trial(H100)
    most = at["budget"]["total_bytes"] - at["budget"]["requested_bytes"]
    assert key(trial({**H100, "in_use_gib": most / GIB})) == ""
    refused = trial({**H100, "in_use_gib": (most + 1) / GIB})
    assert key(refused) == "free_memory" and refused["verdict"]["spare_bytes"] == -1
    (line,) = refused["verdict"]["lines"]
    assert line.startswith("Free memory on device") and "(72.85/79.18 GiB) on startup is less than desired" in line
    assert "(0.92, 72.85 GiB)" in line
    assert key(trial({**H100, "version": "0.8.5", "in_use_gib": 20})) != "free_memory"


def test_memory_that_grew_while_profiling() -> None:
    """Rule: refusal 2: what stays allocated is below nothing, since another process let go of more."""
    at = trial({**H100, "measured_weights_gib": 14.99, "measured_non_torch_gib": -15.5})
    assert key(at) == "profiling"
    assert at["verdict"]["lines"][0].startswith("Error in memory profiling. Initial free memory 78.")


@pytest.mark.parametrize(("version", "least"), [("0.33.0", 2), ("0.28.0", 1)])
def test_no_block(version: str, least: int) -> None:
    """Rule: refusal 3: a pool of no block, from 0.29.0 of one block, is refused; the next size meets refusal 4."""
    at = with_blocks(least - 1, version=version)
    assert key(at) == "no_blocks"
    assert at["verdict"]["lines"][0].startswith("No available memory for the cache blocks. Try increasing")
    assert key(with_blocks(least, version=version)) == "one_chat"
    assert key(with_blocks(-3, version=version)) == "no_blocks"


def test_one_longest_chat() -> None:
    """Rule: refusal 4: 512 blocks refuse 8,192 tokens since 0.29.0 and name 8,176; 513 start; before, 512 start."""
    refused = with_blocks(512, max_model_len=8_192)
    assert key(refused) == "one_chat" and refused["verdict"]["refusal"]["terms"]["estimated_longest"] == 8_176
    assert "the estimated maximum model length is 8176" in refused["verdict"]["lines"][0]
    started = with_blocks(513, max_model_len=8_192)
    assert key(started) == "" and started["verdict"]["spare_bytes"] == 0
    assert any(
        line.endswith("Maximum concurrency for 8,192 tokens per request: 1.00x") for line in started["verdict"]["lines"]
    )
    assert key(with_blocks(512, max_model_len=8_192, version="0.28.0")) == ""
    assert key(with_blocks(511, max_model_len=8_192, version="0.28.0")) == "one_chat"


def test_one_longest_chat_in_vllms_own_run() -> None:
    """Rule: vllm.md 3: 2 GiB refuse 131,072 tokens: 16.0 GiB needed, 2.0 GiB there, 16368 fit."""
    line = with_blocks(1_024, max_model_len=131_072)["verdict"]["lines"][0]
    assert "(16.0 GiB KV cache is needed, which is larger than the available KV cache memory (2.0 GiB)" in line
    assert "the estimated maximum model length is 16368" in line


def test_one_longest_chat_in_v0() -> None:
    """Rule: V0 speaks of tokens: 23,648 of them do not hold a chat of 29,000."""
    asked = {"card": "rtx-3090", "model": LLAMA, "version": "0.6.4", "measured_kv_gib": 1_478 * BLOCK / GIB}
    line = trial({**asked, "max_model_len": 29_000})["verdict"]["lines"][0]
    assert line.startswith(
        "The model's max seq len (29000) is larger than the maximum number of tokens that can be stored"
    )
    assert "(23648)" in line
    assert (
        key(trial({**asked, "max_model_len": 23_648})) == ""
        and key(trial({**asked, "max_model_len": 23_649})) == "one_chat"
    )


def test_longer_than_the_model() -> None:
    """Rule: refusal 5: one token above the model's own length."""
    assert key(trial({**H100, "max_model_len": 131_072})) == ""
    refused = trial({**H100, "max_model_len": 131_073})
    assert key(refused) == "too_long" and "131073" in refused["verdict"]["lines"][0]


def test_fewer_tokens_than_seats() -> None:
    """Rule: refusal 6: tokens a step below the seats."""
    assert key(trial({**H100, "max_num_seqs": 256, "max_num_batched_tokens": 256})) == ""
    refused = trial({**H100, "max_num_seqs": 257, "max_num_batched_tokens": 256})
    assert key(refused) == "below_seats"
    assert (
        "max_num_batched_tokens (256) must be greater than or equal to max_num_seqs (257)"
        in refused["verdict"]["lines"][0]
    )


def test_fewer_tokens_than_the_longest_chat() -> None:
    """Rule: refusal 7: without chunks a step must hold the longest chat."""
    asked = {**H100, "version": "0.6.4", "enable_chunked_prefill": False, "max_num_batched_tokens": 8_192}
    assert key(trial({**asked, "max_model_len": 8_192})) == ""
    refused = trial({**asked, "max_model_len": 8_193})
    assert key(refused) == "below_longest"
    assert "max_num_batched_tokens (8192) is smaller than max_model_len (8193)" in refused["verdict"]["lines"][0]


def test_out_of_memory_while_profiling() -> None:
    """Rule: refusal 8: the peak of the profile run one byte above what is free; no share changes that."""
    asked = {**H100, "gpu_memory_utilization": 0.3, "version": "0.19.1", "max_model_len": 2_048}
    stage = trial(asked)["budget"]["stages"][0]
    peak = sum(part["bytes"] for part in stage["parts"] if part["name"] != "graphs")
    total = trial(asked)["budget"]["total_bytes"]
    assert key(trial({**asked, "version": "0.8.5", "in_use_gib": 0})) != "out_of_memory"
    fits = {**asked, "gpu_memory_utilization": 0.01}
    assert key(trial({**fits, "in_use_gib": (total - peak) / GIB})) != "out_of_memory"
    refused = trial({**fits, "in_use_gib": (total - peak + 1) / GIB})
    assert key(refused) == "out_of_memory"
    assert refused["verdict"]["lines"][0].startswith(
        "CUDA out of memory occurred when warming up sampler with 1024 dummy"
    )
    loading = trial({**H100, "card": "t4", "dtype": "half"})
    assert loading["verdict"]["refusal"]["terms"]["loading"] and loading["verdict"]["lines"][0].startswith(
        "CUDA out of memory. Tried"
    )


def test_seats_above_the_states() -> None:
    """Rule: refusal 9: 1,024 seats and 969 blocks of a hybrid; 969 seats start, eager starts, 0.19 starts."""
    asked = {**H100, "card": "h200", "model": HYBRID, "version": "0.20.0", "num_gpu_blocks_override": 969}
    refused = trial({**asked, "max_num_seqs": 970})
    assert key(refused) == "mamba_seats"
    assert "max_num_seqs (970) exceeds available Mamba cache blocks (969)" in refused["verdict"]["lines"][0]
    for changes in ({"max_num_seqs": 969}, {"enforce_eager": True}, {"version": "0.19.1"}):
        assert key(trial({**asked, "max_num_seqs": 970, **changes})) == ""


def test_heads_and_cards() -> None:
    """Rule: refusal 10: 32 heads on 3 cards."""
    refused = trial({**H100, "tensor_parallel_size": 3})
    assert key(refused) == "heads"
    assert "(32) must be divisible by tensor parallel size (3)" in refused["verdict"]["lines"][0]
    assert key(trial({**H100, "tensor_parallel_size": 4})) == ""


def test_bfloat16_on_old_cards() -> None:
    """Rule: refusal 11: bfloat16 asked for below compute capability 8.0."""
    asked = {"card": "t4", "model": "Qwen/Qwen3-0.6B", "version": "0.33.0", "max_model_len": 2_048}
    refused = trial({**asked, "dtype": "bfloat16"})
    assert key(refused) == "bfloat16" and "8.0" in refused["verdict"]["lines"][0]
    assert key(trial({**asked, "dtype": "half"})) == ""


def test_the_order_in_which_vllm_meets_them() -> None:
    """Rule: settings before the card, free memory before the profile, the pool after both."""
    asked = {"card": "t4", "model": LLAMA, "dtype": "bfloat16", "in_use_gib": 10, "tensor_parallel_size": 3}
    met = []
    fixes: list[dict[str, Any]] = [
        {"max_model_len": 131_072}, {"max_num_batched_tokens": 2_048}, {"tensor_parallel_size": 1}, {"dtype": "half"},
        {"in_use_gib": 0.5}, {"quantization": "bitsandbytes"}, {"max_model_len": 2_048},
    ]  # fmt: skip
    changed = {**asked, "max_model_len": 131_073, "max_num_seqs": 200, "max_num_batched_tokens": 100}
    for fix in fixes:
        met.append(key(trial(changed)))
        changed = {**changed, **fix}
    assert met == ["too_long", "below_seats", "heads", "bfloat16", "free_memory", "out_of_memory", "one_chat"]
    assert key(trial(changed)) == ""


def test_auto_fit() -> None:
    """Rule: since 0.14.0 “auto” lowers the longest chat to what fits: 2 GiB hold 16,368 tokens and print 1.00x."""
    at = with_blocks(1_024, max_model_len="auto")
    assert (key(at), at["verdict"]["longest"]) == ("", 16_368)
    assert at["budget"]["capacity"]["tokens"] == 16_384
    assert "Auto-fit max_model_len: reduced from 131072 to 16368 to fit" in " ".join(at["verdict"]["lines"])


def test_what_may_die_later() -> None:
    """Rule: dangers are named: graphs outside the share, share from 0.95, shared memory, encoders, blocks by hand."""
    dangers = {
        "risky_share": {"gpu_memory_utilization": 0.95},
        "graphs_outside": {"version": "0.11.0", "gpu_memory_utilization": 0.99},
        "unified_memory": {"card": "gb10"},
        "vision_encoder": {"model": "Qwen/Qwen2.5-VL-7B-Instruct"},
        "blocks_beyond": {"num_gpu_blocks_override": trial(H100)["budget"]["blocks"] + 8},
        "others_move": {"version": "0.6.4", "in_use_gib": 2, "max_model_len": 2_048},
    }
    assert trial(H100)["verdict"]["dangers"] == []
    for name, changes in dangers.items():
        verdict = trial({**H100, **changes})["verdict"]
        assert verdict["outcome"] == "starts_may_die" and name in verdict["dangers"], name


def test_how_sure_it_is() -> None:
    """Rule: where the spread of the pool holds both answers, neither is sure; what was measured is."""
    asked = {**H100, "card": "rtx-4090", "version": "0.19.1"}
    stage = trial(asked)["budget"]["stages"][0]
    between = (stage["kv_low"] + stage["kv_bytes"]) // 2 // BLOCK * 16
    clear = stage["kv_low"] // BLOCK * 16 - 1_600
    at = trial({**asked, "max_model_len": between})
    assert key(at) == "" and not at["verdict"]["sure"]
    assert trial({**asked, "max_model_len": clear})["verdict"]["sure"]
    measured = {**asked, "measured_kv_gib": stage["kv_bytes"] / GIB, "max_model_len": between}
    assert trial(measured)["verdict"]["sure"]
