"""The plan page in WebKitGTK: parity by its fields and its address, a paste, and the page on which a plan runs."""

from collections.abc import Callable
from typing import Any

from selenium.webdriver import WebKitGTK
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

from tests.browser.plan_page import KINDS, LISTS, OPENING, PATH, READY, SHOWN, Form, forms, mismatches, query_of
from tests.browser.test_plan_situations import SLOTS, TOO_LONG
from tests.webkit.conftest import Visit
from tests.webkit.widget import WAIT_S

COUNTS = {"fields": 16, "address": 10}
OPEN_ALL = "document.querySelectorAll('details.group').forEach((each) => { each.open = true; })"


class PlanPage:
    """The page that is open, and what stands in its fields."""

    def __init__(self, visit: Visit, site: str) -> None:
        self.visit, self.site = visit, site
        self.open({})

    def open(self, form: Form) -> None:
        """Open the page at the address of a plan."""
        self.driver: WebKitGTK = self.visit(f"{self.site}{PATH}{query_of(form)}").driver
        self.form = dict(form or OPENING)

    def put(self, form: Form) -> None:
        """Bring every field to what the form says: lists are chosen from, the others typed into."""
        self.driver.execute_script(OPEN_ALL)
        for name in {**self.form, **form}:
            text = form.get(name, "")
            if self.form.get(name, "") == text:
                continue
            field = self.driver.find_element(By.CSS_SELECTOR, f"[data-setting={name}]")
            if KINDS[name] in LISTS:
                Select(field).select_by_value(text)
            else:
                field.send_keys(Keys.CONTROL + "a")
                field.send_keys(Keys.DELETE + text)
        self.form = dict(form)

    def shown(self) -> dict[str, Any]:
        """Everything that the page says of the plan."""
        WebDriverWait(self.driver, WAIT_S).until(lambda driver: driver.execute_script(f"return ({READY})()"))
        return dict(self.driver.execute_script(f"return ({SHOWN})()"))


def test_webkit_shows_the_reference(visit: Visit, site: str, tell: Callable[[str], None]) -> None:
    """Rule: every output of the page is the reference's, by fields and by addresses, at 20 plans at least."""
    at, wrong = PlanPage(visit, site), []
    for way, count in COUNTS.items():
        for form in forms(f"webkit {way}", count):
            (at.put if way == "fields" else at.open)(form)
            wrong += mismatches(at.shown(), form)
    assert not wrong, "\n".join([f"{len(wrong)} mismatches", *wrong[:6]])
    assert sum(COUNTS.values()) >= 20
    tell(f"plan page: {sum(COUNTS.values())} plans in WebKitGTK, 0 mismatches")


def test_webkit_reads_a_paste(visit: Visit, site: str) -> None:
    """Rule: a line that is typed into the box is answered, with its command."""
    at = PlanPage(visit, site)
    box = at.driver.find_element(By.ID, "paste")
    for text, command in ((TOO_LONG.format(pool="48.66", longest="205728"), "205728"), (SLOTS, "969")):
        box.clear()
        box.send_keys(text)
        WebDriverWait(at.driver, WAIT_S).until(lambda _, wanted=command: at.shown()["command"].endswith(wanted))
        assert at.shown()["outcome"] == "refuses"


def test_webkit_watches_a_plan_run(visit: Visit, site: str) -> None:
    """Rule: the plan page's link leads to the widget with the plan's figures."""
    at = PlanPage(visit, site)
    at.open({"card": "rtx-4090", "model": "Qwen/Qwen3-8B", "version": "0.25.1", "max_model_len": "16384"})
    link = at.driver.find_element(By.CSS_SELECTOR, "[data-out=watch]").get_attribute("href")
    assert link is not None
    widget = visit(link)
    context = "return document.querySelector('pool-room').shadowRoot.querySelector('.context').textContent"
    assert widget.driver.execute_script(context) == "One NVIDIA GeForce RTX 4090 card runs Qwen/Qwen3-8B."
    settings = "return {...document.querySelector('pool-room').settings}"
    found = widget.driver.execute_script(settings)
    assert (found["longest"], found["share"]) == (16384, 92)
