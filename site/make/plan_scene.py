"""What the plan page shows of a plan, each text and each length, as `site/plan/scene.js` makes them of the same."""

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from poolroom.vllm.command import command
from poolroom.vllm.fix_words import filled, fix_line, shown_value, size
from poolroom.vllm.fix_words import fix_lines as all_fix_lines
from poolroom.vllm.plan import Plan
from poolroom.vllm.plan_facts import WORDS
from poolroom.vllm.plan_words import about_lines, danger_lines, limit_lines, refusal_line, why_lines
from poolroom.vllm.refuse import PlanError
from poolroom.vllm.rounding import commas, fixed
from poolroom.vllm.trial import Trial, changed

PAGE: dict[str, Any] = json.loads(
    (Path(__file__).resolve().parents[2] / "sim/poolroom/facts/vllm/page.json").read_text("utf-8")
)
"""The page's own words, figures of presets, and fields."""
TYPICAL = 2000
"""The length of a typical chat, tokens, as the lesson has it."""
CROSS = 0.96
"""A crossed place is at least so wide: it begins here at the latest, as a part of the bar."""
RESERVE = ("activation", "non_torch", "penalties", "graphs")
Record = dict[str, Any]


def scene(plan: Plan, at: Trial) -> Record:
    """Give everything that the page shows of a plan at once; what needs trials stands in `levers_scene`."""
    return {
        "answer": answer_scene(plan),
        "bar": bar_scene(plan),
        "table": table_scene(plan, at),
        "lines": plan["verdict"]["lines"],
        "lines_note": filled(PAGE["lines"]["note"], {"version": plan["about"]["version"]}),
        "rooms": rooms_scene(plan),
        "defaults": defaults_of(plan, at),
    }


def percent(part: float, whole: float) -> str:
    """Write a length as a percentage of another."""
    return fixed(100 * part / whole, 4) + "%"


# --- the answer ---


def answer_scene(plan: Plan) -> Record:
    """Give badge, sentence, and what else is to be said of the verdict."""
    verdict = plan["verdict"]
    refusal = verdict["refusal"]
    why = why_lines(plan)
    sentence = starts_line(plan) if refusal is None else refusal_line(plan, refusal)
    notes = why if refusal is None else why[1:]
    return {
        "outcome": verdict["outcome"],
        "badge": PAGE["badge"][verdict["outcome"]],
        "sentence": sentence,
        "about": " ".join(about_lines(plan)),
        "notes": [*lower_lines(plan), *notes, *danger_lines(plan), *limit_lines(plan)],
        "command": plan["command"],
        "caption": PAGE["answer"]["command" if refusal is None else "command_refused"],
    }


def starts_line(plan: Plan) -> str:
    """Say what the pool of a server that starts holds."""
    capacity, rooms = plan["budget"]["capacity"], plan["rooms"]
    words = PAGE["answer"]
    typical = typical_room(plan)
    terms = {
        "pool": size(plan["budget"]["kv_bytes"]),
        "tokens": commas(capacity["tokens"]),
        "concurrency": fixed(capacity["concurrency"], 2),
        "longest": commas(rooms[-1]["tokens"]),
        **({} if typical is None else {"chats": commas(typical["chats"]), "typical": commas(typical["tokens"])}),
    }
    key = "starts_plain" if capacity["tokens"] == 0 else "starts_short" if typical is None else "starts"
    return filled(words[key], terms)


def typical_room(plan: Plan) -> Mapping[str, int] | None:
    """Give the room for typical chats, where a longest one is longer than those."""
    found = [room for room in plan["rooms"][:-1] if room["tokens"] == TYPICAL]
    return found[0] if found else None  # type: ignore[return-value]


def lower_lines(plan: Plan) -> list[str]:
    """Say where vLLM itself lowers the longest chat."""
    longest = plan["verdict"]["longest"]
    asked = next(shown["value"] for shown in plan["settings"] if shown["name"] == "max_model_len")
    if plan["verdict"]["refusal"] is not None or longest >= asked:
        return []
    return [filled(PAGE["answer"]["lower"], {"longest": commas(longest)})]


