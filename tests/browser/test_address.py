"""Settings in the address: only what differs, written late and once, read strictly, other people's keys kept."""

import random
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from poolroom.facts import CAPS, LONGEST, SHARES, WORDS
from poolroom.words import say
from tests.browser.conftest import Open
from tests.browser.widget import START, Widget, lines_of, of_reference

NOTICES = WORDS["notices"]
SPY = """
window.writes = [];
for (const method of ['pushState', 'replaceState']) {
  const real = history[method];
  history[method] = function (...words) { window.writes.push([method, String(words[2])]); return real.apply(this, words); };
}
"""
MARKUP = "<img src=x onerror=alert(1)>"
RANGE = {"least": SHARES[0], "most": SHARES[-1]}
LATEST_MS = 300


def bad_share(value: str) -> str:
    """The notice about a share that is no choice."""
    return say(NOTICES["share"], key="share", value=value, used="90", **RANGE)


def bad(key: str, value: str, used: str) -> str:
    """The notice about another value that is no choice."""
    return say(NOTICES["choice"], key=key, value=value, used=used)


@pytest.mark.parametrize(("query", "changes", "notices"), [
    ("share=48&cap=128", {"share": 48, "cap": 128}, []),
    ("reserved=1&chats=swapped", {"reserved": True, "chats": "swapped"}, []),
    ("share=120", {}, [bad_share("120")]),
    ("share=", {}, [bad_share("")]),
    ("share=90.0", {}, [bad_share("90.0")]),
    ("share=+48", {}, [bad_share(" 48")]),
    ("share=٤٨", {}, [bad_share("٤٨")]),
    ("longest=5000&cap=2", {"cap": 2}, [bad("longest", "5000", "8,000")]),
    ("reserved=maybe", {}, [bad("reserved", "maybe", "0")]),
    ("chats=x", {}, [bad("chats", "x", "lesson")]),
    ("share=48&share=60", {"share": 48}, [say(NOTICES["repeated"], key="share", used="48")]),
    ("share=x&cap=3", {}, [bad_share("x"), bad("cap", "3", "64")]),
    ("cap=" + "9" * 9000, {}, [bad("cap", "9" * 40 + "…", "64")]),
    ("share=" + quote(MARKUP), {}, [bad_share(MARKUP)]),
    ("seats=3", {}, [say(NOTICES["unknown"], key="seats")]),
    ("Share=48", {}, [say(NOTICES["unknown"], key="Share")]),
    ("max_num_seqs=128", {}, [say(NOTICES["unknown"], key="max_num_seqs")]),
    ("utm_source=x&fbclid=1&theme=dark", {}, []),
])  # fmt: skip
def test_an_address_gives_settings_or_a_notice(
    owner: Page, site: str, query: str, changes: dict[str, Any], notices: list[str]
) -> None:
    """A bad value gives the default and a visible notice that names it, as text; foreign keys pass in silence."""
    owner.goto(f"{site}owner.html?{query}")
    widget = Widget(owner)
    widget.assert_shows(**changes)
    assert widget.told() == notices
    assert widget.notices.is_visible() == bool(notices)
    assert widget.host.locator("img, script").count() == 1, "the bar is the only picture"
    assert widget.notices.locator("li > *").count() == 0


@pytest.fixture
def owner(open_page: Open) -> Page:
    """A page whose address belongs to its widget, with a spy on what is written there."""
    return open_page("owner.html", script=SPY)


def random_settings(rng: random.Random) -> dict[str, Any]:
    """Any choice of every control."""
    return {
        "share": rng.choice(SHARES), "longest": rng.choice(LONGEST), "cap": rng.choice(CAPS),
        "reserved": rng.random() < 0.5, "chats": rng.choice(["lesson", "swapped"]),
    }


def query_of(settings: dict[str, Any]) -> str:
    """The query that an address should have: what differs from the opening, in the controls' order."""
    texts = {key: str(int(value) if isinstance(value, bool) else value) for key, value in settings.items()}
    pairs = [f"{key}={texts[key]}" for key in START if settings[key] != START[key]]
    return "?" + "&".join(pairs) if pairs else ""


def test_settings_survive_the_address(owner: Page) -> None:
    """200 random settings → link → a new widget at that address: the same settings, the shortest query."""
    rng = random.Random(7)
    wanted = [START, *(random_settings(rng) for _ in range(199))]
    found = owner.evaluate(
        """(wanted) => wanted.map((settings) => {
          const one = document.querySelector('pool-room');
          one.settings = settings;
          const link = new URL(one.link);
          history.replaceState(null, '', link);
          const other = document.createElement('pool-room');
          other.setAttribute('address', '');
          document.body.append(other);
          const read = {...other.settings}, notices = other.shadowRoot.querySelectorAll('.notices li').length;
          other.remove();
          return {search: link.search, read, notices};
        })""",
        wanted,
    )
    assert [each["read"] for each in found] == wanted
    assert [each["search"] for each in found] == [query_of(settings) for settings in wanted]
    assert not any(each["notices"] for each in found)


