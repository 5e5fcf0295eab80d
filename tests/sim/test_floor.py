"""The floor of a decode step: the lesson's figures, where the bounds meet, and what is refused."""

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from poolroom import Cost, SimError
from poolroom.floor import ceiling_tokens_per_second, compute_batch, floor_seconds, overtaking_tokens, pace
from poolroom.floor_words import floor_cost
from poolroom.serving_facts import opening
from poolroom.steptime import compute_seconds, memory_seconds
from poolroom.tools import answer, answer_lines

LESSON = floor_cost(opening("floor"))
SIZES = st.floats(1.0, 1e13)
COSTS = st.builds(Cost, SIZES, st.floats(1.0, 1e7), st.floats(1e4, 1e13), st.floats(1e9, 1e14), st.floats(1e3, 1e14))
NO_NUMBERS = [None, "8e9", "", [8], (8,), {}, {"value": 8}, True, False]
NOT_FINITE = [math.nan, math.inf, -math.inf, -1, -0.5, pytest.param(10**400, id="10^400")]


def lines(**settings: Any) -> dict[str, str]:
    """What the tool says, by name."""
    return answer("floor", settings)["lines"]


def amounts(**settings: Any) -> list[float]:
    """The bars, in milliseconds: weights, cache, arithmetic."""
    return [row["amount"] for row in answer("floor", settings)["rows"]]


def test_the_lessons_step() -> None:
    """Rule: 8 billion parameters × 2 bytes ÷ 2 TB/s = 8.0 ms, so that one chat gets 125 tokens a second at most."""
    assert floor_seconds(8e9, 2, 2.0e12) == 0.008
    assert ceiling_tokens_per_second(0.008, 1) == 125.0
    assert lines()["floor"] == "One decode step reads 16.0 GB of weights: no less than *8.0 ms*."
    assert lines()["alone"] == "One chat alone can get *125 tokens a second*, and no more."


@pytest.mark.parametrize(("batch", "together"), [(1, 125), (8, 1_000), (32, 4_000)])
def test_the_lessons_batches(batch: int, together: int) -> None:
    """Rule: the same reading serves all: 125, 1,000 and 4,000 tokens a second, while nothing else binds."""
    assert ceiling_tokens_per_second(floor_seconds(8e9, 2, 2.0e12), batch) == float(together)
    step = pace(batch, 0, LESSON)
    assert (step.step_seconds, step.tokens_per_second, step.bound) == (0.008, float(together), "memory")


def test_the_ceiling_and_the_rate_part_where_arithmetic_binds() -> None:
    """Rule: 512 chats: 64,000 by the reading alone, but 512 × 16e9 ÷ 312e12 s of arithmetic leave 19,500 in all."""
    said = lines(batch=512)
    assert "*64,000 tokens a second* together, until something else binds" in said["together"]
    assert said["bound"].startswith("Arithmetic takes longer than all the reading")
    assert said["step"] == "So the step takes 26.3 ms: *19,500 tokens a second* together, 38 for each chat."


def test_bars_of_the_lesson() -> None:
    """Rule: 8 ms of reading; 8 × 4,096 tokens × 131,072 bytes at 2 TB/s; 8 × 16e9 operations at 312e12 a second."""
    weights, cache, arithmetic = amounts(context=4096)
    assert weights == 8.0
    assert cache == pytest.approx(1000 * 8 * 4096 * 131_072 / 2e12, rel=1e-15)
    assert arithmetic == pytest.approx(1000 * 8 * 16e9 / 312e12, rel=1e-15)


def test_arithmetic_takes_over_at_156_chats() -> None:
    """Rule: 16 GB ÷ 2 TB/s × 312e12 ÷ 16e9 = 156 exactly: a tie is reached, and one chat more binds."""
    assert compute_batch(LESSON) == 156
    assert compute_seconds(155, LESSON) < memory_seconds(0, LESSON) == compute_seconds(156, LESSON)
    assert [pace(batch, 0, LESSON).bound for batch in (155, 156, 157)] == ["memory", "memory", "compute"]


