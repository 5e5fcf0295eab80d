"""What people ask of a server: every setting now and then, right and wrong, in every version."""

import random
from collections.abc import Iterable, Iterator
from typing import Any

from poolroom.vllm.cards import card_names
from poolroom.vllm.models import model_names
from poolroom.vllm.plan_facts import VERSIONS
from poolroom.vllm.refuse import PlanError
from poolroom.vllm.settings import resolve
from tests.parity.calls import Job
from tests.parity.inputs_vllm.versions import some_version
from tests.parity.refused import INF, MINUS, NAN, NOT_YES_NO

OWN = {"name": "mine", "total_gib": 23.57, "capability": "8.6"}
CHOICES: dict[str, list[Any]] = {
    "total_gib": [79.18, 23.58, 160, 1, 1000.5],
    "in_use_gib": [0, 0.5, 1.49, 12],
    "gpu_memory_utilization": [0.9, 0.92, 0.5, 1, 0.01, 0.9764],
    "max_model_len": [2048, 4096.0, "4k", "4K", "25.6k", "32768", 32769, "auto", -1, "-1", 1, "1M"],
    "max_num_seqs": [1, 16, 256, 1024, 1025, 8.0],
    "max_num_batched_tokens": [1, 512, 2048, "8k", 8192, 16384, 65536],
    "tensor_parallel_size": [1, 2, 3, 4, 8, 16],
    "pipeline_parallel_size": [1, 2, 3],
    "decode_context_parallel_size": [1, 2, 4],
    "dtype": ["auto", "half", "float16", "bfloat16", "float", " float32\u2003\ufeff"],
    "kv_cache_dtype": ["auto", "fp8", "fp8_e4m3", "fp8_e5m2", "bfloat16", "float16", "nvfp4"],
    "block_size": [16, 32, 8.0, 128, 256, 1568, 7],
    "enforce_eager": [True, False],
    "enable_chunked_prefill": [True, False],
    "async_scheduling": [True, False],
    "enable_prefix_caching": [True, False],
    "kv_cache_memory_bytes": [2**34, "36864M", "36G", "1.5g"],
    "num_gpu_blocks_override": [1, 512, 10**6],
    "estimate_cudagraphs": [True, False],
    "use_llm_class": [True, False],
    "engine": ["V0", "V1"],
    "quantization": ["fp8", "awq"],
    "measured_weights_gib": [14.99, 0],
    "measured_activation_gib": [1.44, 0.0],
    "measured_non_torch_gib": [0.13, -3.58],
    "measured_graphs_gib": [0.5, -0.45],
    "measured_kv_gib": [51.38, -1.44],
    "enable_lora": [True, False],
    "cpu_offload_gb": [4],
    "speculative_config": [{"method": "eagle"}],
}


def some_settings(rng: random.Random, share: float = 0.15) -> dict[str, Any]:
    """Card, model, and each other setting now and then; mostly such as a version takes."""
    asked: dict[str, Any] = {"card": rng.choice([*card_names(), OWN]), "model": rng.choice(model_names())}
    if rng.random() < 0.8:
        asked["version"] = rng.choice(VERSIONS["releases"]) if rng.random() < 0.7 else some_version(rng)
    for name, values in CHOICES.items():
        if rng.random() < (share / 3 if name in ("engine", "decode_context_parallel_size", "quantization") else share):
            asked[name] = rng.choice(values)
    return asked


def answered(rng: random.Random) -> tuple[dict[str, Any], Any]:
    """Settings that are not refused, and what they resolve to."""
    while True:
        asked = some_settings(rng, 0.08)
        try:
            return asked, resolve(asked)
        except PlanError:
            continue


def jobs(seeds: Iterable[int]) -> list[Job]:
    """Settings by chance; every eighth job asks for a default, every eighth changes settings whose model is known."""
    return list(_jobs(seeds))


