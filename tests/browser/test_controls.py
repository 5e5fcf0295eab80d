"""Every control has a name, a value with its unit, keys, and a second way in; nothing is changed silently."""

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from poolroom.facts import CAPS, CHOICES, LONGEST, SHARES, WORDS
from poolroom.words import cap_value, commas, longest_value, say, share_value
from tests.browser.widget import START, Widget, lines_of, name_of, of_reference, type_over

RANGES: dict[str, list[int]] = {"share": SHARES, "longest": LONGEST, "cap": CAPS}
SMALLEST_TARGET = 24
NOTHING = WORDS["shown"]["nothing"]
CHANGE = "(field, to) => { field.value = String(to); field.dispatchEvent(new Event('change')); }"


def value_text(key: str, **changes: Any) -> str:
    """What the reference wants a slider's value to be called."""
    measured = of_reference(**changes)
    texts = {
        "share": share_value(measured.room, measured.share),
        "longest": longest_value(measured.room, measured.longest),
        "cap": cap_value(measured.cap),
    }
    return texts[key]


@pytest.mark.parametrize("key", RANGES)
def test_a_slider_has_its_label_as_its_name(widget: Widget, key: str) -> None:
    """The visible label, a <label> of the slider, is its accessible name; vLLM's name stands beside it."""
    slider = widget.slider(key)
    expect(slider).to_have_accessible_name(name_of(key))
    expect(slider).to_have_role("slider")
    expect(widget.control(key).locator("label.name")).to_be_visible()
    expect(widget.control(key).locator("code")).to_have_text(CHOICES[key]["vllm"])


@pytest.mark.parametrize("key", RANGES)
def test_the_second_way_in_bears_the_same_name(widget: Widget, key: str) -> None:
    """The number field or list beside a slider has a name that begins with the visible label."""
    names = {"share": f"{name_of('share')}, {WORDS['view']['percent']}"}
    expect(widget.field(key)).to_have_accessible_name(names.get(key, name_of(key)))


def test_switches_have_their_labels_as_names(widget: Widget) -> None:
    """A click on the words ticks the box; the list of chats is named by its label."""
    box = widget.host.get_by_role("checkbox", name=name_of("reserved"), exact=True)
    widget.host.get_by_text(name_of("reserved"), exact=True).click()
    expect(box).to_be_checked()
    chats = WORDS["controls"]["chats"]
    field = widget.host.get_by_role("combobox", name=chats["name"], exact=True)
    assert field.locator("option").all_text_contents() == [chats["lesson"], chats["swapped"]]


@pytest.mark.parametrize("key", RANGES)
def test_keys_move_a_slider_as_everywhere(widget: Widget, key: str) -> None:
    """Arrows go one choice, Home and End to the ends, Page keys further; the value text has the unit."""
    choices, at = RANGES[key], RANGES[key].index(START[key])
    for pressed, to in (("ArrowRight", at + 1), ("ArrowLeft", at), ("ArrowUp", at + 1), ("ArrowDown", at)):
        widget.press(key, pressed)
        assert widget.settings()[key] == choices[to]
        expect(widget.slider(key)).to_have_attribute("aria-valuetext", value_text(key, **{key: choices[to]}))
    for pressed, to in (("Home", 0), ("End", -1)):
        widget.press(key, pressed)
        widget.assert_shows(of_reference(), **{key: choices[to]})
    widget.press(key, "PageDown")
    assert choices.index(widget.settings()[key]) < len(choices) - 1


@pytest.mark.parametrize("key", RANGES)
def test_a_slider_says_its_ends_and_place(widget: Widget, key: str) -> None:
    """Least, most and now as the browser hands them on; a stop for every choice and none between."""
    choices = RANGES[key]
    least, most, step, now = widget.slider(key).evaluate("(s) => [s.min, s.max, s.step, s.value].map(Number)")
    assert most - least == len(choices) - 1
    assert step == 1
    assert now - least == choices.index(START[key])


@pytest.mark.parametrize("key", RANGES)
def test_slider_and_field_show_one_value(widget: Widget, key: str) -> None:
    """Setting either moves the other."""
    choices = RANGES[key]
    widget.press(key, "Home")
    expect(widget.field(key)).to_have_value(str(choices[0]))
    choose(widget.field(key), choices[2])
    assert widget.settings()[key] == choices[2]
    assert widget.slider(key).evaluate("(s) => s.value - s.min") == 2
    assert widget.lines() == lines_of(of_reference(**{key: choices[2]}), of_reference())


