"""The truth page: every report in figures, both pictures, every miss with its reason; narrow, printed, in any theme."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import truth_numbers
import truth_pictures
from tests.browser.conftest import Open
from tests.browser.engines import NO_MEDIA, only
from tests.browser.html import Node, read
from tests.browser.test_layout import assert_fits

Scriptless = Callable[[str], Page]
PAGE = "truth.html"
A4 = {"width": 794, "height": 1123}
PRINTED = """() => [...document.querySelectorAll('table')]
  .filter((table) => table.scrollWidth > table.parentNode.clientWidth + 1)
  .map((table) => table.className)"""
PINNED = """() => {
  const box = document.querySelector('.broad .scroll');
  const first = box.querySelector('tbody .report');
  const before = first.getBoundingClientRect().left;
  box.scrollLeft = 200;
  return [box.scrollWidth > box.clientWidth, first.getBoundingClientRect().left - before];
}"""
SEEN = """() => [...document.querySelectorAll('.plot .mark')].map((mark) => {
  const shape = mark.querySelector('circle, path').getBoundingClientRect();
  const plot = mark.parentNode.getBoundingClientRect();
  const across = shape.right > plot.left && shape.left < plot.right;
  return across && shape.bottom > plot.top && shape.top < plot.bottom && shape.width >= 7;
})"""


@pytest.fixture(scope="module")
def page(dist: Path) -> Node:
    """The page as it was built."""
    return read(dist / PAGE)


def cells(page: Node, anchor: str) -> list[str]:
    """The texts of a report's row."""
    (row,) = [node for node in page.find("tr") if node.attributes.get("id") == f"report-{anchor}"]
    return [" ".join(node.text.split()) for node in [*row.find("th"), *row.find("td")]]


def test_every_report_is_there_in_figures(page: Node) -> None:
    """What was printed stands beside what the plan says, for each report, with the error that the figures give."""
    for one in truth_numbers.reports():
        row = cells(page, one.anchor)
        assert one.model in row[0] and one.source in row[0]
        assert row[1] == one.version
        columns = [one.sized if name == "tokens" else name for name in truth_numbers.COLUMNS]
        assert row[2:10] == [text for name in columns for text in (one.printed(name), one.planned(name))]
        assert row[10:] == [one.off, one.started]


def test_the_run_that_nothing_was_fitted_on_is_on_top(page: Node) -> None:
    """What the page is proudest of is a prediction: 41,408 tokens printed, and what the plan says of them."""
    (findings,) = page.find("dl", "findings")
    planned = truth_numbers.kept_run().planned("tokens")
    assert f"41,408 tokens printed, {planned} planned" in " ".join(findings.text.split())


def test_every_miss_leads_to_its_reason(page: Node) -> None:
    """Each miss is marked in the table by a link, which leads to a reason that is not empty."""
    said = {node.attributes["id"]: i for i, node in enumerate(page.find("dt")) if "id" in node.attributes}
    linked = {node.attributes["href"][1:] for node in page.find("a", "miss")}
    assert linked == set(said)
    assert all(why for _, why in truth_numbers.misses())
    text = " ".join(page.text.split())
    assert all(why in text for _, why in truth_numbers.misses())


def test_both_pictures_have_every_report(page: Node) -> None:
    """A mark for each report in both pictures, with its figures as its name; the table has the same."""
    plots = page.find("svg", "plot")
    drawn = truth_pictures.drawn()
    assert len(plots) == 2 and all(node.attributes["role"] == "img" for node in plots)
    for plot in plots:
        names = [node.text for node in plot.find("title")]
        assert len(names) == len(drawn)
        assert {one.model for one in drawn} == {name.split(",")[0] for name in names}


def test_marks_are_drawn_inside_their_plots(open_page: Open) -> None:
    """None is cut off or lost, wide and narrow; what is too far off stands on the edge."""
    opened = open_page(PAGE)
    for width in (1280, 360):
        opened.set_viewport_size({"width": width, "height": 800})
        marks = opened.evaluate(SEEN)
        assert len(marks) == 2 * len(truth_pictures.drawn()) and all(marks)


def test_it_needs_no_script(scriptless: Scriptless, page: Node) -> None:
    """All of it is in the HTML; there is no script to run."""
    assert page.find("script") == []
    opened = scriptless(PAGE)
    expect(opened.locator(".plot").first).to_be_visible()
    expect(opened.locator("tbody .report").first).to_be_visible()
    opened.locator("a.miss").first.click()
    expect(opened.locator("dt:target")).to_be_in_viewport()


@pytest.mark.parametrize("width", [1280, 720, 320])
def test_only_tables_scroll_sideways(open_page: Open, width: int) -> None:
    """Nothing is cut off at any width; a wide table scrolls in its own box."""
    opened = open_page(PAGE, viewport={"width": width, "height": 640})
    assert_fits(opened)


def test_a_row_keeps_its_name_in_sight(open_page: Open) -> None:
    """Where a table scrolls sideways, the report that a row is about stays."""
    opened = open_page(PAGE, viewport={"width": 320, "height": 640})
    assert opened.evaluate(PINNED) == [True, 0]


@only("chromium", NO_MEDIA)
def test_it_prints_whole(open_page: Open) -> None:
    """On paper nothing scrolls: every table fits on the sheet."""
    opened = open_page(PAGE, viewport=A4)
    opened.emulate_media(media="print")
    assert opened.evaluate(PRINTED) == []
    assert_fits(opened)


def test_figures_come_with_their_number(page: Node) -> None:
    """No accuracy without its denominator: each line by card and by version says how many it is of."""
    tables = page.find("table", "spreads")
    assert len(tables) == 3
    kinds = {"counted"}, {"counted"}, set(truth_numbers.GROUPS)
    for table, known in zip(reversed(tables), kinds, strict=True):
        heads = [node.text for node in table.find("th") if node.attributes.get("scope") == "col"]
        assert heads[1:] == ["Pools", "Median error", "Nine in ten within", "Outcome right"]
        counts = [int(row.find("td")[0].text) for row in table.find("tr")[1:]]
        assert sum(counts) == sum(one.error is not None for one in truth_numbers.reports() if one.group in known)
