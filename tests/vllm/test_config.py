"""What is read of a config.json: layers and what they keep, lengths, and what is refused."""

from typing import Any

import pytest

from poolroom.vllm.config import read_model
from poolroom.vllm.refuse import PlanError
from tests.vllm.configs import COUNTED, LATENT, OTHERS, dense, llama

SMALL = "1024 4096 12 8 2 32000"


def kinds(config: dict[str, Any]) -> list[tuple[str, int, int]]:
    """Kinds of layers: name, window, how many."""
    model = read_model(config)
    return [(kind["kind"], kind["window"], model["order"].count(i)) for i, kind in enumerate(model["kinds"])]


def refusal(config: Any, index: Any = None) -> tuple[str, str]:
    """The field that is refused and the rule."""
    with pytest.raises(PlanError) as caught:
        read_model(config, index)
    return caught.value.setting, caught.value.allowed


def test_a_llama() -> None:
    """Rule: the fields of a plan, from a plain config."""
    model = read_model(llama(), None, "a name")
    assert model["name"] == "a name" and model["architecture"] == "LlamaForCausalLM"
    assert (model["hidden_size"], model["vocab_size"], model["heads"], model["mlp_width"]) == (4096, 128256, 32, 14336)
    assert (model["dtype"], model["quantisation"], model["multimodal"], model["longest"]) == (
        "bfloat16",
        "",
        False,
        131072,
    )
    full = {"kind": "full", "kv_heads": 8, "head_dim": 128, "head_dim_v": 128, "window": 0, "state": []}
    assert model["kinds"] == [full] and model["order"] == [0] * 32
    assert model["not_counted"] == model["guesses"] == []


def test_five_point_nought_is_five() -> None:
    """Rule: JSON has one kind of number: 5.0 is a whole number in both languages."""
    assert read_model(llama(num_hidden_layers=32.0)) == read_model(llama())
    assert refusal(llama(num_hidden_layers=32.5)) == ("num_hidden_layers", "whole_of")


@pytest.mark.parametrize(
    ("fields", "heads"),
    [
        ({"model_type": "falcon", "num_attention_heads": 71, "multi_query": True, "hidden_size": 4544}, 1),
        ({"model_type": "falcon", "num_attention_heads": 128, "num_kv_heads": 8, "new_decoder_architecture": True}, 8),
        ({"model_type": "falcon", "num_attention_heads": 64, "n_head_kv": 8, "multi_query": False}, 8),
        ({"model_type": "gpt_bigcode", "num_attention_heads": 16}, 1),
        ({"model_type": "llama", "num_attention_heads": 32}, 32),
        ({"model_type": "dbrx", "num_attention_heads": 32, "attn_config": {"kv_n_heads": 8}}, 8),
    ],
)
def test_kv_heads(fields: dict[str, Any], heads: int) -> None:
    """Rule: one head for all, a few for groups, or one each, under every name that configs use."""
    base = {
        "hidden_size": 8192,
        "num_hidden_layers": 2,
        "intermediate_size": 1024,
        "vocab_size": 1000,
        "n_positions": 9,
    }
    assert read_model(base | fields)["kinds"][0]["kv_heads"] == heads


def test_windows() -> None:
    """Rule: a window in all layers, in some by a pattern or a list, or only where a flag says so."""
    assert kinds(dense("mistral", SMALL, sliding_window=4096)) == [("sliding", 4096, 12)]
    assert kinds(dense("mistral", SMALL, sliding_window=None)) == [("full", 0, 12)]
    assert kinds(dense("qwen2", SMALL, sliding_window=4096, use_sliding_window=False)) == [("full", 0, 12)]
    windowed = dense("qwen2", SMALL, sliding_window=4096, use_sliding_window=True, max_window_layers=9)
    assert kinds(windowed) == [("full", 0, 9), ("sliding", 4096, 3)]
    assert kinds(dense("gemma2", SMALL)) == [("sliding", 4096, 6), ("full", 0, 6)]
    assert kinds(dense("gemma3_text", SMALL, sliding_window=512)) == [("sliding", 512, 10), ("full", 0, 2)]
    assert kinds(dense("gemma3_text", SMALL, sliding_window_pattern=4)) == [("sliding", 4096, 9), ("full", 0, 3)]
    assert kinds(dense("cohere2", SMALL)) == [("sliding", 4096, 9), ("full", 0, 3)]
    assert kinds(dense("exaone4", SMALL, sliding_window_pattern="LLLG")) == [("sliding", 4096, 9), ("full", 0, 3)]
    listed = dense("olmo3", SMALL, layer_types=["sliding_attention", "full_attention"] * 6, sliding_window=128)
    assert kinds(listed) == [("sliding", 128, 6), ("full", 0, 6)]


