"""What vLLM prints, against its releases and against real start-ups."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from poolroom.vllm.budget import budget
from poolroom.vllm.lines import refusal_lines, said, start_lines
from poolroom.vllm.plan import plan
from poolroom.vllm.plan_facts import LINES, VERSIONS
from poolroom.vllm.plan_words import as_text
from poolroom.vllm.refuse import PlanError
from poolroom.vllm.settings import resolve
from poolroom.vllm.versions import read_version

ROOT = Path(__file__).resolve().parents[2]
LOGS = ROOT.parent / "shared" / "facts" / "start-logs.jsonl"
TRUTH = ROOT / "site" / "truth" / "truth.json"
LLAMA = "meta-llama/Llama-3.1-8B-Instruct"
GIB = 2**30
Tell = Callable[[str], None]
MISSED = {
    "lld-mistral-small3.2-24b-h100": "told by its author with one digit, where 0.11.0 prints two",
    "v12126-llama3.2-11b-vision-h100": "blocks of the processor's memory for layers that attend to an image",
    "club104-qwen3.6-27b-3090x2": "comes out where states keep prefixes, which its nightly build may do",
    "f44847761102-llama8b-bnb-t4-lora": "1,024 blocks of the processor's memory: its program sets 2 GiB of swap, not 4",
}
"""Reports of which a line does not come out, and why."""


def settings(version: str, **asked: Any) -> Any:
    """Settings of Llama 3.1 8B on an H100."""
    return resolve({"card": "h100-sxm-80gb", "model": LLAMA, "version": version, **asked})


def lines_of(version: str, longest: int | None = None, **asked: Any) -> list[str]:
    """Lines of a start with Llama 3.1 8B and 51.38 GiB for the cache, as in a real log."""
    found = settings(version, **{"measured_kv_gib": 51.38, **asked})
    return start_lines(found, budget(found), longest)


def test_the_real_h100_start_in_every_wording() -> None:
    """Rule: vllm.md 1.3: 26,306 blocks; 420,896 tokens; 51.38x at 8,192; 3.21x at 131,072, in each version's words."""
    two = ["GPU KV cache size: 420,896 tokens", "Maximum concurrency for 8,192 tokens per request: 51.38x"]
    for version in ("0.8.5", "0.9.2", "0.14.0", "0.27.0"):
        lines = lines_of(version, max_model_len=8192)
        assert [line for line in lines if line in two] == two
    assert ", ".join(two) in lines_of("0.28.0", max_model_len=8192)
    assert "Maximum concurrency for 131,072 tokens per request: 3.21x" in lines_of("0.27.0")
    blocks = "# GPU blocks: 26306, # CPU blocks: 2048"
    assert blocks in lines_of("0.6.6", max_model_len=8192) and blocks in lines_of("0.5.5", max_model_len=8192)
    assert blocks.replace("GPU", "CUDA", 1) in lines_of("0.7.2", max_model_len=8192)
    assert blocks.replace("GPU", "cuda", 1) in lines_of("0.8.5", max_model_len=8192, engine="V0")
    assert "Maximum concurrency for 8192 tokens per request: 51.38x" in lines_of("0.6.6", max_model_len=8192)


@pytest.mark.parametrize(
    ("version", "line"),
    [
        ("0.4.3", "Loading model weights took 14.9888 GB"),
        ("0.7.3", "Loading model weights took 14.9888 GB"),
        ("0.8.2", "Model loading took 14.9888 GB and … seconds"),
        ("0.11.0", "Model loading took 14.9888 GiB and … seconds"),
        ("0.13.0", "Model loading took 14.9888 GiB memory and … seconds"),
        ("0.14.0", "Model loading took 14.99 GiB memory and … seconds"),
        ("0.24.0", "Model loading took 14.99 GiB and … seconds"),  # model runner V2 left the word out
        ("0.33.0", "Model loading took 14.99 GiB memory and … seconds"),
        ("0.13.0", "Available KV cache memory: 51.40 GiB"),
        ("0.14.0", "Available KV cache memory: 51.4 GiB"),
    ],
)
def test_wording_and_rounding_change_where_they_were_read_to(version: str, line: str) -> None:
    """Rule: each line has the words and the rounding of its version."""
    assert line in lines_of(version, measured_weights_gib=14.9888, measured_kv_gib=51.4)


