"""Take the pictures of site/screenshots from the built pages: `make screenshots`."""

import argparse
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from browser import launch_options
from serve import serving

ROOT = Path(__file__).resolve().parents[2]
STATES = {
    "running": "",
    "starved": "?share=30&longest=32000&cap=512",
    "not-starting": "?share=35&longest=128000&cap=4",
    "set-aside": "?longest=32000&reserved=1",
}
SIZES = {1280: 800, 360: 760}
TOP = 5000
OTHERS = ("how", "embed", "teach", "proof", "accessibility", "watch")
LONG = ("serve", "api", "truth", "plan")
PAGES = {name: f"{name}.html" for name in OTHERS} | {"lesson": "index.html"}


def opened(browser: Browser, address: str, width: int, **options: str) -> Page:
    """Open a page at a width and wait until it is still."""
    page = browser.new_page(viewport={"width": width, "height": SIZES[width]}, reduced_motion="reduce", **options)
    page.goto(address)
    page.wait_for_load_state("networkidle")
    return page


def shots(browser: Browser, site: str) -> Iterator[tuple[str, bytes]]:
    """Yield every picture with its name."""
    for state, query in STATES.items():
        for width in SIZES:
            for scheme in ("light", "dark"):
                page = opened(browser, f"{site}index.html{query}", width, color_scheme=scheme)
                yield f"{state}-{width}-{scheme}", widget_of(page)
                page.close()
    for name, path in PAGES.items():
        for width in SIZES:
            page = opened(browser, site + path, width)
            yield f"{name}-{width}", page.screenshot(full_page=True)
            page.close()
    for name in LONG:
        for width in SIZES:
            page = opened(browser, f"{site}{name}.html", width)
            yield f"{name}-{width}", top_of(page)
            page.close()
    page = opened(browser, f"{site}index.html", 1280, forced_colors="active")
    yield "forced-colours-1280", widget_of(page)
    page.close()
    page = opened(browser, f"{site}index.html", 1280)
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 794, "height": 1123})  # A4 at 96 px an inch
    yield "print", page.screenshot(full_page=True)
    page.close()


def top_of(page: Page) -> bytes:
    """Picture the start of a page that is too long for one picture."""
    return page.screenshot(full_page=True, clip={"x": 0, "y": 0, "width": page.viewport_size["width"], "height": TOP})


def widget_of(page: Page) -> bytes:
    """Picture the page from its top to the end of the widget."""
    end = page.locator("pool-room").evaluate("node => node.getBoundingClientRect().bottom")
    width = page.viewport_size["width"]
    return page.screenshot(full_page=True, clip={"x": 0, "y": 0, "width": width, "height": end + 24})


def main() -> None:
    """Write all pictures into a folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dist", type=Path, default=ROOT / "dist")
    parser.add_argument("--out", type=Path, default=ROOT / "site" / "screenshots")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    with serving(options.dist) as site, sync_playwright() as playwright:
        chromium = playwright.chromium
        browser = chromium.launch(**launch_options("chromium", chromium.executable_path))
        for name, picture in shots(browser, site):
            (options.out / f"{name}.png").write_bytes(picture)
            print(f"{name}.png  {len(picture):,} bytes")
        browser.close()


if __name__ == "__main__":
    main()
