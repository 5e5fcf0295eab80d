"""Parameters counted from the architecture, against what publishers count."""

from collections.abc import Callable

import pytest

from poolroom.vllm.config import read_model
from poolroom.vllm.models import model_facts, model_names
from poolroom.vllm.refuse import PlanError
from tests.vllm.configs import COUNTED, OTHERS, dense, llama

Tell = Callable[[str], None]
NOT_READ = {"deepseek-ai/DeepSeek-V4-Flash", "deepseek-ai/DeepSeek-V4-Pro"}
"""Models of the facts that are refused by name: their compressed cache is not read."""
PACKED = {"unsloth/Meta-Llama-3.1-8B-Instruct-bnb-4bit", "nvidia/Qwen3.6-27B-NVFP4", "nvidia/Gemma-4-31B-IT-NVFP4"}
"""Models whose published count counts pairs of 4-bit values as one."""


@pytest.mark.parametrize("name", COUNTED)
def test_counts_equal_what_is_published(name: str) -> None:
    """Rule: the count from the architecture is the publisher's, to the last parameter."""
    config, published = COUNTED[name]
    model = read_model(config)
    assert (model["parameters"], model["parameters_kind"], model["guesses"]) == (published, "counted", [])


def test_every_model_of_the_facts_is_read(tell: Tell) -> None:
    """Rule: every model of the facts is read, within 1 % of its published count, with or without what is not loaded."""
    exact = near = 0
    for name in model_names():
        facts = model_facts(name)
        if name in NOT_READ:
            with pytest.raises(PlanError):
                read_model(facts["config"])
            continue
        model = read_model(facts["config"])
        counted, unloaded = model["parameters"], model["weights"]["counted"]["unloaded"]
        misses = [abs(each / facts["parameters"] - 1) for each in (counted, counted + unloaded)]
        assert min(misses) < 0.01 or name in PACKED, (name, counted, unloaded, facts["parameters"])
        assert not model["guesses"], name
        exact, near = exact + (min(misses) == 0), near + 1
    tell(f"parameters: {near} models of the facts within 1 %, {exact} of them exact; {len(NOT_READ)} refused by name")


def test_a_latent_head_is_counted_in_parts() -> None:
    """Rule: in DeepSeek-V2-Lite's layer, queries are whole, keys and values come from 512 + 64 values."""
    model = read_model(COUNTED["deepseek-ai/DeepSeek-V2-Lite"][0])
    parts = {each["name"]: each for each in model["weights"]["counted"]["templates"][0]}
    assert parts["q"]["split"] == 2048 * 16 * 192
    assert parts["kv_a"]["whole"] == 2048 * 576
    assert parts["kv_b"]["split"] == 512 * 16 * 256
    assert parts["gate_up"]["split"] == 2 * 2048 * 10944


def test_layers_for_speculation_are_counted_apart() -> None:
    """Rule: what a server does not load is not a parameter, but explains an index that has it."""
    model = read_model(COUNTED["deepseek-ai/DeepSeek-V3"][0])
    # One layer with experts, embedding and head once more, and a matrix that joins two hidden states.
    assert model["weights"]["counted"]["unloaded"] == 13_463_426_304
    assert model["parameters"] + 13_463_426_304 == 684_489_845_504  # DeepSeek-R1's safetensors say the same


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        ("llama4", 108_641_793_536),  # Llama 4 Scout
        ("mllama", 10_670_220_835),  # Llama 3.2 11B Vision
        ("qwen2_5_vl", 8_292_166_656),  # Qwen2.5-VL-7B
        ("lfm2", 1_170_340_608),  # LFM2-1.2B
        ("bamba", 9_780_229_120),  # Bamba-9B
    ],
)
def test_eyes_and_hybrids(name: str, parameters: int) -> None:
    """Rule: models that see, and models with states, are counted as their publishers count them."""
    assert abs(read_model(OTHERS[name])["parameters"] / parameters - 1) < 1e-6


def test_what_is_guessed_says_so() -> None:
    """Rule: an eye of an unknown kind, and a model type of tomorrow, are marked, with how far the count may be off."""
    tomorrow = read_model(OTHERS["unknown"])
    assert tomorrow["guesses"] == ["model_type"]
    assert tomorrow["weights"]["least"] < tomorrow["parameters"] < tomorrow["weights"]["most"]
    eye = {"model_type": "an_eye_of_tomorrow"}
    seeing = read_model(llama(vision_config=eye))
    assert seeing["guesses"] == ["vision_config"] and seeing["multimodal"]
    assert seeing["weights"]["least"] < seeing["parameters"] - 200_000_000
    assert seeing["weights"]["most"] > seeing["parameters"] + 5_000_000_000


def test_biases_norms_and_heads() -> None:
    """Rule: a family's own parts count: biases, norms of queries and keys, a head that is the embedding."""
    plain = read_model(dense("llama", "1024 4096 4 8 2 32000"))["parameters"]
    assert read_model(dense("qwen2", "1024 4096 4 8 2 32000"))["parameters"] == plain + 4 * (1024 + 2 * 256)
    assert read_model(dense("qwen3", "1024 4096 4 8 2 32000"))["parameters"] == plain + 4 * 256
    assert read_model(dense("llama", "1024 4096 4 8 2 32000", tie_word_embeddings=True))["parameters"] == (
        plain - 32000 * 1024
    )
    assert read_model(dense("gemma2", "1024 4096 4 8 2 32000", head_dim=128))["parameters"] == (
        plain - 32000 * 1024 + 4 * 2 * 1024
    )
    # An embedding model has no head.
    assert read_model(dense("llama", "1024 4096 4 8 2 32000", architectures=["LlamaModel"]))["parameters"] == (
        plain - 32000 * 1024
    )
