"""Number formats, plural forms, and the lines in every case they have."""

import re

import pytest

from poolroom import extra_line, room, room_line, run_line, serve, words
from poolroom.facts import WORDS
from tests.sim.tools import ONE_SECOND, chats


@pytest.mark.parametrize(
    ("n", "text"),
    [
        (0, "0"),
        (7, "7"),
        (999, "999"),
        (1_000, "1,000"),
        (1_202, "1,202"),
        (12_345, "12,345"),
        (999_999, "999,999"),
        (1_000_000, "1,000,000"),
        (1_000_001, "1,000,001"),
        (2**53 - 1, "9,007,199,254,740,991"),
    ],
)
def test_thousands_are_set_apart(n: int, text: str) -> None:
    """Rule: groups of three digits with the separator of the words file."""
    assert words.commas(n) == text == f"{n:,}"


@pytest.mark.parametrize(
    ("x", "text"),
    [
        (0.0, "0.0"),
        (0.04, "0.0"),
        (0.05, "0.1"),
        (0.25, "0.3"),
        (0.35, "0.4"),
        (47.25, "47.3"),
        (47.249999999999993, "47.2"),
        (9.95, "10.0"),
        (999.95, "1,000.0"),
        (1_234.56, "1,234.6"),
        (2.0, "2.0"),
    ],
)
def test_tenths_round_halves_up(x: float, text: str) -> None:
    """Rule: floor(10·x + 0.5) tenths; thousands set apart."""
    assert words.tenths(x) == text


@pytest.mark.parametrize(("x", "n"), [(0.0, 0), (0.49, 0), (0.5, 1), (1.5, 2), (2.5, 3), (61.97, 62)])
def test_whole_numbers_round_halves_up(x: float, n: int) -> None:
    """Rule: floor(x + 0.5), never to the even neighbour."""
    assert words.whole_number(x) == n


@pytest.mark.parametrize(
    ("x", "n"), [(0.0, 0), (0.004, 0), (0.005, 1), (0.125, 13), (0.3149, 31), (0.315, 32), (0.9949, 99), (1.0, 100)]
)
def test_percent_rounds_halves_up(x: float, n: int) -> None:
    """Rule: floor(100·x + 0.5)."""
    assert words.percent(x) == n


@pytest.mark.parametrize(
    ("nbytes", "text"), [(0, "0.0"), (49_999_999, "0.0"), (50_000_000, "0.1"), (16_060_522_496, "16.1")]
)
def test_gb_are_billions_of_bytes(nbytes: int, text: str) -> None:
    """Rule: GB = 10^9 bytes, one decimal."""
    assert words.gb(nbytes) == text


@pytest.mark.parametrize(
    ("n", "form"), [(0, "other"), (1, "one"), (2, "other"), (11, "other"), (21, "other"), (101, "other")]
)
def test_english_has_two_plural_forms(n: int, form: str) -> None:
    """Rule: one for 1, other for the rest."""
    assert words.plural_form(n) == form


def test_other_languages_plural_rules_work() -> None:
    """Rule: rules are tried in order on n, or on n modulo `mod`: here Polish, without its teens."""
    rules = [
        {"form": "one", "from": 1, "to": 1},
        {"form": "many", "mod": 100, "from": 12, "to": 14},
        {"form": "few", "mod": 10, "from": 2, "to": 4},
    ]
    polish = {**WORDS, "plurals": rules}
    forms = [words.plural_form(n, polish) for n in (1, 2, 5, 12, 22, 112, 104)]
    assert forms == ["one", "few", "other", "many", "few", "many", "few"]


def test_a_template_is_filled_by_name_and_form() -> None:
    """Rule: whole numbers get separators, text stays; the form follows the number that `by` names."""
    template = {"by": "n", "one": "*{n}* chat {x}", "other": "*{n}* chats {x}"}
    assert words.say(template, n=1, x="y") == "1 chat y"
    assert words.say(template, n=1_000, x="1000") == "1,000 chats 1000"
    assert words.marked(["*{n}*.", "{n}"], {"n": 2}) == ["*2*.", "2"]


