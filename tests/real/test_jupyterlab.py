"""`poolroom.widget()` in a real JupyterLab: the page and Python follow each other."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.widget import START, Widget, of_reference
from tests.real.conftest import OpenHost
from tests.real.jupyter import jupyterlab, notebook
from tests.real.recipes import RECIPES, cells_of

KERNEL_MS = 120_000
ITS_OWN = r"console: (?!policy)|^request: blob:"
"""JupyterLab tells how long its parts take, and reads a module that came through the kernel as a blob."""
CELLS = [
    *cells_of(RECIPES / "jupyter" / "pool.ipynb"),
    "print(w.share, w.cap, w.settings == dict(START, share=47, cap=32))",
    "w.cap = 8; w.reserved = True",
    "import json; print(json.dumps(w.result))",
    "w.share = 99",
    "w.preset = 'too-small'",
    "w.close()",
]


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory, dist: Path) -> Iterator[tuple[str, str]]:
    """A running JupyterLab with one notebook."""
    folder = tmp_path_factory.mktemp("lab")
    (folder / "pool.ipynb").write_text(notebook(f"START = {START!r}", *CELLS), "utf-8")
    with jupyterlab(folder) as where:
        yield where


def cell(page: Page, number: int) -> Locator:
    """A cell of the open notebook, counted from 0."""
    return page.locator(".jp-Notebook .jp-CodeCell").nth(number)


def run(page: Page, number: int) -> Locator:
    """Run a cell with the keyboard, wait until it is done, and give its output."""
    cell(page, number).locator(".cm-content").click()
    expect(cell(page, number).locator(".cm-content")).to_be_focused()
    page.keyboard.press("Control+Enter")
    expect(cell(page, number).locator(".jp-InputPrompt")).to_have_text(f"[{number + 1}]:", timeout=KERNEL_MS)
    return cell(page, number).locator(".jp-Cell-outputArea")


def test_the_page_and_python_follow_each_other(lab: tuple[str, str], open_host: OpenHost) -> None:
    """Shown by a cell; a reader's move reaches Python, Python's reaches the page, a bad value is refused by name."""
    address, token = lab
    path, view = f"doc/tree/pool.ipynb?token={token}", {"width": 1280, "height": 1600}
    page = open_host(address, path, own=ITS_OWN, viewport=view)
    expect(page.locator(".jp-Notebook-ExecutionIndicator[data-status=idle]")).to_be_visible(timeout=KERNEL_MS)
    run(page, 0)
    run(page, 1)
    widget = Widget(page)
    expect(widget.line("room")).to_be_visible()
    widget.assert_shows(share=48, cap=32)

    widget.press("share", "ArrowLeft")
    widget.assert_shows(of_reference(share=48, cap=32), share=47, cap=32)
    expect(run(page, 2)).to_have_text("47 32 True")

    moved = {"share": 47, "cap": 8, "reserved": True}
    widget.keep_log()
    run(page, 3)
    expect(widget.field("cap")).to_have_value("8")
    expect(widget.control("reserved").locator("input")).to_be_checked()
    widget.assert_shows(**moved)
    assert widget.heard() == []
    said = json.loads(run(page, 4).inner_text())
    assert said == result_of(widget)

    expect(run(page, 5)).to_contain_text("share is 99, but must be a whole number from 30 to 98.")
    widget.assert_shows(**moved)
    run(page, 6)
    expect(widget.field("share")).to_have_value("43")
    widget.assert_shows(share=43, longest=128000)
    run(page, 7)
    expect(page.locator("pool-room")).to_have_count(0)


def result_of(widget: Widget) -> dict[str, Any]:
    """The page's own result."""
    return dict(widget.host.evaluate("(host) => JSON.parse(JSON.stringify(host.result))"))
