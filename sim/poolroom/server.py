"""What the server does, step by step: continuous batching over a cache pool, with pauses (recompute)."""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypedDict

from .blocks import blocks_for
from .chats import Request, check_requests
from .checks import SimError, whole, yes_no
from .facts import COST, SERVER, Cost
from .steptime import Clock, check_cost


class Run(TypedDict):
    """What a run came to.

    Attributes:
        seconds: when the last chat is done, seconds from time 0
        steps: steps of the whole run
        served: chats that were let in
        refused: chats that were turned away, since they are longer than `longest`
        paused: pauses to free blocks; one chat may pause more than once
        rebuilt_tokens: tokens of cache that were computed again after pauses
        tokens_per_second: reply tokens of all chats, tokens per second; None when nobody is served
        seconds_per_word: mean over the chats of the mean gap between their tokens, seconds; None when no reply has
            two
        running: chats running, on average over time; None when nobody is served
        pool_used: share of the pool's blocks in use, on average over time, from 0 to 1; None when nobody is served
        lowest_free: blocks free at the fullest moment
        first_token: instant of each chat's first token, seconds from time 0; None for a chat that was turned away
        finished: instant of each chat's last token, seconds from time 0; None for a chat that was turned away
    """

    seconds: float
    steps: int
    served: int
    refused: int
    paused: int
    rebuilt_tokens: int
    tokens_per_second: float | None
    seconds_per_word: float | None
    running: float | None
    pool_used: float | None
    lowest_free: int
    first_token: list[float | None]
    finished: list[float | None]


@dataclass(frozen=True, slots=True)
class Step:
    """One step as `watch` sees it, after its work and before its finished chats leave.

    A chat's id is its place in the list.

    Attributes:
        number: which step it is, steps counted from 1
        now: instant at which it ends, seconds from time 0
        running: ids of the running chats, oldest first
        joined: ids of the chats that joined in it
        paused: ids of the chats that were paused in it
        finished: ids of the chats whose reply is whole
        waiting: ids of the chats in the queue, from its front
        held_blocks: blocks of each running chat, in the order of `running`
        free_blocks: blocks that nobody holds
        context_tokens: tokens of cache read for the chats that went on writing
        read_tokens: tokens read for the chats that joined
    """

    number: int
    now: float
    running: tuple[int, ...]
    joined: tuple[int, ...]
    paused: tuple[int, ...]
    finished: tuple[int, ...]
    waiting: tuple[int, ...]
    held_blocks: tuple[int, ...]
    free_blocks: int
    context_tokens: int
    read_tokens: int


def serve(
    requests: Sequence[Request],
    cap: int,
    pool_blocks: int,
    longest: int,
    reserved: bool = False,
    cost: Cost = COST,
    watch: Callable[[Step], None] | None = None,
) -> Run:
    """Run the server over a list of chats; a chat's id is its place in the list.

    Chats of more than `longest` tokens are turned away. Each step:

    1. Chats that have arrived by now enter the queue.
    2. Each running chat, oldest first, that needs a new block takes one. If none is free, the newest running chat is
       paused: its blocks are freed and it goes to the front of the queue.
    3. If nobody was paused, waiting chats join, oldest first, while fewer than `cap` run and the pool has the blocks
       for their next token; the first that does not fit holds up the rest. With `reserved` a chat takes blocks for
       `longest` tokens, and is never paused.
    4. A joining chat's whole cache is read in. Every running chat writes one token.
    5. Chats with their whole reply leave and free their blocks.

    The reference walks every step. The port counts steps in which nothing happens many at a time, and walks them all
    where `watch` looks on.

    Args:
        requests: the chats, in the order in which they arrive
        cap: most chats at once, at least 1
        pool_blocks: size of the pool, blocks; at least those of one chat of `longest` tokens
        longest: longest chat, tokens of prompt and reply, at least 1
        reserved: whether every chat sets aside blocks for its longest length
        cost: what a step costs; the lesson's card and model where none is given
        watch: called with each step

    Returns:
        Times in seconds, rates, and counts of chats, steps, blocks and tokens.

    Raises:
        SimError: for any value out of range, for a pool that cannot hold one chat of `longest` tokens, and for a run
            that does not end at a finite time

    Source:
        The order of work is that of vLLM V1 with its default preemption (recompute).
    """
    check_requests(requests)
    whole("cap", cap, 1)
    whole("longest", longest, 1)
    whole("pool_blocks", pool_blocks)
    yes_no("reserved", reserved)
    if pool_blocks < blocks_for(longest):
        raise SimError("pool_blocks", pool_blocks, "pool", needs=blocks_for(longest), longest=longest)
    server = _Server(requests, cap, pool_blocks, longest, reserved, check_cost(cost))
    while server.busy():
        server.step(watch)
    return server.result()


