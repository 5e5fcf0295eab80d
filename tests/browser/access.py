"""What the tests of accessibility ask of a widget, at its real places: boxes, stops of the Tab key, pixels."""

from typing import Any

from tests.browser.png import Picture, Pixel, contrast, pixels
from tests.browser.quick import resize
from tests.browser.widget import Widget

WIDTHS = [320, 480, 768, 1200]
NO_TREE = "only Chromium's driver shows the accessibility tree of one node"
EVERYTHING = {"share": 43, "longest": 128000}  # refused: the buttons of the fixes are there too
AUTHORS: dict[str, dict[str, Any]] = {
    "plain": {},
    "compact": {"compact": True},
    "locked": {"lock": "share longest cap reserved chats", "reserved": True, "caption": "A caption"},
    "in part": {"compact": True, "lock": "share", "hide": "cap legend", "caption": "One slider is fixed"},
}
BOXES = """(host, selector) => [...host.shadowRoot.querySelectorAll(selector)]
  .filter((node) => node.checkVisibility({visibilityProperty: true}) && !node.disabled)
  .map((node) => ({name: node.getAttribute('aria-label') ?? node.id ?? node.textContent,
    kind: `${node.localName}.${node.className}`, ...node.getBoundingClientRect().toJSON()}))"""
STOP = """() => {
  const node = document.activeElement?.shadowRoot?.activeElement;
  if (!node) return null;
  const {left, right, top, bottom} = node.getBoundingClientRect();
  const all = [...document.activeElement.shadowRoot.querySelectorAll('*')];
  const name = node.getAttribute('aria-label') ?? node.closest('[data-key]')?.dataset.key ?? node.textContent;
  return {place: all.indexOf(node), name: `${name} (${node.className || node.localName})`,
    left, right, top: top + scrollY, bottom: bottom + scrollY};
}"""
GUARD = """(host) => {
  for (const place of ['before', 'after']) {
    const button = document.createElement('button');
    button.id = place;
    button.textContent = place;
    host[place](button);
  }
}"""


def show(widget: Widget, width: int, height: int = 720, **attributes: Any) -> None:
    """Show a new widget with an author's attributes in a window of that size."""
    resize(widget.page, width, height)
    widget.renew(**attributes)


def boxes(widget: Widget, selector: str) -> list[dict[str, Any]]:
    """The boxes of what is seen and can be used, in px of the window."""
    return list(widget.host.evaluate(BOXES, selector))


def guard(widget: Widget) -> None:
    """Put a button before the widget and one after it, and the focus on the first."""
    widget.host.evaluate(GUARD)
    widget.page.locator("#before").focus()


def stops(widget: Widget, key: str = "Tab") -> list[dict[str, Any]]:
    """Where the Tab key stops inside the widget, from outside it to outside it again."""
    found: list[dict[str, Any]] = []
    for _ in range(60):
        widget.page.keyboard.press(key)
        stop = widget.page.evaluate(STOP)
        if stop is None:
            return found
        found.append(stop)
    raise AssertionError(f"{key} never leaves the widget: {[stop['name'] for stop in found[-5:]]}")


def picture_of(widget: Widget, box: dict[str, float], margin: int = 0) -> Picture:
    """The pixels of a box, with some px around it as far as the window goes; the box is in px of the window."""
    left, top = max(0, int(box["left"]) - margin), max(0, int(box["top"]) - margin)
    wide, high = int(box["right"]) + margin - left, int(box["bottom"]) + margin - top
    clip = {"x": left, "y": top, "width": wide, "height": high}
    return pixels(widget.page.screenshot(clip=clip))  # type: ignore[arg-type]


def changed(before: Picture, after: Picture) -> list[tuple[Pixel, Pixel]]:
    """The pixels that differ between two pictures of one place, before and after."""
    return [
        (old, new)
        for one, other in zip(before, after, strict=True)
        for old, new in zip(one, other, strict=True)
        if old != new
    ]


def clear(pairs: list[tuple[Pixel, Pixel]], least: float = 3) -> int:
    """How many of these pixels differ by a contrast of at least 3:1."""
    return sum(contrast(old, new) >= least for old, new in pairs)
