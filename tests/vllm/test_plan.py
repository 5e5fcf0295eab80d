"""The whole plan: a stable record, words for every name, bad input refused by name, fast enough for a slider."""

import json
import random
import re
import time
from typing import Any, get_type_hints

import pytest

import poolroom.vllm
from poolroom.checks import SimError
from poolroom.vllm.choices import BY_REFUSAL, LEVERS, ORDER
from poolroom.vllm.demand import MOST_KINDS, demand_of, read_chats
from poolroom.vllm.fix_words import filled, fix_line, way_line
from poolroom.vllm.fixes import Fix, Fixes
from poolroom.vllm.plan import About, Plan, plan
from poolroom.vllm.plan_facts import VERSIONS, WORDS
from poolroom.vllm.plan_words import answer, as_json, as_text, limit_lines, say, upgrade_text, why_lines
from poolroom.vllm.reach import Reach, reach_of
from poolroom.vllm.refusals import KEYS
from poolroom.vllm.refuse import PlanError
from poolroom.vllm.trial import Trial, trial, tried
from poolroom.vllm.upgrade import BY_RULES, CHOSEN, PARTS, compare
from poolroom.vllm.verdict import Verdict
from tests.vllm.plans import asked_by

LLAMA = {"card": "h100-80gb", "model": "meta-llama/Llama-3.1-8B-Instruct", "version": "0.33.0"}
RECORDS: list[tuple[str, Any]] = [
    ("", Plan), ("about", About), ("verdict", Verdict), ("fixes", Fixes), ("reach", Reach),
]  # fmt: skip


def test_the_record_is_the_documented_one() -> None:
    """Rule: a plan as JSON has exactly the fields of its records, and survives JSON."""
    for asked in (LLAMA, {**LLAMA, "card": "rtx-3090"}, {**LLAMA, "require_chats": "8x32000"}):
        found: Any = as_json(plan(asked))
        assert json.loads(json.dumps(found)) == json.loads(json.dumps(answer(asked)))
        for name, record in RECORDS:
            part = found[name] if name else {key: value for key, value in found.items() if key != "said"}
            assert part is None or set(part) == set(get_type_hints(record)), name
        for fix in found["fixes"]["fixes"] if found["fixes"] else []:
            assert set(fix) == set(get_type_hints(Fix))


def test_what_the_package_gives() -> None:
    """Rule: the package's names are there."""
    assert poolroom.vllm.plan(LLAMA)["verdict"]["outcome"] == "starts"
    for name in poolroom.vllm.__all__:
        assert getattr(poolroom.vllm, name)


def test_every_name_has_its_words() -> None:
    """Rule: refusals, levers, costs, dangers, parts, rules: each has a sentence, in a text that fills every brace."""
    keys = {key for key, _ in KEYS}
    assert (
        keys <= set(WORDS["refusal"])
        and keys <= set(WORDS["stops"])
        and keys | {"", "loading", "allocating"} == set(BY_REFUSAL)
    )
    assert set(LEVERS) == set(ORDER) <= set(WORDS["lever"])
    assert set(CHOSEN) == set(BY_RULES) == set(WORDS["chosen"])
    assert {rule for rules in (*PARTS.values(), *BY_RULES.values()) for rule in rules} <= set(WORDS["rule"])
    seen = set()
    for seed in range(400):
        try:
            found = plan(asked_by(seed))
        except PlanError:
            continue
        text = as_text(found)
        assert {part["source"] for stage in found["budget"]["stages"] for part in stage["parts"]} <= set(
            WORDS["source"]
        )
        assert set(found["guesses"]) <= set(WORDS["told"])
        assert "{" not in text, text
        seen.add(text.split("\n")[0])
    assert seen == set(WORDS["outcome"].values())


def test_sentences_for_one_and_for_many() -> None:
    """Rule: one chat is one; bytes have commas in a sentence and none behind a flag; what is listed has bullets."""
    found = plan({**LLAMA, "max_model_len": 8_192, "require_chats": "1x4000"})
    text = as_text(found)
    count = found["reach"]["one_chat_bytes"] if found["reach"] else 0
    assert f"needs {count:,} bytes of pool: --kv-cache-memory-bytes {count}." in text
    assert "The chat of at most 4,000 tokens fits: it needs " in text and "1 chats" not in text
    assert "\n- Of 500 tokens each, " in text and "\n- memory share (gpu_memory_utilization), now " in text
    assert "\n  - model weights: " in text and "\nMore may be sent" in text
    single = as_text(plan({**LLAMA, "max_model_len": 8_192, "measured_kv_gib": 513 * 2_097_152 / 2**30}))
    assert "1.00x at 8,192: one chat as long as that fits." in single


