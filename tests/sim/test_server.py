"""Runs worked by hand, step by step; every step of ONE_SECOND takes one second."""

from math import inf, nextafter

import pytest

from poolroom import COST, Request, backlog, serve, step_seconds
from tests.sim.tools import ONE_SECOND, chats, watched


def test_three_chats_with_a_pause_and_a_rebuild_by_hand() -> None:
    """Rule: the whole order of work.

    4 blocks. 1: chat 0 takes 1 block for 15 + 1 tokens, chat 1 takes 2 for 16 + 1; chat 2 needs 2, one is free.
    2: chat 0 has filled its block and takes the last. 16: chat 1 has its 16 tokens and leaves. 17: chat 2 joins.
    18: chat 0 needs a third block, none is free: chat 2, the newest, is paused, and nobody joins.
    19: chat 2 needs 2 blocks, one is free. 20: chat 0 leaves. 21: chat 2 is read again: 31 tokens. 23: it leaves.
    """
    run, steps = watched(chats((0, 15, 20), (0, 16, 16), (0, 30, 4)), 8, 4, 48, cost=ONE_SECOND)
    assert run == {
        "seconds": 23.0,
        "steps": 23,
        "served": 3,
        "refused": 0,
        "paused": 1,
        "rebuilt_tokens": 31,
        "tokens_per_second": 40.0 / 23.0,
        "seconds_per_word": (1.0 + 1.0 + 2.0) / 3.0,
        "running": 40.0 / 23.0,
        "pool_used": 84.0 / (23.0 * 4.0),
        "lowest_free": 0,
        "first_token": [1.0, 1.0, 17.0],
        "finished": [20.0, 16.0, 23.0],
    }
    assert [s.free_blocks for s in steps] == [1] + [0] * 16 + [1, 1, 1, 2, 1, 1]


def test_the_steps_of_that_run_are_seen_as_they_were_worked() -> None:
    """Rule: a Step shows who joined, was paused, wrote and finished, after the work and before leaving."""
    _, steps = watched(chats((0, 15, 20), (0, 16, 16), (0, 30, 4)), 8, 4, 48, cost=ONE_SECOND)
    assert (steps[0].joined, steps[0].running, steps[0].waiting) == ((0, 1), (0, 1), (2,))
    assert (steps[0].context_tokens, steps[0].read_tokens, steps[0].held_blocks) == (0, 31, (1, 2))
    assert (steps[1].context_tokens, steps[1].read_tokens, steps[1].held_blocks) == (16 + 17, 0, (2, 2))
    assert (steps[15].finished, steps[15].running) == ((1,), (0, 1))
    assert (steps[16].joined, steps[16].read_tokens, steps[16].context_tokens) == ((2,), 30, 31)
    assert (steps[17].paused, steps[17].joined, steps[17].running, steps[17].waiting) == ((2,), (), (0,), (2,))
    assert (steps[18].paused, steps[18].joined) == ((), ())
    assert (steps[20].joined, steps[20].read_tokens, steps[20].running) == ((2,), 31, (2,))
    assert [s.number for s in steps] == list(range(1, 24))
    assert [s.now for s in steps] == [float(n) for n in range(1, 24)]


def test_the_newest_chat_pauses_itself_by_hand() -> None:
    """Rule: when the chat that lacks a block is the newest, it is the one that pauses.

    3 blocks: chat 0 takes 2, chat 1 takes 1. 2: chat 1 is full and pauses itself; one block is free, it needs 2.
    10: chat 0 leaves. 11: chat 1 is read again (16 tokens). 14: it leaves.
    """
    run, steps = watched(chats((0, 20, 10), (0, 15, 5)), 8, 3, 48, cost=ONE_SECOND)
    assert (run["paused"], run["rebuilt_tokens"], run["steps"]) == (1, 16, 14)
    assert (run["first_token"], run["finished"]) == ([1.0, 1.0], [10.0, 14.0])
    assert run["seconds_per_word"] == (1.0 + 13.0 / 4.0) / 2.0
    assert (steps[1].paused, steps[1].running, steps[1].free_blocks) == ((1,), (0,), 1)
    assert steps[10].joined == (1,)


