"""WebKitGTK is started once; every page that a test opens reports what went wrong on it."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from selenium.webdriver import WebKitGTK

from serve import serving
from tests.browser.conftest import HOSTS, STRICT
from tests.built import answers_kept, shared_site
from tests.webkit.driver import driving
from tests.webkit.widget import Widget

HERE = Path(__file__).parent
LISTEN = '<script src="listen.js"></script>'
HEAD = "<head>\n"
Visit = Callable[[str], Widget]
__all__ = ["answers_kept"]


@pytest.fixture(scope="session")
def webkit() -> Iterator[WebKitGTK]:
    """One WebKitGTK."""
    with driving() as driver:
        yield driver


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site and the host pages, each of which listens to itself from its first script on."""
    root = tmp_path_factory.mktemp("webkit") / "dist"
    shutil.copytree(shared_site(tmp_path_factory), root)
    for page in [*HOSTS.glob("*.html"), HERE / "listen.js"]:
        shutil.copy(page, root)
    for path in root.glob("*.html"):
        text = path.read_text("utf-8")
        assert text.count(HEAD) == 1, path.name
        path.write_text(text.replace(HEAD, HEAD + LISTEN + "\n"), "utf-8")
    return root


@pytest.fixture(scope="session")
def site(folder: Path) -> Iterator[str]:
    """The address of the site."""
    with serving(folder) as address:
        yield address


@pytest.fixture(scope="session")
def strict(folder: Path) -> Iterator[str]:
    """The same from a server that forbids all but its own files, and all Trusted Types policies."""
    with serving(folder, headers=STRICT) as address:
        yield address


@pytest.fixture
def visit(webkit: WebKitGTK) -> Iterator[Visit]:
    """Give a function that opens a page with a widget; nothing may go wrong on any page it opened."""
    found: list[str] = []
    opened: list[str] = []

    def leave() -> None:
        if opened:
            webkit.switch_to.default_content()
            found.extend(f"{opened[-1]} {trouble}" for trouble in webkit.execute_script("return window.troubles"))

    def visit(address: str) -> Widget:
        leave()
        opened.append(address)
        webkit.get(address)
        return Widget(webkit)

    yield visit
    leave()
    assert found == []


@pytest.fixture
def widget(visit: Visit, site: str) -> Widget:
    """A new widget, opening settings, in a bare host."""
    return visit(site + "bare.html")
