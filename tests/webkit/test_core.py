"""The same widget in WebKitGTK, the nearest to Safari here: keys, names, words, status, moves, hosts, policies."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver import WebKitGTK
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from poolroom import as_text
from poolroom.facts import CAPS, LONGEST, SHARES, WORDS
from poolroom.words import say
from tests.browser.test_actions import REFUSING
from tests.browser.test_controls import CHANGE, value_text
from tests.browser.test_pages import INJECT
from tests.browser.test_theme import AXE
from tests.browser.widget import START, STATES, lines_of, name_of, of_reference, sentence_of
from tests.webkit.conftest import Visit
from tests.webkit.widget import Widget

PAGES = ["index.html", "how.html", "poolroom.html"]
RANGES: dict[str, list[int]] = {"share": SHARES, "longest": LONGEST, "cap": CAPS}
NOTHING = WORDS["shown"]["nothing"]
CANNOT = [
    "a window below 447 px (MiniBrowser's own width): layout on a phone is seen in the other two",
    "the reader's wishes (scheme, forced colours, motion), print and the clipboard: no command of WebDriver's",
    "a clock that stands still: the status is timed by the real one",
    "keys inside a frame without rights (the driver finds nothing focusable there): clicks are used",
]


def test_what_the_driver_cannot_express(tell: Callable[[str], None]) -> None:
    """Rule: what is not seen in WebKitGTK is named."""
    for each in CANNOT:
        tell(f"not in WebKitGTK: {each}")
    assert len(CANNOT) <= 4


@pytest.mark.parametrize("key", RANGES)
def test_keys_move_a_slider_as_everywhere(widget: Widget, key: str) -> None:
    """Arrows go one choice, Home and End to the ends, Page keys further; the value text has the unit."""
    choices, at = RANGES[key], RANGES[key].index(START[key])
    arrows = ((Keys.ARROW_RIGHT, at + 1), (Keys.ARROW_LEFT, at), (Keys.ARROW_UP, at + 1), (Keys.ARROW_DOWN, at))
    for pressed, to in (*arrows, (Keys.HOME, 0), (Keys.END, len(choices) - 1)):
        widget.press(key, pressed)
        assert widget.settings()[key] == choices[to]
        assert widget.slider(key).get_attribute("aria-valuetext") == value_text(key, **{key: choices[to]})
        assert widget.lines()["room"] == lines_of(of_reference(**{key: choices[to]}))["room"]
    widget.press(key, Keys.PAGE_DOWN)
    assert choices.index(widget.settings()[key]) < len(choices) - 1


@pytest.mark.parametrize("key", RANGES)
def test_controls_have_their_labels_as_names(widget: Widget, key: str) -> None:
    """As the engine hands them on to a screen reader."""
    assert (widget.slider(key).accessible_name, widget.slider(key).aria_role) == (name_of(key), "slider")
    names = {"share": f"{name_of('share')}, {WORDS['view']['percent']}"}
    assert widget.field(key).accessible_name == names.get(key, name_of(key))


def test_switches_have_their_labels_as_names(widget: Widget) -> None:
    """The box, the list of chats and the help buttons."""
    assert widget.find(".check").accessible_name == name_of("reserved")
    assert widget.field("chats").accessible_name == WORDS["controls"]["chats"]["name"]
    asked = widget.find(".controls .ask").accessible_name
    assert asked == say(WORDS["view"]["help"], name=name_of("share"))


@pytest.mark.parametrize("selector", [".slider", ".field"])
@pytest.mark.parametrize("key", RANGES)
def test_change_alone_is_heard(widget: Widget, key: str, selector: str) -> None:
    """A swipe of VoiceOver on iOS fires `change` and no `input`."""
    choices = RANGES[key]
    to = choices[1] if selector == ".field" else {"share": SHARES[1]}.get(key, 1)
    widget.driver.execute_script(f"({CHANGE})(...arguments)", widget.find(f"[data-key={key}] {selector}"), to)
    assert widget.settings() == {**START, key: choices[1]}


@pytest.mark.parametrize("changes", STATES)
def test_lines_are_the_references(widget: Widget, changes: dict[str, Any]) -> None:
    """Opening, starved, refused, set aside, swapped, and with chats turned away."""
    widget.put(**changes)
    widget.assert_shows(**changes)


def test_field_list_and_box_are_moves(widget: Widget) -> None:
    """Each is one event with the settings, or for a typed number one a choice."""
    widget.keep_log()
    widget.choose("cap", 128)
    widget.tick()
    widget.type_over("share", "48")
    assert [event["detail"]["settings"] for event in widget.heard()] == [
        {**START, "cap": 128}, {**START, "cap": 128, "reserved": True},
        {**START, "share": 48, "cap": 128, "reserved": True},
    ]  # fmt: skip
    assert widget.slider("share").get_property("value") == "48"


@pytest.mark.parametrize(("typed", "value"), [("120", "120"), ("", NOTHING), ("abc", NOTHING)])
def test_a_typed_value_that_is_no_choice_is_refused(widget: Widget, typed: str, value: str) -> None:
    """A notice, spoken too, names control, value, what is allowed and what is used; the field shows that."""
    widget.type_over("share", typed)
    widget.keys(Keys.TAB)
    allowed = f"{SHARES[0]}–{SHARES[-1]}"
    notice = say(WORDS["notices"]["typed"], name=name_of("share"), value=value, allowed=allowed, used=START["share"])
    assert widget.told() == [notice]
    assert widget.status() == notice
    assert widget.field("share").get_property("value") == str(START["share"])


def test_the_status_speaks_once_after_the_move(widget: Widget) -> None:
    """Silent on load and while keys come, one sentence after."""
    assert widget.status() == ""
    widget.keep_log()
    widget.press("cap", *[Keys.ARROW_LEFT, Keys.ARROW_RIGHT] * 3, Keys.ARROW_RIGHT)
    widget.wait_for_status(sentence_of({"cap": 128}))
    assert widget.said() == [sentence_of({"cap": 128})]


def test_start_again_goes_to_the_authors_start_and_says_so(widget: Widget) -> None:
    """The attributes are the start; one sentence, at once."""
    widget.renew(share=60, cap=128)
    widget.press("longest", Keys.END)
    widget.wait_for_status(sentence_of({"share": 60, "cap": 128, "longest": 128000}, {"share": 60, "cap": 128}))
    widget.keep_log()
    widget.click("reset")
    assert widget.settings() == {**START, "share": 60, "cap": 128}
    assert widget.said() == [WORDS["status"]["back_author"]]


@pytest.mark.parametrize("how", REFUSING)
@pytest.mark.parametrize("what", ["link", "text"])
def test_where_copying_is_refused_a_field_holds_it_selected(widget: Widget, how: str, what: str) -> None:
    """A field with the focus, all of it selected, and a notice that says what to do."""
    widget.renew(address=True)
    widget.driver.execute_script(f"({REFUSING[how]})()")
    widget.click(f"copy-{what}")
    notice = WORDS["notices"][{"link": "copy", "text": "copy_text"}[what]]
    label = WORDS["view"][f"{what}_field"]
    name, value, start, end = widget.run(
        """async ({shadowRoot}) => {
          await new Promise((done) => setTimeout(done));
          const field = shadowRoot.activeElement;
          return [field.ariaLabel, field.value, field.selectionStart, field.selectionEnd];
        }"""
    )
    link = widget.run("(host) => host.link")
    assert name == label
    assert value == (link if what == "link" else f"{as_text(of_reference())}\n{link}")
    assert (start, end) == (0, len(value))
    assert notice in widget.host.text


def test_a_moved_or_returned_element_goes_on(widget: Widget) -> None:
    """Put elsewhere, taken out, changed and put back, it keeps its settings and answers to its controls."""
    widget.press("share", Keys.HOME)
    widget.run("(host) => document.body.prepend(document.createElement('div').appendChild(host))")
    widget.assert_shows(share=30)
    widget.press("share", Keys.ARROW_RIGHT)
    widget.assert_shows(of_reference(share=30), share=31)
    widget.run("(host) => { host.remove(); host.setAttribute('cap', '128'); document.body.append(host); }")
    assert widget.settings()["cap"] == 128
    assert widget.run("({shadowRoot}) => shadowRoot.querySelectorAll('.widget').length") == 1
    widget.press("share", Keys.END)
    assert widget.settings()["share"] == 98


def test_two_widgets_on_a_page_are_independent(visit: Visit, webkit: WebKitGTK, site: str) -> None:
    """A move of one leaves the other, a stopped one, as it is."""
    visit(site + "two.html")
    one, two = Widget(webkit, "#one"), Widget(webkit, "#two")
    stopped = {"share": 43, "longest": 128000, "reserved": True}
    one.press("share", Keys.HOME)
    one.assert_shows(of_reference(share=60, cap=128), share=30, cap=128)
    two.assert_shows(**stopped)
    two.tick()
    assert (one.settings()["reserved"], two.settings()["reserved"]) == (False, False)


def move(widget: Widget) -> None:
    """Move a widget and see that it answers."""
    widget.put(**START)
    widget.press("share", Keys.ARROW_LEFT)
    widget.find(".controls [data-key=reserved] .ask").click()
    widget.assert_shows(of_reference(), share=89)


@pytest.mark.parametrize("path", [*PAGES, "before.html", "owner.html"])
def test_pages_work_in_silence(visit: Visit, site: str, path: str) -> None:
    """No message, no error, no refusal."""
    widget = visit(site + path)
    if path != "how.html":
        move(widget)


@pytest.mark.parametrize("path", PAGES)
def test_pages_work_from_disk(visit: Visit, folder: Path, path: str) -> None:
    """A double click opens them."""
    widget = visit((folder / path).as_uri())
    if path != "how.html":
        move(widget)


@pytest.mark.parametrize("path", ["index.html", "bare.html", "two.html", "before.html"])
def test_pages_work_under_the_strictest_policy(visit: Visit, webkit: WebKitGTK, strict: str, path: str) -> None:
    """With every Trusted Types policy forbidden."""
    visit(strict + path)
    move(Widget(webkit, "pool-room:first-of-type"))


def test_the_policy_bites(webkit: WebKitGTK, strict: str) -> None:
    """The listener does see a page that breaks the strictest policy: markup from text is refused."""
    webkit.get(strict + "bare.html")
    assert webkit.execute_script(f"return ({INJECT})()") == "TypeError"
    told = webkit.execute_script("return new Promise((done) => setTimeout(() => done(window.troubles)))")
    assert any("require-trusted-types-for" in trouble for trouble in told)


def test_a_frame_without_rights_works(visit: Visit, webkit: WebKitGTK, site: str) -> None:
    """`sandbox="allow-scripts"`: no origin, no storage, no history of its own; it reads its address and answers."""
    outer = visit(site + "sandbox.html")
    webkit.switch_to.frame(webkit.find_element(By.CSS_SELECTOR, "iframe"))
    inner = Widget(webkit)
    inner.assert_shows(share=48, cap=128)
    inner.tick()
    inner.assert_shows(of_reference(share=48, cap=128), share=48, cap=128, reserved=True)
    inner.click("copy-link")
    assert webkit.execute_script("return window.troubles") == []
    assert outer.driver is inner.driver


def test_the_address_is_read_and_written(visit: Visit, site: str) -> None:
    """A good value is taken, a bad one named, and a move is written with the fragment kept."""
    widget = visit(f"{site}owner.html?share=48&cap=3#?secret=x")
    widget.assert_shows(share=48)
    assert widget.told() == [say(WORDS["notices"]["choice"], key="cap", value="3", used="64")]
    widget.press("share", Keys.ARROW_RIGHT)
    widget.wait_for_address(f"{site}owner.html?share=49#?secret=x")


def test_back_undoes_a_followed_link(visit: Visit, webkit: WebKitGTK, site: str) -> None:
    """A click on a “try this” link is a step in the history; Back brings the settings before it."""
    widget = visit(site + "index.html")
    webkit.find_element(By.CSS_SELECTOR, "a.try[href*='share=48']").click()
    widget.wait_for_address(site + "index.html?share=48")
    assert widget.settings() == {**START, "share": 48}
    webkit.back()
    widget.wait_for_address(site + "index.html")
    assert widget.settings() == START


def test_tab_reaches_every_control_and_shows_where_it_is(widget: Widget) -> None:
    """From the first help to the last button, no trap, nothing left out; what has the focus is in view."""
    wanted = widget.run(
        """({shadowRoot}) => [...shadowRoot.querySelectorAll('button, input, select')]
           .filter((node) => node.checkVisibility()).length"""
    )
    stops = []
    for _ in range(wanted):
        widget.keys(Keys.TAB)
        stops.append(
            widget.run(
                """({shadowRoot}) => {
              const node = shadowRoot.activeElement, {top, bottom} = node.getBoundingClientRect();
              return [[...shadowRoot.querySelectorAll('*')].indexOf(node), top >= -1 && bottom <= innerHeight + 1];
            }"""
            )
        )
    assert len({place for place, _ in stops}) == wanted
    assert all(seen for _, seen in stops)


@pytest.mark.parametrize("changes", [{}, {"share": 43, "longest": 128000}, {"chats": "swapped", "reserved": True}])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_wrong(widget: Widget, changes: dict[str, Any], scheme: str) -> None:
    """Opening, refused, swapped, in both themes, with a help open."""
    widget.renew(theme=scheme)
    widget.put(**changes)
    widget.find(".ask").click()
    widget.driver.execute_script(AXE.read_text("utf-8"))
    found = widget.driver.execute_script(
        "return axe.run(document.querySelector('pool-room'), {resultTypes: ['violations']})"
        ".then(({violations}) => violations.map(({id, nodes}) => `${id}: ${nodes.map((n) => n.target)}`))"
    )
    assert found == []
