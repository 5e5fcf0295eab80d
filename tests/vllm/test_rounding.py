"""Numbers by hand against Python's own."""

import random

import pytest

from poolroom.vllm.refuse import PlanError
from poolroom.vllm.rounding import bytes_of_gib, commas, fixed, float_text, gib_text, rounded
from tests.parity.inputs_vllm.rounding import TIES, some_double

GIB = 2**30


def test_round_and_percent_equal_pythons() -> None:
    """Rule: for 100,000 doubles of every size, ties included, both functions write what Python writes."""
    rng = random.Random(7)
    doubles = [sign * tie for tie in TIES for sign in (1, -1)] + [0.0, -0.0, 0.004999, -0.001, 1e300]
    doubles += [some_double(rng) for _ in range(100_000)]
    for number in map(float, doubles):
        places = rng.choice([0, 1, 3, 5, 6])
        for digits in (2, 4, places):
            assert fixed(number, digits) == f"{number:.{digits}f}", (number, digits)
            assert rounded(number, digits) == str(round(number, digits)), (number, digits)
        assert float_text(number) == repr(number)


@pytest.mark.parametrize(
    ("number", "places", "shown", "padded"),
    [
        (51.4, 2, "51.4", "51.40"),
        (51, 2, "51.0", "51.00"),
        (0.125, 2, "0.12", "0.12"),
        (0.375, 2, "0.38", "0.38"),
        (2.675, 2, "2.67", "2.67"),  # stored as 2.67499999…
        (-0.004, 2, "-0.0", "-0.00"),
        (1e-9, 2, "0.0", "0.00"),
        (1e15, 2, "1000000000000000.0", "1000000000000000.00"),
        (1e16, 2, "1e+16", "10000000000000000.00"),
    ],
)
def test_known_numbers(number: float, places: int, shown: str, padded: str) -> None:
    """Rule: round(x, 2) has no zeros behind and breaks ties to even on the stored number; %.2f has two places."""
    assert rounded(number, places) == shown
    assert fixed(number, places) == padded


def test_gib_as_versions_print_it() -> None:
    """Rule: vLLM 0.14 and later print round(bytes ÷ 2^30, 2), 0.13 and before %.2f."""
    assert gib_text(51.4 * GIB, "round") == "51.4"
    assert gib_text(51.4 * GIB, "fixed") == "51.40"
    assert gib_text(-1.5 * GIB, "round") == "-1.5"


def test_sizes_and_thousands() -> None:
    """Rule: GiB become whole bytes, rounded down; thousands are set apart as f"{n:,}" does."""
    assert bytes_of_gib(79.18) == int(79.18 * GIB)
    rng = random.Random(3)
    for _ in range(1_000):
        number = rng.randint(-(10 ** rng.randint(1, 15)), 10 ** rng.randint(1, 15))
        assert commas(number) == f"{number:,}"


@pytest.mark.parametrize("value", [float("nan"), float("inf"), None, True, "1", [], 10**400])
def test_what_is_no_number_is_refused(value: object) -> None:
    """Rule: only finite numbers are written."""
    for function in (rounded, fixed):
        with pytest.raises(PlanError):
            function(value, 2)
    with pytest.raises(PlanError):
        rounded(1.5, value)
