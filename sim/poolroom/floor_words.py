"""What the tool “floor” answers: the time of one step, the ceilings, and where something else takes over."""

from typing import Any

from .facts import Cost
from .floor import Pace, ceiling_tokens_per_second, compute_batch, floor_seconds, overtaking_tokens, pace
from .serving_facts import figure
from .tool import Answer, Row, said
from .words import gb, tenths, whole_number


def floor_answer(settings: dict[str, Any]) -> Answer:
    """The answer to the settings of the tool “floor”.

    Args:
        settings: parameters, bytes_per_weight in bytes, bandwidth in bytes per second, batch in chats, context in
            tokens of each chat

    Returns:
        Sentences, and rows in milliseconds.

    Raises:
        SimError: naming the setting that cannot be used
    """
    seconds = floor_seconds(settings["parameters"], settings["bytes_per_weight"], settings["bandwidth"])
    batch, cost = settings["batch"], floor_cost(settings)
    step = pace(batch, settings["context"], cost)
    together, tokens = ceiling_tokens_per_second(step.step_seconds, batch), overtaking_tokens(cost)
    lines = {
        "floor": said("floor", "lines.floor", weights=gb(whole_number(cost.weights_bytes)), ms=_ms(seconds)),
        "alone": said("floor", "lines.alone", ceiling=_rate(ceiling_tokens_per_second(seconds, 1))),
        "together": said(
            "floor", "lines.together", batch=batch, rate=_rate(together), each=_rate(1.0 / step.step_seconds)
        ),
        "bound": said("floor", f"lines.bound.{step.bound}"),
        "limits": said("floor", "lines.limits", compute=compute_batch(cost), tokens=tokens or 0),
    }
    return {"lines": lines, "rows": _rows(step), "lanes": []}


def floor_cost(settings: dict[str, Any]) -> Cost:
    """What a step costs with these settings: weights and bandwidth of the settings, cache and peak of the facts.

    Args:
        settings: parameters, bytes_per_weight in bytes, bandwidth in bytes per second

    Returns:
        A record in bytes, operations and their rates per second.
    """
    return Cost(
        weights_bytes=float(settings["parameters"]) * float(settings["bytes_per_weight"]),
        kv_bytes_per_token=float(figure("floor", "kv_bytes_per_token")),
        flops_per_token=2.0 * float(settings["parameters"]),
        bandwidth_bytes_per_second=float(settings["bandwidth"]),
        peak_flops_per_second=float(figure("floor", "peak_flops_per_second")),
    )


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
