"""One try: settings resolved, budgeted and judged; and the same with something changed."""

from typing import Any, TypedDict

from .budget import Budget, budget, loaded_weights
from .refuse import PlanError
from .reserve import Part
from .rounding import GIB_BYTES
from .settings import Settings, resolve
from .verdict import Verdict, served_budget, verdict

MEASURED = ("weights", "activation", "non_torch", "graphs")
"""Parts that a start-up prints and that may be given as measured."""

READ = ("version", "engine", "model", "index", "quantization")
"""Settings from which rules and model are read."""

SHARED_OUT = ("dtype", "tp", "pp")
"""Settings on which the weights of a card depend beside the model."""


class Trial(TypedDict):
    """One set of settings and what becomes of it.

    Attributes:
        asked: settings by vLLM's names, as given
        settings: as resolved
        weights: weights of a card of each stage as they are calculated, in bytes
        budget: who has how much of the card
        verdict: whether it starts
        carried: parts whose measured figure was moved from other settings by the rules; "kv" for the pool
    """

    asked: dict[str, Any]
    settings: Settings
    weights: list[Part]
    budget: Budget
    verdict: Verdict
    carried: list[str]


def trial(
    asked: dict[str, Any], like: Trial | None = None, with_lines: bool = True, carried: list[str] | None = None
) -> Trial:
    """Resolve, budget and judge.

    Args:
        asked: settings by vLLM's names
        like: a trial with the same version and model, which are then not read again
        with_lines: whether to say what vLLM prints
        carried: parts whose measured figure belongs to other settings and was moved; None for none

    Returns:
        The settings as resolved, their budget and the verdict.

    Raises:
        PlanError: for a setting that cannot be used
    """
    settings = resolve(asked, None if like is None else like["settings"])
    weights = _weights(settings, like)
    whole = budget(settings, weights)
    found = verdict(settings, whole, with_lines)
    moved = [] if carried is None else carried
    whole = _marked(served_budget(settings, whole, found["longest"]), moved)
    return {
        "asked": asked, "settings": settings, "weights": weights, "budget": whole, "verdict": found, "carried": moved,
    }  # fmt: skip


def _marked(whole: Budget, carried: list[str]) -> Budget:
    # What the rules moved was not measured with these settings.
    for stage in whole["stages"] if carried else []:
        for part in stage["parts"]:
            if part["name"] in carried:
                part["kind"], part["source"] = "fitted", "carried"
    return whole


def carried_from(base: Trial) -> list[str]:
    """Parts whose figure is carried over when something is changed: all that were measured.

    Args:
        base: where the change begins

    Returns:
        Names of parts, without unit; "kv" for the pool.
    """
    return [name for name in (*MEASURED, "kv") if base["asked"].get(f"measured_{name}_gib") is not None]


def _weights(settings: Settings, like: Trial | None) -> list[Part]:
    # They hang on the model, on its type, and on how it is shared out, and on nothing else.
    if like is not None and all(settings[name] == like["settings"][name] for name in SHARED_OUT):  # type: ignore[literal-required]
        return like["weights"]
    return loaded_weights(settings)


def tried(base: Trial, changes: dict[str, Any], with_lines: bool = False) -> Trial | None:
    """The same with something changed, or nothing where the change is not allowed.

    Args:
        base: where the change begins
        changes: settings by vLLM's names
        with_lines: whether to say what vLLM prints

    Returns:
        The changed trial, or None.
    """
    try:
        return trial(changed(base, changes), like_for(base, changes), with_lines, carried_from(base))
    except PlanError:
        return None


def like_for(base: Trial, changes: dict[str, Any]) -> Trial | None:
    """The trial whose version and model a changed one has too, or nothing.

    Args:
        base: where the change begins
        changes: settings by vLLM's names

    Returns:
        The base, or None.
    """
    return None if any(name in READ for name in changes) else base


def changed(base: Trial, changes: dict[str, Any]) -> dict[str, Any]:
    """Settings with something changed; what was measured is carried over to where it was not measured.

    A measured part changes by the factor by which its calculated twin changes, a measured pool by as many bytes. The
    moved figures are the rules' and not measured: they are for trying a change, and stand in no fix.

    Args:
        base: where the change begins
        changes: settings by vLLM's names

    Returns:
        Settings by vLLM's names.

    Raises:
        PlanError: for a change that cannot be used
    """
    asked = {**base["asked"], **changes}
    names = carried_from(base)
    if not names:
        return asked
    like = like_for(base, changes)
    before = _pools(base["asked"], base)
    after = _pools(asked, like)
    for name in names:
        key = f"measured_{name}_gib"
        if name == "kv":
            asked[key] = asked[key] + (after["kv"] - before["kv"]) / GIB_BYTES
        elif name == "non_torch" and _holds_others(base, asked, key):
            asked[key] = asked[key] + asked["in_use_gib"] - base["asked"]["in_use_gib"]
        elif before[name] > 0:
            asked[key] = asked[key] * (after[name] / before[name])
    return asked


def _holds_others(base: Trial, asked: dict[str, Any], key: str) -> bool:
    # What lies outside PyTorch was printed with all that others hold, where the version counts them.
    before = base["asked"].get("in_use_gib")
    counts = base["settings"]["rules"]["counts_others"]
    after = asked.get("in_use_gib")
    return bool(counts and before is not None and after is not None and after != before and asked[key] >= before)


def _pools(asked: dict[str, Any], like: Trial | None) -> dict[str, int]:
    # What is calculated where nothing is measured, of the stage with the smallest pool.
    plain = {name: value for name, value in asked.items() if not name.startswith("measured_")}
    settings = resolve(plain, None if like is None else like["settings"])
    whole = budget(settings, _weights(settings, like))
    stage = whole["stages"][whole["stage"]]
    pools = {part["name"]: part["bytes"] for part in stage["parts"]}
    pools["kv"] = stage["kv_bytes"]
    return {name: pools.get(name, 0) for name in (*MEASURED, "kv")}
