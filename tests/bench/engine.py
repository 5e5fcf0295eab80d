"""The engine's speed: reference, plain loop and twin on the same settings; long lists."""

import json
import random
import statistics
import time
from typing import Any

from poolroom import backlog, room, serve
from tests.node import run_node
from tests.parity.settings import Setting, sample

OPENING: Setting = (90, 8000, 64, False)
ROUNDS = 15


def settings(count: int) -> list[Setting]:
    """The opening, and settings of the sample that start, by chance but always the same."""
    started = [setting for setting in sample() if room(*setting[:2])["starts"]]
    return [OPENING, *random.Random(1).sample(started, count)]


def reference_ms(setting: Setting, rounds: int) -> list[float]:
    """Times of the reference on one setting."""
    share, longest, cap, reserved = setting
    chats, blocks = backlog(), room(share, longest)["blocks"]
    found = []
    for _ in range(rounds):
        start = time.perf_counter()
        serve(chats, cap, blocks, longest, reserved)
        found.append(1000.0 * (time.perf_counter() - start))
    return found


def measured(count: int = 24) -> dict[str, Any]:
    """Everything about the engine."""
    chosen = settings(count)
    done = run_node("tests/bench/engine.mjs", json.dumps({"settings": chosen, "rounds": ROUNDS}), check=True)
    answer = json.loads(done.stdout.splitlines()[-1])
    rows = []
    for setting, found in zip(chosen, answer["settings"], strict=True):
        found["reference"] = reference_ms(setting, ROUNDS if setting == OPENING else 3)
        least = {f"least_{name}": min(ms) for name, ms in found.items()}
        rows.append({"setting": setting, **{name: statistics.median(ms) for name, ms in found.items()}, **least})
    ratios = [row["plain"] / row["twin"] for row in rows]
    long = [{**each, "ms": statistics.median(each["ms"])} for each in answer["long"]]
    return {
        "node": answer["node"],
        "opening_ms": {name: ms for name, ms in rows[0].items() if name != "setting"},
        "settings": rows,
        "median_ms": {name: statistics.median(row[name] for row in rows) for name in ("reference", "plain", "twin")},
        "worst_ms": {name: max(row[name] for row in rows) for name in ("reference", "plain", "twin")},
        "plain_over_twin": {"median": statistics.median(ratios), "worst": min(ratios), "best": max(ratios)},
        "long_lists": long,
    }
