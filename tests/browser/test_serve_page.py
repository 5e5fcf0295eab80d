"""The page on serving: its HTML, its address, its controls by every hand, its words to everybody, its weight."""

import statistics
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from playwright.sync_api import Page, Route, expect

from poolroom.facts import WORDS
from poolroom.serving_facts import TOOLS, opening
from poolroom.tools import answer, choice_text
from poolroom.words import plain
from serve import serving
from tests.browser.conftest import STRICT, SUB_PATH, Bench, Benches, Open
from tests.browser.engines import NO_MEDIA, NO_SHIFTS, only
from tests.browser.focus import awake
from tests.browser.html import Node, read
from tests.browser.png import contrast, pixels
from tests.browser.test_access_targets import LEAST
from tests.browser.test_actions import REFUSING
from tests.browser.test_layout import SPACING, assert_fits
from tests.browser.test_pages import PAINTED as FIRST_PAINT
from tests.browser.test_pages import SHIFTS
from tests.browser.test_theme import AXE
from tests.browser.tools import NAMES, PATH, Tools, expected_of, in_address, kind_of, mismatches, query_of, targets
from tests.browser.widget import two_frames

MOST_BYTES, MOST_SHIFT = 60_000, 0.1
OWN_FILES = {PATH, "page.css", "serve.css", "serve.js"}
EVERY_MS, WITHIN_MS = 300, 1500
SAME = "The answer stays the same."
LAST = {name: {key: control["values"][-1] for key, control in TOOLS[name]["controls"].items()} for name in NAMES}
CONTROLS = [(name, key) for name in NAMES for key in TOOLS[name]["controls"]]
MOVED = [
    (
        name,
        *next(
            (key, value)
            for key, control in TOOLS[name]["controls"].items()
            for value in control["values"]
            if value != control["opening"]
        ),
    )
    for name in NAMES
]
"""A first move of each tool: its name, a key, and a choice that is not the opening's."""


@pytest.fixture
def tools(bench: Bench, site: str) -> Any:
    """The page as it opens, on a shared page; nothing may go wrong there."""
    yield opened(bench, site)
    bench[1].assert_quiet()


def opened(bench: Bench, site: str) -> Tools:
    """Open the page anew on a shared page."""
    page, watch = bench
    watch.troubles.clear()
    page.set_viewport_size({"width": 1280, "height": 720})
    page.emulate_media(media="null", color_scheme="null", reduced_motion="null", forced_colors="null")
    found = Tools(page, site)
    found.open()
    assert awake(page)
    page.evaluate("() => { window.writes.length = 0; }")
    return found


@pytest.fixture
def timed(timed_bench: Bench, site: str) -> Any:
    """The same on a page whose clock the test moves."""
    yield opened(timed_bench, site)
    timed_bench[1].assert_quiet()


# --- what the build writes ---


def tool_in(dist: Path, name: str) -> Node:
    """A tool of the built page."""
    (node,) = [each for each in read(dist / PATH).find("div", "tool") if each.attributes["data-tool"] == name]
    return node


def test_every_tool_is_there_in_the_lessons_order(dist: Path) -> None:
    """Rule: what is registered is on the page, with a heading that an address can name, and a way there at the top."""
    page = read(dist / PATH)
    assert [node.attributes["data-tool"] for node in page.find("div", "tool")] == NAMES
    headings = [node.attributes["id"] for node in page.find("h2")]
    assert [heading for heading in headings if heading in NAMES] == NAMES
    (contents,) = page.find("nav", "contents")
    assert {f"#{name}" for name in NAMES} <= {node.attributes["href"] for node in contents.find("a")}


@pytest.mark.parametrize("name", NAMES)
def test_the_opening_answer_is_in_the_html(dist: Path, name: str) -> None:
    """Rule: before any script runs, lines, bars and lanes are there in the words of the reference."""
    tool, wanted = tool_in(dist, name), expected_of(name, opening(name))
    assert [[line.attributes["data-line"], line.text] for line in tool.find("p", "tool-line")] == wanted["lines"]
    bars = [
        [figure.find("figcaption")[0].text, row.find("span", "row-name")[0].text, row.find("b", "row-text")[0].text]
        for figure in tool.find("figure", "bars")
        for row in figure.find("li", "row")
    ]
    assert bars == wanted["rows"]
    lanes = [
        [figure.find("figcaption")[0].text, row.find("th")[0].text, row.find("td")[0].text]
        for figure in tool.find("figure", "lanes")
        for row in figure.find("tr")
    ]
    assert lanes == wanted["lanes"]


