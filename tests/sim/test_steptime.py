"""How long a step takes, and a clock that counts."""

import math
from fractions import Fraction

import pytest

from poolroom import COST, Clock, Cost, SimError, step_seconds
from poolroom.steptime import compute_seconds, memory_seconds
from tests.sim.tools import ONE_SECOND

WEIGHTS, KV, FLOPS = 16_060_522_496, 131_072, 16_060_522_496
BANDWIDTH, PEAK = 2_039 * 10**9, 312 * 10**12


def near(value: float, exact: Fraction) -> bool:
    """Whether a double is within two units in the last place of an exact number."""
    return abs(Fraction(value) - exact) <= 2 * Fraction(math.ulp(value))


def test_one_chat_writing_is_bound_by_memory() -> None:
    """Rule: bytes ÷ bandwidth: weights and 1,000 tokens of cache, 7.94 ms."""
    exact = Fraction(WEIGHTS + 1_000 * KV, BANDWIDTH)
    assert near(step_seconds([1_000], 0), exact)
    assert 0.00794 < step_seconds([1_000], 0) < 0.00795


def test_contexts_add_up() -> None:
    """Rule: the cache of every writing chat is read once: Σ contexts."""
    assert step_seconds([1_000, 500, 250], 0) == step_seconds([1_750], 0)
    assert near(step_seconds([1_000, 500, 250], 0), Fraction(WEIGHTS + 1_750 * KV, BANDWIDTH))


def test_reading_a_prompt_is_bound_by_arithmetic() -> None:
    """Rule: FLOP ÷ peak: 2 × parameters × (2 writing + 300 read), 15.5 ms, is longer than moving the bytes."""
    assert near(step_seconds([1_000, 500], 300), Fraction(FLOPS * 302, PEAK))
    assert step_seconds([1_000, 500], 300) > step_seconds([1_000, 500], 0)


def test_a_step_takes_the_longer_of_the_two() -> None:
    """Rule: at 153 tokens without cache moving bytes is still longer; at 154 arithmetic is."""
    assert step_seconds([0] * 153, 0) == memory_seconds(0, COST)
    assert step_seconds([0] * 154, 0) == compute_seconds(154, COST) > memory_seconds(0, COST)


def test_an_empty_step_still_reads_the_weights() -> None:
    """Rule: weights are read once in every step."""
    assert step_seconds([], 0) == float(WEIGHTS) / float(BANDWIDTH)


def test_any_iterable_of_contexts_is_read_once() -> None:
    """Rule: `contexts` may be a generator."""
    assert step_seconds(iter([7, 9]), 3) == step_seconds([7, 9], 3)


def test_a_tie_counts_as_memory_bound() -> None:
    """Rule: memory-bound if bytes ÷ bandwidth >= FLOP ÷ peak, so an equal step moves the step counter."""
    tie = Clock(Cost(4.0, 1.0, 1.0, 1.0, 1.0))
    tie.count(context=2, tokens=6, running=6, used=3)
    assert (tie.steps, tie.context, tie.tokens) == (1, 2, 0)
    tie.count(context=2, tokens=7, running=7, used=3)
    assert (tie.steps, tie.context, tie.tokens) == (1, 2, 7)


def test_the_clock_makes_seconds_from_counters_at_one_place() -> None:
    """Rule: (weights·m + kv·c) ÷ bandwidth + flops·t ÷ peak; counting k equal steps is k times the counter."""
    clock = Clock(COST)
    for _ in range(1_000):
        clock.count(context=5_000, tokens=3, running=3, used=400)
    assert clock.now() == clock.seconds(1_000, 5_000_000, 0)
    assert clock.running_seconds() == clock.seconds(3_000, 15_000_000, 0)
    assert clock.used_seconds() == clock.seconds(400_000, 2_000_000_000, 0)


def test_weighted_counters_do_not_restart_after_an_idle_gap() -> None:
    """Rule: a jump restarts the three counters since base, and no weighted one."""
    clock = Clock(ONE_SECOND)
    clock.count(0, 1, 2, 5)
    clock.jump(10.25)
    assert clock.now() == 10.25
    clock.count(0, 1, 3, 7)
    assert clock.now() == 11.25
    assert (clock.running_seconds(), clock.used_seconds()) == (5.0, 12.0)


def test_products_beyond_2_to_53_are_rounded_before_they_are_added() -> None:
    """Rule: every counter is a double before it is multiplied, as JavaScript has it."""
    clock = Clock(COST)
    steps, context, tokens = 999_999_999, 123_456_789_012_345, 987_654_321
    read = float(WEIGHTS) * float(steps) + float(KV) * float(context)
    expected = read / float(BANDWIDTH) + float(FLOPS) * float(tokens) / float(PEAK)
    assert clock.seconds(steps, context, tokens) == expected


@pytest.mark.parametrize("more", [(1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1)])
def test_seconds_never_shrink_when_a_counter_grows(more: tuple[int, int, int]) -> None:
    """Rule: monotone in each counter; that is why quiet steps may be skipped by bisection."""
    clock, counters, before = Clock(COST), (0, 0, 0), 0.0
    for _ in range(2_000):
        counters = tuple(a + b * 7_919 for a, b in zip(counters, more, strict=True))
        seconds = clock.seconds(*counters)
        assert seconds >= before
        before = seconds


def test_time_beyond_the_largest_double_is_refused() -> None:
    """Rule: a run ends at a finite time, or an error says that it does not."""
    clock = Clock(Cost(1e300, 0.0, 0.0, 1.0, 1.0))
    clock.steps = 10**9
    with pytest.raises(SimError, match="finite time"):
        clock.now()
