"""Every sentence: number formats, and lines filled from the templates of ``facts/words``.

A template marks its outcomes with asterisks, so that a page can set them bold; `plain` takes the
marks out. Only results are read here, nothing is computed but rounding.
"""

import math
import re
from collections.abc import Mapping
from typing import Any

from .budget import Room
from .facts import BLOCK_BYTES, CARD, SERVER, WORDS
from .server import Run

Terms = Mapping[str, int | str]


def commas(n: int) -> str:
    """A whole number ≥ 0 with its thousands set apart: 1202 → "1,202"."""
    digits = str(n)
    groups: list[str] = []
    while len(digits) > 3:
        groups.insert(0, digits[-3:])
        digits = digits[:-3]
    return str(WORDS["numbers"]["thousands"]).join([digits, *groups])


def whole_number(x: float) -> int:
    """The nearest whole number to x ≥ 0, halves up: floor(x + 0.5)."""
    return math.floor(x + 0.5)


def tenths(x: float) -> str:
    """x ≥ 0 with one decimal, halves up, made from an integer: floor(10·x + 0.5) tenths."""
    n = math.floor(x * 10.0 + 0.5)
    return f"{commas(n // 10)}{WORDS['numbers']['decimal']}{n % 10}"


def gb(nbytes: int) -> str:
    """Bytes in GB (billions of bytes) with one decimal."""
    return tenths(float(nbytes) / 1e9)


def percent(x: float) -> int:
    """A share from 0 to 1 in whole percent, halves up."""
    return math.floor(x * 100.0 + 0.5)


def plural_form(n: int) -> str:
    """The plural form that the language uses for n: the first rule of the words file that holds, else "other"."""
    for rule in WORDS["plurals"]:
        rest = n % rule["mod"] if "mod" in rule else n
        if rule["from"] <= rest <= rule["to"]:
            return str(rule["form"])
    return "other"


def marked(template: Any, terms: Terms) -> list[str]:
    """The sentences of a template, filled; outcomes still between asterisks. Whole numbers get separators."""
    if isinstance(template, dict):
        template = template.get(plural_form(int(terms[template["by"]])), template["other"])
    sentences = [template] if isinstance(template, str) else template
    return [re.sub(r"\{(\w+)\}", lambda name: _text(terms[name[1]]), sentence) for sentence in sentences]


def _text(term: int | str) -> str:
    return term if isinstance(term, str) else commas(term)


def plain(sentences: list[str]) -> str:
    """Sentences as one line of text, without marks."""
    return str(WORDS["joiner"]).join(sentences).replace("*", "")


def say(template: Any, **terms: int | str) -> str:
    """A template as one line of text."""
    return plain(marked(template, terms))


def legend(room: Room) -> list[str]:
    """The four parts of the bar with their sizes in GB."""
    parts: list[tuple[str, int]] = [
        ("weights", room["weights"]),
        ("reserve", room["reserve"]),
        ("pool", room["pool"]),
        ("unused", room["unused"]),
    ]
    return [say(WORDS["legend"][part], gb=gb(size)) for part, size in parts]


def room_sentences(room: Room, longest: int, reserved: bool) -> list[str]:
    """The first line: how many chats the pool could hold, or why the server does not start; with marks."""
    terms: dict[str, int | str] = {
        "typical": room["typical"],
        "typical_tokens": min(SERVER.typical_chat_tokens, longest),
        "at_longest": room["at_longest"],
        "longest": longest,
        "needs": room["per_longest"] * SERVER.block_tokens,
        "pool_tokens": room["pool_tokens"],
    }
    if not room["starts"]:
        return marked(WORDS["lines"]["room_refused"], terms)
    return marked(WORDS["lines"]["room_set_aside" if reserved else "room"], terms)


