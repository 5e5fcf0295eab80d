"""The authoring contract: what an author says is done, by attribute and by query, and what cannot be used is named."""

import random
import re
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import expect

from poolroom.facts import CATALOGUES, CHOICES, CONTRACT, PRESETS, WORDS
from poolroom.words import say
from tests.browser.conftest import Open
from tests.browser.widget import START, Widget, of_reference

NOTICES, VIEW = WORDS["notices"], WORDS["view"]
OPTIONS: dict[str, dict[str, Any]] = CONTRACT["options"]
KEYS = [name for name, option in OPTIONS.items() if option["kind"] == "setting"]
JOINER = WORDS["text"]["legend_joiner"]
PARTS = """(host) => Object.fromEntries(
  [...host.shadowRoot.querySelectorAll('.controls [data-key], [data-piece]')].map((part) =>
    [part.dataset.key ?? part.dataset.piece, part.checkVisibility()]))"""
LOCKED = """(host) => [...host.shadowRoot.querySelectorAll('.controls [data-key]')]
  .filter((control) => [...control.querySelectorAll('input, select')].every((input) => input.disabled))
  .map((control) => control.dataset.key)"""


def author(widget: Widget, site: str, door: str, **options: Any) -> None:
    """Make it a widget whose author says this by attributes in a host, or by the query of the one-file page."""
    if door == "attribute":
        widget.renew(**options)
    else:
        texts = {name: "1" if text is True else str(text) for name, text in options.items()}
        widget.page.goto(f"{site}poolroom.html?{urlencode(texts)}")


def listed(name: str) -> str:
    """What an option offers, as a notice lists it."""
    return str(JOINER).join(OPTIONS[name]["values"])


BOTH = pytest.mark.parametrize("door", ["attribute", "query"])


@BOTH
@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_is_where_the_reader_starts(door: str, preset: str, widget: Widget, site: str) -> None:
    """Its settings are in force, Reset goes back to them, and a setting beside it replaces its own."""
    author(widget, site, door, preset=preset)
    widget.assert_shows(**PRESETS[preset])
    widget.press("cap", "Home")
    widget.button(VIEW["reset"]).click()
    widget.assert_shows(before=of_reference(**{**PRESETS[preset], "cap": 1}), **PRESETS[preset])


@BOTH
def test_a_setting_replaces_a_presets_own(door: str, widget: Widget, site: str) -> None:
    """`preset="too-small" share="60"` is the preset with another share."""
    author(widget, site, door, preset="too-small", share=60)
    widget.assert_shows(share=60, longest=128000)


@BOTH
@pytest.mark.parametrize("part", OPTIONS["hide"]["values"])
def test_a_part_can_be_left_out(door: str, part: str, widget: Widget, site: str) -> None:
    """One part is not shown; the others, the bar, the lines and the caveat are."""
    author(widget, site, door, hide=part)
    shown = widget.host.evaluate(PARTS)
    assert [name for name, visible in shown.items() if not visible] == [part]
    assert set(shown) == set(OPTIONS["hide"]["values"])
    for name in (".picture", "[data-line=room]", "[data-line=run]", "[data-line=caveat]"):
        expect(widget.host.locator(name)).to_be_visible()


@BOTH
@pytest.mark.parametrize("key", OPTIONS["lock"]["values"])
def test_a_locked_control_says_so_and_stays(door: str, key: str, widget: Widget, site: str) -> None:
    """It is shown, disabled, and described by the author's note; nothing that a reader does moves it."""
    author(widget, site, door, lock=key)
    assert widget.host.evaluate(LOCKED) == [key]
    expect(widget.control(key)).to_be_visible()
    note = widget.control(key).get_by_text(VIEW["locked"])
    expect(note).to_be_visible()
    for control in widget.control(key).locator("input, select").all():
        expect(control).to_have_accessible_description(VIEW["locked"])
    assert widget.host.locator(".locked:visible").count() == 1
    other = CHOICES[key]["values"][0 if CHOICES[key]["opening"] != CHOICES[key]["values"][0] else -1]
    value = int(other) if isinstance(other, bool) else other
    widget.host.evaluate("(host, query) => host.follow(query)", f"?{key}={value}")
    assert widget.settings() == START
    assert widget.told() == [say(NOTICES["locked"], name=WORDS["controls"][key]["name"])]


