"""One setting after the other, as it was asked or by default: parallel, lengths, switches, what was measured."""

from typing import Any, TypedDict

from ..checks import MOST_WHOLE
from .plan_facts import VERSIONS
from .refuse import PlanError
from .rounding import bytes_of_gib
from .values import counted_text, is_number, number_of, switch_of, value_or, whole_of
from .versions import Rules

MEASURED = ("weights", "activation", "non_torch", "graphs", "kv")
"""Parts that a start-up prints, which may be given as measured."""


class Parallel(TypedDict):
    """How a model is shared out.

    Attributes:
        tp: cards that share each layer, tensor parallel, as many
        pp: stages of layers, pipeline parallel, as many
        dcp: cards that share each chat's cache, as many
    """

    tp: int
    pp: int
    dcp: int


class Longest(TypedDict):
    """The longest chat.

    Attributes:
        tokens: its length, tokens
        auto_fit: whether vLLM lowers it until it fits
    """

    tokens: int
    auto_fit: bool


def parallel_of(asked: dict[str, Any], rules: Rules) -> Parallel:
    """How the model is shared out.

    Args:
        asked: settings by vLLM's names
        rules: of the version

    Returns:
        Cards and stages, as many.

    Raises:
        PlanError: for numbers out of range, and for a decode context parallel that does not divide tensor parallel
    """
    most = VERSIONS["bounds"]["cards"]
    tp = whole_of("tensor_parallel_size", value_or(asked, "tensor_parallel_size", 1), 1, most)
    pp = whole_of("pipeline_parallel_size", value_or(asked, "pipeline_parallel_size", 1), 1, most)
    name = "decode_context_parallel_size"
    dcp = whole_of(name, value_or(asked, name, 1), 1, most)
    if dcp > 1 and not rules["context_parallel"]:
        raise PlanError(name, dcp, "setting_from", has=rules["version"], version=_first("context_parallel"))
    if tp % dcp:
        raise PlanError(name, dcp, "divisor_of", whole=tp)
    return {"tp": tp, "pp": pp, "dcp": dcp}


def longest_of(asked: dict[str, Any], rules: Rules, own: int) -> Longest:
    """The longest chat: as asked, or the model's own.

    Args:
        asked: settings by vLLM's names
        rules: of the version
        own: the model's own longest, tokens; 0 where it is not known

    Returns:
        Its length in tokens, and whether vLLM may lower it.

    Raises:
        PlanError: for a length that cannot be used, and for “auto” in a version that does not have it
    """
    value = asked.get("max_model_len")
    fits = value in ("-1", "auto", "Auto", "AUTO") or (is_number(value) and value == -1)
    if value is not None and not fits:
        tokens = counted_text("max_model_len", value, VERSIONS["bounds"]["tokens"], "tokens_text")
        return {"tokens": tokens, "auto_fit": False}
    if fits and not rules["auto_fit"]:
        raise PlanError("max_model_len", value, "auto_from", version=_first("auto_fit"))
    if own < 1:
        raise PlanError("max_model_len", value, "length_known")
    return {"tokens": own, "auto_fit": fits}


def asynchronous_of(asked: dict[str, Any], rules: Rules, pp: int) -> bool:
    """Whether a step is planned while another runs.

    Args:
        asked: settings by vLLM's names
        rules: of the version
        pp: stages of the pipeline, as many

    Returns:
        Whether it is.

    Raises:
        PlanError: where it was asked and the version cannot
    """
    does = pp == 1 or (rules["async_pipeline"] and rules["runner"] == "V2")
    value = switch_of(asked, "async_scheduling")
    if value and not does:
        raise PlanError("async_scheduling", value, "async_pipeline")
    return (rules["async_default"] if value is None else value) and does


def kv_cache_memory_of(asked: dict[str, Any], rules: Rules) -> int | None:
    """Room for the cache that was set.

    Args:
        asked: settings by vLLM's names
        rules: of the version

    Returns:
        Bytes, or None.

    Raises:
        PlanError: for a size that cannot be used, and in a version without this setting
    """
    name = "kv_cache_memory_bytes"
    value = asked.get(name)
    if value is None:
        return None
    if not rules["kv_cache_memory"]:
        raise PlanError(name, value, "setting_from", has=rules["version"], version=_first("kv_cache_memory"))
    return counted_text(name, value, MOST_WHOLE, "bytes_text")


def graphs_counted_of(asked: dict[str, Any], rules: Rules, eager: bool) -> bool:
    """Whether CUDA graphs count inside the share.

    Args:
        asked: settings by vLLM's names
        rules: of the version
        eager: whether there are none

    Returns:
        Whether they do.

    Raises:
        PlanError: where it was asked and the version cannot
    """
    value = switch_of(asked, "estimate_cudagraphs")
    if value and rules["graphs"] == "outside":
        raise PlanError("estimate_cudagraphs", value, "estimate_from", has=rules["version"], version=_first("graphs"))
    return (rules["graphs"] == "inside" if value is None else value) and not eager


def measured_of(asked: dict[str, Any]) -> dict[str, int]:
    """What was measured on a start, by the name of the part with `_bytes` behind it.

    A figure of a log holds for exactly the settings of that start: a pool that was measured is taken as it is, whatever
    card, share or model stands beside it. To see what a change makes of it, use tried, which moves it by the rules.

    Args:
        asked: settings by vLLM's names

    Returns:
        Sizes that were given, in bytes.

    Raises:
        PlanError: for sizes out of range
    """
    most = VERSIONS["bounds"]["gib"]
    found = {}
    for part in MEASURED:
        name = f"measured_{part}_gib"
        if asked.get(name) is not None:
            least = 0 if part in ("weights", "activation") else -most
            found[f"{part}_bytes"] = bytes_of_gib(number_of(name, asked[name], least, most))
    return found


def _first(rule: str) -> str:
    # The release that brought something.
    return str(VERSIONS["rules"][rule]["V1"][1][0])
