"""Ten situations in which people arrive, on the real page: what they have goes in, answer and command come out."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from plan_scene import PAGE
from poolroom.vllm.plan import plan
from tests.browser.conftest import Bench
from tests.browser.plan_page import PlanPage, mismatches, shared_page

H200, H100 = {"card": "h200", "version": "0.11.0"}, {"card": "h100-sxm-80gb", "version": "0.10.1"}
LLAMA, QWEN = "meta-llama/Llama-3.1-8B-Instruct", "Qwen/Qwen3-8B"
TOO_LONG = (
    "ValueError: To serve at least one request with the models's max seq len (262144), (62.00 GiB KV cache is needed, "
    "which is larger than the available KV cache memory ({pool} GiB). Based on the available memory, the estimated "
    "maximum model length is {longest}. Try increasing `gpu_memory_utilization` or decreasing `max_model_len` when "
    "initializing the engine."
)
CODER = "Qwen/Qwen3-Coder-480B-A35B-Instruct-FP8"
NO_MEMORY = """(APIServer pid=1) INFO 08-20 10:00:00 [api_server.py:1805] vLLM API server version 0.10.1
(APIServer pid=1) INFO 08-20 10:00:00 [utils.py:326] non-default args: {'model': 'openai/gpt-oss-120b'}
(EngineCore_0 pid=77) INFO 08-20 10:01:00 [gpu_model_runner.py:2007] Model loading took 65.9651 GiB and 12.799889 seconds
(EngineCore_0 pid=77) INFO 08-20 10:01:30 [gpu_worker.py:276] Available KV cache memory: -2.14 GiB
(EngineCore_0 pid=77) ValueError: No available memory for the cache blocks. Try increasing `gpu_memory_utilization` when initializing the engine."""  # noqa: E501
SLOTS = (
    "ValueError: max_num_seqs (1024) exceeds available Mamba cache blocks (969). Each decode sequence requires one "
    "Mamba cache block, so CUDA graph capture cannot proceed. Please lower max_num_seqs to at most 969 or increase "
    "gpu_memory_utilization."
)
HELD = (
    "ValueError: Free memory on device (67.24/79.25 GiB) on startup is less than desired GPU memory utilization "
    "(0.9, 71.33 GiB). Decrease GPU memory utilization or reduce GPU memory used by other processes."
)
UPGRADED = """$ vllm serve Qwen/Qwen3-8B-AWQ --gpu-memory-utilization 0.92 --max-model-len 4096
INFO 06-02 10:00:00 [gpu_worker.py:436] Available KV cache memory: 0.07 GiB"""
PRINTED = """$ vllm serve Qwen/Qwen3-8B --max-model-len 8192
INFO 03-01 10:00:00 [gpu_worker.py:436] Available KV cache memory: 5.19 GiB
INFO 03-01 10:00:00 [kv_cache_utils.py:1087] GPU KV cache size: 37,765 tokens
INFO 03-01 10:00:00 [kv_cache_utils.py:1091] Maximum concurrency for 8,192 tokens per request: 4.61x"""


@pytest.fixture
def at(bench: Bench, site: str) -> Any:
    """The page as it opens; nothing may go wrong on it, and nothing leaves it."""
    watch = bench[1]
    found = shared_page(bench, site)
    asked_for = len(watch.requests)
    yield found
    watch.assert_quiet()
    assert all(
        url.startswith(site) and "?" not in url.replace(f"{site}plan.html?", "") for url in watch.requests[asked_for:]
    )


def amounts(at: PlanPage) -> dict[str, float]:
    """The parts of the bar with their amounts, GiB."""
    return {name: float(text) for name, text in at.shown()["legend"]}


def fix_with(shown: dict[str, Any], *words: str) -> str:
    """The fix that has all these words."""
    found = [fix for fix in shown["fixes"] if all(word in fix for word in words)]
    assert found, (words, shown["fixes"])
    return str(found[0])


def test_1_the_longest_chat_does_not_fit(at: PlanPage) -> None:
    """Rule: 248 KiB a token; 205,728 as it is, fp8 needs 31 GiB and holds 1.57; the command stands there at once."""
    at.paste(TOO_LONG.format(pool="48.66", longest="205728"))
    shown = at.shown()
    assert shown["outcome"] == "refuses"
    for word in ("262,144", "62.00 GiB", "48.66 GiB", "13.34 GiB", "248.0 KiB"):
        assert word in shown["sentence"]
    first = at.out("first")
    assert "205,728" in first and "31.00" in first and "1.57x" in first and "fp8" in first
    assert shown["command"].endswith("--max-model-len 205728")


def test_1_with_its_command_no_share_does_it(at: PlanPage) -> None:
    """Rule: with command and card: 205,728, or 235,296 at 0.95; no share holds the full length; fp8 does, 1.57x."""
    at.open({**H200, "model": QWEN})
    at.paste(f"$ vllm serve {CODER} --gpu-memory-utilization 0.90\n{TOO_LONG.format(pool='48.66', longest='205728')}")
    shown = at.shown()
    assert "48.66 GiB" in shown["sentence"] and "248.0 KiB" in shown["sentence"]
    assert any(note.startswith("No share does it") for note in shown["levers_notes"])
    assert "205,728" in fix_with(shown, "(max_model_len)") and "1.57x" in fix_with(shown, "fp8")
    assert "235,296" in fix_with(shown, "memory share 0.95", "(max_model_len)")
    assert shown["command"] == f"vllm serve {CODER} --max-model-len 205728"


def test_1_two_attempts_give_the_cards_memory(at: PlanPage) -> None:
    """Rule: two shares with their pools say how much memory the card has; the page reckons with such a card."""
    attempts = (("0.90", "48.66", "205728"), ("0.95", "55.65", "235296"))
    at.paste("\n".join(
        f"$ vllm serve {CODER} --gpu-memory-utilization {share}\n{TOO_LONG.format(pool=pool, longest=longest)}"
        for share, pool, longest in attempts
    ))  # fmt: skip
    expect(at.page.locator("#reading")).to_contain_text("The card has 139.8 GiB")
    assert at.fields()["card"] == "h200" and "55.65 GiB" in at.shown()["sentence"]
    longest = int(at.shown()["command"].split("--max-model-len ")[1])
    assert 235296 - 64 <= longest <= 235296


def test_2_seats_take_the_memory_not_the_share(at: PlanPage) -> None:
    """Rule: −2.14 GiB: 1,024 seats times the words cost more than 7 GiB; fewer seats are among what starts it."""
    at.open({**H100, "model": QWEN})
    at.paste(NO_MEMORY)
    shown = at.shown()
    assert shown["outcome"] == "refuses" and "-2.14 GiB" in shown["sentence"].replace("\u2212", "-")
    assert at.fields()["model"] == "openai/gpt-oss-120b" and at.fields()["version"] == "0.10.1"
    assert 7 < amounts(at)["activation"] < 8
    fix_with(shown, "256 (max_num_seqs)", "(max_model_len)")
    fix_with(shown, "256 (max_num_seqs)", "memory share 0.92")
    explained = " ".join(formula for _, formula in shown["numbers"])
    assert "201,088" in explained and "1,024" in explained


def test_3_as_many_seats_as_slots(at: PlanPage) -> None:
    """Rule: one slot for each running chat, and the pool has 969: that many seats start."""
    at.paste(SLOTS)
    shown = at.shown()
    assert "969" in shown["sentence"] and "1,024" in shown["sentence"] and "slot" in shown["sentence"]
    assert shown["command"].endswith("--max-num-seqs 969")


def test_4_something_else_holds_the_memory(at: PlanPage) -> None:
    """Rule: something holds 12.0 GiB; the largest share that passes is 0.84."""
    at.paste(HELD)
    shown = at.shown()
    assert shown["outcome"] == "refuses" and "12.01 GiB" in shown["sentence"] and "0.84" in shown["sentence"]
    assert shown["command"].endswith("--gpu-memory-utilization 0.84")
    fields = at.fields()
    assert (fields["total_gib"], fields["in_use_gib"], fields["gpu_memory_utilization"]) == ("79.25", "12.01", "0.9")


def test_5_graphs_count_since_the_upgrade(at: PlanPage) -> None:
    """Rule: 0.07 GiB at 0.92 on a 3090: 0.95 gives 0.78 GiB; or eager, or no estimate; each in one click."""
    at.open({"card": "rtx-3090", "model": QWEN, "version": "0.21.0"})
    at.paste(UPGRADED)
    shown = at.shown()
    assert "0.07 GiB" in shown["sentence"] and shown["outcome"] == "refuses"
    fix_with(shown, "(enforce_eager)")
    fix_with(shown, "(estimate_cudagraphs)")
    fix_with(shown, "memory share 0.95")
    at.page.locator("[data-out=fixes] [data-fix=gpu_memory_utilization] button").click()
    assert amounts(at)["kv"] == 0.78  # 0.07 + 0.03 of 23.58 GiB, as the reporter measured
    assert at.shown()["outcome"] == "starts_may_die" and "--gpu-memory-utilization 0.95" in at.shown()["command"]


def test_6_fewer_tokens_after_the_upgrade(at: PlanPage) -> None:
    """Rule: before and after by version, part by part; the graphs' estimate is named, and its switch."""
    at.page.locator("a.preset", has_text="Fewer tokens after the upgrade").click()
    at.settled()
    compared = at.page.locator("[data-out=compare]")
    expect(compared).to_contain_text("CUDA graphs count inside the share")
    item = next(item for item in PAGE["presets"]["items"] if "compare" in item)
    before = plan(item["asked"], False)["budget"]["capacity"]["tokens"]
    after = plan({**item["asked"], "version": item["compare"]}, False)["budget"]["capacity"]["tokens"]
    assert after < before
    expect(compared).to_contain_text(f"{before:,}")
    expect(compared).to_contain_text(f"{after:,}")
    at.page.locator("[data-setting=version]").fill(item["compare"])
    tokens = after
    at.page.evaluate("() => { document.querySelector('details[data-group=more]').open = true; }")
    at.page.locator("[data-setting=estimate_cudagraphs]").select_option("false")
    shown = at.shown()
    assert shown["command"].startswith("VLLM_MEMORY_PROFILER_ESTIMATE_CUDAGRAPHS=0 ")
    more = plan({**item["asked"], "version": item["compare"], "estimate_cudagraphs": False}, False)
    assert more["budget"]["capacity"]["tokens"] > tokens
    assert f"{more['budget']['capacity']['tokens']:,}" in shown["sentence"]