# --- the bar ---


def bar_scene(plan: Plan) -> Record:
    """Lay out the card's memory: parts from the left, what others hold at the right end."""
    budget, verdict = plan["budget"], plan["verdict"]
    stage = budget["stages"][budget["stage"]]
    inside = stage["others_bytes"]
    held = max(0, budget["in_use_bytes"] - inside)
    start = inside
    pieces = [{"name": "others", "kind": "held", "from": 0, "bytes": inside}]
    for part in stage["parts"]:
        pieces.append({"name": part["name"], "kind": part["kind"], "from": start, "bytes": part["bytes"]})
        start = start + part["bytes"]
    pool = max(0, stage["kv_bytes"])
    end = start + pool
    total = budget["total_bytes"]
    scale = max(total, end)
    pieces.append({"name": "kv", "kind": "rest", "from": start, "bytes": pool})
    pieces.append({"name": "unused", "kind": "rest", "from": end, "bytes": max(0, total - held - end)})
    pieces.append({"name": "held", "kind": "held", "from": total - held, "bytes": held})
    stages = len(budget["stages"]) > 1
    amounts = {"kv": stage["kv_bytes"], "unused": max(0, budget["unused_bytes"]), "held": budget["in_use_bytes"]}
    return {
        "pieces": [piece_of(piece, scale, amounts) for piece in pieces],
        "band": band_of(stage, start, scale),
        "cross": cross_of(start, pool, verdict["needed_bytes"], scale),
        "share": percent(budget["requested_bytes"], scale),
        "share_text": share_text(plan),
        "need": need_of(plan, start, scale),
        "caption": PAGE["bar"]["caption_stage" if stages else "caption"],
        "end": size(scale),
    }


def piece_of(piece: Record, scale: int, amounts: Mapping[str, int]) -> Record:
    """Give a part's place and width in percent, and its amount in GiB."""
    amount = amounts.get(piece["name"], piece["bytes"])
    return {
        "name": piece["name"],
        "kind": piece["kind"],
        "x": percent(piece["from"], scale),
        "width": percent(piece["bytes"], scale),
        "text": size(amount),
        "there": piece["name"] == "kv" or (amount > 0 and piece["name"] != "others"),
    }


def band_of(stage: Any, start: int, scale: int) -> Record | None:
    """Give where the pool may begin, or nothing where that is known."""
    if stage["kv_low"] == stage["kv_high"]:
        return None
    left = max(0, start - (stage["kv_high"] - stage["kv_bytes"]))
    right = min(scale, start + (stage["kv_bytes"] - stage["kv_low"]))
    return {"x": percent(left, scale), "width": percent(right - left, scale)}


def cross_of(start: int, pool: int, needed: int, scale: int) -> Record:
    """Give what is crossed out where it does not start: the pool, or the place where it would have to be."""
    latest = math.floor(scale * CROSS)
    left = start if pool > 0 else min(start, latest)
    width = pool if pool > 0 else max(scale - latest, min(needed, scale - left))
    return {"x": percent(left, scale), "width": percent(width, scale)}


def share_text(plan: Plan) -> str:
    """Say what the memory share is in GiB."""
    budget = plan["budget"]
    share = next(shown["value"] for shown in plan["settings"] if shown["name"] == "gpu_memory_utilization")
    terms = {"share": shown_value(share), "requested": size(budget["requested_bytes"])}
    return filled(PAGE["bar"]["share_at"], terms)