def test_a_locked_setting_of_a_link_is_its_start(open_page: Open) -> None:
    """`?share=48&lock=share`: 48 stays through Reset, and the copied link keeps both."""
    page = open_page("poolroom.html?share=48&cap=128&lock=share&utm_source=x")
    widget = Widget(page)
    widget.button(VIEW["reset"]).click()
    assert widget.settings() == {**START, "share": 48}
    link = widget.host.evaluate("(host) => host.link")
    assert "lock=share" in link
    assert "utm" not in link
    widget = Widget(open_page("poolroom.html?" + link.split("?")[1]))
    assert widget.settings() == {**START, "share": 48}
    assert widget.host.evaluate(LOCKED) == ["share"]


def test_a_way_out_never_moves_what_is_locked(widget: Widget) -> None:
    """Of the two smallest changes that would start the server, the locked one is not offered."""
    widget.renew(preset="too-small", lock="share")
    expect(widget.host.locator("[data-fix=share]")).to_be_hidden()
    widget.host.locator("[data-fix=longest]").click()
    assert widget.settings()["share"] == PRESETS["too-small"]["share"]


@BOTH
def test_a_caption_names_the_widget(door: str, widget: Widget, site: str) -> None:
    """It stands above, as text, and is the widget's name."""
    caption = "Week 3: <b>seats</b> & “memory”"
    author(widget, site, door, caption=caption)
    expect(widget.host.locator(".caption")).to_have_text(caption)
    expect(widget.host.get_by_role("region", name=caption)).to_be_visible()


@BOTH
@pytest.mark.parametrize("theme", OPTIONS["theme"]["values"])
def test_a_theme_wins_over_the_readers(door: str, theme: str, reader: Callable[..., Widget], site: str) -> None:
    """Paper and ink are the theme's, whatever the reader prefers; on the one-file page all around them too."""
    widget = reader(color_scheme="light" if theme == "dark" else "dark")
    if door == "attribute":
        widget.renew(theme=theme)
    else:
        widget.page.goto(f"{site}poolroom.html?theme={theme}")
    ink = widget.host.locator("[data-line=room] b").first.evaluate("(node) => getComputedStyle(node).color")
    paper = widget.host.locator(".widget").evaluate("(node) => getComputedStyle(node).backgroundColor")
    assert (brightness(ink) > brightness(paper)) == (theme == "dark")
    if door == "query":
        around = widget.page.evaluate("() => getComputedStyle(document.documentElement).colorScheme")
        assert around == theme


def brightness(colour: str) -> int:
    """The sum of red, green and blue of a computed colour."""
    return sum(int(part) for part in re.findall(r"\d+", colour)[:3])


@BOTH
def test_compact_takes_less_height(door: str, widget: Widget, site: str) -> None:
    """The same words in less room."""
    author(widget, site, door)
    tall, lines = widget.host.bounding_box(), widget.lines()
    author(widget, site, door, compact=True)
    low = widget.host.bounding_box()
    assert tall and low and low["height"] < 0.8 * tall["height"]
    assert widget.lines() == lines


def test_a_link_leads_to_the_authors_page(widget: Widget) -> None:
    """With its own query kept; a link that would run something is refused by name."""
    widget.renew(link="https://lesson.example/page?week=3#top", share=48)
    assert widget.host.evaluate("(host) => host.link") == "https://lesson.example/page?week=3&share=48#top"
    widget.renew(link="javascript:alert(1)")
    assert widget.told() == [say(NOTICES["target"], key="link", value="javascript:alert(1)")]
    assert widget.host.evaluate("(host) => host.link").endswith("/poolroom.html")


