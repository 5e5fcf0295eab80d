"""The tools of the second lesson by name: settings in, sentences and a picture out."""

from collections.abc import Callable
from typing import Any

from .cache_words import cache_answer
from .floor_words import floor_answer
from .kv_words import kv_answer
from .percentiles_words import percentiles_answer
from .quantise_words import quantise_answer
from .serving_facts import TOOLS, opening
from .tool import Answer, one_of
from .window_words import window_answer
from .words import plain, say, tenths, whole_number

ANSWERS: dict[str, Callable[[dict[str, Any]], Answer]] = {
    "percentiles": percentiles_answer,
    "floor": floor_answer,
    "kv": kv_answer,
    "window": window_answer,
    "cache": cache_answer,
    "quantise": quantise_answer,
}
"""Who answers for each tool, in the order of the lesson."""


def answer(tool: str, settings: dict[str, Any]) -> Answer:
    """What a tool says to its settings; what is not given stands as the page opens.

    Any value in the tool's domain is answered, also one that the page does not offer.

    Args:
        tool: name of the tool
        settings: values by name, in the units of the facts

    Returns:
        Sentences with their outcomes between asterisks, and a picture.

    Raises:
        SimError: naming the tool or setting, the value, and what is allowed
    """
    name = one_of("tool", tool, list(ANSWERS))
    for key in settings:
        one_of(f"{name} setting", key, list(TOOLS[name]["controls"]))
    return ANSWERS[name]({**opening(name), **settings})


def answer_lines(tool: str, settings: dict[str, Any]) -> list[str]:
    """The sentences of an answer as plain text, in the order in which they are read.

    Args:
        tool: name of the tool
        settings: values by name, in the units of the facts

    Returns:
        One text for each line.

    Raises:
        SimError: naming the tool or setting, the value, and what is allowed
    """
    return [plain([line]) for line in answer(tool, settings)["lines"].values()]


def choice_text(tool: str, key: str, value: Any) -> str:
    """How a control shows one of its choices: its name, or its number with the unit.

    Args:
        tool: name of the tool
        key: name of the setting
        value: one of its choices, in the unit of the facts

    Returns:
        A short text.
    """
    control, texts = TOOLS[tool]["controls"][key], TOOLS[tool]["words"]["controls"][key]
    if isinstance(value, (str, bool)):
        return str(texts["names"][str(value).lower()])
    shown = float(value) / float(control.get("per", 1))
    near = whole_number(shown)
    return say(texts["value"], n=near if near == shown else tenths(shown))
