"""What a server starts with, from what was asked."""

import random
import re
from typing import Any

import pytest

from poolroom.vllm.cards import card_names
from poolroom.vllm.plan_facts import VERSIONS
from poolroom.vllm.refuse import PlanError
from poolroom.vllm.settings import default_of, resolve
from poolroom.vllm.values import nearest

LLAMA = "meta-llama/Llama-3.1-8B-Instruct"
GIB = 2**30


def settings(card: Any = "h100-sxm-80gb", version: str = "0.33.0", **asked: Any) -> Any:
    """Settings of Llama 3.1 8B."""
    return resolve({"card": card, "model": LLAMA, "version": version, **asked})


def refusal(**asked: Any) -> PlanError:
    """The refusal of some settings."""
    with pytest.raises(PlanError) as caught:
        settings(**asked)
    return caught.value


@pytest.mark.parametrize(
    ("card", "version", "api", "llm", "seats"),
    [
        ("b200", "0.33.0", 16384, 16384, 1024),
        ("b200", "0.27.0", 8192, 16384, 1024),
        ("h100-sxm-80gb", "0.33.0", 8192, 16384, 1024),
        ("h200", "0.11.0", 8192, 16384, 1024),
        ("mi300x", "0.11.0", 8192, 16384, 1024),
        ("a100-sxm-80gb", "0.33.0", 2048, 8192, 256),
        ("a100-sxm-80gb", "0.8.5", 8192, 16384, 1024),  # before it was left out
        ("a100-sxm-80gb", "0.8.4", 2048, 8192, 256),  # large by name, H100 and H200 alone
        ("rtx-4090", "0.8.3", 2048, 8192, 1024),  # three releases gave all cards 1,024 seats
        ("rtx-4090", "0.19.1", 2048, 8192, 256),
        ("rtx-3090", "0.33.0", 2048, 8192, 256),
        ("gb10", "0.33.0", 2048, 8192, 256),
        ("gb10", "0.32.0", 8192, 16384, 1024),
        ("tpu-v5e", "0.11.0", 512, 1024, 256),
    ],
)
def test_seats_and_tokens_by_card(card: str, version: str, api: int, llm: int, seats: int) -> None:
    """Rule: vllm.md 4.1: batched tokens and seats by memory, name and version, for the server and the class LLM."""
    of_server = settings(card, version)
    of_class = settings(card, version, use_llm_class=True)
    assert (of_server["batched_tokens"], of_class["batched_tokens"]) == (api, llm)
    assert (of_server["seats"], of_class["seats"]) == (seats, seats)


def test_seats_and_tokens_hold_each_other() -> None:
    """Rule: tokens by default are at most seats × longest (0.12), seats by default at most tokens (0.10.1.1)."""
    assert settings(version="0.12.0", max_num_seqs=2, max_model_len=512)["batched_tokens"] == 1024
    assert settings(version="0.11.0", max_num_seqs=2, max_model_len=512)["batched_tokens"] == 8192
    assert settings(version="0.10.1.1", max_num_batched_tokens=100)["seats"] == 100
    assert settings(version="0.10.0", max_num_batched_tokens=100)["seats"] == 1024
    both = settings(max_num_seqs=300, max_num_batched_tokens=200)
    assert (both["seats"], both["batched_tokens"]) == (300, 200)  # vLLM refuses these; a plan says so


def test_v0_pushes_the_whole_length_through() -> None:
    """Rule: the riddle of #10517: T = max(length, 2,048) up to 32,768, where chunks begin by themselves."""
    for longest, tokens in [(1024, 2048), (20000, 20000), (29000, 29000), (32768, 32768), (32769, 512), (35000, 512)]:
        assert settings("rtx-3090", "~0.6.4", max_model_len=longest)["batched_tokens"] == tokens
    for version, tokens in [("0.6.6", 2048), ("0.7.3", 2048), ("0.6.3", 512)]:
        assert settings("rtx-3090", version, max_model_len=35000)["batched_tokens"] == tokens
    assert settings("rtx-3090", "0.6.6", max_model_len=35000, enable_chunked_prefill=False)["batched_tokens"] == 35000
    assert settings("mi300x", "0.6.6", max_model_len=35000)["batched_tokens"] == 35000  # only on CUDA
    images = resolve(
        {"card": "a100-sxm-80gb", "model": "Qwen/Qwen2-VL-7B-Instruct", "version": "0.6.6", "max_model_len": 2048}
    )
    assert images["batched_tokens"] == 5120


