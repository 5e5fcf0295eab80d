"""How weights are stored: bits a weight with scales, and which weights are left as they are."""

from typing import Any

import pytest

from poolroom.vllm.allocated import MIB, allocated_bytes, stored_bytes
from poolroom.vllm.config import read_model
from poolroom.vllm.modules import chooser_of, scheme_of
from poolroom.vllm.plan_facts import QUANTISATIONS
from poolroom.vllm.quantisation import Scheme, by_name
from poolroom.vllm.refuse import PlanError
from poolroom.vllm.tensors import tensor
from poolroom.vllm.weights import weights_of
from tests.vllm.configs import COUNTED, llama

LINEAR = 32 * (4096 * 4096 * 2 + 2 * 1024 * 4096 + 3 * 4096 * 14336)
"""Weights of Llama-3.1-8B that a way of storing is for: those in its layers, without norms."""
REST = 8_030_261_248 - LINEAR


def scheme(quantization_config: dict[str, Any]) -> Scheme:
    """The first way of storing in a config."""
    return read_model(llama(quantization_config=quantization_config))["weights"]["quantisation"]["schemes"][0]


def bits_a_weight(quantization_config: dict[str, Any]) -> float:
    """Bits a weight with what stands beside it."""
    return stored_bytes(2**20, scheme(quantization_config)) * 8 / 2**20


def compressed(**weights: Any) -> dict[str, Any]:
    """A compressed-tensors config with one group for all linear layers."""
    return {
        "quant_method": "compressed-tensors",
        "config_groups": {"group_0": {"targets": ["Linear"], "weights": weights}},
        "ignore": ["lm_head"],
    }


@pytest.mark.parametrize(
    ("config", "bits"),
    [
        ({"quant_method": "awq", "bits": 4, "group_size": 128, "zero_point": True}, 4 + 20 / 128),
        ({"quant_method": "awq", "w_bit": 4, "q_group_size": 64, "zero_point": False}, 4 + 16 / 64),
        ({"quant_method": "gptq", "bits": 4, "group_size": 128, "sym": True}, 4 + 16 / 128),
        ({"quant_method": "gptq", "bits": 8, "group_size": -1, "sym": True}, 8),
        ({"quant_method": "auto-round", "bits": 4, "group_size": 128, "sym": True}, 4 + 16 / 128),
        ({"quant_method": "fp8", "activation_scheme": "dynamic"}, 8),
        ({"quant_method": "fp8", "weight_block_size": [128, 128]}, 8 + 32 / 16384),
        ({"quant_method": "fbgemm_fp8"}, 8),
        ({"quant_method": "bitsandbytes", "load_in_4bit": True}, 4.5),
        ({"quant_method": "bitsandbytes", "load_in_8bit": True}, 8),
        ({"quant_method": "modelopt", "quant_algo": "FP8"}, 8),
        ({"quant_method": "modelopt", "quant_algo": "NVFP4"}, 4.5),
        (compressed(num_bits=8, type="int", strategy="channel", symmetric=True), 8),
        (compressed(num_bits=8, type="float", strategy="tensor"), 8),
        (compressed(num_bits=4, type="int", strategy="group", group_size=128), 4 + 16 / 128),
        (compressed(num_bits=4, type="int", strategy="group", group_size=128, symmetric=False), 4 + 20 / 128),
        (compressed(num_bits=4, type="float", strategy="tensor_group", group_size=16), 4.5),
    ],
)
def test_bits_a_weight(config: dict[str, Any], bits: float) -> None:
    """Rule: the bits of a weight, and of the scale and zero point that its group shares."""
    assert abs(bits_a_weight(config) - bits) < 1e-4


def test_only_experts() -> None:
    """Rule: MXFP4 in gpt-oss and experts_int8 store experts so, and nothing else."""
    model = read_model(COUNTED["openai/gpt-oss-20b"][0])
    stored = model["weights"]["quantisation"]
    assert stored["method"] == "mxfp4" and stored["experts_only"]
    chooser = chooser_of(stored["ignore"])
    assert scheme_of(tensor("w13", "expert"), stored, chooser, 0) is not None
    assert scheme_of(tensor("qkv", "linear"), stored, chooser, 0) is None
    experts = 24 * 32 * 3 * 2880 * 2880
    others = model["parameters"] - experts
    # The kernels fill 2,880 up to 3,072 in one direction.
    expected = experts * 3072 // 2880 * 17 // 32 + 2 * others
    assert abs(weights_of(model)[0]["bytes"] / expected - 1) < 0.005


def test_embedding_and_head_are_left() -> None:
    """Rule: embedding, head and norms keep the model's type; GGUF stores words too."""
    size = weights_of(read_model(llama(max_position_embeddings=1)), "auto", "fp8")[0]["bytes"]
    assert abs(size - (LINEAR + 2 * REST)) < 3 * MIB
    words = weights_of(read_model(llama(max_position_embeddings=1)), "auto", "Q8_0")[0]["bytes"]
    assert abs(words / (8_030_261_248 * 8.5 / 8) - 1) < 0.001