def test_a_link_to_a_page_with_a_preset_shows_these_settings(widget: Widget) -> None:
    """What the preset would change is written out."""
    widget.renew(link="https://lesson.example/?preset=half")
    assert widget.host.evaluate("(host) => host.link") == "https://lesson.example/?preset=half&share=90"
    widget.put(share=48)
    assert widget.host.evaluate("(host) => host.link") == "https://lesson.example/?preset=half"


def test_a_presets_link_can_be_followed(widget: Widget) -> None:
    """`follow` goes to a preset too, and names one that does not exist."""
    widget.host.evaluate("(host) => host.follow('?preset=too-small&cap=8')")
    assert widget.settings() == {**START, **PRESETS["too-small"], "cap": 8}
    widget.host.evaluate("(host) => host.follow('?preset=fast')")
    assert widget.told() == [say(NOTICES["option"], key="preset", value="fast", choices=JOINER.join(PRESETS))]


def test_every_option_at_once(open_page: Open) -> None:
    """A lesson that asks for everything gets everything, without a notice."""
    widget = Widget(open_page("lesson.html"))
    assert widget.told() == []
    assert widget.settings() == {**START, "share": 30, "longest": 16000}
    assert widget.host.evaluate(LOCKED) == ["share", "chats"]
    hidden = [name for name, visible in widget.host.evaluate(PARTS).items() if not visible]
    assert {"reserved", "legend", "buttons"} <= set(hidden)
    assert widget.host.evaluate("(host) => host.link") == "https://lesson.example/page?week=3&share=30&longest=16000"


@BOTH
@pytest.mark.parametrize(("name", "text", "notice"), [
    ("preset", "fast", say(NOTICES["option"], key="preset", value="fast", choices=JOINER.join(PRESETS))),
    ("theme", "pink", say(NOTICES["option"], key="theme", value="pink", choices="light, dark")),
    ("hide", "legend lines", say(NOTICES["item"], key="hide", value="lines", choices=listed("hide"))),
    ("lock", "speed,share", say(NOTICES["item"], key="lock", value="speed", choices=listed("lock"))),
    ("compact", "very", say(NOTICES["option"], key="compact", value="very", choices="1, 0")),
    ("caption", "x" * 201, say(NOTICES["long"], key="caption", most=200)),
    ("lang", "<b>xx</b>", say(NOTICES["option"], key="lang", value="<b>xx</b>", choices=JOINER.join(CATALOGUES))),
    ("model", "lesson-0", say(NOTICES["model"], value="lesson-0", used="lesson-1")),
    ("link", "data:text/html,x", say(NOTICES["target"], key="link", value="data:text/html,x")),
])  # fmt: skip
def test_what_cannot_be_used_is_named(door: str, name: str, text: str, notice: str, widget: Widget, site: str) -> None:
    """The notice names option, value and what is allowed; everything else is as without it."""
    author(widget, site, door, **{name: text})
    assert widget.told() == [notice]
    widget.assert_shows()


@pytest.mark.parametrize("name", OPTIONS)
def test_an_empty_option_is_no_option(name: str, widget: Widget) -> None:
    """Template languages write empty attributes for what is not set."""
    flags = {"reserved": True} if name == "reserved" else {}
    if OPTIONS[name]["kind"] == "setting" and name != "reserved":
        return  # an empty setting is a wrong setting, and is named
    widget.renew(**{name: ""})
    assert widget.told() == []
    widget.assert_shows(**flags)


@pytest.mark.parametrize("name", [name for name, option in OPTIONS.items() if option.get("query") is False])
def test_some_options_are_the_pages_alone(name: str, open_page: Open) -> None:
    """What would let a link change more than a view is not read from it."""
    widget = Widget(open_page(f"poolroom.html?{name}=https://elsewhere.example/"))
    assert widget.told() == []
    widget.assert_shows()
    expect(widget.host.locator(".about")).to_be_hidden()