def test_v1_chunks_always_until_asked_otherwise() -> None:
    """Rule: V1 cuts prompts whatever was asked up to 0.11; from 0.12 it may be turned off and T covers the longest."""
    for version, chunked, tokens in [("0.11.0", True, 8192), ("0.12.0", False, 131072)]:
        found = settings(version=version, enable_chunked_prefill=False)
        assert (found["chunked"], found["batched_tokens"]) == (chunked, tokens)


@pytest.mark.parametrize(
    ("value", "tokens"),
    [
        (4096, 4096),
        (4096.0, 4096),
        ("4096", 4096),
        ("4k", 4000),
        ("4K", 4096),
        ("25.6k", 25600),
        ("1m", 10**6),
        ("1M", 2**20),
    ],
)
def test_forms_of_a_length(value: Any, tokens: int) -> None:
    """Rule: lengths are read as vLLM's command line reads them: k is 1,000, K is 1,024."""
    assert settings(max_model_len=value)["longest"] == tokens


def test_longest_by_itself() -> None:
    """Rule: unset takes the model's own longest; auto and -1 do so too and may be lowered, from 0.14 on."""
    assert (settings()["longest"], settings()["auto_fit"]) == (131072, False)
    for value in ("auto", -1, "-1", "AUTO"):
        found = settings(max_model_len=value)
        assert (found["longest"], found["auto_fit"]) == (131072, True)
    assert "0.14.0" in str(refusal(version="0.13.0", max_model_len="auto"))


