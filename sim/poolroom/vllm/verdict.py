"""Starts, refuses, or starts but may die later; what vLLM prints, and how sure it is."""

from typing import Any, TypedDict

from .budget import Budget
from .capacity import capacity
from .graphs import graphs_beside
from .lines import refusal_lines, start_lines
from .pool import Told, pool_by_hand, served_longest, tightest
from .refusals import KEYS, profile_sure, refusal_of
from .released import release_dangers
from .settings import Settings

RISKY_SHARE = 0.95
"""A memory share, from 0 to 1, from which on little is left for what is not counted.

Source:
    Issue 7 of this project, part 4.
"""


class Refusal(TypedDict):
    """Why vLLM does not start.

    Attributes:
        number: place in the list of vLLM's refusals, from 1 to 17
        key: name of the refusal
        stage: place of the pipeline stage that refuses, from 0; 0 where all do
        terms: what the message mentions: bytes, tokens, chats and names
        lines: what vLLM prints, in its version's words
    """

    number: int
    key: str
    stage: int
    terms: dict[str, Any]
    lines: list[str]


class Verdict(TypedDict):
    """Whether a server starts.

    Attributes:
        outcome: "starts", "refuses" or "starts_may_die"
        refusal: why not, or nothing
        dangers: names of what may end it later
        over_bytes: how far CUDA graphs outside the share may reach beyond the card, bytes
        longest: longest chat that it serves, tokens; less than asked where vLLM fits it by itself
        needed_bytes: what one longest chat takes of the pool, bytes
        spare_bytes: what the pool has beyond one longest chat, bytes; below 0 it lacks so many
        sure: whether the whole spread of the pool leads to the same answer
        lines: what vLLM prints at a start or a refusal
    """

    outcome: str
    refusal: Refusal | None
    dangers: list[str]
    over_bytes: int
    longest: int
    needed_bytes: int
    spare_bytes: int
    sure: bool
    lines: list[str]


def verdict(settings: Settings, budget: Budget, with_lines: bool = True) -> Verdict:
    """Whether vLLM starts with these settings, and what it prints.

    Args:
        settings: as resolved
        budget: of these settings
        with_lines: whether to say what vLLM prints, which takes most of the time

    Returns:
        The outcome with its reason, its lines and how sure it is.

    Raises:
        PlanError: for sizes that both languages cannot hold exactly
    """
    longest = served_longest(settings, budget)
    told = refusal_of(settings, budget, longest)
    if told is not None:
        return _refused(settings, told, longest, with_lines)
    tight = tightest(settings, budget, longest)
    dangers = dangers_of(settings, budget)
    return {
        "outcome": "starts_may_die" if dangers else "starts",
        "refusal": None,
        "dangers": dangers,
        "over_bytes": graphs_over(settings, budget),
        "longest": longest,
        "needed_bytes": tight["needed_bytes"],
        "spare_bytes": tight["spare_bytes"],
        "sure": tight["sure"] and profile_sure(settings, budget),
        "lines": start_lines(settings, budget, longest) if with_lines else [],
    }


def _refused(settings: Settings, told: Told, longest: int, with_lines: bool) -> Verdict:
    lines = refusal_lines(settings, told["key"], told["terms"]) if with_lines else []
    number = next(number for key, number in KEYS if key == told["key"])
    return {
        "outcome": "refuses",
        "refusal": {
            "number": number, "key": told["key"], "stage": told["stage"], "terms": told["terms"], "lines": lines,
        },
        "dangers": [],
        "over_bytes": 0,
        "longest": longest,
        "needed_bytes": told["needed_bytes"],
        "spare_bytes": told["spare_bytes"],
        "sure": told["sure"],
        "lines": lines,
    }  # fmt: skip


def served_budget(settings: Settings, budget: Budget, longest: int) -> Budget:
    """The budget whose capacity is that of the longest chat that is served.

    Args:
        settings: as resolved
        budget: of these settings
        longest: the longest chat that is served, tokens; less than asked where vLLM fits it by itself

    Returns:
        The budget.

    Raises:
        PlanError: for sizes that both languages cannot hold exactly
    """
    if longest == settings["longest"]:
        return budget
    served: Settings = {**settings, "longest": longest}
    layout = budget["stages"][budget["stage"]]["layout"]
    return {**budget, "capacity": capacity(served, layout, budget["blocks"])}


def dangers_of(settings: Settings, budget: Budget) -> list[str]:
    """What may end a server that starts: memory outside the share, or memory that nobody counted.

    Args:
        settings: as resolved
        budget: of these settings

    Returns:
        Names of dangers, the most certain first.

    Raises:
        PlanError: for sizes that both languages cannot hold exactly
    """
    found = release_dangers(settings)
    if graphs_over(settings, budget) > 0:
        found.append("graphs_outside")
    if budget["lacking_bytes"] > 0 and pool_by_hand(settings):
        found.append("pool_beyond")
    if settings["blocks_override"] is not None and any(
        settings["blocks_override"] > of["blocks"] for of in budget["stages"]
    ):
        found.append("blocks_beyond")
    if settings["model"]["multimodal"]:
        found.append("vision_encoder")
    if settings["share"] >= RISKY_SHARE and settings["kv_cache_memory_bytes"] is None:
        found.append("risky_share")
    if settings["card"]["unified"]:
        found.append("unified_memory")
    if settings["rules"]["engine"] == "V0" and "in_use_gib" in settings["given"]:
        found.append("others_move")
    return found


def graphs_over(settings: Settings, budget: Budget) -> int:
    """How far CUDA graphs outside the share may reach beyond the card: held + share + graphs − total.

    Args:
        settings: as resolved
        budget: who has how much of the card

    Returns:
        Bytes; 0 where they fit, and where they are counted in the share.

    Raises:
        PlanError: for sizes that both languages cannot hold exactly
    """
    beside = graphs_beside(settings)
    if beside > 0:
        beside = max(0, settings["measured"].get("graphs_bytes", beside))
    return max(0, beside - budget["unused_bytes"] + budget["lacking_bytes"]) if beside > 0 else 0
