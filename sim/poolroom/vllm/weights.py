"""The bytes of the weights on one GPU: what vLLM prints as "Model loading took"."""

import math
from typing import TypedDict

from ..checks import MOST_WHOLE
from .allocated import stored_bytes
from .config import Model
from .loaded import Loaded, loading, tensor_bytes
from .modules import left_there
from .plan_facts import QUANTISATIONS
from .quantisation import Quantisation, by_name, lowered
from .refuse import one_of_names
from .safetensors import left_out
from .stages import stages_of
from .sums import product, total
from .tensors import Tensor
from .values import whole_of

_DTYPES: dict[str, int] = {"auto": 0, "bfloat16": 2, "float16": 2, "half": 2, "float32": 4, "float": 4}


class Part(TypedDict):
    """A part of the memory of one GPU.

    Attributes:
        name: what it is, without unit
        bytes: its size, bytes
        low: the least that it may be, bytes
        high: the most that it may be, bytes
        kind: "measured", "rule", "fitted" or "guessed", without unit
        source: key of the sentence that says where it comes from, without unit
    """

    name: str
    bytes: int
    low: int
    high: int
    kind: str
    source: str


def weights_of(
    model: Model,
    dtype: str = "auto",
    quantization: str = "",
    tp: int = 1,
    pp: int = 1,
    last_takes_rest: bool = False,
) -> list[Part]:
    """The bytes of the weights that one GPU of each pipeline stage holds.

    Args:
        model: the model
        dtype: type in which they are loaded; "auto" for the config's own, 16 bits for float32
        quantization: how they are quantised while they are loaded; "" for as the checkpoint has them
        tp: how many GPUs share each layer
        pp: how many pipeline stages there are
        last_takes_rest: whether the last stage takes the remainder of the layers, true or false

    Returns:
        One part a stage, in bytes.

    Raises:
        PlanError: for a name that is not known, and for more stages than layers
    """
    stored = _stored(model, quantization)
    plain = _DTYPES[one_of_names("dtype", dtype, list(_DTYPES))] or 2
    ranks = whole_of("tensor_parallel_size", tp, 1, 65_536)
    stages = stages_of(len(model["weights"]["caches"]), pp, last_takes_rest)
    sizes = _sizes(model, loading(model, stored, plain, ranks, True), stages)
    own = not quantization or model["quantisation"] != ""
    extra = _index_extra(model, stored, plain) if own else 0
    share = math.floor(extra / ranks / len(stages))
    return [_part(model, stored, max(0, total("weights", size, share))) for size in sizes]


def _stored(model: Model, quantization: str) -> Quantisation:
    own = model["weights"]["quantisation"]
    if own["method"] or not quantization:
        return own
    if quantization == "gguf":
        said = lowered(model["name"])
        named = [each for each in list(QUANTISATIONS["gguf"]) if lowered(each) in said]
        return by_name(named[0] if len(named) > 0 else "Q8_0")
    return by_name(quantization)


def _sizes(model: Model, loaded: Loaded, stages: list[int]) -> list[int]:
    weights, counted = model["weights"], model["weights"]["counted"]
    tables = weights["rope"] * loaded["plain"] if loaded["allocated"] else 0
    known: dict[str, int] = {}
    sizes = []
    layer = 0
    for stage in range(len(stages)):
        size = total("rope", tables)
        for i in range(layer, layer + stages[stage]):
            size = total("weights", size, _layer_bytes(model, loaded, i, known))
        layer += stages[stage]
        first, last = stage == 0, stage == len(stages) - 1
        if first or (last and weights["tied"]):
            size = total("weights", size, _bytes(counted["first"], model, loaded, -1))
        if first:
            size = total("weights", size, _bytes(counted["beside"], model, loaded, -1))
        sizes.append(total("weights", size, _bytes(counted["last"], model, loaded, -1)) if last else size)
    return sizes


def _layer_bytes(model: Model, loaded: Loaded, layer: int, known: dict[str, int]) -> int:
    template = model["weights"]["counted"]["order"][layer]
    special = len(left_there(loaded["chooser"], layer)) > 0
    key = f"{template}/{layer if special else 'any'}"
    if key not in known:
        known[key] = _bytes(model["weights"]["counted"]["templates"][template], model, loaded, layer)
    return known[key]


def _bytes(tensors: list[Tensor], model: Model, loaded: Loaded, layer: int) -> int:
    return total("weights", *[tensor_bytes(each, model, loaded, layer) for each in tensors])


def _index_extra(model: Model, stored: Quantisation, plain: int) -> int:
    weights = model["weights"]
    if not weights["index_bytes"]:
        return 0
    own = 4 if model["dtype"] == "float32" else 2
    sizes = _sizes(model, loading(model, stored, own, 1, False), [len(weights["caches"])])
    words = product("parameters", weights["counted"]["unloaded_words"], own)
    layers = weights["counted"]["unloaded"] - weights["counted"]["unloaded_words"]
    if len(stored["schemes"]) > 0:
        layers = stored_bytes(layers, stored["schemes"][0])
    else:
        layers = product("parameters", layers, own)
    unloaded = total("parameters", words, layers)
    told = weights["index_bytes"] - left_out(weights["index_bytes"], sizes[0], unloaded)
    extra = told - sizes[0]
    return extra if stored["method"] else math.floor(extra / own * plain)


def _part(model: Model, stored: Quantisation, size: int) -> Part:
    weights, spread = model["weights"], QUANTISATIONS["spread"]["quantised" if stored["method"] else "plain"]
    count = max(1, weights["counted"]["parameters"])
    told = weights["index_bytes"] > 0
    low = size if told else size * (weights["least"] / count)
    high = size if told else size * (weights["most"] / count)
    guessed = len(model["guesses"]) > 0 and not told
    return {
        "name": "weights",
        "bytes": size,
        "low": max(0, min(size, math.floor(low - size * (spread / 100)))),
        "high": min(MOST_WHOLE, max(size, math.floor(high + size * (spread / 100)))),
        "kind": "guessed" if guessed else "rule",
        "source": "weights_guessed" if guessed else ("weights_index" if told else "weights_counted"),
    }
