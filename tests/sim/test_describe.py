"""Everything the widget shows: the lesson's check values, the cases beside the repository, and the page's own words."""

from collections.abc import Callable

import pytest

from poolroom import (
    as_text,
    backlog,
    chat_list,
    describe,
    describe_measured,
    fixes,
    measure,
    page_words,
    room,
    same_line,
    status_line,
)
from poolroom.facts import LONGEST, OPENING, SHARES
from tests.sim.tools import chats, lesson_sample

OPEN = {
    "grow": [16_060_522_496, 2_000_000_000, 53_938_749_440, 8_000_728_064],
    "fill": 31,
    "room": "Room for 205 chats of 2,000 tokens at once. 51 if every chat ran to 8,000.",
    "run": "Running on average: 62 chats (up to 64). Everyone together: 1,202 tokens a second. "
    "One user waits 47.3 ms between words.",
    "extra": "The chats in progress hold 31% of the cache pool on average.",
    "legend": ["Model weights 16.1 GB", "Working reserve 2.0 GB", "Cache pool 53.9 GB", "Left unused 8.0 GB"],
}
STARVED = {
    "fill": 92,
    "room": "Room for 230 chats of 2,000 tokens at once. 115 if every chat ran to 4,000.",
    "run": "Running on average: 304 chats (up to 512). Everyone together: 1,700 tokens a second. "
    "One user waits 88.7 ms between words.",
    "extra": "The chats in progress hold 92% of the cache pool on average. 89 of 600 chats turned away: too long. "
    "9 chats paused to free room; 14,435 tokens of cache rebuilt.",
}
REFUSED = {
    "fill": 0,
    "room": "The server will not start. One chat of 128,000 tokens needs room for 128,000 tokens; "
    "the pool holds 45,312.",
    "run": "",
    "extra": "Raise the memory share or lower the longest chat.",
}


def test_the_opening_settings_are_the_lessons(tell: Callable[[str], None]) -> None:
    """Rule: 90 %, 8,000 tokens, 64 seats, nothing set aside; word for word."""
    assert OPENING == {"share": 90, "longest": 8_000, "cap": 64, "reserved": False}
    assert describe(90, 8_000, 64) == OPEN
    tell(f"lesson sample: {len(SAMPLE) or f'not here; {len(INSIDE)} settings of it are inside the tests'}")


INSIDE = [((90, 8_000, 64, False), OPEN), ((98, 4_000, 512, False), STARVED), ((30, 128_000, 1, False), REFUSED)]
SAMPLE = [
    ((case["share"], case["longest"], case["cap"], case["reserved"]), case["describe"]) for case in lesson_sample()
]


@pytest.mark.parametrize(("setting", "shown"), SAMPLE or INSIDE, ids=lambda part: "-".join(map(str, part))[:40])
def test_the_lessons_sample(setting: tuple[int, int, int, bool], shown: dict[str, object]) -> None:
    """Rule: describe() equals the lesson's for every setting of the sample, or for those inside this file."""
    found = describe(*setting)
    assert {key: found[key] for key in shown} == shown


def test_describe_has_the_lessons_keys_and_no_more() -> None:
    """Rule: grow, fill, room, run, extra, legend; the stopped state comes from room()."""
    for share in (90, 30):
        assert list(describe(share, 128_000, 64)) == ["grow", "fill", "room", "run", "extra", "legend"]


def test_the_default_list_is_the_lessons() -> None:
    """Rule: without requests, the 600 chats; the caveat alone knows the difference."""
    assert describe(60, 8_000, 16) == describe(60, 8_000, 16, False, backlog())
    assert (
        page_words(measure(60, 8_000, 16))["caveat"] != page_words(measure(60, 8_000, 16, False, backlog()))["caveat"]
    )


def test_nobody_served_has_lines_of_its_own() -> None:
    """Rule: no chats, or none short enough: a whole sentence, fill 0, no third line."""
    empty = describe(90, 8_000, 64, False, [])
    assert (empty["fill"], empty["run"], empty["extra"]) == (0, "No chats to serve.", "")
    long = describe(90, 8_000, 64, False, chats((0, 8_000, 1), (0, 9_000, 1), (0, 1, 8_000)))
    assert (long["fill"], long["run"], long["extra"]) == (0, "No chat runs: all 3 are longer than 8,000 tokens.", "")


def test_the_words_beside_the_lines_at_the_opening() -> None:
    """Rule: first word 37.5 s, all 600 after 78 s; the caveat names the 600 made-up chats."""
    beside = page_words(measure(90, 8_000, 64))
    assert beside["first_word"] == "The middle chat waits 37.5 s for its first word. All 600 are done after 78 s."
    assert beside["caveat"].startswith("Best case: 600 made-up chats")
    assert (beside["short"], beside["same"]) == ("", "")
    assert beside["peak"] > 31


def test_the_words_beside_a_refusal() -> None:
    """Rule: how many tokens are short; no first word, no peak."""
    beside = page_words(measure(30, 128_000, 64))
    assert beside["short"] == "82,688 tokens short."
    assert (beside["first_word"], beside["peak"]) == ("", 0)