def test_the_words_form_that_is_lacking_is_the_other_one() -> None:
    """Rule: a template without the wanted form uses "other"."""
    assert words.say({"by": "n", "other": "{n} things"}, n=1) == "1 things"


def test_room_lines() -> None:
    """Rule: three first lines: room, set aside, not starting."""
    assert room_line(room(90, 8_000), 8_000, False) == (
        "Room for 205 chats of 2,000 tokens at once. 51 if every chat ran to 8,000."
    )
    assert room_line(room(90, 8_000, True), 8_000, True) == (
        "Room for 51 chats at once, because each one holds 8,000 tokens whether it uses them or not."
    )
    assert room_line(room(30, 128_000), 128_000, False) == (
        "The server will not start. One chat of 128,000 tokens needs room for 128,000 tokens; the pool holds 45,312."
    )
    assert "needs room for 48 tokens" in room_line(room(22, 33), 33, False)


def test_run_lines() -> None:
    """Rule: four second lines: run, no gaps, all turned away, no chats; “1 chats” is the lesson's own."""
    run = serve(chats((0, 5, 3)), 8, 9, 48, cost=ONE_SECOND)
    assert run_line(run, 8) == (
        "Running on average: 1 chats (up to 8). Everyone together: 1 tokens a second. "
        "One user waits 1,000.0 ms between words."
    )
    no_gaps = serve(chats((0, 5, 1)), 8, 9, 48, cost=ONE_SECOND)
    assert run_line(no_gaps, 8) == "Running on average: 1 chats (up to 8). Everyone together: 1 tokens a second."
    assert run_line(serve([], 8, 9, 48), 8) == "No chats to serve."
    three = serve(chats(*[(0, 8_000, 1)] * 3), 8, 500, 8_000)
    assert run_line(three, 8, 8_000) == "No chat runs: all 3 are longer than 8,000 tokens."
    one = serve(chats((0, 8_000, 1)), 8, 500, 8_000)
    assert run_line(one, 8, 8_000) == "No chat runs: the only one is longer than 8,000 tokens."


def test_extra_lines() -> None:
    """Rule: the third line has one to three sentences, and none where nobody is served."""
    run = serve(chats((0, 15, 20), (0, 16, 16), (0, 30, 4), (0, 99, 1)), 8, 4, 48, cost=ONE_SECOND)
    assert extra_line(run) == (
        "The chats in progress hold 91% of the cache pool on average. 1 of 4 chats turned away: too long. "
        "1 chats paused to free room; 31 tokens of cache rebuilt."
    )
    assert extra_line(serve([], 8, 9, 48)) == ""
    full = serve(chats((0, 5, 3)), 8, 3, 48, True, ONE_SECOND)
    assert extra_line(full) == "The chats in progress hold 100% of the cache pool on average."


def test_the_settings_in_words() -> None:
    """Rule: value texts carry their unit; GB of the longest chat have two decimals."""
    assert words.share_value(room(90, 8_000), 90) == "90 percent, 72.0 of 80 GB"
    assert words.longest_value(room(90, 8_000), 8_000) == "8,000 tokens, 1.05 GB"
    assert words.longest_value(room(90, 128_000), 128_000) == "128,000 tokens, 16.78 GB"
    assert (words.cap_value(1), words.cap_value(64)) == ("1 chat", "64 chats")


def test_no_line_keeps_a_mark_or_a_placeholder() -> None:
    """Rule: plain text has neither asterisks nor braces."""
    run = serve(chats((0, 15, 20), (0, 16, 16), (0, 30, 4)), 8, 4, 48)
    for line in (room_line(room(90, 8_000), 8_000, False), run_line(run, 8), extra_line(run)):
        assert not re.search(r"[*{}]", line)
