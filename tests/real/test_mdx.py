"""MDX, as Docusaurus uses it: HTML from the server, taken over by React in the browser."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import environment
from tests.browser.widget import Widget
from tests.node import ROOT
from tests.real.conftest import OpenHost
from tests.real.doors import Framed, drive
from tests.real.recipes import follow


@pytest.fixture
def built(dist: Path, tmp_path: Path) -> Path:
    """The recipe's page as a site of one page; node looks for React in the folders above it."""
    folder = follow("docusaurus", dist, tmp_path)
    (folder / "node_modules").symlink_to(ROOT / "node_modules", target_is_directory=True)
    script = ROOT / "tests" / "real" / "mdx.mjs"
    command = [environment.node_command(), str(script), str(folder), str(ROOT / "node_modules")]
    done = subprocess.run(command, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    return folder / "static"


def test_both_doors_in_an_mdx_page(built: Path, serve_folder: Callable[[Path], str], open_host: OpenHost) -> None:
    """The client module brings the element to life in what React took over; React finds nothing to complain of."""
    page = open_host(serve_folder(built), own="Download the React DevTools", viewport={"width": 1280, "height": 900})
    drive(Widget(page), share=48)
    drive(Framed(page), share=60, cap=128)
    assert page.evaluate("() => Object.keys(document.querySelector('iframe')).some((key) => key.startsWith('__react'))")
