"""WCAG 1.4.10, 1.4.12 and 1.4.4: narrow, spaced out, long words, German, any host: nothing cut or covered."""

from typing import Any

import pytest

from tests.browser.access import AUTHORS, EVERYTHING, WIDTHS, show
from tests.browser.test_layout import OUTSIDE, SIDEWAYS, SPACING
from tests.browser.widget import RENEW, Widget, as_texts

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
NEVER_HIDDEN = ("room", "run", "extra", "first-word", "caveat")
# One round trip takes longer than one look: the page makes widget after widget and says what is wrong with each.
EACH = f"""async (host, [forms, wishes]) => {{
  const painted = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const look = () => [
    ...(({SIDEWAYS})() > 0 ? ['scrolls sideways'] : []), ...({OUTSIDE})(), ...({OVERLAPS})(host), ...({SPILLS})(host),
    ...(({GAPS})(host) > wishes.gap ? [`a hole of ${{({GAPS})(host)}} px`] : []),
    ...wishes.always.filter((name) => !host.shadowRoot.querySelector(`[data-line="${{name}}"]`).checkVisibility()),
  ];
  const found = {{}};
  for (const [attributes, after] of forms) {{
    ({RENEW})(host, attributes);
    host = document.querySelector('pool-room');
    if (wishes.css) ({SPACE_OUT})(host, wishes.css);
    if (wishes.doubled && ({DOUBLE})(host) <= 15) return 'hardly a word was doubled';
    if (wishes.opened) host.shadowRoot.querySelectorAll('.ask').forEach((ask) => ask.checkVisibility() && ask.click());
    for (const settings of [null, ...after]) {{
      if (settings) host.settings = settings;
      await painted();
      const wrong = look();
      if (wrong.length) found[JSON.stringify([attributes, settings])] = wrong;
    }}
  }}
  return found;
}}"""
STATES: list[dict[str, Any]] = [{}, EVERYTHING, {"longest": 128000, "reserved": True, "share": 98}]
Form = dict[str, Any]


def assert_reads(widget: Widget, *forms: Form, after: tuple[Form, ...] = (), gap: float = 1e9, **wishes: Any) -> None:
    """With these attributes nothing is cut off, covered, or wider than its place; nor after more settings."""
    wishes = {"gap": gap, "always": [], **wishes}
    assert widget.host.evaluate(EACH, [[[as_texts(form), list(after)] for form in forms], wishes]) == {}


def test_what_lies_over_something_is_found(widget: Widget) -> None:
    """The measure bites: a line moved up over the one before, and a name that may not break."""
    widget.line("caveat").evaluate("(line) => { line.style.marginBlockStart = '-20px'; }")
    assert any("Best case" in each for each in widget.host.evaluate(OVERLAPS))
    widget.line("caveat").evaluate("(line) => { line.style.whiteSpace = 'nowrap'; line.style.width = '60px'; }")
    assert any("caveat" in each for each in widget.host.evaluate(SPILLS))


def test_the_look_at_many_widgets_finds_what_is_wrong(widget: Widget) -> None:
    """The loop in the page bites too: letters so far apart that lines are cut off, and a gap that is too large."""
    with pytest.raises(AssertionError, match=r"scrolls sideways|caveat"):
        assert_reads(widget, {"share": 48}, css=".caveat { white-space: nowrap; letter-spacing: 9em; }")
    with pytest.raises(AssertionError, match="a hole of"):
        assert_reads(widget, {"share": 48}, gap=1)


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("width", WIDTHS)
def test_every_form_reads_at_every_width(widget: Widget, width: int, language: str) -> None:
    """With all helps open, in every state, in both languages."""
    show(widget, width)
    forms = [{**state, **author, "lang": language} for author in AUTHORS.values() for state in STATES]
    assert_reads(widget, *forms, opened=True)


@pytest.mark.parametrize("width", WIDTHS)
def test_every_form_reads_with_the_readers_spacing(widget: Widget, width: int) -> None:
    """1.4.12: lines 1.5, letters 0.12, words 0.16, paragraphs 2 times the size of the type, inside the widget."""
    show(widget, width)
    forms = [{**EVERYTHING, **author} for author in AUTHORS.values()]
    assert_reads(widget, *forms, after=({"share": 90, "longest": 8000},), css=SPACING)


@pytest.mark.parametrize("width", WIDTHS)
def test_words_twice_as_long_find_room(widget: Widget, width: int) -> None:
    """Every name, line and note doubled, as another language may need it; the window does not scroll sideways."""
    show(widget, width)
    assert_reads(widget, *({**state, **author} for author in AUTHORS.values() for state in STATES[:2]), doubled=True)


@pytest.mark.parametrize("width", WIDTHS)
def test_a_host_from_right_to_left_covers_nothing(widget: Widget, width: int) -> None:
    """The widget stays as it is inside, and the page does not scroll sideways."""
    show(widget, width)
    widget.page.evaluate("() => { document.documentElement.dir = 'rtl'; }")
    assert_reads(widget, *({**EVERYTHING, **author} for author in AUTHORS.values()), opened=True)


def test_four_times_enlarged_it_reads(widget: Widget) -> None:
    """1280 by 800 at 400 % is 320 by 200: one column, and no sideways scrolling."""
    show(widget, 320, 200)
    assert_reads(widget, *AUTHORS.values(), opened=True)


PARTS = ["share", "longest", "cap", "reserved", "chats", "legend", "buttons", "context"]
TOGETHER = ["share longest cap", "reserved chats", "legend share", "share longest cap reserved chats", " ".join(PARTS)]
HIDDEN = [*PARTS, *TOGETHER]


@pytest.mark.parametrize("compact", [False, True])
@pytest.mark.parametrize("width", WIDTHS)
def test_what_is_hidden_leaves_no_hole(widget: Widget, width: int, compact: bool) -> None:
    """Whatever an author hides, bar, lines and caveat close up, with and without what is locked beside it."""
    show(widget, width)
    shape = {"compact": True} if compact else {}
    forms = [{**shape, "hide": hide, "lock": lock} for hide in HIDDEN for lock in ("", "share cap reserved")]
    assert_reads(widget, *forms, gap=LARGEST_GAP, always=NEVER_HIDDEN)


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