def test_one_of_anything_is_one() -> None:
    """Rule: in what the plan itself says there is no 1 before a word for many; what vLLM prints is its own affair."""
    many = re.compile(r"(?<![0-9.,])1 (?:[a-z]+ )?(?:token|chat|block|card|seat|head|layer|slot|stage)s(?![a-z])")
    seen = 0
    for seed in range(400):
        chance = random.Random(f"one {seed}")
        small = {"max_model_len": 1, "max_num_seqs": 1, "max_num_batched_tokens": 1, "num_gpu_blocks_override": 2}
        asked = {**asked_by(seed), **{name: value for name, value in small.items() if chance.random() < 0.4}}
        if chance.random() < 0.5:
            asked["require_chats"] = chance.choice(["1x1", "2x1", "1x16", "3x500"])
        try:
            parts = say(plan(asked))
        except PlanError as refusal:
            assert not many.search(str(refusal))
            continue
        lines = [line for part in parts if part["name"] != "vllm" for line in part["lines"]]
        assert not [line for line in lines if many.search(line)], asked
        seen += len([line for line in lines if re.search(r"(?<![0-9.,])1 (token|chat|block|seat)(?![a-z])", line)])
    assert seen > 40
    for template, count, told in (
        ("{n} starts, {n} attention heads, *{n}* chats", 1, "1 start, 1 attention head, *1* chat"),
        ("{n} blocks, {none} tokens", 11, "11 blocks, {none} tokens"),
        ("{n} tokensmith", "1", "1 tokensmith"),
    ):
        assert filled(template, {"n": count}) == told


def test_limits_that_are_told_may_be_typed_back() -> None:
    """Rule: the largest share that passes, what others may hold, and the ends of each setting start when typed back."""
    seen = {"share": 0, "in_use_gib": 0, "ways": 0}
    for seed in range(40_000, 40_500):
        asked = asked_by(seed)
        try:
            found = plan(asked)
        except PlanError:
            continue
        refusal, text = found["verdict"]["refusal"], as_text(found)
        share = re.search(r"The largest share that passes now is ([0-9.]*[0-9])", text)
        if share and refusal and float(share[1]) > 0:
            again = plan({**asked, "gpu_memory_utilization": float(share[1])}, False)["verdict"]["refusal"]
            assert again is None or again["key"] != "free_memory", asked
            seen["share"] += 1
        if any(name.startswith("measured_") for name in asked):
            continue
        for fix in found["fixes"]["fixes"] if found["fixes"] else []:
            held = re.search(r"held by others on the card ([0-9.,]*[0-9]) \(in_use_gib\)", fix_line(fix))
            if held:
                changes = {**fix["changes"], "in_use_gib": float(held[1])}
                assert plan({**asked, **changes}, False)["verdict"]["outcome"] != "refuses", (asked, changes)
                seen["in_use_gib"] += 1
        for way in found["reach"]["ways"] if found["reach"] else []:
            line = re.search(r"from ([0-9.,]*[0-9]) to ([0-9.,]*[0-9])", way_line(way))
            assert line is not None
            for end in line.groups():
                number = float(end.replace(",", ""))
                changes = {way["lever"]: number if number % 1 else int(number)}
                assert plan({**asked, **changes}, False)["verdict"]["outcome"] != "refuses", (asked, changes)
                seen["ways"] += 1
    assert seen["share"] > 10 and seen["in_use_gib"] > 20 and seen["ways"] > 200, seen


def test_cards_that_layers_are_split_over() -> None:
    """Rule: more cards are said in plain words, each change of a list with a bullet."""
    text = as_text(plan({"card": "l4", "model": "Qwen/Qwen3-32B", "max_model_len": 8_192}))
    assert "\n- tensor parallel 4: every layer is split over so many cards (tensor_parallel_size). It takes" in text


def test_where_each_setting_comes_from() -> None:
    """Rule: given, the model's, or the version's default."""
    found = {
        shown["name"]: (shown["value"], shown["origin"]) for shown in plan({**LLAMA, "max_num_seqs": 8})["settings"]
    }
    assert found["max_num_seqs"] == (8, "given") and found["max_model_len"] == (131_072, "model")
    assert found["gpu_memory_utilization"] == (0.92, "default")


def test_newer_than_the_facts() -> None:
    """Rule: a version newer than the facts is said to be so."""
    text = as_text(plan({**LLAMA, "version": "0.40.0"}))
    assert "newer than what was read here: rules of 0.33.0." in text


def test_what_is_not_counted_is_named() -> None:
    """Rule: LoRA, speculation and limits of pictures are named, not counted."""
    found = plan({**LLAMA, "enable_lora": True})
    assert found["not_counted"] == ["enable_lora"] and "Not counted: LoRA (enable_lora)." in as_text(found)


