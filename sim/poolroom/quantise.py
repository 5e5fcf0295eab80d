"""What a model's weights need in each number format: matrices, their constants, and what stays in 16 bit."""

from dataclasses import dataclass
from typing import TypedDict

from .checks import whole, yes_no
from .serving_facts import figure
from .tool import one_of

FORMATS = ("fp16", "int8", "fp8", "nf4", "nf4_double")
"""Names of the formats, from 16 bits down; "nf4_double" is NF4 whose constants are quantised too."""
MOST_WIDTH = 1_048_576
"""The largest vocabulary or width, in tokens or values: 2^20, so that every count below stays exact."""
MOST_LAYERS = 512
"""The most layers."""


class Shape(TypedDict):
    """The sizes of a model, as its config.json has them.

    Attributes:
        vocabulary: rows of the embedding table, tokens
        hidden: width of what passes from layer to layer, values
        intermediate: width inside the feed-forward part, values
        layers: number of layers
        heads: query heads
        kv_heads: heads that keep keys and values
        head_size: values of one head
        biases: whether query, key and value have biases
        tied: whether the head is the embedding table
    """

    vocabulary: int
    hidden: int
    intermediate: int
    layers: int
    heads: int
    kv_heads: int
    head_size: int
    biases: bool
    tied: bool


@dataclass(frozen=True, slots=True)
class Footprint:
    """What a model's weights need in one format.

    Attributes:
        quantised_bytes: the matrices in the layers, bytes
        constants_bytes: what it takes to turn them back into numbers, bytes
        left_bytes: embedding table, head, norms and biases, which stay in 16 bit, bytes
        total_bytes: all three, bytes
    """

    quantised_bytes: int
    constants_bytes: int
    left_bytes: int
    total_bytes: int


def matrices(shape: Shape) -> list[tuple[int, int]]:
    """Rows and columns of the seven matrices in a layer: query, key, value, output, gate, up, down.

    Args:
        shape: sizes of the model

    Returns:
        Seven pairs in values, rows being what comes out and columns what goes in.

    Raises:
        SimError: for a width that is no whole number from 1 to 2^20
    """
    hidden = whole("hidden", shape["hidden"], 1, MOST_WIDTH)
    intermediate = whole("intermediate", shape["intermediate"], 1, MOST_WIDTH)
    size = whole("head_size", shape["head_size"], 1, MOST_WIDTH)
    query = whole("heads", whole("heads", shape["heads"], 1, MOST_WIDTH) * size, 1, MOST_WIDTH)
    kv = whole("kv_heads", whole("kv_heads", shape["kv_heads"], 1, MOST_WIDTH) * size, 1, MOST_WIDTH)
    attention = [(query, hidden), (kv, hidden), (kv, hidden), (hidden, query)]
    return [*attention, (intermediate, hidden), (intermediate, hidden), (hidden, intermediate)]


def quantised_parameters(shape: Shape) -> int:
    """Parameters that a format changes: layers × the seven matrices.

    Args:
        shape: sizes of the model

    Returns:
        Parameters.

    Raises:
        SimError: for a size that is out of range
    """
    count = 0
    for rows, columns in matrices(shape):
        count += rows * columns
    return whole("layers", shape["layers"], 1, MOST_LAYERS) * count


def left_parameters(shape: Shape) -> int:
    """Parameters that stay in 16 bit: embedding table, head unless it is tied, two norms a layer, a last one, biases.

    Args:
        shape: sizes of the model

    Returns:
        Parameters.

    Raises:
        SimError: for a size that is out of range
    """
    rows = [rows for rows, _ in matrices(shape)]
    biases = rows[0] + rows[1] + rows[2] if yes_no("biases", shape["biases"]) else 0
    hidden, layers = shape["hidden"], whole("layers", shape["layers"], 1, MOST_LAYERS)
    table = whole("vocabulary", shape["vocabulary"], 1, MOST_WIDTH) * hidden
    tables = table if yes_no("tied", shape["tied"]) else 2 * table
    return tables + layers * (2 * hidden + biases) + hidden


def footprint(shape: Shape, number_format: str) -> Footprint:
    """What the weights need: the matrices in the format, their constants, and the rest in 16 bit.

    - fp16: 2 bytes a weight
    - int8: 1 byte, and a scale for each row
    - fp8: 1 byte, and a scale for each matrix
    - nf4: half a byte, and a constant for each block of 64 weights
    - nf4_double: the same with 8-bit constants, and one more for each 256 of those

    Args:
        shape: sizes of the model
        number_format: one of `FORMATS`

    Returns:
        Whole bytes by kind.

    Raises:
        SimError: for a size that is out of range, and an unknown format

    Source:
        Dettmers et al., LLM.int8(), 2022, and QLoRA, 2023, section 3; vLLM's online quantization, fp8_per_tensor.
    """
    one_of("format", number_format, FORMATS)
    layers, quantised, constants = whole("layers", shape["layers"], 1, MOST_LAYERS), 0, 0
    for rows, columns in matrices(shape):
        quantised += _stored_bytes(rows * columns, number_format)
        constants += _constants_bytes(rows, columns, number_format)
    quantised, constants, left = layers * quantised, layers * constants, 2 * left_parameters(shape)
    return Footprint(quantised, constants, left, quantised + constants + left)


def _stored_bytes(weights: int, number_format: str) -> int:
    if number_format == "fp16":
        return 2 * weights
    return weights if number_format in ("int8", "fp8") else _blocks(weights, 2)


def _constants_bytes(rows: int, columns: int, number_format: str) -> int:
    size, blocks = figure("quantise", "constant_bytes"), _blocks(rows * columns, figure("quantise", "block"))
    counts = {"fp16": 0, "int8": rows, "fp8": 1, "nf4": blocks}
    if number_format == "nf4_double":
        return int(blocks + size * _blocks(blocks, figure("quantise", "second_block")))
    return int(size * counts[number_format])


def _blocks(n: int, size: int) -> int:
    return (n + size - 1) // size