def test_summary_and_advice() -> None:
    """Rule: the summary's parts and advice come from the same sums as the pool, less 150 MiB."""
    asked = {"total_gib": 79.25, "in_use_gib": 0.41, "measured_weights_gib": 15, "measured_activation_gib": 1.21}
    asked |= {"measured_non_torch_gib": 0.26, "measured_graphs_gib": 0.23, "gpu_memory_utilization": 0.92}
    found = settings("0.27.0", **asked)
    whole = budget(found)
    summary = next(line for line in start_lines(found, whole) if line.startswith("Free memory on device"))
    assert "(78.84/79.25 GiB) on startup. Desired GPU memory utilization is (0.92, 72.91 GiB)." in summary
    within = int(re.findall(r"--kv-cache-memory=([0-9]+)`", summary)[0])
    counted = sum(part["bytes"] for part in whole["stages"][0]["parts"])
    assert (
        abs(whole["requested_bytes"] - counted - found["measured"]["graphs_bytes"] - 150 * 2**20 - within) <= 0.24 * GIB
    )
    quiet = [lines_of(version) for version in ("0.11.0", "0.24.0")]
    assert not [line for lines in quiet for line in lines if line.startswith("Free memory")]  # at debug level there


def test_auto_fit() -> None:
    """Rule: vLLM says what it lowered, and prints capacity for the lowered length."""
    cut = lines_of("0.33.0", 65536, max_model_len="auto", measured_kv_gib=8)
    told = "Auto-fit max_model_len: reduced from 131072 to 65536 to fit in available KV cache memory (8.0 GiB)"
    assert (
        told in cut
        and "GPU KV cache size: 65,536 tokens, Maximum concurrency for 65,536 tokens per request: 1.00x" in cut
    )
    whole = "Auto-fit max_model_len: full model context length 131072 fits in available GPU memory"
    assert whole in lines_of("0.31.0", max_model_len="auto")


def refused(version: str, key: str, **terms: Any) -> list[str]:
    """Lines of a refusal."""
    return refusal_lines(settings(version, **terms.pop("asked", {})), key, terms)


def test_one_chat_does_not_fit_in_every_wording() -> None:
    """Rule: refusal 4: V0's tokens, GB in 0.7 and 0.8, the slip of 0.8.5, GiB with the estimate, the new rounding."""
    terms = {
        "longest": 131072,
        "needed_bytes": 16 * GIB,
        "available_bytes": int(12.54 * GIB),
        "estimated_longest": 102720,
    }
    terms |= {"blocks": 1478, "block_tokens": 16}
    tail = "Try increasing `gpu_memory_utilization` or decreasing `max_model_len` when initializing the engine."
    head = "To serve at least one request with the models's max seq len (131072), "
    asks = "KV cache is needed, which is larger than the available KV cache memory"
    v0 = "The model's max seq len (131072) is larger than the maximum number of tokens that can be stored in KV cache "
    v0 += "(23648). "
    hint = "Based on the available memory, the estimated maximum model length is 102720. "
    assert refused("0.6.6", "one_chat", **terms) == [v0 + tail]
    assert refused("0.8.1", "one_chat", **terms) == [f"{head}(16.00 GB {asks} (12.54 GB). {tail}"]
    slip = f"{head}(16.00 GiB {asks} (12.54 GiB). Based on the available memory,  {tail}"
    assert refused("0.8.5", "one_chat", **terms) == [slip]
    assert refused("0.11.0", "one_chat", **terms) == [f"{head}(16.00 GiB {asks} (12.54 GiB). {hint}{tail}"]
    new = refused("0.33.0", "one_chat", **terms)[0]
    assert new.startswith(f"{head.replace('models', 'model')}(16.0 GiB {asks} (12.54 GiB). {hint}Try increasing")
    terms["estimated_longest"] = 0
    assert "Based on" not in refused("0.33.0", "one_chat", **terms)[0]
    assert refused("0.8.5", "one_chat", **terms) == [f"{head}(16.00 GiB {asks} (12.54 GiB).  {tail}"]


