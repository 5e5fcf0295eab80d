"""The element keeps the manners of one: attributes and properties in, events out, nothing left behind."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from poolroom import describe_measured, page_words, status_line
from poolroom.facts import CATALOGUES
from tests.browser.conftest import Open
from tests.browser.widget import START, Widget, lines_of, of_reference, sentence_of

LEDGER = """
window.live = {listeners: 0, timers: new Set(), observers: new Set()};
const add = EventTarget.prototype.addEventListener, remove = EventTarget.prototype.removeEventListener;
const ours = () => new Error().stack.includes('poolroom.js');
const shared = (target) => (target === window || target === document) && ours();
EventTarget.prototype.addEventListener = function (type, heard, options) {
  if (shared(this)) {
    window.live.listeners += 1;
    if (options?.signal) add.call(options.signal, 'abort', () => { window.live.listeners -= 1; }, {once: true});
  }
  return add.call(this, type, heard, options);
};
EventTarget.prototype.removeEventListener = function (...words) {
  if (shared(this)) window.live.listeners -= 1;
  return remove.apply(this, words);
};
for (const [start, stop] of [['setTimeout', 'clearTimeout'], ['setInterval', 'clearInterval'],
                             ['requestAnimationFrame', 'cancelAnimationFrame']]) {
  const [realStart, realStop] = [window[start], window[stop]];
  window[start] = (heard, ...words) => {
    const id = realStart((...given) => { window.live.timers.delete(start + id); heard(...given); }, ...words);
    if (ours()) window.live.timers.add(start + id);
    return id;
  };
  window[stop] = (id) => { window.live.timers.delete(start + id); realStop(id); };
}
for (const name of ['IntersectionObserver', 'ResizeObserver', 'MutationObserver']) {
  window[name] = class extends window[name] {
    observe(...words) { if (ours()) window.live.observers.add(this); super.observe(...words); }
    disconnect() { window.live.observers.delete(this); super.disconnect(); }
  };
}
window.count = () => ({...window.live, timers: window.live.timers.size, observers: window.live.observers.size});
"""


def test_the_script_may_come_before_the_tag(open_page: Open) -> None:
    """The element is defined first, and its attributes are read when it is parsed; other tests have it after."""
    Widget(open_page("before.html")).assert_shows(share=60, longest=16000, cap=32)


def test_two_widgets_on_a_page_are_independent(open_page: Open) -> None:
    """A move of one leaves the other, a stopped one, as it is, and so do its labels and helps."""
    page = open_page("two.html")
    one, two = Widget(page, "#one"), Widget(page, "#two")
    stopped = {"share": 43, "longest": 128000, "reserved": True}
    two.assert_shows(**stopped)
    one.press("share", "Home")
    one.host.locator(".ask").first.click()
    one.assert_shows(of_reference(share=60, cap=128), share=30, cap=128)
    two.assert_shows(**stopped)
    expect(two.host.locator(".help:visible")).to_have_count(0)
    two.control("reserved").locator("label").click()
    assert two.settings()["reserved"] is False
    assert one.settings()["reserved"] is False


def test_a_moved_element_goes_on(widget: Widget) -> None:
    """Put somewhere else in the page it keeps its settings, is painted, and answers to its controls."""
    widget.press("share", "Home")
    widget.host.evaluate("(host) => document.body.prepend(document.createElement('div').appendChild(host))")
    widget.assert_shows(share=30)
    widget.press("share", "ArrowRight")
    widget.assert_shows(of_reference(share=30), share=31)


def test_an_element_taken_out_leaves_nothing_behind(open_page: Open) -> None:
    """Removed and put back ten times, each time after a move: no listener, timer or observer more, and one widget."""
    page = open_page("owner.html", script=LEDGER)
    widget = Widget(page)
    there = page.evaluate(CALM)
    left = widget.host.evaluate(CYCLE, 10)
    assert left == {"listeners": 0, "timers": 0, "observers": 0}
    assert widget.host.locator(".widget").count() == 1
    assert page.evaluate(CALM) == there
    before = widget.settings()
    widget.press("share", "Home")
    widget.assert_shows(of_reference(**before), share=30)


CALM = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(window.count()))))"
CYCLE = """async (host, times) => {
  const parent = host.parentNode, frame = () => new Promise(requestAnimationFrame);
  let left;
  for (let i = 0; i < times; i += 1) {
    const slider = host.shadowRoot.querySelector('.slider');
    slider.stepDown();
    slider.dispatchEvent(new Event('input'));
    await frame();
    host.remove();
    left = window.count();
    await frame();
    parent.append(host);
    await frame();
  }
  return left;
}"""


def test_nothing_is_said_or_written_after_removal(timed: Widget) -> None:
    """A move's sentence and address are dropped with the element, not delivered late."""
    page, widget = timed.page, timed
    widget.renew(address=True)
    widget.press("share", "Home")
    address = page.url
    page.evaluate("() => { window.kept = document.querySelector('pool-room'); window.kept.remove(); }")
    page.clock.run_for(5000)
    assert page.url == address
    page.evaluate("() => document.body.append(window.kept)")
    page.clock.run_for(5000)
    expect(widget.status).to_be_empty()
    widget.assert_shows(share=30)


