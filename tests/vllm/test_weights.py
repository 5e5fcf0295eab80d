"""The weights on one GPU against "Model loading took" in published logs, and how they are divided."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from poolroom.vllm.config import Model, read_model
from poolroom.vllm.models import model_facts
from poolroom.vllm.refuse import PlanError
from poolroom.vllm.stages import stage_orders, stages_of
from poolroom.vllm.weights import weights_of
from tests.vllm.configs import COUNTED, OTHERS, dense, llama

Tell = Callable[[str], None]
LOGS = Path(__file__).resolve().parents[3] / "shared" / "facts" / "start-logs.jsonl"
GIB = 2**30
SAME_SHAPE = {
    "llama-3-8b": "meta-llama/Llama-3.1-8B-Instruct",
    "qwen2.5-32b": "Qwen/Qwen2.5-32B-Instruct",
    "qwen3-0.6b": "Qwen/Qwen3-0.6B",
    "qwen3-30b-a3b": "Qwen/Qwen3-30B-A3B",
    "llama-3.2-11b-vision": "meta-llama/Llama-3.2-11B-Vision-Instruct",
}
"""Models by the log's key of their shape, for logs that name none."""
ASKED = {"awq_marlin": "awq", "w8a8 int8": "compressed-tensors", "autoround int4": "auto-round"}
REASONS = {
    "v17875-llama4-maverick-mi300a": "parallelism is not stated",
    "v14601-deepseek-r1-l20-tp8pp3": "the printed stage has 21 of 61 layers, by hand or by an older rule",
    "f44847761102-llama8b-bnb-t4-lora": "0.7.2 kept the constants of bitsandbytes quantised twice",
    "f5773335890-phi4-4bit-80g": "the way of storing is not stated",
    "aeon9-qwen3.6-27b-gb10": "which modules ModelOpt left at 16 bits is not stated",
    "v25350-kvfp8-221k": "the way of storing is not stated",
}
"""Logs that are not compared, and why."""


def logs() -> list[dict[str, Any]]:
    """Every report with printed weights."""
    if not LOGS.exists():
        return []
    rows = [json.loads(line) for line in LOGS.read_text(encoding="utf-8").splitlines()]
    return [row for row in rows if row["weights_gib"]]


def model_of(row: dict[str, Any]) -> Model | None:
    """The model of a report, where its config is known."""
    for name in ((row["model"] or "").split(" ")[0], SAME_SHAPE.get(row["config"] or "", "")):
        try:
            return read_model(model_facts(name)["config"], None, row["model"] or "")
        except PlanError:
            continue
    return None


def test_printed_weights(tell: Tell) -> None:
    """Rule: within 2 % of what was printed for 16 bits, within 4 % for fewer, in every log whose model is known."""
    rows = logs()
    if not rows:
        tell("weights: no logs here; they lie beside the repository")
        return
    misses: dict[bool, list[float]] = {False: [], True: []}
    unknown, reasons = 0, []
    for row in rows:
        model = model_of(row)
        if model is None or row["id"] in REASONS:
            unknown, reasons = unknown + (model is None), reasons + ([row["id"]] if model else [])
            continue
        method = row["quantization"] or ""
        old = (row["vllm_version"] or "").startswith(("0.4", "0.5", "0.6"))
        parts = weights_of(model, "auto", ASKED.get(method, method), row["tp"] or 1, row["pp"] or 1, old)
        miss = min((abs(part["bytes"] / GIB / row["weights_gib"] - 1) for part in parts), default=1)
        misses[bool(method)].append(miss)
        said = f"{row['weights_gib']:9.4f} GiB printed, {parts[0]['bytes'] / GIB:9.4f}"
        tell(f"  {row['id']:<42} {said} {100 * miss:5.2f} %")
        assert miss < (0.04 if method else 0.02), (row["id"], [part["bytes"] / GIB for part in parts])
        closest = min(parts, key=lambda part: abs(part["bytes"] / GIB - row["weights_gib"]))
        rounded = 0.006 * GIB
        assert closest["low"] - rounded <= row["weights_gib"] * GIB <= closest["high"] + rounded, row["id"]
    for bits, name in ((False, "16 bits"), (True, "fewer bits")):
        ordered = sorted(misses[bits])
        tell(f"weights: {len(ordered)} logs, {name}: median miss {100 * ordered[len(ordered) // 2]:.3f} %, "
             f"largest {100 * ordered[-1]:.2f} %")  # fmt: skip
    tell(f"weights: {unknown} logs without a known config; not compared: {', '.join(reasons)}")
    assert len(misses[False]) >= 24 and len(misses[True]) >= 12


def test_llama_to_the_byte() -> None:
    """Rule: 14.9888 GiB and 14.9595 GiB were printed: parameters, and a table of places of 131,072 or 8,192 rows."""
    assert weights_of(read_model(llama()))[0]["bytes"] == 2 * 8_030_261_248 + 131_072 * 128 * 2
    older = llama(max_position_embeddings=8192, rope_scaling=None)
    assert f"{weights_of(read_model(older))[0]['bytes'] / GIB:.4f}" == "14.9595"


def test_qwen_with_the_allocators_rest() -> None:
    """Rule: 14.2488 and 7.1217 GiB were printed for Qwen2-7B: PyTorch's rest of up to 1 MiB a tensor explains them."""
    model = read_model(COUNTED["Qwen/Qwen2.5-7B"][0])
    assert abs(weights_of(model)[0]["bytes"] / GIB - 14.2488) < 0.0002
    assert abs(weights_of(model, "auto", "", 2)[0]["bytes"] / GIB - 7.1217) < 0.0002