def choose(field: Locator, value: Any) -> None:
    """Fill a number field, or choose from a list."""
    if field.evaluate("(field) => field.localName") == "select":
        field.select_option(str(value))
    else:
        type_over(field, str(value))


@pytest.mark.parametrize("selector", [".slider", ".field"])
@pytest.mark.parametrize("key", RANGES)
def test_change_alone_is_heard(widget: Widget, key: str, selector: str) -> None:
    """A swipe of VoiceOver on iOS fires `change` and no `input`."""
    choices = RANGES[key]
    to = choices[1] if selector == ".field" else {"share": SHARES[1]}.get(key, 1)
    widget.control(key).locator(selector).evaluate(CHANGE, to)
    assert widget.settings() == {**START, key: choices[1]}


def test_change_alone_chooses_the_chats(widget: Widget) -> None:
    """The list of chats too answers to `change` without `input`."""
    widget.field("chats").evaluate(CHANGE, "swapped")
    widget.assert_shows(of_reference(), chats="swapped")


def test_a_number_takes_effect_while_it_is_typed(widget: Widget) -> None:
    """The first digit of 48 is no choice yet and nothing is said; the second completes it."""
    type_over(widget.field("share"), "4")
    assert widget.settings() == START
    widget.page.keyboard.type("8")
    widget.assert_shows(of_reference(), share=48)
    assert widget.told() == []


@pytest.mark.parametrize(("typed", "value", "used"), [
    ("120", "120", 90), ("29", "29", 90), ("0", "0", 90), ("-1", "-1", 90), ("45.5", "45.5", 45),
    ("1e", NOTHING, 90), ("", NOTHING, 90),
])  # fmt: skip
@pytest.mark.parametrize("leave", ["Tab", "Enter"])
def test_a_typed_value_that_is_no_choice_is_refused(
    widget: Widget, typed: str, value: str, used: int, leave: str
) -> None:
    """A notice, spoken too, names control, value, what is allowed and what is used; the field shows that."""
    type_over(widget.field("share"), typed)
    widget.page.keyboard.press(leave)
    allowed = f"{SHARES[0]}–{SHARES[-1]}"
    notice = say(WORDS["notices"]["typed"], name=name_of("share"), value=value, allowed=allowed, used=used)
    assert widget.told() == [notice]
    expect(widget.status).to_have_text(notice)
    expect(widget.field("share")).to_have_value(str(used))
    assert widget.settings() == {**START, "share": used}


def test_letters_change_nothing(widget: Widget) -> None:
    """Letters never enter the field, or, in Firefox, are nothing; the notice says so, and the answer stays."""
    type_over(widget.field("share"), "abc")
    widget.page.keyboard.press("Tab")
    assert widget.settings() == START
    allowed = f"{SHARES[0]}–{SHARES[-1]}"
    name = name_of("share")
    notice = say(WORDS["notices"]["typed"], name=name, value=NOTHING, allowed=allowed, used=START["share"])
    assert widget.told() == [notice]
    expect(widget.field("share")).to_have_value(str(START["share"]))


def test_a_notice_goes_with_the_next_move(widget: Widget) -> None:
    """What was refused is past once something else is chosen."""
    type_over(widget.field("share"), "120")
    widget.page.keyboard.press("Tab")
    expect(widget.notices).to_be_visible()
    widget.press("share", "ArrowLeft")
    expect(widget.notices).to_be_hidden()


@pytest.mark.parametrize("key", ["share", "longest", "cap"])
def test_lists_and_marks_name_every_choice(widget: Widget, key: str) -> None:
    """The stepped choices are all in the list, as the reader writes them."""
    if key == "share":
        expect(widget.field(key)).to_have_attribute("min", str(SHARES[0]))
        expect(widget.field(key)).to_have_attribute("max", str(SHARES[-1]))
    else:
        options = widget.field(key).locator("option").all_text_contents()
        assert options == [commas(choice) for choice in RANGES[key]]


def test_set_aside_and_swapped_chats_show_the_references_lines(widget: Widget) -> None:
    """The checkbox by the space bar, then the other list of chats, each as the reference says."""
    widget.control("reserved").locator("input").press("Space")
    widget.assert_shows(of_reference(), reserved=True)
    widget.field("chats").select_option("swapped")
    assert widget.settings() == {**START, "reserved": True, "chats": "swapped"}
    assert widget.lines() == lines_of(of_reference(reserved=True, chats="swapped"))


