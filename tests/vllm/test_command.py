"""One command: exactly what differs from the version's defaults, as a shell takes it."""

import json
import shlex
from typing import Any

import pytest

from poolroom.vllm.command import NAMELESS, command, needed_settings, number_text, quoted
from poolroom.vllm.models import model_config
from poolroom.vllm.plan import plan
from poolroom.vllm.plan_facts import VERSIONS
from poolroom.vllm.plan_words import as_text
from poolroom.vllm.refuse import PlanError
from poolroom.vllm.settings import resolve
from poolroom.vllm.upgrade import compare
from tests.vllm.plans import asked_by


def deep(levels: int) -> Any:
    """Lists within lists."""
    return json.loads("[" * levels + "]" * levels)


QWEN = {"card": "h100-80gb", "model": "Qwen/Qwen3-8B", "version": "0.33.0"}
UNCOMPARED = ("given", "not_counted", "card", "measured")


def test_defaults_are_left_out() -> None:
    """Rule: a setting that is the version's default, alone or by the others, is not in the command."""
    asked = {**QWEN, "gpu_memory_utilization": 0.92, "max_num_seqs": 1_024, "max_num_batched_tokens": 8_192}
    assert command(asked) == "vllm serve Qwen/Qwen3-8B"
    assert command({**asked, "version": "0.19.1"}) == "vllm serve Qwen/Qwen3-8B --gpu-memory-utilization 0.92"
    assert command({**QWEN, "max_model_len": 40_960, "tensor_parallel_size": 1}) == "vllm serve Qwen/Qwen3-8B"
    assert command({**QWEN, "max_num_seqs": None, "dtype": "auto"}) == "vllm serve Qwen/Qwen3-8B"


def test_flags_have_vllms_names() -> None:
    """Rule: values as vLLM's command line reads them; switches on and off; lengths as they were written."""
    asked = {**QWEN, "max_model_len": "16k", "enforce_eager": True, "enable_prefix_caching": False, "max_num_seqs": 12}
    flags = "--max-model-len 16k --max-num-seqs 12 --enforce-eager --no-enable-prefix-caching"
    assert command(asked) == f"vllm serve Qwen/Qwen3-8B {flags}"
    assert "--kv-cache-memory-bytes 119275520" in command({**QWEN, "kv_cache_memory_bytes": 119_275_520})
    assert "--max-model-len auto" in command({**QWEN, "max_model_len": "auto"})
    assert command({**QWEN, "gpu_memory_utilization": 0.5}).endswith("--gpu-memory-utilization 0.5")


def test_what_is_no_flag() -> None:
    """Rule: the estimate and the engine are set by the environment; cards, memory and measures are not in a command."""
    asked = {**QWEN, "in_use_gib": 3, "total_gib": 79.18, "measured_weights_gib": 15}
    assert command(asked) == "vllm serve Qwen/Qwen3-8B"
    switch = "VLLM_MEMORY_PROFILER_ESTIMATE_CUDAGRAPHS"
    assert command({**QWEN, "estimate_cudagraphs": False}) == f"{switch}=0 vllm serve Qwen/Qwen3-8B"
    assert command({**QWEN, "estimate_cudagraphs": True}) == "vllm serve Qwen/Qwen3-8B"
    assert command({**QWEN, "version": "0.19.1", "estimate_cudagraphs": True}).startswith(f"{switch}=1 vllm")
    assert command({**QWEN, "version": "0.8.5", "engine": "V0"}).startswith("VLLM_USE_V1=0 vllm serve")
    assert command({**QWEN, "version": "0.8.5", "engine": "V1"}).startswith("vllm serve")


def test_old_versions() -> None:
    """Rule: before 0.5.5 the server is a module of Python; before 0.8.5 switches are turned off by =False."""
    asked = {"card": "a100-80gb", "model": "meta-llama/Llama-2-7b-hf"}
    assert command({**asked, "version": "0.4.3"}).startswith(
        "python -m vllm.entrypoints.openai.api_server --model meta"
    )
    chunked = {**asked, "version": "0.7.3", "engine": "V0", "enable_prefix_caching": True}
    assert command(chunked).endswith("--enable-prefix-caching")


def test_a_name_is_one_word_of_a_shell() -> None:
    """Rule: whatever a name holds, a shell reads it as one word."""
    for name in ("plain/Name-1.5", "", "two words", "it's", "$(rm -rf)", "a;b", "`x`", "é"):
        assert shlex.split(quoted(name)) == [name]


@pytest.mark.parametrize(("value", "text"), [(5.0, "5"), (0.84, "0.84"), (0.0001, "0.0001"), (0.00005, "0.000050")])
def test_numbers(value: float, text: str) -> None:
    """Rule: numbers without exponents, the same in both languages."""
    assert number_text(value) == text


UNCOUNTED = {
    "data_parallel_size": 2, "enable_expert_parallel": True, "cpu_offload_gb": 10, "max_loras": 4, "enable_lora": True,
    "speculative_config": {"method": "ngram", "n": [1, 2.5, None, True], "it's \"\n\\": {}},
    "limit_mm_per_prompt": '{"image": 2}', "performance_mode": "latency", "swap_space": 0,
}  # fmt: skip
"""Flags that are the user's own and are not counted, each in a form that somebody gives it."""


