"""How long a step takes, and the clock that adds steps up without losing a bit."""

from collections.abc import Iterable

from .checks import SimError, exact, number
from .facts import COST, Cost


def step_seconds(contexts: Iterable[int], reread: int, cost: Cost = COST) -> float:
    """Seconds of one step: the slower of moving its bytes and doing its arithmetic.

    bytes = weights + cache of the contexts; FLOP = FLOP a token × (chats + reread); seconds = max(bytes ÷ bandwidth,
    FLOP ÷ peak).

    Args:
        contexts: context of each chat that writes a word, tokens
        reread: prompt tokens read for the chats that join
        cost: what a step costs

    Returns:
        Seconds.

    Source:
        The roofline model: Williams, Waterman, Patterson, CACM 2009.
    """
    tokens, context = reread, 0
    for length in contexts:
        tokens += 1
        context += length
    return max(memory_seconds(context, cost), compute_seconds(tokens, cost))


def memory_seconds(context: int, cost: Cost) -> float:
    """Seconds to read the weights and the cache of a context once.

    Args:
        context: context of all chats together, tokens
        cost: what a step costs

    Returns:
        Seconds.
    """
    return (cost.weights_bytes + cost.kv_bytes_per_token * float(context)) / cost.bandwidth_bytes_per_second


def compute_seconds(tokens: int, cost: Cost) -> float:
    """Seconds of arithmetic for this many tokens, read or written.

    Args:
        tokens: tokens that are read or written
        cost: what a step costs

    Returns:
        Seconds.
    """
    return cost.flops_per_token * float(tokens) / cost.peak_flops_per_second


def check_cost(cost: Cost) -> Cost:
    """The record with every field a double.

    Args:
        cost: what a step costs

    Returns:
        A new record, in the same units.

    Raises:
        SimError: for a field that is no finite number in range, or a step that takes no time
    """
    if not isinstance(cost, Cost):
        raise SimError("cost", cost, "cost")
    checked = Cost(
        weights_bytes=number("cost.weights_bytes", cost.weights_bytes, positive=True),
        kv_bytes_per_token=number("cost.kv_bytes_per_token", cost.kv_bytes_per_token),
        flops_per_token=number("cost.flops_per_token", cost.flops_per_token),
        bandwidth_bytes_per_second=number(
            "cost.bandwidth_bytes_per_second", cost.bandwidth_bytes_per_second, positive=True
        ),
        peak_flops_per_second=number("cost.peak_flops_per_second", cost.peak_flops_per_second, positive=True),
    )
    if not 0.0 < memory_seconds(0, checked) < float("inf"):
        raise SimError("cost.weights_bytes", cost.weights_bytes, "step_time")
    return checked


class Clock:
    """Time kept as whole counters, so that adding steps one by one or many at once gives the same bits.

    Seconds are made from counters at one place, `seconds`. The first three counters run from `base`; the weighted
    ones from start to end.

    Args:
        cost: what a step costs

    Attributes:
        cost: what a step costs
        base: instant that the first three count from, seconds from time 0
        steps: memory-bound steps since `base`
        context: context since `base`, tokens that memory-bound steps read
        tokens: tokens since `base` that compute-bound steps read or write
        running_steps: memory-bound steps, each times the chats running
        running_context: context tokens, each step's times the chats running
        running_tokens: compute-bound tokens, each step's times the chats running
        used_steps: memory-bound steps, each times the blocks in use
        used_context: context tokens, each step's times the blocks in use
        used_tokens: compute-bound tokens, each step's times the blocks in use
    """

    def __init__(self, cost: Cost) -> None:
        self.cost = cost
        self.base = 0.0
        self.steps = self.context = self.tokens = 0  # since base
        self.running_steps = self.running_context = self.running_tokens = 0  # each × chats running
        self.used_steps = self.used_context = self.used_tokens = 0  # each × blocks in use

    def seconds(self, steps: int, context: int, tokens: int) -> float:
        """Seconds that these counts stand for.

        (weights × steps + cache a token × context) ÷ bandwidth + FLOP a token × tokens ÷ peak.

        Args:
            steps: memory-bound steps
            context: context tokens that they read
            tokens: tokens of compute-bound steps

        Returns:
            Seconds.
        """
        cost = self.cost
        # Each counter is a double before it is multiplied: some products pass 2^53, and JavaScript rounds them.
        read = cost.weights_bytes * float(steps) + cost.kv_bytes_per_token * float(context)
        computed = cost.flops_per_token * float(tokens)
        return read / cost.bandwidth_bytes_per_second + computed / cost.peak_flops_per_second

    def now(self) -> float:
        """The present instant.

        Returns:
            Seconds from time 0.

        Raises:
            SimError: when time passes the largest double, or a counter 2^53
        """
        exact("requests", self.context)
        exact("requests", self.tokens)
        now = self.base + self.seconds(self.steps, self.context, self.tokens)
        if now == float("inf"):
            raise SimError("cost", self.cost, "finite_time")
        return now

    def jump(self, instant: float) -> None:
        """Nothing to do until an instant: start counting from there.

        Args:
            instant: where to go, seconds from time 0
        """
        self.base = instant
        self.steps = self.context = self.tokens = 0

    def count(self, context: int, tokens: int, running: int, used: int) -> None:
        """Count one step.

        Args:
            context: tokens of cache that it reads
            tokens: tokens that it computes
            running: chats running
            used: blocks in use
        """
        if memory_seconds(context, self.cost) >= compute_seconds(tokens, self.cost):
            self.steps += 1
            self.context += context
            self.running_steps += running
            self.running_context += running * context
            self.used_steps += used
            self.used_context += used * context
        else:
            self.tokens += tokens
            self.running_tokens += running * tokens
            self.used_tokens += used * tokens

    def running_seconds(self) -> float:
        """Chats running × seconds, summed over the run.

        Returns:
            Chats × seconds.
        """
        return self.seconds(self.running_steps, self.running_context, self.running_tokens)

    def used_seconds(self) -> float:
        """Blocks in use × seconds, summed over the run.

        Returns:
            Blocks × seconds.
        """
        return self.seconds(self.used_steps, self.used_context, self.used_tokens)
