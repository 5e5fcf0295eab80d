"""Which levers there are, what each may be set to, and which of them can help against which refusal."""

from collections.abc import Callable
from typing import Any

from .divided import SHAPES
from .levers import (
    Change,
    Question,
    fewer_change,
    freed_change,
    longer_change,
    longest_change,
    more_change,
    parallel_sizes,
    switch_change,
)
from .shares import share_change
from .supported import has_fp8, works_on
from .trial import Trial
from .versions import at_least

ORDER = (
    "dtype", "enable_chunked_prefill", "gpu_memory_utilization", "kv_cache_memory_bytes", "num_gpu_blocks_override",
    "in_use_gib", "max_num_batched_tokens", "max_num_seqs", "max_model_len", "enable_prefix_caching",
    "async_scheduling", "flashinfer_sampler", "estimate_cudagraphs", "kv_cache_dtype", "enforce_eager", "quantization",
    "tensor_parallel_size", "pipeline_parallel_size",
)  # fmt: skip
"""Levers in the order of what they cost the users: the first ones cost nothing that anybody sees.

1. Nobody on this server notices: another 16-bit type, prompts read in parts, memory that was idle or held by others.
2. Somebody waits, and only when many or long prompts come at once: fewer tokens a step, fewer seats.
3. A shorter longest chat: nobody notices until a chat is longer, and then it is turned away.
4. Everybody may wait a little, or has to trust a little more: prefixes, steps ahead, another sampler, no estimate.
5. Everybody notices something: rounded notes, slower words, rounded weights. Weights last: all answers come from them.
6. More cards: somebody buys them.

A change that goes far (`DEAR`), a second one (`PAIR`), what may die later (`DEAREST`) and more cards (`CARDS`) add to
their place, in this order.

Source:
    A choice, held against the ten situations in which people arrive (`tests/vllm/test_situations.py`).
"""
BY_REFUSAL = {
    "": ORDER,
    "free_memory": ("gpu_memory_utilization", "in_use_gib"),
    "profiling": (),
    "no_blocks": ORDER[2:],
    "one_chat": ORDER[2:],
    "too_long": ("max_model_len",),
    "below_seats": ("max_num_batched_tokens", "max_num_seqs"),
    "below_longest": ("enable_chunked_prefill", "max_num_batched_tokens", "max_model_len"),
    "out_of_memory": ("in_use_gib", *ORDER[6:9], "flashinfer_sampler", *ORDER[14:]),
    "allocating": ("kv_cache_memory_bytes", "num_gpu_blocks_override", "in_use_gib"),
    "loading": ("in_use_gib", *ORDER[15:]),
    "mamba_seats": ("gpu_memory_utilization", *ORDER[3:8], *ORDER[9:]),
    "heads": ("tensor_parallel_size",),
    "kv_heads": ("tensor_parallel_size",),
    "expert_block": ("tensor_parallel_size",),
    "width_block": ("tensor_parallel_size",),
    "bfloat16": ("dtype",),
    "method_card": ("quantization",),
    "method_file": ("quantization",),
    "method_differs": ("quantization",),
    "method_unknown": ("quantization",),
    "model_unlisted": (),
    "card_kernels": (),
}
"""Which levers can help against which refusal; without a refusal, where more room is asked for, all of them."""
PAIRED = (
    "gpu_memory_utilization", "max_num_batched_tokens", "max_num_seqs", "max_model_len", "kv_cache_dtype",
    "quantization", "tensor_parallel_size",
)  # fmt: skip
"""Levers that are tried as the second of a pair."""
MORE_CARDS = ("tensor_parallel_size", "pipeline_parallel_size")
"""Levers that take more cards."""
FIRST_FP8 = 8.0
"""The first compute capability of NVIDIA, in units of its own, for which vLLM turns weights or cache into FP8.

Source:
    vLLM, docs/features/quantization: FP8 weights run on Ampere by Marlin kernels; FP8 KV cache needs a backend for it.
"""
FIRST_LOADING = "0.6.6"
"""The first release, of those read, for which both are surely there: FP8 and bitsandbytes while weights are loaded.

Source:
    vLLM 0.6.6, docs/source/quantization.
"""
BITSANDBYTES_APART = "0.28.0"
"""The first release without bitsandbytes: a plugin, vllm-bnb-plugin, brings it back.

Source:
    vllm-project/vllm#43529 and #52802.
"""
MOST_STAGES = 8
"""Pipeline parallel is tried up to so many cards, a count without unit."""


