"""What the plan page says of texts that are torn, that nobody can read, or that another text came before."""

import json
from typing import Any

import pytest
from playwright.sync_api import expect

from plan_scene import PAGE
from tests.browser.conftest import Bench
from tests.browser.engines import only
from tests.browser.plan import Plan
from tests.browser.test_plan_page import ERROR, opened

CONFIG = {
    "architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 2048, "num_hidden_layers": 16,
    "num_attention_heads": 32, "num_key_value_heads": 8, "intermediate_size": 8192, "vocab_size": 128256,
    "max_position_embeddings": 8192, "torch_dtype": "bfloat16",
}  # fmt: skip
STARTED = """Model loading took 51.1 GiB memory and 41.914650 seconds
CUDA graph pool memory: 0.71 GiB (actual), 1.55 GiB (estimated), difference: 0.84 GiB (119.3%).
Free memory on device (79.99/80.0 GiB) on startup. Desired GPU memory utilization is (0.92, 73.6 GiB). Actual usage is 51.66 GiB for consumed memory (weights + non-torch), 2.4 GiB for peak activation, and 0.71 GiB for CUDAGraph memory. Current kv cache memory in use is 19.54 GiB.
Maximum concurrency for 262,144 tokens per request: 1.20x"""  # noqa: E501
MEASURED = """$ vllm serve Qwen/Qwen3-8B --max-model-len 8192
INFO [gpu_worker.py:436] Available KV cache memory: 5.19 GiB
INFO [kv_cache_utils.py:1087] GPU KV cache size: 37,765 tokens
INFO [kv_cache_utils.py:1091] Maximum concurrency for 8,192 tokens per request: 4.61x"""
ALONE = PAGE["alone"]
UNREAD = {
    "a kernel": "AssertionError: block_n must be divisible",
    "torn JSON": '{"architectures": ["LlamaForCausalLM"], "hidden_size": 20',
    "prose": "It does not work on my machine, please help.",
}

NO_KERNEL = "CUDA error: no kernel image is available for execution on the device"
METHOD = "The quantization method awq is not supported for the current GPU."
NEWER = {
    "a capability": (f"ValueError: {METHOD} Minimum capability: 75. Current capability: 70.", "7.0, and 7.5", "stored"),
    "a capability, torn": (f"ValueError: {METHOD}", "stored as awq", ALONE["try_card"]),
    "plain weights": ("ValueError: Cannot find the config file for awq", "vLLM cannot turn them into awq", "left out"),
    "two methods": (
        "ValueError: Quantization method specified in the model config (fp8) does not match the quantization method "
        "specified in the `quantization` argument (awq).", "stored as fp8, and awq", "left out",
    ),
    "heads of the cache": ("    assert self.total_num_kv_heads % tp_size == 0\nAssertionError", "(KV heads)", "CARDS"),
    "blocks": (
        "$ vllm serve a/b -tp 8\nValueError: The output_size of gate's and up's weight = 192 is not divisible by "
        "weight quantization block_n = 128.", "width of 1,536", "number of cards 4",
    ),
    "a model that is not known": (
        "ValueError: Model architectures ['Step3p5ForCausalLM'] are not supported for now. Supported architectures: "
        "['LlamaForCausalLM']", "Step3p5ForCausalLM", "pip install -U",
    ),
    "a model that was known": (
        "ValueError: Model architecture MotifForCausalLM was supported in vLLM until v0.10.2, and is not supported "
        "anymore.", "until 0.10.2", "vllm==0.10.2",
    ),
    "a card that is too new": (
        "UserWarning: NVIDIA GeForce RTX 5090 with CUDA capability sm_120 is not compatible with the current PyTorch "
        f"installation.\nRuntimeError: {NO_KERNEL}", "compute capability 12.0", "built for this card",
    ),
    "code that was not loaded": (
        "ValueError: Model architectures ['LlamaForCausalLM'] are not supported for now. Supported architectures: "
        "['JambaForCausalLM', 'LlamaForCausalLM']", "an import failed", "above this line",
    ),
    "a method that is not known": (
        "ValueError: Unknown quantization method: modelopt_fp4. Must be one of ['awq'].", "stored as modelopt_fp4",
        "pip install -U",
    ),
}  # fmt: skip
"""What is pasted, what the answer says, and what it advises."""


@pytest.fixture
def page_of(bench: Bench, site: str) -> Any:
    """The page as it opens; nothing may go wrong there."""
    yield opened(bench, site)
    bench[1].assert_quiet()


