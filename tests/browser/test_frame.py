"""The frame's door: one file, any sandbox, a height in every dialect, and no ear for strangers."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Frame, Page, expect

from poolroom import describe_measured
from poolroom.facts import CONTRACT, WORDS
from serve import serving
from tests.browser.conftest import SUB_PATH, Open
from tests.browser.test_actions import REFUSING
from tests.browser.watch import SCRIPT
from tests.browser.widget import START, Widget, lines_of, of_reference

DIALECTS = ["resizer.html", "canvas.html", "embedly.html"]
CONTENT = "() => document.documentElement.getBoundingClientRect().height"
SET = "(settings) => frames[0].postMessage({type: 'poolroom-set', settings}, '*')"
LINES = """() => Object.fromEntries([...document.querySelector('pool-room').shadowRoot.querySelectorAll('[data-line]')]
  .filter((line) => !line.hidden && line.textContent !== '').map((line) => [line.dataset.line, line.textContent]))"""
SETTINGS = "() => ({...document.querySelector('pool-room').settings})"


@pytest.fixture
def elsewhere(folder: Path) -> Iterator[str]:
    """The same site on another origin."""
    with serving(folder) as address:
        yield address + SUB_PATH


def inner(page: Page) -> Frame:
    """The widget's frame, once its answer is there."""
    frame = page.frames[1]
    frame.locator("pool-room .line.room").wait_for()
    return frame


def test_one_request_and_nothing_kept(browser: Browser, site: str) -> None:
    """Every request after the page itself is cut off: the answer appears all the same; no cookie, no storage."""
    context = browser.new_context()
    context.add_init_script(SCRIPT)
    page = context.new_page()
    said, asked = [], []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))

    def gate(route: Any) -> None:
        asked.append(route.request.url)
        if len(asked) == 1:
            route.continue_()
        else:
            route.abort()

    page.route("**/*", gate)
    page.goto(site + "poolroom.html")
    widget = Widget(page)
    widget.assert_shows()
    widget.press("share", "Home")
    widget.assert_shows(of_reference(), share=30)
    assert page.evaluate("() => [document.cookie, localStorage.length, sessionStorage.length]") == ["", 0, 0]
    assert context.cookies() == []
    assert asked == [site + "poolroom.html"]
    assert said == []
    context.close()


def test_in_a_sandbox_everything_works(open_page: Open) -> None:
    """`allow-scripts` alone: settings by query, moves, Reset to the author's start, Copy link as a field."""
    page = open_page("sandbox.html")
    frame = inner(page)
    start = {"share": 48, "cap": 128}
    assert frame.evaluate(LINES) == lines_of(of_reference(**start))
    frame.locator("[data-key=cap] .slider").press("End")
    assert frame.evaluate(LINES) == lines_of(of_reference(share=48, cap=512), of_reference(**start))
    frame.evaluate(REFUSING["not there"])  # Chromium refuses a sandbox its clipboard, Firefox does not
    frame.get_by_role("button", name=WORDS["view"]["copy_link"]).click()
    field = frame.get_by_label(WORDS["view"]["link_field"])
    expect(field).to_be_focused()
    assert field.input_value().endswith("poolroom.html?share=48&cap=512")
    frame.get_by_role("button", name=WORDS["view"]["reset"]).click()
    assert frame.evaluate(SETTINGS) == {**START, **start}
    assert frame.url.endswith("poolroom.html?share=48&cap=128")


def test_events_reach_the_parent_as_messages(open_page: Open) -> None:
    """ready, change and reset, with what the event carries; the sender is the frame."""
    page = open_page("sandbox.html")
    frame = inner(page)
    frame.locator("[data-key=share] .slider").press("Home")
    frame.get_by_role("button", name=WORDS["view"]["reset"]).click()
    page.wait_for_function("heard.some(({data}) => data.type === 'poolroom-reset')")
    heard = page.evaluate("() => heard.filter(({data}) => String(data.type).startsWith('poolroom-'))")
    assert all(message["mine"] for message in heard)
    assert [message["data"]["type"] for message in heard] == [
        "poolroom-ready", "poolroom-change", "poolroom-change", "poolroom-reset",
    ]  # fmt: skip
    moved = heard[1]["data"]
    assert moved["schema"] == CONTRACT["schema"]
    assert moved["settings"] == {**START, "share": 30, "cap": 128}
    assert moved["result"]["run"] == describe_measured(of_reference(share=30, cap=128))["run"]


def test_the_parent_sets_settings_without_an_echo(open_page: Open) -> None:
    """A parent's message moves the widget and comes back as nothing; a wrong one is answered in words, by name."""
    page = open_page("sandbox.html")
    frame = inner(page)
    page.wait_for_function("heard.some(({data}) => data.type === 'poolroom-ready')")
    page.evaluate("() => { heard.length = 0; }")
    page.evaluate(SET, {"share": 60})
    frame.wait_for_function("document.querySelector('pool-room').settings.share === 60")
    assert page.evaluate("() => heard.filter(({data}) => data.type)") == []
    for wrong in ({"share": 120}, {"speed": 1}, None, "x", [1]):
        page.evaluate("() => { heard.length = 0; }")
        page.evaluate(SET, wrong)
        page.wait_for_function("heard.some(({data}) => data.type === 'poolroom-error')")
        (answer,) = page.evaluate("() => heard.filter(({data}) => data.type === 'poolroom-error')")
        assert answer["data"]["settings"]["share"] == 60
        assert len(answer["data"]["problems"]) == 1
    assert "share is 120" in page_problem(page, {"share": 120})


