"""Hugo: the shortcode file."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from tests.real.conftest import OpenHost
from tests.real.doors import Framed, drive
from tests.real.recipes import follow

THEME = "<!doctype html><html lang=en><head><title>{{ .Title }}</title></head><body>{{ .Content }}</body></html>\n"
HUGO = [sys.executable, "-m", "hugo", "--quiet", "--panicOnWarning"]


def test_the_shortcode_in_a_page_of_hugo(
    dist: Path, tmp_path: Path, serve_folder: Callable[[Path], str], open_host: OpenHost
) -> None:
    """The shortcode's parameters become the frame's address, and the widget starts there."""
    folder = follow("hugo", dist, tmp_path)
    (folder / "layouts" / "all.html").write_text(THEME, "utf-8")
    done = subprocess.run(HUGO, cwd=folder, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stdout + done.stderr
    page = open_host(serve_folder(folder / "public"))
    frame = page.locator("iframe")
    assert frame.get_attribute("title") == "What a model server’s settings change"
    drive(Framed(page), share=48)
