"""Published start-ups whose inputs are known, and what the cache's arithmetic says of them.

A printed GiB is rounded. "Exact" therefore means: some number of bytes within that rounding gives every other printed
figure, to its last digit.
"""

import json
import re
from pathlib import Path
from typing import Any, TypedDict

from poolroom.vllm.capacity import blocks_of, capacity, chat_bytes, estimated_longest
from poolroom.vllm.layout import layout_of
from poolroom.vllm.settings import resolve

GIB = 2**30
FACTS = Path(__file__).resolve().parents[2].parent / "shared" / "facts"
SWAP_BYTES = 4 * GIB
"""V0 keeps 4 GiB of the host for swapped chats, and prints how many blocks that is."""

VERSIONS = {
    "v1774-qwen14b-int4": "0.2.7",
    "v2310-opt2.7b": "0.2.7",
    "v2217-llama2-70b-x8-hip": "0.2.7",
    "v2031-llama2-7b-a100-before": "0.2.7",
    "v2031-llama2-70b-a100x4-after": "0.2.7",
    "oci-llama8b-a10": "0.7.0",
    "v15815-qwen2.5-32b-l40sx2": "0.7.0",
    "f5773335890-phi4-4bit-80g": "0.6.6",
    "v13596-2m-tokens": "0.7.3",
    "v12569-llama3.1-70b-w8a8": "0.7.0",
    "f3493652842-llama3.2-3b-gguf-4070": "0.8.5",
    "f58928701347-k100x8-32b": "0.8.5",
    "opea1762-r1-14b-cpu": "0.8.5",
    "tpu223-v5e": "0.9.2",
    "f58028398527-qwen3-40k": "0.9.2",
    "v25350-kvfp8-221k": "0.10.2",
    "rec-kimi-k2-think-tp8-dcp8": "0.11.0",
    "f62467978649-llama3.1-8b-a5000": "0.11.0",
    "f63574967224-qwen3.5-35b": "0.17.0",
    "f58718033200-qwen3.5-hybrid-262k": "0.17.0",
    "f59875247307-qwen3.6-35b-int4-win-x2": "0.21.0",
    "club104-qwen3.6-27b-3090x2": "0.21.0",
    "lmc3430-qwen3-8b-24g": "0.21.0",
    "f56006381441-qwen3-0.6b-npu": "0.21.0",
    "f65760715645-llama3.2-3b-l4": "0.21.0",
    "f59100686116-qwen3-cpu": "0.26.0",
    "f61918553602-3090-u85": "0.27.0",
    "f57923772900-qwen3-235b-fp8-rtxpro6000x4": "0.27.0",
    "f70682754770-llama8b-h100-u92": "0.31.0",
}
"""The release whose rules a report follows, where it says only when it was written or which lines it prints."""

ENGINES = {
    "v12569-llama3.1-70b-w8a8": "V1",
    "v13596-2m-tokens": "V1",
    "v16141-qwen2.5-0.5b-awq-a6000-v0": "V0",
    "v15766-gemma3-27b-t4x8": "V0",
    "v15360-qwen2.5-7b-a10g": "V0",
    "v19736-qwen2audio-v0": "V0",
    "f3493652842-llama3.2-3b-gguf-4070": "V0",
    "f58928701347-k100x8-32b": "V0",
    "opea1762-r1-14b-cpu": "V0",
}
"""The engine, where a release has both: V0's lines speak of blocks."""

