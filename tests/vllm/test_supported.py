"""What version, card and method support, and a pool that was set by hand."""

from typing import Any

import pytest

from poolroom.vllm.cards import card as card_of
from poolroom.vllm.plan import plan
from poolroom.vllm.plan_facts import WORDS
from poolroom.vllm.plan_words import as_text
from poolroom.vllm.settings import resolve
from poolroom.vllm.supported import has_fp8, least_capability

GIB = 1_073_741_824
SMALL = {"card": "rtx-4090", "model": "Qwen/Qwen3-8B", "max_model_len": 8192}


def planned(**more: Any) -> Any:
    """A plan for a small server with something else."""
    return plan({**SMALL, **more})


@pytest.mark.parametrize("by_hand", [{"kv_cache_memory_bytes": 200 * GIB}, {"num_gpu_blocks_override": 200_000}])
def test_a_pool_beyond_the_card_is_refused_when_it_is_allocated(by_hand: dict[str, Any]) -> None:
    """Rule: a pool that was set by hand and is larger than what is free ends in PyTorch's own words."""
    found = planned(**by_hand)
    assert found["verdict"]["refusal"]["key"] == "out_of_memory"
    assert found["verdict"]["lines"][0].startswith("CUDA out of memory. Tried to allocate")
    assert found["budget"]["unused_bytes"] == 0
    assert "was set to" in as_text(found)
    fix = next(fix for fix in found["fixes"]["fixes"] if fix["lever"] in by_hand)
    assert plan({**SMALL, **fix["changes"]})["verdict"]["outcome"] == "starts"


def test_a_pool_of_the_right_size_says_nothing_of_the_share() -> None:
    """Rule: where the pool was set by hand, the share is no lever: its way is left out."""
    found = planned(kv_cache_memory_bytes=2 * GIB)
    assert found["verdict"]["outcome"] == "starts"
    assert [way["lever"] for way in found["reach"]["ways"]] == [
        "max_model_len",
        "max_num_seqs",
        "max_num_batched_tokens",
    ]


