"""How the cache is cut: bytes by kind of layer, groups, blocks, stages, and what each release makes of them."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from poolroom.vllm.layout import layout_of
from poolroom.vllm.pages import backend_tokens, block_tokens_of, rounded_up, state_bytes, token_bytes
from poolroom.vllm.refuse import PlanError
from tests.vllm import factories as make

KIB = 1_024


# vllm.md §2.1: model, KiB a token on one card, bytes of a block, KiB a token on eight.
TABLE = [
    (make.dense(32, 8), 128, 2_097_152, 16),
    (make.dense(80, 8), 320, 5_242_880, 40),
    (make.dense(28, 4), 56, 917_504, 14),
    (make.dense(28, 8), 112, 1_835_008, 14),
    (make.dense(64, 8), 256, 4_194_304, 32),
    (make.dense(40, 8), 160, 2_621_440, 20),
    (make.dense(32, 32), 512, 8_388_608, 64),
]


@pytest.mark.parametrize(("model", "one", "block", "eight"), TABLE)
def test_bytes_of_a_block(model: dict[str, Any], one: int, block: int, eight: int) -> None:
    """Rule: vllm.md §2.1: 2 × KV heads × head size × bytes a value, KV heads shared out but never below one."""
    layout = layout_of(make.settings(model), 0)
    assert layout["block_bytes"] == block == one * KIB * 16
    shared = layout_of(make.settings(model, tp=8), 0)
    assert shared["block_bytes"] == eight * KIB * 16


def test_latent_attention_is_not_shared_out() -> None:
    """Rule: vllm.md §2.1: DeepSeek-V3 keeps 68.6 KiB a token on every card, 4,497,408 bytes for a block of 64."""
    for tp in (1, 8, 16):
        layout = layout_of(make.settings(make.DEEPSEEK_V3, version="0.11.0", tp=tp), 0)
        assert (layout["block_tokens"], layout["block_bytes"]) == (64, 4_497_408)
    assert f"{4_497_408 / 64 / KIB:.1f}" == "68.6"


@pytest.mark.parametrize(
    ("kv_dtype", "full", "mla"),
    [
        ("auto", 4_096, 1_152),
        ("bfloat16", 4_096, 1_152),
        ("fp8", 2_048, 576),
        ("fp8_e5m2", 2_048, 576),
        ("int8_per_token_head", 2_048 + 64, 576),
        ("nvfp4", 8 * 2 * (64 + 8), 288 + 36),
        ("fp8_ds_mla", 2_048, 656),
        ("nvfp4_ds_mla", 4_096, 352),
    ],
)
def test_types_of_the_cache(kv_dtype: str, full: int, mla: int) -> None:
    """Rule: fp8 halves a token's bytes; NVFP4 keeps two values a byte and a scale for 16; DeepSeek's forms are flat."""
    settings = make.settings(make.LLAMA_8B, kv_dtype=kv_dtype)
    assert token_bytes(settings, make.kind()) == full
    assert token_bytes(settings, make.kind("mla", 1, 576)) == mla
    assert token_bytes(make.settings(make.LLAMA_8B, dtype="float32"), make.kind()) == 8_192


def test_keys_and_values_of_two_sizes() -> None:
    """Rule: a head keeps its key and its value, whatever the size of each."""
    assert token_bytes(make.settings(make.LLAMA_8B), make.kind("full", 2, 192, head_dim_v=128)) == 2 * 320 * 2


@pytest.mark.parametrize(
    ("version", "card", "settings", "tokens"),
    [
        ("0.8.5", make.card(), {}, 16),
        ("0.9.2", make.card(), {}, 64),
        ("0.17.1", make.card(), {}, 64),
        ("0.33.0", make.card(), {}, 16),
        ("0.33.0", make.card(), {"kv_dtype": "fp8"}, 64),
        ("0.11.0", make.card(capability="10.0"), {}, 128),
        ("0.14.0", make.card(capability="10.0"), {}, 64),
        ("0.14.0", make.card(capability="10.3"), {"dcp": 2}, 128),
        ("0.33.0", make.card(capability="10.0"), {}, 32),
        ("0.33.0", make.card(capability="12.0"), {}, 16),
        ("0.33.0", make.card(capability="8.0"), {}, 16),
        ("0.33.0", make.card(maker="amd", capability=""), {}, 16),
        ("0.26.0", make.card(maker="intel", capability=""), {}, 64),
        ("0.33.0", make.card(), {"block_tokens": 256}, 256),
    ],
)
def test_tokens_of_a_block(version: str, card: dict[str, Any], settings: dict[str, Any], tokens: int) -> None:
    """Rule: vllm.md §2.2: 16, but what the card's backend needs for MLA, by version; what is asked holds."""
    assert block_tokens_of(make.settings(make.DEEPSEEK_V3, version=version, card=card, **settings)) == tokens


