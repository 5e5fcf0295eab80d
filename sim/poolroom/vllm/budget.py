"""The whole budget of the cards: what is asked for, what each part takes, what is left for the cache."""

import math
from typing import Any, TypedDict

from .capacity import Capacity, blocks_of, capacity
from .graphs import graphs
from .layout import Layout, layout_of
from .pages import bounded
from .plan_facts import FITTED
from .reserve import Part, activation, by_cuda, measured_part, non_torch, penalties
from .weights import weights_of


class Stage(TypedDict):
    """The budget of each card of one stage of the pipeline.

    Attributes:
        parts: weights, activation, non_torch, penalties and graphs, in this order, in bytes
        others_bytes: what other programs hold, where the version takes it from the share, bytes
        kv_bytes: left for the cache, bytes; may be negative
        kv_low: least that may be left, bytes
        kv_high: most that may be left, bytes
        layout: how the cache of this stage is cut
        blocks: blocks that go into it
    """

    parts: list[Part]
    others_bytes: int
    kv_bytes: int
    kv_low: int
    kv_high: int
    layout: Layout
    blocks: int


class Budget(TypedDict):
    """The budget of a start.

    Attributes:
        total_bytes: memory of one card as the driver reports it, bytes
        in_use_bytes: held before the server starts, bytes
        free_bytes: free at the start, bytes
        requested_bytes: total × share, rounded up, bytes
        stages: the budget of each stage of the pipeline, in bytes
        stage: place of the stage with the fewest blocks, from 0
        blocks: blocks of the pool
        capacity: what the pool holds, in tokens and chats
        kv_bytes: cache of a card of that stage, bytes
        unused_bytes: what the server leaves free, bytes
        lacking_bytes: what it needs beyond what is free, bytes
    """

    total_bytes: int
    in_use_bytes: int
    free_bytes: int
    requested_bytes: int
    stages: list[Stage]
    stage: int
    blocks: int
    capacity: Capacity
    kv_bytes: int
    unused_bytes: int
    lacking_bytes: int


def requested_bytes(total: int, share: float) -> int:
    """What a server asks for: total × share, rounded up.

    Args:
        total: memory of the card as the driver reports it, bytes
        share: the memory share, from 0 to 1

    Returns:
        Bytes.

    Source:
        vLLM 0.33.0, `v1/worker/utils.py`, `request_memory`.
    """
    return -math.floor(-(total * share))


def given_kv_bytes(settings: Any) -> int | None:
    """Memory of the cache where it is given, by a log or by kv_cache_memory_bytes.

    Args:
        settings: the resolved settings

    Returns:
        Bytes, or None where it follows from the share.

    Source:
        vLLM 0.19.0, `v1/worker/gpu_worker.py`: used as it is, the profile run counts for nothing.
    """
    measured = settings["measured"].get("kv_bytes")
    if measured is not None:
        return int(measured)
    given = settings["kv_cache_memory_bytes"]
    return None if given is None else int(given)


def others_bytes(settings: Any) -> int:
    """What a version takes from the share for memory that was held before: all of it, or nothing.

    Where it is not given, what versions that count it found of their own context. What such a version prints as beside
    PyTorch holds it already.

    Args:
        settings: the resolved settings

    Returns:
        Bytes.

    Source:
        vLLM 0.6.4, `worker/worker.py`, and 0.8.5, `v1/worker/gpu_worker.py`; vllm-project/vllm#10517 and #16141.
    """
    if not settings["rules"]["counts_others"] or settings["measured"].get("non_torch_bytes") is not None:
        return 0
    if "in_use_gib" in settings["given"]:
        return int(settings["in_use_bytes"])
    return int(min(settings["in_use_bytes"], FITTED["context"]["bytes"]))


def loaded_weights(settings: Any) -> list[Part]:
    """The weights of one card of each stage, as they are loaded with these settings.

    Args:
        settings: the resolved settings

    Returns:
        One part a stage, in bytes.

    Raises:
        PlanError: for sizes that both languages cannot hold exactly
    """
    parts: list[Any] = weights_of(settings["model"], settings["dtype"], "", settings["tp"], settings["pp"])
    return parts


