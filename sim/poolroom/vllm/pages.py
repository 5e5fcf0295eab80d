"""What one layer keeps: bytes of a token by kind of layer, bytes of a state, tokens of a block."""

from ..checks import MOST_WHOLE
from .architecture import Kind
from .config import Model
from .refuse import PlanError
from .settings import Settings
from .versions import at_least

BLOCK_TOKENS = 16
"""Tokens of a block where the attention backend takes any number: 16.

Source:
    vLLM 0.33.0, `config/cache.py`, `DEFAULT_BLOCK_SIZE`; the same in every release that was read.
"""
SPARSE_TOKENS = {"DeepseekV32": 64, "GlmMoeDsa": 64, "DeepseekV4": 256}
"""Tokens of a block for models that read only some of the tokens of MLA, by the beginning of the architecture's name.

Source:
    vLLM 0.33.0, `v1/attention/backends/mla`; 0.11.0, `platforms/cuda.py`.
"""
MLA_BYTES = {"fp8_ds_mla": 656, "nvfp4_ds_mla": 352}
"""Bytes that one token of one MLA layer takes in DeepSeek's packed forms, by the type of the cache.

Source:
    vLLM 0.33.0, `v1/kv_cache_interface.py`.
"""
MLA_HEAD_VALUES = 256
"""Values of one head of DeepSeek's attention as it was kept before MLA was: 192 of them, and 64 of padding.

Source:
    vLLM 0.6.6, `model_executor/models/deepseek_v2.py`.
"""
ATTENTION = ("full", "sliding", "chunked", "mla", "cross")
"""Kinds of layers that keep something for every token."""


def bounded(setting: str, value: int) -> int:
    """The value itself if both languages hold it exactly.

    Args:
        setting: name of the setting that makes it so large, for the refusal
        value: whole number of any unit

    Returns:
        The value, in its own unit.

    Raises:
        PlanError: for a value above 2^53 − 1
    """
    if value > MOST_WHOLE:
        raise PlanError(setting, value, "exact")
    return value


