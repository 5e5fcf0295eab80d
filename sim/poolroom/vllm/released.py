"""Models and cards for which a release has nothing yet, or nothing any more."""

from .cards import Card
from .plan_facts import VERSIONS
from .settings import Settings
from .supported import Unsupported, tenths_of
from .versions import at_least, is_release, value_since

LISTED = VERSIONS["listed"]
"""Models by the release that lists them first or last, names without unit.

Source:
    `facts/vllm/vllm.json`, listed.
"""
KERNELS = VERSIONS["kernels"]
"""Compute capabilities for which a release has kernels, in tenths of their unit.

Source:
    `facts/vllm/vllm.json`, kernels.
"""


def release_with(architecture: str, order: list[int]) -> str:
    """The release that lists a model where a version does not: the first one, or the last one.

    Args:
        architecture: the model's class, without unit
        order: numbers without unit that put the version in order

    Returns:
        Number of the release, without unit; empty where the version lists the model or nothing is known.

    Raises:
        PlanError: for a release that is no version
    """
    name = _short(architecture)
    for release, last, names in LISTED["until"]:
        if name in names.split(" ") and at_least(order, release):
            return str(last)
    for release, names in LISTED["since"]:
        if name in names.split(" ") and not at_least(order, release):
            return str(release)
    return ""


def _short(architecture: str) -> str:
    given = architecture.removesuffix("ForConditionalGeneration")
    return (given if given == architecture else f"{given}+").removesuffix("ForCausalLM")


def release_for(card: Card, order: list[int]) -> str:
    """The release that has kernels for a card where a version has none: the first one, or the last one.

    Args:
        card: the card
        order: numbers without unit that put the version in order

    Returns:
        Number of the release, without unit; empty where the version has them or nothing is known.

    Raises:
        PlanError: for a release that is no version
    """
    tenths = tenths_of(card)
    if 0 < tenths < value_since(KERNELS["least"], order):
        return str(KERNELS["last"]) if tenths >= KERNELS["least"][0][1] else ""
    if tenths <= value_since(KERNELS["most"], order):
        return ""
    return str(next(release for release, most in KERNELS["most"] if tenths <= most))


def unreleased(settings: Settings) -> Unsupported | None:
    """Whether the release has no code for the model and cannot take another's, as a refusal; or nothing.

    Where Transformers' own code may run the model, that is a danger and no refusal. What a development version has
    is not known.

    Args:
        settings: as resolved

    Returns:
        Its name and texts, or None.

    Raises:
        PlanError: for a release that is no version
    """
    has = _has(settings)
    if has == "" or _may_fall_back(settings, has):
        return None
    name = settings["model"]["architecture"]
    terms = {"architecture": name, "architectures": f"['{name}']", "version": settings["rules"]["version"]}
    return {"key": "model_unlisted", "terms": {**terms, "has": has}}


def _has(settings: Settings) -> str:
    order = settings["rules"]["order"]
    return release_with(settings["model"]["architecture"], order) if is_release(order) else ""


def _may_fall_back(settings: Settings, has: str) -> bool:
    order = settings["rules"]["order"]
    alone = _short(settings["model"]["architecture"]) in LISTED["alone"].split(" ")
    return at_least(order, has) or (at_least(order, LISTED["fallback"]) and not alone)


def unbuilt(settings: Settings) -> Unsupported | None:
    """Whether the release has no kernels for the card, as a refusal, or nothing.

    Args:
        settings: as resolved

    Returns:
        Its name and texts, or None.

    Raises:
        PlanError: for a release that is no version
    """
    card, order = settings["card"], settings["rules"]["order"]
    has = release_for(card, order) if is_release(order) else ""
    if has == "":
        return None
    terms = {"card": card["title"], "capability": card["capability"], "version": settings["rules"]["version"]}
    return {"key": "card_kernels", "terms": {**terms, "has": has}}


def release_dangers(settings: Settings) -> list[str]:
    """What may keep a server from starting because of how its release was made.

    Args:
        settings: as resolved

    Returns:
        Names of dangers, without unit.

    Raises:
        PlanError: for a release that is no version
    """
    order = settings["rules"]["order"]
    found = ["model_unlisted"] if _has(settings) != "" else []
    unsure = tenths_of(settings["card"]) > value_since(KERNELS["sure"], order)
    return [*found, "card_kernels"] if unsure and is_release(order) else found