def parts_of(settings: Any, stage: int, weights: Part) -> list[Part]:
    """What a card of one stage needs beside the cache; a part that was measured counts as measured.

    Args:
        settings: the resolved settings
        stage: place of the stage of the pipeline, from 0
        weights: the weights of a card of this stage, in bytes

    Returns:
        Weights, activation, non_torch, penalties and graphs, in bytes.

    Raises:
        PlanError: for sizes that both languages cannot hold exactly
    """
    predicted = [
        weights,
        activation(settings, stage),
        non_torch(settings),
        penalties(settings, stage),
        graphs(settings),
    ]
    return [_measured(settings, part) for part in predicted]


def _measured(settings: Any, part: Part) -> Part:
    size = settings["measured"].get(f"{part['name']}_bytes")
    if size is not None:
        return measured_part(part["name"], size)
    # What was read and fitted is CUDA's: of other builds it is a guess.
    return part if part["name"] == "weights" or by_cuda(settings) else {**part, "kind": "guessed"}


def stage_budget(settings: Any, stage: int, weights: Part) -> Stage:
    """The budget of each card of one stage.

    Args:
        settings: the resolved settings
        stage: place of the stage of the pipeline, from 0
        weights: the weights of a card of this stage, in bytes

    Returns:
        The budget, in bytes.

    Raises:
        PlanError: for sizes that both languages cannot hold exactly
    """
    parts = parts_of(settings, stage, weights)
    others = others_bytes(settings)
    room = requested_bytes(settings["total_bytes"], settings["share"]) - others
    kv = [room - bounded("total_gib", sum(sizes)) for sizes in _sizes(parts)]
    given = given_kv_bytes(settings)
    if given is not None:
        kv = [given, given, given]
    layout = layout_of(settings, stage)
    return {
        "parts": parts,
        "others_bytes": others,
        "kv_bytes": kv[0],
        "kv_low": kv[1],
        "kv_high": kv[2],
        "layout": layout,
        "blocks": blocks_of(layout, kv[0]),
    }


def _sizes(parts: list[Part]) -> list[list[int]]:
    # What is expected, the most, the least: so that the cache comes out as expected, least, most.
    return [[part["bytes"] for part in parts], [part["high"] for part in parts], [part["low"] for part in parts]]


def budget(settings: Any, weights: list[Part] | None = None) -> Budget:
    """The whole budget: every stage, and the one with the fewest blocks, which decides.

    Args:
        settings: the resolved settings
        weights: the weights of a card of each stage, in bytes, where they are known

    Returns:
        The budget, in bytes.

    Raises:
        PlanError: for sizes that both languages cannot hold exactly

    Source:
        vLLM 0.33.0, `v1/worker/gpu_worker.py`, `determine_available_memory`, and `v1/core/kv_cache_planning.py`.
    """
    loaded = loaded_weights(settings) if weights is None else weights
    stages = [stage_budget(settings, stage, loaded[stage]) for stage in range(settings["pp"])]
    least = 0
    for place, one in enumerate(stages):
        if _less(one, stages[least]):
            least = place
    here = stages[least]
    override = settings["blocks_override"]
    blocks = here["blocks"] if override is None else override
    requested = requested_bytes(settings["total_bytes"], settings["share"])
    left = _left(settings, here, requested)
    return {
        "total_bytes": settings["total_bytes"],
        "in_use_bytes": settings["in_use_bytes"],
        "free_bytes": settings["free_bytes"],
        "requested_bytes": requested,
        "stages": stages,
        "stage": least,
        "blocks": blocks,
        "capacity": capacity(settings, here["layout"], blocks),
        "kv_bytes": here["kv_bytes"],
        "unused_bytes": max(0, left),
        "lacking_bytes": max(0, 0 - left),
    }


def _less(one: Stage, other: Stage) -> bool:
    # Fewer blocks; where both have none, or equally many, less memory.
    if one["blocks"] == other["blocks"]:
        return one["kv_bytes"] < other["kv_bytes"]
    return one["blocks"] < other["blocks"]


def _left(settings: Any, stage: Stage, requested: int) -> int:
    # What others hold lies inside the share in some versions; a given cache makes the share count for nothing.
    taken = requested - stage["others_bytes"]
    if given_kv_bytes(settings) is not None:
        taken = sum(part["bytes"] for part in stage["parts"]) + stage["kv_bytes"]
    if settings["blocks_override"] is not None:
        set_bytes = settings["blocks_override"] * stage["layout"]["block_bytes"]
        taken = taken - stage["kv_bytes"] + bounded("num_gpu_blocks_override", set_bytes)
    return int(settings["total_bytes"] - settings["in_use_bytes"] - taken)
