"""The widget as a reader of WebKitGTK meets it; the twin of tests/browser/widget.py over Selenium."""

from typing import Any

from selenium.webdriver import ActionChains, WebKitGTK
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import Select, WebDriverWait

from poolroom.describe import Measured
from tests.browser.widget import LINES, LOG, RENEW, SAID, START, lines_of, of_reference

WAIT_S = 10
TOLD = "({shadowRoot}) => [...shadowRoot.querySelectorAll('.notices li')].map((notice) => notice.textContent)"


class Widget:
    """One widget on the page that is open: its controls, its words, and what it is set to."""

    def __init__(self, driver: WebKitGTK, selector: str = "pool-room") -> None:
        self.driver, self.selector = driver, selector

    @property
    def host(self) -> WebElement:
        """The element."""
        return self.driver.find_element(By.CSS_SELECTOR, self.selector)

    def find(self, selector: str) -> WebElement:
        """The first node inside that a selector finds."""
        return self.host.shadow_root.find_element(By.CSS_SELECTOR, selector)

    def slider(self, key: str) -> WebElement:
        """The slider of a key."""
        return self.find(f".controls [data-key={key}] .slider")

    def field(self, key: str) -> WebElement:
        """The number field or list of a key."""
        return self.find(f".controls [data-key={key}] .field")

    def press(self, key: str, *keys: str) -> None:
        """Press keys on the slider of a key, one after the other."""
        self.slider(key).send_keys(*keys)

    def keys(self, *keys: str) -> None:
        """Press keys wherever the focus is."""
        ActionChains(self.driver).send_keys(*keys).perform()

    def type_over(self, key: str, text: str) -> None:
        """Type a text in place of what the field of a key holds."""
        self.field(key).send_keys(Keys.CONTROL + "a")
        self.field(key).send_keys(Keys.DELETE + text)

    def choose(self, key: str, value: object) -> None:
        """Choose from the list of a key."""
        Select(self.field(key)).select_by_value(str(value))

    def tick(self) -> None:
        """Click the checkbox."""
        self.find(".check").click()

    def click(self, action: str) -> None:
        """Click a button by what it does."""
        self.find(f"[data-action={action}]").click()

    def run(self, script: str, *words: Any) -> Any:
        """Call a function of JavaScript with the element and these words; a promise is waited for."""
        return self.driver.execute_script(f"return ({script})(...arguments)", self.host, *words)

    def renew(self, **attributes: Any) -> None:
        """Put a new element with these attributes in the place of this one."""
        self.run(RENEW, {name: "" if value is True else str(value) for name, value in attributes.items()})

    def put(self, **changes: Any) -> None:
        """Set settings as the host's program does."""
        self.run("(host, changes) => { host.settings = changes; }", changes)

    def keep_log(self) -> None:
        """Note from now on what the status says and which events are heard."""
        self.run(LOG)

    def said(self) -> list[str]:
        """What the status has said since."""
        return list(self.run(SAID))

    def heard(self) -> list[dict[str, Any]]:
        """The events heard since."""
        return list(self.run("(host) => host.heard"))

    def settings(self) -> dict[str, Any]:
        """The settings in force."""
        return dict(self.run("(host) => ({...host.settings})"))

    def lines(self) -> dict[str, str]:
        """The visible lines by name."""
        return dict(self.run(LINES))

    def told(self) -> list[str]:
        """The notices above the bar."""
        return list(self.run(TOLD))

    def status(self) -> str:
        """What the status holds now."""
        return str(self.run("({shadowRoot}) => shadowRoot.querySelector('.status').textContent"))

    def wait_for_status(self, sentence: str) -> None:
        """Wait until the status holds a sentence."""
        WebDriverWait(self.driver, WAIT_S).until(lambda _: self.status() == sentence, f"no status “{sentence}”")

    def wait_for_address(self, address: str) -> None:
        """Wait until the page's address is this one."""
        WebDriverWait(self.driver, WAIT_S).until(lambda driver: driver.current_url == address, f"not at {address}")

    def has_focus(self, selector: str) -> bool:
        """Whether the node that a selector finds has the focus."""
        return bool(self.run("({shadowRoot}, name) => Boolean(shadowRoot.activeElement?.matches(name))", selector))

    def assert_shows(self, before: Measured | None = None, **changes: Any) -> None:
        """Compare settings and lines with the reference."""
        assert self.settings() == {**START, **changes}
        assert self.lines() == lines_of(of_reference(**changes), before)
