"""Every sentence: number formats, and lines filled from the templates of `facts/words`.

A template marks its outcomes with asterisks, so that a page can set them bold; `plain` takes the
marks out. Only results are read here, nothing is computed but rounding. Every function that writes
words takes their catalogue as its last argument, by default the English one.
"""

import math
import re
from collections.abc import Mapping
from typing import Any

from .budget import Room
from .checks import SimError
from .facts import BLOCK_BYTES, CARD, CATALOGUES, SERVER, WORDS, Words
from .server import Run

Terms = Mapping[str, int | str]
"""What a template's names stand for: numbers and texts."""


def catalogue(language: str) -> Words:
    """The words of one language, by its name in `facts/words`, such as "de".

    Args:
        language: name of the language

    Returns:
        The catalogue.

    Raises:
        SimError: naming the languages that there are
    """
    if not isinstance(language, str) or language not in CATALOGUES:
        raise SimError("lang", language, "choice", choices=", ".join(CATALOGUES))
    return CATALOGUES[language]


def commas(n: int, words: Words = WORDS) -> str:
    """A whole number ≥ 0 with its thousands set apart: 1202 → "1,202".

    Args:
        n: a whole number, of any unit
        words: the catalogue to say it in

    Returns:
        Digits and separators.
    """
    digits = str(n)
    groups: list[str] = []
    while len(digits) > 3:
        groups.insert(0, digits[-3:])
        digits = digits[:-3]
    return str(words["numbers"]["thousands"]).join([digits, *groups])


def whole_number(x: float) -> int:
    """The nearest whole number to x ≥ 0, halves up: floor(x + 0.5).

    Args:
        x: a number, of any unit

    Returns:
        A whole number, in the same unit.
    """
    return math.floor(x + 0.5)


def tenths(x: float, words: Words = WORDS) -> str:
    """A number ≥ 0 with one decimal, halves up, made from an integer: floor(10·x + 0.5) tenths.

    Args:
        x: a number, of any unit
        words: the catalogue to say it in

    Returns:
        Digits and separators.
    """
    n = math.floor(x * 10.0 + 0.5)
    return f"{commas(n // 10, words)}{words['numbers']['decimal']}{n % 10}"


def gb(nbytes: int, words: Words = WORDS) -> str:
    """Bytes in GB (billions of bytes) with one decimal.

    Args:
        nbytes: a size, bytes
        words: the catalogue to say it in

    Returns:
        Digits and separators.
    """
    return tenths(float(nbytes) / 1e9, words)


def percent(x: float) -> int:
    """A share from 0 to 1 in whole percent, halves up.

    Args:
        x: a share, from 0 to 1

    Returns:
        Whole percent.
    """
    return math.floor(x * 100.0 + 0.5)


def plural_form(n: int, words: Words = WORDS) -> str:
    """The plural form that the language uses for a number: the first rule of the words file that holds, else "other".

    Args:
        n: a whole number, of any unit
        words: the catalogue whose rules hold

    Returns:
        Name of the form.
    """
    for rule in words["plurals"]:
        rest = n % rule["mod"] if "mod" in rule else n
        if rule["from"] <= rest <= rule["to"]:
            return str(rule["form"])
    return "other"


def marked(template: Any, terms: Terms, words: Words = WORDS) -> list[str]:
    """The sentences of a template, filled; outcomes still between asterisks.

    Whole numbers get separators. A name in braces that is none of the terms stays as it is.

    Args:
        template: a template of the words file
        terms: what its names stand for
        words: the catalogue to say it in

    Returns:
        Sentences, with asterisks around their outcomes.
    """
    if isinstance(template, dict):
        template = template.get(plural_form(int(terms[template["by"]]), words), template["other"])
    sentences = [template] if isinstance(template, str) else template
    return [re.sub(r"\{(\w+)\}", lambda name: _text(name, terms, words), sentence) for sentence in sentences]


def _text(name: re.Match[str], terms: Terms, words: Words) -> str:
    term = terms.get(name[1], name[0])
    return term if isinstance(term, str) else commas(term, words)


def plain(sentences: list[str], words: Words = WORDS) -> str:
    """Sentences as one line of text, without marks.

    Args:
        sentences: sentences, with or without marks
        words: the catalogue that says what stands between sentences

    Returns:
        One line of text.
    """
    return str(words["joiner"]).join(sentences).replace("*", "")