def page_problem(page: Page, settings: dict[str, Any]) -> str:
    """What the frame answers to settings that cannot be used."""
    page.evaluate("() => { heard.length = 0; }")
    page.evaluate(SET, settings)
    page.wait_for_function("heard.some(({data}) => data.type === 'poolroom-error')")
    return str(page.evaluate("() => heard.find(({data}) => data.type === 'poolroom-error').data.problems[0]"))


@pytest.mark.parametrize("data", [
    "null", "'{'", "5", "[[]]", "{type: 'poolroom-go', settings: {share: 30}}",
    "{message: 'link', value: 'https://elsewhere.example/'}",
])  # fmt: skip
def test_other_messages_are_nothing(open_page: Open, data: str) -> None:
    """Hosts and their tools send all kinds of messages into a frame."""
    page = open_page("sandbox.html")
    frame = inner(page)
    page.evaluate(f"() => frames[0].postMessage({data}, '*')")
    page.wait_for_timeout(50)
    assert frame.evaluate(SETTINGS) == {**START, "share": 48, "cap": 128}


def test_a_stranger_is_not_heard_and_the_parent_is_not_moved(open_page: Open) -> None:
    """A frame beside ours sends the same message and changes nothing; the parent's address stays."""
    page = open_page("stranger.html")
    frame, stranger = inner(page), page.frames[2]
    stranger.locator("pool-room .line.room").wait_for()
    address = page.url
    stranger.evaluate("() => parent.frames[0].postMessage({type: 'poolroom-set', settings: {share: 30}}, '*')")
    stranger.evaluate("() => parent.frames[0].postMessage({type: 'iframe-child-init'}, '*')")
    page.wait_for_timeout(200)
    assert frame.evaluate(SETTINGS) == START
    page.evaluate(SET, {"share": 31})
    frame.wait_for_function("document.querySelector('pool-room').settings.share === 31")
    assert page.url == address


@pytest.mark.parametrize("host", DIALECTS)
@pytest.mark.parametrize("width", [320, 480, 768, 1200])
def test_the_frame_is_as_high_as_its_content(open_page: Open, host: str, width: int) -> None:
    """Within a pixel, without a scrollbar inside, after at most three messages; a help that opens makes it higher."""
    page = open_page(host, viewport={"width": width + 16, "height": 900})
    frame = inner(page)
    settle(page)
    fits(page, frame)
    assert 1 <= page.evaluate("() => heard.length") <= 3
    page.evaluate("() => { heard.length = 0; }")
    frame.locator("[data-key=share] .ask").click()
    settle(page)
    fits(page, frame)
    assert 1 <= page.evaluate("() => heard.length") <= 3


def settle(page: Page) -> None:
    """Wait until no height has come for a while."""
    page.evaluate(
        """async () => {
          const wait = () => new Promise((done) => setTimeout(done, 250));
          for (let seen = -1; seen !== heard.length || seen === 0; await wait()) seen = heard.length;
        }"""
    )


def fits(page: Page, frame: Frame) -> None:
    """Compare frame and content."""
    height = page.locator("iframe").first.evaluate("(frame) => frame.clientHeight")
    assert abs(height - frame.evaluate(CONTENT)) <= 1
    assert frame.evaluate("() => document.documentElement.scrollHeight <= document.documentElement.clientHeight")
    assert frame.evaluate("() => document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_a_fragment_with_a_hosts_secret_changes_nothing_and_stays(browser: Browser, site: str, elsewhere: str) -> None:
    """WordPress's secret comes back with the height, on another origin too; the address keeps it."""
    page = browser.new_page()
    page.goto(site + "bare.html")
    page.evaluate(WORDPRESS, f"{elsewhere}poolroom.html?share=48#?secret=abc123XYZ9")
    page.wait_for_function("heard.length > 0")
    first = page.evaluate("() => heard[0]")
    assert first["secret"] == "abc123XYZ9"
    frame = inner(page)
    settle(page)
    assert page.evaluate("() => heard.at(-1).value") == -(-frame.evaluate(CONTENT) // 1)
    frame.locator("[data-key=share] .slider").press("Home")
    page.wait_for_timeout(400)
    assert frame.url.endswith("?share=48#?secret=abc123XYZ9")
    before = page.evaluate("() => heard.length")
    page.evaluate("() => frames[0].postMessage({message: 'ready', secret: 'abc123XYZ9'}, '*')")
    page.wait_for_function("(before) => heard.length > before", arg=before)
    page.close()


WORDPRESS = """(address) => {
  window.heard = [];
  addEventListener('message', ({data}) => data?.message === 'height' && heard.push(data));
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', 'allow-scripts');
  frame.title = 'What a model server changes';
  frame.src = address;
  document.body.prepend(frame);
}"""
