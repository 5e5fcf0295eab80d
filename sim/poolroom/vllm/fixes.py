"""What to change when a server does not start: each lever alone, pairs where none does, the cheapest first."""

import math
from collections.abc import Callable
from typing import Any, TypedDict

from .choices import BITSANDBYTES_APART, BY_REFUSAL, MORE_CARDS, ORDER, PAIRED, changes_by, kv_dtypes, quantisations
from .divided import SHAPES
from .levers import Change, Question, does_with, parallel_sizes
from .rounding import GIB_BYTES
from .shares import CENTS, FINE, share_free
from .trial import Trial, tried
from .verdict import RISKY_SHARE, Verdict
from .versions import at_least

USUAL_SEATS = (256, 128, 64, 32, 16)
"""Numbers of seats that are tried first in a pair, chats."""
BY_CONFIG = (
    "too_long", "below_longest", "below_seats", *SHAPES, "bfloat16", "method_card", "method_file", "method_differs",
    "method_unknown", "model_unlisted", "card_kernels", "free_memory",
)  # fmt: skip
"""Refusals that another one may stand behind: the first change of a pair only gets past them."""
DEAR = 20
"""What a change that goes very far costs beyond its lever, a place in the order of costs without unit."""
DEAREST = 60
"""The same for what may die later, a place in the order of costs: two cheap changes come before."""
PAIR = 40
"""The same for a second change, a place in the order of costs."""
CARDS = 200
"""The same for more cards, a place in the order of costs: above any two changes on the cards there are."""
NOT_COUNTED = ("data_parallel_size", "enable_expert_parallel")
"""Settings that share out the model too and are not counted: where more cards are offered beside them, that is said."""
ORDINARY = 8_000
"""Down to so many tokens a shorter longest chat costs little where nobody asked for a longer one.

Source:
    None of the lesson's 600 chats passes 6,215 tokens (`facts/chats.json`); 8,000 is the longest chat it opens with.
"""
FAR = 8
"""A longest chat that is less than this part of what was asked for is not offered beside others, parts without unit."""
SHORT = 1_024
"""Nor is one below so many tokens that is less than half of it."""
FIRSTS = 3
"""Pairs are made of so many cheapest first changes at most, a count without unit."""


class Fix(TypedDict):
    """A change after which the server starts.

    Attributes:
        lever: name of the setting; of a pair the one that is at its boundary
        value: what to set it to, in the setting's own unit
        exact: the boundary itself where the value is rounded to what people type, in the same unit
        changes: every setting that changes, by vLLM's names
        costs: names of the sentences about what each change costs
        rank: place in the order of costs, a number without unit; the smaller, the cheaper
        verdict: what becomes of it
        tokens: what the pool then holds, tokens as vLLM prints them
        concurrency: longest chats that the pool then holds at once, chats
    """

    lever: str
    value: Any
    exact: Any
    changes: dict[str, Any]
    costs: list[str]
    rank: int
    verdict: Verdict
    tokens: int
    concurrency: float


class Fixes(TypedDict):
    """What can be done about a refusal.

    Attributes:
        fixes: changes after which it starts, the cheapest first
        share: whether a share does it, none does it, or the share is no lever here: "does", "none" or "no_lever"
        share_needed: the share that the pool would need, from 0 to 1, or above 1 where the card is too small
        share_free: the largest share that the free memory allows, from 0 to 1
        none: whether nothing that was tried starts it
    """

    fixes: list[Fix]
    share: str
    share_needed: float
    share_free: float
    none: bool


def fixes_of(base: Trial, does: Callable[[Trial], bool] | None = None, longest: int = 1, seats: int = 1) -> Fixes:
    """The smallest changes, each lever alone; pairs where no lever alone does.

    Args:
        base: the trial that refuses, or that lacks room
        does: whether a trial is good enough; without it, whether it starts
        longest: longest chat that must stay possible, tokens
        seats: chats at once that must stay possible

    Returns:
        The changes, and what is to be said of the share.

    Raises:
        PlanError: for a release that is no version
    """
    question: Question = {
        "base": base, "does": does or _starts, "least_longest": longest, "least_seats": seats,
    }  # fmt: skip
    names = BY_REFUSAL[_key(base)]
    single = [fix for name in names for fix in _fixes_by(question, name, {}, [])]
    found = [fix for fix in single if not _absurd(base, fix)]
    if not any(_plain_way(base, fix) for fix in found):
        found = [*found, *_pairs(question, not found)]
    found = [*found, *_all_cards(question, found)]
    found = [fix for fix in found if fix["changes"].get("max_model_len") != 1]
    if not found:
        found = [fix for fix in single if fix["changes"].get("max_model_len") != 1]
    share, needed = _share_words(base, found, names)
    if share == "none":
        found = [*found, *_at_risky_share(question, found)]
    for fix in found:
        if _cards(base, fix["changes"]) > _cards(base, {}):
            fix["rank"] = fix["rank"] + CARDS
            if any(name in NOT_COUNTED for name in base["settings"]["not_counted"]):
                fix["costs"].append("not_counted")
    found.sort(key=_rank)
    return {
        "fixes": found, "share": share, "share_needed": needed, "share_free": share_free(base), "none": not found,
    }  # fmt: skip


