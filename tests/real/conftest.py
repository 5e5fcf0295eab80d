"""Real hosts: each test builds a tiny site from a recipe's own files and drives the widget in it."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserType, Page, expect

from browser import launch_options
from serve import serving
from tests.browser.watch import watched_page
from tests.built import shared_site

WAIT_MS = 20_000
OpenHost = Callable[..., Page]


@pytest.fixture(autouse=True)
def patience() -> Iterator[None]:
    """A real host takes its time on a busy machine."""
    expect.set_options(timeout=WAIT_MS)
    yield
    expect.set_options(timeout=None)


@pytest.fixture(scope="session")
def browser_type_launch_args(
    browser_type_launch_args: dict[str, Any], browser_type: BrowserType, browser_name: str
) -> dict[str, Any]:
    """Launch the browser that is there; a missing one fails."""
    return {**browser_type_launch_args, **launch_options(browser_name, browser_type.executable_path)}


@pytest.fixture(scope="session")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site: what an author copies from; the Python package has its part of it too."""
    return shared_site(tmp_path_factory)


@pytest.fixture
def open_host(browser: Browser) -> Iterator[OpenHost]:
    """Give a function that opens an address; nothing may be said there, break, or be asked elsewhere.

    `own` is a pattern of what the host itself says or does.
    """
    opened = []

    def open_host(address: str, path: str = "", *, own: str = "(?!)", **options: Any) -> Page:
        context = browser.new_context(**options)
        context.set_default_timeout(WAIT_MS)
        page, watch = watched_page(context, address)
        opened.append((context, watch, own))
        page.goto(address + path)
        return page

    yield open_host
    for context, _, _ in opened:
        context.close()
    for _, watch, own in opened:
        assert [trouble for trouble in watch.troubles if not re.search(own, trouble)] == []


@pytest.fixture
def serve_folder() -> Iterator[Callable[[Path], str]]:
    """Give a function that serves a folder until the test ends, and says where."""
    running = []

    def start(folder: Path) -> str:
        (folder / "favicon.ico").touch()  # the browser asks each host for it
        server = serving(folder)
        running.append(server)
        return server.__enter__()

    yield start
    for server in running:
        server.__exit__(None, None, None)
