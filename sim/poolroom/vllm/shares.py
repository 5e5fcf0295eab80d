"""The memory share as a lever: the nearest one that does, as people type it and as vLLM prints it."""

import math

from .levers import Change, Question, does_with
from .search import first_that_does, last_that_does
from .trial import Trial, tried

CENTS = 100
"""Steps of the share as people type it: hundredths, so many units to the whole."""
FINE = 10_000
"""Steps of the share as vLLM prints it: four decimals, so many units to the whole."""
MOST_SHARE = 9_900
"""No larger share is offered, ten-thousandths, so many units to the whole: what every server holds outside is more.

Source:
    0.5 to 1.5 GiB of context and handles stand outside the share (vLLM 0.33.0, v1/worker/gpu_worker.py, and its logs).
"""


def share_free(base: Trial) -> float:
    """The largest share, in ten-thousandths, that the free memory allows.

    Args:
        base: settings, budget and verdict

    Returns:
        A share, from 0 to 1.
    """
    budget = base["budget"]
    if not base["settings"]["rules"]["free_check"]:
        return 1.0
    return min(FINE, math.floor(budget["free_bytes"] / budget["total_bytes"] * FINE)) / FINE


def share_change(question: Question) -> Change | None:
    """The nearest share that does, in hundredths, and the boundary in ten-thousandths.

    Below the free memory the pool only grows with the share, so the search goes up; from above it, it goes down.

    Args:
        question: what is asked

    Returns:
        The change, or None where no share does.
    """
    settings = question["base"]["settings"]
    refusal = question["base"]["verdict"]["refusal"]
    now = math.floor(settings["share"] * FINE)
    if refusal is not None and refusal["key"] == "free_memory":
        fine = _largest_share(question, now)
        coarse = None if fine is None else fine // CENTS
    else:
        fine = _smallest_share(question, now)
        coarse = None if fine is None else -(-fine // CENTS)
    if fine is None or coarse is None:
        return None
    if coarse > 0 and does_with(question, {"gpu_memory_utilization": coarse / CENTS}):
        return {"lever": "gpu_memory_utilization", "value": coarse / CENTS, "exact": fine / FINE}
    return {"lever": "gpu_memory_utilization", "value": fine / FINE, "exact": fine / FINE}


def _largest_share(question: Question, now: int) -> int | None:
    base = question["base"]
    guess = math.floor(base["budget"]["free_bytes"] / base["settings"]["total_bytes"] * FINE)
    fine = last_that_does(lambda n: _past(base, n / FINE, "free_memory"), 1, now, guess)
    return fine if fine is not None and does_with(question, {"gpu_memory_utilization": fine / FINE}) else None


def _past(base: Trial, share: float, key: str) -> bool:
    at = tried(base, {"gpu_memory_utilization": share})
    return at is not None and (at["verdict"]["refusal"] is None or at["verdict"]["refusal"]["key"] != key)


def _smallest_share(question: Question, now: int) -> int | None:
    # What asks for more than is free counts as enough here, so that enough never ends; it is looked at afterwards.
    base = question["base"]

    def enough(n: int) -> bool:
        at = tried(base, {"gpu_memory_utilization": n / FINE})
        return at is not None and (question["does"](at) or not _past_free(at))

    if now >= MOST_SHARE or not enough(MOST_SHARE):
        return None
    short = max(0, 0 - base["verdict"]["spare_bytes"])
    guess = now + math.floor(short / base["settings"]["total_bytes"] * FINE)
    fine = first_that_does(enough, now + 1, MOST_SHARE, guess)
    return fine if fine is not None and does_with(question, {"gpu_memory_utilization": fine / FINE}) else None


def _past_free(at: Trial) -> bool:
    refusal = at["verdict"]["refusal"]
    return refusal is None or refusal["key"] != "free_memory"
