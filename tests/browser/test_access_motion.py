"""WCAG 2.2.2 and the wish for less motion: nothing runs by itself, and what is out of sight does nothing."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.browser.access import AUTHORS, EVERYTHING
from tests.browser.conftest import Open
from tests.browser.test_theme import MATCHES, moving
from tests.browser.widget import Widget, two_frames

Reader = Callable[..., Widget]
# Everything by which a page can go on working by itself, counted.
COUNT = """
window.asked = {};
for (const name of ['requestAnimationFrame', 'setInterval', 'setTimeout', 'requestIdleCallback']) {
  const real = window[name];
  window[name] = function (...words) {
    window.asked[name] = (window.asked[name] ?? 0) + 1;
    return real.apply(this, words);
  };
}
"""
RUNNING = """() => {
  const roots = [document, ...[...document.querySelectorAll('*')].map((node) => node.shadowRoot).filter(Boolean)];
  return roots.flatMap((root) => root.getAnimations()).length;
}"""
WATCH = """(host) => {
  host.changes = [];
  new MutationObserver((records) => host.changes.push(...records.map(({target}) => target.nodeName)))
    .observe(host.shadowRoot, {attributes: true, childList: true, characterData: true, subtree: true});
}"""
CHANGES = "async (host) => { await null; return host.changes; }"
BACK = """(host) => new Promise((done) => {
  host.scrollIntoView();
  new IntersectionObserver(([entry]) => entry.isIntersecting && setTimeout(done)).observe(host);
})"""
AWAY = """(host) => new Promise((done) => {
  const above = document.createElement('div');
  above.style.height = '9000px';
  host.before(above);
  window.scrollTo(0, 0);
  new IntersectionObserver(([entry]) => entry.isIntersecting || setTimeout(done)).observe(host);
})"""
MOVES = ["ArrowRight", "Home", "End"]


def settled(page: Page) -> None:
    """Wait until the timers that a move started have run out: the mark on what changed, and the sentence."""
    page.wait_for_function("() => !document.querySelector('pool-room').shadowRoot.querySelector('.changed')")
    two_frames(page)


@pytest.mark.parametrize("author", AUTHORS)
def test_with_reduced_motion_no_form_moves(reader: Reader, author: str) -> None:
    """After moves, helps and a refusal: no animation runs in page or widget, no duration is above zero."""
    widget = reader(color_scheme="light", reduced_motion="reduce")
    assert widget.page.evaluate(MATCHES, "(prefers-reduced-motion: reduce)")
    widget.renew(**AUTHORS[author])
    widget.put(**EVERYTHING)
    for ask in widget.host.locator(".ask").all():
        ask.evaluate("(ask) => ask.click()")
    longest = widget.slider("longest")
    longest.evaluate("(slider) => { slider.value = slider.min; slider.dispatchEvent(new Event('input')); }")
    assert widget.page.evaluate(RUNNING) == 0
    assert moving(widget) == {"0s"}


@pytest.mark.parametrize("path", ["index.html", "how.html", "poolroom.html"])
def test_with_reduced_motion_no_page_moves(open_page: Open, path: str) -> None:
    """The pages around the widget too: nothing runs, nothing scrolls softly."""
    page = open_page(path, reduced_motion="reduce")
    assert page.evaluate(RUNNING) == 0
    assert page.evaluate("() => getComputedStyle(document.documentElement).scrollBehavior") == "auto"


def test_a_running_animation_is_found(widget: Widget) -> None:
    """The measure bites, in the page and in the widget's own root."""
    for place in ("(host) => host", "({shadowRoot}) => shadowRoot.querySelector('.bar')"):
        node = widget.host.evaluate_handle(place)
        node.evaluate("(node) => { node.animate([{opacity: 0.5}, {opacity: 1}], 60000); }")
    assert widget.page.evaluate(RUNNING) == 2
    widget.host.evaluate(
        "(host) => [host, ...host.shadowRoot.querySelectorAll('*')].forEach((node) => "
        "node.getAnimations().forEach((each) => each.cancel()))"
    )


@pytest.mark.parametrize("path", ["bare.html", "index.html", "poolroom.html"])
def test_nothing_starts_by_itself(open_page: Open, path: str) -> None:
    """No frame is asked for and no interval set, on load or later; after 30 frames the widget is as it was."""
    page = open_page(path, script=COUNT)
    widget = Widget(page, "pool-room >> nth=0")
    widget.host.evaluate(WATCH)
    asked = set(page.evaluate("() => window.asked"))
    assert asked <= {"setTimeout"}
    for _ in range(15):
        two_frames(page)
    assert widget.host.evaluate(CHANGES) == []
    assert page.evaluate("() => document.querySelectorAll('video, audio, marquee, animate, [autoplay]').length") == 0


def test_after_a_move_the_widget_comes_to_rest(open_page: Open) -> None:
    """Mark and sentence take one timer each; then no change, no frame, no interval, as long as one waits."""
    page = open_page(script=COUNT)
    widget = Widget(page)
    widget.press("cap", *MOVES)
    page.wait_for_function("() => document.querySelector('pool-room').shadowRoot.querySelector('.status').textContent")
    settled(page)
    widget.host.evaluate(WATCH)
    page.evaluate("() => { window.asked = {}; }")
    for _ in range(10):
        page.screenshot(caret="initial")
    assert page.evaluate("() => window.asked") == {}
    assert widget.host.evaluate(CHANGES) == []


def test_out_of_sight_a_widget_does_no_work(open_page: Open) -> None:
    """Far below the window, moved by its host, it changes nothing and asks for nothing; in sight again it is right."""
    page = open_page(script=COUNT)
    widget = Widget(page)
    widget.host.evaluate(AWAY)
    widget.host.evaluate(WATCH)
    page.evaluate("() => { window.asked = {}; }")
    for share in range(30, 90, 5):
        widget.put(share=share)
    asked = page.evaluate("() => window.asked")
    for _ in range(5):
        page.screenshot(caret="initial")
    assert widget.host.evaluate(CHANGES) == []
    assert asked == {}
    widget.host.evaluate(BACK)
    assert len(widget.host.evaluate(CHANGES)) > 10
    widget.assert_shows(share=85)
