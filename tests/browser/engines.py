"""The browsers that Playwright drives, and what its driver cannot express in one of them."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, Playwright

from browser import launch_options

ENGINES = ["chromium", "firefox"]
NO_MEDIA = "Firefox's driver cannot emulate print"
NO_LIVE = "Firefox's driver cannot change the reader's wishes while a page is open"
NO_SHIFTS = "Firefox does not measure layout shifts"

Launch = Callable[..., Browser]
Wishes = Mapping[str, str]
DARK = {"layout.css.prefers-color-scheme.content-override": 0}
LIGHT = {"layout.css.prefers-color-scheme.content-override": 1}
FORCED = {"browser.display.document_color_use": 2, "browser.display.use_system_colors": False}
WHITE_ON_BLACK = {"browser.display.foreground_color": "#ffffff", "browser.display.background_color": "#000000"}
BLACK_ON_WHITE = {"browser.display.foreground_color": "#000000", "browser.display.background_color": "#ffffff"}


def only(engine: str, why: str) -> pytest.MarkDecorator:
    """Leave a test to one engine, because another's driver cannot express it; the report lists these."""
    return pytest.mark.only(engine, why)


def preferences(wishes: Wishes) -> dict[str, Any]:
    """Firefox's preferences for what a reader may wish; its driver has no command for these."""
    dark = wishes.get("color_scheme") == "dark"
    if wishes.get("forced_colors") == "active":
        return {**FORCED, **(WHITE_ON_BLACK if dark else BLACK_ON_WHITE)}
    still = {"ui.prefersReducedMotion": int(wishes.get("reduced_motion") == "reduce")}
    return {**(DARK if dark else LIGHT), **still}


@contextmanager
def launching(playwright: Playwright) -> Iterator[Launch]:
    """Give a function that launches a browser once for each set of preferences; a missing one fails."""
    launched: dict[str, Browser] = {}

    def launch(name: str, **wishes: str) -> Browser:
        key = f"{name} {sorted(wishes.items())}"
        if key not in launched:
            kind = getattr(playwright, name)
            more = {"firefox_user_prefs": preferences(wishes)} if name == "firefox" else {}
            launched[key] = kind.launch(**launch_options(name, kind.executable_path), **more)
        return launched[key]

    try:
        yield launch
    finally:
        for browser in launched.values():
            browser.close()