def test_a_move_after_return_starts_from_there(timed: Widget) -> None:
    """What was moved just before the element was taken out is not part of the next move's sentence."""
    page, widget = timed.page, timed
    widget.press("share", "Home")
    widget.host.evaluate("(host) => document.body.append(host)")
    widget.press("cap", "Home")
    widget.assert_shows(of_reference(share=30), share=30, cap=1)
    page.clock.run_for(5000)
    expect(widget.status).to_have_text(sentence_of({"share": 30, "cap": 1}, {"share": 30}))


def test_a_script_loaded_twice_is_harmless(widget: Widget) -> None:
    """A second copy leaves the defined element as it is."""
    widget.page.evaluate(
        """() => new Promise((done) => {
          const script = document.createElement('script');
          script.src = 'poolroom.js';
          script.onload = done;
          document.head.append(script);
        })"""
    )
    widget.press("share", "Home")
    widget.assert_shows(of_reference(), share=30)


def test_the_host_changes_attributes_without_an_event(widget: Widget) -> None:
    """Settings, lines and the author's start follow; the reader did nothing, so no event and no sentence."""
    widget.keep_log()
    widget.host.evaluate("(host) => { host.setAttribute('share', '48'); host.toggleAttribute('reserved', true); }")
    widget.assert_shows(share=48, reserved=True)
    widget.host.evaluate("(host) => host.removeAttribute('share')")
    widget.assert_shows(reserved=True)
    assert widget.heard() == []
    expect(widget.status).to_be_empty()


def test_attributes_changed_while_away_count_on_return(widget: Widget) -> None:
    """A host that takes the element out, changes it and puts it back sees the change."""
    widget.host.evaluate(
        """(host) => {
          const parent = host.parentNode;
          host.remove();
          host.setAttribute('share', '48');
          parent.append(host);
        }"""
    )
    widget.assert_shows(share=48)


def test_a_bad_attribute_gives_the_default_and_a_notice(widget: Widget) -> None:
    """The same words as for a bad address."""
    widget.host.evaluate("(host) => host.setAttribute('share', '12')")
    widget.assert_shows()
    assert widget.told() == ["share=12 is not a choice (30 to 98). Using 90."]


def test_settings_take_some_values_and_give_all(widget: Widget) -> None:
    """A program sets what it wants to change; no event follows, and what it reads is frozen."""
    widget.keep_log()
    widget.put(share=48, chats="swapped")
    widget.assert_shows(share=48, chats="swapped")
    assert widget.heard() == []
    assert widget.host.evaluate("(host) => Object.isFrozen(host.settings)")


