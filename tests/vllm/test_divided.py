"""Models that cannot be shared out over so many cards, at their boundaries and in vLLM's words."""

from typing import Any

import pytest

from poolroom.vllm.divided import SHAPES, undivided
from poolroom.vllm.levers import parallel_sizes
from poolroom.vllm.models import model_config
from poolroom.vllm.plan import plan
from poolroom.vllm.plan_words import as_text
from poolroom.vllm.settings import resolve
from poolroom.vllm.trial import trial

CODER = "Qwen/Qwen3-Coder-480B-A35B-Instruct-FP8"
PLAIN = "Qwen/Qwen3-Coder-480B-A35B-Instruct"


def key(model: Any, tp: int, **asked: Any) -> str:
    """The name of the refusal of a model over so many cards."""
    found = undivided(resolve({"card": "h200", "model": model, "tensor_parallel_size": tp, **asked}))
    return found["key"] if found else ""


def changed(name: str, **fields: Any) -> dict[str, Any]:
    """A model of the facts with other fields in its config."""
    return {**model_config(name), **fields}


@pytest.mark.parametrize(("tp", "expected"), [
    (1, ""), (2, ""), (4, ""), (8, ""), (16, ""), (24, ""), (3, "kv_heads"), (6, "kv_heads"), (12, "kv_heads"),
])  # fmt: skip
def test_heads_of_the_cache(tp: int, expected: str) -> None:
    """Rule: refusal 10: 8 KV heads go onto 2, 4 and 8 cards, are copied onto 16 and 24, and not onto 3, 6 or 12."""
    assert key(PLAIN, tp) == expected


def test_heads_of_the_cache_in_vllms_words() -> None:
    """Rule: an assertion of the model says so; which of the two depends on whether there are fewer heads than cards."""
    asked = {"card": "h200", "model": PLAIN, "in_use_gib": 0}
    lines = [trial({**asked, "tensor_parallel_size": tp})["verdict"]["lines"] for tp in (6, 12)]
    assert lines[0] == ["assert self.total_num_kv_heads % tp_size == 0\nAssertionError"]
    assert lines[1] == ["assert tp_size % self.total_num_kv_heads == 0\nAssertionError"]


def test_latent_attention_has_no_heads_to_share_out() -> None:
    """Rule: one vector for all heads is not shared out: DeepSeek-V3 goes onto 16 cards, and only its heads count."""
    assert key("deepseek-ai/DeepSeek-V3", 16) == "" and key("deepseek-ai/DeepSeek-V2-Lite", 2) == ""


@pytest.mark.parametrize(("model", "most"), [
    (CODER, 4), ("Qwen/Qwen3-30B-A3B-FP8", 2), ("Qwen/Qwen3-235B-A22B-Instruct-2507-FP8", 4),
])  # fmt: skip
def test_experts_that_end_within_a_block(model: str, most: int) -> None:
    """Rule: widths of 2,560, 768 and 1,536 in blocks of 128 go onto 4, 2 and 4 cards and not onto twice as many."""
    assert key(model, most) == "" and key(model, 2 * most) == "expert_block"
    assert key(model, 2 * most, enable_expert_parallel=True) == ""
    assert key(model, 2 * most, enable_expert_parallel=False) == "expert_block"


def test_experts_in_vllms_words() -> None:
    """Rule: vllm#17569 and #25292: the width of a card and the block, letter by letter."""
    at = trial({"card": "h200", "model": CODER, "tensor_parallel_size": 8})
    assert at["verdict"]["refusal"] and at["verdict"]["refusal"]["number"] == 10
    assert at["verdict"]["lines"] == [
        "The output_size of gate's and up's weight = 320 is not divisible by weight quantization block_n = 128."
    ]


def test_other_widths_that_end_within_a_block() -> None:
    """Rule: 12,288 go onto 8 cards in blocks of 128; 9,728 onto 4; not onto 8, and vLLM says it of the first matrix,
    since 0.14.0 of the second."""
    dense = changed("Qwen/Qwen3-8B-FP8", intermediate_size=9_728)
    assert [key("Qwen/Qwen3-8B-FP8", 8), key(dense, 4), key(dense, 8)] == ["", "", "width_block"]
    asked = {"card": "h200", "model": dense, "tensor_parallel_size": 8}
    lines = [trial({**asked, "version": version})["verdict"]["lines"][0] for version in ("0.13.0", "0.14.0")]
    assert lines[0] == "Weight output_partition_size = 1216 is not divisible by weight quantization block_n = 128."
    assert lines[1] == "Weight input_size_per_partition = 1216 is not divisible by weight quantization block_k = 128."


