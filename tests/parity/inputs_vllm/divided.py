"""Models over so many cards: KV heads that divide or not, and FP8 widths that end within a block or not."""

import random
from collections.abc import Iterable
from typing import Any

from poolroom.vllm.models import model_config

SEEDS = 400
MODELS = (
    "Qwen/Qwen3-8B-FP8", "Qwen/Qwen3-32B-FP8", "Qwen/Qwen3-30B-A3B-FP8", "Qwen/Qwen3-Coder-480B-A35B-Instruct-FP8",
    "deepseek-ai/DeepSeek-V3", "openai/gpt-oss-120b", "google/gemma-3-27b-it", "Qwen/Qwen3.5-27B",
)  # fmt: skip
FP8 = {"num_bits": 8, "type": "float", "strategy": "block", "symmetric": True}


def jobs(seeds: Iterable[int]) -> list[dict[str, Any]]:
    """A plan for each seed; the widths, the blocks and what is left as it is by chance."""
    made: list[dict[str, Any]] = []
    for seed in seeds:
        chance = random.Random(f"divided {seed}")
        config = {**model_config(chance.choice(MODELS))}
        width = "moe_intermediate_size" if chance.random() < 0.5 else "intermediate_size"
        if chance.random() < 0.5 and width in config:
            config[width] = 64 * chance.randint(1, 200)
        if chance.random() < 0.5 and "head_dim" in config:
            config["head_dim"] = chance.choice((32, 64, 80, 96, 256))
        block = [chance.choice((64, 96, 128, 128.0)), chance.choice((64, 128, 160))]
        if chance.random() < 0.3:
            left = chance.choice(([], ["down_proj"], ["model.layers.0.mlp"], ["mlp.experts"]))
            own = {"quant_method": "fp8", "weight_block_size": block, "modules_to_not_convert": left}
            config["quantization_config"] = own
        elif chance.random() < 0.3:
            groups = {"group_0": {"targets": ["Linear"], "weights": {**FP8, "block_structure": block}}}
            config["quantization_config"] = {"quant_method": "compressed-tensors", "config_groups": groups}
        asked: dict[str, Any] = {
            "card": "h200", "model": config, "max_model_len": 4_096, "version": chance.choice(("0.13.0", "0.33.0")),
            "tensor_parallel_size": chance.choice((1, 2, 3, 4, 6, 8, 12, 16)),
        }  # fmt: skip
        if chance.random() < 0.2:
            asked["enable_expert_parallel"] = True
        made.append({"call": "vllm.plan_words.answer", "args": [asked, seed % 8 == 0]})
    return made


def refused() -> list[dict[str, Any]]:
    """Nothing: what is refused there is refused by the plan."""
    return []
