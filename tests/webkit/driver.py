"""Start WebKitGTK under Selenium, on a display of its own where there is none."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

from selenium import webdriver
from selenium.webdriver.webkitgtk.service import Service

from browser import webkit

SIZE = (1280, 960)
WAIT_S = 60


@contextmanager
def display() -> Iterator[dict[str, str]]:
    """Give an environment with a display: the one that is there, or one made up by Xvfb on a number of its choice."""
    if os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        yield dict(os.environ)
        return
    ours, theirs = os.pipe()
    screen = ["-screen", "0", "1400x1100x24", "-nolisten", "tcp"]
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(theirs), *screen], pass_fds=[theirs], stderr=subprocess.DEVNULL
    )
    os.close(theirs)
    try:
        with os.fdopen(ours) as answer:
            number = answer.readline().strip()
        if not number:
            raise RuntimeError(f"Xvfb ended with {server.wait()} before it had a display.")
        yield {**os.environ, "DISPLAY": f":{number}"}
    finally:
        server.terminate()
        server.wait()


@contextmanager
def driving() -> Iterator[webdriver.WebKitGTK]:
    """Give a WebKitGTK; a missing one fails with a sentence."""
    paths = webkit()
    options = webdriver.WebKitGTKOptions()
    options.binary_location = paths.browser
    options.add_argument("--automation")
    with display() as environment:
        driver = webdriver.WebKitGTK(options=options, service=Service(paths.driver, env=environment))
        try:
            driver.set_script_timeout(WAIT_S)
            driver.set_window_size(*SIZE)
            yield driver
        finally:
            driver.quit()
