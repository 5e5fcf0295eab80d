"""A cache of answers in front of a model: requests by chance, keys of three kinds, and what a wrong key serves."""

from collections.abc import Callable
from dataclasses import dataclass

from .checks import number, whole
from .draws import MOST_CHOICES, Draws
from .lru import LRU
from .zipf import drawn, popularity

SHORT = 128
"""How long an answer may get, tokens: what the lesson's request asks for by default."""
LONG = 512
"""How long another answer may get, tokens: the lesson's example of what a forgetful key serves too short."""
MOST_REQUESTS = 20_000
"""How many requests a row has at most."""
SAMPLES = 10_000
"""How many rows of requests there are, a number without unit."""
SEED_STEP = 104_729
"""How far the seeds of two rows lie apart, without unit: a prime, so that first draws do not resemble each other."""


@dataclass(frozen=True, slots=True)
class Ask:
    """What one request asks for: every parameter that changes the answer.

    Attributes:
        system: the text that tells the model what to do
        prompt: the text to do it with
        max_new_tokens: how long the answer may get, tokens
    """

    system: str
    prompt: str
    max_new_tokens: int


@dataclass(frozen=True, slots=True)
class Wrong:
    """An answer that was made for something else.

    Attributes:
        place: which request got it, its place in the row from 1
        asked: what the request asked for
        got: what the answer had been made for
    """

    place: int
    asked: Ask
    got: Ask


@dataclass(frozen=True, slots=True)
class Served:
    """What a cache did to a row of requests.

    Attributes:
        hits: how many were answered from the cache
        misses: how many the model answered
        evictions: how many answers were dropped to make room
        held: how many answers the cache holds at the end
        wrong: how many hits gave an answer that was made for something else
        first_wrong: the first of these; None where there is none
    """

    hits: int
    misses: int
    evictions: int
    held: int
    wrong: int
    first_wrong: Wrong | None


def asks(requests: int, prompts: int, exponent: float, sample: int) -> list[Ask]:
    """A row of requests: two draws for each, which prompt and whether it may be long, as one in four may.

    In each 16 prompts, the third and the fourth hold a bar, and say the same once their two texts are joined by one.

    Args:
        requests: how many, at most 20,000
        prompts: how many different prompts there are, at most 4,096
        exponent: how uneven their popularity is: from 0 to 2 in steps of 0.2, without unit
        sample: which row, from 1 to 10,000, without unit

    Returns:
        Requests in order.

    Raises:
        SimError: for any other value
    """
    sums = popularity(prompts, exponent)
    draws = Draws(whole("sample", sample, 1, SAMPLES) * SEED_STEP)
    whole("requests", requests, 1, MOST_REQUESTS)
    return [_ask(drawn(sums, draws.below(MOST_CHOICES)), draws) for _ in range(requests)]


def whole_key(ask: Ask) -> str:
    """A key that keeps every parameter apart: the number, the length of the first text, then both texts.

    The lesson hashes its key, which makes it shorter and changes nothing here.

    Args:
        ask: what a request asks for

    Returns:
        A text that two requests share only where all their parameters are the same.
    """
    return f"{ask.max_new_tokens}|{forgetful_key(ask)}"


def forgetful_key(ask: Ask) -> str:
    """A key without the length of the answer, so that a request for 512 tokens can get an answer made for 128.

    Args:
        ask: what a request asks for

    Returns:
        A text that requests of any length share.
    """
    return f"{len(ask.system)}|{ask.system}{ask.prompt}"


def joined_key(ask: Ask) -> str:
    """A key of all parameters, joined by a bar: two texts that hold a bar themselves can be joined into the same.

    With one text and numbers alone, as in the lesson, the last bars still tell all parts apart.

    Args:
        ask: what a request asks for

    Returns:
        A text that different requests can share.
    """
    return f"{ask.system}|{ask.prompt}|{ask.max_new_tokens}"


KEYS: dict[str, Callable[[Ask], str]] = {"whole": whole_key, "forgetful": forgetful_key, "joined": joined_key}
"""The three kinds of keys by name."""


def serve_cached(row: list[Ask], keys: list[str], capacity: int) -> Served:
    """Serve a row of requests: from the cache what it has under their keys, else by the model, whose answer is kept.

    Args:
        row: requests in order
        keys: a key for each of them, such as `KEYS` make
        capacity: how many answers the cache holds at most

    Returns:
        Counts, and the first wrong answer.

    Raises:
        SimError: for a capacity that is no whole number ≥ 0
    """
    cache = LRU(capacity)
    wrong, first = 0, None
    for i, ask in enumerate(row):
        got = cache.get(keys[i])
        if got is None:
            cache.put(keys[i], ask)
        elif got != ask:
            wrong += 1
            first = first or Wrong(i + 1, ask, got)
    return Served(cache.hits, cache.misses, cache.evictions, len(cache.store), wrong, first)


def served_rate(model_rate: float, hits: int, misses: int) -> float:
    """What comes out of cache and model together: the model's rate ÷ (1 − hit rate).

    It holds while the model is the limit, hits cost nothing beside it, and both are equally long on average.

    Args:
        model_rate: what the model writes, tokens per second
        hits: how many requests the cache answered
        misses: how many the model answered, at least 1

    Returns:
        Tokens per second.

    Raises:
        SimError: for a rate that is no number ≥ 0, or counts out of range
    """
    total = float(whole("hits", hits)) + float(whole("misses", misses, 1))
    return number("model_rate", model_rate) * (total / float(misses))


def _ask(place: int, draws: Draws) -> Ask:
    most = LONG if draws.below(4) == 0 else SHORT
    if place % 16 == 3:
        return Ask("Translate", f"to German|Text {place // 16 + 1}", most)
    if place % 16 == 4:
        return Ask("Translate|to German", f"Text {place // 16 + 1}", most)
    return Ask("Answer", f"Question {place}", most)
