"""How a checkpoint's config.json says that its weights are stored: one reader for each method."""

import math
from collections.abc import Callable
from typing import Any

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
)
from .plan_facts import QUANTISATIONS
from .quantisation import Quantisation, Scheme, by_name, lowered, none_of_it, plain_scheme
from .refuse import PlanError, one_of_names
from .values import whole_of


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
    lower = lowered(method)
    name = QUANTISATIONS["aliases"].get(lower, lower)
    one_of_names("quant_method", name, list(_READERS))
    found = _READERS[name](config)
    found["method"] = name
    for key in ("modules_to_not_convert", "ignore", "ignored_layers", "exclude_modules"):
        found["ignore"] = [*found["ignore"], *texts_field(config, key)]
    return found


def _integers(config: dict[str, Any], zeros: bool) -> Quantisation:
    bits = whole_field(config, "bits w_bit weight_bits num_bits", 1, 16, 4)
    size = whole_field(config, "group_size q_group_size", -1, otherwise=128)
    return plain_scheme("", 100 * bits, max(0, size), 16 + (bits if zeros else 0))


def _awq(config: dict[str, Any]) -> Quantisation:
    return _integers(config, flag_field(config, "zero_point", True))


def _gptq(config: dict[str, Any]) -> Quantisation:
    found = _integers(config, not flag_field(config, "sym", True))
    found["words"] = flag_field(config, "lm_head", False)
    # GPTQModel: a pattern with a minus is left as it is.
    own = table_field(config, "dynamic")
    for name in list(own):
        if name.startswith("-:"):
            found["ignore"] = [*found["ignore"], f"re:{name[2:]}"]
    return found


def _fp8(config: dict[str, Any]) -> Quantisation:
    block = list_field(config, "weight_block_size", 3)
    group = 1
    for each in block:
        group *= whole_of("weight_block_size", each, 1, 65_536)
    found = plain_scheme("", 800, group if len(block) > 0 else 0, 32)
    found["schemes"][0]["block"] = [int(each) for each in block]
    return found


def _bitsandbytes(config: dict[str, Any]) -> Quantisation:
    if flag_field(config, "load_in_8bit", False):
        return plain_scheme("", 800)
    found = by_name("bitsandbytes")
    found["ignore"] = texts_field(config, "llm_int8_skip_modules")
    return found


def _of_method(name: str) -> Callable[[dict[str, Any]], Quantisation]:
    return lambda _: by_name(name)


def _modelopt(config: dict[str, Any]) -> Quantisation:
    inside = table_field(config, "quantization")
    algorithm = text_field(config, "quant_algo") or text_field(inside, "quant_algo", "FP8")
    algorithms = QUANTISATIONS["modelopt"]
    if has(config, "config_groups") and algorithm not in algorithms:
        return _compressed(config)
    found = by_name(algorithms[one_of_names("quant_algo", algorithm, list(algorithms))])
    found["ignore"] = texts_field(inside, "exclude_modules")
    return found


def _compressed(config: dict[str, Any]) -> Quantisation:
    groups = table_field(config, "config_groups")
    found = none_of_it()
    named: list[Scheme] = []
    others: list[Scheme] = []
    for name in list(groups):
        group = object_of(name, groups[name])
        if has(group, "weights"):
            scheme = _group(table_field(group, "weights"))
            targets = texts_field(group, "targets")
            if len(targets) == 0 or "Linear" in targets:
                others.append(scheme)
            else:
                scheme["targets"] = targets
                named.append(scheme)
    if len(named) + len(others) == 0:
        raise PlanError("config_groups", groups, "config_groups")
    found["schemes"] = [*named, *others]
    return found


def _group(weights: dict[str, Any]) -> Scheme:
    bits = whole_field(weights, "num_bits", 1, 16, 8)
    strategy = text_field(weights, "strategy", "tensor")
    floats = text_field(weights, "type", "int") == "float"
    zeros = 0 if flag_field(weights, "symmetric", True) else bits
    group = 0
    block: list[int] = []
    if strategy in ("group", "tensor_group"):
        group = whole_field(weights, "group_size", 1, otherwise=128)
    if strategy == "block":
        group = 1
        for each in list_field(weights, "block_structure", 3):
            group *= whole_of("block_structure", each, 1, 65_536)
            block.append(int(each))
    scale = 8 if floats and bits == 4 else (32 if strategy == "block" else 16)
    return {"targets": [], "hundredths": 100 * bits, "group": group, "group_bits": scale + zeros, "block": block}


def _auto_round(config: dict[str, Any]) -> Quantisation:
    found = _integers(config, not flag_field(config, "sym", True))
    # Modules with settings of their own: those of 16 bits are left as they are.
    own = table_field(config, "extra_config")
    for name in list(own):
        if whole_field(object_of(name, own[name]), "bits", 1, 32, 4) >= 16:
            found["ignore"] = [*found["ignore"], name]
    return found


def _gguf(config: dict[str, Any]) -> Quantisation:
    return by_name(text_field(config, "gguf_type", "Q8_0"))


def _hqq(config: dict[str, Any]) -> Quantisation:
    inside = table_field(table_field(config, "quant_config"), "weight_quant_params")
    bits = number_field(inside, "nbits", 1, 8, 4)
    return plain_scheme("", math.floor(100 * bits), whole_field(inside, "group_size", 1, otherwise=64), 32)


_READERS: dict[str, Callable[[dict[str, Any]], Quantisation]] = {
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
