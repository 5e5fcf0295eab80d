"""Every bad value is refused by name, with what is allowed; nothing is guessed, rounded or sorted."""

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from poolroom import (
    COST,
    Cost,
    Request,
    SimError,
    describe,
    largest_longest,
    measure,
    memory_parts,
    room,
    serve,
    smallest_share,
    stops_paying,
    sweep,
)
from poolroom.checks import MOST_WHOLE
from tests.sim.tools import chats

NO_NUMBERS = [None, "90", "", b"90", [90], (90,), {}, {"value": 90}, object(), complex(90)]
NOT_WHOLE = [True, False, 90.0, 0.5, math.nan, math.inf, -math.inf, Fraction(90), *NO_NUMBERS]
NOT_FINITE = [
    True,
    False,
    math.nan,
    math.inf,
    -math.inf,
    -1,
    -1e-300,
    2**1023,
    pytest.param(10**400, id="10^400"),
    *NO_NUMBERS,
]
HUGE = [2**53, 2**64, 10**30, pytest.param(10**5_000, id="10^5000")]
ONE = chats((0, 30, 5))


def whole_rule(value: Any) -> str:
    """The rule that a bad whole number breaks: one too large is told the largest."""
    return "whole_between" if isinstance(value, (int, float)) and value > MOST_WHOLE else "whole_from"


def refusal(call: Any, *arguments: Any, **more: Any) -> tuple[str, str]:
    """The setting that is named and the key of what is allowed."""
    with pytest.raises(SimError) as caught:
        call(*arguments, **more)
    message = str(caught.value)
    assert message.startswith(f"{caught.value.setting} is ")
    assert ", but must be " in message and message.endswith(".")
    assert len(message.splitlines()) == 1 and len(message) < 400
    assert "{" not in message.replace("{}", "")
    return caught.value.setting, caught.value.allowed


@pytest.mark.parametrize("share", [*NOT_WHOLE, *HUGE, -1, 0, 101, pytest.param(-(10**5_000), id="-10^5000")])
def test_a_share_is_a_whole_percent_from_1_to_100(share: Any) -> None:
    """Rule: share 1 to 100, whole; everywhere it enters."""
    for call in (memory_parts, largest_longest):
        assert refusal(call, share) == ("share", "whole_between")
    assert refusal(room, share, 8_000) == ("share", "whole_between")
    assert refusal(describe, share, 8_000, 64) == ("share", "whole_between")
    assert refusal(sweep, share) == ("share", "whole_between")


@pytest.mark.parametrize("card", [*NOT_WHOLE, *HUGE, -1])
def test_a_card_is_a_whole_number_of_bytes(card: Any) -> None:
    """Rule: card bytes are whole, ≥ 0 and exact in both languages."""
    assert refusal(memory_parts, 90, card) == ("card", whole_rule(card))


@pytest.mark.parametrize("card", [0, 1, 18_060_522_495])
def test_a_card_smaller_than_weights_and_reserve_is_refused_with_both_figures(card: int) -> None:
    """Rule: the error says what the card has and what is needed."""
    assert refusal(memory_parts, 90, card) == ("card", "card")
    with pytest.raises(SimError, match=rf"card is {card}, but must be at least 18060522496 bytes"):
        memory_parts(90, card)


def test_a_card_whose_share_would_not_stay_exact_is_refused() -> None:
    """Rule: card × share must stay below 2^53."""
    assert refusal(memory_parts, 90, 2**52)[1] == "exact"
    assert memory_parts(1, 2**52)["allowed"] == 2**52 // 100


@pytest.mark.parametrize("longest", [*NOT_WHOLE, *HUGE, -1, 0])
def test_a_longest_chat_is_a_whole_number_of_tokens_from_1(longest: Any) -> None:
    """Rule: longest ≥ 1, whole; everywhere it enters."""
    assert refusal(room, 90, longest) == ("longest", whole_rule(longest))
    assert refusal(smallest_share, longest) == ("longest", whole_rule(longest))
    assert refusal(describe, 90, longest, 64) == ("longest", whole_rule(longest))
    assert refusal(serve, ONE, 8, 99, longest) == ("longest", whole_rule(longest))
    assert refusal(sweep, 90, longest) == ("longest", whole_rule(longest))


@pytest.mark.parametrize("cap", [*NOT_WHOLE, *HUGE, -1, 0])
def test_a_cap_is_a_whole_number_from_1(cap: Any) -> None:
    """Rule: cap ≥ 1, whole; refused also where the server would not start."""
    assert refusal(serve, ONE, cap, 99, 48) == ("cap", whole_rule(cap))
    assert refusal(describe, 90, 8_000, cap) == ("cap", whole_rule(cap))
    assert refusal(measure, 1, 8_000, cap) == ("cap", whole_rule(cap))
    assert refusal(sweep, 90, 8_000, [cap]) == ("caps[0]", whole_rule(cap))


