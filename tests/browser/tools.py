"""The page on serving as a reader meets it: its tools by their real controls, and what the reference says."""

import random
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import Locator, Page

from poolroom.checks import SimError
from poolroom.serving_facts import TOOLS, opening
from poolroom.tool import Answer, Span
from poolroom.tools import ANSWERS, answer, choice_text
from poolroom.words import plain, tenths

PATH = "serve.html"
NAMES = list(ANSWERS)
CLOSE_PX = 0.5
Settings = dict[str, Any]
PAINTED = """(name) => {
  const node = document.querySelector(`.tool[data-tool="${name}"]`);
  const all = (selector, from = node) => [...from.querySelectorAll(selector)];
  const seen = (each) => (each.checkVisibility() ? each.textContent : `hidden: ${each.textContent}`);
  const caption = (each) => seen(each.closest('figure').querySelector('figcaption'));
  const box = (each) => each.getBoundingClientRect();
  const shares = (row) => {
    const meter = box(row.querySelector('.meter')), whole = meter.width - 1; // its axis is 1 px
    return {whole, parts: all('.amount', row).map((part) => {
      const {left, width} = box(part.querySelector('.amount-room'));
      return [width ? left - meter.left - 1 : null, width, part.dataset.kind];
    })};
  };
  return {
    lines: all('[data-line]').map((line) => [line.dataset.line, seen(line)]),
    outcomes: all('[data-line] b').map(seen),
    rows: all('.bars .row').map((row) => [caption(row), ...['.row-name', '.row-text'].map((part) => seen(row.querySelector(part)))]),
    bars: all('.bars .row').map(shares),
    lanes: all('.lanes tr').map((row) => [row.closest('figure').querySelector('figcaption').textContent,
      row.querySelector('th').textContent, row.querySelector('td').textContent]),
    names: all('.lanes .row').map((row) => [caption(row), seen(row.querySelector('.row-name'))]),
    tracks: all('.lanes .row').map(shares),
    keys: all('.key li').map((each) => [caption(each), seen(each).trim()]),
    controls: Object.fromEntries(all('[data-key]').map((control) => {
      const [slider, list, check] = ['.slider', '.field', '.check'].map((part) => control.querySelector(part));
      return [control.dataset.key, [slider?.getAttribute('aria-valuetext') ?? null,
        list?.selectedOptions[0].textContent ?? null, check?.checked ?? null]];
    })),
    notices: all('.notices li').map(seen),
  };
}"""  # noqa: E501


class Tools:
    """The page, its tools, and what each is set to."""

    def __init__(self, page: Page, address: str) -> None:
        self.page, self.address = page, address
        self.settings = {name: opening(name) for name in NAMES}

    def open(self, query: str = "") -> None:
        """Open the page at an address."""
        self.page.goto(f"{self.address}{PATH}{query}")
        self.settings = {name: opening(name) for name in NAMES}

    def tool(self, name: str) -> Locator:
        """One tool."""
        return self.page.locator(f".tool[data-tool={name}]")

    def control(self, name: str, key: str) -> Locator:
        """One control of a tool."""
        return self.tool(name).locator(f"[data-key={key}]")

    def slider(self, name: str, key: str) -> Locator:
        """The slider of a control."""
        return self.control(name, key).locator(".slider")

    def painted(self, name: str) -> dict[str, Any]:
        """What a tool shows."""
        return dict(self.page.evaluate(PAINTED, name))

    def keys(self, name: str, key: str, value: Any) -> None:
        """Reach a choice with keys: arrows from where the slider stands or from an end, the space bar for a box."""
        values = TOOLS[name]["controls"][key]["values"]
        kind = kind_of(name, key)
        if kind == "names":
            self.list(name, key, value)
        elif kind == "flag":
            self.control(name, key).locator(".check").press(" ")
        else:
            goal, here = values.index(value), values.index(self.settings[name][key])
            start = "Home" if goal < abs(goal - here) else "End" if len(values) - 1 - goal < abs(goal - here) else ""
            here = {"Home": 0, "End": len(values) - 1, "": here}[start]
            self.slider(name, key).focus()
            arrow = "ArrowRight" if goal > here else "ArrowLeft"
            for pressed in [start] * bool(start) + [arrow] * abs(goal - here):
                self.page.keyboard.press(pressed)

    def list(self, name: str, key: str, value: Any) -> None:
        """Choose from a list; click a box."""
        if kind_of(name, key) == "flag":
            self.control(name, key).locator(".check").click()
        else:
            self.control(name, key).locator(".field").select_option(in_address(value))

    def set(self, way: Callable[..., None], name: str, target: Settings) -> None:
        """Move every control that stands elsewhere."""
        for key, value in target.items():
            if self.settings[name][key] != value:
                way(self, name, key, value)
                self.settings[name] = {**self.settings[name], key: value}


def kind_of(name: str, key: str) -> str:
    """Numbers, names or a flag."""
    value = TOOLS[name]["controls"][key]["opening"]
    return "flag" if isinstance(value, bool) else "names" if isinstance(value, str) else "numbers"