@pytest.mark.parametrize(("name", "key"), CONTROLS)
def test_a_control_offers_the_choices_of_the_facts(dist: Path, name: str, key: str) -> None:
    """Rule: numbers have a slider over their places and a list, names a list, flags a box; all have a label."""
    tool, control = tool_in(dist, name), TOOLS[name]["controls"][key]
    (node,) = [each for each in tool.all() if each.attributes.get("data-key") == key]
    kind, words = kind_of(name, key), TOOLS[name]["words"]["controls"][key]
    options = [(each.attributes["value"], each.text) for each in node.find("option")]
    texts = [(in_address(value), choice_text(name, key, value)) for value in control["values"]]
    assert options == ([] if kind == "flag" else texts)
    sliders = node.find("input", "slider")
    assert [slider.attributes["max"] for slider in sliders] == [str(len(texts) - 1)] * (kind == "numbers")
    assert len(node.find("input", "check")) == (kind == "flag")
    (label,) = node.find("label", "name")
    assert label.text.strip() == words["name"]
    assert [help.text for help in node.find("p", "help")] == [words["help"]]


def test_the_script_weighs_at_most_60_kB(dist: Path, tell: Callable[[str], None]) -> None:
    """Rule: all six tools, their facts and words, and the page around them, in bytes as they are."""
    weight = (dist / "serve.js").stat().st_size
    tell(f"serve.js weighs {weight:,} bytes with {len(NAMES)} tools")
    assert weight <= MOST_BYTES


def links(dist: Path) -> list[Node]:
    """The links of the page that set a tool."""
    return read(dist / PATH).find("a", "try")


def test_links_that_set_a_tool_name_choices(dist: Path) -> None:
    """Rule: their settings are offered, of the tool beside them, and each tool has at least two."""
    for link in links(dist):
        parts, name = urlsplit(link.attributes["href"]), link.attributes["data-tool"]
        assert (parts.path, parts.fragment) == ("", name)
        for text, value in parse_qsl(parts.query):
            tool, _, key = text.partition(".")
            offered = [in_address(each) for each in TOOLS[tool]["controls"][key]["values"]]
            assert tool == name and value in offered, link.attributes["href"]
    assert all([link.attributes["data-tool"] for link in links(dist)].count(name) >= 2 for name in NAMES)


def test_without_scripts_all_is_there_to_read(scriptless: Callable[[str], Page]) -> None:
    """Rule: settings as words, the answer, the bars, and a note; no control that would not answer."""
    page = scriptless(PATH)
    for name in NAMES:
        tool = page.locator(f".tool[data-tool={name}]")
        wanted = [text for _, text in expected_of(name, opening(name))["lines"]]
        assert tool.locator(".tool-line").all_inner_texts() == wanted
        expect(tool.locator("noscript")).to_be_visible()
        expect(tool.locator(".set")).to_contain_text(choice_text(name, *next(iter(opening(name).items()))))
        assert tool.locator(".row-text").count() == len(answer(name, {})["rows"])
        expect(tool.locator(".controls")).to_be_hidden()


@only("chromium", NO_SHIFTS)
@pytest.mark.parametrize("width", [1280, 720, 360])
def test_the_script_takes_over_without_moving_the_page(open_page: Open, site: str, width: int) -> None:
    """Rule: a script that comes after the first paint moves less than a tenth of the page."""
    held: list[Route] = []
    page = open_page(script=SHIFTS, viewport={"width": width, "height": 720})
    page.route("**/serve.js", lambda route: held.append(route))
    page.goto(site + PATH, wait_until="commit")
    page.evaluate(FIRST_PAINT)
    held.pop().continue_()
    page.locator(".controls:enabled").first.wait_for()
    two_frames(page)
    assert page.evaluate("() => window.shifted") < MOST_SHIFT


# --- the address ---


