"""What the plan page opens with: the plan of the opening settings in the reference's words, and its fields."""

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from plan_explain import back_lines, explain_scene
from plan_scene import PAGE, levers_scene, percent, scene
from poolroom.vllm.cards import card
from poolroom.vllm.fix_words import filled
from poolroom.vllm.plan import plan
from poolroom.vllm.plan_facts import CARDS, MODELS, QUANTISATIONS, VERSIONS
from poolroom.vllm.trial import trial

DTYPES = ("bfloat16", "float16", "float32")
ENGINES = ("V1", "V0")
GROUPS = ("main", "more", "measured")
STRETCHES = ("gpu_memory_utilization", "max_model_len", "max_num_seqs", "max_num_batched_tokens")
"""Settings under whose field a line shows where the server would not start; `site/plan/stretches.js` has the scales."""


@dataclass(frozen=True)
class Field:
    """One field of the settings, as the page opens with it."""

    name: str
    label: str
    unit: str
    kind: str
    help: str
    own: bool
    value: str
    default: str


def opening() -> dict[str, Any]:
    """Give everything that the page shows before any script runs."""
    asked = PAGE["opening"]
    found, at = plan(asked), trial(asked)
    whole = {**scene(found, at), "levers": levers_scene(found, at), "explain": explain_scene(found, at)}
    return {**whole, "back": back_lines(at)}


def fields(group: str) -> list[Field]:
    """Give the fields of a group, each with its opening value, or the default that it shows while it is empty."""
    defaults = opening()["defaults"]
    return [_field(each, defaults) for each in PAGE["fields"] if each["group"] == group]


def _field(facts: dict[str, Any], defaults: dict[str, str]) -> Field:
    name = facts["name"]
    value = str(PAGE["opening"].get(name, ""))
    default = facts.get("example") or defaults.get(name, "")
    return Field(name, facts["label"], facts.get("unit", ""), facts["kind"], facts["help"], facts.get("own", False),
                 value, default)  # fmt: skip


def default_text(value: str) -> str:
    """Say what an empty choice stands for."""
    return filled(PAGE["settings"]["default"], {"value": value}) if value else ""


def cards_by_maker() -> dict[str, list[Any]]:
    """Give all cards by who makes them."""
    makers: dict[str, list[Any]] = {name: [] for name in PAGE["settings"]["makers"]}
    for name in CARDS["cards"]:
        makers[CARDS["cards"][name]["maker"]].append(card(name))
    return makers


def options(kind: str) -> list[str]:
    """Give the choices of a list."""
    if kind == "kv_dtypes":
        rows = [names for engine in ENGINES for _, names in VERSIONS["rules"]["kv_dtypes"][engine]]
        return list(dict.fromkeys(name for names in reversed(rows) for name in names))
    return {
        "models": list(MODELS["models"]),
        "versions": [str(release) for release in reversed(VERSIONS["releases"])],
        "quantisations": list(QUANTISATIONS["methods"]),
        "dtypes": list(DTYPES),
        "engines": list(ENGINES),
        "switch": [],
    }.get(kind, [])


def plan_query(asked: dict[str, Any], compare: str = "") -> str:
    """Write the address of a plan: what was given, by vLLM's names."""
    pairs = [(name, _in_address(value)) for name, value in asked.items()]
    return "?" + urlencode([*pairs, *([("compare", compare)] if compare else [])])


def preset_query(item: dict[str, Any]) -> str:
    """Write the address of a preset."""
    return plan_query(item["asked"], item.get("compare", ""))


def _in_address(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


WRITTEN = ("title", "lead", "watch", "script", "presets")
"""Parts of the page's words that no script needs."""


def script_words() -> dict[str, Any]:
    """Give the words that the page's script needs; the others stand in the page alone."""
    whole = {key: part for key, part in PAGE.items() if key not in WRITTEN}
    numbers = {
        name: {key: part for key, part in each.items() if key not in ("moves", "source")}
        for name, each in PAGE["explain"]["numbers"].items()
    }
    fields = [{key: field[key] for key in ("name", "group", "kind")} for field in PAGE["fields"]]
    return {**whole, "fields": fields, "explain": {**PAGE["explain"], "numbers": numbers}}  # fmt: skip


GLOBALS: dict[str, Any] = {
    "PLAN": PAGE, "PLAN_GROUPS": GROUPS, "PLAN_STRETCHES": STRETCHES,
    "opening_plan": opening, "plan_fields": fields, "plan_options": options,
    "plan_query": plan_query, "script_words": script_words, "cards_by_maker": cards_by_maker,
    "default_text": default_text, "preset_query": preset_query, "NOWHERE": percent(0, 1),
}  # fmt: skip
