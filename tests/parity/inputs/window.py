"""Inputs of the tool “window”."""

import random
from collections.abc import Iterable, Iterator
from typing import Any

from tests.parity.calls import Job
from tests.parity.refused import COST, NOT_NUMBERS, NOT_WHOLE

WHOLE = 60
"""How many whole answers are asked for at least: each runs the reference's server, step by step."""
COSTS = [COST, [1.0, 0.0, 0.0, 1.0, 1.0], [1.0, 0.5, 0.75, 3.0, 1.0], [0.1, 0.001, 0.7, 0.3, 0.9]]
CALLS = ("batch_window", "continuous", "most_batched")


def jobs(seeds: Iterable[int]) -> Iterator[Job]:
    """Short lists for the batcher by itself; every 16th job asks the tool, mostly where it has few steps to walk."""
    for seed in seeds:
        rng = random.Random(seed)
        if seed % 16:
            yield arithmetic_job(rng)
        else:
            yield {"call": "tools.answer", "args": ["window", made_settings(rng)]}


def made_settings(rng: random.Random) -> dict[str, Any]:
    """Settings all over the domain, a tenth of them slow."""
    quick = rng.random() < 0.9
    return {
        "rate": rng.choice([16, 32.0, rng.uniform(8, 64), 1000]) if quick else 10 ** rng.uniform(-3, 1),
        "window_ms": rng.choice([0, 1, 10.0, rng.uniform(0, 2000), rng.randint(0, 60_000), 60_000, 1e-12]),
        "max_batch": rng.choice([rng.randint(8, 64), 64, 100, 101, 2**53 - 1]) if quick else rng.randint(1, 7),
        "lengths": rng.choice(["equal", "mixed"]),
    }


def arithmetic_job(rng: random.Random) -> Job:
    """A short list and the functions of `batching`, or the drawing of a list."""
    if rng.random() < 0.1:
        rate = 10 ** rng.uniform(-3, 3)
        if rng.random() < 0.5:
            return {"call": "window_words.window_requests", "args": [rate, rng.choice(["equal", "mixed"])]}
        columns = [lambda: rng.expovariate(1), lambda: rng.randint(1, 600), lambda: rng.randint(1, 300)]
        count = rng.randint(0, 40)
        return {"call": "arrivals.arriving", "args": [rate, *[[draw() for _ in range(count)] for draw in columns]]}
    name, requests = rng.choice(["batch_window", *CALLS]), made_requests(rng)
    max_batch = rng.choice([1, 2, 3, rng.randint(1, 12), 2**53 - 1])
    cost = rng.choice(COSTS)
    scaled = {"$cost": [figure * rng.choice([1.0, rng.uniform(0.5, 2)]) for figure in cost]}
    window = [rng.choice([0, 1, 0.01, rng.uniform(0, 4), 2.0, 1e300])] if "batch" in name else []
    return {"call": f"batching.{name}", "args": [requests, *window, max_batch, scaled]}


def made_requests(rng: random.Random) -> dict[str, Any]:
    """Up to a dozen requests: in bursts, at whole instants, by chance, or all at once."""
    now, rows = 0.0, []
    kind = rng.randrange(4)
    for _ in range(rng.randint(0, 12)):
        now += [0, rng.randint(0, 3), rng.expovariate(2), rng.choice([0, 0.01, 5])][kind]
        rows.append([now, rng.choice([1, 7, rng.randint(1, 900)]), rng.choice([1, 2, rng.randint(1, 70)])])
    return {"$requests": rows}


def refused() -> list[Job]:
    """Values that no setting takes, and runs that cannot be counted or never end."""
    jobs: list[Job] = []
    one = {"$requests": [[0, 30, 5]]}
    for value in [*NOT_NUMBERS, 0, 1001, 1e-9]:
        jobs.append({"call": "tools.answer", "args": ["window", {"rate": value}]})
        jobs.append({"call": "window_words.window_requests", "args": [value, "equal"]})
    for value in [*NOT_NUMBERS, 60_001]:
        jobs.append({"call": "tools.answer", "args": ["window", {"window_ms": value}]})
    for value in NOT_NUMBERS:
        jobs.append({"call": "batching.batch_window", "args": [one, value, 1]})
        jobs.append({"call": "batching.most_batched", "args": [one, value, 1]})
        jobs.append({"call": "arrivals.arriving", "args": [value, [1], [1], [1]]})
    for value in [*NOT_WHOLE, 0]:
        jobs.append({"call": "tools.answer", "args": ["window", {"max_batch": value}]})
        jobs += [{"call": f"batching.{name}", "args": [one, 0.01, value]} for name in ("batch_window", "most_batched")]
        jobs.append({"call": "batching.continuous", "args": [one, value]})
    for value in ("", "Equal", "toString", "__proto__", None, 1, True, [], {}):
        jobs.append({"call": "tools.answer", "args": ["window", {"lengths": value}]})
    for value in (None, 7, "chats", {"a": 1}, [None], [7], {"$requests": [[1, 1, 1], [0, 1, 1]]}):
        jobs += [{"call": f"batching.{name}", "args": [value, 1, 1]} for name in ("batch_window", "most_batched")]
        jobs.append({"call": "batching.continuous", "args": [value, 1]})
    for rows in ([[0, 2**52, 1]] * 2, [[0, 2**51, 1], [0, 1, 1], [0, 1, 1], [0, 1, 1], [0, 1, 1]], [[0, 1, 2**40]]):
        jobs.append({"call": "batching.batch_window", "args": [{"$requests": rows}, 1, 8]})
    late, slow = {"$requests": [[8.9e307, 1, 1]]}, {"$cost": [8e307, 0, 0, 1, 1]}
    jobs.append({"call": "batching.batch_window", "args": [late, 8.9e307, 2, slow]})
    jobs.append({"call": "arrivals.arriving", "args": [5e-324, [1], [1], [1]]})
    jobs.append({"call": "batching.batch_window", "args": [one, 1, 1, 7]})
    return jobs
