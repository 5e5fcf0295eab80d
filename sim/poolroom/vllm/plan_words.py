"""A plan in sentences: plain words beside vLLM's names, every number with its unit."""

import math
from typing import Any, TypedDict

from .command import NAMELESS, number_text
from .divided import EXPERTS
from .fix_words import filled, fix_lines, reach_lines, shown_value, size, upgrade_rows
from .plan import Plan
from .plan import plan as planned
from .plan_facts import VERSIONS, WORDS
from .refusals import PROFILED, STAYS
from .released import release_with
from .rounding import commas, fixed
from .shares import FINE
from .upgrade import Upgrade
from .verdict import Refusal
from .versions import read_version

OF_MEMORY = ("no_blocks", "one_chat", "out_of_memory", "mamba_seats")
"""Names of the refusals against which more memory of the card helps."""
UNCOUNTED = VERSIONS["uncounted"]
"""Settings that are named and not counted, without unit: which save memory of the card, which take the computer's."""


class Said(TypedDict):
    """One part of a plan in words.

    Attributes:
        name: "head", "why", "vllm", "fixes", "demand", "reach", "dangers", "command", "parts" or "limits"
        title: what stands above it, or nothing
        lines: sentences, or rows
    """

    name: str
    title: str
    lines: list[str]


def say(plan: Plan) -> list[Said]:
    """A plan in parts, each with its sentences; parts that have nothing to say are left out.

    Args:
        plan: the plan

    Returns:
        The parts, in the order in which they are read.

    Raises:
        PlanError: for a number that is not finite
    """
    verdict = plan["verdict"]
    parts: list[Said] = [
        {"name": "head", "title": "", "lines": [WORDS["outcome"][verdict["outcome"]], *about_lines(plan)]},
        {"name": "why", "title": "", "lines": why_lines(plan)},
        {"name": "dangers", "title": "", "lines": danger_lines(plan)},
        _command_part(plan),
        {"name": "vllm", "title": WORDS["vllm_says"], "lines": verdict["lines"]},
        {"name": "fixes", "title": "", "lines": [] if plan["fixes"] is None else fix_lines(plan["fixes"])},
        {"name": "reach", "title": "", "lines": _reach_lines(plan)},
        {"name": "parts", "title": WORDS["parts"], "lines": part_lines(plan)},
        {"name": "limits", "title": "", "lines": limit_lines(plan)},
    ]
    return [part for part in parts if part["lines"]]


def as_text(plan: Plan) -> str:
    """A plan as text for a terminal.

    Args:
        plan: the plan

    Returns:
        Lines, with a line break after each.

    Raises:
        PlanError: for a number that is not finite
    """
    blocks = []
    for part in say(plan):
        indent = "  " if part["title"] else ""
        lines = [f"{indent}{line}" for whole in _bulleted(plan, part) for line in whole.split("\n")]
        blocks.append("\n".join([part["title"], *lines] if part["title"] else lines))
    return "\n\n".join(blocks) + "\n"


def _bulleted(plan: Plan, part: Said) -> list[str]:
    # What is one of several stands with a bullet: changes, lengths of chats, settings, parts.
    fixes, reach, whole = plan["fixes"], plan["reach"], len(part["lines"])
    first, after = whole, whole
    again = whole
    if part["name"] == "parts":
        first = 0
    elif part["name"] == "fixes" and fixes is not None:
        first = whole - len(fixes["fixes"])
    elif part["name"] == "reach" and reach is not None:
        # After the worst case the lengths; two sentences on, the settings.
        first, after = 1, len(reach["rooms"])
        again = after + 2
    ways = 0 if reach is None else len(reach["ways"])
    lines = []
    for place, line in enumerate(part["lines"]):
        listed = first <= place < after or again <= place < again + ways
        lines.append(f"- {line}" if listed else line)
    return lines


def as_json(plan: Plan) -> dict[str, Any]:
    """A plan as data: the record itself, with its sentences.

    Args:
        plan: the plan

    Returns:
        The fields of Plan, and the parts in words under the name "said".

    Raises:
        PlanError: for a number that is not finite
    """
    return {**plan, "said": say(plan)}


def answer(asked: Any, with_fixes: bool = True) -> dict[str, Any]:
    """A plan as data from its settings, in one call.

    Args:
        asked: settings by vLLM's names, and require_chats such as "8x32000"
        with_fixes: whether to look for changes and for how far each lever goes, which takes most of the time

    Returns:
        The fields of Plan, and the parts in words under the name "said".

    Raises:
        PlanError: for a setting that cannot be used
    """
    return as_json(planned(asked, with_fixes))