@pytest.mark.parametrize(("name", "key", "value"), MOVED)
def test_the_address_holds_what_differs(tools: Tools, name: str, key: str, value: Any) -> None:
    """Rule: a move is written, foreign keys and the fragment stay, and moved back it is gone."""
    tools.open(f"?utm=x&a.b.c=1#{name}")
    tools.set(Tools.list, name, {key: value})
    tools.page.wait_for_url(f"**{PATH}?utm=x&a.b.c=1&{name}.{key}={in_address(value)}#{name}")
    tools.set(Tools.list, name, opening(name))
    tools.page.wait_for_url(f"**{PATH}?utm=x&a.b.c=1#{name}")
    assert tools.page.locator(".notices li").count() == 0


def test_a_reload_and_another_page_show_the_same(tools: Tools) -> None:
    """Rule: the address alone carries every tool's settings."""
    for name, target in targets("reload", len(NAMES)):
        tools.set(Tools.list, name, target)
    tools.page.wait_for_timeout(2 * EVERY_MS)
    tools.page.reload()
    assert [mismatches(tools.painted(name), name, tools.settings[name]) for name in NAMES] == [[]] * len(NAMES)


def test_the_address_is_written_at_most_every_300_ms(timed: Tools) -> None:
    """Rule: a dragged slider does not fill the browser's log; the last place is the one that stands."""
    name, key = next(pair for pair in CONTROLS if kind_of(*pair) == "numbers")
    drag = "(slider, place) => { slider.value = place; slider.dispatchEvent(new Event('input')); }"
    for place in (0, 1, 2, 1, 0, 1, 2, 0):
        timed.slider(name, key).evaluate(drag, str(place))
        timed.page.clock.run_for(100)
    timed.page.clock.run_for(EVERY_MS)
    writes = timed.page.evaluate("() => window.writes")
    assert 0 < len(writes) <= 4 and {method for method, _ in writes} == {"replaceState"}
    assert writes[-1][1].endswith(f"?{name}.{key}={in_address(TOOLS[name]['controls'][key]['values'][0])}")


def test_a_history_that_refuses_breaks_nothing(tools: Tools) -> None:
    """Rule: where the address cannot be written, the answer still follows."""
    tools.page.evaluate("() => { history.replaceState = () => { throw new DOMException('no', 'SecurityError'); }; }")
    name, key, value = MOVED[0]
    tools.set(Tools.list, name, {key: value})
    tools.page.wait_for_timeout(2 * EVERY_MS)
    assert mismatches(tools.painted(name), name, tools.settings[name]) == []


BAD = {
    "a value": ("floor.batch=3", "floor", ["floor.batch=3", "1, 2, 4, 8", "Using 8"]),
    "a word": ("floor.batch=toString", "floor", ["floor.batch=toString", "1, 2, 4, 8", "Using 8"]),
    "nothing": ("floor.batch=", "floor", ["floor.batch=", "1, 2, 4, 8", "Using 8"]),
    "another writing": ("floor.batch=8.0", "floor", ["floor.batch=8.0", "1, 2, 4, 8", "Using 8"]),
    "a key": ("floor.batches=8", "floor", ["floor.batches=8", "parameters, bytes_per_weight", "Ignored"]),
    "a key of every object": ("floor.constructor=8", "floor", ["floor.constructor=8", "parameters", "Ignored"]),
    "a tool": ("flor.batch=8", "", ["flor.batch=8", "floor", "Ignored"]),
    "a tool of every object": ("__proto__.batch=8", "", ["__proto__.batch=8", "floor", "Ignored"]),
    "given twice": ("floor.batch=4&floor.batch=16", "floor", ["floor.batch", "4 and 16", "1, 2, 4, 8", "Using 8"]),
    "an endless one": ("floor.batch=" + "9" * 500, "floor", ["floor.batch=" + "9" * 40 + "…", "Using 8"]),
    "markup": ("floor.batch=%3Cb%3E%07", "floor", ["floor.batch=<b>\ufffd", "Using 8"]),
}


