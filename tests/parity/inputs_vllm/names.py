"""Names by chance, spelt by chance."""

import random
from collections.abc import Iterable
from typing import Any

from tests.parity.calls import Job

LETTERS = "aAzZ09.-_/ é…"


def spelt(name: str, dice: random.Random) -> str:
    """A name in another spelling, sometimes one that means something else."""
    text = dice.choice([name, name.upper(), name.lower(), name.replace("-", " "), name.replace("-", "")])
    if dice.random() < 0.3:
        at = dice.randrange(len(text) + 1)
        text = text[:at] + dice.choice(LETTERS) + text[at + dice.randrange(2) :]
    return text


def jobs(seeds: Iterable[int]) -> list[Job]:
    """Each of the three functions, in turn."""
    found: list[Job] = []
    for seed in seeds:
        dice = random.Random(seed)
        names = ["".join(dice.choice(LETTERS) for _ in range(dice.randrange(12))) for _ in range(8)]
        call: dict[int, tuple[str, list[Any]]] = {
            0: ("name_words", [dice.choice(names)]),
            1: ("squashed", [dice.choice(names), ["a", "0", "z9"]]),
            2: ("near_names", [spelt(dice.choice(names) or "a", dice), names, dice.randrange(5)]),
        }
        function, args = call[seed % 3]
        found.append({"call": f"vllm.names.{function}", "args": args})
    return found


def refused() -> list[Job]:
    """Nothing: a text is a text."""
    return []
