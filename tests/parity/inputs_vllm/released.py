"""Models and cards against all releases."""

from collections.abc import Iterable
from random import Random
from typing import Any

from poolroom.vllm.cards import card, card_names
from poolroom.vllm.models import model_config
from poolroom.vllm.plan_facts import VERSIONS
from poolroom.vllm.released import LISTED
from poolroom.vllm.settings import resolve
from tests.parity.inputs_vllm.versions import some_version

NAMES = [name for _, several in LISTED["since"] for name in several.split(" ")]
ENDINGS = ["", "+", "ForCausalLM", "ForConditionalGeneration", "ForCausalLMForCausalLM"]
MODELS = ["Qwen/Qwen3-8B", "openai/gpt-oss-20b", "Qwen/Qwen3-Next-80B-A3B-Instruct", "google/gemma-3-4b-it"]


def jobs(seeds: Iterable[int]) -> list[dict[str, Any]]:
    """Every function with what chance takes."""
    found: list[dict[str, Any]] = []
    for seed in seeds:
        chance = Random(f"released {seed}")
        order = [0, chance.randint(2, 40), chance.randint(0, 9), 0, 4, 0, 0, chance.randint(0, 1), 0]
        name = chance.choice([*NAMES, "", "Nobody", "toString"]).replace("+", "") + chance.choice(ENDINGS)
        own = {**card(chance.choice(card_names()))}
        if chance.random() < 0.4:
            own["capability"] = f"{chance.randint(0, 14)}.{chance.randint(0, 12)}"
        architecture = chance.choice([f"{chance.choice(NAMES)}ForCausalLM", "Qwen3ForCausalLM", "toString"])
        asked = {
            "card": chance.choice(card_names()),
            "model": {**model_config(chance.choice(MODELS)), "architectures": [architecture]},
            "version": chance.choice([chance.choice(VERSIONS["releases"]), f"0.{chance.randint(3, 33)}.1.dev7"]),
            "dtype": "half",
            "max_model_len": 512,
        }
        settings = resolve(asked)
        found += [
            {"call": "vllm.released.release_with", "args": [name, order]},
            {"call": "vllm.released.release_for", "args": [own, order]},
            {"call": "vllm.versions.is_release", "args": [order]},
            {"call": "vllm.released.unreleased", "args": [settings]},
            {"call": "vllm.released.unbuilt", "args": [settings]},
            {"call": "vllm.released.release_dangers", "args": [settings]},
            {"call": "vllm.lines.platform", "args": [settings]},
            {"call": "vllm.reserve.by_cuda", "args": [settings]},
            {"call": "vllm.versions.read_version", "args": [some_version(chance)]},
        ]
        if seed % 8 == 0:
            found.append({"call": "vllm.plan_words.answer", "args": [asked, seed % 16 == 0]})
    return found


def refused() -> list[dict[str, Any]]:
    """Nothing: what is refused there is refused by the plan."""
    return []
