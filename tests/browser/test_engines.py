"""Every engine says what the reference says; what one engine's driver cannot express is named, and is little."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.engines import ENGINES
from tests.browser.widget import STATES, Widget

MOST = 14


@pytest.mark.parametrize("changes", STATES)
def test_lines_are_the_references(widget: Widget, changes: dict[str, Any]) -> None:
    """Opening, starved, refused, set aside, swapped, and with chats turned away."""
    widget.put(**changes)
    widget.assert_shows(**changes)


def test_exceptions_are_few_and_have_reasons(exceptions: list[str], tell: Callable[[str], None]) -> None:
    """Rule: every test of this folder runs in both engines, but for these."""
    for each in exceptions:
        tell(f"only in one engine: {each}")
    tell(f"tests/browser runs in {' and '.join(ENGINES)}; exceptions: {len(exceptions)}")
    assert len(exceptions) <= MOST
