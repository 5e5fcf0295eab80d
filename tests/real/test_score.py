"""A learning platform that receives statements and a score."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from poolroom.facts import WORDS
from tests.browser.widget import START, Widget, of_reference
from tests.real.conftest import OpenHost
from tests.real.recipes import copy, follow

HOSTS = Path(__file__).parent / "hosts"
COURSE = {"share": 48, "cap": 1}
AT = "https://example.org/poolroom/settings"
DOORS = {
    "With the element": lambda page: page.frame_locator("iframe").locator("pool-room"),
    "With a frame": lambda page: page.frame_locator("iframe").frame_locator("iframe").locator("pool-room"),
}


class InCourse(Widget):
    """The widget inside the course, inside the platform."""

    def __init__(self, page: Page, door: str) -> None:
        super().__init__(page)
        self.host = DOORS[door](page)


def goal(**changes: Any) -> float:
    """The task of the recipe, from the reference's numbers."""
    run = of_reference(**{**COURSE, **changes}).run
    return min(1.0, run["running"] / 40) if run and run["running"] is not None and run["refused"] == 0 else 0.0


def statements(page: Page, count: int) -> list[dict[str, Any]]:
    """Wait for that many statements, and give them."""
    page.wait_for_function("(count) => window.lms.statements.length >= count", arg=count)
    told = list(page.evaluate("() => window.lms.statements"))
    assert len(told) == count
    return told


@pytest.mark.parametrize("door", DOORS)
def test_a_learners_moves_become_statements_and_a_score(
    dist: Path, tmp_path: Path, serve_folder: Callable[[Path], str], open_host: OpenHost, door: str
) -> None:
    """One statement for the start, one for each move, one for a new start; the best score stays."""
    follow("score", dist, tmp_path / "course")
    for name in ("lms.html", "lms.js"):
        copy(HOSTS / name, tmp_path / "platform" / name)
    page = open_host(serve_folder(tmp_path), "platform/lms.html", viewport={"width": 1280, "height": 1600})
    page.get_by_role("link", name=door).click()
    widget = InCourse(page, door)
    expect(widget.line("room")).to_be_visible()
    statements(page, 1)
    assert page.evaluate("() => window.lms.score") == pytest.approx(goal())

    widget.press("cap", *["ArrowRight"] * 6)
    statements(page, 2)
    best = goal(cap=64)
    assert page.evaluate("() => window.lms.score") == pytest.approx(best) and best > goal()
    widget.button(WORDS["view"]["reset"]).click()
    told = statements(page, 3)

    verbs = [statement["verb"]["id"].rsplit("/", 1)[1] for statement in told]
    assert verbs == ["initialized", "interacted", "attempted"]
    settings = [statement["result"]["extensions"][AT] for statement in told]
    assert settings == [{**START, **COURSE}, {**START, **COURSE, "cap": 64}, {**START, **COURSE}]
    assert [each["result"]["score"]["scaled"] for each in told] == pytest.approx([goal(), best, goal()])
    assert page.evaluate("() => window.lms.score") == pytest.approx(best)
