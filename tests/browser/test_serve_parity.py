"""The page on serving paints what the reference says, however its settings were reached."""

import random
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Route

from poolroom.serving_facts import opening
from tests.browser.conftest import Bench, Open
from tests.browser.tools import NAMES, Tools, mismatches, query_of, targets

COUNTS = {
    "chromium": {"keys": 72, "list": 72, "address": 36, "mixed": 48},
    "firefox": {"keys": 12, "list": 12, "address": 12, "mixed": 12},
}
MOVES = [Tools.keys, Tools.list]


@pytest.mark.parametrize("way", COUNTS["chromium"])
def test_the_tools_paint_the_reference(
    bench: Bench, browser_name: str, site: str, way: str, tell: Callable[[str], None]
) -> None:
    """Keys, lists, addresses and all of them by turns lead to the same words, numbers and lengths."""
    page, watch = bench
    watch.troubles.clear()
    page.set_viewport_size({"width": 1280, "height": 720})
    tools, rng, wrong = Tools(page, site), random.Random(way), []
    tools.open()
    count = COUNTS[browser_name][way]
    for name, target in targets(f"{browser_name} {way}", count):
        if way == "address":
            tools.open(query_of(name, target))
        else:
            tools.set({"keys": Tools.keys, "list": Tools.list}.get(way) or rng.choice(MOVES), name, target)
        wrong += mismatches(tools.painted(name), name, target)
    again = "again: from poolroom.tools import answer; answer(tool, settings)"
    assert not wrong, "\n".join([f"{len(wrong)} mismatches", *wrong[:6], again])
    watch.assert_quiet()
    tell(f"serving page by {way}: {count} settings of {len(NAMES)} tools in {browser_name}, 0 mismatches")


def test_enough_settings() -> None:
    """Rule: at least 200 settings in Chromium and 30 in Firefox."""
    assert sum(COUNTS["chromium"].values()) >= 200
    assert sum(COUNTS["firefox"].values()) >= 30


def test_the_other_tools_stay_as_they_are(bench: Bench, site: str) -> None:
    """Moving one leaves the rest of the page alone."""
    tools = Tools(bench[0], site)
    tools.open()
    for name, target in targets("alone", 2 * len(NAMES)):
        tools.set(Tools.list, name, target)
        for other in NAMES:
            assert mismatches(tools.painted(other), other, tools.settings[other]) == []


FAULTS: dict[str, tuple[str, str]] = {
    "a letter of a sentence": (r"One decode step reads", "One decode stop reads"),
    "a number of a formula": (r"312e12", "212e12"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_one_wrong_letter_is_seen(open_page: Open, fault: str) -> None:
    """Does it bite? The same comparison fails when the page's script says one thing otherwise."""
    pattern, put = FAULTS[fault]

    def spoil(route: Route) -> None:
        answer = route.fetch()
        text, count = re.subn(pattern, put, answer.text())
        assert count > 0, fault
        route.fulfill(response=answer, body=text)

    page = open_page(before=lambda page: page.route("**/serve.js", spoil))
    tools = Tools(page, page.url.removesuffix("bare.html"))
    tools.open()
    target: dict[str, Any] = {**opening("floor"), "batch": 32}
    tools.set(Tools.list, "floor", target)
    assert mismatches(tools.painted("floor"), "floor", target) != []
