"""Who is waiting: requests, and the chats that the lesson made up."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypedDict

from .checks import SimError, exact, number, whole
from .facts import CHATS, LESSON


@dataclass(frozen=True, slots=True)
class Request:
    """One chat: when it arrives, and how long its prompt and its reply are.

    Attributes:
        arrival: instant of arrival, seconds from time 0
        prompt: length of the prompt, tokens, at least 1
        reply: length of the reply, tokens, at least 1
    """

    arrival: float
    prompt: int
    reply: int


class Lengths(TypedDict):
    """Prompt and reply tokens of a list of chats, in order.

    Attributes:
        prompts: length of each prompt, tokens
        replies: length of each reply, tokens
    """

    prompts: list[int]
    replies: list[int]


def draw_chats(seed: int = LESSON["chats"]["seed"]["value"], n: int = LESSON["chats"]["count"]["value"]) -> Lengths:
    """Draw the lengths of `n` made-up chats: prompt, then reply, each even on a log scale.

    low × (high ÷ low)^u, rounded. Python only: the one place where a power is taken; JavaScript reads the lengths
    from the facts.

    Args:
        seed: seed of the generator, a number without unit
        n: how many chats

    Returns:
        Prompt and reply lengths, tokens.

    Source:
        u comes from CPython's Mersenne Twister; the ranges are `chats` in `facts/lesson.json`.
    """
    rng = random.Random(seed)
    low, high = LESSON["chats"]["prompt_tokens"]["value"]
    short, long = LESSON["chats"]["reply_tokens"]["value"]
    prompts, replies = [], []
    for _ in range(n):
        prompts.append(round(low * (high / low) ** rng.random()))
        replies.append(round(short * (long / short) ** rng.random()))
    return {"prompts": prompts, "replies": replies}


def backlog(chats: Lengths = CHATS) -> list[Request]:
    """Every chat waits at time 0: a full queue, so the server is never short of work.

    Args:
        chats: prompt and reply lengths, tokens; the lesson's where none are given

    Returns:
        One request for each chat, all at 0 seconds.

    Raises:
        SimError: for lists of different lengths
    """
    if len(chats["prompts"]) != len(chats["replies"]):
        raise SimError("chats", chats, "lengths")
    return [Request(0.0, prompt, reply) for prompt, reply in zip(chats["prompts"], chats["replies"], strict=True)]


def swapped(chats: Lengths = CHATS) -> Lengths:
    """The same chats with prompt and reply exchanged: short questions, long answers.

    Args:
        chats: prompt and reply lengths, tokens; the lesson's where none are given

    Returns:
        Reply lengths as prompts and prompt lengths as replies, tokens.
    """
    return {"prompts": chats["replies"], "replies": chats["prompts"]}


def chat_list(name: str) -> list[Request]:
    """The requests of a list of chats by its name in the facts: "lesson" or "swapped".

    Args:
        name: name of the list

    Returns:
        One request for each chat, all at 0 seconds.

    Raises:
        SimError: for any other name
    """
    if name == "lesson":
        return backlog()
    if name == "swapped":
        return backlog(swapped())
    raise SimError("chats", name, "chats")


def check_requests(requests: Sequence[Request]) -> Sequence[Request]:
    """The list itself if every chat can be served as it stands; nothing is sorted or mended.

    prompt and reply are whole and ≥ 1; arrivals finite, ≥ 0 and not decreasing.

    Args:
        requests: chats to look at

    Returns:
        The same list.

    Raises:
        SimError: naming the chat's place in the list, the field and the value
    """
    before = 0.0
    total = 0
    if isinstance(requests, (str, bytes)) or not isinstance(requests, Sequence):
        raise SimError("requests", requests, "requests")
    for i, request in enumerate(requests):
        if not isinstance(request, Request):
            raise SimError(f"requests[{i}]", request, "request")
        whole(f"requests[{i}].prompt", request.prompt, 1)
        whole(f"requests[{i}].reply", request.reply, 1)
        arrival = number(f"requests[{i}].arrival", request.arrival)
        if arrival < before:
            raise SimError(f"requests[{i}].arrival", request.arrival, "not_earlier", before=before)
        before = arrival
        total = exact("requests", total + request.prompt + request.reply)
    return requests
