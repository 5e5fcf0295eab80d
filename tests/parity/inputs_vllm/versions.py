"""Versions as people write them, and the rules that follow."""

import random
from collections.abc import Iterable, Iterator
from typing import Any

from poolroom.vllm.plan_facts import VERSIONS
from tests.parity.calls import Job

ENDINGS = ["", "", "", ".post1", ".post2", ".dev274", "rc1", "rc2.dev93", "+cu128", ".dev8+g4ba787ec9", "a1", ".rc3"]


def jobs(seeds: Iterable[int]) -> list[Job]:
    """Version numbers by chance, their order, and every rule."""
    return list(_jobs(seeds))


def _jobs(seeds: Iterable[int]) -> Iterator[Job]:
    for seed in seeds:
        rng = random.Random(seed)
        version = some_version(rng)
        order = [0, rng.randint(0, 40), rng.randint(0, 9), 0, 4, 0, 0, 1, 0]
        since = sorted((each for each in VERSIONS["releases"] if rng.random() < 0.2), key=VERSIONS["releases"].index)
        model = [rng.choice(["Qwen3ForCausalLM", "LlamaForCausalLM", ""]), *(rng.random() < 0.5 for _ in range(3))]
        yield rng.choice(
            [
                {"call": "vllm.versions.read_version", "args": [version]},
                {"call": "vllm.versions.rules_of", "args": [version]},
                {"call": "vllm.versions.rules_of", "args": [version, rng.choice(["V0", "V1", None])]},
                {"call": "vllm.versions.at_least", "args": [order, rng.choice(VERSIONS["releases"])]},
                {"call": "vllm.versions.runner_of", "args": [order, *model]},
                {"call": "vllm.versions.value_since", "args": [[["0.2.7", "x"], *([v, v] for v in since)], order]},
            ]
        )


def some_version(rng: random.Random) -> str:
    """A version that vLLM has, or might have."""
    number = rng.choice(VERSIONS["releases"]) if rng.random() < 0.3 else f"{rng.randint(0, 1)}.{rng.randint(0, 40)}"
    if number.count(".") == 1 and rng.random() < 0.7:
        number += f".{rng.randint(0, 9)}" + (f".{rng.randint(0, 3)}" if rng.random() < 0.2 else "")
    return rng.choice(["", "", "v", "~", "~v"]) + number + rng.choice(ENDINGS)


def refused() -> list[Job]:
    """What is no version, and engines that a version does not have."""
    texts: list[Any] = [
        "",
        "0",
        "33",
        "0.33.",
        ".33",
        "0.33.0.0.0",
        "0,33",
        "latest",
        "nightly",
        " 0.33",
        "0.33 ",
        "0.33\n",
    ]
    texts += ["vv0.33", "0.33rc", "0.33.devx", "0.33+", "~", "1e3", "0.33.0-1", "०.३३", "0.1234567", "0.33.dev1.post1"]
    texts += [0.33, 33, None, True, [], ["0.33"], {}, {"$float": "nan"}]
    jobs = [
        {"call": f"vllm.versions.{name}", "args": [text]} for text in texts for name in ("read_version", "rules_of")
    ]
    jobs += [{"call": "vllm.versions.rules_of", "args": [text]} for text in ("0.2.6", "0.1", "0.0.1", "0.2.7.dev1")]
    engines: list[Any] = ["V2", "v1", "", 0, 1, True, [], {}]
    jobs += [{"call": "vllm.versions.rules_of", "args": ["0.9.2", engine]} for engine in engines]
    jobs += [
        {"call": "vllm.versions.rules_of", "args": [version, "V0"]} for version in ("0.11", "0.20.2", "0.33", "1.0")
    ]
    return jobs + [
        {"call": "vllm.versions.rules_of", "args": [version, "V1"]} for version in ("0.2.7", "0.5.5", "0.6.5")
    ]
