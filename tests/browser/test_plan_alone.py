"""Reports' own texts, pasted alone: whatever the model and the card are, their figures give an answer."""

from typing import Any

import pytest

from plan_scene import PAGE
from tests.browser.conftest import Bench
from tests.browser.plan_page import PlanPage, shared_page
from tests.browser.test_plan_situations import SLOTS


@pytest.fixture
def at(bench: Bench, site: str) -> Any:
    """The page as it opens; nothing may go wrong on it."""
    watch = bench[1]
    found = shared_page(bench, site)
    yield found
    watch.assert_quiet()


def start(*lines: str, version: str = "") -> str:
    """Lines of a start-up log."""
    banner = [f"INFO 06-05 09:59:00 [utils.py:306] vLLM API server version {version}"] if version else []
    return "\n".join([*banner, *(f"(EngineCore pid=101) INFO 06-05 10:00:00 {line}" for line in lines)])


def tokens(count: str, longest: str, concurrency: str) -> tuple[str, str]:
    """How vLLM says what the pool holds."""
    return (
        f"[kv_cache_utils.py:1087] GPU KV cache size: {count} tokens",
        f"[kv_cache_utils.py:1091] Maximum concurrency for {longest} tokens per request: {concurrency}x",
    )


POOL = "[gpu_worker.py:460] Available KV cache memory: {} GiB"
GRAPHS = (
    "[gpu_worker.py:475] CUDA graph memory profiling is enabled (default since v0.21.0). The current "
    "--gpu-memory-utilization=0.9200 is equivalent to --gpu-memory-utilization=0.9025 without CUDA graph memory "
    "profiling. To disable, set VLLM_MEMORY_PROFILER_ESTIMATE_CUDAGRAPHS=0."
)
SMALL = (
    "ValueError: To serve at least one request with the models's max seq len (8192), (0.21 GiB KV cache is needed, "
    "which is larger than the available KV cache memory (0.07 GiB). Based on the available memory, the estimated "
    "maximum model length is 2736."
)
NO_ESTIMATE = "VLLM_MEMORY_PROFILER_ESTIMATE_CUDAGRAPHS=0"
FLASH = (
    "$ vllm serve deepseek-ai/DeepSeek-V4-Flash --max-num-batched-tokens 8224 --max-num-seqs 1 "
    "--max-model-len 262144 --gpu-memory-utilization 0.93"
)
PEAK = (
    "[gpu_worker.py:640] Free memory on device (117.2/121.63 GiB) on startup. Desired GPU memory utilization is (0.93, "
    "113.12 GiB). Actual usage is 98.2 GiB for consumed memory (weights + non-torch), 5.30 GiB for peak activation, "
    "and 0.4 GiB for CUDAGraph memory."
)
ALONE: dict[str, tuple[str, str, list[str]]] = {
    "5, the pool alone": (
        start(POOL.format("0.07")),
        PAGE["alone"]["badge_unsaid"],
        ["0.07 GiB", "hundredth", NO_ESTIMATE, "--enforce-eager"],
    ),
    "5, with what the graphs take": (
        start(GRAPHS, POOL.format("0.07")),
        PAGE["alone"]["badge_unsaid"],
        ["0.0175 of the card"],
    ),
    "5, the whole log": (
        start(
            "Model loading took 19.83 GiB memory and 12.5 seconds",
            "Estimated CUDA graph memory: 0.41 GiB total",
            POOL.format("0.07"),
            GRAPHS,
            SMALL,
            version="0.22.0",
        ),
        PAGE["badge"]["refuses"],
        ["0.14 GiB too little", "2,736", "0.95", "0.78 GiB", "0.48 GiB", NO_ESTIMATE, "--enforce-eager"],
    ),
    "5, a version without the estimate": (
        start(POOL.format("0.07"), SMALL, version="0.11.0"),
        PAGE["badge"]["refuses"],
        ["2,736"],
    ),
    "6, the estimate": (
        start(
            "Estimated CUDA graph memory: 43.80 GiB total",
            POOL.format("20.51"),
            *tokens("245,840", "2,304", "106.70"),
            "CUDA graph pool memory: 2.43 GiB (actual), 43.80 GiB (estimated), difference: 41.37 GiB",
            version="0.22.0",
        ),
        PAGE["alone"]["badge_started"],
        ["43.80 GiB", "took 2.43", "64.31 GiB", NO_ESTIMATE],
    ),
    "6, two starts": (
        start(*tokens("769,888", "2,304", "334.20"), version="0.17.1")
        + "\n"
        + start(*tokens("245,840", "2,304", "106.70"), version="0.22.0"),
        PAGE["alone"]["badge_started"],
        ["769,888 tokens, 3.1 times as many", "version 0.17.1 → 0.22.0", NO_ESTIMATE],
    ),
    "7, a model that is not reckoned": (
        FLASH + "\n" + start(POOL.format("4.2"), *tokens("290,632", "262,144", "1.11"), PEAK),
        PAGE["alone"]["badge_started"],
        ["290,632", "5.30 to 1.32 GiB", "8.18 GiB", "first word comes later", "not reckoned"],
    ),
    "7, no model": (
        start(POOL.format("4.2"), *tokens("290,632", "262,144", "1.11"), PEAK),
        PAGE["alone"]["badge_started"],
        ["5.30 GiB", "--max-num-batched-tokens TOKENS"],
    ),
    "7, its command alone": (
        FLASH,
        PAGE["alone"]["badge_asks"],
        ["DeepSeek-V4-Flash is not reckoned here", "log of a start"],
    ),
    "7, refused": (FLASH + "\n" + SLOTS, PAGE["badge"]["refuses"], ["969", "--max-num-seqs 969"]),
    "8, how little is enough": (
        start(POOL.format("18.78"), *tokens("175,856", "1,024", "171.73")),
        PAGE["alone"]["badge_started"],
        ["175,856", "--kv-cache-memory-bytes 119275520"],
    ),
    "9, one line": (
        tokens("", "8192", "4.61")[1],
        PAGE["alone"]["badge_started"],
        ["4.61x", "8,192", "about 18", "they wait"],
    ),
    "10, another card than the page's": (
        "$ vllm serve meta-llama/Llama-3.1-8B-Instruct --max-model-len 29000\n"
        "ValueError: The model's max seq len (29000) is larger than the maximum number of tokens that can be "
        "stored in KV cache (23648).",
        PAGE["badge"]["refuses"],
        ["5,352 too few", "--max-model-len 23648"],
    ),
    "a start on another card than the page's": (
        "$ vllm serve Qwen/Qwen3-8B --max-num-batched-tokens 8192\n" + start(tokens("36,720", "", "")[0]),
        PAGE["alone"]["badge_started"],
        ["36,720 tokens", "names neither the card nor the version", "fewer tokens read per step than 8,192"],
    ),
}
"""Reports' own texts, alone: badge, and what stands in sentence, ways and command."""