def test_what_is_not_counted_comes_in_three_sorts() -> None:
    """Rule: what saves memory of the card and what takes the computer's is not said to cost the card's; what says
    nothing without another setting, and a size of 0, are not named, and stay in the command."""
    asked = {
        "card": "rtx-4090", "model": "Qwen/Qwen2.5-14B-Instruct", "speculative_config": "{}", "cpu_offload_gb": 10,
        "swap_space": 4, "max_lora_rank": 64, "mm_processor_cache_gb": 0,
    }  # fmt: skip
    found = plan(asked, False)
    assert found["not_counted"] == ["speculative_config", "cpu_offload_gb", "swap_space"]
    assert limit_lines(found) == [
        WORDS["not_counted"].replace("{names}", "speculative_config"),
        WORDS["not_counted_saves"].replace("{names}", "cpu_offload_gb"),
        WORDS["not_counted_host"].replace("{names}", "swap_space"),
    ]
    assert "--max-lora-rank 64" in found["command"]
    assert "max_lora_rank" in plan({**asked, "enable_lora": True}, False)["not_counted"]


@pytest.mark.parametrize(("more", "said"), [
    ({"cpu_offload_gb": 10}, "cpu_offload_gb"), ({"cpu_offload_gb": 0}, ""), ({"enable_expert_parallel": True}, ""),
    ({"enable_expert_parallel": True, "data_parallel_size": 2}, "enable_expert_parallel"),
    ({"cpu_offload_gb": 10, "tensor_parallel_size": 3}, ""),
    ({"cpu_offload_gb": 10, "quantization": "fp8", "max_model_len": 4_096}, ""),
])  # fmt: skip
def test_a_refusal_says_what_would_help_and_is_not_counted(more: dict[str, Any], said: str) -> None:
    """Rule: where memory ends, a setting that takes weights off the card and is not counted is said beside the refusal;
    where it starts, or where it is not for memory, it is not."""
    lines = why_lines(plan({"card": "rtx-4090", "model": "Qwen/Qwen2.5-14B-Instruct", **more}, False))
    assert (WORDS["saves"].replace("{names}", said) in lines) is (said != "")
    assert said or not any("start all the same" in line for line in lines)


def test_without_fixes() -> None:
    """Rule: the same plan without the search for changes."""
    for asked in (LLAMA, {**LLAMA, "card": "rtx-3090"}):
        quick, whole = plan(asked, with_fixes=False), plan(asked)
        assert quick["fixes"] is None and quick["reach"] is None and quick["fixed_command"] == ""
        more = {name: whole[name] for name in ("fixes", "reach", "fixed_command")}  # type: ignore[literal-required]
        assert {**quick, **more} == whole


def test_the_one_command_is_the_one_that_starts() -> None:
    """Rule: where a change starts it, the command has the cheapest one; the plain command stands beside it."""
    found = plan({**LLAMA, "card": "rtx-3090"})
    assert found["command"] == "vllm serve meta-llama/Llama-3.1-8B-Instruct"
    assert found["fixes"] is not None
    longest = found["fixes"]["fixes"][0]["changes"]["max_model_len"]
    assert found["fixed_command"] == f"{found['command']} --max-model-len {longest}"
    assert f"  {found['fixed_command']}\n" in as_text(found)
    assert plan(LLAMA)["fixed_command"] == ""


def test_chats_that_are_required() -> None:
    """Rule: 8x32000 is decided by the longest chat, the seats and the blocks, and the smallest fix makes room."""
    assert read_chats("8x32000,4x8000") == [[8, 32_000], [4, 8_000]]
    met = plan({**LLAMA, "require_chats": "8x32000"})
    assert met["demand"] is not None and met["demand"]["met"] and met["fixes"] is None
    assert met["demand"]["needed_blocks"] == 8 * 2_000 + 1
    lacking = {
        "longest": {"max_model_len": 16_000},
        "seats": {"max_num_seqs": 4},
        "room": {"gpu_memory_utilization": 0.5},
    }
    for lacks, changes in lacking.items():
        found = plan({**LLAMA, **changes, "require_chats": "8x32000"})
        assert found["demand"] is not None and found["demand"]["lacks"] == lacks
        assert found["fixes"] is not None and found["fixes"]["fixes"]
        base = trial({**LLAMA, **changes})
        for fix in found["fixes"]["fixes"]:
            at = tried(base, fix["changes"])
            assert at is not None and demand_of(at, [[8, 32_000]])["met"], fix["changes"]
    share = plan({**LLAMA, "gpu_memory_utilization": 0.5, "require_chats": "8x32000"})["fixes"]
    assert share is not None
    exact = next(fix["exact"] for fix in share["fixes"] if list(fix["changes"]) == ["gpu_memory_utilization"])
    less = tried(trial({**LLAMA, "gpu_memory_utilization": 0.5}), {"gpu_memory_utilization": exact - 0.0001})
    assert less is not None and not demand_of(less, [[8, 32_000]])["met"]
    assert len(read_chats(",".join(["1x1"] * MOST_KINDS))) == MOST_KINDS


