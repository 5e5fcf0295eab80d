"""What a pool holds and what is printed of it: the tables of the facts, each release's rule, and what is monotone."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as effort
from hypothesis import strategies as st

from poolroom.vllm.capacity import (
    blocks_of,
    blocks_per_chat,
    capacity,
    chat_bytes,
    chats_of,
    estimated_longest,
    fits,
    required_blocks_for,
    room_for_chats,
    usable_blocks,
)
from poolroom.vllm.layout import Layout, layout_of
from poolroom.vllm.refuse import PlanError
from tests.vllm import factories as make

GIB = 2**30


def printed(settings: Any, kv_bytes: int) -> tuple[int, int, str]:
    """Blocks, tokens and chats as a start prints them."""
    layout = layout_of(settings, 0)
    held = capacity(settings, layout, blocks_of(layout, kv_bytes))
    return held["blocks"], held["tokens"], f"{held['concurrency']:.2f}"


@pytest.mark.parametrize(
    ("longest", "tokens", "ahead", "per_chat", "concurrency", "size"),
    [
        (8_192, 2_048, True, 2_438, "6.72", 55_052),
        (8_192, 8_192, True, 3_590, "4.56", 37_386),
        (131_072, 2_048, True, 10_118, "1.62", 212_243),
        (131_072, 8_192, True, 14_726, "1.11", 145_829),
        (131_072, 8_192, False, 11_654, "1.41", 184_270),
    ],
)
def test_gemma(longest: int, tokens: int, ahead: bool, per_chat: int, concurrency: str, size: int) -> None:
    """Rule: vllm.md §2.3: Gemma-3-27B's shape with 20 GiB: the table that vLLM's own planner gave."""
    settings = make.settings(make.GEMMA_27B, longest=longest, batched_tokens=tokens, asynchronous=ahead)
    assert blocks_per_chat(settings, layout_of(settings, 0), longest) == per_chat
    assert printed(settings, 20 * GIB) == (16_384, size, concurrency)


@pytest.mark.parametrize(
    ("longest", "size", "concurrency"), [(16_000, 1_097_827, "68.61"), (131_072, 1_950_763, "14.88")]
)
def test_gpt_oss(longest: int, size: int, concurrency: str) -> None:
    """Rule: vllm.md §2.3: gpt-oss-20b's shape with 50.28 GiB: what is printed rises with the longest length."""
    settings = make.settings(make.GPT_OSS_20B, longest=longest, asynchronous=True)
    assert printed(settings, int(50.28 * GIB)) == (137_297, size, concurrency)


def test_a_model_whose_layers_all_slide() -> None:
    """Rule: vllm.md §2.3: Mistral-7B-v0.1 with 20 GiB: a block more for a window that begins within one."""
    settings = make.settings(make.MISTRAL_V01, longest=32_768, asynchronous=True)
    assert printed(settings, 20 * GIB) == (10_240, 261_939, "7.99")


@pytest.mark.parametrize(
    ("longest", "size", "concurrency"),
    [(8_192, 420_896, "51.38"), (16_000, 420_896, "26.31"), (131_072, 420_896, "3.21"), (10_007, 420_517, "42.02")],
)
def test_llama(longest: int, size: int, concurrency: str) -> None:
    """Rule: vllm.md §1.3: Llama-3.1-8B with 51.38 GiB: 26,306 blocks, and a little less where 16 does not divide."""
    assert printed(make.settings(make.LLAMA_8B, longest=longest), int(51.38 * GIB)) == (26_306, size, concurrency)


def test_blocks_of_128() -> None:
    """Rule: vllm.md §1.3: Mistral-Small in blocks of 128: 1,444 of them, 184,832 tokens, 1444 ÷ 125 chats of 16,000."""
    settings = make.settings(make.dense(40, 8), version="0.11.0", block_tokens=128, longest=16_000)
    layout = layout_of(settings, 0)
    held = capacity(settings, layout, 1_444)
    assert (held["tokens"], held["per_chat"], held["concurrency"]) == (184_832, 125, 1_444 / 125)
    # One chat of 15,049 tokens showed 8.18 % in use: 118 of 1,443.
    assert blocks_per_chat(settings, layout, 15_049) == 118
    assert f"{100 * 118 / usable_blocks(settings, 1_444):.2f}" == "8.18"


def test_a_chat_that_does_not_fit() -> None:
    """Rule: vllm.md §3: 16.0 GiB are needed, 2.0 are there, 16,368 tokens would fit; fitted, 16,384 and 1.00x."""
    settings = make.settings(make.LLAMA_8B, longest=131_072)
    layout = layout_of(settings, 0)
    assert chat_bytes(settings, layout, 131_072) == 16 * GIB
    assert estimated_longest(settings, layout, 2 * GIB) == 16_368
    fitted = {**settings, "longest": 16_368}
    assert printed(fitted, 2 * GIB) == (1_024, 16_384, "1.00")


