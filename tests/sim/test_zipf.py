"""Popularity by Zipf's law: against powers as Python computes them, and against what is drawn."""

from collections import Counter
from itertools import pairwise
from typing import Any

import pytest

from poolroom import SimError
from poolroom.draws import MOST_CHOICES, Draws
from poolroom.zipf import MOST_PROMPTS, drawn, fifth_roots, popularity

EXPONENTS = [fifths / 5 for fifths in range(11)]


def test_fifth_roots_are_roots() -> None:
    """Rule: Newton's steps end within a few last bits of the root; 1, 32, 243, 1024 and 3125 have whole ones."""
    roots = fifth_roots(MOST_PROMPTS)
    assert all(abs(root / k**0.2 - 1) < 1e-15 for k, root in enumerate(roots, 1))
    assert [roots[k**5 - 1] for k in range(1, 6)] == pytest.approx([1, 2, 3, 4, 5], rel=1e-15)
    assert roots[0] == 1.0


@pytest.mark.parametrize("exponent", EXPONENTS)
def test_sums_are_those_of_powers(exponent: float) -> None:
    """Rule: each prompt adds 1 ÷ k^exponent: made again with Python's power."""
    sums = popularity(1000, exponent)
    total = 0.0
    for k, found in enumerate(sums, 1):
        total += 1 / k**exponent
        assert found == pytest.approx(total, rel=1e-13)


def test_by_hand() -> None:
    """Rule: exponent 0 counts prompts, exponent 1 sums 1 + 1/2 + 1/3 + 1/4, exponent 2 squares."""
    assert popularity(4, 0) == [1, 2, 3, 4]
    assert popularity(4, 1) == pytest.approx([1, 3 / 2, 11 / 6, 25 / 12], rel=1e-15)
    assert popularity(3, 2) == pytest.approx([1, 5 / 4, 49 / 36], rel=1e-15)


def test_a_draw_falls_where_its_share_lies() -> None:
    """Rule: of sums 1, 2, 4 the first quarter of the draws is prompt 1, the second prompt 2, the last half prompt 3."""
    quarter = MOST_CHOICES // 4
    edges = [0, quarter - 1, quarter, 2 * quarter - 1, 2 * quarter, MOST_CHOICES - 1]
    assert [drawn([1, 2, 4], draw) for draw in edges] == [1, 1, 2, 2, 3, 3]
    assert drawn([1], 0) == drawn([1], MOST_CHOICES - 1) == 1


@pytest.mark.parametrize("exponent", EXPONENTS)
def test_draws_never_go_back(exponent: float) -> None:
    """Rule: a larger draw is never an earlier prompt; the largest is the last one, or no draw tells it apart."""
    sums = popularity(300, exponent)
    found = [drawn(sums, draw) for draw in range(0, MOST_CHOICES, 997)]
    assert all(a <= b for a, b in pairwise(found))
    assert found[0] == 1 and drawn(sums, MOST_CHOICES - 1) == 300


@pytest.mark.parametrize("exponent", [0, 0.6, 0.8, 1, 1.2])
def test_frequencies_are_as_expected(exponent: float) -> None:
    """Rule: of 20,000 draws each of 20 prompts gets its share, within four standard deviations."""
    sums, draws, n = popularity(20, exponent), Draws(7 * 104_729), 20_000
    counts = Counter(drawn(sums, draws.below(MOST_CHOICES)) for _ in range(n))
    for k in range(1, 21):
        share = k**-exponent / sums[-1]
        assert abs(counts[k] - n * share) < 4 * (n * share * (1 - share)) ** 0.5


@pytest.mark.parametrize("exponent", [-0.2, 0.1, 2.2, 1e300, True, None, "1", [1], float("nan"), float("inf")])
def test_exponents_that_are_none(exponent: Any) -> None:
    """Rule: fifths from 0 to 2."""
    with pytest.raises(SimError) as refusal:
        popularity(9, exponent)
    assert refusal.value.setting == "exponent"


@pytest.mark.parametrize("prompts", [0, -1, 4097, 1.5, True, None, "9", float("nan")])
def test_prompts_that_are_none(prompts: Any) -> None:
    """Rule: a whole number from 1 to 4,096."""
    with pytest.raises(SimError) as refusal:
        popularity(prompts, 1)
    assert refusal.value.setting == "prompts"