@pytest.mark.parametrize("bad", BAD)
def test_a_bad_link_says_so_and_opens_as_usual(tools: Tools, bad: str) -> None:
    """Rule: key, value and what is allowed are named beside the tool, or on top where none is meant; none is used."""
    query, where, words = BAD[bad]
    tools.open(f"?{query}&floor.context=512")
    page = tools.page
    notices = page.locator(f".tool[data-tool={where}] .notices li" if where else "#notices li")
    expect(notices).to_have_count(1)
    expect(notices).to_be_visible()
    text = notices.inner_text()
    assert all(word in text for word in words), text
    assert page.locator(".notices li").count() == 1
    assert mismatches(tools.painted("floor"), "floor", {**opening("floor"), "context": 512}) == []


def test_a_notice_goes_with_the_next_move(tools: Tools) -> None:
    """Rule: it is about what was asked for, and not about what stands there now."""
    tools.open("?floor.batch=3")
    tools.set(Tools.list, "floor", {"batch": 16})
    assert tools.page.locator(".notices li").count() == 0


@pytest.mark.parametrize("name", NAMES)
def test_a_link_sets_its_tool_in_place_and_back_undoes_it(tools: Tools, dist: Path, name: str) -> None:
    """Rule: without loading the page again; other tools keep what the reader set; the focus goes to what moved."""
    page = tools.page
    other = next(each for each in NAMES if each != name)
    target = {**opening(other), **{key: value for each, key, value in MOVED if each == other}}
    tools.set(Tools.list, other, target)
    page.evaluate("() => { window.stays = true; }")
    found = [link.attributes["href"] for link in links(dist) if link.attributes["data-tool"] == name]
    href = next(each for each in found if "?" in each)
    page.locator(f'a.try[href="{href}"]').first.click()
    said = {text.partition(".")[2]: value for text, value in parse_qsl(urlsplit(href).query)}
    after = {
        **opening(name),
        **{
            key: next(v for v in TOOLS[name]["controls"][key]["values"] if in_address(v) == text)
            for key, text in said.items()
        },
    }
    assert mismatches(tools.painted(name), name, after) == []
    assert mismatches(tools.painted(other), other, target) == []
    assert page.evaluate("(name) => document.activeElement.closest('.tool')?.dataset.tool === name", name)
    expect(tools.tool(name).locator(".tool-title")).to_be_in_viewport()
    assert page.url.endswith(f"#{name}")
    page.go_back()
    assert mismatches(tools.painted(name), name, opening(name)) == []
    assert mismatches(tools.painted(other), other, target) == []
    page.go_forward()
    assert mismatches(tools.painted(name), name, after) == []
    assert page.evaluate("() => window.stays")


# --- controls and buttons ---


@pytest.mark.parametrize("name", NAMES)
def test_either_event_alone_is_heard_and_answered_in_it(tools: Tools, name: str) -> None:
    """Rule: VoiceOver on iOS fires only `change`; the answer stands as soon as the handler is done."""
    target = opening(name)
    for event in ("input", "change"):
        for key, control in TOOLS[name]["controls"].items():
            place = next(i for i, value in enumerate(control["values"]) if value != target[key])
            target[key] = control["values"][place]
            heard = tools.control(name, key).locator(PART[kind_of(name, key)]).evaluate(HEARD, [place, event])
            assert heard == [text for _, text in expected_of(name, target)["lines"]]


PART = {"numbers": ".slider", "names": ".field", "flag": ".check"}
HEARD = """(node, [place, event]) => {
  if (node.type === 'checkbox') node.checked = !node.checked;
  else if (node.type === 'range') node.value = place; else node.selectedIndex = place;
  node.dispatchEvent(new Event(event));
  return [...node.closest('.tool').querySelectorAll('[data-line]')].map((line) => line.textContent);
}"""


@pytest.mark.parametrize("name", NAMES)
def test_start_again_puts_one_tool_back(timed: Tools, name: str) -> None:
    """Rule: this tool and no other; it says so once, and the address follows."""
    for each, key, value in MOVED:
        timed.set(Tools.list, each, {key: value})
    timed.tool(name).locator("[data-action=reset]").click()
    expect(timed.page.locator("[role=status]")).to_have_text(WORDS["status"]["back"])
    timed.page.clock.run_for(2 * EVERY_MS)
    timed.settings[name] = opening(name)
    assert [mismatches(timed.painted(each), each, timed.settings[each]) for each in NAMES] == [[]] * len(NAMES)
    assert f"{name}." not in timed.page.evaluate("() => location.search")