def test_7_tokens_per_step_move_the_reserve(at: PlanPage) -> None:
    """Rule: 2,048 to 8,192 tokens a step on a 4090: the reserve in the bar grows, the pool shrinks by it."""
    form = {"card": "rtx-4090", "model": QWEN, "version": "0.25.1", "max_model_len": "16384"}
    at.open({**form, "max_num_batched_tokens": "2048"})
    small = amounts(at)
    at.page.locator("[data-setting=max_num_batched_tokens]").fill("8192")
    large, shown = amounts(at), at.shown()
    assert large["activation"] - small["activation"] == pytest.approx(small["kv"] - large["kv"], abs=0.011)
    assert 0.4 < large["activation"] - small["activation"] < 0.7  # 3,744 tokens of 144 KiB on the real card
    assert any("tokens read per step" in line for line in shown["back"])
    assert any("max_num_batched_tokens" in row[0] for row in shown["reach"])


def test_8_how_little_is_enough(at: PlanPage) -> None:
    """Rule: one seat of 1,024 tokens needs 65 blocks, 119,275,520 bytes; the flag is there."""
    at.paste("vllm serve Qwen/Qwen3-1.7B --max-num-seqs 1 --max-model-len 1024")
    at.page.locator("[data-setting=card]").select_option("rtx-4090")
    shown = at.shown()
    assert shown["outcome"] == "starts" and "--kv-cache-memory-bytes 119275520" in shown["one_chat"]
    at.page.evaluate("() => { document.querySelector('details[data-group=more]').open = true; }")
    at.page.locator("[data-setting=kv_cache_memory_bytes]").fill("119275520")
    shown = at.shown()
    assert shown["outcome"] == "starts" and "--kv-cache-memory-bytes 119275520" in shown["command"]


