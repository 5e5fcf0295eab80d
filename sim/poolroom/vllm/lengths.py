"""The longest text that a model was made for, as vLLM derives it from its config.json."""

import math
from typing import Any

from .fields import field_of, has, number_field, object_of, text_field, whole_field
from .mixers import MOST_TOKENS
from .shape import Shape
from .values import whole_of

NAMES = (
    "max_position_embeddings n_positions max_seq_len seq_length max_target_positions "
    "max_sequence_length max_seq_length seq_len"
)
"""Fields that name a longest length; the smallest counts, and model_max_length before them.

Source:
    vLLM 0.11 to 0.33, `config/model.py`, `_get_and_verify_max_len`.
"""
_UNSCALED = ("", "default", "mrope", "su", "longrope", "llama3")


def longest_of(shape: Shape) -> int:
    """The longest length by the config, with the stretch of its positions.

    Args:
        shape: sizes of the model

    Returns:
        Tokens, or 0 where the config does not say.

    Raises:
        PlanError: for a length or a factor that is no such number

    Source:
        vLLM 0.11 to 0.33, `config/model.py`, `_get_and_verify_max_len`.
    """
    text = shape["text"]
    found = _named(text) or _named(shape["outer"])
    if shape["family"].get("scaled_longest", False):
        return found
    return _stretched(found, _scaling(text))


def _named(config: dict[str, Any]) -> int:
    # Command R names 8,192 places and a model_max_length of 131,072, which counts.
    if has(config, "model_max_length"):
        return whole_of("model_max_length", config["model_max_length"], 1, MOST_TOKENS)
    found = 0
    for name in NAMES.split(" "):
        if has(config, name):
            value = whole_of(name, config[name], 1, MOST_TOKENS)
            found = value if found == 0 else min(found, value)
    return found


def shape_places(shape: Shape) -> int:
    """The places of a model before any stretch; vLLM's default where the config does not say.

    Args:
        shape: sizes of the model

    Returns:
        Tokens.

    Raises:
        PlanError: for a length that is no such number
    """
    return whole_field(shape["text"], "max_position_embeddings", 1, MOST_TOKENS, 8_192)


def rope_rows(shape: Shape) -> int:
    """The rows of the table of positions that vLLM keeps: one for each place that a rotary embedding can turn.

    Args:
        shape: sizes of the model

    Returns:
        Rows, one a token.

    Raises:
        PlanError: for a length or a factor that is no such number

    Source:
        vLLM 0.11 to 0.33, `model_executor/layers/rotary_embedding`.
    """
    text = shape["text"]
    places = shape_places(shape)
    found = _scaling(text)
    kind = text_field(found, "rope_type") or text_field(found, "type")
    before = _original(found, places)
    if kind in ("longrope", "su"):
        return places + _original(text, before)
    if has(found, "mrope_section"):
        return 4 * places
    if kind in _UNSCALED:
        return places
    stretched = (before if kind == "yarn" else places) * number_field(found, "factor", 0.001, 1_048_576, 1.0)
    return math.floor(stretched) if stretched < MOST_TOKENS else MOST_TOKENS


def _original(config: dict[str, Any], otherwise: int) -> int:
    name = "original_max_position_embeddings"
    return whole_of(name, config[name], 1, MOST_TOKENS) if has(config, name) else otherwise


def _scaling(text: dict[str, Any]) -> dict[str, Any]:
    for name in ("rope_scaling", "rope_parameters"):
        if has(text, name):
            found = object_of(name, text[name])
            inside = field_of(found, "full_attention")
            return object_of(name, inside) if inside is not None else found
    return {}


def _stretched(found: int, scaling: dict[str, Any]) -> int:
    kind = text_field(scaling, "rope_type") or text_field(scaling, "type")
    if kind in _UNSCALED or found == 0:
        return found
    factor = number_field(scaling, "factor", 0.001, 1_048_576, 1.0)
    before = found
    if kind == "yarn" and has(scaling, "original_max_position_embeddings"):
        before = whole_of(
            "original_max_position_embeddings", scaling["original_max_position_embeddings"], 1, MOST_TOKENS
        )
    stretched = before * factor
    return math.floor(stretched) if stretched < MOST_TOKENS else MOST_TOKENS