def run_sentences(run: Run, cap: int, longest: int) -> list[str]:
    """The second line: chats running, tokens a second, the wait between words; with marks."""
    terms: dict[str, int | str] = {"cap": cap, "longest": longest, "refused": run["refused"]}
    if run["running"] is None or run["tokens_per_second"] is None:
        return marked(WORDS["lines"]["run_all_refused" if run["refused"] else "run_empty"], terms)
    terms["running"] = whole_number(run["running"])
    terms["rate"] = whole_number(run["tokens_per_second"])
    if run["seconds_per_word"] is None:
        return marked(WORDS["lines"]["run_no_gaps"], terms)
    terms["wait"] = tenths(run["seconds_per_word"] * 1000.0)
    return marked(WORDS["lines"]["run"], terms)


def extra_sentences(run: Run) -> list[str]:
    """The third line: how much of the pool is held, who was turned away, who was paused; with marks."""
    if run["pool_used"] is None:
        return []
    sentences = marked(WORDS["lines"]["extra_held"], {"held": percent(run["pool_used"])})
    if run["refused"]:
        terms: Terms = {"refused": run["refused"], "chats": run["refused"] + run["served"]}
        sentences += marked(WORDS["lines"]["extra_refused"], terms)
    if run["paused"]:
        terms = {"paused": run["paused"], "rebuilt": run["rebuilt_tokens"]}
        sentences += marked(WORDS["lines"]["extra_paused"], terms)
    return sentences


def room_line(room: Room, longest: int, reserved: bool) -> str:
    """The first line as plain text."""
    return plain(room_sentences(room, longest, reserved))


def run_line(run: Run, cap: int, longest: int = 0) -> str:
    """The second line as plain text; `longest` is named only when every chat was turned away."""
    return plain(run_sentences(run, cap, longest))


def extra_line(run: Run) -> str:
    """The third line as plain text."""
    return plain(extra_sentences(run))


def first_word_sentences(run: Run, first_word_seconds: float | None) -> list[str]:
    """The middle chat's wait for its first word, and when all are done; with marks. Empty when nobody is served."""
    if first_word_seconds is None:
        return []
    terms: Terms = {
        "served": run["served"],
        "wait": tenths(first_word_seconds),
        "end": commas(whole_number(run["seconds"])),
    }
    return marked(WORDS["lines"]["first_word"], terms)


def peak_percent(run: Run, pool_blocks: int) -> int:
    """How much of the pool was held at the fullest moment, in whole percent."""
    return percent(float(pool_blocks - run["lowest_free"]) / float(pool_blocks)) if pool_blocks else 0


def short_sentences(room: Room) -> list[str]:
    """How many tokens the pool lacks for one chat of the longest length; with marks."""
    needs = room["per_longest"] * SERVER.block_tokens
    return marked(WORDS["lines"]["short"], {"short": needs - room["pool_tokens"]})


def caveat_line(chats: int, lesson: bool) -> str:
    """What every answer is: a best case. `lesson` where the list is the one that simulators were asked about."""
    return say(WORDS["caveat"]["lesson" if lesson else "any"], chats=chats) if chats else ""


def share_value(room: Room, share: int) -> str:
    """The memory share in words: percent, and GB of the card."""
    return say(WORDS["controls"]["share"]["value"], share=share, allowed=gb(room["allowed"]), card=gb_short())


def gb_short() -> str:
    """The card's memory in whole GB, as its label says."""
    return commas(CARD.memory_bytes // 1_000_000_000)


def longest_value(room: Room, longest: int) -> str:
    """The longest chat in words: tokens, and GB of cache with two decimals."""
    hundredths = (room["per_longest"] * BLOCK_BYTES + 5_000_000) // 10_000_000
    size = f"{commas(hundredths // 100)}{WORDS['numbers']['decimal']}{hundredths // 10 % 10}{hundredths % 10}"
    return say(WORDS["controls"]["longest"]["value"], longest=longest, gb=size)


def cap_value(cap: int) -> str:
    """The seats in words."""
    return say(WORDS["controls"]["cap"]["value"], cap=cap)
