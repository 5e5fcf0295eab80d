"""Made-up lists of chats that look for trouble: ties, bursts, gaps, tiny pools, arrivals at instants of the run."""

import math
import random
from typing import Any

from poolroom import Cost, Request, blocks_for, serve
from tests.parity.calls import Job

LESSON = [16060522496, 131072, 16060522496, 2039000000000, 312000000000000]
COSTS = [
    LESSON,
    LESSON,
    [1.0, 0.0, 0.0, 1.0, 1.0],  # one second a step: arrivals tie with instants by themselves
    [0.1, 0.001, 0.7, 0.3, 0.9],  # compute-bound for a while, then memory-bound
    [1.0, 0.5, 0.75, 3.0, 1.0],
    [16e9, 131072.0, 16e9, 2e12, 1e13],  # compute-bound
    [16e9, 131072.0, 0.0, 2e12, 1e13],  # memory-bound
    [4.0, 1.0, 1.0, 1.0, 1.0],  # ties between the two kinds
    [7e8, 3e5, 1.1e9, 1.7e12, 9.1e12],
    [1e-9, 1e-12, 3e-11, 1e-3, 1.0],
]
Row = tuple[float, int, int]


def list_job(seed: int) -> Job:
    """A serve job; every third list has chats that arrive at an instant of the run, or one ulp beside it."""
    rng = random.Random(seed)
    cost = rng.choice(COSTS)
    if rng.random() < 0.25:
        cost = [value * rng.uniform(0.5, 2.0) for value in cost]
    rows = made_rows(rng, cost)
    settings = made_settings(rng, rows)
    if seed % 3 == 0:
        rows = with_arrivals_at_instants(rng, rows, settings, cost)
    return {"call": "server.serve", "args": [{"$requests": rows}, *settings, {"$cost": cost}]}


def watched_job(seed: int) -> Job:
    """The same, with every step seen; short lists only."""
    job = list_job(seed)
    while sum(row[2] for row in job["args"][0]["$requests"]) > 1_000:
        seed += 1_000_003
        job = list_job(seed)
    return {**job, "args": [*job["args"], {"$watch": True}]}


def made_rows(rng: random.Random, cost: list[float]) -> list[Row]:
    """Chats of one character: short, long, block-sized, or a few very long replies."""
    step = cost[0] / cost[3]
    kind = rng.choices(["short", "long", "blocks", "single", "endless"], [30, 30, 20, 10, 2])[0]
    count = rng.randint(1, 3) if kind == "endless" else rng.randint(1, 24)
    now, rows = 0.0, []
    gaps = rng.choice([[0.0], [0.0, 0.0, 1.0], [0.5, 3.0], [0.0, 0.0, 40.0], [0.1, 200.0]])
    for _ in range(count):
        now += rng.choice(gaps) * step * rng.choice([1.0, 1.0, rng.random(), 5.0])
        rows.append((now, *made_chat(rng, kind)))
    return rows


def made_chat(rng: random.Random, kind: str) -> tuple[int, int]:
    """Prompt and reply."""
    if kind == "short":
        return rng.randint(1, 60), rng.randint(1, 40)
    if kind == "long":
        return rng.randint(1, 900), rng.randint(1, 400)
    if kind == "blocks":
        return max(1, 16 * rng.randint(0, 4) + rng.randint(-1, 1)), max(1, 16 * rng.randint(0, 4) + rng.randint(-1, 1))
    if kind == "single":
        return rng.randint(1, 300), rng.choice([1, 1, 1, 2])
    return rng.randint(1, 90), rng.choice([4_095, 4_096, 4_097, 8_193, rng.randint(3_000, 9_000)])


def made_settings(rng: random.Random, rows: list[Row]) -> list[Any]:
    """Cap, pool, longest, set aside: often just enough pool for the longest, sometimes turning chats away."""
    sizes = [prompt + reply for _, prompt, reply in rows]
    longest = max(sizes) if rng.random() < 0.7 else rng.choice(sizes) + rng.choice([-1, 0, 0, 1])
    longest = max(2, longest + rng.choice([0, 0, 0, 17, 100]))
    least = blocks_for(longest)
    pool = least + rng.choice([0, 0, 1, 2, rng.randint(0, 2 * least), 3 * least, len(rows) * least])
    return [rng.choice([1, 2, 3, len(rows), 256, rng.randint(1, 24)]), pool, longest, rng.random() < 0.25]


def with_arrivals_at_instants(rng: random.Random, rows: list[Row], settings: list[Any], cost: list[float]) -> list[Row]:
    """Add up to three chats, each arriving at the end of a step of the run so far, or one ulp before or after it."""
    least = 0.0
    for _ in range(rng.randint(1, 3)):
        instants = [now for now in instants_of(rows, settings, cost) if now > least]
        if not instants:
            break
        instant = rng.choice(instants)
        least = instant
        arrival = rng.choice([instant, math.nextafter(instant, 0.0), math.nextafter(instant, math.inf)])
        place = sum(1 for row in rows if row[0] <= arrival)
        rows = [*rows[:place], (arrival, *made_chat(rng, "short")), *rows[place:]]
    return rows


def instants_of(rows: list[Row], settings: list[Any], cost: list[float]) -> list[float]:
    """The ends of all steps of a run."""
    instants: list[float] = []
    serve([Request(*row) for row in rows], *settings, Cost(*cost), lambda step: instants.append(step.now))
    return instants


def giant_jobs() -> list[Job]:
    """Whole numbers up to 2^53 − 1, each exact in both languages, and sums that pass it."""
    most = 2**53 - 1
    settings = [
        ([(0, 2**52 - 9, 3)], [8, 2**49, most]),
        ([(0, 45_035_996_273, 300), (1e300, 5, 5)], [8, 2**49, most]),
        ([(0, 450_359_962_737, 3000), (3, 5, 500)], [8, 2**49, most]),
        ([(0, 450_359_962_737, 300), (3, 5, 500)], [8, most, most, True]),
        ([(0, 4_503, 300), (3, 5, 500)], [8, most, most, True]),
        ([(0, 4_503, 300), (3, 5, 500)], [most, most, 9_000]),
        ([(0, 4_503, 300), (2**53 + 1, 5, 500)], [8, 90_071_992_547_409, 9_000]),
        ([(0, 2**40, 2), (0, 5, 500)], [8, 2**37, 2**41, True]),
        ([(0, 2**20, 20_000)] * 3, [8, 2**30, 2**40]),
        ([(0, 2**51, 9)], [8, 2**48, 2**52]),
    ]
    jobs = [{"call": "server.serve", "args": [{"$requests": rows}, *rest]} for rows, rest in settings]
    measured = [{"$measured": [90, longest, cap, False]} for longest, cap in ((most, 64), (2**52, most), (300, most))]
    return [*jobs, *[{"call": "everything", "args": [each, None]} for each in measured]]
