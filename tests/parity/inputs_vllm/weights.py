"""Inputs for the weights on a GPU: models by chance under parallelism and quantisation by chance."""

from collections.abc import Iterable
from random import Random
from typing import Any

from poolroom.vllm.config import read_model
from poolroom.vllm.refuse import PlanError
from tests.vllm.mutated import CONFIGS, asked, mutated, mutated_index

SEEDS = 1_500
Job = dict[str, Any]


def jobs(seeds: Iterable[int]) -> list[Job]:
    """One model for each seed: usually a real one, sometimes one gone wrong that is still read."""
    return [_job(Random(seed)) for seed in seeds]


def _job(chance: Random) -> Job:
    model = None
    while model is None:
        config = chance.choice(CONFIGS) if chance.random() < 0.6 else mutated(chance)
        try:
            model = read_model(config, mutated_index(chance), chance.choice(("", "a-model-Q5_K_M.gguf")))
        except PlanError:
            continue
    return {"call": "vllm.weights.weights_of", "args": [model, *asked(chance)]}


def refused() -> list[Job]:
    """Types and names that are not known, and more stages than layers."""
    model = read_model(CONFIGS[0])
    bad: list[list[Any]] = [["int8"], ["auto", "rot13"], ["auto", "", 0], ["auto", "", 1.5], ["auto", "", 1, 33], [5]]
    return [{"call": "vllm.weights.weights_of", "args": [model, *each]} for each in bad]
