"""Models by their names, spelt by chance."""

import random
from collections.abc import Iterable

from poolroom.vllm.plan_facts import MODELS
from tests.parity.calls import Job
from tests.parity.inputs_vllm.names import spelt

NAMES = [
    each
    for name, facts in MODELS["models"].items()
    for full in [name, *facts.get("aliases", [])]
    for each in (full, full.split("/")[-1])
]


def jobs(seeds: Iterable[int]) -> list[Job]:
    """Every name, with and without its owner, and spellings by chance."""
    found: list[Job] = [{"call": "vllm.models.model_names", "args": []}]
    found += [{"call": "vllm.models.model_facts", "args": [name]} for name in NAMES]
    for seed in seeds:
        dice = random.Random(seed)
        function = dice.choice(["model_name", "model_facts", "model_config"])
        found.append({"call": f"vllm.models.{function}", "args": [spelt(dice.choice(NAMES), dice)]})
    return found


def refused() -> list[Job]:
    """No names, and names of no model."""
    wrong = ["", "llama", "Qwen/Qwen3-9B", "…", "toString", "__proto__", "meta-llama/", "/", "x" * 500, "\x00", "７B"]
    values = [*wrong, None, True, 0, 7.5, {"$float": "nan"}, [], ["gpt2"], {}, {"model_type": "llama"}]
    return [
        {"call": f"vllm.models.{function}", "args": [value]}
        for function in ("model_name", "model_facts", "model_config")
        for value in values
    ]