def changes_by(question: Question, lever: str) -> list[Change]:
    """The changes that one lever offers.

    Args:
        question: what is asked
        lever: name of the setting

    Returns:
        Changes at their boundaries; none where the lever does not help.
    """
    return [change for change in LEVERS[lever](question) if change is not None]


def _switch(question: Question, lever: str, values: list[Any]) -> list[Change | None]:
    return [switch_change(question, lever, values)]


def _dtype(question: Question) -> list[Change | None]:
    return _switch(question, "dtype", ["half"])


def _chunked(question: Question) -> list[Change | None]:
    return _switch(question, "enable_chunked_prefill", [] if question["base"]["settings"]["chunked"] else [True])


def _share(question: Question) -> list[Change | None]:
    return [share_change(question)]


def _allocating(base: Trial) -> bool:
    # A pool that was set by hand is larger than what is free.
    refusal = base["verdict"]["refusal"]
    return refusal is not None and bool(refusal["terms"].get("allocating", False))


def _pool_bytes(question: Question) -> list[Change | None]:
    base = question["base"]
    now = base["settings"]["kv_cache_memory_bytes"]
    if now is None:
        return []
    if _allocating(base):
        return _switch(question, "kv_cache_memory_bytes", [max(1, now - base["budget"]["lacking_bytes"])])
    guess = now + max(0, -base["verdict"]["spare_bytes"])
    return [more_change(question, "kv_cache_memory_bytes", now + 1, base["budget"]["total_bytes"], guess)]


def _blocks(question: Question) -> list[Change | None]:
    # Only as many as there is memory for.
    base = question["base"]
    now = base["settings"]["blocks_override"]
    if now is None:
        return []
    most = min(of["blocks"] for of in base["budget"]["stages"])
    if _allocating(base):
        return _switch(question, "num_gpu_blocks_override", [most] if 0 < most < now else [])
    return [more_change(question, "num_gpu_blocks_override", now + 1, most, now + 1)]


def _freed(question: Question) -> list[Change | None]:
    return [freed_change(question)]


def _tokens(question: Question) -> list[Change | None]:
    base = question["base"]
    settings = base["settings"]
    refusal = base["verdict"]["refusal"]
    if refusal is not None and refusal["key"] in ("below_seats", "below_longest"):
        least = max(settings["seats"], 1 if settings["chunked"] else settings["longest"])
        return [more_change(question, "max_num_batched_tokens", settings["batched_tokens"] + 1, least, least)]
    return [fewer_change(question, "max_num_batched_tokens")]


def _seats(question: Question) -> list[Change | None]:
    settings = question["base"]["settings"]
    if settings["seats"] < question["least_seats"]:
        least = question["least_seats"]
        return [more_change(question, "max_num_seqs", least, least, least)]
    return [fewer_change(question, "max_num_seqs")]


def _longest(question: Question) -> list[Change | None]:
    settings = question["base"]["settings"]
    if settings["longest"] < question["least_longest"]:
        least = question["least_longest"]
        return [more_change(question, "max_model_len", least, least, least)]
    return [longest_change(question), longer_change(question)]


def _prefix(question: Question) -> list[Change | None]:
    # Without kept prefixes a state takes one page less.
    settings = question["base"]["settings"]
    mamba = question["base"]["budget"]["stages"][0]["layout"]["mamba"]
    return _switch(question, "enable_prefix_caching", [False] if mamba and settings["prefix_caching"] else [])


def _asynchronous(question: Question) -> list[Change | None]:
    # Where steps overlap, a window keeps room for two of them.
    settings = question["base"]["settings"]
    helps = settings["asynchronous"] and settings["rules"]["async_factor"] > 1
    helps = helps and question["base"]["budget"]["stages"][0]["layout"]["hybrid"]
    return _switch(question, "async_scheduling", [False] if helps else [])


