"""The configurator: what it says to paste shows, in a fresh page, exactly the widget that was chosen."""

import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import FrameLocator, Page, expect

from poolroom.facts import CATALOGUES, CHOICES
from tests.browser.conftest import ROOT, SUB_PATH, Open
from tests.browser.html import read
from tests.browser.widget import START, Widget, lines_of, of_reference, two_frames, type_over

FACTS = ROOT / "sim" / "poolroom" / "facts"
CONTRACT = json.loads((FACTS / "contract.json").read_text("utf-8"))
PRESETS = json.loads((FACTS / "presets.json").read_text("utf-8"))
WORDS = CATALOGUES["en"]
KEYS = list(START)
HIDE = CONTRACT["options"]["hide"]["values"]
CAPTIONS = [
    "Guess first",
    "Two <b>bold</b> & \"quoted\" 'words'",
    "</pool-room></iframe><script>alert(1)</script>",
    "a=b&c;d #5 100%+1 ?x",
    "Müller – 中文 – “so”",
    "&amp; &lt;i&gt;",
]
CONFIGURATIONS = {"chromium": 10, "firefox": 6}
HOST = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,"><title>A page with a pasted widget</title></head>
<body>
{}
</body></html>
"""
LOOKS = """(host) => {
  const root = host.shadowRoot, widget = root.querySelector('.widget');
  const shown = (selector) => [...root.querySelectorAll(selector)].some((node) => node.checkVisibility());
  const inputs = (key) => [...root.querySelectorAll(`.controls [data-key=${key}] :is(input, select)`)];
  const keys = ['share', 'longest', 'cap', 'reserved', 'chats'];
  return {
    locked: keys.filter((key) => inputs(key).every((input) => input.disabled)),
    free: keys.filter((key) => inputs(key).every((input) => !input.disabled)),
    hidden: [
      ...keys.filter((key) => !shown(`.controls [data-key=${key}]`)),
      ...['legend', 'buttons', 'context'].filter((piece) => !shown(`[data-piece=${piece}]`)),
    ],
    caption: root.querySelector('.caption').checkVisibility() ? root.querySelector('.caption').textContent : '',
    theme: widget.dataset.theme ?? '',
    compact: widget.classList.contains('compact'),
    scheme: getComputedStyle(widget).colorScheme,
  };
}"""
SCROLLS = "(node) => node.ownerDocument.documentElement.scrollHeight - node.ownerDocument.documentElement.clientHeight"


def configuration(dice: random.Random) -> dict[str, Any]:
    """Some choice of everything."""
    moves = {key: dice.choice(CHOICES[key]["values"]) for key in KEYS if dice.random() < 0.5}
    return {
        "preset": dice.choice(["", *PRESETS]),
        "moves": moves,
        "lock": [key for key in KEYS if dice.random() < 0.3],
        "hide": [part for part in HIDE if dice.random() < 0.25],
        "caption": dice.choice(["", *CAPTIONS]),
        "theme": dice.choice(["", "light", "dark"]),
        "lang": dice.choice(["", "", *(language for language in CATALOGUES if language != "en")]),
        "compact": dice.random() < 0.3,
    }


def settings_of(chosen: dict[str, Any]) -> dict[str, Any]:
    """Where the reader starts."""
    return {**START, **PRESETS.get(chosen["preset"], {}), **chosen["moves"]}


def retype(page: Page, selector: str, text: str) -> None:
    """Replace what a field holds, key by key."""
    type_over(page.locator(selector), text)


def choose(page: Page, chosen: dict[str, Any]) -> None:
    """Set every field by its real control, from the form's own start."""
    page.locator("#configurator [type=reset]").click()
    for name in ("preset", "theme", "lang"):
        if chosen[name]:
            page.locator(f"#option-{name}").select_option(chosen[name])
    for key, value in chosen["moves"].items():
        if key == "share":
            retype(page, "#option-share", str(value))
        elif key == "reserved":
            page.locator("[name=reserved]").set_checked(value)
        else:
            page.locator(f"#option-{key}").select_option(str(value))
    for name in ("lock", "hide"):
        for value in chosen[name]:
            page.locator(f"[name='{name}[]'][value={value}]").check()
    page.locator("#option-caption").fill(chosen["caption"])
    if chosen["compact"]:
        page.locator("[name=compact]").check()


def snippet(page: Page, door: str) -> str:
    """What is to be pasted at a door."""
    page.locator(f"[name=door][value={door}]").check()
    return page.locator("#snippet").input_value()


def paste(page: Page, folder: Path, site: str, name: str, body: str) -> None:
    """Put a text into a page of its own, and open it."""
    (folder / SUB_PATH / name).write_text(HOST.format(body), "utf-8")
    page.goto(site + name)


def inside(page: Page) -> Widget:
    """The widget in the page's frame, which loads when it comes into view."""
    page.locator("iframe").scroll_into_view_if_needed()
    widget = Widget(page)
    frame: FrameLocator = page.frame_locator("iframe")
    widget.host = frame.locator("pool-room")
    widget.notices = widget.host.locator(".notices")
    return widget