def test_moves_write_only_what_differs_and_keep_the_rest(owner: Page, site: str) -> None:
    """Foreign keys stay first, a host's fragment stays last, our keys come and go."""
    owner.goto(f"{site}owner.html?utm_x=1&share=48#?secret=x")
    widget = Widget(owner)
    for key, pressed, query in (
        ("share", "ArrowRight", "?utm_x=1&share=49"),
        ("cap", "Home", "?utm_x=1&share=49&cap=1"),
        ("share", "End", "?utm_x=1&share=98&cap=1"),
    ):
        widget.press(key, pressed)
        owner.wait_for_url(f"{site}owner.html{query}#?secret=x")
    widget.field("share").fill("90")
    widget.field("cap").select_option("64")
    owner.wait_for_url(f"{site}owner.html?utm_x=1#?secret=x")


def test_the_opening_has_an_empty_query(owner: Page, site: str) -> None:
    """Nothing is written on load; back at the start the address is the page's own again."""
    assert owner.evaluate("() => window.writes") == []
    widget = Widget(owner)
    widget.press("share", "ArrowLeft")
    owner.wait_for_url(f"{site}owner.html?share=89")
    widget.press("share", "ArrowRight")
    owner.wait_for_url(f"{site}owner.html")


def test_a_burst_of_moves_writes_the_address_once(open_page: Open) -> None:
    """150 quick moves: no write while they last, one at most 300 ms after the last."""
    page = open_page("owner.html", script=SPY, before=lambda page: page.clock.install())
    widget = Widget(page)
    widget.slider("share").focus()
    page.clock.pause_at(page.evaluate("() => Date.now() + 1000"))
    for i in range(150):
        page.keyboard.press("ArrowLeft" if i % 2 else "ArrowRight")
        page.clock.run_for(20)
    page.keyboard.press("ArrowRight")
    assert page.evaluate("() => window.writes") == []
    page.clock.run_for(LATEST_MS)
    assert page.evaluate("() => window.writes") == [["replaceState", page.evaluate("() => location.pathname + '?share=91'")]]
    page.clock.run_for(5000)
    assert page.evaluate("() => window.writes.length") == 1


def test_back_undoes_a_followed_link(owner: Page, site: str) -> None:
    """A “try this” link is a step in the history: Back shows the settings before it, Forward those after."""
    widget = Widget(owner)
    widget.host.evaluate("(host) => host.follow('?share=48')")
    widget.assert_shows(of_reference(), share=48)
    assert owner.url == f"{site}owner.html?share=48"
    owner.go_back()
    expect(widget.slider("share")).to_have_value("90")
    assert widget.settings() == START
    owner.go_forward()
    expect(widget.slider("share")).to_have_value("48")
    widget.assert_shows(of_reference(), share=48)


def test_a_try_this_link_moves_the_widget_in_place(open_page: Open, site: str) -> None:
    """On the lesson page a click moves the widget above, as the reader's move; Back brings the reader's own settings."""
    page = open_page("index.html")
    widget = Widget(page)
    widget.press("cap", "Home")
    page.wait_for_url(f"{site}index.html?cap=1")
    link = page.locator("a.try[href*='share=48']").first
    link.click()
    page.wait_for_url(f"{site}index.html?share=48")
    widget.assert_shows(of_reference(cap=1), share=48)
    page.go_back()
    expect(widget.slider("cap")).to_have_value("0")
    assert widget.settings() == {**START, "cap": 1}


def test_every_try_this_link_is_understood(open_page: Open) -> None:
    """No link of the lesson page gives a notice."""
    page = open_page("index.html")
    told = page.locator("a.try").evaluate_all(
        """(links) => links.map((link) => {
          const widget = document.getElementById('poolroom');
          widget.follow(link.search);
          return [...widget.shadowRoot.querySelectorAll('.notices li')].map((notice) => notice.textContent);
        })"""
    )
    assert len(told) >= 5
    assert not any(told)


def test_a_widget_in_a_hosts_page_leaves_the_address_alone(open_page: Open, site: str) -> None:
    """Without the `address` attribute it neither reads nor writes it, whatever is moved."""
    page = open_page("two.html?share=48&cap=3", script=SPY, before=lambda page: page.clock.install())
    widget = Widget(page, "#one")
    assert widget.settings() == {**START, "share": 60, "cap": 128}
    assert widget.told() == []
    widget.press("share", "ArrowRight")
    widget.host.evaluate("(host) => host.follow('?cap=1')")
    widget.button(WORDS["view"]["reset"]).click()
    page.clock.run_for(5000)
    assert page.evaluate("() => window.writes") == []
    assert page.url == f"{site}two.html?share=48&cap=3"
    assert widget.lines() == lines_of(of_reference(share=60, cap=128))


def test_a_refused_write_changes_nothing_else(open_page: Open) -> None:
    """An engine that refuses the write (too many, or a frame without an address) does not disturb the widget."""
    refusing = "history.replaceState = () => { throw new DOMException('no', 'SecurityError'); };"
    page = open_page("owner.html", script=refusing, before=lambda page: page.clock.install())
    widget = Widget(page)
    widget.press("share", "ArrowLeft")
    page.clock.run_for(2000)
    widget.assert_shows(of_reference(), share=89)