def test_settings_from_before_the_definition_count(open_page: Open) -> None:
    """A script that runs first sets a plain property; the element takes it over, above its attributes."""
    held: list[Route] = []
    page = open_page(
        "two.html",
        until="commit",
        before=lambda page: page.route("**/poolroom.js", lambda route: held.append(route)),
    )
    page.locator("#two").wait_for(state="attached")
    page.evaluate("() => { document.getElementById('one').settings = {cap: 256}; }")
    held[0].continue_()
    widget = Widget(page, "#one")
    widget.line("room").wait_for()
    widget.assert_shows(share=60, cap=256)


def test_settings_from_before_the_connection_count(widget: Widget) -> None:
    """So do those of an element that stands nowhere yet."""
    widget.host.evaluate(
        """(old) => {
          const early = document.createElement('pool-room');
          early.settings = {cap: 128};
          early.setAttribute('share', '60');
          early.settings = {longest: 4000};
          old.replaceWith(early);
        }"""
    )
    widget.assert_shows(share=60, cap=128, longest=4000)


@pytest.mark.parametrize(("settings", "message"), [
    ({"share": 120}, "share is 120, but must be one of 30, 31"),
    ({"cap": "64"}, "cap is “64”, but must be one of 1, 2, 4, 8, 16, 32, 64, 128, 256, 512."),
    ({"longest": 5000}, "longest is 5000, but must be one of 4000, 8000"),
    ({"reserved": 1}, "reserved is 1, but must be one of false, true."),
    ({"chats": "x"}, "chats is “x”, but must be one of “lesson”, “swapped”."),
    ({"seats": 3}, "settings is “seats”, but must be one of share, longest, cap, reserved, chats."),
])  # fmt: skip
def test_a_bad_setting_from_a_program_is_an_error(widget: Widget, settings: dict[str, Any], message: str) -> None:
    """It names the key, the value and the choices, and changes nothing."""
    name, said = widget.host.evaluate(
        """(host, settings) => {
          try { host.settings = settings; } catch (error) { return [error.name, error.message]; }
          return ['no error', ''];
        }""",
        settings,
    )
    assert name == "SimError"
    assert said.startswith(message)
    widget.assert_shows()


def test_a_readers_move_is_an_event_with_everything_in_it(widget: Widget) -> None:
    """It bubbles, leaves shadow roots, and carries schema, settings and the reference's result."""
    widget.keep_log()
    widget.press("share", "ArrowRight")
    (event,) = widget.heard()
    measured = of_reference(share=91)
    assert event["bubbles"] and event["composed"]
    assert set(event["detail"]) == {"schema", "settings", "result"}
    assert (event["detail"]["schema"], event["detail"]["settings"]) == (1, {**START, "share": 91})
    result = event["detail"]["result"]
    assert {key: result[key] for key in describe_measured(measured)} == dict(describe_measured(measured))
    assert result["page"] == {**page_words(measured)}
    assert result["numbers"]["room"] == {**measured.room}
    assert result["numbers"]["run"]["tokens_per_second"] == measured.run["tokens_per_second"]
    assert result["numbers"]["first_word_seconds"] == measured.first_word_seconds


def test_every_way_to_move_is_one_event_and_the_host_none(widget: Widget) -> None:
    """Keys, lists, checkbox, Start again and a followed link are moves; a move to where it is already is none."""
    widget.keep_log()
    widget.press("share", "ArrowRight")
    widget.field("cap").select_option("128")
    widget.control("reserved").locator("input").check()
    widget.host.evaluate("(host) => host.follow('?share=48')")
    widget.host.locator("[data-action=reset]").click()
    widget.host.locator("[data-action=reset]").click()
    widget.host.evaluate("(host) => { host.settings = {share: 40}; host.setAttribute('cap', '1'); }")
    heard = [event["detail"]["settings"] for event in widget.heard()]
    assert heard == [
        {**START, "share": 91},
        {**START, "share": 91, "cap": 128},
        {**START, "share": 91, "cap": 128, "reserved": True},
        {**START, "share": 48},
        START,
    ]


