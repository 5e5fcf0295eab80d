"""Batches by a window: who waits for company, who waits for the longest reply, and what padding costs."""

from collections.abc import Sequence
from typing import TypedDict

from .arrivals import at_once
from .blocks import blocks_for
from .chats import Request, check_requests
from .checks import exact, number, whole
from .facts import COST, Cost
from .server import Run, serve
from .steptime import Clock, check_cost, compute_seconds, memory_seconds


class Batch(TypedDict):
    """One batch: its members stand next to each other in the list.

    Attributes:
        first: id of its first member: a place in the list, counted from 0
        size: how many members it has, chats
        opened: when its first member was taken from the queue, seconds from time 0
        started: when the model began with it, seconds from time 0
        finished: when its last token was written, seconds from time 0; nobody has an answer before
        busy_seconds: how long the model works on it, seconds
        prompt: longest prompt; all are padded to it, tokens
        reply: longest reply; all wait for it, tokens
    """

    first: int
    size: int
    opened: float
    started: float
    finished: float
    busy_seconds: float
    prompt: int
    reply: int


class Batched(TypedDict):
    """What a run of the batcher came to.

    Attributes:
        seconds: when the last batch is done, seconds from time 0
        busy_seconds: how long the model worked, seconds
        batches: the batches, in order
        mean_batch: mean number of members of a batch, chats; None where there is no batch
        tokens_per_second: reply tokens that somebody asked for, tokens per second; None where there is no batch
        latencies: from each request's arrival to the end of its batch, seconds
        waits: from each request's arrival to the start of its batch, seconds
        first_token: when the first token of each reply was written, seconds from time 0
        written: when the last token of each reply was written, seconds from time 0
        pad_tokens: padding that was read with the prompts, tokens
        held_tokens: tokens that steps wrote for members who had their whole reply, tokens
        pad_share: padding among all prompt tokens read, from 0 to 1; None where there is no batch
        held_share: such tokens among all that were written, from 0 to 1; None where there is no batch
    """

    seconds: float
    busy_seconds: float
    batches: list[Batch]
    mean_batch: float | None
    tokens_per_second: float | None
    latencies: list[float]
    waits: list[float]
    first_token: list[float]
    written: list[float]
    pad_tokens: int
    held_tokens: int
    pad_share: float | None
    held_share: float | None


def batch_window(requests: Sequence[Request], window_seconds: float, max_batch: int, cost: Cost = COST) -> Batched:
    """Run the lesson's dynamic batcher over a list of requests; a request's id is its place in the list.

    One batch runs at a time, and the queue is first come, first served:

    1. A batch opens when the one before it is done and a request waits, or with the next arrival. Its deadline is
       `window_seconds` later.
    2. While it has fewer than `max_batch` members, the batcher looks at the clock. At the deadline or after it, the
       batch starts as it is; before, it takes the next request, or waits for one until the deadline.
    3. All prompts are padded to the longest and read in one step, which writes a first token for each. Then steps go
       on until the longest reply is whole. All members get their answers at that moment.

    Who arrives exactly at the deadline is not taken: the loop leaves at `remaining <= 0` before it looks at the queue,
    and where both fall due in one turn, `asyncio.wait_for` of Python 3.12 and later times out as well. For the same
    reason a window of 0 makes batches of one, however many wait. A full batch does not wait for its deadline. A batch
    that lacks a member waits to the end of its window, also when nobody is left to come: the batcher cannot know.

    The lesson's loop awaits the thread that runs a batch. So requests queue up while it runs, but the next batch opens,
    and its window begins, only when it is done; the comment beside the loop can be read otherwise.

    Time is kept by the clock of `serve`, which starts anew only where the model was idle.

    Args:
        requests: the requests, in the order in which they arrive
        window_seconds: how long a batch is kept open, seconds
        max_batch: most members of a batch, at least 1, chats
        cost: what a step costs; the lesson's card and model where none is given

    Returns:
        Times in seconds, counts of tokens, and shares from 0 to 1.

    Raises:
        SimError: for any value out of range, for counts of 2^53 or more, and for a run that does not end at a finite
            time

    Source:
        `batcher` and `generate_batch` of the lesson; steps take what `steptime` says.
    """
    check_requests(requests)
    window = number("window_seconds", window_seconds)
    whole("max_batch", max_batch, 1)
    clock = Clock(check_cost(cost))
    batches: list[Batch] = []
    first_token: list[float] = []
    written: list[float] = []
    while len(written) < len(requests):
        batch = _collect(requests, len(written), clock.now(), window, max_batch)
        if batch["started"] > clock.now():
            clock.jump(batch["started"])
        members = requests[batch["first"] : batch["first"] + batch["size"]]
        instants = _run(batch, [1, *[request.reply for request in members]], clock)
        first_token += [instants[0]] * batch["size"]
        written += instants[1:]
        batches.append(batch)
    return _result(requests, batches, first_token, written)


