"""vLLM's defaults that depend on card, model and each other: seats, tokens a step, types, chunks."""

from typing import Any, Literal, TypedDict

from .plan_facts import VERSIONS
from .refuse import PlanError, one_of_names
from .rounding import GIB_BYTES
from .versions import Rules, at_least

Dtype = Literal["bfloat16", "float16", "float32"]
"""Types in which a model computes."""
DTYPES = ["auto", "half", "float16", "bfloat16", "float", "float32"]
"""Names of dtypes that vLLM takes.

Source:
    vLLM 0.33.0, ModelConfig.dtype.
"""

BLOCK_MULTIPLE = 16
"""Tokens of which a block is a multiple, for every attention of NVIDIA's and AMD's cards but for one.

Source:
    vLLM 0.33.0, v1/attention/backends: `get_supported_kernel_block_sizes`; AMD's AITER for latent attention takes any.
"""


class Batch(TypedDict):
    """The most of one step.

    Attributes:
        seats: chats at once
        tokens: tokens a step
    """

    seats: int
    tokens: int


def batch_of(
    rules: Rules,
    card: Any,
    model: Any,
    longest: int,
    chunked: bool,
    server: Literal["api", "llm"],
    seats: int | None,
    tokens: int | None,
) -> Batch:
    """Seats and tokens a step, where they are given and where they are not.

    Args:
        rules: of the version
        card: the card
        model: the model
        longest: length of the longest chat, tokens
        chunked: whether prompts are cut into chunks
        server: “api” for the server, “llm” for the class LLM
        seats: chats at once that were given, or None
        tokens: tokens a step that were given, or None

    Returns:
        Chats at once and tokens a step.

    Source:
        vLLM 0.33.0, engine/arg_utils.py, `get_batch_defaults`; each version's in `facts/vllm/vllm.json`.
    """
    own = _v0(rules, model, longest, chunked) if rules["engine"] == "V0" else _tier(rules, card, server)
    found_tokens = own["tokens"] if tokens is None else tokens
    found_seats = own["seats"] if seats is None else seats
    if tokens is None and rules["engine"] == "V1":
        if not chunked:
            found_tokens = max(found_tokens, longest)
        if rules["tokens_within_seats"]:
            found_tokens = min(found_seats * longest, found_tokens)
    if seats is None and rules["seats_within_tokens"]:
        found_seats = min(found_seats, found_tokens)
    return {"seats": found_seats, "tokens": found_tokens}


def _v0(rules: Rules, model: Any, longest: int, chunked: bool) -> Batch:
    facts = VERSIONS["batch"]["v0"]
    tokens = rules["chunked_tokens"] if chunked else max(longest, facts["tokens"])
    if model["multimodal"]:
        tokens = max(tokens, rules["multimodal_tokens"])
    return {"seats": facts["seats"], "tokens": tokens}


def _tier(rules: Rules, card: Any, server: str) -> Batch:
    facts = VERSIONS["batch"]
    name = _lower(card["name"])
    if card["maker"] == "google":
        return _tpu(name, server)
    large = card["total_bytes"] >= facts["large_gib"] * GIB_BYTES
    tier = "large" if large else "other"
    if rules["tiers"] in ("names", "names_1024"):
        tier = "large" if "h100" in name or "h200" in name else "other"
    elif rules["tiers"] != "memory" and "a100" in name:
        tier = "other"
    if rules["tiers"] == "gb10" and card["capability"] == "12.1":
        tier = "other"
    if rules["tiers"] in ("blackwell", "gb10") and card["total_bytes"] >= facts["blackwell_gib"] * GIB_BYTES:
        tier = "blackwell"
    row = facts[tier]
    seats = facts["large"]["seats"] if rules["tiers"] == "names_1024" else row["seats"]
    return {"seats": seats, "tokens": row[server]}


def _lower(text: str) -> str:
    # ASCII letters made small, as names of cards have no others that matter.
    return "".join(chr(ord(letter) + 32) if "A" <= letter <= "Z" else letter for letter in text)


def _tpu(name: str, server: str) -> Batch:
    facts = VERSIONS["batch"]
    for chip, row in facts["tpu"].items():
        if _lower(chip) in name:
            return {"seats": facts["other"]["seats"], "tokens": row[server]}
    return {"seats": facts["other"]["seats"], "tokens": facts["other"][server]}