def test_helps_open_and_close_by_button_and_escape(widget: Widget) -> None:
    """A help button says whether it is open, opens the text it controls, and keeps the focus at Escape."""
    buttons = widget.host.locator("button.ask")
    assert buttons.count() == 8
    for i in range(buttons.count()):
        button = buttons.nth(i)
        text = widget.host.locator(f"[id='{button.get_attribute('aria-controls')}']")
        expect(button).to_have_attribute("aria-expanded", "false")
        expect(text).to_be_hidden()
        button.press("Enter")
        expect(button).to_have_attribute("aria-expanded", "true")
        expect(text).to_be_visible()
        button.press("Escape")
        expect(button).to_have_attribute("aria-expanded", "false")
        expect(text).to_be_hidden()
        expect(button).to_be_focused()


def test_helps_say_what_the_words_file_says(widget: Widget) -> None:
    """Each button is named after what it explains, and its text is that control's or that part's."""
    for key in ("share", "longest", "cap", "reserved"):
        name = say(WORDS["view"]["help"], name=name_of(key))
        button = widget.host.get_by_role("button", name=name, exact=True)
        expect(widget.host.locator(f"[id='{button.get_attribute('aria-controls')}']")).to_have_text(
            WORDS["controls"][key]["help"]
        )
    for part in WORDS["parts"].values():
        name = say(WORDS["view"]["help"], name=part["name"])
        expect(widget.host.get_by_role("button", name=name)).to_be_visible()


@pytest.mark.parametrize("width", [1280, 720, 360])
def test_targets_are_large_enough(widget: Widget, width: int) -> None:
    """Everything that can be pressed is at least 24 by 24 px, the refusal's buttons too; a box has its label."""
    widget.page.set_viewport_size({"width": width, "height": 720})
    widget.put(share=43, longest=128000)
    small = widget.host.evaluate(
        """(host, least) => [...host.shadowRoot.querySelectorAll('button, input, select, label')]
           .filter((node) => node.checkVisibility() && node.type !== 'checkbox')
           .map((node) => [node.className, node.getBoundingClientRect()])
           .filter(([, box]) => box.width < least || box.height < least).map(([name]) => name)""",
        SMALLEST_TARGET,
    )
    assert small == []


def test_tab_goes_through_every_control_in_visual_order(widget: Widget) -> None:
    """From the first help to the last button, no trap, nothing left out, downwards, a ring around each."""
    page = widget.page
    page.set_viewport_size({"width": 360, "height": 2400})
    wanted = widget.host.evaluate(
        """(host) => [...host.shadowRoot.querySelectorAll('button, input, select')]
           .filter((node) => node.checkVisibility()).length"""
    )
    stops = [focused(page) for _ in range(wanted) if not page.keyboard.press("Tab")]
    assert len({stop["name"] for stop in stops}) == wanted
    assert all(stop["ring"] for stop in stops), [stop["name"] for stop in stops if not stop["ring"]]
    tops = [stop["row"] for stop in stops]
    assert tops == sorted(tops)


def focused(page: Page) -> dict[str, Any]:
    """Which control has the focus, on which row it stands, and whether a ring is drawn around it."""
    return dict(
        page.evaluate(
            """() => {
          const host = document.activeElement, node = host.shadowRoot.activeElement;
          const box = node.getBoundingClientRect(), {outlineStyle, outlineWidth} = getComputedStyle(node);
          return {
            name: [...host.shadowRoot.querySelectorAll('*')].indexOf(node),
            row: Math.round((box.top + box.height / 2) / 24),
            ring: node.type === 'range' || (outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2),
          };
        }"""
        )
    )


def test_the_focused_slider_has_a_ring_that_shows(widget: Widget) -> None:
    """Around the thumb, where no style can be read: the pixels change when the slider has the focus."""
    before = widget.control("cap").screenshot()
    widget.slider("share").focus()
    widget.page.keyboard.press("Shift+Tab")
    widget.page.keyboard.press("Tab")
    expect(widget.slider("share")).to_be_focused()
    assert widget.control("cap").screenshot() == before
    widget.slider("cap").focus()
    assert widget.control("cap").screenshot() != before
