"""The widget fits: small screens, large text, either direction, and whatever the host's style sheet says."""

from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.widget import Widget, type_over
from tests.built import PROOF

PAGES = [
    "index.html", "how.html", "serve.html", "embed.html", "teach.html", "api.html", *PROOF, "truth.html",
    "accessibility.html", "watch.html",
    "poolroom.html", "bare.html",
]  # fmt: skip
NARROW = [(320, 640), (320, 200)]  # the second is 1280 by 800 at 400 %
STATES: list[dict[str, Any]] = [
    {},
    {"share": 43, "longest": 128000},
    {"longest": 128000, "reserved": True},
    {"share": 30, "cap": 512, "chats": "swapped"},
]
SPACING = """
* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
p { margin-bottom: 2em !important; }
"""
HOSTILE = """
* { margin: 5px !important; padding: 7px; font-size: 40px; line-height: 3; color: lime; box-sizing: content-box;
    text-transform: uppercase; font-style: italic; text-align: right; letter-spacing: 4px; white-space: nowrap; }
input, button, select, svg, p, ul, .bar, .widget { display: none; width: 1px; }
"""
ADD_STYLE = """(css) => {
  const style = document.createElement('style');
  style.textContent = css;
  document.head.append(style);
}"""
OUTSIDE = """() => {
  const shown = (node) => node.checkVisibility({visibilityProperty: true})
    && !node.closest('.scroll, .status, .unseen, noscript, option, select');
  const cut = (node, box) => {
    for (let at = node; at; at = at.parentElement ?? at.getRootNode().host) {
      if (getComputedStyle(at).overflowX === 'visible') continue;
      const frame = at.getBoundingClientRect();
      if (box.left < frame.left - 1 || box.right > frame.right + 1) return true;
      if (box.top < frame.top - 4 || box.bottom > frame.bottom + 4) return true;
    }
    return box.left < -1 || box.right > document.documentElement.clientWidth + 1;
  };
  const found = [];
  const walk = (root) => {
    for (const node of root.querySelectorAll('*')) {
      if (node.shadowRoot) walk(node.shadowRoot);
      if (!shown(node)) continue;
      for (const text of node.childNodes) {
        if (text.nodeType !== Node.TEXT_NODE || text.data.trim() === '') continue;
        const range = document.createRange();
        range.selectNodeContents(text);
        for (const box of range.getClientRects()) if (box.width > 0 && cut(node, box)) found.push(text.data);
      }
    }
  };
  walk(document);
  return [...new Set(found)];
}"""
SIDEWAYS = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
SHAPE = """(host) => {
  const at = host.getBoundingClientRect();
  const all = [...host.shadowRoot.querySelectorAll('*')];
  return all.filter((node) => node.checkVisibility() && !node.closest('option, defs')).map((node) => {
    const box = node.getBoundingClientRect(), style = getComputedStyle(node);
    const place = [box.left - at.left, box.top - at.top, box.width, box.height].map(Math.round);
    return [node.localName, node.getAttribute('class'), ...place, style.fontSize, style.color, style.display].join(' ');
  });
}"""


def assert_fits(page: Page) -> None:
    """No scrolling sideways, and no text cut off or out of the window."""
    assert page.evaluate(SIDEWAYS) <= 0
    assert page.evaluate(OUTSIDE) == []


@pytest.mark.parametrize("path", PAGES)
def test_a_page_fits_on_320_px(widget: Widget, site: str, path: str) -> None:
    """At 320 px, and at 1280 enlarged four times, only a table in its own box scrolls sideways."""
    for width, height in NARROW:
        widget.page.set_viewport_size({"width": width, "height": height})
        widget.page.goto(site + path)
        assert_fits(widget.page)


@pytest.mark.parametrize("state", STATES)
def test_every_state_fits_at_every_width(widget: Widget, state: dict[str, Any]) -> None:
    """Labels move out of the way, sentences break; helps, fixes and notices are open."""
    widget.put(**state)
    widget.host.locator(".ask").evaluate_all("(asks) => asks.forEach((ask) => ask.click())")
    type_over(widget.field("share"), "120")
    widget.field("share").blur()
    for width in (320, 360, 479, 600, 720, 1000, 1280):
        widget.page.set_viewport_size({"width": width, "height": 640})
        assert_fits(widget.page)


@pytest.mark.parametrize("width", [320, 1280])
def test_wider_spacing_cuts_nothing_off(widget: Widget, width: int) -> None:
    """WCAG 1.4.12: the reader's spacing of letters, words, lines and paragraphs, inside the widget too."""
    widget.page.set_viewport_size({"width": width, "height": 640})
    widget.page.evaluate(ADD_STYLE, SPACING)
    widget.host.evaluate(
        """({shadowRoot}, css) => {
          const sheet = new CSSStyleSheet();
          sheet.replaceSync(css);
          shadowRoot.adoptedStyleSheets = [...shadowRoot.adoptedStyleSheets, sheet];
        }""",
        SPACING,
    )
    for state in STATES:
        widget.put(**state)
        assert_fits(widget.page)


