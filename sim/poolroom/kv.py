"""The KV cache of a token and of a sequence, and how many sequences fit beside weights and reserve."""

from .checks import exact, whole

GIB = 1_073_741_824
"""Bytes of 1 GiB: 2^30."""
GB = 1_000_000_000
"""Bytes of 1 GB: 10^9."""


def kv_bytes_per_token(n_layers: int, n_kv_heads: int, head_dim: int, dtype_bytes: int = 2) -> int:
    """What one token leaves in the cache: 2 (a key and a value) × layers × KV heads × head size × bytes a value.

    Args:
        n_layers: layers of the model
        n_kv_heads: heads that keep keys and values in each layer; fewer than the query heads in grouped-query attention
        head_dim: values of one head
        dtype_bytes: size of one value, bytes

    Returns:
        Bytes.

    Raises:
        SimError: for a value that is no whole number from 1, and for a product above 2^53 − 1
    """
    size = exact("n_layers", 2 * whole("n_layers", n_layers, 1))
    size = exact("n_kv_heads", size * whole("n_kv_heads", n_kv_heads, 1))
    size = exact("head_dim", size * whole("head_dim", head_dim, 1))
    return exact("dtype_bytes", size * whole("dtype_bytes", dtype_bytes, 1))


def sequence_bytes(per_token: int, tokens: int) -> int:
    """What a sequence keeps in the cache: bytes a token × tokens.

    Args:
        per_token: cache of one token, bytes
        tokens: length of the sequence, prompt and reply, tokens

    Returns:
        Bytes.

    Raises:
        SimError: for a value that is no whole number from 1, and for a product above 2^53 − 1
    """
    return exact("tokens", whole("per_token", per_token, 1) * whole("tokens", tokens, 1))


def room_bytes(card: int, weights: int, reserve: int) -> int:
    """What weights and reserve leave of a card: card − weights − reserve, or 0 where they need more than that.

    Args:
        card: memory of the card, bytes
        weights: size of the weights, bytes
        reserve: kept for everything else, such as activations, bytes

    Returns:
        Bytes.

    Raises:
        SimError: for a value that is no whole number from 0, and for weights and reserve above 2^53 − 1
    """
    taken = exact("reserve", whole("weights", weights) + whole("reserve", reserve))
    return max(0, whole("card", card) - taken)


def sequences_that_fit(room: int, each: int) -> int:
    """How many sequences of one size fit at once: floor(room ÷ size).

    Args:
        room: memory for the cache, bytes
        each: cache of one sequence, bytes

    Returns:
        Sequences, as a whole number without unit.

    Raises:
        SimError: for a room below 0 and a size below 1
    """
    return whole("room", room) // whole("each", each, 1)