def _starts(at: Trial) -> bool:
    return at["verdict"]["outcome"] != "refuses"


def _key(at: Trial) -> str:
    # Weights that do not go onto the card are a refusal of their own: less of anything else does not help.
    refusal = at["verdict"]["refusal"]
    if refusal is None:
        return ""
    if refusal["terms"].get("allocating"):
        return "allocating"
    return "loading" if refusal["terms"].get("loading") else refusal["key"]


def _cards(base: Trial, changes: dict[str, Any]) -> int:
    settings = base["settings"]
    tp, pp = changes.get("tensor_parallel_size", settings["tp"]), changes.get("pipeline_parallel_size", settings["pp"])
    return int(tp * pp)


def _unasked(base: Trial, value: int) -> bool:
    # The model's own longest was not asked for: who has ordinary chats loses nothing.
    return value >= ORDINARY and "max_model_len" not in base["settings"]["given"]


def _absurd(base: Trial, fix: Fix) -> bool:
    # A longest chat that is a small part of what was asked for is no way out while there is another.
    value, longest = fix["value"], base["settings"]["longest"]
    if fix["lever"] != "max_model_len" or _key(base) in BY_CONFIG or _unasked(base, value):
        return False
    return bool(value * FAR < longest or (value < SHORT and value * 2 < longest))


def _plain_way(base: Trial, fix: Fix) -> bool:
    # More cards are a way out, and so is a riskier share; but then one wants to know what two changes do.
    if fix["costs"] == ["gpu_memory_utilization_risky"] and fix["value"] > base["settings"]["share"]:
        return False
    return fix["lever"] not in MORE_CARDS or fix["costs"] == ["tensor_parallel_size_less"]


def _rank(fix: Fix) -> int:
    return fix["rank"]


def _fixes_by(question: Question, name: str, first: dict[str, Any], costs: list[str]) -> list[Fix]:
    # The changes by one lever, each after the changes made first.
    return [_fix(question["base"], change, first, costs) for change in changes_by(question, name)]


def _fix(base: Trial, change: Change, first: dict[str, Any], costs: list[str]) -> Fix:
    own = {change["lever"]: change["value"]}
    at = tried(base, own, True) or base
    capacity = at["budget"]["capacity"]
    rank = ORDER.index(change["lever"]) + _dear(base, change)
    if "graphs_outside" in at["verdict"]["dangers"]:
        rank = rank + DEAREST
    for lever, value in first.items():
        risky = lever == "gpu_memory_utilization" and value >= RISKY_SHARE
        rank = rank + PAIR + ORDER.index(lever) + (DEAREST if risky else 0)
    return {
        "lever": change["lever"],
        "value": change["value"],
        "exact": change["exact"],
        "changes": {**first, **own},
        "costs": [*costs, _cost(base, change["lever"], change["value"])],
        "rank": rank,
        "verdict": at["verdict"],
        "tokens": capacity["tokens"],
        "concurrency": capacity["concurrency"],
    }


def _dear(base: Trial, change: Change) -> int:
    # A change that goes very far costs more than its lever usually does. Who has a large share already looks for
    # anything but a larger one, and a smaller one takes a risk away.
    lever, value, settings = change["lever"], change["value"], base["settings"]
    if lever == "gpu_memory_utilization" and value >= RISKY_SHARE:
        return 0 if value < settings["share"] else DEAREST + (DEAR if settings["share"] >= RISKY_SHARE else 0)
    far = (
        (lever == "max_model_len" and value * 4 < settings["longest"] and not _unasked(base, value))
        or (lever == "max_num_seqs" and value * 16 < settings["seats"])
        or (lever == "max_num_batched_tokens" and value * 16 < settings["batched_tokens"])
    )
    return DEAR if far else 0


def _cost(base: Trial, lever: str, value: Any) -> str:
    settings = base["settings"]
    now = {
        "gpu_memory_utilization": settings["share"],
        "max_model_len": settings["longest"],
        "max_num_seqs": settings["seats"],
        "max_num_batched_tokens": settings["batched_tokens"],
        "tensor_parallel_size": settings["tp"],
    }
    if lever == "gpu_memory_utilization" and value >= RISKY_SHARE:
        return "gpu_memory_utilization_risky"
    if value == "bitsandbytes" and at_least(settings["rules"]["order"], BITSANDBYTES_APART):
        return "bitsandbytes_apart"
    if lever not in now:
        return lever
    return f"{lever}_more" if value > now[lever] else f"{lever}_less"


