"""Everything the widget shows for one setting of its controls, in words."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypedDict

from .budget import Room, largest_longest, room, smallest_share
from .chats import Request, backlog, check_requests
from .checks import whole
from .facts import LONGEST, SERVER, SHARES, WORDS, Words
from .server import Run, serve
from .words import (
    caveat_line,
    extra_sentences,
    first_word_sentences,
    legend,
    peak_percent,
    percent,
    plain,
    room_sentences,
    run_sentences,
    say,
    short_sentences,
    tenths,
    whole_number,
)


class Described(TypedDict):
    """What the widget shows: the bar, three lines and the legend.

    Attributes:
        grow: weights, reserve, pool and unused, bytes: the widths of the bar
        fill: how much of the pool is held on average, whole percent
        room: the first line
        run: the second line; empty when the server does not start
        extra: the third line
        legend: a text for each part of the bar
    """

    grow: list[int]
    fill: int
    room: str
    run: str
    extra: str
    legend: list[str]


class PageWords(TypedDict):
    """What the page says beside the three lines; a text that does not apply is empty.

    Attributes:
        first_word: the middle chat's wait for its first word, and when all are done
        peak: how much of the pool is held at the fullest moment, whole percent
        short: how many tokens the pool lacks, where the server does not start
        same: what limits, when a move left the run as it was
        caveat: that the answer is a best case
    """

    first_word: str
    peak: int
    short: str
    same: str
    caveat: str


class Fixes(TypedDict):
    """The smallest change of one setting that lets the server start; None where there is none.

    Attributes:
        share: memory share, whole percent
        longest: longest chat, tokens
    """

    share: int | None
    longest: int | None


@dataclass(frozen=True, slots=True)
class Measured:
    """One setting and its numbers.

    Attributes:
        share: memory share, whole percent
        longest: longest chat, tokens
        cap: most chats at once
        reserved: whether every chat sets aside blocks for its longest length
        room: what `room` found
        run: what `serve` came to; None when the server does not start
        first_word_seconds: the middle chat's wait from its arrival to its first token, seconds; None when nobody is
            served
        chats: chats on the list
        lesson: whether it is the lesson's list
    """

    share: int
    longest: int
    cap: int
    reserved: bool
    room: Room
    run: Run | None
    first_word_seconds: float | None
    chats: int
    lesson: bool


def measure(
    share: int, longest: int, cap: int, reserved: bool = False, requests: Sequence[Request] | None = None
) -> Measured:
    """Run one setting on a list of chats, and give its numbers.

    Args:
        share: memory share, whole percent from 1 to 100
        longest: longest chat, tokens of prompt and reply, at least 1
        cap: most chats at once, at least 1
        reserved: whether every chat sets aside blocks for its longest length
        requests: the chats, in the order in which they arrive; the lesson's list where none is given

    Returns:
        The settings, the room and the run.

    Raises:
        SimError: for a value out of range, even where the server does not start
    """
    here = room(share, longest, reserved)
    waiting = backlog() if requests is None else requests
    # A bad cap or list is refused even where the server does not start.
    whole("cap", cap, 1)
    check_requests(waiting)
    run = serve(waiting, cap, here["blocks"], longest, reserved) if here["starts"] else None
    return Measured(
        share=share,
        longest=longest,
        cap=cap,
        reserved=reserved,
        room=here,
        run=run,
        first_word_seconds=first_word_seconds(waiting, run) if run else None,
        chats=len(waiting),
        lesson=requests is None,
    )


def first_word_seconds(requests: Sequence[Request], run: Run) -> float | None:
    """The middle chat's wait from its arrival to its first token, by nearest rank; None when nobody is served.

    Args:
        requests: the chats, in the order in which they arrive
        run: what `serve` came to

    Returns:
        Seconds, or None.
    """
    waits = sorted(
        first - float(request.arrival)
        for request, first in zip(requests, run["first_token"], strict=True)
        if first is not None
    )
    return waits[(len(waits) + 1) // 2 - 1] if waits else None


def describe(
    share: int,
    longest: int,
    cap: int,
    reserved: bool = False,
    requests: Sequence[Request] | None = None,
    words: Words = WORDS,
) -> Described:
    """Everything the widget shows for one setting: bar, fill, three lines and legend.

    Args:
        share: memory share, whole percent from 1 to 100
        longest: longest chat, tokens of prompt and reply, at least 1
        cap: most chats at once, at least 1
        reserved: whether every chat sets aside blocks for its longest length
        requests: the chats, in the order in which they arrive; the lesson's list where none is given
        words: the catalogue to say it in

    Returns:
        Bytes, percent, and sentences without marks.

    Raises:
        SimError: for a value out of range
    """
    return describe_measured(measure(share, longest, cap, reserved, requests), words)


def describe_measured(measured: Measured, words: Words = WORDS) -> Described:
    """The words of `describe` for numbers that are already there.

    Args:
        measured: a setting and its numbers
        words: the catalogue to say it in

    Returns:
        Bytes, percent, and sentences without marks.
    """
    here, run = measured.room, measured.run
    stopped = say(words["lines"]["extra_not_started"], words)
    return {
        "grow": [here["weights"], here["reserve"], here["pool"], here["unused"]],
        "fill": percent(run["pool_used"]) if run and run["pool_used"] is not None else 0,
        "room": plain(room_sentences(here, measured.longest, measured.reserved, words), words),
        "run": plain(run_sentences(run, measured.cap, measured.longest, words), words) if run else "",
        "extra": plain(extra_sentences(run, words), words) if run else stopped,
        "legend": legend(here, words),
    }


def page_words(measured: Measured, before: Measured | None = None, words: Words = WORDS) -> PageWords:
    """What the page says beside the three lines.

    Args:
        measured: a setting and its numbers
        before: the setting before the reader's move, if there was one
        words: the catalogue to say it in

    Returns:
        Sentences without marks, and the peak in percent.
    """
    here, run = measured.room, measured.run
    return {
        "first_word": plain(first_word_sentences(run, measured.first_word_seconds, words), words) if run else "",
        "peak": peak_percent(run, here["blocks"]) if run else 0,
        "short": plain(short_sentences(here, words), words) if not here["starts"] else "",
        "same": same_line(before, measured, words) if before else "",
        "caveat": caveat_line(measured.chats, measured.lesson, words),
    }


def same_run(one: Measured, other: Measured) -> bool:
    """Whether two settings gave the same run: every number but the pool's own two.

    Args:
        one: a setting and its numbers
        other: another one

    Returns:
        Yes or no.
    """
    if one.run is None or other.run is None or one.chats != other.chats or one.lesson != other.lesson:
        return False
    pool_only = ("pool_used", "lowest_free")
    return all(one.run[key] == other.run[key] for key in one.run if key not in pool_only)  # type: ignore[literal-required]


def same_line(before: Measured, after: Measured, words: Words = WORDS) -> str:
    """What limits, when a move left the run as it was.

    Args:
        before: the setting before the move
        after: the setting after it
        words: the catalogue to say it in

    Returns:
        One line of text. Empty when the run changed, or nothing was moved.
    """
    moved = [
        name for name in ("share", "longest", "cap", "reserved") if getattr(before, name) != getattr(after, name)
    ]
    if not moved or not same_run(before, after):
        return ""
    return str(words["same"][_limit(before, after, moved) if len(moved) == 1 else "run"])


def _limit(before: Measured, after: Measured, moved: list[str]) -> str:
    # The run did not answer to the one setting that moved, so that setting is not the limit.
    served = after.run["served"] if after.run else 0
    seats = min(before.cap, after.cap)
    if moved == ["longest"] and not after.reserved:
        return "length"
    if served <= seats and not _whole_chats_bind(before, after):
        return "all_in"
    if moved == ["cap"] or _whole_chats_bind(before, after):
        return "pool"
    return "seats"


def _whole_chats_bind(before: Measured, after: Measured) -> bool:
    # With the full length set aside, the pool counts in whole chats: a little more room may add none.
    fits = [m.room["at_longest"] for m in (before, after) if m.reserved]
    return bool(fits) and min(fits) < min(before.cap, after.cap)


def fixes(measured: Measured) -> Fixes:
    """The offered share and the offered longest chat nearest to a setting that does not start, that would start.

    Args:
        measured: a setting and its numbers

    Returns:
        Percent and tokens.

    Raises:
        SimError: for a share or a longest chat out of range
    """
    least = smallest_share(measured.longest)
    shares = [share for share in SHARES if least is not None and share >= least]
    lengths = [longest for longest in LONGEST if longest <= largest_longest(measured.share)]
    return {"share": shares[0] if shares else None, "longest": lengths[-1] if lengths else None}


def status_line(measured: Measured, before: Measured | None = None, words: Words = WORDS) -> str:
    """What a screen reader hears after a move: what was moved, and the result in one breath.

    Args:
        measured: a setting and its numbers
        before: the setting before the move, if there was one
        words: the catalogue to say it in

    Returns:
        One line of text.
    """
    moved = _moved_sentences(measured, before, words) if before else []
    same = same_line(before, measured, words) if before else ""
    results = [str(words["same"]["run"])] if same else _result_sentences(measured, words)
    return plain(moved + results, words)


def _moved_sentences(measured: Measured, before: Measured, words: Words) -> list[str]:
    sentences = []
    for name, value in (("share", measured.share), ("longest", measured.longest), ("cap", measured.cap)):
        if getattr(before, name) != value:
            sentences.append(say(words["status"][name], words, name=words["controls"][name]["name"], value=value))
    if before.reserved != measured.reserved:
        sentences.append(str(words["status"]["reserved_on" if measured.reserved else "reserved_off"]))
    return sentences


def _result_sentences(measured: Measured, words: Words) -> list[str]:
    run = measured.run
    if run is None:
        needs = measured.room["per_longest"] * SERVER.block_tokens
        short = needs - measured.room["pool_tokens"]
        return [say(words["status"]["refused"], words, short=short, longest=measured.longest)]
    if run["running"] is None or run["tokens_per_second"] is None or run["seconds_per_word"] is None:
        return run_sentences(run, measured.cap, measured.longest, words)
    terms: dict[str, int | str] = {
        "running": whole_number(run["running"]),
        "rate": whole_number(run["tokens_per_second"]),
        "wait": tenths(run["seconds_per_word"] * 1000.0, words),
    }
    sentences = [say(words["status"]["run"], words, **terms)]
    if run["paused"]:
        sentences.append(say(words["status"]["paused"], words, paused=run["paused"]))
    if run["refused"]:
        sentences.append(say(words["status"]["turned_away"], words, refused=run["refused"]))
    return sentences


def as_text(measured: Measured, words: Words = WORDS) -> str:
    """The whole answer as lines of plain text, for a message or a terminal.

    Args:
        measured: a setting and its numbers
        words: the catalogue to say it in

    Returns:
        Lines of text, without marks.
    """
    shown, beside = describe_measured(measured, words), page_words(measured, None, words)
    share, longest, cap = measured.share, measured.longest, measured.cap
    settings = [say(words["text"]["settings"], words, share=share, longest=longest, cap=cap)]
    if measured.reserved:
        settings.append(words["text"]["set_aside"])
    lines = [
        plain(settings, words),
        str(words["text"]["legend_joiner"]).join(shown["legend"]),
        shown["room"],
        shown["run"],
        shown["extra"],
        beside["first_word"],
        beside["short"],
        beside["caveat"],
    ]
    return "\n".join(line for line in lines if line)
