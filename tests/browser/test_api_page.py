"""The page of names: every name has its place and is found by its address, without any script."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import poolroom
from poolroom.facts import CONTRACT
from tests.browser.html import read
from tests.browser.test_layout import assert_fits

Scriptless = Callable[[str], Page]
INSIDE = "commas"
PLACES = """() => [...document.querySelectorAll('#room .twins > figure')]
  .map((figure) => figure.getBoundingClientRect()).map(({x, y, right}) => [x, y, right])"""


def test_every_name_is_on_the_page(dist: Path) -> None:
    """What Python exports, what the element is asked for, and every command; each with a link to itself."""
    page = read(dist / "api.html")
    there = {node.attributes["id"] for node in page.find("div", "entry")}
    assert set(poolroom.__all__) <= there
    assert {"pool-room", "pool-room-value", "notebook-widget", "command-check", INSIDE} <= there
    members = {node.attributes["id"] for node in page.find("h4")}
    assert {"PoolRoom-settings", "PoolRoom-result", "PoolRoom-follow", "Clock-now"} <= members
    linked = {node.attributes["href"] for node in page.find("a")}
    assert {f"#{name}" for name in there | members} <= linked
    (element,) = [node for node in page.all() if node.attributes.get("id") == "pool-room"]
    terms = {node.text for node in element.find("dt")}
    assert {*CONTRACT["options"], *CONTRACT["events"]} <= terms


def test_an_entry_says_it_all(dist: Path) -> None:
    """Both signatures, the meaning of each parameter with its unit, what comes back, what is raised, the source."""
    (entry,) = [node for node in read(dist / "api.html").all() if node.attributes.get("id") == "memory_parts"]
    codes = [node.text for node in entry.find("pre")]
    assert "share: int" in codes[0] and "-> Parts" in codes[0]
    assert "share: number" in codes[1] and ": Parts" in codes[1]
    assert "memory share, whole percent from 1 to 100" in [node.text for node in entry.find("dd")]
    assert {"Returns", "Raises", "Source"} <= {node.text for node in entry.find("dt")}


def test_an_address_leads_to_a_name_inside_a_module(scriptless: Scriptless) -> None:
    """A name that is folded away opens when an address names it, and its list opens by hand, without scripts."""
    page = scriptless(f"api.html#{INSIDE}")
    expect(page.locator(f"#{INSIDE} h3")).to_be_in_viewport()
    folded = page.locator("details").first
    folded.locator("summary").click()
    expect(folded.locator(".entry").first).to_be_visible()


@pytest.mark.parametrize(("width", "beside"), [(1280, True), (320, False)])
def test_twins_stand_beside_each_other_or_below(scriptless: Scriptless, width: int, beside: bool) -> None:
    """Side by side where there is room; at 320 px below each other, and nothing is cut off with everything open."""
    page = scriptless("api.html")
    page.set_viewport_size({"width": width, "height": 640})
    for summary in page.locator("details > summary").all():
        summary.click()
    assert_fits(page)
    (left, top, right), (other, below, _) = page.evaluate(PLACES)
    assert (top == below and right < other) if beside else (left == other and top < below)
