"""reveal.js: the widget on a slide."""

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.node import ROOT
from tests.real.conftest import OpenHost
from tests.real.doors import Framed, drive
from tests.real.recipes import copy, follow

DECK = ["reset.css", "reveal.css", "reveal.js", "theme/white.css"]


def at(page: Page) -> int:
    """The number of the slide that is shown."""
    return int(page.evaluate("() => window.Reveal.getIndices().h"))


def test_a_slide_with_the_widget(
    dist: Path, tmp_path: Path, serve_folder: Callable[[Path], str], open_host: OpenHost
) -> None:
    """The slider's keys move the slider alone; beside the frame the slides' keys move the slides."""
    folder = follow("reveal", dist, tmp_path)
    for name in DECK:
        copy(ROOT / "node_modules" / "reveal.js" / "dist" / name, folder / "reveal" / name)
    page = open_host(serve_folder(folder), viewport={"width": 1280, "height": 900})
    expect(page.locator(".reveal.ready")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(page.locator("section.present iframe")).to_be_visible()

    widget = Framed(page)
    drive(widget, share=48)
    widget.press("share", "End", "ArrowRight", "Home", "Space", "ArrowRight")
    assert widget.settings()["share"] == 31
    assert at(page) == 1
    assert fits(page), "the widget is taller than its frame on the slide"

    page.mouse.click(5, 5)
    page.keyboard.press("ArrowRight")
    expect(page.locator("section.present h2")).to_have_text("What did you change?")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("section.present iframe")).to_be_visible()
    assert widget.settings()["share"] == 31


def fits(page: Page) -> bool:
    """Whether the frame shows the whole widget without scrolling."""
    frame = page.frames[1]
    return bool(frame.evaluate("() => document.documentElement.scrollHeight <= window.innerHeight"))
