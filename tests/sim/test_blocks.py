"""How tokens become blocks."""

import pytest

from poolroom import blocks_for


@pytest.mark.parametrize(
    ("tokens", "blocks"),
    [
        (0, 0),
        (1, 1),
        (15, 1),
        (16, 1),
        (17, 2),
        (31, 2),
        (32, 2),
        (33, 3),
        (2_000, 125),
        (8_000, 500),
        (128_000, 8_000),
    ],
)
def test_a_started_block_counts_whole(tokens: int, blocks: int) -> None:
    """Rule: blocks = tokens ÷ 16, rounded up; a full block needs no second one."""
    assert blocks_for(tokens) == blocks


def test_the_largest_exact_number_of_tokens_is_counted_exactly() -> None:
    """Rule: whole numbers only, so nothing is lost near 2^53 (a double would round)."""
    assert blocks_for(2**53 - 1) == 2**49
    assert blocks_for(2**53 - 17) == 2**49 - 1
