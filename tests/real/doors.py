"""The widget behind each door of a host: as an element of the page, and inside a frame."""

from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.widget import Widget, lines_of, of_reference


class Framed(Widget):
    """The widget of a page that stands in a frame."""

    def __init__(self, page: Page, frame: str = "iframe") -> None:
        super().__init__(page)
        self.host = page.frame_locator(frame).locator("pool-room")
        self.status = self.host.locator(".status")
        self.notices = self.host.locator(".notices")


def drive(widget: Widget, **start: Any) -> None:
    """See that a fresh widget shows what its author set, move its first slider, and compare again."""
    room = lines_of(of_reference(**start))["room"]
    widget.host.scroll_into_view_if_needed()
    expect(widget.line("room")).to_have_text(room)
    widget.assert_shows(**start)
    assert widget.told() == []
    widget.press("share", "ArrowLeft")
    widget.assert_shows(of_reference(**start), **{**start, "share": start["share"] - 1})
