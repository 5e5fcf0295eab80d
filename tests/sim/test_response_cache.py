"""The cache in front of a model: keys, wrong answers, and what the hits are worth."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from poolroom import SimError
from poolroom.response_cache import (
    KEYS,
    LONG,
    SHORT,
    Ask,
    asks,
    forgetful_key,
    hits_by_capacity,
    joined_key,
    serve_cached,
    served_rate,
    whole_key,
)
from poolroom.serving_facts import TOOLS
from poolroom.tools import answer

texts = st.text(alphabet="a|1é𝒳", max_size=4)
some_asks = st.builds(Ask, texts, texts, st.sampled_from([1, 12, 128, 512]))


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Ask, Ask]:
    """Two requests whose texts are the same parts, cut at two places: those that a careless key takes for one."""
    parts, glue = draw(st.lists(texts, min_size=2, max_size=4)), draw(st.sampled_from(["", "|"]))
    cuts = [draw(st.integers(1, len(parts) - 1)) for _ in range(2)]
    lengths = [draw(st.sampled_from([1, 12, 12, 512])) for _ in range(2)]
    one, other = (
        Ask(glue.join(parts[:cut]), glue.join(parts[cut:]), most) for cut, most in zip(cuts, lengths, strict=True)
    )
    return one, other


def served(row: list[Ask], capacity: int, kind: str) -> Any:
    """What a cache does with keys of a kind."""
    return serve_cached(row, [KEYS[kind](ask) for ask in row], capacity)


def said(**changed: Any) -> dict[str, str]:
    """The tool's lines."""
    return answer("cache", changed)["lines"]


@settings(deadline=None)
@given(pairs() | st.tuples(some_asks, some_asks))
def test_a_whole_key_belongs_to_one_request(pair: tuple[Ask, Ask]) -> None:
    """Rule: two requests share it only where every parameter is the same, whatever bars and digits the texts hold."""
    one, other = pair
    assert (whole_key(one) == whole_key(other)) == (one == other)


@settings(deadline=None)
@given(pairs())
def test_a_forgetful_key_forgets_the_length_and_nothing_else(pair: tuple[Ask, Ask]) -> None:
    """Rule: requests share it exactly where both texts are the same."""
    one, other = pair
    same_texts = (one.system, one.prompt) == (other.system, other.prompt)
    assert (forgetful_key(one) == forgetful_key(other)) == same_texts


def test_a_joined_key_collides_where_a_text_holds_a_bar() -> None:
    """Rule: “a|b” + “c” and “a” + “b|c” are joined into the same text."""
    one, other = Ask("a|b", "c", 128), Ask("a", "b|c", 128)
    assert one != other and joined_key(one) == joined_key(other) == "a|b|c|128"


@settings(deadline=None)
@given(texts, texts, st.integers(1, 99), st.integers(1, 99))
def test_the_lessons_own_key_is_safe(one: str, other: str, few: int, more: int) -> None:
    """Rule: with one text between parts that hold no bar, as the lesson has it, no two requests are joined alike."""
    keys = [f"model|{prompt}|{most}|greedy" for prompt, most in ((one, few), (other, more))]
    assert (keys[0] == keys[1]) == ((one, few) == (other, more))


def test_a_row_by_hand() -> None:
    """Rule: short, long, short again, under a forgetful key: two hits, of which the long request gets the short one."""
    short, long = Ask("s", "p", 128), Ask("s", "p", 512)
    found = served([short, long, short], 9, "forgetful")
    assert (found.hits, found.misses, found.wrong, found.held, found.evictions) == (2, 1, 1, 1, 0)
    assert found.first_wrong is not None
    assert (found.first_wrong.place, found.first_wrong.asked, found.first_wrong.got) == (2, long, short)
    right = served([short, long, short], 9, "whole")
    assert (right.hits, right.misses, right.wrong, right.first_wrong) == (1, 2, 0, None)


@pytest.mark.parametrize("exponent", [0, 0.8, 1.2])
def test_more_capacity_never_means_fewer_hits(exponent: float) -> None:
    """Rule: the inclusion property of LRU on rows by chance, and the end of the curve: all but first times hit."""
    row = asks(1500, 200, exponent, 2)
    hits = [served(row, capacity, "whole").hits for capacity in (0, 1, 2, 5, 20, 100, 300, 400, 1500)]
    assert hits == sorted(hits) and hits[0] == 0 < hits[1] < hits[-1]
    assert hits[-1] == hits[-2] == len(row) - len(set(row))


@pytest.mark.parametrize("exponent", [0, 0.8, 2])
def test_one_pass_counts_what_each_capacity_serves(exponent: float) -> None:
    """Rule: hits by stack distance are those of a cache of each capacity, from none to more than it needs."""
    row = asks(600, 100, exponent, 3)
    keys = [KEYS["forgetful"](ask) for ask in row]
    hits = hits_by_capacity(keys)
    assert hits == [serve_cached(row, keys, capacity).hits for capacity in range(len(set(keys)) + 1)]
    assert hits[-1] == serve_cached(row, keys, len(row)).hits
    assert hits_by_capacity([]) == [0] and hits_by_capacity(["a", "b", "a", "a"]) == [0, 1, 2]


def test_popular_prompts_hit_more() -> None:
    """Rule: the more uneven the popularity, the more a small cache hits."""
    hits = [served(asks(2000, 1024, exponent, 1), 64, "whole").hits for exponent in (0, 0.6, 0.8, 1, 1.2)]
    assert hits == sorted(hits) and hits[-1] > 3 * hits[0]


def test_evenly_asked_prompts_hit_as_capacity_over_requests() -> None:
    """Rule: at exponent 0, with one length alike, a full cache of 100 of 200 prompts knows half of what is asked."""
    row = [ask for ask in asks(20_000, 200, 0, 5) if ask.max_new_tokens == 128]
    found = served(row, 100, "whole")
    assert found.hits / len(row) == pytest.approx(0.5, abs=0.02)


