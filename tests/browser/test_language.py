"""The author's language: every sentence and number of the widget, by attribute and by query; no word is markup."""

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from poolroom import describe_measured, page_words, status_line
from poolroom.facts import CATALOGUES, WORDS
from tests.browser.conftest import Open
from tests.browser.widget import Widget, of_reference

GERMAN = CATALOGUES["de"]
HOSTILE = "<img src=x onerror=alert(1)>{share}&amp;"
TEXTS = """(host) => {
  const words = [];
  const walk = document.createTreeWalker(host.shadowRoot.querySelector('.widget'), NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) words.push(walk.currentNode.textContent.trim());
  return words.filter(Boolean);
}"""
STATES: list[dict[str, Any]] = [
    {}, {"share": 43, "longest": 128000}, {"share": 30}, {"longest": 4000}, {"longest": 128000, "reserved": True},
    {"cap": 1}, {"chats": "swapped"},
]  # fmt: skip


@pytest.mark.parametrize("door", ["attribute", "query"])
@pytest.mark.parametrize("state", STATES, ids=str)
def test_lines_are_the_references_in_that_language(door: str, state: dict[str, Any], widget: Widget, site: str) -> None:
    """German lines, with German numbers, are what the reference says in German; `de-AT` is German."""
    if door == "attribute":
        widget.renew(lang="de", **state)
    else:
        query = "&".join(f"{key}={int(value) if value is True else value}" for key, value in state.items())
        widget.page.goto(f"{site}poolroom.html?lang=de-AT&{query}")
    measured = of_reference(**state)
    shown, beside = describe_measured(measured, GERMAN), page_words(measured, None, GERMAN)
    lines = widget.lines()
    for name, text in (("room", shown["room"]), ("run", shown["run"]), ("extra", shown["extra"]),
                       ("first-word", beside["first_word"]), ("short", beside["short"]),
                       ("caveat", beside["caveat"])):  # fmt: skip
        assert lines.get(name, "") == text
    assert widget.host.locator(".part-text").all_text_contents() == shown["legend"]
    section = widget.host.locator(".widget")
    expect(section).to_have_attribute("lang", "de")
    assert widget.told() == []


def test_no_english_is_left(widget: Widget) -> None:
    """Of all texts on a German widget only those are English that German leaves alike."""
    english = set(widget.host.evaluate(TEXTS))
    widget.renew(lang="de", lock="cap")
    german = set(widget.host.evaluate(TEXTS))
    alike = {text for text in english & german if any(letter.isalpha() for letter in text)}
    names = {"gpu_memory_utilization", "max_model_len", "max_num_seqs"}
    assert {text for text in alike if len(text.split()) > 2} == set()
    assert names <= alike


def test_the_status_and_the_buttons_speak_it(timed: Widget) -> None:
    """A move is said in German; the sentence is the reference's."""
    timed.renew(lang="de")
    timed.press("cap", "ArrowRight")
    timed.page.clock.run_for(2000)
    expect(timed.status).to_have_text(status_line(of_reference(cap=128), of_reference(), GERMAN))
    timed.button(GERMAN["view"]["reset"]).click()
    expect(timed.status).to_have_text(GERMAN["status"]["back"])


def test_a_language_can_change_under_a_move(widget: Widget) -> None:
    """The host changes `lang` after a move: the settings stay, the words follow, and back again."""
    widget.press("share", "Home")
    for words, lang in ((GERMAN, "de"), (WORDS, "en")):
        widget.host.evaluate("(host, lang) => host.setAttribute('lang', lang)", lang)
        assert widget.lines()["run"] == describe_measured(of_reference(share=30), words)["run"]
        assert widget.host.locator(".widget").count() == 1
    widget.press("share", "ArrowRight")
    assert widget.settings()["share"] == 31


def test_notices_come_in_that_language(widget: Widget) -> None:
    """What an author got wrong is said in the language that he chose."""
    widget.renew(lang="de", theme="pink")
    (notice,) = widget.told()
    assert "pink" in notice
    assert notice != WORDS["notices"]["option"].format(key="theme", value="pink", choices="light, dark")


def test_hostile_words_are_text(open_page: Open, dist: Path) -> None:
    """Every sentence of the catalogue carries markup and braces: all of it is shown as it stands, none is parsed."""
    script = (dist / "poolroom.js").read_text("utf-8")
    for text in (WORDS["view"]["reset"], WORDS["controls"]["cap"]["help"], WORDS["lines"]["run"][1]):
        written = json.dumps(text, ensure_ascii=False)[1:-1]
        assert written in script
        script = script.replace(written, json.dumps(HOSTILE + text, ensure_ascii=False)[1:-1])

    def serve(route: Route) -> None:
        route.fulfill(body=script, content_type="text/javascript")

    page = open_page("bare.html", before=lambda page: page.route("**/poolroom.js", serve))
    widget = Widget(page)
    assert page.locator("pool-room img").count() == 0
    expect(widget.host.locator("[data-action=reset]")).to_contain_text("<img src=x onerror=alert(1)>")
    expect(widget.host.locator("[data-line=run]")).to_contain_text("<img src=x onerror=alert(1)>")
