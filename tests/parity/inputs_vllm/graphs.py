"""CUDA graphs for settings by chance."""

from collections.abc import Iterable

from tests.parity.calls import Job
from tests.parity.inputs_vllm.reserve import settings_of

SEEDS = 1_000


def jobs(seeds: Iterable[int]) -> list[Job]:
    """How many there are, whether they count, and what they take."""
    made: list[Job] = []
    for seed in seeds:
        settings = settings_of(seed)
        if seed % 3 == 0:
            settings = {**settings, "seats": seed + 1, "batched_tokens": 7 * seed + 1, "graphs_counted": seed % 2 == 0}
        made += [
            {"call": f"vllm.graphs.{name}", "args": [settings]}
            for name in ("graphs", "graphs_beside", "graphs_counted", "graphs_captured")
        ]
        made.append({"call": "vllm.graphs.graph_sizes", "args": [settings, seed + 1]})
    return made


def refused() -> list[Job]:
    """Nothing: what is too large has been refused before."""
    return []