def chunked_of(rules: Rules, model: Any, card: Any, longest: int, asked: bool | None) -> bool:
    """Whether prompts are cut into chunks.

    Args:
        rules: of the version
        model: the model
        card: the card
        longest: length of the longest chat, tokens
        asked: what was asked, or None

    Returns:
        Whether they are.

    Raises:
        PlanError: for a release that is no version

    Source:
        vLLM 0.6.6 and 0.8.5, engine/arg_utils.py: V0 does so by itself above 32,768 tokens for plain text models.
    """
    if rules["chunked_fixed"]:
        return True
    if asked is not None:
        return asked
    if rules["engine"] == "V1" or rules["chunked_above_tokens"] == 0 or longest <= rules["chunked_above_tokens"]:
        return rules["chunked"]
    kinds = [kind["kind"] for kind in model["kinds"]]
    # Multi-head latent attention was left out from 0.8.1 on.
    latent = "mla" in kinds and at_least(rules["order"], "0.8.1")
    plain = not latent and "sliding" not in kinds and "mamba" not in kinds and not model["multimodal"]
    return card["maker"] == "nvidia" and plain


def dtype_of(rules: Rules, card: Any, model: Any, asked: Any) -> Dtype:
    """The type in which the model computes.

    Args:
        rules: of the version
        card: the card
        model: the model
        asked: name of a dtype, or None

    Returns:
        bfloat16, float16 or float32.

    Raises:
        PlanError: for a name that vLLM does not take

    Source:
        vLLM 0.8.5 and 0.33.0, `_get_and_verify_dtype`; the card's first type is bfloat16 from compute capability 8.0.
    """
    name = "auto" if asked is None else one_of_names("dtype", asked, DTYPES)
    if name in ("half", "float16"):
        return "float16"
    if name == "bfloat16":
        return "bfloat16"
    if name in ("float", "float32"):
        return "float32"
    own: Dtype = model["dtype"]
    if own == "float32":
        own = _preferred(rules, card, model) if rules["float32_to"] == "preferred" else "float16"
    if own == "bfloat16" and not does_bfloat16(card) and rules["dtype_falls_back"]:
        return _preferred(rules, card, model)
    return own


def _preferred(rules: Rules, card: Any, model: Any) -> Dtype:
    if does_bfloat16(card):
        return "bfloat16"
    never = rules["float32_to"] == "preferred" and model["model_type"] in VERSIONS["no_float16"]["names"]
    return "float32" if never else "float16"


def does_bfloat16(card: Any) -> bool:
    """Whether a card computes in bfloat16: NVIDIA's from compute capability 8.0, the others all.

    Args:
        card: the card

    Returns:
        Whether it does.

    Source:
        vLLM 0.33.0, platforms/cuda.py.
    """
    return card["capability"] == "" or int(card["capability"].split(".")[0]) >= 8


def block_tokens_of(rules: Rules, card: Any, model: Any, asked: Any) -> int:
    """Tokens of a block that were asked for, 0 where the backend decides.

    Args:
        rules: of the version
        card: the card
        model: the model
        asked: tokens of a block, or None

    Returns:
        Tokens.

    Raises:
        PlanError: for a size that the version, or every attention on the card, does not have

    Source:
        `facts/vllm/vllm.json`, block_sizes and block_multiple.
    """
    if asked is None:
        return 0
    sizes = rules["block_sizes"]
    most = VERSIONS["bounds"]["seats"]
    by = _block_multiple(rules, card, model)
    right = isinstance(asked, (int, float)) and not isinstance(asked, bool) and 1 <= asked <= most
    if not right or (asked not in sizes if sizes else asked % by != 0):
        names = ", ".join(str(size) for size in sizes) if sizes else f"{by}, {2 * by}, {3 * by} … {most}"
        raise PlanError("block_size", asked, "block_of", version=rules["version"], names=names)
    return int(asked)


def _block_multiple(rules: Rules, card: Any, model: Any) -> int:
    # Only attention has blocks of its own, and on AMD's cards one of the latent ones takes any.
    kinds = [kind["kind"] for kind in model["kinds"] if kind["kind"] != "mamba"]
    latent = "mla" in kinds
    attends = kinds and (card["maker"] == "nvidia" or (card["maker"] == "amd" and not latent))
    known = rules["block_multiple"] == "all" or (rules["block_multiple"] == "mla" and latent)
    return BLOCK_MULTIPLE if attends and known else 1