def test_attributes_may_change_at_any_time(widget: Widget) -> None:
    """Each option follows its attribute, and taking it away brings the default back."""
    page, host = widget.page, widget.host
    for name, text in (("hide", "legend"), ("lock", "share"), ("caption", "Mine"), ("theme", "dark"), ("compact", "")):
        host.evaluate("(host, [name, text]) => host.setAttribute(name, text)", [name, text])
    expect(host.locator(".legend")).to_be_hidden()
    assert host.evaluate(LOCKED) == ["share"]
    expect(host.locator(".caption")).to_have_text("Mine")
    for name in ("hide", "lock", "caption", "theme", "compact"):
        host.evaluate("(host, name) => host.removeAttribute(name)", name)
    expect(host.locator(".legend")).to_be_visible()
    assert host.evaluate(LOCKED) == []
    expect(host.locator(".caption")).to_be_hidden()
    host.evaluate("(host) => host.setAttribute('preset', 'half')")
    widget.assert_shows(share=48)
    widget.press("share", "ArrowLeft")
    host.evaluate("(host) => host.removeAttribute('preset')")
    widget.assert_shows()
    assert page.locator("pool-room .locked:visible").count() == 0


def test_random_settings_and_options_survive_link_after_link(open_page: Open) -> None:
    """Copy link of what a link shows is a link that shows it again: 200 random settings with random options."""
    page = open_page("poolroom.html")
    rng = random.Random(3)
    given, addresses = [], []
    for _ in range(200):
        settings = {key: rng.choice(CHOICES[key]["values"]) for key in KEYS}
        texts = {key: str(int(value) if isinstance(value, bool) else value) for key, value in settings.items()}
        lock = rng.choice(["", "share", "cap chats"])
        options = {"preset": rng.choice(list(PRESETS)), "lock": lock, "hide": "legend"}
        given.append(settings)
        chosen = {name: text for name, text in options.items() if rng.random() < 0.5}
        addresses.append("?" + urlencode({**texts, **chosen}))
    for settings, (once, twice) in zip(given, page.evaluate(READ, addresses), strict=True):
        assert once["settings"] == settings
        assert twice == once


READ = """(addresses) => {
  const show = (address) => {
    history.replaceState(null, '', address);
    const old = document.querySelector('pool-room'), fresh = old.cloneNode(false);
    old.replaceWith(fresh);
    const locked = fresh.shadowRoot.querySelectorAll(':disabled').length;
    return {settings: {...fresh.settings}, link: fresh.link, locked};
  };
  return addresses.map((address) => {
    const once = show(address);
    return [once, show(once.link)];
  });
}"""


def test_the_model_keeps_its_name_only_with_its_answers(widget: Widget) -> None:
    """The numbers of 1,080 settings, as the port computes them, are those that a link to this model was made for."""
    answers = widget.page.evaluate(DIGEST)
    ((name, model),) = CONTRACT["models"].items()
    assert name == "lesson-1"
    assert model["answers"] == answers, f"the answers changed: give the model a new name; {answers}"


DIGEST = """async () => {
  const host = document.createElement('pool-room');
  document.body.append(host);
  const numbers = [];
  const lengths = [4000, 8000, 16000, 32000, 64000, 128000], lists = ['lesson', 'swapped'];
  for (const share of [30, 43, 44, 48, 56, 57, 70, 90, 98]) for (const longest of lengths)
    for (const cap of [1, 8, 64, 128, 512]) for (const reserved of [false, true]) for (const chats of lists) {
      host.settings = {share, longest, cap, reserved, chats};
      numbers.push(host.result.numbers);
    }
  host.remove();
  const bytes = new TextEncoder().encode(JSON.stringify(numbers));
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}"""