def come_to(widget: Widget) -> None:
    """Bring a widget into view: only then it paints."""
    widget.host.locator(".widget").scroll_into_view_if_needed()
    two_frames(widget.page)


def assert_shows(widget: Widget, chosen: dict[str, Any]) -> None:
    """Settings, lines, locks, hidden parts, caption, theme and size are the chosen ones; nothing is complained of."""
    come_to(widget)
    settings = settings_of(chosen)
    assert widget.settings() == settings
    assert widget.lines() == lines_of(of_reference(**settings), words=CATALOGUES[chosen["lang"] or "en"])
    looks = widget.host.evaluate(LOOKS)
    assert looks["locked"] == chosen["lock"]
    assert looks["free"] == [key for key in KEYS if key not in chosen["lock"]]
    assert sorted(looks["hidden"]) == sorted(chosen["hide"])
    assert looks["caption"] == chosen["caption"].strip()
    assert (looks["theme"], looks["compact"]) == (chosen["theme"], chosen["compact"])
    assert not chosen["theme"] or looks["scheme"] == chosen["theme"]
    assert widget.told() == []


def test_a_pasted_snippet_shows_what_was_chosen(
    open_page: Open, folder: Path, site: str, browser_name: str, tell: Any
) -> None:
    """Random choices by real controls; both doors' snippets, pasted into a fresh page, and the preview agree."""
    dice = random.Random(browser_name)  # others in each engine
    page, host = open_page("embed.html"), open_page()
    for number in range(CONFIGURATIONS[browser_name]):
        chosen = configuration(dice)
        choose(page, chosen)
        pasted = snippet(page, "frame") + "\n" + snippet(page, "element")
        assert_shows(Widget(page, "#preview"), chosen)
        paste(host, folder, site, f"pasted-{number}.html", pasted)
        assert_shows(Widget(host), chosen)
        assert_shows(inside(host), chosen)
        assert inside(host).host.evaluate(SCROLLS) <= 0
        assert host.locator("iframe").get_attribute("title") == (chosen["caption"].strip() or read_title(page))
        assert host.locator("body > *").evaluate_all("(all) => all.map((node) => node.localName)") == [
            "iframe",
            "script",
            "pool-room",
        ]
    tell(f"{CONFIGURATIONS[browser_name]} random configurations, each pasted at both doors, in {browser_name}")


def read_title(page: Page) -> str:
    """The frame's title where there is no caption, as the page without scripts has it."""
    found = re.search(r'title="([^"]*)"', page.locator("section:has(#doors) pre").inner_text())
    assert found is not None
    return " ".join(found[1].split())


def test_the_snippet_has_only_what_differs(open_page: Open, site: str) -> None:
    """The opening writes no attribute; a preset writes its name, and beside it what was moved away from it."""
    page = open_page("embed.html")
    script = f'<script src="{site}poolroom.js" defer></script>\n'
    assert snippet(page, "element") == f"{script}<pool-room></pool-room>"
    page.locator("#option-preset").select_option("half")
    assert snippet(page, "element") == f'{script}<pool-room preset="half"></pool-room>'
    retype(page, "#option-share", str(CHOICES["share"]["opening"]))
    page.locator("[name=reserved]").check()
    assert snippet(page, "element") == f'{script}<pool-room preset="half" share="90" reserved></pool-room>'
    assert f'src="{site}poolroom.html?preset=half&amp;share=90&amp;reserved=1" width="100%"' in snippet(page, "frame")
    page.locator("#option-preset").select_option("longest-set-aside")
    page.locator("[name=reserved]").uncheck()
    assert snippet(page, "element") == f'{script}<pool-room preset="longest-set-aside" reserved="0"></pool-room>'


def test_the_preview_moves_the_fields(open_page: Open) -> None:
    """A reader's move in the widget is a choice of the author's too."""
    page = open_page("embed.html")
    Widget(page, "#preview").press("share", "ArrowLeft", "ArrowLeft")
    expect(page.locator("#option-share")).to_have_value("88")
    assert '<pool-room share="88"></pool-room>' in snippet(page, "element")
    page.locator("#configurator [type=reset]").click()
    expect(page.locator("#snippet")).to_have_value(re.compile(r"<pool-room></pool-room>$"))
    come_to(Widget(page, "#preview"))
    Widget(page, "#preview").assert_shows()


def test_what_cannot_be_used_is_named_and_left_out(open_page: Open) -> None:
    """A caption of 1,000 characters, a share that is no choice, an address that is none."""
    page = open_page("embed.html")
    problems = page.locator("#problems p")
    most = CONTRACT["options"]["caption"]["most"]
    page.locator("#option-caption").fill("<img src=x onerror=alert(1)>" * 40)
    expect(problems).to_have_text([WORDS["notices"]["long"].format(key="caption", most=most)])
    assert snippet(page, "element").endswith("<pool-room></pool-room>")
    page.locator("#option-caption").fill("x" * most)
    expect(problems).to_have_count(0)
    assert f'caption="{"x" * most}"' in snippet(page, "element")
    retype(page, "#option-share", "120")
    expect(problems).to_contain_text(["share=120"])
    assert "share" not in snippet(page, "element")
    page.locator("details.more summary").click()
    page.locator("#option-link").fill("javascript:alert(1)")
    page.locator("#base").fill("data:text/html,x")
    expect(problems).to_contain_text(["share=120", "link=javascript:alert(1)", "folder=data:text/html,x"])
    assert "alert" not in snippet(page, "element") and "data:" not in snippet(page, "element")
    assert page.locator("main img").count() == 0


