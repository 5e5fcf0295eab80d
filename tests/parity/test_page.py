"""The page paints what the reference says, however its settings were reached."""

import random
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Playwright

from serve import serving
from tests.browser.engines import Launch, launching
from tests.built import shared_site
from tests.parity.both import in_processes
from tests.parity.expected import expected_of
from tests.parity.page import AT_ONCE, WAYS, Driver, in_order, mismatches
from tests.parity.settings import Setting, all_settings, sample

IN_CHROMIUM = {"keys": 50, "drag": 50, "field": 70, "address": 110, "attribute": 130}
IN_FIREFOX = {"keys": 20, "drag": 20, "field": 25, "address": 50, "attribute": 90}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve the site of this checkout."""
    with serving(shared_site(tmp_path_factory)) as address:
        yield address


@pytest.fixture(scope="module")
def browsers(playwright: Playwright) -> Iterator[Launch]:
    """Give a function that launches a browser once."""
    with launching(playwright) as launch:
        yield launch


def drive(browser: Browser, address: str, way: str, targets: list[Setting]) -> int:
    """Reach every target by one door and compare each; the page must also stay without a message."""
    targets = in_order(way, targets)
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    messages: list[str] = []
    page.on("console", lambda message: messages.append(message.text))
    page.on("pageerror", lambda error: messages.append(str(error)))
    driver, rng, wrong = Driver(page, address), random.Random(way), []
    for target, expected in zip(targets, in_processes(expected_of, targets, chunk=AT_ONCE), strict=True):
        WAYS[way](driver, target, rng)
        wrong += [f"{target} by {way}: {text}" for text in mismatches(driver.painted(), expected)]
    page.close()
    again = "again: python -m poolroom describe --share S --longest L --cap C [--reserved]"
    assert not wrong, "\n".join([f"{len(wrong)} mismatches", *wrong[:8], again])
    assert not messages
    return len(targets)


@pytest.mark.parametrize("way", WAYS)
def test_the_page_paints_the_reference(way: str, site: str, browsers: Launch, tell: Callable[[str], None]) -> None:
    """Every door leads to the same picture and the same words: lines, widths, fill, legend, stopped state."""
    targets = random.Random(f"targets {way}").sample(sample(), IN_CHROMIUM[way])
    count = drive(browsers("chromium"), f"{site}index.html", way, targets)
    tell(f"page parity by {way}: {count} settings in Chromium, 0 mismatches")


@pytest.mark.parametrize("way", WAYS)
def test_firefox_paints_the_reference(way: str, site: str, browsers: Launch, tell: Callable[[str], None]) -> None:
    """A second engine paints the same."""
    targets = random.Random(f"firefox {way}").sample(sample(), IN_FIREFOX[way])
    count = drive(browsers("firefox"), f"{site}index.html", way, targets)
    tell(f"page parity by {way}: {count} settings in Firefox, 0 mismatches")


def test_enough_settings() -> None:
    """Rule: at least 400 settings in Chromium and 200 in Firefox, by every door."""
    assert sum(IN_CHROMIUM.values()) >= 400
    assert sum(IN_FIREFOX.values()) >= 200 and IN_FIREFOX.keys() == WAYS.keys()


@pytest.mark.full
def test_every_setting_is_painted_as_the_reference_says(
    site: str, browsers: Launch, tell: Callable[[str], None]
) -> None:
    """All 8,280 settings, one after another in one page."""
    count = drive(browsers("chromium"), f"{site}index.html", "attribute", all_settings())
    tell(f"page parity: all {count} settings in Chromium, 0 mismatches")
