"""What to change and how far each setting goes, in sentences."""

import math
import re
from collections.abc import Mapping
from typing import Any

from .command import number_text
from .fixes import Fix, Fixes
from .plan_facts import WORDS
from .reach import Reach, Way
from .rounding import commas, fixed, gib
from .shares import FINE
from .upgrade import Upgrade

Terms = Mapping[str, int | float | str]
"""What a template's names stand for: numbers and texts."""
ONE = "1.00"
"""One longest chat and no more, as vLLM prints it, in chats."""
COUNTED = r"\{([a-z_]+)\}(\*? (?:attention )?(?:token|chat|block|card|seat|start|slot|head|minute|graph)s(?![a-z]))?"
"""A name in braces with the word for many that it counts, a pattern without unit."""


def filled(template: str, terms: Terms) -> str:
    """A template with its names in braces filled in; what nothing fills stays, and behind 1 stands a word for one.

    Args:
        template: the sentence
        terms: numbers and texts by name

    Returns:
        The sentence.
    """

    def written(found: re.Match[str]) -> str:
        value, many = str(terms.get(found[1], f"{{{found[1]}}}")), found[2] or ""
        return value + (many[:-1] if value == "1" else many)

    return re.sub(COUNTED, written, template)


def size(count: float) -> str:
    """Bytes in GiB with two places, without the unit.

    Args:
        count: how much, bytes

    Returns:
        Digits.

    Raises:
        PlanError: for a number that is not finite
    """
    return fixed(gib(count), 2)


def shown_value(value: Any) -> str:
    """A value of a setting as a sentence shows it: large whole numbers with commas, switches as on and off.

    Args:
        value: text, a switch or a number of any unit

    Returns:
        The text.

    Raises:
        PlanError: for a number that is not finite
    """
    if value is True or value is False:
        return "on" if value else "off"
    if isinstance(value, str):
        return value or "as stored"
    if value == value // 1:
        return commas(int(value))
    text = fixed(value, 4)
    while text.endswith("0"):
        text = text[:-1]
    return text


def fix_lines(fixes: Fixes) -> list[str]:
    """What to change, the cheapest first, and what is to be said of the share.

    Args:
        fixes: the changes

    Returns:
        Sentences.

    Raises:
        PlanError: for a number that is not finite
    """
    lines = []
    if fixes["share"] == "none":
        terms = {"needed": number_text(fixes["share_needed"]), "free": number_text(fixes["share_free"])}
        within = "none" if fixes["share_needed"] > fixes["share_free"] else "tight"
        lines.append(filled(WORDS["share"][within if fixes["share_needed"] <= 1 else "above_one"], terms))
    if fixes["none"]:
        return [*lines, WORDS["none"]]
    pairs = all(len(fix["changes"]) > 1 for fix in fixes["fixes"])
    lines.append(WORDS["pairs" if pairs else "fixes"])
    lines.extend(fix_line(fix) for fix in fixes["fixes"])
    return lines


def fix_line(fix: Fix) -> str:
    """One change in a sentence: what to set, what it costs, what the pool then holds.

    Args:
        fix: the change

    Returns:
        Sentences.

    Raises:
        PlanError: for a number that is not finite
    """
    words = WORDS["fix"]
    parts = []
    for name, value in fix["changes"].items():
        # What may be held at most is rounded down, so that it may be typed back.
        shown = shown_value(math.floor(value * FINE) / FINE if name == "in_use_gib" else value)
        terms = {"lever": WORDS["lever"][name], "setting": name, "value": shown}
        parts.append(filled(words["named"].get(name, words["one"]), terms))
    costs = " ".join(WORDS["cost"][name] for name in fix["costs"])
    lines = [filled(words["line"], {"changes": words["and"].join(parts), "cost": costs})]
    if fix["exact"] != fix["value"]:
        lines.append(filled(words["exact"], {"exact": number_text(fix["exact"])}))
    if fix["tokens"] > 0:
        then = {"tokens": commas(fix["tokens"]), "concurrency": fixed(fix["concurrency"], 2)}
        lines.append(filled(words["then_one" if then["concurrency"] == ONE else "then"], then))
    return " ".join(lines)


def reach_lines(reach: Reach, concurrency: float) -> list[str]:
    """How many chats there is room for, and how far each setting goes.

    Args:
        reach: levers and rooms
        concurrency: printed chats of the longest length, many

    Returns:
        Sentences.

    Raises:
        PlanError: for a number that is not finite
    """
    words = WORDS["reach"]
    longest = reach["rooms"][-1]["tokens"]
    worst = {"concurrency": fixed(concurrency, 2), "longest": commas(longest)}
    lines = [filled(words["worst_one" if worst["concurrency"] == ONE else "worst"], worst)]
    for room in reach["rooms"][:-1]:
        key = "typical_one" if room["chats"] == 1 else "typical"
        lines.append(filled(words[key], {"tokens": commas(room["tokens"]), "chats": commas(room["chats"])}))
    lines.append(words["wait"])
    lines.append(words["head"])
    lines.extend(way_line(way) for way in reach["ways"])
    if reach["one_chat_bytes"] > 0:
        count = reach["one_chat_bytes"]
        lines.append(filled(words["one_chat"], {"bytes": commas(count), "flag": str(count)}))
    if reach["seats_bytes"] is not None:
        lines.append(filled(words["seats"], {"bytes": commas(reach["seats_bytes"])}))
    lines.append(words["two"])
    return lines


def way_line(way: Way) -> str:
    """How far one setting goes, in a sentence.

    Args:
        way: the lever with its ends

    Returns:
        A sentence.

    Raises:
        PlanError: for a number that is not finite
    """
    stops = filled(WORDS["reach"]["stops"], {"why": WORDS["stops"][way["stops"]]}) if way["stops"] else ""
    terms = {
        "setting": way["lever"], "lever": WORDS["lever"][way["lever"]], "now": shown_value(way["now"]),
        "least": shown_value(way["least"]), "most": shown_value(way["most"]), "stops": stops,
    }  # fmt: skip
    return filled(WORDS["reach"]["line"], terms)


def upgrade_rows(upgrade: Upgrade) -> list[str]:
    """What differs between two versions, row by row, each with the rule that changed.

    Args:
        upgrade: the comparison

    Returns:
        Rows.

    Raises:
        PlanError: for a number that is not finite
    """
    words, lines = WORDS["upgrade"], []
    for part in upgrade["parts"]:
        if part["more"] != 0:
            sizes = {"before": size(part["before"]), "after": size(part["after"])}
            more = f"{'+' if part['more'] > 0 else ''}{size(part['more'])}"
            terms = {**sizes, "name": WORDS["part"][part["name"]], "more": more, "rule": _rule(part["rule"])}
            lines.append(filled(words["part"], terms))
    for setting in upgrade["settings"]:
        values = {"before": shown_value(setting["before"]), "after": shown_value(setting["after"])}
        name = WORDS["chosen"][setting["name"]]
        lines.append(filled(words["setting"], {**values, "name": name, "rule": _rule(setting["rule"])}))
    if upgrade["tokens"][0] != upgrade["tokens"][1]:
        counts = {"before": commas(upgrade["tokens"][0]), "after": commas(upgrade["tokens"][1])}
        lines.append(filled(words["tokens"], counts))
    return lines


def _rule(name: str) -> str:
    return filled(WORDS["upgrade"]["rule"], {"rule": WORDS["rule"][name]}) if name else ""
