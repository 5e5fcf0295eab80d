"""WCAG 1.4.10, 1.4.12 and 1.4.4: narrow, spaced out, long words, German, any host: nothing cut or covered."""

from typing import Any

import pytest

from tests.browser.access import AUTHORS, EVERYTHING, WIDTHS, show
from tests.browser.test_layout import SPACING, assert_fits
from tests.browser.widget import Widget

SPACE_OUT = """({shadowRoot}, css) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  shadowRoot.adoptedStyleSheets = [...shadowRoot.adoptedStyleSheets, sheet];
}"""
# Words, not figures: a name twice as long stands for a language that needs more room. vLLM's names are code.
DOUBLE = """({shadowRoot}) => {
  const walker = document.createTreeWalker(shadowRoot, NodeFilter.SHOW_TEXT);
  let count = 0;
  while (walker.nextNode()) {
    const text = walker.currentNode;
    if (!/\\p{L}{3}/u.test(text.data) || text.parentNode.closest('code, .status, .levels')) continue;
    text.data = `${text.data.trimEnd()} ${text.data.trimStart()}`;
    count += 1;
  }
  return count;
}"""
# Each two pieces of text, or a text and a field or button it is no part of, share at most the slack of their lines.
OVERLAPS = """({shadowRoot}) => {
  const found = [];
  const seen = (node) => node.checkVisibility({visibilityProperty: true}) && !node.closest('.status, option, .levels');
  const pieces = [];
  for (const node of shadowRoot.querySelectorAll('*')) {
    if (!seen(node)) continue;
    if (node.matches('.field, .check, button')) pieces.push([node, node, node.getBoundingClientRect()]);
    if (node.matches('select')) continue;
    for (const text of node.childNodes) {
      if (text.nodeType !== Node.TEXT_NODE || text.data.trim() === '') continue;
      const range = document.createRange();
      range.selectNodeContents(text);
      for (const box of range.getClientRects()) pieces.push([text, node, box]);
    }
  }
  const name = (piece) => piece.data ?? `${piece.localName}.${piece.className}`;
  const within = (one, other) => one === other || one.contains?.(other) || other.contains?.(one)
    || (one.parentNode?.closest?.('.box') ?? 1) === (other.parentNode?.closest?.('.box') ?? 2);
  pieces.forEach(([one, , a], i) => pieces.slice(i + 1).forEach(([other, , b]) => {
    if (within(one, other)) return;
    const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (across > 2 && down > 4) found.push(`${name(one)} × ${name(other)}`);
  }));
  return found;
}"""
SPILLS = """({shadowRoot}) => [...shadowRoot.querySelectorAll('p, li, label, button, .names, .control, .lines')]
  .filter((node) => node.checkVisibility() && !node.closest('.status, .marks'))
  .filter((node) => node.scrollWidth > node.clientWidth + 1 && getComputedStyle(node).display !== 'inline')
  .map((node) => `${node.localName}.${node.className}: ${node.scrollWidth} > ${node.clientWidth}`)"""
STATES: list[dict[str, Any]] = [{}, EVERYTHING, {"longest": 128000, "reserved": True, "share": 98}]


def assert_reads(widget: Widget) -> None:
    """Nothing is cut off, nothing lies over something else, nothing is wider than its place."""
    assert_fits(widget.page)
    assert widget.host.evaluate(OVERLAPS) == []
    assert widget.host.evaluate(SPILLS) == []


def open_all(widget: Widget) -> None:
    """Open every help that is there."""
    widget.host.locator(".ask").evaluate_all(
        "(asks) => asks.forEach((ask) => ask.checkVisibility() && ask.click())"
    )


def test_what_lies_over_something_is_found(widget: Widget) -> None:
    """The measure bites: a line moved up over the one before, and a name that may not break."""
    widget.line("caveat").evaluate("(line) => { line.style.marginBlockStart = '-20px'; }")
    assert any("Best case" in each for each in widget.host.evaluate(OVERLAPS))
    widget.line("caveat").evaluate("(line) => { line.style.whiteSpace = 'nowrap'; line.style.width = '60px'; }")
    assert any("caveat" in each for each in widget.host.evaluate(SPILLS))


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("author", AUTHORS)
def test_every_form_reads_at_every_width(widget: Widget, author: str, width: int, language: str) -> None:
    """With all helps open, in every state, in both languages."""
    for state in STATES:
        show(widget, width, **{**state, **AUTHORS[author]}, lang=language)
        open_all(widget)
        assert_reads(widget)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("author", AUTHORS)
