"""What each layer of a model keeps of a chat."""

from typing import TypedDict

from .fields import whole_field
from .mixers import window_of
from .shape import Shape
from .states import State
from .tensors import heads_of


class Kind(TypedDict):
    """One kind of layer as the KV cache sees it, on one GPU that holds the whole layer.

    Attributes:
        kind: "full", "sliding", "chunked", "mla", "mamba", "cross" or "shared", without unit
        kv_heads: heads that keep keys and values
        head_dim: values of a key, values a head
        head_dim_v: values of a value, values a head; 0: keys and values are one vector
        window: tokens that a layer looks back; 0: all of them
        state: for "mamba", pairs of values and of bytes a value; 0 bytes: the type of the model
    """

    kind: str
    kv_heads: int
    head_dim: int
    head_dim_v: int
    window: int
    state: list[list[int]]


def kinds_of(shape: Shape, state: State | None, mixers: list[str]) -> tuple[list[Kind], list[int], list[int]]:
    """The kinds of layers that keep something, and the kind of each layer in order.

    A layer that keeps two things, as in Whisper's decoder, stands there twice; a layer that keeps nothing, not at all.

    Args:
        shape: sizes of the model
        state: sizes of a layer with a state, or None
        mixers: how each layer looks at other tokens

    Returns:
        The kinds, for each cache its index among them, and how many caches each layer has, without unit.

    Raises:
        PlanError: for shared layers that are no whole number below the layers
    """
    shared = whole_field(shape["text"], "num_kv_shared_layers", 0, shape["layers"] - 1, 0)
    names: list[str] = []
    many: list[int] = []
    for i in range(len(mixers)):
        own = [] if mixers[i] == "none" else mixers[i].split("+")
        if shared and i >= len(mixers) - shared:
            own = ["shared"]
        names.extend(own)
        many.append(len(own))
    seen: dict[str, int] = {}
    kinds: list[Kind] = []
    for name in names:
        if name not in seen:
            seen[name] = len(kinds)
            kinds.append(_kind(shape, state, name))
    return kinds, [seen[name] for name in names], many


def _kind(shape: Shape, state: State | None, name: str) -> Kind:
    latent = shape["latent"]
    if name == "state":
        kept = state["kept"] if state else []
        return {"kind": "mamba", "kv_heads": 0, "head_dim": 0, "head_dim_v": 0, "window": 0, "state": kept}
    if latent and name == "full":
        size = latent["rank"] + latent["rope"]
        return {"kind": "mla", "kv_heads": 1, "head_dim": size, "head_dim_v": 0, "window": 0, "state": []}
    reach = window_of(shape, name) if name in ("sliding", "chunked") else 0
    sizes = heads_of(shape, name) if name != "shared" else (0, 0, 0)
    return {
        "kind": name,
        "kv_heads": sizes[0],
        "head_dim": sizes[1],
        "head_dim_v": sizes[2],
        "window": reach,
        "state": [],
    }
