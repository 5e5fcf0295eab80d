"""Sphinx with MyST."""

import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

from tests.browser.widget import Widget
from tests.real.conftest import OpenHost
from tests.real.doors import Framed, drive
from tests.real.recipes import follow

BOOK = ["-D", "copyright=2026", "-D", "version=1"]
"""What EPUB asks of every book."""


def sphinx(builder: str, folder: Path, tmp: Path) -> Path:
    """Build a folder with Sphinx; a warning is a failure."""
    out = tmp / builder
    how = ["-q", "-W", "--keep-going", "-b", builder, "-d", tmp / "trees", *BOOK]
    command = [sys.executable, "-m", "sphinx", *how, folder, out]
    done = subprocess.run(command, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stdout + done.stderr
    return out


def test_both_doors_in_a_page_of_sphinx(
    dist: Path, tmp_path: Path, serve_folder: Callable[[Path], str], open_host: OpenHost
) -> None:
    """Element and frame, written as HTML in the page's Markdown."""
    out = sphinx("html", follow("sphinx", dist, tmp_path / "site"), tmp_path)
    page = open_host(serve_folder(out), viewport={"width": 1280, "height": 900})
    drive(Widget(page), share=48)
    drive(Framed(page), share=60, cap=128)
    assert page.locator("img[alt^='Half a card']").count() == 0


def test_a_book_gets_the_picture(dist: Path, tmp_path: Path) -> None:
    """EPUB has the SVG and its alternative text, and neither tag."""
    out = sphinx("epub", follow("sphinx", dist, tmp_path / "site"), tmp_path)
    with zipfile.ZipFile(next(out.glob("*.epub"))) as book:
        page = book.read("index.xhtml").decode()
        assert any(name.endswith("poolroom.svg") for name in book.namelist())
    assert 'alt="Half a card: the memory bar and the lines below it."' in page
    assert "poolroom.js" not in page
    assert "<pool-room" not in page and "<iframe" not in page
