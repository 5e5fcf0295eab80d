"""Popularity by Zipf's law: the k-th most popular prompt is asked 1 ÷ k^a times as often as the first."""

import math

from .checks import SimError, number, whole
from .draws import MOST_CHOICES

MOST_PROMPTS = 4096
"""The most prompts to choose from, so many that a draw still tells the last ones apart."""
FIFTHS = 5
"""Exponents are counted in fifths: so many to 1, a number without unit."""


def fifth_roots(most: int) -> list[float]:
    """The fifth root of each whole number from 1, by Newton's method with + − × ÷ alone.

    Each root starts from the one before, and six steps reach the last bits of a double.

    Args:
        most: the last number, at most 4,096, without unit

    Returns:
        Roots in order, a number without unit each.

    Raises:
        SimError: for any other last number
    """
    root, roots = 1.0, []
    for k in range(1, whole("prompts", most, 1, MOST_PROMPTS) + 1):
        for _ in range(6):
            root = (4.0 * root + float(k) / (root * root * root * root)) / 5.0
        roots.append(root)
    return roots


def popularity(prompts: int, exponent: float) -> list[float]:
    """How often the first k prompts are asked, for each k: the sum of 1 ÷ k^exponent, relative to the first prompt.

    An exponent of 0 asks for all alike; the larger it is, the more a few prompts dominate.

    Args:
        prompts: how many different prompts there are, at most 4,096
        exponent: from 0 to 2 in steps of 0.2, a number without unit

    Returns:
        Rising sums, a number without unit each.

    Raises:
        SimError: for any other value

    Source:
        Breslau, Cao, Fan, Phillips, Shenker, INFOCOM 1999: requests to web caches follow such a law, with an exponent
        that differs from trace to trace.
    """
    fifths = _fifths(exponent)
    total, sums = 0.0, []
    for root in fifth_roots(prompts):
        weight = 1.0
        for _ in range(fifths):
            weight /= root
        total += weight
        sums.append(total)
    return sums


def drawn(sums: list[float], draw: int) -> int:
    """The prompt that a draw stands for: the first whose sum lies above it, in steps of 1 ÷ 2^20 of the whole.

    Args:
        sums: what `popularity` gives, numbers without unit
        draw: a whole number from 0 to 2^20 − 1, without unit

    Returns:
        The place of the prompt, 1 for the most popular one.

    Raises:
        SimError: for any other draw
    """
    wanted = (float(whole("draw", draw, 0, MOST_CHOICES - 1)) + 0.5) / float(MOST_CHOICES) * sums[-1]
    low, high = 0, len(sums) - 1
    while low < high:
        middle = (low + high) // 2
        if sums[middle] > wanted:
            high = middle
        else:
            low = middle + 1
    return low + 1


def _fifths(exponent: float) -> int:
    fifths = math.floor(min(number("exponent", exponent), 3.0) * float(FIFTHS) + 0.5)
    if fifths > 2 * FIFTHS or float(fifths) / float(FIFTHS) != exponent:
        raise SimError("exponent", exponent, "fifths")
    return fifths
