"""Cards by name: the memory a driver reports, speeds, and how sure each figure is."""

from typing import Any, Literal, TypedDict

from .names import MOST_NEAR, near_names, squashed
from .plan_facts import CARDS
from .refuse import PlanError

Certainty = Literal["log", "documentation", "unverified"]
"""How sure a figure is: printed by a program on that card, stated in a document, or neither."""


class Card(TypedDict):
    """A card, as one device of it stands before a server.

    Attributes:
        name: its name here
        title: its name in full
        maker: "nvidia", "amd", "intel" or "google"
        architecture: family of the chip
        capability: CUDA compute capability such as "9.0"; empty for other makers
        unified: whether it shares its memory with the processor
        memory_gb: memory on the label, GB
        memory_kind: how sure that is: "log", "documentation" or "unverified"
        total_bytes: memory that the driver reports, bytes
        total_kind: how sure that is: "log", "documentation" or "unverified"
        other_totals_bytes: what other drivers or settings report, bytes
        bandwidth_bytes_per_second: speed of its memory, bytes per second
        bandwidth_kind: how sure that is: "log", "documentation" or "unverified"
        peak_flops: most it can compute by dtype, without sparsity, operations per second
        peak_kinds: how sure each of those is, by dtype
        held_bytes: memory that is taken on an idle card before a server has any, bytes
        held_kind: how sure that is: "log", "documentation" or "unverified"
        source: where the reported memory was read
        date: when that was written or read
    """

    name: str
    title: str
    maker: str
    architecture: str
    capability: str
    unified: bool
    memory_gb: int
    memory_kind: Certainty
    total_bytes: int
    total_kind: Certainty
    other_totals_bytes: list[int]
    bandwidth_bytes_per_second: int
    bandwidth_kind: Certainty
    peak_flops: dict[str, int]
    peak_kinds: dict[str, Certainty]
    held_bytes: int
    held_kind: Certainty
    source: str
    date: str


def card_names() -> list[str]:
    """The names of all cards.

    Returns:
        Names, text, in the order of the facts.
    """
    return list(CARDS["cards"])


def card(name: Any) -> Card:
    """A card by its name or another name for it, however it is spelt; an unknown one is refused with names near it.

    Args:
        name: such as "h100-sxm-80gb", "H100" or "NVIDIA H100 80GB HBM3"

    Returns:
        The card, with the kind of each figure.

    Raises:
        PlanError: for what is no text, and for a card that is not listed

    Source:
        `facts/vllm/cards.json`.
    """
    if not isinstance(name, str):
        raise PlanError("card", name, "card_name", names=", ".join(card_names()))
    found = _INDEX.get(squashed(name, CARDS["ignored"]))
    if found is None:
        near = near_names(name, card_names(), MOST_NEAR)
        raise PlanError("card", name, "card_near" if near else "card_name", names=", ".join(near or card_names()))
    return _record(found, CARDS["cards"][found])


def _index() -> dict[str, str]:
    index: dict[str, str] = {}
    for name, facts in CARDS["cards"].items():
        for each in [name, facts["title"], *facts.get("aliases", [])]:
            index.setdefault(squashed(each, CARDS["ignored"]), name)
    return index


def _kind(figure: list[Any]) -> Certainty:
    kind: Certainty = CARDS["sources"][figure[1]]["kind"]
    return kind


def _record(name: str, facts: dict[str, Any]) -> Card:
    total, held, peaks = facts["total_bytes"], facts.get("held_bytes", CARDS["held_bytes"]), facts["peak_flops"]
    source = CARDS["sources"][total[1]]
    return {
        "name": name,
        "title": facts["title"],
        "maker": facts["maker"],
        "architecture": facts["architecture"],
        "capability": facts["capability"],
        "unified": facts.get("unified", False),
        "memory_gb": facts["memory_gb"][0],
        "memory_kind": _kind(facts["memory_gb"]),
        "total_bytes": total[0],
        "total_kind": source["kind"],
        "other_totals_bytes": [figure[0] for figure in facts.get("also", [])],
        "bandwidth_bytes_per_second": facts["bandwidth"][0],
        "bandwidth_kind": _kind(facts["bandwidth"]),
        "peak_flops": {dtype: figure[0] for dtype, figure in peaks.items()},
        "peak_kinds": {dtype: _kind(figure) for dtype, figure in peaks.items()},
        "held_bytes": held[0],
        "held_kind": _kind(held),
        "source": source["source"],
        "date": source["date"],
    }


_INDEX = _index()
