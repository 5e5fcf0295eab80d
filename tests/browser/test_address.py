"""Settings in the address: only what differs, written once, read strictly, other people's keys kept."""

import random
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from poolroom.facts import CAPS, LONGEST, SHARES, WORDS
from poolroom.words import say
from tests.browser.widget import START, Widget, lines_of, of_reference, type_over

NOTICES = WORDS["notices"]
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
    ("longest=5000&cap=128", {"cap": 128}, [bad("longest", "5000", "8,000")]),
    ("reserved=maybe", {}, [bad("reserved", "maybe", "0")]),
    ("chats=x", {}, [bad("chats", "x", "lesson")]),
    ("share=48&share=60", {"share": 48}, [say(NOTICES["repeated"], key="share", used="48")]),
    ("share=x&cap=3", {}, [bad_share("x"), bad("cap", "3", "64")]),
    ("cap=" + "9" * 9000, {}, [bad("cap", "9" * 40 + "…", "64")]),
    ("share=" + quote(MARKUP), {}, [bad_share(MARKUP)]),
    ("seats=3", {}, [say(NOTICES["unknown"], key="seats")]),
    ("Share=48", {}, [say(NOTICES["unknown"], key="Share")]),
    ("max_num_seqs=128", {}, [say(NOTICES["called"], key="max_num_seqs", name="cap")]),
    ("utm_source=x&fbclid=1&theme=dark", {}, []),
])  # fmt: skip
def test_an_address_gives_settings_or_a_notice(
    widget: Widget, query: str, changes: dict[str, Any], notices: list[str]
) -> None:
    """A bad value gives the default and a visible notice that names it, as text; foreign keys pass in silence."""
    widget.page.evaluate("(query) => history.replaceState(null, '', `?${query}`)", query)
    widget.renew(address=True)
    widget.assert_shows(**changes)
    assert widget.told() == notices
    assert widget.notices.is_visible() == bool(notices)
    expect(widget.status).to_have_text(" ".join(notices))
    assert widget.notices.locator("li > *").count() == 0
    assert widget.host.locator("img, script").count() == 0


def test_an_address_is_read_as_the_page_loads(owner: Widget, site: str) -> None:
    """The same with a page of its own, settings and notice at once."""
    owner.page.goto(f"{site}owner.html?share=48&longest=5000")
    owner.assert_shows(share=48)
    assert owner.told() == [bad("longest", "5000", "8,000")]
    assert owner.page.url == f"{site}owner.html?share=48&longest=5000"


@pytest.fixture
def owner(widget: Widget) -> Widget:
    """A widget to which the address belongs."""
    widget.renew(address=True)
    return widget


def random_settings(rng: random.Random) -> dict[str, Any]:
    """Any choice of every control."""
    return {
        "share": rng.choice(SHARES),
        "longest": rng.choice(LONGEST),
        "cap": rng.choice(CAPS),
        "reserved": rng.random() < 0.5,
        "chats": rng.choice(["lesson", "swapped"]),
    }


def query_of(settings: dict[str, Any]) -> str:
    """The query that an address should have: what differs from the opening, in the controls' order."""
    texts = {key: str(int(value) if isinstance(value, bool) else value) for key, value in settings.items()}
    pairs = [f"{key}={texts[key]}" for key in START if settings[key] != START[key]]
    return "?" + "&".join(pairs) if pairs else ""


