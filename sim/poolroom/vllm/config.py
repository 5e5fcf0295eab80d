"""A Hugging Face config.json, read as vLLM reads it: what the memory of a server depends on."""

import math
from typing import Any, TypedDict

from .architecture import Kind, kinds_of
from .experts import mlp_width
from .fields import has, number_field, table_field, texts_field, whole_field
from .lengths import longest_of, rope_rows, shape_places
from .mixers import mixers_of
from .mlps import mlps_of
from .parameters import Counted, counted
from .quantisation import Quantisation
from .quantisation_config import quantisation_of
from .refuse import PlanError
from .safetensors import index_of, parameters_of
from .senses import senses_of
from .shape import Shape, shape_of
from .states import state_of
from .sums import product, total
from .tensors import values_of


class Weights(TypedDict):
    """What the weights of a model are made of.

    Attributes:
        counted: tensors by kinds of layers
        quantisation: how the checkpoint stores them
        least: the fewest values that they may have
        most: the most values that they may have
        index_bytes: all tensors by the index, bytes; 0: not known
        caches: how many caches each layer has, without unit
        kv_heads: heads that keep keys and values
        hidden: values of a hidden state
        rope: values of the tables of positions
        tied: whether the head is the embedding
        expert_number: how many routed experts a layer has
        expert_width: values of one expert's feed-forward layer
    """

    counted: Counted
    quantisation: Quantisation
    least: int
    most: int
    index_bytes: int
    caches: list[int]
    kv_heads: int
    hidden: int
    rope: int
    tied: bool
    expert_number: int
    expert_width: int


class Model(TypedDict):
    """What a plan needs of a model.

    Attributes:
        name: its name, without unit
        architecture: its class, without unit
        model_type: its model type, without unit
        dtype: type of its weights as the config names it, without unit
        hidden_size: values of a hidden state
        vocab_size: words of the vocabulary, tokens
        heads: query heads
        mlp_width: feed-forward values that a token passes in one layer
        longest: longest length by the config, tokens; 0: not said
        kinds: kinds of layers that keep something
        order: for each cache in order of layers, its index among the kinds, without unit
        encoder_tokens: tokens of an encoder that each chat keeps
        multimodal: whether it sees or hears, true or false
        quantisation: how its weights are stored; "" for not quantised, without unit
        parameters: how many values a server loads
        parameters_kind: "index" or "counted", without unit
        weights: what the weights are made of
        guesses: keys of what is guessed, without unit
        not_counted: keys of what is not counted, without unit
    """

    name: str
    architecture: str
    model_type: str
    dtype: str
    hidden_size: int
    vocab_size: int
    heads: int
    mlp_width: int
    longest: int
    kinds: list[Kind]
    order: list[int]
    encoder_tokens: int
    multimodal: bool
    quantisation: str
    parameters: int
    parameters_kind: str
    weights: Weights
    guesses: list[str]
    not_counted: list[str]


def read_model(config: Any, index: Any = None, name: str = "") -> Model:
    """Read a model from its config.json, and check the count of its parameters against its index.

    Args:
        config: a config.json as an object
        index: its `model.safetensors.index.json` as an object, or None
        name: a name for it

    Returns:
        The model.

    Raises:
        PlanError: for what is not understood, by its name
    """
    shape, told = shape_of(config), index_of(index)
    if told["has_names"] and not shape["says_tied"]:
        shape["tied"] = not told["has_head"]
    mixers = mixers_of(shape)
    kinds, order, caches = kinds_of(shape, state_of(shape), mixers)
    if len(order) == 0:
        raise PlanError("num_hidden_layers", shape["layers"], "config_state")
    beside, guesses, least, most = senses_of(shape)
    parts = counted(shape, state_of(shape), mixers, mlps_of(shape, mixers), beside)
    quantisation = quantisation_of(shape["outer"], shape["text"])
    parameters, kind, differs = parameters_of(told, parts, quantisation["method"], shape["dtype"])
    text_only = parts["parameters"] - values_of(beside)
    tenth = text_only // 10 if "guess" in shape["family"] else 0
    return {
        "name": name,
        "architecture": _architecture(shape),
        "model_type": shape["model_type"],
        "dtype": shape["dtype"],
        "hidden_size": shape["hidden"],
        "vocab_size": shape["vocab"],
        "heads": shape["heads"],
        "mlp_width": mlp_width(shape["experts"], shape["width"]),
        "longest": longest_of(shape),
        "kinds": kinds,
        "order": order,
        "encoder_tokens": _encoder_tokens(shape),
        "multimodal": _has_senses(shape),
        "quantisation": quantisation["method"],
        "parameters": parameters,
        "parameters_kind": kind,
        "weights": {
            "counted": parts,
            "quantisation": quantisation,
            "least": text_only - tenth + least,
            "most": total("parameters", text_only, tenth, most),
            "index_bytes": told["bytes"],
            "caches": caches,
            "kv_heads": shape["kv_heads"],
            "hidden": shape["hidden"],
            "rope": _rope(shape),
            "tied": shape["tied"],
            "expert_number": shape["experts"]["number"],
            "expert_width": shape["experts"]["width"],
        },
        "guesses": _guesses(shape, guesses, differs),
        "not_counted": ["sparse_index"] if shape["family"].get("sparse_index", False) else [],
    }


def _guesses(shape: Shape, senses: list[str], differs: bool) -> list[str]:
    own = [str(shape["family"]["guess"])] if "guess" in shape["family"] else []
    index = ["index_differs"] if differs else []
    return [*own, *senses, *index]


def _architecture(shape: Shape) -> str:
    names = texts_field(shape["outer"], "architectures")
    return names[0] if len(names) > 0 else ""


def _has_senses(shape: Shape) -> bool:
    if shape["family"].get("hybrid") == "encoder_decoder":
        return True
    names = ("vision_config", "audio_config", "vision_tower_config", "speech_config", "thinker_config")
    return len([name for name in names if has(shape["outer"], name)]) > 0


def _encoder_tokens(shape: Shape) -> int:
    hybrid = shape["family"].get("hybrid")
    if hybrid == "encoder_decoder":
        return whole_field(shape["text"], "max_source_positions", 1, otherwise=1_500)
    if hybrid != "cross":
        return 0
    eye = table_field(shape["outer"], "vision_config")
    side, patch = whole_field(eye, "image_size", 1, 65_536, 560), whole_field(eye, "patch_size", 1, 65_536, 14)
    tiles = whole_field(eye, "max_num_tiles", 1, 65_536, 4)
    across = side // patch
    return product("image_size", tiles, product("image_size", across, across) + 1)


def _rope(shape: Shape) -> int:
    family, text, latent = shape["family"], shape["text"], shape["latent"]
    if family.get("no_rope", False):
        return 0
    part = number_field(text, "partial_rotary_factor", 0, 1, number_field(text, "rotary_pct", 0, 1, 1.0))
    size = latent["rope"] if latent else math.floor(shape["head_dim"] * part)
    windowed = family.get("windows") == "pattern" and family.get("scaled_longest", False)
    rows = rope_rows(shape) + (shape_places(shape) if windowed else 0)
    return product("max_position_embeddings", rows, size)