def _jobs(seeds: Iterable[int]) -> Iterator[Job]:
    for seed in seeds:
        rng = random.Random(seed)
        if seed % 8 == 0:
            _, settings = answered(rng)
            name = rng.choice(VERSIONS["settings"])["name"]
            yield {"call": "vllm.settings.default_of", "args": [name, settings]}
        elif seed % 8 == 1:
            asked, settings = answered(rng)
            changes = {name: value for name, value in some_settings(rng).items() if name in CHOICES}
            kept = {name: asked[name] for name in ("engine", "quantization") if name in asked}
            dropped = {**asked, **changes, "engine": None, "quantization": None, **kept}
            yield {"call": "vllm.settings.resolve", "args": [dropped, settings]}
        else:
            yield {"call": "vllm.settings.resolve", "args": [some_settings(rng)]}


NOT_WHOLE: list[Any] = [0, -1, 0.5, NAN, INF, MINUS, True, "x", "", [], {}, 2**60]
NOT_LENGTHS: list[Any] = [0, -2, 0.5, NAN, True, "", "4.5K", "1.5", "k", "4kk", "-4", "au to", "9" * 20, [], {}, 1e12]
NOT_SIZES: list[Any] = [-1, NAN, INF, True, "24", "", [], {}, 1e9]
NOT_TEXT: list[Any] = ["", "x", "AUTO", 0, 1.5, True, [], {}]


def refused() -> list[Job]:
    """Each setting with values that it does not take, and settings that nobody knows."""
    wrong: dict[str, list[Any]] = {
        "max_num_seqs": NOT_WHOLE,
        "tensor_parallel_size": NOT_WHOLE,
        "pipeline_parallel_size": NOT_WHOLE,
        "decode_context_parallel_size": [*NOT_WHOLE, 2],
        "num_gpu_blocks_override": NOT_WHOLE,
        "block_size": NOT_WHOLE,
        "max_model_len": NOT_LENGTHS,
        "max_num_batched_tokens": [*NOT_LENGTHS, "auto", -1],
        "kv_cache_memory_bytes": [value for value in NOT_LENGTHS if value != 1e12],
        "total_gib": [*NOT_SIZES, 0],
        "in_use_gib": [*NOT_SIZES, 80],
        "gpu_memory_utilization": [0, -0.1, 1.01, 90, NAN, INF, True, "0.9", "", [], {}],
        "dtype": NOT_TEXT,
        "kv_cache_dtype": [*NOT_TEXT, "fp4", "fp16", "turboquant_k8v4"],
        "engine": NOT_TEXT,
        "version": [*NOT_TEXT, "0.2.6", 0.33],
        "quantization": [0, True, [], {}],
        **{f"measured_{part}_gib": NOT_SIZES for part in ("weights", "activation")},
        **{f"measured_{part}_gib": [NAN, True, "1", -1e9, 1e9] for part in ("non_torch", "graphs", "kv")},
    }
    for name in ("enforce_eager", "enable_chunked_prefill", "async_scheduling", "enable_prefix_caching"):
        wrong[name] = NOT_YES_NO
    for name in ("estimate_cudagraphs", "use_llm_class"):
        wrong[name] = NOT_YES_NO
    base = {"card": "h100-sxm-80gb", "model": "meta-llama/Llama-3.1-8B-Instruct", "version": "0.33.0"}
    asks: list[Any] = [{**base, name: value} for name, values in wrong.items() for value in values]
    asks += [{**base, name: 1} for name in ("max_modle_len", "gpu_memory_utilisation", "tp", "", "toString", "share")]
    asks += [{**base, "card": card} for card in (None, "", "h1000", 80, True, [], {}, {"total_gib": 0}, {"gib": 80})]
    own = [("capability", "8"), ("capability", "8.x"), ("maker", "acme"), ("name", 5), ("title", "x" * 101), ("x", 1)]
    asks += [{**base, "card": {**OWN, name: value}} for name, value in [*own, ("unified", 1), ("total_gib", "80")]]
    asks += [{**base, "model": model} for model in (None, "", "no/such-model", 8, True, [])]
    old = {"kv_cache_memory_bytes": 2**34, "max_model_len": "auto", "estimate_cudagraphs": True, "block_size": 48}
    asks += [{**base, "version": "0.9.2", name: value} for name, value in old.items()]
    asks += [{**base, "version": "0.14.0", "async_scheduling": True, "pipeline_parallel_size": 2}]
    asks += [None, 7, "settings", True, [], [base]]
    return [{"call": "vllm.settings.resolve", "args": [asked]} for asked in asks]
