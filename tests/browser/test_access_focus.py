"""The keyboard alone is enough: order, ring, no trap, nothing covered, every setting within reach."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import expect

from poolroom.facts import WORDS
from tests.browser.access import AUTHORS, EVERYTHING, STOP, changed, clear, guard, picture_of, show, stops
from tests.browser.png import Picture
from tests.browser.test_layout import COVERED
from tests.browser.widget import START, Widget, of_reference, two_frames

Reader = Callable[..., Widget]
LOOKS = {
    "light": {"color_scheme": "light"},
    "dark": {"color_scheme": "dark"},
    "forced, light": {"forced_colors": "active", "color_scheme": "light"},
    "forced, dark": {"forced_colors": "active", "color_scheme": "dark"},
}
RINGED = {
    "help": ".control .ask >> nth=0",
    "help of a part": ".legend .ask >> nth=0",
    "slider": ".control[data-key=cap] .slider",
    "number": ".field[type=number]",
    "list": ".control[data-key=cap] .field",
    "box": ".check",
    "fix": ".fix >> nth=0",
    "button": ".action >> nth=0",
    "link": ".about",
}
ROOM = 8  # px around a control in which its ring lies
THUMB = (12, 24)  # px


def goes_back(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether the next stop stands above the present one, but for a column to the right, or left of it on its row."""
    if other["bottom"] <= one["top"]:
        return bool(other["left"] < one["right"])
    middle = (other["top"] + other["bottom"]) / 2
    return bool(one["top"] <= middle <= one["bottom"] and other["right"] <= one["left"])


@pytest.mark.parametrize("width", [360, 768, 1280])
@pytest.mark.parametrize("author", AUTHORS)
def test_tab_goes_as_the_eye_does_and_out_at_both_ends(widget: Widget, author: str, width: int) -> None:
    """Rows from above, each from the left; Shift+Tab the same way back; no trap at either end."""
    show(widget, width, 1600, **{**EVERYTHING, **AUTHORS[author]})
    guard(widget)
    there = stops(widget)
    expect(widget.page.locator("#after")).to_be_focused()
    back = stops(widget, "Shift+Tab")
    expect(widget.page.locator("#before")).to_be_focused()
    usable = widget.host.evaluate(
        """({shadowRoot}) => [...shadowRoot.querySelectorAll('button, input, select, a[href]')]
           .filter((node) => node.checkVisibility() && !node.disabled).length"""
    )
    assert len({stop["place"] for stop in there}) == len(there) == usable
    assert [stop["place"] for stop in back] == [stop["place"] for stop in reversed(there)]
    pairs = pairwise(there)
    assert [f"{one['name']} → {other['name']}" for one, other in pairs if goes_back(one, other)] == []


def around(picture: Picture, inner: int) -> Picture:
    """A picture with what lies more than `inner` px from its edge taken out."""
    high, wide = len(picture), len(picture[0])
    return [
        [row[x] for x in range(wide) if not (inner <= x < wide - inner and inner <= y < high - inner)]
        for y, row in enumerate(picture)
    ]


@pytest.mark.parametrize("look", LOOKS)
def test_the_ring_stands_out_three_to_one(reader: Reader, look: str) -> None:
    """The pixels that the focus changes around a control, or around the thumb, are as many as a line of 2 px has."""
    widget = reader(**LOOKS[look])
    show(widget, 1280, 1200, about="how.html", **EVERYTHING)
    widget.host.evaluate("(host) => { host.style.margin = '20px'; }")
    weak = {name: rung for name, where in RINGED.items() if (rung := ring(widget, where)) < 1}
    assert weak == {}


def ring(widget: Widget, selector: str) -> float:
    """The area that the focus changes by 3:1, as a part of a line of 2 px around what has it."""
    node = widget.host.locator(selector)
    box = node.evaluate("(node) => node.getBoundingClientRect().toJSON()")
    is_slider = ".slider" in selector
    widget.page.keyboard.press("Tab")  # the reader uses the keyboard
    node.evaluate("(node) => node.blur()")
    widget.page.evaluate("() => document.activeElement.shadowRoot?.activeElement?.blur()")
    two_frames(widget.page)
    before = picture_of(widget, box, ROOM)
    node.focus()
    two_frames(widget.page)
    after = picture_of(widget, box, ROOM)
    if ".field" in selector:  # the caret and the chosen text are no ring
        before, after = around(before, ROOM - 1), around(after, ROOM - 1)
    width, height = THUMB if is_slider else (box["width"], box["height"])
    return clear(changed(before, after)) / (0.75 * 2 * 2 * (width + height))


