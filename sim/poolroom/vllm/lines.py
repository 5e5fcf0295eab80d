"""What vLLM prints at a start and when it refuses, letter by letter in its version's wording and rounding."""

import re
from typing import Any

from .budget import Budget
from .capacity import capacity
from .graphs import graphs_beside, graphs_counted
from .plan_facts import LINES
from .refuse import one_of_names
from .rounding import GIB_BYTES, commas, fixed, float_text, gib, rounded
from .settings import Settings
from .versions import Rules, value_since

UNKNOWN = "…"
"""What stands for what vLLM prints and a plan cannot know, such as seconds."""
CORE = ("auto_fit_cut", "auto_fit_full", "blocks", "tokens", "concurrency")
"""Lines of a start that vLLM prints by itself, whatever the card; the others are those of its build for the card."""
BUILD = ("free_memory", "profiling", "out_of_memory")
"""Refusals in the words of the build for the card; the others are the same for every card."""
_PLACE = re.compile(r"\{([a-z_]+)(?:\|([a-z0-9]+))?\}")
_MAYBE = re.compile(r"\[([^\[\]]*)\]")


def start_lines(settings: Settings, budget: Budget, longest: int | None = None) -> list[str]:
    """The lines that a start prints about memory, in vLLM's order.

    Args:
        settings: as resolved
        budget: of these settings
        longest: longest chat that is served, tokens; None for the one in the settings

    Returns:
        Lines.

    Raises:
        PlanError: for sizes that both languages cannot hold exactly
    """
    terms = start_terms(settings, budget, settings["longest"] if longest is None else longest)
    holds = _cases(settings, terms)
    lines = []
    read = platform(settings)["read"]
    for name, line in LINES["start"].items():
        template = _template(line, settings["rules"])
        if template is not None and line["when"] in holds and (read or name in CORE):
            lines.append(said(template, terms))
    return lines


def start_terms(settings: Settings, budget: Budget, longest: int) -> dict[str, Any]:
    """What the lines of a start mention, of the stage with the fewest blocks.

    Args:
        settings: as resolved
        budget: of these settings
        longest: longest chat that is served, tokens

    Returns:
        Bytes, tokens, blocks and the share, by name.

    Raises:
        PlanError: for sizes that both languages cannot hold exactly
    """
    stage = budget["stages"][budget["stage"]]
    parts = {part["name"]: part["bytes"] for part in stage["parts"]}
    served: Settings = {**settings, "longest": longest}
    held = capacity(served, stage["layout"], budget["blocks"])
    consumed = parts["weights"] + parts["non_torch"] + parts["penalties"]
    counted = parts["graphs"] if graphs_counted(settings) else 0
    graphs = settings["measured"].get("graphs_bytes", counted or graphs_beside(settings))
    # Up to 0.26 the penalty tables count as activation, since they are PyTorch's and not weights.
    peak = parts["activation"] if settings["rules"]["consumed"] == "free" else parts["activation"] + parts["penalties"]
    if value_since(LINES["peak_with_graphs"]["since"], settings["rules"]["order"]):
        peak += counted
    all_but_kv = (consumed if settings["rules"]["consumed"] == "free" else consumed - parts["penalties"]) + peak
    spare = all_but_kv + graphs + LINES["cushion_mib"]["value"] * 1_048_576
    return {
        "total_bytes": budget["total_bytes"],
        "free_bytes": budget["free_bytes"],
        "requested_bytes": budget["requested_bytes"],
        "share_bytes": settings["total_bytes"] * settings["share"],
        "share": settings["share"],
        "share_without": settings["share"] - counted / settings["total_bytes"],
        "weights_bytes": parts["weights"],
        "activation_bytes": parts["activation"],
        "non_torch_bytes": parts["non_torch"],
        "graphs_bytes": graphs,
        "torch_peak_bytes": parts["weights"] + parts["activation"],
        "consumed_bytes": consumed,
        "peak_bytes": peak,
        "within_share_bytes": budget["requested_bytes"] - spare,
        "within_free_bytes": budget["free_bytes"] - spare,
        "kv_bytes": stage["kv_bytes"],
        "blocks": held["blocks"],
        "cpu_blocks": _cpu_blocks(budget),
        "platform": platform(settings)["name"],
        "tokens": held["tokens"],
        "concurrency": held["concurrency"],
        "longest": longest,
        "asked_longest": settings["longest"],
    }


def _cpu_blocks(budget: Budget) -> int:
    least = -1
    for stage in budget["stages"]:
        size = stage["layout"]["block_bytes"]
        blocks = LINES["swap_gib"]["value"] * GIB_BYTES // size if size else 0
        least = blocks if least < 0 else min(least, blocks)
    return least


