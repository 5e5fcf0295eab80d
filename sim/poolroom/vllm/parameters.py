"""Parameters counted part by part from the architecture."""

from typing import TypedDict

from .end_tensors import first_tensors, last_tensors
from .fields import flag_field, list_field, whole_field
from .mlps import mlp_tensors
from .refuse import PlanError
from .shape import Shape
from .state_tensors import state_tensors
from .states import State
from .sums import product, total
from .tensors import Tensor, attention_tensors, index_tensors, norm_values, tensor, values_of


class Counted(TypedDict):
    """All weights of a model: kinds of layers with their tensors, and what stands before and after them.

    Attributes:
        templates: the tensors of each kind of layer
        order: for each layer, the index of its kind among the templates, without unit
        first: tensors before the layers
        last: tensors after the layers
        beside: tensors of other senses: vision, audio, an encoder
        unloaded: values of a checkpoint that a server does not load
        unloaded_words: those of them that are an embedding or a head, values
        parameters: all values that a server loads
    """

    templates: list[list[Tensor]]
    order: list[int]
    first: list[Tensor]
    last: list[Tensor]
    beside: list[Tensor]
    unloaded: int
    unloaded_words: int
    parameters: int


def counted(shape: Shape, state: State | None, mixers: list[str], mlps: list[str], beside: list[Tensor]) -> Counted:
    """Count the weights of a model.

    Args:
        shape: sizes of the model
        state: sizes of a layer with a state, or None
        mixers: how each layer looks at other tokens
        mlps: the feed-forward part of each layer
        beside: tensors of other senses

    Returns:
        The tensors, and how many values they have.

    Raises:
        PlanError: for a sum above 2^53 − 1
    """
    mixers = _without_keys(shape, mixers)
    indexed = _indexed(shape)
    seen: dict[str, int] = {}
    templates: list[list[Tensor]] = []
    order = []
    for i in range(len(mixers)):
        key = f"{_weights_like(shape, mixers[i])}/{mlps[i]}/{'index' if indexed[i] else ''}"
        if key not in seen:
            seen[key] = len(templates)
            index = index_tensors(shape) if indexed[i] else []
            templates.append([*layer_tensors(shape, state, mixers[i], mlps[i]), *index])
        order.append(seen[key])
    first, last = first_tensors(shape), last_tensors(shape)
    sizes = [values_of(each) for each in templates]
    many = [0] * len(templates)
    for each in order:
        many[each] += 1
    layers = [product("num_hidden_layers", sizes[i], many[i]) for i in range(len(sizes))]
    size = total("parameters", *layers, values_of(first), values_of(last), values_of(beside))
    return {
        "templates": templates,
        "order": order,
        "first": first,
        "last": last,
        "beside": beside,
        "unloaded": _unloaded(shape, templates, order),
        "unloaded_words": _unloaded_words(shape),
        "parameters": size,
    }


def _without_keys(shape: Shape, mixers: list[str]) -> list[str]:
    # Gemma 4: layers that look at the cache of another layer have no weights for keys and values.
    if not shape["family"].get("shared_without_keys", False):
        return mixers
    shared = whole_field(shape["text"], "num_kv_shared_layers", 0, shape["layers"] - 1, 0)
    own = len(mixers) - shared
    return [mixers[i] if i < own else f"shared_{mixers[i]}" for i in range(len(mixers))]


def _indexed(shape: Shape) -> list[bool]:
    # Sparse attention: a layer has an index of its own, or takes the one of a layer before it.
    own = bool(shape["family"].get("sparse_index", False))
    types = list_field(shape["text"], "indexer_types") if own else []
    if len(types) > 0 and len(types) != shape["layers"]:
        raise PlanError("indexer_types", types, "config_layers", layers=shape["layers"])
    return [own and (len(types) == 0 or types[i] == "full") for i in range(shape["layers"])]


def _weights_like(shape: Shape, mixer: str) -> str:
    return "full" if mixer in ("sliding", "chunked") and "global_head_dim" not in shape["family"] else mixer


def layer_tensors(shape: Shape, state: State | None, mixer: str, mlp: str) -> list[Tensor]:
    """The tensors of one layer.

    Args:
        shape: sizes of the model
        state: sizes of a layer with a state, or None
        mixer: how it looks at other tokens
        mlp: its feed-forward part

    Returns:
        The tensors.

    Raises:
        PlanError: for sizes whose product is above 2^53 − 1
    """
    out: list[Tensor] = []
    for part in mixer.split("+"):
        if part == "state" and state:
            out.extend(state_tensors(shape, state))
        elif part in ("full", "sliding", "chunked", "shared_full", "shared_sliding"):
            out.extend(attention_tensors(shape, part))
        elif part == "cross":
            out.extend(_cross_tensors(shape))
    out.extend(mlp_tensors(shape, mlp, mixer.startswith("shared")))
    if shape["family"].get("layer_scale", False):
        out.append(tensor("layer_scale", "plain", whole=1))
    if mixer == "full+cross":
        return [*out, tensor("norms", "plain", whole=3 * norm_values(shape, shape["hidden"]))]
    return [
        *out,
        tensor("norms", "plain", whole=product("norms", _norms(shape, mlp), norm_values(shape, shape["hidden"]))),
    ]


def _norms(shape: Shape, mlp: str) -> int:
    text, family = shape["text"], shape["family"]
    if mlp == "experts" and "norms_with_experts" in family:
        return int(family["norms_with_experts"])
    if family.get("falcon", False):
        if flag_field(text, "new_decoder_architecture", False):
            return whole_field(text, "num_ln_in_parallel_attn", 1, 2, 2)
        return 1 if flag_field(text, "parallel_attn", True) else 2
    if "norms_if_parallel" in family and flag_field(text, str(family["norms_if_parallel"]), False):
        return 1
    return int(family.get("norms", 2))


def _cross_tensors(shape: Shape) -> list[Tensor]:
    own = attention_tensors(shape)
    if shape["family"].get("hybrid") == "cross":
        # Mllama: a norm of queries and of keys, and two gates that open slowly in training.
        own.append(tensor("cross_norms", "plain", whole=2 * shape["head_dim"] + 2))
    return own


def _speculating(shape: Shape) -> int:
    names = "num_nextn_predict_layers mtp_num_hidden_layers"
    return whole_field(shape["text"], names, 0, 1_000, int(shape["family"].get("mtp", 0)))


def _unloaded_words(shape: Shape) -> int:
    # The layers for speculation of some models bring embedding and head once more.
    words = product("vocab_size", 2, shape["vocab"], shape["hidden"])
    own = bool(shape["family"].get("mtp_words", False))
    return product("num_nextn_predict_layers", _speculating(shape), words) if own else 0


def _unloaded(shape: Shape, templates: list[list[Tensor]], order: list[int]) -> int:
    # Layers for speculation: like the last one, with a matrix that joins two hidden states, and three norms.
    hidden, name = shape["hidden"], "num_nextn_predict_layers"
    each = total(name, values_of(templates[order[len(order) - 1]]), product(name, 2, hidden, hidden), 3 * hidden)
    return total(name, product(name, _speculating(shape), each), _unloaded_words(shape))
