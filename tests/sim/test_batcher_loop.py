"""The batcher against a real one: an asyncio queue, `wait_for` and `to_thread`, in a loop whose clock is made up.

The loop below is written after the lesson's description of its batcher. Time in it stands still while anything is
ready to run, and then jumps to the next timer; nothing sleeps, and no socket is opened.
"""

import asyncio
import random
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

import pytest

from poolroom import COST, Cost, Request
from poolroom.batching import batch_window
from tests.sim.tools import BROWSER, ONE_SECOND, chats

DYADIC = Cost(1.0, 1 / 64, 1 / 32, 4.0, 2.0)
"""Steps that take whole 1024ths of a second, so that no sum of them is ever rounded."""
Seen = tuple[list[tuple[list[int], float, float]], list[float]]


class VirtualLoop(asyncio.BaseEventLoop):
    """A loop whose time is a number; where a real one waits for sockets, it moves that number to the next timer."""

    def __init__(self) -> None:
        super().__init__()
        self.instant = 0.0
        self._clock_resolution = 1e-9  # a timer fires when it is due before the clock plus this
        self._selector = self

    def time(self) -> float:
        """What the clock shows, seconds."""
        return self.instant

    def select(self, timeout: float | None) -> list[Any]:
        """Stand in for the selector: nothing ever arrives from outside, time passes."""
        if timeout is None:
            raise RuntimeError("nobody will ever wake this loop")
        if timeout > 0:
            self.instant = self._scheduled[0].when()  # type: ignore[attr-defined]
        return []

    def _process_events(self, events: list[Any]) -> None:
        pass

    def run_in_executor(self, executor: Any, work: Callable[..., Any], *arguments: Any) -> Any:
        """The thread of `to_thread`: the work says how long it takes, and the loop goes on meanwhile."""
        done = self.create_future()
        self.call_later(work(*arguments), done.set_result, None)
        return done


@dataclass
class Job:
    """A request in the queue, and what it waits for."""

    number: int
    future: "asyncio.Future[float]" = field(default_factory=lambda: asyncio.get_running_loop().create_future())


async def batcher(queue: "asyncio.Queue[Job]", window: float, most: int, generate: Callable[..., float]) -> None:
    """Open a batch with the first job, fill it until its deadline, run it in a thread, answer its members, again."""
    loop = asyncio.get_running_loop()
    while True:
        batch = [await queue.get()]
        deadline = loop.time() + window
        while len(batch) < most:
            remaining = deadline - loop.time()
            if remaining <= 0:
                break
            try:
                batch.append(await asyncio.wait_for(queue.get(), remaining))
            except TimeoutError:
                break
        await asyncio.to_thread(generate, batch)
        for job in batch:
            job.future.set_result(loop.time())


async def served(requests: list[Request], window: float, most: int, cost: Cost, late: bool) -> Seen:
    """Put each request into the queue when it arrives, and note what is made of it."""
    loop, queue = asyncio.get_running_loop(), asyncio.Queue[Job]()
    jobs = [Job(i) for i in range(len(requests))]
    seen: list[tuple[list[int], float, float]] = []

    def generate(batch: list[Job]) -> float:
        took = alone([requests[job.number] for job in batch], cost)
        seen.append(([job.number for job in batch], loop.time(), loop.time() + took))
        return took

    def put(together: list[Job], turns: int) -> None:
        # Timers of one instant fire in any order; a few turns of the loop let those of `wait_for` go first.
        if turns:
            loop.call_soon(put, together, turns - 1)
        else:
            for job in together:
                queue.put_nowait(job)

    for arrival, together in groupby(jobs, lambda job: requests[job.number].arrival):
        loop.call_at(float(arrival), put, list(together), 9 if late else 0)
    task = asyncio.create_task(batcher(queue, window, most, generate))
    finished = [await job.future for job in jobs]
    task.cancel()
    return seen, finished


def alone(members: list[Request], cost: Cost) -> float:
    """How long a batch of these takes when all wait: what `batch_window` says of it alone."""
    together = [Request(0.0, each.prompt, each.reply) for each in members]
    return batch_window(together, 1.0, len(members), cost)["seconds"]


@contextmanager
def no_other_loop() -> Iterator[None]:
    """In a browser's Python a loop always runs; while ours does, it is set aside."""
    before = asyncio._get_running_loop()
    asyncio._set_running_loop(None)
    try:
        yield
    finally:
        asyncio._set_running_loop(before)