def test_several_chats_pause_in_one_step_newest_first() -> None:
    """Rule: blocks are freed from the newest until the old ones have theirs; the queue keeps the older in front.

    4 blocks, four chats of 15 + 1 tokens, one each. 2: all are full. Chat 0 takes chat 3's block, chat 1 chat 2's.
    """
    run, steps = watched(chats(*[(0, 15, 8)] * 4), 8, 4, 32, cost=ONE_SECOND)
    assert steps[1].paused == (3, 2)
    assert steps[1].waiting == (2, 3)
    assert steps[1].running == (0, 1)
    assert (steps[8].joined, steps[8].now) == ((2, 3), 9.0)
    assert (run["paused"], run["rebuilt_tokens"], run["seconds"]) == (2, 32, 15.0)


def test_arrivals_and_an_idle_gap_by_hand() -> None:
    """Rule: idle time jumps to the next arrival; a chat that arrives at the very end of a step joins the next one."""
    run, steps = watched(chats((0.5, 10, 2), (0.5, 10, 1), (10.0, 10, 3), (11.0, 10, 1)), 8, 9, 48, cost=ONE_SECOND)
    assert [s.now for s in steps] == [1.5, 2.5, 11.0, 12.0, 13.0]
    assert [s.joined for s in steps] == [(0, 1), (), (2,), (3,), ()]
    assert (run["first_token"], run["finished"]) == ([1.5, 1.5, 11.0, 12.0], [2.5, 1.5, 13.0, 12.0])
    assert (run["tokens_per_second"], run["running"]) == (7.0 / 13.0, 7.0 / 13.0)
    assert (run["pool_used"], run["lowest_free"]) == (7.0 / (13.0 * 9.0), 7)
    assert run["seconds_per_word"] == 1.0


@pytest.mark.parametrize(
    ("arrival", "first"), [(nextafter(11.0, 0.0), 12.0), (11.0, 12.0), (nextafter(11.0, inf), 13.0)]
)
def test_an_arrival_is_compared_to_the_last_bit(arrival: float, first: float) -> None:
    """Rule: arrival <= now, in doubles; one unit later in the last place is one step later."""
    run = serve(chats((10.0, 10, 3), (arrival, 10, 1)), 8, 9, 48, cost=ONE_SECOND)
    assert run["first_token"][1] == first


def test_an_arrival_that_no_double_holds_counts_as_the_nearest() -> None:
    """Rule: instants are doubles; a whole number of seconds beyond 2^53 is rounded once, and the run ends."""
    run = serve(chats((2**53 + 1, 10, 2)), 8, 9, 48)
    assert run["seconds"] == float(2**53)
    assert run == serve(chats((float(2**53), 10, 2)), 8, 9, 48)


def test_a_run_that_starts_late_counts_the_empty_time() -> None:
    """Rule: seconds count from time 0, so rates count the wait for the first chat."""
    run = serve(chats((99.0, 10, 1)), 8, 9, 48, cost=ONE_SECOND)
    assert (run["seconds"], run["steps"], run["tokens_per_second"], run["running"]) == (100.0, 1, 0.01, 0.01)


def test_the_cap_holds_chats_back() -> None:
    """Rule: at most `cap` run; with one seat the chats run one after another."""
    run = serve(chats((0, 10, 3), (0, 10, 2), (0, 10, 1)), 1, 99, 48, cost=ONE_SECOND)
    assert run["finished"] == [3.0, 5.0, 6.0]
    assert (run["running"], run["pool_used"]) == (1.0, 6.0 / (6.0 * 99.0))


def test_the_first_that_does_not_fit_holds_up_the_rest() -> None:
    """Rule: waiting chats join in order; a small chat never overtakes a large one."""
    _, steps = watched(chats((0, 20, 2), (0, 40, 1), (0, 2, 1)), 8, 4, 48, cost=ONE_SECOND)
    assert [s.joined for s in steps] == [(0,), (), (1, 2)]


def test_a_prompt_that_fills_its_blocks_needs_one_more() -> None:
    """Rule: a joining chat takes blocks for its next token: 16 tokens take 2 blocks, 15 take 1."""
    for prompt, blocks in ((15, 1), (16, 2), (17, 2), (31, 2), (32, 3)):
        _, steps = watched(chats((0, prompt, 1)), 8, 9, 48, cost=ONE_SECOND)
        assert steps[0].held_blocks == (blocks,)


def test_the_last_token_takes_no_further_block() -> None:
    """Rule: a chat that ends on a full block leaves before it would take another."""
    run, steps = watched(chats((0, 15, 17)), 8, 2, 32, cost=ONE_SECOND)
    assert run["paused"] == 0
    assert steps[-1].held_blocks == (2,)


