"""Write the generated cases of tests/parity/vectors anew: python -m tests.parity.make_vectors. Cases by hand stay."""

import sys
from collections.abc import Iterator
from dataclasses import asdict, is_dataclass
from typing import Any

from tests.node import ROOT

sys.path.insert(0, str(ROOT / "sim"))

from poolroom.facts import CAPS, LONGEST
from tests.parity import vectors
from tests.parity.calls import answer
from tests.parity.lists import LESSON, list_job, watched_job

BLOCK = 16
ONE_SECOND = {"$cost": [1.0, 0.0, 0.0, 1.0, 1.0]}
GROWING = {"$cost": [1.0, 0.5, 0.75, 3.0, 1.0]}
SETTINGS = [
    [90, 8000, 64, False],
    [92, 8000, 64, False],
    [92, 8000, 64, True],
    [30, 8000, 512, False],
    [30, 128000, 512, False],
    [44, 128000, 512, False],
    [98, 4000, 512, False],
    [22, 16, 1, False],
]
Made = Iterator[tuple[str, str, str, list[Any]]]
"""Name, why, call, arguments."""


def blocks() -> Made:
    """Around every boundary, and near the largest exact number."""
    for tokens in sorted({max(0, BLOCK * n + d) for n in (0, 1, 2, 125, 500, 8000) for d in (-1, 0, 1)} | {2**53 - 1}):
        yield f"{tokens} tokens", "a started block counts whole", "blocks.blocks_for", [tokens]


def budget() -> Made:
    """Every tenth share in both readings; lengths around what a pool holds; fixes."""
    for share in (1, 22, 23, 24, 30, 44, 50, 60, 70, 80, 90, 98, 99, 100):
        for card in (80_000_000_000, 85_899_345_920):
            yield f"{share} % of {card} bytes", "parts add up to the card", "budget.memory_parts", [share, card]
    for longest in (2575, 2576, 2577, 15, 16, 17, 1999, 2000, 2001):
        for reserved in (False, True):
            yield (
                f"23 %, {longest} tokens, {reserved}",
                "2,576 tokens fill the pool of 23 %",
                "budget.room",
                [23, longest, reserved],
            )
    for longest in (1, 45312, 45313, 411520, 411521, *LONGEST, 473_088, 10**9, 2**53 - 1):
        yield f"least share for {longest}", "one token more needs a block more", "budget.smallest_share", [longest]
    for share in (1, 22, 23, 30, 90, 100):
        yield f"longest at {share} %", "a pool in tokens", "budget.largest_longest", [share]


def steptime() -> Made:
    """Both kinds of steps, their boundary, and products beyond 2^53."""
    for chats in (0, 1, 2, 152, 153, 154, 155, 512):
        yield (
            f"{chats} chats without cache",
            "arithmetic is longer from 154 tokens on",
            "steptime.step_seconds",
            [[0] * chats, 0],
        )
    for reread in (1, 150, 153, 154, 300, 6000):
        yield f"{reread} tokens read", "a prompt is read in one step", "steptime.step_seconds", [[1000, 500], reread]
    for contexts in ([2**40], [2**52], [2**52, 2**51, 3], [1, 1, 1]):
        yield f"contexts {contexts}", "every product is rounded once", "steptime.step_seconds", [contexts, 7]


def server() -> Made:
    """Boundaries of blocks, pool, cap; pauses; arrivals beside instants; long stretches; the opening by hundreds."""
    for prompt in (15, 16, 17):
        for reply in (1, 2, 15, 16, 17, 33):
            rows = {"$requests": [[0, prompt, reply], [0, prompt, reply]]}
            longest = prompt + reply
            pool = (longest + BLOCK - 1) // BLOCK
            for more in sorted({0, 1, pool}):
                args = [rows, 2, pool + more, longest, False, ONE_SECOND]
                args += [{"$watch": True}] if prompt == 16 and reply < 18 else []
                yield (
                    f"{prompt} + {reply} tokens twice, {pool + more} blocks",
                    "pool exactly full, and a block more",
                    "server.serve",
                    args,
                )
    for seed in (3, 9, 18, 24, 39, 45, 60, 72, 120, 153, 189, 210):
        yield f"made-up list {seed}", "arrivals at instants of the run", "server.serve", list_job(seed)["args"]
    for seed in (39, 168, 181):
        yield f"watched list {seed}", "every step seen", "server.serve", watched_job(seed)["args"]
    yield from long_runs()


def long_runs() -> Made:
    """Replies around 4,096 steps, cap 1, set aside; the lesson's list."""
    for reply in (4095, 4096, 4097, 8192, 8193):
        rows = {"$requests": [[0, 5, reply], [100.5, 16, 40]]}
        yield (
            f"a reply of {reply} tokens",
            "quiet stretches end at 4,096 steps",
            "server.serve",
            [rows, 2, 600, 9000, False, GROWING],
        )
    for cap, pool, reserved in ((1, 500, False), (64, 25720, False), (512, 2832, False), (512, 25720, True)):
        args = [{"$list": "lesson"}, cap, pool, 8000, reserved, {"$cost": LESSON}]
        yield f"lesson, {cap} seats, {pool} blocks, {reserved}", "where two runs part, every 100 steps", "digest", args
    yield (
        "swapped, 35 %",
        "memory matters, pauses abound",
        "digest",
        [{"$list": "swapped"}, 512, 4739, 8000, False, {"$cost": LESSON}],
    )


