"""The widget as a reader meets it, and what the reference says about the same settings."""

from functools import cache
from typing import Any

from playwright.sync_api import Locator, Page

from poolroom import chat_list, describe_measured, measure, page_words, status_line
from poolroom.describe import Measured
from poolroom.facts import OPENING, WORDS, Words
from tests.browser.png import Picture, pixels

START: dict[str, Any] = {**OPENING, "chats": "lesson"}
STATES: list[dict[str, Any]] = [
    {}, {"share": 30, "cap": 256}, {"share": 43, "longest": 128000}, {"longest": 32000, "reserved": True},
    {"chats": "swapped", "cap": 512}, {"longest": 4000},
]  # fmt: skip
"""Opening, starved, refused, set aside, swapped, and with chats turned away: what every engine shows."""


@cache
def of_reference(**changes: Any) -> Measured:
    """The reference's numbers for the opening settings with some changes."""
    settings = {**START, **changes}
    requests = None if settings["chats"] == "lesson" else chat_list(settings["chats"])
    return measure(settings["share"], settings["longest"], settings["cap"], settings["reserved"], requests)


def lines_of(measured: Measured, before: Measured | None = None, words: Words = WORDS) -> dict[str, str]:
    """The lines that the reference wants shown, by name; those that are empty are not shown."""
    shown, beside = describe_measured(measured, words), page_words(measured, before, words)
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


RENEW = """(old, attributes) => {
  const fresh = document.createElement('pool-room');
  for (const [name, text] of Object.entries(attributes)) fresh.setAttribute(name, text);
  old.replaceWith(fresh);
}"""
LINES = """(host) => Object.fromEntries([...host.shadowRoot.querySelectorAll('[data-line]')]
  .filter((line) => !line.hidden && line.textContent !== '')
  .map((line) => [line.dataset.line, line.textContent]))"""
SAID = "async (host) => { await null; return host.said; }"
LOG = """(host) => {
  [host.said, host.heard] = [[], []];
  const status = host.shadowRoot.querySelector('.status');
  new MutationObserver((records) => host.said.push(...records.map(() => status.textContent)))
    .observe(status, {childList: true, characterData: true, subtree: true});
  document.addEventListener('poolroom-change', (event) => event.target === host && host.heard.push({
    bubbles: event.bubbles, composed: event.composed, detail: JSON.parse(JSON.stringify(event.detail)),
  }));
}"""


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

    def renew(self, **attributes: Any) -> None:
        """Put a new element with these attributes in the place of this one."""
        self.host.evaluate(RENEW, as_texts(attributes))

    def put(self, **changes: Any) -> None:
        """Set settings as the host's program does."""
        self.host.evaluate("(host, changes) => { host.settings = changes; }", changes)

    def keep_log(self) -> None:
        """Note from now on what the status says and which events are heard."""
        self.host.evaluate(LOG)

    def said(self) -> list[str]:
        """What the status has said since."""
        return list(self.host.evaluate(SAID))

    def heard(self) -> list[dict[str, Any]]:
        """The events heard since."""
        return list(self.host.evaluate("(host) => host.heard"))

    def settings(self) -> dict[str, Any]:
        """The settings in force."""
        return dict(self.host.evaluate("(host) => ({...host.settings})"))

    def lines(self) -> dict[str, str]:
        """The visible lines by name."""
        return dict(self.host.evaluate(LINES))

    def told(self) -> list[str]:
        """The notices above the bar."""
        return self.notices.locator("li").all_text_contents()

    def part_pixels(self, part: str) -> Picture:
        """The pixels of one part of the bar from its left edge, labels taken away."""
        self.host.evaluate("(host) => { host.shadowRoot.querySelector('.levels').hidden = true; }")
        box = self.host.locator(f".picture [data-part={part}] .area").bounding_box()
        assert box is not None
        box["width"] = min(box["width"], 60)
        return pixels(self.page.screenshot(clip=box))

    def assert_shows(self, before: Measured | None = None, **changes: Any) -> None:
        """Compare settings and lines with the reference."""
        assert self.settings() == {**START, **changes}
        assert self.lines() == lines_of(of_reference(**changes), before)


def as_texts(attributes: dict[str, Any]) -> dict[str, str]:
    """Attributes as an element takes them: True is one without a value."""
    return {name: "" if value is True else str(value) for name, value in attributes.items()}


def type_over(field: Locator, text: str) -> None:
    """Type a text in place of what a field holds; in Firefox `fill` adds to a number instead of replacing it."""
    field.press("ControlOrMeta+a")
    field.page.keyboard.press("Delete")
    field.page.keyboard.type(text)


def visit(page: Page, home: str, paths: list[str]) -> None:
    """Open pages one after the other; where there is a widget, move it and see that it answers."""
    for path in paths:
        page.goto(home + path)
        if page.locator("pool-room").count():
            widget = Widget(page, "pool-room >> nth=0")
            widget.put(**START)
            widget.press("share", "ArrowLeft")
            widget.control("reserved").locator(".ask").click()
            assert widget.lines() == lines_of(of_reference(share=89), of_reference())


def two_frames(page: Page) -> None:
    """Wait until what was changed is painted."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def name_of(key: str) -> str:
    """A control's name in words."""
    return str(WORDS["controls"][key]["name"])
