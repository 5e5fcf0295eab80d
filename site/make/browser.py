"""Find a browser for Playwright: a named one, its own, the system's, or one installed now; and WebKitGTK."""

import argparse
import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import webkitgtk

VARIABLE = "POOLROOM_BROWSER"
NAMES = {
    "chromium": ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge"],
    "firefox": ["firefox-esr", "firefox"],
}
MAC = {
    "chromium": ["Google Chrome.app/Contents/MacOS/Google Chrome", "Chromium.app/Contents/MacOS/Chromium",
                 "Microsoft Edge.app/Contents/MacOS/Microsoft Edge"],
    "firefox": ["Firefox.app/Contents/MacOS/firefox"],
}
WINDOWS = {
    "chromium": ["Google/Chrome/Application/chrome.exe", "Microsoft/Edge/Application/msedge.exe"],
    "firefox": ["Mozilla Firefox/firefox.exe"],
}
MISSING = {
    "chromium": "No Chromium was found. Install one (Debian: sudo apt-get install chromium fonts-dejavu-core;"
                f" elsewhere: playwright install chromium), or set {VARIABLE} to a Chromium's path.",
    "firefox": "No Firefox was found. Install one (Debian: sudo apt-get install firefox-esr;"
               f" elsewhere: playwright install firefox), or set {VARIABLE} to a Firefox's path.",
}


class NoBrowser(RuntimeError):
    """No browser of the wanted kind can be had here."""


def named_browser(name: str) -> str | None:
    """Give the browser that the environment variable names, if it is of this kind."""
    value = os.environ.get(VARIABLE)
    if not value or ("firefox" in Path(value).name.lower()) != (name == "firefox"):
        return None
    found = shutil.which(value)
    if not found:
        raise NoBrowser(f"{VARIABLE} is {value}, and there is no such program.")
    return found


@cache
def own_browser(name: str) -> str:
    """Ask Playwright where its own browser would lie; in a process apart, since a thread has room for one."""
    question = (f"from playwright.sync_api import sync_playwright\n"
                f"with sync_playwright() as p: print(p.{name}.executable_path)")
    asked = subprocess.run([sys.executable, "-c", question], capture_output=True, text=True, check=True)
    return asked.stdout.strip()


def usual_places(name: str) -> list[Path]:
    """Give the paths at which macOS and Windows keep browsers."""
    if sys.platform == "darwin":
        return [Path("/Applications") / place for place in MAC[name]]
    folders = [os.environ.get(key) for key in ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA")]
    return [Path(folder) / place for place in WINDOWS[name] for folder in folders if folder]


def system_browser(name: str) -> str | None:
    """Find the system's browser, on PATH first."""
    on_path = next(filter(None, map(shutil.which, NAMES[name])), None)
    return on_path or next((str(place) for place in usual_places(name) if place.is_file()), None)


@cache
def playwright_installs(name: str) -> bool:
    """Let Playwright fetch its own browser, once, and say whether it did."""
    done = subprocess.run([sys.executable, "-m", "playwright", "install", name], stdout=sys.stderr)
    return done.returncode == 0 and Path(own_browser(name)).is_file()


def options_for(name: str, path: str) -> dict[str, str]:
    """Give the launch options for a browser that is not Playwright's own build."""
    stock_firefox = {"channel": "moz-firefox"} if name == "firefox" else {}  # driven by WebDriver BiDi
    return {"executable_path": path, **stock_firefox}


def find(name: str, own: str | None = None) -> dict[str, str] | None:
    """Give the launch options of a browser that is there already, or None."""
    named = named_browser(name)
    if named:
        return options_for(name, named)
    if Path(own or own_browser(name)).is_file():
        return {}
    path = system_browser(name)
    return options_for(name, path) if path else None


def webkit() -> webkitgtk.WebKit:
    """Give the paths of WebKitGTK, which Selenium drives."""
    found = webkitgtk.find()
    if isinstance(found, str):
        raise NoBrowser(found)
    return found


def launch_options(name: str, own: str | None = None) -> dict[str, str]:
    """Give Playwright's options to launch "chromium" or "firefox"; `own` is its executable_path, if known."""
    found = find(name, own)
    if found is not None:
        return found
    if playwright_installs(name):
        return {}
    raise NoBrowser(MISSING[name])


def look(name: str, install: bool) -> str:
    """Give the path of what would be launched."""
    if name == "webkit":
        return webkit().browser
    found = launch_options(name) if install else find(name)
    if found is None:
        raise NoBrowser(MISSING[name])
    return found.get("executable_path") or own_browser(name)


def main() -> None:
    """Print what would be launched; with --look install nothing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--look", action="store_true", help="install nothing; exit with 1 if it is missing")
    parser.add_argument("name", choices=[*sorted(NAMES), "webkit"])
    asked = parser.parse_args()
    try:
        print(look(asked.name, install=not asked.look))
    except NoBrowser as trouble:
        sys.exit(str(trouble))


if __name__ == "__main__":
    main()
