"""Methods against cards and versions, and names that are asked for."""

from collections.abc import Iterable
from random import Random
from typing import Any

from poolroom.vllm.cards import card, card_names
from poolroom.vllm.config import read_model
from poolroom.vllm.models import model_config
from poolroom.vllm.plan_facts import QUANTISATIONS
from poolroom.vllm.settings import resolve

METHODS = [*QUANTISATIONS["methods"], *QUANTISATIONS["least"]["methods"], "", "nothing"]
MODELS = ["Qwen/Qwen3-8B", "Qwen/Qwen3-8B-AWQ", "openai/gpt-oss-20b", "nvidia/Qwen3.6-27B-NVFP4", "Qwen/Qwen3-8B-FP8"]


def jobs(seeds: Iterable[int]) -> list[dict[str, Any]]:
    """Every function with what chance takes."""
    found: list[dict[str, Any]] = []
    for seed in seeds:
        chance = Random(seed)
        own, method = card(chance.choice(card_names())), chance.choice(METHODS)
        settings = resolve(
            {
                "card": own["name"],
                "model": chance.choice(MODELS),
                "version": f"0.{chance.randrange(4, 34)}.0",
                "quantization": chance.choice([None, "awq", "fp8", "gptq", "bitsandbytes", "torchao"])
                if chance.random() < 0.7
                else None,
                "dtype": "half",
                "max_model_len": 512,
            }
        )
        found += [
            {"call": "vllm.supported.unsupported", "args": [settings]},
            {"call": "vllm.supported.least_capability", "args": [own, settings["rules"]["order"], method]},
            {"call": "vllm.supported.works_on", "args": [own, settings["rules"]["order"], method]},
            {"call": "vllm.supported.has_fp8", "args": [own]},
            {"call": "vllm.quantisation.asked_method", "args": [method, chance.choice(["", "awq", "fp8", "modelopt"])]},
            {
                "call": "vllm.supported.method_name",
                "args": [read_model(model_config(chance.choice(MODELS)))["weights"]["quantisation"]],
            },
        ]
    return found


def refused() -> list[dict[str, Any]]:
    """A way to store weights that nobody knows."""
    return [{"call": "vllm.quantisation.by_name", "args": [name]} for name in ("zip", "AWQ2")]