def need_of(plan: Plan, start: int, scale: int) -> Record | None:
    """Give the length of one longest chat beside the pool, and what it lacks."""
    verdict = plan["verdict"]
    refusal = verdict["refusal"]
    if verdict["needed_bytes"] <= 0 or (refusal is not None and refusal["key"] not in ("one_chat", "no_blocks")):
        return None
    short = max(0, -verdict["spare_bytes"]) if verdict["outcome"] == "refuses" else 0
    terms = {
        "longest": commas(verdict["longest"]), "needed": size(verdict["needed_bytes"]), "short": size(short),
    }  # fmt: skip
    fits = max(0, verdict["needed_bytes"] - short)
    return {
        "x": percent(min(start, scale), scale),
        "width": percent(min(verdict["needed_bytes"], max(0, scale - start)), scale),
        "fits": percent(min(fits, max(0, scale - start)), scale),
        "short": short > 0,
        "text": filled(PAGE["bar"]["need_short" if short > 0 else "need"], terms),
    }


def table_scene(plan: Plan, at: Trial) -> list[Record]:
    """Give each part's row: amount, spread, how it is known and from where."""
    budget = plan["budget"]
    stage = budget["stages"][budget["stage"]]
    rows = [
        row_of(part["name"], part["bytes"], part["low"], part["high"], PAGE["kinds"][part["kind"]],
               PAGE["sources"][part["source"]])
        for part in stage["parts"]
    ]  # fmt: skip
    settings = at["settings"]
    kind, source = "rest", "kv"
    if settings["measured"].get("kv_bytes") is not None:
        kind = source = "measured"
    elif settings["kv_cache_memory_bytes"] is not None:
        kind, source = "given", "kv_given"
    rows.append(row_of("kv", stage["kv_bytes"], stage["kv_low"], stage["kv_high"],
                       PAGE["kinds"][kind], PAGE["sources"][source]))  # fmt: skip
    unused = budget["unused_bytes"]
    rows.append(row_of("unused", unused, unused, unused, PAGE["kinds"]["rest"], PAGE["sources"]["unused"]))
    own = "in_use_gib" in settings["given"]
    kind = PAGE["kinds"]["given"] if own else WORDS["about"][settings["card"]["held_kind"]]
    held = budget["in_use_bytes"]
    rows.append(row_of("held", held, held, held, kind, PAGE["sources"]["held_given" if own else "held_default"]))
    return rows


def row_of(name: str, count: int, low: int, high: int, kind: str, source: str) -> Record:
    """Give one row of the table."""
    spread = "" if low == high else filled("{low}–{high}", {"low": size(low), "high": size(high)})
    return {
        "name": name, "label": PAGE["parts"][name], "text": size(count), "spread": spread, "kind": kind,
        "source": source,
    }  # fmt: skip


# --- chats ---


def rooms_scene(plan: Plan) -> Record:
    """Give how many chats fit: all as long as the longest beside typical ones."""
    words, rooms = PAGE["rooms"], plan["rooms"]
    if not rooms:
        return {"lead": words["none"], "rows": [], "notes": demand_notes(plan)}
    typical = typical_room(plan)
    terms = {
        "concurrency": fixed(plan["budget"]["capacity"]["concurrency"], 2),
        "longest": commas(rooms[-1]["tokens"]),
        **({} if typical is None else {"chats": commas(typical["chats"]), "typical": commas(typical["tokens"])}),
    }
    seats = next(shown["value"] for shown in plan["settings"] if shown["name"] == "max_num_seqs")
    most = max(room["chats"] for room in rooms)
    return {
        "lead": filled(words["worst_only" if typical is None else "worst"], terms),
        "rows": [{"tokens": commas(room["tokens"]), "chats": commas(room["chats"])} for room in rooms],
        "notes": [
            words["wait"],
            *([filled(words["seats"], {"seats": commas(seats)})] if most > seats else []),
            *demand_notes(plan),
        ],
    }


def demand_notes(plan: Plan) -> list[str]:
    """Say whether the chats that were asked for fit."""
    return [] if plan["demand"] is None else why_lines(plan)[-1:]


# --- what to change, and how far things go ---


