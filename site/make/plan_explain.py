"""How the plan page explains its numbers, with today's figures, as `site/plan/explain.js` does."""

from typing import Any

from plan_scene import PAGE, RESERVE, Record, changes_text
from poolroom.vllm.command import number_text
from poolroom.vllm.fix_words import filled, shown_value, size
from poolroom.vllm.graphs import graphs_captured, graphs_counted
from poolroom.vllm.plan import Plan
from poolroom.vllm.plan_facts import FITTED
from poolroom.vllm.plan_words import as_text
from poolroom.vllm.reserve import compiles, forward_bytes, sampler_bytes, sampler_of, value_bytes, word_bytes
from poolroom.vllm.rounding import commas, fixed
from poolroom.vllm.trial import Trial, tried

WORDS = PAGE["explain"]
NUMBERS = WORDS["numbers"]
STEPS = (
    ("max_num_seqs", 2), ("max_num_batched_tokens", 2), ("max_model_len", 2), ("gpu_memory_utilization", 0),
    ("kv_cache_dtype", 0), ("enforce_eager", 0), ("estimate_cudagraphs", 0), ("tensor_parallel_size", 0),
)  # fmt: skip
"""What is tried to give memory back: each setting by itself, some divided by a number."""
MOST_SHARE = 0.95
HOLDERS = 3


def explain_scene(plan: Plan, at: Trial) -> Record:
    """Give each number's formula with its figures, who holds the memory, and the text for a ticket."""
    return {
        "holds": holds_lines(plan),
        "numbers": [entry(name, *number(plan, at)) for name, number in NUMBERS_OF.items()],
        "ticket": as_text(plan),
    }


def entry(name: str, key: str, terms: dict[str, Any], value: str) -> Record:
    """Give one number: its name, its value, its formula, what moves it and its source."""
    words = NUMBERS[name]
    return {
        "name": words["name"], "value": value, "formula": filled(words[key], {"value": value.split(" ")[0], **terms}),
        "moves": words["moves"], "source": words["source"],
    }  # fmt: skip


def holds_lines(plan: Plan) -> list[str]:
    """Say which parts hold most of the card, the largest first."""
    budget = plan["budget"]
    stage = budget["stages"][budget["stage"]]
    sizes = [(part["bytes"], part["name"]) for part in stage["parts"]]
    sizes += [(max(0, stage["kv_bytes"]), "kv"), (max(0, budget["unused_bytes"]), "unused"),
              (budget["in_use_bytes"], "held")]  # fmt: skip
    largest = sorted(sizes, key=lambda one: -one[0])[:HOLDERS]
    total = budget["total_bytes"]
    return [
        filled(WORDS["holds_more" if count > total else "holds_line"],
               {"name": PAGE["parts"][name], "percent": fixed(100 * count / total, 0), "gib": size(count)})
        for count, name in largest
    ]  # fmt: skip


Number = tuple[str, dict[str, Any], str]
"""Key of the formula's template, its terms, and the number itself with its unit."""


def part_of(plan: Plan, name: str) -> int:
    """Give a part's bytes, of the stage that decides."""
    budget = plan["budget"]
    return next(part["bytes"] for part in budget["stages"][budget["stage"]]["parts"] if part["name"] == name)


def in_gib(count: float) -> str:
    """Give bytes in GiB with the unit."""
    return f"{size(count)} GiB"


def _requested(plan: Plan, at: Trial) -> Number:
    settings = at["settings"]
    terms = {"total": size(settings["total_bytes"]), "share": shown_value(settings["share"])}
    return "formula", terms, in_gib(plan["budget"]["requested_bytes"])


def _weights(plan: Plan, at: Trial) -> Number:
    settings = at["settings"]
    cards = settings["tp"] * settings["pp"]
    terms = {
        "parameters": commas(settings["model"]["parameters"]),
        "stored": settings["model"]["quantisation"] or settings["dtype"],
        "cards": WORDS["cards_one"] if cards == 1 else filled(WORDS["cards"], {"count": str(cards)}),
    }
    return "formula", terms, in_gib(part_of(plan, "weights"))


