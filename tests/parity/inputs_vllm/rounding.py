"""Doubles of every size, ties, and sizes as they stand in logs."""

import random
import struct
from collections.abc import Iterable, Iterator

from tests.parity.calls import Job
from tests.parity.refused import INF, MINUS, NAN

TIES = [0.125, 0.375, 2.675, 1.005, 0.005, 0.015, 0.5, 1.5, 2.5, 1e-9, 5e-324, 1e15, 1e15 + 0.125, 1e16, 1e22, 1e-5]
TIES += [
    9007199254740991,
    9007199254740993,
    90071992547409.9,
    90071992547409.92,
    123456789012345.67,
    0.1,
    51.4,
    1.79e308,
]
SCALES = [8, 16, 32, 64, 200, 1000, 2**20, 2**30]


def some_double(rng: random.Random) -> float:
    """A tie, any bits at all, a fraction with few bits, a size in GiB, or something in between."""
    kind = rng.randrange(5)
    if kind == 0:
        return rng.choice([-1, 1]) * rng.choice(TIES)
    if kind == 1:
        number = 0.0
        while not 0 < abs(number) < float("inf"):
            number = struct.unpack(">d", rng.getrandbits(64).to_bytes(8, "big"))[0]
        return number
    if kind == 2:
        return rng.choice([-1, 1]) * rng.randint(0, 10 ** rng.randint(1, 18)) / rng.choice(SCALES)
    if kind == 3:
        return rng.randint(-(2**34), 2**38) / 2**30
    return rng.uniform(-1, 1) * 10.0 ** rng.randint(-8, 20)


def jobs(seeds: Iterable[int]) -> list[Job]:
    """Each function with doubles by chance."""
    return list(_jobs(seeds))


def _jobs(seeds: Iterable[int]) -> Iterator[Job]:
    for seed in seeds:
        rng = random.Random(seed)
        number = some_double(rng)
        calls = [(name, [number, rng.choice([0, 1, 2, 2, 2, 3, 4, 4, 6])]) for name in ("rounded", "fixed")]
        calls += [(name, [rng.randint(-(2**40), 2**45)]) for name in ("gib", "commas")]
        calls += [("float_text", [number]), ("bytes_of_gib", [rng.uniform(-9, 300)])]
        calls += [("gib_text", [rng.randint(-(2**36), 2**40), rng.choice(["round", "fixed"])])]
        name, arguments = rng.choice([*calls, *calls[:2], *calls[4:5]])
        yield {"call": f"vllm.rounding.{name}", "args": arguments}


def refused() -> list[Job]:
    """What is no finite number, and places out of range."""
    wrong = [NAN, INF, MINUS, None, True, False, "1", "", [], [1], {}, {"a": 1}]
    jobs = [{"call": f"vllm.rounding.{name}", "args": [value, 2]} for value in wrong for name in ("rounded", "fixed")]
    jobs += [{"call": f"vllm.rounding.{name}", "args": [value]} for value in wrong for name in ("gib", "float_text")]
    places = [-1, 7, 0.5, NAN, INF, None, "2", True, []]
    return jobs + [{"call": f"vllm.rounding.{name}", "args": [1.5, p]} for p in places for name in ("rounded", "fixed")]
