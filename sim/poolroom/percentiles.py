"""Three ways to say how long requests took: nearest rank, interpolation, and the mean."""

import math
from typing import Any

from .checks import SimError, number, whole

PARTS = 1000
"""Thousandths of a percent: the steps in which a percentile is counted, steps for each percent."""


def rank(n: int, p: float) -> int:
    """The place of a percentile among sorted values by nearest rank: p·n ÷ 100, rounded up.

    Thousandths of a percent are whole numbers, so that the place is exact. As `math.ceil(p / 100 * n)` it is one too
    high where the product lands above a whole number: the 7th percentile of 100 values is the 7th, but 7 / 100 * 100 is
    7.000000000000001. At 50, 90, 95 and 99 both agree.

    Args:
        n: how many values there are, at most 10^9
        p: percent above 0, to 100, with at most three decimals

    Returns:
        A place, from 1 to n.

    Raises:
        SimError: for any other n or p
    """
    return (_parts(p) * whole("n", n, 1, 1_000_000_000) + 100 * PARTS - 1) // (100 * PARTS)


def enough(p: float) -> int | None:
    """The smallest number of values of which a percentile by nearest rank is no longer simply the largest.

    Args:
        p: percent above 0, to 100, with at most three decimals

    Returns:
        How many values; None for 100, which is always the largest.

    Raises:
        SimError: for any other p
    """
    left = 100 * PARTS - _parts(p)
    return (100 * PARTS + left - 1) // left if left else None


def nearest_rank(values: list[float], p: float) -> float:
    """The value that at least p percent of the values do not exceed: the smallest one, so always one that was measured.

    Args:
        values: times of requests, in any unit
        p: percent above 0, to 100, with at most three decimals

    Returns:
        One of the values, in their unit.

    Raises:
        SimError: for an empty list, a value that is no finite number ≥ 0, and any other p

    Source:
        Hyndman and Fan, The American Statistician 50(4), 1996: definition 1, the inverse of the distribution.
    """
    times = _sorted(values)
    return times[rank(len(times), p) - 1]


def interpolated(values: list[float], p: float) -> float:
    """The point that lies p percent of the way from the smallest value to the largest, along the sorted values.

    Between two values it is a time that no request took. NumPy's `percentile` does so unless told otherwise, and
    Excel's PERCENTILE.INC.

    Args:
        values: times of requests, in any unit
        p: percent above 0, to 100, with at most three decimals

    Returns:
        A time, in the unit of the values.

    Raises:
        SimError: for an empty list, a value that is no finite number ≥ 0, and any other p

    Source:
        Hyndman and Fan, The American Statistician 50(4), 1996: definition 7.
    """
    times = _sorted(values)
    way = _parts(p) * (len(times) - 1)
    before, rest = way // (100 * PARTS), way % (100 * PARTS)
    if rest == 0:
        return times[before]
    return times[before] + (times[before + 1] - times[before]) * (float(rest) / float(100 * PARTS))


def mean(values: list[float]) -> float:
    """The sum of the values, added in the order given, ÷ how many there are.

    Args:
        values: times of requests, in any unit

    Returns:
        A time, in the unit of the values.

    Raises:
        SimError: for an empty list, and for a value or a sum that is no finite number ≥ 0
    """
    total = 0.0
    for value in _times(values):
        total += value
    return number("values", total) / float(len(values))


def _times(values: Any) -> list[float]:
    if not isinstance(values, list) or not values:
        raise SimError("values", values, "numbers")
    return [number("values", value) for value in values]


def _sorted(values: Any) -> list[float]:
    return sorted(_times(values))


def _parts(p: float) -> int:
    parts = math.floor(min(number("p", p, positive=True), 101.0) * float(PARTS) + 0.5)
    if parts > 100 * PARTS or float(parts) / float(PARTS) != p:
        raise SimError("p", p, "percentile")
    return parts
