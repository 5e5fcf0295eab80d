"""The floor of a decode step: how long reading the weights takes, and what binds once chats share that reading."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from .checks import MOST_WHOLE, SimError, number, whole
from .facts import Cost
from .steptime import compute_seconds, memory_seconds


@dataclass(frozen=True, slots=True)
class Pace:
    """One decode step in which every chat writes one token.

    Attributes:
        weights_seconds: reading the weights, seconds
        cache_seconds: reading the cache of all chats, seconds
        compute_seconds: arithmetic, seconds
        step_seconds: the step, seconds: the longer of reading both and of arithmetic
        tokens_per_second: tokens of all chats together, tokens per second
        bound: what sets the pace: "memory", "cache" or "compute"
    """

    weights_seconds: float
    cache_seconds: float
    compute_seconds: float
    step_seconds: float
    tokens_per_second: float
    bound: str


def floor_seconds(parameters: float, bytes_per_weight: float, bandwidth: float) -> float:
    """The shortest decode step: parameters × bytes a weight ÷ bandwidth.

    Args:
        parameters: numbers in the weights, parameters
        bytes_per_weight: size of one, bytes
        bandwidth: speed of reading, bytes per second

    Returns:
        Seconds.

    Raises:
        SimError: for a value that is no number above 0, and for a step that takes no time

    Source:
        Each weight is read once for each step, whatever the batch.
    """
    size = number("parameters", parameters, positive=True) * number("bytes_per_weight", bytes_per_weight, positive=True)
    seconds = size / number("bandwidth", bandwidth, positive=True)
    if not 0.0 < seconds < math.inf or 1.0 / seconds == math.inf:
        raise SimError("bandwidth", bandwidth, "step_time")
    return seconds


def ceiling_tokens_per_second(step_seconds: float, batch: int) -> float:
    """Tokens per second when one reading of the weights serves a whole batch and nothing else binds: batch ÷ step.

    Args:
        step_seconds: one step, seconds
        batch: chats in a step

    Returns:
        Tokens per second.

    Raises:
        SimError: for a step that is no number above 0, and a batch below 1
    """
    return float(whole("batch", batch, 1)) / number("step_seconds", step_seconds, positive=True)


def pace(batch: int, context: int, cost: Cost) -> Pace:
    """One decode step, and what binds it: the longer of reading weights and cache, and of arithmetic.

    Args:
        batch: chats in the step
        context: tokens that each chat has in the cache
        cost: what a step costs

    Returns:
        Times in seconds and a rate in tokens per second.

    Raises:
        SimError: for a batch below 1, a context below 0, and more tokens together than 2^53

    Source:
        The roofline model: Williams, Waterman, Patterson, CACM 2009; as in `steptime`.
    """
    tokens = whole("context", context) * whole("batch", batch, 1)
    if tokens > MOST_WHOLE:
        raise SimError("context", context, "exact", most=MOST_WHOLE)
    read, computed = memory_seconds(tokens, cost), compute_seconds(batch, cost)
    cache = cost.kv_bytes_per_token * float(tokens) / cost.bandwidth_bytes_per_second
    weights = memory_seconds(0, cost)
    step = max(read, computed)
    bound = "compute" if computed > read else "cache" if cache > weights else "memory"
    return Pace(weights, cache, computed, step, float(batch) / step, bound)


def compute_batch(cost: Cost) -> int:
    """The smallest batch whose arithmetic takes at least as long as reading the weights, with nothing in the cache.

    Args:
        cost: what a step costs

    Returns:
        Chats in a step.

    Raises:
        SimError: when a token takes no arithmetic, and for a batch of 2^53 or more
    """
    weights = memory_seconds(0, cost)
    if cost.flops_per_token == 0.0:
        raise SimError("cost.flops_per_token", cost.flops_per_token, "number_above")
    near = _near("batch", weights * cost.peak_flops_per_second / cost.flops_per_token)
    return _first_from(max(1, near - 1), lambda batch: compute_seconds(batch, cost) >= weights)


def overtaking_tokens(cost: Cost) -> int:
    """The smallest number of tokens in the cache, of all chats together, that takes as long to read as the weights.

    Args:
        cost: what a step costs

    Returns:
        Tokens.

    Raises:
        SimError: when a token leaves nothing in the cache, and for 2^53 tokens or more
    """
    each = cost.kv_bytes_per_token
    if each == 0.0:
        raise SimError("cost.kv_bytes_per_token", each, "number_above")
    near = _near("tokens", cost.weights_bytes / each)
    return _first_from(max(0, near - 1), lambda tokens: each * float(tokens) >= cost.weights_bytes)


def _near(setting: str, estimate: float) -> int:
    if not estimate < float(MOST_WHOLE - 4):
        raise SimError(setting, estimate, "exact", most=MOST_WHOLE)
    return math.floor(estimate)


def _first_from(n: int, holds: Callable[[int], bool]) -> int:
    # The estimate is at most a few last bits off, so that this ends after a step or two.
    while not holds(n):
        n += 1
    return n
