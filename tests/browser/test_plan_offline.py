"""The plan page in one file: from disk, alone in its folder, without a network, it does what the page does."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from poolroom.vllm.plan import plan
from poolroom.vllm.rounding import commas
from tests.browser.html import read
from tests.browser.test_layout import assert_fits
from tests.browser.watch import watched_page

FILE = "plan-offline.html"
REFUSED = (
    "ValueError: To serve at least one request with the models's max seq len (262144), (62.0 GiB KV cache is needed, "
    "which is larger than the available KV cache memory (48.66 GiB). Based on the available memory, the estimated "
    "maximum model length is 205728. Try increasing `gpu_memory_utilization` or decreasing `max_model_len` when "
    "initializing the engine."
)


@pytest.fixture
def alone(browser: Browser, dist: Path, tmp_path: Path) -> Iterator[Any]:
    """Give a function that opens the file, alone in a folder, with the network cut; it asks for itself and no more."""
    shutil.copy(dist / FILE, tmp_path / "kept.html")
    context = browser.new_context(offline=True, viewport={"width": 1280, "height": 800})
    page, watch = watched_page(context, f"{tmp_path.as_uri()}/")

    def opened(query: str = "") -> Page:
        page.goto(f"{tmp_path.as_uri()}/kept.html{query}")
        page.wait_for_selector("main[data-ready=yes]")
        return page

    yield opened
    context.close()
    watch.assert_quiet()
    # Firefox's driver does not report that a file is read.
    assert {url.split("?")[0] for url in watch.requests if not url.startswith("data:")} <= {
        f"{tmp_path.as_uri()}/kept.html"
    }


def test_the_file_names_nothing_outside_itself(dist: Path) -> None:
    """Rule: no link, picture, script or style of the file lies elsewhere; its policy lets only its own script run."""
    tree = read(dist / FILE)
    for node in tree.all():
        for name in ("href", "src", "action", "poster", "srcset"):
            address = node.attributes.get(name, "#")
            assert address.startswith(("#", "?", "data:")), (node, address)
    (policy,) = [meta.attributes["content"] for meta in tree.find("meta") if "http-equiv" in meta.attributes]
    assert "script-src 'sha256-" in policy and "style-src 'sha256-" in policy and "self" not in policy
    assert "require-trusted-types-for 'script'" in policy and "unsafe" not in policy and "http" not in policy
    scripts = [node for node in tree.find("script") if node.attributes.get("type") != "application/json"]
    assert len(scripts) == 1 and len(tree.find("style")) == 1


def test_it_is_linked_from_the_plan_page(dist: Path) -> None:
    """Rule: whoever has a network finds the file on the plan page, and in the README."""
    links = [node.attributes["href"] for node in read(dist / "plan.html").find("a")]
    assert FILE in links
    assert FILE in (Path(__file__).parents[2] / "README.md").read_text("utf-8")


def test_it_answers_without_a_network(alone: Any) -> None:
    """Rule: an address, a setting, a preset and a paste are answered as on the page."""
    asked = {"card": "rtx-4090", "model": "Qwen/Qwen3-8B", "version": "0.33.0", "max_model_len": 8192}
    page = alone("?" + "&".join(f"{key}={value}" for key, value in asked.items()))
    tokens = page.locator("[data-out=sentence]")
    expect(tokens).to_contain_text(commas(plan(asked, False)["budget"]["capacity"]["tokens"]))
    field = page.locator("[data-setting=max_model_len]")
    field.fill("4096")
    expect(page.locator("[data-out=command]")).to_contain_text("--max-model-len 4096")
    page.locator("a.preset").first.click()
    expect(page.locator("[data-setting=version]")).not_to_have_value("0.33.0")
    page.locator("#paste").fill(REFUSED)
    expect(page.locator("#reading")).to_contain_text("205728")
    expect(page.locator("#answer")).to_have_attribute("data-outcome", "refuses")


def test_it_fits_a_small_screen(alone: Any) -> None:
    """Rule: nothing is cut off at 320 px."""
    page = alone()
    page.set_viewport_size({"width": 320, "height": 640})
    assert_fits(page)
