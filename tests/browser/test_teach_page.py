"""The page for teachers: its answers are the reference's, its links lead to what they say, its sheet prints alone."""

import re
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from playwright.sync_api import Page, expect

from poolroom.facts import LONGEST, SHARES
from tests.browser.conftest import Open
from tests.browser.engines import NO_MEDIA, only
from tests.browser.html import Node, read
from tests.browser.widget import START, Widget, lines_of, of_reference

QUESTIONS = 10
PLACES = 8
SAID = {
    "tokens_per_second": ("run", r"together: ([\d,]+) tokens"),
    "ms_between_words": ("run", r"waits ([\d.]+) ms"),
    "running": ("run", r"average: ([\d,]+) chats"),
    "first_word_seconds": ("first-word", r"waits ([\d.]+) s "),
    "turned_away": ("extra", r"([\d,]+) of \d+ chats turned away"),
}
VISIBLE = """() => [...document.querySelectorAll('.top, .foot, main > *')]
  .filter((node) => node.checkVisibility()).map((node) => node.id || node.className || node.localName)"""


def settings_in(query: str) -> dict[str, Any]:
    """The settings that an address stands for."""
    texts = dict(parse_qsl(query.removeprefix("?")))
    values = {key: text if key == "chats" else int(text) for key, text in texts.items()}
    return {**values, **({"reserved": bool(values["reserved"])} if "reserved" in values else {})}


def answers(dist: Path) -> list[Node]:
    """The numbers of the key that are marked with what they are."""
    (key,) = [node for node in read(dist / "teach.html").find("section", "sheet") if node.attributes["id"] == "key"]
    return key.find("b", "answer")


def test_the_answers_are_the_references(dist: Path) -> None:
    """Each number of the key stands in the reference's own lines for these settings."""
    found = answers(dist)
    assert len(found) > QUESTIONS
    for node in found:
        show, settings = node.attributes["data-show"], settings_in(node.attributes["data-query"])
        if show == "share":
            assert node.text == str(settings["share"])
            continue
        line, pattern = SAID[show]
        said = re.search(pattern, lines_of(of_reference(**settings))[line])
        assert said is not None and node.text == said[1], (show, settings)


def test_the_smallest_share_is_the_smallest(dist: Path) -> None:
    """Nobody is paused, the server starts, eight places: true at the share that is named and false one below."""
    nobody_paused, starts, places = [
        settings_in(node.attributes["data-query"]) for node in answers(dist) if node.attributes["data-show"] == "share"
    ]

    def paused(share: int) -> int:
        run = of_reference(share=share).run
        assert run is not None
        return run["paused"]

    share = nobody_paused["share"]
    assert paused(share) == 0 < paused(share - 1)
    assert not any(paused(more) for more in SHARES if more > share)
    assert starts["longest"] == LONGEST[-1]
    assert of_reference(**starts).room["starts"]
    assert not of_reference(**{**starts, "share": starts["share"] - 1}).room["starts"]
    fewer = {**places, "share": places["share"] - 1}
    assert of_reference(**places).room["at_longest"] == PLACES > of_reference(**fewer).room["at_longest"]


def test_no_question_asks_for_a_number_beside_a_dip(dist: Path) -> None:
    """Where a moved share gives a rate or a wait, neighbouring shares with more memory never give less."""
    for node in answers(dist):
        settings = settings_in(node.attributes["data-query"])
        if node.attributes["data-show"] == "share" or "share" not in settings:
            continue
        near = [share for share in range(settings["share"] - 1, settings["share"] + 2) if share in SHARES]
        runs = [of_reference(**{**settings, "share": share}).run for share in near]
        rates = [run["tokens_per_second"] for run in runs if run is not None]
        assert rates == sorted(rates), settings


def test_questions_and_answers_go_together(dist: Path) -> None:
    """As many answers as questions, about the same settings, each with a place for guess, sight and reason."""
    sheet, key = read(dist / "teach.html").find("section", "sheet")
    asked, answered = ([node.text for node in part.find("p", "settings")] for part in (sheet, key))
    assert asked == answered and len(asked) == QUESTIONS
    blanks = [[span.text for span in line.find("span")] for line in sheet.find("p", "lines-to-fill")]
    assert blanks == [["I guess", "I see"], ["Because"]] * QUESTIONS
    assert len(key.find("span", "kind")) == QUESTIONS


def test_every_link_into_the_lesson_gives_what_it_says_without_a_notice(open_page: Open, site: str, dist: Path) -> None:
    """The settings of the address are in force, and nothing of it is refused."""
    links = {node.attributes["href"] for page in ("teach.html", "embed.html") for node in read(dist / page).find("a")}
    queries = sorted(link for link in links if urlsplit(link).query)
    assert len(queries) > QUESTIONS
    page = open_page()
    for link in queries:
        page.goto(site + link)
        widget = Widget(page)
        widget.host.locator(".widget").wait_for()
        assert widget.settings() == {**START, **settings_in(urlsplit(link).query)}, link
        assert widget.told() == [], link


def shown(page: Page) -> list[str]:
    """The parts of the page that can be seen."""
    return list(page.evaluate(VISIBLE))


@only("chromium", NO_MEDIA)
@pytest.mark.parametrize("part", ["sheet", "key"])
def test_the_sheet_prints_alone_when_it_is_asked_for(open_page: Open, site: str, part: str) -> None:
    """Its link names it in the address and opens the print dialog; on paper nothing else is there."""
    page = open_page("teach.html", script="window.printed = 0; window.print = () => { window.printed += 1; };")
    page.locator(f"a.print[href='#{part}']").click()
    page.wait_for_function("() => window.printed === 1")
    assert len(shown(page)) > QUESTIONS
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 718, "height": 1047})  # A4 less margins of 10 mm
    assert shown(page) == [part]
    expect(page.locator(f"#{part} .ask-print")).to_be_hidden()
    pages = page.evaluate("() => document.documentElement.scrollHeight / innerHeight")
    assert pages <= 2
    page.goto(site + "teach.html#goals")
    assert len(shown(page)) > QUESTIONS


def test_the_plans_add_up(dist: Path) -> None:
    """Minutes follow each other without a gap and end where the heading says."""
    page = read(dist / "teach.html")
    for plan in ("short", "long"):
        (section,) = [node for node in page.find("section") if node.attributes.get("aria-labelledby") == plan]
        spans = [re.findall(r"\d+", node.text) for node in section.find("p", "when")]
        assert [start for start, _ in spans] == ["0", *[end for _, end in spans[:-1]]]
        assert f"In {spans[-1][1]} minutes" == section.find("h2")[0].text