def test_a_control_without_the_focus_has_no_ring(widget: Widget) -> None:
    """The measure bites: where the focus stays away, nothing changes."""
    box = widget.slider("cap").evaluate("(node) => node.getBoundingClientRect().toJSON()")
    before = picture_of(widget, box, ROOM)
    widget.slider("share").focus()
    assert changed(before, picture_of(widget, box, ROOM)) == []


@pytest.mark.parametrize(("width", "height"), [(320, 200), (360, 640), (768, 480), (1280, 500)])
@pytest.mark.parametrize("author", ["compact", "in part"])
def test_nothing_covers_the_focus_of_an_authors_widget(widget: Widget, author: str, width: int, height: int) -> None:
    """2.4.11 for compact widgets with a caption: the bar that stays in view lies over no stop, either way."""
    show(widget, width, height, **{**EVERYTHING, **AUTHORS[author], "caption": "A caption " * 8})
    guard(widget)
    for key in ("Tab", "Shift+Tab"):
        count = 0
        for _ in range(60):
            widget.page.keyboard.press(key)
            stop = widget.page.evaluate(COVERED)
            if stop is None:
                break
            count += 1
            assert stop["free"], (key, stop["name"])
        assert count >= 8


def go_to(widget: Widget, place: str) -> None:
    """Press Tab until the focus is on what a selector means."""
    for _ in range(60):
        if widget.page.evaluate(STOP) and widget.host.evaluate(
            "({shadowRoot}, place) => shadowRoot.activeElement.matches(place)", place
        ):
            return
        widget.page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not reach {place}")


def test_the_keyboard_alone_changes_reads_and_copies_everything(widget: Widget) -> None:
    """From a button before the widget to one after it, with keys only, and every move counts."""
    guard(widget)
    keys = widget.page.keyboard
    walk: list[tuple[str, list[str], dict[str, Any]]] = [
        ("[data-key=share] .ask", ["Enter", "Escape"], {}),
        ("[data-key=share] .field", ["ControlOrMeta+a", "Delete", "8", "0"], {"share": 80}),
        ("[data-key=share] .slider", ["ArrowLeft"], {"share": 79}),
        ("[data-key=longest] .field", ["ArrowDown"], {"longest": 16000}),
        ("[data-key=longest] .slider", ["ArrowRight"], {"longest": 32000}),
        ("[data-key=cap] .field", ["ArrowUp"], {"cap": 32}),
        ("[data-key=cap] .slider", ["Home", "ArrowRight"], {"cap": 2}),
        ("[data-key=chats] .field", ["ArrowDown"], {"chats": "swapped"}),
        (".check", ["Space"], {"reserved": True}),
    ]
    now: dict[str, Any] = {}
    for place, pressed, change in walk:
        go_to(widget, place)
        for key in pressed:
            keys.press(key)
        now.update(change)
        assert widget.settings() == {**START, **now}, place
    go_to(widget, "[data-action=copy-link]")
    keys.press("Enter")
    expect(widget.status).to_have_text(WORDS["status"]["copied_link"])
    go_to(widget, "[data-action=copy-text]")
    keys.press("Space")
    expect(widget.status).to_have_text(WORDS["status"]["copied_text"])
    go_back = "[data-action=reset]"
    for _ in range(2):
        keys.press("Shift+Tab")
    assert widget.host.evaluate("({shadowRoot}, place) => shadowRoot.activeElement.matches(place)", go_back)
    keys.press("Enter")
    expect(widget.status).to_have_text(WORDS["status"]["back"])
    assert widget.settings() == START
    assert widget.lines()["caveat"]
    for _ in range(3):
        keys.press("Tab")
    expect(widget.page.locator("#after")).to_be_focused()


@pytest.mark.parametrize(("hide", "next_key"), [("", "share"), ("share", "longest")])
def test_the_keyboard_alone_starts_a_refused_server(widget: Widget, hide: str, next_key: str) -> None:
    """The pressed fix goes away; the focus goes on to the control that it moved, or to another that is there."""
    widget.renew(hide=hide, **EVERYTHING)
    guard(widget)
    go_to(widget, ".fix")
    widget.page.keyboard.press("Enter")
    assert of_reference(**{**EVERYTHING, "share": widget.settings()["share"]}).room["starts"]
    expect(widget.slider(next_key)).to_be_focused()