def paste(found: Plan, text: str) -> None:
    """Put a text into the box and wait for what comes of it."""
    status = found.out("paste_status")
    found.page.evaluate("() => { document.querySelector('[data-out=paste_status]').textContent = ''; }")
    found.page.fill("#paste", text)
    expect(status).not_to_be_empty()
    found.page.wait_for_timeout(100)
    found.settled()


def copy_of(found: Plan) -> Any:
    """The button that copies the command."""
    return found.page.locator("[data-copy=command]")


@pytest.mark.parametrize("end", range(95, len(ERROR), 40))
def test_a_torn_error_is_answered_with_what_is_known(page_of: Plan, end: int) -> None:
    """Rule: never the answer of before; where nothing can be read, that is said."""
    paste(page_of, "vllm serve Qwen/Qwen3-8B")
    paste(page_of, ERROR[:end])
    expect(page_of.out("verdict")).not_to_have_text(PAGE["badge"]["starts"])
    assert page_of.out("verdict").inner_text() in (PAGE["badge"]["refuses"], ALONE["badge_none"])


@pytest.mark.parametrize("name", UNREAD)
def test_what_is_not_understood_has_no_answer(page_of: Plan, name: str) -> None:
    """Rule: no verdict of another plan, and no command to copy; below stands the page's own plan, and says so."""
    paste(page_of, "vllm serve Qwen/Qwen3-8B")
    paste(page_of, UNREAD[name])
    expect(page_of.out("verdict")).to_have_text(ALONE["badge_none"])
    expect(page_of.out("sentence")).to_have_text(ALONE["nothing"])
    expect(page_of.out("about")).to_contain_text("own plan")
    expect(copy_of(page_of)).to_be_hidden()
    expect(page_of.field("model")).to_have_value(PAGE["opening"]["model"])


OTHER = {
    "nccl": "torch.distributed.DistBackendError: NCCL error in: NCCLUtils.hpp:77, unhandled system error\n"
    "RuntimeError: Engine core initialization failed. See root cause above.",
    "cause_missing": "RuntimeError: Engine core initialization failed. See root cause above. Failed core proc(s): {}",
    "gated": "OSError: You are trying to access a gated repo.",
}
"""What is no matter of a start's memory, by the key of its sentence."""


@pytest.mark.parametrize("key", OTHER)
def test_what_is_no_matter_of_memory_is_called_so(page_of: Plan, key: str) -> None:
    """Rule: what it is stands where the verdict stands, with no command; the page's own plan is called its own."""
    paste(page_of, "vllm serve Qwen/Qwen3-8B")
    paste(page_of, OTHER[key])
    expect(page_of.out("verdict")).to_have_text(ALONE["badge_others"][key])
    expect(page_of.out("sentence")).to_have_text(PAGE["problems"][key])
    expect(page_of.out("about")).to_contain_text("own plan")
    expect(copy_of(page_of)).to_be_hidden()


@pytest.mark.parametrize("name", NEWER)
def test_what_is_refused_for_another_reason_than_memory_is_answered(page_of: Plan, name: str) -> None:
    """Rule: why, in plain words, from the text alone, with what can be done, and never another plan's verdict."""
    text, why, way = NEWER[name]
    paste(page_of, "vllm serve Qwen/Qwen3-8B")
    paste(page_of, text)
    expect(page_of.out("verdict")).to_have_text(PAGE["badge"]["refuses"])
    expect(page_of.out("sentence")).to_contain_text(why)
    expect(page_of.out("first")).to_contain_text(way)
    assert "{" not in page_of.page.locator("#answer").inner_text()


def test_a_log_that_was_refused_is_never_said_to_start(page_of: Plan) -> None:
    """Rule: where the plan of its command would start, what the log says stands there, and how it is meant."""
    paste(page_of, "vllm serve Qwen/Qwen3-8B")
    expect(page_of.out("verdict")).to_have_text(PAGE["badge"]["starts"])
    paste(page_of, f"$ vllm serve Qwen/Qwen3-8B\nRuntimeError: {NO_KERNEL}")
    expect(page_of.out("verdict")).to_have_text(PAGE["badge"]["refuses"])
    expect(page_of.out("sentence")).to_have_text(ALONE["no_kernel"])
    expect(page_of.out("about")).to_contain_text("pasted text alone")
    expect(page_of.out("command")).to_have_text("vllm serve Qwen/Qwen3-8B")


