"""The models: how many, how sure, whether their sizes hang together, and what was read elsewhere."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from poolroom.vllm.models import model_config, model_facts, model_names
from poolroom.vllm.names import squashed
from poolroom.vllm.plan_facts import MODELS
from poolroom.vllm.refuse import PlanError

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared" / "facts"
CONFIGS = SHARED / "model-configs.json"
KINDS = {"log", "documentation", "unverified"}
FAMILIES = [
    "Llama-2-7b", "Llama-3-8B", "Llama-3.1-405B", "Llama-3.2-1B", "Llama-3.3-70B", "Llama-4-Scout",
    "Qwen1.5-14B", "Qwen2-7B", "Qwen2.5-72B", "Qwen3-0.6B", "Qwen3-30B-A3B", "Qwen3-Next", "Qwen3.5-27B", "QwQ",
    "Qwen3-Coder-30B", "Qwen3-Coder-480B", "Mistral-7B", "Mistral-Nemo", "Mistral-Small", "Mistral-Large",
    "Mixtral", "gemma-2", "gemma-3", "phi-2", "Phi-3", "phi-4", "gpt-oss-20b", "gpt-oss-120b",
    "DeepSeek-V2-Lite", "DeepSeek-V3", "DeepSeek-R1", "DeepSeek-R1-Distill", "Kimi-K2", "GLM-4.5",
    "GLM-4.5-Air", "OLMo-2", "granite-3", "granite-4.0-h", "Jamba-1.5", "Falcon-H1", "Nemotron-H", "Mamba",
    "Bamba", "command-r", "starcoder2", "SmolLM2", "TinyLlama", "opt-125m", "opt-2.7b", "Yi", "internlm",
    "MiniCPM", "whisper", "Llama-3.2-11B-Vision", "Qwen2-VL", "AWQ", "GPTQ", "FP8", "NVFP4",
]  # fmt: skip
OTHER_NAMES = {
    "deepseek-v2": "deepseek-ai/DeepSeek-V2", "deepseek-v2-lite": "deepseek-ai/DeepSeek-V2-Lite",
    "deepseek-v3": "deepseek-ai/DeepSeek-V3", "gemma-3-12b": "google/gemma-3-12b-it",
    "gemma-3-27b": "google/gemma-3-27b-it", "gemma-3-4b": "google/gemma-3-4b-it",
    "jamba-1.5-mini": "ai21labs/AI21-Jamba-1.5-Mini", "kimi-k2": "moonshotai/Kimi-K2-Thinking",
    "llama-3-70b": "meta-llama/Llama-3.1-70B", "llama-3-8b": "meta-llama/Llama-3.1-8B",
    "llama-4-maverick": "meta-llama/Llama-4-Maverick-17B-128E-Instruct", "mistral-7b": "mistralai/Mistral-7B-v0.1",
    "mistral-large-2407": "mistralai/Mistral-Large-Instruct-2407",
    "mistral-nemo-12b": "mistralai/Mistral-Nemo-Instruct-2407",
    "mistral-small-24b": "mistralai/Mistral-Small-3.2-24B-Instruct-2506", "mixtral-8x7b": "mistralai/Mixtral-8x7B-v0.1",
    "qwen2.5-3b": "Qwen/Qwen2.5-3B", "qwen2.5-72b": "Qwen/Qwen2.5-72B", "qwen-14b": "Qwen/Qwen-14B-Chat",
    "qwen3-coder-480b": "Qwen/Qwen3-Coder-480B-A35B-Instruct", "qwen3-235b": "Qwen/Qwen3-235B-A22B",
    "qwen3-30b-a3b": "Qwen/Qwen3-30B-A3B", "llama-3.2-11b-vision": "meta-llama/Llama-3.2-11B-Vision",
}  # fmt: skip
"""Names in the other file's keys that are not the end of a name here."""
SAME = ("hidden_size", "num_hidden_layers", "num_key_value_heads", "vocab_size", "torch_dtype", "kv_lora_rank")
SAME += ("qk_rope_head_dim", "sliding_window")


def text_of(config: dict[str, Any]) -> dict[str, Any]:
    """The part of a config that describes the language model, with the outer fields under it."""
    return {**config, **config.get("text_config", {})}


def test_every_model_says_where_it_is_from() -> None:
    """Rule: config and parameters have a source with date and kind; every source is used."""
    used = set()
    for name, facts in MODELS["models"].items():
        used |= {facts["source"], facts["parameters"][1]}
        assert isinstance(facts["parameters"][0], int) and 10**8 < facts["parameters"][0] < 2 * 10**12, name
        assert set(facts.get("remembered", [])) <= facts["config"].keys() | text_of(facts["config"]).keys(), name
    assert used == set(MODELS["sources"])
    for source in MODELS["sources"].values():
        assert source["kind"] in KINDS and len(source["source"]) > 8 and re.fullmatch(r"20[0-9-]+", source["date"])


