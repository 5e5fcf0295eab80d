"""Plans by chance with all that is said of them, the same plan under two versions, and settings that are refused."""

import json
import random
from collections.abc import Iterable
from typing import Any

from poolroom.vllm.models import model_config
from poolroom.vllm.plan_facts import VERSIONS as FACTS
from tests.parity.refused import INF, NAN
from tests.vllm.plans import VERSIONS, asked_by

SEEDS = 5_200
VALUES: list[Any] = [
    True, False, 2, 0.5, -3, "4", "a b", "it's", "", '{"image": 2}', {"image": 2, "audio": [1.5, None, True, {}]},
    ["x", {"\n\"\\\u00e9\U0001f600": 1e-7}], [[]], {"-": -0.0, "b": 2**53 - 1, "c": 123456.789},
]  # fmt: skip
"""What stands behind flags that are not counted."""


def jobs(seeds: Iterable[int]) -> list[dict[str, Any]]:
    """A plan for each seed; of every sixth another version beside it; some that require chats."""
    made: list[dict[str, Any]] = []
    for seed in seeds:
        asked = asked_by(seed)
        chance = random.Random(f"plan {seed}")
        if chance.random() < 0.15:
            asked["require_chats"] = f"{chance.randint(1, 300)}x{chance.randint(1, 40_000)}"
        asked.update(_odd(chance, asked))
        made.append({"call": "vllm.plan_words.answer", "args": [asked, chance.random() < 0.9]})
        if seed % 6 == 0:
            asked = {name: value for name, value in asked.items() if name not in ("version", "require_chats")}
            versions = [chance.choice(VERSIONS), chance.choice(VERSIONS)]
            made.append({"call": "vllm.upgrade.compare", "args": [asked, *versions]})
    return made


def _odd(chance: random.Random, asked: dict[str, Any]) -> dict[str, Any]:
    # Flags that are not counted, blanks around a name, a config without a name, as small as it gets.
    odd: dict[str, Any] = {}
    for name in FACTS["uncounted"]["names"]:
        if chance.random() < 0.02:
            odd[name] = chance.choice(VALUES)
    if chance.random() < 0.05:
        odd["card"] = f" \u00a0{asked['card']}\n"
    if chance.random() < 0.05:
        odd["model"] = {key: value for key, value in model_config(asked["model"]).items() if key != "_name_or_path"}
    if chance.random() < 0.05:
        odd["max_model_len"], odd["require_chats"] = 1, "1x1"
    return odd


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
        ("speculative_config", NAN), ("speculative_config", {"x": [INF]}), ("max_loras", 2**53), ("block_size", 7),
        ("speculative_config", json.loads("[" * 30 + "]" * 30)),
        ("tensor_parallel_size", True), ("in_use_gib", 1e9), ("measured_kv_gib", "1"), ("enforce_eager", "yes"),
    ])  # fmt: skip
    return [{"call": "vllm.plan.plan", "args": [value]} for value in bad]
