"""Models that cannot be shared out over so many cards: heads of the cache, and widths that are scaled in blocks."""

from .config import Model
from .modules import chooser_of, scheme_of
from .plan_facts import LINES
from .pool import Told, told
from .quantisation import Scheme
from .settings import Settings
from .tensors import Tensor
from .versions import value_since

SHAPES = ("heads", "kv_heads", "expert_block", "width_block")
"""Names of the refusals of a model that cannot be shared out over so many cards."""
ATTENTION = ("full", "sliding", "chunked", "cross")
"""Kinds of layers whose heads are shared out; the one vector of latent attention and a state are not."""
EXPERTS = "enable_expert_parallel"
"""The setting that leaves experts whole, by vLLM's name."""
_SECOND = ("w2", "down", "shared_down")


def undivided(settings: Settings) -> Told | None:
    """Why the model cannot be shared out over the cards that share each layer, or nothing.

    Args:
        settings: as resolved

    Returns:
        The refusal with its counts of heads, or its widths in values, or None.

    Raises:
        PlanError: for a release that is no version

    Source:
        vLLM 0.33.0, model_executor/models/llama.py and qwen3_moe.py, LlamaAttention and Qwen3MoeAttention;
        model_executor/layers/quantization/fp8.py, Fp8MoEMethod.create_weights, and utils/fp8_utils.py,
        validate_fp8_block_shape; vllm-project/vllm#17569 and #25292.
    """
    return _by_kv_heads(settings) or _by_blocks(settings)


def _by_kv_heads(settings: Settings) -> Told | None:
    tp = settings["tp"]
    for kind in settings["model"]["kinds"]:
        heads = kind["kv_heads"]
        if kind["kind"] in ATTENTION and heads > 0 and heads % tp != 0 and tp % heads != 0:
            says = LINES["kv_heads_assert"]["fewer" if heads < tp else "more"]
            return told("kv_heads", {"kv_heads": heads, "tp": tp, "assertion": says})
    return None


def _by_blocks(settings: Settings) -> Told | None:
    # Layers in vLLM's order; of those that are alike the widths are looked at once.
    model = settings["model"]
    weights = model["weights"]
    stored, counted = weights["quantisation"], weights["counted"]
    schemes = [scheme for scheme in stored["schemes"] if len(scheme["block"]) == 2]
    if not schemes:
        return None
    chooser = chooser_of(stored["ignore"])
    odd: dict[str, list[Tensor]] = {}
    for layer, template in enumerate(counted["order"]):
        key = f"kind {template}"
        if key not in odd:
            tensors = counted["templates"][template]
            odd[key] = [each for each in tensors if any(_tells(settings, each, scheme) for scheme in schemes)]
        for each in odd[key]:
            scheme = scheme_of(each, stored, chooser, layer)
            found = None if scheme is None else _tells(settings, each, scheme)
            if found is not None:
                return found
    return None


def _tells(settings: Settings, each: Tensor, scheme: Scheme) -> Told | None:
    # Of each pair of matrices the second one tells the width between them.
    tp, block = settings["tp"], scheme["block"]
    if len(block) != 2:
        return None
    if each["name"] in ("qkv", "o"):
        return _by_attention(settings, each, block)
    whole = _width(settings["model"], each)
    if whole == 0 or whole % tp != 0:
        return None
    width = whole // tp
    experts = each["name"] == "w2"
    if width % block[0] == 0 and width % block[1] == 0:
        return None
    if experts and EXPERTS in settings["not_counted"]:
        return None
    side = _side(settings, width, block, experts)
    if side == "":
        return None
    return _ends_within(settings, side, [whole, width, block[0] if side in ("expert_out", "out") else block[1]])


def _ends_within(settings: Settings, side: str, sizes: list[int]) -> Told:
    says = LINES["block_width"][side]
    terms = {"whole": sizes[0], "width": sizes[1], "tp": settings["tp"], "block": sizes[2]}
    key = "expert_block" if side.startswith("expert") else "width_block"
    return told(key, {**terms, "weight": says["weight"], "side": says["side"]})


def _by_attention(settings: Settings, each: Tensor, block: list[int]) -> Told | None:
    # Queries, keys and values come out of one matrix that is merged, and go into the next one.
    tp, weights = settings["tp"], settings["model"]["weights"]
    if tp == 1 or each["split"] % (weights["hidden"] * tp) != 0:
        return None
    queries, heads = each["split"] // weights["hidden"], weights["kv_heads"]
    if each["name"] == "o":
        found = [queries, queries // tp, block[1]]
        return None if found[1] % block[1] == 0 else _ends_within(settings, "in", found)
    if value_since(LINES["merged_blocks"]["since"], settings["rules"]["order"]):
        return None
    # A head's key is as wide as its value.
    wide = each["kv"] // (2 * heads * weights["hidden"])
    for whole, width in ([queries, queries // tp], [wide * heads, wide * max(1, heads // tp)]):
        if width % block[0] != 0:
            return _ends_within(settings, "out", [whole, width, block[0]])
    return None


def _side(settings: Settings, width: int, block: list[int], experts: bool) -> str:
    # What goes into a block is looked at where cards share a layer; what comes out of it, of experts always.
    split = settings["tp"] > 1
    if experts:
        return "expert_out" if width % block[0] != 0 else "expert_in" if split else ""
    if not split:
        return ""
    merged = value_since(LINES["merged_blocks"]["since"], settings["rules"]["order"])
    if width % block[0] != 0 and not merged:
        return "out"
    return "in" if width % block[1] != 0 else ""


def _width(model: Model, each: Tensor) -> int:
    if each["name"] not in _SECOND:
        return 0
    rows = model["weights"]["hidden"] * (model["weights"]["expert_number"] if each["name"] == "w2" else 1)
    return each["split"] // rows if rows > 0 and each["split"] % rows == 0 else 0
