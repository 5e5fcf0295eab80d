"""What a load run asks: made-up text or the lines of a file, the same for the same seed."""

import random
from dataclasses import dataclass
from pathlib import Path

WORDS = [
    "the", "a", "one", "every", "some", "river", "lamp", "garden", "window", "letter", "stone", "bridge", "kettle",
    "train", "harbour", "winter", "morning", "old", "quiet", "green", "small", "heavy", "open", "closed", "waits",
    "falls", "turns", "carries", "remembers", "crosses", "follows", "keeps", "under", "over", "near", "behind",
    "before", "after", "without", "and", "but", "because", "slowly", "again",
]


@dataclass(frozen=True)
class Ask:
    """One request: the prompt, and how many tokens the answer may have."""

    prompt: str
    max_tokens: int


def made_up(chance: random.Random, words: int) -> str:
    """Text of that many words that means nothing; no two are alike in practice."""
    return " ".join(chance.choice(WORDS) for _ in range(words))


def asks(seed: str, count: int, words: tuple[int, int], max_tokens: tuple[int, int], distinct: float) -> list[Ask]:
    """Requests with made-up prompts. `distinct` is the share of different ones; the rest are equal to one of those.

    Equal requests ask for equally many tokens: otherwise no cache could answer them.
    """
    chance = random.Random(seed)
    different = max(1, round(distinct * count))
    fresh = [Ask(made_up(chance, chance.randint(*words)), chance.randint(*max_tokens)) for _ in range(different)]
    repeats = [chance.choice(fresh) for _ in range(count - different)]
    everything = fresh + repeats
    chance.shuffle(everything)
    return everything


def asks_from(path: Path, seed: str, count: int, max_tokens: tuple[int, int]) -> list[Ask]:
    """Requests whose prompts are the lines of a file, in order, from the start again when they run out."""
    lines = [line for line in path.read_text("utf-8").splitlines() if line.strip()]
    if not lines:
        raise ValueError(f"{path} has no line that is not empty")
    chance = random.Random(seed)
    return [Ask(lines[place % len(lines)], chance.randint(*max_tokens)) for place in range(count)]