def test_misspelt_flags_are_named_and_corrected(page_of: Plan) -> None:
    """Rule: vLLM refuses them; the command has the nearest, with the value that was given."""
    paste(page_of, "vllm serve Qwen/Qwen3-8B --max-modellen 4096")
    expect(page_of.out("verdict")).to_have_text(ALONE["badge_flags"])
    expect(page_of.out("command")).to_have_text("vllm serve Qwen/Qwen3-8B --max-model-len 4096")


def test_a_start_that_went_well_is_called_so(page_of: Plan) -> None:
    """Rule: its own figures, no model of an earlier paste, and the question for the model."""
    paste(page_of, "vllm serve Qwen/Qwen3-8B --max-model-len 4096")
    paste(page_of, STARTED)
    expect(page_of.out("verdict")).to_have_text(ALONE["badge_started"])
    expect(page_of.out("sentence")).to_contain_text("19.54 GiB")
    expect(page_of.out("sentence")).to_contain_text(ALONE["ask_model"])
    expect(page_of.field("model")).to_have_value("")
    expect(page_of.page.locator("#notices")).to_have_text(PAGE["paste"]["set_back"])


def test_a_card_of_ones_own_never_stays_without_its_memory(page_of: Plan) -> None:
    """Rule: another paste begins with the opening's card."""
    paste(page_of, "ValueError: Free memory on device (30.1/61.3 GiB) on startup is less than desired GPU memory "
          "utilization (0.9, 55.17 GiB).")  # fmt: skip
    expect(page_of.field("card")).to_have_value("own")
    paste(page_of, "vllm serve Qwen/Qwen3-8B")
    expect(page_of.field("card")).to_have_value(PAGE["opening"]["card"])
    expect(page_of.out("stale")).to_be_hidden()


@pytest.mark.parametrize("name", ["card", "gpu_memory_utilization", "version", "model"])
def test_a_logs_pool_holds_for_its_own_settings(page_of: Plan, name: str) -> None:
    """Rule: it goes when one of those moves that the text names, and a notice says so."""
    paste(page_of, f"GPU 0: NVIDIA GeForce RTX 4090\nvLLM API server version 0.19.0\n{MEASURED}")
    page_of.page.locator("details[data-group=measured]").evaluate("(node) => { node.open = true; }")
    expect(page_of.field("measured_kv_gib")).to_have_value("5.19")
    values = {"card": "l4", "gpu_memory_utilization": "0.8", "version": "0.20.0", "model": "Qwen/Qwen3-4B"}
    page_of.type(name, values[name])
    expect(page_of.field("measured_kv_gib")).to_have_value("")
    expect(page_of.page.locator("#notices")).to_have_text(PAGE["settings"]["pool_dropped"])


@pytest.mark.parametrize("name", ["card", "version"])
def test_a_logs_pool_stays_where_the_reader_says_what_the_text_does_not(page_of: Plan, name: str) -> None:
    """Rule: card and version are chosen for the same start, whose figures stay."""
    paste(page_of, MEASURED)
    page_of.type(name, {"card": "rtx-3090", "version": "0.20.0"}[name])
    page_of.page.locator("details[data-group=measured]").evaluate("(node) => { node.open = true; }")
    expect(page_of.field("measured_kv_gib")).to_have_value("5.19")
    expect(page_of.field("max_model_len")).to_have_value("8192")


def test_a_config_may_be_given_a_name(page_of: Plan) -> None:
    """Rule: a place for the name until one is typed; the config stays; a name from the list takes its place."""
    paste(page_of, json.dumps(CONFIG))
    expect(page_of.out("command")).to_have_text("vllm serve '<your-model>'")
    page_of.field("model").fill("my-company/secret-1B")
    expect(page_of.out("command")).to_have_text("vllm serve my-company/secret-1B")
    expect(page_of.out("own")).to_be_visible()
    page_of.field("model").fill("Qwen/Qwen3-8B")
    expect(page_of.out("own")).to_be_hidden()


def test_a_loose_name_is_written_in_full(page_of: Plan) -> None:
    """Rule: the command has the name that Hugging Face knows; the field keeps what was typed."""
    page_of.field("model").fill("llama 3.1 8b")
    expect(page_of.out("command")).to_contain_text("vllm serve meta-llama/Llama-3.1-8B")
    expect(page_of.field("model")).to_have_value("llama 3.1 8b")


