"""Start again, Copy link, Copy as text."""

import pytest
from playwright.sync_api import expect

from poolroom import as_text
from poolroom.facts import WORDS
from tests.browser.widget import START, Widget, of_reference

VIEW, NOTICES, STATUS = WORDS["view"], WORDS["notices"], WORDS["status"]
REFUSING = {
    "asked and refused": "() => { navigator.clipboard.writeText = () => Promise.reject(new DOMException('no')); }",
    "not there": "() => Object.defineProperty(navigator, 'clipboard', {value: undefined, configurable: true})",
}


def test_start_again_goes_to_the_opening_and_says_so_once(widget: Widget) -> None:
    """Where the author set nothing: back to the start, one sentence, no other."""
    widget.press("cap", "Home")
    widget.control("reserved").locator("input").check()
    widget.keep_log()
    widget.button(VIEW["reset"]).click()
    widget.assert_shows(of_reference(cap=1, reserved=True))
    assert widget.said() == [STATUS["back"]]


def test_start_again_goes_to_the_authors_start(widget: Widget) -> None:
    """The attributes are the start, whatever was moved since."""
    widget.renew(share=60, cap=128)
    widget.press("share", "End")
    widget.press("longest", "End")
    widget.button(VIEW["reset"]).click()
    assert widget.settings() == {**START, "share": 60, "cap": 128}
    expect(widget.status).to_have_text(STATUS["back_author"])


def test_start_again_is_said_again(widget: Widget) -> None:
    """A sentence that stands there already still reaches a screen reader: the text does change."""
    widget.button(VIEW["reset"]).click()
    first = widget.status.text_content()
    widget.button(VIEW["reset"]).click()
    second = widget.status.text_content()
    assert first == STATUS["back"]
    assert second != first
    assert (second or "").strip() == first


def test_copy_link_copies_an_address_that_shows_the_same(widget: Widget, site: str) -> None:
    """Opened, the link gives the same settings and lines; button and status say that it was copied."""
    page = widget.page
    page.goto(site + "index.html")
    widget.press("share", "Home")
    widget.press("cap", "ArrowRight")
    widget.control("reserved").locator("input").check()
    lines = widget.lines()
    widget.host.locator("[data-action=copy-link]").click()
    expect(widget.status).to_have_text(STATUS["copied_link"])
    expect(widget.host.locator("[data-action=copy-link]")).to_have_text(VIEW["copied"])
    link = page.evaluate("() => navigator.clipboard.readText()")
    page.goto(link)
    assert widget.settings() == {**START, "share": 30, "cap": 128, "reserved": True}
    assert widget.lines() == {name: line for name, line in lines.items() if name != "same"}


def test_an_embeds_link_leads_to_the_page_beside_the_script(widget: Widget, site: str) -> None:
    """In a host's page the address is the host's; the link opens the one-file page at the same settings."""
    page = widget.page
    widget.renew(share=60, cap=128)
    widget.press("share", "ArrowRight")
    widget.host.locator("[data-action=copy-link]").click()
    expect(widget.status).to_have_text(STATUS["copied_link"])
    link = page.evaluate("() => navigator.clipboard.readText()")
    assert link == f"{site}poolroom.html?share=61&cap=128"
    settings, lines = widget.settings(), widget.lines()
    page.goto(link)
    opened = Widget(page)
    assert opened.settings() == settings
    assert opened.lines() == lines


def test_the_link_attribute_names_the_page_of_a_link(widget: Widget) -> None:
    """An author who shows the widget on a page of their own lets links lead there."""
    widget.host.evaluate("(host) => host.setAttribute('link', 'https://example.org/lesson')")
    widget.press("cap", "Home")
    assert widget.host.evaluate("(host) => host.link") == "https://example.org/lesson?cap=1"


def test_copy_as_text_copies_the_references_text(widget: Widget) -> None:
    """Settings, legend, lines, caveat as the command line prints them, and the link below."""
    widget.press("share", "Home")
    widget.host.locator("[data-action=copy-text]").click()
    expect(widget.status).to_have_text(STATUS["copied_text"])
    text = widget.page.evaluate("() => navigator.clipboard.readText()")
    assert text == f"{as_text(of_reference(share=30))}\n{widget.host.evaluate('(host) => host.link')}"


@pytest.mark.parametrize("how", REFUSING)
@pytest.mark.parametrize(("what", "notice", "label"), [
    ("link", NOTICES["copy"], VIEW["link_field"]), ("text", NOTICES["copy_text"], VIEW["text_field"]),
])  # fmt: skip
def test_where_copying_is_refused_a_field_holds_it_selected(
    widget: Widget, how: str, what: str, notice: str, label: str
) -> None:
    """A field with the focus, all of it selected, and a notice that says what to do."""
    widget.renew(address=True)
    widget.page.evaluate(REFUSING[how])
    field = widget.host.get_by_label(label)
    expect(field).to_be_hidden()
    widget.button(VIEW[f"copy_{what}"]).click()
    expect(field).to_be_focused()
    expect(widget.host.get_by_text(notice)).to_be_visible()
    start, end, value = field.evaluate("(f) => [f.selectionStart, f.selectionEnd, f.value]")
    link = widget.host.evaluate("(host) => host.link")
    assert value == (link if what == "link" else f"{as_text(of_reference())}\n{link}")
    assert (start, end) == (0, len(value))
