"""What an author writes: texts of attributes and queries, read by the contract as the widget reads them."""

import re
from collections.abc import Mapping
from typing import Any

from .checks import SimError, shown
from .facts import CHOICES, CONTRACT
from .options import check, start

OPTIONS: dict[str, dict[str, Any]] = CONTRACT["options"]
KEYS = [name for name, option in OPTIONS.items() if option["kind"] == "setting"]
"""The settings, in the order in which they are written."""
OF_A_VALUE = ["preset", *KEYS, "show"]
"""The attributes of `<pool-room-value>`."""
FLAGS = {"1": True, "true": True, "": True, "0": False, "false": False}
GLOBAL = re.compile(
    "accesskey|autofocus|class|dir|draggable|enterkeyhint|hidden|id|inert|inputmode|is|item(id|prop|ref|scope|type)"
    "|lang|nonce|part|popover|role|slot|spellcheck|style|tabindex|title|translate|xmlns|on[a-z]+"
)
"""Attributes that HTML allows on every element."""


def settings_of(texts: Mapping[str, str]) -> dict[str, Any]:
    """The settings that attributes name: a preset's where one is given, with those beside it on top.

    Raises SimError naming attribute, value and choices.
    """
    return start(texts.get("preset") or None) | {key: setting(key, texts[key]) for key in KEYS if key in texts}


def setting(key: str, text: str) -> Any:
    """The choice that a text stands for. Raises SimError."""
    choices: list[Any] = CHOICES[key]["values"]
    if key == "reserved":
        return _flag(key, text)
    value: Any = int(text) if key != "chats" and re.fullmatch("[0-9]{1,7}", text) else text
    if value in choices:
        return value
    if key == "share":
        raise SimError(key, text, "whole_between", least=choices[0], most=choices[-1])
    raise SimError(key, text, "choice", choices=_listed(choices))


def check_option(name: str, text: str) -> None:
    """Refuse the value of an option that the contract does not allow. Raises SimError."""
    match OPTIONS[name]["kind"]:
        case "setting":
            setting(name, text)
        case "list":
            check(name, [item for item in re.split(r"[\s,]+", text) if item])
        case "flag":
            _flag(name, text)
        case _:
            check(name, text)


def check_attributes(tag: str, attributes: Mapping[str, str]) -> list[str]:
    """What is wrong with an element's attributes, in words."""
    known = OF_A_VALUE if tag == "pool-room-value" else list(OPTIONS)
    return _check(attributes, known, _is_anyones)


def check_query(parameters: Mapping[str, str]) -> list[str]:
    """What is wrong with the query of a link to the one-file page, in words; utm_… is somebody else's."""
    known = [name for name, option in OPTIONS.items() if option.get("query", True)]
    return _check(parameters, known, lambda name: name.startswith("utm_"))


def _check(texts: Mapping[str, str], known: list[str], foreign: Any) -> list[str]:
    wrong = []
    for name, text in texts.items():
        try:
            if name in known and name != "show":
                check_option(name, text)
            elif name not in known and not foreign(name):
                raise SimError("name", name, "choice", choices=", ".join(known))
        except SimError as refusal:
            wrong.append(str(refusal))
    return wrong


def _is_anyones(name: str) -> bool:
    # HTML's own, and what a framework binds by names such as @click, v-if, client:load, *ngIf.
    return GLOBAL.fullmatch(name) is not None or not name.isidentifier()


def _flag(name: str, text: str) -> bool:
    # An empty value and the name itself are how HTML writes an attribute that is simply there.
    found = FLAGS.get("" if text == name else text)
    if found is None:
        raise SimError(name, text, "choice", choices="true, false")
    return found


def _listed(choices: list[Any]) -> str:
    return ", ".join(shown(choice) for choice in choices)