MODELS = {
    "deepseek-v2": "deepseek-ai/DeepSeek-V2",
    "deepseek-v3": "deepseek-ai/DeepSeek-V3",
    "gemma-3-4b": "google/gemma-3-4b-it",
    "gemma-3-27b": "google/gemma-3-27b-it",
    "gpt-oss-120b": "openai/gpt-oss-120b",
    "jamba-1.5-mini": "ai21labs/AI21-Jamba-1.5-Mini",
    "kimi-k2": "moonshotai/Kimi-K2-Thinking",
    "llama-2-7b": "meta-llama/Llama-2-7b-hf",
    "llama-2-70b": "meta-llama/Llama-2-70b-hf",
    "llama-3-8b": "meta-llama/Llama-3.1-8B-Instruct",
    "llama-3-70b": "meta-llama/Llama-3.1-70B-Instruct",
    "llama-3.2-3b": "meta-llama/Llama-3.2-3B-Instruct",
    "llama-3.2-11b-vision": "meta-llama/Llama-3.2-11B-Vision-Instruct",
    "llama-4-maverick": "meta-llama/Llama-4-Maverick-17B-128E-Instruct",
    "mistral-7b": "mistralai/Mistral-7B-Instruct-v0.2",
    "mistral-large-2407": "mistralai/Mistral-Large-Instruct-2407",
    "mistral-nemo-12b": "mistralai/Mistral-Nemo-Instruct-2407",
    "mistral-small-24b": "mistralai/Mistral-Small-3.2-24B-Instruct-2506",
    "mixtral-8x7b": "mistralai/Mixtral-8x7B-v0.1",
    "opt-2.7b": "facebook/opt-2.7b",
    "phi-4": "microsoft/phi-4",
    "qwen-14b": "Qwen/Qwen-14B-Chat",
    "qwen-7b-mha": "Qwen/Qwen2-Audio-7B-Instruct",
    "qwen1.5-14b": "Qwen/Qwen1.5-14B-Chat",
    "qwen2-7b": "Qwen/Qwen2-7B-Instruct",
    "qwen2.5-0.5b": "Qwen/Qwen2.5-0.5B-Instruct",
    "qwen2.5-7b": "Qwen/Qwen2.5-7B-Instruct",
    "qwen2.5-14b": "Qwen/Qwen2.5-14B-Instruct",
    "qwen2.5-32b": "Qwen/Qwen2.5-32B-Instruct",
    "qwen3-0.6b": "Qwen/Qwen3-0.6B",
    "qwen3-8b": "Qwen/Qwen3-8B",
    "qwen3-32b": "Qwen/Qwen3-32B",
    "qwen3-30b-a3b": "Qwen/Qwen3-30B-A3B",
    "qwen3-235b": "Qwen/Qwen3-235B-A22B",
    "qwen3-coder-480b": "Qwen/Qwen3-Coder-480B-A35B-Instruct",
}
"""Models of the plan's facts by the shapes that the reports were checked with."""

SHAPES = {
    "v19964-e5-mistral-bnb": "intfloat/e5-mistral-7b-instruct",
    "f61918553602-3090-u85": "Qwen/Qwen2.5-0.5B-Instruct",
    "f63574967224-qwen3.5-35b": "Qwen/Qwen3.5-35B-A3B",
    "f57769339834-qwen-hybrid-65k": "Qwen/Qwen3.5-35B-A3B",
    "f59875247307-qwen3.6-35b-int4-win-x2": "Qwen/Qwen3.5-35B-A3B",
    "club104-qwen3.6-27b-3090x2": "Qwen/Qwen3.5-27B",
    "v10150-7900xtx-tp2": "Qwen/Qwen2-7B-Instruct",
    "v16301-32b": "Qwen/Qwen3-32B",
    "v13596-2m-tokens": "facebook/opt-125m",
}
"""Models of reports that name another of the same shape, or only what follows from its size."""

QWEN_2B_HYBRID = {
    "model_type": "qwen3_5",
    "architectures": ["Qwen3_5ForConditionalGeneration"],
    "text_config": {
        "model_type": "qwen3_5_text", "dtype": "bfloat16", "hidden_size": 2048, "intermediate_size": 6144,
        "num_hidden_layers": 24, "num_attention_heads": 8, "num_key_value_heads": 2, "head_dim": 256,
        "full_attention_interval": 4, "linear_conv_kernel_dim": 4, "linear_key_head_dim": 128,
        "linear_value_head_dim": 128, "linear_num_key_heads": 16, "linear_num_value_heads": 16,
        "mamba_ssm_dtype": "float32", "max_position_embeddings": 262_144, "vocab_size": 248_320,
        "tie_word_embeddings": True,
    },
}  # fmt: skip
"""Six of 24 layers attend: the report's "Qwen3.5 hybrid, 24 layers, 6 full attention, 4.55 GiB"."""

