"""Plans by chance with all that is said of them, the same plan under two versions, and settings that are refused."""

import random
from collections.abc import Iterable
from typing import Any

from tests.vllm.plans import VERSIONS, asked_by

SEEDS = 5_200


def jobs(seeds: Iterable[int]) -> list[dict[str, Any]]:
    """A plan for each seed; of every sixth another version beside it; some that require chats."""
    made: list[dict[str, Any]] = []
    for seed in seeds:
        asked = asked_by(seed)
        chance = random.Random(f"plan {seed}")
        if chance.random() < 0.15:
            asked["require_chats"] = f"{chance.randint(1, 300)}x{chance.randint(1, 40_000)}"
        made.append({"call": "vllm.plan_words.answer", "args": [asked, chance.random() < 0.9]})
        if seed % 6 == 0:
            asked = {name: value for name, value in asked.items() if name not in ("version", "require_chats")}
            versions = [chance.choice(VERSIONS), chance.choice(VERSIONS)]
            made.append({"call": "vllm.upgrade.compare", "args": [asked, *versions]})
    return made


def refused() -> list[dict[str, Any]]:
    """Settings that a plan refuses."""
    right = {"card": "rtx-3090", "model": "Qwen/Qwen3-8B"}
    bad: list[Any] = [None, 3, "text", [], {}, {"card": "rtx-3090"}, {"model": "Qwen/Qwen3-8B"}]
    chats: list[Any] = [
        "",
        "8",
        "8x",
        "x8",
        "0x100",
        "8x0",
        "8x100,",
        "8 x 100",
        8,
        ["8x100"],
        "8x1e3",
        "９x100",
        "1x1," * 200,
    ]
    bad.extend({**right, "require_chats": value} for value in chats)
    bad.extend({**right, name: value} for name, value in [
        ("card", "nothing"), ("model", 3), ("model", {}), ("gpu_memory_utilization", 0),
        ("max_model_len", 0), ("max_num_seqs", 1.5), ("version", "0.1.1"), ("unknown", 1), ("kv_cache_dtype", "x"),
        ("tensor_parallel_size", True), ("in_use_gib", 1e9), ("measured_kv_gib", "1"), ("enforce_eager", "yes"),
    ])  # fmt: skip
    return [{"call": "vllm.plan.plan", "args": [value]} for value in bad]