def test_v0_shares_its_pool_among_stages() -> None:
    """Rule: V0 from 0.8 on divides the blocks by the stages before it tests the longest chat."""
    terms = {
        "blocks": 1000,
        "block_tokens": 16,
        "longest": 9000,
        "asked": {"pipeline_parallel_size": 2, "engine": "V0"},
    }
    assert "(8000)" in refused("0.8.5", "one_chat", **terms)[0]
    assert "(16000)" in refused("0.7.3", "one_chat", **terms)[0]


def test_free_memory() -> None:
    """Rule: refusal 1 in the words of kvcached#110: no device up to 0.13, cuda:0 later, none before 0.9.1."""
    terms = {"free_bytes": int(67.24 * GIB), "total_bytes": int(79.25 * GIB), "requested_bytes": int(71.33 * GIB)}
    rest = "(67.24/79.25 GiB) on startup is less than desired GPU memory utilization (0.9, 71.33 GiB). "
    rest += "Decrease GPU memory utilization or reduce GPU memory used by other processes."
    for version, told in [
        ("0.8.5", []),
        ("0.11.0", [f"Free memory on device {rest}"]),
        ("0.33.0", [f"Free memory on device cuda:0 {rest}"]),
    ]:
        assert refused(version, "free_memory", **terms, share=0.9) == told


def test_out_of_memory_by_runner() -> None:
    """Rule: refusal 8: model runner V1 names the seats, V2 and what happens while loading are PyTorch's own words."""
    assert "warming up sampler with 1024 dummy requests" in refused("0.19.1", "out_of_memory")[0]
    for version, loading in [("0.33.0", False), ("0.19.1", True)]:
        told = refused(version, "out_of_memory", loading=loading)[0]
        assert told.startswith("CUDA out of memory. Tried to allocate … GiB. GPU 0 has a total capacity of 79.18 GiB")


def test_mamba_seats() -> None:
    """Rule: refusal 9: 1,024 seats, 969 blocks (vllm#49064)."""
    told = refused("0.24.0", "mamba_seats", seats=1024, blocks=969)[0]
    assert told.startswith("max_num_seqs (1024) exceeds available Mamba cache blocks (969).")


def test_every_refusal_says_something_in_the_newest_version() -> None:
    """Rule: each number has a refusal, 10 has four, with a source and a text without holes but what none can know."""
    assert sorted(rule["number"] for rule in LINES["refusals"].values()) == [*range(1, 10), *[10] * 4, *range(11, 18)]
    for key in LINES["refusals"]:
        assert len(refused("0.33.0", key)) == 1
        assert "{" not in refused("0.33.0", key)[0]
    with pytest.raises(PlanError):
        refused("0.33.0", "no_such")


def test_facts_rise_and_have_sources() -> None:
    """Rule: lists of templates begin with the oldest release, rise, and say where they were read."""
    for name, line in [*LINES["start"].items(), *LINES["refusals"].items()]:
        assert line["source"] and line["kind"] == "read", name
        for engine in [each for each in ("V0", "V1", "V2") if each in line]:
            orders = [read_version(version)["order"] for version, _ in line[engine]]
            assert line[engine][0][0] == VERSIONS["oldest"] and orders == sorted(orders), name


