"""Drive the real page by one of its doors, and read back what is painted."""

import random
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page

from poolroom.facts import CAPS, CARD, LONGEST, SHARES, WORDS
from tests.parity.settings import Setting

CHOICES: dict[str, list[int]] = {"share": SHARES, "longest": LONGEST, "cap": CAPS}
AT_ONCE = 256  # targets of one door whose answers are worked out as they are needed
PAINTED = """() => {
  const root = document.querySelector("pool-room").shadowRoot;
  const line = (name) => {
    const node = root.querySelector(`[data-line="${name}"]`);
    return node.checkVisibility() ? node.innerText.replace(/\\s+/g, " ").trim() : ""; // WebKit keeps a space at the end
  };
  const bar = root.querySelector(".picture").getBoundingClientRect();
  const size = (node) => node.getBoundingClientRect();
  return {
    lines: ["room", "run", "extra", "first-word", "short", "caveat"].map(line),
    legend: [...root.querySelectorAll(".part-text")].map((node) => node.textContent),
    bar: { width: bar.width, height: bar.height },
    widths: [...root.querySelectorAll(".picture > .part > .area")].map((node) => size(node).width),
    lefts: [...root.querySelectorAll(".picture > .part > .area")].map((node) => size(node).left - bar.left),
    used: size(root.querySelector(".used")).height,
    level: root.querySelector(".level .long").textContent,
    peak: root.querySelector(".peak-label").textContent,
    stopped: root.querySelector(".badge").checkVisibility(),
    crossed: getComputedStyle(root.querySelector(".cross")).visibility === "visible",
    sliders: [...root.querySelectorAll(".slider")].map((node) => node.getAttribute("aria-valuetext")),
  };
}"""


ATTRIBUTES = """([share, longest, cap, reserved]) => {
  const widget = document.querySelector("pool-room");
  for (const [key, value] of Object.entries({ share, longest, cap })) widget.setAttribute(key, value);
  widget.toggleAttribute("reserved", reserved);
}"""


def query_of(setting: Setting, rng: random.Random) -> str:
    """The settings as a query, its keys in any order."""
    pairs = [f"{key}={value}" for key, value in zip(CHOICES, setting, strict=False)]
    pairs.append(f"reserved={int(setting[3])}")
    rng.shuffle(pairs)
    return "&".join(pairs)


def in_order(way: str, targets: list[Setting]) -> list[Setting]:
    """The targets of a door; for keys sorted by share, the longest of the lists, so that few have to be pressed."""
    return sorted(targets) if way == "keys" else targets


def way_to(choices: list[int], here: int, there: int, rng: random.Random) -> tuple[str, int]:
    """The key that comes first, if any, and the steps from there: the nearest, now and then another."""
    starts = {"": choices.index(here), "Home": 0, "End": len(choices) - 1}
    goal = choices.index(there)
    first = min(starts, key=lambda each: abs(goal - starts[each]) + 3 * rng.random())
    return first, goal - starts[first]


