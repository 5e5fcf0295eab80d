"""Which weights are stored how: names of modules in a quantisation config, matched with the tensors of a layer."""

from typing import TypedDict

from .quantisation import Quantisation, Scheme
from .tensors import Tensor

ALIASES: dict[str, str] = {
    "qkv": "self_attn attn attention self_attention q_proj k_proj v_proj qkv_proj query_key_value c_attn Wqkv",
    "o": "self_attn attn attention self_attention o_proj out_proj dense c_proj",
    "qkv_a": "self_attn q_a_proj kv_a_proj_with_mqa kv_a_proj",
    "q_b": "self_attn q_b_proj",
    "q": "self_attn q_proj",
    "kv_a": "self_attn kv_a_proj_with_mqa",
    "kv_b": "self_attn kv_b_proj",
    "index": "self_attn indexer wq_b wk weights_proj",
    "in_proj": "mixer mamba linear_attn in_proj in_proj_qkvz in_proj_qkv in_proj_z conv",
    "ba": "linear_attn in_proj_ba in_proj_a in_proj_b",
    "x_proj": "mixer mamba x_proj",
    "out_proj": "mixer mamba linear_attn out_proj conv",
    "gate_up": "mlp feed_forward gate_proj up_proj gate_up_proj fc1 c_fc dense_h_to_4h",
    "down": "mlp feed_forward down_proj fc2 c_proj dense_4h_to_h",
    "shared_gate_up": "mlp shared_expert shared_experts shared_mlp",
    "shared_down": "mlp shared_expert shared_experts shared_mlp",
    "w13": "mlp experts block_sparse_moe FusedMoE",
    "w2": "mlp experts block_sparse_moe FusedMoE",
    "head": "lm_head output",
}
"""By tensor, the names under which a config may leave it out.

Source:
    Names of modules in transformers 4.57.
"""
_QUANTISED = ("linear", "expert")


def aliases_of(name: str) -> list[str]:
    """The names under which a config may mean a tensor.

    Args:
        name: name of the tensor

    Returns:
        Names, without unit.
    """
    return ALIASES[name].split(" ") if name in ALIASES else []


class Chooser(TypedDict):
    """Names of modules that are left as they are.

    Attributes:
        everywhere: names that are left in every layer, without unit
        layers: by layer, the names that are left in that layer, without unit
    """

    everywhere: list[str]
    layers: dict[str, list[str]]


def chooser_of(patterns: list[str]) -> Chooser:
    """Sort names and patterns of modules by layer.

    Args:
        patterns: names such as "model.layers.3.mlp.down_proj", or patterns that begin with "re:"

    Returns:
        The last part of each name, by layer.
    """
    found: Chooser = {"everywhere": [], "layers": {}}
    for pattern in patterns:
        words = _words(pattern)
        if len(words) == 0 or words[0] in ("mtp", "visual", "vision_tower"):
            continue
        layer = _layer(words)
        if layer < 0:
            found["everywhere"].append(words[len(words) - 1])
        else:
            found["layers"][layer_key(layer)] = [*left_there(found, layer), words[len(words) - 1]]
    return found


def layer_key(layer: int) -> str:
    """The name of a layer in a chooser.

    Args:
        layer: place of the layer among all, from 0

    Returns:
        A name, without unit.
    """
    return f"layer {layer}"


def left_in(chooser: Chooser, layer: int) -> list[str]:
    """The names of modules that are left as they are in a layer.

    Args:
        chooser: names of modules
        layer: place of the layer among all, from 0

    Returns:
        Names, without unit.
    """
    return [*chooser["everywhere"], *left_there(chooser, layer)]


def left_there(chooser: Chooser, layer: int) -> list[str]:
    """The names of modules that are left as they are in one layer alone.

    Args:
        chooser: names of modules
        layer: place of the layer among all, from 0

    Returns:
        Names, without unit.
    """
    return chooser["layers"].get(layer_key(layer), [])


def _words(pattern: str) -> list[str]:
    text = pattern[3:] if pattern.startswith("re:") else pattern
    words = []
    word = ""
    for each in f"{text}.":
        if each in "./":
            words.append(word)
            word = ""
        elif each not in "^$*+?()[]\\":
            word += each
    return [each for each in words if each]


def _layer(words: list[str]) -> int:
    for i in range(len(words) - 1):
        if words[i] in ("layers", "h", "blocks", "layer") and _digits(words[i + 1]):
            return _number(words[i + 1])
    return -1


def _number(word: str) -> int:
    number = 0
    for each in word:
        number = 10 * number + "0123456789".index(each)
    return number


def _digits(word: str) -> bool:
    for each in word:
        if each not in "0123456789":
            return False
    return len(word) < 8


def scheme_of(each: Tensor, stored: Quantisation, chooser: Chooser, layer: int) -> Scheme | None:
    """How a tensor is stored, or None for as it is.

    Args:
        each: the tensor
        stored: how the checkpoint stores weights
        chooser: names of modules that are left as they are
        layer: place of its layer among all, from 0; -1: outside the layers

    Returns:
        The way it is stored, or None.
    """
    role = each["role"]
    words = stored["words"] and role in ("embedding", "head")
    if not words and role == "head":
        return _head_scheme(stored)
    if not words and (role not in _QUANTISED or (stored["experts_only"] and role != "expert")):
        return None
    names = aliases_of(each["name"])
    left = left_in(chooser, layer)
    if len([name for name in left if name in names or _digits(name)]) > 0:
        return None
    for scheme in stored["schemes"]:
        if len(scheme["targets"]) == 0 or _targeted(scheme["targets"], names, layer):
            return scheme
    return None


def _head_scheme(stored: Quantisation) -> Scheme | None:
    # A head is left as it is unless the config names it.
    for scheme in stored["schemes"]:
        if len(scheme["targets"]) > 0 and _targeted(scheme["targets"], aliases_of("head"), -1):
            return scheme
    return None


def _targeted(targets: list[str], names: list[str], layer: int) -> bool:
    chooser = chooser_of(targets)
    return len([name for name in left_in(chooser, layer) if name in names]) > 0