def about_lines(plan: Plan) -> list[str]:
    """Version, card and model in words, and what is not known of them.

    Args:
        plan: the plan

    Returns:
        Sentences.

    Raises:
        PlanError: for a number that is not finite
    """
    about, words = plan["about"], WORDS["about"]
    terms: dict[str, str] = {
        "version": about["version"],
        "rules_of": about["rules_of"],
        "card": about["card_title"],
        "model": about["model"] or NAMELESS,
        "total": size(plan["budget"]["total_bytes"]),
        "total_kind": words[about["total_kind"]],
    }
    lines = [filled(words["line"], terms)]
    if words[about["rules"]]:
        lines.append(filled(words[about["rules"]], terms))
    return lines


def why_lines(plan: Plan) -> list[str]:
    """Why it does not start, how sure that is, and what was required of it.

    Args:
        plan: the plan

    Returns:
        Sentences.

    Raises:
        PlanError: for a number that is not finite
    """
    verdict = plan["verdict"]
    refusal = verdict["refusal"]
    lines = [] if refusal is None else [refusal_line(plan, refusal), *_saves_lines(plan, refusal)]
    if not verdict["sure"]:
        lines.extend(_close_lines(plan))
    demand = plan["demand"]
    if demand is not None:
        terms = {
            "count": commas(demand["count"]),
            "longest": commas(demand["longest"]),
            "needed": commas(demand["needed_blocks"]),
            "blocks": commas(demand["blocks"]),
        }
        key = "met" if demand["met"] else demand["lacks"]
        one = f"{key}_one" if demand["count"] == 1 else key
        lines.append(filled(WORDS["demand"].get(one, WORDS["demand"][key]), terms))
    return lines


def _saves_lines(plan: Plan, refusal: Refusal) -> list[str]:
    # Experts are spread over more cards only where there are copies of the rest.
    names = [
        name for name in plan["not_counted"]
        if name in UNCOUNTED["saves"] and (name != EXPERTS or "data_parallel_size" in plan["not_counted"])
    ]  # fmt: skip
    if not names or refusal["key"] not in OF_MEMORY:
        return []
    return [filled(WORDS["saves"], {"names": ", ".join(names)})]


def _close_lines(plan: Plan) -> list[str]:
    # What is close is said of what is close: the pool against the longest chat, or the peak against what is free.
    verdict, budget = plan["verdict"], plan["budget"]
    stage = budget["stages"][budget["stage"]]
    refusal = verdict["refusal"]
    key = "starts" if refusal is None else "refuses"
    if refusal is not None and refusal["key"] == "out_of_memory":
        names = STAYS if refusal["terms"].get("allocating") else PROFILED
        parts = [part for part in budget["stages"][refusal["stage"]]["parts"] if part["name"] in names]
        spare = verdict["spare_bytes"] + sum(part["bytes"] - part["low"] for part in parts)
        return [filled(WORDS["sure"]["peak_refuses"], {"spare": size(max(0, spare))})]
    lack = stage["kv_bytes"] - stage["kv_low"] - verdict["spare_bytes"]
    if refusal is not None or lack > 0:
        spare = stage["kv_high"] - stage["kv_bytes"] + verdict["spare_bytes"]
        return [filled(WORDS["sure"][key], {"lack": size(max(0, lack)), "spare": size(max(0, spare))})]
    most = 0
    for of in budget["stages"]:
        most = max(most, sum(part["high"] for part in of["parts"] if part["name"] in PROFILED))
    return [filled(WORDS["sure"]["peak_starts"], {"lack": size(max(0, most - budget["free_bytes"]))})]


def refusal_line(plan: Plan, refusal: Refusal) -> str:
    """Why vLLM refuses, in plain words.

    Args:
        plan: the plan
        refusal: its refusal

    Returns:
        Sentences.

    Raises:
        PlanError: for a number that is not finite
    """
    verdict, budget, terms = plan["verdict"], plan["budget"], refusal["terms"]
    words: dict[str, str] = {}
    for name, value in terms.items():
        if name.endswith("_bytes"):
            words[name[:-6]] = size(value)
        elif not isinstance(value, bool):
            words[name] = shown_value(value)
    words["pool"] = size(terms.get("kv_bytes", 0))
    words["short"] = size(max(0, 0 - verdict["spare_bytes"]))
    words["held"] = size(budget["in_use_bytes"])
    words["share_free"] = number_text(math.floor(budget["free_bytes"] / budget["total_bytes"] * FINE) / FINE)
    words["token"] = fixed(verdict["needed_bytes"] / max(1, verdict["longest"]) / 1024, 1)
    cases = [name for name in ("loading", "allocating") if terms.get(name)]
    key = cases[0] if cases else refusal["key"]
    if key == "no_blocks" and terms["others_bytes"] > 0 and terms["kv_bytes"] + terms["others_bytes"] > 0:
        # Without the others there would be a pool.
        key = "no_blocks_others"
        words["requested"] = size(budget["requested_bytes"])
    return filled(WORDS["refusal"][key], words)