def test_settings_survive_the_address(owner: Widget) -> None:
    """200 random settings → link → a new widget at that address: the same settings, the shortest query."""
    rng = random.Random(7)
    wanted = [START, *(random_settings(rng) for _ in range(199))]
    found = owner.page.evaluate(
        """(wanted) => wanted.map((settings) => {
          const one = document.createElement('pool-room');
          one.setAttribute('address', '');
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


def test_moves_write_only_what_differs_and_keep_the_rest(owner: Widget, site: str) -> None:
    """Foreign keys stay first, a host's fragment stays last, our keys come and go."""
    owner.page.goto(f"{site}owner.html?utm_x=1&share=48#?secret=x")
    for key, pressed, query in (
        ("share", "ArrowRight", "?utm_x=1&share=49"),
        ("cap", "Home", "?utm_x=1&share=49&cap=1"),
        ("share", "End", "?utm_x=1&share=98&cap=1"),
    ):
        owner.press(key, pressed)
        owner.page.wait_for_url(f"{site}owner.html{query}#?secret=x")
    type_over(owner.field("share"), "90")
    owner.field("cap").select_option("64")
    owner.page.wait_for_url(f"{site}owner.html?utm_x=1#?secret=x")


def test_the_opening_has_an_empty_query(owner: Widget, site: str) -> None:
    """Nothing is written on load; back at the start the address is the page's own again."""
    assert owner.page.evaluate("() => window.writes") == []
    owner.press("share", "ArrowLeft")
    owner.page.wait_for_url(f"{site}bare.html?share=89")
    owner.press("share", "ArrowRight")
    owner.page.wait_for_url(f"{site}bare.html")


def test_a_burst_of_moves_writes_the_address_once(timed: Widget) -> None:
    """150 quick moves: no write while they last, one at most 300 ms after the last."""
    page = timed.page
    timed.renew(address=True)
    timed.slider("share").focus()
    for i in range(150):
        page.keyboard.press("ArrowLeft" if i % 2 else "ArrowRight")
        page.clock.run_for(20)
    page.keyboard.press("ArrowRight")
    assert page.evaluate("() => window.writes") == []
    page.clock.run_for(LATEST_MS)
    ((method, address),) = page.evaluate("() => window.writes")
    assert method == "replaceState" and address.endswith("/bare.html?share=91")
    page.clock.run_for(5000)
    assert page.evaluate("() => window.writes.length") == 1


def test_back_undoes_a_followed_link(owner: Widget, site: str) -> None:
    """A “try this” link is a step in the history: Back shows the settings before it, Forward those after."""
    owner.host.evaluate("(host) => host.follow('?share=48')")
    owner.assert_shows(of_reference(), share=48)
    assert owner.page.url == f"{site}bare.html?share=48"
    owner.page.go_back()
    expect(owner.slider("share")).to_have_value("90")
    assert owner.settings() == START
    owner.page.go_forward()
    expect(owner.slider("share")).to_have_value("48")
    owner.assert_shows(of_reference(), share=48)


def test_an_anchor_right_after_a_move_keeps_the_move(timed: Widget, site: str) -> None:
    """A jump inside the page is no step between settings, though the address does not have the move yet."""
    timed.renew(address=True)
    timed.press("share", "ArrowLeft")
    timed.page.evaluate("() => new Promise((done) => { window.onpopstate = done; location.hash = 'below'; })")
    timed.assert_shows(of_reference(), share=89)
    timed.page.clock.run_for(LATEST_MS)
    assert timed.page.url == f"{site}bare.html?share=89#below"


def test_what_is_left_out_is_one_link_away(widget: Widget, site: str) -> None:
    """The caveat's link leads to a part of the lesson page; an embed whose author named no such place has none."""
    expect(widget.host.locator("a:visible")).to_have_count(0)
    widget.page.goto(site + "index.html")
    link = widget.host.get_by_role("link", name=WORDS["view"]["left_out"])
    assert widget.page.locator(link.get_attribute("href") or "").count() == 1


def test_a_try_this_link_moves_the_widget_in_place(widget: Widget, site: str) -> None:
    """On the lesson page a click moves the widget above; Back brings the reader's own settings."""
    page = widget.page
    page.goto(site + "index.html")
    widget.press("cap", "Home")
    page.wait_for_url(f"{site}index.html?cap=1")
    link = page.locator("a.try[href*='share=48']").first
    link.click()
    page.wait_for_url(f"{site}index.html?share=48")
    widget.assert_shows(of_reference(cap=1), share=48)
    page.go_back()
    expect(widget.slider("cap")).to_have_value("0")
    assert widget.settings() == {**START, "cap": 1}


def test_every_try_this_link_is_understood(widget: Widget, site: str) -> None:
    """No link of the lesson page gives a notice."""
    page = widget.page
    page.goto(site + "index.html")
    told = page.locator("a.try").evaluate_all(
        """(links) => links.map((link) => {
          const widget = document.getElementById('poolroom');
          widget.follow(link.search);
          return [...widget.shadowRoot.querySelectorAll('.notices li')].map((notice) => notice.textContent);
        })"""
    )
    assert len(told) >= 5
    assert not any(told)


def test_a_widget_in_a_hosts_page_leaves_the_address_alone(timed: Widget, site: str) -> None:
    """Without the `address` attribute it neither reads nor writes it, whatever is moved."""
    page = timed.page
    page.evaluate("() => { history.replaceState(null, '', '?share=48&cap=3'); window.writes.length = 0; }")
    timed.renew(share=60, cap=128)
    assert timed.settings() == {**START, "share": 60, "cap": 128}
    assert timed.told() == []
    timed.press("share", "ArrowRight")
    timed.host.evaluate("(host) => host.follow('?cap=1')")
    timed.button(WORDS["view"]["reset"]).click()
    page.clock.run_for(5000)
    assert page.evaluate("() => window.writes") == []
    assert page.url == f"{site}bare.html?share=48&cap=3"
    assert timed.lines() == lines_of(of_reference(share=60, cap=128))


def test_a_refused_write_changes_nothing_else(timed: Widget) -> None:
    """An engine that refuses the write, as after too many, does not disturb the widget."""
    timed.page.evaluate(
        """() => {
          const real = history.replaceState;
          history.replaceState = () => { history.replaceState = real; throw new DOMException('no', 'SecurityError'); };
        }"""
    )
    timed.renew(address=True)
    timed.press("share", "ArrowLeft")
    timed.page.clock.run_for(2000)
    timed.assert_shows(of_reference(), share=89)
    assert "share" not in timed.page.url
