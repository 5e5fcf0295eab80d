"""The same widget in Firefox: what matters most, in a browser of another make."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Playwright, expect

from browser import launch_options
from poolroom.facts import SHARES, WORDS
from poolroom.words import say
from serve import serving
from tests.browser.conftest import STRICT, SUB_PATH, WAIT_MS
from tests.browser.watch import Watch, watched_page
from tests.browser.widget import START, Widget, name_of, of_reference, sentence_of, visit

PAGES = ["index.html", "how.html", "poolroom.html"]


@pytest.fixture(scope="session")
def firefox(playwright: Playwright) -> Iterator[Browser]:
    """Firefox, launched once; a missing one fails."""
    browser = playwright.firefox.launch(**launch_options("firefox", playwright.firefox.executable_path))
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def fox_bench(firefox: Browser, site: str) -> Iterator[tuple[Page, Watch]]:
    """One page for all."""
    context = firefox.new_context()
    context.set_default_timeout(WAIT_MS)
    yield watched_page(context, site)
    context.close()


@pytest.fixture
def fox(fox_bench: tuple[Page, Watch], site: str) -> Iterator[Widget]:
    """A widget in a bare host; nothing may be said on the console, refused by a policy or asked elsewhere."""
    page, watch = fox_bench
    watch.home = site
    page.set_viewport_size({"width": 1280, "height": 720})
    page.goto(site + "bare.html")
    yield Widget(page)
    watch.assert_quiet()


def test_pages_work_in_silence(fox: Widget, site: str) -> None:
    """No console message, no error, no refusal, no request elsewhere; keys and helps work."""
    visit(fox.page, site, [*PAGES, "two.html", "before.html"])


def test_pages_work_from_disk(fox: Widget, fox_bench: tuple[Page, Watch], dist: Path) -> None:
    """A double click opens them."""
    fox_bench[1].home = f"{dist.as_uri()}/"
    visit(fox.page, fox_bench[1].home, PAGES)


def test_pages_work_under_the_strictest_policy(
    fox: Widget, fox_bench: tuple[Page, Watch], folder: Path
) -> None:
    """With every Trusted Types policy forbidden."""
    with serving(folder / SUB_PATH, headers=STRICT) as home:
        fox_bench[1].home = home
        visit(fox.page, home, ["index.html", "bare.html"])


@pytest.mark.parametrize("changes", [
    {}, {"share": 30, "cap": 256}, {"share": 43, "longest": 128000}, {"longest": 32000, "reserved": True},
    {"chats": "swapped", "cap": 512}, {"longest": 4000},
])  # fmt: skip
def test_lines_are_the_references(fox: Widget, changes: dict[str, Any]) -> None:
    """Opening, starved, refused, set aside, swapped, and with chats turned away."""
    fox.put(**changes)
    fox.assert_shows(**changes)


@pytest.mark.parametrize(("key", "least"), [("share", 30), ("longest", 4000), ("cap", 1)])
def test_keys_move_a_slider(fox: Widget, key: str, least: int) -> None:
    """Home, End and arrows, and the field beside it follows."""
    fox.press(key, "End", "Home")
    fox.assert_shows(of_reference(), **{key: least})
    expect(fox.field(key)).to_have_value(str(least))
    fox.press(key, "ArrowRight", "ArrowLeft")
    assert fox.settings() == {**START, key: least}
    expect(fox.slider(key)).to_have_accessible_name(name_of(key))


def test_letters_in_the_number_field_are_refused(fox: Widget) -> None:
    """This browser lets them in; the notice says that they are nothing to it, and the field shows what is used."""
    fox.field("share").press("ControlOrMeta+a")
    fox.page.keyboard.type("abc")
    fox.page.keyboard.press("Tab")
    allowed, nothing = f"{SHARES[0]}–{SHARES[-1]}", WORDS["shown"]["nothing"]
    notice = say(WORDS["notices"]["typed"], name=name_of("share"), value=nothing, allowed=allowed, used=START["share"])
    assert fox.told() == [notice]
    expect(fox.field("share")).to_have_value(str(START["share"]))


def test_textures_are_painted_inside_the_shadow_root(fox: Widget) -> None:
    """Patterns are found by their ids in the same root."""
    for part in ("reserve", "pool"):
        inner = [row[5:-5] for row in fox.part_pixels(part)[6:24]]
        assert len({pixel for row in inner for pixel in row}) > 1, part


def test_the_status_speaks_once_after_the_move(fox: Widget) -> None:
    """Silent while keys come, one sentence after."""
    fox.keep_log()
    fox.press("cap", *["ArrowLeft", "ArrowRight"] * 5, "ArrowRight")
    assert fox.said() == []
    expect(fox.status).to_have_text(sentence_of({"cap": 128}))
    assert fox.said() == [sentence_of({"cap": 128})]


def test_the_address_is_read_and_written(fox: Widget, site: str) -> None:
    """A good value is taken, a bad one named, and a move is written with the fragment kept."""
    fox.page.goto(f"{site}owner.html?share=48&cap=3#?secret=x")
    fox.assert_shows(share=48)
    assert fox.told() == [say(WORDS["notices"]["choice"], key="cap", value="3", used="64")]
    fox.press("share", "ArrowRight")
    fox.page.wait_for_url(f"{site}owner.html?share=49#?secret=x")


def test_on_a_phone_bar_and_first_line_do_not_cover_the_focus(fox: Widget) -> None:
    """360 by 640, the third slider focused by keyboard."""
    fox.page.set_viewport_size({"width": 360, "height": 640})
    fox.field("longest").focus()
    while not fox.slider("cap").evaluate("(slider) => slider.getRootNode().activeElement === slider"):
        fox.page.keyboard.press("Tab")
    top = fox.slider("cap").evaluate("(slider) => slider.getBoundingClientRect().top")
    for place in (fox.host.locator(".frame"), fox.line("room")):
        box = place.evaluate("(node) => node.getBoundingClientRect().toJSON()")
        assert 0 <= box["top"] < box["bottom"] <= top
