"""The working reserve for settings by chance, and sizes that neither language holds exactly."""

import random
from collections.abc import Iterable
from typing import Any

from tests.parity.calls import Job
from tests.vllm.chances import resolved

SEEDS = 1_000
TRIES = 1_000_000
SAMPLERS = ["none", "sort", "probabilities", "copy", "logits"]


def settings_of(seed: int) -> Any:
    """Settings by chance that are not refused."""
    found = None
    while found is None:
        found = resolved(seed)
        seed += TRIES
    return found


def jobs(seeds: Iterable[int]) -> list[Job]:
    """Each part, and what it is made of."""
    made: list[Job] = []
    for seed in seeds:
        chance, settings = random.Random(seed), settings_of(seed)
        stage = chance.randrange(settings["pp"])
        made += [
            {"call": "vllm.reserve.activation", "args": [settings, stage]},
            {"call": "vllm.reserve.non_torch", "args": [settings]},
            {"call": "vllm.reserve.penalties", "args": [settings, stage]},
            {"call": "vllm.reserve.multimodal", "args": [settings]},
            {"call": "vllm.reserve.forward_bytes", "args": [settings, chance.random() * 5]},
            {"call": "vllm.reserve.sampler_bytes", "args": [settings, chance.random() * 50]},
            {"call": "vllm.reserve.word_bytes", "args": [settings, chance.choice(SAMPLERS), chance.random() * 50]},
            {"call": "vllm.reserve.sampler_of", "args": [settings]},
            {"call": "vllm.reserve.compiles", "args": [settings]},
        ]
    return made


def refused() -> list[Job]:
    """Sizes that pass 2^53."""
    settings = settings_of(1)
    huge = {**settings, "seats": 2**45, "batched_tokens": 2**45, "pp": 1}
    wide = {**settings, "model": {**settings["model"], "vocab_size": 2**52, "hidden_size": 2**52}, "pp": 1}
    tables = {**wide, "rules": {**settings["rules"], "penalties": True}}
    return [
        {"call": "vllm.reserve.activation", "args": [huge, 0]},
        {"call": "vllm.reserve.forward_bytes", "args": [wide, 3.0]},
        {"call": "vllm.reserve.sampler_bytes", "args": [huge, 14.0]},
        {"call": "vllm.reserve.sampler_bytes", "args": [wide, 14.0]},
        {"call": "vllm.reserve.penalties", "args": [tables, 0]},
    ]