@pytest.mark.parametrize(
    ("version", "blocks", "starts", "longest"),
    [
        ("0.33.0", 512, False, 8_176),
        ("0.33.0", 513, True, 8_192),
        ("0.28.0", 512, True, 8_192),
        ("0.28.0", 511, False, 8_176),
    ],
)
def test_the_null_block(version: str, blocks: int, starts: bool, longest: int) -> None:
    """Rule: vllm.md §3: since 0.29 one block is kept back: 512 blocks are refused at 8,192, and 513 start."""
    settings = make.settings(make.LLAMA_8B, version=version)
    layout = layout_of(settings, 0)
    kv_bytes = blocks * layout["block_bytes"]
    assert fits(settings, layout, kv_bytes, 8_192) == starts
    assert estimated_longest(settings, layout, kv_bytes) == longest
    assert capacity(settings, layout, 512)["concurrency"] == 1


@pytest.mark.parametrize(
    ("version", "tokens", "concurrency"),
    [("0.6.6", 62_480, "7.63"), ("0.8.5", 62_480, "7.63"), ("0.11.0", 31_232, "11.56"), ("0.33.0", 94_724, "11.56")],
)
def test_what_each_release_prints(version: str, tokens: int, concurrency: str) -> None:
    """Rule: vllm.md §1.3: blocks × 16 in V0 and 0.8; by groups until 0.20.0; then chats × longest length."""
    settings = make.settings(make.GPT_OSS_20B, version=version, engine=None, batched_tokens=2_048)
    held = capacity(settings, layout_of(settings, 0), 3_905)
    # Half full, half sliding 128: 512 blocks and ceil((127 + 2048) / 16) + 1 = 137; without groups 512.
    hybrid = version in ("0.11.0", "0.33.0")
    assert held["per_chat"] == (512 + 137 if hybrid else 512)
    if hybrid:
        assert held["concurrency"] == 3_905 / 649
        expected = 3_905 // 2 * 16 if version == "0.11.0" else int(3_905 / 649 * 8_192)
        assert held["tokens"] == expected
    else:
        assert (held["tokens"], f"{held['concurrency']:.2f}") == (tokens, concurrency)


def test_context_parallel() -> None:
    """Rule: Kimi-K2 with a chat's cache spread over 8 cards: 46.8 GiB hold 8 × 64 × 11,174 tokens."""
    settings = make.settings(make.DEEPSEEK_V3, version="0.11.0", tp=8, dcp=8, longest=262_144)
    held = capacity(settings, layout_of(settings, 0), 11_174)
    assert held["tokens"] == 5_721_088
    assert held["per_chat"] == 262_144 // 8 // 64


def test_stages_that_count_every_layer() -> None:
    """Rule: vllm-project/vllm#34076: until 0.16 a chat counted all 48 layers against the memory of one stage's."""
    needs = {}
    for version in ("0.13.0", "0.14.0", "0.16.0", "0.17.1", "0.33.0"):
        settings = make.settings(make.dense(48, 4), version=version, pp=2, longest=262_144)
        layout = layout_of(settings, 0)
        needs[version] = chat_bytes(settings, layout, 262_144) / GIB
        assert blocks_of(layout, layout["block_bytes"]) == 1
    assert needs == {"0.13.0": 12, "0.14.0": 24, "0.16.0": 24, "0.17.1": 12, "0.33.0": 12}


