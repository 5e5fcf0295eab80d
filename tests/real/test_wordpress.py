"""WordPress's sandbox: its exact frame, its handler, and the one-file page in it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.widget import two_frames
from tests.real.conftest import OpenHost
from tests.real.doors import Framed, drive
from tests.real.recipes import copy

HOSTS = Path(__file__).parent / "hosts"
SECRET = "a1B2c3D4e5"


def opened(dist: Path, folder: Path, serve_folder: Callable[[Path], str], open_host: OpenHost) -> Page:
    """The post, and beside it the page that it embeds."""
    copy(dist / "poolroom.html", folder / "poolroom.html")
    for name in ("wordpress.html", "wordpress.js"):
        copy(HOSTS / name, folder / "post" / name)
    return open_host(serve_folder(folder), "post/wordpress.html")


def heard(page: Page) -> list[dict[str, Any]]:
    """The messages with the secret, in their order."""
    return list(page.evaluate("() => window.heard"))


def test_the_sandbox_hears_the_height(
    dist: Path, tmp_path: Path, serve_folder: Callable[[Path], str], open_host: OpenHost
) -> None:
    """Without storage, origin or rights the widget runs; its answer shows the frame and sets its height."""
    page = opened(dist, tmp_path, serve_folder, open_host)
    frame = page.locator("iframe")
    expect(frame).to_be_visible()
    expect(page.locator("blockquote")).to_be_hidden()
    drive(Framed(page), share=48)
    two_frames(page)
    last = heard(page)[-1]
    assert last.keys() == {"message", "value", "secret"} and (last["message"], last["secret"]) == ("height", SECRET)
    expect(frame).to_have_attribute("height", str(min(1000, max(200, last["value"]))))
    needed = page.frames[1].evaluate("() => Math.ceil(document.documentElement.getBoundingClientRect().height)")
    assert last["value"] == needed


def test_the_height_follows_what_is_shown(
    dist: Path, tmp_path: Path, serve_folder: Callable[[Path], str], open_host: OpenHost
) -> None:
    """A wider post needs less height, and says so; the messages come to rest."""
    page = opened(dist, tmp_path, serve_folder, open_host)
    frame = page.locator("iframe")
    expect(frame).to_be_visible()
    narrow = heard(page)[-1]["value"]
    frame.evaluate("(frame) => { frame.width = '1100'; }")
    page.wait_for_function("(narrow) => window.heard.at(-1).value < narrow", arg=narrow)
    two_frames(page)
    count = len(heard(page))
    two_frames(page)
    two_frames(page)
    assert len(heard(page)) == count


def test_another_windows_message_changes_nothing(
    dist: Path, tmp_path: Path, serve_folder: Callable[[Path], str], open_host: OpenHost
) -> None:
    """The frame answers its parent alone: a sibling that asks is not heard."""
    page = opened(dist, tmp_path, serve_folder, open_host)
    expect(page.locator("iframe")).to_be_visible()
    two_frames(page)
    count = len(heard(page))
    page.evaluate(
        """() => new Promise((done) => {
          const other = document.createElement('iframe');
          other.onload = () => {
            const script = other.contentDocument.createElement('script');
            script.textContent = "parent.frames[0].postMessage({message: 'ready'}, '*');"
              + "parent.frames[0].postMessage({type: 'poolroom-set', settings: {share: 30}}, '*');";
            other.contentDocument.body.append(script);
            requestAnimationFrame(() => requestAnimationFrame(done));
          };
          document.body.append(other);
        })"""
    )
    two_frames(page)
    assert len(heard(page)) == count
    assert Framed(page, "iframe.wp-embedded-content").settings()["share"] == 48
