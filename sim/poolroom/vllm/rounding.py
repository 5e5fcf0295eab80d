"""Numbers as vLLM prints them: Python's `round` and `%.2f` by hand, exact in both languages."""

import math
from typing import Any

from .refuse import PlanError

GIB_BYTES = 1_073_741_824
"""Bytes of 1 GiB: 2^30."""
_SCALES = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000]
_EXACT = 9_007_199_254_740_992  # 2^53: whole numbers below it are doubles


def rounded(number: Any, places: Any) -> str:
    """What Python prints for round(number, places): half to even on the number as it is stored, no zeros behind.

    Args:
        number: a finite number, of any unit
        places: digits behind the point, from 0 to 6, as a whole number without unit

    Returns:
        The number as text, such as 51.4, 51.0 or -0.0.

    Raises:
        PlanError: for a number that is not finite, and for places out of range

    Source:
        Python's `float.__round__` and `float.__repr__`; vLLM's `format_gib` prints so since 0.14.0.
    """
    value, scale = _checked(number, places)
    count = _nearest(abs(value), scale)
    # From 2^53 on, doubles lie further apart than one place, and the nearest is the number itself.
    near = count / scale if count < _EXACT else abs(value)
    return _sign(value) + repr(near)


def fixed(number: Any, places: Any) -> str:
    """What Python prints for "%.2f" % number, with any number of places: half to even on the number as it is stored.

    Args:
        number: a finite number, of any unit
        places: digits behind the point, from 0 to 6, as a whole number without unit

    Returns:
        The number as text, such as 51.40 or -0.00.

    Raises:
        PlanError: for a number that is not finite, and for places out of range

    Source:
        Python's `%` formatting; vLLM prints GiB so up to 0.13.0.
    """
    value, scale = _checked(number, places)
    count = _nearest(abs(value), scale)
    whole, rest = str(count // scale), str(count % scale)
    if places == 0:
        return _sign(value) + whole
    return _sign(value) + whole + "." + "0" * (int(places) - len(rest)) + rest


def float_text(number: Any) -> str:
    """What Python prints for a float: the fewest digits that read back as the same number.

    Args:
        number: a finite number, of any unit

    Returns:
        The number as text, such as 0.92, 1.0 or 1e-05.

    Raises:
        PlanError: for a number that is not finite

    Source:
        Python's `float.__repr__`.
    """
    return repr(_checked(number, 0)[0])


def _checked(number: Any, places: Any) -> tuple[float, int]:
    if isinstance(number, bool) or not isinstance(number, (int, float)) or abs(number) > _LARGEST or number != number:
        raise PlanError("number", number, "finite")
    if isinstance(places, bool) or not isinstance(places, (int, float)) or places not in range(len(_SCALES)):
        raise PlanError("places", places, "whole_of", least=0, most=len(_SCALES) - 1)
    return float(number), _SCALES[int(places)]


_LARGEST = 1.7976931348623157e308


def _sign(value: float) -> str:
    # -0.0 is below nothing, but is written with its sign.
    return "-" if repr(value)[0] == "-" else ""


def _nearest(value: float, scale: int) -> int:
    """How many steps of 1 ÷ scale are nearest to a number ≥ 0, the even one of two."""
    above, below = value.as_integer_ratio()
    count, rest = above * scale // below, above * scale % below
    up = 2 * rest > below or (2 * rest == below and count % 2 == 1)
    return count + 1 if up else count


def gib(count: Any) -> float:
    """Bytes in GiB.

    Args:
        count: bytes, may be below 0

    Returns:
        GiB, that is bytes ÷ 2^30.

    Raises:
        PlanError: for a number that is not finite
    """
    return _checked(count, 0)[0] / GIB_BYTES


def gib_text(count: Any, rounding: str) -> str:
    """Bytes in GiB with two places, as a version of vLLM prints them.

    Args:
        count: bytes, may be below 0
        rounding: “round” for round(x, 2), “fixed” for %.2f

    Returns:
        GiB as text, without unit.

    Raises:
        PlanError: for a number that is not finite
    """
    return rounded(gib(count), 2) if rounding == "round" else fixed(gib(count), 2)


def bytes_of_gib(size: Any) -> int:
    """Bytes of a size in GiB, rounded down.

    Args:
        size: size, GiB

    Returns:
        Bytes.

    Raises:
        PlanError: for a number that is not finite
    """
    return math.floor(_checked(size, 0)[0] * GIB_BYTES)


def commas(count: int) -> str:
    """A whole number with its thousands set apart: 1202 → “1,202”.

    Args:
        count: a whole number, of any unit

    Returns:
        Digits and commas.
    """
    digits = str(abs(count))
    groups: list[str] = []
    while len(digits) > 3:
        groups = [digits[-3:], *groups]
        digits = digits[:-3]
    return ("-" if count < 0 else "") + ",".join([digits, *groups])
