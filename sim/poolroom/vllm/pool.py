"""One longest chat against the pool of each pipeline stage."""

from typing import Any, TypedDict

from .budget import Budget
from .capacity import chat_bytes, estimated_longest, room_for_chats
from .pages import bounded
from .settings import Settings


class Told(TypedDict):
    """A refusal before it is put into words.

    Attributes:
        key: name of the refusal
        stage: place of the pipeline stage that refuses, from 0
        terms: what the message mentions: bytes, tokens, chats and names
        needed_bytes: what was needed, bytes
        spare_bytes: what there was beyond it, bytes; below 0 it lacks so many
        sure: whether the whole spread leads to the same answer
    """

    key: str
    stage: int
    terms: dict[str, Any]
    needed_bytes: int
    spare_bytes: int
    sure: bool


def told(key: str, terms: dict[str, Any]) -> Told:
    """A refusal that is sure and has no bytes of its own.

    Args:
        key: name of the refusal
        terms: what the message mentions

    Returns:
        The refusal, of the first stage.
    """
    return {"key": key, "stage": 0, "terms": terms, "needed_bytes": 0, "spare_bytes": 0, "sure": True}


def pool_bytes(settings: Settings, budget: Budget, stage: int) -> int:
    """The pool of a stage against which the longest chat is tried.

    Args:
        settings: as resolved
        budget: of these settings
        stage: place of the stage, from 0

    Returns:
        Bytes; may be negative.

    Raises:
        PlanError: for sizes that both languages cannot hold exactly
    """
    override = settings["blocks_override"]
    if override is not None and settings["rules"]["override_fits"]:
        return bounded("num_gpu_blocks_override", override * budget["stages"][stage]["layout"]["block_bytes"])
    return budget["stages"][stage]["kv_bytes"]


def reserved_pool(settings: Settings, budget: Budget, stage: int) -> int:
    """The pool of a stage as it is allocated: a number of blocks that was set counts, whatever it was tried against.

    Args:
        settings: as resolved
        budget: of these settings
        stage: place of the stage, from 0

    Returns:
        Bytes; may be negative.

    Raises:
        PlanError: for sizes that both languages cannot hold exactly
    """
    override = settings["blocks_override"]
    if override is None:
        return budget["stages"][stage]["kv_bytes"]
    return bounded("num_gpu_blocks_override", override * budget["stages"][stage]["layout"]["block_bytes"])


def pool_by_hand(settings: Settings) -> bool:
    """Whether the size of the pool was set by hand: then nobody compares it with what is free.

    Args:
        settings: as resolved

    Returns:
        True where it was set, by bytes or by blocks, and not measured.

    Source:
        vLLM 0.33.0, v1/worker/gpu_worker.py, determine_available_memory; v1/core/kv_cache_utils.py.
    """
    if settings["blocks_override"] is not None:
        return True
    return settings["kv_cache_memory_bytes"] is not None and settings["measured"].get("kv_bytes") is None


def served_longest(settings: Settings, budget: Budget) -> int:
    """The longest chat that is served: as asked, or what vLLM fits it to by itself.

    Args:
        settings: as resolved
        budget: of these settings

    Returns:
        Tokens.

    Raises:
        PlanError: for sizes that both languages cannot hold exactly
    """
    longest = settings["longest"]
    if not settings["auto_fit"]:
        return longest
    for stage, of in enumerate(budget["stages"]):
        fitting = estimated_longest(settings, of["layout"], pool_bytes(settings, budget, stage))
        longest = min(longest, max(1, fitting))
    return longest


def fit_of(settings: Settings, budget: Budget, stage: int, longest: int) -> Told:
    """One longest chat against the pool of a stage, before anything is said of it.

    Args:
        settings: as resolved
        budget: of these settings
        stage: place of the stage, from 0
        longest: longest chat that is to be served, tokens

    Returns:
        What the chat needs and what is left, bytes.

    Raises:
        PlanError: for sizes that both languages cannot hold exactly
    """
    of = budget["stages"][stage]
    layout, pool = of["layout"], pool_bytes(settings, budget, stage)
    needed = chat_bytes(settings, layout, longest)
    spare = room_for_chats(settings, layout, pool) - needed
    low, high = spare + of["kv_low"] - of["kv_bytes"], spare + of["kv_high"] - of["kv_bytes"]
    fixed = settings["blocks_override"] is not None and settings["rules"]["override_fits"]
    return {
        "key": "one_chat", "stage": stage, "terms": {}, "needed_bytes": needed, "spare_bytes": spare,
        "sure": fixed or (low >= 0) == (high >= 0),
    }  # fmt: skip


def tightest(settings: Settings, budget: Budget, longest: int) -> Told:
    """The stage in which one longest chat leaves the least, and whether every stage is sure.

    Args:
        settings: as resolved
        budget: of these settings
        longest: longest chat that is to be served, tokens

    Returns:
        What the chat needs and what is left, bytes.

    Raises:
        PlanError: for sizes that both languages cannot hold exactly
    """
    tight = fit_of(settings, budget, 0, longest)
    for stage in range(1, len(budget["stages"])):
        fit = fit_of(settings, budget, stage, longest)
        if fit["spare_bytes"] < tight["spare_bytes"]:
            tight = {**fit, "sure": fit["sure"] and tight["sure"]}
        else:
            tight = {**tight, "sure": fit["sure"] and tight["sure"]}
    return tight