def test_a_door_offers_what_it_can_carry(open_page: Open) -> None:
    """Every name of the contract has its field, but a lone choice and what is for a page of its own."""
    page = open_page("embed.html")
    fields = page.locator("#configurator :is(input, select):not([name=door], #base)")
    offered = set(fields.evaluate_all("(all) => all.map((node) => node.name.replace('[]', ''))"))
    lone = [name for name, option in CONTRACT["options"].items() if len(CONTRACT.get(option.get("from"), "..")) < 2]
    assert sorted(offered) == sorted(
        name for name, option in CONTRACT["options"].items() if "trait" not in option and name not in lone
    )
    page.locator("details.more summary").click()
    page.locator("#option-group").fill("a")
    assert 'group="a"' in snippet(page, "element")
    assert "group" not in snippet(page, "frame")
    expect(page.locator("#option-group")).to_be_disabled()


def test_copy_says_that_it_copied(open_page: Open, folder: Path, site: str) -> None:
    """The button, and where the browser refuses, a sentence and the text selected."""
    page = open_page("embed.html")
    page.locator("#copy").click()
    expect(page.locator("#copied")).to_have_text(re.compile("copied|blocked"))
    page.evaluate("() => Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    page.locator("#copy").click()
    expect(page.locator("#copied")).to_have_text(WORDS["notices"]["copy_text"])
    chosen = "(field) => field.value.slice(field.selectionStart, field.selectionEnd) === field.value"
    assert page.locator("#snippet").evaluate(chosen)


@pytest.mark.parametrize("width", [720, 360])
def test_a_frame_of_the_height_that_is_named_fits(open_page: Open, folder: Path, site: str, width: int) -> None:
    """The heights in the text: nothing of the opening's answer is outside the frame."""
    page = open_page("embed.html")
    text = page.locator("section:has(#doors)").inner_text().replace(",", "")
    found = re.search(r"(\d+) fits the opening settings from 720 px of width on; 360 px need (\d+)", text)
    assert found is not None
    height = found[1 if width == 720 else 2]
    page.set_viewport_size({"width": width, "height": 800})
    body = f'<iframe src="poolroom.html" width="{width}" height="{height}" title="A frame" frameborder="0"></iframe>'
    paste(page, folder, site, f"frame-{width}.html", body)
    come_to(inside(page))
    assert inside(page).host.evaluate(SCROLLS) <= 0


def test_without_scripts_there_is_something_to_paste(
    scriptless: Callable[[str], Page], open_page: Open, folder: Path, site: str
) -> None:
    """The opening's element, the frame, the table of options; and a notice that says why the fields stand still."""
    page = scriptless("embed.html")
    expect(page.locator("section.bench .notice").first).to_be_visible()
    pasted = page.locator("#snippet").input_value()
    assert pasted == '<script src="poolroom.js" defer></script>\n<pool-room></pool-room>'
    host = open_page()
    paste(host, folder, site, "pasted-default.html", pasted + page.locator("section:has(#doors) pre").inner_text())
    Widget(host).assert_shows()
    come_to(inside(host))
    inside(host).assert_shows()


def test_the_table_has_every_name_and_value_of_the_contract(dist: Path) -> None:
    """Names, choices and meanings, each in its row."""
    (table,) = read(dist / "embed.html").find("table", "options")
    rows = {row.find("th")[0].text: [cell.text for cell in row.find("td")] for row in table.find("tr")[1:]}
    assert list(rows) == list(CONTRACT["options"])
    for name, option in CONTRACT["options"].items():
        values, meaning = rows[name]
        assert option["meaning"] in meaning
        assert all(value in values for value in option.get("values", []))
    assert "Only: element." in rows["address"][1] and "Only: element, notebook." in rows["group"][1]


def test_each_recipe_shows_the_files_that_its_test_builds(dist: Path) -> None:
    """The very text of every file, and the name of the test or “Not run here”."""
    recipes = json.loads((ROOT / "site" / "recipes" / "recipes.json").read_text("utf-8"))["recipes"]
    shown = read(dist / "embed.html").find("details", "recipe")
    assert {node.find("h3")[0].text for node in shown} == {recipe["title"] for recipe in recipes}
    for recipe in recipes:
        (node,) = [node for node in shown if node.find("h3")[0].text == recipe["title"]]
        texts = [pre.text for pre in node.find("pre")]
        assert [figure.text for figure in node.find("figcaption")] == recipe["files"]
        for name, text in zip(recipe["files"], texts, strict=True):
            if not name.endswith(".ipynb"):
                assert text == (ROOT / "site" / "recipes" / recipe["key"] / name).read_text("utf-8").rstrip()
        assert (f"Run by {recipe['test']}." if recipe["test"] else "Not run here.") in node.text
