"""Numbers that can be quoted: what the contract promises, and that they are the page's own."""

import re

import pytest

from poolroom import QUOTES, SimError, as_text, describe_measured, measure, page_words, quote
from poolroom.facts import CONTRACT, PRESETS
from tests.sim.tools import chats

RUNNING, STOPPED = measure(30, 8_000, 512), measure(43, 128_000, 64)
ONLY_STOPPED = {"tokens_short"}
ALWAYS = {
    "weights_gb", "reserve_gb", "pool_gb", "unused_gb", "allowed_gb", "chats", "blocks", "pool_tokens",
    "smallest_share", "largest_longest",
}  # fmt: skip


def test_the_contract_says_what_each_means() -> None:
    """Rule: the same names in the same order, each with a meaning of a sentence, a unit, and since when."""
    assert list(CONTRACT["quotes"]) == list(QUOTES)
    for name, said in CONTRACT["quotes"].items():
        assert re.fullmatch("[a-z]+(_[a-z]+)*", name)
        assert said["meaning"].endswith(".") and said["unit"] and said["since"] == 1


def test_presets_are_settings() -> None:
    """Rule: whatever a preset names can be quoted."""
    for changes in PRESETS.values():
        settings = {"share": 90, "longest": 8_000, "cap": 64, **changes}
        assert quote(measure(**settings), "chats") == "600"  # type: ignore[arg-type]


def test_they_are_the_numbers_of_the_lines() -> None:
    """Rule: same numbers, same writing, as the sentences have, where chats are paused and cache is rebuilt."""
    shown, beside = describe_measured(RUNNING), page_words(RUNNING)
    says = lambda line, *names: [quote(RUNNING, name) in line for name in names]  # noqa: E731
    assert all(says(shown["run"], "tokens_per_second", "ms_between_words", "running"))
    assert all(says(shown["room"], "room_typical", "room_at_longest"))
    assert all(says(shown["extra"], "held_percent", "paused", "rebuilt_tokens"))
    assert all(says(beside["first_word"], "first_word_seconds", "all_done_seconds", "served"))
    assert all(says(" ".join(shown["legend"]), "weights_gb", "reserve_gb", "pool_gb", "unused_gb"))
    assert quote(RUNNING, "peak_percent") == str(beside["peak"])
    assert f"{quote(STOPPED, 'tokens_short')} tokens short." in as_text(STOPPED)


@pytest.mark.parametrize("show", QUOTES)
def test_where_there_is_no_number_none_is_made_up(show: str) -> None:
    """Rule: a server that does not start has no speed, one that starts lacks nothing; a refusal says what there is."""
    for measured, has in ((RUNNING, show not in ONLY_STOPPED), (STOPPED, show in ALWAYS | ONLY_STOPPED)):
        if has:
            assert re.fullmatch(r"\d{1,3}(,\d{3})*(\.\d)?", quote(measured, show))
        else:
            with pytest.raises(SimError, match=f"show is “{show}”, but must be one of .*pool_gb") as refusal:
                quote(measured, show)
            assert show not in str(refusal.value).split("but must be")[1].split(":")[0].split(", ")


def test_nobody_served_has_no_times() -> None:
    """Rule: with every chat turned away there is no wait, no speed and no end, but a number of chats turned away."""
    nobody = measure(90, 8_000, 64, requests=chats((0, 9_000, 1), (0, 9_000, 1)))
    assert quote(nobody, "turned_away") == "2" and quote(nobody, "served") == "0"
    for show in ("tokens_per_second", "ms_between_words", "first_word_seconds", "all_done_seconds", "running"):
        with pytest.raises(SimError):
            quote(nobody, show)