@pytest.mark.parametrize("name", ALONE)
def test_a_reports_own_text_alone_is_answered_from_its_figures(at: PlanPage, name: str) -> None:
    """Rule: whatever the model and the card are: what the figures say, and what helps by their arithmetic."""
    text, badge, words = ALONE[name]
    at.paste(text)
    shown = at.shown()
    assert shown["badge"] == badge
    said = f"{shown['sentence']} {at.out('first')} {at.out('more_ways')} {shown['command']}"
    assert [word for word in words if word not in said] == [], said
    assert "version 0.11.0" not in text or NO_ESTIMATE not in said  # that version counts no graphs
    box = at.page.locator("[data-copy=command]").bounding_box()
    assert box is None or box["y"] + 40 <= 800, box
    assert "NaN" not in said and "undefined" not in said and "{" not in said


BARE = (
    "ValueError: To serve at least one request with the models's max seq len (40960), (5.62 GiB KV cache is needed, "
    "which is larger than the available KV cache memory (3.91 GiB). Based on the available memory, the estimated "
    "maximum model length is 28464."
)


def chosen(at: PlanPage, *names: str) -> list[str]:
    """What stands in some fields."""
    return [at.fields()[name] for name in names]


def test_a_pasted_refusal_is_the_verdict_although_its_plan_would_start(at: PlanPage) -> None:
    """Rule: card, version and model are known, and the text counts; what calculation says stands beside it."""
    at.paste(
        "GPU 0: NVIDIA GeForce RTX 4090\nvLLM Version: 0.7.3\nValueError: The model's max seq len (32768) is larger "
        "than the maximum number of tokens that can be stored in KV cache (21968).\nvllm serve Qwen/Qwen2.5-7B-Instruct"
    )
    shown = at.shown()
    assert shown["badge"] == PAGE["badge"]["refuses"]
    assert shown["command"].startswith("vllm serve Qwen/Qwen2.5-7B-Instruct --max-model-len 2")
    assert "By calculation it would start on NVIDIA GeForce RTX 4090" in shown["sentence"]


