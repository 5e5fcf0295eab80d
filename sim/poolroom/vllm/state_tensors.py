"""The weights of one layer with a state, tensor by tensor."""

from .fields import flag_field
from .shape import Shape
from .states import State
from .sums import product, total
from .tensors import Tensor, tensor


def state_tensors(shape: Shape, state: State) -> list[Tensor]:
    """The tensors of a layer with a state.

    Args:
        shape: sizes of the model
        state: sizes of the layer

    Returns:
        The tensors.

    Raises:
        PlanError: for sizes whose product is above 2^53 − 1
    """
    kind = state["kind"]
    out = tensor("out_proj", "linear", product("hidden_size", state["inner"], shape["hidden"]))
    if kind == "short_conv":
        ins = product("hidden_size", 3, shape["hidden"], shape["hidden"])
        return [tensor("in_proj", "linear", ins), _conv(state, state["inner"], 0), out]
    if kind == "mamba1":
        return _mamba1(shape, state, out)
    if kind == "mamba2":
        return _mamba2(shape, state, out)
    return _kda(shape, state, out) if kind == "kda" else _gdn(shape, state, out)


def _mamba1(shape: Shape, state: State, out: Tensor) -> list[Tensor]:
    inner, size, rank = state["inner"], state["size"], state["rank"]
    time = product("mamba_dt_rank", inner, rank + 2 * size)
    steps = total("mamba_dt_rank", product("mamba_dt_rank", inner, rank), inner)
    own = total("mamba_d_state", product("mamba_d_state", inner, size), inner)
    normed = not shape["family"].get("no_mlp", False)
    return [
        tensor("in_proj", "linear", product("mamba_expand", 2, inner, shape["hidden"])),
        tensor("x_proj", "linear", time),
        tensor("dt_proj", "plain", steps),
        _conv(state, inner, inner),
        tensor("state", "plain", own),
        tensor("state_norms", "plain", whole=rank + 2 * size if normed else 0),
        out,
    ]


def _mamba2(shape: Shape, state: State, out: Tensor) -> list[Tensor]:
    inner, heads = state["inner"], state["heads"]
    pairs = product("mamba_d_state", 2, state["groups"], state["size"])
    ins = product("hidden_size", shape["hidden"], total("mamba_d_state", inner, inner, pairs, heads))
    own = 3 * heads + (inner if flag_field(shape["text"], "mamba_rms_norm", True) else 0)
    wide = total("mamba_d_state", inner, pairs)
    return [tensor("in_proj", "linear", ins), _conv(state, wide, wide), tensor("state", "plain", own), out]


def _gdn(shape: Shape, state: State, out: Tensor) -> list[Tensor]:
    inner, keys, heads, hidden = state["inner"], state["keys"], state["heads"], shape["hidden"]
    ins = product("hidden_size", hidden, total("linear_key_head_dim", inner, inner, keys, keys))
    return [
        tensor("in_proj", "linear", ins),
        tensor("ba", "linear", product("linear_num_value_heads", hidden, 2, heads)),
        _conv(state, total("linear_key_head_dim", inner, keys, keys), 0),
        tensor("state", "plain", 2 * heads),
        tensor("state_norm", "plain", whole=state["head_dim"]),
        out,
    ]


def _conv(state: State, wide: int, bias: int) -> Tensor:
    return tensor("conv", "plain", total("conv_kernel", product("conv_kernel", wide, state["conv"]), bias))


def _kda(shape: Shape, state: State, out: Tensor) -> list[Tensor]:
    hidden, inner, size = shape["hidden"], state["inner"], state["head_dim"]
    low = product("head_dim", 2, hidden, size)
    up = product("head_dim", 2, inner, size)
    return [
        tensor("in_proj", "linear", product("num_heads", 3, hidden, inner)),
        tensor("gates", "linear", total("num_heads", up, product("num_heads", hidden, state["heads"])), whole=low),
        _conv(state, 3 * inner, 0),
        tensor("state", "plain", inner + state["heads"]),
        tensor("state_norm", "plain", whole=size),
        out,
    ]
