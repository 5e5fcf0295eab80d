"""Settings by chance, all over what a plan takes: cards, models, versions and every lever."""

import random
from typing import Any

CARDS = (
    "t4", "v100-32gb", "rtx-3060", "rtx-3090", "rtx-4090", "rtx-5090", "a10g", "a40", "l4", "l40s", "a100-sxm-40gb",
    "a100-sxm-80gb", "h100-sxm-80gb", "h200", "b200", "gb10", "rtx-pro-6000", "mi300x", "rx-7900-xtx",
)  # fmt: skip
MODELS = (
    "meta-llama/Llama-2-7b-hf", "meta-llama/Llama-3.1-8B-Instruct", "meta-llama/Llama-3.3-70B-Instruct",
    "RedHatAI/Llama-3.3-70B-Instruct-FP8-dynamic", "Qwen/Qwen2.5-0.5B-Instruct", "Qwen/Qwen2.5-7B-Instruct",
    "Qwen/Qwen2.5-32B-Instruct-AWQ", "Qwen/Qwen3-0.6B", "Qwen/Qwen3-8B", "Qwen/Qwen3-32B", "Qwen/Qwen3-30B-A3B",
    "Qwen/Qwen3-Next-80B-A3B-Instruct", "Qwen/Qwen3.5-27B", "Qwen/Qwen3.5-35B-A3B", "mistralai/Mistral-7B-v0.1",
    "mistralai/Mistral-Small-24B-Instruct-2501", "google/gemma-2-9b-it", "google/gemma-3-27b-it", "openai/gpt-oss-20b",
    "openai/gpt-oss-120b", "deepseek-ai/DeepSeek-V2-Lite", "deepseek-ai/DeepSeek-V3", "microsoft/phi-4",
    "ibm-granite/granite-4.0-h-small", "openai/whisper-large-v3", "meta-llama/Llama-4-Scout-17B-16E-Instruct",
)  # fmt: skip
VERSIONS = (
    "0.5.5", "0.6.4.post1", "0.6.6.post1", "0.8.5", "0.9.2", "0.10.2", "0.11.0", "0.13.0", "0.14.0", "0.17.1",
    "0.19.1", "0.20.0", "0.22.1", "0.26.0", "0.28.0", "0.29.0", "0.33.0", "0.40.0",
)  # fmt: skip
LENGTHS = (512, 1_024, 4_096, 8_192, 16_000, 20_000, 29_000, 32_768, 35_000, 40_960, 65_536, 131_072, 262_144)


def asked_by(seed: int) -> dict[str, Any]:
    """Settings by chance; the same for the same seed."""
    chance = random.Random(seed)
    asked: dict[str, Any] = {"card": chance.choice(CARDS), "model": chance.choice(MODELS)}
    asked["version"] = chance.choice(VERSIONS) if chance.random() < 0.7 else "0.33.0"
    some = {
        "gpu_memory_utilization": chance.choice(
            (0.3, 0.5, 0.8, 0.85, 0.9, 0.95, 0.97, chance.randint(2000, 9999) / 10_000)
        ),
        "max_model_len": chance.choice(LENGTHS) if chance.random() < 0.8 else chance.randint(1, 200_000),
        "max_num_seqs": chance.choice((1, 4, 16, 64, 128, 256, 512, 1_024, chance.randint(1, 3_000))),
        "max_num_batched_tokens": chance.choice((512, 2_048, 4_096, 8_192, 16_384, chance.randint(16, 40_000))),
        "tensor_parallel_size": chance.choice((1, 2, 2, 3, 4, 8)),
        "pipeline_parallel_size": chance.choice((1, 1, 2, 3)),
        "kv_cache_dtype": chance.choice(("auto", "fp8")),
        "enforce_eager": chance.random() < 0.5,
        "in_use_gib": chance.choice((0, 0.5, 1.5, 4, chance.random() * 12)),
        "dtype": chance.choice(("auto", "half", "bfloat16")),
        "enable_chunked_prefill": chance.random() < 0.5,
        "enable_prefix_caching": chance.random() < 0.5,
    }
    for name, value in some.items():
        if chance.random() < 0.3:
            asked[name] = value
    if chance.random() < 0.06:
        asked["max_model_len"] = "auto"
    if chance.random() < 0.05:
        asked["kv_cache_memory_bytes"] = chance.randint(2**20, 2**35)
    if chance.random() < 0.05:
        asked["num_gpu_blocks_override"] = chance.randint(1, 20_000)
    if chance.random() < 0.06:
        asked["measured_kv_gib"] = chance.randint(-2_000, 40_000) / 1_000
    if chance.random() < 0.05:
        asked["flashinfer_sampler"] = True
    if chance.random() < 0.06:
        asked["measured_activation_gib"] = chance.randint(0, 8_000) / 1_000
    return asked
