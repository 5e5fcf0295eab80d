"""What a closed loop of clients should see of our server: the same rules on paper, with seconds from a few constants.

The rules are those of batcher.py and answers.py: one batch at a time; it starts when it is full or when its first job
has waited for the window; rows leave when they are done, and nobody joins; equal requests are computed once. One thing
is not in their text: Python runs one thread at a time, so what the event loop does while a batch runs, the batch waits.
"""

import heapq
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Constants:
    """Seconds that things take on one machine with one model."""

    away: float  # what a request takes the program that asks: all its clients are one thread, so one after the other
    desk: float  # taking in a request: parsing, tokenising; one after the other, and the model stands still meanwhile
    read_alone: float  # reading the prompt of a batch of one
    read_alone_per_token: float
    step_alone: float  # one decode step of a batch of one
    read: float  # the same for batches of two and more: padding and its mask take a slower way through attention
    read_per_token: float  # for each token of rows × longest prompt
    step: float
    step_per_row: float
    end: float  # from the last token to the end of the stream, at the desk
    hit_per_token: float  # sending an answer from the cache, a token

    def read_seconds(self, size: int, longest_tokens: int) -> float:
        """From the start of a batch of so many to its first tokens."""
        if size == 1:
            return self.read_alone + self.read_alone_per_token * longest_tokens
        return self.read + self.read_per_token * size * longest_tokens

    def step_seconds(self, size: int, rows: int) -> float:
        """One token for each row that is left of a batch."""
        return self.step_alone if size == 1 else self.step + self.step_per_row * rows


@dataclass(frozen=True)
class Work:
    """One request as it turned out: which answer it wants (equal ones have equal keys), and its lengths in tokens."""

    key: object
    prompt_tokens: int
    tokens: int


@dataclass(frozen=True)
class Policy:
    """The settings that matter here."""

    window_seconds: float
    max_batch: int
    cache: bool


@dataclass
class Times:
    """What one request sees, in seconds from the start."""

    asked: float = 0.0
    taken_in: float = 0.0
    first: float = 0.0
    last: float = 0.0
    done: float = 0.0


class ClosedLoop:
    """A run on paper. Events are kept in a heap by time; those of one moment in the order in which they were noted."""

    def __init__(self, work: Sequence[Work], concurrency: int, policy: Policy, constants: Constants):
        self.work, self.policy, self.constants = work, policy, constants
        self.times = [Times() for _ in work]
        self.batches: list[list[int]] = []
        self._events: list[tuple[float, int, Callable, tuple]] = []
        self._noted = 0
        self._unasked = iter(range(len(work)))
        self._client_free = self._desk_free = 0.0
        self._stolen = 0.0  # seconds that the desk took from the batch that runs
        self._waiting: deque[tuple[float, int]] = deque()  # since when, which
        self._busy = False
        self._followers: dict[object, list[int]] = {}  # by the key of an answer that is on its way
        self._answered: dict[object, int] = {}  # by key: who was answered first
        for _ in range(concurrency):
            self._at(0.0, self._ask)

    def run(self) -> list[Times]:
        """Play it to its end."""
        while self._events:
            now, _, event, words = heapq.heappop(self._events)
            event(now, *words)
        return self.times

    def _at(self, when: float, event: Callable, *words: object) -> None:
        self._noted += 1
        heapq.heappush(self._events, (when, self._noted, event, words))

    def _ask(self, now: float) -> None:
        """A client is free: the next request goes on its way."""
        number = next(self._unasked, None)
        if number is not None:
            self.times[number].asked = now
            self._client_free = max(self._client_free, now) + self.constants.away
            self._at(self._client_free, self._arrive, number)

    def _arrive(self, now: float, number: int) -> None:
        """The desk takes one request at a time."""
        self._at(self._at_desk(now, self.constants.desk), self._taken_in, number)

    def _at_desk(self, now: float, seconds: float) -> float:
        """When the event loop will have worked for so long; a batch that runs loses as much."""
        self._desk_free = max(self._desk_free, now) + seconds
        self._stolen += seconds if self._busy else 0.0
        return self._desk_free

    def _taken_in(self, now: float, number: int) -> None:
        """Answered from the cache, joined to an equal request, or put into the queue."""
        key = self.work[number].key
        self.times[number].taken_in = now
        if self.policy.cache and key in self._answered:
            self._answer(number, now, self._at_desk(now, self.constants.hit_per_token * self.work[number].tokens))
        elif self.policy.cache and key in self._followers:
            self._followers[key].append(number)
        else:
            self._followers[key] = []
            self._waiting.append((now, number))
            self._look(now)

    def _look(self, now: float) -> None:
        """Start a batch if it is time, or look again when the first job's window ends."""
        if self._busy or not self._waiting:
            return
        deadline = self._waiting[0][0] + self.policy.window_seconds
        if len(self._waiting) >= self.policy.max_batch or now >= deadline:
            count = min(len(self._waiting), self.policy.max_batch)
            self._start(now, [self._waiting.popleft()[1] for _ in range(count)])
        else:
            self._at(deadline, self._look)

    def _start(self, now: float, batch: list[int]) -> None:
        """Run a batch: read all prompts, then step until every row has left."""
        self._busy, self._stolen = True, max(0.0, self._desk_free - now)  # what the desk has before it already
        self.batches.append(batch)
        longest = max(self.work[number].prompt_tokens for number in batch)
        first = moment = now + self.constants.read_seconds(len(batch), longest)
        written, rows = 1, sorted(batch, key=lambda number: self.work[number].tokens)
        while rows:
            steps = self.work[rows[0]].tokens - written  # until the next row is done
            moment += steps * self.constants.step_seconds(len(batch), len(rows))
            written += steps
            self._at(moment, self._computed, rows.pop(0), first, 0.0)
        self._at(moment, self._free, 0.0)

    def _put_off(self, now: float, known: float, event: Callable, *words: object) -> bool:
        """Put an event of the batch off by what the desk has taken since it was planned; true if there was any."""
        if late := self._stolen - known:
            self._at(now + late, event, *words, self._stolen)
        return late > 0

    def _free(self, now: float, known: float) -> None:
        if not self._put_off(now, known, self._free):
            self._busy = False
            self._look(now)

    def _computed(self, now: float, number: int, first: float, known: float) -> None:
        """A row has left the batch: its client and all who wait for the same answer have it."""
        if self._put_off(now, known, self._computed, number, first):
            return
        key = self.work[number].key
        self._answered[key] = number
        for other in [number, *self._followers.pop(key, [])]:
            self._answer(other, first, now)

    def _answer(self, number: int, first: float, last: float) -> None:
        times = self.times[number]
        times.first, times.last = max(first, times.taken_in), last
        times.done = self._at_desk(last, self.constants.end)
        self._at(times.done, self._ask)
