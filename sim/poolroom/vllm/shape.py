"""The sizes of a language model by its config.json: layers, heads, widths, experts."""

from typing import Any, TypedDict

from .experts import Experts, experts_of
from .families import family_of, model_type_of, text_config_of
from .fields import MOST_LAYERS, field_of, flag_field, has, table_field, text_field, whole_field
from .latent import Latent, latent_of
from .refuse import one_of_names
from .sums import divided, product
from .values import whole_of

_LAYERS = "num_hidden_layers n_layer n_layers num_layers decoder_layers"
_HIDDEN = "hidden_size n_embd d_model n_embed"
_HEADS = "num_attention_heads n_head n_heads num_heads decoder_attention_heads"
_KV_HEADS = "num_key_value_heads n_head_kv num_kv_heads multi_query_group_num num_query_groups"
_HEAD_DIM = "head_dim kv_channels attention_head_dim"
_WIDTH = "intermediate_size ffn_dim n_inner ffn_hidden_size decoder_ffn_dim"
_VOCAB = "vocab_size padded_vocab_size"
_DTYPES = ("bfloat16", "float16", "float32")


class Shape(TypedDict):
    """The sizes of a language model.

    Attributes:
        model_type: its model type, without unit
        family: options of its family, without unit
        outer: the whole config, without unit
        text: the config of the language model, without unit
        layers: layers of the decoder
        hidden: values of a hidden state
        heads: query heads
        kv_heads: heads that keep keys and values
        head_dim: values of a query or key, values a head
        value_dim: values of a value, values a head
        vocab: words of the vocabulary, tokens
        width: values of a dense feed-forward layer
        experts: what is known of experts, without unit
        latent: latent attention, or None without it
        tied: whether the head is the embedding
        says_tied: whether the config says so itself, true or false
        dtype: type of the weights as the config names it, without unit
    """

    model_type: str
    family: dict[str, Any]
    outer: dict[str, Any]
    text: dict[str, Any]
    layers: int
    hidden: int
    heads: int
    kv_heads: int
    head_dim: int
    value_dim: int
    vocab: int
    width: int
    experts: Experts
    latent: Latent | None
    tied: bool
    says_tied: bool
    dtype: str


def shape_of(config: Any) -> Shape:
    """Read the sizes of a language model.

    Args:
        config: a config.json as an object

    Returns:
        The sizes, each in its own unit.

    Raises:
        PlanError: for a field that is missing, out of range, or not understood
    """
    outer, inner, nested = text_config_of(config)
    model_type = model_type_of(outer, inner)
    family = family_of(inner, model_type)
    text = _with_defaults(inner, family["nested"]) if nested and "nested" in family else inner
    layers = whole_field(text, _LAYERS, 1, MOST_LAYERS)
    if family.get("hybrid") == "encoder_decoder":
        layers = whole_field(text, "decoder_layers", 1, MOST_LAYERS)
    hidden = whole_field(text, _HIDDEN, 1)
    needs_heads = not family.get("no_mlp", False)
    heads = whole_field(text, _HEADS, 1, otherwise=None if needs_heads else 1)
    head_dim = _head_dim(text, family, hidden, heads, needs_heads)
    kv_heads = _kv_heads(text, family, heads)
    divided("num_attention_heads", heads, kv_heads)
    width = _width(text, family, hidden)
    return {
        "model_type": model_type,
        "family": family,
        "outer": outer,
        "text": text,
        "layers": layers,
        "hidden": hidden,
        "heads": heads,
        "kv_heads": kv_heads,
        "head_dim": head_dim,
        "value_dim": head_dim if has(text, "kv_lora_rank") else whole_field(text, "v_head_dim", 1, otherwise=head_dim),
        "vocab": whole_field(text, _VOCAB, 1, otherwise=_vocab_of(outer)),
        "width": whole_field(text, str(family.get("dense_width", "intermediate_size")), 0, otherwise=width)
        if "dense_width" in family
        else width,
        "experts": experts_of(text, family, layers, width),
        "latent": latent_of(text, hidden, heads),
        "tied": _tied(outer, text, family),
        "says_tied": _says_tied(outer, text),
        "dtype": dtype_of(outer, text),
    }