@pytest.mark.parametrize(
    ("version", "longest", "tokens"),
    [("0.9.2", 131_072, 256), ("0.9.2", 2_048, 128), ("0.9.2", 100, 16), ("0.11.0", 131_072, 16), ("0.8.5", 4_096, 16)],
)
def test_blocks_of_a_tpu(version: str, longest: int, tokens: int) -> None:
    """Rule: a TPU's block is a sixteenth of the longest length, from 16 to 256; later 16 for long ones."""
    card = make.card(maker="google", capability="")
    assert backend_tokens(make.settings(make.LLAMA_8B, version=version, card=card, longest=longest)) == tokens


def test_sparse_latent_attention() -> None:
    """Rule: vllm.md §2.2: DeepSeek-V3.2's kind of MLA takes blocks of 64, V4's of 256, on every card."""
    for beginning, tokens in (("DeepseekV32ForCausalLM", 64), ("DeepseekV4ForCausalLM", 256)):
        model = {**make.DEEPSEEK_V3, "architecture": beginning}
        assert backend_tokens(make.settings(model, card=make.card(capability="10.0"))) == tokens


@pytest.mark.parametrize(
    ("model", "layers", "block_bytes"),
    [
        (make.GEMMA_27B, [9, 9, 9, 9, 8, 8, 10], 1_310_720),
        (make.GPT_OSS_20B, [12, 12], 393_216),
        (make.MISTRAL_V01, [32], 2_097_152),
    ],
)
def test_groups(model: dict[str, Any], layers: list[int], block_bytes: int) -> None:
    """Rule: vllm.md §2.3: groups of equally many layers share one pool, a block as wide as the widest group."""
    layout = layout_of(make.settings(model), 0)
    assert ([group["layers"] for group in layout["groups"]], layout["block_bytes"]) == (layers, block_bytes)


@pytest.mark.parametrize(
    ("full", "sliding", "version", "groups"),
    [
        (10, 12, "0.11.0", [10, 6, 6]),
        (10, 12, "0.12.0", [10, 12]),
        (10, 14, "0.17.1", [10, 7, 7]),
        (10, 14, "0.18.0", [10, 14]),
        (10, 15, "0.33.0", [10, 8, 7]),
        (14, 10, "0.33.0", [14, 10]),
    ],
)
def test_the_width_of_groups(full: int, sliding: int, version: str, groups: list[int]) -> None:
    """Rule: the smallest kind's count, or the largest one if it is less than 1.5 times as many; 1.25 until 0.17."""
    kinds = [make.kind(), make.kind("sliding", window=512)]
    model = make.model(kinds, [0] * full + [1] * sliding)
    layout = layout_of(make.settings(model, version=version), 0)
    assert [group["layers"] for group in layout["groups"]] == groups
    assert layout["block_bytes"] == max(groups) * 16 * 4_096


@pytest.mark.parametrize(("version", "engine"), [("0.8.5", None), ("0.8.5", "V0"), ("0.6.6", None), ("0.9.0", None)])
def test_before_the_hybrid_manager(version: str, engine: str | None) -> None:
    """Rule: vllm.md §2.3: before 0.9.1 and in V0, sliding layers beside full ones are kept in full."""
    layout = layout_of(make.settings(make.GEMMA_27B, version=version, engine=engine), 0)
    assert [group["kind"] for group in layout["groups"]] == ["full"]
    assert layout["block_bytes"] == 62 * 16 * 8_192


def test_v0_counts_cross_attention_and_no_states() -> None:
    """Rule: V0 keeps cross-attention like any layer (all 40 of Llama-3.2-Vision), and states outside the pool."""
    vision = make.model([make.kind(), make.kind("cross")], [0, 0, 0, 1, 0] * 8, encoder_tokens=6_404)
    assert layout_of(make.settings(vision, version="0.6.6"), 0)["block_bytes"] == 40 * 16 * 4_096
    jamba = make.model([make.kind(), make.state([131_072, 2])], [1, 1, 1, 0, 1, 1, 1, 1] * 4)
    assert layout_of(make.settings(jamba, version="0.5.5", kv_dtype="fp8"), 0)["block_bytes"] == 4 * 16 * 2_048