def levers_scene(plan: Plan, at: Trial) -> Record:
    """Give the fixes with what each sets, or how far each lever goes; and the command that starts."""
    words = PAGE["levers"]
    fixes, reach = plan["fixes"], plan["reach"]
    found = [] if fixes is None else fixes["fixes"]
    notes = [] if fixes is None else [line for line in all_fix_lines(fixes) if line not in map(fix_line, found)]
    demand = plan["verdict"]["refusal"] is None and fixes is not None
    key = "title_reach" if fixes is None else "title_demand" if demand else "title_fixes"
    return {
        "title": words[key],
        "notes": notes,
        "fixes": [{"text": fix_line(fix), "changes": fix["changes"], "name": changes_text(fix["changes"])}
                  for fix in found],
        "ways": [] if reach is None else [way_row(way) for way in reach["ways"]],
        "one_chat": one_chat_line(plan),
        "first": None if not found else first_of(at, found[0]["changes"]),
    }  # fmt: skip


def changes_text(changes: Mapping[str, Any]) -> str:
    """Name what changes, in words."""
    return WORDS["fix"]["and"].join(change_text(name, value) for name, value in changes.items())


def change_text(name: str, value: Any) -> str:
    """Name one change: a switch by vLLM's name, everything else in plain words."""
    key = "change_switch" if isinstance(value, bool) else "change"
    return filled(PAGE["explain"][key], {"lever": WORDS["lever"][name], "setting": name, "value": shown_value(value)})


def first_of(at: Trial, changes: dict[str, Any]) -> Record | None:
    """Give the command after the smallest change."""
    try:
        text = command(changed(at, changes))
    except PlanError:
        return None
    return {"command": text, "caption": caption_of(at, changes)}


def caption_of(at: Trial, changes: Mapping[str, Any]) -> str:
    """Say what stands over the command that starts: nobody frees memory by a command."""
    words, settings = PAGE["answer"], at["settings"]
    others = {name: value for name, value in changes.items() if name != "in_use_gib"}
    with_others = {"changes": changes_text(others)}
    if "in_use_gib" not in changes:
        return filled(words["command_fixed"], with_others)
    terms = {
        "others": size(settings["in_use_bytes"] - settings["card"]["held_bytes"]),
        "lists": words["freed_lists"] if settings["card"]["maker"] == "nvidia" else "",
        "also": filled(words["freed_also"], with_others) if others else "",
    }
    return filled(words["command_freed"], terms)


def way_row(way: Any) -> Record:
    """Give how far a lever goes, cell by cell."""
    return {
        "lever": WORDS["lever"][way["lever"]],
        "setting": way["lever"],
        "now": shown_value(way["now"]),
        "least": shown_value(way["least"]),
        "most": shown_value(way["most"]),
        "stops": WORDS["stops"][way["stops"]] if way["stops"] else "",
    }


def one_chat_line(plan: Plan) -> str:
    """Say how much pool one longest chat needs alone."""
    reach = plan["reach"]
    if reach is None or reach["one_chat_bytes"] <= 0:
        return ""
    return filled(PAGE["rooms"]["one_chat"], {"bytes": str(reach["one_chat_bytes"])})


# --- what the fields show where nothing is typed ---


def defaults_of(plan: Plan, at: Trial) -> dict[str, str]:
    """Give, for each setting that a plan shows, the value in force as an empty field shows it."""
    settings = at["settings"]
    found = {shown["name"]: shown_value(shown["value"]) for shown in plan["settings"] if shown["origin"] != "given"}
    if "in_use_gib" not in settings["given"]:
        found["in_use_gib"] = size(settings["in_use_bytes"])
    if "total_gib" not in settings["given"]:
        found["total_gib"] = size(settings["total_bytes"])
    found["quantization"] = settings["model"]["quantisation"] or PAGE["settings"]["none"]
    if "engine" not in settings["given"]:
        found["engine"] = settings["rules"]["engine"]
    return found
