"""Why vLLM does not start: all its refusals, in the order in which vLLM meets them."""

from .budget import Budget
from .capacity import blocks_of, estimated_longest, room_for_chats
from .divided import undivided
from .pool import Told, fit_of, pool_by_hand, pool_bytes, reserved_pool, told
from .released import unbuilt, unreleased
from .settings import Settings
from .supported import Unsupported, unsupported

FIRST_BFLOAT16 = 8.0
"""The first compute capability of NVIDIA, in units of its own, that computes in bfloat16.

Source:
    vLLM 0.33.0, platforms/cuda.py, check_if_supports_dtype.
"""
KEYS = (
    ("free_memory", 1), ("profiling", 2), ("no_blocks", 3), ("one_chat", 4), ("too_long", 5), ("below_seats", 6),
    ("below_longest", 7), ("out_of_memory", 8), ("mamba_seats", 9), ("heads", 10),
    ("kv_heads", 10), ("expert_block", 10), ("width_block", 10), ("bfloat16", 11),
    ("method_card", 12), ("method_file", 13), ("method_differs", 14),
    ("model_unlisted", 15), ("card_kernels", 16), ("method_unknown", 17),
)  # fmt: skip
"""Refusals by name, with the number, which has no unit, that each has in the list of vLLM's refusals.

Source:
    vLLM 0.33.0: v1/core/kv_cache_planning.py, v1/worker/utils.py, config/model.py, config/scheduler.py,
    config/compilation.py, platforms/cuda.py; for heads of the cache and blocks of weights as in divided;
    for models and cards of other releases as in released.
"""
PROFILED = ("weights", "activation", "non_torch", "penalties")
"""Parts that are allocated at the highest moment of the profile run, before there is a pool."""
STAYS = ("weights", "non_torch", "penalties")
"""Parts that stay allocated after the profile run."""


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
        _by_support(unreleased(settings))
        or _by_settings(settings)
        or _by_support(unsupported(settings))
        or _by_free_memory(settings, budget)
        or _by_support(unbuilt(settings))
        or undivided(settings)
        or _by_profile(settings, budget)
        or _by_growth(settings, budget)
        or _by_pool(settings, budget, longest)
        or _by_allocation(settings, budget)
        or _by_seats(settings, budget)
    )


def _by_settings(settings: Settings) -> Told | None:
    # What vLLM refuses before it touches the card.
    model, seats, tokens = settings["model"], settings["seats"], settings["batched_tokens"]
    longest, tp = settings["longest"], settings["tp"]
    if 0 < model["longest"] < longest:
        return told("too_long", {"longest": longest, "model_longest": model["longest"]})
    if tokens < longest and not settings["chunked"]:
        return told("below_longest", {"batched_tokens": tokens, "longest": longest})
    if tokens < seats:
        return told("below_seats", {"batched_tokens": tokens, "seats": seats})
    if model["heads"] % tp != 0:
        return told("heads", {"heads": model["heads"], "tp": tp})
    if settings["dtype"] == "bfloat16" and not _bfloat16(settings):
        return told("bfloat16", {"card": settings["card"]["title"], "capability": settings["card"]["capability"]})
    return None


def _bfloat16(settings: Settings) -> bool:
    card = settings["card"]
    return card["maker"] != "nvidia" or card["capability"] == "" or float(card["capability"]) >= FIRST_BFLOAT16


def _by_support(found: Unsupported | None) -> Told | None:
    return None if found is None else told(found["key"], found["terms"])


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
    return {**told("free_memory", terms), "needed_bytes": budget["requested_bytes"], "spare_bytes": spare}


def _peaks(settings: Settings, budget: Budget, stage: int) -> list[int]:
    # What is allocated at the highest moment before there is a pool: expected, at least, at most.
    peak = [0, 0, 0]
    for part in budget["stages"][stage]["parts"]:
        if part["name"] in PROFILED:
            peak = [peak[0] + part["bytes"], peak[1] + part["low"], peak[2] + part["high"]]
    return peak


def _by_profile(settings: Settings, budget: Budget) -> Told | None:
    # A pool that was measured was measured after the profile run: that one passed.
    free = budget["free_bytes"]
    if settings["measured"].get("kv_bytes") is not None:
        return None
    for stage in range(len(budget["stages"])):
        peak = _peaks(settings, budget, stage)
        if peak[0] > free:
            weights = next(part["bytes"] for part in budget["stages"][stage]["parts"] if part["name"] == "weights")
            terms = {
                "seats": settings["seats"], "free_bytes": free, "peak_bytes": peak[0], "weights_bytes": weights,
                "loading": weights > free,
            }  # fmt: skip
            return {
                **told("out_of_memory", terms), "stage": stage, "needed_bytes": peak[0],
                "spare_bytes": free - peak[0], "sure": peak[1] > free,
            }  # fmt: skip
    return None


def _by_growth(settings: Settings, budget: Budget) -> Told | None:
    # Only a measured part can be below 0: then another process let go of more than the server took.
    for stage in range(len(budget["stages"])):
        stays = 0
        for part in budget["stages"][stage]["parts"]:
            stays = stays + (part["bytes"] if part["name"] in STAYS else 0)
        if stays < 0:
            terms = {"initial_bytes": budget["free_bytes"], "current_bytes": budget["free_bytes"] - stays}
            return {**told("profiling", {**terms, "freed_bytes": 0 - stays}), "stage": stage}
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
    if settings["measured"].get("kv_bytes") is not None:
        return True
    return all(_peaks(settings, budget, stage)[2] <= budget["free_bytes"] for stage in stages)


def _by_pool(settings: Settings, budget: Budget, longest: int) -> Told | None:
    for stage, of in enumerate(budget["stages"]):
        layout, pool = of["layout"], pool_bytes(settings, budget, stage)
        if not layout["groups"]:
            continue
        fit = fit_of(settings, budget, stage, longest)
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
            "others_bytes": _others(settings),
        }
        return {**fit, "key": "no_blocks" if none else "one_chat", "terms": terms}
    return None


def _others(settings: Settings) -> int:
    # What others hold of the share where the version counts them, beside the rest or in what a log calls non-torch.
    held, printed = settings["in_use_bytes"], settings["measured"].get("non_torch_bytes")
    if "in_use_gib" not in settings["given"] or not settings["rules"]["counts_others"]:
        return 0
    return held if printed is None or printed >= held else 0


def _by_allocation(settings: Settings, budget: Budget) -> Told | None:
    # A pool that was set by hand is allocated beside what stays, whether or not there is so much.
    if not pool_by_hand(settings):
        return None
    free = budget["free_bytes"]
    for stage, of in enumerate(budget["stages"]):
        pool = reserved_pool(settings, budget, stage)
        stays = [part for part in of["parts"] if part["name"] in STAYS]
        needed = pool + sum(part["bytes"] for part in stays)
        if needed > free:
            terms = {"free_bytes": free, "peak_bytes": needed, "kv_bytes": pool, "allocating": True}
            return {
                **told("out_of_memory", terms), "stage": stage, "needed_bytes": needed, "spare_bytes": free - needed,
                "sure": pool + sum(part["low"] for part in stays) > free,
            }  # fmt: skip
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
    of = budget["stages"][budget["stage"]]
    each = of["layout"]["block_bytes"]
    high = blocks_of(of["layout"], of["kv_high"])
    return {
        **told("mamba_seats", {"seats": settings["seats"], "blocks": budget["blocks"]}),
        "stage": budget["stage"], "needed_bytes": settings["seats"] * each,
        "spare_bytes": of["kv_bytes"] - settings["seats"] * each, "sure": settings["seats"] > high,
    }  # fmt: skip
