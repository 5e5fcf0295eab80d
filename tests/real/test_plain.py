"""A page of plain HTML."""

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import expect

from tests.browser.widget import Widget
from tests.real.conftest import OpenHost
from tests.real.doors import Framed, drive
from tests.real.recipes import follow


def test_both_doors_of_a_plain_page(
    dist: Path, tmp_path: Path, serve_folder: Callable[[Path], str], open_host: OpenHost
) -> None:
    """Element and frame stand on one page, each with its author's start."""
    address = serve_folder(follow("html", dist, tmp_path))
    page = open_host(address)
    drive(Widget(page), share=48)
    drive(Framed(page), share=48)


def test_without_javascript_the_picture_is_there(
    dist: Path, tmp_path: Path, serve_folder: Callable[[Path], str], open_host: OpenHost
) -> None:
    """The tag's content is what stands there until the script runs, and for good where none does."""
    address = serve_folder(follow("html", dist, tmp_path))
    page = open_host(address, java_script_enabled=False)
    picture = page.locator("pool-room img")
    picture.scroll_into_view_if_needed()
    expect(picture).to_be_visible()
    box = picture.bounding_box()
    assert box is not None and box["width"] == 720 and box["height"] > 200
