"""Two versions, one plan: what changes, part by part, with the rule that changed."""

from typing import Any, TypedDict

from .command import command
from .fixes import Fixes, fixes_of
from .refuse import PlanError
from .trial import Trial, carried_from, changed, trial
from .values import trimmed

PARTS = {
    "requested": ("share",),
    "weights": ("engine",),
    "activation": ("tiers", "runner", "chunked", "tokens_within_seats", "seats_within_tokens", "engine"),
    "non_torch": ("consumed", "counts_others", "engine"),
    "penalties": ("penalties",),
    "graphs": ("graphs",),
    "kv": ("share", "graphs", "penalties", "tiers", "counts_others", "consumed", "engine"),
}
"""Parts of the budget, each with the rules that may have changed it, the likeliest first."""
CHOSEN = ("share", "seats", "batched_tokens", "chunked", "asynchronous", "prefix_caching", "dtype", "graphs_counted")
"""Settings whose defaults depend on the version, by their names in the resolved settings."""
BY_RULES = {
    "share": ("share",),
    "seats": ("tiers", "seats_within_tokens", "engine"),
    "batched_tokens": ("tiers", "tokens_within_seats", "chunked", "engine"),
    "chunked": ("chunked", "engine"),
    "asynchronous": ("async_default", "engine"),
    "prefix_caching": ("prefix_caching", "engine"),
    "dtype": ("dtype_falls_back", "float32_to"),
    "graphs_counted": ("graphs",),
}
"""Settings, each with the rules that may have changed its default."""


class PartChange(TypedDict):
    """One part of the budget in both versions.

    Attributes:
        name: name of the part; "requested" is the share of the card, "kv" the pool
        before: in the first version, bytes
        after: in the second version, bytes
        more: after − before, bytes
        rule: name of the rule that changed it, or nothing
    """

    name: str
    before: int
    after: int
    more: int
    rule: str


class SettingChange(TypedDict):
    """One setting whose default differs.

    Attributes:
        name: name in the resolved settings
        before: its value in the first version, in its own unit
        after: its value in the second version, in its own unit
        rule: name of the rule that changed it, or nothing
    """

    name: str
    before: Any
    after: Any
    rule: str


class Upgrade(TypedDict):
    """What becomes of a plan in another version.

    Attributes:
        versions: both versions
        outcomes: both outcomes
        parts: the parts of the budget
        settings: settings whose values differ
        rules: names of all rules that differ
        tokens: what the pool holds in both, tokens as printed
        concurrency: longest chats at once in both, chats as printed
        blocks: the pool in both, blocks
        fixes: what to change in the second version where it refuses, or nothing
        commands: both commands
    """

    versions: list[str]
    outcomes: list[str]
    parts: list[PartChange]
    settings: list[SettingChange]
    rules: list[str]
    tokens: list[int]
    concurrency: list[float]
    blocks: list[int]
    fixes: Fixes | None
    commands: list[str]


def compare(asked: Any, before: Any, after: Any) -> Upgrade:
    """The same settings under two versions of vLLM.

    What was measured belongs to the first version and is carried over to the second.

    Args:
        asked: settings by vLLM's names; its version is not read
        before: the version that runs now
        after: the version to change to

    Returns:
        What changes, part by part.

    Raises:
        PlanError: for a setting that cannot be used in one of them
    """
    if not isinstance(asked, dict) or not all(isinstance(name, str) for name in asked):
        raise PlanError("settings", asked, "object")
    one = trial(trimmed({**asked, "version": before}))
    other = trial(changed(one, trimmed({"version": after})), None, True, carried_from(one))
    rules = _rules_that_differ(one, other)
    refuses = other["verdict"]["outcome"] == "refuses"
    both = [one["budget"], other["budget"]]
    return {
        "versions": [one["settings"]["rules"]["version"], other["settings"]["rules"]["version"]],
        "outcomes": [one["verdict"]["outcome"], other["verdict"]["outcome"]],
        "parts": _parts(one, other, rules),
        "settings": _settings(one, other, rules),
        "rules": rules,
        "tokens": [each["capacity"]["tokens"] for each in both],
        "concurrency": [each["capacity"]["concurrency"] for each in both],
        "blocks": [each["blocks"] for each in both],
        "fixes": fixes_of(other) if refuses else None,
        "commands": [_command(one), _command(other)],
    }


def _command(at: Trial) -> str:
    try:
        return command(at["asked"])
    except PlanError:
        return ""


def _rules_that_differ(one: Trial, other: Trial) -> list[str]:
    before: Any = one["settings"]["rules"]
    after: Any = other["settings"]["rules"]
    names = ("version", "order", "base", "status", "read")
    return [name for name in before if name not in names and before[name] != after.get(name)]


def _first(rules: list[str], names: tuple[str, ...]) -> str:
    for name in names:
        if name in rules:
            return name
    return ""


def _parts(one: Trial, other: Trial, rules: list[str]) -> list[PartChange]:
    before, after = _bytes(one), _bytes(other)
    found: list[PartChange] = []
    for name, names in PARTS.items():
        now, then = before.get(name, 0), after.get(name, 0)
        rule = _first(rules, names) if now != then else ""
        found.append({"name": name, "before": now, "after": then, "more": then - now, "rule": rule})
    pool = found[-1]
    pool["rule"] = _pool_rule(pool["more"], found) or pool["rule"]
    return found


def _pool_rule(more: int, parts: list[PartChange]) -> str:
    # The rule of the part that moved the pool most in the direction in which it went.
    most, rule = 0, ""
    for part in parts:
        gain = part["more"] if part["name"] == "requested" else 0 - part["more"]
        pushed = gain if more > 0 else 0 - gain
        if part["name"] != "kv" and part["rule"] and pushed > most:
            most, rule = pushed, part["rule"]
    return rule


def _bytes(at: Trial) -> dict[str, int]:
    budget = at["budget"]
    stage = budget["stages"][budget["stage"]]
    parts = {part["name"]: part["bytes"] for part in stage["parts"]}
    return {**parts, "requested": budget["requested_bytes"], "kv": stage["kv_bytes"]}


def _settings(one: Trial, other: Trial, rules: list[str]) -> list[SettingChange]:
    before: Any = one["settings"]
    after: Any = other["settings"]
    return [
        {"name": name, "before": before[name], "after": after[name], "rule": _first(rules, BY_RULES[name])}
        for name in CHOSEN
        if before[name] != after[name]
    ]