def test_one_card_and_what_is_left_as_it_is() -> None:
    """Rule: on one card only experts must end with a block; what is left as it is, or not in blocks, need not."""
    odd = {"intermediate_size": 9_700}
    assert key(changed("Qwen/Qwen3-8B-FP8", **odd), 1) == ""
    assert key(changed("Qwen/Qwen3-30B-A3B-FP8", moe_intermediate_size=700), 1) == "expert_block"
    own = {"quant_method": "fp8", "activation_scheme": "dynamic"}
    assert key(changed("Qwen/Qwen3-8B-FP8", quantization_config=own, **odd), 2) == ""
    left = {**own, "weight_block_size": [128, 128], "modules_to_not_convert": ["down_proj", "gate_proj", "up_proj"]}
    assert key(changed("Qwen/Qwen3-8B-FP8", quantization_config=left, **odd), 2) == ""
    assert key(changed("Qwen/Qwen3-8B-FP8", **odd), 2) == "width_block"


def test_what_to_do_about_it() -> None:
    """Rule: only sizes that the model allows are offered; where a layer goes onto fewer cards, stages take the rest."""
    at = trial({"card": "h200", "model": CODER, "tensor_parallel_size": 8, "max_model_len": 32_768})
    assert parallel_sizes(at) == [4, 2, 1]
    fixes = plan(at["asked"])["fixes"]
    assert fixes and fixes["fixes"][0]["changes"] == {"tensor_parallel_size": 4}
    small = plan({**at["asked"], "card": "h100-sxm-80gb"})
    assert small["fixes"] and {"tensor_parallel_size": 4, "pipeline_parallel_size": 2} in [
        fix["changes"] for fix in small["fixes"]["fixes"]
    ]
    assert "--enable-expert-parallel" in as_text(small)
    for fix in small["fixes"]["fixes"]:
        assert fix["verdict"]["outcome"] != "refuses"
    assert set(SHAPES) == {"heads", "kv_heads", "expert_block", "width_block"}


FP8 = {"quant_method": "fp8", "weight_block_size": [128, 128]}
NARROW = {
    "architectures": ["LlamaForCausalLM"], "model_type": "llama", "torch_dtype": "bfloat16", "hidden_size": 4096,
    "intermediate_size": 16384, "num_hidden_layers": 2, "num_attention_heads": 48, "num_key_value_heads": 16,
    "head_dim": 64, "vocab_size": 32000, "max_position_embeddings": 8192, "quantization_config": FP8,
}  # fmt: skip


@pytest.mark.parametrize(("tp", "version", "weight"), [
    (8, "0.33.0", ""), (16, "0.33.0", "Weight input_size_per_partition = 192"),
    (8, "0.13.0", ""), (16, "0.13.0", "Weight output_partition_size = 192"),
])  # fmt: skip
def test_attention_that_ends_within_a_block(tp: int, version: str, weight: str) -> None:
    """Rule: 48 heads of 64 in blocks of 128 go onto 8 cards, not onto 16: output, before 0.14 queries too."""
    found = trial({"card": "h200", "model": NARROW, "tensor_parallel_size": tp, "version": version})["verdict"]
    lines = found["lines"] if found["refusal"] else [""]
    assert lines[0].startswith(weight) and (found["refusal"] is None) == (weight == "")


def test_keys_that_end_within_a_block() -> None:
    """Rule: before 0.14 each merged matrix is looked at: 8 KV heads of 64 go onto 4 cards, not onto 8 or 16."""
    model = {**NARROW, "num_key_value_heads": 8, "num_attention_heads": 64}
    assert [key(model, tp, version="0.13.0") for tp in (1, 2, 4, 8, 16)] == ["", "", "", "width_block", "width_block"]
    assert [key(model, tp, version="0.14.0") for tp in (4, 8, 16)] == ["", "", ""]
    left = {**FP8, "modules_to_not_convert": ["self_attn"]}
    assert key({**model, "quantization_config": left}, 8, version="0.13.0") == ""