def test_gemma_3_27b_has_ten_full_layers() -> None:
    """Rule: vllm.md §2.3: of 62 layers, 52 slide over 1,024 tokens and 10 are full."""
    text = dense("gemma3_text", "5376 21504 62 32 16 262208", head_dim=128, sliding_window=1024)
    assert kinds(text) == [("sliding", 1024, 52), ("full", 0, 10)]


def test_chunks() -> None:
    """Rule: Llama 4 attends in chunks but where it has no rotary places: every fourth layer, or as a list says."""
    assert kinds(OTHERS["llama4"]) == [("chunked", 8192, 36), ("full", 0, 12)]
    text = dense("llama4_text", SMALL, num_local_experts=4, intermediate_size_mlp=8192, attention_chunk_size=64)
    assert kinds(text) == [("chunked", 64, 9), ("full", 0, 3)]
    assert kinds(text | {"attention_chunk_size": None}) == [("full", 0, 12)]


def test_latent_attention() -> None:
    """Rule: MLA keeps one vector of 512 + 64 values a token and layer, with no value beside it."""
    model = read_model(COUNTED["deepseek-ai/DeepSeek-V3"][0])
    only = {"kind": "mla", "kv_heads": 1, "head_dim": 576, "head_dim_v": 0, "window": 0, "state": []}
    assert model["kinds"] == [only] and len(model["order"]) == 61
    assert model["longest"] == 163_840
    assert model["mlp_width"] == 18_432  # as dense as 8 experts and a shared one of 2,048


def test_states() -> None:
    """Rule: vLLM's shapes: convolution and state, in values, for each kind of layer with a state."""

    def state(name: str) -> list[list[int]]:
        config = OTHERS[name] if name in OTHERS else COUNTED[name][0]
        return next(kind["state"] for kind in read_model(config)["kinds"] if kind["kind"] == "mamba")

    # Jamba: 8,192 inner values; 3 tokens of convolution; 16 values of state for each.
    assert state("ai21labs/AI21-Jamba-1.5-Mini") == [[8192 * 3, 0], [8192 * 16, 0]]
    # Bamba: 128 heads of 64, one group of 128.
    assert state("bamba") == [[(8192 + 2 * 128) * 3, 0], [128 * 64 * 128, 0]]
    # Nemotron-H keeps its state in float32.
    assert state("nemotron_h") == [[(8192 + 2 * 8 * 128) * 3, 0], [128 * 64 * 128, 4]]
    # Gated DeltaNet: 2 × 16 × 128 of keys and 32 × 128 of values; 32 heads of 128 × 128.
    assert state("qwen3_next") == [[8192 * 3, 0], [32 * 128 * 128, 0]]
    assert state("lfm2") == [[2048 * 2, 0]]
    assert state("kimi_linear") == [[4096 * 3, 0]] * 3 + [[32 * 128 * 128, 4]]


def test_hybrids() -> None:
    """Rule: which layers attend, by period, index, pattern, interval or list; some do both."""
    assert kinds(COUNTED["ai21labs/AI21-Jamba-1.5-Mini"][0]) == [("mamba", 0, 28), ("full", 0, 4)]
    assert kinds(OTHERS["bamba"]) == [("mamba", 0, 29), ("full", 0, 3)]
    assert kinds(OTHERS["nemotron_h"]) == [("mamba", 0, 4), ("full", 0, 1)]
    assert kinds(OTHERS["qwen3_next"]) == [("mamba", 0, 36), ("full", 0, 12)]
    assert kinds(OTHERS["falcon_h1"]) == [("full", 0, 44), ("mamba", 0, 44)]
    assert kinds(OTHERS["kimi_linear"]) == [("mamba", 0, 3), ("mla", 0, 1)]
    assert kinds(COUNTED["state-spaces/mamba-130m-hf"][0]) == [("mamba", 0, 24)]
    # A layer that keeps two things has two caches, one that keeps nothing has none.
    assert read_model(OTHERS["falcon_h1"])["weights"]["caches"] == [2] * 44
    assert read_model(OTHERS["nemotron_h"])["weights"]["caches"] == [1, 0, 1, 0, 1, 1, 0, 1]


