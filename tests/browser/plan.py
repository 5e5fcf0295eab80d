"""The plan page, driven as a reader drives it, beside what the reference says of the same settings."""

import json
from functools import cache
from typing import Any

from playwright.sync_api import Locator, Page

from plan_explain import back_lines, explain_scene
from plan_scene import PAGE, levers_scene, scene
from poolroom.vllm.plan import plan
from poolroom.vllm.trial import trial

PATH = "plan.html"
FIELDS: dict[str, Any] = {field["name"]: field for field in PAGE["fields"]}
LLAMA, QWEN = "meta-llama/Llama-3.1-8B-Instruct", "Qwen/Qwen3-8B"
PLANS: dict[str, dict[str, Any]] = {
    "opening": {},
    "29,000 in V0": {"card": "rtx-3090", "version": "0.6.4", "max_model_len": 29000, "gpu_memory_utilization": 0.9},
    "35,000 in V0": {"card": "rtx-3090", "version": "0.6.4", "max_model_len": 35000, "gpu_memory_utilization": 0.9},
    "120B on one card": {"card": "h100-sxm-80gb", "model": "openai/gpt-oss-120b", "version": "0.10.1.1"},
    "120B with fewer seats": {"card": "h100-sxm-80gb", "model": "openai/gpt-oss-120b", "max_num_seqs": 64},
    "another server on the card": {"in_use_gib": 12.01, "gpu_memory_utilization": 0.9},
    "half the card is taken": {"in_use_gib": 40},
    "too long for the model": {"max_model_len": 200000},
    "4k": {"max_model_len": "4k"},
    "auto": {"card": "rtx-3090", "max_model_len": "auto"},
    "slots for states": {"card": "h100-sxm-80gb", "model": "Qwen/Qwen3.5-27B", "max_num_seqs": 1024},
    "many cards": {"model": "meta-llama/Llama-3.1-70B-Instruct", "tensor_parallel_size": 4},
    "stages": {"model": "meta-llama/Llama-3.1-70B-Instruct", "pipeline_parallel_size": 2},
    "heads do not divide": {"tensor_parallel_size": 3},
    "fp8 cache": {"card": "rtx-4090", "model": QWEN, "kv_cache_dtype": "fp8", "max_model_len": 16384},
    "one big read": {"card": "rtx-4090", "model": QWEN, "version": "0.25.1", "max_num_batched_tokens": 8192},
    "eager": {"card": "rtx-3090", "model": QWEN, "enforce_eager": True},
    "graphs not counted": {"card": "rtx-3090", "model": QWEN, "version": "0.20.0", "estimate_cudagraphs": False},
    "no bfloat16": {"card": "t4", "model": "Qwen/Qwen2.5-1.5B-Instruct", "dtype": "bfloat16"},
    "a pool by hand": {"kv_cache_memory_bytes": 17181966336},
    "blocks by hand": {"num_gpu_blocks_override": 9000},
    "chats that fit": {"require_chats": "8x32000"},
    "chats that do not fit": {"card": "rtx-3090", "require_chats": "8x32000", "max_model_len": 32768},
    "measured": {"card": "rtx-3090", "model": QWEN, "measured_kv_gib": 4.12, "measured_weights_gib": 15.27},
    "memory of one's own": {"card": "rtx-3090", "total_gib": 23.58, "model": QWEN, "max_model_len": 8192},
    "on AMD": {"card": "mi300x", "model": "deepseek-ai/DeepSeek-V2-Lite"},
    "the class LLM": {"use_llm_class": True, "version": "0.11.0"},
    "the old engine": {"engine": "V0", "version": "0.8.5", "card": "a100-sxm-40gb"},
    "unified memory": {"card": "gb10", "model": QWEN, "gpu_memory_utilization": 0.95},
    "prompts in one read": {"version": "0.6.4", "max_num_batched_tokens": 1024},
}
"""Settings beside those of the opening, picked so that every kind of answer occurs."""


def asked_of(moved: dict[str, Any]) -> dict[str, Any]:
    """Settings as the page has them when these are moved."""
    return {**PAGE["opening"], **moved}


def expected(moved: dict[str, Any]) -> dict[str, Any]:
    """What the page has to show of settings, by the reference."""
    return dict(_expected(json.dumps(asked_of(moved))))


@cache
def _expected(text: str) -> dict[str, Any]:
    asked = json.loads(text)
    at = trial({name: value for name, value in asked.items() if name != "require_chats"})
    found = plan(asked)
    return {**scene(found, at), "levers": levers_scene(found, at), "explain": explain_scene(found, at),
            "back": back_lines(at)}  # fmt: skip


