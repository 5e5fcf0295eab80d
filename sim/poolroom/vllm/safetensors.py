"""What `model.safetensors.index.json` says of a checkpoint."""

from typing import Any, TypedDict

from ..checks import MOST_WHOLE
from .fields import has, object_of, table_field, whole_field
from .parameters import Counted

_DTYPE_BYTES: dict[str, int] = {"bfloat16": 2, "float16": 2, "float32": 4}


class Index(TypedDict):
    """What an index says.

    Attributes:
        bytes: all tensors of the checkpoint, bytes; 0: not said
        parameters: all values of the checkpoint; 0: not said
        has_names: whether it names the tensors, true or false
        has_head: whether the head is among them, true or false
    """

    bytes: int
    parameters: int
    has_names: bool
    has_head: bool


def index_of(index: Any) -> Index:
    """Read an index.

    Args:
        index: a `model.safetensors.index.json` as an object, or None

    Returns:
        What it says.

    Raises:
        PlanError: for what is no such index
    """
    if index is None:
        return {"bytes": 0, "parameters": 0, "has_names": False, "has_head": False}
    whole = object_of("index", index)
    metadata = table_field(whole, "metadata")
    names = list(table_field(whole, "weight_map"))
    head = False
    for name in names:
        if name.endswith("lm_head.weight") or name.endswith("embed_out.weight") or name == "output.weight":
            head = True
    return {
        "bytes": whole_field(metadata, "total_size", 1, MOST_WHOLE, 0),
        "parameters": whole_field(metadata, "total_parameters", 1, MOST_WHOLE, 0),
        "has_names": has(whole, "weight_map") and len(names) > 0,
        "has_head": head,
    }


def parameters_of(index: Index, parts: Counted, method: str, dtype: str) -> tuple[int, str, bool]:
    """How many values a server loads: by the index where it says, else as counted.

    Args:
        index: what the index says
        parts: the weights as counted
        method: how they are stored; "" for not quantised
        dtype: type of the weights

    Returns:
        Values; "index" or "counted"; and whether the two differ by more than 1 %, true or false.
    """
    told = index["parameters"]
    if not told and index["bytes"] and not method:
        told = index["bytes"] // _DTYPE_BYTES[dtype]
    if not told:
        return parts["parameters"], "counted", False
    loaded = told - left_out(told, parts["parameters"], parts["unloaded"])
    return loaded, "index", abs(loaded - parts["parameters"]) / loaded > 0.01


def left_out(told: int, loaded: int, unloaded: int) -> int:
    """How much of what an index tells is not loaded: all that a server leaves out, or nothing if that comes nearer.

    Args:
        told: size by the index, values or bytes
        loaded: counted size of what is loaded, in the same unit
        unloaded: counted size of what is not, in the same unit

    Returns:
        Size, in the same unit.
    """
    return unloaded if abs(told - loaded - unloaded) < abs(told - loaded) and unloaded < told else 0