def test_cross_attention() -> None:
    """Rule: what looks at an encoder keeps the encoder's tokens: 1,500 in Whisper, 4 × 1,601 in Llama 3.2 Vision."""
    ear = read_model(COUNTED["openai/whisper-large-v3-turbo"][0])
    assert [kind["kind"] for kind in ear["kinds"]] == ["full", "cross"] and ear["order"] == [0, 1] * 4
    assert (ear["encoder_tokens"], ear["longest"], ear["multimodal"]) == (1500, 448, True)
    eye = read_model(OTHERS["mllama"])
    assert eye["encoder_tokens"] == 6404 and eye["order"].count(1) == 8


def test_shared_caches() -> None:
    """Rule: the last layers of Gemma 3n look at the caches of earlier ones and keep nothing."""
    assert kinds(OTHERS["gemma3n"]) == [("sliding", 512, 16), ("full", 0, 4), ("shared", 0, 15)]


@pytest.mark.parametrize(
    ("fields", "longest"),
    [
        ({"rope_scaling": None}, 131_072),
        ({"rope_scaling": {"rope_type": "llama3", "factor": 8.0}}, 131_072),
        ({"rope_scaling": {"rope_type": "linear", "factor": 2.0}}, 262_144),
        ({"rope_scaling": {"type": "dynamic", "factor": 2.5}}, 327_680),
        ({"rope_scaling": {"type": "yarn", "factor": 4, "original_max_position_embeddings": 32_768}}, 131_072),
        ({"rope_scaling": {"type": "longrope", "factor": 32}}, 131_072),
        ({"rope_parameters": {"full_attention": {"rope_type": "linear", "factor": 2}}, "rope_scaling": None}, 262_144),
        ({"max_position_embeddings": None, "seq_length": 8192, "model_max_length": 4096}, 4096),
        ({"max_position_embeddings": 8192, "model_max_length": 131_072, "rope_scaling": None}, 131_072),
        ({"max_position_embeddings": None}, 0),
    ],
)
def test_longest(fields: dict[str, Any], longest: int) -> None:
    """Rule: the smallest field that names a length, stretched as vLLM stretches it."""
    assert read_model(llama(**fields))["longest"] == longest


def test_gemma_3_is_already_stretched() -> None:
    """Rule: vLLM does not multiply Gemma 3's 131,072 by its factor of 8."""
    assert read_model(COUNTED["google/gemma-3-4b-it"][0])["longest"] == 131_072


@pytest.mark.parametrize(
    ("config", "setting", "allowed"),
    [
        (None, "config", "object"),
        ([], "config", "object"),
        ({}, "model_type", "config_text"),
        (llama(model_type=None), "model_type", "config_text"),
        (llama(model_type="bert"), "model_type", "config_encoder"),
        (llama(model_type="rwkv"), "model_type", "config_state"),
        (llama(hidden_size=None), "hidden_size", "whole_of"),
        (llama(num_hidden_layers=10_001), "num_hidden_layers", "whole_of"),
        (llama(num_attention_heads=-4), "num_attention_heads", "whole_of"),
        (llama(hidden_size=4097), "hidden_size", "config_multiple"),
        (llama(num_key_value_heads=7), "num_attention_heads", "config_multiple"),
        (llama(layer_types=["full_attention"] * 31), "layer_types", "config_layers"),
        (llama(layer_types=["retention"] * 32), "layer_types", "config_layer_type"),
        (llama(layer_types=["mamba"] * 32), "layer_types", "config_layer_type"),
        (llama(layer_types=["linear_attention"] * 32), "layer_types", "config_layer_type"),
        (llama(num_local_experts=8), "num_local_experts", "config_no_experts"),
        (llama(torch_dtype="float8_e4m3fn"), "torch_dtype", "name_of"),
        (llama(quantization_config={"quant_method": "rot13"}), "quant_method", "name_of"),
    ],
)
def test_refusals(config: Any, setting: str, allowed: str) -> None:
    """Rule: what is not understood is refused by its name."""
    assert refusal(config) == (setting, allowed)


STATES = (
    {"mamba_d_state": 128},
    {"ssm_cfg": {"layer": "Mamba2"}},
    {"linear_num_value_heads": 32},
    {"linear_attn_config": {"kda_layers": [1]}},
    {"conv_kernel": 4},
    {"recurrent_block_type": "recurrent"},
    {"rwkv_head_size": 64},
    {"attn_type_list": [0, 1]},
    {"hybrid_override_pattern": "M-M-"},
    {"full_attention_interval": 4},
    {"layers_block_type": ["mamba", "attention"]},
    {"compress_ratios": [4, 128]},
)


