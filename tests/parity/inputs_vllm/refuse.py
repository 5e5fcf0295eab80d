"""Names that are refused, and names that are not."""

import random
from collections.abc import Iterable

from tests.parity.calls import Job

NAMES = ["auto", "fp8", "bfloat16"]


def jobs(seeds: Iterable[int]) -> list[Job]:
    """Names by chance."""
    return [
        {"call": "vllm.refuse.one_of_names", "args": ["dtype", random.Random(seed).choice([*NAMES, "x"]), NAMES]}
        for seed in seeds
    ]


def refused() -> list[Job]:
    """Values that are no name of the list."""
    wrong = ["", "AUTO", "a" * 60, 1, 0.5, None, True, [], {}, ["auto"]]
    return [{"call": "vllm.refuse.one_of_names", "args": ["dtype", value, NAMES]} for value in wrong]