def test_9_both_numbers_side_by_side(at: PlanPage) -> None:
    """Rule: 4.61 is if all fill 8,192; of 2,000 tokens 18 fit; more may be sent, they wait, and nothing is reserved."""
    at.open({"card": "rtx-4090", "model": QWEN, "version": "0.21.0"})
    at.paste(PRINTED)
    shown = at.shown()
    assert shown["outcome"] == "starts" and "4.61x" in shown["sentence"] and "18" in shown["sentence"]
    assert (
        "4.61x" in shown["rooms_lead"] and "8,192" in shown["rooms_lead"] and "18 chats of 2,000" in shown["rooms_lead"]
    )
    assert shown["rooms_notes"][0] == "More may be sent; they wait. Nothing is set aside for a chat."


def test_10_the_riddle_is_a_moving_bar(at: PlanPage) -> None:
    """Rule: 20,000 starts, 29,000 does not, 35,000 does: prompts are read in parts from there on."""
    form = {"card": "rtx-3090", "model": LLAMA, "version": "0.6.4"}
    at.open({**form, "max_model_len": "20000"})
    field = at.page.locator("[data-setting=max_model_len]")
    parts = {}
    for longest, outcome in (("20000", "starts"), ("29000", "refuses"), ("35000", "starts")):
        field.fill(longest)
        shown = at.shown()
        assert shown["outcome"] == outcome
        assert mismatches(shown, {**form, "max_model_len": longest}) == []
        parts[longest] = amounts(at)
    assert parts["29000"]["kv"] == 2.89 and parts["29000"]["activation"] > parts["20000"]["activation"]
    assert parts["35000"]["activation"] < 0.1 and parts["35000"]["kv"] > parts["20000"]["kv"]
    field.fill("29000")
    shown = at.shown()
    (held,) = re.findall(r"KV cache \(([0-9]+)\)", shown["lines"])
    assert abs(int(held) - 23648) <= 100  # what the real card printed
    assert "parts" in fix_with(shown, "32,769")


