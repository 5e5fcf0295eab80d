"""The page on serving in WebKitGTK: parity by its real controls, and the core of what it does."""

import time
from collections.abc import Callable
from typing import Any

import pytest
from selenium.webdriver import WebKitGTK
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import Select, WebDriverWait

from poolroom.facts import WORDS
from poolroom.serving_facts import TOOLS, opening
from tests.browser.test_actions import REFUSING
from tests.browser.test_serve_page import BAD, MOVED, sentence_of
from tests.browser.test_theme import AXE
from tests.browser.tools import NAMES, PAINTED, PATH, in_address, kind_of, mismatches, query_of, targets
from tests.webkit.conftest import Visit
from tests.webkit.widget import WAIT_S

SETTINGS = {"keys": 12, "list": 12, "address": 6}


class Tools:
    """The page that is open, its tools, and what each is set to."""

    def __init__(self, visit: Visit, site: str) -> None:
        self.visit, self.site = visit, site
        self.open()

    def open(self, query: str = "") -> None:
        """Open the page at an address."""
        self.driver: WebKitGTK = self.visit(f"{self.site}{PATH}{query}").driver
        self.settings = {name: opening(name) for name in NAMES}

    def find(self, name: str, selector: str) -> WebElement:
        """A node of a tool."""
        return self.driver.find_element(By.CSS_SELECTOR, f".tool[data-tool={name}] {selector}")

    def painted(self, name: str) -> dict[str, Any]:
        """What a tool shows."""
        return dict(self.driver.execute_script(f"return ({PAINTED})(...arguments)", name))

    def keys(self, name: str, key: str, value: Any) -> None:
        """Reach a choice with keys, from the lower end."""
        if kind_of(name, key) != "numbers":
            self.choose(name, key, value)
            return
        steps = TOOLS[name]["controls"][key]["values"].index(value)
        self.find(name, f"[data-key={key}] .slider").send_keys(Keys.HOME + Keys.ARROW_RIGHT * steps)

    def choose(self, name: str, key: str, value: Any) -> None:
        """Choose from a list; click a box."""
        if kind_of(name, key) == "flag":
            self.find(name, f"[data-key={key}] .check").click()
        else:
            Select(self.find(name, f"[data-key={key}] .field")).select_by_value(in_address(value))

    def set(self, way: Callable[..., None], name: str, target: dict[str, Any]) -> None:
        """Move every control that stands elsewhere."""
        for key, value in target.items():
            if self.settings[name][key] != value:
                way(self, name, key, value)
        self.settings[name] = {**self.settings[name], **target}

    def wrong(self, name: str) -> list[str]:
        """Where a tool and the reference part."""
        return mismatches(self.painted(name), name, self.settings[name])


@pytest.fixture
def tools(visit: Visit, site: str) -> Tools:
    """The page as it opens."""
    return Tools(visit, site)


@pytest.mark.parametrize("way", SETTINGS)
def test_webkit_paints_the_reference(tools: Tools, way: str, tell: Callable[[str], None]) -> None:
    """Rule: a third engine shows the same words, numbers and lengths."""
    wrong = []
    for name, target in targets(f"webkit {way}", SETTINGS[way]):
        if way == "address":
            tools.open(query_of(name, target))
            tools.settings[name] = target
        else:
            tools.set({"keys": Tools.keys, "list": Tools.choose}[way], name, target)
        wrong += tools.wrong(name)
    assert not wrong, "\n".join([f"{len(wrong)} mismatches", *wrong[:6]])
    tell(f"serving page by {way}: {SETTINGS[way]} settings of {len(NAMES)} tools in WebKitGTK, 0 mismatches")


def test_enough_settings() -> None:
    """Rule: at least 20."""
    assert sum(SETTINGS.values()) >= 20


def test_one_sentence_after_a_move(tools: Tools) -> None:
    """Rule: nothing on load, one sentence when the move is over."""
    name, key, value = MOVED[0]
    status = tools.driver.find_element(By.CSS_SELECTOR, "[role=status]")
    assert status.get_attribute("textContent") == ""
    tools.set(Tools.choose, name, {key: value})
    wanted = sentence_of(name, opening(name), key, value)
    WebDriverWait(tools.driver, WAIT_S).until(lambda _: status.get_attribute("textContent") == wanted)


