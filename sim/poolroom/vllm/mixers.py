"""How each layer of a model looks at other tokens."""

from typing import Any

from .fields import field_of, flag_field, has, list_field, table_field, text_field, whole_field
from .refuse import PlanError
from .shape import Shape
from .values import whole_of

_LAYER_TYPES: dict[str, str] = {
    "full_attention": "full",
    "attention": "full",
    "sliding_attention": "sliding",
    "chunked_attention": "chunked",
    "linear_attention": "state",
    "mamba": "state",
    "conv": "state",
}
MOST_TOKENS = 1_073_741_824
"""The longest length that is read: 2^30 tokens.

Source:
    A choice: the longest of the facts is 10,485,760 tokens (Llama 4 Scout).
"""


def mixers_of(shape: Shape) -> list[str]:
    """How each layer looks at other tokens: "full", "sliding", "chunked", "state", "cross", "none", or two of them.

    Args:
        shape: sizes of the model

    Returns:
        One text a layer, without unit; "full+state" and "full+cross" are layers that do both.

    Raises:
        PlanError: for a list of another length, and for a type of layer that is not understood
    """
    text, family, layers = shape["text"], shape["family"], shape["layers"]
    hybrid = family.get("hybrid", "")
    if has(text, "layer_types"):
        return _from_types(shape, list_field(text, "layer_types"), "layer_types")
    if has(text, "layers_block_type") and hybrid:
        return _from_types(shape, list_field(text, "layers_block_type"), "layers_block_type")
    if hybrid == "encoder_decoder":
        return ["full+cross"] * layers
    if family.get("both_mixers", False):
        return ["full+state"] * layers
    if hybrid and family.get("no_mlp", False):
        return ["state"] * layers
    if hybrid:
        return _hybrid(shape, text, hybrid)
    return [_attention(shape, i) for i in range(layers)]


def _from_types(shape: Shape, types: list[Any], name: str) -> list[str]:
    if len(types) != shape["layers"]:
        raise PlanError(name, types, "config_layers", layers=shape["layers"])
    state = shape["family"].get("hybrid", "")
    found = []
    for each in types:
        mixer = _LAYER_TYPES.get(each, "") if isinstance(each, str) else ""
        if not mixer or (mixer == "state" and state in ("", "cross", "encoder_decoder")):
            raise PlanError(name, each, "config_layer_type", names=", ".join(list(_LAYER_TYPES)))
        found.append(_windowed(shape, mixer))
    return found


def _windowed(shape: Shape, mixer: str) -> str:
    return "full" if mixer in ("sliding", "chunked") and window_of(shape, mixer) == 0 else mixer


def _hybrid(shape: Shape, text: dict[str, Any], hybrid: str) -> list[str]:
    layers = shape["layers"]
    if hybrid == "gdn":
        every = whole_field(text, "full_attention_interval", 1, otherwise=int(shape["family"]["full_every"]))
        return ["full" if (i + 1) % every == 0 else "state" for i in range(layers)]
    if has(text, "hybrid_override_pattern"):
        return _from_letters(text_field(text, "hybrid_override_pattern"), layers)
    if has(text, "attn_layer_period"):
        period = whole_field(text, "attn_layer_period", 1)
        offset = whole_field(text, "attn_layer_offset", 0, otherwise=0)
        return ["full" if i % period == offset % period else "state" for i in range(layers)]
    if hybrid == "kda":
        inside = table_field(text, "linear_attn_config")
        chosen_ones = _chosen(inside, "full_attn_layers", layers, 1)
        return ["full" if i + 1 in chosen_ones else "state" for i in range(layers)]
    if hybrid == "cross":
        crossing = _chosen(text, "cross_attention_layers", layers, 0)
        return ["cross" if i in crossing else "full" for i in range(layers)]
    chosen = _chosen(text, "full_attn_idxs" if hybrid == "short_conv" else "attn_layer_indices", layers, 0)
    return ["full" if i in chosen else "state" for i in range(layers)]


def _chosen(config: dict[str, Any], name: str, layers: int, first: int) -> set[int]:
    if not has(config, name):
        raise PlanError(name, None, "config_list", most=layers)
    return {whole_of(name, each, first, layers - 1 + first) for each in list_field(config, name)}


def _from_letters(pattern: str, layers: int) -> list[str]:
    letters: dict[str, str] = {"M": "state", "*": "full", "-": "none", "E": "none"}
    found = []
    for each in pattern:
        if each not in letters:
            raise PlanError("hybrid_override_pattern", pattern, "config_layer_type", names="M, *, -, E")
        found.append(letters[each])
    if len(found) != layers:
        raise PlanError("hybrid_override_pattern", pattern, "config_layers", layers=layers)
    return found


def window_of(shape: Shape, mixer: str) -> int:
    """The tokens that a layer of a kind looks back.

    Args:
        shape: sizes of the model
        mixer: "sliding" or "chunked"

    Returns:
        Tokens, or 0 for all of them.

    Raises:
        PlanError: for a window that is no whole number
    """
    text, family = shape["text"], shape["family"]
    name = "attention_chunk_size" if mixer == "chunked" else "sliding_window"
    if name in text:
        return whole_field(text, name, 0, MOST_TOKENS) if has(text, name) else 0
    return 8_192 if mixer == "chunked" else int(family.get("window_size", 0))


def _attention(shape: Shape, i: int) -> str:
    text, rule = shape["text"], shape["family"].get("windows", "all")
    if rule == "chunked":
        return _chunked(shape, i)
    reach = window_of(shape, "sliding")
    if not reach or not flag_field(text, "use_sliding_window", rule != "flag"):
        return "full"
    if rule == "flag":
        return "sliding" if i >= whole_field(text, "max_window_layers", 0, otherwise=28) else "full"
    if rule == "pattern":
        return "sliding" if _in_pattern(text, shape["family"], i) else "full"
    return "sliding"


def _in_pattern(text: dict[str, Any], family: dict[str, Any], i: int) -> bool:
    name = "sliding_window_pattern" if has(text, "sliding_window_pattern") else "_sliding_window_pattern"
    if isinstance(field_of(text, name), str):
        pattern = str(text[name])
        for each in pattern:
            if each not in "LG":
                raise PlanError(name, pattern, "config_layer_type", names="L, G")
        if not pattern:
            raise PlanError(name, pattern, "config_layer_type", names="L, G")
        return pattern[i % len(pattern)] == "L"
    return (i + 1) % whole_field(text, name, 1, otherwise=int(family["pattern"])) != 0


def _chunked(shape: Shape, i: int) -> str:
    text = shape["text"]
    if not window_of(shape, "chunked"):
        return "full"
    ropes = text["no_rope_layers"] if has(text, "no_rope_layers") else []
    if not isinstance(ropes, list):
        raise PlanError("no_rope_layers", ropes, "config_layers", layers=shape["layers"])
    if len(ropes) > 0:
        if len(ropes) != shape["layers"]:
            raise PlanError("no_rope_layers", ropes, "config_layers", layers=shape["layers"])
        return "chunked" if whole_of("no_rope_layers", ropes[i], 0, 1) else "full"
    return "chunked" if (i + 1) % whole_field(text, "no_rope_layer_interval", 1, otherwise=4) else "full"
