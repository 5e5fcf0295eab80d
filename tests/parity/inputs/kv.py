"""Inputs of the tool “kv”."""

import random
from collections.abc import Iterable, Iterator
from typing import Any

from tests.parity.calls import Job
from tests.parity.refused import NOT_WHOLE

MODEL = ("n_layers", "n_kv_heads", "head_dim", "dtype_bytes")
MOST_GB = 2**22 - 1
MOST = 2**53 - 1


def jobs(seeds: Iterable[int]) -> Iterator[Job]:
    """Settings all over the domain; every fourth job asks a function by itself."""
    for seed in seeds:
        rng = random.Random(seed)
        yield arithmetic_job(rng) if seed % 4 == 0 else {"call": "tools.answer", "args": ["kv", made_settings(rng)]}


def made_settings(rng: random.Random) -> dict[str, Any]:
    """Some settings of each kind; a few that just fit, and a few of the largest."""
    settings = {
        "n_layers": rng.choice([1, 32, rng.randint(1, 200)]),
        "n_kv_heads": rng.choice([1, 8, 32, rng.randint(1, 128)]),
        "head_dim": rng.choice([1, 64, 128, rng.randint(1, 600)]),
        "dtype_bytes": rng.choice([1, 2, 4, rng.randint(1, 8)]),
        "tokens": rng.choice([1, 4096, rng.randint(1, 2**18), rng.randint(1, 2**30)]),
        "card": rng.choice([1, 80, rng.randint(1, 300), rng.randint(1, MOST_GB), MOST_GB]),
        "weights": rng.choice([0, 16, rng.randint(0, 200), rng.randint(0, MOST_GB), MOST_GB]),
        "reserve": rng.choice([0, 4, rng.randint(0, 20), rng.randint(0, MOST_GB), MOST_GB]),
    }
    if rng.random() < 0.5:
        settings["weights"] = rng.randint(0, settings["card"])
        settings["reserve"] = max(0, settings["card"] - settings["weights"] - rng.choice([0, 0, 1, rng.randint(0, 99)]))
    return {key: value for key, value in settings.items() if rng.random() < 0.85}


def arithmetic_job(rng: random.Random) -> Job:
    """One of the functions of `kv`, at a boundary where there is one."""
    each, count = rng.randint(1, 2**26), rng.randint(1, 2**27 - 1)
    calls: list[tuple[str, list[Any]]] = [
        ("kv_bytes_per_token", [rng.randint(1, 10**k) for k in (2, 2, 3)]),
        ("kv_bytes_per_token", [rng.randint(1, 2 ** rng.randint(1, 30)) for _ in MODEL]),
        ("sequence_bytes", [rng.randint(1, 2**20), rng.randint(1, 2 ** rng.randint(1, 40))]),
        ("room_bytes", [rng.choice([MOST, rng.randint(0, MOST)]) for _ in range(3)]),
        ("room_bytes", [rng.randint(0, 2**40) for _ in range(3)]),
        ("sequences_that_fit", [each * count + rng.choice([-1, 0, 1]), each]),
        ("sequences_that_fit", [MOST - rng.randint(0, 9), rng.randint(1, 2 ** rng.randint(1, 53) - 1)]),
    ]
    name, arguments = rng.choice(calls)
    return {"call": f"kv.{name}", "args": arguments}


def refused() -> list[Job]:
    """Values that no setting takes, and products that cannot be counted."""
    jobs = []
    for value in [*NOT_WHOLE, 0]:
        jobs += [{"call": "tools.answer", "args": ["kv", {key: value}]} for key in (*MODEL, "tokens", "card")]
        for place in range(4):
            arguments = [value if i == place else figure for i, figure in enumerate((32, 8, 128, 2))]
            jobs.append({"call": "kv.kv_bytes_per_token", "args": arguments})
        jobs += [{"call": "kv.sequence_bytes", "args": [value, 1]}, {"call": "kv.sequence_bytes", "args": [1, value]}]
        jobs.append({"call": "kv.sequences_that_fit", "args": [1, value]})
    for value in NOT_WHOLE:
        jobs += [{"call": "tools.answer", "args": ["kv", {key: value}]} for key in ("weights", "reserve")]
        jobs += [{"call": "kv.room_bytes", "args": [value if i == j else 9 for j in range(3)]} for i in range(3)]
        jobs.append({"call": "kv.sequences_that_fit", "args": [value, 1]})
    for key in ("card", "weights", "reserve"):
        jobs.append({"call": "tools.answer", "args": ["kv", {key: MOST_GB + 1}]})
    products = [[MOST, 1, 1, 1], [2**51, 2, 1, 1], [2**40, 1, 2**12, 1], [2**20, 2**20, 2**10, 4]]
    jobs += [{"call": "kv.kv_bytes_per_token", "args": product} for product in products]
    jobs += [{"call": "kv.sequence_bytes", "args": [2**30, 2**23]}, {"call": "kv.room_bytes", "args": [0, MOST, 1]}]
    return [*jobs, {"call": "tools.answer", "args": ["kv", {"tokens": 2**36}]}]
