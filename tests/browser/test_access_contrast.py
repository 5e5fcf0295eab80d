"""WCAG 1.4.3, 1.4.11 and 1.4.1 by the pixels that are painted: text, lines, edges; and all of it without colour."""

from collections import Counter
from collections.abc import Callable
from itertools import combinations
from typing import Any

import pytest

from tests.browser.access import EVERYTHING, boxes, picture_of, show
from tests.browser.png import Picture, Pixel, contrast, luminance, pixels
from tests.browser.test_theme import paper, rgb
from tests.browser.widget import Widget, two_frames

Reader = Callable[..., Widget]
THEMES = ["light", "dark"]
LOCKED = {"lock": "share longest cap reserved chats", "reserved": True}
STATES: dict[str, dict[str, Any]] = {
    "as it opens": {"about": "how.html", "caption": "A caption"},
    "refused": EVERYTHING,
    "full": {"share": 30, "cap": 512, "theme": ""},
    "a bad value": {"share": 120},
    "locked": LOCKED,
    "locked and compact": {**LOCKED, "compact": True},
}
# Text with its colour and its lines' boxes; what a field shows counts as text, at its own place.
TEXTS = """({shadowRoot}) => {
  const found = [];
  const seen = (node) => node.checkVisibility({visibilityProperty: true}) && !node.closest('.status, option');
  const add = (node, text, box) => box.width > 1 && box.height > 1 && found.push(
    {text, color: getComputedStyle(node).color, left: box.left, top: box.top, right: box.right, bottom: box.bottom});
  for (const node of shadowRoot.querySelectorAll('*')) {
    if (!seen(node)) continue;
    if (node.matches('input.field, select')) add(node, node.value, node.getBoundingClientRect());
    for (const text of node.childNodes) {
      if (text.nodeType !== Node.TEXT_NODE || text.data.trim() === '' || node.localName === 'select') continue;
      const range = document.createRange();
      range.selectNodeContents(text);
      for (const box of range.getClientRects()) add(node, text.data, box);
    }
  }
  return found;
}"""
FADED = """({shadowRoot}) => [...shadowRoot.querySelectorAll('*')].filter((node) => node.checkVisibility()
  && !node.closest('defs, option') && getComputedStyle(node).opacity !== '1').map((node) => node.className)"""
LINES = {  # what is drawn, and how much of its longest row or column stands out
    "track": (".control[data-key=cap] .rail", "row", 0.9),
    "thumb": (".control[data-key=cap] .rail", "column", 0.35),
    "number field": (".field[type=number]", "row", 0.9),
    "list": (".control[data-key=cap] .field", "row", 0.9),
    "box": (".check", "row", 0.6),
    "help": (".control .ask >> nth=0", "row", 0.1),
    "fix": (".fix >> nth=0", "row", 0.9),
    "button": (".action >> nth=0", "row", 0.9),
    "badge": (".badge", "row", 0.9),
    "bracket": (".bracket svg", "row", 0.15),
    "weights": (".picture [data-part=weights] .area", "row", 0.9),
    "reserve": (".picture [data-part=reserve] .area", "row", 0.9),
    "unused": (".picture [data-part=unused] .area", "row", 0.3),
    "swatch of the reserve": (".swatch[data-part=reserve]", "row", 0.9),
    "swatch of the unused": (".swatch[data-part=unused]", "row", 0.3),
}
FIXED = {
    "number field": (".field[type=number]", "row", 0.35),
    "list": (".control[data-key=cap] .field", "row", 0.35),
    "box": (".check", "row", 0.3),
    "tick in the box": (".check", "column", 0.5),
    "track": (".control[data-key=cap] .rail", "row", 0.9),
    "thumb": (".control[data-key=cap] .rail", "column", 0.35),
}
LOOKS = {
    "light": {"color_scheme": "light"},
    "dark": {"color_scheme": "dark"},
    "forced, light": {"forced_colors": "active", "color_scheme": "light"},
    "forced, dark": {"forced_colors": "active", "color_scheme": "dark"},
}