def wanted(moved: dict[str, Any]) -> dict[str, Any]:
    """The same as it is painted."""
    whole = expected(moved)
    answer, levers, bar = whole["answer"], whole["levers"], whole["bar"]
    first = levers["first"]
    return {
        "verdict": answer["badge"],
        "sentence": answer["sentence"].replace("*", ""),
        "about": answer["about"],
        "notes": answer["notes"],
        "command": (first or answer)["command"],
        "caption": (first or answer)["caption"],
        "lines": "\n".join(whole["lines"]),
        "legend": [[PAGE["parts"][each["name"]], each["text"]] for each in bar["pieces"] if each["there"]],
        "places": [[each["name"], each["x"], each["width"]] for each in bar["pieces"]],
        "band": [bar["band"]["x"], bar["band"]["width"]] if bar["band"] else ["0.0000%", "0.0000%"],
        "share": bar["share"],
        "share_text": bar["share_text"],
        "need": bar["need"]["text"] if bar["need"] else "",
        "table": [[row[key] for key in ("label", "text", "spread", "kind", "source")] for row in whole["table"]],
        "levers": [levers["title"], levers["notes"], [fix["text"] for fix in levers["fixes"]]],
        "reach": [[f"{way['lever']} {way['setting']}", way["now"], way["least"], way["most"], way["stops"]]
                  for way in levers["ways"]],
        "rooms": [whole["rooms"]["lead"].replace("*", ""), whole["rooms"]["notes"],
                  [[row["tokens"], row["chats"]] for row in whole["rooms"]["rows"]]],
        "one_chat": levers["one_chat"],
        "numbers": [[number[key] for key in ("name", "value", "formula")] for number in whole["explain"]["numbers"]],
        "holds": whole["explain"]["holds"],
        "back": whole["back"],
        "ticket": whole["explain"]["ticket"],
    }  # fmt: skip


PAINTED = """() => {
  const out = (name) => document.querySelector(`[data-out="${name}"]`);
  const text = (name) => out(name).textContent;
  const texts = (nodes) => [...nodes].map((node) => node.textContent.trim());
  const shown = (node) => !node.hidden;
  const rows = (name) => [...out(name).rows].map((row) => texts(row.cells));
  const at = (node, ...names) => names.map((name) => node.getAttribute(name));
  return {
    verdict: text('verdict'), sentence: text('sentence'), about: text('about'), notes: texts(out('notes').children),
    command: text('command'), caption: text('command_caption'), lines: text('lines'),
    legend: [...out('legend').children].filter(shown).map((item) => texts(item.querySelectorAll('span, b'))),
    places: [...out('picture').querySelectorAll('.piece')]
      .map((node) => [node.dataset.part, ...at(node, 'x', 'width')]),
    band: at(out('picture').querySelector('.band'), 'x', 'width'),
    share: out('picture').querySelector('.edge').getAttribute('x1'), share_text: text('share_text'),
    need: shown(out('need')) ? out('need').textContent.trim() : '', table: rows('table'),
    levers: [text('levers_title'), texts(out('levers_notes').children), texts(out('fixes').querySelectorAll('p'))],
    reach: rows('reach'),
    rooms: [text('rooms_lead'), texts(out('rooms_notes').children), rows('rooms')],
    one_chat: text('one_chat'),
    numbers: [...out('numbers').children].map((node) => texts(node.querySelectorAll('summary span, b, .formula'))),
    holds: texts(out('holds').children), back: texts(out('back').children), ticket: text('ticket'),
  };
}"""
"""All that is painted, by the names of `wanted`."""


class Plan:
    """The plan page on a browser's page."""

    def __init__(self, page: Page, site: str) -> None:
        self.page = page
        self.site = site

    def open(self, query: str = "") -> None:
        """Open the page and wait until it is alive and has tried everything out."""
        self.page.goto(self.site + PATH + query)
        self.page.locator("main[data-ready=yes]").wait_for()
        self.settled()

    def settled(self) -> None:
        """Wait for what takes trials."""
        self.page.locator("main[data-tried=yes]").wait_for()

    def field(self, name: str) -> Locator:
        """The field of a setting."""
        return self.page.locator(f"[data-setting={name}]")

    def out(self, name: str) -> Locator:
        """An output by its name."""
        return self.page.locator(f"[data-out={name}]")

    def set(self, moved: dict[str, Any]) -> None:
        """Move settings by their fields."""
        for name, value in moved.items():
            self.type(name, str(value).lower() if isinstance(value, bool) else str(value))
        self.settled()

    def type(self, name: str, text: str) -> None:
        """Write into a field, or choose from its list."""
        group = FIELDS[name]["group"]
        if group != "main":
            self.page.locator(f"details[data-group={group}]").evaluate("(node) => { node.open = true; }")
        field = self.field(name)
        if field.evaluate("(node) => node.localName") == "select":
            field.select_option(text)
        else:
            field.fill(text)

    def start_again(self) -> None:
        """Go back to the opening."""
        self.page.locator("[data-action=reset]").click()
        self.settled()

    def painted(self) -> dict[str, Any]:
        """All that the page shows now."""
        return dict(self.page.evaluate(PAINTED))


def differences(painted: dict[str, Any], moved: dict[str, Any]) -> dict[str, Any]:
    """What is painted otherwise than the reference says, both beside each other."""
    right = json.loads(json.dumps(wanted(moved)))
    return {name: (painted[name], right[name]) for name in right if painted[name] != right[name]}
