"""Widgets of a group move together, but for what is locked: before and after, side by side."""

from playwright.sync_api import expect

from poolroom.facts import WORDS
from tests.browser.conftest import Open
from tests.browser.widget import START, Widget, of_reference

HEAR = """() => {
  window.heard = [];
  document.addEventListener('poolroom-change', (event) => heard.push([event.target.id, event.detail.settings.share]));
}"""


def test_one_control_moves_both_and_each_keeps_its_own(open_page: Open) -> None:
    """The share moves in both, seats stay as the author set them, and a widget of another group stays as it is."""
    page = open_page("group.html")
    before, after, apart = (Widget(page, f"#{name}") for name in ("before", "after", "apart"))
    page.evaluate(HEAR)
    before.press("share", "Home")
    before.assert_shows(of_reference(), share=30)
    after.assert_shows(of_reference(cap=256), share=30, cap=256)
    apart.assert_shows()
    assert page.evaluate("() => window.heard") == [["after", 30], ["before", 30]]
    before.host.evaluate("(host) => host.follow('?longest=16000&cap=8')")
    assert before.settings() == {**START, "share": 90, "longest": 16000}
    assert after.settings() == {**START, "share": 90, "longest": 16000, "cap": 256}


def test_the_widget_that_is_moved_speaks_for_all(open_page: Open) -> None:
    """One sentence, from the one that the reader moved."""
    page = open_page("group.html")
    before, after = Widget(page, "#before"), Widget(page, "#after")
    before.press("share", "Home")
    expect(before.status).not_to_be_empty()
    expect(after.status).to_be_empty()


def test_start_again_is_for_the_group(open_page: Open) -> None:
    """Each goes back to its own start."""
    page = open_page("group.html")
    before, after = Widget(page, "#before"), Widget(page, "#after")
    before.press("share", "Home")
    before.button(WORDS["view"]["reset"]).click()
    assert before.settings() == START
    assert after.settings() == {**START, "cap": 256}


def test_a_host_moves_one_alone(open_page: Open) -> None:
    """A program or an attribute speaks to the widget it names."""
    page = open_page("group.html")
    before, after = Widget(page, "#before"), Widget(page, "#after")
    before.put(share=48)
    assert after.settings()["share"] == 90
    after.host.evaluate("(host) => host.remove()")
    before.press("share", "Home")
    page.evaluate("() => document.body.append(document.createElement('pool-room'))")
    assert after.host.count() == 0


def test_a_widget_that_left_does_not_follow(open_page: Open) -> None:
    """Taken out it stays; back in, or under another group's name, it follows those it belongs to."""
    page = open_page("group.html")
    before, apart = Widget(page, "#before"), Widget(page, "#apart")
    page.evaluate("() => { window.kept = document.querySelector('#after'); window.kept.remove(); }")
    before.press("share", "Home")
    assert page.evaluate("() => window.kept.settings.share") == 90
    page.evaluate("() => document.body.append(window.kept)")
    apart.host.evaluate("(host) => host.setAttribute('group', 'seats')")
    before.press("share", "End")
    assert page.evaluate("() => window.kept.settings.share") == 98
    apart.assert_shows(of_reference(), share=98)


def test_a_host_that_answers_finds_the_group_together(open_page: Open) -> None:
    """What a listener sets is one widget's own; the others went where the reader led them."""
    page = open_page("group.html")
    before, after = Widget(page, "#before"), Widget(page, "#after")
    before.host.evaluate(
        "(host) => host.addEventListener('poolroom-change', () => { host.settings = {share: 48}; }, {once: true})"
    )
    before.press("share", "Home")
    assert (before.settings()["share"], after.settings()["share"]) == (48, 30)
