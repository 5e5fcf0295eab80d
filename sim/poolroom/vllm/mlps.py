"""The feed-forward weights of one layer: dense, or experts."""

from .families import option
from .fields import field_of, flag_field
from .shape import Shape
from .sums import product
from .tensors import Tensor, tensor

_LETTERS: dict[str, str] = {"-": "dense", "E": "experts"}


def mlps_of(shape: Shape, mixers: list[str]) -> list[str]:
    """The feed-forward part of each layer: "dense", "experts" or "none".

    Args:
        shape: sizes of the model
        mixers: how each layer looks at other tokens

    Returns:
        One text a layer, without unit.
    """
    pattern = field_of(shape["text"], "hybrid_override_pattern")
    if shape["family"].get("no_mlp", False):
        return ["none" for _ in mixers]
    if isinstance(pattern, str) and len(pattern) == len(mixers):
        return [_LETTERS.get(each, "none") for each in [*pattern]]
    return ["experts" if each else "dense" for each in shape["experts"]["layers"]]


def mlp_tensors(shape: Shape, mlp: str, shared: bool = False) -> list[Tensor]:
    """The tensors of a layer's feed-forward part.

    Args:
        shape: sizes of the model
        mlp: "dense", "experts" or "none"
        shared: whether the layer looks at the cache of another, true or false

    Returns:
        The tensors.

    Raises:
        PlanError: for sizes whose product is above 2^53 − 1
    """
    if mlp == "experts":
        return _expert_tensors(shape)
    doubled = shared and flag_field(shape["text"], "use_double_wide_mlp", False)
    return _dense(shape, 2 * shape["width"] if doubled else shape["width"], "") if mlp == "dense" else []


def _dense(shape: Shape, width: int, name: str) -> list[Tensor]:
    # Jamba's dense layers are experts that are alone.
    role = "expert" if shape["family"].get("dense_is_expert", False) else "linear"
    hidden, ins = shape["hidden"], 1 if shape["family"].get("plain_mlp", False) else 2
    out = [
        tensor(name + "gate_up", role, product("intermediate_size", hidden, width, ins)),
        tensor(name + "down", role, product("intermediate_size", width, hidden)),
    ]
    if option(shape["text"], shape["family"], "mlp_bias"):
        out.append(tensor("mlp_bias", "plain", width * ins, whole=hidden))
    extra = int(shape["family"].get("activation_values", 0))
    return [*out, tensor("activation", "plain", whole=extra)] if extra else out


def _expert_tensors(shape: Shape) -> list[Tensor]:
    family, hidden, experts = shape["family"], shape["hidden"], shape["experts"]
    number, width = experts["number"], experts["width"]
    ins = 1 if family.get("plain_mlp", False) else 2
    out = [
        tensor("router", "router", whole=product("num_experts", hidden, number)),
        tensor("w13", "expert", product("num_experts", number, width, ins, hidden)),
        tensor("w2", "expert", product("num_experts", number, hidden, width)),
    ]
    if family.get("router_bias", False) or family.get("routed_bias", False):
        out.append(tensor("router_bias", "plain", whole=number))
    if family.get("router_scale", False):
        out.append(tensor("router_scale", "plain", whole=hidden + number))
    if family.get("expert_bias", False):
        out.append(
            tensor(
                "expert_bias",
                "plain",
                product("num_experts", number, width, ins),
                whole=product("num_experts", number, hidden),
            )
        )
    if experts["shared"]:
        out.extend(_dense(shape, experts["shared"], "shared_"))
        if family.get("shared_gate", False):
            out.append(tensor("shared_gate", "router", whole=hidden))
    if family.get("dense_too", False):
        out.extend(_dense(shape, shape["width"], ""))
    return out
