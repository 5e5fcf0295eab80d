"""What the tool “percentiles” answers: a request that happened, a point between two, and a mean that hides the tail."""

from typing import Any

from .checks import whole
from .latencies import latencies
from .percentiles import enough, interpolated, mean, nearest_rank, rank
from .tool import Answer, Row, said
from .words import percent, tenths, whole_number

ALWAYS = (50, 95, 99)
"""The percentiles that always stand in the picture, percent: those that the lesson prints."""


def percentiles_answer(settings: dict[str, Any]) -> Answer:
    """The answer to the settings of the tool “percentiles”.

    Args:
        settings: requests, slow in whole percent, times without unit, percentile in whole percent, sample without unit

    Returns:
        Sentences, and rows in milliseconds.

    Raises:
        SimError: naming the setting that cannot be used
    """
    p = whole("percentile", settings["percentile"], 1, 100)
    times = latencies(settings["requests"], settings["slow"], settings["times"], settings["sample"])
    found, between, middle, n = nearest_rank(times, p), interpolated(times, p), mean(times), len(times)
    lines = {
        "rank": said("percentiles", "lines.rank", p=p, n=n, place=rank(n, p), ms=_ms(found)),
        "between": said("percentiles", f"lines.{'happened' if between in times else 'nobody'}", ms=_ms(between)),
        "mean": said("percentiles", "lines.mean", ms=_ms(middle), share=_below(times, middle), times=_as_long(times)),
        "enough": _enough(times, p),
    }
    return {"lines": lines, "rows": _rows(times, p), "lanes": []}


def _below(times: list[float], middle: float) -> int:
    return percent(float(len([time for time in times if time < middle])) / float(len(times)))


def _as_long(times: list[float]) -> str:
    return tenths(max(times) / mean(times))


def _enough(times: list[float], p: int) -> str:
    n, least, found = len(times), enough(p), nearest_rank(times, p)
    if least is None:
        return said("percentiles", "lines.always")
    if n < least:
        return said("percentiles", "lines.slowest", p=p, n=n, least=least)
    above = len([time for time in times if time > found])
    return said("percentiles", "lines.above", p=p, n=n, least=least, above=above)


def _rows(times: list[float], p: int) -> list[Row]:
    rows = [_row("mean", "cost", mean(times), p)]
    rows += [_row("rank", "good" if q == p else "plain", nearest_rank(times, q), q) for q in sorted({*ALWAYS, p})]
    return [*rows, _row("between", "limit", interpolated(times, p), p), _row("slowest", "plain", max(times), p)]


def _row(name: str, kind: str, ms: float, p: int) -> Row:
    return Row(
        group=said("percentiles", "rows.group"),
        name=said("percentiles", f"rows.{name}", p=p),
        amount=ms,
        text=said("percentiles", "rows.text", ms=_ms(ms)),
        kind=kind,
    )


def _ms(ms: float) -> int | str:
    return whole_number(ms) if ms == whole_number(ms) else tenths(ms)
