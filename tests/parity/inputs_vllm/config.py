"""Inputs for the readers of a config.json: real ones, and ones gone wrong by chance."""

from collections.abc import Iterable
from random import Random
from typing import Any

from tests.vllm.mutated import CONFIGS, mutated, mutated_index

SEEDS = 4_000
Job = dict[str, Any]


def jobs(seeds: Iterable[int]) -> list[Job]:
    """Every config as it is, then one by chance for each seed."""
    real = [{"call": "vllm.config.read_model", "args": [config]} for config in CONFIGS]
    return [*real, *(_by_chance(Random(seed)) for seed in seeds)]


def _by_chance(chance: Random) -> Job:
    return {"call": "vllm.config.read_model", "args": [plain(mutated(chance)), plain(mutated_index(chance)), "a name"]}


def plain(value: Any) -> Any:
    """A value with the numbers that JSON has no word for put into words."""
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return {"$float": "nan" if value != value else ("inf" if value > 0 else "-inf")}
    if isinstance(value, dict):
        return {name: plain(each) for name, each in value.items()}
    return [plain(each) for each in value] if isinstance(value, list) else value


def refused() -> list[Job]:
    """What is no config, and models that are not understood."""
    real = CONFIGS[0]
    bad: list[Any] = [
        None,
        [],
        "llama",
        5,
        {},
        {"model_type": 5},
        {"model_type": "constructor"},
        {"model_type": "bert"},
    ]
    bad += [real | {"model_type": "deepseek_v4"}, real | {"mamba_d_state": 16}, real | {"num_hidden_layers": 10_001}]
    bad += [real | {"num_hidden_layers": 0}, real | {"hidden_size": "4096"}, real | {"layer_types": ["full_attention"]}]
    bad += [real | {"layer_types": ["mamba"] * 32}, real | {"num_key_value_heads": 5}, real | {"num_experts": 8}]
    bad += [real | {"quantization_config": {"quant_method": "rot13"}}, real | {"torch_dtype": "float8"}]
    return [{"call": "vllm.config.read_model", "args": [config]} for config in bad]
