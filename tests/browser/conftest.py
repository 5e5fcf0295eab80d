"""The site is built once and served once; every page that a test opens is watched until the test ends."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserType, Page

from browser import launch_options
from serve import serving
from tests.browser.watch import Watch, watched_page
from tests.browser.widget import Widget

ROOT = Path(__file__).resolve().parents[2]
HOSTS = Path(__file__).parent / "hosts"
SUB_PATH = "a/sub/path/"
WAIT_MS = 10_000

Building = tuple[subprocess.Popen[str], Path]
Before = Callable[[Page], object] | None
Open = Callable[..., Page]


@pytest.fixture(scope="session")
def browser_type_launch_args(
    browser_type_launch_args: dict[str, Any], browser_type: BrowserType, browser_name: str
) -> dict[str, Any]:
    """Launch the browser that is there; a missing one fails."""
    return {**browser_type_launch_args, **launch_options(browser_name, browser_type.executable_path)}


@pytest.fixture(scope="session")
def building(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Building]]:
    """Two builds under way at the same time, in two processes that hash differently."""
    if os.environ.get("DEVSITE"):
        yield [(subprocess.Popen(["true"], stderr=subprocess.PIPE), Path(os.environ["DEVSITE"]))] * 2
        return
    jobs = [build_site(tmp_path_factory.mktemp("build") / "dist", PYTHONHASHSEED=seed) for seed in "12"]
    yield jobs
    for job, _ in jobs:
        job.communicate()


def build_site(out: Path, root: Path = ROOT, **environment: str) -> Building:
    """Start to build the site of a checkout."""
    command = [sys.executable, "build.py", "--out", str(out)]
    job = subprocess.Popen(
        command, cwd=root, env={**os.environ, **environment},
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, encoding="utf-8",
    )
    return job, out


def built(building: Building) -> Path:
    """Wait for a build, and give its folder."""
    job, out = building
    _, said = job.communicate()
    assert job.returncode == 0, said
    return out


@pytest.fixture(scope="session")
def dist(building: list[Building]) -> Path:
    """The built site."""
    return built(building[0])


@pytest.fixture(scope="session")
def folder(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that holds the built site under a sub-path, with the host pages beside it."""
    root = tmp_path_factory.mktemp("served")
    shutil.copytree(dist, root / SUB_PATH)
    shutil.copytree(HOSTS, root / SUB_PATH, dirs_exist_ok=True)
    return root


@pytest.fixture(scope="session")
def site(folder: Path) -> Iterator[str]:
    """The address of the built site, under a sub-path."""
    with serving(folder) as address:
        yield address + SUB_PATH


@pytest.fixture
def open_page(browser: Browser, site: str) -> Iterator[Open]:
    """Give a function that opens a page in a context of its own; nothing may go wrong on any of them."""
    opened = []

    def open_page(
        path: str = "bare.html", *, home: str = site, script: str = "", before: Before = None,
        until: Any = "load", **options: Any,
    ) -> Page:
        context = browser.new_context(**options)
        context.set_default_timeout(WAIT_MS)
        if script:
            context.add_init_script(script)
        page, watch = watched_page(context, home)
        opened.append((context, watch))
        if before is not None:
            before(page)
        page.goto(home + path, wait_until=until)
        return page

    yield open_page
    for context, _ in opened:
        context.close()
    for _, watch in opened:
        watch.assert_quiet()


@pytest.fixture(scope="session")
def bench(browser: Browser, site: str) -> Iterator[tuple[Page, Watch]]:
    """One page that many tests share, and its watch: opening a page takes longer than most tests do."""
    context = browser.new_context()
    context.set_default_timeout(WAIT_MS)
    page, watch = watched_page(context, site)
    yield page, watch
    context.close()


@pytest.fixture
def widget(bench: tuple[Page, Watch], site: str) -> Iterator[Widget]:
    """A new widget, opening settings, in a bare host on the shared page; nothing may go wrong there."""
    page, watch = bench
    if page.url != site + "bare.html":
        page.goto(site + "bare.html")
    page.locator("pool-room").evaluate("(old) => old.replaceWith(document.createElement('pool-room'))")
    yield Widget(page)
    watch.assert_quiet()
