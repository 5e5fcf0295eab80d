"""`<pool-room-value>`: a number inside a sentence is true, plain text, and never worse than what the author wrote."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page

from poolroom import CATALOGUES, QUOTES, SimError, quote
from poolroom.facts import PRESETS
from serve import serving
from tests.browser.conftest import STRICT, SUB_PATH, Open
from tests.browser.html import read
from tests.browser.widget import of_reference

TEXT = "(id) => document.getElementById(id).textContent"
SET = "([id, name, text]) => document.getElementById(id).setAttribute(name, text)"


def test_numbers_stand_in_the_sentence_before_the_page_is_read(open_page: Open) -> None:
    """The script is defined first; what the parser adds afterwards is replaced, not doubled; no widget is needed."""
    page = open_page("values.html")
    speed = quote(of_reference(share=48), "tokens_per_second")
    assert page.inner_text("#sentence") == f"At half the memory everyone together gets {speed} tokens a second."
    assert page.evaluate(TEXT, "wait") == quote(of_reference(cap=512), "ms_between_words")
    assert page.evaluate(TEXT, "short") == quote(of_reference(share=43, longest=128000, cap=1), "tokens_short")
    swapped = of_reference(chats="swapped", share=60, reserved=True)
    assert page.evaluate(TEXT, "swapped") == quote(swapped, "paused")


def test_it_runs_under_a_strict_policy(folder: Path, open_page: Open) -> None:
    """No style, no markup from text: `default-src 'none'` with Trusted Types required."""
    with serving(folder, headers=STRICT) as address:
        page = open_page("values.html", home=address + SUB_PATH)
        assert page.evaluate(TEXT, "speed") == quote(of_reference(share=48), "tokens_per_second")


def test_what_cannot_be_used_leaves_the_authors_text(open_page: Open) -> None:
    """The fallback stays, a title names setting, value and what is allowed; a mended attribute takes both back."""
    page = open_page("values.html")
    broken = page.locator("#broken")
    assert broken.text_content() == "62"
    assert broken.get_attribute("data-problem") == "share"
    assert broken.get_attribute("title") == "share is “200”, but must be a whole number from 30 to 98."
    page.evaluate(SET, ["broken", "share", "90"])
    assert broken.text_content() == quote(of_reference(), "running")
    assert broken.get_attribute("data-problem") is None
    assert broken.get_attribute("title") == "the author’s"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("show", "speed"),
        ("show", "constructor"),
        ("show", "tokens_short"),
        ("share", "48.0"),
        ("share", ""),
        ("longest", "8,000"),
        ("cap", "3"),
        ("reserved", "yes"),
        ("chats", "mine"),
        ("preset", "toString"),
        ("preset", "Half"),
    ],
)
def test_every_attribute_is_checked(open_page: Open, name: str, text: str) -> None:
    """A refused value names its attribute, and the words that stood there come back."""
    page = open_page("values.html")
    page.evaluate(SET, ["speed", name, text])
    speed = page.locator("#speed")
    assert speed.get_attribute("data-problem") == name
    assert (speed.get_attribute("title") or "").startswith(f"{name} is “{text}”, but must be ")
    assert speed.text_content() == "about 1,000"


def test_every_name_of_the_contract_is_shown(open_page: Open, tell: Callable[[str], None]) -> None:
    """All names, at every preset: the reference's number, or the reference's own words for why there is none."""
    page, shown = open_page("values.html"), 0
    for preset, changes in PRESETS.items():
        page.evaluate(SET, ["speed", "preset", preset])
        page.evaluate("() => document.getElementById('speed').removeAttribute('share')")
        for show in QUOTES:
            page.evaluate(SET, ["speed", "show", show])
            shown += said(page) == wanted(of_reference(**changes), show)
    assert shown == len(PRESETS) * len(QUOTES)
    tell(f"values: {shown} numbers of {len(PRESETS)} presets in the page are the reference’s")


def said(page: Page) -> str:
    """The number, or the title that says why there is none."""
    speed = page.locator("#speed")
    return str(speed.get_attribute("title") or speed.text_content())


def wanted(measured: object, show: str) -> str:
    """The same by the reference."""
    try:
        return quote(measured, show)  # type: ignore[arg-type]
    except SimError as refusal:
        return str(refusal)


def test_a_moved_element_keeps_the_authors_text_for_later(open_page: Open) -> None:
    """Taken out, changed, put back: the number follows, and the fallback is still the author's."""
    page = open_page("values.html")
    page.evaluate("""() => {
      const [speed, place] = [document.getElementById('speed'), document.createElement('p')];
      document.body.append(place);
      speed.remove();
      speed.setAttribute('share', '30');
      place.append(speed);
    }""")
    assert page.evaluate(TEXT, "speed") == quote(of_reference(share=30), "tokens_per_second")
    page.evaluate(SET, ["speed", "share", "none"])
    assert page.evaluate(TEXT, "speed") == "about 1,000"


def test_its_own_language_writes_the_number(open_page: Open) -> None:
    """German separators where the element says German, of whatever region; an unknown language is not our business."""
    page = open_page("values.html")
    for language, words in (("de", CATALOGUES["de"]), ("de-AT", CATALOGUES["de"]), ("fr", CATALOGUES["en"])):
        page.evaluate(SET, ["speed", "lang", language])
        assert page.evaluate(TEXT, "speed") == quote(of_reference(share=48), "tokens_per_second", words)
    assert page.locator("#speed").get_attribute("data-problem") is None


def test_a_program_may_make_one(open_page: Open) -> None:
    """createElement, attributes, a text node of a framework's own: the node stays, its text is replaced."""
    page = open_page("values.html")
    same = page.evaluate("""() => {
      const made = document.createElement('pool-room-value'), text = document.createTextNode('?');
      made.id = 'made';
      made.append(text);
      for (const [name, value] of [['share', '48'], ['show', 'pool_gb']]) made.setAttribute(name, value);
      document.body.append(made);
      return made.firstChild === text;
    }""")
    assert same and page.evaluate(TEXT, "made") == quote(of_reference(share=48), "pool_gb")


def test_without_a_script_the_authors_words_stand(folder: Path, scriptless: Callable[[str], Page]) -> None:
    """No JavaScript: the page reads as it was written."""
    page = scriptless("values.html")
    written = read(folder / SUB_PATH / "values.html").find("p")[0].text
    assert page.inner_text("#sentence") == written
