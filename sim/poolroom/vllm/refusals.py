"""Why vLLM does not start: all eleven refusals, in the order in which vLLM meets them."""

from typing import Any, TypedDict

from .budget import Budget
from .capacity import blocks_of, chat_bytes, estimated_longest, room_for_chats
from .settings import Settings

FIRST_BFLOAT16 = 8.0
"""The first compute capability of NVIDIA, in units of its own, that computes in bfloat16.

Source:
    vLLM 0.33.0, platforms/cuda.py, check_if_supports_dtype.
"""
KEYS = (
    ("free_memory", 1), ("profiling", 2), ("no_blocks", 3), ("one_chat", 4), ("too_long", 5), ("below_seats", 6),
    ("below_longest", 7), ("out_of_memory", 8), ("mamba_seats", 9), ("heads", 10), ("bfloat16", 11),
)  # fmt: skip
"""Refusals by name, with the number, which has no unit, that each has in the list of vLLM's refusals.

Source:
    vLLM 0.33.0: v1/core/kv_cache_planning.py, v1/worker/utils.py, config/model.py, config/scheduler.py,
    config/compilation.py, platforms/cuda.py.
"""
PROFILED = ("weights", "activation", "non_torch", "penalties")
"""Parts that are allocated at the highest moment of the profile run, before there is a pool."""


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


def refusal_of(settings: Settings, budget: Budget, longest: int) -> Told | None:
    """The first refusal that vLLM meets, or nothing.

    Args:
        settings: as resolved
        budget: of these settings
        longest: longest chat that is to be served, tokens

    Returns:
        Its name and numbers, or None.

    Raises:
        PlanError: for sizes that both languages cannot hold exactly
    """
    return (
        _by_settings(settings)
        or _by_free_memory(settings, budget)
        or _by_profile(settings, budget)
        or _by_pool(settings, budget, longest)
        or _by_seats(settings, budget)
    )


def _told(key: str, terms: dict[str, Any]) -> Told:
    return {"key": key, "stage": 0, "terms": terms, "needed_bytes": 0, "spare_bytes": 0, "sure": True}


def _by_settings(settings: Settings) -> Told | None:
    # What vLLM refuses before it touches the card.
    model, seats, tokens = settings["model"], settings["seats"], settings["batched_tokens"]
    longest, tp = settings["longest"], settings["tp"]
    if 0 < model["longest"] < longest:
        return _told("too_long", {"longest": longest, "model_longest": model["longest"]})
    if tokens < longest and not settings["chunked"]:
        return _told("below_longest", {"batched_tokens": tokens, "longest": longest})
    if tokens < seats:
        return _told("below_seats", {"batched_tokens": tokens, "seats": seats})
    if model["heads"] % tp != 0:
        return _told("heads", {"heads": model["heads"], "tp": tp})
    if settings["dtype"] == "bfloat16" and not _bfloat16(settings):
        return _told("bfloat16", {"card": settings["card"]["title"], "capability": settings["card"]["capability"]})
    return None


def _bfloat16(settings: Settings) -> bool:
    card = settings["card"]
    return card["maker"] != "nvidia" or card["capability"] == "" or float(card["capability"]) >= FIRST_BFLOAT16


def _by_free_memory(settings: Settings, budget: Budget) -> Told | None:
    spare = budget["free_bytes"] - budget["requested_bytes"]
    if spare >= 0 or not settings["rules"]["free_check"]:
        return None
    terms = {
        "free_bytes": budget["free_bytes"],
        "total_bytes": budget["total_bytes"],
        "share": settings["share"],
        "requested_bytes": budget["requested_bytes"],
    }
    return {**_told("free_memory", terms), "needed_bytes": budget["requested_bytes"], "spare_bytes": spare}


def _peaks(settings: Settings, budget: Budget, stage: int) -> list[int]:
    # What is allocated at the highest moment before there is a pool: expected, at least, at most.
    peak = [0, 0, 0]
    for part in budget["stages"][stage]["parts"]:
        if part["name"] in PROFILED:
            peak = [peak[0] + part["bytes"], peak[1] + part["low"], peak[2] + part["high"]]
    return peak


