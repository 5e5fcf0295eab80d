"""The whole budget for settings by chance, and sizes that neither language holds exactly."""

import random
from collections.abc import Iterable

from tests.parity.calls import Job
from tests.parity.inputs_vllm.reserve import settings_of

SEEDS = 1_500
PART = {
    "name": "weights",
    "bytes": 15_000_000_000,
    "low": 14_000_000_000,
    "high": 16_000_000_000,
    "kind": "rule",
    "source": "",
}


def jobs(seeds: Iterable[int]) -> list[Job]:
    """The budget, and for some the parts of a stage."""
    made: list[Job] = []
    for seed in seeds:
        chance, settings = random.Random(seed), settings_of(seed)
        stage = chance.randrange(settings["pp"])
        made.append({"call": "vllm.budget.budget", "args": [settings]})
        made.append({"call": "vllm.budget.requested_bytes", "args": [chance.randrange(2**45), chance.random()]})
        if seed % 8 == 0:
            made.append({"call": "vllm.budget.parts_of", "args": [settings, stage, PART]})
            made.append({"call": "vllm.budget.stage_budget", "args": [settings, stage, PART]})
            made.append({"call": "vllm.budget.loaded_weights", "args": [settings]})
            made.append({"call": "vllm.budget.others_bytes", "args": [settings]})
            made.append({"call": "vllm.budget.given_kv_bytes", "args": [settings]})
    return made


def refused() -> list[Job]:
    """Sizes that pass 2^53."""
    settings = settings_of(1)
    huge = {**settings, "seats": 2**45, "batched_tokens": 2**45}
    return [
        {"call": "vllm.budget.budget", "args": [huge]},
        {"call": "vllm.budget.stage_budget", "args": [huge, settings["pp"] - 1, PART]},
        {"call": "vllm.budget.parts_of", "args": [huge, settings["pp"] - 1, PART]},
    ]