def _command_part(plan: Plan) -> Said:
    # The one command is the one that starts.
    fixes = [] if plan["fixes"] is None else plan["fixes"]["fixes"]
    freed = bool(fixes) and list(fixes[0]["changes"]) == ["in_use_gib"]
    able = [fix["changes"] for fix in fixes if list(fix["changes"]) != ["in_use_gib"]][:1]
    if freed and not plan["fixed_command"]:
        return {"name": "command", "title": WORDS["freed_command"], "lines": [plan["command"]]}
    if plan["fixed_command"]:
        also = any("in_use_gib" in changes for changes in able)
        title = WORDS["freed_command" if also else "freed_fixed_command" if freed else "fixed_command"]
        return {"name": "command", "title": title, "lines": [plan["fixed_command"]]}
    return {"name": "command", "title": WORDS["command"], "lines": [plan["command"]]}


def _reach_lines(plan: Plan) -> list[str]:
    if plan["reach"] is None:
        return []
    return reach_lines(plan["reach"], plan["budget"]["capacity"]["concurrency"])


def danger_lines(plan: Plan) -> list[str]:
    """What may end a server that starts.

    Args:
        plan: the plan

    Returns:
        Sentences.

    Raises:
        PlanError: for a number that is not finite
    """
    about, order = plan["about"], read_version(plan["about"]["version"])["order"]
    share = next(shown["value"] for shown in plan["settings"] if shown["name"] == "gpu_memory_utilization")
    terms = {
        "graphs": size(plan["verdict"]["over_bytes"]), "share": number_text(share),
        "lacking": size(plan["budget"]["lacking_bytes"]), "version": about["version"],
        "architecture": about["architecture"], "has": release_with(about["architecture"], order),
    }  # fmt: skip
    return [filled(WORDS["danger"][name], terms) for name in plan["verdict"]["dangers"]]


def part_lines(plan: Plan) -> list[str]:
    """Who has how much of a card, in rows.

    Args:
        plan: the plan

    Returns:
        Rows.

    Raises:
        PlanError: for a number that is not finite
    """
    budget = plan["budget"]
    stage = budget["stages"][budget["stage"]]
    lines = [_row("in_use", budget["in_use_bytes"]), _row("requested", budget["requested_bytes"])]
    for part in stage["parts"]:
        kind = WORDS["kind"][part["kind"]]
        source = WORDS["source"].get(part["source"], part["source"])
        row = {"name": WORDS["part"][part["name"]], "bytes": size(part["bytes"]), "kind": f"{kind}: {source}"}
        spread = part["low"] != part["bytes"] or part["high"] != part["bytes"]
        terms = {**row, "low": size(part["low"]), "high": size(part["high"])}
        lines.append(filled(WORDS["row" if spread else "row_kind"], terms))
    terms = {"name": WORDS["part"]["kv"], "bytes": size(stage["kv_bytes"])}
    if stage["kv_low"] != stage["kv_high"]:
        terms = {**terms, "low": size(stage["kv_low"]), "high": size(stage["kv_high"]), "kind": WORDS["kind"]["rest"]}
        lines.append(filled(WORDS["row"], terms))
    else:
        lines.append(filled(WORDS["row_plain"], terms))
    lines.append(_row("unused", budget["unused_bytes"]))
    return lines


def _row(name: str, count: int) -> str:
    return filled(WORDS["row_plain"], {"name": WORDS["part"][name], "bytes": size(count)})


def limit_lines(plan: Plan) -> list[str]:
    """What was guessed, and what is not counted.

    Args:
        plan: the plan

    Returns:
        Sentences.
    """
    lines = []
    other = [each for each in plan["not_counted"] if each not in UNCOUNTED["saves"] and each not in UNCOUNTED["host"]]
    sorts = {
        f"not_counted_{name}": [each for each in plan["not_counted"] if each in UNCOUNTED[name]]
        for name in ("saves", "host")
    }
    for name, told in {"guesses": plan["guesses"], "not_counted": other, **sorts}.items():
        if told:
            names = [WORDS["told"].get(each, each) for each in told]
            lines.append(filled(WORDS[name], {"names": ", ".join(names)}))
    return lines


def upgrade_text(upgrade: Upgrade) -> str:
    """What becomes of a plan in another version, as text for a terminal.

    Args:
        upgrade: the comparison

    Returns:
        Lines, with a line break after each.

    Raises:
        PlanError: for a number that is not finite
    """
    words = WORDS["upgrade"]
    before, after = upgrade["versions"]
    outcomes = [WORDS["outcome"][name] for name in upgrade["outcomes"]]
    lines = [filled(words["head"], {"before": before, "after": after})]
    lines.append(filled(words["outcome"], {"before": outcomes[0], "after": outcomes[1]}))
    lines.extend(upgrade_rows(upgrade))
    if len(lines) == 2:
        lines.append(words["same"])
    if upgrade["fixes"] is not None:
        lines.extend(["", *fix_lines(upgrade["fixes"])])
    return "\n".join([*lines, "", WORDS["command"], f"  {upgrade['commands'][1]}"]) + "\n"