SAID: dict[str, dict[str, Any]] = {
    "v10150-7900xtx-tp2": {"tensor_parallel_size": 2},
    "v11899-qwen2vl-7b-awq-kvfp8": {"kv_cache_dtype": "fp8"},
    "f63574967224-qwen3.5-35b": {"kv_cache_dtype": "fp8", "enable_prefix_caching": True},
    "f57769339834-qwen-hybrid-65k": {"kv_cache_dtype": "fp8", "enable_prefix_caching": True},
    "f59875247307-qwen3.6-35b-int4-win-x2": {"kv_cache_dtype": "fp8", "enable_prefix_caching": True},
    "club104-qwen3.6-27b-3090x2": {"kv_cache_dtype": "fp8", "enable_prefix_caching": True},
    "f58718033200-qwen3.5-hybrid-262k": {"model": QWEN_2B_HYBRID},
    "f59100686116-qwen3-cpu": {"block_size": 128},
    "f56006381441-qwen3-0.6b-npu": {"block_size": 128},
    "tpu223-v5e": {"card": "tpu-v5e"},
    "rec-kimi-k2-think-tp8-dcp8": {"decode_context_parallel_size": 8, "max_model_len": 262_144},
    "f62467978649-llama3.1-8b-a5000": {},
    "v34076-qwen3coder-30b-pp2": {"kv_cache_dtype": "auto"},
}
"""What a report says elsewhere than in its fields, or what alone explains its figures: both are named in the table."""

INFERRED = {
    "f63574967224-qwen3.5-35b": "fp8 cache and kept prefixes follow from the printed tokens: 2,096 to a block",
    "f57769339834-qwen-hybrid-65k": "fp8 cache and kept prefixes follow from the printed tokens: 2,096 to a block",
    "f59875247307-qwen3.6-35b-int4-win-x2": "fp8 cache and kept prefixes follow from the printed tokens",
    "club104-qwen3.6-27b-3090x2": "kept prefixes follow from 174 blocks a chat",
    "f59100686116-qwen3-cpu": "blocks of 128 are the CPU's (platforms/cpu.py, 0.26)",
    "f56006381441-qwen3-0.6b-npu": "blocks of 128 are the NPU's, as its report says",
    "f61918553602-3090-u85": "the model's shape follows from 12,288 bytes a token",
    "v10150-7900xtx-tp2": "the model's shape follows from 9,362 blocks of 4 GiB",
    "rec-kimi-k2-think-tp8-dcp8": "longest length is the model's own",
}
"""What was inferred from the figures themselves."""

MISSES = {
    "f58928701347-k100x8-32b": "the memory is one rank's, the blocks are those of a smaller one",
}
"""Exceptions, each with its reason."""

MEMORY = {"opea1762-r1-14b-cpu": 4.0}
"""Memory for the cache that a report does not print: the CPU's default, GiB."""

FIELDS = ("gpu_blocks", "kv_tokens", "max_concurrency")


class Case(TypedDict):
    """One report, and what the arithmetic says.

    Attributes:
        id: the report
        version: the release whose rules hold
        source: where it was published
        checks: names of the figures that were compared
        exact: those of them that agree
        note: what was inferred, or why it misses
    """

    id: str
    version: str
    source: str
    checks: list[str]
    exact: list[str]
    note: str


def rows() -> list[dict[str, Any]]:
    """Every published report, or none where the folder is absent."""
    path = FACTS / "start-logs.jsonl"
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def asked_of(row: dict[str, Any]) -> dict[str, Any]:
    """The settings of a report, by vLLM's names."""
    name = row["id"]
    version = VERSIONS.get(name, str(row["vllm_version"]).split(" ")[0].replace(".x", ".0").removesuffix(".dev"))
    asked: dict[str, Any] = {
        "card": "H100-80GB",
        "model": SHAPES.get(name) or MODELS.get(str(row["config"])),
        "version": version,
        "engine": ENGINES.get(name),
        "max_model_len": row["max_model_len"],
        "max_num_batched_tokens": row["max_num_batched_tokens"],
        "tensor_parallel_size": row["tp"],
        "pipeline_parallel_size": row["pp"],
        "kv_cache_dtype": row["kv_cache_dtype"],
        "block_size": row["block_size"],
    }
    return {**asked, **SAID.get(name, {})}


def rounding(value: float) -> tuple[int, int]:
    """The least and the most bytes that are printed as so many GiB, with two digits after the point or more."""
    digits = max(2, len(str(value).partition(".")[2]))
    half = 0.5 * 10.0**-digits
    # A little wider than half a digit: rounding is of doubles.
    return int((value - half) * GIB) - 1, int((value + half) * GIB) + 1


