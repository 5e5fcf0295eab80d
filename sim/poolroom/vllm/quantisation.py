"""How weights are stored: bits a weight with its scales and zero points, and which weights are left as they are."""

from collections.abc import Callable
from typing import Any, TypedDict

from .fields import (
    flag_field,
    has,
    list_field,
    number_field,
    object_of,
    table_field,
    text_field,
    texts_field,
    whole_field,
    whole_of,
)
from .plan_facts import QUANTISATIONS
from .refuse import PlanError, one_of_names


class Scheme(TypedDict):
    """How some weights are stored.

    Attributes:
        targets: names of modules that it is for; none: all that can be quantised, without unit
        hundredths: hundredths of bits a weight
        group: weights that share a scale; 0: a row shares it, which counts as nothing
        group_bits: bits of scale and zero point of one group
    """

    targets: list[str]
    hundredths: int
    group: int
    group_bits: int


class Quantisation(TypedDict):
    """How the weights of a checkpoint are stored.

    Attributes:
        method: its name in vLLM; "" for weights that are not quantised, without unit
        schemes: how the weights are stored, the first that fits counts
        ignore: names of modules that are left as they are, without unit
        experts_only: whether only experts are stored so, true or false
        words: whether embedding and head are stored so too, true or false
        padded: values to whose multiple the widths of experts are filled up; 0: none
    """

    method: str
    schemes: list[Scheme]
    ignore: list[str]
    experts_only: bool
    words: bool
    padded: int


def none_of_it() -> Quantisation:
    """Weights that are not quantised.

    Returns:
        A record without schemes.
    """
    return {"method": "", "schemes": [], "ignore": [], "experts_only": False, "words": False, "padded": 0}


def _plain(method: str, hundredths: int, group: int = 0, group_bits: int = 0) -> Quantisation:
    scheme: Scheme = {"targets": [], "hundredths": hundredths, "group": group, "group_bits": group_bits}
    found = none_of_it()
    found["method"] = method
    found["schemes"] = [scheme]
    return found


def by_name(method: str) -> Quantisation:
    """A way to store weights that is asked for by its name, for a checkpoint that is not quantised.

    Args:
        method: a name as in `--quantization`, or a GGUF type such as "Q4_K_M"

    Returns:
        How the weights are stored.

    Raises:
        PlanError: for a name that is not known
    """
    if method in ("", "none"):
        return none_of_it()
    upper = method.upper()
    if upper in QUANTISATIONS["gguf"]:
        found = _plain("gguf", QUANTISATIONS["gguf"][upper])
        found["words"] = True
        return found
    one_of_names("quantization", method, list(QUANTISATIONS["methods"]))
    known = QUANTISATIONS["methods"][method]
    found = _plain(known["method"], known["hundredths"], known["group"], known["group_bits"])
    found["experts_only"] = known.get("experts_only", False)
    found["padded"] = known.get("padded", 0)
    return found


def quantisation_of(outer: dict[str, Any], text: dict[str, Any]) -> Quantisation:
    """How a checkpoint's config.json says that its weights are stored.

    Args:
        outer: the whole config
        text: the config of the language model

    Returns:
        How the weights are stored.

    Raises:
        PlanError: for a method that is not known, and for a field that is not understood
    """
    for config in (outer, text):
        for name in ("quantization_config", "compression_config"):
            if has(config, name):
                return _read(object_of(name, config[name]))
    return none_of_it()


def _read(config: dict[str, Any]) -> Quantisation:
    method = text_field(config, "quant_method") or text_field(config, "quant_algo")
    lower = "".join([chr(ord(each) + 32) if "A" <= each <= "Z" else each for each in method])
    name = QUANTISATIONS["aliases"].get(lower, lower)
    one_of_names("quant_method", name, list(READERS))
    found = READERS[name](config)
    found["method"] = name
    for key in ("modules_to_not_convert", "ignore", "ignored_layers", "exclude_modules"):
        found["ignore"] = found["ignore"] + texts_field(config, key)
    return found


def _integers(config: dict[str, Any], zeros: bool) -> Quantisation:
    bits = whole_field(config, "bits w_bit weight_bits num_bits", 1, 16, 4)
    size = whole_field(config, "group_size q_group_size", -1, default=128)
    return _plain("", 100 * bits, max(0, size), 16 + (bits if zeros else 0))


