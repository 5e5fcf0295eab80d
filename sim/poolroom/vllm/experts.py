"""Experts: how many, how wide, in which layers."""

from typing import Any, TypedDict

from .fields import field_of, has, list_field, table_field, whole_field
from .refuse import PlanError
from .sums import product, total
from .values import whole_of

_EXPERTS = "num_experts n_routed_experts num_local_experts moe_num_experts num_experts_per_layer"
_PER_TOKEN = "num_experts_per_tok num_experts_per_token moe_top_k moe_k moe_topk top_k_experts num_selected_experts"
MOST_EXPERTS = 16_384
"""How many experts a layer may have before a model is refused: 2^14, many more than any.

Source:
    A choice: the models of the facts have at most 512.
"""


class Experts(TypedDict):
    """Experts of a model.

    Attributes:
        number: how many routed experts a layer has; 0: none
        width: values of one expert's feed-forward layer
        shared: values of the feed-forward layer that every token passes beside its experts
        per_token: experts that a token passes
        layers: for each layer, whether it has experts, true or false
    """

    number: int
    width: int
    shared: int
    per_token: int
    layers: list[bool]


def experts_of(text: dict[str, Any], family: dict[str, Any], layers: int, width: int) -> Experts:
    """Read what a config says about experts.

    Args:
        text: the config of the language model
        family: options of its family
        layers: layers of the decoder
        width: values of a dense feed-forward layer

    Returns:
        The experts, each field in its own unit.

    Raises:
        PlanError: for a field out of range or not understood, and for experts in a family without them
    """
    inside = table_field(text, "ffn_config")
    number = whole_field(text, _EXPERTS, 0, MOST_EXPERTS, whole_field(inside, _EXPERTS, 0, MOST_EXPERTS, 0))
    if number <= 1 and not (number == 1 and family.get("shared_experts", 0)):
        return {"number": 0, "width": 0, "shared": 0, "per_token": 0, "layers": [False] * layers}
    if not family.get("moe", False):
        raise PlanError(_named(text), number, "config_no_experts")
    per_token = whole_field(text, _PER_TOKEN, 1, number, whole_field(inside, _PER_TOKEN, 1, number, 1))
    each = whole_field(text, family.get("expert_width", "moe_intermediate_size"), 1, otherwise=width)
    return {
        "number": number,
        "width": each,
        "shared": _shared(text, family, each),
        "per_token": per_token,
        "layers": _layers(text, layers),
    }


def _named(text: dict[str, Any]) -> str:
    for name in _EXPERTS.split(" "):
        if has(text, name):
            return name
    return "ffn_config"


def _shared(text: dict[str, Any], family: dict[str, Any], each: int) -> int:
    wide = family.get("shared_width", "")
    if wide and has(text, wide):
        one = whole_field(text, wide, 0)
        return one * whole_field(text, "n_shared_experts", 0, 1, 1)
    names = "n_shared_experts num_shared_experts moe_num_shared_experts"
    many = whole_field(text, names, 0, MOST_EXPERTS, int(family.get("shared_experts", 0)))
    return product("n_shared_experts", many, each)


def _layers(text: dict[str, Any], layers: int) -> list[bool]:
    if isinstance(field_of(text, "moe_layer_freq"), list):
        return _from_list(text, layers)
    if has(text, "moe_layers") and isinstance(text["moe_layers"], list):
        chosen = {whole_of("moe_layers", each, 0, layers - 1) for each in list_field(text, "moe_layers")}
        return [i in chosen for i in range(layers)]
    first = whole_field(text, "first_k_dense_replace num_dense_layers moe_layer_start_index", 0, otherwise=0)
    last = whole_field(text, "moe_layer_end_index", -1, otherwise=layers)
    last = layers if last == -1 else last
    every = whole_field(
        text, "moe_layer_freq decoder_sparse_step moe_layer_interval interleave_moe_layer_step", 1, otherwise=1
    )
    period = whole_field(text, "expert_layer_period", 1, otherwise=1)
    offset = whole_field(text, "expert_layer_offset", 0, otherwise=0)
    dense = {whole_of("mlp_only_layers", each, 0) for each in list_field(text, "mlp_only_layers")}
    from_zero = has(text, "moe_layer_freq") and not has(text, "moe_layer_start_index")
    return [
        first <= i <= last
        and i not in dense
        and (i % every == 0 if from_zero else (i + 1) % every == 0)
        and i % period == offset % period
        for i in range(layers)
    ]


def _from_list(text: dict[str, Any], layers: int) -> list[bool]:
    found = list_field(text, "moe_layer_freq")
    if len(found) != layers:
        raise PlanError("moe_layer_freq", found, "config_layers", layers=layers)
    return [whole_of("moe_layer_freq", each, 0, 1) == 1 for each in found]


def mlp_width(experts: Experts, width: int) -> int:
    """How many feed-forward values a token passes in one layer: the dense width, or its experts and the shared one.

    Args:
        experts: the experts
        width: values of a dense feed-forward layer

    Returns:
        Values.

    Raises:
        PlanError: for a product above 2^53 − 1
    """
    if not experts["number"]:
        return width
    passed = total(
        "num_experts_per_tok", product("num_experts_per_tok", experts["per_token"], experts["width"]), experts["shared"]
    )
    return max(width, passed) if False in experts["layers"] else passed
