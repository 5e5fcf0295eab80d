"""Starts and refusals in every version's wording."""

import random
from collections.abc import Iterable, Iterator
from typing import Any

from poolroom.vllm.budget import budget
from poolroom.vllm.plan_facts import LINES
from poolroom.vllm.refuse import PlanError
from tests.parity.calls import Job
from tests.parity.inputs_vllm.settings import answered

BYTES = (
    "free_bytes",
    "total_bytes",
    "requested_bytes",
    "needed_bytes",
    "available_bytes",
    "initial_bytes",
    "current_bytes",
)
COUNTS = ("longest", "model_longest", "blocks", "block_tokens", "estimated_longest", "seats", "batched_tokens", "tp")
TEMPLATES = [
    "{a|gib} of {b|gib2} and {b|gib4}",
    "{c|commas} at {d|fixed2}x, {d|fixed4}",
    "{d|float}[ up to {c}]",
    "{e} {f}",
]


def some_terms(rng: random.Random) -> dict[str, Any]:
    """What a refusal mentions, or less."""
    terms: dict[str, Any] = {name: rng.randint(0, 2**38) for name in BYTES if rng.random() < 0.9}
    terms |= {name: rng.choice([0, 1, 16, rng.randint(0, 10**6)]) for name in COUNTS if rng.random() < 0.6}
    if rng.random() < 0.3:
        terms["loading"] = rng.random() < 0.5
    return terms


def jobs(seeds: Iterable[int]) -> list[Job]:
    """Half the jobs are starts, the others refusals and templates."""
    return list(_jobs(seeds))


def _jobs(seeds: Iterable[int]) -> Iterator[Job]:
    for seed in seeds:
        rng = random.Random(seed)
        if seed % 8 == 0:
            number = rng.choice([rng.uniform(-2, 2) * 10.0 ** rng.randint(-6, 18), rng.randint(-(2**40), 2**45)])
            terms = {
                "a": rng.randint(-(2**36), 2**40),
                "b": rng.randint(0, 2**40),
                "c": rng.randint(0, 10**9),
                "d": number,
            }
            terms |= {"e": "text", "estimated_longest": rng.choice([0, 4096])}
            yield {"call": "vllm.lines.said", "args": [rng.choice(TEMPLATES), terms]}
            continue
        settings, whole = _budgeted(rng)
        if seed % 2:
            longest = rng.choice([None, settings["longest"], max(1, settings["longest"] // 3)])
            yield {"call": "vllm.lines.start_lines", "args": [settings, whole, longest]}
        else:
            key = rng.choice(list(LINES["refusals"]))
            yield {"call": "vllm.lines.refusal_lines", "args": [settings, key, some_terms(rng)]}


def _budgeted(rng: random.Random) -> tuple[Any, Any]:
    while True:
        _, settings = answered(rng)
        try:
            return settings, budget(settings)
        except PlanError:
            continue


def refused() -> list[Job]:
    """Names of refusals that nobody knows."""
    settings, _ = _budgeted(random.Random(1))
    wrong = ["", "x", "toString", 4, None, True, [], {}, "FREE_MEMORY", "out of memory"]
    return [{"call": "vllm.lines.refusal_lines", "args": [settings, key, {}]} for key in wrong]
