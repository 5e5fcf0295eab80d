"""Who is waiting."""

import pytest

from poolroom import Request, SimError, backlog, chat_list, draw_chats, swapped
from poolroom.facts import CHATS


def test_the_chats_in_facts_are_the_drawn_ones() -> None:
    """Rule: facts hold what draw_chats(2026, 600) draws, pair by pair."""
    assert draw_chats() == {"prompts": CHATS["prompts"], "replies": CHATS["replies"]}


def test_the_drawn_chats_are_the_lessons() -> None:
    """Rule: the first pairs and the totals are known."""
    drawn = draw_chats()
    assert drawn["prompts"][:4] == [429, 1390, 408, 1816]
    assert drawn["replies"][:4] == [127, 290, 67, 144]
    assert len(drawn["prompts"]) == len(drawn["replies"]) == 600
    assert (sum(drawn["prompts"]), sum(drawn["replies"])) == (1_129_059, 94_117)


def test_another_seed_gives_other_chats_in_the_same_ranges() -> None:
    """Rule: prompt 300 to 6,000 tokens, reply 40 to 400; the seed decides which."""
    drawn = draw_chats(7, 500)
    assert drawn != draw_chats(8, 500)
    assert drawn == draw_chats(7, 500)
    assert min(drawn["prompts"]) >= 300 and max(drawn["prompts"]) <= 6_000
    assert min(drawn["replies"]) >= 40 and max(drawn["replies"]) <= 400


def test_a_shorter_draw_is_the_beginning_of_a_longer_one() -> None:
    """Rule: draws are made in order, so more chats never change the first ones."""
    assert draw_chats(n=10)["prompts"] == CHATS["prompts"][:10]


def test_the_backlog_waits_at_time_zero() -> None:
    """Rule: every chat of the lesson has arrived at 0, in its order."""
    waiting = backlog()
    assert [r.prompt for r in waiting] == CHATS["prompts"]
    assert {r.arrival for r in waiting} == {0.0}


def test_swapped_exchanges_prompt_and_reply() -> None:
    """Rule: the second list has the same 600 chats, the other way round."""
    assert swapped() == {"prompts": CHATS["replies"], "replies": CHATS["prompts"]}
    assert chat_list("swapped")[0] == Request(0.0, 127, 429)
    assert chat_list("lesson") == backlog()


@pytest.mark.parametrize("name", ["", "Lesson", None, 1, [], True])
def test_an_unknown_list_is_refused_by_name(name: object) -> None:
    """Rule: only the lists in facts have names."""
    with pytest.raises(SimError) as caught:
        chat_list(name)
    assert (caught.value.setting, caught.value.allowed) == ("chats", "chats")