def test_there_are_enough_models_and_they_are_sure(tell: Callable[[str], None]) -> None:
    """Rule: at least 70 models, 60 of them read somewhere."""
    models = [model_facts(name) for name in model_names()]
    sure = [model for model in models if model["kind"] != "unverified"]
    whole = [model for model in sure if not model["remembered"]]
    counted = [model for model in models if model["parameters_kind"] != "unverified"]
    tell(
        f"plan: {len(models)} models, {len(sure)} read somewhere, {len(whole)} of them with no field remembered, "
        f"{len(counted)} with published parameters"
    )
    assert len(models) >= 70 and len(sure) >= 60


@pytest.mark.parametrize("family", FAMILIES)
def test_families(family: str) -> None:
    """Rule: every family that is asked about is there."""
    names = [each.lower() for name, facts in MODELS["models"].items() for each in [name, *facts.get("aliases", [])]]
    assert any(family.lower() in name for name in names)


def test_sizes_hang_together() -> None:
    """Rule: heads share KV heads evenly, layer types are as many as layers, a dtype is one that vLLM takes."""
    for name in model_names():
        config = text_of(model_config(name))
        assert config["architectures"] and config["model_type"], name
        assert config.get("torch_dtype", config.get("dtype")) in {"bfloat16", "float16"}, name
        heads, kv_heads = config.get("num_attention_heads"), config.get("num_key_value_heads")
        if heads and kv_heads:
            assert heads % kv_heads == 0, name
            assert "head_dim" in config or config["hidden_size"] % heads == 0, name
        if "layer_types" in config:
            assert len(config["layer_types"]) == config["num_hidden_layers"], name
        if "hybrid_override_pattern" in config:
            assert len(config["hybrid_override_pattern"]) == config["num_hidden_layers"], name
        if "quantization_config" in config:
            assert config["quantization_config"]["quant_method"], name


def test_a_config_is_written_as_hugging_face_writes_it() -> None:
    """Rule: plain JSON, whole numbers below 2^53, no key made of figures alone."""

    def check(value: Any, where: str) -> None:
        if isinstance(value, dict):
            for key, part in value.items():
                assert not key.isdigit(), where
                check(part, f"{where}.{key}")
        elif isinstance(value, list):
            for part in value:
                check(part, where)
        elif not isinstance(value, (bool, str)):
            assert isinstance(value, (int, float)) and abs(value) < 2**53, where
            assert isinstance(value, int) or value % 1, where

    for name in model_names():
        check(model_config(name), name)


def test_a_config_is_a_copy() -> None:
    """Rule: who changes what he got changes nothing here."""
    name = "google/gemma-3-27b-it"
    model_config(name)["text_config"]["num_hidden_layers"] = 1
    assert model_config(name)["text_config"]["num_hidden_layers"] == 62


def test_a_name_is_found_with_or_without_its_owner() -> None:
    """Rule: capitals do not matter, nor the owner where the rest is enough; no full name means two models."""
    spelt = []
    for name, facts in MODELS["models"].items():
        for each in [name, *facts.get("aliases", [])]:
            assert model_facts(each.upper())["name"] == name
            assert squashed(model_facts(each.split("/")[-1])["name"]), each
            spelt.append(squashed(each))
    assert len(spelt) == len(set(spelt))
    assert model_facts("llama 3.1 8b")["name"] == "meta-llama/Llama-3.1-8B-Instruct"
    assert model_facts("gpt-oss-120b")["name"] == "openai/gpt-oss-120b"


def test_an_unknown_model_is_refused_with_those_near_it() -> None:
    """Rule: the refusal names the setting and names near it."""
    with pytest.raises(PlanError, match=r"near it: .*Qwen3-8B"):
        model_config("Qwen/Qwen3-9B")
    for wrong in (None, 5, 1.5, True, [], {}, ["gpt2"], "", "…", "\ud800"):
        with pytest.raises(PlanError, match="models on Hugging Face") as caught:
            model_config(wrong)
        assert caught.value.setting == "model"


def test_what_others_wrote_down(tell: Callable[[str], None]) -> None:
    """Rule: where both have a model, sizes are equal and parameters within 1 %."""
    if not CONFIGS.is_file():
        tell("plan: the other file is not here, the models' sizes are not compared with it")
        return
    compared = 0
    for key, theirs in json.loads(CONFIGS.read_text("utf-8")).items():
        try:
            ours = model_facts(OTHER_NAMES.get(key, key))
        except PlanError:
            continue
        config = text_of(ours["config"])
        for field in SAME:
            mla = field == "num_key_value_heads" and theirs.get("mla")
            if field in theirs and field in config and not mla:
                assert config[field] == theirs[field], (key, field)
        width = config.get("head_dim") or config.get("hidden_size", 1) // config.get("num_attention_heads", 1)
        if not theirs.get("mla") and "d_model" not in config:
            assert width == theirs["head_dim"], key
        fp8 = config.get("quantization_config", {}).get("quant_method") == "fp8"
        assert abs(ours["parameters"] / theirs["params_b"] / 1e9 - 1) < (0.025 if fp8 else 0.015), key
        compared += 1
    tell(f"plan: {compared} models as in the other file")
    assert compared >= 40
