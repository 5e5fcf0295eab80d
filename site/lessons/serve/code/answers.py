"""Answers: from the cache if it has one, shared with an equal request that runs already, or from the batcher."""

import asyncio
from contextlib import aclosing
from typing import Literal, NamedTuple

from batcher import Batcher
from cache import LRU, cache_key
from jobs import Job
from settings import Settings
from streams import JobStream


class Answer(NamedTuple):
    """A complete answer, as the cache keeps it."""

    tokens: tuple[int, ...]
    finish: Literal["stop", "length"]


class Flight:
    """A job on its way that one or more equal requests read. It belongs to none of them: they may come and go."""

    def __init__(self, source: JobStream):
        self.source = source
        self.tokens: list[int] = []
        self.readers: list[JobStream] = []

    def join(self, reader: JobStream) -> None:
        """Add a reader, who gets at once what there is."""
        self.readers.append(reader)
        self._give(reader)

    async def fly(self) -> None:
        """Pass every token on to all readers, then the end or the error."""
        try:
            async with aclosing(self.source):
                async for token in self.source:
                    self.tokens.append(token)
                    for reader in self.readers:
                        self._give(reader)
        except Exception as error:
            for reader in self.readers:
                reader.fail(error)
        for reader in self.readers:
            reader.job.finish = self.source.job.finish
            reader.more(len(self.tokens), ended=True)

    def _give(self, reader: JobStream) -> None:
        reader.job.tokens += self.tokens[len(reader.job.tokens) :]
        reader.more(len(self.tokens))


class Answers:
    """Where requests come in. Repeatable ones (greedy or with a seed) are computed once while they are remembered.

    With `cache_entries` 0 nothing is shared either: each request is computed for itself.
    """

    def __init__(self, batcher: Batcher, settings: Settings):
        self.batcher, self.settings = batcher, settings
        self.hits = self.misses = self.shared = 0
        self._kept: LRU[Answer] = LRU(settings.cache_entries)
        self._flights: dict[bytes, Flight] = {}
        self._tasks: set[asyncio.Task[None]] = set()  # the loop itself keeps no hold of its tasks

    def tokens(self, job: Job) -> JobStream:
        """Return the stream of the job's tokens; closing it gives the job up, unless others read the same answer.

        Raises PromptTooLong, QueueFull or Stopping instead, before anything is written.
        """
        if not (job.sampling.repeatable and self.settings.cache_entries):
            return self.batcher.tokens(job)
        key = cache_key(self.batcher.model.identity, job)
        if answer := self._kept.get(key):
            self.hits += 1
            return known(job, answer)
        if flight := self._flights.get(key):
            self.shared += 1
        else:
            flight = self._take_off(key, job)
            self.misses += 1
        reader = JobStream(job, closed=lambda stream: self._leave(key, flight, stream))
        flight.join(reader)
        return reader

    def _take_off(self, key: bytes, job: Job) -> Flight:
        """Begin to compute an answer, by a job of its own: the client's may be cancelled while others read."""
        own = Job(job.prompt_ids, job.max_new_tokens, job.sampling, job.stop)
        flight = self._flights[key] = Flight(self.batcher.tokens(own))
        task = asyncio.get_running_loop().create_task(self._land(key, flight))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return flight

    async def _land(self, key: bytes, flight: Flight) -> None:
        """Follow an answer to its end, and keep it if it is complete."""
        await flight.fly()
        self._forget(key, flight)
        job = flight.source.job
        if job.finish and not job.cancelled:
            self._kept.put(key, Answer(tuple(job.tokens), job.finish))

    def _leave(self, key: bytes, flight: Flight, reader: JobStream) -> None:
        """Let a reader go; with the last one goes the job."""
        flight.readers.remove(reader)
        if not flight.readers:
            self._forget(key, flight)  # at once: an equal request that comes now starts anew
            flight.source.close()

    def _forget(self, key: bytes, flight: Flight) -> None:
        if self._flights.get(key) is flight:
            del self._flights[key]


def known(job: Job, answer: Answer) -> JobStream:
    """Return the stream of an answer that is there already."""
    job.tokens += answer.tokens
    job.finish = answer.finish
    stream = JobStream(job)
    stream.more(len(job.tokens), ended=True)
    return stream
