"""Inputs of the tool “percentiles”."""

import random
from collections.abc import Iterable, Iterator
from typing import Any

from tests.parity.calls import Job
from tests.parity.refused import NOT_NUMBERS, NOT_WHOLE

MOST = {"requests": 10_000, "slow": 100, "times": 1000, "percentile": 100, "sample": 10_000}


def jobs(seeds: Iterable[int]) -> Iterator[Job]:
    """Settings all over the domain; every third job asks a function by itself."""
    for seed in seeds:
        rng = random.Random(seed)
        if seed % 3 == 0:
            yield arithmetic_job(rng)
        else:
            yield {"call": "tools.answer", "args": ["percentiles", made_settings(rng)]}


def made_settings(rng: random.Random) -> dict[str, Any]:
    """Some settings of each kind; large samples are rare, since sorting them takes long."""
    settings = {
        "requests": rng.choice(
            [1, 2, 20, 100, rng.randint(1, 30), rng.randint(1, 300), 1000 if rng.random() < 0.1 else 9]
        ),
        "slow": rng.choice([0, 1, 5, 100, rng.randint(0, 100)]),
        "times": rng.choice([1, 2, 20, rng.randint(1, 1000)]),
        "percentile": rng.choice([50, 95, 99, 100, rng.randint(1, 100)]),
        "sample": rng.choice([1, 10_000, rng.randint(1, 10_000)]),
    }
    return {key: value for key, value in settings.items() if rng.random() < 0.85}


def arithmetic_job(rng: random.Random) -> Job:
    """One of the functions, on times that are close, equal, tiny and huge, at places where products fall on a whole."""
    time = rng.choice(
        [lambda: rng.uniform(0, 10), lambda: float(rng.randint(0, 9)), lambda: 10 ** rng.uniform(-300, 300)]
    )
    times = [time() for _ in range(rng.choice([1, 2, rng.randint(1, 25), 100]))]
    p = rng.choice([float(rng.randint(1, 100)), rng.randint(1, 100_000) / 1000])
    n = rng.choice([100, 750, 1500, rng.randint(1, 10_000), rng.randint(1, 10**9)])
    call, args = rng.choice(
        [
            ("percentiles.rank", [n, p]),
            ("percentiles.enough", [p]),
            ("percentiles.nearest_rank", [times, p]),
            ("percentiles.interpolated", [times, p]),
            ("percentiles.mean", [times]),
            (
                "latencies.latencies",
                [rng.randint(1, 99), rng.randint(0, 100), rng.randint(1, 1000), rng.randint(1, 9999)],
            ),
        ]
    )
    return {"call": call, "args": args}


def refused() -> list[Job]:
    """Values that no setting takes, lists that are none, and percentiles that are none."""
    bad: list[tuple[str, list[Any]]] = []
    for key, most in MOST.items():
        zero = [] if key == "slow" else [0]
        bad += [("tools.answer", ["percentiles", {key: value}]) for value in [*NOT_WHOLE, *zero, most + 1]]
    for i, key in enumerate(("requests", "slow", "times", "sample")):
        bad += [
            ("latencies.latencies", [*[9, 5, 5, 1][:i], value, *[9, 5, 5, 1][i + 1 :]]) for value in (-1, MOST[key] + 1)
        ]
    for name in ("nearest_rank", "interpolated", "mean"):
        rest = [] if name == "mean" else [50]
        lists = [[], None, 7, "12", {"a": 1}, True, *([1, value, 2] for value in NOT_NUMBERS)]
        bad += [(f"percentiles.{name}", [values, *rest]) for values in lists]
    for value in [*NOT_NUMBERS, 0, 101, 100.001, 0.0001, 99.99999, 1e300, 5e-324]:
        bad += [(f"percentiles.{name}", [[1, 2], value]) for name in ("nearest_rank", "interpolated")]
        bad += [("percentiles.rank", [9, value]), ("percentiles.enough", [value])]
    bad += [("percentiles.rank", [value, 50]) for value in [*NOT_WHOLE, 0, 10**9 + 1]]
    bad += [("percentiles.mean", [[8e307, 8e307]])]
    return [{"call": call, "args": args} for call, args in bad]
