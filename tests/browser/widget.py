"""The widget as a reader meets it, and what the reference says about the same settings."""

from functools import cache
from typing import Any

from playwright.sync_api import Locator, Page

from poolroom import chat_list, describe_measured, measure, page_words, status_line
from poolroom.describe import Measured
from poolroom.facts import OPENING, WORDS

START: dict[str, Any] = {**OPENING, "chats": "lesson"}


@cache
def of_reference(**changes: Any) -> Measured:
    """The reference's numbers for the opening settings with some changes."""
    settings = {**START, **changes}
    requests = None if settings["chats"] == "lesson" else chat_list(settings["chats"])
    return measure(settings["share"], settings["longest"], settings["cap"], settings["reserved"], requests)


def lines_of(measured: Measured, before: Measured | None = None) -> dict[str, str]:
    """The lines that the reference wants shown, by name; those that are empty are not shown."""
    shown, beside = describe_measured(measured), page_words(measured, before)
    lines = {
        "room": shown["room"],
        "run": shown["run"],
        "extra": shown["extra"],
        "short": beside["short"],
        "first-word": beside["first_word"],
        "same": beside["same"],
        "caveat": beside["caveat"],
    }
    return {name: line for name, line in lines.items() if line}


def sentence_of(after: dict[str, Any], before: dict[str, Any] | None = None) -> str:
    """What the reference wants said after a move between two settings."""
    return status_line(of_reference(**after), of_reference(**(before or {})))


class Widget:
    """One widget on a page: its controls, its words, and what it is set to."""

    def __init__(self, page: Page, selector: str = "pool-room") -> None:
        self.page = page
        self.host = page.locator(selector)
        self.status = self.host.locator(".status")
        self.notices = self.host.locator(".notices")

    def control(self, key: str) -> Locator:
        """The whole control of a key."""
        return self.host.locator(f".controls [data-key={key}]")

    def slider(self, key: str) -> Locator:
        """The slider of a key."""
        return self.control(key).locator(".slider")

    def field(self, key: str) -> Locator:
        """The number field or list of a key."""
        return self.control(key).locator(".field")

    def line(self, name: str) -> Locator:
        """The line of that name."""
        return self.host.locator(f"[data-line={name}]")

    def button(self, name: str) -> Locator:
        """The button that a reader sees under this name."""
        return self.host.get_by_role("button", name=name, exact=True)

    def press(self, key: str, *keys: str) -> None:
        """Press keys on the slider of a key, one after the other."""
        self.slider(key).focus()
        for each in keys:
            self.page.keyboard.press(each)

    def settings(self) -> dict[str, Any]:
        """The settings in force."""
        return dict(self.host.evaluate("(host) => ({...host.settings})"))

    def lines(self) -> dict[str, str]:
        """The visible lines by name."""
        return dict(self.host.evaluate(
            """(host) => Object.fromEntries([...host.shadowRoot.querySelectorAll('[data-line]')]
               .filter((line) => !line.hidden && line.textContent !== '')
               .map((line) => [line.dataset.line, line.textContent]))"""
        ))

    def told(self) -> list[str]:
        """The notices above the bar."""
        return self.notices.locator("li").all_text_contents()

    def assert_shows(self, before: Measured | None = None, **changes: Any) -> None:
        """Compare settings and lines with the reference."""
        assert self.settings() == {**START, **changes}
        assert self.lines() == lines_of(of_reference(**changes), before)


def two_frames(page: Page) -> None:
    """Wait until what was changed is painted."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def name_of(key: str) -> str:
    """A control's name in words."""
    return str(WORDS["controls"][key]["name"])
