"""Which family a config.json belongs to, and what is refused because its layers are not understood."""

from typing import Any

from .fields import flag_field, has, object_of, text_field
from .plan_facts import FAMILIES
from .refuse import PlanError

NESTED = ("text_config", "llm_config", "language_config", "thinker_config")
"""Fields under which models of several senses keep the config of their language model.

Source:
    transformers 4.57, `PretrainedConfig.get_text_config`; vLLM's `get_hf_text_config`.
"""


def text_config_of(config: Any) -> tuple[dict[str, Any], dict[str, Any], bool]:
    """The config of the language model inside a config.json.

    Args:
        config: a config.json as an object

    Returns:
        The whole config, the language model's own, and whether that is nested; without unit.

    Raises:
        PlanError: for what is no object
    """
    outer = object_of("config", config)
    text = outer
    for _ in range(2):
        for name in NESTED:
            if has(text, name):
                text = object_of(name, text[name])
                break
    return outer, text, text is not outer


def model_type_of(outer: dict[str, Any], text: dict[str, Any]) -> str:
    """The model type of a config: the language model's own, or that of the whole.

    Args:
        outer: the whole config
        text: the config of the language model

    Returns:
        A model type, without unit.

    Raises:
        PlanError: for a config without one
    """
    found = text_field(text, "model_type") or text_field(outer, "model_type")
    if not found:
        raise PlanError("model_type", None, "config_text")
    return found


def family_of(text: dict[str, Any], model_type: str) -> dict[str, Any]:
    """What is known of a model type; an unknown one is read as a Llama, and marked, unless something smells of state.

    Args:
        text: the config of the language model
        model_type: its model type

    Returns:
        Options of the family, without unit; `guess` is there for what is not known.

    Raises:
        PlanError: for encoders, which keep no cache, and for layers with a state that is not understood
    """
    known: dict[str, Any] = FAMILIES["families"]
    named = FAMILIES["also"].get(model_type, model_type)
    if model_type in FAMILIES["unread"]["encoders"]:
        raise PlanError("model_type", model_type, "config_encoder")
    if model_type in FAMILIES["unread"]["types"]:
        raise PlanError("model_type", model_type, "config_state")
    family: dict[str, Any] = known.get(named, {"guess": "model_type", "moe": True})
    if "like" in family:
        family = known[family["like"]] | family
    if "hybrid" not in family:
        refuse_state(text)
    return family


def refuse_state(text: dict[str, Any]) -> None:
    """Refuse a field that speaks of layers with a state, or of mixed layers, where a model is read as a plain one.

    Args:
        text: the config of the language model

    Raises:
        PlanError: for such a field, by its name
    """
    for name in list(text):
        value = text[name]
        if _says_nothing(value):
            continue
        for smell in FAMILIES["unread"]["state"]:
            if name.startswith(smell) or ("_" + smell) in name:
                raise PlanError(name, value, "config_state")


def _says_nothing(value: Any) -> bool:
    if isinstance(value, (list, dict)):
        return len(list(value)) == 0
    return value is None or value is False or value == 0 or value == ""


def option(text: dict[str, Any], family: dict[str, Any], name: str) -> bool:
    """An option of a family: true, or the name of the field that says whether.

    Args:
        text: the config of the language model
        family: options of its family
        name: name of the option

    Returns:
        True or false.

    Raises:
        PlanError: for a field that is neither true nor false
    """
    from_family = family.get(name, False)
    if isinstance(from_family, bool):
        return from_family
    return flag_field(text, str(from_family), False)