def test_dtype() -> None:
    """Rule: auto keeps the checkpoint's; on a card without bfloat16 new versions fall back, old ones refuse."""
    assert settings()["dtype"] == "bfloat16"
    assert settings("t4", "0.9.2")["dtype"] == "float16"
    assert settings("t4", "0.8.5")["dtype"] == "bfloat16"
    assert settings("t4", "0.8.5", dtype="half")["dtype"] == "float16"
    config = {"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 64, "num_attention_heads": 4}
    config |= {"num_hidden_layers": 2, "intermediate_size": 128, "vocab_size": 256, "max_position_embeddings": 2048}
    config |= {"torch_dtype": "float32"}
    for card, version, dtype in [("l4", "0.8.5", "float16"), ("l4", "0.9.2", "bfloat16"), ("t4", "0.9.2", "float16")]:
        assert resolve({"card": card, "model": config, "version": version})["dtype"] == dtype
    gemma = {"card": "t4", "model": "google/gemma-2-9b-it"}
    assert resolve(gemma)["dtype"] == "float32"  # it does not work in float16


def test_memory() -> None:
    """Rule: the total is the card's, or as given; what is in use is taken from it."""
    plain = settings()
    assert plain["total_bytes"] == plain["card"]["total_bytes"]
    assert plain["free_bytes"] == plain["total_bytes"] - plain["in_use_bytes"] < plain["total_bytes"]
    given = settings(total_gib=79.25, in_use_gib=12)
    assert given["total_bytes"] == given["card"]["total_bytes"] == int(79.25 * GIB)
    assert given["free_bytes"] == given["total_bytes"] - 12 * GIB
    own = settings(card={"total_gib": 23.58})
    assert (own["total_bytes"], own["batched_tokens"], own["card"]["maker"]) == (int(23.58 * GIB), 2048, "nvidia")
    assert refusal(in_use_gib=90).setting == "in_use_gib"


def test_asynchronous_scheduling_and_windows() -> None:
    """Rule: on by default from 0.14; a window keeps room for two steps from 0.26, one more than stages in runner V2."""
    assert [settings(version=v)["asynchronous"] for v in ("0.13.0", "0.14.0")] == [False, True]
    for version, pp, steps in [("0.25.1", 1, 1), ("0.26.0", 1, 2), ("0.33.0", 2, 3), ("0.25.1", 2, 1)]:
        found = settings(version=version, pipeline_parallel_size=pp)
        assert found["in_flight_tokens"] == found["batched_tokens"] * steps
    assert settings(async_scheduling=False)["in_flight_tokens"] == settings()["batched_tokens"]
    assert refusal(version="0.14.0", pipeline_parallel_size=2, async_scheduling=True).allowed == "async_pipeline"


def test_graphs_inside_the_share() -> None:
    """Rule: counted by default from 0.20, by a switch from 0.18, never before, and not in eager mode."""
    assert [settings(version=v)["graphs_counted"] for v in ("0.17.1", "0.19.1", "0.20.0")] == [False, False, True]
    assert settings(version="0.18.0", estimate_cudagraphs=True)["graphs_counted"] is True
    assert settings(estimate_cudagraphs=False)["graphs_counted"] is False
    assert settings(enforce_eager=True)["graphs_counted"] is False
    assert refusal(version="0.17.1", estimate_cudagraphs=True).setting == "estimate_cudagraphs"


def test_what_a_version_does_not_have() -> None:
    """Rule: a setting that came later is refused with the release that brought it."""
    assert "0.10.2" in str(refusal(version="0.10.1.1", kv_cache_memory_bytes=2**34))
    assert "0.10.2" in str(refusal(version="0.10.0", tensor_parallel_size=4, decode_context_parallel_size=2))
    assert refusal(version="0.10.1.1", kv_cache_dtype="bfloat16").setting == "kv_cache_dtype"
    assert settings(version="0.11.0", kv_cache_dtype="bfloat16")["kv_dtype"] == "bfloat16"
    assert refusal(version="0.12.0", block_size=48).setting == "block_size"
    assert settings(version="0.18.0", block_size=48)["block_tokens"] == 48


def test_blocks_that_no_attention_takes() -> None:
    """Rule: read in 0.18.0, 0.21.0 and 0.33.0: every attention on NVIDIA's cards takes multiples of 16, since 0.21 for
    all, before for latent attention; on AMD's cards a latent one takes any; a state has no such block."""
    said = "block_size is 7, but must be a block size of vLLM 0.33.0: 16, 32, 48 … 1048576."
    assert str(refusal(block_size=7)) == said
    assert [settings(block_size=size)["block_tokens"] for size in (16, 48, 1_568)] == [16, 48, 1_568]
    assert settings(version="0.20.0", block_size=7)["block_tokens"] == 7
    assert refusal(version="0.21.0", block_size=24).setting == "block_size"
    assert refusal(version="0.17.1", block_size=7).setting == "block_size"  # not in the parser's list
    latent = {"model": "deepseek-ai/DeepSeek-V2-Lite", "block_size": 8}
    assert refusal(version="0.18.0", **latent).setting == "block_size"
    for version in ("0.18.0", "0.33.0"):
        assert settings("mi300x", version, **latent)["block_tokens"] == 8
    assert refusal(card="mi300x", block_size=8).setting == "block_size"


def limits(told: str) -> list[float]:
    """The numbers that a refusal allows: from one to another, or one of some."""
    between = re.search(r"from (-?[0-9.]*[0-9]) to (-?[0-9.]*[0-9])", told)
    if between:
        return [float(each) for each in between.groups()]
    return [float(each) for each in re.findall(r"(?<=[ :])[0-9]+(?=[,.]| …)", told.split("vLLM")[-1][8:])]


@pytest.mark.parametrize("version", ["0.12.0", "0.33.0"])
def test_a_limit_that_is_told_is_accepted(version: str) -> None:
    """Rule: whatever number a refusal allows, typed back it is not refused in the same words."""
    numbers = [row["name"] for row in VERSIONS["settings"] if row["unit"]] + ["block_size"]
    seen = 0
    for name in numbers:
        for bad in (-1e9, 1e18, 0, 2.7, "x"):
            try:
                resolve({"card": "l4", "model": LLAMA, "version": version, name: bad})
            except PlanError as caught:
                first = caught
            else:
                continue
            for limit in limits(str(first).split("must be ")[1]):
                seen += 1
                try:
                    resolve({"card": "l4", "model": LLAMA, "version": version, name: limit})
                except PlanError as again:
                    assert again.allowed != first.allowed, (name, bad, limit, str(again))
    assert seen > 60


def test_the_most_in_use_is_accepted() -> None:
    """Rule: the largest memory in use that a refusal allows is accepted, on every card and whatever its memory is."""
    chance = random.Random(3)
    totals = [chance.randint(100, 30_000) / 100 for _ in range(300)] + [chance.uniform(1, 300) for _ in range(300)]
    asks = [{"card": name} for name in card_names()] + [{"card": "l4", "total_gib": total} for total in totals]
    for ask in asks:
        with pytest.raises(PlanError) as caught:
            resolve({"model": LLAMA, **ask, "in_use_gib": 99_999})
        most = limits(str(caught.value))[1]
        found = resolve({"model": LLAMA, **ask, "in_use_gib": most})
        assert 0 <= found["free_bytes"] < GIB / 100 + 1, (ask, most)


def test_measured_and_given() -> None:
    """Rule: what was measured is kept in bytes; what was given is listed in the order of the facts."""
    found = settings(measured_kv_gib=-1.5, measured_weights_gib=15, max_model_len=4096, gpu_memory_utilization=0.9)
    assert found["measured"] == {"kv_bytes": int(-1.5 * GIB), "weights_bytes": 15 * GIB}
    assert found["given"][-4:] == ["gpu_memory_utilization", "max_model_len", "measured_weights_gib", "measured_kv_gib"]
    assert settings(kv_cache_memory_bytes="36864M")["kv_cache_memory_bytes"] == 36864 * 2**20


def test_none_is_not_given() -> None:
    """Rule: a setting that is None counts as not given."""
    names = [setting["name"] for setting in VERSIONS["settings"] if setting["name"] not in ("card", "model")]
    blank = resolve({"card": "l4", "model": LLAMA, **dict.fromkeys(names)})
    assert blank == resolve({"card": "l4", "model": LLAMA})


def test_not_counted_is_named() -> None:
    """Rule: LoRA, speculative decoding and their like are named, not counted, and not refused."""
    found = settings(enable_lora=True, speculative_config={"method": "eagle"}, cpu_offload_gb=None, max_loras=2)
    assert found["not_counted"] == ["enable_lora", "max_loras", "speculative_config"]
    assert settings(enable_lora=False)["not_counted"] == []


def test_quantisation_by_name() -> None:
    """Rule: --quantization stores a plain checkpoint so; a checkpoint that is quantised already stays as it is."""
    assert settings(quantization="fp8")["model"]["quantisation"] == "fp8"
    with pytest.raises(PlanError):
        settings(quantization="zip")


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("max_modle_len", "max_model_len"),
        ("gpu_memory_utilisation", "gpu_memory_utilization"),
        ("max_seqs", "max_num_seqs"),
    ],
)
def test_unknown_settings_name_the_nearest(wrong: str, right: str) -> None:
    """Rule: a setting that nobody knows is refused with the nearest name."""
    found = refusal(**{wrong: 8})
    assert (found.setting, found.value) == (wrong, 8)
    assert right in str(found)
    assert nearest(wrong, [setting["name"] for setting in VERSIONS["settings"]]) == right


