"""When requests come and how long they are: made up once from tables, the same in both languages."""

from collections.abc import Sequence
from typing import Any

from .chats import Request
from .checks import SimError, number
from .draws import Draws


def drawn(choices: Sequence[Any], count: int, draws: Draws) -> list[Any]:
    """Every choice in turn until there are enough, then shuffled: each comes as often as the next, to within one.

    Args:
        choices: what to take from, at least one
        count: how many to take, a whole number of values
        draws: the row of draws that shuffles them

    Returns:
        The values in their new order.

    Raises:
        SimError: for more than 2^20 values

    Source:
        The shuffle of R. Durstenfeld, CACM 7(7), 1964, algorithm 235.
    """
    values = [choices[i % len(choices)] for i in range(count)]
    for last in range(count - 1, 0, -1):
        other = draws.below(last + 1)
        values[last], values[other] = values[other], values[last]
    return values


def arriving(rate: float, gaps: Sequence[float], prompts: Sequence[int], replies: Sequence[int]) -> list[Request]:
    """Requests one after the other: each arrives its gap ÷ rate after the one before.

    The gaps are added up first and divided then, so that another rate stretches time and changes nothing else.

    Args:
        rate: requests per second, above 0, a number of this unit
        gaps: time before each request, as a number of mean gaps, without unit
        prompts: length of each prompt, tokens
        replies: length of each reply, tokens

    Returns:
        One request for each gap.

    Raises:
        SimError: for a rate that is no number above 0, or so small that nobody arrives at a finite time
    """
    per_second = number("rate", rate, positive=True)
    requests, passed = [], 0.0
    for gap, prompt, reply in zip(gaps, prompts, replies, strict=True):
        passed += float(gap)
        if passed / per_second == float("inf"):
            raise SimError("rate", rate, "finite_time")
        requests.append(Request(passed / per_second, prompt, reply))
    return requests


def at_once(requests: Sequence[Request]) -> list[Request]:
    """The same requests, all waiting at time 0.

    Args:
        requests: the requests

    Returns:
        New requests of the same lengths, at 0 seconds.
    """
    return [Request(0.0, request.prompt, request.reply) for request in requests]
