"""What somebody asked, checked value by value: numbers, yes and no, lengths as vLLM's command line reads them."""

import math
import re
from typing import Any

from .plan_facts import VERSIONS
from .refuse import PlanError

MOST_WIDTH = 16_777_216
"""The largest hidden size, width, head count or vocabulary that is read: 2^24 values.

Source:
    A choice: the largest vocabulary of the facts has 262,400 words.
"""
# Blanks and line breaks as JavaScript's trim() knows them.
_BLANKS = "\t\n\v\f\r \u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff" + "".join(chr(0x2000 + i) for i in range(11))


def trimmed(asked: dict[str, Any]) -> dict[str, Any]:
    """Settings whose texts have no blanks before and behind, as they come along when a name is copied.

    Args:
        asked: settings by vLLM's names

    Returns:
        Settings by vLLM's names.
    """
    return {name: value.strip(_BLANKS) if isinstance(value, str) else value for name, value in asked.items()}


def whole_of(setting: str, value: Any, least: int, most: int = MOST_WIDTH) -> int:
    """A whole number in a range; 5.0 is 5, as JSON has one kind of number.

    Args:
        setting: name of the setting or field, for the refusal
        value: what was given
        least: the smallest that is allowed, in its own unit
        most: the largest that is allowed, in its own unit

    Returns:
        The value, in its own unit.

    Raises:
        PlanError: for anything else
    """
    if not is_number(value) or not least <= value <= most or math.floor(value) != value:
        raise PlanError(setting, value, "whole_of", least=least, most=most)
    # JavaScript has a zero below zero.
    return int(value) + 0


def number_of(setting: str, value: Any, least: float, most: float) -> float:
    """A number in a range.

    Args:
        setting: name of the setting or field, for the refusal
        value: what was given
        least: the smallest that is allowed, in its own unit
        most: the largest that is allowed, in its own unit

    Returns:
        The value, in its own unit.

    Raises:
        PlanError: for anything else
    """
    if not is_number(value) or not least <= value <= most:
        raise PlanError(setting, value, "number_of", least=least, most=most)
    return float(value)


def share_of(setting: str, value: Any) -> float:
    """A memory share: above 0, at most 1.

    Args:
        setting: name of the setting, for the refusal
        value: what was given

    Returns:
        The share, from 0 to 1.

    Raises:
        PlanError: for anything else
    """
    if not is_number(value) or not 0 < value <= 1:
        raise PlanError(setting, value, "share_of")
    return float(value)


def yes_no_of(setting: str, value: Any) -> bool:
    """The value itself if it is true or false.

    Args:
        setting: name of the setting or field, for the refusal
        value: what was given

    Returns:
        The value.

    Raises:
        PlanError: for anything else
    """
    if not isinstance(value, bool):
        raise PlanError(setting, value, "true_false")
    return value


def is_number(value: Any) -> bool:
    """Whether a value is a number; true and false are none.

    Args:
        value: what was given

    Returns:
        Whether it is.
    """
    return isinstance(value, (int, float)) and not isinstance(value, bool)


_TEXT = re.compile(r"([0-9]{1,15})(\.[0-9]{1,6})?([kKmMgG]?)")
_UNITS = {
    "": 1, "k": 1000, "K": 1024, "m": 1_000_000, "M": 1_048_576, "g": 1_000_000_000, "G": 1_073_741_824,
}  # fmt: skip


def counted_text(setting: str, value: Any, most: int, rule: str) -> int:
    """A whole number from 1, or its text as vLLM's command line reads it: 4k is 4,000, 4K is 4,096, 25.6k is 25,600.

    Args:
        setting: name of the setting, for the refusal
        value: what was given
        most: the largest that is allowed, in the setting's own unit
        rule: key of the rule in `facts/vllm/allowed.json`

    Returns:
        The number, in the setting's own unit.

    Raises:
        PlanError: for anything else

    Source:
        vLLM 0.33.0, `human_readable_int`.
    """
    found: Any = value
    if isinstance(value, str):
        match = _TEXT.fullmatch(value)
        # A point is allowed with k, m and g only.
        if match and (not match[2] or match[3] in ("k", "m", "g")):
            found = math.floor(float(match[1] + (match[2] or "")) * _UNITS[match[3]])
    if not is_number(found) or not 1 <= found <= most or math.floor(found) != found:
        raise PlanError(setting, value, rule, most=most)
    return int(found)


def value_or(asked: dict[str, Any], name: str, fallback: Any) -> Any:
    """A setting as it was asked, or a default.

    Args:
        asked: settings by vLLM's names
        name: name of the setting
        fallback: what stands for it, in the setting's own unit

    Returns:
        The value, in the setting's own unit.
    """
    value = asked.get(name)
    return fallback if value is None else value


def switch_of(asked: dict[str, Any], name: str) -> bool | None:
    """A switch as it was asked, or None.

    Args:
        asked: settings by vLLM's names
        name: name of the setting

    Returns:
        True or false, or None.

    Raises:
        PlanError: for what is neither
    """
    value = asked.get(name)
    return None if value is None else yes_no_of(name, value)


def switch_or(asked: dict[str, Any], name: str, fallback: bool) -> bool:
    """A switch as it was asked, or a default.

    Args:
        asked: settings by vLLM's names
        name: name of the setting
        fallback: what stands for it

    Returns:
        True or false.

    Raises:
        PlanError: for what is neither
    """
    value = switch_of(asked, name)
    return fallback if value is None else value


def known(asked: dict[str, Any]) -> tuple[list[str], list[str]]:
    """Which settings were given, and which of them cost memory that is not counted.

    Args:
        asked: settings by vLLM's names

    Returns:
        Names of settings that are counted, in the order of the facts, and names of those that are not.

    Raises:
        PlanError: for a name that is neither; the nearest name is named
    """
    names = [setting["name"] for setting in VERSIONS["settings"]]
    others = VERSIONS["uncounted"]["names"]
    for name, value in asked.items():
        if name not in names and name not in others:
            raise PlanError(name, value, "known_setting_near", near=nearest(name, [*names, *others]))
    given = [name for name in names if asked.get(name) is not None]
    return given, [name for name in others if asked.get(name) is not None and asked[name] is not False]


def nearest(name: str, names: list[str]) -> str:
    """The name that the fewest changed letters make of another; the first of several.

    Args:
        name: a name that is not among them
        names: some names

    Returns:
        One of the names.
    """
    letters = list(name)[:60]
    best, least = names[0], len(letters) + 99
    for each in names:
        steps = _steps(letters, list(each))
        if steps < least:
            best, least = each, steps
    return best


def _steps(one: list[str], other: list[str]) -> int:
    # Letters to put in, take out or change, row by row.
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one):
        before = row
        row = [i + 1]
        for j, wanted in enumerate(other):
            changed = before[j] + (0 if letter == wanted else 1)
            row.append(min(changed, before[j + 1] + 1, row[j] + 1))
    return row[-1]
