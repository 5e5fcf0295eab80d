"""One answer on its way to one client: tokens become text and are counted."""

import time
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from dataclasses import dataclass

from jobs import Job
from metrics import Metrics
from streams import JobStream
from text import TextStream


@dataclass(frozen=True)
class Piece:
    """Some text and the number of tokens that it came with; either may be nothing."""

    text: str
    tokens: int


class UntilStop:
    """Text up to the first stop text; what may be the beginning of one is held back until that is clear."""

    def __init__(self, stops: Sequence[str]):
        self.stops, self.held, self.stopped = stops, "", False

    def push(self, text: str) -> str:
        """Take some text, give what is safe to show."""
        if self.stopped:
            return ""
        held = self.held + text
        found = [at for stop in self.stops if (at := held.find(stop)) >= 0]
        self.stopped = bool(found)
        safe = min(found) if found else len(held) - self._doubtful(held)
        self.held = "" if found else held[safe:]
        return held[:safe]

    def _doubtful(self, held: str) -> int:
        """Length of the longest end of the text that begins a stop text."""
        longest = max(map(len, self.stops), default=0) - 1
        lengths = range(min(longest, len(held)), 0, -1)
        return next((n for n in lengths if any(stop.startswith(held[-n:]) for stop in self.stops)), 0)


class Reply:
    """The pieces of one answer, read once, and what has been counted so far."""

    def __init__(self, job: Job, tokens: JobStream, text: TextStream, metrics: Metrics):
        self.job, self.metrics = job, metrics
        self.output_tokens = 0
        self.complete = False
        self._tokens, self._text = tokens, text
        self._asked = time.perf_counter()
        self._pieces = self._read()
        self._first: Piece | None = None

    @property
    def prompt_tokens(self) -> int:
        """Tokens of the prompt, as the model reads it."""
        return len(self.job.prompt_ids)

    async def first(self) -> None:
        """Wait for the first piece and keep it: a refusal up to here still gets a status of its own."""
        self._first = await anext(self._pieces)

    async def pieces(self) -> AsyncIterator[Piece]:
        """One piece a token, then what text is left."""
        if self._first:
            yield self._first
        async for piece in self._pieces:
            yield piece

    async def whole(self) -> str:
        """The whole text."""
        return "".join([piece.text async for piece in self.pieces()])

    async def close(self) -> None:
        """Give the place up, if the answer is not complete."""
        await self._pieces.aclose()
        self._tokens.close()

    async def _read(self) -> AsyncGenerator[Piece]:
        shown = UntilStop(self.job.stop)
        first = last = self._asked
        async for token in self._tokens:
            last = time.perf_counter()
            first = last if self.output_tokens == 0 else first
            self.output_tokens += 1
            yield Piece(shown.push(self._text.push(token)), 1)
        self.metrics.finished(self.prompt_tokens, self.output_tokens, first - self._asked, last - first)
        self.complete = True
        yield Piece(shown.push(self._text.rest()) + shown.held, 0)