def real(requests: list[Request], window: float, most: int, cost: Cost, late: bool = True) -> Seen:
    """What the real batcher makes of a list: members, start and end of each batch, and when each request is done."""
    loop = VirtualLoop()
    with no_other_loop():
        try:
            return loop.run_until_complete(served(requests, window, most, cost, late))
        finally:
            loop.run_until_complete(asyncio.sleep(0))
            loop.close()


def simulated(requests: list[Request], window: float, most: int, cost: Cost) -> Seen:
    """The same from the simulator."""
    run = batch_window(requests, window, most, cost)
    rows = [
        (list(range(each["first"], each["first"] + each["size"])), each["started"], each["finished"])
        for each in run["batches"]
    ]
    return rows, [each[2] for each in rows for _ in each[0]]


def made_up(seed: int, unit: float) -> tuple[list[Request], float, int]:
    """A list, a window and a batch by chance; all times are whole units, so that many are ties."""
    rng = random.Random(seed)
    now, requests = 0.0, []
    for _ in range(rng.randint(1, 25)):
        now += unit * rng.choice([0, 0, 1, rng.randint(0, 8), rng.randint(0, 400)])
        requests.append(Request(now, rng.randint(1, 12), rng.choice([1, 2, rng.randint(1, 20)])))
    return requests, unit * rng.choice([0, 1, 2, rng.randint(0, 16), rng.randint(0, 600)]), rng.choice([1, 2, 3, 8, 99])


@pytest.mark.parametrize(("cost", "unit"), [(ONE_SECOND, 1.0), (DYADIC, 1 / 16)], ids=["seconds", "1024ths"])
def test_the_same_batches_at_the_same_instants(cost: Cost, unit: float, tell: Callable[[str], None]) -> None:
    """Rule: members, start and end of each batch, bit for bit, where no sum is rounded and many instants coincide."""
    ties = batches = 0
    for seed in range(60 if BROWSER else 250):
        requests, window, most = made_up(seed, unit)
        expected = real(requests, window, most, cost)
        assert simulated(requests, window, most, cost) == expected, (seed, window, most)
        batches += len(expected[0])
        deadlines = {each["opened"] + window for each in batch_window(requests, window, most, cost)["batches"]}
        ties += sum(request.arrival in deadlines for request in requests)
    tell(f"a real batcher: {batches} batches, {ties} arrivals at a deadline, 0 differing instants")
    assert batches >= 300 and ties >= 40


def test_the_lessons_cost() -> None:
    """Rule: the same with steps of the lesson's card, where a sum may round otherwise: the last digits aside."""
    for seed in range(40):
        rng = random.Random(seed)
        now, requests = 0.0, []
        for _ in range(20):
            now += rng.expovariate(8)
            requests.append(Request(now, rng.choice([64, 128, 256]), rng.choice([16, 32, 64, 144])))
        window, most = rng.choice([0.0, 0.01, 0.1, 1.0]), rng.choice([1, 4, 16])
        rows, finished = real(requests, window, most, COST)
        found, ends = simulated(requests, window, most, COST)
        assert [row[0] for row in found] == [row[0] for row in rows]
        assert ends == pytest.approx(finished, rel=1e-12)


@pytest.mark.parametrize("late", [False, True], ids=["arrival first", "timeout first"])
def test_a_tie_at_the_deadline(late: bool) -> None:
    """Rule: who comes exactly at the deadline is left to the next batch, in whichever order the two fall due.

    Up to Python 3.11 `wait_for` kept a job that was put in just before its timer fired in the same turn.
    """
    requests = chats((0, 9, 1), (2, 9, 1), (2, 9, 1))
    rows, _ = real(requests, 2.0, 8, ONE_SECOND, late)
    if sys.version_info >= (3, 12) or late:
        assert [row[0] for row in rows] == [[0], [1, 2]]
    assert [row[0] for row in simulated(requests, 2.0, 8, ONE_SECOND)[0]] == [[0], [1, 2]]


def test_the_next_batch_does_not_collect_while_one_runs() -> None:
    """Rule: the window of the second batch begins when the first is done, at 10 s, not while it runs."""
    requests = chats((0, 9, 9), (1, 9, 1), (1, 9, 1))
    assert real(requests, 1.0, 8, ONE_SECOND)[0] == [([0], 1.0, 10.0), ([1, 2], 11.0, 12.0)]
    assert simulated(requests, 1.0, 8, ONE_SECOND)[0] == [([0], 1.0, 10.0), ([1, 2], 11.0, 12.0)]