class _Server:
    """The state of a run: who waits, who runs, who holds what."""

    def __init__(
        self, requests: Sequence[Request], cap: int, pool_blocks: int, longest: int, reserved: bool, cost: Cost
    ) -> None:
        self.requests, self.cap, self.pool_blocks, self.reserved = requests, cap, pool_blocks, reserved
        self.longest_blocks = blocks_for(longest)
        self.size = [r.prompt for r in requests]  # tokens so far: prompt + written
        self.whole_size = [r.prompt + r.reply for r in requests]
        self.coming = deque(i for i, size in enumerate(self.whole_size) if size <= longest)
        self.served = list(self.coming)
        self.waiting: deque[int] = deque()
        self.running: list[int] = []  # oldest first
        self.held = [0] * len(requests)  # blocks
        self.first: list[float | None] = [None] * len(requests)
        self.last: list[float | None] = [None] * len(requests)
        self.free = self.lowest_free = pool_blocks
        self.steps = self.paused = self.rebuilt = 0
        self.clock = Clock(cost)

    def busy(self) -> bool:
        return bool(self.coming or self.waiting or self.running)

    def step(self, watch: Callable[[Step], None] | None) -> None:
        self.arrive()
        if not self.running and not self.waiting:
            self.clock.jump(float(self.requests[self.coming[0]].arrival))  # nothing to do until the next chat
            self.arrive()
        paused = self.take_blocks()
        joined = [] if paused else self.admit()
        writing = len(self.running) - len(joined)  # those who join stand at the end
        context = self.tokens_of(self.running[:writing])
        read = self.tokens_of(joined)
        self.clock.count(context, writing + read, len(self.running), self.pool_blocks - self.free)
        self.lowest_free = min(self.lowest_free, self.free)
        self.steps += 1
        now = self.clock.now()
        finished = self.write(joined, now)
        if watch:
            watch(self.seen(now, joined, paused, finished, context, read))
        for i in finished:
            self.running.remove(i)
            self.release(i)

    def tokens_of(self, chats: list[int]) -> int:
        size = self.size
        return sum([size[i] for i in chats])

    def arrive(self) -> None:
        now = self.clock.now()
        while self.coming and float(self.requests[self.coming[0]].arrival) <= now:
            self.waiting.append(self.coming.popleft())

    def take_blocks(self) -> list[int]:
        paused: list[int] = []
        if self.reserved:
            return paused
        running, size, block_tokens = self.running, self.size, SERVER.block_tokens
        k = 0
        while k < len(running):
            if size[running[k]] % block_tokens == 0:  # its blocks are full
                if self.free == 0:
                    paused.append(self.pause_newest())  # may be this very chat: then the walk ends
                    continue
                self.hold(running[k], 1)
            k += 1
        return paused

    def pause_newest(self) -> int:
        newest = self.running.pop()
        self.release(newest)
        self.waiting.appendleft(newest)
        self.paused += 1
        return newest

    def admit(self) -> list[int]:
        joined = []
        while self.waiting and len(self.running) < self.cap:
            i = self.waiting[0]
            need = self.longest_blocks if self.reserved else blocks_for(self.size[i] + 1)
            if need > self.free:
                break
            self.hold(self.waiting.popleft(), need)
            self.running.append(i)
            joined.append(i)
            if self.first[i] is not None:  # it was paused: all of it is read again
                self.rebuilt += self.size[i]
        return joined

    def hold(self, i: int, blocks: int) -> None:
        self.free -= blocks
        self.held[i] += blocks

    def release(self, i: int) -> None:
        self.free += self.held[i]
        self.held[i] = 0

    def write(self, joined: list[int], now: float) -> list[int]:
        size, whole_size = self.size, self.whole_size
        finished = []
        for i in joined:
            if self.first[i] is None:
                self.first[i] = now
        for i in self.running:
            size[i] += 1
            if size[i] == whole_size[i]:
                self.last[i] = now
                finished.append(i)
        return finished

    def seen(
        self, now: float, joined: list[int], paused: list[int], finished: list[int], context: int, read: int
    ) -> Step:
        return Step(
            number=self.steps,
            now=now,
            running=tuple(self.running),
            joined=tuple(joined),
            paused=tuple(paused),
            finished=tuple(finished),
            waiting=tuple(self.waiting),
            held_blocks=tuple(self.held[i] for i in self.running),
            free_blocks=self.free,
            context_tokens=context,
            read_tokens=read,
        )

    def result(self) -> Run:
        now = self.clock.now() if self.served else 0.0
        words = sum([self.requests[i].reply for i in self.served])
        running, used, per_word = self.clock.running_seconds(), self.clock.used_seconds(), self.seconds_per_word()
        # 1e5: room to print milliseconds in tenths
        if not (running + used + now * float(self.pool_blocks) + (per_word or 0.0) * 1e5 < float("inf")):
            raise SimError("cost", self.clock.cost, "finite_time")
        return {
            "seconds": now,
            "steps": self.steps,
            "served": len(self.served),
            "refused": len(self.requests) - len(self.served),
            "paused": self.paused,
            "rebuilt_tokens": self.rebuilt,
            "tokens_per_second": float(words) / now if self.served else None,
            "seconds_per_word": per_word,
            "running": running / now if self.served else None,
            "pool_used": used / (now * float(self.pool_blocks)) if self.served else None,
            "lowest_free": self.lowest_free,
            "first_token": self.first,
            "finished": self.last,
        }

    def seconds_per_word(self) -> float | None:
        # The mean over chats of the mean gap between their tokens; a reply of one token has no gap.
        total, chats = 0.0, 0
        for i in self.served:
            first, last = self.first[i], self.last[i]
            if self.requests[i].reply > 1 and first is not None and last is not None:
                total += (last - first) / float(self.requests[i].reply - 1)
                chats += 1
        return total / float(chats) if chats else None
