"""Batches by a window: worked by hand, held to the step model and to `serve`, and on made-up lists."""

import math
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from poolroom import COST, Cost, Request, SimError, serve
from poolroom.batching import Batched, batch_window, continuous, most_batched, without_token
from poolroom.steptime import step_seconds
from tests.sim.tools import BROWSER, ONE_SECOND, chats, watched

COMPUTING = Cost(1.0, 0.5, 0.75, 3.0, 1.0)
"""Compute-bound until contexts grow."""
COSTS = [COST, ONE_SECOND, COMPUTING, Cost(16e9, 131_072.0, 16e9, 2e12, 1e13)]


def spans(run: Batched) -> list[tuple[int, float, float, float]]:
    """Size, opening, start and end of each batch."""
    return [(each["size"], each["opened"], each["started"], each["finished"]) for each in run["batches"]]


@pytest.mark.parametrize(
    ("rows", "window", "most", "expected"),
    [
        # Nobody else comes, but the batcher cannot know: it waits its 2 s, then takes 3 steps of 1 s.
        pytest.param([(5, 9, 3)], 2, 4, [(1, 5, 7, 10)], id="alone"),
        # All three wait at 4 s when the first is done, yet at `remaining <= 0` the loop never looks for a second.
        pytest.param([(0, 9, 4), (1, 9, 1), (2, 9, 2), (3, 9, 1)], 0, 8,
                     [(1, 0, 0, 4), (1, 4, 4, 5), (1, 5, 5, 7), (1, 7, 7, 8)], id="window 0, full queue"),
        # The batch opens at 1 s and closes at 101 s with all in it.
        pytest.param([(1, 9, 1), (2, 9, 2), (50, 9, 3)], 100, 8, [(3, 1, 101, 104)], id="window beyond all"),
        # Full with its first member, so that no window is ever waited for.
        pytest.param([(0, 9, 2), (1, 9, 2), (9, 9, 1)], 100, 1, [(1, 0, 0, 2), (1, 2, 2, 4), (1, 9, 9, 10)], id="one"),
        # The deadline is 0 + 2: the one at 2 s finds the batch gone, opens the next when the first is done at 3 s,
        # and waits to 5 s.
        pytest.param([(0, 9, 1), (2, 9, 1)], 2, 8, [(1, 0, 2, 3), (1, 3, 5, 6)], id="tie at the deadline"),
        # The same with a member between: at its arrival `remaining` is 1 s, then the wait for the third runs out.
        pytest.param([(0, 9, 1), (1, 9, 1), (2, 9, 1)], 2, 8, [(2, 0, 2, 3), (1, 3, 5, 6)], id="tie after a member"),
        pytest.param([(0, 9, 1), (math.nextafter(2, 0), 9, 1)], 2, 8, [(2, 0, 2, 3)], id="just before the deadline"),
        # Full at 1 s: the batch starts with the arrival that fills it. The fourth waits for it, and for its own window.
        pytest.param([(0, 9, 1), (0.5, 9, 1), (1, 9, 1), (1, 9, 1)], 5, 3, [(3, 0, 1, 2), (1, 2, 7, 8)], id="full"),
        # What queued while the first batch ran is taken at once when it ends, and the window begins then: at 12 s.
        # The one that comes at 2 s misses the first batch by a tie; the batch is not full, so all three wait to 14 s.
        pytest.param([(0, 9, 10), (2, 9, 1), (3, 9, 1), (12, 9, 1)], 2, 8, [(1, 0, 2, 12), (3, 12, 14, 15)],
                     id="a queue that filled meanwhile"),
        # Whoever comes at the very end of a batch is there when the next opens.
        pytest.param([(0, 9, 2), (2, 9, 1)], 100, 1, [(1, 0, 0, 2), (1, 2, 2, 3)], id="arrival at the end of a batch"),
        pytest.param([], 1, 4, [], id="nobody"),
    ],
)  # fmt: skip
def test_by_hand(rows: list[Any], window: float, most: int, expected: list[Any]) -> None:
    """Rule: which requests share a batch, and when it opens, starts and ends, with steps of one second."""
    assert spans(batch_window(chats(*rows), window, most, ONE_SECOND)) == expected


