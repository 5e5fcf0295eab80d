"""Inputs of the tool “floor”."""

import random
from collections.abc import Iterable, Iterator
from typing import Any

from tests.parity.calls import Job
from tests.parity.refused import NAN, NOT_NUMBERS, NOT_WHOLE

COST = [16e9, 131072.0, 16e9, 2e12, 312e12]


def jobs(seeds: Iterable[int]) -> Iterator[Job]:
    """Settings all over the domain; every fifth job asks a function by itself."""
    for seed in seeds:
        rng = random.Random(seed)
        yield arithmetic_job(rng) if seed % 5 == 0 else {"call": "tools.answer", "args": ["floor", made_settings(rng)]}


def made_settings(rng: random.Random) -> dict[str, Any]:
    """Some settings of each kind, a few of them extreme."""
    settings = {
        "parameters": rng.choice([1, 2**50, 8_000_000_000, 8e9, rng.randint(1, 2**45), 10 ** rng.uniform(6, 13)]),
        "bytes_per_weight": rng.choice([0.125, 0.5, 1, 2, 4, 8, 0.5 + 1 / 128, rng.uniform(0.1, 8)]),
        "bandwidth": rng.choice(
            [1, 2**53 - 1, 2e12, 2_000_000_000_000, rng.randint(1, 2**53 - 1), 10 ** rng.uniform(9, 14)]
        ),
        "batch": rng.choice([1, 2, rng.randint(1, 1024), rng.randint(1, 10**6)]),
        "context": rng.choice([0, 1, 4096, rng.randint(0, 2**17), rng.randint(0, 2**30)]),
    }
    if rng.random() < 0.1:
        settings[rng.choice(["parameters", "bytes_per_weight", "bandwidth"])] = 10 ** rng.uniform(-20, 30)
    if rng.random() < 0.05:
        settings["batch"] = rng.choice([2**52, 2**53 - 1, rng.randint(1, 2**53 - 1)])
        settings["context"] = rng.choice([0, 0, 1])
    return {key: value for key, value in settings.items() if rng.random() < 0.8}


def arithmetic_job(rng: random.Random) -> Job:
    """One of the functions of `floor`, at a boundary where there is one."""
    scale = rng.choice([1.0, rng.uniform(0.01, 100.0)])
    numbers = [scale * rng.choice([figure, rng.uniform(0.5, 2) * figure]) for figure in COST]
    tie = rng.randint(1, 10**5)
    if rng.random() < 0.5:  # so many tokens take exactly as long to read as the weights
        numbers[:2] = [131072.0 * tie, 131072.0]
    cost = {"$cost": numbers}
    calls: list[tuple[str, list[Any]]] = [
        ("floor_seconds", [10 ** rng.uniform(-3, 13), rng.uniform(0.1, 8), 10 ** rng.uniform(3, 14)]),
        ("ceiling_tokens_per_second", [10 ** rng.uniform(-9, 3), rng.randint(1, 10**6)]),
        ("pace", [rng.choice([1, 156, 157, rng.randint(1, 10**5)]), rng.randint(0, 10**5), cost]),
        ("pace", [1, tie + rng.choice([-1, 0, 0, 1]), cost]),
        ("compute_batch", [cost]),
        ("overtaking_tokens", [cost]),
    ]
    name, arguments = rng.choice(calls)
    return {"call": f"floor.{name}", "args": arguments}


def refused() -> list[Job]:
    """Values that no setting takes, and more than can be counted."""
    jobs = []
    for value in [*NOT_NUMBERS, 0]:
        for key in ("parameters", "bytes_per_weight", "bandwidth"):
            jobs.append({"call": "tools.answer", "args": ["floor", {key: value}]})
        for i in range(3):
            arguments = [value if i == place else figure for place, figure in enumerate((8e9, 2, 2e12))]
            jobs.append({"call": "floor.floor_seconds", "args": arguments})
        jobs.append({"call": "floor.ceiling_tokens_per_second", "args": [value, 1]})
    for value in [*NOT_WHOLE, 0]:
        jobs.append({"call": "tools.answer", "args": ["floor", {"batch": value}]})
        jobs.append({"call": "floor.ceiling_tokens_per_second", "args": [0.008, value]})
    for value in NOT_WHOLE:
        jobs.append({"call": "tools.answer", "args": ["floor", {"context": value}]})
    edges = {"parameters": (0.5, 2**50 + 1), "bytes_per_weight": (0.12, 8.01), "bandwidth": (0.99, 2**53)}
    jobs += [{"call": "tools.answer", "args": ["floor", {key: value}]} for key in edges for value in edges[key]]
    huge = ({"batch": 2**30, "context": 2**30}, {"parameters": 1e300}, {"bandwidth": 1e-300}, {"parameters": 5e-324})
    jobs += [{"call": "tools.answer", "args": ["floor", settings]} for settings in huge]
    jobs += [{"call": "tools.answer", "args": ["floor", {"bandwidth": 1e300, "parameters": 1e-10}]}]
    jobs += [{"call": "floor.compute_batch", "args": [{"$cost": [16e9, 1, 0.0, 2e12, 312e12]}]}]
    jobs += [{"call": "floor.overtaking_tokens", "args": [{"$cost": [16e9, 1e-10, 1.0, 2e12, 312e12]}]}]
    return [*jobs, {"call": "tools.answer", "args": ["floor", {"batch": NAN, "context": -1}]}]
