"""What the bytes of the card are, worked by hand."""

import pytest

from poolroom import largest_longest, memory_parts, room, smallest_share
from poolroom.facts import BLOCK_BYTES, CARD, MODEL, SERVER

WEIGHTS = 16_060_522_496
RESERVE = 2_000_000_000


def test_the_facts_give_the_lessons_sizes() -> None:
    """Rule: weights = parameters × 2 bytes; cache a token = 2 × 32 × 8 × 128 × 2 bytes; a block is 2 MiB."""
    assert MODEL.weights_bytes == 2 * 8_030_261_248 == WEIGHTS
    assert MODEL.kv_bytes_per_token == 131_072
    assert BLOCK_BYTES == 2 * 2**20
    assert SERVER.reserve_bytes == RESERVE
    assert (CARD.memory_bytes, CARD.memory_bytes_gib) == (80 * 10**9, 80 * 2**30)


def test_the_opening_settings_by_hand() -> None:
    """Rule: 72,000,000,000 − weights − reserve = 53,939,477,504 bytes: 25,720 blocks and 728,064 bytes over."""
    assert memory_parts(90) == {
        "weights": WEIGHTS,
        "reserve": RESERVE,
        "pool": 25_720 * 2**21,
        "unused": 8_000_000_000 + 728_064,
        "allowed": 72_000_000_000,
        "blocks": 25_720,
        "pool_tokens": 411_520,
    }


def test_the_other_reading_of_the_card_by_hand() -> None:
    """Rule: with 80 GiB, 90 % is 77,309,411,328 bytes, and the pool 28,252 blocks."""
    parts = memory_parts(90, CARD.memory_bytes_gib)
    assert parts["allowed"] == 77_309_411_328
    assert parts["blocks"] == (77_309_411_328 - WEIGHTS - RESERVE) // 2**21 == 28_252
    assert parts["unused"] == 80 * 2**30 - WEIGHTS - RESERVE - 28_252 * 2**21


@pytest.mark.parametrize("share", range(1, 101))
@pytest.mark.parametrize("card", [80 * 10**9, 80 * 2**30, WEIGHTS + RESERVE])
def test_the_four_parts_add_up_to_the_card(share: int, card: int) -> None:
    """Rule: weights + reserve + pool + unused = card, at every share, and no part is negative."""
    parts = memory_parts(share, card)
    sizes = [parts["weights"], parts["reserve"], parts["pool"], parts["unused"]]
    assert sum(sizes) == card
    assert min(sizes) >= 0
    assert parts["pool"] == parts["blocks"] * BLOCK_BYTES == parts["pool_tokens"] * MODEL.kv_bytes_per_token


@pytest.mark.parametrize("share", [1, 10, 22])
def test_a_share_below_23_percent_has_no_pool_and_does_not_start(share: int) -> None:
    """Rule: allowed < weights + reserve: pool 0, unused = card − weights − reserve, not started."""
    assert memory_parts(share)["pool"] == memory_parts(share)["blocks"] == 0
    assert memory_parts(share)["unused"] == 80 * 10**9 - WEIGHTS - RESERVE
    assert room(share, 1)["starts"] is False
    assert largest_longest(share) == 0


def test_23_percent_has_the_first_pool() -> None:
    """Rule: 18,400,000,000 − 18,060,522,496 = 339,477,504 bytes: 161 blocks, 2,576 tokens."""
    assert memory_parts(23)["blocks"] == 161
    assert largest_longest(23) == 2_576
    assert room(23, 2_576)["starts"] is True
    assert room(23, 2_577)["starts"] is False


def test_room_of_the_opening_settings_by_hand() -> None:
    """Rule: 25,720 blocks ÷ 125 = 205 typical chats; ÷ 500 = 51 chats of 8,000 tokens."""
    here = room(90, 8_000)
    assert (here["typical"], here["at_longest"]) == (205, 51)
    assert (here["per_typical"], here["per_longest"]) == (125, 500)
    assert here["starts"] is True


def test_setting_aside_the_full_length_makes_room_for_the_longest_only() -> None:
    """Rule: with the full length set aside, typical = at_longest."""
    here = room(90, 8_000, True)
    assert (here["typical"], here["at_longest"]) == (51, 51)


def test_a_longest_chat_below_the_typical_one_is_the_typical_one() -> None:
    """Rule: the typical chat is min(2,000, longest) tokens: 1,000 tokens are 63 blocks."""
    here = room(90, 1_000)
    assert here["per_typical"] == here["per_longest"] == 63
    assert here["typical"] == here["at_longest"] == 25_720 // 63


@pytest.mark.parametrize(
    ("longest", "share"), [(1, 23), (2_576, 23), (2_577, 24), (64_000, 34), (128_000, 44), (411_520, 90), (411_521, 91)]
)
def test_the_smallest_share_is_the_first_that_starts(longest: int, share: int) -> None:
    """Rule: `smallest_share` starts, one percent less does not."""
    assert smallest_share(longest) == share
    assert room(share, longest)["starts"] is True
    assert room(share - 1, longest)["starts"] is False


def test_no_share_is_offered_for_a_chat_larger_than_the_card() -> None:
    """Rule: None where even 100 % does not start."""
    most = largest_longest(100)
    assert smallest_share(most) == 100
    assert smallest_share(most + 1) is None
    assert smallest_share(2**53 - 1) is None


@pytest.mark.parametrize("share", range(23, 101))
def test_the_largest_longest_is_the_last_that_starts(share: int) -> None:
    """Rule: `largest_longest` starts, one token more does not."""
    most = largest_longest(share)
    assert room(share, most)["starts"] is True
    assert room(share, most + 1)["starts"] is False
