"""What CUDA graphs take, inside the share or beside it, by version."""

import math
from typing import Any

from .pages import bounded
from .plan_facts import FITTED
from .reserve import Part, by_cuda
from .versions import value_since


def graph_sizes(settings: Any, most: int) -> int:
    """How many sizes of a batch are captured: 1, 2, 4, then every 8 below 256, then every 16.

    Args:
        settings: the resolved settings
        most: the largest batch, tokens

    Returns:
        Sizes, as a whole number without units.

    Source:
        vLLM 0.33.0, `config/vllm.py`, `_set_cudagraph_sizes`.
    """
    rule = FITTED["graphs"]
    largest = rule["largest_blackwell"] if settings["card"]["capability"].startswith("10.") else rule["largest"]
    top = min(most, 2 * settings["seats"], largest, settings["batched_tokens"])
    small = sum(1 for size in rule["small_sizes"] if size <= top)
    fine = min(top, rule["step_to"] - 1) // rule["step"]
    wide = max(0, top - rule["step_to"]) // rule["wide_step"] + 1 if top >= rule["step_to"] else 0
    return small + int(fine) + int(wide)


def graphs_captured(settings: Any) -> int:
    """How many graphs a start captures: one for each size, and of whole decode steps one for each size up to the seats.

    Args:
        settings: the resolved settings

    Returns:
        Graphs, as a whole number without units; 0 in eager mode.

    Source:
        vLLM 0.19.1 prints both counts: “PIECEWISE=51 (largest=512), FULL=35 (largest=256)”.
    """
    if settings["eager"]:
        return 0
    pieces = graph_sizes(settings, settings["batched_tokens"])
    return pieces if settings["rules"]["engine"] == "V0" else pieces + graph_sizes(settings, settings["seats"])


def graphs_counted(settings: Any) -> bool:
    """Whether an estimate of the graphs is taken from the share.

    Args:
        settings: the resolved settings

    Returns:
        Whether it is, by version, switch and model runner.

    Raises:
        PlanError: for a release that is no version

    Source:
        vLLM 0.17.1 to 0.33.0, `v1/worker/gpu_worker.py`; 0.28.0 and 0.29.0, `v1/worker/gpu/model_runner.py`.
    """
    rules = settings["rules"]
    if settings["eager"] or rules["engine"] == "V0" or rules["graphs"] == "outside" or not settings["graphs_counted"]:
        return False
    if settings["card"]["maker"] == "amd" and not value_since(FITTED["graphs"]["estimated_amd"], rules["order"]):
        return False
    return by_cuda(settings) and bool(value_since(FITTED["graphs"]["estimated"][rules["runner"]], rules["order"]))


def _estimate(settings: Any, side: str) -> int:
    each = FITTED["constants"]["graph_bytes"][side]
    return bounded("max_num_seqs", math.floor(graphs_captured(settings) * each))


def graphs(settings: Any) -> Part:
    """What is taken from the share for CUDA graphs: vLLM's estimate before it captures them.

    Args:
        settings: the resolved settings

    Returns:
        The part, bytes; 0 where graphs are not counted.

    Raises:
        PlanError: for sizes that both languages cannot hold exactly

    Source:
        `facts/vllm/fitted.json`.
    """
    if not graphs_counted(settings):
        return {"name": "graphs", "bytes": 0, "low": 0, "high": 0, "kind": "rule", "source": "graphs_outside"}
    sizes = [_estimate(settings, side) for side in ("value", "low", "high")]
    return {
        "name": "graphs",
        "bytes": sizes[0],
        "low": min(sizes),
        "high": max(sizes),
        "kind": "fitted",
        "source": "graphs",
    }


def graphs_beside(settings: Any) -> int:
    """What graphs take beside the share, after the cache is there, where they are not counted in it.

    Args:
        settings: the resolved settings

    Returns:
        Bytes; 0 where they are counted, in eager mode, and on cards of makers that have none.

    Raises:
        PlanError: for sizes that both languages cannot hold exactly
    """
    if graphs_counted(settings) or not by_cuda(settings):
        return 0
    return _estimate(settings, "value")
