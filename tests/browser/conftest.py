"""The site is built once and served once; every page that a test opens is watched until the test ends."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Locator, Page, Playwright

from serve import serving
from tests.browser.engines import ENGINES, Launch, launching
from tests.browser.focus import awake
from tests.browser.quick import evaluate
from tests.browser.watch import Watch, watched_page
from tests.browser.widget import Widget
from tests.built import shared_site

ROOT = Path(__file__).resolve().parents[2]
HOSTS = ROOT / "tests" / "hosts"
SUB_PATH = "a/sub/path/"
WAIT_MS = 10_000
STRICT = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
}
NO_SCRIPTS = {"Content-Security-Policy": "sandbox allow-same-origin allow-top-navigation"}

SPY = """
window.writes = [];
for (const method of ['pushState', 'replaceState']) {
  const real = history[method];
  history[method] = function (...words) {
    window.writes.push([method, String(words[2])]);
    return real.apply(this, words);
  };
}
"""
CLEAN = """() => {
  document.body.replaceChildren(document.createElement('pool-room'));
  for (const added of document.head.querySelectorAll('style')) added.remove();
  for (const node of [document.documentElement, document.body]) {
    node.removeAttribute('style');
    node.removeAttribute('dir');
  }
  delete navigator.clipboard;
  delete navigator.clipboard.writeText;
  history.replaceState(null, '', 'bare.html');
  window.writes.length = 0;
  window.scrollTo(0, 0);
}"""

Locator.evaluate = evaluate  # type: ignore[method-assign]
Bench = tuple[Page, Watch]
Benches = Callable[..., Bench]
Before = Callable[[Page], object] | None
Open = Callable[..., Page]


@pytest.hookimpl(wrapper=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> Iterator[None]:
    """Run this folder's tests in every engine, unless --browser names one."""
    option = metafunc.config.option
    asked = option.browser
    option.browser = asked or ENGINES
    try:
        return (yield)
    finally:
        option.browser = asked


@pytest.fixture(scope="session")
def browsers(playwright: Playwright) -> Iterator[Launch]:
    """Give a function that launches a browser once; one that a test leaves stays open for the next."""
    with launching(playwright) as launch:
        yield launch


@pytest.fixture(scope="session")
def browser(browser_name: str, browsers: Launch) -> Browser:
    """The browser of an engine; every test that opens a page runs in each."""
    return browsers(browser_name)


@pytest.fixture(scope="session")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site."""
    return shared_site(tmp_path_factory)


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
        path: str = "bare.html",
        *,
        home: str = site,
        script: str = "",
        before: Before = None,
        until: Any = "load",
        **options: Any,
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


@pytest.fixture
def scriptless(open_page: Open, browser_name: str, folder: Path) -> Iterator[Callable[[str], Page]]:
    """Give a function that opens a page where no script runs; Firefox's driver needs a server that says so."""
    headers = NO_SCRIPTS if browser_name == "firefox" else {}
    with serving(folder / SUB_PATH, headers=headers) as home:
        yield lambda path: open_page(path, home=home, java_script_enabled=False)


@pytest.fixture(scope="session")
def benches(browsers: Launch, site: str) -> Iterator[Benches]:
    """Give a function that opens a page to share, once for each browser: opening takes longer than most tests do.

    A page whose window a test has left for good, with the Tab key, is opened anew for the next test.
    """
    opened: dict[str, Bench] = {}
    with ExitStack() as stack:

        def bench(engine: str, still: bool = False, **wishes: str) -> Bench:
            key = f"{engine} {still} {sorted(wishes.items())}"
            if key not in opened or not awake(opened[key][0]):
                opened[key] = stack.enter_context(bench_of(browsers(engine, **wishes), site, still))
            return opened[key]

        yield bench


@pytest.fixture
def bench(benches: Benches, browser_name: str) -> Bench:
    """The page that many tests share."""
    return benches(browser_name)


@pytest.fixture
def timed_bench(benches: Benches, browser_name: str) -> Bench:
    """Another, whose clock stands still until a test moves it."""
    return benches(browser_name, still=True)


@contextmanager
def bench_of(browser: Browser, site: str, still: bool) -> Iterator[Bench]:
    """Open a page to share, with what a test may look at afterwards."""
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    context.set_default_timeout(WAIT_MS)
    context.add_init_script(SPY)
    page, watch = watched_page(context, site)
    if still:
        page.clock.install()
        page.goto(site + "bare.html")
        page.clock.pause_at(page.evaluate("() => Date.now() + 1000"))
    yield page, watch
    context.close()


@pytest.fixture
def reader(browser_name: str, benches: Benches, site: str) -> Iterator[Callable[..., Widget]]:
    """Give a function that shows a widget to a reader with wishes: color_scheme, forced_colors, reduced_motion."""
    used = []

    def reader(**wishes: Any) -> Widget:
        bench = benches(browser_name, **(wishes if browser_name == "firefox" else {}))
        widget = clean(bench, site)
        widget.page.emulate_media(**wishes)
        used.append(bench)
        return widget

    yield reader
    for _, watch in used:
        watch.assert_quiet()


@pytest.fixture
def widget(bench: Bench, site: str) -> Iterator[Widget]:
    """A new widget, opening settings, in a bare host on the shared page; nothing may go wrong there."""
    yield clean(bench, site)
    bench[1].assert_quiet()


@pytest.fixture
def timed(timed_bench: Bench, site: str) -> Iterator[Widget]:
    """The same on the page whose clock the test moves, with a log of all that the status says."""
    widget = clean(timed_bench, site)
    widget.keep_log()
    yield widget
    timed_bench[1].assert_quiet()


def clean(bench: Bench, site: str) -> Widget:
    """Make a shared page as new."""
    page, watch = bench
    watch.troubles.clear()
    page.set_viewport_size({"width": 1280, "height": 720})  # of the same size too: it wakes Firefox's window
    page.emulate_media(media="null", color_scheme="null", reduced_motion="null", forced_colors="null")
    if urlsplit(page.url).path != urlsplit(site).path + "bare.html":
        page.goto(site + "bare.html")
    page.evaluate(CLEAN)
    return Widget(page)
