"""What the tests of the engine share."""

import asyncio
import random
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager
from copy import copy
from functools import wraps

from batcher import Batcher
from jobs import Job
from settings import Settings

ABOVE_ANY_TEST_SECONDS = 60


def in_loop(test: Callable[..., Coroutine]) -> Callable[..., None]:
    """Run a test that is a coroutine, and end it if it hangs."""

    @wraps(test)
    def run(*arguments, **named):
        asyncio.run(asyncio.wait_for(test(*arguments, **named), ABOVE_ANY_TEST_SECONDS))

    return run


@asynccontextmanager
async def batcher(model, **settings) -> AsyncIterator[Batcher]:
    """A batcher that runs, with the sizes of its batches in `sizes`."""
    one = Batcher(model, Settings(**settings))
    one.sizes = []
    one.on_batch = lambda size, seconds: one.sizes.append(size)
    one.start()
    try:
        yield one
    finally:
        await one.stop()


def random_jobs(count: int, seed: int, most_prompt_tokens: int = 60, most_new_tokens: int = 24, **named) -> list[Job]:
    """Jobs with prompts of random tokens and mixed length."""
    dice = random.Random(seed)
    return [
        Job(
            tuple(dice.randrange(3, 998) for _ in range(dice.randint(1, most_prompt_tokens))),
            dice.randint(1, most_new_tokens),
            **named,
        )
        for _ in range(count)
    ]


def never_ending(model):
    """The same model, for which no token ends a text: each job runs to its length."""
    other = copy(model)
    other.end_tokens = frozenset()
    return other


def alone(model, job: Job) -> Job:
    """A job with the same words, run to its end without any batcher."""
    other = Job(job.prompt_ids, job.max_new_tokens, job.sampling, job.stop)
    model.run([other], lambda job, token: None)
    return other


async def read(stream) -> list[int]:
    """All tokens of a stream."""
    return [token async for token in stream]


async def until(seen: Callable[[], object]) -> None:
    """Wait until something is so."""
    while not seen():
        await asyncio.sleep(0.001)


def stumbling(model, bad: Job, good_tokens: int):
    """The same model, but it fails in the middle of a step of any batch in which `bad` writes one token too many."""
    other = copy(model)

    def run(jobs, wrote):
        def told(job, token):
            if job is bad and len(job.tokens) > good_tokens:
                raise RuntimeError("stumbled")
            wrote(job, token)

        model.run(jobs, told)

    other.run = run
    return other


class Gate:
    """The same model behind a gate: it stands still after some tokens of its first batch until the gate opens."""

    def __init__(self, model, tokens: int = 0):
        self.model, self._open, left = copy(model), threading.Event(), [tokens]

        def run(jobs, wrote):
            def told(job, token):
                wrote(job, token)
                left[0] -= 1
                if left[0] == 0:
                    assert self._open.wait(ABOVE_ANY_TEST_SECONDS)

            if left[0] == 0:
                assert self._open.wait(ABOVE_ANY_TEST_SECONDS)
            model.run(jobs, told)

        self.model.run = run

    def open(self) -> None:
        self._open.set()


@contextmanager
def rows_of_steps(model) -> Iterator[list[int]]:
    """How many rows each step of the network has."""
    rows: list[int] = []
    hook = model.network.register_forward_pre_hook(
        lambda network, arguments, named: rows.append(named["input_ids"].shape[0]), with_kwargs=True
    )
    try:
        yield rows
    finally:
        hook.remove()
