"""What another version of vLLM changes, in words: the answer of `poolroom plan --compare`."""

from typing import Any

from .vllm.fix_words import filled, shown_value, size
from .vllm.plan import SHOWN
from .vllm.plan_facts import VERSIONS, WORDS
from .vllm.rounding import commas, fixed
from .vllm.upgrade import Upgrade

SAID: dict[str, str] = WORDS["upgrade"]
NAMES = {own: name for name, own in SHOWN}
"""vLLM's names of the settings."""


def upgrade_text(found: Upgrade) -> str:
    """Both versions side by side: outcome, settings, each part with its rule, the pool, both commands."""
    before, after = found["versions"]
    outcomes = [WORDS["outcome"][each] for each in found["outcomes"]]
    lines = [
        filled(SAID["head"], {"before": before, "after": after}),
        filled(SAID["outcome"], {"before": outcomes[0], "after": outcomes[1]}),
        "",
        *_settings(found),
        *_parts(found),
        *_pool(found),
        "",
        *_why(found),
        *_commands(found),
    ]
    return "\n".join(lines).rstrip()


def _settings(found: Upgrade) -> list[str]:
    rows = [_row("setting", NAMES.get(each["name"], each["name"]), each, shown_value) for each in found["settings"]]
    return [*rows, ""] if rows else []


def _parts(found: Upgrade) -> list[str]:
    rows = []
    for each in found["parts"]:
        if each["before"] == 0 == each["after"]:
            continue
        more = f"{'+' if each['more'] > 0 else ''}{size(each['more'])}" if each["more"] else "="
        terms = {"name": WORDS["part"][each["name"]], "before": size(each["before"]), "after": size(each["after"])}
        rows.append(filled(SAID["part"], {**terms, "more": more, "rule": _rule(each["rule"])}))
    return rows


def _row(template: str, name: str, each: Any, shown: Any) -> str:
    terms = {"name": name, "before": shown(each["before"]), "after": shown(each["after"]), "rule": _rule(each["rule"])}
    return filled(SAID[template], terms)


def _rule(name: str) -> str:
    return filled(SAID["rule"], {"rule": name}) if name else ""


def _pool(found: Upgrade) -> list[str]:
    tokens = [commas(count) for count in found["tokens"]]
    chats = [f"{fixed(each, 2)}x" for each in found["concurrency"]]
    return [filled(SAID["tokens"], {"before": f"{tokens[0]} ({chats[0]})", "after": f"{tokens[1]} ({chats[1]})"})]


def _why(found: Upgrade) -> list[str]:
    named = [each["rule"] for each in [*found["settings"], *found["parts"]] if each["rule"]]
    rules = [name for name in dict.fromkeys(named) if name in VERSIONS["rules"]]
    rows = [f"  {name}: {VERSIONS['rules'][name]['source']}" for name in rules]
    return [*rows, ""] if rows else []


def _commands(found: Upgrade) -> list[str]:
    before, after = found["commands"]
    return [before] if before == after else [before, after]