def figures_of(row: dict[str, Any]) -> dict[str, Any]:
    """What a report prints that follows from its memory for the cache."""
    found: dict[str, Any] = {key: row[key] for key in FIELDS if row[key] is not None}
    numbers = row["error_numbers"] or {}
    for key in ("needed_gib", "estimated_max_len"):
        if numbers.get(key) is not None:
            found[key] = numbers[key]
    swapped = re.search(r"# CPU blocks: ([0-9,]+)", " ".join(row["log_lines"]))
    if swapped and row["id"] != "f44847761102-llama8b-bnb-t4-lora":  # a swap space of another size
        found["cpu_blocks"] = int(swapped[1].replace(",", ""))
    return found


def judged(row: dict[str, Any]) -> Case | None:
    """The case of a report; None where its model, its settings or its figures are not known."""
    row = {**row, "kv_cache_gib": MEMORY.get(row["id"], row["kv_cache_gib"])}
    asked, figures = asked_of(row), figures_of(row)
    input_of = None if row["kv_cache_gib"] is not None else next((key for key in FIELDS[:2] if key in figures), None)
    checks = sorted(key for key in figures if key != input_of)
    if asked["model"] is None or not checks or (row["kv_cache_gib"] or 0) < 0:
        return None
    settings = resolve({key: value for key, value in asked.items() if value is not None})
    stages = [layout_of(settings, stage) for stage in range(settings["pp"])]
    exact: list[str] = []
    for blocks, kv_bytes in candidates(row, figures, stages):
        agreed = sorted(set(checks) & set(agreeing(settings, stages, figures, blocks, kv_bytes)))
        exact = max(exact, agreed, key=len)
    note = MISSES.get(row["id"], INFERRED.get(row["id"], ""))
    return {
        "id": row["id"], "version": settings["rules"]["version"], "source": row["source"], "checks": checks,
        "exact": exact, "note": note,
    }  # fmt: skip


def candidates(row: dict[str, Any], figures: dict[str, Any], stages: list[Any]) -> list[tuple[int, int]]:
    """Blocks and bytes that the printed memory allows; without any, those that the printed blocks or tokens name."""
    small = max(stages, key=lambda stage: stage["block_bytes"])
    if row["kv_cache_gib"] is not None:
        least, most = rounding(row["kv_cache_gib"])
        first, last = blocks_of(small, least), blocks_of(small, most)
        # Both ends of a block's range: a test against bytes may fall within it.
        size = small["block_bytes"]
        return [(n, at) for n in range(first, last + 1) for at in {max(least, n * size), min(most, (n + 1) * size - 1)}]
    if "gpu_blocks" in figures:
        return [(figures["gpu_blocks"], figures["gpu_blocks"] * small["block_bytes"])]
    around = figures.get("kv_tokens", 0) // max(1, small["block_tokens"]) * max(1, len(small["groups"]))
    return [(n, n * small["block_bytes"]) for n in range(around, around + len(small["groups"]) + 1)]


def agreeing(settings: Any, stages: list[Any], figures: dict[str, Any], blocks: int, kv_bytes: int) -> list[str]:
    """The figures that one number of bytes gives to the last digit."""
    layout = max(stages, key=lambda stage: stage["block_bytes"])
    held = capacity(settings, layout, blocks)
    plain = settings["rules"]["engine"] == "V0" or settings["rules"]["capacity"] in ("blocks", "v1_tokens")
    said: dict[str, Any] = {
        "gpu_blocks": held["blocks"],
        "kv_tokens": held["blocks"] * layout["block_tokens"] if plain else held["tokens"],
        "max_concurrency": f"{held['concurrency']:.2f}",
        "needed_gib": f"{chat_bytes(settings, layout, settings['longest']) / GIB:.2f}",
        "estimated_max_len": estimated_longest(settings, layout, kv_bytes),
        "cpu_blocks": SWAP_BYTES // layout["block_bytes"],
    }
    return [key for key, value in figures.items() if same(said[key], value)]


def same(said: Any, printed: Any) -> bool:
    """Whether a figure is the printed one; what has digits after the point has two of them."""
    return bool(said == (f"{printed:.2f}" if isinstance(said, str) else printed))


def table() -> list[Case]:
    """Every complete case, for a page to show."""
    return [case for case in map(judged, rows()) if case is not None]


if __name__ == "__main__":
    for case in table():
        missed = [key for key in case["checks"] if key not in case["exact"]]
        print(case["id"], case["version"], *case["checks"], "MISSES" if missed else "exact", *missed, case["note"])