def test_a_model_that_is_chosen_after_a_paste_keeps_what_was_pasted(at: PlanPage) -> None:
    """Rule: its field is empty; each model may be chosen, the opening's too; the refusal stays; Back undoes one."""
    at.paste(BARE)
    model = at.page.locator("[data-setting=model]")
    assert (model.input_value(), model.get_attribute("placeholder")) == ("", PAGE["settings"]["choose"])
    for name, key in (("Qwen/Qwen3-8B", "5.62 GiB"), (PAGE["opening"]["model"], "5.62 GiB")):
        model.fill(name)
        shown = at.shown()
        assert (shown["badge"], *chosen(at, "model", "measured_kv_gib")) == ("Does not start", name, "3.91")
        assert key in shown["sentence"] and shown["command"].startswith(f"vllm serve {name} --max-model-len 284")
        assert PAGE["paste"]["no_model"].split(".")[0] not in (at.page.locator("#reading").text_content() or "")
    at.page.go_back()
    at.page.wait_for_function("() => document.querySelector('[data-setting=model]').value === 'Qwen/Qwen3-8B'")
    at.page.go_back()
    at.page.wait_for_function("() => document.querySelector('[data-setting=model]').value === ''")
    assert "3.91 GiB" in at.shown()["sentence"]
    at.page.go_forward()
    at.page.wait_for_function("() => document.querySelector('[data-setting=model]').value === 'Qwen/Qwen3-8B'")
    at.page.locator("[data-setting=card]").select_option("l4")
    assert (at.shown()["badge"], *chosen(at, "card", "measured_kv_gib")) == ("Does not start", "l4", "3.91")


def test_a_lever_after_a_bare_paste_gives_no_verdict_on_another_model(at: PlanPage) -> None:
    """Rule: until the reader has chosen the model, nothing is said to start."""
    at.paste(BARE)
    at.page.locator("[data-setting=max_model_len]").fill("20000")
    assert at.shown()["badge"] == PAGE["alone"]["badge_asks"]
    at.page.locator("[data-setting=model]").fill("Qwen/Qwen3-8B")
    shown = at.shown()
    assert shown["badge"] == PAGE["badge"]["starts"] and "3.91 GiB" in shown["sentence"]
    assert at.fields()["max_model_len"] == "20000"


def test_a_refusal_above_its_log_is_the_verdict(at: PlanPage) -> None:
    """Rule: who tells the error first and shows the log after it has one start, and it was refused."""
    at.paste(BARE + "\nFull log:\n" + start("Model loading took 15.27 GiB and 3.2 seconds", POOL.format("3.91")))
    shown = at.shown()
    assert shown["badge"] == PAGE["badge"]["refuses"] and "--max-model-len 28464" in shown["command"]
    assert PAGE["alone"]["no_refusal"] not in shown["sentence"]