def test_one_long_reply_among_short_ones() -> None:
    """Rule: all wait for the longest reply and are padded to the longest prompt; what is useful counts for the rate."""
    run = batch_window(chats((0, 10, 2), (0, 30, 100), (0, 20, 3), (1, 30, 1)), 0.5, 3, ONE_SECOND)
    # First batch: 3 × 30 prompt tokens are read for 60, and 3 × 100 are written for 105. The last one is alone.
    assert run["latencies"] == [100, 100, 100, 100.5] and run["waits"] == [0, 0, 0, 99.5]
    assert run["first_token"] == [1, 1, 1, 101.5] and run["written"] == [2, 100, 3, 101.5]
    assert (run["pad_tokens"], run["held_tokens"]) == (30, 195)
    assert (run["pad_share"], run["held_share"]) == (30 / 120, 195 / 301)
    assert run["tokens_per_second"] == 106 / 101.5 and run["mean_batch"] == 2
    assert (run["seconds"], run["busy_seconds"]) == (101.5, 101)


def test_nobody() -> None:
    """Rule: an empty list takes no time, and has no means."""
    run = batch_window([], 1, 4)
    assert run["seconds"] == run["busy_seconds"] == run["pad_tokens"] == run["held_tokens"] == 0
    assert run["mean_batch"] is run["tokens_per_second"] is run["pad_share"] is run["held_share"] is None
    assert most_batched([], 1, 4) is None and continuous([], 4)["served"] == without_token([], []) == 0