@pytest.mark.parametrize("fields", STATES, ids=lambda fields: next(iter(fields)))
@pytest.mark.parametrize("model_type", ["llama", "a_model_of_tomorrow", "qwen3", "deepseek_v3"])
def test_a_hybrid_is_never_taken_for_a_dense_model(fields: dict[str, Any], model_type: str) -> None:
    """Rule: a field that speaks of states, in a model type that is not read as a hybrid, is refused by its name."""
    config = llama(model_type=model_type, **fields) | (LATENT if model_type == "deepseek_v3" else {})
    assert refusal(config) == (next(iter(fields)), "config_state")


@pytest.mark.parametrize("name", ["bamba", "nemotron_h", "qwen3_next", "kimi_linear", "lfm2"])
def test_a_hybrid_that_does_not_say_which_layers_is_refused(name: str) -> None:
    """Rule: without the field that says which layers have a state, a hybrid is refused or follows its own rule."""
    fields = ("attn_layer_indices", "hybrid_override_pattern", "linear_attn_config", "full_attn_idxs")
    config = {key: value for key, value in OTHERS[name].items() if key not in fields}
    if name == "qwen3_next":
        assert kinds(config) == [("mamba", 0, 36), ("full", 0, 12)]
    else:
        assert refusal(config)[1] in {"config_list", "whole_of"}


def test_nested_configs() -> None:
    """Rule: the language model's config may lie inside, and may leave out what its class gives."""
    eye = {"model_type": "clip_vision_model", "hidden_size": 1024, "intermediate_size": 4096, "num_hidden_layers": 24}
    eye |= {"image_size": 336, "patch_size": 14}
    text = {"model_type": "llama", "vocab_size": 32064, "max_position_embeddings": 4096}
    model = read_model({"model_type": "llava", "torch_dtype": "float16", "text_config": text, "vision_config": eye})
    assert model["parameters"] == 7_063_427_072  # llava-1.5-7b-hf
    assert (model["model_type"], model["dtype"], model["longest"]) == ("llama", "float16", 4096)
    ear = {"model_type": "qwen2_audio_encoder", "d_model": 1280, "encoder_layers": 32, "encoder_ffn_dim": 5120}
    ear |= {"num_mel_bins": 128}
    heard = {"model_type": "qwen2_audio", "text_config": dense("qwen2", "4096 11008 32 32 32 156032")}
    assert read_model(heard | {"audio_config": ear})["parameters"] == 8_397_094_912  # Qwen2-Audio-7B
    outside = {"model_type": "internvl_chat", "llm_config": llama(), "vision_config": eye}
    assert read_model(outside)["kinds"][0]["kv_heads"] == 8


def test_the_index() -> None:
    """Rule: the index says how many parameters there are, and a difference is told."""
    index = {"metadata": {"total_size": 16_060_522_496}, "weight_map": {"lm_head.weight": "a.safetensors"}}
    model = read_model(llama(), index)
    assert (model["parameters"], model["parameters_kind"], model["guesses"]) == (8_030_261_248, "index", [])
    other = read_model(llama(), {"metadata": {"total_size": 17_000_000_000}})
    assert (other["parameters"], other["guesses"]) == (8_500_000_000, ["index_differs"])
    named = read_model(llama(), {"metadata": {"total_parameters": 8_030_261_248}})
    assert (named["parameters"], named["parameters_kind"]) == (8_030_261_248, "index")
    # DeepSeek-V3's files hold a layer for speculation too.
    deepseek = COUNTED["deepseek-ai/DeepSeek-V3"][0]
    told = read_model(deepseek, {"metadata": {"total_parameters": 684_489_845_504}})
    assert (told["parameters"], told["guesses"]) == (671_026_419_200, [])


def test_the_index_says_whether_there_is_a_head() -> None:
    """Rule: where the config does not say whether the head is the embedding, the names in the index do."""
    config = {name: value for name, value in llama().items() if name != "tie_word_embeddings"}
    assert read_model(config, {"weight_map": {"model.norm.weight": "a"}})["weights"]["tied"] is True
    assert read_model(config, {"weight_map": {"lm_head.weight": "a"}})["weights"]["tied"] is False
    assert read_model(llama(), {"weight_map": {"model.norm.weight": "a"}})["weights"]["tied"] is False


@pytest.mark.parametrize("index", [[], "x", {"metadata": []}, {"metadata": {"total_size": -1}}, {"weight_map": [1]}])
def test_a_bad_index_is_refused(index: Any) -> None:
    """Rule: what is no index is refused by its name."""
    assert refusal(llama(), index)[0] in {"index", "metadata", "total_size", "weight_map"}
