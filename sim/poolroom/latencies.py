"""A made-up sample of latencies: most requests take about as long as each other, and a few are slow."""

from .checks import whole
from .draws import Draws
from .serving_facts import figure

MOST_REQUESTS = 10_000
"""The largest sample, requests."""
SAMPLES = 10_000
"""How many samples there are to draw, a number without unit."""
SEED_STEP = 104_729
"""How far the seeds of two samples lie apart, without unit: a prime, so that first draws do not resemble each other."""


def latencies(requests: int, slow: int, times: int, sample: int) -> list[float]:
    """The latencies of a sample: two draws for each request, its time and whether it is slow.

    Args:
        requests: how many requests, at most 10,000
        slow: how likely a request is slow, whole percent from 0 to 100
        times: how many times as long a slow request takes, from 1 to 1,000
        sample: which sample, from 1 to 10,000, without unit

    Returns:
        Whole milliseconds, in the order in which the requests came.

    Raises:
        SimError: for any other value
    """
    whole("requests", requests, 1, MOST_REQUESTS)
    whole("slow", slow, 0, 100)
    whole("times", times, 1, 1000)
    draws = Draws(whole("sample", sample, 1, SAMPLES) * SEED_STEP)
    shortest, longest = int(figure("percentiles", "shortest_ms")), int(figure("percentiles", "longest_ms"))
    found = []
    for _ in range(requests):
        ordinary = shortest + draws.below(longest - shortest + 1)
        found.append(float(ordinary * times if draws.below(100) < slow else ordinary))
    return found