def test_defaults_stand_where_nothing_is_given() -> None:
    """Rule: default_of is what the settings hold when the setting is not given, whatever else is."""
    held = {
        "gpu_memory_utilization": "share", "max_model_len": "longest", "max_num_seqs": "seats",
        "max_num_batched_tokens": "batched_tokens", "tensor_parallel_size": "tp", "kv_cache_dtype": "kv_dtype",
        "dtype": "dtype", "enforce_eager": "eager", "enable_chunked_prefill": "chunked",
        "async_scheduling": "asynchronous", "enable_prefix_caching": "prefix_caching", "block_size": "block_tokens",
    }  # fmt: skip
    for version in ("0.6.6", "0.8.5", "0.11.0", "0.20.0", "0.33.0"):
        for asked in ({}, {"max_num_seqs": 7, "max_model_len": 256}, {"max_num_batched_tokens": 99}, {"dtype": "half"}):
            found = settings("l40s", version, **asked)
            for name, key in held.items():
                if name not in asked:
                    assert default_of(name, found) == found[key], (version, asked, name)
    changed = settings("l40s", gpu_memory_utilization=0.5, max_num_seqs=7)
    assert default_of("gpu_memory_utilization", changed) == 0.92
    assert default_of("max_num_seqs", changed) == 256


