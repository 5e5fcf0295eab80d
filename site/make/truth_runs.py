"""What the reference says of each report: from its settings alone, and from the memory that its server printed."""

from collections.abc import Iterator
from typing import Any

import fit
from poolroom.vllm.budget import Budget, budget
from poolroom.vllm.capacity import Capacity, blocks_of, capacity, chat_bytes, estimated_longest, fits
from poolroom.vllm.layout import Layout
from poolroom.vllm.refuse import PlanError
from poolroom.vllm.settings import Settings, resolve
from poolroom.vllm.trial import Trial, trial

GIB = 2**30
ROUNDED = 0.005
"""A printed GiB has two decimals: it may stand for so much more or less."""
STAND_IN = {"card": "H100-80GB", "version": "0.19.0"}
"""For reports that print their memory but not their card: what follows from the memory does not depend on it."""
NO_WEIGHTS = ("no_model", "no_config", "no_share", "offload", "quantisation", "no_card")
"""Reports whose weights cannot be predicted."""
MOST_BLOCKS = 2**40


def worked_out(facts: dict[str, Any]) -> dict[str, Any]:
    """Everything that the reference says, by report."""
    cases = facts["cases"]
    fresh = {case["id"]: round(error, 5) for case, error in fit.trial(cases)}
    return {
        "settings": {
            case["id"]: {**from_settings(case), "error_fresh": fresh.get(case["id"])}
            for case in cases
            if "settings" not in case["left_out"]
        },
        "given_kv": {case["id"]: from_memory(case) for case in cases if can_follow(case)},
        "weights": {case["id"]: weights_of(case) for case in cases if has_weights(case)},
        "pairs": {name: pair(cases, name) for name in pairs_of(cases)},
    }


# --- from settings alone ---


def from_settings(case: dict[str, Any]) -> dict[str, Any]:
    """What the plan says where nothing measured goes in."""
    try:
        at = trial(case["asked"])
    except PlanError as refusal:
        return {"outcome": "none", "refusal": str(refusal), "error": None}
    found = {**_parts(at), **_pool(at["budget"]["capacity"]), **_said(at)}
    measure, error = _error(case["printed"], found)
    return {**found, "measure": measure, "error": error}


def _parts(at: Trial) -> dict[str, float]:
    stage = at["budget"]["stages"][at["budget"]["stage"]]
    parts = {f"{part['name']}_gib": _gib(part["bytes"]) for part in stage["parts"]}
    ends = {"kv_low_gib": _gib(stage["kv_low"]), "kv_high_gib": _gib(stage["kv_high"])}
    return {**parts, "kv_gib": _gib(stage["kv_bytes"]), **ends}


def _pool(holds: Capacity) -> dict[str, Any]:
    return {"blocks": holds["blocks"], "tokens": holds["tokens"], "concurrency": round(holds["concurrency"], 4)}


def _said(at: Trial) -> dict[str, Any]:
    refusal = at["verdict"]["refusal"]
    outcome = "refuses" if refusal else "starts"
    return {"outcome": outcome, "refusal": refusal["key"] if refusal else "", "sure": at["verdict"]["sure"]}


def _error(printed: dict[str, Any], found: dict[str, Any]) -> tuple[str | None, float | None]:
    # Tokens or blocks tell the pool more finely than its GiB.
    for measure in ("tokens", "blocks", "kv_gib"):
        value = printed.get(measure)
        if value is not None and value > 0:
            return measure, round(found[measure] / value - 1.0, 5) + 0.0
    return None, None


def _gib(size: float) -> float:
    return round(size / GIB, 4)


# --- from the memory that was printed ---


def can_follow(case: dict[str, Any]) -> bool:
    """Say whether a report prints its pool and something that follows from it."""
    printed = case["printed"]
    pool = any(name in printed for name in ("kv_gib", "blocks", "tokens"))
    follows = any(name in printed for name in ("blocks", "tokens", "concurrency")) or "error" in case
    return "given_kv" not in case["left_out"] and pool and follows


