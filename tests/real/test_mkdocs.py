"""MkDocs Material with instant navigation: pages change without a reload."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.widget import Widget
from tests.real.conftest import OpenHost
from tests.real.doors import Framed, drive
from tests.real.recipes import follow

QUIET = {"NO_MKDOCS_2_WARNING": "1", "DISABLE_MKDOCS_2_WARNING": "true"}


@pytest.fixture
def address(dist: Path, tmp_path: Path, serve_folder: Callable[[Path], str]) -> str:
    """The recipe's site, built by MkDocs for the address at which it is served; a warning is a failure."""
    folder = follow("mkdocs", dist, tmp_path)
    (folder / "site").mkdir()
    address = serve_folder(folder / "site")
    (folder / "here.yml").write_text(f"INHERIT: mkdocs.yml\nsite_url: {address}\n", "utf-8")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--config-file", "here.yml"]
    done = subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", env={**os.environ, **QUIET})
    assert done.returncode == 0, done.stdout + done.stderr
    return address


def go(page: Page, name: str) -> None:
    """Follow a link of the site's own navigation."""
    page.locator(".md-nav--primary").get_by_role("link", name=name, exact=True).click()
    expect(page.locator("h1")).to_have_text(name)


def test_instant_navigation_there_and_back(address: str, open_host: OpenHost) -> None:
    """Three times from the element's page to the frame's and back: each time one fresh widget that answers."""
    page = open_host(address, viewport={"width": 1280, "height": 900})
    page.wait_for_load_state("networkidle")  # the site map is there
    page.evaluate("() => { window.stays = true; }")
    drive(Widget(page), share=48)
    for _ in range(3):
        go(page, "In a frame")
        expect(page.locator("pool-room")).to_have_count(0)
        expect(page.locator("iframe")).to_have_count(1)
        drive(Framed(page), share=60, cap=128)
        go(page, "Half a card")
        expect(page.locator("iframe")).to_have_count(0)
        expect(page.locator("pool-room")).to_have_count(1)
        drive(Widget(page), share=48)
        expect(page.locator("pool-room .widget")).to_have_count(1)
    assert page.evaluate("() => window.stays"), "the pages were loaded anew"
    assert page.locator("script[src$='poolroom.js']").count() == 1


def test_the_number_field_keeps_its_keys(address: str, open_host: OpenHost) -> None:
    """Material goes to other pages at n and p, and searches at s and f: not while the reader types a number."""
    page = open_host(address, viewport={"width": 1280, "height": 900})
    widget = Widget(page)
    widget.field("share").focus()
    for key in "npsf":
        page.keyboard.press(key)
    widget.field("share").fill("50")
    widget.field("share").press("Enter")
    expect(page.locator("h1")).to_have_text("Half a card")
    assert widget.settings()["share"] == 50