def in_address(value: Any) -> str:
    """A value as it stands in an address."""
    return str(int(value)) if isinstance(value, bool) else str(value)


def query_of(name: str, settings: Settings) -> str:
    """The settings of a tool as a query, all of them."""
    return "?" + urlencode({f"{name}.{key}": in_address(value) for key, value in settings.items()})


def targets(seed: str, count: int) -> list[tuple[str, Settings]]:
    """Settings by chance, of each tool in turn."""
    rng = random.Random(seed)
    return [
        (name, {key: rng.choice(control["values"]) for key, control in TOOLS[name]["controls"].items()})
        for name in (NAMES[i % len(NAMES)] for i in range(count))
    ]


def answered(name: str, settings: Settings) -> Answer:
    """The reference's answer, or its refusal in the place of one."""
    try:
        return answer(name, settings)
    except SimError as error:
        return {"lines": {"refused": str(error)}, "rows": [], "lanes": []}


def expected_of(name: str, settings: Settings) -> dict[str, Any]:
    """What the page must show, but for lengths."""
    said = answered(name, settings)
    kinds = TOOLS[name]["words"].get("lanes", {}).get("kinds", {})
    return {
        "lines": [[key, plain([line])] for key, line in said["lines"].items()],
        "outcomes": [part for line in said["lines"].values() for part in line.split("*")[1::2]],
        "rows": [[row["group"], row["name"], row["text"]] for row in said["rows"]],
        "lanes": [[lane["group"], lane["name"], in_words(lane["spans"], kinds)] for lane in said["lanes"]],
        "names": [[lane["group"], lane["name"]] for lane in said["lanes"]],
        "keys": keys_of(said, kinds),
        "controls": {key: shown(name, key, value) for key, value in settings.items()},
    }


def keys_of(said: Answer, kinds: dict[str, str]) -> list[list[str]]:
    """What each picture over time explains: the kinds that are in it, as they come."""
    pairs = [(lane["group"], span["kind"]) for lane in said["lanes"] for span in lane["spans"]]
    groups = dict.fromkeys(group for group, _ in pairs)
    return [[group, kinds[kind]] for group in groups for kind in dict.fromkeys(k for g, k in pairs if g == group)]


def in_words(spans: list[Span], kinds: dict[str, str]) -> str:
    """A lane as text."""
    return ", ".join(f"{kinds[span['kind']]} {ms(span['start'])} to {ms(span['end'])}" for span in spans)


def ms(seconds: float) -> str:
    """A time as the page writes it."""
    return f"{tenths(1000.0 * seconds)} ms"


def shown(name: str, key: str, value: Any) -> list[Any]:
    """What slider, list and box of a control show."""
    kind, text = kind_of(name, key), choice_text(name, key, value)
    return [text if kind == "numbers" else None, None if kind == "flag" else text, value if kind == "flag" else None]


def lengths_of(said: Answer) -> tuple[list[list[Any]], list[list[Any]]]:
    """Bars and stretches as shares of their picture's width: left edge, width and kind."""
    longest = {row["group"]: 0.0 for row in said["rows"]}
    for row in said["rows"]:
        longest[row["group"]] = max(longest[row["group"]], row["amount"])
    bars = [[[0.0, row["amount"] / (longest[row["group"]] or 1.0), row["kind"]]] for row in said["rows"]]
    end = max((span["end"] for lane in said["lanes"] for span in lane["spans"]), default=0.0) or 1.0
    return bars, [[stretch_of(span, end) for span in lane["spans"]] for lane in said["lanes"]]


def stretch_of(span: Span, end: float) -> list[Any]:
    """A stretch of a lane as shares of the whole: left edge, width and kind."""
    return [span["start"] / end, (span["end"] - span["start"]) / end, span["kind"]]


def mismatches(painted: dict[str, Any], name: str, settings: Settings) -> list[str]:
    """Where the painted tool and the reference part: every text to the letter, every length within half a pixel."""
    expected = expected_of(name, settings)
    wrong = [
        f"{name} {settings} {part}: painted {painted[part]!r}, reference {expected[part]!r}"
        for part in expected
        if painted[part] != expected[part]
    ]
    for part, wanted in zip(("bars", "tracks"), lengths_of(answered(name, settings)), strict=True):
        if len(painted[part]) != len(wanted) or not all(map(fits, painted[part], wanted)):
            wrong.append(f"{name} {settings} {part}: painted {painted[part]!r}, reference {wanted!r}")
    return wrong


def fits(painted: dict[str, Any], wanted: list[list[Any]]) -> bool:
    """Whether the parts of one line of a picture lie where they should."""
    whole = painted["whole"]
    return len(painted["parts"]) == len(wanted) and all(
        kind == said
        and abs(width - share * whole) <= CLOSE_PX
        and (left is None or abs(left - start * whole) <= CLOSE_PX)
        for (left, width, kind), (start, share, said) in zip(painted["parts"], wanted, strict=True)
    )