def test_the_cache_overtakes_the_weights_at_122_071_tokens() -> None:
    """Rule: 16e9 ÷ 131,072 = 122,070.3…, so that one token more than 122,070 takes longer to read than the weights."""
    assert overtaking_tokens(LESSON) == 122_071
    assert [pace(1, context, LESSON).bound for context in (122_070, 122_071)] == ["memory", "cache"]


def test_equal_readings_count_as_weights() -> None:
    """Rule: what overtakes must take longer: 4 tokens of 1 byte against weights of 4 bytes are a tie."""
    even = Cost(4.0, 1.0, 1.0, 1.0, 1.0)
    assert overtaking_tokens(even) == 4
    assert [pace(1, context, even).bound for context in (4, 5)] == ["memory", "cache"]


@given(COSTS)
def test_the_batch_is_the_first_from_which_arithmetic_is_no_shorter(cost: Cost) -> None:
    """Rule: it holds at the batch that is named, and not one chat below."""
    batch = compute_batch(cost)
    assert compute_seconds(batch, cost) >= memory_seconds(0, cost)
    assert batch == 1 or compute_seconds(batch - 1, cost) < memory_seconds(0, cost)


@given(COSTS)
def test_the_tokens_are_the_first_whose_reading_is_no_shorter(cost: Cost) -> None:
    """Rule: by exact fractions: the product holds within one rounding at the tokens named, and not one token below."""
    tokens, each = overtaking_tokens(cost), cost.kv_bytes_per_token
    assert each * float(tokens) >= cost.weights_bytes
    assert tokens == 1 or each * float(tokens - 1) < cost.weights_bytes
    exact = Fraction(cost.weights_bytes) / Fraction(each)
    assert abs(tokens - math.ceil(exact)) <= 1


@given(COSTS, st.integers(1, 10_000), st.integers(0, 10_000))
def test_a_step_is_its_longest_part(cost: Cost, batch: int, context: int) -> None:
    """Rule: no step is shorter than reading the weights, the whole reading, or the arithmetic; the bound is named."""
    step = pace(batch, context, cost)
    assert step.step_seconds == max(memory_seconds(batch * context, cost), step.compute_seconds)
    assert step.step_seconds >= step.weights_seconds
    assert step.tokens_per_second == batch / step.step_seconds
    assert (step.bound == "compute") == (step.compute_seconds > memory_seconds(batch * context, cost))
    assert step.bound != "cache" or step.cache_seconds > step.weights_seconds


@given(COSTS, st.integers(1, 2_000), st.integers(0, 2_000))
def test_more_chats_or_more_context_never_shorten_a_step(cost: Cost, batch: int, context: int) -> None:
    """Rule: a step grows with both, so that each chat's own rate never rises."""
    before = pace(batch, context, cost).step_seconds
    assert pace(batch + 1, context, cost).step_seconds >= before
    assert pace(batch, context + 1, cost).step_seconds >= before


def test_each_bound_has_its_sentence() -> None:
    """Rule: which of the three sets the pace is said, and the total with it."""
    assert lines()["bound"] == "Reading the weights sets the pace."
    assert lines(context=32768)["bound"] == "Reading the cache takes longer than reading the weights."
    assert lines(batch=256)["bound"].startswith("Arithmetic takes longer")
    assert lines()["step"] == "So the step takes 8.0 ms: *1,000 tokens a second* together, 125 for each chat."


def test_one_chat_alone_reads_well() -> None:
    """Rule: one chat has sentences of its own, without a total."""
    said = answer_lines("floor", {"batch": 1, "context": 8192})
    assert "A second chat in the step would share that reading." in said
    assert "So the step takes 8.5 ms: 117 tokens a second." in said


def test_the_limits_name_what_they_are_counted_for() -> None:
    """Rule: both limits say their own assumption: an empty cache and a peak, and how large a token is."""
    assert "*" not in lines()["arithmetic"] + lines()["cache"]
    assert lines()["arithmetic"].startswith("With an empty cache, arithmetic takes over at 156 chats")
    assert "312 trillion operations a second (A100)" in lines()["arithmetic"]
    assert "at 122,071 tokens of context in all, at 128 KiB a token (Llama-3.1-8B)" in lines()["cache"]
    assert "takes over at 1 chat, on" in lines(bytes_per_weight=0.125, bandwidth=9e15)["arithmetic"]