def test_copy_link_copies_an_address_that_shows_the_same(tools: Tools, site: str) -> None:
    """Rule: all tools' settings, nobody's trackers, and the tool at which the button stands."""
    tools.open("?utm=x")
    for name, target in targets("copy", len(NAMES)):
        tools.set(Tools.list, name, target)
    button = tools.tool(NAMES[-1]).locator("[data-action=copy]")
    button.click()
    expect(button).to_have_text(WORDS["view"]["copied"])
    link = tools.page.evaluate("() => navigator.clipboard.readText()")
    assert link.startswith(f"{site}{PATH}?") and link.endswith(f"#{NAMES[-1]}") and "utm" not in link
    tools.page.goto(link)
    assert [mismatches(tools.painted(name), name, tools.settings[name]) for name in NAMES] == [[]] * len(NAMES)


@pytest.mark.parametrize("how", REFUSING)
def test_where_copying_is_refused_the_link_is_selected(tools: Tools, how: str) -> None:
    """Rule: a field with the link takes the focus, all of it selected."""
    tools.page.evaluate(REFUSING[how])
    tools.tool("floor").locator("[data-action=copy]").click()
    field = tools.tool("floor").locator(".copy-field")
    expect(field).to_be_focused()
    assert field.input_value().endswith(f"{PATH}#floor")
    expect(tools.tool("floor").locator(".copy-fallback p")).to_have_text(WORDS["notices"]["copy"])
    assert field.evaluate("(node) => node.value.slice(node.selectionStart, node.selectionEnd) === node.value")


# --- what is said ---


def sentence_of(name: str, before: dict[str, Any], key: str, value: Any) -> str:
    """What the page says after a move: the setting, and the first line that it changed."""
    old, new = answer(name, before)["lines"], answer(name, {**before, key: value})["lines"]
    changed = [plain([line]) for each, line in new.items() if old.get(each) != line]
    words = TOOLS[name]["words"]["controls"][key]["name"]
    return f"{words}: {choice_text(name, key, value)}. {changed[0] if changed else SAME}"


@pytest.mark.parametrize(("name", "key", "value"), MOVED)
def test_one_sentence_is_said_after_a_move_has_ended(timed: Tools, name: str, key: str, value: Any) -> None:
    """Rule: none on load, none while it moves, one when it is over; the only live region of the page."""
    status = timed.page.locator("[role=status]")
    timed.page.clock.run_for(5000)
    expect(status).to_be_empty()
    assert timed.page.locator("[aria-live], [role=alert], [role=log], output").count() == 0
    timed.set(Tools.list, name, {key: value})
    timed.page.clock.run_for(EVERY_MS)
    expect(status).to_be_empty()
    timed.page.clock.run_for(WITHIN_MS)
    expect(status).to_have_text(sentence_of(name, opening(name), key, value))


def test_a_move_that_changes_nothing_says_so(timed: Tools) -> None:
    """Rule: a drag that comes back to where it began has no news, and says that."""
    timed.set(Tools.list, "floor", {"batch": 16})
    timed.set(Tools.list, "floor", {"batch": 8})
    timed.page.clock.run_for(WITHIN_MS)
    expect(timed.page.locator("[role=status]")).to_have_text(f"Chats in a step: 8 chats. {SAME}")


@pytest.mark.parametrize("name", NAMES)
def test_controls_bear_their_labels_and_helps_open(tools: Tools, name: str) -> None:
    """Rule: found by role and visible name, both ways in; the question mark opens what it names, Escape closes it."""
    for key, words in TOOLS[name]["words"]["controls"].items():
        control = tools.control(name, key)
        roles = {"numbers": ["slider", "combobox"], "names": ["combobox"], "flag": ["checkbox"]}[kind_of(name, key)]
        for role in roles:
            expect(control.get_by_role(role, name=words["name"], exact=True)).to_have_count(1)  # type: ignore[arg-type]
        ask = control.locator(".ask")
        ask.click()
        expect(control.locator(".help")).to_be_visible()
        expect(control.locator(".help")).to_have_text(words["help"])
        ask.press("Escape")
        expect(control.locator(".help")).to_be_hidden()


