"""The dashed stretches of the plan page: where a setting would not start, by the reference, and how they are drawn."""

from itertools import pairwise
from typing import Any

import pytest

from plan_numbers import STRETCHES
from plan_scene import PAGE
from poolroom.vllm.trial import trial, tried
from tests.browser.conftest import Bench
from tests.browser.engines import NO_SHIFTS, only
from tests.browser.plan import PLANS, Plan, asked_of
from tests.browser.test_pages import SHIFTS
from tests.browser.test_plan_page import opened

POWERS = {"max_model_len": (7, 21), "max_num_seqs": (0, 14), "max_num_batched_tokens": (5, 19)}
FINE = 16
LINES = """(name) => [...document.querySelectorAll(`[data-stretch="${name}"]`)].map((svg) => ({
  lines: [...svg.querySelectorAll('g line')].map((line) => [line.getAttribute('class'),
    parseFloat(line.getAttribute('x1')), parseFloat(line.getAttribute('x2'))]),
  now: parseFloat(svg.querySelector('.now').getAttribute('x1')),
  dashes: [...svg.querySelectorAll('.refused')].map((line) => getComputedStyle(line).strokeDasharray),
}))"""
NAMES = (
    "opening", "29,000 in V0", "35,000 in V0", "120B on one card", "another server on the card", "slots for states",
    "heads do not divide", "a pool by hand", "unified memory",
)  # fmt: skip


@pytest.fixture
def page_of(bench: Bench, site: str) -> Any:
    """The page as it opens; nothing may go wrong there."""
    yield opened(bench, site)
    bench[1].assert_quiet()


def value_at(name: str, percent: float) -> float:
    """The value at a place of a setting's line."""
    if name == "gpu_memory_utilization":
        return round(percent / 100 * 99 + 1) / 100
    low, high = POWERS[name]
    return int(2 ** (low + percent / 100 * (high - low)))


@pytest.mark.parametrize("name", NAMES)
def test_a_setting_is_dashed_where_the_reference_refuses(page_of: Plan, name: str) -> None:
    """Rule: the lines lie end to end; what is dashed does not start, and what is not does."""
    page_of.set(PLANS[name])
    base = trial(asked_of(PLANS[name]))
    for setting in STRETCHES:
        pictures = page_of.page.evaluate(LINES, setting)
        assert pictures and all(each == pictures[0] for each in pictures)
        lines = pictures[0]["lines"]
        assert [lines[0][1], lines[-1][2]] == [0, 100]
        assert all(one[2] == other[1] for one, other in pairwise(lines))
        for kind, start, end in lines:
            inside = [start + (end - start) * part for part in (0.2, 0.5, 0.8)]
            for place in inside if end - start > 2 else []:
                found = tried(base, {setting: value_at(setting, place)})
                starts = found is not None and found["verdict"]["outcome"] != "refuses"
                assert starts == (kind == "starts"), (setting, value_at(setting, place), kind)
        assert all(dashes != "none" for dashes in pictures[0]["dashes"])


def test_the_riddle_is_a_gap(page_of: Plan) -> None:
    """Rule: 20,000 starts, 29,000 does not, 35,000 does: the longest chat's line is dashed between, and after."""
    page_of.set(PLANS["29,000 in V0"])
    (picture,) = page_of.page.evaluate(LINES, "max_model_len")
    assert [line[0] for line in picture["lines"]] == ["starts", "refused", "starts", "refused"]
    gap = picture["lines"][1]
    assert 20_000 < value_at("max_model_len", gap[1]) < 29_000 < value_at("max_model_len", gap[2]) < 36_000
    assert gap[1] < picture["now"] < gap[2]


def test_the_mark_moves_with_the_setting_at_once(page_of: Plan) -> None:
    """Rule: the present value is marked before anything is tried out."""
    before, after = page_of.page.evaluate(
        """() => {
          const x = () => parseFloat(document.querySelector('[data-field=max_num_seqs] .now').getAttribute('x1'));
          const field = document.querySelector('[data-setting=max_num_seqs]'), before = x();
          field.value = '16';
          field.dispatchEvent(new Event('input'));
          return [before, x()];
        }"""
    )
    assert before == pytest.approx(100 * 8 / 14, abs=0.01) and after == pytest.approx(100 * 4 / 14, abs=0.01)
    assert PAGE["settings"]["dashed"] in page_of.page.locator(".heading").inner_text()


@only("chromium", NO_SHIFTS)
def test_what_is_drawn_later_moves_nothing(page_of: Plan) -> None:
    """Rule: the dashes come after the answer, and nothing on the page moves for them."""
    page_of.page.evaluate(SHIFTS)
    page_of.page.evaluate("() => { window.shifted = 0; }")
    page_of.set({"max_num_seqs": 64})
    page_of.set({"max_num_seqs": 65})
    lines = page_of.page.evaluate("() => document.querySelector('[data-field=max_num_seqs] svg').clientHeight")
    assert lines == 10 and page_of.page.evaluate("() => window.shifted") < 0.001