def _activation(plan: Plan, at: Trial) -> Number:
    settings: Any = at["settings"]
    constants = FITTED["constants"]
    each = word_bytes(settings, sampler_of(settings), constants["sort_bytes"]["value"])
    compile_bytes = constants["compile_bytes"]["value"] if compiles(settings) else 0
    width = -(-settings["model"]["mlp_width"] // settings["tp"]) + settings["model"]["hidden_size"]
    terms = {
        "tokens": commas(settings["batched_tokens"]),
        "width": commas(width),
        "values": shown_value(constants["forward_values"]["value"]),
        "value_bytes": str(value_bytes(settings)),
        "forward": size(forward_bytes(settings, constants["forward_values"]["value"]) + compile_bytes),
        "compile": filled(WORDS["numbers"]["activation"]["compile"], {"compile": size(compile_bytes)})
        if compile_bytes
        else "",
        "words": commas(settings["model"]["vocab_size"]),
        "seats": commas(min(settings["seats"], settings["batched_tokens"])),
        "each": shown_value(each),
        "sampler": size(sampler_bytes(settings, each)),
    }
    return "formula", terms, in_gib(part_of(plan, "activation"))


def _non_torch(plan: Plan, at: Trial) -> Number:
    settings, constants = at["settings"], FITTED["constants"]
    several = settings["tp"] * settings["pp"] > 1
    communication = {"communication": size(constants["communication_bytes"]["value"])}
    terms = {
        "total": size(settings["total_bytes"]),
        "share": number_text(constants["non_torch_share"]["value"]),
        "several": filled(NUMBERS["non_torch"]["several"], communication) if several else "",
    }
    return "formula", terms, in_gib(part_of(plan, "non_torch"))


def _penalties(plan: Plan, at: Trial) -> Number:
    settings = at["settings"]
    count = part_of(plan, "penalties")
    terms = {
        "words": commas(settings["model"]["vocab_size"]), "count_bytes": str(FITTED["penalties"]["count_bytes"]),
        "seats": commas(settings["seats"]),
    }  # fmt: skip
    return "formula" if count > 0 else "none", terms, in_gib(count)


def _graphs(plan: Plan, at: Trial) -> Number:
    settings: Any = at["settings"]
    each = FITTED["constants"]["graph_bytes"]["value"] / 1048576
    terms = {"count": str(graphs_captured(settings)), "each": fixed(each, 2)}
    return "formula" if graphs_counted(settings) else "none", terms, in_gib(part_of(plan, "graphs"))


def _kv(plan: Plan, at: Trial) -> Number:
    budget = plan["budget"]
    stage = budget["stages"][budget["stage"]]
    settings = at["settings"]
    given = settings["measured"].get("kv_bytes") is not None or settings["kv_cache_memory_bytes"] is not None
    others = [stage["others_bytes"]] if stage["others_bytes"] > 0 else []
    parts = " − ".join(
        size(count) for count in [*others, part_of(plan, "weights"), *[part_of(plan, name) for name in RESERVE]]
    )
    terms = {"requested": size(budget["requested_bytes"]), "parts": parts}
    return "given" if given else "formula", terms, in_gib(stage["kv_bytes"])


def _tokens(plan: Plan, at: Trial) -> Number:
    budget = plan["budget"]
    stage = budget["stages"][budget["stage"]]
    terms = {
        "pool": commas(max(0, stage["kv_bytes"])), "block_bytes": commas(stage["layout"]["block_bytes"]),
        "blocks": commas(budget["blocks"]), "value": commas(budget["capacity"]["tokens"]),
    }  # fmt: skip
    return "formula", terms, terms["value"]


def _longest(plan: Plan, at: Trial) -> Number:
    verdict, budget = plan["verdict"], plan["budget"]
    refusal, per_chat = verdict["refusal"], budget["capacity"]["per_chat"]
    # Where something else was too little, what was needed is no chat's.
    asked_for = refusal is None or refusal["key"] in ("one_chat", "no_blocks")
    needed = per_chat * budget["stages"][budget["stage"]]["layout"]["block_bytes"]
    terms = {"longest": commas(verdict["longest"]), "per_chat": commas(per_chat)}
    return "formula", terms, in_gib(verdict["needed_bytes"] if asked_for else needed)


def _concurrency(plan: Plan, at: Trial) -> Number:
    capacity = plan["budget"]["capacity"]
    by_tokens = at["settings"]["rules"]["capacity"] in ("blocks", "v1_tokens")
    text = fixed(capacity["concurrency"], 2)
    terms = {
        "blocks": commas(capacity["blocks"]), "per_chat": commas(capacity["per_chat"]), "value": text,
        "tokens": commas(capacity["tokens"]), "longest": commas(plan["verdict"]["longest"]),
    }  # fmt: skip
    return "formula_tokens" if by_tokens else "formula", terms, f"{text}x"


NUMBERS_OF = {
    "requested": _requested, "weights": _weights, "activation": _activation, "non_torch": _non_torch,
    "penalties": _penalties, "graphs": _graphs, "kv": _kv, "tokens": _tokens, "longest": _longest,
    "concurrency": _concurrency,
}  # fmt: skip
"""The numbers that are explained, in the order in which one follows from the other."""


# --- what would give the most back ---


def back_lines(at: Trial) -> list[str]:
    """Say which single change gives the pool most, the best first."""
    found = [line for step in STEPS if (line := _back(at, *step)) is not None]
    found.sort(key=lambda one: -one[0])
    return [text for _, text in found] or [WORDS["back_none"]]


def _step(at: Trial, name: str, by: int) -> Any:
    settings: Any = at["settings"]
    now = {"max_num_seqs": "seats", "max_num_batched_tokens": "batched_tokens", "max_model_len": "longest"}
    if name in now:
        return settings[now[name]] // by or None
    if name == "gpu_memory_utilization":
        return MOST_SHARE if settings["share"] < MOST_SHARE else None
    if name == "kv_cache_dtype":
        small = settings["kv_dtype"].startswith("fp8") or settings["kv_dtype"].startswith("nvfp4")
        return None if small or "fp8" not in settings["rules"]["kv_dtypes"] else "fp8"
    if name == "enforce_eager":
        return None if settings["eager"] else True
    if name == "estimate_cudagraphs":
        return False if graphs_counted(settings) else None
    return settings["tp"] * 2


def _back(at: Trial, name: str, by: int) -> tuple[int, str] | None:
    value = _step(at, name, by)
    if value is None:
        return None
    other = tried(at, {name: value})
    if other is None or other["verdict"]["outcome"] == "refuses":
        return None
    gained = other["budget"]["kv_bytes"] - at["budget"]["kv_bytes"]
    tokens = other["budget"]["capacity"]["tokens"] - at["budget"]["capacity"]["tokens"]
    refused = at["verdict"]["outcome"] == "refuses"
    if not refused and tokens <= 0:
        return None
    key = "back_starts" if refused else "back_line" if gained > 0 else "back_tokens"
    shown = other["budget"]["capacity"]["tokens"] if refused else tokens
    terms = {"changes": changes_text({name: value}), "gib": size(gained), "tokens": commas(shown)}
    return shown, filled(WORDS[key], terms)
