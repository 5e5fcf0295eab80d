"""The plan page shows what the reference says, however the plan was reached: by its fields, or by its address."""

import random
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Route

from tests.browser.conftest import Bench, Open
from tests.browser.plan_page import PATH, SOME, Form, PlanPage, expected, forms, mismatches

COUNTS = {
    "chromium": {"fields": 130, "one by one": 40, "address": 50},
    "firefox": {"fields": 36, "one by one": 10, "address": 16},
}


def by_steps(seed: str, count: int) -> list[Form]:
    """Plans of which each differs from the one before in one setting."""
    rng, found = random.Random(seed), forms(seed, 1)
    while len(found) < count:
        name = rng.choice(list(SOME))
        last = {key: text for key, text in found[-1].items() if key != name or rng.random() < 0.5}
        found.append({**last, name: rng.choice(SOME[name])} if name not in found[-1] else last)
        if len(found) % 8 == 0:
            found[-1] = forms(f"{seed} {len(found)}", 1)[0]
    return found


@pytest.mark.parametrize("way", COUNTS["chromium"])
def test_the_page_shows_the_reference(
    bench: Bench, browser_name: str, site: str, way: str, tell: Callable[[str], None]
) -> None:
    """Rule: every output of the page, from verdict to formulas, is the reference's; a refused setting is told."""
    page, watch = bench
    watch.troubles.clear()
    page.set_viewport_size({"width": 1280, "height": 720})
    at, wrong, refused = PlanPage(page, site), [], 0
    at.open()
    count = COUNTS[browser_name][way]
    seed = f"{browser_name} {way}"
    for form in by_steps(seed, count) if way == "one by one" else forms(seed, count):
        if way == "address":
            at.open(form)
        else:
            at.put(form)
        refused += isinstance(expected(form), str)
        wrong += mismatches(at.shown(), form)
    assert not wrong, "\n".join([f"{len(wrong)} mismatches", *wrong[:6]])
    watch.assert_quiet()
    tell(f"plan page by {way}: {count} plans in {browser_name}, {refused} of them refused by name, 0 mismatches")


def test_enough_plans() -> None:
    """Rule: at least 200 plans in Chromium and 60 in Firefox."""
    assert sum(COUNTS["chromium"].values()) >= 200
    assert sum(COUNTS["firefox"].values()) >= 60


FAULTS = {"a number": (r"0x40000000", "1173741824"), "a letter": (r"--max-model-len", "--max-model-lem")}


@pytest.mark.parametrize("fault", FAULTS)
def test_one_wrong_letter_is_seen(open_page: Open, fault: str) -> None:
    """Does it bite? The same comparison fails when the page's script has one letter or digit otherwise."""
    pattern, put = FAULTS[fault]

    def spoil(route: Route) -> None:
        answer = route.fetch()
        text, count = re.subn(pattern, put, answer.text())
        assert count > 0, fault
        route.fulfill(response=answer, body=text)

    page = open_page(before=lambda page: page.route("**/plan.js", spoil))
    at = PlanPage(page, page.url.removesuffix("bare.html"), PATH)
    form = {"card": "a100-sxm-80gb", "model": "Qwen/Qwen3-8B", "version": "0.33.0", "max_model_len": "8192"}
    at.open(form)
    assert mismatches(at.shown(), form) != []
