"""One tensor on one GPU: its part, how it is stored, and what the kernels and the allocator add."""

from typing import TypedDict

from .allocated import allocated_bytes, stored_bytes
from .config import Model
from .modules import Chooser, chooser_of, scheme_of
from .quantisation import Quantisation
from .sums import product, total
from .tensors import Tensor


class Loaded(TypedDict):
    """How weights are loaded.

    Attributes:
        tp: how many GPUs share each layer
        plain: bytes of a value that is not quantised
        stored: how the others are stored
        chooser: which modules are left as they are, without unit
        kv_heads: heads that keep keys and values
        allocated: whether what a GPU keeps beside the checkpoint's own bytes is counted, true or false
    """

    tp: int
    plain: int
    stored: Quantisation
    chooser: Chooser
    kv_heads: int
    allocated: bool


def loading(model: Model, stored: Quantisation, plain: int, tp: int, allocated: bool) -> Loaded:
    """How the weights of a model are loaded.

    Args:
        model: the model
        stored: how its weights are stored
        plain: bytes of a value that is not quantised
        tp: how many GPUs share each layer
        allocated: whether what a GPU keeps beside the checkpoint's own bytes is counted, true or false

    Returns:
        How they are loaded.
    """
    return {
        "tp": tp,
        "plain": plain,
        "stored": stored,
        "chooser": chooser_of(stored["ignore"]),
        "kv_heads": model["weights"]["kv_heads"],
        "allocated": allocated,
    }


def tensor_bytes(each: Tensor, model: Model, loaded: Loaded, layer: int) -> int:
    """The bytes that one GPU holds of a tensor.

    Args:
        each: the tensor
        model: its model
        loaded: how weights are loaded
        layer: place of its layer among all, from 0; -1: outside the layers

    Returns:
        Bytes.

    Raises:
        PlanError: for a product above 2^53 − 1
    """
    tp, heads = loaded["tp"], loaded["kv_heads"]
    kept = max(1, heads // tp)
    split = each["split"]
    if each["role"] in ("embedding", "head") and loaded["allocated"]:
        split = _padded_words(model, split)
    kv = product("num_key_value_heads", each["kv"] // heads, kept)
    values = total(each["name"], -(-split // tp), kv, each["whole"])
    scheme = scheme_of(each, loaded["stored"], loaded["chooser"], layer)
    twice = product("kv_lora_rank", values, loaded["plain"]) if each["name"] == "kv_b" and loaded["allocated"] else 0
    if scheme is None:
        size = product(each["name"], values, loaded["plain"])
        return twice + (allocated_bytes(size) if loaded["allocated"] and each["role"] != "vision" else size)
    if each["name"] in ("w13", "w2") and loaded["stored"]["padded"] and loaded["allocated"]:
        values = _padded_experts(each, model, loaded)
    return total(each["name"], twice, stored_bytes(values, scheme))


def _padded_words(model: Model, values: int) -> int:
    # vLLM fills the vocabulary up to a multiple of 64 rows.
    hidden = model["weights"]["hidden"]
    return values if values % hidden else product("vocab_size", -(-(values // hidden) // 64) * 64, hidden)


def _padded_experts(each: Tensor, model: Model, loaded: Loaded) -> int:
    # The kernels for MXFP4 fill the hidden size up to a multiple of 256 and each GPU's part of the width to one of 64.
    weights, to = model["weights"], loaded["stored"]["padded"]
    hidden = -(-weights["hidden"] // to) * to
    each_width = -(-weights["expert_width"] // loaded["tp"])
    width = -(-each_width // 64) * 64
    return product("num_experts", weights["expert_number"], width, hidden, 1 if each["name"] == "w2" else 2)