def fix_width(widget: Widget) -> None:
    """Give the element one width that no style sheet of the page changes."""
    widget.host.evaluate(
        """(host) => {
          const fixed = {width: '600px', margin: '0', padding: '0', 'box-sizing': 'border-box'};
          for (const [name, value] of Object.entries(fixed)) host.style.setProperty(name, value, 'important');
        }"""
    )


def test_a_host_from_right_to_left_leaves_the_widget_as_it_is(widget: Widget) -> None:
    """The words are English and the bar runs from the left, whatever the page's direction."""
    fix_width(widget)
    before = widget.host.evaluate(SHAPE)
    widget.page.evaluate("() => { document.documentElement.dir = 'rtl'; }")
    assert widget.host.evaluate(SHAPE) == before
    assert widget.page.evaluate(SIDEWAYS) <= 0


def test_a_hostile_style_sheet_leaves_the_widget_as_it_is(widget: Widget) -> None:
    """Universal resets, giant type, hidden inputs: inside nothing changes its place, size or colour."""
    fix_width(widget)
    before = widget.host.evaluate(SHAPE)
    widget.page.evaluate(ADD_STYLE, HOSTILE)
    changed = [f"{old} → {new}" for old, new in zip(before, widget.host.evaluate(SHAPE), strict=True) if old != new]
    assert changed == []


THINGS = """() => [
  document.querySelectorAll('*').length, document.adoptedStyleSheets.length, document.querySelectorAll('style').length,
]"""


def test_the_widget_adds_nothing_outside_its_root(widget: Widget) -> None:
    """No element, no style."""
    before = widget.page.evaluate(THINGS)
    widget.press("share", "Home")
    widget.renew(share=60)
    assert widget.page.evaluate(THINGS) == before
    assert before[1:] == [0, 0]


def tab_to(page: Page, key: str) -> None:
    """Go on with the Tab key until the slider of that key has the focus."""
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate(IS_AT, key):
            return
    raise AssertionError(f"Tab does not reach {key}")


IS_AT = """(key) => {
  const node = document.activeElement?.shadowRoot?.activeElement;
  return Boolean(node?.matches('.slider') && node.closest(`[data-key=${key}]`));
}"""
PLACES = """(host) => {
  const box = (node) => node.getBoundingClientRect().toJSON();
  const find = (name) => host.shadowRoot.querySelector(name);
  return {frame: box(find('.frame')), line: box(find('[data-line=room]')), focused: box(host.shadowRoot.activeElement)};
}"""


@pytest.mark.parametrize("path", ["bare.html", "index.html", "poolroom.html"])
def test_on_a_phone_bar_and_first_line_stay_in_view_beside_the_focus(widget: Widget, site: str, path: str) -> None:
    """360 by 640, the third control focused by keyboard: both are wholly visible and do not cover it."""
    page = widget.page
    page.set_viewport_size({"width": 360, "height": 640})
    page.goto(site + path)
    tab_to(page, "cap")
    places = widget.host.evaluate(PLACES)
    for name, box in places.items():
        assert 0 <= box["top"] < box["bottom"] <= 640 and 0 <= box["left"] < box["right"] <= 360, name
    for name in ("frame", "line"):
        assert places[name]["bottom"] <= places["focused"]["top"], name
    page.keyboard.press("ArrowRight")
    assert widget.settings()["cap"] == 128
    assert widget.host.evaluate(PLACES)["focused"]["top"] >= widget.host.evaluate(PLACES)["line"]["bottom"]


COVERED = """() => {
  const host = document.activeElement, node = host?.shadowRoot?.activeElement;
  if (!node) return null;
  const {left, width, top, bottom} = node.getBoundingClientRect();
  const at = (y) => host.shadowRoot.elementFromPoint(left + width / 2, y);
  const name = node.id || node.getAttribute('aria-label') || node.textContent;
  return {name, free: [top + 3, (top + bottom) / 2, bottom - 3].every((y) => at(y) === node)};
}"""

BUTTONS = """() => {
  for (const put of ['prepend', 'append']) document.body[put](document.createElement('button'));
}"""


@pytest.mark.parametrize(("width", "height"), [(320, 200), (360, 640), (600, 500), (720, 640), (1280, 500)])
@pytest.mark.parametrize("keys", ["Tab", "Shift+Tab"])
def test_the_focus_is_never_covered(widget: Widget, width: int, height: int, keys: str) -> None:
    """WCAG 2.4.11, forwards and backwards: what has the focus is in view, and nothing lies over it."""
    page = widget.page
    page.set_viewport_size({"width": width, "height": height})
    widget.put(share=43, longest=128000)
    page.evaluate(BUTTONS)  # so that the keys do not leave the page: Firefox would not come back
    page.locator("body > button").nth(1 if keys == "Shift+Tab" else 0).focus()
    stops = []
    for _ in range(30):
        page.keyboard.press(keys)
        stop = page.evaluate(COVERED)
        if stop is None:
            break
        stops.append(stop)
    assert len(stops) > 15
    assert [stop["name"] for stop in stops if not stop["free"]] == []
