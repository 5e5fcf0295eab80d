"""The plan page's steps: Back undoes each change of the whole plan, Forward makes it again, with everything there."""

import json
from typing import Any

import pytest
from playwright.sync_api import expect

from plan_scene import PAGE
from tests.browser.conftest import Bench
from tests.browser.plan import Plan, differences
from tests.browser.test_plan_page import COMMAND, ERROR, opened

LONG = {
    "architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 2048, "num_hidden_layers": 16,
    "num_attention_heads": 32, "num_key_value_heads": 8, "intermediate_size": 8192, "vocab_size": 128256,
    "max_position_embeddings": 8192, "torch_dtype": "bfloat16", "note": "x" * 7000,
}  # fmt: skip
"""A config.json that is too long for the address."""
ALL = """() => ({
  fields: Object.fromEntries([...document.querySelectorAll('[data-setting]')].map((n) => [n.dataset.setting, n.value])),
  box: document.querySelector('#paste').value, reading: document.querySelector('#reading').textContent,
  status: document.querySelector('[data-out=paste_status]').textContent, address: location.search + location.hash,
  answer: ['verdict', 'sentence', 'about', 'first', 'more_ways', 'command', 'command_caption', 'own', 'compare']
    .map((name) => document.querySelector(`[data-out=${name}]`)).map((node) => node.hidden ? '' : node.textContent),
})"""


@pytest.fixture
def page_of(bench: Bench, site: str) -> Any:
    """The page as it opens; nothing may go wrong there."""
    yield opened(bench, site)
    bench[1].assert_quiet()


def seen(found: Plan) -> Any:
    """All that a step may have changed, once it has come to rest."""
    found.page.wait_for_timeout(400)
    found.settled()
    return found.page.evaluate(ALL)


def preset(found: Plan) -> None:
    """Follow a famous question by key."""
    found.page.get_by_role("link", name="120B on one card").focus()
    found.page.keyboard.press("Enter")


def fix(found: Plan) -> None:
    """Take the smallest change over by key."""
    found.out("first").locator("button").focus()
    found.page.keyboard.press("Enter")


def card(found: Plan) -> None:
    """Choose another card."""
    found.field("card").select_option("h200")


def model(found: Plan) -> None:
    """Type another model, letter by letter."""
    found.field("model").focus()
    found.page.keyboard.press("ControlOrMeta+a")
    found.page.keyboard.type("Qwen/Qwen3-8B")


def version(found: Plan) -> None:
    """Write another version."""
    found.field("version").fill("0.11.0")


def error(found: Plan) -> None:
    """Paste an error whose model nobody knows."""
    found.page.fill("#paste", ERROR)
    expect(found.page.locator("#reading")).to_contain_text("What the lines say")


def command(found: Plan) -> None:
    """Paste a command."""
    found.page.fill("#paste", COMMAND)
    expect(found.page.locator("#reading")).to_contain_text("--foo")


def config(found: Plan) -> None:
    """Paste a config.json that no address holds."""
    found.page.fill("#paste", json.dumps(LONG))
    expect(found.out("own")).to_be_visible()


def clear(found: Plan) -> None:
    """Empty the box."""
    found.page.click("#paste-clear")


def again(found: Plan) -> None:
    """Back to the start."""
    found.page.locator("[data-action=reset]").focus()
    found.page.keyboard.press("Enter")


STEPS = (preset, fix, card, model, version, error, command, config, clear, again)


def test_back_undoes_each_step_and_forward_makes_it_again(page_of: Plan) -> None:
    """Rule: preset, fix, card, model, version, pastes, clear, start again: one step each, everything as it stood."""
    stood = [seen(page_of)]
    for step in STEPS:
        step(page_of)
        stood.append(seen(page_of))
        assert stood[-1] != stood[-2], step.__name__
    for before in reversed(stood[:-1]):
        page_of.page.go_back()
        assert seen(page_of) == before
    assert differences(page_of.painted(), {}) == {}
    for after in stood[1:]:
        page_of.page.go_forward()
        assert seen(page_of) == after


def test_moves_within_a_plan_are_no_steps_and_none_is_lost(page_of: Plan) -> None:
    """Rule: a setting and the slider replace the address; Back goes past them, and Forward finds the last of them."""
    card(page_of)
    page_of.page.locator("#share-slider").focus()
    for _ in range(3):
        page_of.page.keyboard.press("ArrowLeft")
    page_of.field("max_num_seqs").fill("64")
    page_of.page.go_back()  # before the address is written
    page_of.settled()
    assert differences(page_of.painted(), {}) == {}
    page_of.page.go_forward()
    page_of.settled()
    moved = {"card": "h200", "gpu_memory_utilization": 0.89, "max_num_seqs": 64}
    assert differences(page_of.painted(), moved) == {}
    page_of.page.wait_for_function("() => location.search.includes('max_num_seqs=64')")


def test_a_text_typed_into_the_box_is_one_step(page_of: Plan) -> None:
    """Rule: who types a command by hand goes back over the whole of it at once."""
    page_of.page.locator("#paste").focus()
    page_of.page.keyboard.type("vllm serve Qwen/Qwen3-8B --max-num-seqs 64")
    expect(page_of.field("max_num_seqs")).to_have_value("64")
    seen(page_of)
    page_of.page.go_back()
    expect(page_of.page.locator("#paste")).to_have_value("")
    page_of.settled()
    assert differences(page_of.painted(), {}) == {}


def test_after_a_reload_back_goes_by_the_address(page_of: Plan) -> None:
    """Rule: nothing is stored: what the address holds comes back, and the box is empty."""
    card(page_of)
    error(page_of)
    seen(page_of)
    page_of.page.reload()
    page_of.settled()
    page_of.page.go_back()
    page_of.settled()
    assert differences(page_of.painted(), {"card": "h200"}) == {}
    expect(page_of.page.locator("#paste")).to_have_value("")


def test_a_link_within_the_page_changes_nothing(page_of: Plan) -> None:
    """Rule: going to a place on the page, and back, leaves the answer to a pasted text."""
    error(page_of)
    before = seen(page_of)
    page_of.page.evaluate("() => { location.hash = 'explain'; }")
    after = seen(page_of)
    assert after["answer"] == before["answer"] and after["box"] == before["box"]
    page_of.page.go_back()
    assert seen(page_of) == before


def test_the_answer_to_a_paste_is_not_in_the_link_and_the_page_says_so(page_of: Plan) -> None:
    """Rule: the link has what was read, and what was printed where it stands in a field; what it lacks is said."""
    error(page_of)
    expect(page_of.out("link_note")).to_have_text(PAGE["settings"]["link_lacks"])
