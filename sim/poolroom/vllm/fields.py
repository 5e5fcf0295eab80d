"""The fields of a config.json, each read with its range; what does not fit is refused by its name."""

from typing import Any

from .refuse import PlanError
from .values import MOST_WIDTH, number_of, whole_of, yes_no_of

MOST_LAYERS = 10_000
"""Layers above which a model is refused: far more than any model has.

Source:
    A choice: the deepest models of the facts have 126 layers.
"""


def object_of(setting: str, value: Any) -> dict[str, Any]:
    """The value itself if it is a JSON object.

    Args:
        setting: name of the setting, for the refusal
        value: what was given

    Returns:
        The object, without unit.

    Raises:
        PlanError: for anything else
    """
    if not isinstance(value, dict):
        raise PlanError(setting, value, "object")
    return value


def field_of(config: dict[str, Any], name: str) -> Any:
    """A field as it is, or None where it is not there.

    Args:
        config: fields by name
        name: name of the field

    Returns:
        Whatever stands there, without unit.
    """
    return config.get(name)


def has(config: dict[str, Any], name: str) -> bool:
    """Whether a field is there and is not null.

    Args:
        config: fields by name
        name: name of the field

    Returns:
        True or false.
    """
    return field_of(config, name) is not None


def whole_field(
    config: dict[str, Any], names: str, least: int, most: int = MOST_WIDTH, otherwise: int | None = None
) -> int:
    """The first field of several that is there, as a whole number.

    Args:
        config: fields by name
        names: names with blanks between them; the first that is there counts
        least: the smallest that is allowed, in the field's own unit
        most: the largest that is allowed, in the field's own unit
        otherwise: what counts where none is there, in the field's own unit; None: the field must be there

    Returns:
        The number, in the field's own unit.

    Raises:
        PlanError: for a field that is missing, and for one that is no such number
    """
    for name in names.split(" "):
        if has(config, name):
            return whole_of(name, config[name], least, most)
    if otherwise is None:
        raise PlanError(names.split(" ")[0], None, "whole_of", least=least, most=most)
    return otherwise


def number_field(config: dict[str, Any], name: str, least: float, most: float, otherwise: float) -> float:
    """A field as a number in a range.

    Args:
        config: fields by name
        name: name of the field
        least: the smallest that is allowed, in the field's own unit
        most: the largest that is allowed, in the field's own unit
        otherwise: what counts where the field is not there, in the field's own unit

    Returns:
        The number, in the field's own unit.

    Raises:
        PlanError: for anything else
    """
    return number_of(name, config[name], least, most) if has(config, name) else otherwise


def flag_field(config: dict[str, Any], name: str, otherwise: bool) -> bool:
    """A field that is true or false.

    Args:
        config: fields by name
        name: name of the field
        otherwise: what counts where the field is not there, true or false

    Returns:
        True or false.

    Raises:
        PlanError: for anything else
    """
    return yes_no_of(name, config[name]) if has(config, name) else otherwise


def text_field(config: dict[str, Any], name: str, otherwise: str = "") -> str:
    """A field that is a text.

    Args:
        config: fields by name
        name: name of the field
        otherwise: what counts where the field is not there, a text

    Returns:
        The text, without unit.

    Raises:
        PlanError: for anything else
    """
    if not has(config, name):
        return otherwise
    if not isinstance(config[name], str):
        raise PlanError(name, config[name], "config_text")
    return str(config[name])


def table_field(config: dict[str, Any], name: str) -> dict[str, Any]:
    """A field that is an object; an empty one where it is not there.

    Args:
        config: fields by name
        name: name of the field

    Returns:
        Fields by name, without unit.

    Raises:
        PlanError: for anything else
    """
    return object_of(name, config[name]) if has(config, name) else {}


def list_field(config: dict[str, Any], name: str, most: int = 100_000) -> list[Any]:
    """A field that is a list; an empty one where it is not there.

    Args:
        config: fields by name
        name: name of the field
        most: how many entries a list may have

    Returns:
        The entries, without unit.

    Raises:
        PlanError: for anything else
    """
    if not has(config, name):
        return []
    if not isinstance(config[name], list) or len(config[name]) > most:
        raise PlanError(name, config[name], "config_list", most=most)
    return [*config[name]]


def texts_field(config: dict[str, Any], name: str) -> list[str]:
    """A field that is a list of texts; an empty one where it is not there.

    Args:
        config: fields by name
        name: name of the field

    Returns:
        The texts, without unit.

    Raises:
        PlanError: for anything else
    """
    found = list_field(config, name)
    for each in found:
        if not isinstance(each, str):
            raise PlanError(name, each, "config_text")
    return found