@pytest.mark.parametrize("name", NAMES)
def test_the_keyboard_alone_reaches_and_moves_everything(tools: Tools, name: str) -> None:
    """Rule: Tab goes through the tool in the order of the eye and out of it; an arrow, a space and Enter are enough."""
    page, stops = tools.page, []
    tools.tool(name).locator(".ask").first.focus()
    for _ in range(60):
        stops.append(page.evaluate(STOP))
        page.keyboard.press("Tab")
        if not page.evaluate("(name) => document.activeElement.closest('.tool')?.dataset.tool === name", name):
            break
    nodes = tools.tool(name).locator("input, select, button, summary").count()
    assert len({stop["place"] for stop in stops}) == nodes
    assert all(stop["ring"] for stop in stops)
    tops = [stop["top"] for stop in stops]
    assert all(later >= sooner - 40 for sooner, later in pairwise(tops))


STOP = """() => {
  const node = document.activeElement, tool = node.closest('.tool');
  const {top} = node.getBoundingClientRect();
  return {place: [...tool.querySelectorAll('*')].indexOf(node), top: top + scrollY,
    ring: node.matches('.slider') || getComputedStyle(node).outlineStyle !== 'none'};
}"""


# --- fitting, colours, paper ---


def strain(tools: Tools) -> None:
    """Show what needs most room: last choices, helps open, notices."""
    query = "&".join(query_of(name, LAST[name])[1:] for name in NAMES)
    tools.open(f"?{query}&floor.batches=3&flor.batch=8")
    tools.page.locator(".tool .ask").evaluate_all("(asks) => asks.forEach((ask) => ask.click())")
    tools.page.locator("details").evaluate_all("(all) => all.forEach((each) => { each.open = true; })")


def test_everything_open_fits_at_every_width(tools: Tools) -> None:
    """Rule: no scrolling sideways and nothing cut off, from 320 px up."""
    strain(tools)
    for width in (320, 360, 479, 600, 760, 899, 1000, 1280):
        tools.page.set_viewport_size({"width": width, "height": 640})
        assert_fits(tools.page)


@pytest.mark.parametrize("width", [320, 1280])
def test_wider_spacing_cuts_nothing_off(tools: Tools, width: int) -> None:
    """Rule: WCAG 1.4.12, the reader's spacing of letters, words, lines and paragraphs."""
    tools.page.set_viewport_size({"width": width, "height": 640})
    strain(tools)
    tools.page.evaluate(ADD_SHEET, SPACING)
    assert_fits(tools.page)


ADD_SHEET = """(css) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets = [sheet];
}"""
TARGETS = """() => [...document.querySelectorAll('.tool :is(button, input, select, summary), label:has(input)')]
  .filter((node) => node.checkVisibility() && !node.matches('label input'))
  .map((node) => [node.outerHTML.slice(0, 80), node.getBoundingClientRect()]).map(([html, {width, height}]) => ({html, width, height}))"""  # noqa: E501


