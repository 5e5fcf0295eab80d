"""Layers that keep a state of one size instead of a cache that grows: its sizes by config.json, as vLLM keeps them."""

import math
from typing import Any, TypedDict

from .fields import field_of, has, number_field, table_field, text_field, whole_field
from .refuse import PlanError
from .shape import Shape
from .sums import divided, product, total


class State(TypedDict):
    """The sizes of one layer with a state.

    Attributes:
        kind: "mamba1", "mamba2", "gdn", "kda" or "short_conv", without unit
        inner: values of the layer's inner width
        heads: heads of the state
        head_dim: values of a head
        size: values of the state for each inner value
        groups: how many groups the state's keys have
        keys: values of all keys, for linear attention
        conv: tokens that the convolution looks at
        rank: values of the time step's lower rank, for Mamba 1
        kept: pairs of values and of bytes a value; 0 bytes: the type of the model
    """

    kind: str
    inner: int
    heads: int
    head_dim: int
    size: int
    groups: int
    keys: int
    conv: int
    rank: int
    kept: list[list[int]]


def state_of(shape: Shape) -> State | None:
    """The state of a model's layers, or None for a model without such layers.

    Args:
        shape: sizes of the model

    Returns:
        The sizes, each in its own unit, or None.

    Raises:
        PlanError: for a field that is missing or out of range

    Source:
        vLLM 0.11 to 0.33, `model_executor/layers/mamba/mamba_utils.py`, `MambaStateShapeCalculator`.
    """
    kind = shape["family"].get("hybrid", "")
    text = shape["text"]
    if kind == "mamba1":
        return _mamba1(shape, text)
    if kind == "mamba2":
        return _mamba2(shape, text)
    if kind == "gdn":
        return _gdn(text)
    if kind == "kda":
        return _kda(text)
    return _short_conv(shape, text) if kind == "short_conv" else None


def _state(kind: str, **sizes: Any) -> State:
    empty: State = {
        "kind": kind,
        "inner": 0,
        "heads": 0,
        "head_dim": 0,
        "size": 0,
        "groups": 0,
        "keys": 0,
        "conv": 0,
        "rank": 0,
        "kept": [],
    }
    return {**empty, **sizes}  # type: ignore[typeddict-item]


def _mamba1(shape: Shape, text: dict[str, Any]) -> State:
    expand = whole_field(text, "mamba_expand expand", 1, otherwise=2)
    inner = product("mamba_expand", expand, shape["hidden"])
    if has(text, "intermediate_size") and shape["family"].get("no_mlp", False):
        inner = whole_field(text, "intermediate_size", 1)
    size = whole_field(text, "mamba_d_state state_size", 1, otherwise=16)
    conv = whole_field(text, "mamba_d_conv conv_kernel", 1, otherwise=4)
    rank = -(-shape["hidden"] // 16)
    if field_of(text, "mamba_dt_rank") != "auto" and field_of(text, "time_step_rank") != "auto":
        rank = whole_field(text, "mamba_dt_rank time_step_rank", 1, otherwise=rank)
    kept = [[product("conv_kernel", inner, conv - 1), 0], [product("state_size", inner, size), _ssm_bytes(text)]]
    return _state("mamba1", inner=inner, size=size, conv=conv, rank=rank, kept=kept)


def _mamba2(shape: Shape, text: dict[str, Any]) -> State:
    heads = whole_field(text, "mamba_n_heads mamba_num_heads num_heads", 1)
    own = has(text, "mamba_d_head") and field_of(text, "mamba_d_head") != "auto"
    known = None if own else _inner(shape, text) // heads
    head_dim = known if known else whole_field(text, "mamba_d_head", 1)
    head_dim = whole_field(text, "mamba_head_dim", 1, otherwise=head_dim)
    if shape["family"].get("no_mlp", False):
        head_dim = whole_field(text, "head_dim", 1, otherwise=head_dim)
    inner = product("mamba_n_heads", heads, head_dim)
    size = whole_field(text, "mamba_d_state ssm_state_size state_size", 1, otherwise=128)
    groups = whole_field(text, "mamba_n_groups n_groups", 1, otherwise=1)
    conv = whole_field(text, "mamba_d_conv conv_kernel", 1, otherwise=4)
    wide = total("mamba_d_ssm", inner, product("mamba_n_groups", 2, groups, size))
    kept = [[product("mamba_d_conv", wide, conv - 1), 0], [product("mamba_d_state", inner, size), _ssm_bytes(text)]]
    return _state("mamba2", inner=inner, heads=heads, head_dim=head_dim, size=size, groups=groups, conv=conv, kept=kept)


def _inner(shape: Shape, text: dict[str, Any]) -> int:
    if has(text, "mamba_d_ssm"):
        return whole_field(text, "mamba_d_ssm", 1)
    return math.floor(number_field(text, "mamba_expand", 1, 64, 2.0) * shape["hidden"])


def _gdn(text: dict[str, Any]) -> State:
    key_dim = whole_field(text, "linear_key_head_dim", 1)
    head_dim = whole_field(text, "linear_value_head_dim", 1)
    heads = whole_field(text, "linear_num_value_heads", 1)
    groups = whole_field(text, "linear_num_key_heads", 1)
    divided("linear_num_value_heads", heads, groups)
    conv = whole_field(text, "linear_conv_kernel_dim", 1)
    inner, keys = product("linear_value_head_dim", heads, head_dim), product("linear_key_head_dim", groups, key_dim)
    wide = total("linear_key_head_dim", inner, keys, keys)
    kept = [
        [product("linear_conv_kernel_dim", wide, conv - 1), 0],
        [product("linear_key_head_dim", inner, key_dim), _ssm_bytes(text)],
    ]
    sizes = {"inner": inner, "heads": heads, "head_dim": head_dim, "size": key_dim, "groups": groups, "keys": keys}
    return _state("gdn", **sizes, conv=conv, kept=kept)


def _kda(text: dict[str, Any]) -> State:
    inside = table_field(text, "linear_attn_config")
    heads, head_dim = whole_field(inside, "num_heads", 1), whole_field(inside, "head_dim", 1)
    conv = whole_field(inside, "short_conv_kernel_size", 1)
    inner = product("head_dim", heads, head_dim)
    row = product("short_conv_kernel_size", inner, conv - 1)
    kept = [[row, 0], [row, 0], [row, 0], [product("head_dim", inner, head_dim), 4]]
    return _state("kda", inner=inner, heads=heads, head_dim=head_dim, size=head_dim, keys=inner, conv=conv, kept=kept)


def _short_conv(shape: Shape, text: dict[str, Any]) -> State:
    conv = whole_field(text, "conv_L_cache", 1)
    inner = shape["hidden"]
    return _state("short_conv", inner=inner, conv=conv, kept=[[product("conv_L_cache", inner, conv - 1), 0]])


def _ssm_bytes(text: dict[str, Any]) -> int:
    # Nemotron-H and Qwen3.5 name the type of their state; vLLM takes it where it is not set by hand.
    for name in ("mamba_ssm_cache_dtype", "mamba_ssm_dtype"):
        found = text_field(text, name)
        if found == "float32":
            return 4
        if found not in ("", "auto", "bfloat16", "float16"):
            raise PlanError(name, found, "config_state_type")
    return 0