@pytest.mark.parametrize(
    ("ignore", "left"),
    [
        (["lm_head"], 0),
        (["re:.*self_attn.*"], 32 * (4096 * 4096 * 2 + 2 * 1024 * 4096)),
        (["model.layers.3.mlp.down_proj"], 4096 * 14336),
        (["model.layers.*.mlp.gate_proj", "model.layers.*.mlp.up_proj"], 32 * 2 * 4096 * 14336),
        (["re:.*mlp.gate$", "mtp.layers.0*", "model.vision_tower*", "model.layers.0.input_layernorm"], 0),
        (["model.layers.0", "model.layers.1"], 2 * LINEAR // 32),
    ],
)
def test_what_is_ignored_is_left_as_it_is(ignore: list[str], left: int) -> None:
    """Rule: names and patterns of modules take weights out, in all layers or in one."""
    fp8 = {"quant_method": "fp8", "ignored_layers": ignore}
    config = llama(max_position_embeddings=1, quantization_config=fp8)
    assert abs(weights_of(read_model(config))[0]["bytes"] - (LINEAR + left + 2 * REST)) < 70 * MIB


def test_modules_with_settings_of_their_own() -> None:
    """Rule: AutoRound's modules of 16 bits, and GPTQModel's patterns with a minus, are left as they are."""
    extra = {"model.layers.0.mlp.down_proj": {"bits": 16}, "model.layers.1.mlp.down_proj": {"bits": 8}}
    rounded = {"quant_method": "auto-round", "bits": 4, "group_size": 128, "extra_config": extra}
    stored = read_model(llama(quantization_config=rounded))["weights"]["quantisation"]
    assert stored["ignore"] == ["model.layers.0.mlp.down_proj"]
    dynamic = {"quant_method": "gptq", "bits": 4, "dynamic": {"-:.*self_attn.*": {}, "+:.*mlp.*": {"bits": 8}}}
    assert read_model(llama(quantization_config=dynamic))["weights"]["quantisation"]["ignore"] == ["re:.*self_attn.*"]


def test_groups_for_different_modules() -> None:
    """Rule: the first group that names a module counts; one for all linear layers comes last."""
    groups = {
        "group_0": {"targets": ["Linear"], "weights": {"num_bits": 8, "type": "float", "strategy": "tensor"}},
        "group_1": {
            "targets": ["model.layers.*.mlp.down_proj", "lm_head"],
            "weights": {"num_bits": 4, "type": "float", "strategy": "tensor_group", "group_size": 16},
        },
    }
    config = {"quant_method": "compressed-tensors", "config_groups": groups}
    stored = read_model(llama(quantization_config=config))["weights"]["quantisation"]
    chooser = chooser_of([])
    found = {name: scheme_of(tensor(name, "linear"), stored, chooser, 5) for name in ("down", "gate_up", "qkv")}
    assert {name: each["hundredths"] for name, each in found.items() if each} == {
        "down": 400,
        "gate_up": 800,
        "qkv": 800,
    }
    head = scheme_of(tensor("head", "head"), stored, chooser, -1)
    assert head and head["hundredths"] == 400


@pytest.mark.parametrize("name", QUANTISATIONS["methods"])
def test_methods_by_name(name: str) -> None:
    """Rule: a checkpoint of 16 bits can be stored otherwise by the name of a method; it shrinks, or has no experts."""
    size = weights_of(read_model(llama()), "auto", name)[0]["bytes"]
    plain = weights_of(read_model(llama()))[0]["bytes"]
    assert size < 0.6 * plain or by_name(name)["experts_only"]


def test_gguf_by_name() -> None:
    """Rule: "gguf" takes its type from the model's name; Q8_0 where it has none."""
    sizes = {
        name: weights_of(read_model(llama(), None, name), "auto", "gguf")[0]["bytes"] for name in ("", "x-q4_k_m.gguf")
    }
    assert abs(sizes["x-q4_k_m.gguf"] / sizes[""] - 4.89 / 8.5) < 0.01


def test_a_checkpoints_own_way_stays() -> None:
    """Rule: what is asked for does not change how a quantised checkpoint is stored."""
    model = read_model(llama(quantization_config={"quant_method": "awq"}))
    assert weights_of(model, "auto", "awq_marlin") == weights_of(model)


@pytest.mark.parametrize(
    ("config", "setting"),
    [
        ({"quant_method": "rot13"}, "quant_method"),
        ({"quant_method": 5}, "quant_method"),
        ({"quant_method": "compressed-tensors"}, "config_groups"),
        ({"quant_method": "awq", "bits": "4"}, "bits"),
        ({"quant_method": "fp8", "weight_block_size": [0, 1]}, "weight_block_size"),
        ({"quant_method": "modelopt", "quant_algo": "W2A2"}, "quant_algo"),
        ([], "quantization_config"),
    ],
)
def test_refusals(config: Any, setting: str) -> None:
    """Rule: a way of storing that is not understood is refused by its name."""
    with pytest.raises(PlanError) as caught:
        read_model(llama(quantization_config=config))
    assert caught.value.setting == setting


@pytest.mark.parametrize(
    ("size", "counted"),
    [
        (1, 512),
        (513, 1024),
        (3 * MIB + 1, 3 * MIB + 512),
        (int(24.5 * MIB), int(24.5 * MIB)),  # 26 MiB are taken, and 1.5 MiB go back
        (int(31.5 * MIB), 32 * MIB),  # half a MiB stays with the tensor
        (259 * MIB, 260 * MIB),
        (260 * MIB, 260 * MIB),
    ],
)
def test_what_the_allocator_counts(size: int, counted: int) -> None:
    """Rule: from 10 MiB PyTorch takes multiples of 2 MiB, and a rest of at most 1 MiB counts with the tensor."""
    assert allocated_bytes(size) == counted