def say(template: Any, words: Words = WORDS, **terms: int | str) -> str:
    """A template as one line of text.

    Args:
        template: a template of the words file
        terms: what its names stand for, in any unit; in Python they are named arguments, and come last
        words: the catalogue to say it in

    Returns:
        One line of text.
    """
    return plain(marked(template, terms, words), words)


def legend(room: Room, words: Words = WORDS) -> list[str]:
    """The four parts of the bar with their sizes in GB.

    Args:
        room: what `room` found
        words: the catalogue to say it in

    Returns:
        Four texts, of weights, reserve, pool and unused.
    """
    parts: list[tuple[str, int]] = [
        ("weights", room["weights"]),
        ("reserve", room["reserve"]),
        ("pool", room["pool"]),
        ("unused", room["unused"]),
    ]
    return [say(words["legend"][part], words, gb=gb(size, words)) for part, size in parts]


def room_sentences(room: Room, longest: int, reserved: bool, words: Words = WORDS) -> list[str]:
    """The first line: how many chats the pool could hold, or why the server does not start; with marks.

    Args:
        room: what `room` found
        longest: longest chat, tokens of prompt and reply, at least 1
        reserved: whether every chat sets aside blocks for its longest length
        words: the catalogue to say it in

    Returns:
        Sentences, with asterisks around their outcomes.
    """
    terms: dict[str, int | str] = {
        "typical": room["typical"],
        "typical_tokens": min(SERVER.typical_chat_tokens, longest),
        "at_longest": room["at_longest"],
        "longest": longest,
        "needs": room["per_longest"] * SERVER.block_tokens,
        "pool_tokens": room["pool_tokens"],
    }
    if not room["starts"]:
        return marked(words["lines"]["room_refused"], terms, words)
    return marked(words["lines"]["room_set_aside" if reserved else "room"], terms, words)


def run_sentences(run: Run, cap: int, longest: int, words: Words = WORDS) -> list[str]:
    """The second line: chats running, tokens a second, the wait between words; with marks.

    Args:
        run: what `serve` came to
        cap: most chats at once, at least 1
        longest: longest chat, tokens of prompt and reply, at least 1
        words: the catalogue to say it in

    Returns:
        Sentences, with asterisks around their outcomes.
    """
    terms: dict[str, int | str] = {"cap": cap, "longest": longest, "refused": run["refused"]}
    if run["running"] is None or run["tokens_per_second"] is None:
        return marked(words["lines"]["run_all_refused" if run["refused"] else "run_empty"], terms, words)
    terms["running"] = whole_number(run["running"])
    terms["rate"] = whole_number(run["tokens_per_second"])
    if run["seconds_per_word"] is None:
        return marked(words["lines"]["run_no_gaps"], terms, words)
    terms["wait"] = tenths(run["seconds_per_word"] * 1000.0, words)
    return marked(words["lines"]["run"], terms, words)


def extra_sentences(run: Run, words: Words = WORDS) -> list[str]:
    """The third line: how much of the pool is held, who was turned away, who was paused; with marks.

    Args:
        run: what `serve` came to
        words: the catalogue to say it in

    Returns:
        Sentences, with asterisks around their outcomes. Empty when nobody is served.
    """
    if run["pool_used"] is None:
        return []
    sentences = marked(words["lines"]["extra_held"], {"held": percent(run["pool_used"])}, words)
    if run["refused"]:
        terms: Terms = {"refused": run["refused"], "chats": run["refused"] + run["served"]}
        sentences += marked(words["lines"]["extra_refused"], terms, words)
    if run["paused"]:
        terms = {"paused": run["paused"], "rebuilt": run["rebuilt_tokens"]}
        sentences += marked(words["lines"]["extra_paused"], terms, words)
    return sentences


def room_line(room: Room, longest: int, reserved: bool, words: Words = WORDS) -> str:
    """The first line as plain text: how many chats the pool could hold, or why the server does not start.

    Args:
        room: what `room` found
        longest: longest chat, tokens of prompt and reply, at least 1
        reserved: whether every chat sets aside blocks for its longest length
        words: the catalogue to say it in

    Returns:
        One line of text.
    """
    return plain(room_sentences(room, longest, reserved, words), words)