def test_every_form_reads_with_the_readers_spacing(widget: Widget, author: str, width: int) -> None:
    """1.4.12: lines 1.5, letters 0.12, words 0.16, paragraphs 2 times the size of the type, inside the widget."""
    show(widget, width, **{**EVERYTHING, **AUTHORS[author]})
    widget.host.evaluate(SPACE_OUT, SPACING)
    assert_reads(widget)
    widget.put(share=90, longest=8000)
    assert_reads(widget)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("author", AUTHORS)
def test_words_twice_as_long_find_room(widget: Widget, author: str, width: int) -> None:
    """Every name, line and note doubled, as another language may need it; the window does not scroll sideways."""
    for state in STATES[:2]:
        show(widget, width, **{**state, **AUTHORS[author]})
        assert widget.host.evaluate(DOUBLE) > 15
        assert_reads(widget)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("author", AUTHORS)
def test_a_host_from_right_to_left_covers_nothing(widget: Widget, author: str, width: int) -> None:
    """The widget stays as it is inside, and the page does not scroll sideways."""
    show(widget, width, **{**EVERYTHING, **AUTHORS[author]})
    widget.page.evaluate("() => { document.documentElement.dir = 'rtl'; }")
    open_all(widget)
    assert_reads(widget)


@pytest.mark.parametrize("author", AUTHORS)
def test_four_times_enlarged_it_reads(widget: Widget, author: str) -> None:
    """1280 by 800 at 400 % is 320 by 200: one column, and no sideways scrolling."""
    show(widget, 320, 200, **AUTHORS[author])
    open_all(widget)
    assert_reads(widget)


PARTS = ["share", "longest", "cap", "reserved", "chats", "legend", "buttons", "context"]
TOGETHER = ["share longest cap", "reserved chats", "legend share", "share longest cap reserved chats", " ".join(PARTS)]
HIDDEN = [*PARTS, *TOGETHER]
# Between two things that follow each other from above to below, at most this is empty: no hole.
LARGEST_GAP = 44
GAPS = """({shadowRoot}) => {
  const parts = [...shadowRoot.querySelectorAll('.caption, .frame, .bracket, .line, .part, .names, .rail, .box, '
    + '.locked, .switch, .context, .caveat, .buttons')].filter((node) => node.checkVisibility())
    .map((node) => node.getBoundingClientRect()).filter((box) => box.height > 0).sort((a, b) => a.top - b.top);
  let bottom = parts[0].top, widest = 0;
  for (const box of parts) {
    widest = Math.max(widest, box.top - bottom);
    bottom = Math.max(bottom, box.bottom);
  }
  return widest;
}"""


@pytest.mark.parametrize("compact", [False, True])
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("hide", HIDDEN)
def test_what_is_hidden_leaves_no_hole(widget: Widget, hide: str, width: int, compact: bool) -> None:
    """Whatever an author hides, bar, lines and caveat close up, with and without what is locked beside it."""
    for lock in ("", "share cap reserved"):
        show(widget, width, hide=hide, lock=lock, **({"compact": True} if compact else {}))
        assert widget.host.evaluate(GAPS) <= LARGEST_GAP
        assert_reads(widget)
        assert {"room", "run", "extra", "first-word", "caveat"} <= set(widget.lines())
        for name in ("room", "run", "extra", "first-word", "caveat"):
            assert widget.line(name).is_visible(), name


def height(widget: Widget, width: int, **attributes: Any) -> float:
    """How high the widget is in a window of that width."""
    show(widget, width, 1400, **attributes)
    widget.page.evaluate("() => { document.body.style.margin = '0'; }")
    box = widget.host.bounding_box()
    assert box is not None
    return box["height"]


def test_compact_fits_a_slide(widget: Widget) -> None:
    """960 px wide it is at most 480 px high, refused or not; elsewhere at most four fifths of the usual height."""
    for state in ({}, EVERYTHING):
        assert height(widget, 960, compact=True, **state) <= 480
        for width in WIDTHS:
            assert height(widget, width, compact=True, **state) <= 0.8 * height(widget, width, **state), width


def test_compact_puts_three_sliders_side_by_side(widget: Widget) -> None:
    """From 800 px on they stand on one row, below one under the other."""
    for width, rows in ((800, 1), (1200, 1), (780, 3), (480, 3), (320, 3)):
        height(widget, width, compact=True)
        tops = [widget.slider(key).bounding_box() for key in ("share", "longest", "cap")]
        assert len({round(box["y"]) for box in tops if box}) == rows, width