@pytest.mark.parametrize("width", [320, 1280])
def test_targets_are_large_enough(tools: Tools, width: int) -> None:
    """Rule: WCAG 2.5.8, 24 by 24 px for each control of a tool."""
    tools.page.set_viewport_size({"width": width, "height": 640})
    found = tools.page.evaluate(TARGETS)
    assert len(found) > 5 * len(NAMES)
    assert [each for each in found if min(each["width"], each["height"]) < LEAST] == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_wrong_with_everything_open(open_page: Open, site: str, theme: Any) -> None:
    """Rule: notices, helps, tables and a copied link's field, in both themes."""
    page = open_page(PATH, bypass_csp=True, color_scheme=theme)
    strain(Tools(page, site))
    page.evaluate(REFUSING["asked and refused"])
    page.locator("[data-action=copy]").first.click()
    page.evaluate("(theme) => { document.documentElement.style.colorScheme = theme; }", theme)  # for Firefox
    page.evaluate(AXE.read_text("utf-8"))
    found = page.evaluate("() => axe.run(document, {resultTypes: ['violations']}).then(({violations}) => violations)")
    assert [f"{each['id']}: {node['target']}" for each in found for node in each["nodes"]] == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_forced_colours_keep_the_kinds_of_bars_apart(
    benches: Benches, browser_name: str, site: str, scheme: Any
) -> None:
    """Rule: solid, gridded, hatched and dashed differ by ink on canvas alone."""
    wishes: dict[str, str] = {"forced_colors": "active", "color_scheme": scheme}
    bench = benches(browser_name, **(wishes if browser_name == "firefox" else {}))
    tools = opened(bench, site)
    tools.page.emulate_media(**wishes)  # type: ignore[arg-type]
    tools.open("?floor.context=2048&floor.batch=64")
    inks = {}
    for kind in ("plain", "cost", "limit"):
        box = tools.tool("floor").locator(f".row[data-kind={kind}] .meter")
        picture = [row[6:40] for row in pixels(box.screenshot())[4:-4]]
        flat = [pixel for row in picture for pixel in row]
        ground = pixels(tools.tool("floor").locator(".tool-title").screenshot())[0][-1]
        inks[kind] = sum(contrast(pixel, ground) >= 3 for pixel in flat) / len(flat)
    assert inks["plain"] > 0.95 and 0.15 < inks["cost"] < 0.85 and inks["limit"] < 0.1, inks
    tools.page.emulate_media(forced_colors="null", color_scheme="null")


@only("chromium", NO_MEDIA)
def test_print_shows_settings_and_answers_and_no_controls(tools: Tools) -> None:
    """Rule: on paper the settings are sentences."""
    name, key, value = MOVED[0]
    tools.set(Tools.list, name, {key: value})
    tools.page.emulate_media(media="print")
    tool = tools.tool(name)
    expect(tool.locator(".set")).to_be_visible()
    expect(tool.locator(".set")).to_contain_text(choice_text(name, key, value))
    expect(tool.locator(".controls")).to_be_hidden()
    for line in tool.locator(".tool-line, .row").all():
        expect(line).to_be_visible()


def test_nothing_moves_by_itself(tools: Tools) -> None:
    """Rule: no transition and no animation, whatever the reader wishes: numbers and bars are true at once."""
    name, key, value = MOVED[0]
    tools.set(Tools.list, name, {key: value})
    assert tools.page.evaluate("() => document.getAnimations().length") == 0
    durations = tools.page.evaluate(
        """() => [...document.querySelectorAll('main *')].map((node) => getComputedStyle(node))
          .flatMap((style) => [style.transitionDuration, style.animationDuration])"""
    )
    assert set(durations) == {"0s"}


# --- what it asks for, and how long it takes ---


def test_under_the_strictest_policy_it_fetches_its_own_files_alone(open_page: Open, folder: Path) -> None:
    """Rule: every move of every tool, with no violation, and nothing asked for but the page's four files."""
    with serving(folder / SUB_PATH, headers=STRICT) as home:
        page = open_page(PATH, home=home)
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        tools = Tools(page, home)
        tools.open()
        for name, target in targets("policy", 2 * len(NAMES)):
            tools.set(Tools.list, name, target)
            assert mismatches(tools.painted(name), name, target) == []
        page.wait_for_load_state("networkidle")
    assert {urlsplit(each).path.lstrip("/") for each in asked if not each.startswith("data:")} == OWN_FILES


MOVES = """(names) => names.map((name) => {
  const node = document.querySelector(`.tool[data-tool="${name}"]`), times = [];
  for (const list of node.querySelectorAll('select')) {
    for (let place = 0; place < list.options.length; place += 1) {
      const start = performance.now();
      list.selectedIndex = place;
      list.dispatchEvent(new Event('input'));
      node.getBoundingClientRect(); // layout too
      times.push(performance.now() - start);
    }
  }
  return [name, times];
})"""


def test_a_move_takes_less_than_a_frame(tools: Tools, browser_name: str, tell: Callable[[str], None]) -> None:
    """Rule: every choice of every list is answered; how long that takes is told, not judged."""
    found = tools.page.evaluate(MOVES, NAMES)
    for name, times in found:
        tell(f"a move of {name} takes {statistics.median(times):.1f} ms, at most {max(times):.1f} ms ({browser_name})")
    assert all(times for _, times in found)