def continuous(requests: Sequence[Request], max_batch: int, cost: Cost = COST) -> Run:
    """The same requests through `serve`: who is done leaves at once, and the next one takes the seat.

    The pool holds every chat at its full length, so that nobody is paused.

    Args:
        requests: the requests, in the order in which they arrive
        max_batch: most chats at once, at least 1
        cost: what a step costs; the lesson's card and model where none is given

    Returns:
        Times in seconds, rates, and counts of chats, steps, blocks and tokens.

    Raises:
        SimError: for any value out of range, and for a run that does not end at a finite time
    """
    check_requests(requests)
    whole("max_batch", max_batch, 1)
    longest = 1
    for request in requests:
        longest = max(longest, request.prompt + request.reply)
    pool = exact("requests", max(1, min(max_batch, len(requests))) * blocks_for(longest))
    return serve(requests, max_batch, pool, longest, False, cost)


def most_batched(requests: Sequence[Request], window_seconds: float, max_batch: int, cost: Cost = COST) -> float | None:
    """The most that the batcher can write for requests of these lengths: their tokens ÷ its work when all wait.

    Args:
        requests: the requests; when they arrive does not matter
        window_seconds: how long a batch is kept open, seconds
        max_batch: most members of a batch, at least 1, chats
        cost: what a step costs; the lesson's card and model where none is given

    Returns:
        Reply tokens that somebody asked for, tokens per second; None where there are no requests.

    Raises:
        SimError: as `batch_window` does
    """
    run = batch_window(at_once(check_requests(requests)), window_seconds, max_batch, cost)
    return float(_reply_tokens(requests)) / run["busy_seconds"] if requests else None


def without_token(requests: Sequence[Request], first_token: Sequence[float | None]) -> int:
    """How many still wait for their first token at the moment when the last request arrives, itself included.

    Args:
        requests: the requests, in the order in which they arrive
        first_token: instant of the first token of each, seconds from time 0

    Returns:
        A number of chats.
    """
    waiting = 0
    for instant in first_token:
        if instant is not None and instant > requests[-1].arrival:
            waiting += 1
    return waiting


def _reply_tokens(requests: Sequence[Request]) -> int:
    tokens = 0
    for request in requests:
        tokens += request.reply
    return tokens


def _collect(requests: Sequence[Request], first: int, free: float, window: float, max_batch: int) -> Batch:
    # `now` is what the loop's clock would show.
    opened = now = max(free, float(requests[first].arrival))
    deadline = opened + window
    end = first + 1
    while end - first < max_batch and now < deadline:
        if end == len(requests) or float(requests[end].arrival) >= deadline:
            now = deadline
        else:
            now = max(now, float(requests[end].arrival))
            end += 1
    prompt = reply = 0
    for request in requests[first:end]:
        prompt, reply = max(prompt, request.prompt), max(reply, request.reply)
    return Batch(
        first=first,
        size=end - first,
        opened=opened,
        started=now,
        finished=now,
        busy_seconds=0.0,
        prompt=prompt,
        reply=reply,
    )


def _run(batch: Batch, replies: list[int], clock: Clock) -> list[float]:
    # The instants at which replies of these lengths are whole; the clock ends where the batch does.
    size, prompt, longest, cost = batch["size"], batch["prompt"], batch["reply"], clock.cost
    steps, context, tokens = before = clock.steps, clock.context, clock.tokens
    if memory_seconds(0, cost) >= compute_seconds(size * prompt, cost):
        steps += 1
    else:
        tokens += size * prompt
    computing = _computing(size, prompt, longest - 1, cost)
    instants = []
    for reply in [*replies, longest]:
        computed = min(reply - 1, computing)
        read = reply - 1 - computed
        clock.steps = steps + read
        clock.context = context + size * (read * (prompt + computed) + read * (read + 1) // 2)
        clock.tokens = tokens + size * computed
        instants.append(clock.now())
    batch["finished"] = instants.pop()
    batch["busy_seconds"] = clock.seconds(clock.steps - before[0], clock.context - before[1], clock.tokens - before[2])
    return instants


def _computing(size: int, prompt: int, steps: int, cost: Cost) -> int:
    # How many steps after the first are compute-bound: contexts grow, so these come first, and are found by halving.
    low, high = 0, steps
    while low < high:
        middle = low + (high - low + 1) // 2
        if memory_seconds(size * (prompt + middle), cost) >= compute_seconds(size, cost):
            high = middle - 1
        else:
            low = middle
    return low


def _result(
    requests: Sequence[Request], batches: list[Batch], first_token: list[float], written: list[float]
) -> Batched:
    prompts = read = wrote = 0
    replies = _reply_tokens(requests)
    busy = seconds = 0.0
    latencies, waits = [], []
    for batch in batches:
        seconds = batch["finished"]
        busy += batch["busy_seconds"]
        read = exact("requests", read + batch["size"] * batch["prompt"])
        wrote = exact("requests", wrote + batch["size"] * batch["reply"])
        for request in requests[batch["first"] : batch["first"] + batch["size"]]:
            prompts += request.prompt
            latencies.append(seconds - float(request.arrival))
            waits.append(batch["started"] - float(request.arrival))
    return {
        "seconds": seconds,
        "busy_seconds": busy,
        "batches": batches,
        "mean_batch": float(len(requests)) / float(len(batches)) if batches else None,
        "tokens_per_second": float(replies) / seconds if batches else None,
        "latencies": latencies,
        "waits": waits,
        "first_token": first_token,
        "written": written,
        "pad_tokens": read - prompts,
        "held_tokens": wrote - replies,
        "pad_share": float(read - prompts) / float(read) if batches else None,
        "held_share": float(wrote - replies) / float(wrote) if batches else None,
    }