def test_brackets_and_unknowns() -> None:
    """Rule: brackets stand only where a length fits; what is not known is “…”."""
    assert said("a[ b {estimated_longest}] {x} {y|gib}", {"estimated_longest": 16, "x": "c"}) == "a b 16 c …"
    assert said("a[ b]{n}", {"n": 5.0}) == "a5"


def in_vllms_words(line: str) -> str:
    """A line of a report with what no plan can know taken out."""
    line = re.sub(r"^ValueError: ", "", line)
    line = re.sub(r"(initial_memory_usage|memory_usage_post_profile)=[0-9.]+GiB", r"\1=…GiB", line)
    line = re.sub(r"and [0-9.]+ sec(onds)?$", "and … seconds", line)
    return re.sub(r"finished in [0-9]+ secs", "finished in … secs", line)


def patterns() -> list[re.Pattern[str]]:
    """Every template as a pattern."""
    found = []
    for line in [*LINES["start"].values(), *LINES["refusals"].values()]:
        for engine in [each for each in ("V0", "V1", "V2") if each in line]:
            for template in {text for _, text in line[engine] if text}:
                plain = re.escape(re.sub(r"\{[^}]*\}", "\0", re.sub(r"\[.*?\]", "\1", template)))
                found.append(
                    re.compile(plain.replace("\0", "[-A-Za-z0-9.,]+").replace("\\\x01", "\1").replace("\1", ".*"))
                )
    return found


def candidates(case: dict[str, Any], report: dict[str, Any]) -> Iterator[set[str]]:
    """What a plan prints with the report's own figures, wherever their last digit may have been rounded from."""
    printed, asked = case["printed"], dict(case["asked"])
    for part in ("weights", "activation", "non_torch", "graphs"):
        value = loaded(report) if part == "weights" else None
        value = printed.get(f"{part}_gib") if value is None else value
        if value is not None and (value >= 0 or part in ("non_torch", "graphs")):
            asked[f"measured_{part}_gib"] = value
    if printed.get("blocks"):
        asked["num_gpu_blocks_override"] = printed["blocks"]
    for step in range(-20, 21):
        if printed.get("kv_gib") is not None:
            asked["measured_kv_gib"] = printed["kv_gib"] + step * 0.000_249
        if case["asked"].get("total_gib"):
            asked["total_gib"] = case["asked"]["total_gib"] + step * 0.000_249
        found = resolve(asked)
        yield {*start_lines(found, budget(found)), *refusals(found, case.get("error") or {})}


def loaded(report: dict[str, Any]) -> float | None:
    """Weights with all the digits that the report has."""
    for line in report["log_lines"]:
        if match := re.search(r"(?:weights|loading) took ([0-9.]+) G", line):
            return float(match[1])
    return None