def crop(picture: Picture, box: dict[str, Any]) -> list[Pixel]:
    """The pixels of a box in a picture of the whole window."""
    rows = picture[max(0, int(box["top"])) : int(box["bottom"]) + 1]
    return [pixel for row in rows for pixel in row[max(0, int(box["left"])) : int(box["right"]) + 1]]


def ground(some: list[Pixel]) -> Pixel:
    """The colour that most of some pixels have."""
    return Counter(some).most_common(1)[0][0]


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("state", STATES)
def test_every_text_has_four_and_a_half_to_one(reader: Reader, state: str, theme: str) -> None:
    """The colour of each piece of text against what most of its box is painted with; nothing is faded."""
    widget = reader(color_scheme=theme)
    show(widget, 480, 1300, **STATES[state])
    widget.host.locator(".ask").first.evaluate("(ask) => ask.click()")
    two_frames(widget.page)
    whole = pixels(widget.page.screenshot())
    texts = widget.host.evaluate(TEXTS)
    assert len(texts) > 30
    ratios = {each["text"]: contrast(rgb(each["color"]), ground(crop(whole, each))) for each in texts}
    assert {text: round(ratio, 2) for text, ratio in ratios.items() if ratio < 4.5} == {}
    assert widget.host.evaluate(FADED) == []


def test_faint_text_is_found(widget: Widget) -> None:
    """The measure bites: a line in a faint grey is the one that it names."""
    show(widget, 480, 1300)
    widget.line("caveat").evaluate("(line) => { line.style.color = '#aaa'; }")
    whole = pixels(widget.page.screenshot())
    texts = widget.host.evaluate(TEXTS)
    faint = {each["text"] for each in texts if contrast(rgb(each["color"]), ground(crop(whole, each))) < 4.5}
    assert faint == {widget.lines()["caveat"]}


def too_faint(widget: Widget, what: dict[str, tuple[str, str, float]]) -> dict[str, tuple[float, float]]:
    """What of these stands out less than it should, with how much it does and how much it should."""
    whole, around = pixels(widget.page.screenshot()), paper(widget)
    found = {}
    for name, (selector, along, least) in what.items():
        box = widget.host.locator(selector).evaluate("(node) => node.getBoundingClientRect().toJSON()")
        part = drawn(cut(whole, box), around, along)
        if part < least:
            found[name] = (part, least)
    return found


def cut(whole: Picture, box: dict[str, Any]) -> Picture:
    """The rows of a box, from a picture of the whole window."""
    left, right = int(box["left"]), int(box["right"])
    return [row[left:right] for row in whole[int(box["top"]) : int(box["bottom"])]]


def drawn(picture: Picture, around: Pixel, along: str) -> float:
    """Which part of the fullest row or column of what is drawn stands out from the paper by 3:1."""
    lines = picture if along == "row" else [list(column) for column in zip(*picture, strict=True)]
    return max(sum(contrast(pixel, around) >= 3 for pixel in line) / len(line) for line in lines)


@pytest.mark.parametrize("look", LOOKS)
def test_every_line_and_edge_has_three_to_one(reader: Reader, look: str) -> None:
    """Parts, ticks, tracks, thumbs, fields, buttons, of a server that does not start; in forced colours too."""
    widget = reader(**LOOKS[look])
    show(widget, 720, 1300, **EVERYTHING)
    assert too_faint(widget, LINES) == {}


@pytest.mark.parametrize("compact", [False, True])
@pytest.mark.parametrize("look", LOOKS)
def test_what_an_author_fixed_can_be_read(reader: Reader, look: str, compact: bool) -> None:
    """A disabled control need not, by WCAG; here its edges, its thumb and its tick still stand out."""
    widget = reader(**LOOKS[look])
    show(widget, 720, 1300, **LOCKED, **({"compact": True} if compact else {}))
    assert too_faint(widget, FIXED) == {}


