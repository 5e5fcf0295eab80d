"""The batcher: jobs wait in a queue, run together in batches, and their tokens come back one by one.

The event loop holds the queue and all streams. One worker thread runs the model, so the loop never waits for it; each
token crosses from the thread to the loop by `call_soon_threadsafe`.

The window counts from the arrival of the job that has waited longest, not from the moment at which the batcher begins
to look. While a batch runs, the next one gathers; if its first job has then waited longer than the window already, it
starts at once. (A batcher that opens its window on taking the first job adds the window to every wait.)
"""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING

from jobs import Job
from settings import Settings
from streams import JobStream

if TYPE_CHECKING:
    from model import Model

log = logging.getLogger("uvicorn.error")


class QueueFull(Exception):
    """No more jobs may wait; `retry_after_seconds` is a guess from recent batches, at least 1."""

    def __init__(self, waiting: int, retry_after_seconds: float):
        self.retry_after_seconds = retry_after_seconds
        super().__init__(f"{waiting} jobs wait already, and more may not (max_queue): "
                         f"try again in {retry_after_seconds:.0f} s")


class Stopping(Exception):
    """The server stops: it takes no new job, or had no time left to finish this one."""


class Batcher:
    """Runs jobs in batches. All methods belong to the event loop in which `start` was called."""

    def __init__(self, model: "Model", settings: Settings):
        self.model, self.settings = model, settings
        self.on_batch: Callable[[int, float], None] = lambda jobs, seconds: None
        """Called after each batch with the number of its jobs and its seconds."""
        self._waiting: deque[JobStream] = deque()
        self._running: dict[Job, JobStream] = {}
        self._changed = asyncio.Event()  # something happened that the batcher may wait for
        self._seconds: deque[float] = deque(maxlen=8)  # how long the last batches took
        self._stopping = False

    @property
    def queue_length(self) -> int:
        """Jobs that wait for a batch."""
        return len(self._waiting)

    def start(self) -> None:
        """Begin to take jobs."""
        self._loop = asyncio.get_running_loop()
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="model")
        self._serving = self._loop.create_task(self._serve())

    def tokens(self, job: Job) -> JobStream:
        """Put the job into the queue at once and return the stream of its tokens; closing that cancels the job.

        Raises PromptTooLong, QueueFull or Stopping instead, before anything is written.
        """
        self.model.check(job)
        if self._stopping:
            raise Stopping("the server is stopping and takes no new jobs")
        if len(self._waiting) >= self.settings.max_queue:
            raise QueueFull(len(self._waiting), self._retry_after_seconds())
        stream = JobStream(job, self._loop.time(), self._cancel)
        self._waiting.append(stream)
        self._changed.set()
        return stream

    async def stop(self) -> None:
        """Take no new jobs, let the others finish within `shutdown_seconds`, then fail what is left."""
        self._stopping = True
        self._changed.set()
        _, late = await asyncio.wait({self._serving}, timeout=self.settings.shutdown_seconds)
        if late:
            seconds = self.settings.shutdown_seconds
            for stream in [*self._running.values(), *self._waiting]:
                stream.fail(Stopping(f"the server stopped before the answer was complete: it waited {seconds:g} s"))
                stream.job.cancelled = True  # the batch ends after the step that it is in
            self._waiting.clear()
            await self._serving
        self._worker.shutdown()

    def _cancel(self, stream: JobStream) -> None:
        """Give up a job's place in the queue; one in a batch leaves it by its own mark."""
        if stream in self._waiting:
            self._waiting.remove(stream)
            self._changed.set()

    def _retry_after_seconds(self) -> float:
        """Guess how long usual batches need for all who wait."""
        usual = sum(self._seconds) / len(self._seconds) if self._seconds else 1.0
        return max(1.0, usual * (len(self._waiting) / self.settings.max_batch))

    async def _serve(self) -> None:
        """Run batch after batch until the server stops and nobody waits."""
        while await self._gathered():
            count = min(len(self._waiting), self.settings.max_batch)
            batch = [self._waiting.popleft() for _ in range(count)]
            self._running = {stream.job: stream for stream in batch}
            began = time.perf_counter()
            await self._loop.run_in_executor(self._worker, self._run, list(self._running))
            seconds = time.perf_counter() - began
            self._running = {}
            self._seconds.append(seconds)
            self._loop.call_soon(self.on_batch, count, seconds)  # a fault in it is logged and stops nothing

    async def _gathered(self) -> bool:
        """Wait until the next batch should start; say whether there is one."""
        while True:
            self._changed.clear()
            if self._stopping or len(self._waiting) >= self.settings.max_batch:
                return bool(self._waiting)
            left = None  # seconds; nobody waits, so wait as long as it takes
            if self._waiting:
                left = self._waiting[0].arrived + self.settings.window_seconds - self._loop.time()
                if left <= 0:
                    return True
            with suppress(TimeoutError):
                await asyncio.wait_for(self._changed.wait(), left)

    # From here on in the worker thread.

    def _run(self, jobs: list[Job]) -> None:
        """Run a batch. If it fails, run each of its jobs alone, so that only the bad one fails."""
        try:
            self.model.run(jobs, self._wrote)
        except Exception as error:
            if len(jobs) == 1:
                self._failed(jobs[0], error)
                return
            log.warning("A batch of %d jobs failed (%s); each goes on alone", len(jobs), error)
            failed = True
        else:
            failed = False
        for job in jobs:  # outside of `except`, which would keep the failed batch's tensors alive
            if failed and job.running:
                self._run([job])
            else:
                self._wrote(job)

    def _wrote(self, job: Job, token: int | None = None) -> None:
        """Send what the job has written since the last time; the loop's side ends the stream with the job."""
        stream = self._running[job]
        self._loop.call_soon_threadsafe(stream.more, len(job.tokens), job.finish is not None or job.cancelled)

    def _failed(self, job: Job, error: Exception) -> None:
        log.error("A job failed", exc_info=error)
        self._loop.call_soon_threadsafe(self._running[job].fail, error)