@pytest.mark.parametrize("blocks", [*NOT_WHOLE, *HUGE, -1])
def test_a_pool_is_a_whole_number_of_blocks(blocks: Any) -> None:
    """Rule: pool_blocks ≥ 0, whole."""
    assert refusal(serve, ONE, 8, blocks, 48) == ("pool_blocks", whole_rule(blocks))


@pytest.mark.parametrize(("blocks", "longest"), [(0, 1), (2, 33), (2, 48), (499, 8_000)])
def test_a_pool_below_one_longest_chat_is_refused(blocks: int, longest: int) -> None:
    """Rule: a server that cannot hold one chat of the longest length does not start."""
    assert refusal(serve, ONE, 8, blocks, longest) == ("pool_blocks", "pool")
    assert refusal(serve, [], 8, blocks, longest) == ("pool_blocks", "pool")


@pytest.mark.parametrize("reserved", [None, 0, 1, "yes", "", [], 1.0])
def test_setting_aside_is_yes_or_no(reserved: Any) -> None:
    """Rule: true or false, and nothing that merely counts as one of them."""
    assert refusal(room, 90, 8_000, reserved) == ("reserved", "yes_no")
    assert refusal(serve, ONE, 8, 99, 48, reserved) == ("reserved", "yes_no")
    assert refusal(describe, 90, 8_000, 64, reserved) == ("reserved", "yes_no")


@pytest.mark.parametrize("field", ["prompt", "reply"])
@pytest.mark.parametrize("value", [*NOT_WHOLE, *HUGE, -1, 0])
def test_prompt_and_reply_are_whole_numbers_from_1(field: str, value: Any) -> None:
    """Rule: the error names the chat's place, the field and the value."""
    requests = [*ONE, replace(ONE[0], **{field: value})]
    assert refusal(serve, requests, 8, 99, 48) == (f"requests[1].{field}", whole_rule(value))
    assert refusal(describe, 90, 8_000, 64, False, requests) == (f"requests[1].{field}", whole_rule(value))


@pytest.mark.parametrize("value", NOT_FINITE)
def test_an_arrival_is_a_finite_number_from_0(value: Any) -> None:
    """Rule: arrival finite and ≥ 0."""
    assert refusal(serve, [Request(value, 30, 5)], 8, 99, 48) == ("requests[0].arrival", "number_from")


@pytest.mark.parametrize("arrivals", [(2.0, 1.0), (0.0, 5.0, math.nextafter(5.0, 0.0)), (1, 1, 0)])
def test_decreasing_arrivals_are_refused_and_never_sorted(arrivals: tuple[float, ...]) -> None:
    """Rule: no earlier than the chat before it; the error names the first that is."""
    requests = [Request(arrival, 30, 5) for arrival in arrivals]
    assert refusal(serve, requests, 8, 99, 48) == (f"requests[{len(arrivals) - 1}].arrival", "not_earlier")


@pytest.mark.parametrize("requests", [None, 7, "chats", b"chats", {}, {1}, iter(ONE), object(), True])
def test_a_list_of_requests_is_a_list(requests: Any) -> None:
    """Rule: a sequence of Request; text and sets are none."""
    assert refusal(serve, requests, 8, 99, 48) == ("requests", "requests")


@pytest.mark.parametrize("request_", [None, 7, "a", (0, 30, 5), {"arrival": 0, "prompt": 30, "reply": 5}, [0, 30, 5]])
def test_a_request_is_a_request(request_: Any) -> None:
    """Rule: every entry is a Request; the error names its place."""
    assert refusal(serve, [*ONE, request_], 8, 99, 48) == ("requests[1]", "request")


def test_a_list_whose_tokens_would_not_stay_exact_is_refused() -> None:
    """Rule: all tokens together stay below 2^53."""
    requests = chats((0, 2**52, 1), (0, 2**52, 1))
    assert refusal(serve, requests, 8, 99, 48) == ("requests", "exact")