PRESETS = {
    "Why does a 3B model fill my card?": ("starts", ["Qwen2.5-3B"]),
    "29,000 fails, 35,000 works": ("refuses", ["29,000", "3.54 GiB", "2.89 GiB"]),
    "1,024 seats, 969 slots": ("refuses", ["slot", "1,024", "969"]),
    "120B on one card": ("refuses", ["cache pool", "gpt-oss-120b"]),
    "Two servers, one card": ("refuses", ["40.00 GiB", "39.15"]),
    "Fewer tokens after the upgrade": ("starts", ["105,184"]),
    "4.61x: can I send more?": ("starts", ["4.61x", "8,192", "18 chats of 2,000"]),
    "One big read, a small pool": ("starts", ["16,384"]),
}


def test_the_eight_presets_open_with_their_verdict(at: PlanPage) -> None:
    """Rule: each famous question sets everything above it, and the answer is the reference's."""
    assert [item["name"] for item in PAGE["presets"]["items"]] == list(PRESETS)
    for item in PAGE["presets"]["items"]:
        outcome, words = PRESETS[item["name"]]
        at.page.locator("a.preset", has_text=item["name"]).click()
        shown = at.shown()
        form = {name: str(value) for name, value in item["asked"].items()}
        assert at.fields().items() >= form.items() and mismatches(shown, form) == []
        assert shown["outcome"] == outcome, item["name"]
        assert all(word in shown["sentence"] + shown["about"] for word in words), (item["name"], shown["sentence"])


def test_each_preset_shows_the_figure_in_its_name(at: PlanPage) -> None:
    """Rule: every number of a question's name stands in the plan that it opens; what is not the report's is said."""
    for item in PAGE["presets"]["items"]:
        at.page.locator("a.preset", has_text=item["name"]).click()
        shown = at.shown()
        said = " ".join(str(shown[part]) for part in ("sentence", "about", "lines", "fixes")).lower()
        for figure in re.findall(r"[0-9][0-9,.]*[0-9Bx]", item["name"]):
            if figure == "35,000":  # the plan's other side: one move away
                at.page.locator("[data-setting=max_model_len]").fill("35000")
                assert at.shown()["outcome"] == "starts"
            else:
                assert figure.lower() in said, (item["name"], figure, shown["sentence"])
        if "note" in item:
            expect(at.page.locator(".presets li", has_text=item["name"])).to_contain_text(item["note"])


def test_the_link_holds_what_was_printed_where_the_plan_uses_it(at: PlanPage) -> None:
    """Rule: printed figures of a known model are settings of the link, and the plan from it is the same."""
    at.open({"card": "rtx-4090", "model": QWEN, "version": "0.21.0"})
    at.paste(PRINTED)
    before = at.shown()
    at.page.wait_for_function("() => location.search.includes('measured_kv_gib=5.19')")
    link = at.page.url
    at.page.goto("about:blank")
    at.page.goto(link)
    at.page.wait_for_selector("main[data-ready=yes]")
    shown = at.shown()
    assert {key: shown[key] for key in ("sentence", "command", "legend", "fixes")} == {
        key: before[key] for key in ("sentence", "command", "legend", "fixes")
    }


@pytest.mark.parametrize("text", [TOO_LONG.format(pool="48.66", longest="205728"), NO_MEMORY, SLOTS, HELD, UPGRADED])
def test_answer_and_command_are_in_view_after_a_paste(at: PlanPage, text: str) -> None:
    """Rule: verdict, sentence and command stand in a window of 1280 by 800 without scrolling."""
    at.page.evaluate("() => window.scrollTo(0, 0)")
    at.paste(text)
    for name in ("verdict", "sentence", "command"):
        box = at.page.locator(f"[data-out={name}]").bounding_box()
        assert box is not None and box["y"] >= 0 and box["y"] + min(box["height"], 40) <= 800, (name, box)
    assert at.page.evaluate("() => window.scrollY") == 0
