"""Settings by chance for the budget: real cards, models and versions, and every setting that moves memory."""

import random
from typing import Any

from poolroom.vllm.refuse import PlanError
from poolroom.vllm.settings import resolve

CARDS = ["RTX-3090", "RTX-4090", "A100-80GB", "H100-80GB", "B200", "T4", "MI300X", "L40S", "GB10"]
MODELS = [
    "meta-llama/Llama-3.1-8B-Instruct",
    "meta-llama/Llama-3.1-70B-Instruct",
    "Qwen/Qwen2.5-7B-Instruct",
    "Qwen/Qwen3-0.6B",
    "Qwen/Qwen3-8B-FP8",
    "openai/gpt-oss-20b",
    "google/gemma-3-27b-it",
    "deepseek-ai/DeepSeek-V3",
    "Qwen/Qwen3.5-27B",
    "mistralai/Mistral-7B-v0.1",
]
VERSIONS = ["0.4.3", "0.6.4", "0.6.6", "0.8.5", "0.10.1", "0.11.0", "0.16.0", "0.19.1", "0.24.0", "0.28.0", "0.33.0"]


def asked(seed: int) -> dict[str, Any]:
    """What somebody might ask."""
    chance = random.Random(seed)
    wish: dict[str, Any] = {
        "card": chance.choice(CARDS),
        "model": chance.choice(MODELS),
        "version": chance.choice(VERSIONS),
        "gpu_memory_utilization": chance.randrange(5, 101) / 100,
    }
    choices: dict[str, Any] = {
        "max_model_len": chance.choice([1, 2_048, 8_192, 16_000, 29_000, 131_072]),
        "max_num_seqs": chance.choice([1, 4, 64, 256, 1_024]),
        "max_num_batched_tokens": chance.choice([512, 2_048, 8_192, 16_384]),
        "tensor_parallel_size": chance.choice([1, 2, 4, 8]),
        "pipeline_parallel_size": chance.choice([1, 2, 3]),
        "enforce_eager": chance.choice([True, False]),
        "in_use_gib": chance.choice([0, 0.6, 3.25]),
        "total_gib": chance.choice([15.77, 23.58, 79.18]),
        "use_llm_class": chance.choice([True, False]),
        "measured_weights_gib": chance.choice([5.2, 14.9888]),
        "measured_activation_gib": 1.4,
        "measured_non_torch_gib": 0.13,
        "measured_kv_gib": chance.choice([-0.5, 3.81]),
        "num_gpu_blocks_override": 512,
        "kv_cache_memory_bytes": 119_275_520,
    }
    for name, value in choices.items():
        if chance.random() < (0.35 if "measured" not in name and name[:2] not in ("nu", "kv") else 0.06):
            wish[name] = value
    return wish


def resolved(seed: int) -> Any:
    """Settings by chance, or None where they are refused."""
    try:
        return resolve(asked(seed))
    except PlanError:
        return None
