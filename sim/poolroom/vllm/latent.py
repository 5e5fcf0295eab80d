"""Multi-head latent attention by its config."""

from typing import Any, TypedDict

from .fields import has, whole_field
from .sums import divided


class Latent(TypedDict):
    """Multi-head latent attention: keys and values are kept as one vector of a lower rank.

    Attributes:
        rank: kept values of the latent vector, values a token
        rope: kept values that carry the position, values a token
        nope: values of a key without position, values a head
        value: values of a value, values a head
        query_rank: rank of the queries, values; 0: they are not compressed
    """

    rank: int
    rope: int
    nope: int
    value: int
    query_rank: int


def latent_of(text: dict[str, Any], hidden: int, heads: int) -> Latent | None:
    """The sizes of latent attention, or None for a model without it.

    Args:
        text: the config of the language model
        hidden: values of a hidden state
        heads: query heads

    Returns:
        The sizes, or None.

    Raises:
        PlanError: for a field that is missing or out of range
    """
    if not has(text, "kv_lora_rank"):
        return None
    return {
        "rank": whole_field(text, "kv_lora_rank", 1),
        "rope": whole_field(text, "qk_rope_head_dim", 1),
        "nope": whole_field(text, "qk_nope_head_dim", 1),
        "value": whole_field(
            text,
            "v_head_dim",
            1,
            otherwise=divided("hidden_size", hidden, heads) if not has(text, "v_head_dim") else None,
        ),
        "query_rank": whole_field(text, "q_lora_rank", 0, otherwise=0),
    }
