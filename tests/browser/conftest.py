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
from tests.browser.watch import watched_page

ROOT = Path(__file__).resolve().parents[2]
HOSTS = Path(__file__).parent / "hosts"
SUB_PATH = "a/sub/path/"
WAIT_MS = 10_000

Before = Callable[[Page], object] | None
Open = Callable[..., Page]


@pytest.fixture(scope="session")
def browser_type_launch_args(
    browser_type_launch_args: dict[str, Any], browser_type: BrowserType, browser_name: str
) -> dict[str, Any]:
    """Launch the browser that is there; a missing one fails."""
    return {**browser_type_launch_args, **launch_options(browser_name, browser_type.executable_path)}


@pytest.fixture(scope="session")
def builds(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two builds, made at the same time by two processes that hash differently."""
    folders = [tmp_path_factory.mktemp("build") / "dist" for _ in range(2)]
    jobs = [
        subprocess.Popen(
            [sys.executable, "build.py", "--out", folder],
            cwd=ROOT, env={**os.environ, "PYTHONHASHSEED": str(seed)},
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        )
        for seed, folder in enumerate(folders, start=1)
    ]
    for job in jobs:
        _, said = job.communicate()
        assert job.returncode == 0, said.decode()
    return folders


@pytest.fixture(scope="session")
def folder(builds: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that holds the built site under a sub-path, with the host pages beside it."""
    root = tmp_path_factory.mktemp("served")
    shutil.copytree(builds[0], root / SUB_PATH)
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
