"""WebKitGTK paints what the reference says, however the settings were reached."""

import random
from collections.abc import Callable

import pytest
from selenium.webdriver import ActionChains
from selenium.webdriver.common.keys import Keys

from tests.parity.both import in_processes
from tests.parity.expected import expected_of
from tests.parity.page import AT_ONCE, ATTRIBUTES, CHOICES, PAINTED, in_order, mismatches, query_of, way_to
from tests.parity.settings import Setting, sample
from tests.webkit.conftest import Visit

NAMED = {"": "", "Home": Keys.HOME, "End": Keys.END}
AGAIN = "again: python -m poolroom describe --share S --longest L --cap C [--reserved]"


class Driver:
    """A page with one widget, and the setting that its controls should stand at."""

    def __init__(self, visit: Visit, address: str) -> None:
        self.visit, self.address = visit, address
        self.widget = visit(address)
        self.setting: Setting = (90, 8000, 64, False)

    def keys(self, target: Setting, rng: random.Random) -> None:
        """Press arrow keys, from the present place or from an end, until every slider is there."""
        for place, key in enumerate(CHOICES):
            first, steps = way_to(CHOICES[key], self.setting[place], target[place], rng)
            pressed = NAMED[first] + (Keys.ARROW_RIGHT if steps > 0 else Keys.ARROW_LEFT) * abs(steps)
            if pressed:
                self.widget.press(key, pressed)
        self.tick(target)

    def drag(self, target: Setting, rng: random.Random) -> None:
        """Take each thumb with the mouse, wander, and let go where the target is."""
        for place, key in enumerate(CHOICES):
            choices = CHOICES[key]
            slider = self.widget.slider(key)
            left, width, y = self.widget.driver.execute_script(
                """const [slider] = arguments;
                slider.scrollIntoView({block: 'center'});
                const {left, width, top, height} = slider.getBoundingClientRect();
                return [left, width, Math.round(top + height / 2)];""",
                slider,
            )
            stops = [self.setting[place], rng.choice(choices), target[place]]
            start, middle, end = (
                round(left + 6 + (width - 12) * choices.index(stop) / (len(choices) - 1)) for stop in stops
            )
            chain = ActionChains(self.widget.driver, duration=0)
            pointer = chain.w3c_actions.pointer_action
            pointer.move_to_location(start, y).pointer_down()
            pointer.move_to_location(middle, y).move_to_location(end, y).pointer_up()
            chain.perform()
        self.tick(target)

    def field(self, target: Setting, rng: random.Random) -> None:
        """Type the share into its field, and choose the others from their lists."""
        self.widget.type_over("share", str(target[0]) + rng.choice([Keys.ENTER, Keys.TAB]))
        self.widget.choose("longest", target[1])
        self.widget.choose("cap", target[2])
        self.tick(target)

    def address_of(self, target: Setting, rng: random.Random) -> None:
        """Open the page at an address that holds the settings."""
        self.widget = self.visit(f"{self.address}?{query_of(target, rng)}")

    def attribute(self, target: Setting, rng: random.Random) -> None:
        """Let the host set the element's attributes."""
        self.widget.driver.execute_script(f"({ATTRIBUTES})(arguments[0])", list(target))

    def tick(self, target: Setting) -> None:
        """Set the checkbox by a click when it has to change."""
        if target[3] != self.setting[3]:
            self.widget.tick()


WAYS: dict[str, tuple[Callable[[Driver, Setting, random.Random], None], int]] = {
    "keys": (Driver.keys, 30),
    "drag": (Driver.drag, 25),
    "field": (Driver.field, 25),
    "address": (Driver.address_of, 50),
    "attribute": (Driver.attribute, 80),
}


@pytest.mark.parametrize("way", WAYS)
def test_webkit_paints_the_reference(way: str, visit: Visit, site: str, tell: Callable[[str], None]) -> None:
    """A third engine paints the same lines, widths, fill, legend and stopped state."""
    reach, count = WAYS[way]
    targets = in_order(way, random.Random(f"webkit {way}").sample(sample(), count))
    driver, rng, wrong = Driver(visit, f"{site}index.html"), random.Random(way), []
    for target, expected in zip(targets, in_processes(expected_of, targets, chunk=AT_ONCE), strict=True):
        reach(driver, target, rng)
        driver.setting = target
        painted = driver.widget.driver.execute_script(f"return ({PAINTED})()")
        wrong += [f"{target} by {way}: {text}" for text in mismatches(painted, expected)]
    assert not wrong, "\n".join([f"{len(wrong)} mismatches", *wrong[:8], AGAIN])
    tell(f"page parity by {way}: {count} settings in WebKitGTK, 0 mismatches")


def test_at_least_200_settings() -> None:
    """Rule: the issue's count."""
    assert sum(count for _, count in WAYS.values()) >= 200
