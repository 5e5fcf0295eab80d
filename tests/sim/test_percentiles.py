"""Nearest rank, interpolation and the mean, against hand-worked places, exact fractions and Python's own."""

import math
import statistics
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from poolroom import SimError
from poolroom.percentiles import enough, interpolated, mean, nearest_rank, rank

times = st.lists(st.floats(0, 1e6), min_size=1, max_size=60)
percents = st.integers(1, 100_000).map(lambda parts: parts / 1000)
NOT_PERCENTS = [math.nan, math.inf, -1, 0, True, "50", None, [50], 100.001, 101, 1e300, 0.0001, 99.99999]


def place(n: int, p: str) -> int:
    """The place of a percentile that is written in decimals, in exact fractions."""
    return math.ceil(Fraction(p) * n / 100)


def as_the_lesson_writes_it(values: list[float], p: float) -> float:
    """The lesson's `pct`."""
    return sorted(values)[max(1, math.ceil(p / 100 * len(values))) - 1]


@pytest.mark.parametrize(("p", "found"), [(5, 15), (30, 20), (40, 20), (50, 35), (100, 50)])
def test_a_textbook_example(p: float, found: int) -> None:
    """Rule: of 15, 20, 35, 40, 50 the 30th percentile is the 2nd value (1.5 rounded up), the 40th too (2 exactly)."""
    assert nearest_rank([35, 15, 50, 20, 40], p) == found


def test_whole_percentiles_are_exact() -> None:
    """Rule: at every whole p the place is p·n ÷ 100 rounded up, in fractions."""
    for n in [*range(1, 31), 100, 200, 1000]:
        for p in range(1, 101):
            assert nearest_rank(list(range(1, n + 1)), p) == place(n, str(p)), (n, p)


@pytest.mark.parametrize(
    ("p", "n"),
    [("99.9", 1000), ("99.9", 10_000), ("2.2", 1500), ("4.4", 750), ("0.1", 1000), ("1.1", 3000), ("99.999", 9999)],
)
def test_percentiles_with_decimals_are_exact(p: str, n: int) -> None:
    """Rule: so it is with decimals, also where p * n / 100 in floats is too high (2.2 of 1500 is the 33rd value)."""
    assert nearest_rank(list(range(1, n + 1)), float(p)) == place(n, p)


@pytest.mark.parametrize(
    ("p", "least"), [(1, 2), (50, 2), (90, 10), (95, 20), (99, 100), (99.9, 1000), (99.999, 100_000)]
)
def test_how_many_values_a_percentile_needs(p: float, least: int) -> None:
    """Rule: of fewer than 100 values p99 is the largest, of 100 it is the 99th; and so on; p100 always is."""
    assert enough(p) == least
    assert rank(least, p) == least - 1 and rank(least - 1, p) == least - 1
    assert enough(100) is None


def test_it_is_the_lessons_where_the_lesson_uses_it() -> None:
    """Rule: the lesson prints p50, p95 and p99, and there its formula is right."""
    for n in [*range(1, 130), 1000, 4999]:
        values = list(range(n, 0, -1))
        for p in (50, 90, 95, 99):
            assert nearest_rank(values, p) == as_the_lesson_writes_it(values, p)


def test_where_the_lessons_formula_is_one_too_high() -> None:
    """Rule: the docstring's example: the 7th percentile of 1 to 100 is 7, and floats make it 8."""
    values = list(range(1, 101))
    assert nearest_rank(values, 7) == 7
    assert as_the_lesson_writes_it(values, 7) == 8


@settings(deadline=None)
@given(times, percents)
def test_it_is_a_value_that_p_percent_do_not_exceed(values: list[float], p: float) -> None:
    """Rule: the definition: a measured value; at least p percent are at most it, of those below it fewer than p."""
    found = nearest_rank(values, p)
    wanted = Fraction(round(p * 1000), 100_000)
    assert found in values
    assert Fraction(sum(value <= found for value in values), len(values)) >= wanted
    assert Fraction(sum(value < found for value in values), len(values)) < wanted


@settings(deadline=None)
@given(st.lists(st.integers(0, 1000), min_size=2, max_size=60))
def test_interpolation_is_the_inclusive_method(values: list[int]) -> None:
    """Rule: `statistics.quantiles(method="inclusive")` is the same definition, at each whole percent."""
    wanted = statistics.quantiles([Fraction(value) for value in values], n=100, method="inclusive")
    for p in range(1, 100):
        assert interpolated(values, p) == pytest.approx(float(wanted[p - 1]), rel=1e-14, abs=1e-12)


@settings(deadline=None)
@given(times, percents)
def test_interpolation_stays_between_its_neighbours(values: list[float], p: float) -> None:
    """Rule: rounding never leads out of the two values between which the point lies, nor out of the order."""
    way = Fraction(round(p * 1000), 100_000) * (len(values) - 1)
    ordered = sorted(values)
    assert ordered[math.floor(way)] <= interpolated(values, p) <= ordered[math.ceil(way)]


def test_interpolation_by_hand() -> None:
    """Rule: of 1, 2 and 10 the median is 2; the 95th lies 0.9 of the way from 2 to 10; the 100th is the last."""
    assert [interpolated([10, 1, 2], p) for p in (50, 95, 100)] == [2, 9.2, 10]
    assert interpolated([3], 50) == 3


def test_the_mean_adds_in_the_order_given() -> None:
    """Rule: plain additions from left to right, one after the other: not the compensated sum of newer Pythons."""
    assert mean([0.1] * 10) == 0.9999999999999999 / 10
    assert mean([1, 2, 6]) == 3
    assert mean([1e16, 1.0, 1.0]) == 1e16 / 3 != mean([1.0, 1.0, 1e16])


@pytest.mark.parametrize("ask", [lambda v: nearest_rank(v, 50), lambda v: interpolated(v, 50), mean])
@pytest.mark.parametrize("values", [[], None, 7, "12", {"a": 1}, True, (1, 2)])
def test_lists_that_are_none(ask: Any, values: Any) -> None:
    """Rule: an empty list has no percentile and no mean."""
    with pytest.raises(SimError) as refusal:
        ask(values)
    assert (refusal.value.setting, refusal.value.allowed) == ("values", "numbers")


@pytest.mark.parametrize("ask", [lambda v: nearest_rank(v, 50), lambda v: interpolated(v, 50), mean])
@pytest.mark.parametrize("value", [math.nan, math.inf, -1, True, "1", None, [1], 2**1024])
def test_values_that_are_no_times(ask: Any, value: Any) -> None:
    """Rule: one bad value is named; NaN would sort anywhere."""
    with pytest.raises(SimError) as refusal:
        ask([1, value, 2])
    assert (refusal.value.setting, refusal.value.allowed) == ("values", "number_from")


@pytest.mark.parametrize("ask", [nearest_rank, interpolated])
@pytest.mark.parametrize("p", NOT_PERCENTS)
def test_percentiles_that_are_none(ask: Any, p: Any) -> None:
    """Rule: above 0, to 100, in thousandths."""
    with pytest.raises(SimError) as refusal:
        ask([1, 2], p)
    assert refusal.value.setting == "p" and refusal.value.allowed in {"number_above", "percentile"}


def test_a_sum_that_no_double_holds() -> None:
    """Rule: a mean of values whose sum is not finite is refused."""
    with pytest.raises(SimError):
        mean([8e307, 8e307])