def test_out_of_sight_nothing_is_painted_but_the_result_is_right(widget: Widget) -> None:
    """Settings from a program are painted when the widget is scrolled into view."""
    away(widget)
    widget.put(share=40)
    assert widget.lines() == lines_of(of_reference())
    assert widget.host.evaluate("(host) => host.result.room") == lines_of(of_reference(share=40))["room"]
    widget.host.scroll_into_view_if_needed()
    expect(widget.line("room")).to_have_text(lines_of(of_reference(share=40))["room"])
    widget.assert_shows(share=40)


def test_print_paints_what_is_out_of_sight(widget: Widget) -> None:
    """Paper shows the whole page."""
    away(widget)
    widget.put(share=40)
    widget.page.evaluate("() => { window.dispatchEvent(new Event('beforeprint')); }")
    widget.assert_shows(share=40)


def away(widget: Widget) -> None:
    """Push the widget far below the view, and wait until it knows."""
    widget.host.evaluate(
        """(host) => new Promise((done) => {
          const above = document.createElement('div');
          above.style.height = '9000px';
          host.before(above);
          window.scrollTo(0, 0);
          new IntersectionObserver(([entry]) => entry.isIntersecting || setTimeout(done)).observe(host);
        })"""
    )


HOSTS = {
    "flex": "display: flex",
    "column flex, centred": "display: flex; flex-direction: column; align-items: center",
    "inline-block": "display: inline-block; max-width: 100%",
    "float": "float: left; max-width: 100%",
    "table cell": "display: table-cell",
}


@pytest.mark.parametrize("style", HOSTS.values(), ids=HOSTS)
def test_a_parent_that_shrinks_to_its_content_gives_room(open_page: Open, style: str) -> None:
    """A parent that asks how wide its content is does not fold the widget to nothing."""
    width = open_page("bare.html").evaluate(
        """(style) => {
          const parent = document.createElement("div");
          parent.style.cssText = style;
          const widget = document.createElement("pool-room");
          parent.append(widget);
          document.body.append(parent);
          return widget.offsetWidth;
        }""",
        style,
    )
    assert 600 <= width <= 1300


def test_an_element_moved_to_another_document_goes_on(open_page: Open) -> None:
    """A frame's document has its own style sheets; the widget keeps its settings and paints there."""
    room, styled = open_page("bare.html").evaluate(
        """() => {
          const frame = document.createElement("iframe");
          document.body.append(frame);
          const widget = document.querySelector("pool-room");
          widget.settings = { share: 48 };
          frame.contentDocument.body.append(widget);
          const root = widget.shadowRoot;
          const { display } = getComputedStyle(root.querySelector(".widget"));
          return [root.querySelector(".part-size").textContent, display];
        }"""
    )
    assert (room, styled) == ("16.1 GB", "flex")


def test_bad_settings_before_the_definition_give_the_start_and_a_notice(open_page: Open) -> None:
    """What a program set too early and wrongly is told, and does not stop the widget."""
    page = open_page("bare.html")
    notice = page.evaluate(
        """() => {
          const early = document.createElement("template").content.ownerDocument.createElement("pool-room");
          Object.defineProperty(early, "settings", { value: { share: 200 }, configurable: true });
          document.body.append(early);
          return [early.settings.share, early.shadowRoot.querySelector(".notices").textContent];
        }"""
    )
    assert notice[0] == 90
    assert notice[1].startswith("share is 200, but must be one of 30, 31")


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        ("https://x.test/y?z=1#part", "https://x.test/y?z=1&share=48#part"),
        ("https://x.test/y", "https://x.test/y?share=48"),
        ("http://[", "poolroom.html?share=48"),
    ],
)
def test_a_link_keeps_its_own_query_and_fragment(open_page: Open, link: str, expected: str) -> None:
    """Settings join the address that the author gave; where that is none, the one-file page serves."""
    address = open_page("bare.html").evaluate(
        """(link) => {
          const widget = document.querySelector("pool-room");
          widget.setAttribute("link", link);
          widget.settings = { share: 48 };
          return widget.link;
        }""",
        link,
    )
    assert address.endswith(expected)


