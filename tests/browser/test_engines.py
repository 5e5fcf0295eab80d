"""What one engine's driver cannot express is named, and is little."""

from collections.abc import Callable

from tests.browser.engines import ENGINES

MOST = 8


def test_exceptions_are_few_and_have_reasons(exceptions: list[str], tell: Callable[[str], None]) -> None:
    """Rule: every test of this folder runs in both engines, but for these."""
    for each in exceptions:
        tell(f"only in one engine: {each}")
    tell(f"tests/browser runs in {' and '.join(ENGINES)}; exceptions: {len(exceptions)}")
    assert len(exceptions) <= MOST