def test_padding_counts_from_014() -> None:
    """Rule: before 0.14 a chat counts the layers of each group, then the first group's blocks, since 0.19 all."""
    model = make.model([make.kind("sliding", window=512), make.kind()], [0] * 7 + [1] * 3)
    for version, rows, full in (("0.13.0", 3 + 2 + 2, 512), ("0.14.0", 3, 0), ("0.18.0", 3, 0), ("0.20.0", 3 * 3, 512)):
        settings = make.settings(model, version=version, batched_tokens=512)
        sliding = -(-(511 + 512) // 16) + 1
        assert chat_bytes(settings, layout_of(settings, 0), 8_192) == 65_536 * (rows * sliding + 3 * full)


def test_chunked_attention() -> None:
    """Rule: vllm.md §2.3: a chunk and what is on its way, without a block more."""
    model = make.model([make.kind("chunked", window=8_192), make.kind()], [0, 0, 0, 1] * 12)
    settings = make.settings(model, longest=131_072, batched_tokens=2_048, asynchronous=True)
    layout = layout_of(settings, 0)
    assert blocks_per_chat(settings, layout, 131_072) == 3 * (8_192 + 4_096) // 16 + 8_192
    assert blocks_per_chat(settings, layout, 100) == 4 * 7


def test_cross_attention() -> None:
    """Rule: vllm.md §2.3: cross-attention takes blocks for the encoder's tokens, whatever the chat's length."""
    model = make.model([make.kind("full", 20, 64), make.kind("cross", 20, 64)], [0, 1] * 4, encoder_tokens=1_500)
    settings = make.settings(model, longest=448)
    assert blocks_per_chat(settings, layout_of(settings, 0), 448) == 28 + 94


@pytest.mark.parametrize(
    ("version", "prefixes", "tokens", "concurrency", "blocks"),
    [("0.17.0", True, 148_816, "12.91", 284), ("0.17.0", False, 148_816, "14.95", 284)],
)
def test_states(version: str, prefixes: bool, tokens: int, concurrency: str, blocks: int) -> None:
    """Rule: vllm.md §2.3: a published start of Qwen3.5-35B-A3B: 22 blocks a chat of 32,768, 19 without prefixes."""
    kinds = [make.state([3 * 8_192, 0], [32 * 128 * 128, 4]), make.kind("full", 2, 256)]
    model = make.model(kinds, [0, 0, 0, 1] * 10, architecture="Qwen3_5MoeForConditionalGeneration")
    settings = make.settings(model, version=version, kv_dtype="fp8", longest=32_768, prefix_caching=prefixes)
    assert printed(settings, int(5.69 * GIB)) == (blocks, tokens, concurrency)


def test_states_at_every_block() -> None:
    """Rule: Mamba 2 in 0.24 with kept prefixes keeps a state at every full block, as many as attention has blocks."""
    kinds = [make.state([10_000, 2]), make.kind("full", 4)]
    model = make.model(kinds, [0, 0, 1] * 4, architecture="BambaForCausalLM")
    settings = make.settings(model, version="0.24.0")
    layout = layout_of(settings, 0)
    assert blocks_per_chat(settings, layout, 8_192) == 3 * -(-8_192 // layout["block_tokens"])
    assert blocks_per_chat(make.settings(model), layout_of(make.settings(model), 0), 8_192) == 2 * 2 + 512


def test_a_model_that_keeps_nothing() -> None:
    """Rule: without any cache vLLM has one block, and no chat takes any."""
    settings = make.settings(make.model([make.kind("shared", 0, 0)], [0]))
    layout = layout_of(settings, 0)
    assert blocks_of(layout, 5 * GIB) == 1
    assert capacity(settings, layout, 1)["concurrency"] == 0
    assert (chats_of(settings, layout, 1, 100), chat_bytes(settings, layout, 100)) == (0, 0)


def test_eighteen_chats_of_two_thousand() -> None:
    """Rule: USERS.md §5, 9: 4.61x at 8,192 is 37,765 tokens; of 2,000 tokens 18 fit at once."""
    settings = make.settings(make.LLAMA_8B)
    layout = layout_of(settings, 0)
    held = capacity(settings, layout, 2_361)
    assert f"{held['concurrency']:.2f}" == "4.61"
    assert chats_of(settings, layout, 2_361, 2_000) == 18
    assert chats_of(settings, layout, 2_361, 8_192) == 4


def test_one_seat_needs_so_much() -> None:
    """Rule: USERS.md §5, 8: Qwen3-1.7B, one chat of 1,024: 65 blocks with the one that is kept, 119,275,520 bytes."""
    settings = make.settings(make.dense(28, 8), longest=1_024)
    layout = layout_of(settings, 0)
    assert required_blocks_for(settings, layout, [[1, 1_024]]) == 65
    assert 65 * layout["block_bytes"] == 119_275_520
    assert fits(settings, layout, 119_275_520, 1_024)
    assert not fits(settings, layout, 119_275_519, 1_024)


def test_blocks_for_several_chats() -> None:
    """Rule: chats of several lengths need the sum of their blocks, and the one that V1 keeps."""
    settings = make.settings(make.LLAMA_8B)
    layout = layout_of(settings, 0)
    assert required_blocks_for(settings, layout, [[8, 32_000], [3, 17]]) == 8 * 2_000 + 3 * 2 + 1
    assert required_blocks_for(settings, layout, []) == 1
    old = make.settings(make.LLAMA_8B, version="0.6.6")
    assert required_blocks_for(old, layout, [[8, 32_000]]) == 16_000
    assert usable_blocks(old, 5) == 5
    with pytest.raises(PlanError, match="require_chats"):
        required_blocks_for(settings, layout, [[2**40, 2**40]])


def test_no_memory() -> None:
    """Rule: with less than nothing there are no blocks, nothing fits, and no length can be estimated."""
    settings = make.settings(make.LLAMA_8B)
    layout = layout_of(settings, 0)
    assert blocks_of(layout, -5 * GIB) == 0 == estimated_longest(settings, layout, -5 * GIB)
    assert room_for_chats(settings, layout, 0) == -layout["block_bytes"]
    assert capacity(settings, layout, 0)["tokens"] == 0 == usable_blocks(settings, 0)


MODELS = st.sampled_from(
    [
        make.LLAMA_8B, make.GEMMA_27B, make.GPT_OSS_20B, make.MISTRAL_V01, make.DEEPSEEK_V3,
        make.model([make.kind("chunked", window=1_024), make.kind()], [0, 0, 0, 1] * 4),
        make.model([make.state([20_000, 0], [90_000, 4]), make.kind("full", 2, 256)], [0, 0, 0, 1] * 6),
        make.model([make.state([65_536, 2])], [0] * 8),
        make.model([make.kind(), make.kind("cross")], [0, 1] * 6, encoder_tokens=1_500),
    ]
)  # fmt: skip
VERSIONS = st.sampled_from(["0.5.5", "0.8.5", "0.9.2", "0.13.0", "0.15.1", "0.20.0", "0.24.0", "0.29.0", "0.33.0"])


@st.composite
def plans(draw: st.DrawFn) -> tuple[Any, Layout]:
    """Settings and a layout."""
    settings = make.settings(
        draw(MODELS),
        version=draw(VERSIONS),
        longest=draw(st.integers(1, 3_000)),
        batched_tokens=draw(st.integers(1, 4_000)),
        asynchronous=draw(st.booleans()),
        prefix_caching=draw(st.booleans()),
        tp=draw(st.sampled_from([1, 2, 4])),
        kv_dtype=draw(st.sampled_from(["auto", "fp8"])),
        block_tokens=draw(st.sampled_from([0, 16, 32, 128])),
    )
    return settings, layout_of(settings, 0)


@effort(deadline=None)
@given(plan=plans(), blocks=st.integers(0, 400), part=st.integers(0, 99))
def test_halving_is_trying_all(plan: tuple[Any, Layout], blocks: int, part: int) -> None:
    """Rule: the estimated length is the longest one that fits, found by trying every length."""
    settings, layout = plan
    kv_bytes = blocks * layout["block_bytes"] + part * layout["block_bytes"] // 100
    all_that_fit = [n for n in range(1, settings["longest"] + 1) if fits(settings, layout, kv_bytes, n)]
    assert estimated_longest(settings, layout, kv_bytes) == max(all_that_fit, default=0)
    assert all_that_fit == list(range(1, len(all_that_fit) + 1))


@given(plan=plans(), lengths=st.lists(st.integers(1, 10**6), min_size=2, max_size=2))
def test_longer_chats_take_no_fewer_blocks(plan: tuple[Any, Layout], lengths: list[int]) -> None:
    """Rule: blocks and bytes of a chat never fall with its length."""
    settings, layout = plan
    short, long = sorted(lengths)
    assert blocks_per_chat(settings, layout, short) <= blocks_per_chat(settings, layout, long)
    assert chat_bytes(settings, layout, short) <= chat_bytes(settings, layout, long)


@given(plan=plans(), sizes=st.lists(st.integers(0, 10**6), min_size=2, max_size=2), tokens=st.integers(1, 10**5))
def test_larger_pools_hold_no_less(plan: tuple[Any, Layout], sizes: list[int], tokens: int) -> None:
    """Rule: tokens, chats of the longest length and chats of any length never fall with the blocks of the pool."""
    settings, layout = plan
    few, many = (capacity(settings, layout, blocks) for blocks in sorted(sizes))
    assert few["tokens"] <= many["tokens"]
    assert few["concurrency"] <= many["concurrency"]
    least, most = (chats_of(settings, layout, blocks, tokens) for blocks in sorted(sizes))
    assert least <= most
    assert most == 0 or required_blocks_for(settings, layout, [[most, tokens]]) <= max(sizes)


@given(plan=plans(), blocks=st.integers(1, 10**6))
def test_bytes_and_blocks(plan: tuple[Any, Layout], blocks: int) -> None:
    """Rule: so many blocks need exactly their bytes; one byte less holds one block less."""
    _, layout = plan
    if not layout["groups"]:
        assert blocks_of(layout, blocks) == 1
        return
    assert blocks_of(layout, blocks * layout["block_bytes"]) == blocks
    assert blocks_of(layout, blocks * layout["block_bytes"] - 1) == blocks - 1