def test_a_pool_without_room_for_a_step_may_die() -> None:
    """Rule: what fits only without the working reserve of a step starts, and may die later."""
    most = planned(kv_cache_memory_bytes=200 * GIB)["fixes"]["fixes"][0]["value"]
    found = planned(kv_cache_memory_bytes=most + GIB // 4)
    assert found["verdict"]["outcome"] == "starts_may_die"
    assert found["verdict"]["dangers"] == ["pool_beyond"]


OLD = {"card": "v100-32gb", "max_model_len": 4096, "version": "0.19.1"}


@pytest.mark.parametrize(
    ("model", "said"),
    [
        ("Qwen/Qwen2.5-7B-Instruct-AWQ", "method awq is not supported for the current GPU. Minimum capability: 75. "),
        ("openai/gpt-oss-20b", "method mxfp4 is not supported for the current GPU. Minimum capability: 80. "),
        ("Qwen/Qwen3-8B-FP8", "method fp8 is not supported for the current GPU. Minimum capability: 75. "),
        ("RedHatAI/Meta-Llama-3.1-8B-Instruct-FP8", "Quantization scheme is not supported for the current GPU. "),
    ],
)
def test_what_an_old_card_cannot_compute_with(model: str, said: str) -> None:
    """Rule: refusal 12: a method has a least compute capability (vllm#1488); a V100 has 7.0."""
    found = plan({**OLD, "model": model})
    assert found["verdict"]["refusal"]["key"] == "method_card"
    assert said in found["verdict"]["lines"][0] and "Current capability: 70." in found["verdict"]["lines"][0]
    assert "it has compute capability 7.0" in as_text(found)
    assert found["fixes"]["none"]


@pytest.mark.parametrize("model", ["Qwen/Qwen2.5-7B-Instruct-GPTQ-Int4", "unsloth/Meta-Llama-3.1-8B-Instruct-bnb-4bit"])
def test_what_an_old_card_can(model: str) -> None:
    """Rule: GPTQ computes from 6.0 on, bitsandbytes from 7.0 on."""
    assert plan({**OLD, "model": model})["verdict"]["outcome"] == "starts"


def test_the_least_card_depends_on_the_version() -> None:
    """Rule: FP8 wanted 8.9 at first, then 8.0 by Marlin, then 7.5; FP4 of ModelOpt 10.0, then 8.0, then 7.5."""
    for version, card, outcome in (
        ("0.5.0", "a10", 89),
        ("0.5.3", "a10", 0),
        ("0.14.0", "t4", 80),
        ("0.19.1", "t4", 0),
    ):
        order = resolve({"card": card, "model": "Qwen/Qwen3-8B", "version": version})["rules"]["order"]
        assert least_capability(card_of(card), order, "fp8") == outcome


def test_amd_has_fp8_from_mi300_on() -> None:
    """Rule: no FP8 is offered on cards of AMD before MI300, and an FP8 checkpoint is refused there."""
    names = ["mi210", "mi250x", "rx-7900-xtx", "mi300x", "mi325x", "mi355x", "rtx-3090"]
    assert [has_fp8(card_of(name)) for name in names] == [False, False, False, True, True, True, True]
    asked = {"card": "mi210", "model": "Qwen/Qwen3-32B", "max_model_len": 8192}
    offered = [fix["changes"] for fix in plan(asked)["fixes"]["fixes"]]
    assert offered and all("fp8" not in changes.values() for changes in offered)
    assert plan({**asked, "model": "Qwen/Qwen3-8B-FP8"})["verdict"]["refusal"]["key"] == "method_card"


@pytest.mark.parametrize("method", ["awq", "gptq", "awq_marlin"])
def test_plain_weights_do_not_become_any_method(method: str) -> None:
    """Rule: refusal 13: AWQ and GPTQ need a checkpoint; the setting is left out where that starts."""
    found = planned(quantization=method)
    assert found["verdict"]["lines"] == [f"Cannot find the config file for {method}"]
    assert found["fixes"]["fixes"][0]["changes"] == {"quantization": ""}
    assert "--quantization" in found["command"] and "--quantization" not in found["fixed_command"]
    assert "type of the weights as stored (quantization)" in as_text(found)


@pytest.mark.parametrize("method", ["fp8", "bitsandbytes", "experts_int8", "torchao", "Q4_K_M"])
def test_what_becomes_of_plain_weights_while_they_are_loaded(method: str) -> None:
    """Rule: these vLLM makes of plain weights, or reads from a file of their own."""
    assert planned(quantization=method)["verdict"]["outcome"] == "starts"


def test_a_checkpoint_is_not_another() -> None:
    """Rule: refusal 14: another method than the checkpoint's is refused; the same under another name is not."""
    awq = {"model": "Qwen/Qwen3-8B-AWQ"}
    found = planned(**awq, quantization="gptq")
    assert found["verdict"]["refusal"]["key"] == "method_differs"
    assert "model config (awq) does not match" in found["verdict"]["lines"][0]
    assert "--quantization gptq" in found["command"] and "--quantization" not in found["fixed_command"]
    assert planned(**awq, quantization="awq_marlin")["verdict"]["outcome"] == "starts"


def test_what_is_close_is_named() -> None:
    """Rule: where the peak of a step is close, not the pool, that is what is said."""
    seen = set()
    for held in range(500, 1000, 2):
        base = {"card": "rtx-3090", "model": "Qwen/Qwen3-8B", "max_model_len": 256, "in_use_gib": held / 100,
                "gpu_memory_utilization": 0.3}  # fmt: skip
        found = plan({**base, "kv_cache_memory_bytes": GIB // 4}, False)
        if found["verdict"]["sure"]:
            assert "This is close" not in as_text(found)
            continue
        text = as_text(found)
        key = "starts" if found["verdict"]["refusal"] is None else found["verdict"]["refusal"]["key"]
        seen.add(key)
        assert ("while it tries a step it may" in text) == (key == "starts")
        assert "within the spread of the reserve the pool" not in text
    assert seen == {"starts", "out_of_memory"}


def test_the_command_does_not_repeat_what_fails() -> None:
    """Rule: where the cheapest change frees memory, the command shows the cheapest that a command can make."""
    found = planned(in_use_gib=14)
    first = found["fixes"]["fixes"][0]["changes"]
    assert found["fixed_command"] != found["command"]
    if list(first) == ["in_use_gib"]:
        said = "freed_fixed_command" if found["fixed_command"] else "freed_command"
        assert f"{WORDS[said]}\n  {found['fixed_command'] or found['command']}\n" in as_text(found)


@pytest.mark.parametrize("model", ["openai/gpt-oss-20b", "mistralai/Mistral-Small-24B-Instruct-2501"])
def test_no_absurdly_short_chat_is_offered(model: str) -> None:
    """Rule: no longest chat below an eighth of what was asked for is offered alone beside other changes; 1 never is."""
    for card in ("rtx-4090", "rtx-4060-ti-16gb"):
        found = plan({"card": card, "model": model})["fixes"]
        fixes = [] if found is None else found["fixes"]
        for fix in fixes:
            assert fix["changes"].get("max_model_len", 2) > 1
            if list(fix["changes"]) == ["max_model_len"] and len(fixes) > 1:
                assert fix["value"] >= 32_768 // 8