def test_what_a_row_is_made_of() -> None:
    """Rule: one request in four may be long; the third and fourth of each 16 prompts hold a bar, and collide joined."""
    row = asks(20_000, 64, 0, 1)
    long = sum(ask.max_new_tokens == 512 for ask in row)
    assert 4_750 <= long <= 5_250
    barred = {(ask.system, ask.prompt) for ask in row if "|" in ask.system + ask.prompt}
    assert len({(ask.system, ask.prompt) for ask in row}) == 64 and len(barred) == 8
    together = Counter("|".join(pair) for pair in barred)
    assert len(together) == 4 and set(together.values()) == {2}


@pytest.mark.parametrize("kind", KEYS)
def test_counts_add_up(kind: str) -> None:
    """Rule: hits and misses are all requests; wrong answers are hits; misses are held or dropped."""
    row = asks(2000, 256, 1, 3)
    for capacity in (1, 64, 4096):
        found = served(row, capacity, kind)
        assert found.hits + found.misses == 2000 and found.misses == found.held + found.evictions
        assert found.wrong <= found.hits and (found.wrong > 0) == (found.first_wrong is not None)
        assert kind != "whole" or found.wrong == 0


def test_what_hits_are_worth() -> None:
    """Rule: half of the requests from the cache doubles the rate, three in four make it four times as much."""
    assert [served_rate(1000, hits, misses) for hits, misses in ((0, 7), (5, 5), (3, 1))] == [1000, 2000, 4000]


def test_the_opening_answer() -> None:
    """Rule: what the page says first."""
    assert list(said().values()) == [
        "The cache answers 872 of 2,000 requests: *44%* are hits.",
        "The model writes 1,000 tokens a second, the floor above as it opens. With the cache, users get *1,773* while "
        "the model is the limit and kept answers are as long as others.",
        "Different keys: 825, and each has to miss once. Even a cache without limit hits no more than 59%.",
        "Held at the end: 256, dropped: 872. At most 524.3 kB of text (512 tokens each), none of it on the card.",
        "*No wrong answer*: every parameter is in the key.",
    ]


def test_a_forgetful_key_is_named_with_the_first_it_wronged() -> None:
    """Rule: the lesson's warning: a request for 512 tokens gets an answer made for 128, and it counts as a hit."""
    line = said(key="forgetful")["wrong"]
    assert (
        "asked for “Answer” + “Question 1”, 512 tokens and got what was made for “Answer” + “Question 1”, 128" in line
    )
    assert line.startswith("Wrong answers: *425*, counted as hits. The first, request 3,")
    assert "*55%*" in said(key="forgetful")["hits"] and "*44%*" in said()["hits"]


def test_a_joined_key_is_named_too() -> None:
    """Rule: two texts with a bar between them are taken for two others."""
    line = said(key="joined")["wrong"]
    assert "“Translate|to German” + “Text 1”" in line and "“Translate” + “to German|Text 1”" in line


def test_the_help_names_the_figures() -> None:
    """Rule: what is typed into the words is what the row is made of."""
    told = TOOLS["cache"]["words"]["controls"]["prompts"]["help"]
    assert told.startswith(f"{TOOLS['cache']['figures']['requests']['value']:,} made-up requests")
    assert f"{LONG} tokens, the others for {SHORT}." in told


def test_no_wrong_answer_yet_is_luck() -> None:
    """Rule: a faulty key that did no harm here is not called right."""
    assert "by luck" in said(key="joined", prompts=1)["wrong"]
    assert "by luck" in said(key="forgetful", capacity=0)["wrong"]


@pytest.mark.parametrize("capacity", [0, 7, 64, 10**9])
def test_the_rows(capacity: int) -> None:
    """Rule: hits in percent at each offered capacity and the chosen one, which is marked; then who answered."""
    rows = answer("cache", {"capacity": capacity, "key": "forgetful"})["rows"]
    curve, counts = rows[:-3], rows[-3:]
    offered = sorted({*TOOLS["cache"]["controls"]["capacity"]["values"], capacity})
    assert [row["name"] for row in curve] == [f"{n:,} answers" for n in offered]
    assert [row["name"] for row in curve if row["kind"] == "good"] == [f"{capacity:,} answers"]
    assert [row["amount"] for row in curve] == sorted(row["amount"] for row in curve)
    assert sum(row["amount"] for row in counts) == 2000
    assert [row["kind"] for row in counts] == ["plain", "good", "cost"]


BAD: dict[str, list[Any]] = {
    "capacity": [-1, 0.5, True, None, "64", [], float("nan"), float("inf"), 2**53],
    "prompts": [0, 4097, 1.5, True, None, "64", float("nan")],
    "exponent": [-1, 0.5, 2.2, True, None, "1", float("nan"), float("inf")],
    "key": ["", "Whole", None, 1, True, ["whole"], {}],
}


@pytest.mark.parametrize("key", BAD)
def test_settings_that_cannot_be_used_are_named(key: str) -> None:
    """Rule: each refusal names its setting."""
    for value in BAD[key]:
        with pytest.raises(SimError, match=f"^{key} ") as refusal:
            answer("cache", {key: value})
        assert refusal.value.setting == key


@pytest.mark.parametrize("arguments", [(1000, 0, 0), (1000, -1, 1), (-1, 1, 1), (float("nan"), 1, 1), (True, 1, 1)])
def test_rates_that_cannot_be(arguments: Any) -> None:
    """Rule: the first request of a row is always a miss, so that nothing is divided by 0."""
    with pytest.raises(SimError):
        served_rate(*arguments)
