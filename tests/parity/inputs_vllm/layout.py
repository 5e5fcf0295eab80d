"""Models of any layers and the settings that cut their cache: hybrids, states, shared layers, all releases."""

import random
from collections.abc import Iterable
from typing import Any

from tests.parity.calls import Job
from tests.vllm import factories as make

SEEDS = 1_200
VERSIONS = (
    "0.2.7", "0.5.5", "0.6.6", "0.7.3", "0.8.5", "0.9.0", "0.9.2", "0.10.2", "0.11.0", "0.12.0", "0.13.0", "0.14.0",
    "0.15.1", "0.16.0", "0.17.1", "0.18.0", "0.20.0", "0.24.0", "0.26.0", "0.28.0", "0.29.0", "0.33.0",
)  # fmt: skip
NAMES = (
    "LlamaForCausalLM", "DeepseekV32ForCausalLM", "DeepseekV4ForCausalLM", "NemotronHForCausalLM", "BambaForCausalLM",
    "Qwen3_5ForConditionalGeneration",
)  # fmt: skip
CARDS = (("nvidia", "8.6"), ("nvidia", "9.0"), ("nvidia", "10.0"), ("nvidia", "12.0"), ("amd", ""), ("intel", ""))
TYPES = ("auto", "fp8", "fp8_e5m2", "bfloat16", "float16", "int8_per_token_head", "nvfp4", "fp8_ds_mla", "nvfp4_ds_mla")


def a_kind(draw: random.Random) -> Any:
    """One kind of layer."""
    name = draw.choice(("full", "full", "sliding", "sliding", "chunked", "mla", "mamba", "mamba", "cross", "shared"))
    if name == "mamba":
        parts = [[draw.randrange(1, 10**7), draw.choice((0, 2, 4))] for _ in range(draw.randrange(1, 4))]
        return make.state(*parts)
    heads = draw.choice((1, 2, 3, 4, 8, 10, 32))
    size = draw.choice((64, 80, 128, 192, 256, 576))
    window = draw.choice((0, 128, 1_024, 4_096, 8_192)) if name in ("sliding", "chunked") else 0
    return make.kind(name, heads, size, window=window)


def a_plan(seed: int) -> Any:
    """Settings with a model."""
    draw = random.Random(seed)
    kinds = [a_kind(draw) for _ in range(draw.randrange(1, 5))]
    layers = draw.choice((1, 2, 12, 28, 61, 97))
    pattern = [draw.randrange(len(kinds)) for _ in range(draw.choice((1, 2, 4, 6, layers)))]
    order = [pattern[i % len(pattern)] for i in range(layers)]
    model = make.model(kinds, order, architecture=draw.choice(NAMES), heads=draw.choice((8, 32, 128)))
    model["encoder_tokens"] = draw.choice((0, 1_500, 6_404))
    if draw.random() < 0.2:
        caches = [draw.randrange(3) for _ in range(layers)]
        model |= {"order": [order[i] for i in range(layers) for _ in range(caches[i])], "weights": {"caches": caches}}
    maker, capability = draw.choice((*CARDS, ("google", "")))
    tp = draw.choice((1, 1, 2, 3, 4, 8, 16))
    return make.settings(
        model,
        version=draw.choice(VERSIONS),
        card=make.card(maker=maker, capability=capability),
        longest=draw.choice((1, 17, 2_048, 8_192, 10_007, 131_072, 1_048_576)),
        batched_tokens=draw.choice((512, 2_048, 8_192, 16_384, 33_000)),
        asynchronous=draw.random() < 0.5,
        prefix_caching=draw.random() < 0.7,
        given=draw.choice(([], ["enable_prefix_caching"])),
        tp=tp,
        pp=draw.choice((1, 1, 1, 2, 3)),
        dcp=draw.choice((1, 1, 1, tp)),
        kv_dtype=draw.choice(TYPES),
        dtype=draw.choice(("bfloat16", "bfloat16", "float16", "float32")),
        block_tokens=draw.choice((0, 0, 0, 8, 16, 32, 64, 128, 100)),
    )


def jobs(seeds: Iterable[int]) -> list[Job]:
    """The layout of a stage, and now and then what one layer takes."""
    made: list[Job] = []
    for seed in seeds:
        settings = a_plan(seed)
        draw = random.Random(-seed)
        kind = draw.choice(settings["model"]["kinds"])
        calls = {
            "layout.layout_of": [settings, draw.randrange(settings["pp"])],
            "kept.kept_of": [settings, kind],
            "kept.caches_of": [settings, draw.randrange(settings["pp"])],
            "pages.token_bytes": [settings, kind],
            "pages.state_bytes": [settings, kind],
            "pages.backend_tokens": [settings],
            "pages.block_tokens_of": [settings],
            "pages.rounded_up": [draw.randrange(2**53), draw.randrange(1, 2 ** draw.randrange(1, 53))],
        }
        name = "layout.layout_of" if seed % 6 else draw.choice(list(calls))
        made.append({"call": f"vllm.{name}", "args": calls[name]})
    return made


def refused() -> list[Job]:
    """Sizes that both languages cannot hold, and stages that hold nothing."""
    shared = make.model([make.kind(), make.kind("shared", 0, 0)], [0, 0, 1, 1])
    huge = [
        make.dense(2, 2**40, 2**20),
        make.dense(2**10, 2**20, 2**20),
        make.model([make.state([2**50, 4], [2**52, 4])], [0]),
        make.model([make.kind(), make.kind("full", 2**30, 2**20)], [0, 1]),
        make.model([make.kind("sliding", 2**20, 2**20, window=64), make.kind("full", 2**20, 2**20)], [0, 1] * 5_000),
    ]
    made: list[Job] = [{"call": "vllm.layout.layout_of", "args": [make.settings(model), 0]} for model in huge]
    made.append({"call": "vllm.layout.layout_of", "args": [make.settings(shared, pp=2), 1]})
    made.append({"call": "vllm.layout.layout_of", "args": [make.settings(shared, pp=5), 0]})
    made.append({"call": "vllm.pages.bounded", "args": ["layers", 2**53]})
    return made
