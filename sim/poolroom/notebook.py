"""The widget in a notebook: Jupyter, marimo, or any host of anywidget; needs the extra `widget`."""

from pathlib import Path
from types import new_class
from typing import Any

from .chats import chat_list
from .checks import SimError, shown
from .describe import Measured, describe_measured, measure, page_words
from .facts import CHOICES, CONTRACT, WORDS
from .options import check, default, start
from .words import catalogue

try:
    import anywidget
    import traitlets
except ImportError as missing:
    raise ImportError(WORDS["notebook"]["needs"]) from missing

SCRIPT = Path(__file__).with_name("static") / "anywidget.js"
"""The page's side; the build puts it there."""
if not SCRIPT.is_file():
    raise ImportError(WORDS["notebook"]["unbuilt"])

TRAITS = [name for name, option in CONTRACT["options"].items() if option.get("trait", True)]


class Option(traitlets.TraitType[Any, Any]):
    """An option of the contract as a trait; a value that is not allowed is refused with SimError."""

    def __init__(self, option: str) -> None:
        super().__init__(default_value=default(option), help=CONTRACT["options"][option]["meaning"])
        self.option = option

    def validate(self, _: Any, value: Any) -> Any:
        """The value itself, or SimError."""
        return check(self.option, value)


# A preset is turned into settings here, so the page never sees its name.
_TRAITS = {name: Option(name).tag(sync=name != "preset") for name in TRAITS}
_OPTIONS: Any = new_class("_Options", (traitlets.HasTraits,), exec_body=lambda body: body.update(_TRAITS))


class PoolRoom(_OPTIONS, anywidget.AnyWidget):  # type: ignore[misc]
    """The widget with the contract's options as traits; page and Python follow each other.

    Args:
        options: options of the contract, by name; settings replace those of a preset
    """

    _esm = SCRIPT
    _made = False

    def __init__(self, **options: Any) -> None:
        super().__init__(**{**start(options.get("preset")), **options})
        self.observe(self._go_to_preset, "preset")
        self._made = True

    def __setattr__(self, name: str, value: Any) -> None:
        """Set an option; a name that is none is refused with SimError, and a preset named again is gone to again."""
        if not name.startswith("_") and not hasattr(type(self), name):
            raise _unknown(name)
        again = self._made and name == "preset" and value == self.preset
        super().__setattr__(name, value)
        if again:  # a trait that stays the same tells nobody
            self._go_to_preset({"new": value})

    def _go_to_preset(self, change: Any) -> None:
        with self.hold_sync():  # the page hears of all five at once
            for name, value in start(change["new"]).items():
                setattr(self, name, value)

    @property
    def settings(self) -> dict[str, Any]:
        """The settings in force, by name: percent, tokens, chats, yes or no, and the name of the list."""
        return {name: getattr(self, name) for name in start()}

    @property
    def result(self) -> dict[str, Any]:
        """What the settings come to, by the reference: the same record, in the same units, as the page's `result`."""
        answer = self._measured()
        numbers = {"room": answer.room, "run": answer.run, "first_word_seconds": answer.first_word_seconds}
        spoken = catalogue((self.lang or "en").lower().split("-")[0])  # a region is no other language here
        words = {**describe_measured(answer, spoken), "page": page_words(answer, words=spoken)}
        return {"schema": CONTRACT["schema"], **words, "numbers": numbers}

    def _measured(self) -> Measured:
        at = self.settings
        requests = None if at["chats"] == CHOICES["chats"]["opening"] else chat_list(at["chats"])
        return measure(at["share"], at["longest"], at["cap"], at["reserved"], requests)


def widget(**options: Any) -> PoolRoom:
    """Make a widget for a notebook; shown as a cell's last line, it is the widget.

    Args:
        options: options of the contract, by name; settings replace those of a preset

    Returns:
        The widget, whose options can be read and set.

    Raises:
        SimError: for an option that is not known, or a value that is not allowed
    """
    for name in options:
        if name not in TRAITS:
            raise _unknown(name)
    return PoolRoom(**options)


def _unknown(name: str) -> SimError:
    return SimError("widget", name, "choice", choices=", ".join(map(shown, TRAITS)))
