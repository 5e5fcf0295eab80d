"""What version, card and checkpoint support of the ways to store weights, and what vLLM says where they do not."""

from typing import Any, TypedDict

from .cards import Card
from .plan_facts import QUANTISATIONS, VERSIONS
from .quantisation import Quantisation
from .settings import Settings
from .versions import at_least, is_release, value_since

LEAST = QUANTISATIONS["least"]
"""The least compute capability by method, in tenths of its unit.

Source:
    `facts/vllm/quantisations.json`, least.
"""
ONLINE = QUANTISATIONS["online"]
"""What vLLM can turn plain weights into while it loads them, names without unit.

Source:
    `facts/vllm/quantisations.json`, online.
"""


class Unsupported(TypedDict):
    """What is not supported, as a refusal has it.

    Attributes:
        key: name of the refusal
        terms: what the message mentions, texts
    """

    key: str
    terms: dict[str, Any]


def method_name(found: Quantisation) -> str:
    """A way to store weights by the name under which its least card is known.

    Args:
        found: how the weights are stored

    Returns:
        The name, without unit; of modelopt it depends on how many bits a weight takes.
    """
    small = any(scheme["hundredths"] < 800 for scheme in found["schemes"])
    return "modelopt_fp4" if small and found["method"] in ("modelopt", "nvfp4") else found["method"]


def tenths_of(card: Card) -> int:
    """The compute capability of a card in whole numbers.

    Args:
        card: the card

    Returns:
        Ten times the capability, without unit; 0 where the maker has none or it is not known.
    """
    return 0 if card["maker"] != "nvidia" or card["capability"] == "" else int(card["capability"].replace(".", ""))


def least_capability(card: Card, order: list[int], method: str) -> int:
    """The least compute capability that a method needs where the card has less.

    Args:
        card: the card
        order: numbers without unit that put the version in order
        method: its name

    Returns:
        Ten times the capability, without unit; 0 where the card has enough or nothing is known.

    Raises:
        PlanError: for a release that is no version
    """
    tenths = tenths_of(card)
    if tenths == 0 or method not in LEAST["methods"]:
        return 0
    least: int = value_since(LEAST["methods"][method], order)
    return least if tenths < least else 0


def has_fp8(card: Card) -> bool:
    """Whether a card of AMD computes in FP8; cards of other makers are held against their capability.

    Args:
        card: the card

    Returns:
        True where it does, and for other makers.
    """
    return card["maker"] != "amd" or card["architecture"] in LEAST["amd_fp8"]


def works_on(card: Card, order: list[int], method: str) -> bool:
    """Whether a card can compute with weights of a method.

    Args:
        card: the card
        order: numbers without unit that put the version in order
        method: its name

    Returns:
        True where it can, and where nothing is known.

    Raises:
        PlanError: for a release that is no version
    """
    return least_capability(card, order, method) == 0 and ("fp8" not in method or has_fp8(card))


def unsupported(settings: Settings) -> Unsupported | None:
    """The first of what vLLM refuses about the way in which weights are stored, or nothing.

    Args:
        settings: as resolved

    Returns:
        Its name and texts, or None.

    Raises:
        PlanError: for a release that is no version
    """
    stored, asked = settings["stored_as"], settings["asked_as"]
    if asked and stored:
        return {"key": "method_differs", "terms": {"stored": stored, "method": asked}}
    if asked and asked not in ONLINE["methods"] and asked not in QUANTISATIONS["gguf"]:
        return {"key": "method_file", "terms": {"method": asked, "unsaid": asked not in ONLINE["by_file"]}}
    card, order = settings["card"], settings["rules"]["order"]
    method = method_name(settings["model"]["weights"]["quantisation"])
    since = QUANTISATIONS["since"]["methods"].get(method, VERSIONS["oldest"])
    if is_release(order) and not at_least(order, since):
        found = {"method": settings["model"]["quantisation"], "version": settings["rules"]["version"], "has": since}
        return {"key": "method_unknown", "terms": found}
    if works_on(card, order, method):
        return None
    least = least_capability(card, order, method)
    by_scheme = method in LEAST["schemes"]
    terms: dict[str, Any] = {
        "method": settings["model"]["quantisation"],
        "card": card["title"],
        "scheme": by_scheme,
        "unsaid": least == 0,
        "have": f"compute capability {card['capability']}" if least else card["architecture"],
        "needed": f"{least // 10}.{least % 10}" if least else ", ".join(LEAST["amd_fp8"]),
        "least": str(least),
        "current": card["capability"].replace(".", ""),
    }
    return {"key": "method_card", "terms": terms}
