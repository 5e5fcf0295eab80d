"""Names, roles, states and values, by the browser's own tree and by the document; what a locked control says."""

from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from poolroom import describe_measured, page_words
from poolroom.facts import CAPS, CARD, LONGEST, SHARES, WORDS
from poolroom.words import cap_value, longest_value, say, share_value
from tests.browser.access import AUTHORS, EVERYTHING, NO_TREE
from tests.browser.conftest import Open
from tests.browser.engines import only
from tests.browser.test_theme import violations
from tests.browser.widget import START, Widget, name_of, of_reference

VIEW = WORDS["view"]
KEYS = ["share", "longest", "cap", "reserved", "chats"]
USABLE = {"slider", "spinbutton", "combobox", "checkbox", "button", "image", "img", "region", "group", "status", "link"}
SAID = ("expanded", "checked", "disabled", "valuemin", "valuemax", "valuetext")
REFERENCES = """({shadowRoot}) => {
  const nodes = [...shadowRoot.querySelectorAll('[for], [aria-controls], [aria-describedby], [aria-labelledby]')];
  const ids = nodes.flatMap((node) => ['for', 'aria-controls', 'aria-describedby', 'aria-labelledby']
    .flatMap((name) => (node.getAttribute(name) ?? '').split(' ').filter(Boolean)));
  return ids.map((id) => [id, shadowRoot.querySelectorAll(`[id="${id}"]`).length]);
}"""
LABELS = """({shadowRoot}) => [...shadowRoot.querySelectorAll('input, select')].map((node) => {
  const label = node.labels[0] ?? node.closest('[data-key]').querySelector('label');
  return [node.className, label?.getRootNode() === shadowRoot, label?.textContent,
    node.getAttribute('aria-label') ?? label?.textContent];
})"""


def tree(page: Page) -> list[dict[str, Any]]:
    """What the browser hands to a screen reader: role, name, value, description and states, in order."""
    nodes = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    return [told(node) for node in nodes if node["role"]["value"] in USABLE and not node["ignored"]]


def told(node: dict[str, Any]) -> dict[str, Any]:
    """One node of the tree, as far as it says something."""
    states = {each["name"]: each["value"].get("value") for each in node.get("properties", []) if each["name"] in SAID}
    texts = {key: node[key]["value"] for key in ("name", "value", "description") if node.get(key, {}).get("value")}
    return {"role": node["role"]["value"], **texts, **states}


def sliders() -> dict[str, tuple[int, int, int, str]]:
    """Least, most, now and value text of each slider as the reference wants them at the start."""
    measured = of_reference()
    longest, cap = LONGEST.index(measured.longest), CAPS.index(measured.cap)
    return {
        "share": (SHARES[0], SHARES[-1], measured.share, share_value(measured.room, measured.share)),
        "longest": (0, len(LONGEST) - 1, longest, longest_value(measured.room, measured.longest)),
        "cap": (0, len(CAPS) - 1, cap, cap_value(measured.cap)),
    }


@only("chromium", NO_TREE)
@pytest.mark.parametrize("key", ["share", "longest", "cap"])
def test_the_browsers_tree_has_a_slider_with_everything(widget: Widget, key: str) -> None:
    """Role, name, least, most and now; beside it a field of the same name."""
    least, most, now, _ = sliders()[key]
    (slider,) = [node for node in tree(widget.page) if node["role"] == "slider" and node["name"] == name_of(key)]
    assert (slider["valuemin"], slider["valuemax"], slider["value"]) == (least, most, now)
    fields = [node for node in tree(widget.page) if node["role"] in ("spinbutton", "combobox")]
    assert len([node for node in fields if node["name"].startswith(name_of(key))]) == 1


@pytest.mark.parametrize("key", ["share", "longest", "cap"])
def test_a_slider_hands_on_everything(widget: Widget, key: str) -> None:
    """The same by the document, in any engine, with the value text that the tree of the driver leaves out."""
    slider = widget.slider(key)
    expect(slider).to_have_role("slider")
    expect(slider).to_have_accessible_name(name_of(key))
    found = slider.evaluate("(s) => [...[s.min, s.max, s.value].map(Number), s.getAttribute('aria-valuetext')]")
    assert tuple(found) == sliders()[key]


@only("chromium", NO_TREE)
def test_the_browsers_tree_names_all_that_can_be_used(widget: Widget) -> None:
    """Nothing without a name but the silent status; three groups; eight helps, closed; one box, not ticked."""
    widget.put(**EVERYTHING)
    nodes = tree(widget.page)
    assert [node["role"] for node in nodes if "name" not in node] == ["status"]
    named = {(node["role"], node.get("name")) for node in nodes}
    assert {("region", VIEW["label"]), ("group", VIEW["settings"]), ("group", VIEW["answer"])} <= named
    assert [node["expanded"] for node in nodes if "expanded" in node and node["role"] == "button"] == [False] * 8
    assert len([node for node in nodes if node["role"] in {"img", "image"}]) == 1, "no part is a picture of its own"
    assert [node["checked"] for node in nodes if node["role"] == "checkbox"] == ["false"]
    buttons = [node["name"] for node in nodes if node["role"] == "button"]
    fixes = [say(VIEW["use_share"], share=44), say(VIEW["use_longest"], longest=64000)]
    assert {*fixes, VIEW["reset"], VIEW["copy_link"], VIEW["copy_text"]} <= set(buttons)