class Driver:
    """A page with one widget, and the setting that its controls should stand at."""

    def __init__(self, page: Page, address: str) -> None:
        self.page, self.address = page, address
        self.setting: Setting = (90, 8000, 64, False)
        page.goto(address)
        page.locator("pool-room").wait_for()

    def painted(self) -> dict[str, Any]:
        """Read lines, widths, fill, legend and state as they are painted."""
        return self.page.evaluate(PAINTED)

    def slider(self, key: str) -> Any:
        """Find the slider of a setting."""
        return self.page.locator(f'pool-room [data-key="{key}"] .slider')

    def tick(self, reserved: bool) -> None:
        """Set the checkbox by a click when it has to change."""
        if reserved != self.setting[3]:
            self.page.locator("pool-room .check").click()

    def keys(self, target: Setting, rng: random.Random) -> None:
        """Press arrow keys, from the present place or from an end, until every slider is there."""
        for place, key in enumerate(CHOICES):
            first, steps = way_to(CHOICES[key], self.setting[place], target[place], rng)
            self.slider(key).focus()
            if first:
                self.page.keyboard.press(first)
            for _ in range(abs(steps)):
                self.page.keyboard.press("ArrowRight" if steps > 0 else "ArrowLeft")
        self.tick(target[3])
        self.setting = target

    def drag(self, target: Setting, rng: random.Random) -> None:
        """Take each thumb with the mouse, wander, and let go where the target is."""
        for place, key in enumerate(CHOICES):
            choices = CHOICES[key]
            slider = self.slider(key)
            slider.scroll_into_view_if_needed()
            box = slider.bounding_box()
            assert box is not None
            y = box["y"] + box["height"] / 2

            def at(value: int, choices: list[int] = choices, box: dict[str, float] = box) -> float:
                return box["x"] + 6 + (box["width"] - 12) * choices.index(value) / (len(choices) - 1)

            self.page.mouse.move(at(self.setting[place]), y)
            self.page.mouse.down()
            self.page.mouse.move(at(rng.choice(choices)), y + 3)
            self.page.mouse.move(at(target[place]), y)
            self.page.mouse.up()
        self.tick(target[3])
        self.setting = target

    def field(self, target: Setting, rng: random.Random) -> None:
        """Type the share into its field, and choose the others from their lists."""
        share = self.page.locator('pool-room [data-key="share"] .field')
        share.focus()
        share.press("ControlOrMeta+a")  # Firefox's fill() adds to a number instead of replacing it
        share.type(str(target[0]))
        share.press(rng.choice(["Enter", "Tab"]))
        for place, key in ((1, "longest"), (2, "cap")):
            self.page.locator(f'pool-room [data-key="{key}"] .field').select_option(str(target[place]))
        self.tick(target[3])
        self.setting = target

    def address_of(self, target: Setting, rng: random.Random) -> None:
        """Open the page at an address that holds the settings."""
        self.page.goto(f"{self.address}?{query_of(target, rng)}")
        self.setting = target

    def attribute(self, target: Setting, rng: random.Random) -> None:
        """Let the host set the element's attributes."""
        self.page.evaluate(ATTRIBUTES, list(target))
        self.setting = target


WAYS: dict[str, Callable[[Driver, Setting, random.Random], None]] = {
    "keys": Driver.keys,
    "drag": Driver.drag,
    "field": Driver.field,
    "address": Driver.address_of,
    "attribute": Driver.attribute,
}


def mismatches(painted: dict[str, Any], expected: dict[str, Any]) -> list[str]:
    """Say where the painted page and the reference part; widths within half a pixel of bytes ÷ card."""
    wrong = [
        f"{name}: painted {painted[name]!r}, reference {expected[name]!r}"
        for name in ("lines", "legend", "sliders", "stopped", "crossed")
        if painted[name] != expected[name]
    ]
    left = 0
    for i, size in enumerate(expected["grow"]):
        for name, value in (("widths", size), ("lefts", left)):
            pixels = painted["bar"]["width"] * value / CARD.memory_bytes
            if abs(painted[name][i] - pixels) > 0.5:
                wrong.append(f"{name}[{i}]: painted {painted[name][i]}, reference {pixels}")
        left += size
    return wrong + depth_mismatches(painted, expected)


def depth_mismatches(painted: dict[str, Any], expected: dict[str, Any]) -> list[str]:
    """Compare the pool's depth: its level within half a percent and half a pixel, and both labels."""
    height = painted["bar"]["height"]
    if abs(painted["used"] - height * expected["fill"] / 100) > 0.5 + 0.005 * height:
        return [f"fill: painted {painted['used'] / height:.1%}, reference {expected['fill']}%"]
    level = WORDS["view"]["level"].format(held=expected["fill"])
    peak = WORDS["view"]["peak"].format(peak=expected["peak"])
    labels = [painted["level"], painted["peak"]]
    return [] if labels == [level, peak] else [f"labels: painted {labels}, reference {[level, peak]}"]