FIELDS = [
    "weights_bytes",
    "kv_bytes_per_token",
    "flops_per_token",
    "bandwidth_bytes_per_second",
    "peak_flops_per_second",
]
MAY_BE_ZERO = ["kv_bytes_per_token", "flops_per_token"]


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("value", NOT_FINITE)
def test_a_cost_field_is_a_finite_number(field: str, value: Any) -> None:
    """Rule: every field finite and ≥ 0, weights and the two speeds above 0."""
    cost = replace(COST, **{field: value})
    allowed = "number_from" if field in MAY_BE_ZERO else "number_above"
    assert refusal(serve, ONE, 8, 99, 48, False, cost) == (f"cost.{field}", allowed)


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("zero", [0, 0.0, -0.0])
def test_weights_and_speeds_are_above_zero(field: str, zero: float) -> None:
    """Rule: zero is allowed only for the cache and the arithmetic of a token."""
    cost = replace(COST, **{field: zero})
    if field in MAY_BE_ZERO:
        assert serve(ONE, 8, 99, 48, False, cost)["steps"] == 5
    else:
        assert refusal(serve, ONE, 8, 99, 48, False, cost) == (f"cost.{field}", "number_above")


@pytest.mark.parametrize("cost", [None, 7, "cost", {}, lambda *_: 1.0, COST.weights_bytes, Cost])
def test_a_cost_is_a_record(cost: Any) -> None:
    """Rule: a Cost record, not a function."""
    assert refusal(serve, ONE, 8, 99, 48, False, cost) == ("cost", "cost")


@pytest.mark.parametrize(("weights", "bandwidth"), [(5e-324, 1e300), (1e-200, 1e200), (1e300, 1e-300)])
def test_a_step_takes_some_time_and_not_for_ever(weights: float, bandwidth: float) -> None:
    """Rule: weights ÷ bandwidth is above 0 and finite, so that time moves and ends."""
    cost = Cost(weights, 0, 0, bandwidth, 1)
    assert refusal(serve, ONE, 8, 99, 48, False, cost) == ("cost.weights_bytes", "step_time")


def test_a_run_that_never_ends_in_time_is_refused() -> None:
    """Rule: an instant beyond the largest double is an error, not an infinity."""
    assert refusal(serve, ONE, 8, 99, 48, False, Cost(8e307, 0, 0, 1, 1)) == ("cost", "finite_time")


@pytest.mark.parametrize("caps", [None, 7, "1,2", b"12", [], (), {1, 2}, {1: 2}, iter([1])])
def test_caps_are_a_list(caps: Any) -> None:
    """Rule: a sweep has at least one cap, in a sequence."""
    assert refusal(sweep, 90, 8_000, caps) == ("caps", "caps")


@pytest.mark.parametrize("caps", [[1, 1], [2, 1], [1, 4, 4], [512, 1]])
def test_caps_rise(caps: list[int]) -> None:
    """Rule: each cap once, in rising order; the error names the first that is not above the one before."""
    assert refusal(sweep, 90, 8_000, caps, False, ONE) == (f"caps[{len(caps) - 1}]", "caps")


def test_a_sweep_of_a_server_that_does_not_start_is_refused() -> None:
    """Rule: a sweep runs the server, so a pool below one longest chat is an error."""
    assert refusal(sweep, 30, 128_000) == ("pool_blocks", "pool")


@pytest.mark.parametrize("rows", [[], ()])
def test_a_knee_needs_rows(rows: Any) -> None:
    """Rule: no rows, no knee."""
    assert refusal(stops_paying, rows) == ("rows", "rows")


def test_a_knee_needs_rates() -> None:
    """Rule: rows in which nobody was served say nothing about seats."""
    rows = sweep(90, 8_000, [1, 2], False, [])
    assert refusal(stops_paying, rows) == ("rows", "rows")


def test_a_subclass_of_a_whole_number_that_is_no_bool_is_allowed() -> None:
    """Rule: what is refused is refused by kind, not by chance: an IntEnum is a whole number."""
    from enum import IntEnum

    class Seats(IntEnum):
        FEW = 2

    assert serve(ONE, Seats.FEW, 99, 48) == serve(ONE, 2, 99, 48)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, "nothing"),
        (True, "true"),
        (False, "false"),
        (90.5, "90.5"),
        (math.nan, "nan"),
        ("90", "“90”"),
        ("x" * 41, f"“{'x' * 40}…”"),
        ([1], "a value of type list"),
        (-(10**60), f"-1{'0' * 38}…"),
    ],
)
def test_a_refusal_shows_the_value(value: Any, shown: str) -> None:
    """Rule: the message has the name, the value and the allowed range, however large the value is."""
    with pytest.raises(SimError) as caught:
        memory_parts(value)
    assert str(caught.value) == f"share is {shown}, but must be a whole number from 1 to 100."
    assert caught.value.value is value


def test_a_refusal_is_a_value_error() -> None:
    """Rule: one class for every refusal, and it is a ValueError."""
    assert issubclass(SimError, ValueError)