def test_halving_the_bytes_halves_the_step_and_the_batch() -> None:
    """Rule: 8-bit weights: 4.0 ms, 250 tokens a second, and arithmetic takes over at 78 chats."""
    said = lines(bytes_per_weight=1)
    assert "*4.0 ms*" in said["floor"] and "*250 tokens a second*" in said["alone"]
    assert "at 78 chats" in said["arithmetic"]


@pytest.mark.parametrize("value", [*NO_NUMBERS, *NOT_FINITE, 0])
def test_numbers_that_are_none(value: Any) -> None:
    """Rule: parameters, bytes and bandwidth are finite numbers above 0; the refusal names which is not."""
    for place, setting in enumerate(("parameters", "bytes_per_weight", "bandwidth")):
        arguments = [8e9, 2, 2e12]
        arguments[place] = value
        with pytest.raises(SimError) as caught:
            floor_seconds(*arguments)
        assert (caught.value.setting, caught.value.allowed) == (setting, "number_above")
        with pytest.raises(SimError) as caught:
            answer("floor", {setting: value})
        assert (caught.value.setting, caught.value.allowed) == (setting, "number_between")


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        *[("parameters", value) for value in (0.99, 2**50 + 1)],
        *[("bytes_per_weight", value) for value in (0.124, 8.001)],
        *[("bandwidth", value) for value in (0.99, 2**53)],
    ],
)
def test_numbers_out_of_range(setting: str, value: float) -> None:
    """Rule: beyond what can be counted or stored, a setting is told its range; the ends themselves are answered."""
    with pytest.raises(SimError, match=f"^{setting} is .*, but must be a number from ") as caught:
        answer("floor", {setting: value})
    assert caught.value.allowed == "number_between"
    ends = {"parameters": (1, 2**50), "bytes_per_weight": (0.125, 8), "bandwidth": (1, 2**53 - 1)}
    for end in ends[setting]:
        assert len(answer("floor", {setting: end})["lines"]) == 7


@pytest.mark.parametrize("value", [*NO_NUMBERS, *NOT_FINITE, 8.0, 0.5, 2**53])
def test_counts_that_are_none(value: Any) -> None:
    """Rule: batch and context are whole numbers; a batch of 0 is refused, a context of 0 is not."""
    for setting in ("batch", "context"):
        with pytest.raises(SimError) as caught:
            answer("floor", {setting: value})
        assert caught.value.setting == setting and caught.value.allowed in ("whole_from", "whole_between")
    with pytest.raises(SimError, match="batch is 0, but must be a whole number from 1"):
        answer("floor", {"batch": 0})
    assert answer("floor", {"context": 0})


def test_what_cannot_be_counted() -> None:
    """Rule: more tokens than 2^53, steps without time, and costs without an answer are refused by name."""
    with pytest.raises(SimError, match="context is 1073741824, but must be at most 9007199254740991"):
        pace(2**30, 2**30, LESSON)
    for arguments in ((5e-324, 0.1, 1.0), (1e300, 1e300, 1.0), (1e-10, 1.0, 1e300)):
        with pytest.raises(SimError, match=r"^bandwidth is .* such that a step takes some time"):
            floor_seconds(*arguments)
    for value in (0, math.nan, True, "1"):
        with pytest.raises(SimError, match=r"^step_seconds is "):
            ceiling_tokens_per_second(value, 1)
    with pytest.raises(SimError, match=r"^cost.flops_per_token is 0.0, but must be a finite number above 0"):
        compute_batch(replace(LESSON, flops_per_token=0.0))
    with pytest.raises(SimError, match=r"^cost.kv_bytes_per_token is 0.0, but must be a finite number above 0"):
        overtaking_tokens(replace(LESSON, kv_bytes_per_token=0.0))
    with pytest.raises(SimError, match=r"^tokens is 1.6e\+20, but must be at most .* so that every count stays exact"):
        overtaking_tokens(replace(LESSON, kv_bytes_per_token=1e-10))
    with pytest.raises(SimError, match=r"^batch is 2.496e\+22, but must be at most .* so that every count stays exact"):
        compute_batch(replace(LESSON, flops_per_token=1e-10))
