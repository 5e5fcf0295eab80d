"""Each lever alone: the smallest change that makes a server start, exact at its boundary."""

from collections.abc import Callable
from typing import Any, TypedDict

from .divided import undivided
from .rounding import GIB_BYTES
from .search import first_that_does, last_that_does
from .trial import Trial, tried

CHUNKED_FROM = 32_768
"""Above this length, tokens, V0 turns chunked prefill on by itself.

Source:
    vLLM 0.6.6.post1, engine/arg_utils.py; issue 10517.
"""
MOST_CARDS = 16
"""Tensor and pipeline parallel are tried up to so many cards, a count without unit."""
_CARDS = ("tensor_parallel_size", "pipeline_parallel_size")


class Question(TypedDict):
    """What a lever is asked for.

    Attributes:
        base: where the change begins
        does: whether a trial is good enough
        least_longest: longest chat that must stay possible, tokens
        least_seats: chats at once that must stay possible
    """

    base: Trial
    does: Callable[[Trial], bool]
    least_longest: int
    least_seats: int


class Change(TypedDict):
    """One change of one lever, at its boundary.

    Attributes:
        lever: name of the setting
        value: what to set it to, in the setting's own unit
        exact: the boundary itself where the value is rounded to what people type, in the same unit
    """

    lever: str
    value: Any
    exact: Any


def does_with(question: Question, changes: dict[str, Any]) -> bool:
    """Whether a change is good enough.

    Args:
        question: what is asked
        changes: settings by vLLM's names

    Returns:
        True where the changed trial does.
    """
    at = tried(question["base"], changes)
    return at is not None and question["does"](at) and (not any(name in changes for name in _CARDS) or _goes_on(at))


def _goes_on(at: Trial) -> bool:
    # A pool that was measured says nothing of other numbers of cards: the weights must go onto each.
    return all(stage["parts"][0]["bytes"] <= at["budget"]["total_bytes"] for stage in at["budget"]["stages"])


def longest_change(question: Question) -> Change | None:
    """The longest chat that does, below the one asked; in V0 below or above the length where chunking starts.

    Args:
        question: what is asked

    Returns:
        The change, tokens, or None where no length does.
    """
    base = question["base"]
    now = base["settings"]["longest"]
    guess = _longest_guess(base)

    def does(tokens: int) -> bool:
        return does_with(question, {"max_model_len": tokens})

    least = max(1, question["least_longest"])
    if least >= now or not does(least):
        return None
    if base["settings"]["rules"]["chunked"] or now <= CHUNKED_FROM:
        found = last_that_does(does, least, now - 1, guess)
    else:
        found = last_that_does(does, max(least, CHUNKED_FROM + 1), now - 1, guess)
        if found is None:
            found = last_that_does(does, least, CHUNKED_FROM, guess)
    return None if found is None else {"lever": "max_model_len", "value": found, "exact": found}


def _longest_guess(base: Trial) -> int:
    refusal = base["verdict"]["refusal"]
    if refusal is None:
        return base["verdict"]["longest"]
    if refusal["key"] == "too_long":
        return base["settings"]["model"]["longest"]
    if refusal["key"] == "below_longest":
        return base["settings"]["batched_tokens"]
    return refusal["terms"].get("estimated_longest", 0) or base["settings"]["longest"] // 2


def longer_change(question: Question) -> Change | None:
    """In V0 without chunking: the first length that does above the one asked, where chunking starts by itself.

    Args:
        question: what is asked

    Returns:
        The change, tokens, or None where no longer length does.
    """
    base = question["base"]
    settings = base["settings"]
    most = settings["model"]["longest"]
    if settings["rules"]["chunked"] or settings["chunked"] or settings["longest"] > CHUNKED_FROM:
        return None
    value = CHUNKED_FROM + 1
    if most < value or not does_with(question, {"max_model_len": value}):
        return None
    return {"lever": "max_model_len", "value": value, "exact": value}


def fewer_change(question: Question, lever: str) -> Change | None:
    """The largest number of seats, or of tokens read per step, that does, below the one asked.

    Args:
        question: what is asked
        lever: "max_num_seqs" or "max_num_batched_tokens"

    Returns:
        The change, chats or tokens, or None where no number does.
    """
    settings = question["base"]["settings"]
    if lever == "max_num_seqs":
        now, least = settings["seats"], max(1, question["least_seats"])
    else:
        now, least = settings["batched_tokens"], settings["seats"]
        if not settings["chunked"]:
            least = max(least, settings["longest"])
    if least >= now or not does_with(question, {lever: least}):
        return None
    found = last_that_does(lambda n: does_with(question, {lever: n}), least, now - 1, now // 2)
    return None if found is None else {"lever": lever, "value": found, "exact": found}


def more_change(question: Question, lever: str, least: int, most: int, guess: int) -> Change | None:
    """The smallest number above the one asked that does: tokens read per step, seats, bytes of the pool, blocks.

    Args:
        question: what is asked
        lever: name of the setting
        least: where to begin, in the setting's own unit
        most: where to end, in the setting's own unit
        guess: about where it may begin to do, in the setting's own unit

    Returns:
        The change, or None where no number does.
    """
    found = first_that_does(lambda n: does_with(question, {lever: n}), least, most, guess)
    return None if found is None else {"lever": lever, "value": found, "exact": found}


def freed_change(question: Question) -> Change | None:
    """How much may be in use before the server, at most: whatever else holds memory gives back the rest.

    What an idle card holds already at the start, the server's own CUDA context above all, nobody can give back.

    Args:
        question: what is asked

    Returns:
        The change, GiB in use, or None where freeing does not help.
    """
    now = question["base"]["budget"]["in_use_bytes"]
    idle = question["base"]["settings"]["card"]["held_bytes"]
    if now <= idle or not does_with(question, {"in_use_gib": idle / GIB_BYTES}):
        return None
    guess = now + question["base"]["verdict"]["spare_bytes"]
    found = last_that_does(lambda n: does_with(question, {"in_use_gib": n / GIB_BYTES}), idle, now - 1, guess)
    return None if found is None else {"lever": "in_use_gib", "value": found / GIB_BYTES, "exact": found / GIB_BYTES}


def switch_change(question: Question, lever: str, values: list[Any]) -> Change | None:
    """The first of some values that does: switches, dtypes, sizes that are no scale.

    Args:
        question: what is asked
        lever: name of the setting
        values: in the order in which they are tried

    Returns:
        The change, or None where none does.
    """
    for value in values:
        if does_with(question, {lever: value}):
            return {"lever": lever, "value": value, "exact": value}
    return None


def parallel_sizes(base: Trial) -> list[int]:
    """Sizes of tensor parallel that heads and widths allow, without the one asked, the nearest larger ones first.

    Args:
        base: where the change begins

    Returns:
        Counts of cards without unit.

    Raises:
        PlanError: for a release that is no version
    """
    settings = base["settings"]
    heads = settings["model"]["heads"]
    now = settings["tp"]
    sizes = [n for n in range(1, MOST_CARDS + 1) if n != now and (heads == 0 or heads % n == 0)]
    allowed = [n for n in sizes if undivided({**settings, "tp": n}) is None]
    return [n for n in allowed if n > now] + [n for n in reversed(allowed) if n < now]