def test_what_is_not_counted_stays_in_the_command() -> None:
    """Rule: a flag that is named and not counted is the user's own: every command keeps it, with its value."""
    found = command({**QWEN, **UNCOUNTED, "max_num_seqs": 12})
    assert found.startswith("vllm serve Qwen/Qwen3-8B --max-num-seqs 12 --enable-lora --max-loras 4 --speculative")
    assert "--cpu-offload-gb 10 --swap-space 0 --data-parallel-size 2 --enable-expert-parallel" in found
    words = shlex.split(found)
    assert json.loads(words[words.index("--speculative-config") + 1]) == UNCOUNTED["speculative_config"]
    assert words[words.index("--limit-mm-per-prompt") + 1] == '{"image": 2}'
    refused = plan({**QWEN, **UNCOUNTED, "card": "rtx-4090", "max_model_len": 40_960})
    both = compare({**QWEN, **UNCOUNTED}, "0.19.1", "0.33.0")["commands"]
    for line in (refused["command"], refused["fixed_command"], *both):
        assert shlex.split(line)[-len(words[5:]) :] == words[5:]
    assert command({**QWEN, "enable_lora": False, "max_loras": None}) == "vllm serve Qwen/Qwen3-8B"


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 2**53, {"x": object()}, {1: 2}, deep(30)])
def test_what_no_command_line_takes(value: Any) -> None:
    """Rule: a value that cannot be written as a flag is refused by the setting's name, whatever it holds."""
    with pytest.raises(PlanError, match=r"speculative_config is .* must be what a command line takes"):
        command({**QWEN, "speculative_config": value})


def test_a_model_without_a_name() -> None:
    """Rule: where a config.json does not name its model, the command has one word in its place that no model has, and
    that a shell hands on as it is; a plan refuses it by name."""
    config = {name: value for name, value in model_config("Qwen/Qwen3-8B").items() if name != "_name_or_path"}
    found = plan({**QWEN, "model": config, "max_model_len": 8_192})
    assert found["command"] == "vllm serve '<your-model>' --max-model-len 8192"
    assert shlex.split(found["command"])[2] == NAMELESS and f"with {NAMELESS}." in as_text(found)
    assert found["about"]["model"] == ""
    with pytest.raises(PlanError, match="model is “<your-model>”, but must be the name of"):
        plan({**QWEN, "model": NAMELESS})


def test_blanks_are_no_part_of_a_name() -> None:
    """Rule: blanks before and behind a name, as they are copied along, change nothing anywhere."""
    exact = {**QWEN, "max_model_len": "8k", "kv_cache_dtype": "fp8", "require_chats": "1x100", "max_loras": "2"}
    blank = {name: f" \t{value}\u00a0\n" for name, value in exact.items()}
    assert plan(blank) == plan(exact)
    plain = {name: value for name, value in exact.items() if name != "require_chats"}
    spaced = {name: value for name, value in blank.items() if name != "require_chats"}
    assert command(spaced) == command(plain) and resolve(spaced) == resolve(plain)
    assert compare(spaced, " 0.19.1", "0.33.0 ") == compare(plain, "0.19.1", "0.33.0")
    with pytest.raises(PlanError, match="model is “”"):
        plan({**QWEN, "model": "  "})


def of_command(line: str) -> dict[str, Any]:
    """The settings that a command gives."""
    names = {row["flag"]: row["name"] for row in VERSIONS["settings"] if row["flag"]}
    words = shlex.split(line)
    found: dict[str, Any] = {}
    for word, value in zip(words, [*words[1:], ""], strict=True):
        flag, _, off = word.partition("=")
        if word.startswith("--no-"):
            found[names[f"--{word[5:]}"]] = False
        elif flag in names:
            plain = value.startswith("--") or not value
            found[names[flag]] = not off if off or plain else value
    return found


def test_the_command_gives_the_same_settings() -> None:
    """Rule: on plans by chance what the command says resolves to what the plan resolved, and every flag is needed."""
    checked = 0
    for seed in range(600):
        asked = asked_by(seed)
        try:
            settings: Any = resolve(asked)
        except PlanError:
            continue
        given = of_command(command(asked))
        assert sorted(given) == sorted(needed_settings(asked, settings))
        kept = {name: value for name, value in asked.items() if name in given or not flag_of(name)}
        again: Any = resolve(kept)
        assert all(again[name] == settings[name] for name in settings if name not in UNCOMPARED), asked
        for name in given:
            without = {each: value for each, value in kept.items() if each != name}
            assert differs(without, settings), (asked, name)
        checked += 1
    assert checked > 500


def flag_of(name: str) -> str:
    """The flag of a setting, or nothing."""
    return next(str(row["flag"]) for row in VERSIONS["settings"] if row["name"] == name)


def differs(asked: dict[str, Any], settings: Any) -> bool:
    """Whether some setting is another one."""
    try:
        other: Any = resolve(asked)
    except PlanError:
        return True
    return any(other[name] != settings[name] for name in settings if name not in UNCOMPARED)
