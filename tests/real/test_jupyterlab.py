"""`poolroom.widget()` in a real JupyterLab: the page and Python follow each other."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.widget import START, Widget, lines_of, of_reference
from tests.real.conftest import WAIT_MS, OpenHost
from tests.real.jupyter import jupyterlab, notebook
from tests.real.recipes import RECIPES, cells_of

KERNEL_MS = 120_000
NUMBERED = re.compile(r"\[\d+\]:")
ITS_OWN = r"console: (?!policy)|^request: blob:"
"""JupyterLab tells how long its parts take, and reads a module that came through the kernel as a blob."""
CELLS = [
    *cells_of(RECIPES / "jupyter" / "pool.ipynb"),
    "print(w.share, w.cap, w.settings == dict(START, share=47, cap=32))",
    "w.cap = 8; w.reserved = True",
    "w.lang = 'de'",
    "import json; print(json.dumps(w.result))",
    "w.lang = None; w.share = 99",
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


def start(page: Page, number: int) -> Locator:
    """Run a cell by the toolbar's button, and give the place where its number will stand."""
    cell(page, number).locator(".cm-content").click()
    page.locator(".jp-NotebookPanel-toolbar [data-jp-item-name=run]").get_by_role("button").click()
    return cell(page, number).locator(".jp-InputPrompt")


def accept(dialog: Locator) -> None:
    """Do as a reader does with a question that JupyterLab asks on its own, such as which kernel to use."""
    print("JupyterLab asked:", dialog.inner_text())
    dialog.locator(".jp-mod-accept").click()


def wake(page: Page) -> None:
    """Run the first cell until it answers: what is run while JupyterLab still connects to the kernel is lost.

    On a busy machine it may find no kernel and ask; that is answered.
    """
    page.add_locator_handler(page.locator("dialog.jp-Dialog"), accept)
    expect(page.locator(".jp-Notebook-ExecutionIndicator[data-status=idle]")).to_be_visible(timeout=KERNEL_MS)
    for _ in range(KERNEL_MS // WAIT_MS):
        prompt = start(page, 0)
        page.wait_for_timeout(500)
        expect(prompt).not_to_have_text("[*]:", timeout=KERNEL_MS)
        if NUMBERED.fullmatch(prompt.inner_text()):
            return
    raise AssertionError("the kernel does not answer")


def run(page: Page, number: int) -> Locator:
    """Run a cell, wait until it is done, and give its output."""
    expect(start(page, number)).to_have_text(NUMBERED, timeout=KERNEL_MS)
    return cell(page, number).locator(".jp-Cell-outputArea")


def test_the_page_and_python_follow_each_other(lab: tuple[str, str], open_host: OpenHost) -> None:
    """Shown by a cell; a reader's move reaches Python, Python's reaches the page, a bad value is refused by name."""
    address, token = lab
    path, view = f"doc/tree/pool.ipynb?token={token}", {"width": 1280, "height": 1600}
    page = open_host(address, path, own=ITS_OWN, viewport=view)
    wake(page)
    run(page, 1)
    widget = Widget(page)
    expect(widget.line("room")).to_be_visible()
    widget.assert_shows(share=48, cap=32)

    widget.press("share", "ArrowLeft")
    widget.assert_shows(of_reference(share=48, cap=32), share=47, cap=32)
    expect(run(page, 2)).to_contain_text(lines_of(of_reference(share=47, cap=32))["run"])
    expect(run(page, 3)).to_have_text("47 32 True")

    moved = {"share": 47, "cap": 8, "reserved": True}
    widget.keep_log()
    run(page, 4)
    assert_follows(widget, **moved)
    assert widget.heard() == []
    run(page, 5)
    expect(widget.host.locator(".widget")).to_have_attribute("lang", "de")
    said = json.loads(run(page, 6).inner_text())
    assert said == result_of(widget) and "Chats" in said["room"]

    expect(run(page, 7)).to_contain_text("share is 99, but must be a whole number from 30 to 98.")
    assert_follows(widget, **moved)
    run(page, 8)
    assert_follows(widget, share=43, longest=128000)
    run(page, 9)
    expect(page.locator("pool-room")).to_have_count(0)


def assert_follows(widget: Widget, **settings: Any) -> None:
    """Wait until the page has heard of these settings, and compare; nothing is painted while it is out of view."""
    widget.host.scroll_into_view_if_needed()
    expect(widget.line("room")).to_have_text(lines_of(of_reference(**settings))["room"])
    widget.assert_shows(**settings)


def result_of(widget: Widget) -> dict[str, Any]:
    """The page's own result."""
    return dict(widget.host.evaluate("(host) => JSON.parse(JSON.stringify(host.result))"))