def refusals(found: Any, error: dict[str, Any]) -> list[str]:
    """Refusals with the report's own figures."""
    terms: dict[str, Any] = {
        "longest": error.get("max_seq_len"),
        "estimated_longest": error.get("estimated_max_len") or 0,
    }
    for name in ("needed", "available"):
        if error.get(f"{name}_gib") is not None:
            terms[f"{name}_bytes"] = round(error[f"{name}_gib"] * GIB)
    if error.get("kv_tokens"):
        terms |= {"blocks": error["kv_tokens"] // 16, "block_tokens": 16}
    return [*refusal_lines(found, "one_chat", terms), *refusal_lines(found, "no_blocks", {})]


def test_lines_of_real_start_ups(tell: Tell) -> None:
    """Rule: with a report's own figures its lines come out letter by letter; what does not is named here."""
    if not LOGS.exists():
        tell(f"lines: {LOGS} is absent, nothing compared")
        return
    reports = {report["id"]: report for report in map(json.loads, LOGS.read_text("utf-8").splitlines())}
    known = patterns()
    cases = whole = met = 0
    missed = []
    for case in json.loads(TRUTH.read_text("utf-8"))["cases"]:
        report = reports.get(case["id"])
        if report is None:
            continue
        lines = [line for line in map(in_vllms_words, report["log_lines"]) if any(each.match(line) for each in known)]
        if not {"kv_gib", "blocks"} & case["printed"].keys():
            lines = [line for line in lines if not line.startswith(("GPU KV cache size", "Maximum concurrency"))]
        try:
            printed = set().union(*candidates(case, report))
        except PlanError:
            continue
        cases += bool(lines)
        whole += len(lines)
        hits = [line for line in lines if any(each.startswith(line) for each in printed)]
        met += len(hits)
        missed += [(case["id"], line) for line in lines if line not in hits]
    tell(f"lines: {met} of {whole} lines of {cases} real start-ups letter by letter, each miss with its reason")
    assert cases >= 45 and whole >= 120
    assert [line for line in missed if line[0] not in MISSED] == []


@pytest.mark.parametrize(("card", "maker"), [("mi300x", "HIP"), ("h100-sxm-80gb", "CUDA"), ("arc-pro-b60", "XPU")])
def test_memory_ends_in_the_makers_words(card: str, maker: str) -> None:
    """Rule: PyTorch speaks of CUDA, HIP or XPU by the card; what a TPU or a Gaudi says was not read."""
    found = resolve({"card": card, "model": "meta-llama/Llama-3.1-8B-Instruct", "version": "0.33.0"})
    assert refusal_lines(found, "out_of_memory", {"loading": True})[0].startswith(f"{maker} out of memory. Tried")


@pytest.mark.parametrize("card", ["tpu-v5e", "gaudi2"])
def test_of_other_builds_the_engines_lines_alone_are_said(card: str) -> None:
    """Rule: of a TPU and a Gaudi the lines of vLLM's engine are said (#16521), none of its workers."""
    for version in ("0.9.2", "0.19.1", "0.33.0"):
        asked = {"card": card, "model": "facebook/opt-125m", "version": version, "max_model_len": 512}
        found = resolve(asked)
        lines = start_lines(found, budget(found))
        assert lines and all(re.match("GPU KV cache size|Maximum concurrency", line) for line in lines)
        for key in ("free_memory", "profiling", "out_of_memory"):
            assert refusal_lines(found, key, {}) == []
        assert len(refusal_lines(found, "no_blocks", {})) == 1


def test_an_arc_captures_no_cuda_graphs() -> None:
    """Rule: an Arc Pro B70 prints 0.0 GiB of graphs (0.26.0): no other line speaks of them."""
    found = resolve({"card": "arc-pro-b70", "model": "facebook/opt-125m", "version": "0.26.0", "max_model_len": 512})
    lines = start_lines(found, budget(found))
    assert not any("CUDA graph" in line or "Graph capturing" in line for line in lines)
    assert any("and 0.0 GiB for CUDAGraph memory" in line for line in lines)


@pytest.mark.parametrize(("card", "kinds"), [
    ("tpu-v5e", {"guessed"}), ("gaudi3", {"guessed"}), ("arc-pro-b60", {"guessed"}), ("mi300x", {"fitted", "rule"}),
])  # fmt: skip
def test_what_was_read_of_cuda_is_a_guess_elsewhere(card: str, kinds: set[str]) -> None:
    """Rule: on cards of other makers all but the weights is a guess, and the plan says whose rules these are."""
    found = plan({"card": card, "model": "facebook/opt-125m", "version": "0.33.0", "max_model_len": 512})
    parts = found["budget"]["stages"][0]["parts"]
    assert {part["kind"] for part in parts if part["name"] != "weights"} == kinds
    assert ("the rules read are those of CUDA builds" in as_text(found)) == (kinds == {"guessed"})
    measured = budget(resolve({"card": card, "model": "facebook/opt-125m", "measured_activation_gib": 1}))
    assert measured["stages"][0]["parts"][1]["kind"] == "measured"
