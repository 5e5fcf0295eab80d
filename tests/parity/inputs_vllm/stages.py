"""Inputs for the pipeline stages."""

from collections.abc import Iterable
from random import Random
from typing import Any

from poolroom.vllm.config import read_model
from tests.vllm.mutated import CONFIGS

Job = dict[str, Any]


def jobs(seeds: Iterable[int]) -> list[Job]:
    """Layers over stages, and the caches of each stage of a real model."""
    found: list[Job] = []
    for seed in seeds:
        chance = Random(seed)
        found.append(
            {
                "call": "vllm.stages.stages_of",
                "args": [chance.randrange(1, 200), chance.randrange(1, 17), seed % 2 == 0],
            }
        )
    return found + [{"call": "vllm.stages.stage_orders", "args": [read_model(each), 3]} for each in CONFIGS]


def refused() -> list[Job]:
    """More stages than layers, and numbers that are none."""
    bad: list[list[Any]] = [[3, 4], [3, 0], [3, "1"], [3, 1.5], [3, True]]
    return [{"call": "vllm.stages.stages_of", "args": each} for each in bad]
