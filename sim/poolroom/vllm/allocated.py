"""The bytes that a tensor takes on a GPU, quantised or not."""

from ..checks import MOST_WHOLE
from .quantisation import Scheme
from .sums import product, total

MIB = 1_048_576
"""Bytes of 1 MiB: 2^20."""


def stored_bytes(values: int, scheme: Scheme) -> int:
    """The bytes of quantised weights, with scales and zero points.

    Args:
        values: how many weights
        scheme: how they are stored

    Returns:
        Bytes.

    Raises:
        PlanError: for a product above 2^53 − 1
    """
    size = -(-product("bits", values, scheme["hundredths"]) // 800)
    if not scheme["group"]:
        return size
    groups = -(-values // scheme["group"])
    return total("bits", size, -(-product("group_size", groups, scheme["group_bits"]) // 8))


def allocated_bytes(size: int) -> int:
    """The bytes that PyTorch counts as allocated for one tensor.

    It hands out multiples of 512 bytes; from 10 MiB it takes multiples of 2 MiB, and a rest of at most 1 MiB stays with
    the tensor.

    Args:
        size: the tensor, bytes

    Returns:
        Bytes.

    Source:
        PyTorch 2.x, `c10/cuda/CUDACachingAllocator.cpp`: `round_size`, `get_allocation_size`, `should_split`.
    """
    rounded = -(-size // 512) * 512
    if rounded < 10 * MIB:
        return rounded
    segment = -(-rounded // (2 * MIB)) * 2 * MIB
    return segment if segment - rounded <= MIB and segment <= MOST_WHOLE else rounded
