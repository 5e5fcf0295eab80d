"""Playwright, a little quicker: Firefox takes about as long to answer as to work, and most tests ask many things."""

from typing import Any

from playwright.sync_api import Locator, Page

ONCE = "async (nodes, given) => (nodes.length === 1 ? [await ({})(nodes[0], given)] : null)"
patient = Locator.evaluate


def evaluate(self: Locator, expression: str, arg: Any = None, **options: Any) -> Any:
    """Ask the one node that is there in one round trip; Playwright's own way waits for it in another, first."""
    found = self.evaluate_all(ONCE.format(expression), arg)
    return found[0] if found else patient(self, expression, arg, **options)


def resize(page: Page, width: int, height: int) -> None:
    """Give a window a size, where it has another."""
    size = {"width": width, "height": height}
    if page.viewport_size != size:
        page.set_viewport_size(size)  # type: ignore[arg-type]