def test_nothing_of_a_stale_answer_can_be_taken(page_of: Plan) -> None:
    """Rule: neither copied nor used, until the field can be used again."""
    page_of.set({"card": "rtx-3090", "max_model_len": 131072})
    page_of.type("max_num_seqs", "0")
    expect(copy_of(page_of)).to_be_disabled()
    for button in page_of.page.locator("#levers button, #answer .first button").all():
        expect(button).to_be_disabled()
    page_of.type("max_num_seqs", "8")
    expect(copy_of(page_of)).to_be_enabled()


def test_a_bad_link_has_no_last_answer(page_of: Plan) -> None:
    """Rule: what stands there is the page's own plan, and is not called the last answer."""
    page_of.open("?card=l4&model=nobody/none&unknown=1")
    expect(page_of.out("stale")).to_contain_text("own plan")
    expect(copy_of(page_of)).to_be_disabled()
    expect(page_of.page.locator("#notices")).to_contain_text("unknown")


def test_letters_that_cannot_be_seen_are_shown(page_of: Plan) -> None:
    """Rule: as escapes, and no command until they are gone; NULs are left out, and that is said."""
    paste(page_of, "vllm serve Qwen/Qwen3-\u202e8B")
    expect(page_of.out("sentence")).to_contain_text("\\u{202e}")
    expect(copy_of(page_of)).to_be_hidden()
    page_of.page.evaluate(
        """() => {
          const transfer = new DataTransfer();
          transfer.items.add(new File(['vllm serve Qwen/Qwen3-8B\\u0000 --max-model-len 4096'], 'a.txt'));
          const file = document.querySelector('#paste-file');
          file.files = transfer.files;
          file.dispatchEvent(new Event('change'));
        }"""
    )
    expect(page_of.out("command")).to_have_text("vllm serve Qwen/Qwen3-8B --max-model-len 4096")
    expect(page_of.out("paste_status")).to_contain_text(PAGE["paste"]["nulls"])


def test_what_is_not_in_the_link_is_said_beside_it(page_of: Plan) -> None:
    """Rule: a pasted answer is not in it, the settings that it named are."""
    paste(page_of, ERROR)
    expect(page_of.out("link_note")).to_have_text(PAGE["settings"]["link_lacks"])
    page_of.page.wait_for_url("**max_model_len=40960*")
    page_of.type("max_num_seqs", "8")
    expect(page_of.out("link_note")).to_be_hidden()


def test_numbers_are_those_of_a_command_line(page_of: Plan) -> None:
    """Rule: .9 is a number, 9e-1 is none, and says so."""
    page_of.type("gpu_memory_utilization", ".9")
    expect(page_of.out("command")).to_contain_text("--gpu-memory-utilization 0.9")
    page_of.type("gpu_memory_utilization", "9e-1")
    expect(page_of.page.locator("#gpu_memory_utilization-error")).to_be_visible()


def test_the_focus_stays_in_the_answer(page_of: Plan) -> None:
    """Rule: the button that was pressed goes; the focus is on the next one, or on the verdict."""
    page_of.set({"card": "rtx-3090", "max_model_len": 131072})
    page_of.out("first").locator("button").click()
    page_of.settled()
    assert page_of.page.evaluate("() => document.activeElement.closest('#answer') !== null")


def test_the_verdict_stands_at_the_bar_of_a_phone(page_of: Plan) -> None:
    """Rule: at 360 px the bar that stays in view has the verdict's word."""
    page_of.page.set_viewport_size({"width": 360, "height": 740})
    expect(page_of.out("bar_verdict")).to_be_visible()
    expect(page_of.out("bar_verdict")).to_have_text(page_of.out("verdict").inner_text())


@only("chromium", "Firefox's driver grants no clipboard")
@pytest.mark.parametrize("form", ["docker", "kubernetes"])
def test_what_is_copied_is_read_back_to_the_same(page_of: Plan, form: str) -> None:
    """Rule: each form, copied from the built page and pasted there, gives the same settings and opens its own tab."""
    page_of.set({"max_num_seqs": 64, "max_model_len": 8192})
    command = page_of.out("command").inner_text()
    page_of.page.locator(f"[data-form={form}]").click()
    copy_of(page_of).click()
    expect(page_of.page.locator("[role=status]")).to_have_text(PAGE["answer"]["copied_said"])
    text = page_of.page.evaluate("() => navigator.clipboard.readText()")
    page_of.open()
    paste(page_of, text)
    expect(page_of.page.locator(f"[data-form={form}]")).to_have_attribute("aria-pressed", "true")
    assert page_of.out("command").inner_text() == text
    page_of.page.locator("[data-form=serve]").click()
    assert page_of.out("command").inner_text() == command
