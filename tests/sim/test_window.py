"""The tool “window”: its made-up requests, what it says of them, and what it refuses."""

import math
from itertools import pairwise
from typing import Any

import pytest

from poolroom import COST, Request, SimError
from poolroom.arrivals import arriving, at_once, drawn
from poolroom.batching import batch_window, continuous, most_batched
from poolroom.draws import Draws
from poolroom.serving_facts import TOOLS, figure
from poolroom.tools import answer, answer_lines
from poolroom.window_words import window_requests

CONTROLS = TOOLS["window"]["controls"]


def test_the_table_of_gaps_is_made_again() -> None:
    """Rule: −ln(1 − (i + 0.5) ÷ n) to 6 significant digits, rising, at most 128, with a mean of 1 within 1 %."""
    gaps = figure("window", "gaps")
    assert gaps == [float(f"{-math.log(1 - (i + 0.5) / len(gaps)):.6g}") for i in range(len(gaps))]
    assert len(gaps) <= 128 and abs(sum(gaps) / len(gaps) - 1) < 0.01 and gaps == sorted(gaps)


def test_every_choice_comes_as_often() -> None:
    """Rule: the choices in turn, then shuffled: another order, the same values; another seed, another order."""
    values = drawn([1, 2, 3], 10, Draws(1))
    assert sorted(values) == [1, 1, 1, 1, 2, 2, 2, 3, 3, 3] and values != [1, 2, 3] * 3 + [1]
    assert values == drawn([1, 2, 3], 10, Draws(1)) != drawn([1, 2, 3], 10, Draws(2))
    assert drawn([7], 0, Draws(1)) == [] and drawn([7, 8], 1, Draws(1)) == [7]


