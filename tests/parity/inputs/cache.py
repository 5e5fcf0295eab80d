"""Inputs of the tool “cache”."""

import random
from collections.abc import Iterable, Iterator
from typing import Any

from tests.parity.calls import Job
from tests.parity.refused import NOT_NUMBERS, NOT_WHOLE

KEYS = ["whole", "forgetful", "joined"]
TEXTS = ["", "|", "a", "a|", "|b", "1|a", "Übersetze", "𝒳|", "e\u0301", "\\", "12|3"]


def jobs(seeds: Iterable[int]) -> Iterator[Job]:
    """Settings all over the domain; every second job asks a function by itself."""
    for seed in seeds:
        rng = random.Random(seed)
        yield {"call": "tools.answer", "args": ["cache", made_settings(rng)]} if seed % 2 else arithmetic_job(rng)


def made_settings(rng: random.Random) -> dict[str, Any]:
    """Some settings of each kind."""
    settings = {
        "capacity": rng.choice([0, 1, 256, 1024, rng.randint(0, 99), rng.randint(0, 2000), rng.randint(0, 2**53 - 1)]),
        "prompts": rng.choice([1, 2, 1024, rng.randint(1, 99), rng.randint(1, 999)]),
        "exponent": rng.choice([0.8, 1, exponent(rng), exponent(rng)]),
        "key": rng.choice(KEYS),
    }
    return {key: value for key, value in settings.items() if rng.random() < 0.85}


def exponent(rng: random.Random) -> float:
    """One of those that are allowed."""
    return rng.randint(0, 10) / 5


def ask(rng: random.Random) -> dict[str, Any]:
    """A request whose texts hold bars, digits, and letters outside the first plane."""
    return {"$ask": [rng.choice(TEXTS), rng.choice(TEXTS), rng.choice([1, 128, 512])]}


def arithmetic_job(rng: random.Random) -> Job:
    """One of the functions by itself."""
    prompts = rng.choice([1, 2, 16, rng.randint(1, 200), 4096 if rng.random() < 0.05 else 3])
    row = [ask(rng) for _ in range(rng.randint(0, 60))]
    sums = [float(sum(range(k))) + 0.5 for k in range(1, rng.randint(2, 60))]
    call, args = rng.choice(
        [
            ("zipf.fifth_roots", [prompts]),
            ("zipf.popularity", [prompts, exponent(rng)]),
            ("zipf.drawn", [sums, rng.choice([0, 2**20 - 1, rng.randrange(2**20)])]),
            ("response_cache.asks", [rng.randint(1, 60), prompts, exponent(rng), rng.randint(1, 10_000)]),
            (f"response_cache.{rng.choice(KEYS)}_key", [ask(rng)]),
            ("response_cache.serve_cached", [row, [rng.choice("abcdefgh|") for _ in row], rng.randint(0, 12)]),
            ("response_cache.served_rate", [rng.uniform(0, 1e5), rng.randint(0, 10**6), rng.randint(1, 10**6)]),
            ("response_cache.served_rate", [10 ** rng.uniform(-300, 300), 2**53 - 1, rng.randint(1, 2**53 - 1)]),
        ]
    )
    return {"call": call, "args": args}


def refused() -> list[Job]:
    """Values that no setting takes."""
    bad: list[tuple[str, list[Any]]] = []
    for key, more in {"capacity": [], "prompts": [0, 4097]}.items():
        bad += [("tools.answer", ["cache", {key: value}]) for value in [*NOT_WHOLE, *more]]
    strange = [*NOT_NUMBERS, 0.1, 0.3, 2.2, 3, 1e300, 5e-324, 0.8000000000000002]
    bad += [("tools.answer", ["cache", {"exponent": value}]) for value in strange]
    bad += [("zipf.popularity", [9, value]) for value in strange]
    for value in ("", "Whole", "toString", "__proto__", None, 0, True, [], {}, ["whole"]):
        bad += [("tools.answer", ["cache", {"key": value}])]
    for value in [*NOT_WHOLE, 0]:
        bad += [("zipf.fifth_roots", [value]), ("response_cache.served_rate", [1000, 1, value])]
        for i in (0, 1, 3):
            args = [9, 9, 1, 1]
            args[i] = value
            bad += [("response_cache.asks", args)]
    bad += [("response_cache.asks", args) for args in ([20_001, 9, 1, 1], [9, 4097, 1, 1], [9, 9, 1, 10_001])]
    bad += [("zipf.drawn", [[1, 2], value]) for value in [*NOT_WHOLE, 2**20]]
    for value in NOT_WHOLE:
        bad += [("response_cache.serve_cached", [[], [], value])]
        bad += [("response_cache.served_rate", [1000, value, 1])]
    bad += [("response_cache.served_rate", [value, 1, 1]) for value in NOT_NUMBERS]
    return [{"call": call, "args": args} for call, args in bad]