def words() -> Made:
    """Formats around their halves."""
    for x in (0, 0.04, 0.05, 0.15, 0.25, 0.35, 0.45, 9.95, 47.25, 47.249999999999993, 999.95, 123456.75):
        yield f"tenths of {x!r}", "halves up, from an integer", "words.tenths", [x]
    for x in (0, 0.004, 0.005, 0.125, 0.315, 0.9949, 0.995, 1):
        yield f"percent of {x!r}", "halves up", "words.percent", [x]
    for x in (0, 0.5, 1.5, 2.5, 61.49999999999999, 61.5):
        yield f"nearest to {x!r}", "halves up, not to the even one", "words.whole_number", [x]
    for n in (0, 1, 999, 1000, 1001, 999999, 1000000, 2**53 - 1):
        yield f"{n} with separators", "groups of three", "words.commas", [n]
        yield f"plural of {n}", "one for 1", "words.plural_form", [n]
    for n in (0, 49_999_999, 50_000_000, 16_060_522_496, 10**13):
        yield f"{n} bytes in GB", "billions of bytes", "words.gb", [n]
    yield from lines()


def lines() -> Made:
    """The three lines in the cases that the settings of the lesson never reach."""
    for rows in ([], [[0, 9, 1]], [[0, 9, 1]] * 2, [[0, 60, 1]], [[0, 60, 1]] * 2, [[0, 9, 3], [0, 60, 1]]):
        run = [{"$requests": rows}, 1000, 9, 48]
        yield f"run line, {rows}", "nobody served, no gaps, one of each", "line", ["run_line", run, 1000, 48]
        yield f"extra line, {rows}", "nobody served, no gaps, one of each", "line", ["extra_line", run]


def describe() -> Made:
    """One setting of each kind, with all its words, after the one before."""
    before: Any = None
    for setting in SETTINGS:
        measured = {"$measured": setting}
        yield f"{setting}", "all words of one setting, after the one before", "describe.describe", setting
        yield (
            f"{setting} beside",
            "all words of one setting, after the one before",
            "describe.page_words",
            [measured, before],
        )
        yield (
            f"{setting} heard",
            "all words of one setting, after the one before",
            "describe.status_line",
            [measured, before],
        )
        yield f"{setting} as text", "all words of one setting, after the one before", "describe.as_text", [measured]
        yield f"{setting} fixes", "all words of one setting, after the one before", "describe.fixes", [measured]
        before = measured


def quote() -> Made:
    """Every number that can be quoted, where the server starts, starves, stops, and where nobody is served."""
    lists: list[Any] = [{"$requests": []}, {"$requests": [[0, 9000, 1]]}, {"$requests": [[0, 5, 1]]}]
    for setting in SETTINGS:
        yield f"{setting}", "each name as the page writes it, or no value", "quotes", [{"$measured": [*setting, None]}]
    for requests in lists:
        arguments = [{"$measured": [*SETTINGS[0], requests]}]
        yield f"{requests}", "nobody served, or no gap between words", "quotes", arguments


def sweep() -> Made:
    """The lesson's table, a starved one, and the knee around its gain."""
    yield "the lesson's table", "one row a cap", "sweep.sweep", [90, 8000, CAPS]
    yield "a starved table", "more seats, more pauses", "sweep.sweep", [30, 8000, CAPS[4:], False]
    yield "nobody served", "rates are absent", "sweep.sweep", [90, 8000, [1, 2], True, {"$requests": []}]
    for rate in (109.99999999999999, 110.0, 110.00000000000001, 110.00000000000003):
        rows = [{"cap": 1, "tokens_per_second": 100.0}, {"cap": 2, "tokens_per_second": rate}]
        yield f"a gain to {rate!r}", "a tenth more still pays", "sweep.stops_paying", [rows]


MODULES = {maker.__name__: maker for maker in (blocks, budget, steptime, server, words, describe, quote, sweep)}


def plain(value: Any) -> Any:
    """An answer as JSON has it."""
    if is_dataclass(value):
        return {key: plain(part) for key, part in asdict(value).items()}  # type: ignore[call-overload]
    if isinstance(value, dict):
        return {key: plain(part) for key, part in value.items()}
    return [plain(part) for part in value] if isinstance(value, (list, tuple)) else value


def text_for(module: str) -> str:
    """The file's text as it should be: its hand cases as they are, then the generated ones."""
    path = vectors.FOLDER / f"{module}.json"
    before = vectors.read(path) if path.is_file() else {"version": 1, "cases": []}
    made = [case for case in before["cases"] if case["by"] == "hand"]
    for name, why, call, args in MODULES[module]():
        job = {"call": call, "args": args}
        made.append({"name": name, "by": "sim", "why": why, "in": job, "out": plain(answer(job))})
    return vectors.text_of(module, before["version"], made)


def main() -> None:
    """Write every file."""
    for module in MODULES:
        text = text_for(module)
        (vectors.FOLDER / f"{module}.json").write_text(text, encoding="utf-8")
        print(f"{module}.json: {text.count(chr(10)) - 5} cases")


if __name__ == "__main__":
    main()
