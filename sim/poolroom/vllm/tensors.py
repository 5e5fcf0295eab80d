"""The weights of one layer, tensor by tensor, merged as vLLM merges them."""

from typing import TypedDict

from .families import option
from .fields import flag_field, whole_field
from .latent import Latent
from .shape import Shape
from .sums import product, total

_NORMS: dict[str, int] = {"rms": 1, "layer": 2, "layer_weight": 1, "none": 0}


class Tensor(TypedDict):
    """One tensor of weights as vLLM keeps it.

    Attributes:
        name: what it does, without unit
        role: "linear", "expert", "router", "head", "embedding", "vision" or "plain", without unit
        split: values that tensor parallelism divides
        kv: values that it divides by KV heads, of which each GPU keeps at least one
        whole: values that each GPU keeps
    """

    name: str
    role: str
    split: int
    kv: int
    whole: int


def tensor(name: str, role: str, split: int = 0, kv: int = 0, whole: int = 0) -> Tensor:
    """A tensor by its parts.

    Args:
        name: what it does
        role: what quantisation and parallelism make of it
        split: values that tensor parallelism divides
        kv: values that it divides by KV heads
        whole: values that each GPU keeps

    Returns:
        The tensor, its parts in values.
    """
    return {"name": name, "role": role, "split": split, "kv": kv, "whole": whole}


def values_of(tensors: list[Tensor]) -> int:
    """How many values some tensors have together.

    Args:
        tensors: the tensors

    Returns:
        Values.

    Raises:
        PlanError: for a sum above 2^53 − 1
    """
    return total("parameters", *[total(each["name"], each["split"], each["kv"], each["whole"]) for each in tensors])


def norm_values(shape: Shape, size: int) -> int:
    """How many values one norm has: a weight, with a bias in a layer norm, or none.

    Args:
        shape: sizes of the model
        size: values that it normalises

    Returns:
        Values.
    """
    return size * _NORMS[str(shape["family"].get("norm", "rms"))]


def attention_tensors(shape: Shape, mixer: str = "full") -> list[Tensor]:
    """The tensors of a layer that attends.

    Args:
        shape: sizes of the model
        mixer: how it looks at other tokens: "full", "sliding", "chunked", "cross" or "shared"

    Returns:
        The tensors.

    Raises:
        PlanError: for sizes whose product is above 2^53 − 1
    """
    if shape["latent"]:
        return _latent_tensors(shape, shape["latent"])
    text, family, hidden = shape["text"], shape["family"], shape["hidden"]
    doubled = 2 if family.get("gated_attention", False) and flag_field(text, "attn_output_gate", True) else 1
    kv_heads, head_dim, value_dim = heads_of(shape, mixer)
    queries = product("head_dim", shape["heads"], head_dim)
    values = product("v_head_dim", shape["heads"], value_dim)
    alike = family.get("global_head_dim", 0) and mixer == "full" and flag_field(text, "attention_k_eq_v", False)
    kept = product("num_key_value_heads", kv_heads, head_dim if alike else head_dim + value_dim)
    if family.get("shared_without_keys", False) and mixer.startswith("shared"):
        kept = 0
    out = [
        tensor("qkv", "linear", product("hidden_size", hidden, queries, doubled), product("hidden_size", hidden, kept)),
        tensor("o", "linear", product("hidden_size", hidden, values)),
    ]
    if option(text, family, "qkv_bias"):
        biases = product("num_key_value_heads", kv_heads, value_dim) if family.get("no_key_bias", False) else kept
        out.append(tensor("qkv_bias", "plain", queries * doubled, biases))
    if option(text, family, "o_bias"):
        out.append(tensor("o_bias", "plain", whole=hidden))
    if family.get("sinks", False):
        out.append(tensor("sinks", "plain", shape["heads"]))
    return [*out, *_query_norms(shape, queries, head_dim, kept == 0)]


def heads_of(shape: Shape, mixer: str) -> tuple[int, int, int]:
    """The heads of a kind of layer; Gemma 4 has other ones where it looks back without end.

    Args:
        shape: sizes of the model
        mixer: how the layer looks at other tokens

    Returns:
        KV heads, values of a key and values of a value.

    Raises:
        PlanError: for a field out of range
    """
    wide = int(shape["family"].get("global_head_dim", 0))
    if not wide or mixer not in ("full", "shared_full"):
        return shape["kv_heads"], shape["head_dim"], shape["value_dim"]
    head_dim = whole_field(shape["text"], "global_head_dim", 1, otherwise=wide)
    alike = flag_field(shape["text"], "attention_k_eq_v", False)
    kv_heads = whole_field(shape["text"], "num_global_key_value_heads", 1, otherwise=shape["kv_heads"])
    return kv_heads if alike else shape["kv_heads"], head_dim, head_dim


def _query_norms(shape: Shape, queries: int, head_dim: int, only_queries: bool) -> list[Tensor]:
    style = str(shape["family"].get("qk_norm", ""))
    words = style.split(":")
    kind = words[0]
    if not kind or (len(words) > 1 and not flag_field(shape["text"], words[1], False)):
        return []
    keys = product("num_key_value_heads", shape["kv_heads"], shape["head_dim"])
    if kind in ("head", "flag"):
        return [tensor("qk_norm", "plain", whole=head_dim if only_queries else 2 * head_dim)]
    return [tensor("qk_norm", "plain", queries, keys)]


def _latent_tensors(shape: Shape, latent: Latent) -> list[Tensor]:
    hidden, heads = shape["hidden"], shape["heads"]
    query = product("num_attention_heads", heads, latent["nope"] + latent["rope"])
    pairs = product("num_attention_heads", heads, latent["nope"] + latent["value"])
    down = product("kv_lora_rank", hidden, latent["rank"] + latent["rope"])
    out: list[Tensor] = []
    if latent["query_rank"]:
        first = product("q_lora_rank", hidden, latent["query_rank"])
        out.append(tensor("qkv_a", "linear", whole=total("kv_lora_rank", first, down)))
        out.append(tensor("q_b", "linear", product("q_lora_rank", latent["query_rank"], query)))
        out.append(tensor("latent_norms", "plain", whole=latent["query_rank"] + latent["rank"]))
    else:
        out.append(tensor("q", "linear", product("num_attention_heads", hidden, query)))
        out.append(tensor("kv_a", "linear", whole=down))
        out.append(tensor("latent_norms", "plain", whole=latent["rank"]))
    out.append(tensor("kv_b", "linear", product("kv_lora_rank", latent["rank"], pairs)))
    out.append(tensor("o", "linear", product("v_head_dim", heads, latent["value"], hidden)))
    return out


def index_tensors(shape: Shape) -> list[Tensor]:
    """The tensors that choose which tokens a sparse attention looks at.

    Args:
        shape: sizes of the model

    Returns:
        The tensors.

    Raises:
        PlanError: for a field that is missing or out of range
    """
    asks = whole_field(shape["text"], "q_lora_rank", 1)
    heads = whole_field(shape["text"], "index_n_heads", 1)
    size = whole_field(shape["text"], "index_head_dim", 1)
    ask = product("index_n_heads", asks, heads, size)
    rest = product("index_head_dim", shape["hidden"], size + heads)
    return [
        tensor("index", "linear", whole=total("index_n_heads", ask, rest)),
        tensor("index_norm", "plain", whole=2 * size),
    ]