def _awq(config: dict[str, Any]) -> Quantisation:
    return _integers(config, flag_field(config, "zero_point", True))


def _gptq(config: dict[str, Any]) -> Quantisation:
    found = _integers(config, not flag_field(config, "sym", True))
    found["words"] = flag_field(config, "lm_head", False)
    return found


def _fp8(config: dict[str, Any]) -> Quantisation:
    block = list_field(config, "weight_block_size", 3)
    group = 1
    for each in block:
        group *= whole_of("weight_block_size", each, 1, 65_536)
    return _plain("", 800, group if block else 0, 32)


def _bitsandbytes(config: dict[str, Any]) -> Quantisation:
    if flag_field(config, "load_in_8bit", False):
        return _plain("", 800)
    found = by_name("bitsandbytes")
    found["ignore"] = texts_field(config, "llm_int8_skip_modules")
    return found


def _of_method(name: str) -> Callable[[dict[str, Any]], Quantisation]:
    return lambda _: by_name(name)


def _modelopt(config: dict[str, Any]) -> Quantisation:
    inside = table_field(config, "quantization")
    algorithm = text_field(config, "quant_algo") or text_field(inside, "quant_algo", "FP8")
    names = QUANTISATIONS["modelopt"]
    if "config_groups" in config and algorithm not in names:
        return _compressed(config)
    found = by_name(names[one_of_names("quant_algo", algorithm, list(names))])
    found["ignore"] = texts_field(inside, "exclude_modules")
    return found


def _compressed(config: dict[str, Any]) -> Quantisation:
    groups = table_field(config, "config_groups")
    found = none_of_it()
    for name in groups:
        group = object_of(name, groups[name])
        weights = table_field(group, "weights")
        if not weights:
            continue
        scheme = _group(weights)
        targets = texts_field(group, "targets")
        scheme["targets"] = [] if "Linear" in targets else targets
        found["schemes"].append(scheme)
    found["schemes"] = [each for each in found["schemes"] if each["targets"]] + [
        each for each in found["schemes"] if not each["targets"]
    ]
    if not found["schemes"]:
        raise PlanError("config_groups", groups, "config_groups")
    return found


def _group(weights: dict[str, Any]) -> Scheme:
    bits = whole_field(weights, "num_bits", 1, 16, 8)
    strategy = text_field(weights, "strategy", "tensor")
    floats = text_field(weights, "type", "int") == "float"
    zeros = 0 if flag_field(weights, "symmetric", True) else bits
    group = 0
    if strategy in ("group", "tensor_group"):
        group = whole_field(weights, "group_size", 1, default=128)
    if strategy == "block":
        group = 1
        for each in list_field(weights, "block_structure", 3):
            group *= whole_of("block_structure", each, 1, 65_536)
    scale = 8 if floats and bits == 4 else (32 if strategy == "block" else 16)
    return {"targets": [], "hundredths": 100 * bits, "group": group, "group_bits": scale + zeros}


def _auto_round(config: dict[str, Any]) -> Quantisation:
    return _integers(config, not flag_field(config, "sym", True))


def _gguf(config: dict[str, Any]) -> Quantisation:
    return by_name(text_field(config, "gguf_type", "Q8_0"))


def _hqq(config: dict[str, Any]) -> Quantisation:
    inside = table_field(table_field(config, "quant_config"), "weight_quant_params")
    bits = number_field(inside, "nbits", 1, 8, 4)
    return _plain("", int(100 * bits), whole_field(inside, "group_size", 1, default=64), 32)


READERS: dict[str, Callable[[dict[str, Any]], Quantisation]] = {
    "awq": _awq,
    "gptq": _gptq,
    "fp8": _fp8,
    "fbgemm_fp8": _of_method("fbgemm_fp8"),
    "compressed-tensors": _compressed,
    "bitsandbytes": _bitsandbytes,
    "mxfp4": _of_method("mxfp4"),
    "modelopt": _modelopt,
    "experts_int8": _of_method("experts_int8"),
    "auto-round": _auto_round,
    "gguf": _gguf,
    "hqq": _hqq,
}
