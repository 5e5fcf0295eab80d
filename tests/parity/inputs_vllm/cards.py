"""Cards by their names, spelt by chance."""

import random
from collections.abc import Iterable

from poolroom.vllm.plan_facts import CARDS
from tests.parity.calls import Job
from tests.parity.inputs_vllm.names import spelt

NAMES = [each for name, facts in CARDS["cards"].items() for each in [name, facts["title"], *facts.get("aliases", [])]]


def jobs(seeds: Iterable[int]) -> list[Job]:
    """Every name, and spellings by chance."""
    found: list[Job] = [{"call": "vllm.cards.card_names", "args": []}]
    found += [{"call": "vllm.cards.card", "args": [name]} for name in NAMES]
    for seed in seeds:
        dice = random.Random(seed)
        found.append({"call": "vllm.cards.card", "args": [spelt(dice.choice(NAMES), dice)]})
    return found


def refused() -> list[Job]:
    """No names, and names of no card."""
    wrong = ["", "nvidia", "h100-96gb", "rtx", "…", "ＴＰＵ", "constructor", "__proto__", "gpu " * 40, "1e5", "\x00"]
    values = [*wrong, None, True, 0, 100, 1.5, {"$float": "nan"}, {"$float": "inf"}, [], ["t4"], {}, {"name": "t4"}]
    return [{"call": "vllm.cards.card", "args": [value]} for value in values]