@pytest.mark.parametrize("cost", COSTS)
def test_a_batch_takes_its_steps(cost: Cost) -> None:
    """Rule: one step reads all padded prompts, and the longest reply − 1 steps follow with contexts that grow by 1."""
    for prompt, reply, size in ((300, 40, 5), (1, 1, 3), (7, 90, 4), (2000, 3, 8)):
        ends = [step_seconds([], prompt * size, cost)]
        for written in range(1, reply):
            ends.append(ends[-1] + step_seconds([prompt + written] * size, 0, cost))
        own = [1, reply // 2 + 1, reply, *[1] * (size - 3)]
        run = batch_window(chats((0, prompt, own[0]), *[(0, 1, each) for each in own[1:]]), 1, size, cost)
        assert run["written"] == pytest.approx([ends[each - 1] for each in own], rel=1e-12)
        assert run["first_token"] == pytest.approx([ends[0]] * size, rel=1e-12)
        assert run["latencies"] == [run["seconds"]] * size
        assert run["seconds"] == pytest.approx(ends[-1], rel=1e-12)
        assert run["busy_seconds"] == pytest.approx(ends[-1], rel=1e-12)


def test_both_kinds_of_steps_are_met() -> None:
    """Rule: the cost above is compute-bound at first and memory-bound later, or the test above says little."""
    kinds = [(1 + 0.5 * 3 * context) / 3 < 0.75 * 3 for context in (1, 3, 4, 40)]
    assert kinds == [True, True, False, False]
    one = batch_window(chats((0, 1, 40)), 0, 1, COMPUTING)
    assert one["seconds"] == serve(chats((0, 1, 40)), 1, 9, 41, False, COMPUTING)["seconds"]


@pytest.mark.parametrize("last", range(-1, 22))
def test_the_step_in_which_memory_takes_over(last: int) -> None:
    """Rule: steps are compute-bound up to any of twenty, or none or all: the same bits as `serve`, which walks each."""
    cost = Cost(1.0, 1 / 64, (1 + 3 * (5.5 + last) / 64) / 3, 1.0, 1.0)
    computing = [1 + 3 * (5 + k) / 64 < 3 * cost.flops_per_token for k in range(1, 20)]
    assert sum(computing) == min(max(last, 0), 19)
    requests = chats(*[(0, 5, 20)] * 3)
    assert batch_window(requests, 1, 3, cost)["written"] == continuous(requests, 3, cost)["finished"]


LISTS = st.lists(
    st.tuples(
        st.one_of(st.just(0.0), st.sampled_from([0.25, 0.5, 1.0, 2.0, 8.0]), st.floats(0, 3)),
        st.integers(1, 90),
        st.integers(1, 30),
    ),
    max_size=14,
)
WINDOWS = st.one_of(st.sampled_from([0.0, 1e-300, 0.01, 0.5, 1.0, 2.0, 1e6]), st.floats(0.001, 5))


def listed(rows: list[tuple[float, int, int]]) -> list[Request]:
    """Requests from (gap, prompt, reply)."""
    now, requests = 0.0, []
    for gap, prompt, reply in rows:
        now += gap
        requests.append(Request(now, prompt, reply))
    return requests


def every_list(test: Any) -> Any:
    """Run a test on 150 made-up lists, in a browser on 40."""
    made_up = settings(max_examples=40 if BROWSER else 150, deadline=None, suppress_health_check=list(HealthCheck))
    return made_up(given(LISTS.map(listed), WINDOWS, st.integers(1, 9), st.sampled_from(COSTS))(test))


@every_list
def test_nobody_is_lost_and_nobody_overtakes(requests: list[Request], window: float, most: int, cost: Cost) -> None:
    """Rule: batches take the list in its order, each request once, up to max_batch at a time."""
    run = batch_window(requests, window, most, cost)
    assert [i for each in run["batches"] for i in range(each["first"], each["first"] + each["size"])] == list(
        range(len(requests))
    )
    free = 0.0
    for each in run["batches"]:
        assert 1 <= each["size"] <= most and free <= each["opened"] <= each["started"] < each["finished"]
        assert each["opened"] == max(free, requests[each["first"]].arrival)
        assert each["started"] <= each["opened"] + window
        free = each["finished"]
    assert run["seconds"] == free
    assert all(len(run[key]) == len(requests) for key in ("latencies", "waits", "first_token", "written"))  # type: ignore[literal-required]


@every_list
def test_a_batch_starts_when_it_is_full_or_at_its_deadline(
    requests: list[Request], window: float, most: int, cost: Cost
) -> None:
    """Rule: who could still join does; a batch with seats left has waited to its deadline, and no longer."""
    for each in batch_window(requests, window, most, cost)["batches"]:
        end = each["first"] + each["size"]
        deadline = each["opened"] + window
        members = requests[each["first"] : end]
        assert all(request.arrival < deadline for request in members[1:])
        if each["size"] < most:
            assert each["started"] == deadline
            assert end == len(requests) or deadline == each["opened"] or requests[end].arrival >= deadline
        elif most > 1:
            assert each["started"] == max(each["opened"], members[-1].arrival)


@every_list
def test_nobody_is_faster_than_alone(requests: list[Request], window: float, most: int, cost: Cost) -> None:
    """Rule: latency ≥ the time of the request by itself; it waits, its own reply is whole, then the batch's longest."""
    run = batch_window(requests, window, most, cost)
    for i, request in enumerate(requests):
        alone = batch_window([Request(0.0, request.prompt, request.reply)], 0, 1, cost)["seconds"]
        assert run["latencies"][i] >= alone * (1 - 1e-9)
        end = request.arrival + run["latencies"][i]
        assert 0 <= run["waits"][i] <= run["latencies"][i]
        assert request.arrival < run["first_token"][i] <= run["written"][i] <= end * (1 + 1e-9)
        assert (run["first_token"][i] == run["written"][i]) == (request.reply == 1)


@every_list
def test_waste_is_what_the_batches_say(requests: list[Request], window: float, most: int, cost: Cost) -> None:
    """Rule: padding and held tokens are ≥ 0, each the batch's longest less the member's own; none for equal lengths."""
    run = batch_window(requests, window, most, cost)
    pad = held = 0
    for each in run["batches"]:
        for request in requests[each["first"] : each["first"] + each["size"]]:
            pad += each["prompt"] - request.prompt
            held += each["reply"] - request.reply
    assert (run["pad_tokens"], run["held_tokens"]) == (pad, held) and min(pad, held) >= 0
    equal = batch_window([Request(each.arrival, 7, 5) for each in requests], window, most, cost)
    assert equal["pad_tokens"] == equal["held_tokens"] == 0
    if requests:
        assert equal["pad_share"] == equal["held_share"] == 0
        assert 0 <= run["held_share"] < 1 and 0 <= run["pad_share"] < 1
        assert run["busy_seconds"] <= run["seconds"] * (1 + 1e-9)


@every_list
def test_one_at_a_time_is_what_serve_does(requests: list[Request], window: float, most: int, cost: Cost) -> None:
    """Rule: with max_batch 1 the window never matters, and every instant has the bits of `serve` with one seat."""
    run, other = batch_window(requests, window, 1, cost), continuous(requests, 1, cost)
    assert run["written"] == other["finished"] and run["first_token"] == other["first_token"]
    assert run["seconds"] == other["seconds"] and run["tokens_per_second"] == (other["tokens_per_second"])


@every_list
def test_equal_lengths_all_at_once(requests: list[Request], window: float, most: int, cost: Cost) -> None:
    """Rule: where all wait, replies are equal and batches full, continuous serving gains nothing: the same bits.

    A batch that is not full differs by its window: it starts that much later, and the sum is rounded once.
    """
    window = max(window, 0.01)
    full = [Request(0.0, 40, 12)] * (most * max(1, len(requests) // 4))
    run, other = batch_window(full, window, most, cost), continuous(full, most, cost)
    assert run["written"] == other["finished"] and run["first_token"] == other["first_token"]
    part = full[: max(1, most - 1)]
    late = batch_window(part, window, most + 1, cost)
    assert set(late["written"]) == {window + continuous(part, most + 1, cost)["seconds"]}


@every_list
def test_continuous_never_pauses(requests: list[Request], window: float, most: int, cost: Cost) -> None:
    """Rule: the pool holds every chat at its full length: all are served, none paused, and no seat beyond max_batch."""
    run = continuous(requests, most, cost)
    assert run["served"] == len(requests) and run["paused"] == run["refused"] == 0
    _, steps = watched(requests, most, 10**6, 200, False, cost)
    assert all(len(step.running) <= most for step in steps)


@every_list
def test_fewest_and_most_batches(requests: list[Request], window: float, most: int, cost: Cost) -> None:
    """Rule: from n ÷ max_batch, rounded up, to n: n with window 0, and the fewest once the window outlasts arrivals.

    A larger window does not always make fewer batches: see the next test.
    """
    n = len(requests)
    assert math.ceil(n / most) <= len(batch_window(requests, window, most, cost)["batches"]) <= n
    assert len(batch_window(requests, 0, most, cost)["batches"]) == n
    assert len(batch_window(requests, 1e6, most, cost)["batches"]) == math.ceil(n / most)


def test_a_larger_window_may_make_more_batches() -> None:
    """Rule: fewer batches for a larger window is no rule: with room for two, 1 s makes three here and 2 s four.

    With 1 s the first goes alone and runs long enough for full batches to queue up behind it. With 2 s it takes the
    second along, and those after it come too far apart to share one.
    """
    rows = chats((0, 9, 5), (1, 9, 5), (4, 9, 1), (8, 9, 3), (11, 9, 3))
    assert spans(batch_window(rows, 1, 2, ONE_SECOND)) == [(1, 0, 1, 6), (2, 6, 6, 11), (2, 11, 11, 14)]
    assert spans(batch_window(rows, 2, 2, ONE_SECOND)) == [(2, 0, 1, 6), (1, 6, 8, 9), (1, 9, 11, 14), (1, 14, 16, 19)]


def test_the_most_that_batches_write() -> None:
    """Rule: tokens that were asked for ÷ the model's work with all waiting, whatever the arrivals and the window."""
    rows = chats((0, 9, 3), (70, 9, 1), (900, 9, 2))
    # Batches of two: 3 steps for 4 tokens, then 2 for 2. With a window of 0: 3 + 1 + 2 steps.
    assert most_batched(rows, 0.1, 2, ONE_SECOND) == most_batched(rows, 50, 2, ONE_SECOND) == 6 / 5
    assert most_batched(rows, 0, 2, ONE_SECOND) == 1


def test_who_waits_when_the_last_one_arrives() -> None:
    """Rule: those whose first token is written later than that instant; who is turned away does not wait."""
    rows = chats((0, 9, 1), (1, 9, 1), (2, 9, 1))
    assert without_token(rows, [1.0, 2.0, 3.0]) == 1
    assert without_token(rows, [1.0, None, 2.5]) == 1
    assert without_token(rows, [2.5, 3.5, 4.5]) == 3


BAD = [True, None, "1", [1], {}, -1, float("nan"), float("inf"), float("-inf")]


@pytest.mark.parametrize("value", BAD)
def test_refusals_name_what_is_wrong(value: Any) -> None:
    """Rule: a window that is no finite number ≥ 0, a batch that is no whole number ≥ 1."""
    for call, setting in (
        (lambda: batch_window(chats((0, 1, 1)), value, 1), "window_seconds"),
        (lambda: most_batched(chats((0, 1, 1)), value, 1), "window_seconds"),
        (lambda: batch_window(chats((0, 1, 1)), 1, value), "max_batch"),
        (lambda: continuous(chats((0, 1, 1)), value), "max_batch"),
    ):
        with pytest.raises(SimError) as refusal:
            call()
        assert refusal.value.setting == setting


def test_refusals_of_lists_and_costs() -> None:
    """Rule: what `serve` refuses is refused here too; counts stay exact, and a run must end."""
    for requests, cost, setting in (
        (7, COST, "requests"),
        ([7], COST, "requests[0]"),
        (chats((1, 1, 1), (0, 1, 1)), COST, "requests[1].arrival"),
        (chats((0, 1, 1)), 7, "cost"),
        (chats((0, 2**51, 1), *[(0, 1, 1)] * 4), COST, "requests"),  # 5 × 2^51 once padded
        (chats((0, 1, 2**40)), COST, "requests"),  # its contexts add up to more
        (chats((8.9e307, 1, 2)), Cost(8.9e307, 0.0, 0.0, 1.0, 1.0), "cost"),
    ):
        with pytest.raises(SimError) as refusal:
            batch_window(requests, 1.0, 8, cost)  # type: ignore[arg-type]
        assert refusal.value.setting == setting