def _sampler(question: Question) -> list[Change | None]:
    # The sampler that sorts the whole vocabulary for every seat is not the only one.
    return _switch(question, "flashinfer_sampler", [] if question["base"]["settings"]["flashinfer_sampler"] else [True])


def _estimate(question: Question) -> list[Change | None]:
    counted = question["base"]["settings"]["graphs_counted"] and not question["base"]["settings"]["eager"]
    return _switch(question, "estimate_cudagraphs", [False] if counted else [])


def _kv_dtype(question: Question) -> list[Change | None]:
    return _switch(question, "kv_cache_dtype", kv_dtypes(question["base"]))


def _eager(question: Question) -> list[Change | None]:
    return _switch(question, "enforce_eager", [] if question["base"]["settings"]["eager"] else [True])


def _quantised(question: Question) -> list[Change | None]:
    return _switch(question, "quantization", quantisations(question["base"]))


def _parallel(question: Question) -> list[Change | None]:
    base = question["base"]
    sizes = parallel_sizes(base)
    now = base["settings"]["tp"]
    larger = [n for n in sizes if n > now]
    refusal = base["verdict"]["refusal"]
    if refusal is None or refusal["key"] not in SHAPES:
        return _switch(question, "tensor_parallel_size", larger)
    smaller = [n for n in sizes if n < now]
    return [
        *_switch(question, "tensor_parallel_size", smaller), *_switch(question, "tensor_parallel_size", larger),
    ]  # fmt: skip


def _stages(question: Question) -> list[Change | None]:
    base = question["base"]
    now = base["settings"]["pp"]
    return _switch(question, "pipeline_parallel_size", list(range(now + 1, MOST_STAGES + 1)))


LEVERS: dict[str, Callable[[Question], list[Change | None]]] = {
    "dtype": _dtype,
    "enable_chunked_prefill": _chunked,
    "gpu_memory_utilization": _share,
    "kv_cache_memory_bytes": _pool_bytes,
    "num_gpu_blocks_override": _blocks,
    "in_use_gib": _freed,
    "max_num_batched_tokens": _tokens,
    "max_num_seqs": _seats,
    "max_model_len": _longest,
    "enable_prefix_caching": _prefix,
    "async_scheduling": _asynchronous,
    "flashinfer_sampler": _sampler,
    "estimate_cudagraphs": _estimate,
    "kv_cache_dtype": _kv_dtype,
    "enforce_eager": _eager,
    "quantization": _quantised,
    "tensor_parallel_size": _parallel,
    "pipeline_parallel_size": _stages,
}
"""How each lever is moved: a question in, changes out."""


def _can_fp8(base: Trial) -> bool:
    card = base["settings"]["card"]
    if card["maker"] == "nvidia":
        return card["capability"] != "" and float(card["capability"]) >= FIRST_FP8
    return card["maker"] == "amd" and has_fp8(card)


def kv_dtypes(base: Trial) -> list[str]:
    """Smaller types of the cache that card and version know.

    Args:
        base: where the change begins

    Returns:
        Names as vLLM has them.
    """
    settings = base["settings"]
    knows = "fp8" in settings["rules"]["kv_dtypes"]
    small = settings["kv_dtype"].startswith("fp8") or settings["kv_dtype"].startswith("nvfp4")
    return ["fp8"] if knows and _can_fp8(base) and not small else []


def quantisations(base: Trial) -> list[str]:
    """What vLLM can turn plain weights into while it loads them.

    Args:
        base: where the change begins

    Returns:
        Names as vLLM has them.

    Raises:
        PlanError: for a release that is no version
    """
    settings = base["settings"]
    card, order = settings["card"], settings["rules"]["order"]
    plain = [""] if settings["asked_as"] != "" else []
    refusal = base["verdict"]["refusal"]
    wrong = refusal is not None and refusal["key"].startswith("method_")
    if plain and not wrong:
        return []
    if settings["stored_as"] != "" or not at_least(order, FIRST_LOADING):
        return plain
    if card["maker"] not in ("nvidia", "amd"):
        return plain
    names = ["fp8", "bitsandbytes"] if card["maker"] == "nvidia" else ["fp8"]
    return [*plain, *[name for name in names if works_on(card, order, name) and name != settings["asked_as"]]]