def test_every_setting_is_in_the_table_once() -> None:
    """Rule: one table for command line, command writer and page: each setting has its flag, its unit and its words."""
    rows = VERSIONS["settings"]
    assert len({row["name"] for row in rows}) == len(rows) >= 29
    assert all(row["words"] and row["flag"] in ("", "--" + row["name"].replace("_", "-")) for row in rows)
    assert not {row["name"] for row in rows} & set(VERSIONS["uncounted"]["names"])


def test_prefixes_beside_states() -> None:
    """Rule: prefixes are kept by default in V1, beside states from 0.26 on, never with an encoder."""
    assert [settings(version=v)["prefix_caching"] for v in ("0.7.3", "0.8.5")] == [False, True]
    hybrid = {"card": "h100-sxm-80gb", "model": "Qwen/Qwen3-Next-80B-A3B-Instruct"}
    for version, kept in [("0.25.1", False), ("0.26.0", True)]:
        assert resolve({**hybrid, "version": version})["prefix_caching"] is kept
    assert resolve({**hybrid, "version": "0.25.1", "enable_prefix_caching": True})["prefix_caching"] is True


def junk(rng: random.Random, depth: int = 0) -> Any:
    """Anything that JSON can hold, and what Python adds to it."""
    plain = [
        None,
        True,
        0,
        -1,
        0.5,
        10**400,
        -(10**400),
        float("nan"),
        float("inf"),
        "",
        "auto",
        "x" * 500,
        "0.33",
        "\ud800",
        "l4",
    ]
    if depth < 3 and rng.random() < 0.3:
        many = [junk(rng, depth + 1) for _ in range(rng.randint(0, 3))]
        return many if rng.random() < 0.5 else dict(zip(["total_gib", "name", "x"], many, strict=False))
    return rng.choice([*plain, rng.uniform(-9, 9), rng.randint(-(2**60), 2**60)])


def test_anything_is_resolved_or_refused() -> None:
    """Rule: whatever is asked, the answer is settings or a PlanError."""
    rng = random.Random(11)
    names = [setting["name"] for setting in VERSIONS["settings"]] + VERSIONS["uncounted"]["names"]
    for _ in range(20_000):
        asked: Any = {"card": "l4", "model": LLAMA, "version": rng.choice(VERSIONS["releases"])}
        for name in rng.sample(names, rng.randint(0, 3)):
            asked[name] = junk(rng)
        if rng.random() < 0.05:
            asked = rng.choice([junk(rng), {**asked, "x" * rng.randint(0, 9): 1}])
        try:
            found = resolve(asked)
        except PlanError as refusal:
            assert str(refusal)
        else:
            assert found["seats"] >= 1 and found["batched_tokens"] >= 1 and found["longest"] >= 1
            assert 0 <= found["in_use_bytes"] <= found["total_bytes"]
