"""A config.json gone wrong by chance: fields removed, of another type, negative, huge, nested, from another model."""

import copy
from random import Random
from typing import Any

from tests.vllm.configs import COUNTED, OTHERS

CONFIGS: list[dict[str, Any]] = [*(config for config, _ in COUNTED.values()), *OTHERS.values()]
NUMBERS = (0, 1, 2, 3, 7, 64, 127, -1, 1.5, 5.0, -0.0, 10_000, 10_001, 2**24, 2**24 + 1, 2**31, 2**53 - 1, 2**53, 1e308)
OTHERS_BY_CHANCE: tuple[Any, ...] = (
    None,
    True,
    False,
    "",
    "auto",
    "full_attention",
    "constructor",
    "__proto__",
    "9" * 40,
    "é🙂",
    [],
    {},
    [1, 2, 3],
    ["full_attention"],
    [[]],
    {"a": {"b": []}},
    [None],
    [0.5],
    float("nan"),
    float("inf"),
    float("-inf"),
)
WORDS = (
    "layer_types",
    "hybrid_override_pattern",
    "sliding_window",
    "num_experts",
    "mamba_d_state",
    "quantization_config",
)
NAMES = sorted({name for config in CONFIGS for name in config} | set(WORDS))
INSIDE = ("text_config", "vision_config", "quantization_config", "rope_scaling", "linear_attn_config", "audio_config")


def mutated(chance: Random) -> Any:
    """One config by chance: usually a real one with a few fields changed, sometimes none at all."""
    if chance.random() < 0.01:
        return copy.deepcopy(chance.choice(OTHERS_BY_CHANCE))
    config = copy.deepcopy(chance.choice(CONFIGS))
    for _ in range(chance.choice((0, 0, 1, 1, 1, 1, 2, 4))):
        _change(config, chance)
    return config


def _change(config: dict[str, Any], chance: Random) -> None:
    inner = [name for name in INSIDE if isinstance(config.get(name), dict) and config[name]]
    if inner and chance.random() < 0.5:
        return _change(config[chance.choice(inner)], chance)
    if not config or chance.random() < 0.15:
        config[chance.choice(NAMES)] = _value(chance)
        return None
    name = chance.choice(sorted(config))
    kind = chance.random()
    if kind < 0.2:
        del config[name]
    elif kind < 0.3:
        other = chance.choice(CONFIGS)
        config.update({name: copy.deepcopy(other[name]) for name in chance.sample(sorted(other), min(3, len(other)))})
    elif kind < 0.5 and isinstance(config[name], int) and not isinstance(config[name], bool):
        config[name] = config[name] * chance.choice((2, 3, 1000)) + chance.choice((0, 0, 1, -1))
    elif kind < 0.6 and isinstance(config[name], list) and config[name]:
        config[name][chance.randrange(len(config[name]))] = _value(chance)
    else:
        config[name] = _value(chance)
    return None


def _value(chance: Random) -> Any:
    if chance.random() < 0.5:
        return chance.choice(NUMBERS)
    if chance.random() < 0.1:
        return [copy.deepcopy(chance.choice(OTHERS_BY_CHANCE)) for _ in range(chance.randrange(40))]
    return copy.deepcopy(chance.choice(OTHERS_BY_CHANCE))


def mutated_index(chance: Random) -> Any:
    """An index by chance, or none."""
    if chance.random() < 0.6:
        return None
    index: dict[str, Any] = {"metadata": {"total_size": chance.choice((16_060_522_496, 10**12, 1, 3_000_000))}}
    if chance.random() < 0.3:
        index["weight_map"] = {"lm_head.weight": "model-00001.safetensors"}
    if chance.random() < 0.3:
        index["metadata"]["total_parameters"] = chance.choice((8_030_261_248, 5))
    if chance.random() < 0.2:
        index[chance.choice(("metadata", "weight_map"))] = _value(chance)
    return index


ASKED = ("", "", "", "fp8", "bitsandbytes", "gguf", "Q4_K_M", "awq", "experts_int8", "mxfp4", "nonsense")
DTYPES = ("auto", "auto", "half", "float16", "bfloat16", "float32", "int8")


def asked(chance: Random) -> list[Any]:
    """What a user may ask of the weights: type, quantisation, parallelism."""
    return [
        chance.choice(DTYPES),
        chance.choice(ASKED),
        chance.choice((1, 1, 2, 3, 4, 8, 16, 0, 2.5, "2")),
        chance.choice((1, 1, 1, 2, 3, 4, 20_000, True)),
        chance.random() < 0.3,
    ]
