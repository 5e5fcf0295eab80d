"""The authoring contract's options as Python values: which are allowed, and what a refusal names."""

import re
from collections.abc import Callable, Iterable
from typing import Any

from .checks import SimError, shown, whole, yes_no
from .facts import CATALOGUES, CHOICES, CONTRACT, OPENING, PRESETS

SCHEME, WEB = re.compile(r"\s*[a-z][a-z0-9+.-]*:", re.I), re.compile(r"\s*(https?|file):", re.I)


def start(preset: str | None = None) -> dict[str, Any]:
    """The settings in which everything starts: the lesson's, with a preset's own in their place.

    Raises SimError for a preset that does not exist.
    """
    opening = {**OPENING, "chats": CHOICES["chats"]["opening"]}
    return {**opening, **PRESETS.get(check("preset", preset) or "", {})}


def check(name: str, value: Any) -> Any:
    """The value itself if the contract allows it for this option; lists come back as tuples.

    Raises SimError naming the option, the value and what is allowed.
    """
    option = CONTRACT["options"][name]
    return _CHECKS[option["kind"]](name, value, option)


def default(name: str) -> Any:
    """What an option is when nobody names it: the opening setting, nothing, false or an empty list."""
    kinds: dict[str, Any] = {"flag": False, "list": ()}
    return start()[name] if name in start() else kinds.get(CONTRACT["options"][name]["kind"])


def names_of(option: dict[str, Any]) -> list[str]:
    """The names that an option of kind `name` may have."""
    return list(option["values"] if "values" in option else _FROM[option["from"]])


_FROM: dict[str, Iterable[str]] = {"presets": PRESETS, "models": CONTRACT["models"], "languages": CATALOGUES}


def _setting(name: str, value: Any, _: dict[str, Any]) -> Any:
    choices = CHOICES[name]["values"]
    if isinstance(choices[0], bool):
        return yes_no(name, value)
    if isinstance(choices[0], int) and choices == list(range(choices[0], choices[-1] + 1)):
        return whole(name, value, choices[0], choices[-1])
    if type(value) is not type(choices[0]) or value not in choices:
        raise SimError(name, value, "choice", choices=", ".join(map(shown, choices)))
    return value


def language_of(text: str) -> str:
    """The language that a tag names; a region is no other language here: de-AT reads de."""
    return text.lower().split("-")[0]


def _name(name: str, value: Any, option: dict[str, Any]) -> Any:
    meant = language_of(value) if name == "lang" and isinstance(value, str) else value
    if meant not in (None, "", *names_of(option)):  # an empty one is none
        raise SimError(name, value, "choice", choices=", ".join(map(shown, names_of(option))))
    return value


def _text(name: str, value: Any, option: dict[str, Any]) -> Any:
    if value is not None and (not isinstance(value, str) or len(value.strip()) > option["most"]):
        raise SimError(name, value, "at_most_letters", most=option["most"])
    return value


def _address(name: str, value: Any, _: dict[str, Any]) -> Any:
    if value is not None and (not isinstance(value, str) or (SCHEME.match(value) and not WEB.match(value))):
        raise SimError(name, value, "web_address")
    return value


def _list(name: str, value: Any, option: dict[str, Any]) -> tuple[str, ...]:
    choices = option["values"]
    if not isinstance(value, (list, tuple)) or not all(item in choices for item in value):
        raise SimError(name, _shown_list(value), "some_of", choices=", ".join(map(shown, choices)))
    return tuple(value)


def _shown_list(value: Any) -> Any:
    return ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else value


_CHECKS: dict[str, Callable[[str, Any, dict[str, Any]], Any]] = {
    "setting": _setting,
    "name": _name,
    "text": _text,
    "address": _address,
    "list": _list,
    "flag": lambda name, value, _: yes_no(name, value),
}
