"""No task of the plan page takes long, whatever is given to it: by the browser's own account of its tasks."""

import json
import random
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.conftest import Open
from tests.browser.engines import only
from tests.browser.plan import PATH
from tests.browser.test_plan_page import ERROR

LONG_MS, TRIES, MEGABYTE = 50, 3, 1_000_000
OBSERVER = """
globalThis.long_tasks = [];
new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) long_tasks.push(duration);
}).observe({ type: 'longtask' });
"""
DONE = """() => {
  const said = document.querySelector('[data-out=paste_status]').textContent;
  const reading = !document.querySelector('#paste-progress').hidden;
  return said !== '' && !reading && document.querySelector('main').dataset.tried === 'yes';
}"""
KEEP = "(text) => { globalThis.kept = text; }"
PASTE = """() => setTimeout(() => {
  const transfer = new DataTransfer();
  transfer.setData('text/plain', kept);
  const area = document.querySelector('#paste');
  const paste = new ClipboardEvent('paste', { clipboardData: transfer, bubbles: true, cancelable: true });
  if (!area.dispatchEvent(paste)) return;
  area.value = kept;
  area.dispatchEvent(new Event('input', { bubbles: true }));
})"""
"""As pasting does it: what the page does not take itself, the browser puts into the box."""
LINE = (
    "(EngineCore_DP0 pid=77) INFO 11-30 12:00:00 [loggers.py:123] Engine 000: Avg prompt throughput: 0.0 tokens/s, "
    "Running: 1 reqs, GPU KV cache usage: 0.1%\n"
)
STARTED = """$ vllm serve Qwen/Qwen3-8B --max-model-len 8192 --foo-bar 1
INFO [gpu_worker.py:436] Available KV cache memory: 5.19 GiB
INFO [kv_cache_utils.py:1087] GPU KV cache size: 37,765 tokens
INFO [kv_cache_utils.py:1091] Maximum concurrency for 8,192 tokens per request: 4.61x
"""
CONFIG = {"architectures": ["LlamaForCausalLM"], "id2label": {str(i): f"LABEL_{i}" for i in range(22_000)}}
PLACES = {f"model.layers.{i}.mlp.experts.{i}.gate_proj.weight": "model-00001-of-9.safetensors" for i in range(24_000)}
INDEX = {"metadata": {"total_size": 16_381_470_720}, "weight_map": PLACES}
VALUES = [{"a": i, "b": [1, 2, {"c": "d"}]} for i in range(160_000)]
TEXTS: dict[str, Callable[[], bytes]] = {
    "50 MB of a log": lambda: (LINE * (50 * MEGABYTE // len(LINE)) + ERROR).encode(),
    "no text": lambda: random.Random("no text").randbytes(10 * MEGABYTE),
    "one line of 5 MB": lambda: b"x" * 5 * MEGABYTE + b" " + ERROR.encode(),
    "JSON of 5 MB": lambda: json.dumps(VALUES).encode(),
    "an index of 2 MB": lambda: json.dumps(INDEX).encode(),
    "a config that is torn at its end": lambda: json.dumps(CONFIG).encode()[:-3],
    "a log with a misspelt flag": lambda: STARTED.encode(),
    "pictures and letters of far countries": lambda: ("🦙漢字العربية" * 4_000).encode(),
}
CASES = [(name, pasted) for name in TEXTS for pasted in (False, True) if not (pasted and name.startswith("50 MB"))]
"""Opened as a file, and pasted; the driver carries no text of 50 MB into a page."""


def longest_of(trace: bytes) -> float:
    """The longest task of the page's thread, ms of its own time on a processor: what else runs is not counted."""
    events = json.loads(trace)["traceEvents"]
    mains = {
        (event["pid"], event["tid"])
        for event in events
        if event["name"] == "thread_name" and event["args"]["name"] == "CrRendererMain"
    }
    tasks = [event for event in events if event["name"].endswith("RunTask") and (event["pid"], event["tid"]) in mains]
    assert tasks
    return max(float(event.get("tdur", 0)) for event in tasks) / 1000


def give(page: Page, path: Path, pasted: bool) -> None:
    """Open a file in the page, or paste its text."""
    if pasted:
        page.evaluate(PASTE)
    else:
        page.locator("#paste-file").set_input_files(path)
    page.wait_for_function(DONE, timeout=60_000)


def tried(page: Page, path: Path, pasted: bool, browser: Browser) -> tuple[float, float]:
    """The longest task as the page observes it, 0 if none is long, and by its own time on a processor, ms."""
    page.locator("main[data-tried=yes]").wait_for()
    if pasted:
        page.evaluate(KEEP, path.read_bytes().decode("utf-8", "replace"))
    page.wait_for_timeout(200)
    browser.start_tracing(page=page, categories=["toplevel", "disabled-by-default-toplevel"])
    try:
        page.evaluate("() => { long_tasks.length = 0; }")
        give(page, path, pasted)
        page.wait_for_timeout(100)
        seen: list[Any] = page.evaluate("() => long_tasks")
    finally:
        trace = browser.stop_tracing()
    return max([*seen, 0.0]), longest_of(trace)


@only("chromium", "Firefox does not say which tasks are long")
@pytest.mark.parametrize(("name", "pasted"), CASES)
def test_no_task_takes_long(
    open_page: Open, browser: Browser, name: str, pasted: bool, tell: Callable[[str], None]
) -> None:
    """Rule: under 50 ms each from a cold start: as the page observes it in one of three tries, or by the thread's own
    time where something else holds the processor in all three."""
    text = TEXTS[name]()
    longest = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "pasted.txt"
        path.write_bytes(text)
        for _ in range(TRIES):
            page = open_page(PATH, script=OBSERVER)
            longest.append(tried(page, path, pasted, browser))
            page.context.close()
            if longest[-1][0] < LONG_MS:
                break
    seen, own = (min(each) for each in zip(*longest, strict=True))
    tell(f"{name}, {'pasted' if pasted else 'opened'}: longest task observed {seen:.0f} ms, own time {own:.1f} ms")
    assert seen < LONG_MS or own < LONG_MS, longest