def test_kinds_that_are_alike_on_a_card() -> None:
    """Rule: layers whose heads are as many on one card after sharing out are in one group."""
    model = make.model(
        [make.kind("full", 2), make.kind("full", 4), make.kind("sliding", 4, window=64)], [0, 1, 2, 2] * 4
    )
    assert len(layout_of(make.settings(model, tp=4), 0)["groups"]) == 2
    apart = layout_of(make.settings(model, tp=1), 0)["groups"]
    assert [(group["kind"], group["block_tokens"]) for group in apart] == [
        ("full", 32), ("full", 16), ("sliding", 16), ("sliding", 16)
    ]  # fmt: skip


def test_latent_attention_before_it_was_kept_as_such() -> None:
    """Rule: before 0.7.1 DeepSeek's attention is kept in full: 128 heads of 256 values, shared out."""
    layout = layout_of(make.settings(make.DEEPSEEK_V3, version="0.5.5", tp=8), 0)
    assert layout["block_bytes"] == 61 * 16 * 16 * 2 * 256 * 2


def test_a_smaller_page_holds_more_tokens() -> None:
    """Rule: pages are made equal: a layer with half the bytes a token has blocks of twice the tokens."""
    model = make.model(
        [make.kind("sliding", 16, 256, window=1_024), make.kind("full", 4, 512)], [0, 0, 0, 0, 0, 1] * 10
    )
    layout = layout_of(make.settings(model), 0)
    assert [(group["kind"], group["block_tokens"]) for group in layout["groups"]] == [("sliding", 16)] * 5 + [
        ("full", 32)
    ]
    assert {group["page_bytes"] for group in layout["groups"]} == {16 * 16_384}
    assert layout["block_tokens"] == 16


def test_a_page_that_does_not_divide_is_padded() -> None:
    """Rule: where a page does not go into the larger one, it is padded and keeps its tokens."""
    model = make.model([make.kind("sliding", 3, window=128), make.kind("full", 4)], [0, 1] * 6)
    layout = layout_of(make.settings(model), 0)
    assert [(group["block_tokens"], group["page_bytes"]) for group in layout["groups"]] == [(16, 32_768)] * 2


def test_latent_attention_beside_a_window() -> None:
    """Rule: vllm.md §2.3: beside MLA, which is never padded, a window whose page it does not divide is kept in full."""
    for heads, groups in ((3, ["full"]), (9, ["sliding", "mla"])):
        model = make.model([make.kind("sliding", heads, window=512), make.kind("mla", 1, 576)], [0, 1] * 4)
        layout = layout_of(make.settings(model, block_tokens=64), 0)
        assert [group["kind"] for group in layout["groups"]] == groups
    assert layout["groups"][1]["block_tokens"] == 64 * 4


def test_two_sizes_of_full_attention_are_one_group() -> None:
    """Rule: layers that all keep every token are one group, each with its own page."""
    model = make.model([make.kind("full", 8), make.kind("full", 2), make.kind("mla", 1, 576)], [0, 0, 1, 2])
    layout = layout_of(make.settings(model, block_tokens=32), 0)
    assert len(layout["groups"]) == 1
    assert layout["block_bytes"] == 32 * (2 * 4_096 + 1_024 + 1_152)


