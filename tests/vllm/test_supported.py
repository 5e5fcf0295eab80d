"""What version, card and method support, and a pool that was set by hand."""

from typing import Any

import pytest

from poolroom.vllm.plan import plan
from poolroom.vllm.plan_words import as_text

GIB = 1_073_741_824
SMALL = {"card": "rtx-4090", "model": "Qwen/Qwen3-8B", "max_model_len": 8192}


def planned(**more: Any) -> Any:
    """A plan for a small server with something else."""
    return plan({**SMALL, **more})


@pytest.mark.parametrize("by_hand", [{"kv_cache_memory_bytes": 200 * GIB}, {"num_gpu_blocks_override": 200_000}])
def test_a_pool_beyond_the_card_is_refused_when_it_is_allocated(by_hand: dict[str, Any]) -> None:
    """Rule: a pool that was set by hand and is larger than what is free ends in PyTorch's own words."""
    found = planned(**by_hand)
    assert found["verdict"]["refusal"]["key"] == "out_of_memory"
    assert found["verdict"]["lines"][0].startswith("CUDA out of memory. Tried to allocate")
    assert found["budget"]["unused_bytes"] == 0
    assert "was set to" in as_text(found)
    fix = next(fix for fix in found["fixes"]["fixes"] if fix["lever"] in by_hand)
    assert plan({**SMALL, **fix["changes"]})["verdict"]["outcome"] == "starts"


def test_a_pool_of_the_right_size_says_nothing_of_the_share() -> None:
    """Rule: where the pool was set by hand, the share is no lever: its way is left out."""
    found = planned(kv_cache_memory_bytes=2 * GIB)
    assert found["verdict"]["outcome"] == "starts"
    assert [way["lever"] for way in found["reach"]["ways"]] == [
        "max_model_len",
        "max_num_seqs",
        "max_num_batched_tokens",
    ]


def test_a_pool_without_room_for_a_step_may_die() -> None:
    """Rule: what fits only without the working reserve of a step starts, and may die later."""
    most = planned(kv_cache_memory_bytes=200 * GIB)["fixes"]["fixes"][0]["value"]
    found = planned(kv_cache_memory_bytes=most + GIB // 4)
    assert found["verdict"]["outcome"] == "starts_may_die"
    assert found["verdict"]["dangers"] == ["pool_beyond"]