def test_link_is_written_as_a_property_too(widget: Widget) -> None:
    """As frameworks do: a text sets the attribute, nothing takes it away."""
    widget.host.evaluate("(host) => { host.link = 'https://lesson.example/'; }")
    assert widget.host.evaluate("(host) => host.link") == "https://lesson.example/"
    widget.host.evaluate("(host) => { host.link = undefined; }")
    assert widget.host.evaluate("(host) => host.hasAttribute('link')") is False


def test_without_a_page_to_lead_to_no_link_is_offered(open_page: Open) -> None:
    """A module does not know where it lies: nothing to copy, no address in print, until `link` says one."""
    page = open_page("module.html")
    widget = Widget(page)
    widget.assert_shows()
    button = widget.host.locator("[data-action=copy-link]")
    expect(button).to_be_hidden()
    expect(widget.host.locator(".print-link")).to_have_text("")
    widget.host.evaluate("(host) => host.setAttribute('link', 'https://lesson.example/')")
    expect(button).to_be_visible()


def test_what_is_wrong_stays_said_wherever_the_element_stands(widget: Widget) -> None:
    """Frameworks and slides move elements; a value that cannot be used is still not used."""
    widget.renew(theme="pink")
    told = widget.told()
    widget.host.evaluate("(host) => document.body.append(host)")
    assert len(told) == 1
    assert widget.told() == told


CHANGES = ["lang=de", "group=x", "about=https://lesson.example/", "theme=dark", "hide=legend"]


@pytest.mark.parametrize("attribute", CHANGES)
def test_an_author_changes_words_and_looks_under_the_readers_hands(timed: Widget, attribute: str) -> None:
    """The focus stays where it is, and the sentence of the move that was just made is still said."""
    timed.press("cap", "ArrowRight")
    name, text = attribute.split("=")
    timed.host.evaluate("(host, [name, text]) => host.setAttribute(name, text)", [name, text])
    expect(timed.slider("cap")).to_be_focused()
    timed.page.clock.run_for(2000)
    words = CATALOGUES["de" if name == "lang" else "en"]
    expect(timed.status).to_have_text(status_line(of_reference(cap=128), of_reference(), words))


def test_a_frame_written_by_its_host_offers_no_link(open_page: Open, dist: Path) -> None:
    """In `srcdoc` the page has no address that anybody else could open."""
    page = open_page()
    page.evaluate(
        """(text) => new Promise((done) => {
          const frame = document.createElement('iframe');
          frame.title = 'What a model server changes';
          frame.onload = done;
          frame.srcdoc = text;
          document.body.append(frame);
        })""",
        (dist / "poolroom.html").read_text("utf-8"),
    )
    frame = page.frames[1]
    frame.locator("pool-room .line.room").wait_for()
    expect(frame.locator("[data-action=copy-link]")).to_be_hidden()
    assert frame.evaluate("() => document.querySelector('pool-room').link") == ""


@pytest.mark.parametrize("wrong", ["new Map([['share', 60]])", "new Date()", "[]", "null", "5"])
def test_settings_are_a_record(widget: Widget, wrong: str) -> None:
    """Anything else is an error at the line that is wrong, not a silent nothing."""
    said = widget.host.evaluate(f"(host) => {{ try {{ host.settings = {wrong}; }} catch (e) {{ return e.message; }} }}")
    assert said and said.startswith("settings is ")
