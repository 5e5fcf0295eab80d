"""Inputs of the tool “quantise”."""

import random
from collections.abc import Iterable, Iterator
from typing import Any

from poolroom.serving_facts import TOOLS, figure
from tests.parity.calls import Job
from tests.parity.refused import NOT_NUMBERS, NOT_WHOLE, NOT_YES_NO

MODELS, FORMATS = (TOOLS["quantise"]["controls"][key]["values"] for key in ("model", "format"))
SIZES = ("vocabulary", "hidden", "intermediate", "heads", "kv_heads", "head_size")
NO_NAMES: list[Any] = ["", "FP16", "toString", "__proto__", None, 1, True, [], ["fp16"], {"a": 1}]


def jobs(seeds: Iterable[int]) -> Iterator[Job]:
    """Settings all over the domain, and models of any shape."""
    for seed in seeds:
        rng = random.Random(seed)
        yield arithmetic_job(rng) if seed % 3 == 0 else {"call": "tools.answer", "args": ["quantise", settings(rng)]}


def settings(rng: random.Random) -> dict[str, Any]:
    """A model, a format, and any bandwidth."""
    bandwidth = [1, 2**53 - 1, 2e12, rng.randint(1, 2**53 - 1), 10 ** rng.uniform(0, 15), 10 ** rng.uniform(11, 13)]
    return {"model": rng.choice(MODELS), "format": rng.choice(FORMATS), "bandwidth": rng.choice(bandwidth)}


def shape(rng: random.Random) -> dict[str, Any]:
    """A model's sizes: small and odd, of the usual kind, or as large as they may be."""
    kind = rng.random()
    most = 9 if kind < 0.4 else 2**12 if kind < 0.8 else 2**20
    sizes: dict[str, Any] = {key: rng.choice([most, rng.randint(1, most)]) for key in SIZES}
    sizes["head_size"] = rng.choice([1, 64, 128, rng.randint(1, 200)])
    sizes["heads"], sizes["kv_heads"] = rng.randint(1, 2**20 // sizes["head_size"]), rng.randint(1, 64)
    layers = rng.choice([1, 512, rng.randint(1, 512)])
    return {**sizes, "layers": layers, "biases": rng.random() < 0.5, "tied": rng.random() < 0.5}


def arithmetic_job(rng: random.Random) -> Job:
    """One of the functions of `quantise`, or its number format."""
    if rng.random() < 0.2:
        return {"call": "quantise_words.decimals", "args": [10 ** rng.uniform(-6, 9), rng.choice([100, 1000])]}
    name = rng.choice(["footprint"] * 4 + ["matrices", "quantised_parameters", "left_parameters"])
    arguments = [shape(rng), rng.choice(FORMATS)]
    return {"call": f"quantise.{name}", "args": arguments if name == "footprint" else arguments[:1]}


def refused() -> list[Job]:
    """Names and sizes that are none."""
    jobs, good = [], figure("quantise", "llama_8b")
    for value in NO_NAMES:
        jobs += [{"call": "tools.answer", "args": ["quantise", {key: value}]} for key in ("model", "format")]
        jobs.append({"call": "quantise.footprint", "args": [good, value]})
    for value in [*NOT_NUMBERS, 0, 0.5, 2**53]:
        jobs.append({"call": "tools.answer", "args": ["quantise", {"bandwidth": value}]})
    for key in (*SIZES, "layers"):
        for value in [*NOT_WHOLE, 0, 513 if key == "layers" else 2**20 + 1]:
            jobs.append({"call": "quantise.footprint", "args": [{**good, key: value}, "nf4"]})
    for key in ("biases", "tied"):
        jobs += [{"call": "quantise.footprint", "args": [{**good, key: value}, "nf4"]} for value in NOT_YES_NO]
    jobs += [{"call": "quantise.matrices", "args": [{**good, key: 2**14}]} for key in ("heads", "kv_heads")]
    return jobs