@only("chromium", NO_TREE)
def test_the_browsers_tree_says_who_locked_a_control(widget: Widget) -> None:
    """All eight inputs of the five controls are disabled, with a value, and described."""
    widget.renew(lock=" ".join(KEYS))
    inputs = [node for node in tree(widget.page) if node["role"] in {"slider", "spinbutton", "combobox", "checkbox"}]
    assert len(inputs) == 8
    assert {(node["disabled"], node["description"]) for node in inputs} == {(True, VIEW["locked"])}
    assert all("value" in node or "checked" in node for node in inputs)


@pytest.mark.parametrize("key", KEYS)
def test_a_locked_control_says_so_and_the_others_do_not(widget: Widget, key: str) -> None:
    """Disabled and described in words that are seen too; free again when the author says so."""
    widget.renew(lock=key)
    for other in KEYS:
        for each in widget.control(other).locator("input, select").all():
            expect(each).to_be_disabled(timeout=2000) if other == key else expect(each).to_be_enabled()
            expect(each).to_have_accessible_description(VIEW["locked"] if other == key else "")
    expect(widget.control(key).get_by_text(VIEW["locked"], exact=True)).to_be_visible()
    widget.host.evaluate("(host) => host.removeAttribute('lock')")
    for each in widget.control(key).locator("input, select").all():
        expect(each).to_be_enabled()
        expect(each).to_have_accessible_description("")
    expect(widget.host.get_by_text(VIEW["locked"])).not_to_be_visible()


@pytest.mark.parametrize("author", AUTHORS)
def test_names_and_references_stay_in_one_root(widget: Widget, author: str) -> None:
    """Every label, help and note that a control points to is there once, in the control's own root."""
    widget.renew(**AUTHORS[author])
    references = widget.host.evaluate(REFERENCES)
    assert len(references) >= 12
    assert [each for each in references if each[1] != 1] == []
    for kind, together, label, name in widget.host.evaluate(LABELS):
        assert together, kind
        assert label and name.startswith(label), "the name begins with the words that are seen (2.5.3)"


def test_a_caption_names_the_widget(widget: Widget) -> None:
    """The region has the author's caption as its name, and its own words again without it."""
    widget.renew(caption="Half the card")
    expect(widget.host.get_by_role("region", name="Half the card", exact=True)).to_be_visible()
    expect(widget.host.get_by_text("Half the card", exact=True)).to_be_visible()
    widget.host.evaluate("(host) => host.removeAttribute('caption')")
    expect(widget.host.get_by_role("region", name=VIEW["label"], exact=True)).to_be_visible()


@pytest.mark.parametrize("author", AUTHORS)
def test_groups_have_names(widget: Widget, author: str) -> None:
    """Settings and answer are groups, in whatever form an author shows the widget."""
    widget.renew(**AUTHORS[author])
    for name in (VIEW["settings"], VIEW["answer"]):
        expect(widget.host.get_by_role("group", name=name, exact=True)).to_be_visible()


@pytest.mark.parametrize("changes", [
    {}, {"share": 30, "cap": 256}, EVERYTHING, {"reserved": True, "longest": 32000}, {"chats": "swapped"},
])  # fmt: skip
def test_the_bar_in_words_is_the_references(widget: Widget, changes: dict[str, Any]) -> None:
    """The picture's name has every part with its size, and how much is held, or that nothing runs."""
    widget.put(**changes)
    measured = of_reference(**changes)
    shown, beside = describe_measured(measured), page_words(measured)
    what = say(VIEW["bar"], card=CARD.name, legend=WORDS["text"]["legend_joiner"].join(shown["legend"]))
    held = VIEW["bar_stopped"]
    if measured.run is not None:
        held = say(VIEW["bar_pool"], held=shown["fill"], peak=beside["peak"])
    picture = widget.host.locator(".picture")
    expect(picture).to_have_role("img")
    expect(picture).to_have_accessible_name(f"{what}{WORDS['joiner']}{held}")


def test_change_alone_ticks_the_box(widget: Widget) -> None:
    """The checkbox too answers to `change` without `input`, as assistive technology may send it."""
    widget.control("reserved").locator("input").evaluate(
        "(box) => { box.checked = true; box.dispatchEvent(new Event('change')); }"
    )
    assert widget.settings() == {**START, "reserved": True}


def test_nothing_jumps_the_queue_and_nothing_hidden_takes_focus(widget: Widget) -> None:
    """No positive tabindex, no autofocus, no focusable thing inside what is hidden from screen readers."""
    assert widget.host.locator("[tabindex], [autofocus], [accesskey]").count() == 0
    hidden = widget.host.locator("[aria-hidden=true]")
    assert hidden.count() > 3
    assert hidden.locator("button, input, select, textarea, a[href]").count() == 0


@pytest.mark.parametrize("author", [name for name in AUTHORS if name != "plain"])
def test_axe_finds_nothing_wrong_with_an_authors_widget(open_page: Open, author: str) -> None:
    """Compact, locked, in part, in both themes, asked for by the page's address."""
    options = urlencode({name: 1 if value is True else value for name, value in AUTHORS[author].items()})
    page = open_page(f"poolroom.html?{options}", bypass_csp=True)
    assert [violations(page, theme) for theme in ("light", "dark")] == [[], []]