def platform(settings: Settings) -> dict[str, Any]:
    """How vLLM's build for a card calls itself, and what of it was read.

    Args:
        settings: as resolved

    Returns:
        Its name, its device, the maker in PyTorch's words, and whether its own lines were read; texts without unit.

    Source:
        `facts/vllm/lines.json`, platforms.
    """
    card, known = settings["card"], LINES["platforms"]
    found: dict[str, Any] = known["gaudi" if card["architecture"].startswith("gaudi") else card["maker"]]
    return found


def _cases(settings: Settings, terms: dict[str, Any]) -> list[str]:
    reserved = settings["kv_cache_memory_bytes"] is not None
    graphs = not settings["eager"] and terms["graphs_bytes"] > 0
    inside = graphs and graphs_counted(settings) and not reserved
    cut = settings["auto_fit"] and terms["longest"] < terms["asked_longest"]
    cases = {
        "always": True,
        "profiled": not reserved,
        "reserved": reserved,
        "graphs": graphs,
        "graphs_inside": inside,
        "graphs_outside": graphs and not inside and not reserved,
        "estimated_by_v1": graphs and not reserved and settings["rules"]["runner"] == "V1",
        "auto_fit_cut": cut,
        "auto_fit_full": settings["auto_fit"] and not cut,
    }
    return [name for name, holds in cases.items() if holds]


def _template(line: dict[str, Any], rules: Rules) -> str | None:
    which = "V2" if rules["runner"] == "V2" and rules["engine"] == "V1" and "V2" in line else rules["engine"]
    found: str | None = value_since(line[which], rules["order"])
    return found


def refusal_lines(settings: Settings, key: Any, terms: dict[str, Any]) -> list[str]:
    """What vLLM prints when it refuses to start.

    Args:
        settings: as resolved
        key: name of the refusal, as in `facts/vllm/lines.json`
        terms: what the message mentions: bytes, tokens, chats and names

    Returns:
        Lines; none where the version does not refuse so.

    Raises:
        PlanError: for a name that is none
    """
    one_of_names("key", key, list(LINES["refusals"]))
    rules = settings["rules"]
    template = _template(LINES["refusals"][key], rules)
    own_words = terms.get("loading") is True or terms.get("allocating") is True or rules["runner"] == "V2"
    if key == "out_of_memory" and own_words:
        template = LINES["out_of_memory_plain"]["text"]
    if terms.get("scheme") is True:
        template = LINES["scheme"]["text"]
    if terms.get("unsaid") is True or (key in BUILD and not platform(settings)["read"]):
        template = None
    return [] if template is None else [said(template, {**_refusal_terms(settings, terms), **terms})]


def _refusal_terms(settings: Settings, terms: dict[str, Any]) -> dict[str, Any]:
    rules = settings["rules"]
    stages = settings["pp"] if value_since(LINES["pool_by_stages"]["since"], rules["order"]) else 1
    return {
        "total_bytes": settings["total_bytes"],
        "free_bytes": settings["free_bytes"],
        "share": settings["share"],
        "longest": settings["longest"],
        "model_longest": settings["model"]["longest"],
        "seats": settings["seats"],
        "batched_tokens": settings["batched_tokens"],
        "dummies": min(settings["seats"], settings["batched_tokens"]),
        "heads": settings["model"]["heads"],
        "tp": settings["tp"],
        "card": settings["card"]["title"],
        "capability": settings["card"]["capability"],
        "device": platform(settings)["device"],
        "maker": platform(settings)["maker"],
        "estimated_longest": 0,
        "pool_tokens": terms.get("blocks", 0) // stages * terms.get("block_tokens", 0),
    }


def said(template: str, terms: dict[str, Any]) -> str:
    """A template with its terms: brackets where a length fits, numbers as vLLM writes them.

    Args:
        template: text with {name} or {name|form}
        terms: numbers, of any unit, and names

    Returns:
        The text.
    """
    fits = terms.get("estimated_longest", 0) > 0
    text = _MAYBE.sub(lambda match: match[1] if fits else "", template)
    return _PLACE.sub(lambda match: _shown(terms, match[1], match[2]), text)


def _shown(terms: dict[str, Any], name: str, form: str | None) -> str:
    value = terms.get(name)
    if value is None:
        return UNKNOWN
    if form is None:
        return value if isinstance(value, str) else str(int(value))
    return str(_FORMS[form](value))


_FORMS: dict[str, Any] = {
    "gib": lambda value: rounded(gib(value), 2),
    "gib2": lambda value: fixed(gib(value), 2),
    "gib4": lambda value: fixed(gib(value), 4),
    "commas": commas,
    "fixed2": lambda value: fixed(value, 2),
    "fixed4": lambda value: fixed(value, 4),
    "float": float_text,
}