def _with_defaults(text: dict[str, Any], nested: dict[str, Any]) -> dict[str, Any]:
    # What a class gives when a nested config leaves it out; a whole config names all that matters.
    given = nested | text
    for name in list(nested):
        if not has(text, name):
            given[name] = nested[name]
    return given


def _vocab_of(outer: dict[str, Any]) -> int | None:
    return whole_field(outer, _VOCAB, 1) if has(outer, "vocab_size") else None


def _head_dim(text: dict[str, Any], family: dict[str, Any], hidden: int, heads: int, needed: bool) -> int:
    if not needed:
        return 1
    if "head_dim" in family and not has(text, "head_dim"):
        return int(family["head_dim"])
    for name in _HEAD_DIM.split(" "):
        if has(text, name):
            return whole_field(text, name, 1)
    if has(text, "kv_lora_rank"):
        return 1
    return divided("hidden_size", hidden, heads)


def _kv_heads(text: dict[str, Any], family: dict[str, Any], heads: int) -> int:
    multi_query = flag_field(text, "multi_query", family.get("one_kv_head", False))
    if multi_query and not flag_field(text, "new_decoder_architecture", False):
        return 1
    if has(text, "multi_query_attention") and not flag_field(text, "multi_query_attention", True):
        return heads
    inside = table_field(text, "attn_config") if has(text, "attn_config") else {}
    return whole_field(text, _KV_HEADS, 1, otherwise=whole_field(inside, "kv_n_heads", 1, otherwise=heads))


def _width(text: dict[str, Any], family: dict[str, Any], hidden: int) -> int:
    if family.get("no_mlp", False):
        return 0
    inside = table_field(text, "ffn_config") if has(text, "ffn_config") else {}
    for name in _WIDTH.split(" "):
        if isinstance(field_of(text, name), list):
            return _same_width(text, name)
    usual = whole_field(inside, "ffn_hidden_size", 1, otherwise=0)
    if not usual:
        usual = product("hidden_size", hidden, whole_field(text, "expansion_ratio mlp_ratio", 1, otherwise=4))
    needed = usual if "width_times" in family or has(inside, "ffn_hidden_size") else None
    if needed is None and has(text, str(family.get("expert_width", "x"))):
        needed = 0
    width = whole_field(text, _WIDTH, 0, otherwise=needed)
    if family.get("lfm_width", False):
        return _lfm_width(text, width)
    return divided("intermediate_size", width, 2) if family.get("width_halved", False) else width


def _same_width(text: dict[str, Any], name: str) -> int:
    widths = text[name]
    first = whole_of(name, widths[0] if len(widths) > 0 else None, 1)
    for each in widths:
        whole_of(name, each, first, first)
    return first


def _lfm_width(text: dict[str, Any], width: int) -> int:
    width = whole_field(text, "block_ff_dim", 1, otherwise=width)
    if not flag_field(text, "block_auto_adjust_ff_dim", True):
        return width
    multiple = whole_field(text, "block_multiple_of", 1, otherwise=256)
    return product("block_multiple_of", -(-(2 * width // 3) // multiple), multiple)


def _says_tied(outer: dict[str, Any], text: dict[str, Any]) -> bool:
    return has(text, "tie_word_embeddings") or has(text, "tie_embedding") or has(outer, "tie_word_embeddings")


def _tied(outer: dict[str, Any], text: dict[str, Any], family: dict[str, Any]) -> bool:
    usual = bool(family.get("tied", False))
    for name in ("tie_word_embeddings", "tie_embedding"):
        if has(text, name):
            return flag_field(text, name, usual)
    return flag_field(outer, "tie_word_embeddings", usual)


def dtype_of(outer: dict[str, Any], text: dict[str, Any]) -> str:
    """The type of the weights as a config names it; "float32" where it does not, as vLLM takes it.

    Args:
        outer: the whole config
        text: the config of the language model

    Returns:
        "bfloat16", "float16" or "float32", without unit.

    Raises:
        PlanError: for another type
    """
    for config in (outer, text):
        for name in ("dtype", "torch_dtype"):
            found = text_field(config, name)
            if found.startswith("torch."):
                found = found[6:]
            if found and found != "auto":
                return one_of_names(name, found, _DTYPES)
    return "float32"
