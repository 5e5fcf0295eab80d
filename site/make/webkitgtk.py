"""Find WebKitGTK for Selenium: its driver, its small browser, and a display to show it on."""

import os
import shutil
from pathlib import Path
from typing import NamedTuple

BROWSER_VARIABLE = "POOLROOM_MINIBROWSER"
DRIVER_VARIABLE = "POOLROOM_WEBKITDRIVER"
PLACES = ["lib/*/webkit2gtk-*/MiniBrowser", "lib*/webkit2gtk-*/MiniBrowser", "libexec/webkit2gtk-*/MiniBrowser",
          "lib/*/webkitgtk-*/MiniBrowser", "libexec/webkitgtk-*/MiniBrowser"]
MISSING = ("WebKitGTK was not found: it needs {lacking}. Install it (Debian: sudo apt-get install webkit2gtk-driver"
           f" xvfb xauth), or set {BROWSER_VARIABLE} and {DRIVER_VARIABLE} to its paths; it runs on Linux alone.")


class WebKit(NamedTuple):
    """The paths of one WebKitGTK."""

    driver: str
    browser: str


def named(variable: str) -> str | None:
    """Give the program that an environment variable names, if it names one that is there."""
    return shutil.which(os.environ.get(variable, ""))


def mini_browser() -> str | None:
    """Find the newest MiniBrowser; its folder names the architecture and the version of its interface."""
    found = [path for place in PLACES for path in Path("/usr").glob(place) if os.access(path, os.X_OK)]
    return shutil.which("MiniBrowser") or max(map(str, found), default=None)


def program(variable: str, otherwise: str | None) -> str | None:
    """Give the named program, or the one that was found where none is named."""
    return named(variable) if os.environ.get(variable) else otherwise


def has_display() -> bool:
    """Say whether there is a screen, or Xvfb to make one up."""
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY") or shutil.which("Xvfb"))


def find() -> WebKit | str:
    """Give the paths, or one sentence that says what is lacking."""
    driver = program(DRIVER_VARIABLE, shutil.which("WebKitWebDriver"))
    browser = program(BROWSER_VARIABLE, mini_browser())
    parts = {"WebKitWebDriver": driver, "MiniBrowser": browser, "a display or Xvfb": has_display()}
    lacking = [name for name, there in parts.items() if not there]
    if driver and browser and not lacking:
        return WebKit(driver, browser)
    return MISSING.format(lacking=" and ".join(lacking))
