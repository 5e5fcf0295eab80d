"""A server that does not start is a state of its own, with the smallest way out of it as buttons."""

import pytest
from playwright.sync_api import expect

from poolroom import fixes, measure
from poolroom.facts import WORDS
from poolroom.words import say
from tests.browser.widget import START, Widget, lines_of, of_reference, sentence_of

STOPPED = {"share": 43, "longest": 128000}
HIDDEN_WHEN_STOPPED = ["run", "first-word", "same"]


@pytest.fixture
def stopped(widget: Widget) -> Widget:
    """A widget whose server does not start: one step too small a share for the longest chat."""
    widget.put(**STOPPED)
    return widget


def test_a_refusal_says_what_is_short_and_nothing_of_a_run(stopped: Widget) -> None:
    """The reference's lines, “3,344 tokens short.” among them; no line speaks of a run."""
    stopped.assert_shows(**STOPPED)
    expect(stopped.line("short")).to_have_text("3,344 tokens short.")
    for name in HIDDEN_WHEN_STOPPED:
        expect(stopped.line(name)).to_be_hidden()


def test_a_refusal_looks_stopped(stopped: Widget) -> None:
    """A badge, a cross over the pool in the warning colour, and no level, no tick, no percentage."""
    expect(stopped.host.locator(".badge")).to_be_visible()
    expect(stopped.host.locator(".badge")).to_have_text(WORDS["view"]["badge"])
    expect(stopped.host.locator(".levels")).to_be_hidden()
    for name, visibility in {".cross": "visible", ".water": "hidden", ".peak": "hidden"}.items():
        expect(stopped.host.locator(f".picture {name}")).to_have_css("visibility", visibility)
    warning, gap = (
        stopped.host.locator(f".picture {name}").first.evaluate("(line) => getComputedStyle(line).stroke")
        for name in (".cross line", ".gap")
    )
    assert warning != gap
    expect(stopped.host.locator(".picture [data-part=pool] .edge")).to_have_css("stroke", warning)
    label = stopped.host.locator(".picture").get_attribute("aria-label") or ""
    assert label.endswith(WORDS["view"]["bar_stopped"])


def test_a_server_that_runs_does_not_look_stopped(widget: Widget) -> None:
    """No badge, no cross, no buttons of a way out."""
    expect(widget.host.locator(".badge")).to_be_hidden()
    expect(widget.host.locator(".fixes")).to_be_hidden()
    expect(widget.host.locator(".picture .cross")).to_have_css("visibility", "hidden")


@pytest.mark.parametrize(("name", "change"), [
    ("Use 44 %", {"share": 44}), ("Use 64,000", {"longest": 64000}),
])  # fmt: skip
def test_a_button_makes_the_smallest_change_and_the_server_starts(
    stopped: Widget, name: str, change: dict[str, int]
) -> None:
    """It is the reader's own move: lines, controls and the spoken sentence follow."""
    stopped.button(name).click()
    stopped.assert_shows(**{**STOPPED, **change})
    expect(stopped.host.locator(".badge")).to_be_hidden()
    expect(stopped.host.locator(".fixes")).to_be_hidden()
    expect(stopped.status).to_have_text(sentence_of({**STOPPED, **change}, STOPPED))
    assert stopped.slider("share").input_value() == str({**STOPPED, **change}["share"])


@pytest.mark.parametrize("settings", [
    {"share": 30, "longest": 64000}, {"share": 30, "longest": 128000}, STOPPED,
])  # fmt: skip
def test_the_ways_out_are_the_references(widget: Widget, settings: dict[str, int]) -> None:
    """Each button offers what the reference finds to be the nearest choice that starts."""
    widget.put(**settings)
    offered: dict[str, int | None] = {**fixes(measure(settings["share"], settings["longest"], START["cap"]))}
    offered = {key: value for key, value in offered.items() if value is not None}
    wanted = [say(WORDS["view"][f"use_{key}"], **{key: value}) for key, value in offered.items()]
    assert widget.host.locator(".fix:visible").all_text_contents() == wanted
    for change in offered.items():
        assert of_reference(**{**settings, **dict([change])}).room["starts"]


def test_the_arrow_key_starts_the_server_too(stopped: Widget) -> None:
    """One step to the right on the memory share is the lesson's own way out."""
    stopped.press("share", "ArrowRight")
    stopped.assert_shows(share=44, longest=128000)
    stopped.press("share", "ArrowLeft")
    assert stopped.lines() == lines_of(of_reference(**STOPPED))


def test_the_track_is_dashed_where_the_server_does_not_start(stopped: Widget) -> None:
    """The stretch of choices that would not start is dashed, up to the first that does."""
    dashed = stopped.control("share").locator(".track .dashed")
    expect(dashed).to_have_css("visibility", "visible")
    assert dashed.get_attribute("x1") == "0%"
    assert float((dashed.get_attribute("x2") or "").rstrip("%")) == pytest.approx(100 * (44 - 30) / (98 - 30))
