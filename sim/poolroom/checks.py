"""What is allowed: settings, requests and costs pass here, and a refusal names setting, value and range."""

import math
from typing import Any

from .facts import WORDS

MOST_WHOLE = 2**53 - 1
"""The largest whole number, of any unit, that both languages hold exactly: 2^53 − 1.

Source:
    JavaScript's `Number.MAX_SAFE_INTEGER`.
"""


class SimError(ValueError):
    """A value that cannot be used; the message names the setting, the value and what is allowed.

    Args:
        terms: numbers and names that the rule mentions

    Attributes:
        setting: name of the setting
        value: the value that was given
        allowed: key of the rule in `facts/words`, section `allowed`
    """

    def __init__(self, setting: str, value: object, allowed: str, **terms: object) -> None:
        self.setting = setting
        self.value = value
        self.allowed = allowed
        rule = WORDS["allowed"][allowed].format(**terms)
        super().__init__(WORDS["refused_value"].format(setting=setting, value=shown(value), allowed=rule))


def shown(value: object) -> str:
    """A value as a message shows it: numbers as they are, text in quotes, at most 40 characters of it.

    Args:
        value: anything

    Returns:
        Text for a message.
    """
    if value is None:
        return str(WORDS["shown"]["nothing"])
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return _shortened(_number_text(value))
    if isinstance(value, str):
        return f"“{_shortened(value)}”"
    return str(WORDS["shown"]["thing"]).format(kind=type(value).__name__)


def _number_text(value: float) -> str:
    # Python refuses to print an integer of more than 4,300 digits.
    if isinstance(value, int) and abs(value) >= 10**40:
        return f"{'-' if value < 0 else ''}{abs(value) // 10 ** (value.bit_length() * 3 // 10 - 39)}…"
    return str(value)


def _shortened(text: str) -> str:
    return text if len(text) <= 40 else text[:40] + "…"


def whole(setting: str, value: Any, least: int = 0, most: int = MOST_WHOLE) -> int:
    """The value itself if it is a whole number in a range; true, 90.5 and NaN are refused.

    Args:
        setting: name of the setting, for the refusal
        value: what was given
        least: the smallest that is allowed, in the setting's own unit
        most: the largest that is allowed, in the setting's own unit

    Returns:
        The value, in the setting's own unit.

    Raises:
        SimError: for anything else
    """
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        if most == MOST_WHOLE and not (isinstance(value, (int, float)) and value > most):
            raise SimError(setting, value, "whole_from", least=least)
        raise SimError(setting, value, "whole_between", least=least, most=most)
    return value


def number(setting: str, value: Any, positive: bool = False) -> float:
    """The value itself if it is a finite number ≥ 0.

    Args:
        setting: name of the setting, for the refusal
        value: what was given
        positive: whether 0 is refused too

    Returns:
        The value as a double, in the setting's own unit.

    Raises:
        SimError: for anything else
    """
    fits = isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value < 2**1023
    if not fits or not math.isfinite(value) or (positive and value == 0):
        raise SimError(setting, value, "number_above" if positive else "number_from")
    return float(value)


def number_between(setting: str, value: Any, least: float, most: float) -> float:
    """The value itself if it is a number in a range.

    Args:
        setting: name of the setting, for the refusal
        value: what was given
        least: the smallest that is allowed, in the setting's own unit
        most: the largest that is allowed, in the setting's own unit

    Returns:
        The value as a double, in the setting's own unit.

    Raises:
        SimError: for anything else
    """
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not least <= value <= most:
        raise SimError(setting, value, "number_between", least=least, most=most)
    return float(value)


def yes_no(setting: str, value: Any) -> bool:
    """The value itself if it is true or false.

    Args:
        setting: name of the setting, for the refusal
        value: what was given

    Returns:
        The value.

    Raises:
        SimError: for anything else
    """
    if not isinstance(value, bool):
        raise SimError(setting, value, "yes_no")
    return value


def exact(setting: str, value: int) -> int:
    """The whole number itself if both languages hold it exactly (below 2^53).

    Args:
        setting: name of the setting, for the refusal
        value: a whole number, in the setting's own unit

    Returns:
        The number, in the setting's own unit.

    Raises:
        SimError: for a number that they do not
    """
    if value > MOST_WHOLE:
        raise SimError(setting, value, "exact", most=MOST_WHOLE)
    return value
