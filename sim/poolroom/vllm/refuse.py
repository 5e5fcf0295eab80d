"""What a plan refuses: a refusal names setting, value and what is allowed, in words of its own."""

from collections.abc import Sequence
from typing import Any

from ..checks import SimError, shown
from ..facts import WORDS
from .plan_facts import ALLOWED


class PlanError(SimError):
    """A value of a plan that cannot be used; the message names the setting, the value and what is allowed.

    Args:
        terms: numbers and names that the rule mentions

    Attributes:
        setting: name of the setting
        value: the value that was given
        allowed: key of the rule in `facts/vllm/allowed.json`
    """

    def __init__(self, setting: str, value: object, allowed: str, **terms: object) -> None:
        self.setting = setting
        self.value = value
        self.allowed = allowed
        rule = ALLOWED[allowed].format(**terms)
        ValueError.__init__(self, WORDS["refused_value"].format(setting=setting, value=shown(value), allowed=rule))


def one_of_names(setting: str, value: Any, names: Sequence[str]) -> str:
    """The value itself if it is one of some names.

    Args:
        setting: name of the setting, for the refusal
        value: what was given
        names: what is allowed, in the order in which a refusal shows them

    Returns:
        The value, one of the names.

    Raises:
        PlanError: for anything else
    """
    if not isinstance(value, str) or value not in names:
        raise PlanError(setting, value, "name_of", names=", ".join(names))
    return value
