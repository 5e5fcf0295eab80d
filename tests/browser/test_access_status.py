"""WCAG 4.1.3 by a log of all that changes: who speaks, when, how often, and in whole sentences."""

from typing import Any

import pytest
from playwright.sync_api import expect

from poolroom.facts import WORDS
from tests.browser.access import AUTHORS, EVERYTHING
from tests.browser.widget import Widget, sentence_of

SOON_MS = 1500
LATER_MS = 5000
STATUS = WORDS["status"]
# Every change of text below a live region, with what the keys did before it; a repeat is a key that is held.
KEEP = """() => {
  window.log = [];
  const hosts = [...document.querySelectorAll('pool-room')];
  for (const host of hosts) {
    host.addEventListener('keydown', (event) => window.log.push(['key', event.repeat]));
    host.addEventListener('keyup', () => window.log.push(['up']));
    new MutationObserver((records) => {
      for (const {target} of records) {
        const node = target.closest ? target : target.parentNode;
        const live = node?.closest('[role=status], [role=alert], [aria-live], output');
        if (live) window.log.push(['said', hosts.indexOf(host), live.textContent]);
      }
    }).observe(host.shadowRoot, {childList: true, characterData: true, subtree: true});
  }
}"""


def log(widget: Widget) -> list[list[Any]]:
    """All that was noted so far."""
    return list(widget.page.evaluate("async () => { await null; return window.log; }"))


def said(widget: Widget, of: int = 0) -> list[str]:
    """What one widget has said so far."""
    return [entry[2] for entry in log(widget) if entry[0] == "said" and entry[1] == of]


def test_a_held_key_is_silent_and_its_end_is_one_sentence(timed: Widget) -> None:
    """Two seconds of a key's own repeat: the first press, 59 repeats, nothing between, one sentence after the end."""
    timed.page.evaluate(KEEP)
    timed.slider("cap").focus()
    for _ in range(60):
        timed.page.keyboard.down("ArrowLeft")
        timed.page.clock.run_for(33)
    timed.page.keyboard.up("ArrowLeft")
    assert log(timed) == [["key", False], *[["key", True]] * 59, ["up"]]
    timed.page.clock.run_for(SOON_MS)
    assert said(timed) == [sentence_of({"cap": 1})]
    timed.page.clock.run_for(LATER_MS)
    assert len(said(timed)) == 1


@pytest.mark.parametrize("author", AUTHORS)
def test_nothing_speaks_on_load(timed: Widget, author: str) -> None:
    """In whatever form: one live region, empty, and still empty later."""
    timed.renew(**AUTHORS[author])
    timed.page.evaluate(KEEP)
    timed.page.clock.run_for(LATER_MS)
    assert log(timed) == []
    expect(timed.status).to_be_empty()
    assert timed.host.locator("output, [aria-live], [role=alert], [role=status], [role=log]").count() == 1


def test_what_the_host_changes_is_not_said(timed: Widget) -> None:
    """Settings by a program, a start by attribute, locks, hidden parts, a caption: the page's own business."""
    timed.page.evaluate(KEEP)
    timed.put(share=60)
    timed.host.evaluate(
        """(host) => {
          const changes = {cap: '128', lock: 'share', hide: 'legend', compact: '', caption: 'A caption', theme: 'dark'};
          for (const [name, value] of Object.entries(changes)) host.setAttribute(name, value);
        }"""
    )
    timed.page.clock.run_for(LATER_MS)
    assert log(timed) == []


@pytest.mark.parametrize(("start", "words"), [({}, "back"), ({"share": 50}, "back_author")])
def test_reset_speaks_once_each_time(timed: Widget, start: dict[str, Any], words: str) -> None:
    """Pressed twice it is heard twice: the second text differs by a space that nobody hears."""
    timed.renew(**start)
    timed.page.evaluate(KEEP)
    for times in (1, 2):
        timed.press("cap", "ArrowRight")
        timed.button(WORDS["view"]["reset"]).click()
        timed.page.clock.run_for(LATER_MS)
        assert len(said(timed)) == times
    first, second = said(timed)
    assert first != second
    assert first.strip() == second.strip() == STATUS[words]


def test_copying_twice_is_heard_twice(widget: Widget) -> None:
    """The same words again are a change of the region all the same."""
    widget.page.evaluate(KEEP)
    button = widget.host.locator("[data-action=copy-link]")
    for times in (1, 2):
        button.click()
        widget.page.wait_for_function("(times) => window.log.length === times", arg=times)
    first, second = said(widget)
    assert first != second and first.strip() == second.strip() == STATUS["copied_link"]


def test_of_a_group_only_the_moved_widget_speaks(timed: Widget) -> None:
    """The other follows, and is silent: two voices for one move would be noise. Reset too is said once."""
    timed.page.evaluate(
        """() => {
          const two = [1, 2].map(() => document.createElement('pool-room'));
          for (const each of two) each.setAttribute('group', 'one');
          document.body.replaceChildren(...two);
        }"""
    )
    first = Widget(timed.page, "pool-room >> nth=0")
    first.page.evaluate(KEEP)
    first.press("share", "Home")
    first.page.clock.run_for(LATER_MS)
    assert Widget(timed.page, "pool-room >> nth=1").settings()["share"] == 30
    assert (said(first), said(first, 1)) == ([sentence_of({"share": 30})], [])
    first.button(WORDS["view"]["reset"]).click()
    first.page.clock.run_for(LATER_MS)
    assert (said(first)[1:], said(first, 1)) == ([STATUS["back"]], [])


def test_a_fix_is_one_sentence(timed: Widget) -> None:
    """The server starts: heard once, whole, after the button that did it has gone."""
    timed.put(**EVERYTHING)
    timed.page.evaluate(KEEP)
    timed.host.locator(".fix").first.press("Enter")
    timed.page.clock.run_for(LATER_MS)
    share = timed.settings()["share"]
    assert said(timed) == [sentence_of({**EVERYTHING, "share": share}, EVERYTHING)]
