"""Streams of tokens: what a client reads while its job is written elsewhere."""

import asyncio
from collections.abc import Callable

from jobs import Job


class JobStream:
    """The tokens of one job as they come: `async for token in stream`; close it to give the job up.

    Everything here happens in the event loop. Whoever takes a stream must close it, for instance with
    `contextlib.aclosing`: only then is the place of a client that went away free.
    """

    def __init__(self, job: Job, arrived: float = 0.0, closed: Callable[["JobStream"], None] = lambda stream: None):
        self.job, self.arrived = job, arrived  # arrived: seconds on the loop's clock
        self._closed = closed  # called once if the stream is closed before its end
        self._read = self._written = 0  # tokens
        self._ended = False
        self._error: Exception | None = None
        self._changed = asyncio.Event()

    def more(self, written: int, ended: bool = False) -> None:
        """Say how many tokens the job has now, and whether these are all."""
        if not self._ended:
            self._written, self._ended = written, ended
            self._changed.set()

    def fail(self, error: Exception) -> None:
        """End the stream with an error, after the tokens that were written."""
        if not self._ended:
            self._error = error
            self.more(self._written, True)

    def close(self) -> None:
        """Give the job up unless all of it is written: it leaves the queue, or its batch before the next step."""
        if not self._ended:
            self.job.cancelled = True
            self.more(self._read, True)
            self._closed(self)

    async def aclose(self) -> None:
        """Close, as `contextlib.aclosing` calls it."""
        self.close()

    def __aiter__(self) -> "JobStream":
        return self

    async def __anext__(self) -> int:
        while self._read == self._written and not self._ended:
            self._changed.clear()
            await self._changed.wait()
        if self._read < self._written:
            self._read += 1
            return self.job.tokens[self._read - 1]
        if self._error:
            raise self._error
        raise StopAsyncIteration