def test_how_far_each_lever_goes() -> None:
    """Rule: on plans by chance that start, each end starts, and the next step refuses for the reason that is named."""
    checked = 0
    for seed in range(500):
        try:
            base = trial(asked_by(seed))
        except PlanError:
            continue
        if base["verdict"]["outcome"] == "refuses":
            continue
        for way in reach_of(base)["ways"]:
            step = 0.0001 if way["lever"] == "gpu_memory_utilization" else 1
            if way["most"] != way["now"]:
                assert starts(tried(base, {way["lever"]: way["most"]})), (seed, way)
            if way["stops"]:
                above = tried(base, {way["lever"]: round((way["most"] + step) * 10_000) / 10_000})
                assert above is not None and above["verdict"]["refusal"] is not None, (seed, way)
        checked += 1
    assert checked > 100


def starts(at: Trial | None) -> bool:
    """Whether a trial was allowed and does not refuse."""
    return at is not None and at["verdict"]["outcome"] != "refuses"


def test_a_pool_of_just_the_right_size() -> None:
    """Rule: the bytes that are named suffice, one byte less does not, wherever a version has the setting."""
    checked = 0
    for seed in range(700):
        asked = {**asked_by(seed), "version": "0.33.0" if seed % 2 else "0.29.0"}
        for name in ("kv_cache_memory_bytes", "measured_kv_gib", "num_gpu_blocks_override"):
            asked.pop(name, None)
        try:
            base = trial(asked)
        except PlanError:
            continue
        if not starts(base) or base["settings"]["auto_fit"]:
            continue
        pool = reach_of(base)["one_chat_bytes"]
        if pool == 0 or not starts(tried(base, {"kv_cache_memory_bytes": pool})):
            assert pool == 0 or base["budget"]["stages"][0]["layout"]["mamba"], asked  # seats above the states
            continue
        assert not starts(tried(base, {"kv_cache_memory_bytes": pool - 1})), asked
        checked += 1
    assert checked > 100


JUNK: list[Any] = [
    None, True, False, 0, -1, 1.5, -0.0, 1e308, float("inf"), float("nan"), 2**53, 10**400, "", "auto", "x" * 500, "４",
    "1e9", [], [1], {}, {"a": {"b": []}}, "0.33.0", "nan", "\ud800", "-1", "0x10", b"bytes", (1, 2), object(),
]  # fmt: skip


def test_only_plan_errors() -> None:
    """Rule: whatever is given for whatever setting, the only refusal is a PlanError that names a setting."""
    names = [row["name"] for row in VERSIONS["settings"]] + [
        "require_chats",
        "nonsense",
        "",
        "__proto__",
        "enable_lora",
    ]
    chance = random.Random(7)
    refused = 0
    for turn in range(6_000):
        asked: Any = asked_by(turn)
        for _ in range(chance.choice((1, 1, 2, 3))):
            asked[chance.choice(names)] = chance.choice(JUNK)
        try:
            found = plan(asked, with_fixes=turn % 5 == 0)
            as_text(found)
        except PlanError as refusal:
            assert isinstance(refusal.setting, str) and str(refusal)
            refused += 1
    assert refused > 3_000


@pytest.mark.parametrize("asked", [None, 3, "text", [], [1], {1: 2}, {None: 1}, (), {}, {"card": "t4"}, {"model": {}}])
def test_no_plan_at_all(asked: Any) -> None:
    """Rule: what is no object of settings is refused, in a plan and in a comparison."""
    with pytest.raises(PlanError):
        plan(asked)
    with pytest.raises(PlanError):
        compare(asked, "0.19.1", "0.20.0")
    with pytest.raises(SimError):
        answer(asked)


def test_fast_enough_for_a_slider(capsys: pytest.CaptureFixture[str]) -> None:
    """Rule: a plan takes well under 100 milliseconds, without the search for changes a few."""
    asked = [LLAMA, {**LLAMA, "card": "rtx-3090"}, {**LLAMA, "card": "l4", "model": "Qwen/Qwen3-32B"}]
    times = []
    for with_fixes in (False, True):
        best = []
        for each in asked:
            took = []
            for _ in range(5):
                begin = time.perf_counter()
                plan(each, with_fixes)
                took.append(time.perf_counter() - begin)
            best.append(min(took))
        times.append(max(best))
    with capsys.disabled():
        print(f"\na plan: {times[0] * 1000:.1f} ms, with its fixes {times[1] * 1000:.1f} ms at most")
    assert times[0] < 0.05 and times[1] < 0.3


def test_a_comparison_in_words() -> None:
    """Rule: every brace is filled."""
    assert "{" not in upgrade_text(compare(LLAMA, "0.6.4", "0.33.0"))
    assert say(plan(LLAMA))[0]["name"] == "head"
