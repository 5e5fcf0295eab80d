"""One polite status: silent while something moves, one whole sentence after; and the words beside the lines."""

from typing import Any

import pytest
from playwright.sync_api import expect

from poolroom import same_line
from poolroom.facts import WORDS
from tests.browser.widget import START, Widget, lines_of, of_reference, sentence_of

WITHIN_MS = 1500


def test_the_status_is_polite_and_silent_on_load(timed: Widget) -> None:
    """One live region, unseen but not hidden; loading is no news. Nothing else is live, no <output> either."""
    timed.page.clock.run_for(5000)
    expect(timed.status).to_have_role("status")
    expect(timed.status).to_be_empty()
    assert timed.host.locator("output, [aria-live], [role=alert], [role=status], [role=log]").count() == 1


def test_holding_a_key_says_nothing_until_it_is_let_go(timed: Widget) -> None:
    """60 repeats in two seconds: silence, then the reference's sentence, once, within 1.5 s."""
    timed.slider("share").focus()
    for _ in range(60):
        timed.page.keyboard.down("ArrowLeft")
        timed.page.clock.run_for(33)
    assert timed.said() == []
    timed.page.keyboard.up("ArrowLeft")
    timed.page.clock.run_for(WITHIN_MS)
    assert timed.said() == [sentence_of({"share": 30})]
    timed.page.clock.run_for(5000)
    assert len(timed.said()) == 1


@pytest.mark.parametrize(("key", "value"), [("share", "40"), ("longest", "5"), ("cap", "9")])
def test_a_drag_says_its_end(timed: Widget, key: str, value: str) -> None:
    """Input events in quick succession end in one sentence about where they began and ended."""
    timed.slider(key).evaluate(
        """(slider, last) => {
          for (const place of [slider.max, slider.min, last]) {
            slider.value = place;
            slider.dispatchEvent(new Event('input'));
          }
        }""",
        value,
    )
    timed.page.clock.run_for(WITHIN_MS)
    after = {name: each for name, each in timed.settings().items() if each != START[name]}
    assert timed.said() == [sentence_of(after)]


def test_each_move_is_told_from_where_the_last_sentence_ended(timed: Widget) -> None:
    """Two moves with a pause between are two sentences; two without are one that names both."""
    timed.press("cap", "ArrowRight")
    timed.page.clock.run_for(WITHIN_MS)
    timed.press("share", "Home")
    timed.control("reserved").locator("input").check()
    timed.page.clock.run_for(WITHIN_MS)
    end = {"cap": 128, "share": 30, "reserved": True}
    assert timed.said() == [sentence_of({"cap": 128}), sentence_of(end, {"cap": 128})]


def test_start_again_is_said_at_once_and_alone(timed: Widget) -> None:
    """It takes the place of the sentence of the move before it."""
    timed.press("share", "Home")
    timed.page.clock.run_for(100)
    timed.button(WORDS["view"]["reset"]).click()
    assert timed.said() == [WORDS["status"]["back"]]
    timed.page.clock.run_for(5000)
    assert timed.said() == [WORDS["status"]["back"]]


def test_the_same_sentence_is_said_again(timed: Widget) -> None:
    """Out and back to a sentence that stands there already: the text differs by a space nobody hears."""
    for keys in (("ArrowRight", "ArrowLeft"), ("ArrowLeft", "ArrowRight")):
        timed.press("cap", *keys)
        timed.page.clock.run_for(WITHIN_MS)
    first, second = timed.said()
    assert first != second
    assert first.strip() == second.strip() == sentence_of({})


def test_a_swap_of_chats_is_said(timed: Widget) -> None:
    """The other list gives another result; the sentence is the reference's."""
    timed.field("chats").select_option("swapped")
    timed.page.clock.run_for(WITHIN_MS)
    assert timed.said() == [sentence_of({"chats": "swapped"})]


def test_a_refused_server_is_said(timed: Widget) -> None:
    """Not only shown: the sentence says that it does not start, and by how much."""
    timed.press("longest", "End")
    timed.page.clock.run_for(WITHIN_MS)
    timed.press("share", "Home")
    timed.page.clock.run_for(WITHIN_MS)
    assert timed.said()[-1] == sentence_of({"longest": 128000, "share": 30}, {"longest": 128000})


def test_real_time_keeps_the_promise_too(widget: Widget) -> None:
    """Without a made-up clock: nothing during 30 presses, the sentence by itself soon after."""
    widget.keep_log()
    widget.press("cap", *["ArrowLeft", "ArrowRight"] * 15, "ArrowRight")
    assert widget.said() == []
    expect(widget.status).to_have_text(sentence_of({"cap": 128}), timeout=WITHIN_MS + 3000)
    assert widget.said() == [sentence_of({"cap": 128})]


@pytest.mark.parametrize(("start", "move", "line"), [
    ({}, {"share": 80}, WORDS["same"]["seats"]),
    ({}, {"longest": 16000}, WORDS["same"]["length"]),
    ({"share": 30, "cap": 256}, {"cap": 512}, WORDS["same"]["pool"]),
    ({}, {"share": 80, "longest": 16000}, WORDS["same"]["run"]),
])  # fmt: skip
def test_a_move_that_changes_no_run_says_what_limits(
    widget: Widget, start: dict[str, Any], move: dict[str, Any], line: str
) -> None:
    """After the reader's own move the line says so; the reference agrees."""
    before, after = of_reference(**start), of_reference(**{**start, **move})
    widget.put(**start)
    expect(widget.line("same")).to_be_hidden()
    query = "&".join(f"{key}={value}" for key, value in {**start, **move}.items())
    widget.host.evaluate("(host, query) => host.follow('?' + query)", query)
    assert same_line(before, after) == line
    assert widget.lines() == lines_of(after, before)
    assert widget.lines()["same"] == line


def test_share_90_to_80_leaves_the_run_as_it_is(widget: Widget) -> None:
    """Step by step by keys, the line compares with where the move began; a change of the run takes it away."""
    widget.press("share", *["ArrowLeft"] * 10)
    expect(widget.line("same")).to_have_text("The run does not change: the seats are the limit.")
    widget.press("cap", "ArrowLeft")
    expect(widget.line("same")).to_be_hidden()


def test_the_lines_are_honest_about_waiting_and_best_cases(widget: Widget) -> None:
    """First word and caveat stand beside the three lines, and are the reference's for swapped chats too."""
    lines = widget.lines()
    assert lines["first-word"] == "The middle chat waits 37.5 s for its first word. All 600 are done after 78 s."
    assert lines["caveat"] == lines_of(of_reference())["caveat"]
    widget.field("chats").select_option("swapped")
    widget.field("cap").select_option("256")
    assert widget.lines() == lines_of(of_reference(chats="swapped", cap=256), of_reference())
