"""What the tool “floor” answers: the time of one step, the ceilings, and where something else takes over."""

from typing import Any

from .checks import MOST_WHOLE, number_between
from .facts import Cost
from .floor import Pace, ceiling_tokens_per_second, compute_batch, floor_seconds, overtaking_tokens, pace
from .serving_facts import figure
from .tool import Answer, Row, said
from .words import gb, tenths, whole_number

MOST_PARAMETERS = 1_125_899_906_842_624
"""The most parameters: 2^50, which are 2^53 bytes at 8 bytes each, so that every count below stays exact."""


def floor_answer(settings: dict[str, Any]) -> Answer:
    """The answer to the settings of the tool “floor”.

    Args:
        settings: parameters from 1 to 2^50, bytes_per_weight from 1/8 to 8 bytes, bandwidth from 1 to 2^53 − 1 bytes
            per second, batch in chats, context in tokens of each chat

    Returns:
        Sentences, and rows in milliseconds.

    Raises:
        SimError: naming the setting that cannot be used
    """
    batch, cost = settings["batch"], floor_cost(settings)
    step = pace(batch, settings["context"], cost)
    seconds = floor_seconds(settings["parameters"], settings["bytes_per_weight"], settings["bandwidth"])
    lines = {
        "floor": said("floor", "lines.floor", weights=gb(whole_number(cost.weights_bytes)), ms=_ms(seconds)),
        "alone": said("floor", "lines.alone", ceiling=_rate(ceiling_tokens_per_second(seconds, 1))),
        "together": said(
            "floor", "lines.together", batch=batch, ceiling=_rate(ceiling_tokens_per_second(seconds, batch))
        ),
        "bound": said("floor", f"lines.bound.{step.bound}"),
        **_pace_lines(batch, step, cost),
    }
    return {"lines": lines, "rows": _rows(step), "lanes": []}


def floor_cost(settings: dict[str, Any]) -> Cost:
    """What a step costs with these settings: weights and bandwidth of the settings, cache and peak of the facts.

    Args:
        settings: parameters from 1 to 2^50, bytes_per_weight from 1/8 to 8 bytes, bandwidth from 1 to 2^53 − 1 bytes
            per second

    Returns:
        A record in bytes, operations and their rates per second.

    Raises:
        SimError: naming the setting that is out of range
    """
    parameters = number_between("parameters", settings["parameters"], 1, MOST_PARAMETERS)
    return Cost(
        weights_bytes=parameters * number_between("bytes_per_weight", settings["bytes_per_weight"], 0.125, 8),
        kv_bytes_per_token=float(figure("floor", "kv_bytes_per_token")),
        flops_per_token=2.0 * parameters,
        bandwidth_bytes_per_second=number_between("bandwidth", settings["bandwidth"], 1, MOST_WHOLE),
        peak_flops_per_second=float(figure("floor", "peak_flops_per_second")),
    )


def _pace_lines(batch: int, step: Pace, cost: Cost) -> dict[str, str]:
    rate, each = _rate(step.tokens_per_second), _rate(1.0 / step.step_seconds)
    peak, kib = whole_number(cost.peak_flops_per_second / 1e12), whole_number(cost.kv_bytes_per_token / 1024.0)
    return {
        "step": said("floor", "lines.step", batch=batch, ms=_ms(step.step_seconds), rate=rate, each=each),
        "arithmetic": said("floor", "lines.arithmetic", chats=compute_batch(cost), peak=peak),
        "cache": said("floor", "lines.cache", tokens=overtaking_tokens(cost), kib=kib),
    }


def _rows(step: Pace) -> list[Row]:
    parts = {"weights": step.weights_seconds, "cache": step.cache_seconds, "compute": step.compute_seconds}
    return [
        Row(
            group=said("floor", "rows.group"),
            name=said("floor", f"rows.{name}"),
            amount=1000.0 * seconds,
            text=said("floor", "rows.text", ms=_ms(seconds)),
            kind="limit" if name == "compute" else "cost" if name == "cache" else "plain",
        )
        for name, seconds in parts.items()
    ]


def _ms(seconds: float) -> str:
    return tenths(1000.0 * seconds)


def _rate(tokens_per_second: float) -> int:
    return whole_number(tokens_per_second)