def rounded_up(amount: int, size: int) -> int:
    """How many pieces of one size hold an amount.

    Args:
        amount: whole number of any unit, from 0
        size: one piece, in the same unit, from 1

    Returns:
        Pieces, as many.
    """
    return -(-amount // size)


def block_tokens_of(settings: Settings) -> int:
    """Tokens of a block: as asked, else what the attention backend needs.

    Args:
        settings: the resolved settings

    Returns:
        Tokens.

    Raises:
        PlanError: for a release that is no version
    """
    return int(settings["block_tokens"]) if settings["block_tokens"] > 0 else backend_tokens(settings)


def backend_tokens(settings: Settings) -> int:
    """Tokens of a block that the attention backend needs: 16 for most, more for MLA on some cards.

    Args:
        settings: the resolved settings

    Returns:
        Tokens.

    Raises:
        PlanError: for a release that is no version

    Source:
        vLLM 0.33.0, `platforms/interface.py`, `update_block_size_for_backend`, and `platforms/cuda.py`,
        `_get_backend_priorities`; until 0.17.1 `platforms/cuda.py`, `check_and_update_config`; 0.9.2 and 0.11.0,
        `v1/attention/backends/pallas.py`.
    """
    card, model = settings["card"], settings["model"]
    if card["maker"] == "intel":
        return 64
    if card["maker"] == "google":
        return _tpu_tokens(settings)
    for beginning, tokens in SPARSE_TOKENS.items():
        if model["architecture"].startswith(beginning):
            return tokens
    if card["maker"] == "nvidia" and settings["rules"]["engine"] == "V1" and keeps_mla(model):
        return _mla_tokens(settings, card["capability"])
    return BLOCK_TOKENS


def _tpu_tokens(settings: Settings) -> int:
    # A sixteenth of the longest length, from 16 to 256; since 0.10 always 16 for long ones.
    order, longest = settings["rules"]["order"], settings["longest"]
    if not at_least(order, "0.9.0") or (longest > 8192 and at_least(order, "0.10.0")):
        return BLOCK_TOKENS
    tokens = BLOCK_TOKENS
    while tokens < 256 and tokens * 16 < longest:
        tokens *= 2
    return tokens


def keeps_mla(model: Model) -> bool:
    """Whether a model has layers with latent attention.

    Args:
        model: the model

    Returns:
        Whether it has.
    """
    return any(kind["kind"] == "mla" for kind in model["kinds"])


def _mla_tokens(settings: Settings, capability: str) -> int:
    order = settings["rules"]["order"]
    if capability.startswith("9."):
        # FlashMLA takes 64; since 0.18 FlashAttention comes first, which takes 16 but no smaller type than the model's.
        plain = value_bytes(settings) > 1 and settings["kv_dtype"] not in MLA_BYTES
        return BLOCK_TOKENS if not at_least(order, "0.9.0") or (at_least(order, "0.18.0") and plain) else 64
    if not capability.startswith("10."):
        return BLOCK_TOKENS
    if at_least(order, "0.18.0"):
        return 32  # FlashInfer
    if not at_least(order, "0.14.0") or settings["dcp"] > 1:
        return 128  # CUTLASS
    return 64  # FlashInfer, which could not spread a chat over ranks


def value_bytes(settings: Settings) -> int:
    """Bytes of one value of the cache: as its type says, or the model's; the packed types have no such size.

    Args:
        settings: the resolved settings

    Returns:
        Bytes.
    """
    kept = settings["kv_dtype"]
    if kept.startswith(("fp8", "int8")):
        return 1
    if kept in ("bfloat16", "float16", "half"):
        return 2
    return 4 if settings["dtype"] in ("float32", "float") else 2


def heads_here(settings: Settings, heads: int) -> int:
    """KV heads of one card: shared out by tensor parallel, but never fewer than one, which is then a copy.

    Args:
        settings: the resolved settings
        heads: KV heads of the layer

    Returns:
        Heads.

    Source:
        vLLM 0.33.0, `config/model.py`, `get_num_kv_heads`.
    """
    return int(max(1, heads // settings["tp"]))


def token_bytes(settings: Settings, kind: Kind) -> int:
    """What one token of one layer takes on one card; nothing for a state and for a layer that shares another's cache.

    Args:
        settings: the resolved settings
        kind: the kind of layer

    Returns:
        Bytes.

    Raises:
        PlanError: for heads of a size that both languages cannot hold exactly

    Source:
        vLLM 0.33.0, `v1/kv_cache_interface.py`, `AttentionSpec` and `MLAAttentionSpec`.
    """
    if kind["kind"] not in ATTENTION:
        return 0
    if kind["kind"] == "mla":
        return bounded("head_dim", _mla_bytes(settings, kind))
    heads = heads_here(settings, kind["kv_heads"])
    if settings["kv_dtype"] == "nvfp4":
        return bounded("head_dim", heads * (_nvfp4(kind["head_dim"]) + _nvfp4(kind["head_dim_v"])))
    # A type with a scale for each token and head keeps two more numbers of four bytes, for the key and the value.
    scales = 8 if settings["kv_dtype"].endswith("per_token_head") else 0
    values = kind["head_dim"] + kind["head_dim_v"]
    return bounded("head_dim", heads * (values * value_bytes(settings) + scales))


def _mla_bytes(settings: Settings, kind: Kind) -> int:
    if settings["kv_dtype"] in MLA_BYTES:
        return MLA_BYTES[settings["kv_dtype"]]
    if settings["rules"]["engine"] == "V0" and not at_least(settings["rules"]["order"], "0.7.1"):
        heads = heads_here(settings, settings["model"]["heads"])
        return heads * 2 * MLA_HEAD_VALUES * value_bytes(settings)
    if settings["kv_dtype"] == "nvfp4":
        return _nvfp4(kind["head_dim"])
    return int(kind["head_dim"]) * value_bytes(settings)


def _nvfp4(values: int) -> int:
    # Two values a byte, and a scale of one byte for every 16 values.
    return values // 2 + values // 16


def state_bytes(settings: Settings, kind: Kind) -> int:
    """The state that one Mamba or linear-attention layer keeps for one chat, shared out by tensor parallel.

    Args:
        settings: the resolved settings
        kind: the kind of layer

    Returns:
        Bytes.

    Raises:
        PlanError: for a state of a size that both languages cannot hold exactly

    Source:
        vLLM 0.33.0, `v1/kv_cache_interface.py`, `MambaSpec`.
    """
    total = 0
    own = 4 if settings["dtype"] in ("float32", "float") else 2
    for values, size in kind["state"]:
        here = rounded_up(values, settings["tp"])
        total = bounded("state", total + bounded("state", here * (size if size > 0 else own)))
    return total