def run_line(run: Run, cap: int, longest: int = 0, words: Words = WORDS) -> str:
    """The second line as plain text: chats running, tokens a second, the wait between words.

    Args:
        run: what `serve` came to
        cap: most chats at once, at least 1
        longest: longest chat, tokens; named only when every chat was turned away
        words: the catalogue to say it in

    Returns:
        One line of text.
    """
    return plain(run_sentences(run, cap, longest, words), words)


def extra_line(run: Run, words: Words = WORDS) -> str:
    """The third line as plain text: how much of the pool is held, who was turned away, who was paused.

    Args:
        run: what `serve` came to
        words: the catalogue to say it in

    Returns:
        One line of text. Empty when nobody is served.
    """
    return plain(extra_sentences(run, words), words)


def first_word_sentences(run: Run, first_word_seconds: float | None, words: Words = WORDS) -> list[str]:
    """The middle chat's wait for its first word, and when all are done; with marks.

    Args:
        run: what `serve` came to
        first_word_seconds: the middle chat's wait, seconds
        words: the catalogue to say it in

    Returns:
        Sentences, with asterisks around their outcomes. Empty when nobody is served.
    """
    if first_word_seconds is None:
        return []
    terms: Terms = {
        "served": run["served"],
        "wait": tenths(first_word_seconds, words),
        "end": commas(whole_number(run["seconds"]), words),
    }
    return marked(words["lines"]["first_word"], terms, words)


def peak_percent(run: Run, pool_blocks: int) -> int:
    """How much of the pool was held at the fullest moment, in whole percent.

    Args:
        run: what `serve` came to
        pool_blocks: size of the pool, blocks

    Returns:
        Whole percent; 0 where there is no pool.
    """
    return percent(float(pool_blocks - run["lowest_free"]) / float(pool_blocks)) if pool_blocks else 0


def short_sentences(room: Room, words: Words = WORDS) -> list[str]:
    """How many tokens the pool lacks for one chat of the longest length; with marks.

    Args:
        room: what `room` found
        words: the catalogue to say it in

    Returns:
        Sentences, with asterisks around their outcomes.
    """
    needs = room["per_longest"] * SERVER.block_tokens
    return marked(words["lines"]["short"], {"short": needs - room["pool_tokens"]}, words)


def caveat_line(chats: int, lesson: bool, words: Words = WORDS) -> str:
    """What every answer is: a best case.

    Args:
        chats: chats on the list
        lesson: whether it is the lesson's list, which simulators were asked about
        words: the catalogue to say it in

    Returns:
        One line of text. Empty for a list without chats.
    """
    return say(words["caveat"]["lesson" if lesson else "any"], words, chats=chats) if chats else ""


def share_value(room: Room, share: int, words: Words = WORDS) -> str:
    """The memory share in words: percent, and GB of the card.

    Args:
        room: what `room` found
        share: memory share, whole percent from 1 to 100
        words: the catalogue to say it in

    Returns:
        Text for the slider.
    """
    allowed, card = gb(room["allowed"], words), gb_short(words)
    return say(words["controls"]["share"]["value"], words, share=share, allowed=allowed, card=card)


def gb_short(words: Words = WORDS) -> str:
    """The card's memory in whole GB, as its label says.

    Args:
        words: the catalogue to say it in

    Returns:
        Digits and separators.
    """
    return commas(CARD.memory_bytes // 1_000_000_000, words)


def longest_value(room: Room, longest: int, words: Words = WORDS) -> str:
    """The longest chat in words: tokens, and GB of cache with two decimals.

    Args:
        room: what `room` found
        longest: longest chat, tokens of prompt and reply, at least 1
        words: the catalogue to say it in

    Returns:
        Text for the slider.
    """
    hundredths = (room["per_longest"] * BLOCK_BYTES + 5_000_000) // 10_000_000
    size = f"{commas(hundredths // 100, words)}{words['numbers']['decimal']}{hundredths // 10 % 10}{hundredths % 10}"
    return say(words["controls"]["longest"]["value"], words, longest=longest, gb=size)


def cap_value(cap: int, words: Words = WORDS) -> str:
    """The seats in words.

    Args:
        cap: most chats at once, at least 1
        words: the catalogue to say it in

    Returns:
        Text for the slider.
    """
    return say(words["controls"]["cap"]["value"], words, cap=cap)
