"""The focus of a shared page's window: Firefox may lose it for a while, or for good."""

from playwright.sync_api import Page

TRIES = 50


def awake(page: Page) -> bool:
    """Give a page's window the focus and say whether it came.

    While another document comes into a window, Firefox may lose it for a moment; after a Tab key that leaves the
    document, it stands in the browser's own bar, and no command of the driver brings it back.
    """
    page.bring_to_front()
    for _ in range(TRIES):
        if page.evaluate("() => document.hasFocus()"):
            return True
        page.bring_to_front()
        page.set_viewport_size({"width": 1280, "height": 721})
        page.set_viewport_size({"width": 1280, "height": 720})
        page.wait_for_timeout(50)
    return False