def test_dtypes() -> None:
    """Rule: float32 takes twice as much; "auto" loads 16 bits, also where the config says float32."""
    model = read_model(dense("llama", "1024 4096 4 8 2 32000", torch_dtype="float32"))
    half, whole = weights_of(model)[0]["bytes"], weights_of(model, "float32")[0]["bytes"]
    assert weights_of(model, "half")[0]["bytes"] == weights_of(model, "float16")[0]["bytes"] == half
    assert abs(whole / half - 2) < 0.01


def test_kv_heads_are_copied() -> None:
    """Rule: when there are more GPUs than KV heads, each keeps a whole head, and keys and values shrink no more."""
    config = dense("llama", "4096 14336 1 32 4 1024", max_position_embeddings=1)
    sizes = [weights_of(read_model(config), "auto", "", tp)[0]["bytes"] for tp in (4, 8)]
    # From 4 to 8 GPUs all is halved but the head of keys and the head of values, and what is whole.
    kv, whole = 2 * 128 * 4096 * 2, 2 * (3 * 4096 + 128 // 2)
    assert abs(sizes[1] - ((sizes[0] - kv - whole) / 2 + kv + whole)) < 4 * 2**20


@pytest.mark.parametrize("name", [*COUNTED, *OTHERS])
def test_shares_add_up(name: str) -> None:
    """Rule: more GPUs hold less each and no less together; stages together hold all, and what both ends need twice."""
    model = read_model(COUNTED[name][0] if name in COUNTED else OTHERS[name])
    alone = weights_of(model)[0]["bytes"]
    before = alone
    for tp in (2, 4, 8):
        size = weights_of(model, "auto", "", tp)[0]["bytes"]
        assert size <= before and size * tp >= alone * 0.98, tp
        before = size
    for pp in (2, 3):
        parts = [part["bytes"] for part in weights_of(model, "auto", "", 1, pp)]
        assert len(parts) == pp and sum(parts) >= alone * 0.98
        words = model["vocab_size"] * model["hidden_size"] * 2
        assert sum(parts) <= alone * 1.001 + pp * (words + model["weights"]["rope"] * 2) + (64 << 20)


def test_layers_over_stages() -> None:
    """Rule: vLLM gives a remainder to the stages before the last, from the back; V0 gave it to the last."""
    assert stages_of(61, 3) == [20, 21, 20]
    assert stages_of(62, 4) == [15, 16, 16, 15]
    assert stages_of(63, 4) == [16, 16, 16, 15]
    assert stages_of(32, 4) == [8, 8, 8, 8]
    assert stages_of(61, 3, True) == [20, 20, 21]
    assert stages_of(5, 1) == [5] and stages_of(5, 5) == [1] * 5
    for layers in range(1, 70):
        for pp in range(1, layers + 1):
            assert sum(stages_of(layers, pp)) == sum(stages_of(layers, pp, True)) == layers


def test_caches_over_stages() -> None:
    """Rule: each stage keeps the caches of its own layers."""
    pattern = read_model(OTHERS["nemotron_h"])  # M-M-M*-M: caches in layers 0, 2, 4, 5, 7
    assert stage_orders(pattern, 2) == [[0, 0], [0, 1, 0]]
    both = read_model(OTHERS["falcon_h1"])
    assert [len(order) // 2 for order in stage_orders(both, 3)] == stages_of(44, 3)


def test_a_tied_head_is_on_the_last_stage_too() -> None:
    """Rule: where the head is the embedding, the last stage holds a copy."""
    sizes = "1024 4096 4 8 2 32000"
    tied, apart = (read_model(dense("llama", sizes, tie_word_embeddings=each)) for each in (True, False))
    assert [part["bytes"] for part in weights_of(tied, pp=2)] == [part["bytes"] for part in weights_of(apart, pp=2)]
    assert weights_of(apart)[0]["bytes"] - weights_of(tied)[0]["bytes"] >= 32000 * 1024 * 2


def test_the_index_wins() -> None:
    """Rule: bytes that the index has and the count has not are added, and a guess becomes a rule."""
    config = OTHERS["unknown"]
    counted = weights_of(read_model(config))[0]
    assert counted["kind"] == "guessed" and counted["low"] < 0.92 * counted["bytes"]
    plain = read_model(config)["parameters"]
    told = weights_of(read_model(config, {"metadata": {"total_size": 2 * plain + 100_000_000}}))[0]
    assert told["bytes"] - counted["bytes"] == 100_000_000
    assert (told["kind"], told["source"]) == ("rule", "weights_index") and told["low"] > 0.97 * told["bytes"]


def test_the_index_of_deepseek() -> None:
    """Rule: DeepSeek-V3's files have 688,586,727,753 bytes with the layer for speculation, which is not loaded."""
    config = COUNTED["deepseek-ai/DeepSeek-V3"][0]
    with_index = read_model(config, {"metadata": {"total_size": 688_586_727_753}})
    counted, told = (weights_of(each, "auto", "", 16)[0]["bytes"] for each in (read_model(config), with_index))
    assert abs(told / counted - 1) < 0.002


@pytest.mark.parametrize(
    ("asked", "setting"),
    [
        (("int8",), "dtype"),
        (("auto", "rot13"), "quantization"),
        (("auto", "", 0), "tensor_parallel_size"),
        (("auto", "", 1, 33), "pipeline_parallel_size"),
    ],
)
def test_refusals(asked: tuple[Any, ...], setting: str) -> None:
    """Rule: names that are not known, and more stages than layers, are refused."""
    with pytest.raises(PlanError) as caught:
        weights_of(read_model(llama()), *asked)
    assert caught.value.setting == setting
