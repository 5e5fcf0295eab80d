"""Jobs that both languages must refuse alike: the same setting named, the same rule given."""

from typing import Any

from tests.parity.calls import Job

ONE = {"$requests": [[0, 30, 5]]}
NAN, INF, MINUS = {"$float": "nan"}, {"$float": "inf"}, {"$float": "-inf"}
NOT_WHOLE: list[Any] = [True, False, 90.5, -1, NAN, INF, MINUS, None, "90", "", [90], {"a": 1}, 2**53, 1e300]
NOT_NUMBERS: list[Any] = [True, False, NAN, INF, MINUS, None, "0", "", [0], {"a": 1}, -1, -1e-300, 9e307]
NOT_YES_NO: list[Any] = [0, 1, "yes", "", [], NAN]
COST = [16060522496, 131072, 16060522496, 2039000000000, 312000000000000]
MAY_BE_ZERO = (1, 2)  # cache and arithmetic of a token


def job(call: str, *args: Any) -> Job:
    """A job in short."""
    return {"call": call, "args": list(args)}


def settings_jobs() -> list[Job]:
    """Bad shares, cards, lengths, seats, pools, and set aside."""
    jobs = []
    for value in [*NOT_WHOLE, 0]:
        jobs += [job("budget.room", 90, value, False), job("budget.smallest_share", value)]
        jobs += [job("server.serve", ONE, value, 99, 48), job("server.serve", ONE, 8, 99, value)]
        jobs += [job("describe.describe", 90, 8000, value), job("sweep.sweep", 90, 8000, [1, value])]
    for value in [*NOT_WHOLE, 0, 101]:
        jobs += [job("budget.memory_parts", value), job("budget.largest_longest", value), job("sweep.sweep", value)]
        jobs += [job("describe.describe", value, 8000, 64)]
    for value in [*NOT_WHOLE, 0]:
        jobs += [job("budget.memory_parts", 90, value), job("server.serve", ONE, 8, value, 48)]
    jobs += [job("budget.memory_parts", 90, value) for value in (18060522495, 2**52)]
    for value in NOT_YES_NO:
        jobs += [job("budget.room", 90, 8000, value), job("server.serve", ONE, 8, 99, 48, value)]
    return jobs


def request_jobs() -> list[Job]:
    """Bad lists and bad chats."""
    jobs = []
    for value in [*NOT_WHOLE, 0]:
        jobs += [job("server.serve", {"$requests": [[0, 30, 5], [0, value, 5]]}, 8, 99, 48)]
        jobs += [job("server.serve", {"$requests": [[0, 30, value]]}, 8, 99, 48)]
        jobs += [job("describe.describe", 30, 128000, 64, False, {"$requests": [[0, 30, value]]})]
    for value in NOT_NUMBERS:
        jobs += [job("server.serve", {"$requests": [[value, 30, 5]]}, 8, 99, 48)]
    for rows in ([[2, 1, 1], [1, 1, 1]], [[5, 1, 1], [4.999999999999999, 1, 1]], [[0, 2**52, 1], [0, 2**52, 1]]):
        jobs += [job("server.serve", {"$requests": rows}, 8, 99, 48)]
    for value in (None, 7, "chats", {"a": 1}, True, [None], [7], ["a"], [True]):
        jobs += [job("server.serve", value, 8, 99, 48)]
    for name in ("", "Lesson", None, 1, "toString", "constructor"):
        jobs += [job("chats.chat_list", name)]
    for language in ("", "DE", "fr", "de-AT", None, 1, True, ["de"], {"a": 1}, "toString", "constructor", "__proto__"):
        jobs += [job("words.catalogue", language)]
    return jobs


def other_jobs() -> list[Job]:
    """Bad costs, pools that hold nobody, bad caps and rows, and time that runs out."""
    jobs = [job("server.serve", ONE, 8, pool, longest) for pool, longest in ((0, 1), (2, 33), (499, 8000))]
    for field in range(5):
        for value in [*NOT_NUMBERS, *([] if field in MAY_BE_ZERO else [0])]:
            cost = [value if i == field else figure for i, figure in enumerate(COST)]
            jobs += [job("server.serve", ONE, 8, 99, 48, False, {"$cost": cost})]
    for cost in ([5e-324, 0, 0, 1e300, 1], [1e300, 0, 0, 1e-300, 1], [8e307, 0, 0, 1, 1], [1, 0, 1e307, 1, 1e-10]):
        jobs += [job("server.serve", ONE, 8, 99, 48, False, {"$cost": cost})]
    for value in (7, "cost", True):
        jobs += [job("server.serve", ONE, 8, 99, 48, False, value)]
    for caps in (7, "1,2", [], [1, 1], [2, 1], [0], {"a": 1}):
        jobs += [job("sweep.sweep", 90, 8000, caps, False, ONE)]
    jobs += [job("sweep.sweep", 30, 128000), job("sweep.stops_paying", [])]
    jobs += [job("sweep.stops_paying", [{"cap": 1, "tokens_per_second": None}])]
    huge = {"$requests": [[0, 2**51, 9]]}
    jobs += [job("server.serve", huge, 8, 2**48, 2**52), job("server.serve", huge, 8, 2**48, 2**52, True)]
    return jobs


def refused_jobs() -> list[Job]:
    """All of them."""
    return [*settings_jobs(), *request_jobs(), *other_jobs()]