def test_address_reload_and_start_again(tools: Tools) -> None:
    """Rule: settings are in the address, a reload shows them, and one tool goes back alone."""
    for name, target in targets("webkit address", 2):
        tools.set(Tools.choose, name, target)
    time.sleep(0.6)  # the address follows within 300 ms
    tools.driver.refresh()
    assert [tools.wrong(name) for name in NAMES] == [[]] * len(NAMES)
    tools.find(NAMES[0], "[data-action=reset]").click()
    tools.settings[NAMES[0]] = opening(NAMES[0])
    assert [tools.wrong(name) for name in NAMES] == [[]] * len(NAMES)


@pytest.mark.parametrize("bad", ["a value", "a key", "a tool", "given twice"])
def test_a_bad_link_says_so(tools: Tools, bad: str) -> None:
    """Rule: beside the tool, or on top where none is meant."""
    query, where, words = BAD[bad]
    tools.open(f"?{query}")
    selector = f".tool[data-tool={where}] .notices li" if where else "#notices li"
    (notice,) = tools.driver.find_elements(By.CSS_SELECTOR, selector)
    assert notice.is_displayed() and all(word in notice.text for word in words)
    assert tools.wrong("floor") == []


def test_a_link_sets_its_tool_in_place(tools: Tools) -> None:
    """Rule: the page stays, the tool moves, the focus goes there."""
    tools.driver.execute_script("window.stays = true")
    link = tools.driver.find_element(By.CSS_SELECTOR, 'a.try[href^="?floor."]')
    _, _, query = str(link.get_dom_attribute("href")).partition("?floor.")
    key, _, value = query.removesuffix("#floor").partition("=")
    link.click()
    offered = TOOLS["floor"]["controls"][key]["values"]
    tools.settings["floor"][key] = next(each for each in offered if in_address(each) == value)
    assert tools.wrong("floor") == []
    there = "return window.stays && document.activeElement.closest('.tool').dataset.tool"
    assert tools.driver.execute_script(there) == "floor"


def test_where_copying_is_refused_the_link_is_selected(tools: Tools) -> None:
    """Rule: a field with the link takes its place."""
    tools.driver.execute_script(f"({REFUSING['asked and refused']})()")
    tools.find("floor", "[data-action=copy]").click()
    field = WebDriverWait(tools.driver, WAIT_S).until(lambda _: tools.find("floor", ".copy-field"))
    assert str(field.get_property("value")).endswith(f"{PATH}#floor")
    assert field.accessible_name == WORDS["view"]["link_field"]


def test_controls_have_their_labels_as_names(tools: Tools) -> None:
    """Rule: as the engine hands them on to a screen reader, for both ways in."""
    for name in NAMES:
        for key in TOOLS[name]["controls"]:
            for part in [".slider", ".field"] if kind_of(name, key) == "numbers" else [".field, .check"]:
                node = tools.find(name, f"[data-key={key}] :is({part})")
                assert node.accessible_name == TOOLS[name]["words"]["controls"][key]["name"]


def test_under_the_strictest_policy(visit: Visit, strict: str) -> None:
    """Rule: every tool moves, and nothing is refused (the visit fails on any violation)."""
    tools = Tools(visit, strict)
    for name, target in targets("webkit policy", len(NAMES)):
        tools.set(Tools.choose, name, target)
        assert tools.wrong(name) == []


def test_axe_finds_nothing_wrong(tools: Tools) -> None:
    """Rule: in this engine too, as the page opens."""
    tools.driver.execute_script(AXE.read_text("utf-8"))
    found = tools.driver.execute_async_script(
        "const [done] = arguments; axe.run(document).then(({violations}) => done(violations))"
    )
    assert [f"{each['id']}: {node['target']}" for each in found for node in each["nodes"]] == []
