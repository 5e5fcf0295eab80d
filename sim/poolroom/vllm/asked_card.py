"""The card that was asked for, its memory, and what is taken of it."""

import math
from typing import Any, TypedDict

from .cards import Card, card
from .plan_facts import CARDS, VERSIONS
from .refuse import PlanError, one_of_names
from .rounding import bytes_of_gib, fixed, gib
from .values import number_of, switch_or, value_or

_OWN_CARD = ("name", "title", "maker", "architecture", "capability", "unified", "total_gib")
_MAKERS = ("nvidia", "amd", "intel", "google")


class Memory(TypedDict):
    """Memory of one card.

    Attributes:
        total_bytes: what its driver reports, bytes
        in_use_bytes: what is taken of it before the server's own part, bytes
    """

    total_bytes: int
    in_use_bytes: int


def card_of(asked: dict[str, Any]) -> Card:
    """The card: one of the facts by its name, or one of which only the memory is known.

    Args:
        asked: settings by vLLM's names

    Returns:
        The card.

    Raises:
        PlanError: for no card, an unknown one, and a field that cannot be used
    """
    value = asked.get("card")
    if value is None:
        raise PlanError("card", value, "needed")
    if isinstance(value, str):
        return card(value)
    if not isinstance(value, dict) or value.get("total_gib") is None:
        raise PlanError("card", value, "card")
    return _own_card(value)


def _own_card(value: dict[str, Any]) -> Card:
    for name in value:
        if name not in _OWN_CARD:
            raise PlanError("card", name, "name_of", names=", ".join(_OWN_CARD))
    number_of("card.total_gib", value["total_gib"], 1, VERSIONS["bounds"]["gib"])
    name = _text(value, "name", "own card")
    capability = _text(value, "capability", "")
    if capability and not _is_capability(capability):
        raise PlanError("card.capability", capability, "capability")
    maker = one_of_names("card.maker", value_or(value, "maker", "nvidia"), _MAKERS)
    return {
        "name": name,
        "title": _text(value, "title", name),
        "maker": maker,
        "architecture": _text(value, "architecture", ""),
        "capability": capability,
        "unified": switch_or(value, "unified", False),
        "memory_gb": 0,
        "memory_kind": "log",
        "total_bytes": bytes_of_gib(value["total_gib"]),
        "total_kind": "log",
        "other_totals_bytes": [],
        "bandwidth_bytes_per_second": 0,
        "bandwidth_kind": "unverified",
        "peak_flops": {},
        "peak_kinds": {},
        "held_bytes": CARDS["held_bytes"][0],
        "held_kind": "log",
        "source": "",
        "date": "",
    }


def _text(value: dict[str, Any], name: str, default: str) -> str:
    found = value_or(value, name, default)
    if not isinstance(found, str) or len(found) > 100:
        raise PlanError(f"card.{name}", found, "short_text")
    return found


def _is_capability(text: str) -> bool:
    parts = text.split(".")
    return len(parts) == 2 and all(0 < len(part) < 4 and not part.strip("0123456789") for part in parts)


def _most_in_use(total: int) -> str:
    # The largest number of hundredths that is allowed, so that it may be typed back.
    cents = math.floor(gib(total) * 100) + 1
    while bytes_of_gib(cents / 100) > total:
        cents -= 1
    return fixed(cents / 100, 2)


def memory_of(asked: dict[str, Any], own: Card) -> Memory:
    """Memory of the card, and what of it is taken before the server's own part.

    Args:
        asked: settings by vLLM's names
        own: the card

    Returns:
        Both, in bytes.

    Raises:
        PlanError: for sizes out of range
    """
    most = VERSIONS["bounds"]["gib"]
    total = own["total_bytes"]
    if asked.get("total_gib") is not None:
        total = bytes_of_gib(number_of("total_gib", asked["total_gib"], 1, most))
    if asked.get("in_use_gib") is None:
        return {"total_bytes": total, "in_use_bytes": min(own["held_bytes"], total)}
    in_use = bytes_of_gib(number_of("in_use_gib", asked["in_use_gib"], 0, most))
    if in_use > total:
        raise PlanError("in_use_gib", asked["in_use_gib"], "within_total", total=_most_in_use(total))
    return {"total_bytes": total, "in_use_bytes": in_use}
