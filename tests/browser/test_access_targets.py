"""WCAG 2.5.8 and 2.5.7: everything that a pointer uses is large enough or has room, and nothing needs a drag."""

from typing import Any

import pytest

from poolroom.facts import CAPS, LONGEST, SHARES
from tests.browser.access import AUTHORS, EVERYTHING, WIDTHS, show
from tests.browser.widget import START, Widget

RANGES = {"share": SHARES, "longest": LONGEST, "cap": CAPS}
LEAST = 24
# A label and the box inside it are one target. What answers at the points of a circle and of a square is its own.
TARGETS = """({shadowRoot}) => [...shadowRoot.querySelectorAll('button, input, select, textarea, a[href], label')]
  .filter((node) => node.checkVisibility() && !node.disabled && !node.matches('label input'))
  .filter((node) => !node.querySelector('input:disabled') && !node.control?.disabled)
  .map((node) => {
    node.scrollIntoView({block: 'center'});
    const {left, right, top, bottom, width, height} = node.getBoundingClientRect();
    const name = node.getAttribute('aria-label') ?? (node.id || node.textContent);
    const [x, y] = [left + width / 2, top + height / 2];
    const owns = (points, reach) => points.map(([across, down]) => shadowRoot.elementFromPoint(
      x + across * Math.min(reach, width / 2 - 1), y + down * Math.min(reach, height / 2 - 1)))
      .every((hit) => hit === node || node.contains(hit));
    const corners = [[-1, -1], [1, -1], [-1, 1], [1, 1]];
    const round = owns([[0, 0], [-1, 0], [1, 0], [0, -1], [0, 1]], 11.5) && owns(corners, 8);
    return {name: `${node.localName} ${name}`, width, height, x: x + scrollX, y: y + scrollY,
      round, square: owns(corners, 11.5),
      box: [left + scrollX, top + scrollY, right + scrollX, bottom + scrollY]};
  })"""


def targets(widget: Widget) -> list[dict[str, Any]]:
    """Everything that a pointer can use, with its box, and whether it answers all over a circle and a square."""
    return list(widget.host.evaluate(TARGETS))


def is_small(target: dict[str, Any]) -> bool:
    """Whether a target does not hold a square of 24 px; a round button of 24 px does not."""
    return bool(target["width"] < LEAST or target["height"] < LEAST or not target["square"])


def has_room(target: dict[str, Any], others: list[dict[str, Any]]) -> bool:
    """Whether a circle of 24 px around a small target meets no other target, nor another small one's circle."""
    for other in others:
        if other is target:
            continue
        if gap(target, other) < LEAST / 2:
            return False
        apart = ((target["x"] - other["x"]) ** 2 + (target["y"] - other["y"]) ** 2) ** 0.5
        if is_small(other) and apart < LEAST:
            return False
    return True


def gap(target: dict[str, Any], other: dict[str, Any]) -> float:
    """How far a target's middle is from another's box, in px."""
    left, top, right, bottom = other["box"]
    across = max(left - target["x"], 0, target["x"] - right)
    down = max(top - target["y"], 0, target["y"] - bottom)
    return float((across**2 + down**2) ** 0.5)


def test_the_rule_finds_what_is_too_small(widget: Widget) -> None:
    """A button of 10 px is found, alone and between others."""
    widget.host.evaluate(
        """({shadowRoot}) => {
          const button = document.createElement('button');
          [button.style.width, button.style.height, button.style.padding] = ['10px', '10px', '0'];
          button.style.marginInlineEnd = '-6px';
          button.textContent = 'planted';
          shadowRoot.querySelector('.buttons').prepend(button);
        }"""
    )
    found = targets(widget)
    assert [each["name"] for each in found if is_small(each) and not has_room(each, found)] == ["button planted"]


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("author", AUTHORS)
def test_every_target_is_large_or_has_room(widget: Widget, author: str, width: int) -> None:
    """2.5.8 with helps, fixes and the link shown; nothing lies over a target."""
    show(widget, width, about="how.html", **{**EVERYTHING, **AUTHORS[author]})
    found = targets(widget)
    assert len(found) >= 5
    assert [each["name"] for each in found if is_small(each) and not has_room(each, found)] == []
    assert [each["name"] for each in found if not each["round"]] == []


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("compact", [False, True])
@pytest.mark.parametrize("key", RANGES)
def test_one_click_on_the_track_takes_the_place_of_a_drag(widget: Widget, key: str, compact: bool, width: int) -> None:
    """2.5.7: a press and release without a move goes to the choice that stands there."""
    show(widget, width, 1200, **({"compact": True} if compact else {}))
    choices = RANGES[key]
    place = round(0.2 * (len(choices) - 1))
    box = widget.slider(key).bounding_box()
    assert box is not None
    thumb = 12  # px; its middle runs from 6 px inside one end to 6 px inside the other
    x = box["x"] + thumb / 2 + (box["width"] - thumb) * place / (len(choices) - 1)
    widget.page.mouse.click(x, box["y"] + box["height"] / 2)
    reached = widget.settings()
    assert abs(choices.index(reached.pop(key)) - place) <= (1 if len(choices) > 20 else 0)
    assert reached == {name: value for name, value in START.items() if name != key}


@pytest.mark.parametrize("key", RANGES)
def test_the_field_beside_a_slider_takes_every_choice(widget: Widget, key: str) -> None:
    """2.5.7: what a drag can reach, the list offers or the number field allows."""
    field = widget.field(key)
    if key == "share":
        least, most, step = field.evaluate("(field) => [field.min, field.max, field.step].map(Number)")
        assert list(range(least, most + 1, step)) == SHARES
    else:
        offered = field.locator("option").evaluate_all("(options) => options.map(({value}) => Number(value))")
        assert offered == RANGES[key]
