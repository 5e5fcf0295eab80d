"""A second, plain model of the lesson's server, written from the lesson's own description alone.

It shares nothing with poolroom: its own constants, its own bookkeeping, and the simplest clock there is
(`now += seconds of the step`, a float). Where both models give the same sentences, neither the whole-number
clock nor the order of work can be far from what the lesson says. Requests are (prompt, reply); all wait at 0.
"""

from dataclasses import dataclass

CARD, WEIGHTS, RESERVE = 80_000_000_000, 2 * 8_030_261_248, 2_000_000_000
KV = 131_072
BLOCK = 16
BANDWIDTH, PEAK = 2.039e12, 3.12e14


@dataclass
class Chat:
    """One chat on its way through the server."""

    prompt: int
    reply: int
    written: int = 0
    blocks: int = 0
    first: float = 0.0
    last: float = 0.0

    @property
    def tokens(self) -> int:
        """Tokens so far."""
        return self.prompt + self.written


@dataclass
class Totals:
    """What a run adds up."""

    now: float = 0.0
    steps: int = 0
    pauses: int = 0
    rebuilt: int = 0
    chat_seconds: float = 0.0
    block_seconds: float = 0.0


def needed(tokens: int) -> int:
    """Blocks for so many tokens."""
    full, rest = divmod(tokens, BLOCK)
    return full + (1 if rest else 0)


def parts(share: int) -> tuple[int, int, int]:
    """Bytes of the pool, bytes unused, blocks of the pool."""
    left = CARD * share // 100 - WEIGHTS - RESERVE
    blocks = left // (BLOCK * KV) if left > 0 else 0
    pool = blocks * BLOCK * KV
    return pool, CARD - WEIGHTS - RESERVE - pool, blocks


def step_time(old: list[Chat], new: list[Chat]) -> float:
    """Seconds of a step in which `old` chats write and `new` ones are read in."""
    moved = WEIGHTS + KV * sum(chat.tokens for chat in old)
    computed = WEIGHTS * (len(old) + sum(chat.tokens for chat in new))
    return max(moved / BANDWIDTH, computed / PEAK)


def take_blocks(running: list[Chat], queue: list[Chat], free: int) -> tuple[int, int]:
    """Old chats take the blocks they need, the newest make room; gives what is free and how many paused."""
    pauses = 0
    for chat in list(running):
        while chat in running and chat.tokens % BLOCK == 0 and chat.blocks * BLOCK == chat.tokens:
            if free:
                chat.blocks, free = chat.blocks + 1, free - 1
            else:
                victim = running.pop()
                free, victim.blocks = free + victim.blocks, 0
                queue.insert(0, victim)
                pauses += 1
    return free, pauses


def let_in(running: list[Chat], queue: list[Chat], free: int, cap: int, whole: int) -> tuple[list[Chat], int]:
    """Waiting chats join in order while there is a seat and room; `whole` blocks each if set aside."""
    new: list[Chat] = []
    while queue and len(running) + len(new) < cap:
        blocks = whole or needed(queue[0].tokens + 1)
        if blocks > free:
            break
        chat = queue.pop(0)
        chat.blocks, free = blocks, free - blocks
        new.append(chat)
    return new, free


def write(running: list[Chat], now: float) -> tuple[list[Chat], int]:
    """Every running chat writes a token; gives who stays and how many blocks come free."""
    stay, freed = [], 0
    for chat in running:
        chat.written += 1
        chat.first = now if chat.written == 1 else chat.first
        if chat.written == chat.reply:
            chat.last, freed = now, freed + chat.blocks
        else:
            stay.append(chat)
    return stay, freed


def simulate(queue: list[Chat], cap: int, pool: int, whole: int) -> Totals:
    """Run every chat of the queue to its end."""
    running: list[Chat] = []
    free, totals = pool, Totals()
    while queue or running:
        pauses = 0
        if not whole:
            free, pauses = take_blocks(running, queue, free)
        new, free = ([], free) if pauses else let_in(running, queue, free, cap, whole)
        seconds = step_time(running, new)
        running += new
        totals.now += seconds
        totals.steps += 1
        totals.pauses += pauses
        totals.rebuilt += sum(chat.tokens for chat in new if chat.written)
        totals.chat_seconds += len(running) * seconds
        totals.block_seconds += (pool - free) * seconds
        running, freed = write(running, totals.now)
        free += freed
    return totals


def nearest(x: float) -> int:
    """Whole number next to x ≥ 0, halves up."""
    return int(x + 0.5)


def run_words(
    requests: list[tuple[int, int]], cap: int, pool: int, longest: int, reserved: bool
) -> tuple[str, str, int]:
    """The second line, the third line, and the fill."""
    served = [Chat(*pair) for pair in requests if sum(pair) <= longest]
    totals = simulate(list(served), cap, pool, needed(longest) if reserved else 0)
    rate = sum(chat.reply for chat in served) / totals.now
    wait = sum((chat.last - chat.first) / (chat.reply - 1) for chat in served) / len(served)
    fill = nearest(100 * totals.block_seconds / (totals.now * pool))
    run = (
        f"Running on average: {nearest(totals.chat_seconds / totals.now):,} chats (up to {cap:,}). "
        f"Everyone together: {nearest(rate):,} tokens a second. One user waits {wait * 1000:.1f} ms between words."
    )
    extra = f"The chats in progress hold {fill}% of the cache pool on average."
    if len(served) < len(requests):
        extra += f" {len(requests) - len(served):,} of {len(requests):,} chats turned away: too long."
    if totals.pauses:
        extra += f" {totals.pauses:,} chats paused to free room; {totals.rebuilt:,} tokens of cache rebuilt."
    return run, extra, fill


def room_words(blocks: int, longest: int, reserved: bool) -> str:
    """The first line."""
    each, typical = needed(longest), min(2_000, longest)
    if blocks < each:
        return (
            f"The server will not start. One chat of {longest:,} tokens needs room for {each * BLOCK:,} tokens; "
            f"the pool holds {blocks * BLOCK:,}."
        )
    if reserved:
        return (
            f"Room for {blocks // each:,} chats at once, because each one holds {longest:,} tokens "
            "whether it uses them or not."
        )
    return (
        f"Room for {blocks // needed(typical):,} chats of {typical:,} tokens at once. "
        f"{blocks // each:,} if every chat ran to {longest:,}."
    )


def describe(requests: list[tuple[int, int]], share: int, longest: int, cap: int, reserved: bool) -> dict[str, object]:
    """Everything the lesson's widget shows."""
    pool, unused, blocks = parts(share)
    run, extra, fill = "", "Raise the memory share or lower the longest chat.", 0
    if blocks >= needed(longest):
        run, extra, fill = run_words(requests, cap, blocks, longest, reserved)
    sizes = [WEIGHTS, RESERVE, pool, unused]
    names = ["Model weights", "Working reserve", "Cache pool", "Left unused"]
    return {
        "grow": sizes,
        "fill": fill,
        "room": room_words(blocks, longest, reserved),
        "run": run,
        "extra": extra,
        "legend": [f"{name} {size / 1e9:.1f} GB" for name, size in zip(names, sizes, strict=True)],
    }
