"""What the reference says to one setting, as JSON; and settings drawn from a seed. Runs inside Pyodide."""

import json
import random
from dataclasses import asdict
from itertools import product
from time import perf_counter

from poolroom import chat_list, describe_measured, measure, page_words
from poolroom.facts import CHOICES

KEYS = ("share", "longest", "cap", "reserved")


def answer(share: int, longest: int, cap: int, reserved: bool, chats: str) -> str:
    """Give all that `describe` says, all that the page says beside it, every number behind both, and the time in ms."""
    started = perf_counter()
    measured = measure(share, longest, cap, reserved, None if chats == "lesson" else chat_list(chats))
    said = {"describe": describe_measured(measured), "page": page_words(measured)}
    ms = 1000 * (perf_counter() - started)
    return json.dumps({"ms": ms, "answer": {**said, "numbers": asdict(measured)}}, allow_nan=False)


def draw(seed: int, count: int, chats: str) -> str:
    """Draw so many different settings from all that the widget offers for a list of chats."""
    offered = list(product(*(CHOICES[key]["values"] for key in KEYS), [chats]))
    return json.dumps(random.Random(seed).sample(offered, count))