def from_memory(case: dict[str, Any]) -> dict[str, Any]:
    """What follows from the printed memory, or from the printed blocks, and whether it is what was printed."""
    printed, error = case["printed"], case.get("error", {})
    asked = {**STAND_IN, **case["asked"]}
    try:
        settings, whole = _given(asked, printed)
        layout = whole["stages"][whole["stage"]]["layout"]
        lowest, highest = _bounds(printed, asked)
        blocks = list(_possible(settings, layout, printed, lowest, highest))
        failed = [*_refusal_faults(settings, layout, error, lowest, highest)]
        holds = _matching(settings, layout, printed, blocks)
        if holds is None:
            failed.append("pool")
            holds = capacity(settings, layout, blocks[len(blocks) // 2])
        outcome = _outcome(settings, layout, holds["blocks"])
        if case["outcome"] is not None and (case["outcome"] == "refuses") != (outcome == "refuses"):
            failed.append("outcome")
    except PlanError as refusal:
        return {"exact": False, "failed": ["plan"], "outcome": "none", "refusal": str(refusal)}
    return {**_pool(holds), "outcome": outcome, "exact": not failed, "failed": failed}


def _given(asked: dict[str, Any], printed: dict[str, Any]) -> tuple[Settings, Budget]:
    kv = {"measured_kv_gib": printed["kv_gib"]} if "kv_gib" in printed else {}
    settings = resolve({**asked, **kv})
    return settings, budget(settings)


def _bounds(printed: dict[str, Any], asked: dict[str, Any]) -> tuple[float, float]:
    kv = printed.get("kv_gib", asked.get("measured_kv_gib"))
    if kv is None:
        return 0.0, 0.0
    slack = 0.0 if "measured_kv_gib" in asked else ROUNDED
    return (kv - slack) * GIB, (kv + slack) * GIB


def _possible(
    settings: Settings, layout: Layout, printed: dict[str, Any], lowest: float, highest: float
) -> Iterator[int]:
    """Every number of blocks that the printed memory allows; without it, the printed blocks, or those of the tokens."""
    if highest > 0:
        yield from range(blocks_of(layout, int(lowest)), blocks_of(layout, int(highest)) + 1)
    elif "blocks" in printed:
        yield printed["blocks"]
    else:
        yield _first_block(settings, layout, printed["tokens"])


def _first_block(settings: Settings, layout: Layout, tokens: int) -> int:
    least, most = 0, MOST_BLOCKS // layout["block_tokens"]
    while least < most:
        middle = (least + most) // 2
        if capacity(settings, layout, middle)["tokens"] >= tokens:
            most = middle
        else:
            least = middle + 1
    return least


def _matching(settings: Settings, layout: Layout, printed: dict[str, Any], blocks: list[int]) -> Capacity | None:
    for count in blocks:
        holds = capacity(settings, layout, count)
        same = {
            "blocks": holds["blocks"] == printed.get("blocks"),
            "tokens": holds["tokens"] == printed.get("tokens"),
            "concurrency": f"{holds['concurrency']:.2f}" == f"{printed.get('concurrency', 0):.2f}",
        }
        if all(same[name] for name in same if name in printed):
            return holds
    return None


def _refusal_faults(
    settings: Settings, layout: Layout, error: dict[str, Any], lowest: float, highest: float
) -> Iterator[str]:
    needed, estimated = error.get("needed_gib"), error.get("estimated_max_len")
    if needed is not None and abs(chat_bytes(settings, layout, error["max_seq_len"]) / GIB - needed) > ROUNDED * 1.01:
        yield "needed"
    if estimated is not None:
        ends = [estimated_longest(settings, layout, int(end)) for end in (lowest, highest)]
        if not ends[0] <= estimated <= ends[1]:
            yield "estimated"


def _outcome(settings: Settings, layout: Layout, blocks: int) -> str:
    # What the pool alone decides: room for one longest chat, and for the states of all seats.
    room = blocks * layout["block_bytes"]
    states = any(group["kind"] == "mamba" for group in layout["groups"])
    seats = settings["seats"] if states and settings["rules"]["mamba_seats_check"] and not settings["eager"] else 0
    return "starts" if blocks >= max(1, seats) and fits(settings, layout, room, settings["longest"]) else "refuses"


# --- weights, and reports that differ in one setting ---


def has_weights(case: dict[str, Any]) -> bool:
    """Say whether the weights were printed, and everything that they depend on is known."""
    known = {"model", "version"} <= set(case["asked"])
    return known and "weights_gib" in case["printed"] and case["left_out"].get("settings") not in NO_WEIGHTS


def weights_of(case: dict[str, Any]) -> dict[str, Any]:
    """The weights of one card, and by how much they are off."""
    try:
        whole = budget(resolve({**STAND_IN, **case["asked"]}))
    except PlanError as refusal:
        return {"weights_gib": None, "error": None, "refusal": str(refusal)}
    (size,) = [part["bytes"] for part in whole["stages"][0]["parts"] if part["name"] == "weights"]
    return {"weights_gib": _gib(size), "error": round(size / GIB / case["printed"]["weights_gib"] - 1.0, 5) + 0.0}


def pairs_of(cases: list[dict[str, Any]]) -> list[str]:
    """The names of pairs of reports that can both be planned."""
    return sorted({case["pair"] for case in cases if "pair" in case and {"card", "model"} <= set(case["asked"])})


def pair(cases: list[dict[str, Any]], name: str) -> dict[str, Any]:
    """By how many tokens two reports differ, as printed and by the plan."""
    before, after = [case for case in cases if case.get("pair") == name]
    try:
        planned = [trial(case["asked"])["budget"]["capacity"]["tokens"] for case in (before, after)]
    except PlanError as refusal:
        return {"printed": None, "planned": None, "refusal": str(refusal)}
    printed = [case["printed"]["tokens"] for case in (before, after)]
    return {"printed": printed[1] - printed[0], "planned": planned[1] - planned[0]}