def test_the_middle_wait_is_the_nearest_rank_from_arrival() -> None:
    """Rule: the wait counts from a chat's arrival; of 4 waits the 2nd, of 3 the 2nd, of 1 itself."""
    waits = measure(90, 8_000, 1, False, chats((0, 10, 1), (0, 10, 1), (0, 10, 1), (5, 10, 1)))
    first = waits.run["first_token"]
    assert waits.first_word_seconds == sorted([*first[:3], first[3] - 5.0])[1]
    assert measure(90, 8_000, 1, False, []).first_word_seconds is None


@pytest.mark.parametrize(
    ("before", "after", "key"),
    [
        ((90, 8_000, 64), (92, 8_000, 64), "the seats are the limit."),
        ((90, 8_000, 64), (90, 16_000, 64), "no chat is that long."),
        ((30, 8_000, 256), (30, 8_000, 512), "the pool is the limit."),
        ((90, 8_000, 64), (91, 16_000, 64), "The run does not change."),
        ((90, 8_000, 64), (90, 8_000, 32), ""),
        ((90, 8_000, 64), (90, 8_000, 64), ""),
        ((90, 8_000, 64), (30, 128_000, 64), ""),
    ],
)
def test_what_limits(before: tuple[int, int, int], after: tuple[int, int, int], key: str) -> None:
    """Rule: a move that leaves the run as it was names the limit; any other says nothing."""
    line = same_line(measure(*before), measure(*after))
    assert line.endswith(key) and bool(line) == bool(key)


def test_more_seats_than_chats_change_nothing() -> None:
    """Rule: with every chat seated, the seats are not the limit."""
    few = chats(*[(0, 10, 5)] * 3)
    line = same_line(measure(90, 8_000, 8, False, few), measure(90, 8_000, 16, False, few))
    assert line == "The run does not change: every chat has a seat already."


def test_what_is_heard_after_a_move() -> None:
    """Rule: what was moved, then the result, whole sentences."""
    before, after = measure(90, 8_000, 64), measure(90, 4_000, 32)
    line = status_line(after, before)
    assert line.startswith("Longest chat 4,000 tokens. Most chats at once 32. ")
    assert line.endswith("89 chats turned away.")
    assert status_line(measure(92, 8_000, 64), before) == "Memory share 92 percent. The run does not change."
    assert status_line(measure(30, 128_000, 64)) == (
        "Not started. The pool is 82,688 tokens too small for one chat of 128,000."
    )
    assert status_line(measure(90, 8_000, 64, True), before).startswith("The full length is set aside for every chat.")


def test_the_answer_as_text_has_every_line_once() -> None:
    """Rule: settings, legend, three lines, first word or what is short, caveat; no empty line."""
    lines = as_text(measure(90, 8_000, 64)).split("\n")
    assert lines[0] == "Memory share 90 percent, longest chat 8,000 tokens, most chats at once 64."
    assert lines[1] == "Model weights 16.1 GB, Working reserve 2.0 GB, Cache pool 53.9 GB, Left unused 8.0 GB"
    assert lines[2:5] == [OPEN["room"], OPEN["run"], OPEN["extra"]]
    assert len(lines) == 7
    refused = as_text(measure(30, 128_000, 64, True)).split("\n")
    assert len(refused) == 6 and "" not in refused
    assert refused[0].endswith("The full length is set aside for every chat.")


@pytest.mark.parametrize("share", SHARES[::6])
@pytest.mark.parametrize("longest", LONGEST)
def test_the_smallest_fix_starts_and_nothing_smaller_does(share: int, longest: int) -> None:
    """Rule: the offered share and length nearest to a refused setting, each changed alone, start."""
    measured = measure(share, longest, 1, False, [])
    found = fixes(measured)
    if found["share"] is not None and found["share"] > SHARES[0]:
        assert room(found["share"], longest)["starts"] and not room(found["share"] - 1, longest)["starts"]
    if found["longest"] is not None:
        higher = [choice for choice in LONGEST if choice > found["longest"]]
        assert room(share, found["longest"])["starts"]
        assert not any(room(share, choice)["starts"] for choice in higher)


def test_no_fix_where_there_is_none() -> None:
    """Rule: None for a setting that no single change mends."""
    assert fixes(measure(10, 128_000, 1, False, [])) == {"share": 44, "longest": None}
    assert fixes(measure(90, 10_000_000, 1, False, [])) == {"share": None, "longest": 128_000}


def test_measuring_twice_gives_the_same() -> None:
    """Rule: words are a function of numbers, numbers of settings."""
    assert describe_measured(measure(40, 8_000, 512)) == describe(40, 8_000, 512)


def test_the_swapped_list_is_starved_of_memory() -> None:
    """Rule: with short questions and long answers, memory and pauses do matter."""
    swapped = chat_list("swapped")
    run = measure(35, 8_000, 512, False, swapped).run
    assert run is not None and run["paused"] > 0