def _by_profile(settings: Settings, budget: Budget) -> Told | None:
    free = budget["free_bytes"]
    for stage in range(len(budget["stages"])):
        peak = _peaks(settings, budget, stage)
        if peak[0] > free:
            weights = next(part["bytes"] for part in budget["stages"][stage]["parts"] if part["name"] == "weights")
            terms = {
                "seats": settings["seats"], "free_bytes": free, "peak_bytes": peak[0], "weights_bytes": weights,
                "loading": weights > free,
            }  # fmt: skip
            told = _told("out_of_memory", terms)
            return {
                **told, "stage": stage, "needed_bytes": peak[0], "spare_bytes": free - peak[0], "sure": peak[1] > free,
            }  # fmt: skip
    return None


def profile_sure(settings: Settings, budget: Budget) -> bool:
    """Whether even the highest peak of the spread goes into the free memory.

    Args:
        settings: as resolved
        budget: of these settings

    Returns:
        True where it does.
    """
    stages = range(len(budget["stages"]))
    return all(_peaks(settings, budget, stage)[2] <= budget["free_bytes"] for stage in stages)


def pool_bytes(settings: Settings, budget: Budget, stage: int) -> int:
    """The pool of a stage against which the longest chat is tried.

    Args:
        settings: as resolved
        budget: of these settings
        stage: place of the stage, from 0

    Returns:
        Bytes; may be negative.
    """
    override = settings["blocks_override"]
    if override is not None and settings["rules"]["override_fits"]:
        return override * budget["stages"][stage]["layout"]["block_bytes"]
    return budget["stages"][stage]["kv_bytes"]


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


def _fit(settings: Settings, budget: Budget, stage: int, longest: int) -> Told:
    # One longest chat against the pool of a stage, before anything is said of it.
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
    tight = _fit(settings, budget, 0, longest)
    for stage in range(1, len(budget["stages"])):
        fit = _fit(settings, budget, stage, longest)
        if fit["spare_bytes"] < tight["spare_bytes"]:
            tight = {**fit, "sure": fit["sure"] and tight["sure"]}
        else:
            tight = {**tight, "sure": fit["sure"] and tight["sure"]}
    return tight


def _by_pool(settings: Settings, budget: Budget, longest: int) -> Told | None:
    for stage, of in enumerate(budget["stages"]):
        layout, pool = of["layout"], pool_bytes(settings, budget, stage)
        if not layout["groups"]:
            continue
        fit = _fit(settings, budget, stage, longest)
        none = _no_blocks(settings, budget, stage)
        if not none and fit["spare_bytes"] >= 0:
            continue
        terms = {
            "longest": longest,
            "needed_bytes": fit["needed_bytes"],
            "available_bytes": room_for_chats(settings, layout, pool),
            "kv_bytes": pool,
            "blocks": blocks_of(layout, pool),
            "block_tokens": layout["block_tokens"],
            "estimated_longest": 0 if none else estimated_longest(settings, layout, pool),
        }
        return {**fit, "key": "no_blocks" if none else "one_chat", "terms": terms}
    return None


def _no_blocks(settings: Settings, budget: Budget, stage: int) -> bool:
    layout, pool = budget["stages"][stage]["layout"], pool_bytes(settings, budget, stage)
    if settings["rules"]["engine"] == "V0":
        return blocks_of(layout, pool) <= 0
    return room_for_chats(settings, layout, pool) <= 0


def _by_seats(settings: Settings, budget: Budget) -> Told | None:
    mamba = any(of["layout"]["mamba"] for of in budget["stages"])
    if not settings["rules"]["mamba_seats_check"] or not mamba or settings["eager"]:
        return None
    if settings["seats"] <= budget["blocks"]:
        return None
    told = _told("mamba_seats", {"seats": settings["seats"], "blocks": budget["blocks"]})
    of = budget["stages"][budget["stage"]]
    each = of["layout"]["block_bytes"]
    high = blocks_of(of["layout"], of["kv_high"])
    return {
        **told, "stage": budget["stage"], "needed_bytes": settings["seats"] * each,
        "spare_bytes": of["kv_bytes"] - settings["seats"] * each, "sure": settings["seats"] > high,
    }  # fmt: skip