def test_a_faint_edge_is_found(widget: Widget) -> None:
    """The measure bites: a track in a faint grey is the one that it names."""
    show(widget, 720, 1300, **EVERYTHING)
    widget.host.locator(LINES["track"][0]).evaluate("(rail) => { rail.style.opacity = '0.2'; }")
    assert set(too_faint(widget, LINES)) == {"track", "thumb"}


def test_a_fixed_thumb_looks_fixed(widget: Widget) -> None:
    """It is hollow, and a free one is solid; not a matter of colour."""
    solid = drawn_inside_thumb(widget)
    widget.renew(lock="cap")
    assert drawn_inside_thumb(widget) < 0.2 < 0.9 < solid


def drawn_inside_thumb(widget: Widget) -> float:
    """How much of the middle of the thumb of the cap is inked."""
    rail = widget.control("cap").locator(".slider")
    box = rail.evaluate("(node) => node.getBoundingClientRect().toJSON()")
    place, last = rail.evaluate("(slider) => [slider.valueAsNumber, Number(slider.max)]")
    middle = box["left"] + 6 + (box["right"] - box["left"] - 12) * place / last
    high = {"top": box["top"] + 5, "bottom": box["top"] + 10, "left": middle - 3, "right": middle + 3}
    inner = [pixel for row in picture_of(widget, high) for pixel in row]
    return sum(contrast(pixel, paper(widget)) >= 3 for pixel in inner) / len(inner)


def tone(picture: Picture) -> tuple[float, float, float]:
    """A part without its colour: lightness of its ground, share of texture on it, share of ink along its upper edge."""
    greys = [[luminance(pixel) for pixel in row] for row in picture]
    inner = [grey for row in greys[6:24] for grey in row[5:-5]]
    base = Counter(inner).most_common(1)[0][0]
    uneven = sum(apart(grey, base) > 1.15 for grey in inner) / len(inner)
    edge = greys[0][5:-5]
    return base, uneven, sum(apart(grey, base) >= 2 for grey in edge) / len(edge)


def apart(one: float, other: float) -> float:
    """The contrast of two lightnesses."""
    low, high = sorted((one, other))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("compact", [False, True])
def test_in_grey_the_four_parts_differ(reader: Reader, theme: str, compact: bool) -> None:
    """Each two differ by 3:1, or by texture, or by the line of their edge."""
    widget = reader(color_scheme=theme)
    show(widget, 1200, 720, **({"compact": True} if compact else {}))
    tones = {part: tone(widget.part_pixels(part)) for part in ("weights", "reserve", "pool", "unused")}
    same = [
        (one, other)
        for one, other in combinations(tones, 2)
        if apart(tones[one][0], tones[other][0]) < 3
        and abs(tones[one][1] - tones[other][1]) < 0.1
        and abs(tones[one][2] - tones[other][2]) < 0.3
    ]
    assert same == [], tones


@pytest.mark.parametrize("theme", THEMES)
def test_in_grey_neighbours_have_an_edge_between_them(reader: Reader, theme: str) -> None:
    """Where one part ends and the next begins, some column of pixels differs by 3:1 from one of the two."""
    widget = reader(color_scheme=theme)
    show(widget, 1200)
    row = [luminance(pixel) for pixel in middle_row(widget)]
    lefts = [part["left"] for part in boxes(widget, ".picture > .part .area")]
    origin = lefts[0]
    for left in lefts[1:]:
        x = round(left - origin)
        near = row[x - 6 : x + 7]
        assert max(apart(one, other) for one, other in combinations(near, 2)) >= 3, left


def middle_row(widget: Widget) -> list[Pixel]:
    """The bar's pixels a fifth below its upper edge, labels taken away."""
    widget.host.evaluate("({shadowRoot}) => { shadowRoot.querySelector('.levels').hidden = true; }")
    picture = pixels(widget.host.locator(".frame").screenshot())
    return picture[len(picture) // 5]
