"""Events: ready, change, reset and error, each with settings, result and schema; a host's own changes are no news."""

from typing import Any

import pytest

from poolroom import describe_measured
from poolroom.facts import CONTRACT, WORDS
from tests.browser.conftest import Open
from tests.browser.widget import START, Widget, of_reference

NAMES = list(CONTRACT["events"])
HEAR = """(host, names) => {
  host.news = [];
  const plain = (event) => ({
    type: event.type, bubbles: event.bubbles, composed: event.composed,
    detail: JSON.parse(JSON.stringify(event.detail)),
  });
  for (const name of names) host.addEventListener(name, (event) => host.news.push(plain(event)));
}"""


def news(widget: Widget) -> list[dict[str, Any]]:
    """What was heard so far, once every task that was due has run."""
    return list(widget.host.evaluate("(host) => new Promise((done) => setTimeout(() => done(host.news), 20))"))


def check_payload(event: dict[str, Any], **changes: Any) -> None:
    """Compare an event's settings and result with the reference."""
    assert event["bubbles"] and event["composed"]
    detail = event["detail"]
    assert detail["schema"] == CONTRACT["schema"]
    assert detail["settings"] == {**START, **changes}
    assert {key: detail["result"][key] for key in ("grow", "room", "run")} == {
        key: describe_measured(of_reference(**changes))[key] for key in ("grow", "room", "run")
    }


def test_a_listener_on_the_document_hears_ready_and_error(open_page: Open) -> None:
    """One ready a widget, with the author's start; what could not be used is an error with its words."""
    page = open_page("listener.html")
    page.wait_for_function("window.heard.length >= 3")
    heard = page.evaluate("() => window.heard")
    assert [(event["id"], event["type"]) for event in heard] == [
        ("good", "poolroom-ready"), ("bad", "poolroom-error"), ("bad", "poolroom-ready"),
    ]  # fmt: skip
    check_payload({**heard[0], "bubbles": True}, share=48, cap=128)
    assert heard[1]["detail"]["problems"] == Widget(page, "#bad").told()
    assert len(heard[1]["detail"]["problems"]) == 3
    check_payload({**heard[2], "bubbles": True})


def test_a_move_is_a_change_and_start_again_a_reset(widget: Widget) -> None:
    """In this order: change for the move, change and reset for going back, and a reset alone where nothing differs."""
    widget.host.evaluate(HEAR, NAMES)
    widget.press("cap", "ArrowRight")
    widget.button(WORDS["view"]["reset"]).click()
    widget.button(WORDS["view"]["reset"]).click()
    heard = [event for event in news(widget) if event["type"] != "poolroom-ready"]
    assert [event["type"].removeprefix("poolroom-") for event in heard] == ["change", "change", "reset", "reset"]
    check_payload(heard[0], cap=128)
    for event in heard[1:]:
        check_payload(event)


@pytest.mark.parametrize("change", [
    "host.settings = {share: 48}", "host.setAttribute('share', '48')", "host.setAttribute('preset', 'half')",
    "host.setAttribute('hide', 'legend')", "host.toggleAttribute('compact')", "host.setAttribute('lock', 'cap')",
])  # fmt: skip
def test_what_a_host_does_is_no_event(widget: Widget, change: str) -> None:
    """A host that writes what it hears would otherwise never come to rest."""
    news_of_the_start(widget)
    widget.host.evaluate(f"(host) => {{ {change}; }}")
    assert news(widget) == []


def news_of_the_start(widget: Widget) -> None:
    """Let the ready event pass, then listen."""
    widget.host.evaluate("() => new Promise((done) => setTimeout(done, 20))")
    widget.host.evaluate(HEAR, NAMES)


def test_a_hosts_mistake_is_an_error_event_with_the_notices_words(widget: Widget) -> None:
    """By attribute; by property it is an exception at the line that is wrong."""
    news_of_the_start(widget)
    widget.host.evaluate("(host) => host.setAttribute('cap', '3')")
    (event,) = news(widget)
    assert event["type"] == "poolroom-error"
    assert event["detail"]["problems"] == widget.told()
    assert event["detail"]["settings"] == START


def test_ready_comes_once_in_a_life(widget: Widget) -> None:
    """Whoever puts an element in and then listens hears it; taken out and put back, it is not introduced again."""
    assert widget.page.evaluate(LIFE) == 1


LIFE = """async () => {
  const host = document.createElement('pool-room');
  document.body.append(host);
  let heard = 0;
  host.addEventListener('poolroom-ready', () => { heard += 1; });
  const wait = () => new Promise((done) => setTimeout(done, 20));
  await wait();
  for (let i = 0; i < 3; i += 1) {
    host.remove();
    document.body.append(host);
    await wait();
  }
  return heard;
}"""


def test_a_host_that_changes_its_mind_at_once_hears_ready_all_the_same(widget: Widget) -> None:
    """A language set in the same task builds the widget anew; it is introduced once."""
    assert widget.page.evaluate(CHANGED_MIND) == ["poolroom-ready"]


CHANGED_MIND = """async () => {
  const host = document.createElement('pool-room');
  const heard = [];
  host.addEventListener('poolroom-ready', (event) => heard.push(event.type));
  document.body.append(host);
  host.setAttribute('lang', 'de');
  host.setAttribute('group', 'one');
  await new Promise((done) => setTimeout(done, 30));
  return heard;
}"""