def _pairs(question: Question, more_cards: bool) -> list[Fix]:
    # What no lever does alone, two may: a first one as far as it is usual, then the boundary of a second.
    found: list[Fix] = []
    seconds = [name for name in PAIRED if more_cards or name not in MORE_CARDS]
    if _key(question["base"]) in SHAPES:
        # Where a layer goes onto fewer cards, the others take layers of their own.
        seconds = [*seconds, "pipeline_parallel_size"]
    done = 0
    for first in _first_changes(question):
        if not more_cards and any(name in MORE_CARDS for name in first):
            continue
        at = tried(question["base"], first)
        if at is None or _key(at) in BY_CONFIG:
            continue
        after: Question = {**question, "base": at}
        costs = [_cost(question["base"], lever, value) for lever, value in first.items()]
        others = [name for name in seconds if name not in first and not _has_pair(found, first, name)]
        fixes = [fix for name in others for fix in _fixes_by(after, name, first, costs)]
        found.extend(fixes)
        done = done + (1 if fixes else 0)
        if done == FIRSTS:
            break
    return found


def _all_cards(question: Question, found: list[Fix]) -> list[Fix]:
    # A layer that does not go onto all cards may go onto some of them, and the others take layers of their own.
    base = question["base"]
    tp, pp = base["settings"]["tp"], base["settings"]["pp"]
    for size in parallel_sizes(base) if _key(base) in SHAPES else []:
        first = {"pipeline_parallel_size": pp * tp // size}
        changes = {**first, "tensor_parallel_size": size}
        at = tried(base, first)
        if size > tp or tp % size != 0 or at is None or not does_with(question, changes):
            continue
        if any(fix["changes"] == changes for fix in found):
            return []
        fix = _fix(at, {"lever": "tensor_parallel_size", "value": size, "exact": size}, first, [])
        return [{**fix, "costs": ["all_cards"]}]
    return []


def _has_pair(found: list[Fix], first: dict[str, Any], second: str) -> bool:
    # The same lever after the same one is at a boundary already, with a first change that costs less; but other weights
    # are another choice.
    return any(
        fix["lever"] == second
        and all(name in fix["changes"] for name in first)
        and fix["changes"].get("quantization") == first.get("quantization")
        for fix in found
    )


def _at_risky_share(question: Question, found: list[Fix]) -> list[Fix]:
    # Where no share does it, the longest chat at the largest share that is usual is worth knowing.
    base = question["base"]
    first = {"gpu_memory_utilization": RISKY_SHARE}
    told = any("max_model_len" in fix["changes"] and len(fix["changes"]) > 1 for fix in found)
    if told or not base["settings"]["share"] < RISKY_SHARE <= share_free(base):
        return []
    at = tried(base, first)
    if at is None or _key(at) != "one_chat":
        return []
    return _fixes_by({**question, "base": at}, "max_model_len", first, ["gpu_memory_utilization_risky"])


def _first_changes(question: Question) -> list[dict[str, Any]]:
    base = question["base"]
    key, settings = _key(base), base["settings"]
    if key in BY_CONFIG:
        past: Question = {**question, "does": lambda at: _key(at) != key}
        changes = [change for name in BY_REFUSAL[key] for change in changes_by(past, name)]
        return [{change["lever"]: change["value"]} for change in changes]
    smaller = [{"quantization": value} for value in quantisations(base)]
    if key == "loading":
        idle, held = settings["card"]["held_bytes"], settings["in_use_bytes"]
        freed: list[dict[str, Any]] = [{"in_use_gib": idle / GIB_BYTES}] if held > idle else []
        return [*freed, *smaller, *[{"tensor_parallel_size": n} for n in parallel_sizes(base) if n > settings["tp"]]]
    share = min(RISKY_SHARE, math.floor(share_free(base) * CENTS) / CENTS)
    tokens = max(question["least_longest"], settings["longest"] // 4)
    larger = [n for n in parallel_sizes(base) if n > settings["tp"]][:2]
    usual: list[dict[str, Any]] = [
        {"gpu_memory_utilization": share} if share > settings["share"] else {},
        *[{"max_num_seqs": n} for n in USUAL_SEATS if question["least_seats"] <= n < settings["seats"]][:2],
        {"max_model_len": tokens} if tokens < settings["longest"] else {},
        *[{"kv_cache_dtype": value} for value in kv_dtypes(base)],
        {} if settings["eager"] else {"enforce_eager": True},
        *smaller,
        *[{"tensor_parallel_size": n} for n in larger],
    ]
    return [first for first in usual if first]


def _share_words(base: Trial, found: list[Fix], names: tuple[str, ...]) -> tuple[str, float]:
    # Whether a share does it; and if the pool is too small, the share that it would need.
    short = 0 - base["verdict"]["spare_bytes"]
    key = _key(base)
    if "gpu_memory_utilization" not in names or key not in ("one_chat", "no_blocks", "mamba_seats"):
        return ("does" if any(fix["lever"] == "gpu_memory_utilization" for fix in found) else "no_lever"), 0.0
    total = base["budget"]["total_bytes"]
    needed = -math.floor(-(base["budget"]["requested_bytes"] + short) / total * FINE) / FINE
    alone = any(list(fix["changes"]) == ["gpu_memory_utilization"] for fix in found)
    if base["settings"]["blocks_override"] is not None:
        return "no_lever", 0.0
    return ("does" if alone else "none"), needed
