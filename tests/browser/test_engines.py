"""Every engine says what the reference says; what one engine's driver cannot express is named, and is little."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.conftest import Benches
from tests.browser.engines import ENGINES
from tests.browser.widget import STATES, Widget

MOST = 16


@pytest.mark.parametrize("changes", STATES)
def test_lines_are_the_references(widget: Widget, changes: dict[str, Any]) -> None:
    """Opening, starved, refused, set aside, swapped, and with chats turned away."""
    widget.put(**changes)
    widget.assert_shows(**changes)


def test_a_page_left_by_the_tab_key_is_not_shared_any_more(benches: Benches, browser_name: str, site: str) -> None:
    """Rule: the next test gets a page that has the focus, whatever a test did before it."""
    page, _ = benches(browser_name)
    page.goto(site + "bare.html")
    page.evaluate("() => document.body.replaceChildren()")
    for _ in range(3):
        page.keyboard.press("Tab")
    page, watch = benches(browser_name)
    page.goto(site + "bare.html")
    assert page.evaluate("() => document.hasFocus()")
    watch.assert_quiet()


def test_exceptions_are_few_and_have_reasons(exceptions: list[str], tell: Callable[[str], None]) -> None:
    """Rule: every test of this folder runs in both engines, but for these."""
    for each in exceptions:
        tell(f"only in one engine: {each}")
    tell(f"tests/browser runs in {' and '.join(ENGINES)}; exceptions: {len(exceptions)}")
    assert len(exceptions) <= MOST
