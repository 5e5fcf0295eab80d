"""Put load on a model server and say how long its tokens took.

    python load.py --concurrency 1 4 16                      each client waits for its answer, then asks again
    python load.py --rate 5                                  requests come by chance, five a second on average
    python load.py --api openai --model M --url http://127.0.0.1:8001    any server of OpenAI's interface

The exit code is 1 when a request failed or the run was broken off; what is known by then is reported.
"""

import argparse
import asyncio
import json
import os
import random
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict

import httpx

from load_options import parse
from load_prompts import Ask, asks, asks_from
from load_report import Progress, summary, table
from load_request import Row, Target, send

MOST_CONNECTIONS = httpx.Limits(max_connections=None, max_keepalive_connections=None)  # the server queues, not we


async def closed_loop(client: httpx.AsyncClient, target: Target, asked: Sequence[Ask], concurrency: int,
                      finished: Callable[[Row], None]) -> None:
    """So many clients; each waits for its answer before it asks again."""
    waiting = iter(enumerate(asked))

    async def one_client() -> None:
        for number, ask in waiting:
            row = Row(time.perf_counter(), number=number)
            await send(client, target, ask, row)
            finished(row)

    await asyncio.gather(*(one_client() for _ in range(concurrency)))


async def poisson(client: httpx.AsyncClient, target: Target, asked: Sequence[Ask], gaps: Sequence[float],
                  finished: Callable[[Row], None]) -> None:
    """Requests that come when they come, however slow the answers are. Times count from when each was due."""
    due, running = time.perf_counter(), []

    async def one(row: Row, ask: Ask) -> None:
        await send(client, target, ask, row)
        finished(row)

    for number, (ask, gap) in enumerate(zip(asked, gaps, strict=True)):
        due += gap
        await asyncio.sleep(due - time.perf_counter())
        running.append(asyncio.create_task(one(Row(due, number=number), ask)))
    await asyncio.gather(*running)


def run(target: Target, asked: Sequence[Ask], *, concurrency: int = 1, gaps: Sequence[float] | None = None,
        progress: Callable[[Sequence[Row]], None] = lambda rows: None) -> tuple[list[Row], float, bool]:
    """Send all requests: what each came to, seconds that it took, and whether it went to its end.

    `gaps` are seconds between requests that come by chance; without them it is a closed loop.
    """
    rows: list[Row] = []

    def finished(row: Row) -> None:
        rows.append(row)
        progress(rows)

    async def all_of_it() -> None:
        async with httpx.AsyncClient(timeout=None, limits=MOST_CONNECTIONS, trust_env=False) as client:
            if gaps is None:
                await closed_loop(client, target, asked, concurrency, finished)
            else:
                await poisson(client, target, asked, gaps, finished)

    begin = time.perf_counter()
    try:
        asyncio.run(all_of_it())
    except KeyboardInterrupt:  # what was in flight is cancelled and not among the rows
        return rows, time.perf_counter() - begin, False
    return rows, time.perf_counter() - begin, True


def requests_of(options: argparse.Namespace, name: str) -> list[Ask]:
    """The requests of one run. Each run asks its own, so that a cache filled by one does not answer the next."""
    seed = f"{options.seed} {name}"
    if options.prompts:
        return asks_from(options.prompts, seed, options.requests, options.max_tokens)
    return asks(seed, options.requests, options.prompt_words, options.max_tokens, options.distinct)


def one_run(options: argparse.Namespace, target: Target, concurrency: int | None) -> tuple[dict, bool]:
    """Do one run and print its table: its figures, and whether it went to its end."""
    name = f"concurrency {concurrency}" if concurrency else f"rate {options.rate:g} a second"
    asked, gaps = requests_of(options, name), None
    if concurrency is None:
        chance = random.Random(f"{options.seed} gaps")
        gaps = [chance.expovariate(options.rate) for _ in asked]
    progress = Progress(len(asked))
    rows, seconds, to_its_end = run(target, asked, concurrency=concurrency or 1, gaps=gaps, progress=progress)
    progress.end()
    figures = summary(rows, len(asked), seconds)
    print(f"{name}\n{table(figures)}\n", flush=True)
    return {"run": name, **figures, "rows": [asdict(row) for row in rows]}, to_its_end


def main(words: Sequence[str]) -> int:
    """Run the command line."""
    options = parse(__doc__.splitlines()[0], words)
    target = Target(options.url, options.api, options.model, os.environ.get("OPENAI_API_KEY"), options.timeout)
    results, to_its_end = [], True
    for concurrency in [None] if options.rate else options.concurrency:
        figures, to_its_end = one_run(options, target, concurrency)
        results.append(figures)
        if options.json:  # after each run, so that the next one cannot lose it
            options.json.write_text(json.dumps(results, indent=1) + "\n")
        if not to_its_end:
            break
    return 0 if to_its_end and not any(figures["errors"] for figures in results) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