def test_setting_aside_takes_the_full_length_at_once() -> None:
    """Rule: with `reserved` a chat holds blocks for `longest` from joining to leaving: two chats in 7 blocks."""
    run, steps = watched(chats(*[(0, 5, 4)] * 3), 8, 7, 48, True, ONE_SECOND)
    assert [s.held_blocks for s in steps] == [(3, 3)] * 4 + [(3,)] * 4
    assert (run["paused"], run["lowest_free"], run["pool_used"]) == (0, 1, 36.0 / (8.0 * 7.0))


def test_replies_of_one_token_have_no_wait_between_words() -> None:
    """Rule: seconds_per_word is the mean over replies of two tokens or more; None where there is none."""
    run = serve(chats((0, 5, 1), (0, 5, 1)), 8, 9, 48, cost=ONE_SECOND)
    assert run["seconds_per_word"] is None
    assert run["first_token"] == run["finished"] == [1.0, 1.0]
    mixed = serve(chats((0, 5, 1), (0, 5, 3)), 8, 9, 48, cost=ONE_SECOND)
    assert mixed["seconds_per_word"] == 1.0


@pytest.mark.parametrize(("requests", "refused"), [([], 0), (chats((0, 40, 9), (3.5, 49, 1)), 2)])
def test_nobody_served(requests: list[Request], refused: int) -> None:
    """Rule: no chat runs: seconds and steps 0, rates None, the pool free, no instants."""
    run, steps = watched(requests, 8, 9, 48)
    assert steps == []
    assert run == {
        "seconds": 0.0,
        "steps": 0,
        "served": 0,
        "refused": refused,
        "paused": 0,
        "rebuilt_tokens": 0,
        "tokens_per_second": None,
        "seconds_per_word": None,
        "running": None,
        "pool_used": None,
        "lowest_free": 9,
        "first_token": [None] * refused,
        "finished": [None] * refused,
    }


def test_a_chat_of_exactly_the_longest_length_is_served() -> None:
    """Rule: turned away is prompt + reply > longest; others are not held up by it."""
    run = serve(chats((0, 40, 8), (0, 40, 9), (0, 2, 2)), 8, 9, 48, cost=ONE_SECOND)
    assert (run["served"], run["refused"]) == (2, 1)
    assert run["first_token"] == [1.0, None, 1.0]
    assert run["finished"] == [8.0, None, 2.0]


def test_a_pool_exactly_as_large_as_one_chat_serves_one_after_another() -> None:
    """Rule: pool_blocks >= blocks_for(longest) is enough for every chat that is let in."""
    run = serve(chats((0, 30, 18), (0, 30, 18)), 8, 3, 48, cost=ONE_SECOND)
    assert run["finished"] == [18.0, 36.0]
    assert (run["paused"], run["lowest_free"]) == (0, 0)


def test_real_seconds_of_a_short_run_by_hand() -> None:
    """Rule: reading 100 tokens is bound by arithmetic? No: 100 × 51 µs < 7.9 ms; then two steps with their contexts."""
    run = serve(chats((0, 100, 3)), 8, 99, 480)
    expected = (3 * 16_060_522_496 + 131_072 * (101 + 102)) / 2_039e9
    assert run["seconds"] == pytest.approx(expected, rel=1e-15)
    assert run["first_token"] == [step_seconds([], 100)]


def test_a_long_prompt_makes_its_first_step_long() -> None:
    """Rule: 5,000 tokens read in one step take 5,000 × FLOP a token ÷ peak, 257 ms; everybody waits for it."""
    run = serve(chats((0, 10, 2), (0, 5_000, 1)), 8, 999, 8_000)
    assert run["first_token"][0] == run["first_token"][1] == pytest.approx(5_010 * 16_060_522_496 / 312e12, rel=1e-15)


def test_the_opening_run_has_the_lessons_numbers() -> None:
    """Rule: 1,712 steps; nobody paused; all 600 served."""
    run = serve(backlog(), 64, 25_720, 8_000)
    assert (run["steps"], run["served"], run["refused"], run["paused"]) == (1_712, 600, 0, 0)
    assert run == serve(backlog(), 64, 25_720, 8_000, False, COST)


def test_the_list_is_left_as_it_was() -> None:
    """Rule: serve changes nothing it was given; a second run gives the same."""
    requests = chats((0, 15, 20), (0, 16, 16), (0, 30, 4))
    copy = list(requests)
    assert serve(requests, 8, 4, 48) == serve(tuple(requests), 8, 4, 48)
    assert requests == copy
