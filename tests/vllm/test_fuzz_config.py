"""Configs gone wrong by chance: each is read or refused, never anything else, and what is read is sound."""

from collections import Counter
from collections.abc import Callable
from random import Random
from time import monotonic
from typing import Any

from poolroom.vllm.config import read_model
from poolroom.vllm.refuse import PlanError
from poolroom.vllm.stages import stage_orders
from poolroom.vllm.weights import weights_of
from tests.vllm.mutated import asked, mutated, mutated_index

Tell = Callable[[str], None]
TRIALS = 20_000


def sound(value: Any, path: str = "model") -> None:
    """Every number whole, not below 0, below 2^53; everything else a text, true, false or null."""
    if isinstance(value, dict):
        for name, each in value.items():
            sound(each, f"{path}.{name}")
    elif isinstance(value, list):
        for each in value:
            sound(each, path)
    elif not isinstance(value, (bool, str)) and value is not None:
        assert isinstance(value, int) and 0 <= value < 2**53, (path, value)


def test_configs_by_chance(tell: Tell) -> None:
    """Rule: 20,000 mutated configs are read or refused within a minute, and every refusal names a field."""
    start, counts = monotonic(), Counter[str]()
    for seed in range(TRIALS):
        chance = Random(f"fuzz {seed}")
        config, index = mutated(chance), mutated_index(chance)
        try:
            model = read_model(config, index, "a name")
            sound(model)
            assert all(order < len(model["kinds"]) for order in model["order"])
            assert model["weights"]["least"] <= model["weights"]["most"]
            counts["read"] += 1
            parts = weights_of(model, *asked(chance))
            sound(parts)
            assert all(part["low"] <= part["bytes"] <= part["high"] for part in parts)
            stages = stage_orders(model, len(parts))
            assert [kind for stage in stages for kind in stage] == model["order"]
            counts["weighed"] += 1
        except PlanError as refusal:
            assert refusal.setting and str(refusal)
            counts["refused"] += 1
    seconds = monotonic() - start
    tell(f"config: {TRIALS:,} by chance in {seconds:.0f} s: {counts['read']:,} read, {counts['weighed']:,} weighed")
    assert seconds < 60 and counts["read"] > TRIALS // 4 and counts["weighed"] > TRIALS // 10


def test_what_is_huge_does_not_hang() -> None:
    """Rule: the most layers that are read take no time that is felt, and a long list of names no more."""
    start = monotonic()
    base = {
        "model_type": "llama",
        "hidden_size": 64,
        "num_attention_heads": 1,
        "vocab_size": 64,
        "intermediate_size": 64,
    }
    ignored = [f"model.layers.{i}.mlp.down_proj" for i in range(10_000)]
    quantised = {"quant_method": "fp8", "ignored_layers": ignored}
    model = read_model(base | {"num_hidden_layers": 10_000, "quantization_config": quantised})
    assert len(weights_of(model, "auto", "", 1, 10_000)) == 10_000
    assert monotonic() - start < 5