# Gated DeltaNet of Qwen3.5: a convolution of three tokens, and a state in float32.
def delta(values: int, keys: int, kv_heads: int, layers: int) -> dict[str, Any]:
    """A hybrid of Qwen3.5's kind: one of four layers attends."""
    conv = 3 * (2 * keys * 128 + values * 128)
    kinds = [make.state([conv, 0], [values * 128 * 128, 4]), make.kind("full", kv_heads, 256)]
    return make.model(kinds, [0, 0, 0, 1] * (layers // 4))


@pytest.mark.parametrize(
    ("model", "settings", "block", "page"),
    [
        (delta(48, 16, 4, 64), {}, 784, 784 * 4_096),
        (delta(48, 16, 4, 64), {"tp": 2, "kv_dtype": "fp8"}, 1_568, 1_568 * 1_024),
        (delta(32, 16, 2, 40), {"kv_dtype": "fp8"}, 2_096, 2_096 * 1_024),
        (delta(16, 16, 2, 24), {}, 544, 544 * 2_048),
        (delta(16, 16, 2, 24), {"block_tokens": 1_024}, 1_024, 1_024 * 2_048),
        (delta(16, 16, 2, 24), {"block_tokens": 32, "version": "0.17.1"}, 544, 544 * 2_048),
        (delta(16, 16, 2, 24), {"block_tokens": 128}, 640, 640 * 2_048),
    ],
)
def test_states_raise_the_block(model: dict[str, Any], settings: dict[str, Any], block: int, page: int) -> None:
    """Rule: vllm.md §2.2: the block is raised until an attention layer's page holds a state, which is padded to it.

    784, 544, 1,568 and 2,096 are the sizes that published starts of Qwen3-Next, 3.5 and 3.6 imply; 0.18 and newer raise
    by the block that was asked for.
    """
    layout = layout_of(make.settings(model, **settings), 0)
    assert (layout["block_tokens"], {group["page_bytes"] for group in layout["groups"]}) == (block, {page})
    assert layout["mamba"]
    assert [group["kind"] for group in layout["groups"]].count("mamba") == 3


def test_states_are_shared_out() -> None:
    """Rule: a state of so many values is divided by tensor parallel, and has its own size or the model's."""
    kind = make.state([1_000, 0], [300, 4])
    assert state_bytes(make.settings(make.LLAMA_8B), kind) == 2_000 + 1_200
    assert state_bytes(make.settings(make.LLAMA_8B, tp=8), kind) == 250 + 4 * 38
    assert state_bytes(make.settings(make.LLAMA_8B, dtype="float32"), kind) == 4_000 + 1_200


def test_a_model_of_states_alone() -> None:
    """Rule: without attention, a block is a state of every layer, and holds a chat of the longest length."""
    model = make.model([make.state([65_536, 2])], [0] * 64)
    layout = layout_of(make.settings(model, longest=4_096, prefix_caching=False), 0)
    assert layout["groups"] == [{"kind": "mamba", "layers": 64, "block_tokens": 0, "page_bytes": 131_072, "window": 0}]
    assert (layout["block_tokens"], layout["block_bytes"], layout["hybrid"]) == (4_096, 64 * 131_072, False)


def test_a_model_that_keeps_nothing() -> None:
    """Rule: where every layer shares another's cache there is no group, and a block takes nothing."""
    layout = layout_of(make.settings(make.model([make.kind("shared", 0, 0)], [0] * 4)), 0)
    assert (layout["groups"], layout["block_bytes"]) == ([], 0)


def test_layers_that_share_count_nothing() -> None:
    """Rule: vllm.md §2.1: a layer that shares another's cache takes nothing."""
    model = make.model([make.kind(), make.kind("shared", 0, 0)], [0] * 20 + [1] * 10)
    assert layout_of(make.settings(model), 0)["block_bytes"] == 20 * 65_536


@pytest.mark.parametrize(
    ("version", "prefixes", "name", "blocks"),
    [
        ("0.11.0", True, "Qwen3NextForCausalLM", 1),
        ("0.17.0", True, "Qwen3NextForCausalLM", 2),
        ("0.17.0", False, "Qwen3NextForCausalLM", 1),
        ("0.24.0", True, "NemotronHForCausalLM", 0),
        ("0.33.0", True, "NemotronHForCausalLM", 2),
    ],
)
def test_blocks_of_a_state(version: str, prefixes: bool, name: str, blocks: int) -> None:
    """Rule: vllm.md §2.3: one block a group of states, two where prefixes are kept; some kept one at every block."""
    model = {**delta(16, 16, 2, 24), "architecture": name}
    assert layout_of(make.settings(model, version=version, prefix_caching=prefixes), 0)["state_blocks"] == blocks


@pytest.mark.parametrize(("version", "blocks"), [("0.25.1", 1), ("0.26.0", 2)])
def test_prefixes_beside_states_by_default(version: str, blocks: int) -> None:
    """Rule: until 0.25 a model with states kept prefixes only where that was asked for."""
    model = {**delta(16, 16, 2, 24), "architecture": "Qwen3_5ForConditionalGeneration"}
    assert layout_of(make.settings(model, version=version, given=[]), 0)["state_blocks"] == blocks


@pytest.mark.parametrize(
    ("layers", "pp", "version", "stages"),
    [(40, 2, "0.33.0", [20, 20]), (62, 4, "0.33.0", [15, 16, 16, 15]), (61, 3, "0.6.6", [20, 20, 21])],
)
def test_stages(layers: int, pp: int, version: str, stages: list[int]) -> None:
    """Rule: a stage's block has its own layers; what is left over goes to the stages before the last (0.6: to it)."""
    settings = make.settings(make.dense(layers, 8), version=version, pp=pp)
    assert [layout_of(settings, stage)["block_bytes"] // 65_536 for stage in range(pp)] == stages


def test_groups_of_a_stage() -> None:
    """Rule: groups are made for the whole model, and a stage keeps its own layers of each."""
    settings = make.settings(make.GEMMA_27B, pp=2)
    layouts = [layout_of(settings, stage) for stage in (0, 1)]
    assert [group["layers"] for group in layouts[0]["groups"]] == [5, 5, 4, 4, 4, 4, 5]
    assert [a["layers"] + b["layers"] for a, b in zip(*(x["groups"] for x in layouts), strict=True)] == [
        9, 9, 9, 9, 8, 8, 10
    ]  # fmt: skip
    assert layouts[0]["block_bytes"] == 5 * 131_072


def test_a_stage_without_a_cache_is_refused() -> None:
    """Rule: a stage that keeps nothing, and more stages than layers, are refused by name."""
    model = make.model([make.kind(), make.kind("shared", 0, 0)], [0, 0, 1, 1])
    with pytest.raises(PlanError, match="pipeline_parallel_size"):
        layout_of(make.settings(model, pp=2), 1)
    with pytest.raises(PlanError, match="pipeline_parallel_size"):
        layout_of(make.settings(model, pp=5), 0)


def test_sizes_beyond_both_languages_are_refused() -> None:
    """Rule: no product passes 2^53: the plan names what makes it so large."""
    for model in (make.dense(2, 2**40, 2**20), make.dense(2**10, 2**20, 2**20)):
        with pytest.raises(PlanError, match="2\\^53"):
            layout_of(make.settings(model), 0)


KINDS = st.sampled_from(
    [
        make.kind(), make.kind("full", 2, 64), make.kind("mla", 1, 576), make.kind("sliding", 8, window=512),
        make.kind("sliding", 4, 256, window=4_096), make.kind("chunked", 8, window=8_192), make.kind("cross"),
        make.kind("shared", 0, 0), make.state([10_000, 0], [90_000, 4]), make.state([5_000, 2]),
    ]
)  # fmt: skip


@given(
    kinds=st.lists(KINDS, min_size=1, max_size=4),
    picks=st.lists(st.integers(0, 3), min_size=1, max_size=60),
    version=st.sampled_from(["0.6.6", "0.8.5", "0.9.2", "0.11.0", "0.15.1", "0.20.0", "0.24.0", "0.33.0"]),
    tp=st.sampled_from([1, 2, 8]),
)
def test_groups_cover_all_layers(kinds: list[dict[str, Any]], picks: list[int], version: str, tp: int) -> None:
    """Rule: any order of layers: every layer that keeps something is in one group, and a block holds every page."""
    model = make.model(kinds, [pick % len(kinds) for pick in picks], encoder_tokens=1_500)
    settings = make.settings(model, version=version, tp=tp)
    layout = layout_of(settings, 0)
    plain = not settings["rules"]["hybrid"]
    keeps = [
        kinds[i]["kind"] not in ("shared", "mamba") or (kinds[i]["kind"] == "mamba" and not plain)
        for i in model["order"]
    ]
    assert sum(group["layers"] for group in layout["groups"]) == sum(keeps)
    widest = max((group["layers"] for group in layout["groups"]), default=0)
    for group in layout["groups"]:
        if layout["hybrid"]:
            assert layout["block_bytes"] == widest * group["page_bytes"]
            assert group["page_bytes"] == layout["groups"][0]["page_bytes"]
        assert group["kind"] == "mamba" or group["block_tokens"] % block_tokens_of(settings) == 0
        assert group["block_tokens"] == 0 or group["block_tokens"] >= layout["block_tokens"]


@given(st.integers(0, 2**53 - 1), st.integers(1, 2**53 - 1))
def test_rounded_up(amount: int, size: int) -> None:
    """Rule: so many pieces hold the amount, and one fewer do not."""
    pieces = rounded_up(amount, size)
    assert (pieces - 1) * size < amount <= pieces * size