def test_a_shuffle_by_hand() -> None:
    """Rule: from the last place down, each changes with a place drawn from those up to it.

    The first states after 1 are 48,271 and 182,605,794: of 3 the first gives place 0, of 2 the second gives place 0.
    """
    assert [48_271 * 3 // (2**31 - 1), 182_605_794 * 2 // (2**31 - 1)] == [0, 0]
    assert drawn(["a", "b", "c"], 3, Draws(1)) == ["b", "c", "a"]


def test_every_order_is_as_likely() -> None:
    """Rule: six orders of three, about as often over many seeds."""
    counts: dict[str, int] = {}
    for seed in range(1, 3001):
        order = "".join(drawn("abc", 3, Draws(seed * 7919)))
        counts[order] = counts.get(order, 0) + 1
    assert len(counts) == 6 and all(400 < count < 600 for count in counts.values())


def test_arrivals_by_hand() -> None:
    """Rule: gaps are added up, then divided by the rate."""
    assert arriving(2, [1, 0.5, 3], [9, 8, 7], [1, 2, 3]) == [
        Request(0.5, 9, 1),
        Request(0.75, 8, 2),
        Request(2.25, 7, 3),
    ]
    assert at_once(arriving(2, [1, 1], [9, 8], [1, 2])) == [Request(0.0, 9, 1), Request(0.0, 8, 2)]


@pytest.mark.parametrize("lengths", ["equal", "mixed"])
def test_the_requests(lengths: str) -> None:
    """Rule: always the same list: one mean length for both choices, one mean gap, the same prompts, at any rate."""
    requests = window_requests(4, lengths)
    assert len(requests) == 100 and sum(each.reply for each in requests) == 6_400
    assert {each.reply for each in requests} == set(figure("window", "replies")[lengths])
    assert [each.prompt for each in requests] == [each.prompt for each in window_requests(1, "equal")]
    assert all(one.arrival < other.arrival for one, other in pairwise(requests))
    assert requests[-1].arrival == pytest.approx(100 / 4, rel=0.01)
    assert [each.arrival / 2 for each in requests] == [each.arrival for each in window_requests(8, lengths)]


def test_what_it_opens_with() -> None:
    """Rule: the sentences of the opening, word by word."""
    assert answer_lines("window", {}) == [
        "In batches, half of the requests have their answer within 2.3 s, 95 in 100 within 3.2 s, 99 in 100 within "
        "3.3 s.",
        "Served continuously, the same requests need 0.3 s, 1.2 s and 1.3 s: each leaves when its own reply is whole, "
        "and the next takes its seat.",
        "A batch has 7.1 members on average. Batches give 451 tokens a second, continuous serving 486.",
        "Of the prompt tokens that batches read, 51% are padding. Of the reply tokens that they write, 52% are for "
        "members who are done and wait for the longest.",
        "With a window of 0 every request would run alone, even from a full queue, and half would need up to 16.2 s.",
        "The requests ask for 512 tokens a second, and batches can write up to 630: they keep up.",
        "When the last of the 100 requests arrives, 8 of them wait for their first token in batches, 2 when served "
        "continuously.",
    ]


def test_rows_are_the_runs_own() -> None:
    """Rule: the 50th, 95th and 99th of the sorted latencies of both schemes in turn, then both rates."""
    settings = {"rate": 3, "window_ms": 100, "max_batch": 4, "lengths": "mixed"}
    requests = window_requests(3, "mixed")
    run, other = batch_window(requests, 0.1, 4), continuous(requests, 4)
    one = sorted(run["latencies"])
    two = sorted(end - each.arrival for end, each in zip(other["finished"], requests, strict=True) if end)
    rows = answer("window", settings)["rows"]
    expected = [
        one[49],
        two[49],
        one[94],
        two[94],
        one[98],
        two[98],
        run["tokens_per_second"],
        other["tokens_per_second"],
    ]
    assert [row["amount"] for row in rows] == expected
    assert [row["kind"] for row in rows] == ["cost", "good"] * 4
    assert [row["name"] for row in rows][:2] == ["p50, batches", "p50, continuous"]
    assert len({row["group"] for row in rows}) == 2


def test_lanes_are_stretches_in_order() -> None:
    """Rule: twelve requests twice; spans from arrival to answer, one after another without a gap, none empty.

    In batches one queues, waits for the window, is written, and may be held; continuously one queues and is written.
    """
    kinds = set()
    for settings in ({}, {"rate": 0.5}, {"max_batch": 1}, {"window_ms": 1000, "lengths": "equal"}, {"rate": 24}):
        given = {**{key: control["opening"] for key, control in CONTROLS.items()}, **settings}
        requests = window_requests(given["rate"], given["lengths"])
        run, other = (
            batch_window(requests, given["window_ms"] / 1000, given["max_batch"]),
            continuous(requests, given["max_batch"]),
        )
        lanes = answer("window", settings)["lanes"]
        assert [lane["name"] for lane in lanes] == [f"Request {i + 1}" for i in range(12)] * 2
        assert [lane["group"] for lane in lanes] == ["In batches"] * 12 + ["Served continuously"] * 12
        for i, lane in enumerate(lanes):
            spans, request = lane["spans"], requests[i % 12]
            assert spans[0]["start"] == request.arrival and all(span["start"] < span["end"] for span in spans)
            assert all(before["end"] == span["start"] for before, span in pairwise(spans))
            order = ["queues", "collects", "writes", "held"] if i < 12 else ["queues", "writes"]
            assert [span["kind"] for span in spans] == [kind for kind in order if kind in {s["kind"] for s in spans}]
            end = request.arrival + run["latencies"][i] if i < 12 else other["finished"][i % 12]
            assert spans[-1]["end"] == pytest.approx(end, rel=1e-12)
            kinds |= {span["kind"] for span in spans}
    assert kinds == set(TOOLS["window"]["words"]["lanes"]["kinds"])


def test_everyone_in_a_batch_has_the_answer_at_once() -> None:
    """Rule: the point of the picture: lanes of a batch end together; only its long reply is not held."""
    lanes = answer("window", {})["lanes"][:12]
    ends = [lane["spans"][-1]["end"] for lane in lanes]
    held = [lane["spans"][-1]["kind"] == "held" for lane in lanes]
    assert len(set(ends)) < 12 and any(held) and not all(held)
    assert all(
        any(end == other and not h for other, h in zip(ends, held, strict=True)) or end == ends[-1] for end in ends
    )


def test_a_queue_that_grows_is_called_so() -> None:
    """Rule: it grows when more tokens are asked for than full batches write: then latency grows with the list.

    Three times the list must then leave three times as many waiting; where batches keep up, it leaves as few.
    """
    for rate, most, grows in (
        (3, 16, False),
        (24, 16, True),
        (8, 16, False),
        (8, 8, True),
        (3, 1, True),
        (1, 1, False),
    ):
        requests = window_requests(rate, "mixed")
        assert (rate * 64 > (most_batched(requests, 0.01, most) or 0)) == grows
        line = answer_lines("window", {"rate": rate, "max_batch": most})[5]
        assert ("their queue grows" in line) == grows and ("they keep up" in line) != grows
        after = requests[-1].arrival
        longer = [Request(each.arrival + k * after, each.prompt, each.reply) for k in range(3) for each in requests]
        waits = batch_window(longer, 0.01, most)["waits"]
        assert (sum(waits[200:]) > 2 * sum(waits[:100])) == grows


@pytest.mark.parametrize("rate", [0.5, 8, 24])
def test_window_zero(rate: float) -> None:
    """Rule: a window of 0 is a batch of one whatever max_batch is, and says so; other windows say what 0 would do."""
    now = answer_lines("window", {"rate": rate, "window_ms": 0})
    assert (
        "batches of one" in now[4]
        and now[0] == answer_lines("window", {"rate": rate, "window_ms": 0, "max_batch": 1})[0]
    )
    run = batch_window(window_requests(rate, "mixed"), 0, 1)
    assert f"{sorted(run['latencies'])[49]:.1f} s" in answer_lines("window", {"rate": rate})[4]


def test_the_cost_is_the_lessons() -> None:
    """Rule: the lesson's card and model, so a step is no shorter than reading the weights."""
    run = batch_window([Request(0.0, 64, 64)], 0, 1)
    assert run["seconds"] > 64 * COST.weights_bytes / COST.bandwidth_bytes_per_second


BAD = [True, None, "1", [1], {}, -1, float("nan"), float("inf"), float("-inf"), 10**400]


@pytest.mark.parametrize(
    ("setting", "values", "rule"),
    [
        ("rate", [*BAD, 0, 0.0009, 1000.1], "number_between"),
        ("window_ms", [*BAD, -0.001, 60_001], "number_between"),
        ("max_batch", [*BAD, 0, 1.5], "whole_"),
        ("lengths", [*BAD, "Equal", "", "constructor"], "choice"),
        ("window", [10], "choice"),
    ],
)
def test_refusals(setting: str, values: list[Any], rule: str) -> None:
    """Rule: what is out of range is refused by name, with what is allowed."""
    for value in values:
        with pytest.raises(SimError) as refusal:
            answer("window", {setting: value})
        assert refusal.value.setting in (setting, "window setting") and refusal.value.allowed.startswith(rule)


def test_edges_are_answered() -> None:
    """Rule: the ends of every range have an answer."""
    for settings in (
        {"rate": 0.001},
        {"rate": 1000},
        {"window_ms": 60_000},
        {"max_batch": 2**53 - 1},
        {"window_ms": 1e-9},
    ):
        assert len(answer("window", {"max_batch": 64, **settings})["lines"]) == 7
    for bad in (0, float("nan"), 5e-324):
        with pytest.raises(SimError):
            arriving(bad, [1], [1], [1])
